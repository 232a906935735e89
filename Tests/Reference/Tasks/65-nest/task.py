from support import grouped

TITLE = "Nest"
ABOUT = "The rows of each customer become one record with a list and a total."
COMMAND = "streamrun stream.json < rows.ndjson"


def data(random):
    return {
        "rows.ndjson": [
            {"customer": random.choice("abcdefg"), "order": index, "amount": random.randrange(99)}
            for index in range(200)
        ]
    }


def expected(data):
    for customer, rows in grouped(data["rows.ndjson"], lambda row: row["customer"]).items():
        orders = [{"order": row["order"], "amount": row["amount"]} for row in rows]
        yield {"customer": customer, "orders": orders, "total": sum(order["amount"] for order in orders)}
