"""Doors that run a stream again, or beside another: recordings, saved states, measurements and comparisons."""

import json
import os
import re
import signal
import subprocess

from casefiles import (INPUT, Unusable, as_values, by_data, case_with, expected, has_late_output, lines_of, paced,
    results, stream_file, text_of)
from commands import run
from doors_tools import event_objects, judge_refused, lines_until, spoiled
from judging import (Check, Outcome, at_times, by_output, compare_values, failure_of, judge_end, judge_lines,
    judge_times, published, without_texts)
from sources import FINISHED
from values import Map, equal, read_json

PACE = 10**6  # nanoseconds between two values of a file


def passing(case):
    """The file that passes on the values of the case's input."""
    return stream_file(case_with(case, operators=[], streams={}, outputs={}, dress=None, made={}), INPUT, typed=False)


def delivered(case, pace):
    """The values of the input as events, and time zero: by the clock of the data, or at a steady pace."""
    if not case.clock:
        events = [(at * pace, value) for at, value in enumerate(as_values(case.values))]
        return events + [(events[-1][0] if events else 0, FINISHED)], 0
    result = results(passing(case), paced(case))
    if failure_of(result.events):
        raise Unusable("the host ends the run")
    events = published(result.events)
    return events + [(events[-1][0] if events else 0, FINISHED)], result.start


def without_time(model):
    """The file as it receives values whose times are known."""
    model = json.loads(text_of(model))
    for declaration in model.get("inputs", {}).values():
        declaration.pop("time", None)
    return model


def results_of(model, case, pace, **options):
    """The model's result for a file that the values of the case are delivered to."""
    events, start = delivered(case, pace)
    plain = type(model)(without_time(model))
    plain.__dict__.update(model.__dict__)
    return results(plain, {"a": events}, start=start, **options)


def on_data(case, rng):
    """The case, or one whose values carry their times."""
    if case.partition:
        raise Unusable("partition")
    if case.clock or not case.timed and rng.random() < 0.6:
        return case
    values = [{"t": 1_600_000_000_000 + time, "v": value} for time, value in zip(case.times, case.values)]
    operators = [{"map": {"expression": "value.v"}}] + case.operators
    outputs = {name: output for name, output in case.outputs.items() if name == "main"}
    return case_with(case, values=values, type={"t": "int", "v": case.type}, operators=operators, outputs=outputs,
                     streams={}, clock={"expression": "value.t"}) if not case.streams else case


# Recordings


def recorded(case, rng):
    """A run that is recorded and how it is replayed: by the same version, or by another one, whose parameters the replay
    is given. Returns the files, both commands, the result and whether its times are known."""
    case = on_data(case, rng)
    model, clock = stream_file(case, INPUT), by_data(case)
    files = {"s.json": text_of(model)}
    record = ["--record", "run.ndjson"] + ([] if clock else ["--virtual"])
    if has_late_output(case):
        raise Unusable("a replay has no late values")
    if rng.random() < 0.5:
        result = results(model, paced(case))
        return files, ["s.json", *record], ["replay", "run.ndjson"], result, case
    result, made = results_of(model, case, 0), dict(case.made)
    files["pass.json"] = text_of(passing(case))
    case.made.update(made)
    return files, ["pass.json", *record], ["replay", "run.ndjson", "s.json"], result, case


def again(first, second, work=run):
    """Runs both commands; the values from outside are those of the stream file."""
    first, second = list(first), list(second)  # the check's command is given its options

    def perform(check, binary, folder):
        given = check.given
        begun = run(binary, first + (given if first[0] == "s.json" else []), folder, check.stdin)
        if begun.code not in (0, 1) or not os.path.exists(os.path.join(folder, "run.ndjson")):
            return begun
        return work(binary, second + (given if "s.json" in second else []), folder)

    return perform


def replay(case, rng):
    files, first, second, result, case = recorded(case, rng)
    stop_at_host(result)
    second, judge = (second + ["--timestamps"], judge_times) if rng.random() < 0.7 else (second, judge_lines)
    if first[0] == "s.json" and judge is judge_times and rng.random() < 0.5:
        first, second = first + ["--timestamps"], second[:-1]
    return Check("replay", files, second, lines_of(case.values), result.events, judge, again(first, second))


def stop_at_host(result):
    if failure_of(result.events) and failure_of(result.events).is_of_host:
        raise Unusable("the host ends the run")


def stepped(binary, words, folder):
    """Steps through a recording to its end and beyond."""
    with open(os.path.join(folder, "run.ndjson"), encoding="utf-8") as file:
        count = sum(1 for _ in file) + 3
    return run(binary, words + ["--step"], folder, "n\n" * count)


def outputs_of(text):
    """The outputs that stepping has shown, with their times, and the end. The last event is shown again behind the end."""
    shown = {}
    for part in re.split(r"^(?=event \d)", text, flags=re.MULTILINE):
        shown.setdefault(part.split("\n")[0], re.findall(r"^  output at ([\d.]+): (.*)$", part, re.MULTILINE))
    return [(float(at), value) for part in shown.values() for at, value in part]


def judge_steps(check, outcome):
    if outcome.code:
        return f"  exit code {outcome.code}, expected 0\n"
    shown, wanted, got = outputs_of(outcome.output), at_times(check.events), []
    is_over = bool(check.events) and check.events[-1][1] != "value"
    for at, text in shown[:len(shown) - is_over]:
        # A long value is shortened.
        value = text if len(text.encode()) >= 200 or len(got) == len(wanted) else read_json(text)
        long = len(text.encode()) >= 200 and len(got) < len(wanted)
        got.append(Map([("at", at), ("value", wanted[len(got)]["value"] if long else value)]))
    failure, end = failure_of(check.events), shown[-1][1] if is_over and shown else None
    right = end is None if not is_over else end and (failure.code in end if failure else end == "finished")
    return compare_values(wanted, got) or (None if right else f"  it ends with {end}, expected {check.events[-1:]}\n")


def step(case, rng):
    files, first, second, result, case = recorded(case, rng)
    stop_at_host(result)
    return Check("replay --step", files, second, lines_of(case.values), result.events, judge_steps,
                 again(first, second, stepped))


def events_differ(case, first, second):
    """Whether two outcomes have other values, times or ends; those of several outputs are compared output by output."""
    def compared(events):
        events = by_output(events) if case.outputs else events
        return [without_texts(read_json(text_of(event))) for event in event_objects(events)]

    return not equal(compared(first), compared(second))


def judge_code(code):
    def judge(check, outcome):
        return None if outcome.code == code else f"  exit code {outcome.code}, expected {code}\n{outcome.output}\n"

    return judge


def compare(case, rng):
    """The exit code of a replay says whether the output of the recorded version is that of another one."""
    files, first, second, result, case = recorded(case, rng)
    stop_at_host(result)
    differs = False
    if "pass.json" in files:
        events, _ = delivered(case, 0)
        end = [(events[-1][0], "finished", None)]
        differs = events_differ(case_with(case, outputs={}), [(at, "value", value) for at, value in events[:-1]] + end, result.events)
    return Check("replay --compare", files, second + ["--compare"], lines_of(case.values), result.events,
                 judge_code(int(differs)), again(first, second + ["--compare"]))


def refused(case, rng):
    """A value of a recording that another version does not take: the replay is refused, also step by step."""
    if case.type == "dyn" or case.timed or case.partition or case.clock or not 0 < len(case.values) < 20:
        raise Unusable("nothing to refuse")
    at = rng.randrange(len(case.values))
    case = case_with(case, typed=True)
    model = stream_file(case, INPUT)
    good = [(0, value) for value in as_values(case.values[:at])]
    wanted = expected(model, {"a": good} if good else {})
    if wanted and wanted[-1][1] != "value":
        raise Unusable("it ends before")
    values = case.values[:at] + [spoiled(rng, case.type, case.values[at])]
    files = {"s.json": text_of(model), "pass.json": text_of({"inputs": {"a": {}}, INPUT[0]: INPUT[1]})}
    first, second = ["pass.json", "--virtual", "--record", "run.ndjson"], ["replay", "run.ndjson", "s.json"]

    def judge(check, outcome):
        if rng_steps:
            shown = [text for _, text in outputs_of(outcome.output)]
            outcome = Outcome(outcome.code, "\n".join(shown[: len(published(check.events))]), outcome.errors)
        return judge_refused(check, outcome, places=False)

    rng_steps = rng.random() < 0.5
    return Check("refused replay" + " --step" * rng_steps, files, second, lines_of(values), wanted, judge,
                 again(first, second, stepped if rng_steps else run))


# Measurements and comparisons


def bench(case, rng):
    """The number of values that come out. Timers that are due behind the last value do not fire."""
    if case.partition or case.timed or not case.values:
        raise Unusable("partition, timers, or no values")
    model = stream_file(case, INPUT)
    result = results_of(model, case, PACE)
    if not result.is_read:
        raise Unusable("the stream ends before its values, and begins again")
    stop_at_host(result)
    count = len(delivered(case, PACE)[0]) - 1

    def judge(check, outcome):
        if outcome.code or failure_of(check.events):
            return judge_end(check, outcome)
        found = json.loads(outcome.output)["streams"][0]
        found, wanted = (found["valuesIn"], found["valuesOut"]), (count, len(published(check.events)))
        return None if found == wanted else f"  {found} values in and out, expected {wanted}\n"

    command = ["bench", "s.json", "--input", "a=in.ndjson", "--values", str(count), "--rounds", "1", "--format", "json"]
    files = {"s.json": text_of(model), "in.ndjson": lines_of(case.values)}
    return Check("bench", files, command, "", result.events, judge)


ENDINGS = [{"map": {"expression": "dyn(value)"}}, {"map": {"expression": "[value]"}}, {"prefix": {"count": 2}},
           {"filter": {"expression": "true"}}, {"drop": {"count": 1}}, {"last": {}}]


def behavior(case, rng):
    """The exit code of a comparison says whether another version has the same output."""
    if case.partition:
        raise Unusable("partition")
    model = stream_file(case, INPUT)
    other = type(model)(json.loads(text_of(model)))
    other.__dict__.update(model.__dict__)
    part = other if "operators" in other else other["streams"]["main"]
    part["operators"] = part["operators"] + [rng.choice(ENDINGS)]
    runs = [results(file, paced(case)) for file in (model, other)]
    for result in runs:
        stop_at_host(result)
    files = {"s.json": text_of(model), "t.json": text_of(other), "in.ndjson": lines_of(case.values)}
    command = ["diff", "s.json", "t.json", "--behavior", "--input", "a=in.ndjson"]
    return Check("diff --behavior", files, command, "", runs[1].events,
                 judge_code(int(events_differ(case, runs[0].events, runs[1].events))))


# Saved states


def stopped_by(option, amount):
    """Runs a stream again and again, each time for so many seconds of its time or so many values, until it has ended."""

    def perform(check, binary, folder):
        path, output = os.path.join(folder, "out.ndjson"), ""
        for number in range(12):
            outcome = run(binary, check.command + ([option, str(amount)] if number < 11 else []), folder)
            output += outcome.output
            if outcome.code or "has ended" in outcome.errors:
                break
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                output = file.read()
        return Outcome(outcome.code, output, outcome.errors)

    return perform


def stopped_by_signal(half):
    """Feeds half of the values through a pipe, asks the run to stop, and feeds the rest to a second run."""

    def perform(check, binary, folder):
        lines = check.stdin.encode().splitlines(keepends=True)
        with open(os.path.join(folder, "errors"), "wb+") as errors:
            first = subprocess.Popen(
                [binary] + check.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, cwd=folder)
            os.write(first.stdin.fileno(), b"".join(lines[:half]))
            output = lines_until(first, check.early, 5)
            first.send_signal(signal.SIGTERM)
            output += first.stdout.read()
            code = first.wait(10)
            first.stdin.close()
            first.stdout.close()
            errors.seek(0)
            if code != 143:
                return Outcome(code, output.decode(), errors.read().decode(errors="replace"))
        second = run(binary, check.command, folder, b"".join(lines[half:]).decode())
        return Outcome(second.code, output.decode() + second.output, second.errors)

    return perform


def state(case, rng):
    """A run that keeps its state and is stopped in the middle prints what one does that is not."""
    if case.partition:
        raise Unusable("partition")
    model = stream_file(case, INPUT)
    files, command = {"s.json": text_of(model)}, ["s.json", "--state", "kept"]
    result = results(model, paced(case))
    stop_at_host(result)
    if case.timed or case.clock or rng.random() < 0.5:
        files["in.ndjson"] = lines_of(case.values)
        end = result.events[-1][0] / 10**9 if result.events else 0
        command += ["--input", "a=in.ndjson", "--timestamps"] + ([] if case.clock else ["--virtual"])
        command += ["--late-output", "late.ndjson"] if has_late_output(case) else []
        command += [] if case.outputs else ["--output", "out.ndjson"]
        stop = ("--for", max(0.000001, round(end * rng.choice([0.1, 0.3, 0.5]), 6)))
        if end == 0 or rng.random() < 0.5:
            stop = ("--limit", max(1, len(published(result.events)) // rng.choice([2, 3, 6])))
        return Check(f"state, {stop[0]}", files, command, "", result.events, judge_times, stopped_by(*stop))
    half = len(case.values) // 2
    early = expected(model, {"a": [(None, value) for value in as_values(case.values[:half])]}, ends=False)
    if not early or early[-1][1] != "value":
        raise Unusable("nothing shows that half of the values are read")
    check = Check("state, SIGTERM", files, command, lines_of(case.values), result.events, judge_lines,
                  stopped_by_signal(half))
    check.early = len(published(early))
    return check


RUN_DOORS = {
    "replay": (replay, 3), "step": (step, 3), "compare": (compare, 2), "refused-replay": (refused, 1),
    "bench": (bench, 1), "behavior": (behavior, 2), "state": (state, 2),
}
