"""Finds the command and its peers, installs the peers if asked to, and knows how each is started."""

import json
import math
import os
import shutil
import subprocess
import sys
import tempfile

from . import processes

BENCHMARKS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PACKAGES = {"duckdb": "2.0.0", "polars": "2.1.0", "bytewax": "0.21.1", "orjson": "3.13.0"}


def first_line(command, environment=None):
    """The first line that a command prints, or none if it fails."""
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=60, env=os.environ | (environment or {}), check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return (done.stdout.strip() or done.stderr.strip()).split("\n")[0]


def peers_folder():
    """The folder of the installed peers, outside the repository; it is kept."""
    return os.environ.get("STREAMRUN_PEERS") or os.path.join(tempfile.gettempdir(), "streamrun-keyed-peers")


def install():
    """Installs the pinned packages from PyPI into a virtual environment, and RxJS from Debian's node-inquirer."""
    folder = peers_folder()
    python = os.path.join(folder, "bin", "python")
    if not os.path.exists(python):
        call([sys.executable, "-m", "venv", folder])
    pinned = [f"{name}=={version}" for name, version in PACKAGES.items()]
    call([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *pinned])
    if rxjs_folder() is None and shutil.which("apt-get"):
        # Debian's package contains RxJS, and depends on much that is not needed here.
        download = ["apt-get", "download", "-qq", "node-inquirer"]
        try:
            call(download, folder)
        except processes.Failed:
            call(["apt-get", "update", "-qq"])
            call(download, folder)
        package = next(name for name in sorted(os.listdir(folder)) if name.startswith("node-inquirer"))
        call(["dpkg", "-x", package, "."], folder)


def call(command, folder=None):
    """Runs a command that installs something."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise processes.Failed(f"'{' '.join(command)}' ended with {done.returncode}: {done.stderr.strip()[-2000:]}")


def rxjs_folder():
    """The folder of the RxJS module: $RXJS, Debian's or the installed one."""
    installed = os.path.join(peers_folder(), "usr/share/nodejs/rxjs")
    for folder in (os.environ.get("RXJS"), "/usr/share/nodejs/rxjs", installed):
        if folder and os.path.exists(os.path.join(folder, "package.json")):
            return os.path.abspath(folder)
    return None


def peers_python():
    """The interpreter of the installed peers, or the one that runs this program."""
    python = os.path.join(peers_folder(), "bin", "python")
    return python if os.path.exists(python) else sys.executable


class Peer:
    """A program of the folder Peers: how it is started, its version, and why it is skipped if it is."""

    def __init__(self, name, start, version, reason=None, environment=None):
        self.name = name
        self.start = start
        self.version = version
        self.reason = reason
        self.environment = environment

    def whole(self, variant, files, target):
        """Runs a variant as a whole process from files to the target file."""
        return processes.run([*self.start, "whole", variant, *files], None, target, self.environment)

    def memory(self, variant, file, rounds, target):
        """Measures a variant over values in memory; returns nanoseconds of each round, the count and the sum."""
        processes.run([*self.start, "memory", variant, file, str(rounds)], None, target, self.environment)
        with open(target) as report:
            return json.load(report)


def python_peers(python):
    """The peers that are packages of an interpreter."""
    source = "import importlib.metadata as m; print(m.version({!r}))"
    interpreter = first_line([python, "--version"])
    for name, package in (
        ("Python", "orjson"), ("DuckDB", "duckdb"), ("Polars", "polars"), ("Bytewax", "bytewax"),
    ):
        version = first_line([python, "-c", source.format(package)])
        needed = [package] if name != "Bytewax" else ["bytewax", "orjson"]
        missing = [p for p in needed if first_line([python, "-c", f"import {p}; print({p!r})"]) is None]
        reason = f"{python} has no module {' or '.join(missing)}; see --install" if missing else None
        file = os.path.join(BENCHMARKS, "Peers", f"keyed_{name.lower()}.py")
        version = f"{interpreter}, orjson {version}" if name == "Python" else f"{name} {version}"
        yield Peer(name, [python, file], version, reason)


def rxjs_peer():
    """RxJS on node."""
    node, folder = first_line(["node", "--version"]), rxjs_folder()
    if node is None:
        return Peer("RxJS", [], None, "there is no node (apt-get install nodejs)")
    if folder is None:
        return Peer("RxJS", [], None, "there is no RxJS; name its folder in $RXJS, or see --install")
    with open(os.path.join(folder, "package.json")) as file:
        version = f"RxJS {json.load(file)['version']}, node {node}"
    start = ["node", os.path.join(BENCHMARKS, "Peers", "keyed_rxjs.cjs")]
    return Peer("RxJS", start, version, environment={"RXJS": folder})


def loop_peer(folder):
    """The loop written by hand, compiled into the folder."""
    swift = first_line(["swiftc", "--version"])
    if swift is None:
        return Peer("Swift loop", [], None, "there is no swiftc")
    program = os.path.join(folder, "keyed_loop")
    source = os.path.join(BENCHMARKS, "Peers", "keyed_loop.swift")
    done = subprocess.run(["swiftc", "-O", source, "-o", program], capture_output=True, text=True, check=False)
    reason = f"swiftc failed: {done.stderr.strip()[-500:]}" if done.returncode != 0 else None
    return Peer("Swift loop", [program], swift, reason)


def find_peers(python, folder):
    """All peers by name, those that are skipped included."""
    peers = [*python_peers(python), rxjs_peer(), loop_peer(folder)]
    return {peer.name: peer for peer in peers}


class Command:
    """The streamrun command and its streams."""

    def __init__(self, path):
        self.path = path
        self.version = first_line([path, "--version"])

    @staticmethod
    def stream(name):
        """The path of one of the stream files."""
        return os.path.join(BENCHMARKS, "Streams", name + ".json")

    def whole(self, stream, options, source, target):
        """Runs a stream as a whole process; `source` is standard input."""
        return processes.run([self.path, stream, *options], source, target)

    def bench(self, stream, options, values, rounds, target):
        """Runs `streamrun bench`; returns the usage of the process and its report."""
        command = [self.path, "bench", stream, *options, "--values", str(values), "--rounds", str(rounds)]
        usage = processes.run([*command, "--budget", "1000000000000", "--format", "json"], None, target)
        with open(target) as report:
            return usage, json.load(report)["streams"][0]

    def memory(self, stream, options, values, target):
        """Returns a function that measures a stream, and the number of values that it publishes for `values` values.

        The function returns processor nanoseconds per value: the difference between a run of several rounds and a run
        of one leaves out start, reading and compiling. The recording is repeated until a round takes 0.2 seconds,
        because a round of less than 0.05 seconds runs the stream more than once.
        """
        _, report = self.bench(stream, options, values, 1, target)
        seconds = report["nanosecondsPerValue"] * values / 1e9
        repeated = values * max(1, math.ceil(0.2 / max(seconds, 1e-6)))
        rounds = max(1, round(1.5 / (seconds * repeated / values)))

        def measure():
            first, _ = self.bench(stream, options, repeated, 1, target)
            last, _ = self.bench(stream, options, repeated, 1 + rounds, target)
            return (last.seconds - first.seconds) / rounds / repeated * 1e9

        return measure, report["valuesOut"]


def find_command(path):
    """The command at the path, or else the release build of this repository; exits if there is none."""
    if path is None:
        root = os.path.dirname(os.path.dirname(BENCHMARKS))
        path = os.path.join(root, ".build", "release", "streamrun")
        if not os.path.exists(path):
            sys.exit("keyed.py: there is no release build (swift build -c release --product streamrun); see --command")
    found = shutil.which(path)
    if found is None:
        sys.exit(f"keyed.py: there is no program '{path}'")
    command = Command(os.path.abspath(found))
    if command.version is None or not command.version.startswith("streamrun"):
        sys.exit(f"keyed.py: '{path}' is not streamrun: '--version' prints {command.version!r}")
    return command
