"""The doors of the built command for values: each takes a case to a Check, or raises Unusable."""

import csv
import io

from calls import test_calls
from casefiles import (INPUT, MILLISECOND, Unusable, as_values, by_data, case_with, expected, has_late_output,
    lines_of, paced, results, stream_file, text_of, without_clock)
from doors_functions import functions
from doors_more import MORE_DOORS
from doors_runs import RUN_DOORS
from doors_short import one_liner
from doors_studio import STUDIO_DOORS
from doors_tools import refused, show, test, watch, worker
from generate_expressions import SCALARS
from judging import (Check, as_text, failure_of, has_columns, judge_csv, judge_json, judge_late, judge_lines,
    judge_marbles, judge_text, judge_times, published)
from sources import FINISHED
from values import printed


def run_options(case, events, rng):
    """Options that must not change what is published, with the judge of the format."""
    follows = by_data(case)  # which is neither live nor virtual
    virtual = case.timed or rng.random() < 0.5
    options, judge = ["--virtual"] if virtual and not follows else [], judge_lines
    virtual = virtual or follows
    form = rng.random()
    if failure_of(events) and failure_of(events).is_of_host:
        form = min(form, 0.3) if virtual else 1  # an array or a table is not ended
    if virtual and form < 0.4:
        options, judge = options + ["--timestamps"], judge_times
    elif virtual and not follows and form < 0.45 and fits_diagram(events):
        options, judge = options + ["--format", "marbles"], judge_marbles
    elif form < 0.5:
        options, judge = options + ["--format", "json"], judge_json
    elif form < 0.6 and not any("\n" in text for text in [as_text(printed(value)) for _, value in published(events)]):
        options, judge = options + ["--format", "text"], judge_text
    elif form < 0.7 and has_columns(events):
        options, judge = options + ["--format", "csv"], judge_csv
    if rng.random() < 0.5:
        options += ["--threads", rng.choice(["1", "2"])]
    if has_late_output(case):
        options += ["--late-output", "late.ndjson"]
    return options, judge


def fits_diagram(events):
    """Whether the times are whole frames of half a millisecond, and no text has a quotation mark."""
    return all(when % 500_000 == 0 for when, _, _ in events) and "'" not in repr(
        [event for _, event in published(events)]
    )


def standard_input(case, rng):
    model = stream_file(case, INPUT)
    result = results(model, paced(case))
    options, judge = run_options(case, result.events, rng)
    text = lines_of(case.values)
    if by_data(case) and result.is_read and not result.is_refused:
        late = [text.splitlines(keepends=True)[at] for at in result.late_at] if has_late_output(case) else None
        judge = judge_late(judge, late, len(result.late_at))
    return Check("stdin", {"s.json": text_of(model)}, ["s.json"] + options, text, result.events, judge)


def input_option(case, rng):
    """A file of any format, which its extension or an option names, or standard input in a format."""
    format = rng.choice(["ndjson", "json", "csv", "tsv"])
    try:
        text = {"ndjson": lines_of, "json": text_of}[format](case.values) if format in ("ndjson", "json") else (
            table_of(case, format)
        )
    except Unusable:
        format, text = "ndjson", lines_of(case.values)
    check = standard_input(case_with(case), rng)
    if format != "ndjson" and has_late_output(case):
        raise Unusable("late values as they are read")
    if rng.random() < 0.3:
        options = ["--input-format", format]
        return Check(f"stdin {format}", check.files, check.command + options, text, check.events, check.judge)
    name = f"in.{format}"
    options = ["--input", f"a={name}"]
    if rng.random() < 0.3:
        name, options = "in.data", ["--input", "a=in.data", "--input-format", format]
    return Check(f"--input {format}", {**check.files, name: text}, check.command + options, "", check.events, check.judge)


def from_source(door, case, rng, source, data=None, **options):
    if case.partition:
        raise Unusable("partition")
    case = without_clock(case)
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
        if format == "ndjson" and all(isinstance(value, dict) and value for value in case.values) and rng.random() < 0.4:
            # The first line shows that values go on over several lines.
            text = "".join("{\n" + text_of(value)[1:] + "\n" for value in case.values)
        elif rng.random() < 0.3:
            # The name decides nothing: the values of a text of any format of JSON are under a member.
            source["items"] = "/data/rows"
            text = '{"n": 1, "data": {"rows": ' + text_of(case.values) + ', "z": [2]}, "t": "]}"}'
        return from_source(
            f"file {format}", case, rng, ("source", {"file": source}), {name: text},
            files={name: as_values(case.values)})

    return door


def table_of(case, format, delimiter=None):
    """Flat records as rows: strings, or with a type what it declares."""
    if not isinstance(case.type, dict) or any(type not in SCALARS for type in case.type.values()) or not case.values:
        raise Unusable("not flat")
    case.typed = case.typed or any(type != "string" for type in case.type.values())
    text = io.StringIO()
    delimiter = delimiter or ("\t" if format == "tsv" else ",")
    writer = csv.writer(text, delimiter=delimiter, lineterminator="\n")
    writer.writerow(case.type)
    for value in case.values:
        writer.writerow([cell if isinstance(cell, str) else text_of(cell) for cell in value.values()])
    return text.getvalue()


def table_file(case, rng):
    format = rng.choice(["csv", "tsv"])
    delimiter = rng.choice([None, None, ";", "|", ":"])
    text = table_of(case, format, delimiter)
    source = {"path": f"d.{format}", "format": format, "type": case.type}
    if delimiter:
        source["delimiter"] = delimiter
    return from_source(
        f"file {format}", case, rng, ("source", {"file": source}), {f"d.{format}": text},
        files={f"d.{format}": as_values(case.values)})


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
    case = without_clock(case)
    values = [{"t": 1_600_000_000_000 + time, "v": value} for time, value in zip(case.times, case.values)]
    case = case_with(case, type={"t": "int", "v": case.type})
    model = stream_file(case, INPUT, operators=[{"map": {"expression": "value.v"}}] + case.operators)
    start = case.times[0] if case.times else 0
    events = [((time - start) * MILLISECOND, value) for time, value in zip(case.times, as_values(values))]
    inputs = {"a": events + [(events[-1][0] if events else 0, FINISHED)]}
    first = (1_600_000_000_000 + start) * MILLISECOND if events else 0
    wanted = expected(model, inputs, start=first, waits=True)
    command = ["s.json", "--event-time", "value.t", "--timestamps"] + rng.choice(
        [[], ["--threads", "1"], ["--threads", "2"]]
    )
    return Check("event time", {"s.json": text_of(model)}, command, lines_of(values), wanted, judge_times)


# Laws


def wrapped(node):
    """A part of a file with dyn(…) around every expression."""
    if isinstance(node, list):
        return [wrapped(element) for element in node]
    if not isinstance(node, dict):
        return node
    names = ("expression", "key", "element", "while", "next", "output", "condition", "by")
    return {
        name: (
            f"dyn({value})"
            if name in names and isinstance(value, str)
            else (
                value
                if name in ("value", "values", "with", "initialValue", "error", "events") and not is_streams(value)
                else wrapped(value)
            )
        )
        for name, value in node.items()
    }


def is_streams(value):
    return (
        isinstance(value, list)
        and value
        and all(isinstance(element, dict) and ("source" in element or "stream" in element) for element in value)
    )


def dyn_everywhere(case, rng):
    """dyn(…) around every expression, with or without the declared type, changes nothing."""
    other = case_with(case, operators=wrapped(case.operators), streams=wrapped(case.streams), outputs=wrapped(case.outputs))
    check = rng.choice([standard_input, input_option, items, sequence])(other, rng)
    check.door = "dyn " + check.door
    return check


SLOW = {
    "stream": {"source": {"just": {"expression": "outer"}}, "operators": [{"delay": {"seconds": 0.0123}}]},
    "maxPublishers": 1,
    "limit": 1,
}


def slow_consumer(case, rng):
    """What is published goes one by one, slowly: whatever can wait is paused, nothing is lost."""
    if any(f'"{name}"' in text_of(case.operators) for name in ("timeout", "expand", "join")):
        raise Unusable("what is requested ahead decides when a clock runs out, or a stream fails")
    case = case_with(without_clock(case), outputs={})
    operators = case.operators + [{"flatMap": SLOW}]
    if case.streams and rng.random() < 0.7:
        operators.append({"merge": {"with": ["s"]}})
    other = case_with(case, operators=operators, timed=True)
    if case.partition:
        raise Unusable("partition")
    check = rng.choice([standard_input, items, sequence, record, data_file("ndjson")])(other, rng)
    if check.events and check.events[-1][1] == "failure":
        raise Unusable("what is requested ahead decides when a stream fails")
    check.door = "slow " + check.door
    return check


DOORS = {
    "stdin": (standard_input, 5), "--input": (input_option, 2), "ndjson": (data_file("ndjson"), 2),
    "json": (data_file("json"), 1), "csv": (table_file, 2), "items": (items, 4), "just": (just, 1),
    "sequence": (sequence, 2), "record": (record, 4), "marbles": (marbles, 2), "event-time": (event_time, 3),
    "test": (test, 6), "show": (show, 1), "dyn": (dyn_everywhere, 2), "slow": (slow_consumer, 2),
    "refused": (refused, 2), "worker": (worker, 2), "watch": (watch, 0.1),
}
DOORS.update(MORE_DOORS)
DOORS.update(RUN_DOORS)
DOORS.update(STUDIO_DOORS)
DOORS["calls"] = (test_calls, 2)
DOORS["one-liner"] = (one_liner, 3)
DOORS["functions"] = (functions, 4)
