from support import grouped, times

TITLE = "Down and up again"
ABOUT = (
    "The changes of each host between up and down; a host is down after 30 seconds of silence. "
    "With a live pipe, a change to down waits for the next value of any host; add `--idle 5`, and after five "
    "seconds without values, time passes by the clock of the machine: see "
    "[Event time](../../StreamKit/StreamKit.docc/Format.md#event-time)."
)
COMMAND = "streamrun stream.json --event-time value.ts < beats.ndjson"
UNORDERED = True


def data(random):
    return {"beats.ndjson": [{"ts": ts, "host": random.choice("abc")} for ts in times(random, 400, 5000)]}


def expected(data):
    for host, rows in grouped(data["beats.ndjson"], lambda row: row["host"]).items():
        yield {"host": host, "state": "up", "ts": rows[0]["ts"]}
        for before, after in zip(rows, rows[1:]):
            if after["ts"] - before["ts"] > 30_000:
                yield {"host": host, "state": "down", "ts": before["ts"] + 30_000}
                yield {"host": host, "state": "up", "ts": after["ts"]}
        yield {"host": host, "state": "down", "ts": rows[-1]["ts"] + 30_000}  # After the end of the data.
