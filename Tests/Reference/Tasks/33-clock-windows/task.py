from support import MINUTE, START

TITLE = "Minutes of the clock"
ABOUT = "Windows that begin at whole minutes. A value at a boundary belongs to the later one, as in SQL."
COMMAND = "streamrun stream.json --event-time value.ts < sales.ndjson"


def data(random):
    seconds = sorted(random.sample(range(0, 3000), 200))
    return {"sales.ndjson": [{"ts": START + 1000 * second, "amount": random.randrange(100)} for second in seconds]}


def expected(data):
    rows = data["sales.ndjson"]
    minutes = [row["ts"] // MINUTE for row in rows]
    for minute in range(minutes[0], minutes[-1] + 1):
        amounts = [row["amount"] for row in rows if row["ts"] // MINUTE == minute]
        yield {"n": len(amounts), "sum": sum(amounts)}
