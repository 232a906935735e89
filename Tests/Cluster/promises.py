#!/usr/bin/env python3
"""What MoreThanOneMachine.md promises about records that come late, jobs that fail, and ports, on Apache Flink.

    promises.py TEST … --flink FLINK_HOME --streamrun PATH

Tests: no-time, late-lines, mixed, skipped, refusals, retained, settings, loopback, large-key, lost-manager; and all. Each works in a
temporary directory, and compares with `streamrun FILE` on this machine. The exit code is 1 if a test fails.
"""
import argparse
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import time

import cluster
from cluster import Failure


class Test(cluster.Test):
    """A test with a stream file and an input of its own."""

    def write(self, name, text):
        with open(self.path(name), "wb") as file:
            file.write(text if isinstance(text, bytes) else text.encode())
        return self.path(name)

    def file(self, partition, *operators, name="stream.json", title="promise"):
        return self.write(name, json.dumps({
            "name": title, "inputs": {"e": {}}, "source": {"input": {"name": "e"}}, "partition": partition,
            "operators": list(operators)}))

    def alone(self, file, data, *options):
        """The results of one machine."""
        with open(data, "rb") as lines:
            done = subprocess.run([self.options.streamrun, file, *options], stdin=lines, capture_output=True, check=False)
        if done.returncode != 0:
            raise Failure(f"one machine: {done.stderr.decode()}")
        return sorted(done.stdout.splitlines())

    def job(self, file, *arguments, code=0, sink="out"):
        """Runs a job in one JVM, and returns what it has told."""
        done = subprocess.run(self.command(file, *arguments, sink=sink), capture_output=True, text=True, check=False,
                              timeout=self.options.limit)
        if done.returncode != code:
            raise Failure(f"code {done.returncode}; expected {code}: {done.stderr}")
        return done.stderr

    def same(self, wanted, sink="out"):
        actual = self.lines(sink)
        if actual != wanted:
            missing, extra = set(wanted) - set(actual), set(actual) - set(wanted)
            raise Failure(f"{len(actual)} lines of {len(wanted)} in '{sink}'; missing {sorted(missing)[:2]}, extra {sorted(extra)[:2]}")

    def told(self, text, *parts):
        for part in parts:
            if not re.search(part, text):
                raise Failure(f"'{part}' is not told: {text}")


SUM = {"scan": {"initialValue": 0, "expression": "acc + value.v"}}
PAIR = {"map": {"expression": "[key, value]"}}


def no_time(test):
    """Without `time` results leave while the source goes on, and are those of one machine."""
    data = test.write("in", "".join(f'{{"k":"k{i % 7}","v":{i}}}\n' for i in range(20_000)))
    file = test.file({"key": "value.k"}, SUM, PAIR)
    child = test.start(test.command(file, "--source", "file:" + data, "--rate", "2500", "--parallelism", "2"), "job.log", STREAMFLINK_LOG="INFO")
    test.wait("results before the end", lambda: len(test.lines()) >= 5_000 and child.poll() is None)
    early = len(test.lines())
    test.finish(child)
    test.same(test.alone(file, data))
    test.told(test.log(), "20000 records, 20000 results, 0 late, 0 skipped")
    sizes = [int(size) for size in re.findall(r"stored \d+ snapshots of (\d+) bytes", test.log())]
    if not sizes or max(sizes) > 7 * 200:
        raise Failure(f"the states of 7 keys have {max(sizes, default=0)} bytes")
    test.say(f"{early} results before the end; states of 7 keys have {max(sizes)} bytes at most")


LATE = ('{"k":"a","t":5000}\r\n'
        '{ "k": "\\u00e9", "t": 1e3, "x": 1.50 }\n'
        '  \n'
        '{"t":1000}\n'
        '{"k":"b","t":6000}\n')


def late_lines(test):
    """Late records are the same bytes from one machine and from Flink, with and without a key."""
    data = test.write("in", "\ufeff" + LATE)
    file = test.file({"key": "value.k", "time": "value.t", "late": "output"})
    wanted = test.alone(file, data, "--late-output", test.path("late-alone"))
    test.told(test.job(file, "--source", "file:" + data, code=2), "write --late-sink")
    told = test.job(file, "--source", "file:" + data, "--late-sink", "file:" + test.path("late"))
    test.same(wanted)
    with open(test.path("late-alone"), "rb") as lines:
        test.same(sorted(lines.read().splitlines()), "late")
    expected = sorted(line.encode() for line in LATE.splitlines()[1:4] if line.strip())
    test.same(expected, "late")
    test.told(told, "4 records, 2 results, 2 late, 0 skipped", "2 records arrived more than 0 s late, and went to the --late-sink")
    test.say("the same late lines")


def mixed(test):
    """Three files at one reader: what its mixing makes late is told, with the cure. A declared watermark is followed."""
    folder = test.path("in")
    os.makedirs(folder)
    for number in range(3):
        test.write(f"in/{number}", "".join(f'{{"k":"d{number}","t":{i * 100},"v":1}}\n' for i in range(3_000)))
    file = test.file({"key": "value.k", "time": "value.t", "late": "drop"}, SUM, PAIR)
    wanted = sorted(f'["d{number}",{i + 1}]'.encode() for number in range(3) for i in range(3_000))
    told = test.job(file, "--source", "file:" + folder)
    dropped = len(wanted) - len(test.lines())
    if not dropped:
        raise Failure("one reader of three files made no record late")
    test.told(told, f"9000 records, {9000 - dropped} results, {dropped} late, 0 skipped",
              f"{dropped} records arrived more than 0 s late, and were dropped", "--source-parallelism")
    test.job(file, "--source", "file:" + folder, "--source-parallelism", "3", sink="three")
    test.same(wanted, "three")
    table = (f"CREATE TABLE input (line STRING, ts AS TO_TIMESTAMP_LTZ(CAST(JSON_VALUE(line, '$.t') AS BIGINT), 3), "
             f"WATERMARK FOR ts AS ts - INTERVAL '1' HOUR) WITH ('connector' = 'filesystem', 'path' = 'file://{folder}', 'format' = 'raw')")
    told = test.job(file, "--source", table, sink="table")
    test.same(wanted, "table")
    test.told(told, "9000 records, 9000 results, 0 late")
    keyed = test.path("keyed")
    os.makedirs(keyed)
    for number in range(3):
        test.write(f"keyed/{number}.csv", "".join(f"'{{\"k\":\"d{number}\",\"t\":{i * 100},\"v\":1}}';d{number};{i * 100}\n" for i in range(3_000)))
    table = ("CREATE TABLE input (line STRING, key STRING, ts BIGINT, `time` AS TO_TIMESTAMP_LTZ(ts, 3), WATERMARK FOR `time` AS `time` - INTERVAL '1' HOUR) "
             f"WITH ('connector' = 'filesystem', 'path' = 'file://{keyed}', 'format' = 'csv', 'csv.field-delimiter' = '\\;', 'csv.quote-character' = '''')")
    test.job(file, "--source", table.replace("'\\;'", "U&'\\003B'"), sink="keyed-out")
    test.same(wanted, "keyed-out")
    test.say(f"{dropped} late records are told; none with three tasks, nor with a declared watermark")


def skipped(test):
    """Records that cannot be read, and values that make an operator fail, in either stage: counted once, whatever is killed."""
    lines = [f'{{"k":"k{i % 20}","t":{i * 1000 // 60},"v":{json.dumps(str(i)) if i % 97 == 0 else i}}}\n' for i in range(8_000)]
    lines[1_000:1_000] = ["{ not JSON\n"] * 3
    data = test.write("in", "".join(lines))
    then = [{"map": {"expression": "100 / (value[1] % 50)"}}]
    file = test.file({"key": "value.k", "time": "value.t", "then": then}, SUM, PAIR)
    with open(data, "rb") as source:
        one = subprocess.run([test.options.streamrun, file, "--skip-errors"], stdin=source, capture_output=True, text=True, check=False)
    test.told(one.stderr, r"skipped 3 lines, \d+ values")
    values = int(re.search(r"(\d+) values", one.stderr)[1])
    child = test.start(test.command(file, "--source", "file:" + data, "--skip-errors", "--rate", "800", "--parallelism", "2"), "job.log",
                       STREAMFLINK_LOG="INFO")
    for _ in range(2):
        seen = test.wait("workers", lambda: len(cluster.workers(child.pid)) >= 4 and cluster.workers(child.pid))
        time.sleep(2.5)
        os.kill(seen[-1], 9)
        test.wait("new workers", lambda before=seen: len(set(cluster.workers(child.pid)) - set(before)) >= 4)
    test.finish(child)
    test.same(sorted(one.stdout.encode().splitlines()))
    test.told(test.log(), rf"8003 records, {len(one.stdout.splitlines())} results, 0 late, {values + 3} skipped \(3 records, {values} values\)")
    test.say(f"3 records and {values} values, as on one machine, with two kills")


def refusals(test):
    """What cannot run is refused before a job starts, with what to do: code 2, and no result."""
    data = test.write("in", '{"k":"a","t":1000,"v":1}\n' * 100)
    file = test.file({"key": "value.k", "time": "value.t"}, SUM)
    for program, ending in (("zstd", "zst"), ("xz", "xz")):
        with open(test.path("in." + ending), "wb") as packed:
            subprocess.run([program, "-c", data], stdout=packed, stderr=subprocess.DEVNULL, check=True)
        os.makedirs(test.path(ending))
        shutil.copy(test.path("in." + ending), test.path(f"{ending}/renamed.ndjson"))
        table = f"CREATE TABLE input (line STRING) WITH ('connector' = 'filesystem', 'path' = 'file://{test.path('in.' + ending)}', 'format' = 'raw')"
        for source in ("file:" + test.path("in." + ending), "file:" + test.path(ending), table):
            for more in ([], ["--skip-errors"]):
                test.told(test.job(file, "--source", source, *more, code=2), f"is compressed with {program}, .*: decompress it")
    subprocess.run(["gzip", "-k", data], check=True)
    test.job(file, "--source", "file:" + data + ".gz")
    test.same(test.alone(file, data))
    timeless = test.file({"key": "value.k", "then": [{"count": {}}]}, SUM, name="timeless.json")
    test.told(test.job(timeless, "--source", "file:" + data, code=2), r"S123.*'then' needs an order", r'add "time" to')
    test.write("names.csv", "k,name\na,Anna\n")
    names = {"source": {"file": {"path": "names.csv"}}, "operators": [{"collectMap": {"key": "value.k", "expression": "value.name"}}]}
    lookup = test.file({"key": "value.k", "time": "value.t"},
                       {"withLatestFrom": {"with": [names], "names": ["e", "names"], "expression": "names[e.k]"}}, name="lookup.json")
    test.job(lookup, "--source", "file:" + data, sink="lookup")
    test.same([b'"Anna"'] * 100, "lookup")
    test.cluster(1)
    started = time.monotonic()
    told = test.job(lookup, "--source", "file:" + data, "--cluster", test.rest, code=2, sink="none")
    test.told(told, "names.csv", "--parameters")
    if test.get("/jobs/overview").get("jobs") or test.lines("none"):
        raise Failure("a job was started")
    test.say(f"zstd, xz, 'then' without 'time', and a lookup file, {time.monotonic() - started:.1f} s for the last")


def broken(test):
    """An input with a line that is not JSON, after some checkpoints at the rate of the tests."""
    lines = [f'{{"k":"k{i % 20}","t":{i},"v":1}}\n' for i in range(8_000)]
    return test.write("in", "".join(lines[:6_000]) + "{ not JSON\n" + "".join(lines[6_000:]))


def retained(test):
    """A failed job keeps its last checkpoint, and goes on from there: in one JVM and on a cluster."""
    data = broken(test)
    file = test.file({"key": "value.k", "time": "value.t"}, SUM, PAIR)
    wanted = test.alone(file, data, "--skip-errors")
    for place in ("one JVM", "a cluster"):
        shutil.rmtree(test.path("out"), ignore_errors=True)
        arguments = ["--source", "file:" + data]
        if place == "a cluster":
            test.cluster(1)
            arguments += ["--cluster", test.rest]
        told = test.job(file, *arguments, "--rate", "500", code=1)
        test.told(told, "the record { not JSON", r"continue with --from-savepoint \S+/chk-\d+")
        checkpoint = re.search(r"--from-savepoint (\S+)", told)[1]
        before = len(test.lines())
        told = test.job(file, *arguments, "--from-savepoint", checkpoint, "--skip-errors")
        test.same(wanted)
        test.told(told, "8001 records, 8000 results, 0 late, 1 skipped")
        if not 0 < before < 6_000:
            raise Failure(f"{before} results before the failure")
    # Without a directory of its own, the launcher keeps the temporary one.
    command = [part for part in test.command(file, "--source", "file:" + data, "--rate", "1500", sink="out3")]
    place = command.index("--checkpoint-dir")
    del command[place:place + 2]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "TMPDIR": test.directory})
    test.told(done.stderr, rf"--from-savepoint {test.directory}/streamflink-checkpoints\.\w+/\w+/chk-\d+")
    test.say("continued from the checkpoint of the failed job")


def settings(test):
    """-D passes through, and comes before what the cluster has, which comes before the defaults."""
    data = test.write("in", "".join(f'{{"k":"a","t":{i},"v":1}}\n' for i in range(1_000)))
    file = test.file({"key": "value.k", "time": "value.t"}, SUM)
    with open(os.path.join(test.options.flink, "conf", "config.yaml"), encoding="utf-8") as conf:
        assert "restart-strategy:" not in [line.rstrip() for line in conf]
    more = "restart-strategy:\n  type: fixed-delay\n  fixed-delay:\n    attempts: 3\n    delay: 7 s\n"
    test.cluster(1, more=more)

    def configuration(*arguments):
        job = subprocess.run(
            [*test.launcher("run", file, "--sink", "discard", "--source", "file:" + data, "--rate", "100", "--streamrun",
                            test.options.streamrun, "--cluster", test.rest, "--detached", "--checkpoint-dir", test.path("c")), *arguments],
            capture_output=True, text=True, check=False)
        if job.returncode != 0:
            raise Failure(job.stderr)
        number = job.stdout.strip()
        test.wait("job", lambda: test.state(number) == "RUNNING")
        config = test.get(f"/jobs/{number}/checkpoints/config")
        strategy = test.get(f"/jobs/{number}/config")["execution-config"]["restart-strategy"]
        test.get(f"/jobs/{number}")
        cluster.urllib.request.urlopen(cluster.urllib.request.Request(f"http://{test.rest}/jobs/{number}", method="PATCH"))
        test.wait("end", lambda: test.state(number) in ("CANCELED", "FINISHED"))
        return config["interval"], config["externalization"], strategy

    interval, kept, strategy = configuration()
    if interval != 1000 or kept != {"enabled": True, "delete_on_cancellation": False} or "Cluster" not in strategy:
        raise Failure(f"{interval}, {kept}, {strategy}")
    interval, kept, strategy = configuration("-D", "execution.checkpointing.interval=3 s", "-Drestart-strategy.type=none",
                                             "-D", "execution.checkpointing.externalized-checkpoint-retention=DELETE_ON_CANCELLATION")
    if interval != 3000 or kept["delete_on_cancellation"] is not True:
        raise Failure(f"{interval}, {kept}, {strategy}")
    told = test.job(file, "--source", "file:" + data, "-D", "execution.checkpointing.unaligned.enabled=true", code=2)
    test.told(told, "cannot be true")
    told = test.job(file, "--source", "file:" + data, "-D", "nonsense", code=2)
    test.told(told, "expected KEY=VALUE")
    test.say("-D, the cluster and the defaults, in this order")


def listening(root):
    """The addresses at which a process and those below it listen."""
    table = cluster.processes()
    family = [root]
    for number in family:
        family += [child for child, (parent, _) in table.items() if parent == number]
    sockets = set()
    for number in family:
        for name in glob.glob(f"/proc/{number}/fd/*"):
            try:
                sockets.add(os.readlink(name))
            except OSError:
                pass
    found = []
    for name in ("tcp", "tcp6"):
        with open(f"/proc/net/{name}", encoding="ascii") as file:
            for line in list(file)[1:]:
                parts = line.split()
                if parts[3] == "0A" and f"socket:[{parts[9]}]" in sockets:
                    found.append(parts[1])
    return found


def loopback(test):
    """A job in one JVM listens on the loopback address only."""
    data = test.write("in", "".join(f'{{"k":"a","t":{i},"v":1}}\n' for i in range(2_000)))
    file = test.file({"key": "value.k", "time": "value.t"}, SUM)
    child = test.start(test.command(file, "--source", "file:" + data, "--rate", "200"), "job.log", STREAMFLINK_LOG="INFO")
    test.wait("checkpoint", lambda: "streamrun checkpoint 3" in test.log())
    found = listening(child.pid)
    # In hexadecimal, of a machine with the lowest byte first; the second is that of IPv6 for the same address.
    local = ("0100007F:", "0000000000000000FFFF00000100007F:")
    if not found or [address for address in found if not address.startswith(local)]:
        raise Failure(f"it listens at {found}")
    test.say(f"{len(found)} ports, all on the loopback address")


def large_key(test):
    """A key whose state exceeds the limit is an error that names it, and no attempt follows."""
    text = "x" * 1_000_000
    lines = [f'{{"k":"small","t":{i},"v":1}}\n{{"k":"large one","t":{i},"v":"{text}{i}"}}\n' for i in range(60)]
    # The limit is that of a checkpoint, and one has to come before the end, also on a busy machine.
    lines += [f'{{"k":"small","t":{i},"v":1}}\n' for i in range(60, 360)]
    data = test.write("in", "".join(lines))
    file = test.file({"key": "value.k", "time": "value.t"},
                     {"scan": {"initialValue": [], "expression": "acc + [string(value.v)]"}}, {"map": {"expression": "size(value)"}})
    told = test.job(file, "--source", "file:" + data, "--rate", "30", code=1)
    test.told(told, r'the state of the key "large one" has \d+ bytes; the limit is 48 MiB', "continue with --from-savepoint")
    if told.count("the state of the key") != 1:
        raise Failure(f"it is told more than once: {told}")
    test.say("the key is named")


def lost_manager(test):
    """A JobManager without high availability takes its job along; the job goes on from its last checkpoint."""
    data = test.write("in", "".join(f'{{"k":"k{i % 20}","t":{i},"v":1}}\n' for i in range(8_000)))
    file = test.file({"key": "value.k", "time": "value.t"}, SUM, PAIR)
    test.cluster(1)
    job = test.submit(file, "--source", "file:" + data, "--rate", "1000")
    test.checkpoints(job, 4)
    manager = next(number for number, (_, command) in cluster.processes().items()
                   if any(b"StandaloneSessionClusterEntrypoint" in part for part in command) and test.path("conf").encode() in b" ".join(command))
    os.kill(manager, 9)
    time.sleep(1)
    test.daemon("jobmanager")
    test.wait("TaskManager", lambda: test.get("/overview").get("taskmanagers") == 1)
    last = max(glob.glob(test.path(f"checkpoints/{job}/chk-*/_metadata")), key=os.path.getmtime)
    test.job(file, "--source", "file:" + data, "--cluster", test.rest, "--from-savepoint", os.path.dirname(last))
    test.same(test.alone(file, data))
    test.say("continued from " + os.path.basename(os.path.dirname(last)))


TESTS = {"no-time": no_time, "late-lines": late_lines, "mixed": mixed, "skipped": skipped, "refusals": refusals, "retained": retained, "settings": settings,
         "loopback": loopback, "large-key": large_key, "lost-manager": lost_manager}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tests", nargs="+", choices=[*TESTS, "all"], metavar="TEST")
    parser.add_argument("--flink", type=os.path.abspath, required=True, help="a FLINK_HOME")
    parser.add_argument("--streamrun", type=os.path.abspath, required=True)
    parser.add_argument("--launcher", type=os.path.abspath, default=os.path.join(cluster.HERE, "..", "..", "Sources", "StreamFlink", "streamflink"))
    parser.add_argument("--limit", type=float, default=150, help="seconds that a test may last")
    parser.add_argument("--interval", type=int, default=500, help="milliseconds between checkpoints")
    parser.add_argument("--keep", action="store_true", help="keeps the directories")
    options = parser.parse_args()
    failures = 0
    for name in list(TESTS) if "all" in options.tests else options.tests:
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
