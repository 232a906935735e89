TITLE = "Several outputs"
ABOUT = "Alerts go to one file, the other readings to another, and their number to standard output."
COMMAND = (
    "streamrun stream.json --output alerts=alerts.ndjson --output rest=rest.ndjson --output count=- "
    "< readings.ndjson"
)


def data(random):
    return {"readings.ndjson": [{"id": index, "celsius": round(random.uniform(10, 35), 1)} for index in range(300)]}


def expected(data):
    rows = data["readings.ndjson"]
    return {
        "alerts.ndjson": [row for row in rows if row["celsius"] > 30],
        "rest.ndjson": [row for row in rows if row["celsius"] <= 30],
        "stdout": [len(rows)],
    }
