from collections import Counter

from support import MINUTE, grouped, iso, times

TITLE = "Top three of each minute"
ABOUT = "The three regions with the most quakes in each minute of the clock."
COMMAND = "streamrun stream.json --event-time value.ts < quakes.ndjson"


def data(random):
    return {"quakes.ndjson": [{"ts": ts, "region": random.choice("abcdef")} for ts in times(random, 600, 2000)]}


def expected(data):
    for minute, rows in grouped(data["quakes.ndjson"], lambda row: row["ts"] // MINUTE).items():
        counts = Counter(row["region"] for row in rows)
        top = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:3]
        yield {"minute": iso(minute * MINUTE), "top": [{"region": region, "n": n} for region, n in top]}
