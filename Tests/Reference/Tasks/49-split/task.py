from collections import Counter

from support import table

TITLE = "Split by level"
ABOUT = "The errors of a log as NDJSON, and the number of lines of each level as CSV, in one run."
COMMAND = "streamrun stream.json --output errors=errors.ndjson --output levels=levels.csv < log.ndjson"


def data(random):
    return {
        "log.ndjson": [
            {"level": random.choice(["info", "warning", "error"]), "message": f"m{index}"} for index in range(200)
        ]
    }


def expected(data):
    rows = data["log.ndjson"]
    counts = Counter(row["level"] for row in rows)
    return {
        "errors.ndjson": [row for row in rows if row["level"] == "error"],
        "levels.csv": table([{"level": level, "n": n} for level, n in counts.items()], end="\r\n"),
    }
