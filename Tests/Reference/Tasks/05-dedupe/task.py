from support import MINUTE, times

TITLE = "Duplicates within ten minutes"
ABOUT = "An alarm is dropped if the same alarm was published in the ten minutes before it."
COMMAND = "streamrun stream.json --event-time value.ts < alarms.ndjson"


def data(random):
    return {"alarms.ndjson": [{"ts": ts, "id": random.choice("abcdefghij")} for ts in times(random, 800, MINUTE)]}


def expected(data):
    published = {}
    for row in data["alarms.ndjson"]:
        if row["id"] not in published or row["ts"] - published[row["id"]] > 10 * MINUTE:
            published[row["id"]] = row["ts"]
            yield row
