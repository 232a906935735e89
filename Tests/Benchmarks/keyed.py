#!/usr/bin/env python3
"""Measures streams by key, event time and inner streams (W9 to W14) beside other programs.

Runs streamrun and its peers in turns over the same files, compares their answers, and prints tables of Markdown with
processor time, which other work on the machine does not lengthen. A different answer ends the run with an error.
"""

import argparse
import os
import platform
import shlex
import sys
import tempfile
import time

from Keyed import growth, programs, workloads
from Keyed.measuring import Bench, Wrong
from Keyed.processes import Failed
from Keyed.records import Records

WORKLOADS = {
    "W9": workloads.w9,
    "W10": workloads.w10,
    "W11": workloads.w11,
    "W12": workloads.w12,
    "W13": workloads.w13,
    "W14": workloads.w14,
    "keys": growth.growing_keys,
    "operators": growth.growing_operators,
}


def workload_names(text):
    """The names of a list with commas, in the order of the table."""
    names = [name.strip() for name in text.split(",")]
    known = {name.lower(): name for name in WORKLOADS}
    for name in names:
        if name.lower() not in known:
            raise argparse.ArgumentTypeError(f"there is no workload '{name}'; there are {', '.join(WORKLOADS)}")
    return [name for name in WORKLOADS if name.lower() in {wanted.lower() for wanted in names}]


def positive(text):
    """A positive number."""
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not an integer of 1 or more")
    return number


def parse_arguments():
    """The options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument(
        "--workload", type=workload_names, default=list(WORKLOADS), metavar="NAMES",
        help=f"workloads, with commas between them: {', '.join(WORKLOADS)}; default all")
    parser.add_argument(
        "--records", type=positive, default=1_000_000, metavar="COUNT",
        help="number of records; W13 has a fiftieth of it on each side; default 1000000")
    parser.add_argument(
        "--command", metavar="PATH", help="the streamrun command; default the repository's release build")
    parser.add_argument(
        "--rounds", type=positive, default=3, metavar="COUNT",
        help="number of rounds, of which the median counts; default 3")
    parser.add_argument(
        "--python", metavar="PATH",
        help="the interpreter with orjson, DuckDB, Polars and Bytewax; default the installed one")
    parser.add_argument(
        "--install", action="store_true",
        help="install the peers into $STREAMRUN_PEERS, by default a folder of the temporary files, first")
    return parser.parse_args()


def processor():
    """The name of the processor, where the system tells it."""
    try:
        with open("/proc/cpuinfo") as file:
            return next(line.split(":", 1)[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def print_setting(command, peers, arguments):
    """Prints the machine, the versions, and the peers that are skipped."""
    print("```text")
    print(f"date       {time.strftime('%Y-%m-%d %H:%M UTC', time.gmtime())}")
    print(f"machine    {processor()}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}")
    print(f"load       {' '.join(f'{load:.1f}' for load in os.getloadavg())} at the start")
    print(f"command    {command.version}, {os.path.getsize(command.path):,} bytes")
    print(f"data       {arguments.records:,} records; median of {arguments.rounds}")
    for peer in peers.values():
        text = f"skipped: {peer.reason}" if peer.reason else peer.version
        print(f"{peer.name:<11}{text}")
    print(f"run        {shlex.join(sys.argv)}")
    print("```", flush=True)


def main():
    arguments = parse_arguments()
    command = programs.find_command(arguments.command)
    if arguments.install:
        try:
            programs.install()
        except Failed as error:
            sys.exit(f"keyed.py: {error}")
    python = arguments.python or programs.peers_python()
    if not (programs.first_line([python, "--version"]) or "").startswith("Python "):
        sys.exit(f"keyed.py: '{python}' is not a Python interpreter")
    with tempfile.TemporaryDirectory() as folder:
        peers = programs.find_peers(python, folder)
        print_setting(command, peers, arguments)
        bench = Bench(command, peers, Records(folder, arguments.records), arguments.rounds, folder)
        try:
            for name in arguments.workload:
                WORKLOADS[name](bench)
        except (Wrong, Failed) as error:
            sys.exit(f"keyed.py: {error}")
        except KeyboardInterrupt:
            sys.exit(130)


if __name__ == "__main__":
    main()
