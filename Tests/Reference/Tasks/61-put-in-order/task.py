from support import times

TITLE = "Put in order"
ABOUT = "Values that arrive up to five seconds out of order come out sorted by their time."
COMMAND = "streamrun stream.json < events.ndjson"


def data(random):
    rows = [{"ts": ts, "id": index} for index, ts in enumerate(times(random, 500, 500))]
    return {"events.ndjson": sorted(rows, key=lambda row: row["ts"] + random.randrange(4900))}


def expected(data):
    rows = data["events.ndjson"]
    assert rows != sorted(rows, key=lambda row: row["ts"])
    return list(range(len(rows)))
