from fractions import Fraction

from support import times

TITLE = "Rate limit per user"
ABOUT = (
    "A token bucket for each user holds five requests, and gains one each two seconds: five requests at once, then "
    "one each two seconds. So up to nine pass within the first ten seconds. Others are dropped."
)
COMMAND = "streamrun stream.json --event-time value.ts < requests.ndjson"


def data(random):
    return {
        "requests.ndjson": [
            {"ts": ts, "user": random.choice("abc"), "id": index} for index, ts in enumerate(times(random, 600, 400))
        ]
    }


def expected(data):
    buckets = {}
    for row in data["requests.ndjson"]:
        tokens, last = buckets.get(row["user"], (Fraction(5), row["ts"]))
        tokens = min(Fraction(5), tokens + Fraction(row["ts"] - last, 2000))
        if tokens >= 1:
            tokens -= 1
            yield row
        buckets[row["user"]] = (tokens, row["ts"])
