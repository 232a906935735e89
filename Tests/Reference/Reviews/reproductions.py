"""What the scripts of this folder share: a reproduction is a command line with what it must print.

The reproductions are those of the reviews, in `../shared/reviews/turn3/repro`; where that folder is absent they are
skipped. Each runs in a copy of its folder, since some of them write.
"""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

SHARED = pathlib.Path(__file__).resolve().parents[4] / "shared" / "reviews" / "turn3" / "repro"


class Reproductions:
    """Runs the commands of one folder of reproductions, and counts what they print."""

    def __init__(self, name: str, binary: str):
        self.environment = {"S": str(pathlib.Path(binary).resolve()), "PATH": "/usr/bin:/bin"}
        self.passed = self.failed = 0
        source = SHARED / name
        if not source.is_dir():
            print(f"{name}: skipped, since {source} is absent")
            print("0 passed, 0 failed, 1 skipped")
            sys.exit(0)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="reviews-")) / name
        shutil.copytree(source, self.folder)
        for path in [self.folder, *self.folder.rglob("*")]:
            path.chmod(path.stat().st_mode | 0o700)

    def run(self, command: str, folder: str = ".", seconds: float = 60) -> tuple[str, str, int]:
        """Runs a line of shell in which `$S` is the command, and returns what it printed and its exit code."""
        with subprocess.Popen(
                ["bash", "-c", command], cwd=self.folder / folder, env=self.environment, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, text=True, start_new_session=True) as process:
            try:
                out, err = process.communicate(timeout=seconds)
            except subprocess.TimeoutExpired:
                # All of its group, which would keep the pipes open.
                os.killpg(process.pid, signal.SIGKILL)
                raise
        return out, err, process.returncode

    def check(self, name: str, command: str, output: str | None = None, code: int = 0, errors: str | None = None,
              folder: str = ".", seconds: float = 60):
        """Checks the output (exactly), the exit code, and a regular expression that the errors must have."""
        try:
            out, err, status = self.run(command, folder, seconds)
        except subprocess.TimeoutExpired:
            out, err, status = "", f"no end within {seconds} s", -1
        problems = []
        if status != code:
            problems.append(f"exit code {status}, expected {code}")
        if output is not None and out.strip() != output.strip():
            problems.append(f"printed {out.strip()!r}, expected {output.strip()!r}")
        if errors is not None and not re.search(errors, err):
            problems.append(f"standard error has no {errors!r}: {err.strip()[:400]!r}")
        self.report(name, command, out + err, problems)

    def report(self, name: str, what: str, shown: str, problems: list[str]):
        """Counts and prints what has been checked."""
        self.passed += not problems
        self.failed += bool(problems)
        print(f"{'ok  ' if not problems else 'FAIL'} {name}: {what[:150]}")
        for line in shown.strip().splitlines()[:6]:
            print(f"       {line[:200]}")
        for problem in problems:
            print(f"     ! {problem}", flush=True)

    def finish(self):
        shutil.rmtree(self.folder.parent, ignore_errors=True)
        print(f"{self.passed} passed, {self.failed} failed")
        sys.exit(self.failed > 0)
