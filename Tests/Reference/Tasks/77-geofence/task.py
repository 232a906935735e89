import math

TITLE = "Geo-fence"
ABOUT = "When each ship enters or leaves a circle of 10 km around a harbor, by the haversine formula."
COMMAND = "streamrun stream.json < positions.ndjson"


def data(random):
    return {
        "positions.ndjson": [
            {
                "ship": random.choice("abc"),
                "lat": round(random.gauss(53.54, 0.1), 5),
                "lon": round(random.gauss(9.97, 0.15), 5),
            }
            for _ in range(400)
        ]
    }


def expected(data):
    last = {}
    for row in data["positions.ndjson"]:
        a, b, east = math.radians(53.54), math.radians(row["lat"]), math.radians(row["lon"] - 9.97)
        km = 6371 * math.acos(min(1, math.sin(a) * math.sin(b) + math.cos(a) * math.cos(b) * math.cos(east)))
        inside = km < 10
        if last.get(row["ship"]) != inside:
            yield {"ship": row["ship"], "inside": inside, "km": round(km, 3)}
        last[row["ship"]] = inside
