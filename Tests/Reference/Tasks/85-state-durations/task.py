from support import grouped, times

TITLE = "Time in each state"
ABOUT = "How long each job was in each of its states."
COMMAND = "streamrun stream.json < jobs.ndjson"


def data(random):
    return {
        "jobs.ndjson": [
            {"ts": ts, "job": random.choice("abc"), "state": random.choice(["queued", "running", "held"])}
            for ts in times(random, 300, 1000)
        ]
    }


def expected(data):
    for job, rows in grouped(data["jobs.ndjson"], lambda row: row["job"]).items():
        total = {}
        for before, after in zip(rows, rows[1:]):
            total[before["state"]] = total.get(before["state"], 0) + after["ts"] - before["ts"]
        yield {"job": job, "ms": total}
