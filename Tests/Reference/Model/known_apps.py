"""Disagreements of apps that are known, and not mended yet: the finding, its door, and the cases that it can explain."""

from casefiles import text_of
from known import SUBSCRIBES_LATER

FINDINGS = {
    "a full buffer within one instant, behind merge or share": lambda door, case: '"buffer"' in (text := text_of(case.model))
    and SUBSCRIBES_LATER.search(text) is not None,
}


def known_app(case):
    """The findings that explain a disagreement of the case, by door."""
    return {
        door: finding
        for door in ("publisher", "values")
        for finding, explains in FINDINGS.items()
        if explains(door, case)
    }
