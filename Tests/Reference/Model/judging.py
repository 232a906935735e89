"""What a command must print: judged by values, their types and order, by times where they are printed, by the exit
code, and by the code of the failure.
"""

import csv
import io
import re
from dataclasses import dataclass, field

from marbles import UNITS, parse_marbles
from sources import FINISHED
from values import Failure, Map, kind, printed, read_json, same, write_json

csv.field_size_limit(10**9)  # a field is as long as a value may be


@dataclass
class Check:
    """One command and what it must do. `command` follows the binary."""

    door: str
    files: dict
    command: list
    stdin: str = ""
    events: list = field(default_factory=list)  # as the model gives them
    judge: object = None  # (check, Outcome) -> None, or a text that says what is wrong
    perform: object = None  # (check, binary, folder) -> Outcome, for what is more than one command
    refused: tuple = ()  # the line of the value that is refused, and the place in it
    plain: str = ""  # the file without parameters and definitions
    early: int = 0  # the lines that a command prints before its file changes
    given: list = field(default_factory=list)  # the options of the command that are values from outside


@dataclass
class Outcome:
    code: int
    output: str
    errors: str
    late: str = ""  # the file of late values


def judge_late(judge, lines, count):
    """The judge, and the late records in their file: the lines as they were read; their number is reported."""

    def judged(check, outcome):
        problem = judge(check, outcome)
        if problem or outcome.code:
            return problem
        if lines is not None and outcome.late != "".join(lines):
            return f"  the late values are {outcome.late!r}, expected {''.join(lines)!r}\n"
        said = re.search(r"warning S305: (\d+) values? arrived", outcome.errors)
        found = int(said[1]) if said else 0
        return None if found == count else f"  {found} values are late, expected {count}\n"

    return judged


def published(events):
    return [(time, event) for time, what, event in events if what == "value"]


def by_output(events):
    """The events of a file with several outputs, the values in the order of the names of their outputs."""
    return sorted(events, key=lambda event: (event[1] != "value", event[1] == "value" and event[2].keys()[0]))


def of_output(events, name):
    """The events of one output of a file with several."""
    return [(at, what, event[name] if what == "value" else event) for at, what, event in events
            if what != "value" or event.keys() == [name]]


def failure_of(events):
    return events[-1][2] if events and events[-1][1] == "failure" else None


def without_texts(value):
    """The value without the texts of messages, which are the program's own: members `message` beside a `code`."""
    if isinstance(value, list):
        return [without_texts(element) for element in value]
    if isinstance(value, Map):
        return Map(
            (name, without_texts(entry)) for name, entry in value.items() if name != "message" or "code" not in value
        )
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
    good = (
        rows[:1] == [columns]
        and len(rows) == len(cells) + 1
        and all(
            len(row) == len(cell)
            and all(got == "" if want is None else same_text(want, got) for want, got in zip(cell, row))
            for row, cell in zip(rows[1:], cells)
        )
    )
    return judge_end(check, outcome) if good else f"  expected\n{show_values(wanted)}  got\n{outcome.output}"


def has_columns(events):
    values = [printed(value) for _, value in published(events)]
    if values and all(isinstance(value, Map) and len(value) for value in values):
        return all(value.keys() == values[0].keys() for value in values)
    return bool(values) and all(kind(value) in ("int", "double", "string", "bool") for value in values)


def judge_marbles(check, outcome):
    """The diagram that a run prints, with the length of its frame and the values of its symbols below it."""
    lines = [line.split(" = ", 1) for line in outcome.output.splitlines()]
    legend = {line[0]: line[1] for line in lines[1:] if len(line) == 2}
    amount, unit = re.fullmatch(r"([\d.]+)(ns|us|µs|ms|s|m)", legend.pop("-", "1ms")).groups()
    frame = round(float(amount) * {"ns": 1, "us": 10**3, "µs": 10**3, **UNITS}[unit])
    values = {name: read_json(text) for name, text in legend.items() if name != "#"}
    events = parse_marbles(outcome.output.split("\n", 1)[0], values, frame)
    got = [Map([("at", when / 10**9), ("value", event)]) for when, event in events if is_value(event)]
    ends = [when for when, event in events if not is_value(event)]
    wanted_ends = [when for when, what, _ in check.events if what != "value"]
    if ends != wanted_ends:
        return f"  the end is at {ends}, expected at {wanted_ends}\n"
    return compare_values(at_times(check.events), got) or judge_end(check, outcome)


def is_value(event):
    return event is not FINISHED and not isinstance(event, Failure)
