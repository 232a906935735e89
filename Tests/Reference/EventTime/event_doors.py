"""The doors of the built command for recordings with times: each gives what it prints for records in some order."""

import json
import os
import subprocess
import sys
import tempfile
import time

from event_cases import lines_of

SECONDS = 60


class Problem(Exception):
    """A door gives something else than expected, or ends in another way."""


class Folder:
    """A folder for the files of one run, and the command."""

    def __init__(self, binary):
        self.binary, self.temporary = binary, tempfile.TemporaryDirectory(prefix="event-time-")
        self.path = self.temporary.name

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.temporary.cleanup()

    def write(self, name, content):
        with open(os.path.join(self.path, name), "w", encoding="utf-8", newline="") as file:
            file.write(content if isinstance(content, str) else json.dumps(content))
        return name

    def read(self, name):
        with open(os.path.join(self.path, name), encoding="utf-8") as file:
            return file.read()

    def run(self, *words, stdin=""):
        done = subprocess.run(
            [self.binary, *words], input=stdin.encode(), capture_output=True, cwd=self.path, timeout=SECONDS,
            env={**os.environ, "NO_COLOR": "1"}, check=False)
        return done.returncode, done.stdout.decode(), done.stderr.decode()


class Doors:
    """All doors for a case. `wanted` is what the sorted records give, as `run` prints it with times."""

    def __init__(self, case, folder):
        self.case, self.folder, self.rng = case, folder, case.rng
        folder.write("s.json", case.model())
        # The order of members has no meaning, for values of one time neither: the reference has the other one.
        turned = case.model()
        folder.write("turned.json", {**turned, "inputs": dict(reversed(turned["inputs"].items()))})
        folder.write("plain.json", case.model(lateness=False))
        folder.write("bare.json", case.model(clocks=False))
        for name in case.clocks:
            folder.write(f"{name}-sorted.ndjson", lines_of(case.sorted[name]))
            folder.write(f"{name}-shuffled.ndjson", lines_of(case.shuffled[name]))

    def inputs(self, order):
        names = list(self.case.clocks)
        return [word for name in self.rng.sample(names, len(names)) for word in ("--input", f"{name}={name}-{order}.ndjson")]

    def files(self, order, file="s.json", *more):
        return self.folder.run("run", file, *self.inputs(order), "--timestamps", *more)

    def sorted(self):
        """The reference: sorted records that are held."""
        return self.files("sorted", "turned.json")

    def plain(self):
        """Sorted records that are not held: rows of the file, where that is possible."""
        return self.files("sorted", "plain.json", "--threads", self.rng.choice(["1", "2"]))

    def from_files(self):
        return self.files("shuffled", "s.json", "--threads", self.rng.choice(["1", "2"]))

    def from_standard_input(self):
        *others, last = self.case.clocks
        words = [word for name in others for word in ("--input", f"{name}={name}-shuffled.ndjson")]
        if others:
            words += ["--input", f"{last}=-"]
        return self.folder.run("s.json", *words, "--timestamps", stdin=lines_of(self.case.shuffled[last]))

    def by_options(self):
        if self.case.options is None:
            return None
        return self.files("shuffled", "bare.json", *self.case.options)

    def recorded(self):
        """A recording of the run, replayed."""
        first = self.files("shuffled", "s.json", "--record", "recording.ndjson")
        if first[0] not in (0, 1):
            return first
        return self.folder.run("replay", "recording.ndjson", "--timestamps")

    def resumed(self):
        """A run that stops after some values, and a second one that goes on from its state."""
        words = ["run", "s.json", *self.inputs("shuffled"), "--output", "out.ndjson", "--state", "state"]
        first = self.folder.run(*words, "--limit", str(self.rng.choice([1, 2, 5])))
        second = self.folder.run(*words) if first[0] == 0 else first
        return second[0], self.folder.read("out.ndjson"), second[2]

    # Doors that print something else: each compares, and raises a problem.

    def test(self, wanted):
        """A test feeds the shuffled values, and expects what the sorted ones give."""
        code, output, errors = wanted
        expect = {"values": [json.loads(line)["value"] for line in output.splitlines()]}
        if code == 1:
            if "too late" not in errors:
                return
            expect["failure"] = "too late"
        elif code:
            return
        fed = {name: {"values": records} for name, records in reversed(self.case.shuffled.items())}
        self.folder.write("t.json", self.case.model(tests=[{"name": "t", "inputs": fed, "expect": expect}]))
        code, output, errors = self.folder.run("test", "t.json")
        if "the stream does not end" in output:  # a run ends with its inputs and timers, nevertheless
            self.folder.write("t.json", self.case.model(
                tests=[{"name": "t", "inputs": fed, "expect": {**expect, "finished": False}}]))
            code, output, errors = self.folder.run("test", "t.json")
        if output != "1 passed, 0 failed\n":
            raise Problem(f"the test does not pass: {output}{errors}")

    def show(self, wanted):
        """The diagrams of both orders are the same."""
        words = ["show", "s.json", "--limit", "1000", "--width", "4000", "--stages"]
        results = [self.folder.run(*words, *self.inputs(order)) for order in ("sorted", "shuffled")]
        if results[0][:2] != results[1][:2]:
            raise Problem(f"show draws\n{results[1][1]}{results[1][2]}instead of\n{results[0][1]}{results[0][2]}")

    def difference(self, wanted):
        """More lateness makes no difference where nothing is late."""
        more = self.case.model()
        for declaration in more["inputs"].values():
            declaration["time"]["lateness"] *= 2
        self.folder.write("more.json", more)
        code, output, errors = self.folder.run("diff", "--behavior", "s.json", "more.json", *self.inputs("shuffled"))
        if code or output != "1 run, 0 different\n":
            raise Problem(f"diff --behavior tells of a difference: {output}{errors}")

    def worker(self, wanted):
        """Each order of the records through a worker: the same results at the same times."""
        if self.case.partition is None:
            return
        results = {order: self.worked(self.case_records(order)) for order in ("sorted", "shuffled")}
        if results["sorted"] != results["shuffled"]:
            raise Problem(f"the worker gives {results['shuffled']} instead of {results['sorted']}")
        printed = sorted(json.dumps(json.loads(line)["value"]) for line in wanted[1].splitlines())
        if wanted[0] == 0 and sorted(json.dumps(json.loads(value)) for _, value in results["shuffled"]) != printed:
            raise Problem(f"the worker gives {results['shuffled']} instead of {wanted[1]}")

    def case_records(self, order):
        records = self.case.sorted if order == "sorted" else self.case.shuffled
        return lines_of(records["a"]).encode().splitlines()

    def worked(self, lines):
        sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../Cluster"))
        from worker import NONE, Worker, WorkerError

        process = Worker([self.folder.binary, "worker", os.path.join(self.folder.path, "s.json")])
        try:
            process.hello()
            newest, results, seen, at = NONE, [], set(), 0
            while at < len(lines):
                size = self.rng.choice([1, 1, 3, 20])
                newest, watermark, routed = process.route(newest, lines[at : at + size])
                groups = {}
                for (fate, when, key), line in zip(routed, lines[at : at + size]):
                    if fate in (0, 1):
                        groups.setdefault(key, []).append((when, line))
                batch = [(key, 0 if key in seen else 2, None, items) for key, items in groups.items()]
                seen.update(groups)
                results += process.batch(batch, watermark)
                at += size
            results += process.finish(newest)
            return sorted(results)
        except (WorkerError, EOFError) as error:
            return "it failed" if "S4" in str(error) or "ended" in str(error) else f"it failed: {error}"
        finally:
            process.process.kill()
            for stream in (process.process.stdin, process.process.stdout, process.process.stderr):
                stream.close()
            process.process.wait()


RUNS = ["plain", "from_files", "from_standard_input", "by_options", "recorded", "resumed"]
CHECKS = ["test", "show", "difference", "worker"]


def shard_results(folder, server, name, records):
    """The results of a file by two shards on Redis."""
    words = ["shard", "s.json", "--redis", server.url, "--shards", "2", "--name", name]
    fed = folder.run(*words, "--feed", "--end", stdin=lines_of(records))
    if fed[0]:
        raise Problem(f"shard --feed: {fed[2]}")
    done = folder.run(*words, "--lease", "1")
    if done[0]:
        return done[0], "", done[2]
    code, output, errors = folder.run(*words, "--results")
    return code, "".join(sorted(output.splitlines(keepends=True))), errors


def through_shards(cases, binary, report):
    """Partitions through shards on a Redis server of their own, beside `run`. Returns how many files went through."""
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../Cluster"))
    from shards import Server

    count = 0
    with tempfile.TemporaryDirectory(prefix="event-time-redis-") as place:
        server = Server(place)
        try:
            for case in cases:
                with Folder(binary) as folder:
                    Doors(case, folder)
                    alone = folder.run("s.json", stdin=lines_of(case.sorted["a"]))
                    if alone[0]:
                        continue
                    count += 1
                    wanted = "".join(sorted(alone[1].splitlines(keepends=True)))
                    code, output, errors = shard_results(folder, server, f"e{case.seed}", case.shuffled["a"])
                    if (code, output) != (0, wanted):
                        report(case, "shards", f"exit code {code}\n{output}{errors}instead of\n{wanted}")
        finally:
            server.kill()
    return count


def wait_until(condition, seconds):
    """Whether a condition holds before the time is over."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.02)
    return condition()
