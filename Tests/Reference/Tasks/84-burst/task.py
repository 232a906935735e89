from support import times

TITLE = "Summary of a burst"
ABOUT = "One message for a burst of alerts, when ten seconds have passed without another one."
COMMAND = "streamrun stream.json --event-time value.ts < alerts.ndjson"


def data(random):
    return {"alerts.ndjson": [{"ts": ts, "host": random.choice("abcd")} for ts in times(random, 400, 5000)]}


def expected(data):
    bursts = []
    for row in data["alerts.ndjson"]:
        if bursts and row["ts"] - bursts[-1][-1]["ts"] <= 10_000:
            bursts[-1].append(row)
        else:
            bursts.append([row])
    for burst in bursts:
        yield {"n": len(burst), "hosts": sorted({row["host"] for row in burst})}
