import datetime

from support import DAY, MINUTE, grouped, times

TITLE = "Users per day"
ABOUT = "The number of different users of each day."
COMMAND = "streamrun stream.json --event-time value.ts < visits.ndjson"


def data(random):
    return {"visits.ndjson": [{"ts": ts, "user": random.randrange(80)} for ts in times(random, 600, 15 * MINUTE)]}


def expected(data):
    for day, rows in grouped(data["visits.ndjson"], lambda row: row["ts"] // DAY).items():
        date = datetime.date(1970, 1, 1) + datetime.timedelta(days=day)
        yield {"day": str(date), "users": len({row["user"] for row in rows})}
