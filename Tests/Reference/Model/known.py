"""Disagreements that are known, and not mended yet: the finding, and the checks that it can explain.

A finding leaves this list with the commit that mends it.
"""

import json
import re

from values import Failure, Map, equal, is_number, read_json

# Operators and sources that set timers for the current instant.
AT_ONCE = re.compile(
    r'"(throttle|debounce|record|marbles|delay|audit|timeout|sample|rateLimit|timer|collectTime|delayWhen|atomic)"'
)


def is_live_or_paced(check):
    return "--virtual" in check.command or "--event-time" in check.command


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


FINDINGS = {
    "N2, ints become doubles": lambda check, problem, text: differ_in_type(problem),
    "N3, keys become ints": lambda check, problem, text: uses_key(check),
    "F6, rows of CSV without a value": lambda check, problem, text: "csv" in check.command and '""' in problem,
    "R4, index after a skipped value": lambda check, problem, text: (
        '"skip"' in text or check.door == "skip errors"
    )
    and re.search(r"\bindex\b", text),
    "R1, timers between the records of one instant": lambda check, problem, text: check.door.split()[-1]
    in ("stdin", "--input", "time", "inputs", "limit", "errors")
    and is_live_or_paced(check)
    and AT_ONCE.search(text),
    "R2, a failure at the subscription of merge": lambda check, problem, text: re.search('"(merge|join)"', text)
    and ('"fail"' in text or check.events and check.events[-1][1] == "failure"),
    "R8, join with streams that end at once": lambda check, problem, text: '"join"' in text,
    "R12, intervals of sample": lambda check, problem, text: '"sample": {"seconds"' in text,
    "R9, average of ints overflows": lambda check, problem, text: '"average"' in text and "S403" in problem,
    "R11, a file notices its end late": lambda check, problem, text: check.door.startswith("slow file"),
    "R5, buffer asks before downstream has its subscription": lambda check, problem, text: '"buffer"' in text,
    "R6, window asks its signal before upstream": lambda check, problem, text: re.search(
        r'"(window|sample|collectUntil)": {[^{]*"(stream|opening)"', text
    ),
    "R7, an empty window after the last match": lambda check, problem, text: re.search(
        r'"window": {"expression"', text
    ),
}


def known(check, problem):
    """The finding that explains a disagreement, or None."""
    if not known.enabled:
        return None
    text = json.dumps(json.loads(check.files["s.json"]).get("operators")) + json.dumps(
        json.loads(check.files["s.json"]).get("streams")
    )
    return next((finding for finding, explains in FINDINGS.items() if explains(check, problem, text)), None)


known.enabled = True
