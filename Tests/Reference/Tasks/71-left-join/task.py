from support import times

TITLE = "Orders that are not paid"
ABOUT = "A left join with a time-out: an order without a payment within a minute comes with null."
COMMAND = "streamrun stream.json --event-time value.ts --input orders=orders.ndjson --input payments=payments.ndjson"
UNORDERED = True


def data(random):
    orders = [{"ts": ts, "order": index} for index, ts in enumerate(times(random, 300, 4000))]
    payments = [
        {"ts": row["ts"] + 2 * random.randrange(-5_000, 45_000), "order": row["order"]}
        for row in orders
        if random.random() < 0.8
    ]
    return {"orders.ndjson": orders, "payments.ndjson": sorted(payments, key=lambda row: row["ts"])}


def expected(data):
    payments = {row["order"]: row["ts"] for row in data["payments.ndjson"]}
    for row in data["orders.ndjson"]:
        paid = payments.get(row["order"])
        yield {"order": row["order"], "paid": paid is not None and 0 <= paid - row["ts"] <= 60_000}
