from support import times

TITLE = "Hysteresis"
ABOUT = "A fan that is switched on above 15 degrees, and off below 12."
COMMAND = "streamrun stream.json < readings.ndjson"


def data(random):
    return {
        "readings.ndjson": [
            {"ts": ts, "celsius": round(random.gauss(13.5, 1.5), 1)} for ts in times(random, 500, 1000)
        ]
    }


def expected(data):
    on = last = None
    for row in data["readings.ndjson"]:
        on = True if row["celsius"] > 15 else False if row["celsius"] < 12 else bool(on)
        if on != last:
            yield {"ts": row["ts"], "on": on}
        last = on
