"""Cases as stream files, and what the model says of them."""

import json
import random

from dressing import Model, dressed, options as dressing_options
from parameters import resolve
from sources import FINISHED
from stream import Options, run
from values import read_json, write_json

MILLISECOND = 10**6


class Unusable(Exception):
    """The door does not take this case."""


def text_of(value):
    return json.dumps(value, ensure_ascii=False)


def lines_of(values):
    if len(values) == 1 and isinstance(values[0], list) and all(isinstance(item, dict) for item in values[0]):
        raise Unusable("an array of objects that is the only line is read as its elements")
    return "".join(text_of(value) + "\n" for value in values)


def stream_file(case, source, typed=None, operators=None, **members):
    """The file of a case with a source, which is ("source", {...}) or ("stream", [...])."""
    model = {}
    reads = lambda streams: any(word in json.dumps(streams) for word in ('{"name": "a"}', '"stream": "a"'))  # noqa: E731
    uses_input = source == INPUT or reads(case.streams)
    outputs = {name: output for name, output in case.outputs.items() if source == INPUT or not reads(output)}
    if uses_input or case.partition:
        typed = case.typed if typed is None else typed
        model["inputs"] = {"a": {"type": case.type} if typed else {}}
        if case.clock:
            model["inputs"]["a"]["time"] = case.clock
    if case.streams:
        model["streams"] = case.streams
    model[source[0]] = source[1]
    if case.partition:
        model["partition"] = case.partition
    if case.seed_of_numbers is not None:
        model["seed"] = case.seed_of_numbers
    model = {**model, "operators": case.operators if operators is None else operators, **members}
    if outputs:
        main = {name: model.pop(name) for name in (source[0], "operators")}
        model.update(streams={**case.streams, "main": main}, outputs=outputs)
    if case.dress is not None:
        model = dressed(model, random.Random(case.dress))
    else:
        model = Model(model)
    if case.seed_of_numbers is not None and case.seed_of_numbers % 3 == 0:
        model.seed, model["seed"] = model["seed"], 99  # the option takes precedence
        if model.seed % 2:
            del model["seed"]
    case.made["model"] = model
    return model


INPUT = ("source", {"input": {"name": "a"}})


def expected(model, inputs, **options):
    """The model's events of a file in Python's json types."""
    return results(model, inputs, **options).events


def results(model, inputs, **options):
    """The model's events, and its counts."""
    given = {name: list(events) for name, events in inputs.items()}
    if isinstance(model, Model):
        options = {"models": {path: read_json(text_of(file)) for path, file in model.files.items()},
                   "parameters": read_json(text_of(model.given)), "seed": model.seed, **options}
    result = run(read_json(text_of(model)), given, Options(steps=5_000, **options))
    if result.endless:
        raise Unusable("endless")
    return result


def completed(case, check):
    """The check with what its file needs from outside: other files, the values of parameters, a seed."""
    model = case.made.get("model")
    if model is None:
        return check
    check.files.update({path: text_of(file) for path, file in model.files.items()})
    if "parameters" in check.files["s.json"] or "definitions" in check.files["s.json"]:
        files = {path: read_json(text_of(file)) for path, file in model.files.items()}
        check.plain = write_json(resolve(read_json(check.files["s.json"]), read_json(text_of(model.given)), files))
    if check.command[:1] == ["test"] and (case.seed % 2 or "studio" in check.door):  # the test has the values
        whole = json.loads(check.files["s.json"])
        for one in whole["tests"]:
            one["parameters"], model.given = model.given, {}
        check.files["s.json"] = text_of(whole)
    check.given, files = dressing_options(model, random.Random(case.seed))
    check.files.update(files)
    check.command += check.given
    return check


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


def by_data(case):
    """Whether a run of the case follows the times of its records."""
    return case.clock is not None or case.partition is not None and "time" in case.partition


def has_late_output(case):
    return "output" in ((case.clock or {}).get("late"), (case.partition or {}).get("late"))


def without_clock(case):
    """The case with an input that has no clock, for doors that give its records times of their own."""
    if case.partition and case.clock:
        raise Unusable("a partition by its times")
    return case_with(case, clock=None)


def case_with(case, **changes):
    other = object.__new__(type(case))
    other.__dict__ = {**case.__dict__, **changes}
    return other
