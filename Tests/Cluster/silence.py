#!/usr/bin/env python3
"""Time that passes on Apache Flink while the sources are silent: `idle` of an input.

    silence.py TEST … --flink FLINK_HOME --streamrun PATH

Tests: alerts, restored, then, sources; and all. The source is a folder that Flink looks at each second, so that it has no
end. Each test works in a temporary directory. The exit code is 1 if a test fails.
"""
import argparse
import json
import os
import signal
import subprocess
import sys
import time

import cluster
from cluster import Failure

IDLE, TIMEOUT = 2, 5
# Seconds that a busy machine may take longer.
PATIENCE = 40


class Test(cluster.Test):
    def __init__(self, name, options):
        super().__init__(name, options)
        os.makedirs(self.path("in"))

    def file(self, then=None, idle=IDLE):
        partition = {"key": "value.user"}
        if then:
            partition["then"] = then
        stream = {
            "name": "silence", "inputs": {"e": {"time": {"expression": "value.ts", "late": "drop", "idle": idle}}},
            "source": {"input": {"name": "e"}}, "partition": partition,
            "operators": [{"timeout": {"seconds": TIMEOUT, "onTimeout": "publish", "expression": "{'silent': value.user}"}}]}
        with open(self.path("stream.json"), "w", encoding="utf-8") as file:
            json.dump(stream, file)
        return self.path("stream.json")

    def records(self, name, *users):
        """Writes records of now into a new file of the source. Returns the time."""
        now = time.time()
        with open(self.path("new"), "w", encoding="utf-8") as file:
            file.writelines(f'{{"user":"{user}","ts":{int(now * 1000)}}}\n' for user in users)
        os.rename(self.path("new"), self.path("in/" + name))
        return now

    def job(self, file, *arguments):
        source = (f"CREATE TABLE input (line STRING) WITH ('connector' = 'filesystem', 'path' = 'file://{self.path('in')}', "
                  "'format' = 'raw', 'source.monitor-interval' = '1s')")
        command = self.launcher("run", file, "--source", source, "--sink", "print", "--streamrun", self.options.streamrun,
                                "--checkpoint-interval", "300", "--checkpoint-dir", self.path("checkpoints"), *arguments)
        with open(self.path("out"), "wb") as out, open(self.path("job.log"), "wb") as log:
            child = subprocess.Popen(command, stdout=out, stderr=log, stdin=subprocess.DEVNULL, start_new_session=True,
                                     env={**os.environ, "STREAMFLINK_LOG": "INFO"})
        self.children.append(child)
        return child

    def printed(self):
        with open(self.path("out"), encoding="utf-8") as file:
            return file.read().splitlines()

    def alerts(self):
        return [json.loads(line)["silent"] for line in self.printed() if "silent" in line]

    def expect(self, alerts, since, child):
        """Waits for alerts, which must not come before they are due."""
        self.wait(f"alerts {alerts}", lambda: sorted(self.alerts()) == sorted(alerts) or child.poll() is not None
                  or time.time() - since > TIMEOUT + PATIENCE)
        passed = time.time() - since
        if sorted(self.alerts()) != sorted(alerts):
            raise Failure(f"alerts {self.alerts()} after {passed:.1f} s, not {alerts}: {self.tail('job.log')}")
        if passed < TIMEOUT - 0.2:
            raise Failure(f"alerts after {passed:.1f} s, before they are due")
        return passed


def alerts(test):
    """Three records, then silence: all records and alerts, as from one machine whose input stays open."""
    test.records("1", "a", "b", "c")
    with open(test.path("in/1"), "rb") as lines:
        records = lines.read()
    file = test.file()
    one = subprocess.Popen([test.options.streamrun, file], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    one.stdin.write(records)
    one.stdin.flush()
    os.remove(test.path("in/1"))
    child = test.job(file)
    test.wait("workers", lambda: len(cluster.workers(child.pid)) >= 2)
    since = test.records("1", "a", "b", "c")
    passed = test.expect(["a", "b", "c"], since, child)
    one.stdin.close()
    wanted = [line for line in one.stdout.read().decode().splitlines()]
    one.wait()
    same = [sorted(json.loads(line).get("silent", json.loads(line).get("user")) for line in lines) for lines in (wanted, test.printed())]
    if same[0] != same[1] or len(wanted) != 6:
        raise Failure(f"one machine {wanted}; Flink {test.printed()}")
    test.say(f"3 records and 3 alerts, {passed:.1f} s after the records, due after {TIMEOUT}")


def restored(test):
    """Workers are killed in the silence, before the alert: it comes. A record afterwards is on time, and ends the silence."""
    file = test.file()
    child = test.job(file)
    test.wait("workers", lambda: len(cluster.workers(child.pid)) >= 2)
    since = test.records("1", "a")
    log = test.path("job.log")
    test.wait("the record in a checkpoint", lambda: "stored 1 snapshots" in test.log(log))
    seen = cluster.workers(child.pid)
    for number in seen:
        os.kill(number, signal.SIGKILL)
    test.wait("new workers", lambda: len(set(cluster.workers(child.pid)) - set(seen)) >= 2)
    first = test.expect(["a"], since, child)
    since = test.records("2", "a", "b")
    second = test.expect(["a", "a", "b"], since, child)
    # A record that was printed before the failure may be printed again: `print` takes nothing back.
    if len({line for line in test.printed() if "user" in line}) != 3:
        raise Failure(f"printed {test.printed()}")
    test.say(f"alerts {first:.1f} s and {second:.1f} s after the records")


def then(test):
    """The operators of `then` see alerts of silence, and their own timers fire."""
    file = test.file(then=[{"scan": {"initialValue": 0, "expression": "acc + 1"}}, {"debounce": {"seconds": 1}},
                           {"map": {"expression": "{'silent': string(value)}"}}])
    child = test.job(file, "--parallelism", "2")
    test.wait("workers", lambda: len(cluster.workers(child.pid)) >= 4)
    since = test.records("1", "a", "b", "c")
    passed = test.expect(["3", "6"], since, child)
    test.say(f"3 records, and 3 alerts after them, {passed:.1f} s after the records")


def sources(test):
    """A source task without any record holds nobody: the results of another one's records come, and time passes."""
    file = test.file()
    child = test.job(file, "--source-parallelism", "3", "--parallelism", "2")
    test.wait("workers", lambda: len(cluster.workers(child.pid)) >= 5)
    since = test.records("1", "a", "b")
    passed = test.expect(["a", "b"], since, child)
    test.say(f"2 alerts with three source tasks, {passed:.1f} s after the records")


TESTS = {"alerts": alerts, "restored": restored, "then": then, "sources": sources}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tests", nargs="+", choices=[*TESTS, "all"], metavar="TEST")
    parser.add_argument("--flink", type=os.path.abspath, required=True, help="a FLINK_HOME")
    parser.add_argument("--streamrun", type=os.path.abspath, required=True)
    parser.add_argument("--launcher", type=os.path.abspath, default=os.path.join(cluster.HERE, "..", "..", "Sources", "StreamFlink", "streamflink"))
    parser.add_argument("--limit", type=float, default=150, help="seconds that a test may last")
    parser.add_argument("--keep", action="store_true", help="keeps the directories")
    options = parser.parse_args()
    failures = 0
    for name in list(TESTS) if "all" in options.tests else options.tests:
        test = Test(f"silence {name}", options)
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
