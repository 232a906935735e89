"""How time and memory grow with the number of keys, and with the number of operators."""

import json
import os
import statistics

from . import processes
from .measuring import say

KEYS = (1, 10, 100, 1000, 10_000, 100_000, 300_000, 1_000_000)
# A run has a limit of operators that are active at once, and each group has several.
REFUSAL = "error S409: more than 1000000 operators and sources are active at once"
OPERATORS = (1, 2, 5, 10, 20, 50, 100, 200)


def growing_keys(bench):
    """Prints time per record and bytes per group, for 1 to 1,000,000 keys."""
    print("\n### Growth: keys\n")
    print("W9, running totals, the whole process from NDJSON. Bytes a group: the peak memory beyond that with one key,")
    print("divided by the number of keys.\n")
    print("| keys | ns a record | peak MB | bytes a group |")
    print("| ---: | ---: | ---: | ---: |")
    least = None
    for keys in sorted({min(keys, bench.records.count) for keys in KEYS}):
        options = ["--memory", "16GB", "--input", f"event={bench.records.growing(keys)}"]
        run = bench.ours("w9", *options)
        try:
            check_totals(bench, keys, run)
        except processes.Failed as error:
            if REFUSAL not in str(error):
                raise
            print(f"| {keys:,} | refused: {REFUSAL} | – | – |", flush=True)
            continue
        usage = processes.medians([run() for _ in range(bench.rounds)])
        least = least or usage.megabytes
        nanoseconds = usage.seconds / bench.records.count * 1e9
        # Below a thousand groups, the pages of the process hide their memory.
        group = f"{(usage.megabytes - least) * 2**20 / keys:,.0f}" if keys >= 1000 else "–"
        print(f"| {keys:,} | {nanoseconds:,.0f} | {usage.megabytes:,.0f} | {group} |", flush=True)


def check_totals(bench, keys, run):
    """Compares the running totals with those of Python."""
    found = bench.answer(run)
    sums, total = {}, 0
    with open(bench.records.growing(keys), "rb") as file:
        for line in file:
            record = json.loads(line)
            sums[record["user"]] = sums.get(record["user"], 0) + record["amount"]
            total += sums[record["user"]]
    bench.agree(f"{keys} keys", "the command", (found.count, found.total), (bench.records.count, total))
    say(f"growth: {keys} keys, the totals are right")


def growing_operators(bench):
    """Prints time per value for streams of 1 to 200 operators, alone and within groups."""
    print("\n### Growth: operators\n")
    print("As many `map` of `value + 1`, from memory: on the stream, and on each of 1,000 groups.\n")
    print("| operators | ns a value | ns an operator | compile ms | in groups: ns a value | ns an operator |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: |")
    numbers = f"number={bench.records.numbers()}"
    for count in OPERATORS:
        maps = [{"map": {"expression": "value + 1"}}] * count
        groups = [{"groupBy": {"key": "value % 1000", "operators": maps}}]
        alone, compiling = measure_operators(bench, maps, numbers, count)
        grouped, _ = measure_operators(bench, groups, numbers, count)
        print(
            f"| {count} | {alone:,.1f} | {alone / count:,.1f} | {compiling:.2f}"
            f" | {grouped:,.0f} | {grouped / count:,.1f} |", flush=True)


def measure_operators(bench, operators, numbers, added):
    """Nanoseconds per value, and milliseconds to compile, of a stream with these operators.

    - added: how much the operators add to each number; the answer is compared with it.
    """
    model = {
        "inputs": {"number": {"type": "int"}},
        "source": {"input": {"name": "number"}},
        "operators": operators,
    }
    path = os.path.join(bench.records.folder, "operators.json")
    with open(path, "w") as file:
        json.dump(model, file)
    found = bench.answer(bench.ours(path, "--input", numbers))
    count = bench.records.count
    title = f"{added} operators"
    bench.agree(title, "the command", (found.count, found.total), (count, count * (count + 1) // 2 + count * added))
    measure = bench.bench(title, found, path, "--input", numbers)
    figures = [measure() for _ in range(bench.rounds)]
    _, report = bench.command.bench(path, ["--input", numbers], 1000, 1, bench.target)
    return statistics.median(figures), report["compileNanoseconds"] / 1e6
