"""Runs the built commands."""

import os
import subprocess

from judging import Outcome

SECONDS = 20


def run(binary, words, folder, text=""):
    """The outcome of a command in a folder."""
    try:
        done = subprocess.run([binary, *words], input=text.encode(), capture_output=True, cwd=folder, timeout=SECONDS,
                              env={**os.environ, "NO_COLOR": "1"})
    except subprocess.TimeoutExpired as late:
        return Outcome(-1, (late.stdout or b"").decode(errors="replace"), f"no end after {SECONDS} s")
    return Outcome(done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"))
