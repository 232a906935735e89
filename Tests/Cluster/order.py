#!/usr/bin/env python3
"""`then` of a partition on Apache Flink beside one machine: the same bytes in the same order, whatever the number of tasks,
the sizes of batches, the files of the source, and what is killed.

    order.py --flink FLINK_HOME --streamrun PATH [--repeat N] [--only WORD] [--no-kills]

Each job runs on one machine, then N times with 1, 2 and 4 tasks, then while workers are killed; two jobs also run on a
cluster of which a TaskManager is killed. The results of a job depend on the order in which `then` sees the results of keys;
their times are whole seconds, so that most of them are equal. Prints a line for each job. The exit code is 1 if one differs.
"""
import argparse
import collections
import glob
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

import cluster

HASH = {"scan": {"initialValue": 7, "expression": "(acc * 31 + value) % 1000003"}}
START = 1_700_000_000_000


def number(expression):
    return {"map": {"expression": expression}}


def scan(initial, expression):
    return {"scan": {"initialValue": initial, "expression": expression}}


ALIGNED = {"window": {"seconds": 10, "align": "clock", "operators": [{"count": {}}]}}
COUNT = scan(0, "acc + 1")
# The operators of each key, and those of `then`.
JOBS = {
    "scan": ([], [number("value.id"), HASH]),
    "duplicates": ([number("value.v % 3")], [{"removeDuplicates": {}}, {"enumerated": {}}]),
    "first": ([number("value.id")], [{"first": {}}]),
    "prefix": ([number("value.id")], [{"prefix": {"count": 501}}, {"collect": {}}]),
    "collect": ([number("[key, value.id]")], [{"collect": {}}]),
    "top": ([number("{'n': value.v % 5, 'id': value.id}")],
            [scan([], "(acc + [value]).sortBy(x, -x.n).slice(0, [3, size(acc) + 1].min())")]),
    "doubles": ([number("double(value.v) * 0.1")], [scan(0.0, "acc + value")]),
    "windows": ([ALIGNED, number("{'k': key, 'n': value}")],
                [scan([0, None], "[(acc[0] * 31 + value.n) % 1000003, value.k]"), {"enumerated": {}}]),
    "silence": ([{"timeout": {"seconds": 6, "onTimeout": "publish", "expression": "{'id': -1}"}}, number("value.id")],
                [HASH]),
    "bursts": ([COUNT, {"debounce": {"seconds": 2}}, number("[key, value]")],
               [{"withPrevious": {}}, {"map": {"expression": "[value[1], value[0]]"}}]),
    "time": ([number("value.id")], [{"collectTime": {"seconds": 7}}, number("[string(now()), value]")]),
    "typed": ([number("{'at': timestamp(1700000000) + duration(string(value.v) + 's'), 'u': uint(value.v), 'd': 1.0}")],
              [number("[string(value.at + duration('1s')), string(value.u + 1u), string(value.d)]"), {"enumerated": {}}]),
    "groups": ([number("value.id")], [{"groupBy": {"key": "value % 4", "operators": [HASH, number("[key, value]")]}}, {"enumerated": {}}]),
    "quiet": ([{"delay": {"seconds": 3}}, {"filter": {"expression": "value.id < 0"}}], [{"count": {}}, number("[value, string(now())]")]),
    "files": ([COUNT, number("[key, value]")], [{"enumerated": {}}]),
    "sums of files": ([scan(0.0, "acc + double(value.v) * 0.1"), number("[key, value]")], [{"last": {}}]),
}
CLUSTER = ["scan", "windows"]
TASKS = [1, 2, 4]


def records(choose, count, keys):
    """Records in the order of arrival: whole seconds, up to 2 seconds out of order."""
    rows = []
    for i in range(count):
        seconds = i * 600 // count
        key = choose.choice(keys)
        rows.append((seconds + choose.random() * 1.9, json.dumps({"id": i, "k": key, "t": START + 1000 * seconds, "v": choose.randrange(1000)})))
    return [line + "\n" for _, line in sorted(rows, key=lambda row: row[0])]


KEYS = ["a", "b", "é", "aa", "A", 2, 10, 9, 1.5, -3, True, None, ["x", 1], {"b": 1, "a": 2}, "10", "日本", "", "\"q\""] + [f"d{i}" for i in range(22)]


class Job:
    def __init__(self, test, name):
        self.test, self.name = test, name
        keys, then = JOBS[name]
        folder = os.path.join(test.folder, name.replace(" ", "-"))
        os.makedirs(folder)
        self.folder, self.hasFiles = folder, "files" in name
        choose = random.Random(name)
        lines = records(choose, test.options.events, KEYS)
        parts = [lines[i::3] for i in range(3)] if self.hasFiles else [lines]
        os.makedirs(os.path.join(folder, "in"))
        for i, part in enumerate(parts):
            with open(os.path.join(folder, "in", f"{i}.ndjson"), "w", encoding="utf-8") as file:
                file.writelines(part)
        # One machine reads one file after another: the whole time of all is out of order there.
        partition = {"key": "value.k", "time": "value.t", "lateness": 700 if self.hasFiles else 2, "late": "drop", "then": then}
        self.file = os.path.join(folder, "stream.json")
        with open(self.file, "w", encoding="utf-8") as file:
            json.dump({"name": name, "inputs": {"e": {}}, "source": {"input": {"name": "e"}}, "partition": partition, "operators": keys}, file)

    def one_machine(self):
        command = [self.test.options.streamrun, self.file, "--input", os.path.join(self.folder, "in", "*.ndjson")]
        done = subprocess.run(command, capture_output=True, check=False, timeout=300)
        if done.returncode != 0:
            raise cluster.Failure(f"one machine: {done.stderr.decode()[:500]}")
        return done.stdout

    def arguments(self, sink, tasks, batch, *more):
        return ["--file", self.file, "--streamrun", self.test.options.streamrun, "--source", "file:" + os.path.join(self.folder, "in"),
                "--sink", "file:" + sink, "--parallelism", str(tasks), "--batch", str(batch), "--checkpoint-interval", "200",
                "--source-parallelism", str(min(tasks, 3) if self.hasFiles else 1), *more]


def results(sink):
    """The results of the one task of `then`, in the order in which it wrote its files."""
    parts = [path for path in glob.glob(os.path.join(sink, "**", "part-*"), recursive=True) if ".inprogress" not in path]
    whole = b""
    for path in sorted(parts, key=lambda path: os.stat(path).st_mtime_ns):
        with open(path, "rb") as file:
            whole += file.read()
    return whole


class Test:
    def __init__(self, options):
        self.options = options
        self.folder = tempfile.mkdtemp(prefix="streamflink-order-")
        self.kills = self.runs = 0
        self.jvm = None

    def start(self):
        home = self.options.flink
        with open(os.path.join(home, "conf", "config.yaml"), encoding="utf-8") as file:
            modules = next(line[line.index("--add-exports"):].split() for line in file if "--add-exports" in line)
        log = os.path.join(self.folder, "log4j2.properties")
        with open(log, "w", encoding="utf-8") as file:
            file.write("rootLogger.level = ERROR\nrootLogger.appenderRef.c.ref = c\nappender.c.name = c\nappender.c.type = Console\n"
                       "appender.c.target = SYSTEM_ERR\nappender.c.layout.type = PatternLayout\nappender.c.layout.pattern = %p %c{1} %m%n\n")
        jar = os.environ.get("STREAMFLINK_JAR", os.path.join(cluster.HERE, "../../Sources/StreamFlink/streamflink.jar"))
        java = os.path.join(os.environ["JAVA_HOME"], "bin/java") if os.environ.get("JAVA_HOME") else "java"
        with open(os.path.join(self.folder, "jvm.log"), "ab") as errors:
            self.jvm = subprocess.Popen(
                [java, "-Xmx1g", "-XX:+UseParallelGC", *modules, f"-Dlog4j.configurationFile={log}", f"-Djava.io.tmpdir={self.folder}",
                 "-cp", f"{jar}:{home}/lib/*", os.path.join(cluster.HERE, "ManyJobs.java")],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True)

    def run(self, job, tasks, batch, *more):
        """Runs a job in the JVM, and returns its results."""
        if self.jvm is None or self.jvm.poll() is not None:
            self.start()
        self.runs += 1
        sink = os.path.join(self.folder, "out")
        shutil.rmtree(sink, ignore_errors=True)
        arguments = ["--one-jvm", *job.arguments(sink, tasks, batch, *more), "--checkpoint-dir", os.path.join(self.folder, "checkpoints")]
        self.jvm.stdin.write("\t".join(arguments) + "\n")
        self.jvm.stdin.flush()
        while True:
            line = self.jvm.stdout.readline()
            if not line:
                with open(os.path.join(self.folder, "jvm.log"), encoding="utf-8", errors="replace") as log:
                    raise cluster.Failure("the JVM ended: " + " | ".join(log.read().splitlines()[-4:])[:1000])
            if line == "done\n":
                return results(sink)

    def killed(self, job, tasks):
        """The same while workers are killed."""
        is_over = threading.Event()
        choose = random.Random(f"{job.name} {tasks}")

        def kill():
            for _ in range(2):
                if is_over.wait(1 + choose.random()):
                    return
                there = cluster.workers(self.jvm.pid)
                if there:
                    try:
                        os.kill(choose.choice(there), signal.SIGKILL)
                        self.kills += 1
                    except OSError:
                        pass
        killer = threading.Thread(target=kill)
        killer.start()
        try:
            return self.run(job, tasks, 100, "--rate", str(self.options.events // (6 if job.hasFiles else 4)))
        finally:
            is_over.set()
            killer.join()

    def clean(self):
        if self.jvm:
            self.jvm.kill()
            self.jvm.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def compare(wanted, actual, place):
    if wanted == actual:
        return None
    one, other = wanted.splitlines(), actual.splitlines()
    common = sum((collections.Counter(one) & collections.Counter(other)).values())
    first = next((i for i, (a, b) in enumerate(zip(one, other)) if a != b), min(len(one), len(other)))
    return f"{place}: {common} of {len(one)} lines, {len(other)} there; line {first + 1} is {other[first:first + 1]}, not {one[first:first + 1]}"


def on_cluster(options, job, wanted):
    """On a cluster with three TaskManagers, one of which is killed."""
    settings = argparse.Namespace(**vars(options), limit=150, keep=False, interval=300, launcher=os.path.join(
        cluster.HERE, "..", "..", "Sources", "StreamFlink", "streamflink"))
    test = cluster.Test(f"order {job.name}", settings)
    try:
        managers = test.cluster(3)
        sink = test.path("out")
        command = test.launcher("run", *[part for part in job.arguments(sink, 2, 100, "--rate", str(options.events // 12)) if part != "--file"])
        done = subprocess.run([*command, "--checkpoint-dir", test.path("checkpoints"), "--cluster", test.rest, "--detached"],
                              capture_output=True, text=True, check=False, timeout=100)
        if done.returncode != 0:
            raise cluster.Failure(done.stderr)
        number = done.stdout.strip()
        test.checkpoints(number, 3)
        busy = [manager for manager in managers if cluster.workers(manager.pid)]
        os.killpg(random.Random(job.name).choice(busy).pid, signal.SIGKILL)
        test.daemon("taskmanager")
        test.ended(number)
        if not test.get(f"/jobs/{number}/checkpoints").get("counts", {}).get("restored"):
            raise cluster.Failure("the job was not restored from a checkpoint")
        return compare(wanted, results(sink), "cluster")
    finally:
        test.clean()


def run(test, name):
    """Runs a job everywhere. Returns the number of runs that differ."""
    started, job = time.monotonic(), Job(test, name)
    wanted = job.one_machine()
    if job.one_machine() != wanted:
        raise cluster.Failure("one machine has different results each time")
    choose = random.Random(name)
    problems, lines, right, runs = [], [], 0, 0
    for tasks in TASKS:
        found = [compare(wanted, test.run(job, tasks, choose.choice([7, 100, 1000])), f"{tasks} tasks")
                 for _ in range(test.options.repeat)]
        if not test.options.no_kills:
            found.append(compare(wanted, test.killed(job, tasks), f"{tasks} tasks, killed"))
        if not test.options.no_kills and tasks == 2 and name in CLUSTER:
            found.append(on_cluster(test.options, job, wanted))
        problems += [problem for problem in found if problem]
        right, runs = right + found.count(None), runs + len(found)
        lines.append(f"{tasks} tasks {found.count(None)}/{len(found)}")
    print(f"order {name}: {', '.join(lines)} with the bytes of one machine, {len(wanted.splitlines())} lines, "
          f"{time.monotonic() - started:.0f} s", flush=True)
    for problem in problems[:3]:
        print("  " + problem, flush=True)
    return right, runs


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--flink", type=os.path.abspath, required=True, help="a FLINK_HOME")
    parser.add_argument("--streamrun", type=os.path.abspath, required=True)
    parser.add_argument("--repeat", type=int, default=5, help="runs of each job with each number of tasks")
    parser.add_argument("--only", default="", help="the jobs whose names have this word")
    parser.add_argument("--events", type=int, default=4_000)
    parser.add_argument("--no-kills", action="store_true")
    options = parser.parse_args()
    test, right, runs = Test(options), 0, 0
    try:
        for name in JOBS:
            if options.only in name:
                good, count = run(test, name)
                right, runs = right + good, runs + count
    except (cluster.Failure, OSError, subprocess.SubprocessError) as error:
        print(f"order: FAILED, {error}", flush=True)
        runs += 1
    finally:
        test.clean()
    print(f"order: {right} of {runs} runs with the bytes of one machine, {test.kills} workers killed", flush=True)
    return 0 if right == runs and runs else 1


if __name__ == "__main__":
    sys.exit(main())
