#!/usr/bin/env python3
"""Runs the tasks of data and backend engineers in Tasks, each beside a Python program that computes its result.

    tasks.py BIN [--only NAME …]      runs them, two at a time; with --waiting also those that wait for a feature
    tasks.py BIN --rows COUNT         runs those of values in lines with so many of them, copies of the task's own at later
                                      times; the result is compared where the task's program computes it in time
    tasks.py BIN --recipes [--check]  writes the page of recipes, or checks that it is current
    tasks.py --data NAME [FOLDER]     writes a task's stream and data into a folder, by default NAME, and prints its
                                      command; NAME is a part of a folder's name, such as moving-average

A task is a folder: stream.json, and task.py with

    TITLE, ABOUT     for the page of recipes
    COMMAND          what a user types, run by bash in a folder with the task's files
    data(random)     the files of data by name: rows, which become NDJSON, or text or bytes
    expected(data)   the values on standard output; or a text; or a dictionary of them by file, with "stdout"
    run(folder, command)  instead of COMMAND, for tasks with signals or servers: returns standard output;
                     command runs a line of the shell
    UNORDERED        if the order of the values does not matter
    WAITING          the reason why the task cannot run yet
    FIXED            the reason why --rows does not enlarge its data
    IMPOSSIBLE       the reason why the tool does not do this
"""

import argparse
import concurrent.futures
import importlib.util
import json
import math
import multiprocessing
import os
import pathlib
import random
import shutil
import statistics
import subprocess
import sys
import tempfile

here = pathlib.Path(__file__).resolve().parent
tasks = here / "Tasks"
sys.path.insert(0, str(tasks))
sys.dont_write_bytecode = True
import support  # noqa: E402


class Wrong(Exception):
    pass


def load(folder):
    spec = importlib.util.spec_from_file_location("task_" + folder.name.replace("-", "_"), folder / "task.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def write(path, content):
    if isinstance(content, list):
        content = support.ndjson(content)
    path.write_bytes(content.encode() if isinstance(content, str) else content)


def read(text):
    return [json.loads(line) for line in text.splitlines()]


def equal(left, right):
    """Equal as JSON: numbers by value, doubles within 12 digits, members in any order."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, (int, float)) and isinstance(right, (int, float)):
        if isinstance(left, int) and isinstance(right, int):
            return left == right
        return math.isclose(left, right, rel_tol=1e-12, abs_tol=1e-9)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(equal, left, right))
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(equal(left[name], right[name]) for name in left)
    return type(left) is type(right) and left == right


def compare(name, actual, wanted, unordered):
    if isinstance(wanted, str):
        if actual != wanted:
            raise Wrong(f"{name}: {actual[:300]!r} instead of {wanted[:300]!r}")
        return
    values, wanted = read(actual), list(wanted)
    if unordered:
        order = lambda value: json.dumps(value, sort_keys=True)
        values, wanted = sorted(values, key=order), sorted(wanted, key=order)
    if not wanted:
        raise Wrong(f"{name}: a task that expects no values shows nothing")
    for index, (left, right) in enumerate(zip(values, wanted)):
        if not equal(left, right):
            raise Wrong(f"{name}, value {index}: {json.dumps(left)} instead of {json.dumps(right)}")
    if len(values) != len(wanted):
        raise Wrong(f"{name}: {len(values)} values instead of {len(wanted)}")


def command(line, folder, timeout=60):
    result = subprocess.run(
        ["bash", "-c", line],
        cwd=folder,
        capture_output=True,
        timeout=timeout,
        env={**os.environ, "PATH": f"{folder}/.bin:" + os.environ["PATH"]},
    )
    output, errors = result.stdout.decode(), result.stderr.decode()
    if result.returncode:
        raise Wrong(f"{line}: exit code {result.returncode}\n{output[-500:]}{errors[-1500:]}")
    if "warning S203" in errors:
        raise Wrong(f"{line}: a false alarm\n{errors[-1500:]}")
    return output


def shifted(rows, column):
    """How far a copy of the rows is shifted in a column that grows, such as times and numbers; 0 for others."""
    values = [row.get(column) if isinstance(row, dict) else None for row in rows]
    if any(isinstance(value, bool) or not isinstance(value, (int, float)) for value in values):
        return 0
    if len(set(values)) < 10 or statistics.correlation(range(len(values)), values) < 0.9:
        return sorted(values) == values and values[-1] - values[0]
    width = max(values) - min(values)
    return width + max(1, round(width / len(values))) if all(isinstance(value, int) for value in values) else width * 1.01


def enlarged(data, count):
    """The data with the longest list of rows repeated until it has so many rows; None if no file is such a list."""
    lists = [name for name, content in data.items() if isinstance(content, list) and len(content) > 1
             and all(isinstance(row, dict) for row in content)]
    if not lists:
        return None
    name = max(lists, key=lambda name: len(data[name]))
    rows = data[name]
    shifts = {column: shift for column in rows[0] if (shift := shifted(rows, column))}
    many = []
    for copy in range(-(-count // len(rows))):
        for row in rows:
            many.append({**row, **{column: row[column] + copy * shift for column, shift in shifts.items()}})
    return {**data, name: many[:count]}


def expected_in_time(task, data, seconds):
    """What the task's program computes; None if it takes longer, since some of them compare each row with each other."""
    reader, writer = multiprocessing.Pipe(False)
    listed = lambda content: content if isinstance(content, (str, dict)) else list(content)  # noqa: E731
    process = multiprocessing.get_context("fork").Process(target=lambda: writer.send(listed(task.expected(data))))
    process.start()
    writer.close()
    try:
        return reader.recv() if reader.poll(seconds) else None
    except EOFError:
        raise Wrong("the task's program fails with these data")
    finally:
        process.kill()


def at_size(binary, folder, rows):
    """Runs a task with so many rows."""
    task = load(folder)
    for name in ("IMPOSSIBLE", "WAITING", "FIXED", "run"):
        if hasattr(task, name):
            return "left out", getattr(task, name) if name != "run" else "it has no command"
    work = pathlib.Path(tempfile.mkdtemp(prefix="task-"))
    try:
        (work / ".bin").mkdir()
        (work / ".bin" / "streamrun").symlink_to(binary)
        data, _ = prepare(task, folder, work, rows)
        if data is None:
            return "left out", "its data are no lists of rows"
        output = command(task.COMMAND, work, timeout=1800)
        wanted = expected_in_time(task, data, 300)
        if wanted is None:
            return "runs", "the program takes too long"
        for name, content in (wanted if isinstance(wanted, dict) else {"stdout": wanted}).items():
            actual = output if name == "stdout" else (work / name).read_bytes().decode()
            compare(name, actual, content, getattr(task, "UNORDERED", False))
        return "right", ""
    except Exception as error:  # A task that fails in any way is wrong.
        return "WRONG", f"{type(error).__name__}: {str(error)[:700]}"
    finally:
        shutil.rmtree(work, ignore_errors=True)


def one(binary, folder, waiting=False):
    """Runs a task, and returns its state and a reason."""
    task = load(folder)
    if hasattr(task, "IMPOSSIBLE"):
        return "impossible", task.IMPOSSIBLE
    if hasattr(task, "WAITING") and not waiting:
        return "waiting", task.WAITING
    work = pathlib.Path(tempfile.mkdtemp(prefix="task-"))
    try:
        (work / ".bin").mkdir()
        (work / ".bin" / "streamrun").symlink_to(binary)
        data, files = prepare(task, folder, work)
        streams = " ".join(file.name for file in files if file.suffix == ".json")
        command(f"streamrun validate {streams} && streamrun format --check {streams}", work)
        command("streamrun test stream.json", work)
        shell = lambda line: command(line, work)
        output = task.run(work, shell) if hasattr(task, "run") else shell(task.COMMAND)
        wanted = task.expected(data)
        if not isinstance(wanted, dict):
            wanted = {"stdout": wanted}
        for name, content in wanted.items():
            actual = output if name == "stdout" else (work / name).read_bytes().decode()
            compare(name, actual, content, getattr(task, "UNORDERED", False))
        return "right", ""
    except subprocess.TimeoutExpired as error:
        return "WRONG", f"no end after {error.timeout} s"
    except Exception as error:  # A task that fails in any way is wrong.
        return "WRONG", f"{type(error).__name__}: {error}"
    finally:
        shutil.rmtree(work, ignore_errors=True)


def prepare(task, folder, work, rows=None):
    """Copies a task's files to a folder, writes its data there, enlarged if a number of rows is given, and returns the data
    and the stream files. Without data that can be enlarged, the data are None."""
    files = [file for file in folder.iterdir() if file.is_file() and file.name not in ("task.py", "data.py")]
    for file in files:
        shutil.copy(file, work)
    data = task.data(random.Random(folder.name))
    if rows:
        data = enlarged(data, rows)
    for name, content in (data or {}).items():
        (work / name).parent.mkdir(parents=True, exist_ok=True)
        write(work / name, content)
    return data, files


def write_data(name, target):
    """Writes the files of a task for a reader of its recipe."""
    found = [folder for folder in sorted(tasks.iterdir()) if (folder / "task.py").exists() and name in folder.name]
    exact = [folder for folder in found if name in (folder.name, folder.name.split("-", 1)[-1])]
    if len(exact or found) != 1:
        names = ", ".join(folder.name for folder in exact or found)
        sys.exit(f"no task is named '{name}'" if not found else f"'{name}' is in the names of several tasks: {names}")
    folder = (exact or found)[0]
    work = target or pathlib.Path(folder.name)
    if work.exists() and any(work.iterdir()):
        sys.exit(f"the folder {work} is not empty")
    work.mkdir(parents=True, exist_ok=True)
    task = load(folder)
    data, files = prepare(task, folder, work)
    for file in sorted([*data, *(file.name for file in files)]):
        print(f"{work}/{file}")
    print(f"\n$ cd {work}\n$ {task.COMMAND}" if hasattr(task, "COMMAND") else "")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__.split("\n\n")[0],
        epilog="tasks.py --data moving-average writes the stream and the data of a recipe, and prints its command",
    )
    parser.add_argument("binary", type=pathlib.Path, nargs="?")
    parser.add_argument(
        "--data",
        nargs="+",
        metavar=("NAME", "FOLDER"),
        help="write the stream and the data of a task into a folder (default NAME), and print its command",
    )
    parser.add_argument("--only", nargs="+", default=[])
    parser.add_argument("--rows", type=int, metavar="COUNT", help="run with so many values")
    parser.add_argument("--waiting", action="store_true", help="run the tasks that wait, too")
    parser.add_argument("--recipes", action="store_true", help="write the page of recipes")
    parser.add_argument("--check", action="store_true", help="with --recipes: only check that it is current")
    options = parser.parse_args()
    if options.data:
        if len(options.data) > 2:
            parser.error("--data takes the name of a task and a folder")
        return write_data(options.data[0], pathlib.Path(options.data[1]) if len(options.data) > 1 else None)
    if not options.binary:
        parser.error("the path of streamrun is missing")
    binary = options.binary.resolve()
    folders = sorted(folder for folder in tasks.iterdir() if (folder / "task.py").exists())
    if options.recipes:
        sys.path.insert(0, str(here))
        import recipes

        sys.exit(recipes.main(binary, [(folder, load(folder)) for folder in folders], options.check))
    if options.only:
        folders = [folder for folder in folders if any(name in folder.name for name in options.only)]
    counts, failed = {}, []
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for folder, (state, reason) in zip(
            folders,
            pool.map(
                lambda folder: at_size(binary, folder, options.rows) if options.rows
                else one(binary, folder, options.waiting),
                folders,
            ),
        ):
            counts[state] = counts.get(state, 0) + 1
            print(f"{state:10} {folder.name}" + (f": {reason}" if reason else ""), flush=True)
            if state == "WRONG":
                failed.append(folder.name)
    print(f"{len(folders)} tasks: " + ", ".join(f"{count} {state}" for state, count in sorted(counts.items())))
    if not folders or failed:
        sys.exit(f"wrong: {' '.join(failed) or 'there are no tasks'}")


if __name__ == "__main__":
    main()
