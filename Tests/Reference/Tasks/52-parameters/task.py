from support import times

TITLE = "Parameters"
ABOUT = "A duration and a threshold are given on the command line."
COMMAND = "streamrun stream.json --event-time value.ts --set quiet=2 --set least=50 < values.ndjson"


def data(random):
    return {"values.ndjson": [{"ts": ts, "n": random.randrange(100)} for ts in times(random, 400, 1000)]}


def expected(data):
    rows = data["values.ndjson"]
    kept = [row for row in rows if row["n"] >= 50]
    for row, following in zip(kept, [row["ts"] for row in kept[1:]] + [None]):
        if (following or rows[-1]["ts"]) - row["ts"] > 2000:
            yield row
