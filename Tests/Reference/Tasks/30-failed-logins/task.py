from support import MINUTE, times

TITLE = "Failed logins"
ABOUT = "An alarm for three failed logins of a user within ten minutes; then none for half an hour."
COMMAND = "streamrun stream.json --event-time value.ts < logins.ndjson"


def data(random):
    return {
        "logins.ndjson": [
            {"ts": ts, "user": random.choice("abcdef"), "ok": random.random() < 0.5}
            for ts in times(random, 800, MINUTE)
        ]
    }


def expected(data):
    failures, alarms = {}, {}
    for row in data["logins.ndjson"]:
        if row["ok"]:
            continue
        newest = failures.setdefault(row["user"], [])
        newest.append(row["ts"])
        if len(newest) >= 3 and newest[-1] - newest[-3] <= 10 * MINUTE:
            if row["user"] not in alarms or row["ts"] - alarms[row["user"]] > 30 * MINUTE:
                alarms[row["user"]] = row["ts"]
                yield {"user": row["user"], "from": newest[-3], "to": row["ts"]}
