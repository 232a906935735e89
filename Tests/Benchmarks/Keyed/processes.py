"""Runs programs and measures the processor time and memory of each."""

import collections
import json
import os
import statistics
import subprocess
import sys
import tempfile

STARTER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "starter.py")

Usage = collections.namedtuple("Usage", "seconds megabytes")
Answer = collections.namedtuple("Answer", "count digest total")


class Failed(Exception):
    """A program ended with an error."""


def run(command, source=None, target=os.devnull, environment=None):
    """Runs a command from file to file; returns its processor seconds and peak resident MB."""
    readable, writable = os.pipe()
    starter = [sys.executable, "-I", "-S", STARTER, str(writable)]
    with open(source or os.devnull, "rb") as stdin, open(target, "wb") as stdout, tempfile.TemporaryFile() as stderr:
        child = subprocess.Popen(
            starter + command, stdin=stdin, stdout=stdout, stderr=stderr, pass_fds=[writable],
            env=os.environ | (environment or {}))
        os.close(writable)
        with open(readable) as report:
            figures = report.read().split()
        child.wait()
        stderr.seek(0)
        errors = stderr.read().decode(errors="replace").strip()
    if child.returncode != 0:
        raise Failed(f"'{' '.join(command)}' ended with {child.returncode}: {errors[-2000:]}")
    return Usage(*map(float, figures))


def medians(usages):
    """The median of each figure."""
    return Usage(*(statistics.median(figures) for figures in zip(*usages, strict=True)))


def answer(path):
    """The number of records in a file of NDJSON, a digest that is the same in any order, and the sum of their numbers.

    The summed number is the record itself, or its `total`, `amount` or `double`.
    """
    count = digest = total = 0
    with open(path, "rb") as file:
        for line in file:
            record = json.loads(line)
            count += 1
            if isinstance(record, dict):
                digest += hash(tuple(sorted(record.items())))
                total += record.get("total", record.get("amount", record.get("double", 0)))
            else:
                digest += hash(record)
                total += record
    return Answer(count, digest, total)
