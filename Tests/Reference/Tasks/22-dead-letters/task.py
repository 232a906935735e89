TITLE = "Dead letters"
ABOUT = "Orders that break a rule, or make an expression fail, go to a file of their own with the reason."
COMMAND = (
    "streamrun stream.json --output orders=good.ndjson --output dead=dead.ndjson < orders.ndjson; "
    "jq -c .dead dead.ndjson"
)


def data(random):
    return {
        "orders.ndjson": [
            {"price": random.choice([1.5, 20.25, 700.0, "free", None]), "count": random.randrange(1, 4)}
            for _ in range(200)
        ]
    }


def good(row):
    return isinstance(row["price"], float) and row["price"] * row["count"] < 1000


def expected(data):
    rows = data["orders.ndjson"]
    return {
        "good.ndjson": [{**row, "total": row["price"] * row["count"]} for row in rows if good(row)],
        "stdout": [row for row in rows if not good(row)],
    }
