from support import grouped, times

TITLE = "Door left open"
ABOUT = (
    "An alert for each door that has been open for two minutes. "
    "With a live pipe, an alert waits for the next value of any door; add `--idle 5`, and after five "
    "seconds without values, time passes by the clock of the machine: see "
    "[Event time](../../StreamKit/StreamKit.docc/Format.md#event-time)."
)
COMMAND = "streamrun stream.json --event-time value.ts < doors.ndjson"
UNORDERED = True


def data(random):
    return {
        "doors.ndjson": [
            {"ts": ts, "door": random.choice("abc"), "open": random.random() < 0.5}
            for ts in times(random, 300, 30_000)
        ]
    }


def expected(data):
    rows = data["doors.ndjson"]
    for door, events in grouped(rows, lambda row: row["door"]).items():
        changes = [row for index, row in enumerate(events) if index == 0 or events[index - 1]["open"] != row["open"]]
        for row, end in zip(changes, [row["ts"] for row in changes[1:]] + [rows[-1]["ts"]]):
            if row["open"] and end - row["ts"] > 120_000:
                yield {"door": door, "since": row["ts"]}
