"""Runs W6 beside its peers: w6_peers.py STREAMRUN STREAM FOLDER [--quick], started by ../w6.sh.

Every program reads the same lines as a process of its own. Their answers are compared first; then each of the rounds
runs all of them, one after the other, so that a slow moment of the machine meets all of them. Medians are printed: of
the time that passes, and of the processor time, which other work on the machine does not lengthen.
"""

import hashlib
import importlib.util
import json
import os
import shutil
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))


def say(text):
    print(f"w6.sh: {text}", file=sys.stderr, flush=True)


def make_lines(lines, table, count):
    """Lines of records, and the same as a table; the numbers are the same in every run."""
    state = 12345

    def number():
        nonlocal state
        state = (state * 6364136223846793005 + 1442695040888963407) & (2**64 - 1)
        return state >> 33

    with open(lines, "w") as file, open(table, "w") as rows:
        rows.write("t,device,x,y,z\n")
        for i in range(count):
            device = number() % 64
            x, y, z = (number() % 20000 / 10000 - 1 for _ in range(3))
            t = 1_700_000_000_000 + 10 * i
            file.write(f'{{"t":{t},"device":"d{device}","x":{x:.4f},"y":{y:.4f},"z":{z:.4f}}}\n')
            rows.write(f"{t},d{device},{x:.4f},{y:.4f},{z:.4f}\n")


TIME = "/usr/bin/time"


def run(command, lines, output):
    """Seconds that have passed, seconds of processor time, and the most memory in MB that was resident.

    A process begins with the memory of the one that starts it as its most: so a small one does, where there is one.
    """
    note = output + ".memory"
    starter = [TIME, "-f", "%M", "-o", note] if os.access(TIME, os.X_OK) else []
    with open(lines, "rb") as source, open(output, "wb") as target:
        start = time.monotonic()
        child = subprocess.Popen(starter + command, stdin=source, stdout=target)
        _, status, usage = os.wait4(child.pid, 0)
        elapsed = time.monotonic() - start
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        sys.exit(f"w6.sh: {command[0]} ended with {child.returncode}")
    resident = usage.ru_maxrss
    if starter:
        with open(note) as file:
            resident = int(file.read())
    return elapsed, usage.ru_utime + usage.ru_stime, resident / 1024


def answers(path):
    """How many answers there are, and a digest of them: numbers are compared as numbers, however they are written."""
    count, digest = 0, hashlib.sha256()
    with open(path, "rb") as file:
        for line in file:
            digest.update(repr(json.loads(line, parse_int=float)).encode())
            count += 1
    return count, digest.hexdigest()


def measure(workload, programs, lines, count, rounds, answer=None):
    """Compares the answers of all programs, measures them, and prints what was found; gives the answer.

    - answer: the one that is expected; that of the first program, if there is none.
    """
    output = lines + ".out"
    for name, command in programs.items():
        run(command, lines, output)
        found = answers(output)
        answer = answer or found
        if found != answer:
            sys.exit(f"w6.sh: {workload}: {name} gives other answers than ours")
    say(f"{workload}: {answer[0]} of {count} are kept, by all of {', '.join(programs)}")

    programs = programs | {"wc -l": ["wc", "-l"]}
    elapsed = {name: [] for name in programs}
    processor = {name: [] for name in programs}
    memory = {name: 0 for name in programs}
    for _ in range(rounds):
        for name, command in programs.items():
            passed, taken, resident = run(command, lines, output)
            elapsed[name].append(passed)
            processor[name].append(taken)
            memory[name] = max(memory[name], resident)
    ours, size = statistics.median(elapsed["ours"]), os.path.getsize(lines)
    for name in programs:
        passed, taken = (statistics.median(seconds[name]) for seconds in (elapsed, processor))
        print(
            f"{workload}\t{name}\t{passed / count * 1e9:.1f}\t{passed / ours:.2f}\t{taken / count * 1e9:.1f}"
            f"\t{size / max(passed, 1e-9) / 1e6:.0f}\t{memory[name]:.0f}", flush=True)
    return answer


def ours(streamrun, stream):
    return {"ours": [streamrun, stream], "ours, one thread": [streamrun, stream, "--threads", "1"]}


def replayed(streamrun, stream, lines, folder):
    """The stream in virtual time, and the replay of a recording of that."""
    recording = os.path.join(folder, "recording.ndjson")
    virtual = [streamrun, stream, "--virtual"]
    run(virtual + ["--record", recording], lines, lines + ".out")
    return {"ours, virtual time": virtual, "ours, replay": [streamrun, "replay", recording]}


def main():
    streamrun, stream, folder = sys.argv[1:4]
    is_quick = "--quick" in sys.argv[4:]
    count, rounds = (100_000, 3) if is_quick else (1_000_000, 5)
    lines, table = os.path.join(folder, "in.ndjson"), os.path.join(folder, "in.csv")
    make_lines(lines, table, count)
    has_orjson = importlib.util.find_spec("orjson") is not None

    programs = ours(streamrun, stream) | replayed(streamrun, stream, lines, folder)
    if os.access(os.path.join(folder, "simdjson"), os.X_OK):
        programs["simdjson"] = [os.path.join(folder, "simdjson")]
    if shutil.which("jq"):
        programs["jq"] = ["jq", "-c", "select(.z > 0.25) | {device, z: (.z * 2)}"]
    else:
        say("there is no jq (apt-get install jq); going on without it")
    if has_orjson:
        programs["python-orjson"] = [sys.executable, os.path.join(HERE, "w6_orjson.py")]
    answer = measure("W6", programs, lines, count, rounds)

    # The stream names its table by the place beside it.
    stream = shutil.copy(os.path.join(os.path.dirname(stream), "w6-csv.json"), folder)
    programs = ours(streamrun, stream)
    if shutil.which("mlr"):
        programs["miller"] = [
            "mlr", "--icsv", "--ojsonl", "filter", "$z > 0.25", "then", "put", "$z = $z * 2", "then", "cut", "-o", "-f",
            "device,z"]
    else:
        say("there is no Miller (apt-get install miller); going on without it")
    if has_orjson:
        programs["python-csv-orjson"] = [sys.executable, os.path.join(HERE, "w6_csv.py")]
    measure("W6 CSV", programs, table, count, rounds, answer)


if __name__ == "__main__":
    main()
