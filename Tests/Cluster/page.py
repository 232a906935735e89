#!/usr/bin/env python3
"""Runs the commands of MoreThanOneMachine.md as they are, in a folder of their own, and compares the three outputs.

page.py STREAMRUN VENV: takes an environment in which the page's pip command has run already for the one that the page
makes, so that nothing is downloaded again.
"""
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.abspath(os.path.join(HERE, "../.."))
PAGE = os.path.join(ROOT, "Sources/StreamPartition/StreamPartition.docc/MoreThanOneMachine.md")


def main():
    streamrun, venv = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    with open(PAGE, encoding="utf-8") as file:
        section = file.read().partition("## Ten commands")[2].partition("\n## ")[0]
    commands = [line for block in re.findall(r"```shell\n(.*?)```", section, re.S) for line in block.splitlines()]
    assert len(commands) == 10, len(commands)
    folder = tempfile.mkdtemp()
    try:
        for name in ("Sources", "Streams", "Tests"):
            os.symlink(os.path.join(ROOT, name), os.path.join(folder, name))
        os.symlink(venv, os.path.join(folder, "flink"))
        os.mkdir(os.path.join(folder, "bin"))
        os.symlink(streamrun, os.path.join(folder, "bin/streamrun"))
        script = "set -e\n" + "\n".join(f"echo {shlex.quote('$ ' + line)}\n{line}" for line in commands)
        script += """
grep -q "100000 records, 100000 results" told
sort one.ndjson > one
cat out/*/part-* | sort > two
cat out2/*/part-* | sort > three
cmp one two && cmp one three && echo "three outputs with the same $(wc -l < one) lines"
"""
        environment = {**os.environ, "PATH": f"{folder}/bin:{os.environ['PATH']}"}
        with open(os.path.join(folder, "script"), "w", encoding="utf-8") as file:
            file.write(script)
        with open(os.path.join(folder, "told"), "wb") as told:
            code = subprocess.run(["bash", "script"], cwd=folder, env=environment, timeout=400, stderr=told).returncode
        with open(os.path.join(folder, "told"), encoding="utf-8") as told:
            print(told.read(), end="", file=sys.stderr)
        flink = subprocess.run(
            [venv + "/bin/python3", "-c", "import sysconfig; print(sysconfig.get_paths()['purelib'] + '/pyflink')"],
            capture_output=True, text=True, check=True).stdout.strip()
        subprocess.run(
            [os.path.join(ROOT, "Sources/StreamFlink/streamflink"), "cluster", "stop", "--dir", folder + "/cluster",
             "--flink", flink], capture_output=True, check=False)
        sys.exit(code)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
