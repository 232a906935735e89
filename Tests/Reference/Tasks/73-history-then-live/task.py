from itertools import accumulate

TITLE = "History, then live"
ABOUT = "First a file of the past, then standard input; nothing that comes meanwhile is lost."
COMMAND = "streamrun stream.json < live.ndjson"


def data(random):
    return {name: [{"n": random.randrange(100)} for _ in range(1000)] for name in ("history.ndjson", "live.ndjson")}


def expected(data):
    return list(accumulate(row["n"] for row in data["history.ndjson"] + data["live.ndjson"]))
