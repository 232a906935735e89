"""Data that the tasks share: events at random times, made from a seed."""

import csv
import io
import json

MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000
START = 1_767_225_600_000  # 2026-01-01T00:00:00Z, in milliseconds


def times(random, count, mean, start=START):
    """Times in milliseconds with random gaps. No two are a whole second apart by chance alone: all are odd."""
    time, result = start, []
    for _ in range(count):
        time += 2 * max(1, int(random.expovariate(1 / mean) / 2))
        result.append(time + 1)
    return result


def grouped(rows, key):
    """The rows of each key, in order of their first row."""
    groups = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return groups


def ndjson(rows):
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def table(rows, delimiter=",", end="\n"):
    """The rows as CSV, with the names of the first row's members first."""
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), delimiter=delimiter, lineterminator=end)
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def percentile(values, percent):
    """Linear interpolation between the two nearest values."""
    values = sorted(values)
    place = (len(values) - 1) * percent / 100
    low = int(place)
    high = min(low + 1, len(values) - 1)
    return values[low] + (values[high] - values[low]) * (place - low)


def iso(milliseconds):
    """A time in milliseconds as the command prints it."""
    seconds, rest = divmod(milliseconds, 1000)
    import datetime

    text = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S")
    return text + (f".{rest:03d}".rstrip("0") if rest else "") + "Z"
