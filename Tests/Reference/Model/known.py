"""Disagreements that are known, and not mended yet: the finding, and the checks that it can explain.

A finding leaves this list with the commit that mends it.
"""

import json
import re


def outcomes(problem):
    """The expected values, and those that came."""
    return ([values_of(part) for part in problem.split("  got")] + [[]])[:2]


def has_same_values(problem):
    """Whether the values or events are the same, in another order."""
    if counts := re.search(r"\(expected (\d+) in all, got (\d+)\)", problem):
        return counts[1] == counts[2]
    wanted, got = outcomes(problem)
    return "  got" in problem and sorted(wanted) == sorted(got)


def values_of(part):
    """The values of an outcome, without their times."""
    found = [line for line in part.strip().splitlines() if line != "expected"]
    return [re.sub(r'^ *({"at":.*?"value":)?|}$', "", line) for line in found]


def lacks_values(problem):
    """Whether only the last values are missing."""
    wanted, got = outcomes(problem)
    return len(got) < len(wanted) and wanted[: len(got)] == got


def is_part(problem):
    """Whether one of the outcomes is the other one without some of its values."""
    fewer, more = sorted(outcomes(problem), key=len)
    rest = iter(more)
    return "  got" in problem and all(value in rest for value in fewer)


def fails_at_once(check, said):
    """Whether a test has the expected failure, and nothing before it."""
    same = re.search(r'# expected = "(S\d+)"\n +# got = \{"code":"\1"', said)
    return check.door == "test passes" and same is not None and re.search(r"\n +got  #\n", said) is not None


SUBSCRIBES_LATER = re.compile('"(merge|share|window|groupBy)"')
# A file's operators and streams are `text`, what the command has printed is `said`.
FINDINGS = {
    # H1: stepping ignores the values of parameters and the seed.
    "H1, values from outside that stepping ignores": lambda check, problem, text, said: check.door.endswith("replay --step")
    and "s.json" in check.command
    and bool(check.given),
    # H2: stepping ends with the last recorded event, before the timers that another version has set.
    "H2, timers behind the end that stepping ignores": lambda check, problem, text, said: check.door
    in ("replay --step", "studio step")
    and "s.json" in check.command
    and (lacks_values(problem) or "it ends with None" in problem),
    # H3: stepping takes a value of another type than the declared one.
    "H3, a value of another type that stepping takes": lambda check, problem, text, said: check.door
    == "refused replay --step"
    and "exit code 0, expected 2" in problem,
    # H4: the live view of the studio ignores the clock of an input.
    "H4, the clock of an input in the live view": lambda check, problem, text, said: check.door == "studio live"
    and '"time": {' in check.files["s.json"],
    # Values of two streams of merge, or of two groups, wait for demand. While one is delivered, downstream asks for
    # another: we publish the next one before we ask the first one's stream again, the model after it.
    "the order of values of several streams that wait": lambda check, problem, text, said: check.door.startswith("slow")
    and ('"merge"' in text or '"groupBy"' in text)
    and has_same_values(problem),
    # The stream of the first window is asked for one value at the start, until downstream has asked the window: what it
    # subscribes to behind two values comes later than upstream, and a failure then discards what waits.
    "the first window begins before the demand": lambda check, problem, text, said: '"window"' in text
    and re.search(r'"(prepend|append|merge)"', text)
    and (has_same_values(problem) or '"fail"' in text and "error S407" in said and lacks_values(problem)),
    # A stream that closes a window fails before downstream has asked: what the window holds is discarded with it.
    "a window's signal that fails before the first request": lambda check, problem, text, said: '"closing"' in text
    and '"window"' in text
    and ("error S407" in said and lacks_values(problem) or fails_at_once(check, said)),
    # With a limited demand, the branches of one input run ahead of each other by another value than the model's.
    "a combination of branches of one input under a limit": lambda check, problem, text, said: check.door == "limit"
    and '"atomic": true' in text
    and 1 <= len(outcomes(problem)[1]) <= len(outcomes(problem)[0]),
    # Under a limit, merge within a window has asked each of its streams for one value, the model for all.
    "the order of values of several streams under a limit": lambda check, problem, text, said: check.door == "limit"
    and '"merge"' in text
    and '"window"' in text
    and len(outcomes(problem)[0]) == len(outcomes(problem)[1]),
    # Timers that skip intervals keep the order in which they began to, in the model that of their last intervals.
    "the order of timers that skip intervals": lambda check, problem, text, said: '"startEvery"' in text
    and '"collectTime"' in text
    and has_same_values(problem),
    # An array or a window ends with a signal that comes, or ends, at once, and so does the next one: the stream is busy
    # without end before the end of an input is read, or the first value is written, at which the model ends.
    "parts without end": lambda check, problem, text, said: re.search('"(collectUntil|window)"', text)
    and '"each": true' in text
    and (
        re.search("no end after|does not end|error S409: (more than 1000000 values|the program uses)", said) is not None
        or re.search('"(prefixUntil|dropUntil)"', text) is not None
        and is_part(problem)
    ),
    # How many values of a stream come before it is switched depends on how many wait behind a slow consumer.
    "a stream that is switched behind a slow consumer": lambda check, problem, text, said: check.door.startswith("slow")
    and re.search('"(groupBy|window)"', text) is not None
    and re.search('"switchMap"|"strategy": "latest"', text) is not None
    and is_part(problem),
    # The text of a message is ours, also within another text.
    "the text of a message": lambda check, problem, text, said: "message: " in problem,
    # Who reads an input as its values are requested finds its end by reading on, so with the next request.
    "an end that is found by reading on": lambda check, problem, text, said: check.door.startswith("test")
    and re.search(r"expected at [\d.]+: finished\n +got at [\d.]+: finished", problem)
    and '"delay"' in text,
    # A source fails within a stream that an operator has started for a value, behind another operator of that stream.
    # The value is skipped, as the page says; the model leaves out the source alone, or none.
    "a source deeper in a stream that is started for a value": lambda check, problem, text, said: re.search(
        r"warning S\d+.*at /operators/\d+/[^\n]*/with/\d+/source", said, re.DOTALL
    )
    and "expected a failure" in problem,
    # The failure of such a source waits for a timer within its stream, and the stream is canceled before. A value is
    # skipped, and counted, by its operator; the model counts at the source.
    "a failure that is canceled before its operator skips a value": lambda check, problem, text, said: re.search(
        r"^ *skipped 0 values, expected 1$", problem, re.MULTILINE
    )
    and re.search('"(collectTime|delay|timeout)"', text) is not None,
    # In Combine, merge and share subscribe upstream when downstream has the subscription, so that a buffer behind them is
    # asked before it is filled. We let it ask first behind every operator: the page Semantics accepts the order.
    "a full buffer within one instant, behind merge or share": lambda check, problem, text, said: '"buffer"' in text
    and SUBSCRIBES_LATER.search(text)
    and re.search(r"'buffer' dropped|'buffer' is full|error S\d", said) is not None,
}


def known(check, problem, outcome):
    """The finding that explains a disagreement, or None."""
    if not known.enabled:
        return None
    model = json.loads(check.plain or check.files["s.json"])
    text = " ".join(json.dumps(model.get(member)) for member in ("operators", "streams", "outputs", "partition"))
    said = outcome.output + outcome.errors + (f"died of signal {-outcome.code}" if outcome.code < 0 else "")
    return next((finding for finding, explains in FINDINGS.items() if explains(check, problem, text, said)), None)


known.enabled = True
