TITLE = "A slow step"
ABOUT = "Back-pressure: the input waits for a step that takes its time, and nothing is lost."
COMMAND = "streamrun stream.json < jobs.ndjson"


def data(random):
    return {"jobs.ndjson": [{"id": random.randrange(10**6)} for _ in range(1500)]}


def expected(data):
    return [row["id"] for row in data["jobs.ndjson"]]
