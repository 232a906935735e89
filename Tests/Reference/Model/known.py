"""Disagreements that are known, and not mended yet: the finding, and the checks that it can explain.

A finding leaves this list with the commit that mends it.
"""

import json
import re

FINDINGS = {
    # `run` lets all timers of an instant fire, also those behind the one that makes it want an input.
    "R1, timers behind the one that starts an input": lambda check, problem, text: check.door.split()[-1]
    in ("stdin", "--input", "inputs", "limit", "errors", "time")
    and re.search(r'"(prepend|append|delaySubscription|repeat|retry|catch|switchIfEmpty|record|timer)"', text)
    and re.search(r'"(throttle|debounce|audit|sample|delay|rateLimit|collectTime|timeout)"', text),
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
