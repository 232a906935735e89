#!/usr/bin/env python3
"""Compares the built command with the model, by every door, on random stream files.

    reference.py BINARY --files N --seed S [--doors a,b] [--keep FOLDER]

Prints how many files went through each door, and each disagreement with a minimal file; exits with 1 if there is one.
"""

import argparse
import collections
import json
import multiprocessing
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback

from casefiles import Unusable, case_with, completed
from commands import run
from doors import DOORS
from doors_studio import Studio
from judging import Outcome
from generate import Case
from known import known
from values import Failure, write_json

MODEL_SECONDS = 3


def perform(check, binary):
    """Runs the command of a check in a folder of its own."""
    with tempfile.TemporaryDirectory(prefix="reference-") as folder:
        for name, text in check.files.items():
            with open(os.path.join(folder, name), "w", encoding="utf-8", newline="") as file:
                file.write(text)
        if check.perform:
            try:
                return check.perform(check, binary, folder)
            except OSError as error:
                return Outcome(-1, "", f"the process has closed its input or output: {error}")
        outcome = run(binary, check.command, folder, check.stdin)
        if os.path.exists(os.path.join(folder, "late.ndjson")):
            with open(os.path.join(folder, "late.ndjson"), encoding="utf-8", newline="") as file:
                outcome.late = file.read()
        return outcome


class TooSlow(Exception):
    """The model has taken too long, for a value that doubles or an endless stream."""


def give_up(*_):
    raise TooSlow


def examine(case, door, binary):
    """(status, check, outcome, problem) of a case by a door."""
    signal.signal(signal.SIGALRM, give_up)
    signal.alarm(MODEL_SECONDS)
    try:
        try:
            return examined(case, door, binary)
        finally:
            signal.alarm(0)  # where the alarm may also interrupt
    except TooSlow:
        return "not modeled: too slow", None, None, None
    except (RecursionError, MemoryError):
        return "not modeled: too deep", None, None, None


def examined(case, door, binary):
    try:
        case = case_with(case, made={})
        check = completed(case, DOORS[door][0](case, random.Random(case.seed)))
    except Unusable:
        return "unusable", None, None, None
    except NotImplementedError as error:
        return f"not modeled: {error}", None, None, None
    except (TooSlow, RecursionError, MemoryError):
        raise
    except Failure as failure:  # a record that does not fit is refused by the host, not by the stream
        return f"not modeled: {failure.code} of the host", None, None, None
    except Exception:  # noqa: BLE001 (a mistake of the model is shown with its file)
        return "model crashed", None, None, traceback.format_exc(limit=-4)
    signal.alarm(0)
    outcome = perform(check, binary)
    signal.alarm(MODEL_SECONDS)
    is_refused = outcome.code == 2 and any(f"error S{family}" in outcome.errors for family in "12")
    if is_refused and (door != "wrong" or check.judge(check, outcome)):
        return "refused", check, outcome, None
    problem = check.judge(check, outcome)
    return ("agrees" if problem is None else "differs"), check, outcome, problem


def shrink(case, door, binary, status, problem, deadline):
    """A smaller case that has the same kind of disagreement."""

    def still(smaller):
        if time.monotonic() > deadline:
            return False
        found, _, _, other = examine(smaller, door, binary)
        return found == status and (status == "differs" or other.splitlines()[-1] == problem.splitlines()[-1])

    progress = True
    while progress and time.monotonic() < deadline:
        progress = False
        for smaller in smaller_cases(case):
            if still(smaller):
                case, progress = smaller, True
                break
    return case


def smaller_cases(case):
    length = len(case.values)
    for size in [size for size in (length // 2, 1) if 0 < size < length]:
        for begin in range(0, length, size):
            keep = [at for at in range(length) if not begin <= at < begin + size]
            yield case_with(case, values=[case.values[at] for at in keep], times=[case.times[at] for at in keep])
    for operators in smaller_nodes(case.operators):
        yield case_with(case, operators=operators)
    for streams in smaller_nodes(case.streams):
        yield case_with(case, streams=streams)
    if case.partition and "then" in case.partition:
        yield case_with(case, partition={name: value for name, value in case.partition.items() if name != "then"})
    for name in case.outputs:
        yield case_with(case, outputs={other: output for other, output in case.outputs.items() if other != name})
    if case.typed:
        yield case_with(case, typed=False)
    if case.dress is not None:
        yield case_with(case, dress=None)
        for dress in range(20):
            yield case_with(case, dress=dress)
    if case.clock:
        yield case_with(case, clock=None)
        for name in case.clock:
            if name != "expression":
                yield case_with(case, clock={other: entry for other, entry in case.clock.items() if other != name})


def smaller_nodes(node):
    """The node with one thing left out, or replaced by something simpler, at any depth."""
    if isinstance(node, list):
        for at in range(len(node)):
            yield node[:at] + node[at + 1 :]
            for smaller in smaller_nodes(node[at]):
                yield node[:at] + [smaller] + node[at + 1 :]
    elif isinstance(node, dict):
        for name, value in node.items():
            yield {other: entry for other, entry in node.items() if other != name}
            if name == "expression" and isinstance(value, str) and len(value) > 8:
                for simple in ("value", "{'x': value}", "[value]", "true", "outer", "acc", "1", "1.0", "'a'"):
                    yield {**node, name: simple}
            for smaller in smaller_nodes(value):
                yield {**node, name: smaller}


def describe(seed, door, check, outcome, problem):
    lines = [f"== seed {seed}, door {check.door if check else door}"]
    if check is not None:
        for name, text in check.files.items():
            lines.append(f"-- {name}\n{text[:3000]}")
        if check.stdin:
            lines.append(f"-- standard input\n{check.stdin[:1500]}")
        lines.append(
            "-- command\nstreamrun " + " ".join(f"'{word}'" if " " in word else word for word in check.command)
        )
    lines.append(problem)
    if outcome is not None and outcome.errors:
        lines.append("-- standard error\n" + outcome.errors[:800])
    return "\n".join(lines)


def signature(status, check, problem):
    """What groups disagreements: the names in the minimal file."""
    if check is None:
        return problem.strip().splitlines()[-1]
    model = json.loads(check.files["s.json"])
    names = sorted(set(operator_names(model)))
    return f"{check.door.split()[0]}: {' '.join(names)}"


def operator_names(node):
    if isinstance(node, dict):
        for name, value in node.items():
            if name == "operators":
                yield from (next(iter(operator)) for operator in value if operator)
            yield from operator_names(value)
    elif isinstance(node, list):
        for element in node:
            yield from operator_names(element)


def one(job):
    seed, doors, binary, minimal = job
    try:
        case = Case(seed)
    except Exception:  # noqa: BLE001
        return [(seed, "?", "generator crashed", "?", traceback.format_exc(limit=-3), None)]
    begun = time.monotonic()
    rng = random.Random(seed * 7 + 1)
    names, weights = [], []
    for name in doors:
        names.append(name)
        weights.append(DOORS[name][1])
    for _ in range(4):
        door = rng.choices(names, weights)[0]
        status, check, outcome, problem = examine(case, door, binary)
        if status != "unusable":
            break
    if os.environ.get("SLOW") and time.monotonic() - begun > 3:
        print("SLOW", seed, door, status, time.monotonic() - begun, flush=True)
    finding = known(check, problem, outcome) if status == "differs" else None
    if finding:
        return [(seed, door, status, f"known as {finding}", "", None)]
    if status not in ("differs", "model crashed"):
        return [(seed, door, status, None, None, None)]
    if minimal:
        case = shrink(case, door, binary, status, problem, time.monotonic() + minimal)
        again, check2, outcome2, problem2 = examine(case, door, binary)
        if again == status:
            check, outcome, problem = check2, outcome2, problem2
            finding = known(check, problem, outcome) if status == "differs" else None
            if finding:
                return [(seed, door, status, f"known as {finding}", "", None)]
    return [
        (
            seed, door, status, signature(status, check, problem), describe(seed, door, check, outcome, problem),
            check and check.files,
        )
    ]


def limit_memory():
    """Values can double; a case of 2 GB is not worth more. A sanitizer reserves far more than it uses."""
    if "ASAN_OPTIONS" in os.environ:
        return
    resource.setrlimit(resource.RLIMIT_DATA, (2 * 10**9, resource.RLIM_INFINITY))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("--files", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1, help="the seed of the first file; the others follow")
    parser.add_argument("--doors", default=",".join(DOORS))
    parser.add_argument("--studio", help="the command streamstudio; by default the one beside BINARY")
    parser.add_argument("--keep", help="a folder for the files of each disagreement")
    parser.add_argument("--seconds", type=float, default=0, help="stop after so many seconds")
    parser.add_argument("--stop", type=int, default=25, help="stop after so many disagreements")
    parser.add_argument("--minimal", type=float, default=15, help="seconds to spend on a smaller file")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--all", action="store_true", help="also show disagreements that are known")
    options = parser.parse_args()
    binary = os.path.abspath(options.binary)
    if not shutil.which(binary):
        parser.error(f"there is no program {binary}")
    Studio.command = os.path.abspath(options.studio or os.path.join(os.path.dirname(binary), "streamstudio"))
    if "page-" in options.doors and not shutil.which(Studio.command):
        parser.error(f"there is no program {Studio.command}")
    begun = time.monotonic()
    known.enabled = not options.all
    jobs = (
        (seed, options.doors.split(","), binary, options.minimal)
        for seed in range(options.seed, options.seed + options.files)
    )
    counts, expected, found = collections.Counter(), collections.Counter(), []
    with multiprocessing.Pool(options.processes, initializer=limit_memory) as pool:
        for results in pool.imap_unordered(one, jobs, chunksize=1):
            for seed, door, status, group, report, files in results:
                counts[door, status] += 1
                if group and not report:
                    expected[group] += 1
                elif report:
                    print(report, flush=True)
                    keep(options.keep, seed, report, files)
                    found.append((group, report))
            if len(found) >= options.stop or options.seconds and time.monotonic() - begun > options.seconds:
                pool.terminate()
                break
    summarize(counts, expected, found, time.monotonic() - begun)
    sys.exit(1 if found else 0)


def keep(folder, seed, report, files):
    if not folder:
        return
    place = os.path.join(folder, str(seed))
    os.makedirs(place, exist_ok=True)
    for name, text in {**(files or {}), "report.txt": report}.items():
        with open(os.path.join(place, name), "w", encoding="utf-8", newline="") as file:
            file.write(text)


def summarize(counts, expected, found, seconds):
    print(f"{'door':<12} {'agrees':>7} {'differs':>8} {'refused':>8} {'others':>7}")
    for door in sorted({door for door, _ in counts}):
        of = lambda status: counts[door, status]
        others = sum(
            count
            for (name, status), count in counts.items()
            if name == door and status not in ("agrees", "differs", "refused")
        )
        print(f"{door:<12} {of('agrees'):>7} {of('differs'):>8} {of('refused'):>8} {others:>7}")
    for status in sorted({status for _, status in counts} - {"agrees", "differs", "refused"}):
        print(f"{sum(count for (_, name), count in counts.items() if name == status):>7} {status}")
    for group, count in sorted(expected.items()):
        print(f"{count:>7} {group}")
    for group, count in collections.Counter(group for group, _ in found).most_common():
        print(f"{count:>7} × {group}")
    print(f"{sum(counts.values())} files in {seconds:.0f} s, {len(found)} disagreements")


if __name__ == "__main__":
    main()
