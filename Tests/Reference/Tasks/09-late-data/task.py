from support import MINUTE, grouped, times

TITLE = "Late data"
ABOUT = "Sums per sensor and minute. Readings may be five seconds out of order; later ones go to a file."
COMMAND = "streamrun stream.json --late-output late.ndjson < readings.ndjson"
UNORDERED = True


def data(random):
    rows = [
        {"ts": ts, "sensor": random.choice("abc"), "value": random.randrange(100)} for ts in times(random, 500, 1000)
    ]
    arrival = [
        (row["ts"] + (random.choice([30_000, 90_000]) if random.random() < 0.05 else random.randrange(4000)), row)
        for row in rows
    ]
    return {"readings.ndjson": [row for _, row in sorted(arrival, key=lambda item: item[0])]}


def split(rows):
    newest, kept, late = 0, [], []
    for row in rows:
        (late if row["ts"] < newest - 5000 else kept).append(row)
        newest = max(newest, row["ts"])
    return kept, late


def expected(data):
    kept, late = split(data["readings.ndjson"])
    assert len(late) > 10
    sums = grouped(kept, lambda row: (row["sensor"], row["ts"] // MINUTE))
    return {
        "stdout": [
            {"sensor": sensor, "minute": minute, "sum": sum(row["value"] for row in rows)}
            for (sensor, minute), rows in sums.items()
        ],
        "late.ndjson": late,
    }
