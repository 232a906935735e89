#!/usr/bin/env python3
"""Random stream files in their short form, and back: the same files.

    short_forms.py BINARY [--files 10000] [--seed S] [--processes 2] [--keep FOLDER]

`format --short` prints the one-liners of many files at once. `format -e TEXT` prints the file of each, as `--print-model`
does, also of one that cannot run; it must have the same members and values, types of numbers included, and the same one-liner again. Members that have a default are
left out of the comparison where one of both files lacks them; a file without a short form must have a reason.
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path[:0] = [os.path.join(os.path.dirname(os.path.abspath(__file__)), "Model")]

from generate import Case  # noqa: E402
from generate_expressions import random_value  # noqa: E402

BATCH = 100
WORDS = [
    "true",
    "null",
    "5",
    "-1.5e3",
    "a b",
    "a, b",
    "a|b",
    "it's",
    '"q"',
    "'q'",
    "back\\slash",
    "line\nbreak",
    "tab\t",
    "(x",
    "x)]}",
    "// no comment",
    "filter(value)",
    "",
    " ",
    "é😀",
    "\u2028",
    "outer",
    "value",
    "skip",
    "5s",
    "[1]",
    "{}",
    "#",
    "\u0001",
]
NAMES = [
    "b",
    "clicks",
    "my input",
    "a-b",
    "merge",
    "count",
    "true",
    "null",
    "in",
    "input",
    "5",
    "é",
    "it's",
    'q"q',
    "x.y",
    "A1",
]
EXPRESSIONS = [
    "'a|b' + 'c,d' == \"e)\"",
    "value == 'it\\'s // no comment'",
    "{'a': [1, 2, {'b': value}]}.a.size() > 1 || false",
    "[1, 2].exists(x, x > 1 && x < 3) || true",
    "r'\\d|\\w' == '''a'b'''",
    "value in [')', '(', '|']",
    "true",
    "5",
    "null",
    "'text'",
    "[1, 2]",
    "{}",
    "outer",
    "value",
    "-5",
    "1 - -1",
    "value[0]",
    "a ? b : c",
    "value.x",
    "(value)",
]


class Random:
    """A random file that has a short form, or None and the reason why it may have none."""

    def __init__(self, seed):
        self.rng = rng = random.Random(seed * 17 + 3)
        case = Case(seed)
        self.has_no_form = None
        self.names = set()
        if case.streams:
            case.streams = {}
        model = {**self.source(case), "operators": json.loads(json.dumps(case.operators).replace('"s"', '"b"'))}
        if case.partition and "input" in model.get("source", {}):
            model["partition"] = case.partition
        model["operators"] = self.spiced(model["operators"])
        self.model = {"inputs": {name: {} for name in self.inputs(model)}, **model}
        if not self.model["inputs"]:
            del self.model["inputs"]
        if rng.random() < 0.04:
            self.spoil()
        if rng.random() < 0.3:
            self.model = {name: self.model[name] for name in sorted(self.model, key=lambda _: rng.random())}

    def source(self, case):
        rng = self.rng
        value = lambda: self.data(
            random_value(rng, rng.choice(["int", "double", "string", "dyn"]), False)
        )  # noqa: E731
        timer = {"every": rng.choice([1, 0.5, 0.003, 90, 3600, 86400, 1e-06])}
        if rng.random() < 0.5:
            timer["count"] = 3
        file = {"path": rng.choice(["x.csv", "a b/ü.json"]), "format": rng.choice(["csv", "json", "ndjson"])}
        if rng.random() < 0.3:
            file["type"] = rng.choice([{"x": "double?", "e": {"enum": ["a", "b"]}}, "int", [{"k": "string"}]])
        if rng.random() < 0.3:
            file.update(rng.choice([{"delimiter": ";"}, {"quote": "'"}, {"decimal": ","}, {"items": "/a/b"}]))
        generate = {"initialValue": value(), "while": "value < 9", "next": "value + 1"}
        if rng.random() < 0.4:
            generate["output"] = self.expression("value")
        return rng.choice(
            [
                lambda: {"source": {"input": {"name": rng.choice(["input", "input", "a", *NAMES])}}},
                lambda: {"source": {"input": {"name": "input"}}},
                lambda: {"stream": [self.item(value()) for _ in range(rng.choice([0, 1, 2, 3]))]},
                lambda: {"source": {"just": {"value": value()}}},
                lambda: {"source": {"just": {"expression": self.expression("5")}}},
                lambda: {"source": {"sequence": {"values": [value() for _ in range(rng.choice([0, 1, 3]))]}}},
                lambda: {"source": {"sequence": {"expression": "[1, 2]"}}},
                lambda: {
                    "source": {
                        "range": {
                            "from": rng.choice([1, -5]),
                            "through": 3,
                            **({"by": 2} if rng.random() < 0.3 else {}),
                        }
                    }
                },
                lambda: {"source": {"timer": timer}},
                lambda: {"source": {"generate": generate}},
                lambda: {"source": {"repeatElement": {"value": value(), "count": 2}}},
                lambda: {
                    "source": {"record": {"events": [{"at": 0.5, "value": value()}, {"at": 1, "failure": value()}]}}
                },
                lambda: {
                    "source": {
                        "marbles": {"diagram": rng.choice(["a-b|", "-(ab)-#", "--'x'--"]), "values": {"a": value()}}
                    }
                },
                lambda: {"source": {"fail": {"error": value()}}},
                lambda: {"source": rng.choice([{"empty": {}}, {"never": {}}])},
                lambda: {"source": {"file": file}},
                lambda: {"source": {"call": {"function": "server.f", "argument": self.expression("1")}}},
                lambda: {
                    "source": {
                        "iif": {
                            "condition": self.expression("true"),
                            "then": rng.choice(["b", {"source": {"empty": {}}}]),
                        }
                    }
                },
            ]
        )()

    def item(self, value):
        operators = Case(self.rng.randrange(10**6)).operators[:1] if self.rng.random() < 0.3 else []
        operators = self.spiced(json.loads(json.dumps(operators).replace('"s"', '"b"')))
        return {"value": value, **({"operators": operators} if operators else {})}

    def expression(self, text):
        return self.rng.choice([text, *EXPRESSIONS]) if self.rng.random() < 0.5 else text

    def data(self, value):
        """The value with some odd strings."""
        rng = self.rng
        if isinstance(value, str):
            return rng.choice(WORDS) if rng.random() < 0.5 else value
        if isinstance(value, list):
            return [self.data(element) for element in value]
        if isinstance(value, dict):
            return {
                rng.choice(WORDS) if rng.random() < 0.1 else name: self.data(member) for name, member in value.items()
            }
        return (
            rng.choice([value, 2**63 - 1, -(2**63), 1e300, -0.0, 1.0, 5e-324, 0.1]) if rng.random() < 0.15 else value
        )

    def spiced(self, operators):
        """Operators with odd values, expressions, labels and names of streams."""
        rng = self.rng
        for operator in operators:
            ((name, fields),) = [
                (name, fields) for name, fields in operator.items() if name not in ("onError", "label", "id")
            ]
            if name == "print":
                operator.pop("label", None)  # which would be its field `label` in the short form
            elif rng.random() < 0.1:
                operator["label"] = rng.choice(WORDS)
            if rng.random() < 0.1:
                operator["id"] = rng.choice(["total", "a-b", "it's", "5", "true", "x y"])
            for field, value in list(fields.items()):
                fields[field] = self.field(name, field, value)
        return operators

    def field(self, name, field, value):
        rng = self.rng
        if field in ("expression", "key", "element", "by") and isinstance(value, str):
            return self.expression(value)
        if field in ("operators", "then") and isinstance(value, list):
            return self.spiced(value)
        if field == "with" and isinstance(value, list) and name not in ("replaceNil", "replaceError", "replaceEmpty"):
            return [self.stream(element) for element in value]
        if (
            field in ("stream", "until", "reset", "opening", "closing", "left", "right")
            or field == "with"
            and is_stream(value)
        ):
            return self.stream(value)
        if field in ("value", "values", "initialValue", "error", "with"):
            return self.data(value)
        if field == "seconds" and rng.random() < 0.3 and "align" not in json.dumps(value):
            return rng.choice([1, 60, 3600, 86400, 0.25, 1.5, 0.0015, 1e-09, 7200.5])
        return value

    def stream(self, value):
        if isinstance(value, str) or self.rng.random() < 0.1:
            return self.rng.choice(NAMES)
        return {name: self.spiced(member) if name == "operators" else member for name, member in value.items()}

    def inputs(self, node):
        """The names of all inputs in their order."""
        found = []

        def look(node, field=""):
            if isinstance(node, dict):
                for name, member in node.items():
                    if name == "input" and field == "source":
                        found.append(member["name"])
                    elif name == "stream" and isinstance(member, dict) and field == "source":
                        found.append(member["name"])
                    elif name in ("value", "values", "initialValue", "error", "events"):
                        continue
                    elif name in STREAMS and isinstance(member, str):
                        found.append(member)
                    elif name == "with" and isinstance(member, list) and field not in DATA:
                        found.extend(one for one in member if isinstance(one, str))
                        look(member, name)
                    else:
                        look(member, name)
            elif isinstance(node, list):
                for element in node:
                    look(element, field)

        look(node)
        return dict.fromkeys(found)

    def spoil(self):
        """Adds something without a short form."""
        rng = self.rng
        kind = rng.choice(
            [
                "name",
                "description",
                "tests",
                "x-a",
                "streams",
                "type",
                "initialValue",
                "comment",
                "seed",
                "parameters",
            ]
        )
        self.has_no_form = kind
        if kind in ("type", "initialValue"):
            names = list(self.model.get("inputs", {}))
            if not names:
                self.model["inputs"] = {"z": {}}
                names = ["z"]
            self.model["inputs"][names[0]] = {"type": "int"} if kind == "type" else {"initialValue": 1}
        elif kind == "comment":
            self.model["operators"].append({"map": {"expression": "value // a comment"}})
        else:
            self.model[kind] = {
                "name": "n",
                "description": "d",
                "tests": [{"name": "t", "expect": {"values": []}}],
                "x-a": 1,
                "streams": {"q": {"source": {"empty": {}}}},
                "seed": 1,
                "parameters": {"p": {"default": 1}},
            }[kind]


STREAMS = (
    "stream",
    "until",
    "reset",
    "opening",
    "closing",
    "left",
    "right",
    "then",
    "else",
    "resetOnFinish",
    "resetOnFailure",
    "resetWhenUnused",
)
DATA = ("replaceNil", "replaceError", "replaceEmpty")


def is_stream(value):
    return isinstance(value, dict) and ("source" in value or "stream" in value)


# Comparison

VALUES = ("value", "values", "initialValue", "error", "with", "failure")


def comparable(node, is_data=False):
    """The node with numbers that are equal where they are. 1 and 1.0 differ in values, not as seconds."""
    if isinstance(node, dict):
        return {
            name: comparable(member, is_data or name in VALUES and not has_stream(member))
            for name, member in node.items()
        }
    if isinstance(node, list):
        return [comparable(element, is_data) for element in node]
    return (type(node).__name__, repr(node)) if is_data or isinstance(node, bool) else node


def has_stream(node):
    return any(map(is_stream, node if isinstance(node, list) else [node]))


def without_defaults(model):
    """The file without what may be left out: the format, no operators, inputs without members."""
    model = {name: member for name, member in model.items() if name not in ("format", "$schema")}
    if not model.get("operators", True):
        del model["operators"]
    if "inputs" in model:
        model["inputs"] = {name: fields for name, fields in model["inputs"].items() if fields}
    return {name: member for name, member in model.items() if name != "inputs" or member}


def run(command, **more):
    return subprocess.run(command, capture_output=True, text=True, timeout=120, **more)


class Batch:
    """Some files, their one-liners, and the files of these."""

    def __init__(self, binary, seeds, folder):
        self.binary, self.folder = binary, os.path.join(folder, str(seeds[0]))
        os.makedirs(self.folder)
        self.files = {f"{seed}.json": Random(seed) for seed in seeds}
        self.problems, self.counts = [], {"same": 0, "no short form": 0, "refused": 0}

    def short(self, folder, names):
        """The one-liner, or what is wrong, of each file."""
        done = run([self.binary, "format", "--short", *names], cwd=folder)
        wrong = {}
        for line in done.stderr.splitlines():
            match = re.match(r"(\d+\.json):\d+:\d+: (error \w+: .*)", line)
            if match:
                wrong.setdefault(match[1], match[2])
        good = [name for name in names if name not in wrong]
        lines = done.stdout.split("\n")[:-1]
        if len(lines) != len(good):
            self.problems.append(f"{len(lines)} one-liners of {len(good)} files: {names[0]} …\n{done.stderr[:500]}")
            return {}, wrong
        return dict(zip(good, lines)), wrong

    def write(self, folder, name, text):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)

    def check(self):
        for name, file in self.files.items():
            self.write(self.folder, name, json.dumps(file.model, ensure_ascii=False))
        texts, wrong = self.short(self.folder, list(self.files))
        for name, message in wrong.items():
            self.judge_wrong(name, message)
        again = os.path.join(self.folder, "again")
        os.makedirs(again)
        printed = []
        for name, text in texts.items():
            if self.files[name].has_no_form:
                self.report(name, f"has a short form in spite of '{self.files[name].has_no_form}': {text}")
                continue
            # Both print the file; `--print-model` refuses one that cannot run.
            done = run([self.binary, "format", "-e", text])
            if done.returncode:
                self.report(name, f"the short form is refused: {text}\n{done.stderr[:600]}")
                continue
            got, wanted = (without_defaults(one) for one in (json.loads(done.stdout), self.files[name].model))
            if comparable(got) != comparable(wanted):
                self.report(name, f"{text}\n  wanted {json.dumps(wanted)}\n  got    {json.dumps(got)}")
                continue
            self.write(again, name, done.stdout)
            printed.append(name)
        if printed:
            second, wrong = self.short(again, printed)
            for name in printed:
                if second.get(name) != texts[name]:
                    self.report(name, f"another one-liner: {texts[name]}\n{second.get(name, wrong.get(name))}")
                else:
                    self.counts["same"] += 1
        return self

    def judge_wrong(self, name, message):
        if "has no short form" in message:
            self.counts["no short form"] += 1
            if not self.files[name].has_no_form:
                self.report(name, message)
        else:
            self.counts["refused"] += 1  # the file is not a stream file, for a reason that other tests check
            REASONS.setdefault(re.sub(r"['\"].*?['\"]|\d+", "…", message), name)

    def report(self, name, text):
        self.problems.append(f"{name}: {text}\n  {json.dumps(self.files[name].model, ensure_ascii=False)}")


REASONS = {}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--reasons", action="store_true", help="also print why files are refused")
    options = parser.parse_args()
    binary = os.path.abspath(options.binary)
    end = options.seed + options.files
    batches = [range(seed, min(seed + BATCH, end)) for seed in range(options.seed, end, BATCH)]
    counts, problems = {}, []
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(options.processes) as pool:
        for batch in pool.map(lambda seeds: Batch(binary, list(seeds), folder).check(), batches):
            problems += batch.problems
            for name, count in batch.counts.items():
                counts[name] = counts.get(name, 0) + count
    for problem in problems[:20]:
        print(problem)
    for reason, name in REASONS.items() if options.reasons else []:
        print(f"{name}: {reason}")
    print(
        f"{options.files} files: "
        + ", ".join(f"{count} {name}" for name, count in counts.items())
        + f"; {len(problems)} problems"
    )
    return 1 if problems or counts["same"] < options.files * 0.6 else 0


if __name__ == "__main__":
    sys.exit(main())
