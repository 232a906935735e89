"""The workloads W9 to W14. Each prints its table."""

import os
import shutil

from .measuring import OURS
from .tables import print_table

VIRTUAL, EVENT = "virtual time", "event time"
KEYS = (1000, 100_000)
RATIO = "In parentheses: the ratio to streamrun. Above 1, streamrun takes less processor time."


def keys_text(keys):
    """How a table names a number of keys."""
    return f"{keys:,} keys"


def w9(bench):
    """Running totals and totals by key."""
    rows = []
    for keys in KEYS:
        file = bench.records.events(keys)
        feed = f"event={file}"
        runs = {OURS: bench.ours("w9", "--input", feed)}
        runs |= bench.peer_runs(["Python", "DuckDB", "Polars", "Bytewax", "RxJS"], "running", file)
        rows += bench.whole(f"running totals, {keys_text(keys)}, from NDJSON", bench.records.count, runs)
        runs = {OURS: bench.ours("w9-totals", "--input", feed)}
        runs |= bench.peer_runs(["Python", "DuckDB", "Polars", "RxJS"], "totals", file)
        rows += bench.whole(f"totals at the end, {keys_text(keys)}, from NDJSON", bench.records.count, runs)
        expected = bench.answer(bench.ours("w9", "--input", feed))
        title = f"running totals, {keys_text(keys)}, in memory"
        ours = bench.bench(title, expected, "w9", "--input", feed)
        rows.append(bench.memory(title, expected, ours, ["Python", "RxJS", "Swift loop"], "running", file))
    print_table("W9: totals by key", rows, RATIO)


def w10(bench):
    """Timers by key, in event time."""
    rows = []
    for keys in KEYS:
        file = bench.records.events(keys)
        options = ["--input", f"event={file}", "--event-time", "value.t"]
        for variant, peers in (("debounce", ["Python", "DuckDB", "Polars"]), ("timeout", ["Python"])):
            stream = f"w10-{variant}"
            title = f"{variant}, {keys_text(keys)}"
            runs = {OURS: bench.ours(stream, *options)} | bench.peer_runs(peers, variant, file)
            rows += bench.whole(f"{title}, from NDJSON", bench.records.count, runs)
            expected = bench.answer(bench.ours(stream, *options))
            title += ", in memory"
            ours = bench.bench(title, expected, stream, *options, unfinished=bench.records.last_instant(keys))
            rows.append(bench.memory(title, expected, ours, ["Python", "Swift loop"], variant, file))
    print_table("W10: timers by key, event time", rows, RATIO)


def w11(bench):
    """Inner streams."""
    rows = []
    file = bench.records.events(1000)
    for variant in ("flatMap", "switchMap", "concatMap", "window"):
        stream = f"w11-{variant}"
        expected = bench.answer(bench.ours(stream, "--input", f"event={file}"))
        ours = bench.bench(variant, expected, stream, "--input", f"event={file}")
        rows.append(bench.memory(f"{variant}, in memory", expected, ours, ["RxJS"], variant, file))
    print_table("W11: inner streams", rows, RATIO)


def w12(bench):
    """Event time beside virtual time, which publish the same records."""
    records = bench.records
    numbers, gravity, events = (
        f"number={records.numbers()}", f"gravity={records.gravity()}", f"event={records.events(1000)}")
    rows = []
    for title, stream, feed, time in (
        ("W1, numbers", "w12", numbers, "value"), ("W4, declared records", "w4-declared", gravity, "value.t"),
        ("W14, filter and map", "w14-ndjson", events, "value.t"), ("W9, 1,000 keys", "w9", events, "value.t"),
    ):
        runs = {
            VIRTUAL: bench.ours(stream, "--input", feed, "--virtual"),
            EVENT: bench.ours(stream, "--input", feed, "--event-time", time),
        }
        rows += bench.whole(f"{title}, from NDJSON", records.count, runs)
    for title, stream, feed, time, every, unfinished in (
        ("W1, numbers", "w12", numbers, "value", "0.001", 0),
        ("W4, declared records", "w4-declared", gravity, "value.t", "0.001", 0),
        ("W9, 1,000 keys", "w9", events, "value.t", "0.003", 0),
        ("W10 debounce, 1,000 keys", "w10-debounce", events, "value.t", "0.003", 0),
        ("W10 timeout, 1,000 keys", "w10-timeout", events, "value.t", "0.003", records.last_instant(1000)),
    ):
        expected = bench.answer(bench.ours(stream, "--input", feed, "--event-time", time))
        measures = {
            name: bench.bench(title, expected, stream, "--input", feed, *options, unfinished=unfinished)
            for name, options in ((VIRTUAL, ["--every", every]), (EVENT, ["--event-time", time]))
        }
        rows.append(bench.in_turns(f"{title}, in memory", measures))
    print_table("W12: event time beside virtual time", rows, "In parentheses: the ratio to virtual time.")


def w13(bench):
    """A keyed join within 60 seconds."""
    count = max(1, bench.records.count // 50)
    files = [bench.records.orders(count), bench.records.payments(count)]
    options = ["--input", f"order={files[0]}", "--input", f"payment={files[1]}", "--event-time", "value.t"]
    runs = {
        OURS: bench.ours("w13", *options),
        f"{OURS}, groupBy": bench.ours("w13-groupBy", *options),
        f"{OURS}, without a key": bench.ours("w13-product", *options),
    }
    runs |= bench.peer_runs(["Python", "DuckDB", "Polars"], "join", *files)
    rows = list(bench.whole(f"{count:,} orders, {count:,} payments, from NDJSON", 2 * count, runs, unit="ms"))
    print_table("W13: a join by key within 60 seconds", rows, f"Whole processes, 600 open orders. {RATIO}")
    runs = {OURS: bench.ours("w13-all", *options[:4], "--virtual")}
    runs |= bench.peer_runs(["Python", "DuckDB", "Polars"], "pairs", *files)
    rows = list(bench.whole(f"{count:,} orders, {count:,} payments, from NDJSON", 2 * count, runs, unit="ms"))
    print_table("W13: a join by key of all records", rows, f"Whole processes, all records open. {RATIO}")


def w14(bench):
    """Filter and map of NDJSON and CSV, whole processes."""
    records = bench.records
    lines, table = records.events(1000), records.table()
    # The stream refers to the table by its place beside it.
    beside = shutil.copy(bench.command.stream("w14-csv"), os.path.dirname(table))
    rows = []
    for title, file, variant, stream in (
        ("NDJSON", lines, "ndjson", "w14-ndjson"), ("CSV", table, "csv", os.path.abspath(beside)),
    ):
        source = lines if variant == "ndjson" else None
        runs = {
            OURS: bench.ours(stream, source=source),
            f"{OURS}, 1 thread": bench.ours(stream, "--threads", "1", source=source),
        }
        runs |= bench.peer_runs(["Python", "DuckDB", "Polars"], variant, file)
        count_lines = {"wc -l": lambda file=file: bench.run_other(["wc", "-l"], file)}
        rows += bench.whole(title, records.count, runs, count_lines)
    print_table("W14: filter and map of a file", rows, f"Whole processes. {RATIO}")
