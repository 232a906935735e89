#!/usr/bin/env python3
"""Event time from outside: the built command with records out of order, beside the same records in order.

    event_time.py BINARY [--pipelines 1000] [--seed S] [--processes 2] [--parts laws,model,expected,late,streams,shards,live]

* laws: random pipelines; shuffled records give the output of sorted ones, byte for byte, by every door;
* model: random pipelines of the reference model (`Model/generate.py`) in the same way;
* expected: windows, sessions and late values beside plain computations in Python;
* streams: late values as streams of the file, by every door;
* shards: partitions through two shards on a redis-server of its own;
* live: inputs that fall silent, with the clock of the machine.

Prints the number of comparisons by door, and each disagreement with its files; exits with 1 if there is one.
"""

import argparse
import collections
import json
import multiprocessing
import os
import random
import subprocess
import sys
import time
import traceback

sys.path[:0] = [os.path.join(os.path.dirname(os.path.abspath(__file__)), name) for name in ("EventTime", "Model")]

from event_cases import EventCase, lines_of  # noqa: E402
from event_doors import CHECKS, RUNS, Doors, Folder, Problem, through_shards  # noqa: E402
from event_expected import check_expected, check_late  # noqa: E402
from event_late import check_late_streams  # noqa: E402
from event_live import check_live  # noqa: E402
from event_model import ModelCase  # noqa: E402


# A stream that publishes without end before the next record ends by the bound on memory or on steps, whichever a door has.
ENDLESS = ("S409", "S417")


def described(case, door, problem):
    lines = [f"== seed {case.seed}, door {door}", "-- s.json", json.dumps(case.model())]
    for name, records in case.shuffled.items():
        lines += [f"-- {name}-shuffled.ndjson", lines_of(records)[:1500]]
    return "\n".join(lines + [problem[:4000]])


def compare(doors, door, wanted):
    """Whether a door was used; raises a problem if it prints something else."""
    if door in CHECKS:
        getattr(doors, door)(wanted)
        return True
    got = getattr(doors, door)()
    if got is None:
        return False
    expected = wanted[1]
    if door == "resumed":
        expected = "".join(json.dumps(json.loads(line)["value"]) + "\n" for line in wanted[1].splitlines())
        got = (got[0], "".join(json.dumps(json.loads(line)) + "\n" for line in got[1].splitlines()), got[2])
    if (got[0], got[1]) != (wanted[0], expected):
        raise Problem(
            f"exit code {got[0]}, expected {wanted[0]}\n-- expected\n{expected[:1500]}-- printed\n{got[1][:1500]}{got[2][:500]}")
    if "arrived" in got[2]:
        raise Problem(f"nothing is late, but it says: {got[2]}")
    return True


def one(job):
    """[(door, problem or None)] of one pipeline; the door 'refused' if the file is none, 'endless' if it never ends."""
    kind, seed, binary, count = job
    results = []
    try:
        case = ModelCase(seed) if kind == "model" else EventCase(seed)
        with Folder(binary) as folder:
            doors = Doors(case, folder)
            try:
                wanted = doors.sorted()
            except subprocess.TimeoutExpired as late:
                if len(late.output or b"") < 1_000_000:
                    raise
                return [("endless", None)]
            if wanted[0] == 2:
                return [("refused", None if "error S1" in wanted[2] or "error S2" in wanted[2] or kind == "model" else
                         described(case, "sorted", wanted[2]))]
            if any(f"error {code}:" in wanted[2] for code in ENDLESS):
                return [("endless", None)]
            names = ["from_files"] + random.Random(seed).sample(RUNS + CHECKS, count)
            for door in dict.fromkeys(names):
                try:
                    if compare(doors, door, wanted):
                        results.append((door, None))
                except Problem as problem:
                    results.append((door, described(case, door, str(problem))))
    except subprocess.TimeoutExpired as late:
        results.append(("no end", f"== {kind} {seed}: {late}"))
    except Exception:  # noqa: BLE001
        results.append(("crashed", f"== {kind} {seed}\n{traceback.format_exc(limit=-4)}"))
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("--pipelines", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--doors", type=int, default=4, help="the number of doors for each pipeline")
    parser.add_argument("--parts", default="laws,model,expected,late,streams,shards,live")
    parser.add_argument("--stop", type=int, default=20, help="stop after so many disagreements")
    options = parser.parse_args()
    binary, parts, begun = os.path.abspath(options.binary), options.parts.split(","), time.monotonic()
    counts, problems = collections.Counter(), []

    def note(door, problem):
        counts[door] += 1
        if problem:
            problems.append(problem)
            print(problem, flush=True)

    kinds = [kind for kind in ("laws", "model") if kind in parts]
    numbers = range(options.seed, options.seed + options.pipelines)
    jobs = [(kinds[seed % len(kinds)], seed, binary, options.doors) for seed in numbers] if kinds else []
    with multiprocessing.Pool(options.processes) as pool:
        live = pool.apply_async(check_live, (binary,)) if "live" in parts else None
        for results in pool.imap_unordered(one, jobs):
            for door, problem in results:
                note(door, problem)
            if len(problems) >= options.stop:
                pool.terminate()
                break
        named = (("expected", check_expected), ("late", check_late), ("streams", check_late_streams))
        checks = [check for name, check in named if name in parts]
        for check in checks if len(problems) < options.stop else []:
            size = max(10, options.pipelines // 5)
            work = [(binary, seed) for seed in range(options.seed, options.seed + size)]
            for results in pool.imap_unordered(check, work):
                for door, problem in results:
                    note(door, problem)
        if live and len(problems) < options.stop:
            for door, problem in live.get(120):
                note(door, problem)
    if "shards" in parts and len(problems) < options.stop:
        cases = (EventCase(seed) for seed in range(options.seed, options.seed + options.pipelines))
        some = [case for case in cases if case.partition][: max(2, options.pipelines // 50)]
        counts["shards"] = through_shards(some, binary, lambda case, door, text: note("-", described(case, door, text)))
    for door, count in sorted(counts.items()):
        print(f"{door:<22} {count:>6}")
    print(f"{sum(counts.values())} comparisons in {time.monotonic() - begun:.0f} s, {len(problems)} disagreements")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
