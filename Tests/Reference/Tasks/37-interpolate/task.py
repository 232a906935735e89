from support import times

TITLE = "Interpolation"
ABOUT = "Linear interpolation at each full second between two readings."
COMMAND = "streamrun stream.json < readings.ndjson"


def data(random):
    return {"readings.ndjson": [{"ts": ts, "v": round(random.gauss(0, 9), 2)} for ts in times(random, 300, 1500)]}


def expected(data):
    rows = data["readings.ndjson"]
    for before, after in zip(rows, rows[1:]):
        for second in range(before["ts"] // 1000 + 1, after["ts"] // 1000 + 1):
            share = (second * 1000 - before["ts"]) / (after["ts"] - before["ts"])
            yield {"second": second, "v": before["v"] + share * (after["v"] - before["v"])}
