#!/usr/bin/env python3
"""Compares the columns of the page "Coming from jq, Miller, SQL and RxJS": runs both commands of each row.

    coming_from.py BIN [--rows COUNT] [--modules FOLDER] [--only TASK …]

With COUNT, the rows run with so many random values instead of those of the page. Needs jq, mlr, the Python package duckdb, and node with RxJS in FOLDER, by default where Debian's node-rxjs is.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import random
import re
import shlex
import subprocess
import sys
import tempfile

root = pathlib.Path(__file__).resolve().parents[2]
page = root / "Sources/StreamCommands/StreamCommands.docc/ComingFromTools.md"
TYPE = {"id": "int", "net": "string", "mag": "double", "ts": "int"}

# Rows of RxJS that wait for the times of their values.
WAITING = {"debounceTime", "throttleTime"}

# Rows that also run with these values, whose members may be null or false.
NULLABLE = {"a default", "COALESCE", "COUNT(DISTINCT)"}
NULLS = "".join(
    json.dumps({"id": index, "net": net, "mag": 1.5, "ts": index, **depth}) + "\n"
    for index, (net, depth) in enumerate(
        [("us", {}), (None, {"depth": None}), ("ak", {"depth": False}), (None, {"depth": 0}), ("ak", {"depth": 3})]
    )
)


def rows(text, name):
    """The rows of the section's table: task, theirs and ours."""
    section = text.split(f"\n## {name}\n")[1].split("\n## ")[0]
    for line in section.splitlines():
        if line.startswith("| ") and not line.startswith("| task") and not line.startswith("| ---"):
            cells = [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
            if len(cells) != 3:
                raise SystemExit(f"{page.name}: a row of {len(cells)} cells: {line}")
            yield cells[0], cells[1].strip("`"), cells[2].strip("`")


def random_values(count):
    """Values like those of the page; no two have the same magnitude."""
    rng = random.Random(count)
    magnitudes = rng.sample(range(count * 10), count)
    return "".join(
        json.dumps({"id": index + 1, "net": rng.choice(["us", "ak", "ci"]), "mag": magnitude * 9 / count / 10, "ts": index * 10})
        + "\n"
        for index, magnitude in enumerate(magnitudes)
    )


def lines(arguments, text, **options):
    result = subprocess.run(arguments, input=text, capture_output=True, text=True, timeout=600, **options)
    if result.returncode:
        raise ValueError(result.stderr[-600:])
    if "warning S" in result.stderr:
        raise ValueError(f"a false alarm: {result.stderr[-600:]}")
    decoder, values, place, output = json.JSONDecoder(), [], 0, result.stdout.strip()
    while place < len(output):
        value, place = decoder.raw_decode(output, place)
        values.append(value)
        while output[place:place + 1].isspace():
            place += 1
    return values


def ours(binary, operators, values, type):
    stream = {
        "inputs": {"quakes": {"type": type}},
        "source": {"input": {"name": "quakes"}},
        "operators": json.loads(f"[{operators}]"),
    }
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(stream, file)
        file.flush()
        return lines([binary, file.name, "--event-time", "value.ts"], values)


def jq(text, values):
    return lines(["jq", "-c", *(shlex.split(text) if text.startswith("-") else [text])], values)


def miller(text, values):
    return lines(["mlr", "--ijsonl", "--ojsonl", *shlex.split(text)], values)


def sql(text, values):
    import duckdb

    connection = duckdb.connect()
    connection.execute("CREATE TABLE quakes (id BIGINT, net VARCHAR, mag DOUBLE, ts BIGINT)")
    with tempfile.NamedTemporaryFile("w", suffix=".ndjson") as file:
        file.write(values)
        file.flush()
        connection.execute(f"INSERT INTO quakes SELECT {', '.join(TYPE)} FROM read_json('{file.name}')")
    cursor = connection.execute(text)
    names = [column[0] for column in cursor.description]
    return [dict(zip(names, row)) for row in cursor.fetchall()]


def rxjs(modules):
    def run(text, values):
        program = (
            "const rx = require('rxjs'); with (rx) { from(require('fs').readFileSync(0, 'utf8').trim().split('\\n')"
            f".map(JSON.parse)).pipe({text}).subscribe(v => console.log(JSON.stringify(v))) }}"
        )
        return lines(["node", "-e", program], values, env={**os.environ, "NODE_PATH": str(modules)})

    return run


def same(left, right):
    """Equal values; numbers within 12 digits, since the tools add in another order."""
    if isinstance(left, (int, float)) and isinstance(right, (int, float)) and not isinstance(left, bool):
        return abs(left - right) <= 1e-12 * max(1, abs(left))
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    return left == right


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary", type=pathlib.Path)
    parser.add_argument("--modules", type=pathlib.Path, default="/usr/share/nodejs")
    parser.add_argument("--only", nargs="+", default=[], help="run only the rows with one of these texts in the task")
    parser.add_argument("--rows", type=int, metavar="COUNT", help="run with so many random values")
    options = parser.parse_args()
    binary, text = str(options.binary.resolve()), page.read_text()
    values = re.search(r"```text\n(\{.*?)```", text, re.DOTALL).group(1)
    tools = [("jq", jq), ("Miller", miller), ("SQL", sql), ("RxJS", rxjs(options.modules))]
    work = [(name, run, *row, values, TYPE) for name, run in tools for row in rows(text, name)]
    if options.rows:
        values = random_values(options.rows)
        work = [(*item[:5], values, TYPE) for item in work if item[2] not in WAITING]
    else:
        work += [(*item[:5], NULLS, {**TYPE, "net": "string?"}) for item in work if item[2] in NULLABLE]
    missing = NULLABLE - {item[2] for item in work}
    if missing:
        raise SystemExit(f"{page.name} has no rows {missing}")
    if options.only:
        work = [item for item in work if any(part in item[2] for part in options.only)]

    def check(item):
        name, run, task, theirs, fragment, values, type = item
        try:
            left, right = run(theirs, values), ours(binary, fragment, values, type)
        except Exception as error:  # A command that fails in any way is a problem of the row.
            return f"{name}, {task}: {error}"
        # Groups and unordered queries have an order of their own.
        if (name == "SQL" and "ORDER BY" not in re.sub(r"\(.*?\)", "", theirs)) or name == "jq" and "_by" in theirs:
            left, right = (sorted(part, key=json.dumps) for part in (left, right))
        if not left:
            return f"{name}, {task}: {theirs} prints nothing"
        shown = (json.dumps(left)[:300], json.dumps(right)[:300])
        return None if same(left, right) else f"{name}, {task}: {shown[0]} there, {shown[1]} here"

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        problems = [problem for problem in pool.map(check, work) if problem]
    print(*problems, sep="\n")
    print(f"{len(work)} runs of rows, {len(work) - len(problems)} with equal results")
    complete = options.only or all(any(item[0] == name for item in work) for name, _ in tools)
    return 0 if work and complete and not problems else 1


if __name__ == "__main__":
    sys.exit(main())
