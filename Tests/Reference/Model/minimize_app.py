#!/usr/bin/env python3
"""Finds a smaller case in which an app receives something else than the model says: minimize_app.py PROGRAM SEED.

PROGRAM is the test program, `.build/debug/streamrunPackageTests.xctest`.
"""

import itertools
import json
import os
import re
import subprocess
import sys
import tempfile

from cases import line_of
from generate import Case
from reference import smaller_cases

BATCH = 60  # cases for each start of the program


def differing(program, lines):
    """The numbers of the lines that differ, and the output."""
    with tempfile.NamedTemporaryFile("w", suffix=".ndjson") as file:
        for number, line in enumerate(lines):
            file.write(json.dumps({**line, "seed": number}) + "\n")
        file.flush()
        done = subprocess.run(
            [program, "--testing-library", "swift-testing", "--filter", "StreamCombineTests.ReferenceTests"],
            env={**os.environ, "REFERENCE_CASES": file.name},
            capture_output=True,
            text=True,
        )
    return sorted({int(number) for number in re.findall(r"seed (\d+), ", done.stdout)}), done.stdout


def main():
    program, case = sys.argv[1], Case(int(sys.argv[2]))
    line, output = line_of(case, case.seed), ""
    while True:
        candidates = ((smaller, line_of(smaller, 0)) for smaller in smaller_cases(case))
        candidates = ((smaller, made) for smaller, made in candidates if made and "crash" not in made)
        found = None
        while found is None and (batch := list(itertools.islice(candidates, BATCH))):
            numbers, text = differing(program, [made for _, made in batch])
            if numbers:
                (found, line), output = batch[numbers[0]], text
        if found is None:
            break
        case = found
    numbers, output = differing(program, [line])
    print("\n".join(text for text in output.splitlines() if "✔" not in text and "◇" not in text))


if __name__ == "__main__":
    main()
