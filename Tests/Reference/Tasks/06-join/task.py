from support import times

TITLE = "Join within a minute"
ABOUT = ("Orders with the payments of the same order that come in the minute after them: the window of an order is a "
         "minute long, and a payment has none. With `\"seconds\": 60`, a payment that comes before its order is joined too.")
COMMAND = "streamrun stream.json --event-time value.ts --input orders=orders.ndjson --input payments=payments.ndjson"


def data(random):
    orders = [
        {"ts": ts, "order": index, "amount": random.randrange(1, 100)}
        for index, ts in enumerate(times(random, 300, 4000))
    ]
    payments = [
        {"ts": row["ts"] + 2 * random.randrange(-5_000, 45_000), "order": row["order"], "paid": row["amount"]}
        for row in orders
        if random.random() < 0.9
    ]
    return {"orders.ndjson": orders, "payments.ndjson": sorted(payments, key=lambda row: row["ts"])}


def expected(data):
    orders = {row["order"]: row for row in data["orders.ndjson"]}
    for payment in data["payments.ndjson"]:
        order = orders[payment["order"]]
        if 0 <= payment["ts"] - order["ts"] <= 60_000:
            yield {
                "order": order["order"],
                "amount": order["amount"],
                "paid": payment["paid"],
                "after": payment["ts"] - order["ts"],
            }
