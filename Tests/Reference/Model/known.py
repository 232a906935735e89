"""Disagreements that are known, and not mended yet: the finding, and the checks that it can explain.

A finding leaves this list with the commit that mends it.
"""

import json
import re


def lines(part):
    """The values of an outcome, without their times."""
    return [re.sub(r'^ *({"at":.*?"value":)?|}$', "", line) for line in part.strip().splitlines() if "expected" not in line]


FINDINGS = {
    # Values of two streams of merge, or of two groups, wait for demand. While one is delivered, downstream asks for another: our merge
    # publishes the next one before it asks the first one's stream again, the model's after it.
    "the order of values of several streams that wait": lambda check, problem, text: check.door.startswith("slow")
    and ('"merge"' in text or '"groupBy"' in text)
    and len({tuple(sorted(lines(part))) for part in problem.split("  got")}) == 1,
    # Without a request race subscribes to all its streams: the model at once, we behind the subscription of the operator
    # after it, whose request may come first, so that a synchronous stream wins as in RxJS.
    "race behind an operator that asks later": lambda check, problem, text: '"race"' in text and '"fail"' in text,
    # A window's stream is asked for one value until downstream has asked the window: what it subscribes to behind two
    # values comes later than upstream.
    "the first window begins before the demand": lambda check, problem, text: '"window"' in text
    and re.search(r'"(prepend|append|merge)"', text),
    # The text of a message is ours, also within another text.
    "the text of a message": lambda check, problem, text: "message: " in problem,
    # Who reads an input as its values are requested finds its end by reading on, so with the next request.
    "an end that is found by reading on": lambda check, problem, text: check.door.startswith("test")
    and re.search(r"expected at [\d.]+: finished\n +got at [\d.]+: finished", problem)
    and '"delay"' in text,
    # Combine's buffer asks before downstream can, so what upstream has at once fills it: SEMANTICS.md accepts the order.
    "a full buffer within one instant": lambda check, problem, text: '"buffer"' in text,
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
