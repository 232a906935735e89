"""More doors for values: two inputs, several outputs, --limit, --skip-errors."""

import re

from casefiles import (INPUT, Unusable, as_values, by_data, case_with, expected, has_late_output, lines_of, paced,
    results, stream_file, text_of, without_clock)
from doors_tools import BAD, spoiled
from judging import Check, judge_lines, judge_times
from sources import FINISHED

JOINS = ["merge", "combineLatest", "zip", "withLatestFrom", "append", "prepend", "race", "sequenceEqual", "forkJoin",
         "dropUntil", "prefixUntil", "flatMap", "switchIfEmpty"]


def two_inputs(case, rng):
    """Two files, read in turns. The second input may have an initial value, and then need not be fed."""
    if case.partition:
        raise Unusable("partition")
    case = without_clock(case)
    name = rng.choice(JOINS)
    fields = {"stream": "b"} if name in ("dropUntil", "prefixUntil", "flatMap", "switchIfEmpty") else {"with": ["b"]}
    join = {name: fields}
    operators = [join] + case.operators[:1] if rng.random() < 0.5 else case.operators[:1] + [join]
    model = stream_file(case, INPUT, operators=operators)
    starts, fed = rng.random() < 0.5, rng.random() < 0.8
    others = [rng.choice(case.values) if case.values else at for at in range(rng.choice([0, 1, 2, 4]))]
    model["inputs"]["b"] = {"initialValue": 0} if starts else {}
    inputs, files, command = paced(case), {"in.ndjson": lines_of(case.values)}, ["--input", "a=in.ndjson"]
    if fed or not starts:
        inputs["b"] = [(None, value) for value in as_values(others)] or [(None, FINISHED)]
        files["b.ndjson"] = lines_of(others)
        command += ["--input", "b=b.ndjson"]
    options = {}
    if starts and rng.random() < 0.3:
        options["initial"] = {"b": 7}
        command += ["--set", "b=7"]
    events = expected(model, inputs, **options)
    files["s.json"] = text_of(model)
    return Check("two inputs", files, ["s.json", "--virtual"] + command, "", events, judge_lines)


def limit(case, rng):
    """--limit stops after so many values."""
    if has_late_output(case):
        raise Unusable("late values need a file")
    model, count = stream_file(case, INPUT), rng.choice([1, 2, 3])
    events = expected(model, paced(case), limit=count)
    command = ["s.json", "--limit", str(count)] + (["--virtual"] if case.timed and not case.partition and not by_data(case) else [])
    return Check("limit", {"s.json": text_of(model)}, command, lines_of(case.values), events, judge_lines)


def skip_errors(case, rng):
    """--skip-errors skips lines that are not JSON, records of another type, and values that make an operator fail."""
    if case.partition:
        raise Unusable("partition")
    case = case_with(case if case.clock and rng.random() < 0.7 else without_clock(case),
                     typed=case.typed or case.type != "dyn" and rng.random() < 0.5)
    if case.typed and case.values:
        values = list(case.values)
        for _ in range(rng.choice([0, 1, 2, 3])):
            values.insert(rng.randint(0, len(values)), spoiled(rng, case.type, rng.choice(case.values)))
        case = case_with(case, values=values, times=[0] * len(values))
    model = stream_file(case, INPUT)
    result = results(model, paced(case), skip_errors=True)
    lines = lines_of(case.values).splitlines(keepends=True)
    for _ in range(rng.choice([0, 1, 2])):
        lines.insert(rng.randint(0, len(lines)), rng.choice(["{\n", "nul\n", "[1,]\n", '"\n']))
    command, values = ["s.json", "--skip-errors"], judge_lines
    if case.timed or case.clock:
        command, values = command + ["--timestamps"] + ([] if case.clock else ["--virtual"]), judge_times
    if has_late_output(case):
        command += ["--late-output", "late.ndjson"]

    def judge(check, outcome):
        """The number of skipped lines depends on how far ahead they are read, that of values does not."""
        counts = re.search(r"skipped (\d+) lines?, (\d+) values?", outcome.errors)
        skipped = int(counts[2]) if counts else 0
        problem = values(check, outcome)
        if problem is None and (skipped != result.skipped if result.is_read else skipped > result.skipped):
            return f"  skipped {skipped} values, expected {result.skipped}\n"
        return problem
    return Check("skip errors", {"s.json": text_of(model)}, command, "".join(lines), result.events, judge)


def two_clocks(case, rng):
    """Two inputs with clocks of their own, merged in the order of their times: equal ones in the order of the names,
    whatever the order of the file's members and of the arguments is."""
    if case.partition or case.streams or not isinstance(case.type, dict) or "t" in case.type:
        raise Unusable("partition, streams, or no records")
    case = case_with(without_clock(case), typed=False)
    operators = [{rng.choice(["merge", "merge", "combineLatest", "zip", "withLatestFrom"]): {"with": ["b"]}}]
    if operators[0].get("merge"):
        operators += case.operators[:2]
    model = stream_file(case, INPUT, operators=operators)
    files, command, inputs = {}, ["s.json", "--timestamps"], {}
    model["inputs"], names, apart = {}, ["a", "b"], rng.choice([0, 5])
    rng.shuffle(names)
    for name in names:
        clock = {"expression": "value.t", "lateness": rng.choice([0, 0.01, 0.05, 1]), "late": rng.choice(["apply", "drop"])}
        unit = rng.choice(["ms", "us"])
        factor = 1 if unit == "ms" else 1000
        clock.update({"unit": unit} if unit != "ms" else {})
        times = [1_000_000 + 10 * (time + at) + apart * (name == "b") for at, time in enumerate(case.times)]
        records = [{**value, "t": time * factor} for time, value in zip(times, case.values)][:30]
        records.sort(key=lambda record: record["t"] + rng.choice([0, 0, 40, 300]) * factor)
        model["inputs"][name] = {"time": clock}
        inputs[name] = [(None, value) for value in as_values(records)] or [(None, FINISHED)]
        files[f"{name}.ndjson"] = lines_of(records)
        command += ["--input", f"{name}={name}.ndjson"]
    events = expected(model, inputs)
    files["s.json"] = text_of(model)
    return Check("two clocks", files, command, "", events, judge_times)


def wrong_parameters(case, rng):
    """A value of another type, one that is missing, or one that the file does not know: the run is refused."""
    model = stream_file(case_with(case, dress=case.seed, seed_of_numbers=None), INPUT)
    needed = [name for name, declared in model.get("parameters", {}).items() if "default" not in declared]
    typed = [name for name, declared in model.get("parameters", {}).items() if str(declared.get("type")) in BAD]
    given, kind = dict(model.given), rng.choice(["type", "missing", "unknown"])
    if kind == "type" and typed:
        name = rng.choice(typed)
        given[name] = rng.choice([one for one in BAD[model["parameters"][name]["type"]]])
        code = "S501"
    elif kind == "missing" and needed:
        del given[rng.choice(needed)]
        code = "S103"
    elif kind == "unknown":
        given["gibt"], code = 1, "S501"
    else:
        raise Unusable("no parameter")

    def judge(check, outcome):
        if outcome.code == 2 and f"error {code}" in outcome.errors and not outcome.output:
            return None
        return f"  exit code {outcome.code}, expected 2 with {code}\n"

    files = {"s.json": text_of(model), "wrong.json": text_of(given)}
    case.made.clear()
    for path, file in model.files.items():
        files[path] = text_of(file)
    command = ["s.json", "--parameters", "wrong.json"]
    return Check("wrong parameters", files, command, lines_of(case.values), [], judge)


MORE_DOORS = {
    "two-inputs": (two_inputs, 3), "limit": (limit, 1), "skip-errors": (skip_errors, 2),
    "two-clocks": (two_clocks, 2), "wrong": (wrong_parameters, 1),
}
