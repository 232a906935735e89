TITLE = "A table that changes"
ABOUT = "Reads a table of prices again and again, and prices each order by the newest one."
COMMAND = (
    "(sleep 0.3; cat first.ndjson; sleep 0.2; mv new.csv prices.csv; sleep 0.3; cat second.ndjson) "
    "| streamrun stream.json"
)


def data(random):
    return {
        "prices.csv": "item,price\npen,1\nink,5\n",
        "new.csv": "item,price\npen,2\nink,7\n",
        **{
            name: [{"id": random.randrange(999), "item": random.choice(["pen", "ink"])} for _ in range(50)]
            for name in ("first.ndjson", "second.ndjson")
        },
    }


def expected(data):
    for name, prices in (("first.ndjson", {"pen": 1, "ink": 5}), ("second.ndjson", {"pen": 2, "ink": 7})):
        for row in data[name]:
            yield {"id": row["id"], "price": prices[row["item"]]}
