"""The doors that do more than run a stream once: tests in files, diagrams, refused records, watching, workers."""

import collections
import json
import os
import re
import select
import signal
import subprocess
import sys
import time

from casefiles import (INPUT, MILLISECOND, Unusable, as_values, by_data, expected, hot, lines_of, paced, results,
    stream_file, text_of, without_clock)
from convert import convert
from generate_expressions import Choice, random_value
from judging import Check, Outcome, compare_values, failure_of, judge_lines, of_output, published, without_texts
from sources import FINISHED
from values import Failure, plain, printed, read_json, same, write_json

# Tests in files


def event_objects(events):
    result = []
    for time, what, event in events:
        content = (
            {"value": plain(event)}
            if what == "value"
            else (
                {"finished": True}
                if what == "finished"
                else {"failure": plain(event.error) if event.error is not None else {"code": event.code}}
            )
        )
        result.append({"at": time / 10**9, **content})
    return result


def as_marbles(events):
    """The expectation as a diagram with frames of half a millisecond, if it can be one."""
    frame, instants, values = 500_000, {}, {}
    for time, what, event in events:
        if what == "failure" or time % frame or len(values) == 26:
            return None
        symbol = "|" if what == "finished" else chr(97 + len(values))
        if what == "value":
            values[symbol] = plain(event)
        instants.setdefault(time // frame, []).append(symbol)
    diagram, position = "", 0
    for place, symbols in instants.items():
        if place < position:
            return None
        gap = place - position
        diagram += "-" * gap if gap < 9 or gap % 2 else f" {gap // 2}ms "
        diagram += "[" + "".join(symbols) + "]"
        position = place + 1
    return {"marbles": diagram or "-", "values": values, "frame": 0.0005}


def judge_test(passes):
    def judge(check, outcome):
        wanted = f"{int(passes)} passed, {int(not passes)} failed"
        if outcome.code == int(not passes) and wanted in outcome.output:
            return None
        return f"  expected '{wanted}', got exit code {outcome.code}\n{outcome.output}{outcome.errors}"

    return judge


def values_and_end(events):
    """The expectation of the form 'values', with how the stream ends."""
    expect = {"values": [plain(value) for _, value in published(events)]}
    what, event = events[-1][1:] if events else ("value", None)
    if what == "failure":
        return {**expect, "failure": plain(event.error) if event.error is not None else event.code}
    return expect if what == "finished" else {**expect, "finished": False}


def changed(expect, rng):
    """The expectation with one thing wrong."""
    form = "events" if "events" in expect else "values"
    if form == "values" and rng.random() < 0.3:
        end = {"finished": False} if len(expect) == 1 else {}
        if "failure" in expect and rng.random() < 0.5:
            end = {"failure": "S999"}
        return {form: expect[form], **end}
    rest = {name: value for name, value in expect.items() if name != form}
    things = [dict(thing) if form == "events" else thing for thing in expect[form]]
    values = [at for at, thing in enumerate(things) if form == "values" or "value" in thing]
    if not values or rng.random() < 0.3:
        if form == "values":
            return {form: things + ["another"], **rest}
        ends = [thing for thing in things[-1:] if "value" not in thing]
        at = things[-1]["at"] if things else 0
        return {form: things[: len(things) - len(ends)] + [{"at": at, "value": "another"}] + ends}
    at = rng.choice(values)
    if form == "events" and rng.random() < 0.3:
        things[at]["at"] += 0.001
        return None if any(thing["at"] < things[at]["at"] for thing in things[at + 1 :]) else {form: things}
    if rng.random() < 0.3:
        del things[at]
    elif form == "events":
        things[at]["value"] = {"another": things[at]["value"]}
    else:
        things[at] = {"another": things[at]}
    return {form: things, **rest}


def test(case, rng):
    """The expectation that the model writes must pass; a changed one must fail."""
    events = hot(case)
    model = stream_file(case, INPUT)
    follows = by_data(case)
    by_demand = follows or rng.random() < 0.3
    result = results(model, paced(case) if by_demand else {"a": events})
    if result.is_refused:
        raise Unusable("a test refuses the record, also behind the end")
    wanted = result.events
    return expectation(case, model, None if by_demand else events, wanted, rng, follows)


def expectation(case, model, events, wanted, rng, follows=False):
    """The check of a model with a test that expects what the model says, or something else. Without events, the values
    are read when they are wanted."""
    fed = {"values": case.values}
    if events is not None:
        fed = {"events": event_objects([(t, "finished" if v is FINISHED else "value", v) for t, v in events])}
    if failure_of(wanted) and failure_of(wanted).is_of_host:
        raise Unusable("the host ends the run")
    if any(isinstance(value, float) and value != value for _, value in published(wanted)) or printable_differs(wanted):
        raise Unusable("NaN")
    expect = {"events": event_objects(wanted)}
    if follows and failure_of(wanted):
        raise Unusable("the times of an expected failure")
    if follows or rng.random() < 0.3:
        expect = values_and_end(wanted)
    if case.outputs and rng.random() < 0.5:
        expect = {"outputs": {name: values_and_end(of_output(wanted, name)) for name in case.outputs}}
    diagram = as_marbles(wanted)
    if diagram and not follows and rng.random() < 0.3:
        expect = diagram
    passes = bool({"marbles", "outputs"} & set(expect)) or rng.random() < 0.7
    if not passes:
        expect = changed(expect, rng)
        if expect is None:
            raise Unusable("the change is out of order")
    model["tests"] = [{"name": "t", "inputs": {"a": fed}, "expect": expect}]
    return Check(
        "test passes" if passes else "test fails", {"s.json": text_of(model)}, ["test", "s.json"], "", wanted,
        judge_test(passes))


def printable_differs(events):
    """Values that JSON cannot say, or texts of the program."""
    failure = failure_of(events)
    told = [value for _, value in published(events)] + [failure.error if failure else None]
    if any(not same(value, without_texts(value)) for value in told):
        return True
    text = repr([value for _, value in published(events)])
    return "nan" in text or "inf" in text or "Timestamp" in text


# show


def diagram_values(line, legend):
    """The values on a line of `show`."""
    values, position = [], 0
    decoder = json.JSONDecoder()
    while position < len(line):
        character = line[position]
        if character in "─┄[] ▶|#":
            position += 1
            continue
        if character in '"{':
            _, end = decoder.raw_decode(line, position)
            values.append(read_json(line[position:end]))
            position = end
            continue
        token = re.compile(r"\[[^ ]*|[^─┄\[\] ▶|]+").match(line, position).group()
        position += len(token)
        values.append(legend[token] if token in legend else maybe_json(token))
    return values


def maybe_json(token):
    try:
        return read_json(token)
    except Failure:
        return token


def judge_show(check, outcome):
    if outcome.code not in (0, 1):
        return f"  exit code {outcome.code}\n{outcome.errors}"
    lines = outcome.output.splitlines()
    legend = dict(re.findall(r"^([A-Z]+) = (.*)$", outcome.output, re.MULTILINE))
    legend = {name: read_json(text) for name, text in legend.items()}
    for name, events in check.lines.items():
        line = next((line for line in lines if line.startswith(name + " ")), None)
        if line is None:
            return f"  no line '{name}':\n{outcome.output}{outcome.errors}"
        wanted = [printed(value) for _, value in published(events)]
        problem = compare_values(wanted, diagram_values(line[len(name):].strip(), legend))
        if problem:
            return problem
    return None


def show(case, rng):
    """A recording whose records are a second apart, drawn wide enough for one line."""
    if len(case.values) > 12:
        raise Unusable("length")
    model = stream_file(case, INPUT)
    events = [(at * 10**9, value) for at, value in enumerate(as_values(case.values))]
    if by_data(case):
        events = [(None, value) for _, value in events]
    else:
        events.append((max(0, len(case.values) - 1) * 10**9, FINISHED))
    wanted = expected(model, {"a": events}, waits=True)
    if failure_of(wanted) and failure_of(wanted).is_of_host:
        raise Unusable("the host ends the run")
    plain_texts = all(
        len(write_json(value)) < 60
        and not re.search(r"\d\.\d{5}|e[-+]\d", write_json(value))
        and not re.search(r"[─\[\]|#▶\\]", write_json(value))
        for _, value in published(wanted)
    )
    at_once = max(collections.Counter(when for when, _ in published(wanted)).values(), default=0)
    # A diagram shows ten values of an instant, and the number of the others.
    if len(published(wanted)) > 25 or at_once > 10 or not plain_texts:
        raise Unusable("not readable in a diagram")
    command = ["show", "s.json", "--input", "a=in.ndjson", "--width", "10000", "--limit", "1000"]
    check = Check("show", {"s.json": text_of(model), "in.ndjson": lines_of(case.values)}, command, "", wanted, judge_show)
    check.lines = {name: of_output(wanted, name) for name in case.outputs} or {"output": wanted}
    return check


# Records that the declared type refuses


BAD = {"int": [1.5, 2.0, "1", None, True], "double": ["1", None, False, [1.0]], "string": [5, None, ["a"], {"k": 1}],
       "bool": [0, "true", None]}


def spoiled(rng, type, value):
    """The value as one that does not have the type."""
    if isinstance(type, Choice):
        return rng.choice(["other", 99, None, True, [type.choices[0]], float(type.choices[0]) if 1 in type.choices else 0.5])
    if isinstance(type, dict):
        name = rng.choice([name for name, member in type.items() if member != "dyn"])
        plain = name.rstrip("?")
        if name == plain and rng.random() < 0.3:
            return {other: entry for other, entry in value.items() if other != name}
        if rng.random() < 0.1:
            return rng.choice([None, 5, [value]])
        old = value[plain] if plain in value else random_value(rng, type[name], False)
        return {**value, plain: spoiled(rng, type[name], old)}
    if isinstance(type, list):
        if value and rng.random() < 0.6:
            at = rng.randrange(len(value))
            return value[:at] + [spoiled(rng, type[0], value[at])] + value[at + 1 :]
        return rng.choice(["no list", None, {"0": 1}])
    bad = BAD[type.rstrip("?")]
    return rng.choice([one for one in bad if one is not None or not type.endswith("?")])


def refusal_of(case, bad):
    """The place within a value at which the model refuses it."""
    try:
        convert(read_json(text_of(bad)), read_json(text_of(case.type)))
    except Failure as failure:
        return failure.pointer
    raise AssertionError("the model accepts a value of another type")


def says_where(check, outcome):
    """Whether the error names the line, and the place in its value."""
    line, pointer = check.refused
    return re.search(rf"^[^\n]*:{line}:\d+: error S304", outcome.errors, re.MULTILINE) and (
        not pointer or f"= at {pointer}\n" in outcome.errors)


def judge_refused(check, outcome, places=True):
    if outcome.code == 2 and "S304" in outcome.errors:
        if places and not says_where(check, outcome):
            return f"  the refused value is on line {check.refused[0]}, at '{check.refused[1]}'\n"
        wanted = [printed(value) for _, value in published(check.events)]
        return compare_values(wanted, [read_json(line) for line in outcome.output.splitlines()])
    return f"  exit code {outcome.code}, expected 2 with S304\n"


def judge_no_pass(check, outcome):
    if outcome.code in (1, 2) and "1 passed" not in outcome.output:
        return None
    return f"  the test passes, though a run refuses the record: exit code {outcome.code}\n{outcome.output}"


def refused(case, rng):
    """A record of another type than the declared one: a run is refused, and a test of it does not pass."""
    if case.type == "dyn" or case.timed or case.partition or not case.values or len(case.values) > 20:
        raise Unusable("nothing to refuse")
    case = without_clock(case)
    case.typed, at = True, rng.randrange(len(case.values))
    model = stream_file(case, INPUT)
    good = as_values(case.values[:at])
    wanted = expected(model, {"a": [(None, value) for value in good]} if good else {}, ends=False)
    if wanted and wanted[-1][1] != "value":
        raise Unusable("it ends before")
    bad = spoiled(rng, case.type, case.values[at])
    values = case.values[:at] + [bad]
    if rng.random() < 0.4:
        check = Check("refused run", {"s.json": text_of(model)}, ["s.json"], lines_of(values), wanted, judge_refused)
        check.refused = (at + 1, refusal_of(case, bad))
        return check
    model["tests"] = [
        {
            "name": "t",
            "inputs": {"a": {"values": values}},
            "expect": {"values": [plain(value) for _, value in published(wanted)]},
        }
    ]
    if rng.random() < 0.5:
        fed = [{"at": 0, "value": value} for value in values]
        model["tests"][0]["inputs"]["a"] = {"events": fed}
    return Check("refused test", {"s.json": text_of(model)}, ["test", "s.json"], "", wanted, judge_no_pass)


# --watch


def lines_until(process, count, seconds):
    """What the process prints until it has printed so many lines."""
    output, deadline = b"", time.monotonic() + seconds
    while output.count(b"\n") < count and (left := deadline - time.monotonic()) > 0:
        if select.select([process.stdout], [], [], left)[0]:
            piece = os.read(process.stdout.fileno(), 65536)
            if not piece:
                break
            output += piece
    return output


def watched(half):
    """Feeds half of the records, replaces the file by one with another description, feeds the rest, interrupts."""

    def perform(check, binary, folder):
        lines = check.stdin.encode().splitlines(keepends=True)
        with open(os.path.join(folder, "errors"), "wb+") as errors:
            process = subprocess.Popen(
                [binary] + check.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, cwd=folder
            )
            os.write(process.stdin.fileno(), b"".join(lines[:half]))
            output = lines_until(process, check.early, 5)
            changed = {"description": "changed", **json.loads(check.files["s.json"])}
            with open(os.path.join(folder, "new.json"), "w", encoding="utf-8") as file:
                file.write(text_of(changed))
            os.replace(os.path.join(folder, "new.json"), os.path.join(folder, "s.json"))
            deadline = time.monotonic() + 5
            while time.monotonic() < deadline and b"swapped" not in open(errors.name, "rb").read():
                time.sleep(0.02)
            try:
                os.write(process.stdin.fileno(), b"".join(lines[half:]))
                process.stdin.close()
            except BrokenPipeError:  # it has refused the file
                return Outcome(process.wait(10), "", open(errors.name, encoding="utf-8", errors="replace").read())
            missing = len(published(check.events)) - output.count(b"\n")
            output += lines_until(process, missing, 2)
            while time.monotonic() < deadline and b"has ended" not in open(errors.name, "rb").read():
                time.sleep(0.02)
            process.send_signal(signal.SIGINT)
            output += process.stdout.read()
            process.stdout.close()
            code = process.wait(10)
            errors.seek(0)
            return Outcome(
                0 if code == 130 else code, output.decode(errors="replace"), errors.read().decode(errors="replace")
            )

    return perform


def watch(case, rng):
    """A change of the file that means nothing changes nothing."""
    if case.timed or case.partition or not 2 <= len(case.values) <= 20:
        raise Unusable("nothing to watch")
    case = without_clock(case)
    model = stream_file(case, INPUT)
    half = len(case.values) // 2
    early = expected(model, {"a": [(None, value) for value in as_values(case.values[:half])]}, ends=False)
    wanted = expected(model, paced(case))
    if failure_of(wanted) or early and early[-1][1] != "value":
        raise Unusable("it ends before")
    check = Check(
        "--watch", {"s.json": text_of(model)}, ["--watch", "s.json"], lines_of(case.values), wanted, judge_lines,
        watched(half))
    check.early = len(published(early))
    return check


# The worker of a partition


def worked(check, binary, folder):
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../Cluster"))
    from worker import NONE, Worker, WorkerError

    process = Worker([binary, *check.command], folder=folder)
    refused = True  # until the worker has answered, an error is one of the file
    try:
        process.hello()
        refused = False
        newest, results, seen = NONE, [], set()
        for line in check.stdin.encode().splitlines():
            newest, watermark, routed = process.route(newest, [line])
            fate, when, key = routed[0]
            if fate in (0, 1):
                mode = 0 if key in seen else 2
                seen.add(key)
                results += process.batch([(key, mode, None, [(when, line)])], watermark)
        results += process.finish(newest)
        found = "".join(f'{{"at":{when},"value":{value.decode()}}}\n' for when, value in results)
        return Outcome(0, found, "")
    except (WorkerError, EOFError) as error:
        return Outcome(2 if refused else 1, "", str(error))
    finally:
        process.process.kill()
        for stream in (process.process.stdin, process.process.stdout, process.process.stderr):
            stream.close()
        process.process.wait()


def judge_worker(check, outcome):
    """The same values at the same times; keys are in no order within an instant."""
    if failure_of(check.events):
        return None if outcome.code else f"  no failure, expected {failure_of(check.events)}\n"
    if outcome.code:
        return f"  the worker failed: {outcome.errors}\n"
    got = [read_json(line) for line in outcome.output.splitlines()]
    order = lambda pair: (pair[0], write_json(pair[1]))
    first = min((entry["at"] for entry in got), default=0)
    got = sorted(((entry["at"] - first, entry["value"]) for entry in got), key=order)
    first = min((when for when, _ in published(check.events)), default=0)
    wanted = sorted(((when - first, printed(value)) for when, value in published(check.events)), key=order)
    return compare_values([list(pair) for pair in wanted], [list(pair) for pair in got])


def worker(case, rng):
    if not case.partition or not by_data(case) or "then" in case.partition:
        raise Unusable("no partition with a time")
    model = stream_file(case, INPUT)
    wanted = expected(model, paced(case))
    if failure_of(wanted) and failure_of(wanted).is_of_host:
        raise Unusable("the host ends the run")
    return Check(
        "worker", {"s.json": text_of(model)}, ["worker", "s.json"], lines_of(case.values), wanted, judge_worker, worked
    )
