from support import times

TITLE = "Merge by time"
ABOUT = "Two files that are sorted by time become one that is sorted by time."
COMMAND = "streamrun stream.json --input first=a.ndjson --input second=b.ndjson"


def data(random):
    rows = [{"ts": ts, "from": random.choice("ab")} for ts in times(random, 500, 1000)]
    return {f"{name}.ndjson": [row for row in rows if row["from"] == name] for name in "ab"}


def expected(data):
    return sorted(data["a.ndjson"] + data["b.ndjson"], key=lambda row: row["ts"])
