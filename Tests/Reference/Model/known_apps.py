"""Disagreements of apps that are known, and not mended yet: the finding, its door, and the cases that it can explain."""

FINDINGS = {}


def known_app(case):
    """The findings that explain a disagreement of the case, by door."""
    return {
        door: finding
        for door in ("publisher", "values")
        for finding, explains in FINDINGS.items()
        if explains(door, case)
    }
