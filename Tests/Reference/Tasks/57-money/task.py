from decimal import Decimal

from support import grouped

TITLE = "Money"
ABOUT = "Exact sums of amounts that are written as text: cents are ints, so 0.10 and 0.20 are 0.30."
COMMAND = "streamrun stream.json < bookings.ndjson"


def data(random):
    return {
        "bookings.ndjson": [
            {"account": random.choice("abcdef"), "amount": f"{random.randrange(-99999, 99999) / 100:.2f}"}
            for _ in range(300)
        ]
    }


def expected(data):
    for account, rows in grouped(data["bookings.ndjson"], lambda row: row["account"]).items():
        yield {"account": account, "sum": f"{sum(Decimal(row['amount']) for row in rows):.2f}"}
