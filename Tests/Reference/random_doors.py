#!/usr/bin/env python3
"""The numbers of `random()` by every way to run a file, compared with numbers of the model of the reference.

    random_doors.py STREAMRUN [STREAMHUB]

Runs on threads, in virtual time and event time, tests, replays, saved states that survive SIGKILL, a file that is edited
while it runs, the worker's protocol, shards (if redis-server is installed), and a stream of a repository.
"""
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "Model"), os.path.join(HERE, "../Cluster")]
from randoms import Numbers  # noqa: E402
from values import read_json  # noqa: E402
from worker import Worker, NONE  # noqa: E402

RUN = os.path.abspath(sys.argv[1])
HUB = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else None
FOLDER = tempfile.mkdtemp()
ENVIRONMENT = dict(os.environ, XDG_CACHE_HOME=FOLDER + "/cache")
SEED, COUNT = 7, 120
RECORDS = [{"k": "k%d" % (n % 5), "t": n * 1000, "n": n} for n in range(COUNT)]
LINES = "".join(json.dumps(record) + "\n" for record in RECORDS)
PLACE = "/operators/0/map/expression"
MODEL = {
    "inputs": {"a": {"type": {"k": "string", "t": "int", "n": "int"}}},
    "source": {"input": {"name": "a"}},
    "operators": [{"map": {"expression": "{'k': value.k, 'n': value.n, 'r': random()}"}}],
}
failures = []


def write(name, value):
    with open(os.path.join(FOLDER, name), "w") as file:
        file.write(value if isinstance(value, str) else json.dumps(value))


def expected(keyed):
    """What the program has to print."""
    seen, output = {}, []
    for record in RECORDS:
        key = record["k"] if keyed else ""
        index = seen[key] = seen.get(key, -1) + 1
        places = [read_json(json.dumps(value)) for value in ([key] if keyed else []) + [index]]
        number = Numbers(SEED, PLACE, places).next()
        output.append({"k": record["k"], "n": record["n"], "r": number})
    return output


def check(name, output, keyed=False):
    values = [json.loads(line) for line in output.split("\n") if line]
    wanted = expected(keyed)
    if keyed:
        values.sort(key=lambda value: value["n"])
    print(("ok" if values == wanted else "WRONG"), name)
    if values != wanted:
        failures.append(name)
        print("  %d values, %d expected; first %s, expected %s" % (
            len(values), len(wanted), values[:1], wanted[:1]))


def command(*arguments, lines=LINES, program=RUN):
    done = subprocess.run([program, *arguments], input=lines, cwd=FOLDER, env=ENVIRONMENT, capture_output=True,
                          text=True, timeout=120)
    if done.returncode != 0:
        print(done.stderr)
    return done.stdout


def start(*arguments, program=RUN):
    return subprocess.Popen([program, *arguments], cwd=FOLDER, env=ENVIRONMENT, stdin=subprocess.PIPE,
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)


def runs():
    for options in ([], ["--threads", "1"], ["--threads", "2"], ["--virtual"], ["--event-time", "value.t"],
                    ["--event-time", "value.t", "--lateness", "3"]):
        check("run " + " ".join(options), command("plain.json", "--seed", str(SEED), *options))
    check("a seed in the file", command("seeded.json"))
    command("plain.json", "--seed", str(SEED), "--record", "run.ndjson")
    check("replay", command("replay", "run.ndjson"))
    check("replay of another version", command("replay", "run.ndjson", "plain.json"))
    test = dict(MODEL, tests=[{"name": "t", "inputs": {"a": {"values": RECORDS}},
                               "expect": {"values": expected(False)}}])
    write("tested.json", test)
    print("ok" if "1 passed" in command("test", "tested.json", "--seed", str(SEED)) else failures.append("test"), "test")
    both = command("test", "tested.json", "plain.json", "--seed", str(SEED))
    print("ok" if "1 passed" in both else failures.append("test of files"), "test of several files")


def states():
    output, processes = "", 0
    for number in range(3):
        process = start("plain.json", "--seed", str(SEED), "--input", "a=a.ndjson", "--follow", "--state", "state",
                        "--every", "1", "--output", "state.out")
        # A part of the file is there when the process starts, and it is killed when it has written some values.
        with open(FOLDER + "/a.ndjson", "a") as file:
            file.write("".join(LINES.splitlines(True)[number * 40:(number + 1) * 40]))
        for _ in range(600):
            written = open(FOLDER + "/state.out").read().count("\n") if os.path.exists(FOLDER + "/state.out") else 0
            if written >= (number + 1) * 40 - (3 if number < 2 else 0):
                break
            time.sleep(0.02)
        process.kill()
        process.wait()
    check("state, killed twice", open(FOLDER + "/state.out").read())


def swap():
    write("watched.json", dict(MODEL, seed=SEED))
    process = start("--watch", "watched.json")
    half = LINES.splitlines(True)
    process.stdin.write("".join(half[:60]))
    process.stdin.flush()
    output = "".join(process.stdout.readline() for _ in range(60))
    write("watched.json", dict(MODEL, seed=SEED, operators=MODEL["operators"] + [{"removeDuplicates": {}}]))
    time.sleep(2)
    process.stdin.write("".join(half[60:]))
    process.stdin.flush()
    output += "".join(process.stdout.readline() for _ in range(60))
    process.send_signal(signal.SIGINT)
    process.wait()
    check("a file that is edited while it runs", output)


def worker():
    for options in (["--seed", str(SEED)], ["--seed", str(SEED), "--set", "unit=1"]):
        process = Worker([RUN, "worker", FOLDER + "/keyed.json", *options])
        process.hello()
        output, known = [], set()
        for begin in range(0, COUNT, 30):
            part = RECORDS[begin:begin + 30]
            _, _, routed = process.route(NONE, [json.dumps(record).encode() for record in part])
            groups = {}
            for (fate, moment, key), record in zip(routed, part):
                groups.setdefault(key, []).append((moment, json.dumps(record).encode()))
            found = process.batch([(key, 0 if key in known else 2, b"", items) for key, items in groups.items()])
            known |= set(groups)
            output += [text.decode() for _, text in found]
            if begin == 60:
                # The keys go to another process.
                snapshots = [(key, data) for key, data, _ in process.snapshots() if data]
                process.close()
                process = Worker([RUN, "worker", FOLDER + "/keyed.json", *options])
                process.hello()
                process.batch([(key, 1, data, []) for key, data in snapshots])
        output += [text.decode() for _, text in process.finish()]
        process.close()
        check("worker " + " ".join(options), "\n".join(output), keyed=True)


def shards():
    server = shutil.which("redis-server")
    if not server:
        return print("redis-server is not installed: shards are left out")
    socket = FOLDER + "/redis"
    process = subprocess.Popen([server, "--port", "0", "--unixsocket", socket, "--save", "", "--dir", FOLDER],
                               stdout=subprocess.DEVNULL)
    try:
        for _ in range(200):
            if os.path.exists(socket):
                break
            time.sleep(0.05)
        common = ["shard", "keyed.json", "--redis", "unix://" + socket, "--shards", "3", "--seed", str(SEED)]
        lines = LINES.splitlines(True)
        for part in (lines[:50], lines[50:]):
            command(*common, "--feed", lines="".join(part))
            command(*common, "--drain")
        check("shards", command(*common, "--results"), keyed=True)
    finally:
        process.terminate()
        process.wait()


def hub():
    if not HUB:
        return print("streamhub is not given: repositories are left out")
    command("init", "--no-passphrase", program=HUB)
    for name, keyed in (("plain", False), ("keyed", True)):
        command("publish", name + ".json", "--name", name, program=HUB)
        check("streamhub run " + name, command("run", name, "--seed", str(SEED), program=HUB), keyed)


try:
    write("plain.json", MODEL)
    write("seeded.json", dict(MODEL, seed=SEED))
    write("keyed.json", dict(MODEL, partition={"key": "value.k"}, parameters={"unit": {"type": "int", "default": 0}}))
    write("a.ndjson", "")
    runs()
    check("run of a partition", command("keyed.json", "--seed", str(SEED)), keyed=True)
    states()
    swap()
    worker()
    shards()
    hub()
finally:
    shutil.rmtree(FOLDER, ignore_errors=True)
print("%d differ" % len(failures))
sys.exit(1 if failures else 0)
