#!/usr/bin/env python3
"""Runs streams per key on Apache Flink, breaks something meanwhile, and compares the outputs with expected.py.

    cluster.py TEST … --flink FLINK_HOME --streamrun PATH [--events N] [--devices N]
    cluster.py generate FILE [--events N] [--devices N] [--shuffle SECONDS]

Tests: exact, then, chains, parameters, late, columns, memory, sources, kill-worker, hang, kill-taskmanager, rescale, takeover,
errors, launcher; and all. PATH is `streamrun` or mock_worker.py. Each test prints a line and works in a temporary directory, on free ports of
the loopback address. The exit code is 1 if a test fails.
"""
import argparse
import glob
import json
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

import expected

HERE = os.path.dirname(os.path.abspath(__file__))
LATENESS = 2


class Failure(Exception):
    pass


def generate(path, events, devices, shuffle=0.0, stragglers=0):
    """Writes events of devices, each about every 4 seconds, out of order by up to `shuffle` seconds.

    Every `stragglers`-th event arrives 5 seconds late."""
    choose = random.Random(7)
    step = 4000 / devices
    lines = []
    for i in range(events):
        ts = 1_700_000_000_000 + int(i * step)
        arrival = ts + choose.random() * shuffle * 1000
        if stragglers and i % stragglers == stragglers - 1:
            arrival += 5000
        lines.append((arrival, i, '{"device":"d%d","ts":%d,"value":%d}\n' % (choose.randrange(devices), ts, choose.randrange(100))))
    lines.sort()
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(line for _, _, line in lines)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def processes():
    """All processes of this machine as {number: (parent, command)}."""
    table = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                with open(f"/proc/{entry}/stat", encoding="latin-1") as file:
                    parent = int(file.read().rpartition(")")[2].split()[1])
                with open(f"/proc/{entry}/cmdline", "rb") as file:
                    table[int(entry)] = (parent, file.read().split(b"\0"))
            except OSError:
                pass
    return table


def workers(root):
    """The workers below a process, the newest last."""
    table = processes()

    def below(number):
        while number in table:
            if number == root:
                return True
            number = table[number][0]
        return False

    return sorted(number for number, (_, command) in table.items()
                  if b"worker" in command[1:3] and below(number) and b"--check" not in command)


class Test:
    """One test: its directory, its processes, its deadline."""

    def __init__(self, name, options):
        self.name = name
        self.options = options
        self.directory = tempfile.mkdtemp(prefix="streamflink-test-")
        self.children = []
        self.deadline = time.monotonic() + options.limit
        self.started = time.monotonic()
        self.rest = None
        version = glob.glob(os.path.join(options.flink, "lib", "flink-dist-*.jar"))
        if not version:
            raise Failure(f"no Flink in {options.flink}")
        self.version = os.path.basename(version[0])[len("flink-dist-"):-len(".jar")]

    def path(self, name):
        return os.path.join(self.directory, name)

    def wait(self, what, condition, pause=0.1):
        while True:
            value = condition()
            if value:
                return value
            if time.monotonic() > self.deadline:
                raise Failure(f"no {what} within {self.options.limit} seconds")
            time.sleep(pause)

    def start(self, command, log, **environment):
        with open(self.path(log), "ab") as file:
            child = subprocess.Popen(command, stdout=file, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                                     start_new_session=True, env={**os.environ, **environment})
        self.children.append(child)
        return child

    def clean(self):
        for child in self.children:
            try:
                os.killpg(child.pid, signal.SIGKILL)
            except OSError:
                pass
            child.wait()
        if self.options.keep:
            print(f"kept {self.directory}", file=sys.stderr)
        else:
            shutil.rmtree(self.directory, ignore_errors=True)

    # The stream file and the input

    def stream(self, name="device.json", late="drop", then=None, **changes):
        with open(self.options.file, encoding="utf-8") as file:
            stream = json.load(file)
        stream["partition"].update(lateness=LATENESS, late=late, **({"then": then} if then else {}))
        if self.options.rows:
            stream["operators"] = stream["operators"][:1]
        stream.update(changes)
        with open(self.path(name), "w", encoding="utf-8") as file:
            json.dump(stream, file)
        return self.path(name)

    def input(self, shuffle=1.9, stragglers=0):
        path = self.path("input.ndjson")
        generate(path, self.options.events, self.options.devices, shuffle, stragglers)
        return path

    def rate(self, seconds):
        """A rate at which the input lasts about so long."""
        return ["--rate", str(int(max(100, self.options.events / seconds / self.options.stretch)))]

    # The job

    def launcher(self, *arguments):
        return [self.options.launcher, *arguments, "--flink", self.options.flink]

    def command(self, file, *arguments, sink="out"):
        target = sink if " " in sink else "file:" + self.path(sink)
        return self.launcher("run", file, "--sink", target, "--streamrun", self.options.streamrun,
                             "--checkpoint-interval", str(self.options.interval), "--checkpoint-dir", self.path("checkpoints"), *arguments)

    def run(self, *arguments, **options):
        """Runs a job in one JVM to its end."""
        child = self.start(self.command(*arguments, **options), "job.log", STREAMFLINK_LOG="INFO")
        self.finish(child)

    def finish(self, child):
        self.wait("end of the job", lambda: child.poll() is not None)
        if child.returncode != 0:
            raise Failure(f"the job exited with code {child.returncode}: {self.tail('job.log')}")

    def tail(self, log):
        with open(self.path(log), encoding="utf-8", errors="replace") as file:
            return " | ".join(line.strip() for line in file.readlines()[-4:])

    def log(self, name="job.log"):
        with open(self.path(name), encoding="utf-8", errors="replace") as file:
            return file.read()

    def lines(self, sink="out"):
        lines = []
        for directory, _, names in os.walk(self.path(sink)):
            for name in names:
                if name.startswith("part-"):
                    with open(os.path.join(directory, name), "rb") as file:
                        lines += file.read().split(b"\n")[:-1]
        return sorted(lines)

    def compare(self, data, late="drop", then=False, note=""):
        wanted, wanted_late = expected.expected(data, LATENESS, late, then, bursts=not self.options.rows)
        actual = self.lines()
        if actual != [line.encode() for line in wanted]:
            missing = set(wanted) - {line.decode() for line in actual}
            extra = {line.decode() for line in actual} - set(wanted)
            raise Failure(f"{len(actual)} outputs of {len(wanted)}; {len(missing)} missing, such as {sorted(missing)[:2]}, "
                          f"{len(extra)} wrong, such as {sorted(extra)[:2]}; {self.tail('job.log')}")
        if late == "output" and self.lines("late") != [line.encode() for line in wanted_late]:
            raise Failure(f"{len(self.lines('late'))} late records of {len(wanted_late)}")
        seconds = time.monotonic() - self.started
        print(f"{self.name} flink {self.version}: EXACT, {len(actual)} outputs, {seconds:.1f} s{note}", flush=True)

    def say(self, text):
        print(f"{self.name} flink {self.version}: {text}, {time.monotonic() - self.started:.1f} s", flush=True)

    # A cluster

    def cluster(self, taskmanagers, slots=1, more=""):
        rest, rpc = free_port(), free_port()
        conf, home = self.path("conf"), self.options.flink
        os.makedirs(conf)
        os.makedirs(self.path("tmp"))
        for name in glob.glob(os.path.join(home, "conf", "log*")):
            shutil.copy(name, conf)
        with open(os.path.join(home, "conf", "config.yaml"), encoding="utf-8") as file:
            modules = next(line.strip() for line in file if "--add-exports" in line)
        with open(os.path.join(conf, "config.yaml"), "w", encoding="utf-8") as file:
            file.write(f"""env:
  java:
    opts:
      {modules}
  log:
    dir: {self.directory}
  pid:
    dir: {self.directory}
jobmanager:
  bind-host: 127.0.0.1
  rpc:
    address: 127.0.0.1
    port: {rpc}
  memory:
    process:
      size: 900m
    jvm-metaspace:
      size: 160m
taskmanager:
  bind-host: 127.0.0.1
  host: 127.0.0.1
  numberOfTaskSlots: {slots}
  memory:
    process:
      size: 1000m
    jvm-metaspace:
      size: 160m
    managed:
      fraction: 0.1
    network:
      min: 64m
      max: 64m
rest:
  address: 127.0.0.1
  bind-address: 127.0.0.1
  port: {rest}
io:
  tmp:
    dirs: {self.path("tmp")}
heartbeat:
  interval: 1000
  timeout: 5000
{more}""")
        self.rest = f"127.0.0.1:{rest}"
        self.daemon("jobmanager")
        managers = [self.daemon("taskmanager") for _ in range(taskmanagers)]
        self.wait("TaskManagers", lambda: self.get("/overview").get("taskmanagers") == taskmanagers)
        return managers

    def daemon(self, kind):
        script = os.path.join(self.options.flink, "bin", kind + ".sh")
        return self.start(["bash", script, "start-foreground"], f"{kind}.log", FLINK_HOME=self.options.flink,
                          FLINK_CONF_DIR=self.path("conf"))

    def get(self, path):
        try:
            with urllib.request.urlopen(f"http://{self.rest}{path}", timeout=5) as answer:
                return json.load(answer)
        except (OSError, ValueError):
            return {}

    def submit(self, *arguments):
        command = self.command(*arguments, "--cluster", self.rest, "--detached")
        result = subprocess.run(command, capture_output=True, text=True, timeout=self.options.limit, check=False)
        if result.returncode != 0:
            raise Failure(f"the job was not submitted: {result.stdout} {result.stderr}")
        return result.stdout.strip()

    def state(self, job):
        return self.get(f"/jobs/{job}").get("state")

    def cause(self, job):
        """Why a job failed, as the stack traces that its newest failure has."""
        answer = self.get(f"/jobs/{job}/exceptions?maxExceptions=1")
        entries = answer.get("exceptionHistory", {}).get("entries", [])
        return answer.get("root-exception") or "".join(entry.get("stacktrace", "") for entry in entries)

    def ended(self, job):
        """Waits for the end of a job, which must be FINISHED."""
        state = self.wait("end of the job", lambda: self.state(job) in ("FINISHED", "FAILED", "CANCELED") and self.state(job))
        if state != "FINISHED":
            raise Failure(f"the job is {state}: {self.cause(job)[:2000]}")

    def checkpoints(self, job, count):
        self.wait("checkpoint", lambda: self.get(f"/jobs/{job}/checkpoints").get("counts", {}).get("completed", 0) >= count)

    def stop(self, job):
        """Stops a job with a savepoint, and returns its path. Flink's own command takes so long to start that the job
        would have to be much slower."""
        body = json.dumps({"targetDirectory": "file://" + self.path("savepoints"), "drain": False}).encode()
        request = urllib.request.Request(f"http://{self.rest}/jobs/{job}/stop", body, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=10) as answer:
            number = json.load(answer)["request-id"]

        def operation():
            answer = self.get(f"/jobs/{job}/savepoints/{number}")
            return answer.get("status", {}).get("id") == "COMPLETED" and answer["operation"]

        result = self.wait("savepoint", operation)
        if "location" not in result:
            raise Failure(f"no savepoint: {result}")
        self.wait("end of the stopped job", lambda: self.state(job) == "FINISHED")
        return result["location"]


# The tests

def exact(test):
    data = test.input()
    started = time.monotonic()
    test.run(test.stream(), "--source", "file:" + data, "--parallelism", "2")
    seconds = time.monotonic() - started
    test.compare(data, note=f", {test.options.events / seconds:,.0f} events/s with the start")


def then(test):
    data = test.input()
    test.run(test.stream(then=THEN), "--source", "file:" + data, "--parallelism", "2")
    test.compare(data, then=True)


THEN = [
    {"scan": {"initialValue": {"results": 0, "sum": 0}, "expression": "{'results': acc.results + 1, 'sum': acc.sum + value.sum}"}},
    {"last": {}},
]


CHAINS = {
    "stateless": [{"filter": {"expression": "value.value % 3 == 0"}}, {"map": {"expression": "[key, value.ts]"}}],
    "ended": [{"prefix": {"count": 3}}, {"map": {"expression": "[key, value.ts]"}}],
    "timers": [{"throttle": {"seconds": 7}}, {"map": {"expression": "[key, value.ts, value.value]"}}],
    "flush": [{"debounce": {"seconds": 3, "onFinish": "flush"}}, {"map": {"expression": "[key, value.ts]"}}],
    "groups": [{"groupBy": {"key": "value.value % 2", "operators": [{"count": {}}]}}, {"map": {"expression": "[value]"}}],
}


def chains(test):
    """Other streams, with many checkpoints, beside `streamrun FILE` on one machine."""
    if os.path.basename(test.options.streamrun) == "mock_worker.py":
        test.say("skipped: the stand-in has one stream")
        return
    data = test.input(stragglers=50)
    for name, operators in CHAINS.items():
        test.started = time.monotonic()
        test.name = f"chain {name}"
        file = test.stream(operators=operators)
        shutil.rmtree(test.path("out"), ignore_errors=True)
        with open(data, "rb") as source:
            whole = subprocess.run([test.options.streamrun, file], stdin=source, capture_output=True, timeout=test.options.limit, check=False)
        if whole.returncode != 0:
            raise Failure(f"streamrun FILE: {whole.stderr[:500]!r}")
        test.run(file, "--source", "file:" + data, "--parallelism", "2", "--memory", "1", "--checkpoint-interval", "100", "--rate", str(test.options.events // 4))
        wanted, actual = sorted(whole.stdout.split(b"\n")[:-1]), test.lines()
        if actual != wanted:
            raise Failure(f"{len(actual)} outputs of {len(wanted)}; missing {sorted(set(wanted) - set(actual))[:2]}, wrong {sorted(set(actual) - set(wanted))[:2]}")
        test.say(f"EXACT, {len(actual)} outputs")


def parameters(test):
    """Parameters and a seed, in one JVM and on a cluster, beside `streamrun FILE` with the same."""
    if os.path.basename(test.options.streamrun) == "mock_worker.py":
        test.say("skipped: the stand-in has no parameters")
        return
    data = test.input()
    file = test.stream(
        parameters={"factor": {"type": "int"}, "unit": {"type": "string", "default": "m"}},
        operators=[{"map": {"expression": "[value.device, string(value.value * factor), unit, string(random())]"}}])
    with open(test.path("values.json"), "w", encoding="utf-8") as values:
        json.dump({"factor": 3, "unit": "km"}, values)
    given = ["--parameters", test.path("values.json"), "--set", "factor=7", "--seed", "11"]
    with open(data, "rb") as source:
        whole = subprocess.run([test.options.streamrun, file, *given], stdin=source, capture_output=True, timeout=test.options.limit, check=False)
    wanted = sorted(whole.stdout.split(b"\n")[:-1])
    if whole.returncode != 0 or len(wanted) != test.options.events or b'"km"' not in wanted[0]:
        raise Failure(f"streamrun FILE: {len(wanted)} outputs, {whole.stderr[:500]!r}")

    def compare(place):
        actual = test.lines()
        if actual != wanted:
            raise Failure(f"{place}: {len(actual)} outputs of {len(wanted)}; missing {sorted(set(wanted) - set(actual))[:2]}, wrong {sorted(set(actual) - set(wanted))[:2]}")

    test.run(file, "--source", "file:" + data, "--parallelism", "2", *given)
    compare("one JVM")
    shutil.rmtree(test.path("out"))
    test.cluster(1)
    test.ended(test.submit(file, "--source", "file:" + data, *given))
    compare("a cluster")
    missing = subprocess.run(test.command(file, "--source", "file:" + data), capture_output=True, text=True, timeout=test.options.limit, check=False)
    if missing.returncode != 2 or "factor" not in missing.stderr:
        raise Failure(f"without a value: exit code {missing.returncode}, {missing.stderr[:500]}")
    test.say(f"EXACT, {len(wanted)} outputs in one JVM and on a cluster")


def late(test):
    data = test.input(stragglers=50)
    for policy in ("drop", "output", "apply"):
        test.started = time.monotonic()
        test.name = f"late {policy}"
        shutil.rmtree(test.path("out"), ignore_errors=True)
        test.run(test.stream(late=policy), "--source", "file:" + data, "--late-sink", "file:" + test.path("late"))
        test.compare(data, late=policy)


def columns(test):
    """Key and time as columns of a table, any connector: the router needs no worker."""
    data = test.input(stragglers=50)
    table = test.path("table.csv")
    with open(data, encoding="utf-8") as source, open(table, "w", encoding="utf-8") as file:
        for line in source:
            event = json.loads(line)
            quoted = line.strip().replace('"', '""')
            file.write(f'"{quoted}",{event["device"]},{event["ts"]}\n')
    with open(test.path("input.sql"), "w", encoding="utf-8") as file:
        file.write("-- a comment; with a semicolon\n"
                   f"CREATE TABLE input (line STRING, key STRING, `time` BIGINT) WITH ('connector' = 'filesystem', "
                   f"'path' = 'file://{table}', 'format' = 'csv');\n")
    instants = (f"CREATE TABLE input (line STRING, key STRING, ts BIGINT, `time` AS TO_TIMESTAMP_LTZ(ts, 3)) WITH "
                f"('connector' = 'filesystem', 'path' = 'file://{table}', 'format' = 'csv')")
    lines = f"CREATE TABLE input (line STRING) WITH ('connector' = 'filesystem', 'path' = 'file://{data}', 'format' = 'raw')"
    written = ("CREATE TABLE output (line STRING) WITH ('connector' = 'filesystem', "
               f"'path' = 'file://{test.path('out')}', 'format' = 'raw')")
    for name, source, sink in (("columns", "@" + test.path("input.sql"), "out"), ("columns with instants", instants, "out"),
                               ("lines by SQL, results by SQL", lines, written)):
        test.started = time.monotonic()
        test.name = name
        shutil.rmtree(test.path("out"), ignore_errors=True)
        shutil.rmtree(test.path("late"), ignore_errors=True)
        test.run(test.stream(late="output"), "--source", source, "--late-sink", "file:" + test.path("late"), sink=sink)
        test.compare(data, late="output")


def memory(test):
    """A limit below what the keys need: the worker forgets keys, and they come back from RocksDB."""
    data = test.input()
    # The stand-in says that a key needs this much, so that 1 MB is for a fifth of the keys.
    os.environ["MOCK_KEY_BYTES"] = str(5 * (1 << 20) // test.options.devices)
    test.run(test.stream(), "--source", "file:" + data, "--memory", "1", "--state-backend", "rocksdb", "--incremental")
    if re.search(r" [1-9]\d* keys dropped", test.log()) is None:
        raise Failure("no worker had to forget keys: give more --devices")
    test.compare(data)


def sources(test):
    """Two files at two source tasks, one of which ends early: checkpoints go on, and the last bursts see the latest time
    of both. Devices with even numbers are in the short file."""
    data = test.input(shuffle=0)
    short, long = test.path("short.ndjson"), test.path("long.ndjson")
    with open(data, encoding="utf-8") as file:
        lines = file.readlines()
    even = [line for line in lines[:len(lines) // 4] if int(json.loads(line)["device"][1:]) % 2 == 0]
    odd = [line for line in lines if int(json.loads(line)["device"][1:]) % 2 == 1]
    for path, part in ((short, even), (long, odd)):
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(part)
    with open(data, "w", encoding="utf-8") as file:
        file.writelines(sorted(even + odd, key=lambda line: json.loads(line)["ts"]))
    arguments = ["--source", f"file:{short},{long}", "--source-parallelism", "2", "--parallelism", "2", "--rate", str(len(odd) // 16)]
    child = test.start(test.command(test.stream(), *arguments), "job.log", STREAMFLINK_LOG="INFO")
    test.wait("end of the short file", lambda: re.search(r"streamrun: a router ended", test.log()))
    time.sleep(3)
    seen = workers(child.pid)
    os.kill(seen[-1], signal.SIGKILL)
    test.wait("new workers", lambda: len(set(workers(child.pid)) - set(seen)) >= 2)
    test.finish(child)
    restored = re.findall(r"Restoring job .* from Checkpoint (\d+)", test.log())
    if not restored or "PartialFinishing" in test.log():
        raise Failure(f"no checkpoint after the end of a source: {restored}")
    test.compare(data, note=f", restored from checkpoint {restored[0]}")


def kill_worker(test):
    data = test.input()
    child = test.start(test.command(test.stream(), "--source", "file:" + data, *test.rate(16)), "job.log", STREAMFLINK_LOG="INFO")
    for which in (slice(None), slice(-1, None)):
        seen = test.wait("workers", lambda: len(workers(child.pid)) >= 2 and workers(child.pid))
        time.sleep(3)
        for number in seen[which]:
            os.kill(number, signal.SIGKILL)
        test.wait("new workers", lambda: len(set(workers(child.pid)) - set(seen)) >= 2)
    test.finish(child)
    test.compare(data)


def hang(test):
    data = test.input()
    child = test.start(test.command(test.stream(), "--source", "file:" + data, "--timeout", "3", *test.rate(12)), "job.log", STREAMFLINK_LOG="INFO")
    seen = test.wait("workers", lambda: len(workers(child.pid)) >= 2 and workers(child.pid))
    time.sleep(3)
    os.kill(seen[-1], signal.SIGSTOP)
    test.wait("new workers", lambda: len(set(workers(child.pid)) - set(seen)) >= 2)
    test.finish(child)
    if "did not answer" not in test.log():
        raise Failure("the log does not say that a worker did not answer")
    test.compare(data)


def kill_taskmanager(test):
    data = test.input()
    managers = test.cluster(2)
    job = test.submit(test.stream(), "--source", "file:" + data, *test.rate(16))
    test.checkpoints(job, 3)
    busy = [manager for manager in managers if workers(manager.pid)]
    if len(busy) != 1:
        raise Failure(f"{len(busy)} TaskManagers run workers; expected one")
    os.killpg(busy[0].pid, signal.SIGKILL)
    test.ended(job)
    if not test.get(f"/jobs/{job}/checkpoints").get("counts", {}).get("restored"):
        raise Failure("the job was not restored from a checkpoint")
    test.compare(data)


def rescale(test):
    data = test.input()
    test.cluster(1, slots=2)
    file, arguments = test.stream(), ["--source", "file:" + data, *test.rate(20)]
    job = test.submit(file, *arguments, "--parallelism", "1")
    for parallelism in ("2", "1"):
        test.checkpoints(job, 3)
        savepoint = test.stop(job)
        job = test.submit(file, *arguments, "--parallelism", parallelism, "--from-savepoint", savepoint)
    test.ended(job)
    test.compare(data)


def takeover(test):
    """A changed file continues from the savepoint of the old one, and is refused without the old file."""
    data = test.input()
    test.cluster(1)
    with open(test.options.file, encoding="utf-8") as file:
        operators = json.load(file)["operators"]
    old, new = test.stream("old.json"), test.stream("new.json", operators=operators + [{"map": {"expression": "value"}}])
    arguments = ["--source", "file:" + data, *test.rate(12)]
    job = test.submit(old, *arguments)
    test.checkpoints(job, 3)
    savepoint = test.stop(job)
    refused = test.submit(new, *arguments, "--from-savepoint", savepoint)
    test.wait("refusal", lambda: test.state(refused) == "FAILED")
    cause = test.cause(refused)
    if "--restore-old" not in cause:
        raise Failure(f"the changed file was refused without saying what to do: {cause[:1000]}")
    job = test.submit(new, *arguments, "--from-savepoint", savepoint, "--restore-old", old)
    test.ended(job)
    test.compare(data)


def errors(test):
    """A record that is not JSON fails the job at once, without restarts; --skip-errors skips it."""
    data = test.input()
    bad = test.path("bad.ndjson")
    with open(data, encoding="utf-8") as source, open(bad, "w", encoding="utf-8") as file:
        for number, line in enumerate(source):
            file.write("{ not JSON\n" if number == 10 else "")
            file.write(line)
    child = test.start(test.command(test.stream(), "--source", "file:" + bad), "job.log")
    test.wait("end of the job", lambda: child.poll() is not None)
    log = test.log()
    if child.returncode != 1 or "streamflink: error: " not in log:
        raise Failure(f"code {child.returncode} for a record that is not JSON: {test.tail('job.log')}")
    print("  " + log.strip().splitlines()[-1], file=sys.stderr)
    shutil.rmtree(test.path("out"), ignore_errors=True)
    test.run(test.stream(), "--source", "file:" + bad, "--skip-errors")
    test.compare(data)


def launcher(test):
    """The commands of the launcher, and its messages."""
    data, port = test.input(), free_port()
    file = test.stream()
    directory = test.path("own")
    environment = {key: value for key, value in os.environ.items() if key not in ("FLINK_HOME", "STREAMRUN")}

    def call(code, text, *command, **changes):
        result = subprocess.run([test.options.launcher, *command], capture_output=True, text=True, check=False,
                                timeout=test.options.limit, env={**environment, **changes})
        said = result.stdout + result.stderr
        if result.returncode != code or text not in said:
            raise Failure(f"{command}: code {result.returncode}, '{said}'; expected {code} and '{text}'")
        return result.stdout.strip()

    flink, program = ["--flink", test.options.flink], ["--streamrun", test.options.streamrun]
    job = ["run", file, "--source", "file:" + data, "--sink", "file:" + test.path("out")]
    tools = test.path("bin")  # what a shell script needs, but no Java
    os.makedirs(tools)
    for tool in ("sh", "dirname", "sed", "head", "ls", "mktemp", "rm", "cat"):
        os.symlink(shutil.which(tool), os.path.join(tools, tool))
    call(0, "usage:", "--help")
    call(2, "unknown command", "fly")
    call(2, "--source' is missing", "run", file, "--sink", "print")
    call(2, "no stream file", "run", test.path("none.json"), "--source", "file:x", "--sink", "print")
    call(2, "pip install --no-deps apache-flink", *job, *program)
    call(2, "install Java 17", *job, *flink, *program, PATH=tools, JAVA_HOME="")
    with open(os.path.join(tools, "java"), "w", encoding="utf-8") as script:
        script.write("#!/bin/sh\necho 'openjdk version \"11.0.2\" 2019-01-15' >&2\n")
    os.chmod(os.path.join(tools, "java"), 0o755)
    call(2, "Java is 11.0.2", *job, *flink, *program, PATH=tools, JAVA_HOME="")
    call(2, "is no program", *job, *flink, "--streamrun", test.path("none"))
    call(2, "no cluster of Flink answers at 127.0.0.1:1", *job, *flink, *program, "--cluster", "127.0.0.1:1")
    call(2, "unknown option '--colour'", *job, *flink, *program, "--colour", "red")
    with open(test.path("whole.json"), "w", encoding="utf-8") as whole:
        json.dump({"inputs": {"events": {}}, "source": {"input": {"name": "events"}}, "operators": []}, whole)
    call(2, "partition", "run", test.path("whole.json"), *job[2:], *flink, *program)
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        taken = str(busy.getsockname()[1])
        call(2, f"port {taken} of this machine is in use", *job, *flink, *program, "--rest-port", taken)
        call(2, f"port {taken} of this machine is in use", "cluster", "start", "--dir", directory, "--port", taken, *flink)
    test.rest = f"127.0.0.1:{port}"
    try:
        call(0, "", "cluster", "start", "--dir", directory, "--port", str(port), *flink)
        test.wait("TaskManager", lambda: test.get("/overview").get("taskmanagers") == 1)
        cluster = ["--cluster", test.rest, *flink]
        number = call(0, "", *job, *program, *cluster, "--detached", *test.rate(60))
        call(0, number, "list", *cluster)
        test.checkpoints(number, 1)
        call(0, "file:", "savepoint", number, test.path("savepoints"), *cluster)
        stopped = call(0, "file:", "stop", number, test.path("savepoints"), *cluster)
        savepoint = [word for word in stopped.split() if word.startswith("file:")][-1]
        call(0, "", *job, *program, *cluster, "--from-savepoint", savepoint)
    finally:
        call(0, "", "cluster", "stop", "--dir", directory)
    test.compare(data)


TESTS = {"exact": exact, "then": then, "chains": chains, "parameters": parameters, "late": late, "columns": columns, "memory": memory, "sources": sources, "kill-worker": kill_worker,
         "hang": hang, "kill-taskmanager": kill_taskmanager, "rescale": rescale, "takeover": takeover, "errors": errors,
         "launcher": launcher}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tests", nargs="+", metavar="TEST")
    parser.add_argument("--flink", action="append", help="a FLINK_HOME; may be repeated")
    parser.add_argument("--streamrun", default=os.path.join(HERE, "mock_worker.py"))
    parser.add_argument("--launcher", default=os.environ.get("STREAMFLINK", os.path.join(HERE, "..", "..", "Sources", "StreamFlink", "streamflink")))
    parser.add_argument("--file", default=os.path.join(HERE, "device.json"))
    parser.add_argument("--events", type=int, default=60_000)
    parser.add_argument("--devices", type=int, default=300)
    parser.add_argument("--shuffle", type=float, default=0)
    parser.add_argument("--limit", type=float, default=150, help="seconds that a test may last")
    parser.add_argument("--rows", action="store_true", help="the totals alone, whose keys are rows")
    parser.add_argument("--interval", type=int, default=500, help="milliseconds between checkpoints")
    parser.add_argument("--stretch", type=float, default=1, help="how many times longer a job lasts that is disturbed")
    parser.add_argument("--keep", action="store_true", help="keeps the directories")
    options = parser.parse_args()
    if options.tests[0] == "generate":
        generate(options.tests[1], options.events, options.devices, options.shuffle)
        return 0
    options.streamrun = os.path.abspath(options.streamrun)
    options.launcher = os.path.abspath(options.launcher)
    names = list(TESTS) if options.tests == ["all"] else options.tests
    unknown = [name for name in names if name not in TESTS]
    homes = options.flink or [os.environ["FLINK_HOME"]] if "FLINK_HOME" in os.environ or options.flink else []
    if unknown or not homes:
        print(f"cluster.py: error: {'unknown test ' + unknown[0] if unknown else 'no --flink'}", file=sys.stderr)
        return 2
    failures = 0
    for home in homes:
        options.flink = os.path.abspath(home)
        for name in names:
            test = Test(name, options)
            try:
                TESTS[name](test)
            except (Failure, OSError, subprocess.SubprocessError) as error:
                failures += 1
                print(f"{test.name} flink {test.version}: FAILED, {error}", flush=True)
            finally:
                test.clean()
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
