from decimal import Decimal

from support import grouped

TITLE = "Money"
ABOUT = (
    "Exact sums of amounts that are written as text: cents are ints, so 0.10 and 0.20 are 0.30. An amount may have "
    "no decimals, one or two, and zeros after them: 5 is 5.00, and 2.500 is 2.50. Other amounts, such as 2.505, end "
    "the run with an error."
)
COMMAND = "streamrun stream.json < bookings.ndjson"


def data(random):
    return {
        "bookings.ndjson": [
            {"account": random.choice("abcdef"), "amount": written(random, random.randrange(-999, 999) * factor)}
            for _ in range(100)
            for factor in (1, 10, 100)
        ]
    }


def written(random, cents):
    """The amount with the decimals it needs, or with more zeros."""
    digits = f"{abs(cents):03}"
    units, decimals = digits[:-2], digits[-2:]
    shortest = decimals.rstrip("0")
    decimals = random.choice([shortest, decimals, decimals + "0", decimals + "00"])
    return ("-" if cents < 0 else "") + units + ("." if decimals else "") + decimals


def expected(data):
    for account, rows in grouped(data["bookings.ndjson"], lambda row: row["account"]).items():
        yield {"account": account, "sum": f"{sum(Decimal(row['amount']) for row in rows):.2f}"}
