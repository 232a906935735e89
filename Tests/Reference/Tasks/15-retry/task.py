TITLE = "Retry with back-off"
ABOUT = "Reads a file that appears later, and tries again after 0.1, 0.2, 0.4 … seconds."
COMMAND = "(sleep 0.4; mv report.tmp report.ndjson) & streamrun stream.json"


def data(random):
    return {"report.tmp": [{"id": random.randrange(1000)} for _ in range(20)]}


def expected(data):
    return [row["id"] for row in data["report.tmp"]]
