from support import times

TITLE = "By key, then all"
ABOUT = "Totals by account, which several machines may divide among them, and then the sum of all."
COMMAND = "streamrun stream.json < bookings.ndjson"


def data(random):
    return {
        "bookings.ndjson": [
            {"ts": ts, "account": random.choice("abc"), "amount": random.randrange(-9, 20)}
            for ts in times(random, 200, 1000)
        ]
    }


def expected(data):
    totals = {}
    for row in data["bookings.ndjson"]:
        totals[row["account"]] = totals.get(row["account"], 0) + row["amount"]
        yield {"all": dict(totals), "sum": sum(totals.values())}
