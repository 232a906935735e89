"""Disagreements of apps that are known, and not mended yet: the finding, its door, and the cases that it can explain."""

from casefiles import text_of

FINDINGS = {
    "R14, the initial value comes before that of the feed": lambda door, case: door == "publisher" and case.initial,
    "R15, a feed's value is lost before the first request": lambda door, case: door == "values" and case.current,
    "R16, expand stops when values are requested one at a time": lambda door, case: door == "values"
    and '"expand"' in text_of(case.model),
}


def known_app(case):
    """The findings that explain a disagreement of the case, by door."""
    return {
        door: finding
        for door in ("publisher", "values")
        for finding, explains in FINDINGS.items()
        if explains(door, case)
    }
