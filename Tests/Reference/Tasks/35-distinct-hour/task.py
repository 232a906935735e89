from support import HOUR, MINUTE, times

TITLE = "Distinct for an hour"
ABOUT = "A message is dropped if it was published in the hour before it; what was seen earlier is forgotten."
COMMAND = "streamrun stream.json --event-time value.ts < messages.ndjson"


def data(random):
    return {"messages.ndjson": [{"ts": ts, "id": random.randrange(60)} for ts in times(random, 800, 2 * MINUTE)]}


def expected(data):
    published = {}
    for row in data["messages.ndjson"]:
        if row["id"] not in published or row["ts"] - published[row["id"]] > HOUR:
            published[row["id"]] = row["ts"]
            yield row
