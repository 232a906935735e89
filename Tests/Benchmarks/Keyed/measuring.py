"""Compares the answers of programs, then measures them in turns."""

import os
import statistics
import sys

from . import processes
from .tables import Row

OURS = "streamrun"
NANOSECONDS = "ns a record"


class Wrong(Exception):
    """A program gave another answer than the command."""


def say(text):
    """Reports progress on standard error."""
    print(f"keyed.py: {text}", file=sys.stderr, flush=True)


class Bench:
    """All that a workload needs: the command, its peers, the data, and how often to measure."""

    def __init__(self, command, peers, records, rounds, folder):
        self.command = command
        self.peers = peers
        self.records = records
        self.rounds = rounds
        self.target = os.path.join(folder, "answer")

    def available(self, names):
        """The peers with these names that are not skipped."""
        return [self.peers[name] for name in names if self.peers[name].reason is None]

    def ours(self, stream, *options, source=None):
        """Runs a stream of the folder Streams, or a stream file, as a whole process."""
        path = stream if os.path.isabs(stream) else self.command.stream(stream)
        return lambda: self.command.whole(path, list(options), source, self.target)

    def peer_runs(self, names, variant, *files):
        """Runs of the peers with these names as whole processes, by name."""
        return {
            peer.name: lambda peer=peer: peer.whole(variant, files, self.target) for peer in self.available(names)}

    def run_other(self, command, source):
        """Runs another program as a whole process."""
        return processes.run(command, source, self.target)

    def answer(self, run):
        """The answer that a run writes."""
        run()
        return processes.answer(self.target)

    def whole(self, title, count, runs, unchecked=None, unit=NANOSECONDS):
        """Measures whole processes whose answers agree; returns a row of processor time and a row of memory.

        - runs: functions by program; each runs the program once. The first one gives the expected answer.
        - unchecked: programs that are measured beside them and give another answer.
        """
        expected = None
        for name, run in runs.items():
            found = self.answer(run)
            expected = expected or found
            if found != expected:
                raise Wrong(f"{title}: {name} gives {found}, but {next(iter(runs))} {expected}")
        say(f"{title}: {expected.count:,} records from each of {'; '.join(runs)}")
        runs = runs | (unchecked or {})
        usages = {name: [] for name in runs}
        for _ in range(self.rounds):
            for name, run in runs.items():
                usages[name].append(run())
        medians = {name: processes.medians(found) for name, found in usages.items()}
        scale = 1e3 if unit == "ms" else 1e9 / count
        yield Row(title, unit, {name: usage.seconds * scale for name, usage in medians.items()})
        yield Row("peak memory", "MB", {name: usage.megabytes for name, usage in medians.items()})

    def memory(self, title, expected, ours, names, variant, file):
        """Measures programs over values in memory; returns a row.

        - expected: the answer of a whole run.
        - ours: a function that returns processor nanoseconds per value.
        """
        figures = {name: [] for name in (OURS, *(peer.name for peer in self.available(names)))}
        for _ in range(self.rounds):
            figures[OURS].append(ours())
            for peer in self.available(names):
                report = peer.memory(variant, file, 3, self.target)
                self.agree(title, peer.name, (report["count"], report["sum"]), (expected.count, expected.total))
                figures[peer.name].append(statistics.median(report["nanoseconds"]) / self.records.count)
        say(f"{title}: {expected.count:,} records from each of {'; '.join(figures)}")
        return Row(title, NANOSECONDS, {name: statistics.median(found) for name, found in figures.items()})

    def bench(self, title, expected, stream, *options, unfinished=0):
        """A function that measures a stream of the folder Streams over values in memory; checks the published count.

        - unfinished: how many records `streamrun bench` may miss, which ends when it has sent the last value.
        """
        path = stream if os.path.isabs(stream) else self.command.stream(stream)
        measure, count = self.command.memory(path, list(options), self.records.count, self.target)
        if not expected.count - unfinished <= count <= expected.count:
            raise Wrong(f"{title}: 'streamrun bench' publishes {count} records, 'streamrun run' {expected.count}")
        return measure

    def in_turns(self, title, measures):
        """Calls functions that return nanoseconds per value, in turns; returns a row of medians."""
        figures = {name: [] for name in measures}
        for _ in range(self.rounds):
            for name, measure in measures.items():
                figures[name].append(measure())
        say(f"{title}: measured")
        return Row(title, NANOSECONDS, {name: statistics.median(found) for name, found in figures.items()})

    @staticmethod
    def agree(title, name, found, expected):
        """Compares the count, and the sum, of what a program has published from memory."""
        if found != expected:
            raise Wrong(f"{title}: {name} publishes count and sum {found}, but {OURS} {expected}")
