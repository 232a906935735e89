"""Inputs that fall silent, with the clock of the machine: what happens, and in which order, and what does not.

The scenarios run at the same time, and none is about milliseconds.
"""

import concurrent.futures
import json
import os
import signal
import subprocess
import threading
import time
import traceback

from event_cases import lines_of
from event_doors import Folder, Problem, wait_until

PATIENCE = 25  # seconds until something that must happen counts as missing, on a busy machine


class Live:
    """A run whose inputs are open pipes."""

    def __init__(self, folder, *words, pipes=()):
        self.lines, self.errors = [], []
        for name in pipes:
            os.mkfifo(os.path.join(folder.path, name))
        self.process = subprocess.Popen(
            [folder.binary, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            cwd=folder.path, text=True, bufsize=1)
        self.pipes = {name: open(os.path.join(folder.path, name), "w", encoding="utf-8") for name in pipes}
        self.threads = [
            threading.Thread(target=self.collect, args=pair, daemon=True)
            for pair in ((self.process.stdout, self.lines), (self.process.stderr, self.errors))]
        for thread in self.threads:
            thread.start()

    @staticmethod
    def collect(file, lines):
        for line in file:
            lines.append(line.rstrip("\n"))

    def say(self, *records, to=None):
        file = self.process.stdin if to is None else self.pipes[to]
        file.write(lines_of(records))
        file.flush()

    def expect(self, count, what):
        if not wait_until(lambda: len(self.lines) >= count, PATIENCE):
            raise Problem(f"{what}: {count} lines expected, printed {self.lines} {self.errors}")

    def end(self):
        for file in [self.process.stdin, *self.pipes.values()]:
            try:
                file.close()
            except BrokenPipeError:
                pass
        code = self.process.wait(PATIENCE)
        for thread in self.threads:
            thread.join(PATIENCE)
        return code

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for file in self.pipes.values():
            try:
                file.close()
            except OSError:
                pass


def stream(operators, tests=None, **clocks):
    clocks = {name: {"time": {"expression": "value.t", "unit": "s", **clock}} if clock is not None else {}
              for name, clock in clocks.items()}
    model = {"inputs": clocks, "source": {"input": {"name": "a"}}, "operators": operators}
    return {**model, "tests": tests} if tests else model


def require(what, got, wanted):
    if got != wanted:
        raise Problem(f"{what}: {got}, expected {wanted}")


SILENCE = [{"groupBy": {"key": "value.k", "operators": [{"debounce": {"seconds": 3}}]}}]


def alert(folder):
    """An alert of silence comes while its input is silent, and without `idle` only with the next value."""
    folder.write("idle.json", stream(SILENCE, a={"lateness": 1, "idle": 0.5}))
    folder.write("none.json", stream(SILENCE, a={"lateness": 1}))
    folder.write("options.json", stream(SILENCE, a=None))
    options = ["--event-time", "value.t", "--unit", "s", "--lateness", "1", "--idle", "0.5"]
    first, second = {"t": 1000, "k": 1}, {"t": 1001, "k": 2}
    with Live(folder, "idle.json") as live, Live(folder, "none.json") as patient, \
            Live(folder, "options.json", *options) as other:
        for one in (live, patient, other):
            one.say(first, second)
        live.expect(2, "the alerts of silence")
        other.expect(2, "the alerts of silence, with --idle")
        require("without idle", patient.lines, [])
        patient.say({"t": 1010, "k": 3}, {"t": 1020, "k": 3})
        patient.expect(2, "the alerts with the next value")
        for one in (live, patient, other):
            require("the end", one.end(), 0)
            require("the alerts", [json.loads(line) for line in one.lines[:2]], [first, second])


def recorded(folder):
    """What happened by the clock of the machine is replayed as it was."""
    operators = SILENCE + [{"timestamp": {}}]
    folder.write("s.json", stream(operators, a={"lateness": 1, "idle": 0.3}))
    with Live(folder, "s.json", "--record", "r.ndjson", "--timestamps") as live:
        live.say({"t": 1000, "k": 1})
        live.expect(1, "the alert")
        live.say({"t": 1020, "k": 2}, {"t": 1019, "k": 3}, {"t": 1040, "k": 1})
        live.expect(3, "the next alerts")
        require("the end", live.end(), 0)
        code, output, errors = folder.run("replay", "r.ndjson", "--timestamps")
        require(f"the replay {errors}", (code, output.splitlines()), (0, live.lines))


def two_inputs(folder):
    """One of two inputs is silent: it holds the other for as long as `idle` says; without it, until it ends."""
    merge = [{"merge": {"with": ["b"]}}, {"map": {"expression": "value.t"}}]
    folder.write("idle.json", stream(merge, a={"idle": 0.4}, b={"idle": 0.4}))
    folder.write("none.json", stream(merge, a={}, b={}))
    folder.write("clockless.json", stream(merge, a={}, b=None))

    def inputs(name):
        return ["--input", f"a={name}-a", "--input", f"b={name}-b"]
    with Live(folder, "idle.json", *inputs("i"), pipes=("i-a", "i-b")) as live, \
            Live(folder, "none.json", *inputs("n"), pipes=("n-a", "n-b")) as patient, \
            Live(folder, "clockless.json", *inputs("c"), pipes=("c-a", "c-b")) as clockless:
        for one, name in ((live, "i"), (patient, "n"), (clockless, "c")):
            one.say({"t": 1000}, {"t": 1002}, to=f"{name}-a")
        live.expect(2, "values beside a silent input")
        clockless.expect(2, "values beside a silent input without a clock")
        require("beside a silent input without idle", patient.lines, [])
        patient.say({"t": 1001}, to="n-b")
        patient.expect(2, "values up to those of the other input")
        clockless.say({"t": 5}, to="c-b")
        clockless.expect(3, "a value without a time")
        for one, wanted in ((live, [1000, 1002]), (patient, [1000, 1001, 1002]), (clockless, [1000, 1002, 5])):
            require("the end", one.end(), 0)
            require("the values", [json.loads(line) for line in one.lines], wanted)


def released(folder):
    """One value can release several: they do not wait for the one after it."""
    folder.write("s.json", stream([{"map": {"expression": "value.t"}}], a={"lateness": 5}))
    with Live(folder, "s.json") as live:
        live.say({"t": 1000}, {"t": 1003}, {"t": 1001}, {"t": 1100})
        live.expect(3, "the values that the watermark has passed")
        require("the end", live.end(), 0)
        require("the values", live.lines, ["1000", "1001", "1003", "1100"])


def killed(folder):
    """A run that is killed goes on from its state as if nothing had happened, with values that are held."""
    windows = {"seconds": 10, "align": "clock", "expression": "[windowStart, value.map(x, x.n)]"}
    folder.write("s.json", stream([{"collectTime": windows}], a={"lateness": 8, "idle": 600}))
    records = [{"t": 1000 + number // 2 - number * 7 % 8, "n": number} for number in range(400)]
    folder.write("all.ndjson", lines_of(records))
    code, wanted, _ = folder.run("s.json", "--input", "a=all.ndjson")
    require("the run alone", code, 0)
    folder.write("in.ndjson", "")
    words = ["s.json", "--input", "a=in.ndjson", "--state", "state", "--output", "out.ndjson"]
    for part in range(3):
        with Live(folder, *words, "--follow", "--every", "50ms") as live:
            with open(os.path.join(folder.path, "in.ndjson"), "a", encoding="utf-8") as file:
                file.write(lines_of(records[part * 130 : part * 130 + 130]))
            out = os.path.join(folder.path, "out.ndjson")
            size = [os.path.getsize(out) if os.path.exists(out) else 0]
            wait_until(lambda: os.path.exists(out) and os.path.getsize(out) > size[0], PATIENCE)
            time.sleep(0.1 * part)
            live.process.send_signal(signal.SIGKILL)
            live.process.wait()
    with open(os.path.join(folder.path, "in.ndjson"), "a", encoding="utf-8") as file:
        file.write(lines_of(records[390:]))
    code, _, errors = folder.run(*words)
    require(f"the last run {errors}", code, 0)
    require("the output", folder.read("out.ndjson"), wanted)


def tested(folder):
    """A test whose events have times: a silence between them passes as in a live run."""
    events = [{"at": 0, "value": {"t": 1000, "k": 1}}, {"at": 20, "value": {"t": 1002, "k": 2}},
              {"at": 21, "finished": True}]
    for idle, wanted in ((2, [[1, "1970-01-01T00:16:43Z"]]), (30, [])):
        operators = SILENCE + [{"map": {"expression": "[value.k, string(now())]"}}]
        test = {"name": "t", "inputs": {"a": {"events": events}}, "expect": {"values": wanted}}
        folder.write("s.json", stream(operators, [test], a={"idle": idle}))
        code, output, errors = folder.run("test", "s.json")
        require(f"the test with idle {idle}: {output}{errors}", output, "1 passed, 0 failed\n")


def swapped(folder):
    """A running stream continues with another lateness: it keeps its state, and the values that are held."""
    total = [{"scan": {"initialValue": 0, "expression": "acc + 1"}}, {"map": {"expression": "[value, string(now())]"}}]
    folder.write("s.json", stream(total, a={"lateness": 2}))
    with Live(folder, "--watch", "s.json") as live:
        live.say({"t": 1000}, {"t": 1002}, {"t": 1001}, {"t": 1004})
        live.expect(3, "the values that the watermark has passed")
        folder.write("new.json", stream(total, a={"lateness": 10}))
        os.replace(os.path.join(folder.path, "new.json"), os.path.join(folder.path, "s.json"))
        if not wait_until(lambda: any("swapped" in line for line in live.errors), PATIENCE):
            raise Problem(f"the file is not swapped: {live.errors}")
        live.say({"t": 1010}, {"t": 1003}, {"t": 1016})
        live.expect(5, "the values after the swap")
        live.process.stdin.close()
        if not wait_until(lambda: len(live.lines) == 7, PATIENCE):
            raise Problem(f"not all values: {live.lines} {live.errors}")
        seconds = [0, 1, 2, 3, 4, 10, 16]
        wanted = [[at + 1, f"1970-01-01T00:16:{40 + second}Z"] for at, second in enumerate(seconds)]
        require("the values", [json.loads(line) for line in live.lines], wanted)


SCENARIOS = [alert, swapped, recorded, two_inputs, released, killed, tested]


def check_live(binary):
    """[(name, problem or None)] of all scenarios."""

    def perform(scenario):
        try:
            with Folder(binary) as folder:
                scenario(folder)
            return ("live " + scenario.__name__, None)
        except Problem as problem:
            return ("live " + scenario.__name__, f"== live {scenario.__name__}\n{problem}")
        except Exception:  # noqa: BLE001
            return ("live " + scenario.__name__, f"== live {scenario.__name__}\n{traceback.format_exc(limit=-4)}")

    with concurrent.futures.ThreadPoolExecutor(len(SCENARIOS)) as threads:
        return list(threads.map(perform, SCENARIOS))
