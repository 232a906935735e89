from support import grouped, percentile

TITLE = "Percentiles"
ABOUT = "Median, 90th and 99th percentile of the magnitudes that each network reports."
COMMAND = "streamrun stream.json < quakes.ndjson"


def data(random):
    return {
        "quakes.ndjson": [
            {"net": random.choice(["us", "ak", "ci"]), "mag": round(random.expovariate(1), 1)} for _ in range(500)
        ]
    }


def expected(data):
    for net, rows in grouped(data["quakes.ndjson"], lambda row: row["net"]).items():
        values = [row["mag"] for row in rows]
        yield {"net": net, "n": len(values), **{f"p{p}": percentile(values, p) for p in (50, 90, 99)}}
