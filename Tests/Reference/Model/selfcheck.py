"""Checks the model with what others wrote: every example of the pages, the tests in Streams, RxJS's vectors.

    python3 Tests/Reference/Model/selfcheck.py [--rxjs DIRECTORY] [--only WORD]
"""

import argparse
import pathlib
import re
import sys
import traceback

from casefiles import INPUT, Unusable, case_with, expected, paced, stream_file
from doors import DOORS
from generate import Case
from marbles import parse_marbles
from sources import FINISHED, event_of
from stream import Options, run
from values import Failure, Map, read_json, write_json

ROOT = pathlib.Path(__file__).resolve().parents[3]
PAGES = ROOT / "Sources/StreamKit/StreamKit.docc"


def model(text):
    return read_json(text)


def examples():
    """(title, JSON, {input: diagram}, output, values) of each example of the pages that is not refused."""
    for page in sorted(PAGES.glob("*.md")):
        if page.name not in ("Sources.md",) and not page.name.endswith("Operators.md"):
            continue
        for block in re.finditer(r"([^\n]*):\n\n```text\n(.*?)```", page.read_text(), re.DOTALL):
            lines = block[2].rstrip("\n").split("\n")
            if not lines[0].startswith("{") or any(line.startswith("error ") for line in lines):
                continue
            size = next(i for i, line in enumerate(lines) if re.match(r"(in|out|[a-d])\s{2,}\S", line))
            inputs, values, out = {}, {}, None
            for line in lines[size:]:
                if " = " in line and re.match(r"\S+ = ", line):
                    name, value = line.split(" = ", 1)
                    values[name] = read_json(value)
                else:
                    name, diagram = re.match(r"(\S+)\s+(.*)", line).groups()
                    if name == "out":
                        out = diagram
                    else:
                        inputs["a" if name == "in" else name] = diagram
            yield block[1], read_json("\n".join(lines[:size])), inputs, out, values


def run_example(json, inputs, values):
    (name, fields), = json.items()
    names = sorted(set(inputs) | {"a"})
    whole = Map([("inputs", Map([(name, Map()) for name in names + ["b", "c", "d"]]))])
    if name in SOURCES:
        whole.set("source", json)
    else:
        whole.set("source", read_json('{"input": {"name": "a"}}'))
        whole.set("operators", [json])
    fed = {name: [event for event in parse_marbles(diagram, values) if event[0] >= 0]
           for name, diagram in inputs.items()}
    calls = {"echo": [Map([("expression", "argument")])]}
    return run(whole, fed, Options(until=60 * 10**9, steps=50_000, calls=calls))


SOURCES = {"just", "range", "timer", "input", "stream", "record", "marbles", "empty", "never", "fail", "sequence",
           "generate", "repeatElement", "iif", "file", "call"}


def history(events):
    """Comparable text of events, failures without what they say."""
    return [(time, "value " + write_json(value) if name == "value" else name) for time, name, value in events]


def expected_history(events):
    return [(time, "finished" if what is FINISHED else "failure" if isinstance(what, Failure)
             else "value " + write_json(what)) for time, what in events]


class Report:
    def __init__(self, only):
        self.only, self.passed, self.failed, self.left = only, 0, 0, {}

    def check(self, title, expected, actual):
        if self.only and self.only not in title:
            return
        try:
            expected, actual = expected(), actual()
        except NotImplementedError as error:
            self.left[str(error)] = self.left.get(str(error), 0) + 1
            return
        except Exception:
            print(f"ERROR {title}\n  " + "  ".join(traceback.format_exc(limit=-2).split("\n")[-4:]))
            self.failed += 1
            return
        if expected == actual:
            self.passed += 1
        else:
            self.failed += 1
            print(f"FAILED {title}\n  expected {str(expected)[:1000]}\n       got {str(actual)[:1000]}")


def check_pages(report):
    for title, json, inputs, out, values in examples():
        (name, _), = json.items()
        if name == "file":
            continue
        report.check(f"page {name}: {title} {write_json(json)}",
                     lambda: expected_history(parse_marbles(out, values)),
                     lambda: history(run_example(json, inputs, values).events))


def events_of_test(fed, default_end=True):
    if "marbles" in fed:
        frame = round(fed.get("frame", 0.001) * 10**9)
        return [e for e in parse_marbles(fed["marbles"], fed.get("values"), frame) if e[0] >= 0]
    if "events" in fed:
        return [(round(event["at"] * 10**9), event_of(event)) for event in fed["events"]]
    return [(0, value) for value in fed["values"]] + [(0, FINISHED)]


def check_tests(report):
    for path in sorted(ROOT.glob("Streams/**/*.json")) + sorted(PAGES.glob("Format.md")):
        texts = [path.read_text()]
        if path.suffix == ".md":
            texts = re.findall(r"```json\n(.*?)```", texts[0], re.DOTALL)
        for text in texts:
            try:
                whole = read_json(text)
            except Failure:
                continue
            if not isinstance(whole, Map):
                continue
            if path.name in ("chat-name.json", "chat-button.json"):
                continue  # grapheme clusters, which Python's library does not have
            for test in whole.get("tests", []):
                check_test(report, path, whole, test)


def check_test(report, path, whole, test):
    inputs, replaced = {}, {}
    for name, fed in test.get("inputs", Map()).items():
        (replaced if name in whole.get("streams", Map()) else inputs)[name] = events_of_test(fed)
    until = round(test["for"] * 10**9) if "for" in test else None
    files, models = Files(path.parent), Models(path.parent)
    calls = {name: script if isinstance(script, list) else [script] for name, script in test.get("calls", Map()).items()}
    parameters = test.get("parameters", Map())

    def events_of_run():
        options = Options(
            replaced=replaced, until=until, files=files, models=models, calls=calls, parameters=parameters)
        return run(whole, inputs, options).events

    def events_of_output(output):
        """The values of one output, without its name, and the end of the file."""
        events = [(time, name, value) if name != "value" else (time, name, dict(value.items()))
                  for time, name, value in events_of_run()]
        return [(time, name, value[output] if name == "value" else value) for time, name, value in events
                if name != "value" or output in value]

    title = f"test {path.name}: {test.get('name')}"
    if "outputs" in test["expect"]:
        for output, expect in test["expect"]["outputs"].items():
            check_expectation(report, f"{title}, {output}", expect, lambda output=output: events_of_output(output))
    else:
        check_expectation(report, title, test["expect"], events_of_run)


def check_expectation(report, title, expect, events_of_run):
    in_order = "marbles" not in expect and "events" not in expect

    def actual():
        events = events_of_run()
        if in_order:
            return [write_json(value) for _, name, value in events if name == "value"]
        events = history(events)
        if "events" in expect and not any(w.startswith(("fin", "fail")) for _, w in wanted()):
            events = [event for event in events if event[1].startswith("value")]
        return events

    def wanted():
        if in_order:
            return [write_json(value) for value in expect["values"]]
        return expected_history(events_of_test(expect))
    report.check(title, wanted, actual)


def check_dressing(report):
    """Files with parameters, definitions and other files mean what the plain ones do."""
    for seed in range(400):
        case = Case(seed)
        if case.seed_of_numbers is not None:
            continue

        def events(dress, case=case):
            made = stream_file(case_with(case, dress=dress), INPUT)
            try:
                return history(expected(made, paced(case)))
            except (Unusable, Failure) as error:
                return [str(error)]

        report.check(f"dressed {seed}", lambda: events(None), lambda seed=seed: events(seed))


class Files(dict):
    def __init__(self, directory):
        super().__init__()
        self.directory = directory

    def __missing__(self, path):
        text = (self.directory / path).read_text()
        if path.endswith(".csv"):
            import csv
            head, *rows = csv.reader(text.splitlines())
            return [Map(zip(head, row)) for row in rows]
        if path.endswith(".json"):
            return read_json(text)
        return [read_json(line) for line in text.splitlines() if line.strip()]


class Models(Files):
    def __contains__(self, path):
        return isinstance(path, str) and (self.directory / path).exists()

    def __missing__(self, path):
        return read_json((self.directory / path).read_text())


def check_doors(report):
    """The table of commands and requests has all doors, and no others."""
    table = read_json((pathlib.Path(__file__).parent / "doors.json").read_text())
    named = {door for _, part in table.items() for _, doors in part.items() if isinstance(doors, list) for door in doors}
    report.check("the doors of doors.json", lambda: sorted(DOORS), lambda: sorted(named))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rxjs", type=pathlib.Path)
    parser.add_argument("--only")
    options = parser.parse_args()
    report = Report(options.only)
    check_pages(report)
    check_tests(report)
    check_dressing(report)
    check_doors(report)
    if options.rxjs:
        from selfcheck_rxjs import check_rxjs
        check_rxjs(report, options.rxjs)
    left = "".join(f"; {count} without {name}" for name, count in sorted(report.left.items()))
    print(f"{report.passed} passed, {report.failed} failed{left}")
    sys.exit(report.failed > 0)


if __name__ == "__main__":
    main()
