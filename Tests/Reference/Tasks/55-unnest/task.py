TITLE = "Unnest"
ABOUT = "A value for each item of an order, with the members of the order that are asked for."
COMMAND = "streamrun stream.json < orders.ndjson"


def data(random):
    return {
        "orders.ndjson": [
            {
                "id": index,
                "customer": {"name": random.choice(["Ann", "Bob"])},
                "items": [
                    {"sku": random.choice("abc"), "n": random.randrange(9)} for _ in range(random.randrange(5))
                ],
            }
            for index in range(200)
        ]
    }


def expected(data):
    return [
        {"order": row["id"], "customer": row["customer"]["name"], **item}
        for row in data["orders.ndjson"]
        for item in row["items"]
    ]
