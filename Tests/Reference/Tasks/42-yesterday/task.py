from decimal import ROUND_HALF_UP, Decimal

from support import DAY, HOUR, START

TITLE = "Against yesterday"
ABOUT = "The change of each hour against the same hour of the day before; hours may be missing."
COMMAND = "streamrun stream.json < hours.ndjson"


def data(random):
    return {
        "hours.ndjson": [
            {"ts": START + index * HOUR, "n": random.randrange(1, 1000)}
            for index in range(240)
            if random.random() < 0.95
        ]
    }


def expected(data):
    rows = {row["ts"]: row["n"] for row in data["hours.ndjson"]}
    for ts, n in rows.items():
        if ts - DAY in rows:
            percent = Decimal((n - rows[ts - DAY]) * 100.0 / rows[ts - DAY]).quantize(Decimal("0.01"), ROUND_HALF_UP)
            yield {"ts": ts, "percent": float(percent)}
