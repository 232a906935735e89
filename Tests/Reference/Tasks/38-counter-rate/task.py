from support import times

TITLE = "Rates of counters"
ABOUT = "Bytes per second of each port, from counters that begin at 0 again when a device restarts."
COMMAND = "streamrun stream.json < counters.ndjson"


def data(random):
    counts, rows = {}, []
    for ts in times(random, 500, 1000):
        port = random.choice("abc")
        counts[port] = 0 if random.random() < 0.05 else counts.get(port, 0) + random.randrange(100_000)
        rows.append({"ts": ts, "port": port, "bytes": counts[port]})
    return {"counters.ndjson": rows}


def expected(data):
    last = {}
    for row in data["counters.ndjson"]:
        before = last.get(row["port"])
        if before and row["bytes"] >= before["bytes"]:
            yield {
                "port": row["port"],
                "ts": row["ts"],
                "rate": (row["bytes"] - before["bytes"]) * 1000 / (row["ts"] - before["ts"]),
            }
        last[row["port"]] = row
