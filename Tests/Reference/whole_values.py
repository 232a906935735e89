#!/usr/bin/env python3
"""Literals that hold a whole value, through the built command: every source, every operator that makes a value, every
output format, 1 to 2,000 values. The expected values are computed here, in Python.

    whole_values.py BINARY [--count N] [--seed N]

Runs N streams, by default one for each source and operator; with --count 0 one for each source, operator and literal.
"""
import csv
import io
import json
import random
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

COUNTS = [3, 1, 2, 7, 63, 64, 65, 130, 500, 2000]
FORMATS = ["ndjson", "json", "text", "timestamps", "csv", "marbles"]

KINDS = {
    "string": lambda i: f"v{i}",
    "long string": lambda i: f"a string that needs memory of its own, {i}",
    "int": lambda i: i,
    "list": lambda i: [i, f"e{i}"],
    "record": lambda i: {"a": i, "b": f"x{i}", "c": [i]},
}


def lines(values):
    return "".join(json.dumps(value) + "\n" for value in values)


def file(format, text):
    def source(values):
        return {"source": {"file": {"path": "data." + format, "format": format}}}, {"data." + format: text(values)}, ""
    return source


def rows(values):
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([["a", "b"]] + [[f"{i}", f"x{i}"] for i in range(len(values))])
    return out.getvalue()


def standard_input(type=None):
    def source(values):
        declaration = {"type": type} if type else {}
        return {"inputs": {"i": declaration}, "source": {"input": {"name": "i"}}}, {}, lines(values)
    return source


# Name -> (values of which kind, source). A source returns the model, files, and standard input.
SOURCES = {
    "stream": (None, lambda v: ({"stream": [{"value": x} for x in v]}, {}, "")),
    "sequence": (None, lambda v: ({"source": {"sequence": {"values": v}}}, {}, "")),
    "record": (None, lambda v: (
        {"source": {"record": {"events": [{"at": i / 1000, "value": x} for i, x in enumerate(v)]
                                         + [{"at": len(v) / 1000, "finished": True}]}}}, {}, "")),
    "range": ("int", lambda v: ({"source": {"range": {"from": 0, "through": len(v) - 1}}}, {}, "")),
    "just": (None, lambda v: (
        {"source": {"range": {"from": 0, "through": len(v) - 1}},
         "operators": [{"flatMap": {"maxPublishers": 1, "stream": {
             "source": {"just": {"expression": f"{json.dumps(v)}[outer]"}}}}}]},
        {}, "")),
    "generate": ("int", lambda v: (
        {"source": {"generate": {"initialValue": 0, "while": f"value < {len(v)}", "next": "value + 1"}}}, {}, "")),
    "ndjson file": (None, file("ndjson", lines)),
    "json file": (None, file("json", json.dumps)),
    "csv file": ("row", file("csv", rows)),
    "input": (None, standard_input()),
    "input of strings": ("string", standard_input("string")),
    "input of ints": ("int", standard_input("int")),
    "input of lists": ("list", standard_input("list(dyn)")),
    "input of records": ("record", standard_input({"a": "int", "b": "string", "c": "list(int)"})),
}


def pairs(values, count):
    return [values[i:i + count] for i in range(0, len(values), count)]


def expression(operator, text, **more):
    return {operator: {"expression": text, **more}}


JUST = {"source": {"just": {"value": 7}}}
# Name -> (operators, the values that they make).
MAKERS = {
    "nothing": ([], lambda v: v),
    "a record": ([expression("map", "{'z': value}")], lambda v: [{"z": x} for x in v]),
    "a list": ([expression("map", "[value]")], lambda v: [[x] for x in v]),
    "a record of three": (
        [expression("map", "{'p': value, 'q': 2, 'r': 'three'}")],
        lambda v: [{"p": x, "q": 2, "r": "three"} for x in v]),
    "a choice": (
        [expression("map", "index % 2 == 0 ? dyn({'p': value}) : dyn([value])")],
        lambda v: [{"p": x} if i % 2 == 0 else [x] for i, x in enumerate(v)]),
    "a record, shared": ([expression("map", "{'z': value}"), {"share": {}}], lambda v: [{"z": x} for x in v]),
    "share": ([{"share": {}}], lambda v: v),
    "filter": ([expression("filter", "index % 3 != 1")], lambda v: [x for i, x in enumerate(v) if i % 3 != 1]),
    "collect by count": ([{"collect": {"count": 2}}], lambda v: pairs(v, 2)),
    "collect": ([{"collect": {}}], lambda v: [v]),
    "nwise": ([{"nwise": {"count": 2, "partial": True}}], lambda v: [v[max(0, i - 1):i + 1] for i in range(len(v))]),
    "withPrevious": (
        [{"withPrevious": {}}], lambda v: [[None if i == 0 else v[i - 1], x] for i, x in enumerate(v)]),
    "zip": (
        [{"zip": {"with": [{"source": {"range": {"from": 0, "through": 1999}}}]}}],
        lambda v: [[x, i] for i, x in enumerate(v)]),
    "combineLatest": ([{"combineLatest": {"with": [JUST]}}], lambda v: [[v[-1], 7]]),
    "withLatestFrom": ([{"withLatestFrom": {"with": [JUST]}}], lambda v: [[x, 7] for x in v]),
    "materialize": ([{"materialize": {}}], lambda v: [{"value": x} for x in v] + [{"finished": True}]),
    "toResult": ([{"toResult": {}}], lambda v: [{"success": x} for x in v]),
    "toLoadingState": ([{"toLoadingState": {}}], lambda v: [{"loaded": x} for x in v]),
    "enumerated": ([{"enumerated": {}}], lambda v: [{"index": i, "value": x} for i, x in enumerate(v)]),
    "scan": (
        [expression("scan", "{'n': acc.n + 1, 'v': value}", initialValue={"n": 0, "v": None})],
        lambda v: [{"n": i + 1, "v": x} for i, x in enumerate(v)]),
    "reduce": ([expression("reduce", "[value]", initialValue=[])], lambda v: [[v[-1]]]),
    "append": ([{"append": {"with": [JUST]}}], lambda v: v + [7]),
    "prepend": ([{"prepend": {"with": [JUST]}}], lambda v: [7] + v),
    "flatMap": (
        [{"flatMap": {"maxPublishers": 1, "stream": {"source": {"just": {"expression": "{'x': outer}"}}}}}],
        lambda v: [{"x": x} for x in v]),
    "switchMap": (
        [{"switchMap": {"stream": {"source": {"just": {"expression": "{'x': outer, 'y': 1}"}}}}}],
        lambda v: [{"x": x, "y": 1} for x in v]),
    "groupBy": (
        [{"groupBy": {"key": "1", "operators": [expression("map", "{'g': value, 'k': key}")]}}],
        lambda v: [{"g": x, "k": 1} for x in v]),
    "window": (
        [{"window": {"count": 2, "operators": [{"collect": {}}]}}],
        lambda v: pairs(v, 2) + ([[]] if len(v) % 2 == 0 else [])),
    "encode and decode": ([{"encode": {}}, {"decode": {}}], lambda v: v),
    "delay": ([{"delay": {"seconds": 0.001}}], lambda v: v),
    "last": ([{"last": {}}], lambda v: v[-1:]),
}

LITERALS = {
    "{'x': value}": lambda v, i: {"x": v},
    "{'x': value, 'y': 1}": lambda v, i: {"x": v, "y": 1},
    "{'a': value, 'b': 1, 'c': 2.5}": lambda v, i: {"a": v, "b": 1, "c": 2.5},
    "{'x': value, 'y': value}": lambda v, i: {"x": v, "y": v},
    "{'x': {'y': value}}": lambda v, i: {"x": {"y": v}},
    "{'x': {'y': value, 'z': true}, 'w': value}": lambda v, i: {"x": {"y": v, "z": True}, "w": v},
    "{'x': [value], 'i': index}": lambda v, i: {"x": [v], "i": i},
    "{'i': index, 'x': value}": lambda v, i: {"i": i, "x": v},
    "[value]": lambda v, i: [v],
    "[value, value]": lambda v, i: [v, v],
    "[{'x': value}]": lambda v, i: [{"x": v}],
    "{'x': value, 's': 'a' + 'b'}": lambda v, i: {"x": v, "s": "ab"},
    "{'x': dyn(value)}": lambda v, i: {"x": v},
    "value": lambda v, i: v,
}

# Operators behind the literal.
TAILS = [
    ([], lambda v: v),
    ([{"share": {}}], lambda v: v),
    ([expression("map", "{'w': value}")], lambda v: [{"w": x} for x in v]),
    ([{"collect": {"count": 3}}], lambda v: pairs(v, 3)),
    ([expression("filter", "true")], lambda v: v),
    ([{"nwise": {"count": 2}}], lambda v: [v[i:i + 2] for i in range(len(v) - 1)]),
    ([expression("scan", "{'l': value, 'm': acc.l}", initialValue={"l": None})],
     lambda v: [{"l": x, "m": v[i - 1] if i else None} for i, x in enumerate(v)]),
]


def compact(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def cell(value):
    return "" if value is None else value if isinstance(value, str) else compact(value)


def table(values):
    """What a reader of CSV finds; None where the values have no columns in common."""
    if not values or not all(isinstance(v, dict) and v and v.keys() == values[0].keys() for v in values):
        return None
    return [list(values[0])] + [[cell(x) for x in v.values()] for v in values]


def read(format, output):
    if format == "json":
        return json.loads(output)
    if format == "timestamps":
        return [json.loads(line)["value"] for line in output.splitlines() if "value" in json.loads(line)]
    return [json.loads(line) for line in output.splitlines()]


def run(binary, model, files, text, format):
    with tempfile.TemporaryDirectory() as folder:
        for name, content in files.items():
            (Path(folder) / name).write_text(content)
        (Path(folder) / "s.json").write_text(json.dumps(model))
        arguments = ["--timestamps"] if format == "timestamps" else ["--format", format]
        return subprocess.run(
            [binary, "run", "s.json", "--virtual", *arguments], input=text, capture_output=True, text=True,
            errors="replace", cwd=folder, timeout=120)


def check(binary, case):
    source, kind, maker, literal, tail, count, format = case
    values = [{"a": f"{i}", "b": f"x{i}"} if kind == "row" else KINDS[kind](i) for i in range(count)]
    model, files, text = SOURCES[source][1](values)
    made = MAKERS[maker][1](values)
    if maker == "combineLatest" and (source == "record" or source.startswith("input")):
        # These sources publish after both streams have been subscribed to.
        made = [[value, 7] for value in values]
    expected = TAILS[tail][1]([LITERALS[literal](value, i) for i, value in enumerate(made)])
    model["operators"] = model.get("operators", []) + MAKERS[maker][0] + [expression("map", literal)] + TAILS[tail][0]
    if format == "csv" and table(expected) is None or format == "marbles" and count > 7:
        format = "ndjson"
    process = run(binary, model, files, text, format)
    problem = None
    try:
        if process.returncode != 0:
            problem = f"exit code {process.returncode}"
        elif format == "csv":
            if list(csv.reader(io.StringIO(process.stdout))) != table(expected):
                problem = "other rows"
        elif format == "text":
            if process.stdout != "".join((x if isinstance(x, str) else compact(x)) + "\n" for x in expected):
                problem = "another text"
        elif format == "marbles":
            missing = [x for x in expected if compact(x) not in process.stdout and cell(x) not in process.stdout]
            if missing:
                problem = f"no {missing[0]}"
        elif read(format, process.stdout) != expected:
            problem = "other values"
    except (ValueError, KeyError) as error:
        problem = f"unreadable: {error}"
    if problem is None:
        return None
    return "\n  ".join([
        f"{problem}: {source} of {count} ({kind}) -> {maker} -> {literal} -> tail {tail}, {format}",
        json.dumps(model)[:600], f"got {process.stdout[:200]!r} {process.stderr[:200]!r}",
        f"expected {str(expected)[:200]}"])


def cases(seed, number):
    generator = random.Random(seed)
    todo = [(source, maker) for source in SOURCES for maker in MAKERS]
    generator.shuffle(todo)
    for source, maker in todo if number is None else todo[:number] if number else todo:
        for literal in generator.sample(list(LITERALS), 1) if number != 0 else LITERALS:
            kind = SOURCES[source][0] or generator.choice(list(KINDS))
            count = generator.choice(COUNTS)
            if source in ("just", "stream", "record") and count > 130 or maker == "collect" and count > 500:
                count = 65
            yield (source, kind, maker, literal, generator.randrange(len(TAILS)), count, generator.choice(FORMATS))


def main():
    arguments = sys.argv[1:]
    binary = str(Path(arguments[0]).resolve())
    seed = int(arguments[arguments.index("--seed") + 1]) if "--seed" in arguments else 1
    number = int(arguments[arguments.index("--count") + 1]) if "--count" in arguments else None
    todo = list(cases(seed, number))
    with ThreadPoolExecutor(2) as pool:
        problems = [problem for problem in pool.map(lambda case: check(binary, case), todo) if problem]
    for problem in problems[:20]:
        print(problem)
    print(f"whole values: {len(todo)} streams, {len(problems)} wrong")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
