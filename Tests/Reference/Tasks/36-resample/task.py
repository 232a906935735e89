from support import times

TITLE = "A value each second"
ABOUT = "Readings at odd times become a value for each second of the clock; the last one is carried forward."
COMMAND = "streamrun stream.json < readings.ndjson"


def data(random):
    return {"readings.ndjson": [{"ts": ts, "v": random.randrange(100)} for ts in times(random, 300, 1500)]}


def expected(data):
    rows = data["readings.ndjson"]
    second = -(-rows[0]["ts"] // 1000)
    index = 0
    while second * 1000 < rows[-1]["ts"]:
        while rows[index + 1]["ts"] <= second * 1000:
            index += 1
        yield {"second": second, "v": rows[index]["v"]}
        second += 1
