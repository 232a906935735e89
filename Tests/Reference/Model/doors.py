"""The doors of the built command. A door takes a case to `Check`s: files, a command, and what it must print.

What a command prints is judged by values, their types and order, by times where they are printed, by the exit code,
and by the code of the failure.
"""

import csv
import io
import json
import re
from dataclasses import dataclass, field

from convert import convert
from generate_expressions import SCALARS
from sources import FINISHED
from stream import Options, run
from values import Failure, Map, kind, plain, printed, read_json, same, write_json

MILLISECOND = 10**6


@dataclass
class Check:
    """One command and what it must do. `command` follows the binary."""

    door: str
    files: dict
    command: list
    stdin: str = ""
    events: list = field(default_factory=list)  # as the model gives them
    judge: object = None  # (check, Outcome) -> None, or a text that says what is wrong
    perform: object = None  # (check, binary) -> Outcome, for what is more than one command


@dataclass
class Outcome:
    code: int
    output: str
    errors: str


class Unusable(Exception):
    """The door does not take this case."""


# Files


def text_of(value):
    return json.dumps(value, ensure_ascii=False)


def lines_of(values):
    return "".join(text_of(value) + "\n" for value in values)


def stream_file(case, source, typed=None, operators=None, **members):
    """The file of a case with a source, which is ("source", {...}) or ("stream", [...])."""
    model = {}
    uses_input = source[1] == {"input": {"name": "a"}} or '{"input": {"name": "a"}}' in json.dumps(case.streams)
    if uses_input or case.partition:
        typed = case.typed if typed is None else typed
        model["inputs"] = {"a": {"type": case.type} if typed else {}}
    if case.streams:
        model["streams"] = case.streams
    model[source[0]] = source[1]
    if case.partition:
        model["partition"] = case.partition
    return {**model, "operators": case.operators if operators is None else operators, **members}


INPUT = ("source", {"input": {"name": "a"}})


def expected(model, inputs, **options):
    """The model's events of a file in Python's json types."""
    given = {name: list(events) for name, events in inputs.items()}
    result = run(read_json(text_of(model)), given, Options(steps=5_000, **options))
    if result.endless:
        raise Unusable("endless")
    return result.events


def as_values(values):
    return [read_json(text_of(value)) for value in values]


def paced(case):
    """The records of standard input: read at the pace of demand, then the end."""
    return {"a": [(None, value) for value in as_values(case.values)] or [(None, FINISHED)]}


def hot(case):
    """Events of the input at their times, for tests."""
    events = [(time * MILLISECOND, value) for time, value in zip(case.times, as_values(case.values))]
    if case.finishes:
        events.append((events[-1][0] + 7 * MILLISECOND if events else 0, FINISHED))
    return events


# Judging what was printed


def published(events):
    return [(time, event) for time, what, event in events if what == "value"]


def failure_of(events):
    return events[-1][2] if events and events[-1][1] == "failure" else None


def without_texts(value):
    """The value without the texts of messages, which are the program's own: members `message` beside a `code`."""
    if isinstance(value, list):
        return [without_texts(element) for element in value]
    if isinstance(value, Map):
        return Map((name, without_texts(entry)) for name, entry in value.items() if name != "message" or "code" not in value)
    return value


def show_values(values):
    return "".join(f"    {write_json(value)}\n" for value in values[:12]) + ("    …\n" if len(values) > 12 else "")


def compare_values(wanted, got):
    if len(wanted) == len(got) and all(same(without_texts(a), without_texts(b)) for a, b in zip(wanted, got)):
        return None
    return f"  expected\n{show_values(wanted)}  got\n{show_values(got)}"


def judge_end(check, outcome):
    """The exit code and the failure on standard error."""
    failure = failure_of(check.events)
    if outcome.code < 0 or outcome.code > 128:
        return f"  the process died: {outcome.code}\n"
    codes = re.findall(r"error (S\d+)", outcome.errors)
    if failure is None:
        return f"  exit code {outcome.code}, expected 0\n" if outcome.code else None
    if outcome.code not in (1, 2):
        return f"  exit code {outcome.code}, expected a failure {failure}\n"
    if failure.code not in codes:
        return f"  the failure is {codes}, expected {failure}\n"
    return None


def judge_lines(check, outcome):
    wanted = [printed(value) for _, value in published(check.events)]
    try:
        got = [read_json(line) for line in outcome.output.splitlines()]
    except Failure as failure:
        return f"  the output is not NDJSON: {failure}\n"
    return compare_values(wanted, got) or judge_end(check, outcome)


def at_times(events):
    """Each value with its time, as `--timestamps` prints it: doubles, which are compared as such."""
    return [Map([("at", time / 10**9), ("value", printed(value))]) for time, value in published(events)]


def timed(value):
    """A printed value with its time; the calendar time of event time is left out."""
    return Map([("at", float(value["at"])), ("value", value["value"])])


def judge_times(check, outcome):
    try:
        got = [timed(read_json(line)) for line in outcome.output.splitlines()]
    except (Failure, KeyError) as failure:
        return f"  the output is not NDJSON with times: {failure}\n"
    return compare_values(at_times(check.events), got) or judge_end(check, outcome)


def judge_json(check, outcome):
    try:
        got = read_json(outcome.output)
    except Failure as failure:
        return f"  the output is not JSON: {failure}\n"
    return compare_values([printed(value) for _, value in published(check.events)], got) or judge_end(check, outcome)


def as_text(value):
    """A value in the format `text`, and in a cell of CSV: a string is itself."""
    return value if isinstance(value, str) else write_json(value)


def same_text(wanted, got):
    if isinstance(wanted, str):
        return wanted == got
    try:
        return same(without_texts(wanted), without_texts(read_json(got)))
    except Failure:
        return False


def judge_text(check, outcome):
    wanted = [printed(value) for _, value in published(check.events)]
    got = outcome.output.split("\n")[:-1]
    if len(wanted) != len(got) or not all(map(same_text, wanted, got)):
        return f"  expected\n{show_values(wanted)}  got\n{show_values(got)}"
    return judge_end(check, outcome)


def judge_csv(check, outcome):
    wanted = [printed(value) for _, value in published(check.events)]
    rows = list(csv.reader(io.StringIO(outcome.output, newline="")))
    columns = wanted[0].keys() if isinstance(wanted[0], Map) else ["value"]
    cells = [value.values() if isinstance(value, Map) else [value] for value in wanted]
    good = rows[:1] == [columns] and len(rows) == len(cells) + 1 and all(
        len(row) == len(cell) and all(got == "" if want is None else same_text(want, got) for want, got in zip(cell, row))
        for row, cell in zip(rows[1:], cells))
    return judge_end(check, outcome) if good else f"  expected\n{show_values(wanted)}  got\n{outcome.output}"


def has_columns(events):
    values = [printed(value) for _, value in published(events)]
    if values and all(isinstance(value, Map) and len(value) for value in values):
        return all(value.keys() == values[0].keys() for value in values)
    return bool(values) and all(kind(value) in ("int", "double", "string", "bool") for value in values)


# Doors: (case) -> Check


def run_options(case, events, rng):
    """Options that must not change what is published, with the judge of the format."""
    options, judge = ["--virtual"] if case.timed or rng.random() < 0.5 else [], judge_lines
    virtual = bool(options)
    form = rng.random()
    if virtual and form < 0.4:
        options, judge = options + ["--timestamps"], judge_times
    elif form < 0.5:
        options, judge = options + ["--format", "json"], judge_json
    elif form < 0.6 and not any("\n" in text for text in [as_text(printed(value)) for _, value in published(events)]):
        options, judge = options + ["--format", "text"], judge_text
    elif form < 0.7 and has_columns(events):
        options, judge = options + ["--format", "csv"], judge_csv
    if rng.random() < 0.5:
        options += ["--threads", rng.choice(["1", "2"])]
    if case.partition and case.partition.get("late") == "output":
        options += ["--late-output", "late.ndjson"]
    return options, judge


def standard_input(case, rng):
    model = stream_file(case, INPUT)
    events = expected(model, paced(case))
    options, judge = run_options(case, events, rng)
    return Check("stdin", {"s.json": text_of(model)}, ["s.json"] + options, lines_of(case.values), events, judge)


def input_option(case, rng):
    check = standard_input(case, rng)
    files = {**check.files, "in.ndjson": check.stdin}
    return Check("--input", files, check.command + ["--input", "a=in.ndjson"], "", check.events, check.judge)


def from_source(door, case, rng, source, data=None, **options):
    if case.partition:
        raise Unusable("partition")
    model = stream_file(case, source)
    if "inputs" in model:
        raise Unusable("a stream of the file reads the input")
    events = expected(model, {}, **options)
    flags, judge = run_options(case, events, rng)
    return Check(door, {"s.json": text_of(model), **(data or {})}, ["s.json"] + flags, "", events, judge)


def data_file(format):
    def door(case, rng):
        source, name = {"path": f"d.{format}", "format": format}, f"d.{format}"
        if case.typed:
            source["type"] = case.type
        text = lines_of(case.values) if format == "ndjson" else text_of(case.values)
        return from_source(f"file {format}", case, rng, ("source", {"file": source}), {name: text}, files={name: as_values(case.values)})
    return door


def csv_file(case, rng):
    """Flat records, as rows of strings; with a type, as what it declares."""
    if not isinstance(case.type, dict) or any(type not in SCALARS for type in case.type.values()) or not case.values:
        raise Unusable("not flat")
    case.typed = case.typed or any(type != "string" for type in case.type.values())
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(case.type)
    for value in case.values:
        writer.writerow([cell if isinstance(cell, str) else text_of(cell) for cell in value.values()])
    source = {"path": "d.csv", "format": "csv", "type": case.type}
    return from_source("file csv", case, rng, ("source", {"file": source}), {"d.csv": text.getvalue()}, files={"d.csv": as_values(case.values)})


def items(case, rng):
    if not 0 < len(case.values) < 20:
        raise Unusable("length")
    return from_source("items", case, rng, ("stream", [{"value": value} for value in case.values]))


def just(case, rng):
    if not case.values:
        raise Unusable("length")
    return from_source("just", case, rng, ("source", {"just": {"value": case.values[0]}}))


def sequence(case, rng):
    return from_source("sequence", case, rng, ("source", {"sequence": {"values": case.values}}))


def record_events(case):
    events = [{"at": time / 1000, "value": value} for time, value in zip(case.times, case.values)]
    if case.finishes:
        events.append({"at": ((case.times or [0])[-1] + 7) / 1000, "finished": True})
    return events


def record(case, rng):
    case.timed = True
    return from_source("record", case, rng, ("source", {"record": {"events": record_events(case)}}))


def marbles(case, rng):
    """The events of `record` as a diagram with a frame of one millisecond."""
    if len(case.values) > 12:
        raise Unusable("length")
    case.timed, diagram, time, values = True, "", 0, {}
    at = 0
    while at < len(case.values):
        group = [index for index in range(len(case.values)) if case.times[index] == case.times[at]]
        wait = case.times[at] - time
        diagram += "-" * wait if wait < 8 else f" {wait}ms "
        values.update({chr(97 + index): case.values[index] for index in group})
        diagram += "[" + "".join(chr(97 + index) for index in group) + "]"
        time, at = case.times[at] + 1, at + len(group)
    diagram += "-" * 5 + "|" if case.finishes else ""
    return from_source("marbles", case, rng, ("source", {"marbles": {"diagram": diagram or "-", "values": values}}))


def event_time(case, rng):
    """Records that carry their time: {"t": milliseconds, "v": value}."""
    if case.partition or case.streams:
        raise Unusable("another use of the input")
    values = [{"t": 1_600_000_000_000 + time, "v": value} for time, value in zip(case.times, case.values)]
    case = case_with(case, type={"t": "int", "v": case.type})
    model = stream_file(case, INPUT, operators=[{"map": {"expression": "value.v"}}] + case.operators)
    start = case.times[0] if case.times else 0
    events = [((time - start) * MILLISECOND, value) for time, value in zip(case.times, as_values(values))]
    inputs = {"a": events + [(events[-1][0] if events else 0, FINISHED)]}
    wanted = expected(model, inputs, start=(1_600_000_000_000 + start) * MILLISECOND, waits=True)
    command = ["s.json", "--event-time", "value.t", "--timestamps"] + rng.choice([[], ["--threads", "1"], ["--threads", "2"]])
    return Check("event time", {"s.json": text_of(model)}, command, lines_of(values), wanted, judge_times)


def case_with(case, **changes):
    other = object.__new__(type(case))
    other.__dict__ = {**case.__dict__, **changes}
    return other


# Tests in files


def event_objects(events):
    result = []
    for time, what, event in events:
        content = {"value": plain(event)} if what == "value" else {"finished": True} if what == "finished" else {
            "failure": plain(event.error) if event.error is not None else {"code": event.code}}
        result.append({"at": time / 10**9, **content})
    return result


def judge_test(passes):
    def judge(check, outcome):
        wanted = f"{int(passes)} passed, {int(not passes)} failed"
        if outcome.code == int(not passes) and wanted in outcome.output:
            return None
        return f"  expected '{wanted}', got exit code {outcome.code}\n{outcome.output}{outcome.errors}"
    return judge


def changed(expect, rng):
    """The expectation with one thing wrong."""
    form = "events" if "events" in expect else "values"
    things = [dict(thing) if form == "events" else thing for thing in expect[form]]
    values = [at for at, thing in enumerate(things) if form == "values" or "value" in thing]
    if not values or rng.random() < 0.3:
        if form == "values":
            return {form: things + ["another"]}
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
    return {form: things}


def test(case, rng):
    """The expectation that the model writes must pass; a changed one must fail."""
    events = hot(case)
    model = stream_file(case, INPUT)
    partition = case.partition and "time" in case.partition
    if partition:
        events = [(0, value) for _, value in events if value is not FINISHED] + [(0, FINISHED)]
    wanted = expected(model, {"a": events})
    fed = {"events": event_objects([(t, "finished" if v is FINISHED else "value", v) for t, v in events])}
    if any(isinstance(value, float) and value != value for _, value in published(wanted)) or printable_differs(wanted):
        raise Unusable("NaN")
    expect = {"events": event_objects(wanted)}
    if rng.random() < 0.3 and failure_of(wanted) is None:
        expect = {"values": [plain(value) for _, value in published(wanted)]}
    passes = rng.random() < 0.7
    if not passes:
        expect = changed(expect, rng)
        if expect is None:
            raise Unusable("the change is out of order")
    model["tests"] = [{"name": "t", "inputs": {"a": fed}, "expect": expect}]
    return Check("test passes" if passes else "test fails", {"s.json": text_of(model)}, ["test", "s.json"], "", wanted, judge_test(passes))


def printable_differs(events):
    """Values that JSON cannot say."""
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
    line = next((line for line in lines if line.startswith("output")), None)
    if line is None:
        return f"  no line 'output':\n{outcome.output}{outcome.errors}"
    wanted = [printed(value) for _, value in published(check.events)]
    return compare_values(wanted, diagram_values(line[6:].strip(), legend))


def show(case, rng):
    """A recording whose records are a second apart, drawn wide enough for one line."""
    if len(case.values) > 12:
        raise Unusable("length")
    model = stream_file(case, INPUT)
    events = [(at * 10**9, value) for at, value in enumerate(as_values(case.values))]
    if case.partition and "time" in case.partition:
        events = [(None, value) for _, value in events]
    else:
        events.append((max(0, len(case.values) - 1) * 10**9, FINISHED))
    wanted = expected(model, {"a": events})
    plain_texts = all(len(write_json(value)) < 60 and not re.search(r"[─\[\]|#▶]", write_json(value)) for _, value in published(wanted))
    if len(published(wanted)) > 25 or not plain_texts:
        raise Unusable("not readable in a diagram")
    command = ["show", "s.json", "--input", "a=in.ndjson", "--width", "10000"]
    return Check("show", {"s.json": text_of(model), "in.ndjson": lines_of(case.values)}, command, "", wanted, judge_show)


# Laws


def wrapped(node):
    """A part of a file with dyn(…) around every expression."""
    if isinstance(node, list):
        return [wrapped(element) for element in node]
    if not isinstance(node, dict):
        return node
    names = ("expression", "key", "element", "while", "next", "output", "condition", "by")
    return {name: f"dyn({value})" if name in names and isinstance(value, str) else
            value if name in ("value", "values", "with", "initialValue", "error", "events") and not is_streams(value) else wrapped(value)
            for name, value in node.items()}


def is_streams(value):
    return isinstance(value, list) and value and all(isinstance(element, dict) and ("source" in element or "stream" in element) for element in value)


def dyn_everywhere(case, rng):
    """dyn(…) around every expression, with or without the declared type, changes nothing."""
    other = case_with(case, operators=wrapped(case.operators), streams=wrapped(case.streams))
    check = rng.choice([standard_input, input_option, items, sequence])(other, rng)
    check.door = "dyn " + check.door
    return check


DOORS = {
    "stdin": (standard_input, 5), "--input": (input_option, 2), "ndjson": (data_file("ndjson"), 2), "json": (data_file("json"), 1),
    "csv": (csv_file, 2), "items": (items, 4), "just": (just, 1), "sequence": (sequence, 2), "record": (record, 4),
    "marbles": (marbles, 2), "event-time": (event_time, 3), "test": (test, 6), "show": (show, 1), "dyn": (dyn_everywhere, 2),
}
