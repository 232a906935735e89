"""Cases with calls of host functions: some sources of a case become calls, whose results a script gives."""

import json
import random

from casefiles import INPUT, Unusable, as_values, case_with, expected, hot, stream_file, text_of
from generate_expressions import random_value
from judging import Check
from values import read_json

COLD = {"just", "sequence", "range", "repeatElement", "generate", "record", "timer", "fail", "empty"}
SHAPES = ["argument", "[argument, argument]", "{'x': argument}", "dyn(argument) == 1", "argument + 1"]
# No other time in a case is a sum of these, so that a result is never due together with a timer.
AFTER = [0.0007777, 0.0043211, 0.0123457, 0.0505051]


def script_of(case):
    """The results of calls as the model takes them."""
    return read_json(text_of(case.calls)).items() if case.calls else []


def with_calls(case, rng, after=AFTER):
    """The case with calls in place of some sources, and their results as `calls`."""
    calls = {}
    operators, streams = (replaced(node, rng, calls, after) for node in (case.operators, case.streams))
    if not calls:
        name = rng.choice(["switchMap", "flatMap", "exhaustMap", "merge", "append"])
        call = {"source": new_call({"just": {"expression": "outer" if name.endswith("Map") else "1"}}, rng, calls, after)}
        fields = {"stream": call} if name.endswith("Map") else {"with": [call]}
        at = rng.randint(0, len(operators))
        operators = operators[:at] + [{name: fields}] + operators[at:]
    return case_with(case, operators=operators, streams=streams, calls=calls, timed=True)


def replaced(node, rng, calls, after):
    if isinstance(node, list):
        return [replaced(element, rng, calls, after) for element in node]
    if not isinstance(node, dict):
        return node
    source = node.get("source")
    if isinstance(source, dict) and COLD & set(source) and rng.random() < 0.6:
        source = new_call(source, rng, calls, after)
        rest = {name: replaced(value, rng, calls, after) for name, value in node.items() if name != "source"}
        return {"source": source, **rest}
    return {name: replaced(value, rng, calls, after) for name, value in node.items()}


def new_call(source, rng, calls, after):
    """The source `call`, with a new function in the script."""
    function = f"server.f{len(calls)}"
    fields = {"function": function}
    argument = source.get("just", {}).get("expression")
    if argument is None and rng.random() < 0.5:
        argument = text_of(rng.choice([1, 2.0, "a", True, [1]]))
    if argument is not None:
        fields["argument"] = argument
    answers = []
    if rng.random() < 0.3:
        answers.append({"argument": random_value(rng, "dyn", False), **result(rng, after)})
    calls[function] = answers + [result(rng, after)]
    if len(calls[function]) == 1 and rng.random() < 0.5:
        calls[function] = calls[function][0]
    return {"call": fields}


def result(rng, after):
    delay = rng.choice(after)
    entry = {"after": delay} if delay else {}
    form = rng.random()
    if form < 0.2:
        return {**entry, "failure": rng.choice(["offline", {"message": "no", "n": 1}, 5])}
    if form < 0.6:
        return {**entry, "expression": rng.choice(SHAPES)}
    return {**entry, "value": random_value(rng, rng.choice(["int", "double", "string", "dyn"]), False)}


def calls_for_model(case):
    return {name: script if isinstance(script, list) else [script] for name, script in script_of(case)}


def test_calls(case, rng):
    """A test in a file, which gives the results of calls."""
    from doors_tools import expectation

    if case.partition or case.clock:
        raise Unusable("partition or clock")
    case = with_calls(case, random.Random(case.seed), AFTER + [0, 0, 0.01])
    model = stream_file(case, INPUT)
    wanted = expected(model, {"a": hot(case)}, calls=calls_for_model(case))
    check = expectation(case, model, hot(case), wanted, rng)
    model["tests"][0]["calls"] = case.calls
    check.files["s.json"] = json.dumps(model, ensure_ascii=False)
    check.door = "calls " + check.door
    return check
