"""W9, W10, W13 and W14 as plain Python with orjson.

keyed_python.py whole VARIANT FILE…    writes the answer as lines of JSON
keyed_python.py memory VARIANT FILE R  measures R rounds over values in memory and prints the figures as JSON
"""

import csv
import heapq
import json
import sys
import time
from collections import defaultdict

import orjson


def events(path):
    """The records of a file of NDJSON, one by one."""
    with open(path, "rb") as file:
        for line in file:
            yield orjson.loads(line)


def running(records):
    """W9: the running total of the user of each record."""
    totals = defaultdict(int)
    for record in records:
        user = record["user"]
        totals[user] += record["amount"]
        yield {"user": user, "total": totals[user]}


def totals(records):
    """W9: the total of each user."""
    sums = defaultdict(int)
    for record in records:
        sums[record["user"]] += record["amount"]
    for user, total in sums.items():
        yield {"user": user, "total": total}


def debounce(records):
    """W10: each record that its user's next record follows after more than a second, and each user's last record."""
    pending = {}
    deadlines = []
    for record in records:
        now, user = record["t"], record["user"]
        while deadlines and deadlines[0][0] < now:
            _, silent = heapq.heappop(deadlines)
            due = pending[silent]["t"] + 1000
            if due < now:
                yield pending.pop(silent)
            else:
                heapq.heappush(deadlines, (due, silent))
        if user not in pending:
            heapq.heappush(deadlines, (now + 1000, user))
        pending[user] = record
    yield from pending.values()


def timeout(records):
    """W10: each user's records up to the first silence of more than 30 seconds, and a record for that silence."""
    latest = {}
    late = set()
    deadlines = []
    for record in records:
        now, user = record["t"], record["user"]
        while deadlines and deadlines[0][0] < now:
            _, silent = heapq.heappop(deadlines)
            due = latest[silent] + 30_000
            if due < now:
                late.add(silent)
                yield {"user": silent, "late": True}
            else:
                heapq.heappush(deadlines, (due, silent))
        if user in late:
            continue
        if user not in latest:
            heapq.heappush(deadlines, (now + 30_000, user))
        latest[user] = now
        yield record


def keyed_join(orders, payments, longest=60_000):
    """W13: each order whose payment comes within 60 seconds, or another time."""
    open_orders = {record["id"]: record for record in orders}
    for payment in payments:
        order = open_orders.get(payment["id"])
        if order is not None and 0 <= payment["t"] - order["t"] <= longest:
            yield {"id": order["id"], "amount": order["amount"], "wait": payment["t"] - order["t"]}


def rows(path):
    """The records of a table, one by one."""
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            yield {name: int(text) for name, text in row.items()}


def doubled(records):
    """W14: the records of at least 500, shortened."""
    for record in records:
        if record["amount"] >= 500:
            yield {"user": record["user"], "double": record["amount"] * 2}


KEYED = {"running": running, "totals": totals, "debounce": debounce, "timeout": timeout}


def answer(variant, paths):
    """The records that a variant publishes for its files."""
    if variant in KEYED:
        return KEYED[variant](events(paths[0]))
    if variant in ("join", "pairs"):
        return keyed_join(events(paths[0]), events(paths[1]), 60_000 if variant == "join" else float("inf"))
    return doubled(events(paths[0]) if variant == "ndjson" else rows(paths[0]))


def write_whole(variant, paths):
    """Writes the answer to standard output."""
    write = sys.stdout.buffer.write
    for record in answer(variant, paths):
        write(orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE))


def measure_memory(variant, path, rounds):
    """Prints the processor nanoseconds of each round, and the count and sum of the published numbers."""
    records = list(events(path))
    field = "total" if variant in ("running", "totals") else "amount"
    taken = []
    for _ in range(rounds):
        count = total = 0
        start = time.process_time_ns()
        for record in KEYED[variant](records):
            count += 1
            total += record.get(field, 0)
        taken.append(time.process_time_ns() - start)
    print(json.dumps({"nanoseconds": taken, "count": count, "sum": total}))


if __name__ == "__main__":
    if sys.argv[1] == "whole":
        write_whole(sys.argv[2], sys.argv[3:])
    else:
        measure_memory(sys.argv[2], sys.argv[3], int(sys.argv[4]))
