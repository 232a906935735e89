#!/usr/bin/env python3
"""Shows that the reference finds mistakes which an old binary has: finds.py BINARY [FINDING…]

Prints, for each finding, the seconds until a random file shows it, and a minimal file; fails if one takes more than a
minute.
"""

import os
import random
import re
import sys
import time

from casefiles import case_with
from doors import DOORS
from generate import Case
from reference import describe, examine, shrink
from values import Failure, Map, equal, is_number, read_json

VALUES = ["stdin", "ndjson", "json", "csv", "items", "sequence", "record", "marbles"]


def differ_in_type(problem):
    """Whether what is expected and what was got is equal as doubles, so that only types differ."""
    parts = problem.split("  got\n")
    try:
        wanted, got = ([read_json(line) for line in part.splitlines() if line.startswith("    ")] for part in parts)
    except (Failure, ValueError):
        return False
    return len(wanted) == len(got) and all(equal(as_doubles(a), as_doubles(b)) for a, b in zip(wanted, got))


def as_doubles(value):
    if isinstance(value, list):
        return [as_doubles(element) for element in value]
    if isinstance(value, Map):
        return Map((key, as_doubles(entry)) for key, entry in value.items())
    return float(value) if is_number(value) else value


def has_keys(check):
    return re.search(r'"(groupBy|partition)"', check.files["s.json"]) is not None


def uses_key(check):
    return has_keys(check) and re.search(r'"expression": "[^"]*\bkey\b', check.files["s.json"])


def loses_values(check, outcome, problem):
    text = check.files["s.json"]
    whole = re.search(r"\{'\w+': (value|outer|values|p0)\b", text)
    return whole and (outcome.code < 0 or "S409" in outcome.errors or "null" in problem.split("  got\n")[-1])


# The finding, what it was, the doors that may show it, the cases that may, and the disagreements that it explains.
FINDINGS = {
    "N1": (
        "a map literal that holds a whole value loses it",
        VALUES,
        lambda case: "{'" in str(case.operators),
        lambda check, outcome, problem: loses_values(check, outcome, problem),
    ),
    "N2": (
        "ints become doubles because of a value elsewhere",
        VALUES,
        lambda case: "groupBy" not in str(case.operators),
        lambda check, outcome, problem: differ_in_type(problem) and not has_keys(check),
    ),
    "N3": (
        "a key that is a whole double becomes an int",
        VALUES,
        lambda case: "groupBy" in str(case.operators) or case.partition,
        lambda check, outcome, problem: differ_in_type(problem) and uses_key(check),
    ),
    "B1": (
        "test and show ignore the lateness of a partition",
        ["test", "show"],
        lambda case: case.partition and "lateness" in case.partition,
        lambda check, outcome, problem: check.door in ("test passes", "show") and not differ_in_type(problem),
    ),
    "F4": (
        "a test feeds values that the declared type refuses",
        ["refused"],
        lambda case: case.type != "dyn",
        lambda check, outcome, problem: check.door == "refused test",
    ),
}


def find(name, binary, limit=60):
    _, doors, may_show, explains = FINDINGS[name]
    begun, tried = time.monotonic(), 0
    for seed in range(1_000_000):
        if time.monotonic() - begun > limit:
            return f"{name}: not found in {tried} files and {limit} s", False
        case = case_with(Case(seed), dress=None, outputs={})  # the old command knows no parameters, and no random numbers
        if case.seed_of_numbers is not None or not may_show(case):
            continue
        door, tried = random.Random(seed).choice(doors), tried + 1
        status, check, outcome, problem = examine(case, door, binary)
        if status == "differs" and explains(check, outcome, problem):
            seconds = time.monotonic() - begun
            smaller = shrink(case_with(case), door, binary, status, problem, time.monotonic() + 10)
            found = examine(smaller, door, binary)
            found = found if found[0] == "differs" and explains(*found[1:]) else (status, check, outcome, problem)
            return f"{name}: found after {seconds:.1f} s, in file {tried}\n{describe(seed, door, *found[1:])}", True
    return f"{name}: not found", False


def main():
    binary, names = os.path.abspath(sys.argv[1]), sys.argv[2:] or list(FINDINGS)
    good = True
    for name in names:
        print(f"== {name}, {FINDINGS[name][0]}")
        text, found = find(name, binary)
        print(text, flush=True)
        good = good and found
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
