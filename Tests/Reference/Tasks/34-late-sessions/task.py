from support import grouped, times

TITLE = "Sessions of late data"
ABOUT = "Visits with a gap of a minute, from clicks that arrive up to 20 seconds out of order."
COMMAND = "streamrun stream.json < clicks.ndjson"
UNORDERED = True


def data(random):
    rows = [{"ts": ts, "user": random.choice("abcdefgh")} for ts in times(random, 800, 5000)]
    return {"clicks.ndjson": sorted(rows, key=lambda row: row["ts"] + random.randrange(19_000))}


def expected(data):
    rows = sorted(data["clicks.ndjson"], key=lambda row: row["ts"])
    for user, clicks in grouped(rows, lambda row: row["user"]).items():
        visits = []
        for ts in (row["ts"] for row in clicks):
            if visits and ts - visits[-1][-1] <= 60_000:
                visits[-1].append(ts)
            else:
                visits.append([ts])
        for visit in visits:
            yield {"user": user, "from": visit[0], "to": visit[-1], "clicks": len(visit)}
