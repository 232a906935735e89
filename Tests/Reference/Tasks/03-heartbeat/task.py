from support import grouped, times

TITLE = "Missing heartbeats"
ABOUT = (
    "An alert for each host that has been silent for 30 seconds, and again after its next silence. "
    "With a live pipe, an alert waits for the next value of any host; add `--idle 5`, and after five "
    "seconds without values, time passes by the clock of the machine: see "
    "[Event time](../../StreamKit/StreamKit.docc/Format.md#event-time)."
)
COMMAND = "streamrun stream.json --event-time value.ts < beats.ndjson"


def data(random):
    return {
        "beats.ndjson": [{"ts": ts, "host": random.choice(["web", "db", "mail"])} for ts in times(random, 300, 5000)]
    }


def expected(data):
    rows, alerts = data["beats.ndjson"], []
    for host, beats in grouped(rows, lambda row: row["host"]).items():
        beats = [row["ts"] for row in beats]
        for beat, following in zip(beats, beats[1:] + [None]):
            silent = rows[-1]["ts"] - beat if following is None else following - beat
            if silent > 30_000:
                alerts.append((beat, host))
    return [{"host": host, "last": beat} for beat, host in sorted(alerts)]
