"""Disagreements that are known, and not mended yet: the finding, and the checks that it can explain.

A finding leaves this list with the commit that mends it.
"""

import json
import re

# Operators and sources that set timers for the current instant.
AT_ONCE = re.compile(r'"(throttle|debounce|record|marbles|delay|audit|timeout|sample|rateLimit|timer|collectTime|delayWhen|atomic)"')


def is_live_or_paced(check):
    return "--virtual" in check.command or "--event-time" in check.command


FINDINGS = {
    "R1, timers between the records of one instant": lambda check, problem, text:
        check.door.split()[-1] in ("stdin", "--input", "time") and is_live_or_paced(check) and AT_ONCE.search(text),
    "R2, a failure at the subscription of merge": lambda check, problem, text:
        '"merge"' in text and check.events and check.events[-1][1] == "failure",
}


def known(check, problem):
    """The finding that explains a disagreement, or None."""
    if not known.enabled:
        return None
    text = json.dumps(json.loads(check.files["s.json"]).get("operators")) + json.dumps(json.loads(check.files["s.json"]).get("streams"))
    return next((finding for finding, explains in FINDINGS.items() if explains(check, problem, text)), None)


known.enabled = True
