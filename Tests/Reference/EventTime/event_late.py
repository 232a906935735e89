"""Streams of late values: what a file does with the values that arrive too late, beside a plain computation, by every door."""

import json
import random
import signal
import subprocess
import time

from event_cases import SECOND, UNITS, lines_of, text_of_time
from event_doors import Folder, Problem
from event_expected import guarded


def delivered(records, lateness, unit):
    """[(time, is late, record)] in the order of delivery: a late value counts as happening when it arrives."""
    newest, held, result = None, [], []
    for number, record in enumerate(records):
        at = record["t"] * UNITS[unit]
        if newest is not None and at < newest - lateness:
            result.append((newest - lateness, True, record))
            continue
        newest = at if newest is None else max(newest, at)
        held.append((at, number, record))
        due = sorted(entry[:2] for entry in held if entry[0] <= newest - lateness)
        result += [(at, False, records[number]) for at, number in due]
        held = [entry for entry in held if entry[0] > newest - lateness]
    return result + [(at, False, records[number]) for at, number in sorted(entry[:2] for entry in held)]


def recording(rng, unit):
    """Many values, some of which are late; several of one time."""
    ticks, now, records = (1 if unit == "s" else 1000), 1_700_000_000, []
    for number in range(rng.choice([1, 3, 10, 60])):
        now += rng.choice([0, 0, 1, 1, 3])
        records.append({"t": (now - rng.choice([0, 0, 0, 1, 2, 4, 6, 20])) * ticks, "n": number})
    return records


def model(rng, clock):
    """A file whose late values are an output of their own, or are merged with the others, and what its lines are."""
    on_time = {"source": {"input": {"name": "a"}}, "operators": [
        {"map": {"expression": "[string(now()), value.n, false]"}}]}
    late = {"source": {"input": {"name": "a", "late": True}}, "operators": [
        {"map": {"expression": "[string(now()), value.n, true]"}}]}
    streams = {"onTime": on_time, "late": late}
    inputs = {"a": {"type": {"t": "int", "n": "int"}, "time": clock}}
    form = rng.choice(["outputs", "merge", "count"])
    if form == "merge":
        return {"inputs": inputs, "streams": streams, "source": {"stream": {"name": "onTime"}},
                "operators": [{"merge": {"with": ["late"]}}]}, form
    if form == "count":
        streams["late"]["operators"] = [{"count": {}}]
    return {"inputs": inputs, "streams": streams,
            "outputs": {"late": {"stream": "late"}, "onTime": {"stream": "onTime"}}}, form


def printed(form, ordered):
    """The lines of the stream."""
    shown = [[text_of_time(at), record["n"], is_late] for at, is_late, record in ordered]
    if form == "merge":
        return shown
    if form == "count":
        return [{"onTime": one} for one in shown if not one[2]] + [{"late": sum(one[2] for one in shown)}]
    return [{"late" if one[2] else "onTime": one} for one in shown]


def lines(text):
    return [json.loads(line) for line in text.splitlines()]


def check_streams(binary, rng):
    unit = rng.choice(["s", "ms"])
    lateness = rng.choice([0, 2, 5]) * SECOND
    records = recording(rng, unit)
    clock = {"expression": "value.t", "unit": unit, "lateness": lateness // SECOND, "late": "output"}
    file, form = model(rng, clock)
    ordered = delivered(records, lateness, unit)
    wanted = printed(form, ordered)
    count = sum(is_late for _, is_late, _ in ordered)
    with Folder(binary) as folder:
        folder.write("s.json", file)
        folder.write("a.ndjson", lines_of(records))

        def require(door, got, expected, errors=""):
            if got != expected:
                raise Problem(f"== late values, door {door}\n{json.dumps(file)}\n-- {records}\n-- expected\n{expected}\n"
                              f"-- printed\n{got}\n{errors}")

        code, output, errors = folder.run("s.json", stdin=lines_of(records))
        require("standard input", (code, lines(output)), (0, wanted), errors)
        if (f"{count} value{'' if count == 1 else 's'} arrived" in errors) != (count > 0):
            raise Problem(f"{count} values are late, and it says: {errors}")
        words = ["s.json", "--input", "a=a.ndjson"]
        code, output, errors = folder.run(*words, "--record", "r.ndjson", "--late-output", "late.ndjson")
        require("file", (code, lines(output)), (0, wanted), errors)
        late = [record for _, is_late, record in ordered if is_late]
        require("--late-output", lines(folder.read("late.ndjson")), late)
        code, output, errors = folder.run("replay", "r.ndjson")
        require("replay", (code, lines(output)), (0, wanted), errors)
        tested(folder, file, form, records, wanted, require)
        code, output, errors = folder.run("diff", "--behavior", "s.json", "s.json", "--input", "a=a.ndjson")
        require("diff", (code, output), (0, "1 run, 0 different\n"), errors)
        resumed(folder, rng, words, form, wanted, require)
        if form == "outputs":
            words += ["--output", "late=l.csv", "--output", "onTime=o.ndjson"]
            code, output, errors = folder.run(*words)
            require("outputs", (code, output), (0, ""), errors)
            require("output onTime", lines(folder.read("o.ndjson")), [one["onTime"] for one in wanted if "onTime" in one])
            if count:
                require("output late", len(folder.read("l.csv").splitlines()), 1 + count)
    return f"late streams, {form}"


def tested(folder, file, form, records, wanted, require):
    """A test feeds the values as they arrive."""
    if form == "merge":
        expect = {"values": wanted}
    else:
        expect = {"outputs": {name: {"values": [one[name] for one in wanted if name in one]} for name in ("late", "onTime")}}
    test = {"name": "t", "inputs": {"a": {"values": records}}, "expect": expect}
    folder.write("t.json", {**file, "tests": [test]})
    code, output, errors = folder.run("test", "t.json")
    require("test", (code, output), (0, "1 passed, 0 failed\n"), errors)
    pictures = [folder.run("show", "t.json", *words, "--format", "svg", "--limit", "1000")
                for words in ([], ["--input", "a=a.ndjson"])]
    require("show", pictures[0][0], 0, pictures[0][2])
    require("show --input", pictures[1][1].split("</title>")[-1], pictures[0][1].split("</title>")[-1])
    code, output, errors = folder.run("replay", "r.ndjson", "--as-test", "recorded")
    require("--as-test", code, 0, errors)
    code, output, errors = folder.run("test", "s.json")
    require("the recorded test", (code, output), (0, "1 passed, 0 failed\n"), errors)
    folder.write("s.json", file)


def resumed(folder, rng, words, form, wanted, require):
    """A run that is killed again and again goes on from its state."""
    names = ["out.ndjson"] if form == "merge" else ["onTime=out.ndjson", "late=out-late.ndjson"]
    words = ["run", *words, "--state", "state", "--every", "1"]
    words += [word for name in names for word in ("--output", name)]
    for _ in range(rng.choice([1, 3])):
        process = subprocess.Popen([folder.binary, *words], cwd=folder.path, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(rng.choice([0.005, 0.02, 0.05]))
        process.send_signal(signal.SIGKILL)
        process.communicate()
    code, output, errors = folder.run(*words)
    got = [one for name in names for one in lines(folder.read(name.split("=")[-1]))]
    expected = wanted
    if form != "merge":
        expected = [one[name] for name in ("onTime", "late") for one in wanted if name in one]
    require("resumed", (code, got), (0, expected), errors)


def check_late_streams(job):
    binary, seed = job
    return guarded(lambda: check_streams(binary, random.Random(seed)), f"late streams, seed {seed}")
