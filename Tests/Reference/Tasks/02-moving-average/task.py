from support import times

TITLE = "Moving average"
ABOUT = "The mean of the newest five readings, with each reading from the fifth on."
COMMAND = "streamrun stream.json < readings.ndjson"


def data(random):
    return {
        "readings.ndjson": [{"ts": ts, "celsius": round(random.gauss(20, 3), 2)} for ts in times(random, 300, 1000)]
    }


def expected(data):
    rows = data["readings.ndjson"]
    for end in range(4, len(rows)):
        yield {"ts": rows[end]["ts"], "mean": sum(row["celsius"] for row in rows[end - 4 : end + 1]) / 5}
