#!/usr/bin/env python3
"""Prints what failed in the log of `swift test`: failures.py LOG

The issues with their texts, the tests that began and did not end, and the last lines where the run ended early."""
import re
import sys

text = open(sys.argv[1], encoding="utf-8", errors="replace").read()
lines = re.sub("\x1b\\[[0-9;]*m", "", text).split("\n")

issues = []  # each a list of lines: Swift Testing indents what belongs to an issue with arrows
for index, line in enumerate(lines):
    if line.startswith("✘") and "recorded an issue" in line:
        issue = [line]
        for further in lines[index + 1 :]:
            if not further.startswith("↳") or len(issue) == 8:
                break
            issue.append(further)
        issues.append(issue)

print("\n== failures")
for issue in issues[:30]:
    for line in issue:
        print(line[:600])
if len(issues) > 30:
    print(f"… and {len(issues) - 30} more issues")
for line in lines:
    if line.startswith("✘") and "recorded an issue" not in line and "Test case" not in line:
        print(line[:300])

if not any("Test run with" in line for line in lines):
    begun, ended = set(), set()
    for line in lines:
        found = re.match(r"(?:◇|✔|✘|➜) Test (?!case |run )(.+?)(?: with \d+ test cases)? (started|passed|failed|skipped)", line)
        if found:
            (begun if found[2] == "started" else ended).add(found[1])
    print("the run did not end; tests that began and did not end:")
    for name in sorted(begun - ended)[:40]:
        print(f"  {name}")
    print("its last lines:")
    for line in lines[-20:]:
        print(f"  {line[:300]}")
