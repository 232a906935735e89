from support import HOUR, MINUTE, times

TITLE = "Impossible travel"
ABOUT = "Logins of one user from two countries within an hour."
COMMAND = "streamrun stream.json < logins.ndjson"


def data(random):
    return {
        "logins.ndjson": [
            {"ts": ts, "user": random.choice("abcdef"), "country": random.choice(["NO", "NO", "JP"])}
            for ts in times(random, 400, 10 * MINUTE)
        ]
    }


def expected(data):
    last = {}
    for row in data["logins.ndjson"]:
        before = last.get(row["user"])
        if before and before["country"] != row["country"] and row["ts"] - before["ts"] < HOUR:
            yield {"user": row["user"], "from": before["country"], "to": row["country"], "ts": row["ts"]}
        last[row["user"]] = row
