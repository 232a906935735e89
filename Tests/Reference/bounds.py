#!/usr/bin/env python3
"""Stream files that multiply, through every command, the language server and the studio: each ends in time and memory.

    bounds.py FOLDER [--quick] [--rows NAME,…] [--doors NAME,…] [--slow FACTOR] [--all]

FOLDER has the built commands. `bounds_rows.py` generates the files: for each line of the table "Constructions that
multiply" in Limits.md, files whose size would double with each level, or grow with a power of it. Every door has to end
within 2 seconds of processor time and below 200 MB, with an exit code that a wrong or a valid file has, and `validate` names
the code of the row; a limit of the address space ends what escapes. The language server and the studio have to answer a
second request after the file. `--quick` takes one size of each file and a few doors for each row, in turn: the gate.
"""

import argparse
import concurrent.futures
import http.client
import json
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time

import bounds_rows

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "Sources/StreamCommands/StreamCommands.docc/Limits.md"
SECONDS, MEGABYTES = 2, 200
# The doors that exceed this, with what they may take until that is mended. A pair leaves with the commit that mends it.
KNOWN = {
    ("definitions", "studio"): (2, 300),
    ("definitions_in_a_partition", "studio"): (2, 300),
    ("definitions_of_many_operators", "lsp"): (3, 300),
    ("files_of_many_operators_with_parameters", "studio"): (5, 700),
    ("types_of_many_operators", "patch"): (4, 200),
    ("records_of_merged_records", "bench"): (3, 200),
}
ADDRESS_SPACE = 8 << 30

COMMANDS = {
    "validate": ["validate", "f.json"],
    "run": ["run", "f.json", "--virtual", "--limit", "100"],
    "run in bounds": ["run", "f.json", "--virtual", "--memory", "150MB", "--sandbox", "--allow-read", ".", "--for", "1"],
    "test": ["test", "f.json", "--budget", "100000"],
    "explain": ["explain", "f.json"],
    "explain json": ["explain", "f.json", "--format", "json"],
    "show": ["show", "f.json"],
    "show stages": ["show", "f.json", "--stages"],
    "graph": ["show", "f.json", "--graph"],
    "graph svg": ["show", "f.json", "--graph", "--format", "svg"],
    "page": ["show", "f.json", "-o", "page.html"],
    "format": ["format", "f.json"],
    "short form": ["format", "--short", "f.json"],
    "hash": ["hash", "f.json"],
    "hash of behavior": ["hash", "--behavior", "f.json"],
    "diff": ["diff", "f.json", "o.json"],
    "diff of behavior": ["diff", "--behavior", "f.json", "o.json", "--for", "1", "--budget", "100000"],
    "patch": ["diff", "f.json", "o.json", "--format", "patch"],
    "edit": ["edit", "f.json", "--set", '/name="x"', "--dry-run"],
    "merge": ["merge", "f.json", "o.json", "p.json"],
    "patch file": ["patch", "f.json", "patch.json"],
    "worker": ["worker", "--check", "f.json"],
    "bench": ["bench", "f.json", "--rounds", "1", "--values", "10", "--budget", "100000"],
}
# The codes of files: 0 good, 1 a test or a stream failed, 2 wrong.
CODES = (0, 1, 2)


class Trial:
    """What a door took: seconds of processor time, megabytes, the exit code, and its output."""

    def __init__(self, seconds, megabytes, code, output):
        self.seconds, self.megabytes, self.code, self.output = seconds, megabytes, code, output


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def start(arguments, folder, **files):
    return subprocess.Popen(arguments, cwd=folder, preexec_fn=limit, **files)


def finish(process, begun, seconds):
    """Waits for a process of our own; ends it after a time."""
    while True:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            break
        if time.monotonic() - begun > seconds:
            process.kill()
            _, status, usage = os.wait4(process.pid, 0)
            break
        time.sleep(0.005)
    process.returncode = os.waitstatus_to_exitcode(status)
    return Trial(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, process.returncode, "")


def run(program, arguments, folder, seconds):
    begun = time.monotonic()
    with open(f"{folder}/out", "wb") as out:
        process = start([program, *arguments], folder, stdin=subprocess.DEVNULL, stdout=out, stderr=out)
        trial = finish(process, begun, seconds)
    with open(f"{folder}/out", errors="replace") as out:
        trial.output = out.read(4_000_000)
    return trial


# The language server


def frame(message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


def serve(program, folder, seconds):
    """A session in which an editor opens the file, asks about it, opens a plain file, and ends."""
    uri = pathlib.Path(folder, "f.json").as_uri()
    text = pathlib.Path(folder, "f.json").read_text()
    place = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": min(len(text) - 1, 60)}}
    messages = [
        {"id": 1, "method": "initialize", "params": {"capabilities": {}}},
        {"method": "initialized", "params": {}},
        {"method": "textDocument/didOpen", "params": {"textDocument": {"uri": uri, "text": text, "version": 1}}},
    ]
    for number, method in enumerate(["hover", "completion", "documentSymbol", "references", "definition", "formatting"]):
        messages.append({"id": 10 + number, "method": f"textDocument/{method}", "params": place})
    plain = pathlib.Path(folder, "plain.json").as_uri()
    messages += [
        {"method": "textDocument/didOpen", "params": {"textDocument": {"uri": plain, "text": "{}", "version": 1}}},
        {"id": 2, "method": "shutdown"},
        {"method": "exit"},
    ]
    begun = time.monotonic()
    with open(f"{folder}/in", "wb") as file:
        for message in messages:
            file.write(frame(message))
    with open(f"{folder}/in", "rb") as source, open(f"{folder}/out", "wb") as out:
        process = start([program, "lsp"], folder, stdin=source, stdout=out, stderr=subprocess.DEVNULL)
        trial = finish(process, begun, seconds)
    with open(f"{folder}/out", errors="replace") as out:
        trial.output = out.read()
    if trial.code == 0 and '"id":2,"result":null' not in trial.output:
        trial.code = "no answer after the file"
    return trial


# The studio


class Studio:
    def __init__(self, program, folder):
        self.process = start(
            [program, folder, "--port", "0", "--color", "never"], folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True)
        link = re.search(r"http://127.0.0.1:(\d+)/\?token=(\S+)", self.process.stdout.readline())
        self.port, self.token = int(link.group(1)), link.group(2)

    def ask(self, path, body, seconds):
        """The seconds and the answer of a request, and the memory that the process has taken for it."""
        pathlib.Path(f"/proc/{self.process.pid}/clear_refs").write_text("5")
        begun = self.seconds
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=seconds)
        try:
            connection.request(
                "POST", f"/api{path}", json.dumps(body),
                {"Content-Type": "application/json", "Authorization": f"Bearer {self.token}",
                 "Cookie": f"studio-{self.port}={self.token}", "X-Studio": "1",
                 "Origin": f"http://127.0.0.1:{self.port}"})
            answer = connection.getresponse()
            code, output = answer.status, answer.read().decode(errors="replace")
        except OSError:
            code, output = "no answer", ""
        finally:
            connection.close()
        peak = re.search(r"VmHWM:\s+(\d+)", pathlib.Path(f"/proc/{self.process.pid}/status").read_text())
        return Trial(self.seconds - begun, int(peak.group(1)) / 1024, code, output)

    @property
    def seconds(self):
        """The processor time of the process so far."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def close(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process.stdout.close()


def requests(folder):
    text = pathlib.Path(folder, "f.json").read_text()
    other = pathlib.Path(folder, "o.json").read_text()
    draft = {"path": "f.json", "text": text}
    place = {**draft, "at": min(len(text) - 1, 60)}
    return {
        "/analyze": draft, "/complete": place, "/hover": place, "/format": draft, "/run": {**draft, "seconds": 1},
        "/rename": {**place, "to": "renamed"}, "/edit": {**draft, "edits": [{"set": {"pointer": "/name", "value": "x"}}]},
        "/picture": {**draft, "form": "graph", "format": "svg"}, "/test": draft,
        "/test/add": {**draft, "name": "new"}, "/test/update": draft,
        "/diff": {"old": draft, "new": {"path": "o.json", "text": other}},
        "/merge": {"base": text, "ours": other, "theirs": text},
    }


# Rows


def write(row, size, folder):
    """Writes the files of a row, a changed copy of the main one, and a plain file."""
    files = row.make(size)
    for name, content in files.items():
        pathlib.Path(folder, name).write_text(content if isinstance(content, str) else json.dumps(content))
    for name, seconds in (("o.json", 1), ("p.json", 2)):
        other = files["f.json"] if isinstance(files["f.json"], str) else json.loads(json.dumps(files["f.json"]))
        if isinstance(other, dict):
            other["name"] = name
            if "outputs" not in other:
                other["operators"] = [*other.get("operators", [])[:9_000], {"delay": {"seconds": seconds}}]
        pathlib.Path(folder, name).write_text(other if isinstance(other, str) else json.dumps(other))
    pathlib.Path(folder, "plain.json").write_text("{}")


def judge(row, size, door, trial, options):
    """What is wrong with a trial; an empty list if nothing is."""
    faults = []
    place = "studio" if door.startswith("/") else door
    seconds, megabytes = KNOWN.get((row.name, place), (SECONDS, MEGABYTES))
    if trial.seconds > seconds * options.slow:
        faults.append(f"took {trial.seconds:.1f} s")
    if trial.megabytes > megabytes:
        faults.append(f"held {trial.megabytes:.0f} MB")
    if trial.code not in (CODES if not door.startswith("/") else range(200, 500)):
        faults.append(f"ended with {trial.code}")
    if door == row.door:
        code = re.search(r"error (S\d+)", trial.output)
        found = code.group(1) if code else None
        wanted = row.code if size == row.sizes[-1] else None
        if size == row.sizes[-1] and found != wanted:
            faults.append(f"found {found}, not {wanted}")
    return faults


def doors(row, number, options):
    """The doors for a row: all, or a few in turn."""
    names = options.doors.split(",") if options.doors else [*COMMANDS, "lsp", "publish", "studio"]
    if row.door != "patch file" and "patch file" in names:
        names.remove("patch file")
    if options.quick:
        others = [name for name in names if name not in (row.door, "studio", "publish")]
        names = [row.door] + [others[(2 * number + step) % len(others)] for step in range(2)]
        if row.code == "S114" and number % 6 == 0:
            names.append("studio")
    return names


def trials(row, size, number, options):
    """Tries a file at every door."""
    programs = pathlib.Path(options.folder).resolve()
    streamrun, patience = str(programs / "streamrun"), 10 * SECONDS * options.slow
    with tempfile.TemporaryDirectory() as folder:
        write(row, size, folder)
        for door in doors(row, number, options):
            if door in COMMANDS:
                yield door, run(streamrun, COMMANDS[door], folder, patience)
            elif door == "lsp":
                yield door, serve(streamrun, folder, patience)
            elif door == "publish":
                if (hub := programs / "streamhub").exists():
                    environment = {**os.environ, "STREAMHUB_KEYS": f"{folder}/keys"}
                    subprocess.run([hub, "init"], cwd=folder, capture_output=True, env=environment)
                    yield door, run(str(hub), ["publish", "f.json", "--name", "x"], folder, patience)
            elif door == "studio" and (programs / "streamstudio").exists():
                studio = Studio(str(programs / "streamstudio"), folder)
                try:
                    for path, body in requests(folder).items():
                        trial = studio.ask(path, body, patience)
                        yield path, trial
                        if trial.code == "no answer":
                            studio.close()
                            studio = Studio(str(programs / "streamstudio"), folder)
                    yield "/format", studio.ask("/format", {"path": "plain.json", "text": "{}"}, patience)
                finally:
                    studio.close()


def attempt(job):
    row, size, number, options = job
    row = next(one for one in bounds_rows.ROWS if one.name == row)
    lines, faults = [], []
    for door, trial in trials(row, size, number, options):
        found = judge(row, size, door, trial, options)
        if found:
            faults.append(f"FAILED   {row.name} {size}: {door} " + "; ".join(found))
        if options.all:
            lines.append(f"{row.name} {size}: {door}: {trial.seconds:.2f} s, {trial.megabytes:.0f} MB, {trial.code}")
    return lines + faults, len(faults)


def check_page():
    """The table of the page has the constructions of the rows, and no others."""
    section = PAGE.read_text().split("## Constructions that multiply")[1].split("\n## ")[0]
    written = [line.split("|")[1].strip() for line in section.splitlines() if line.startswith("| ")][2:]
    known = list(dict.fromkeys(row.construction for row in bounds_rows.ROWS))
    return [f"FAILED   Limits.md lists {written}; the rows are {known}"] if sorted(written) != sorted(known) else []


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--rows")
    parser.add_argument("--doors")
    parser.add_argument("--sizes", help="sizes instead of those of the rows")
    parser.add_argument("--slow", type=float, default=1, help="factor for the seconds, such as 20 for a debug build")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--all", action="store_true", help="prints every trial")
    options = parser.parse_args()
    chosen = options.rows.split(",") if options.rows else [row.name for row in bounds_rows.ROWS]
    jobs = []
    for number, row in enumerate(bounds_rows.ROWS):
        if row.name in chosen:
            sizes = [int(size) for size in options.sizes.split(",")] if options.sizes else row.sizes
            for size in [row.quick] if options.quick and not options.sizes else sizes:
                jobs.append((row.name, size, number, options))
    failed = check_page()
    print("\n".join(failed), end="\n" if failed else "")
    count = len(failed)
    begun = time.monotonic()
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        for lines, faults in pool.map(attempt, jobs):
            count += faults
            if lines:
                print("\n".join(lines), flush=True)
    print(f"{len(jobs)} files, {count} failed, {time.monotonic() - begun:.0f} s")
    sys.exit(count > 0)
