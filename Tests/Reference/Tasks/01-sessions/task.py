from support import MINUTE, grouped, times

TITLE = "Sessions"
ABOUT = "The visits of each user, which end when the user does nothing for 30 minutes."
COMMAND = "streamrun stream.json --event-time value.ts < clicks.ndjson"
UNORDERED = True


def data(random):
    return {
        "clicks.ndjson": [
            {"ts": ts, "user": random.choice("abcdefgh"), "page": random.choice(["/", "/a"])}
            for ts in times(random, 600, 3 * MINUTE)
        ]
    }


def expected(data):
    for user, clicks in grouped(data["clicks.ndjson"], lambda row: row["user"]).items():
        visits = []
        for click in clicks:
            if visits and click["ts"] - visits[-1][-1] <= 30 * MINUTE:
                visits[-1].append(click["ts"])
            else:
                visits.append([click["ts"]])
        for visit in visits:
            yield {"user": user, "from": visit[0], "to": visit[-1], "clicks": len(visit)}
