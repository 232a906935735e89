from support import HOUR, START, grouped

TITLE = "Funnel"
ABOUT = "Whether each order was paid within an hour of the cart: known at the payment, or when the hour is over."
COMMAND = "streamrun stream.json --event-time value.ts < steps.ndjson"
UNORDERED = True


def data(random):
    rows = []
    for index in range(200):
        start = START + 2 * random.randrange(5_000_000) + 1
        rows += [{"ts": start + 2 * index, "id": f"o{index}", "step": "cart"} for index in [index]]
        for step in random.choice([["pay"], ["cart", "pay"], [], ["cart"]]):
            rows.append({"ts": start + 2 * random.randrange(1, 4_000_000), "id": f"o{index}", "step": step})
        if random.random() < 0.2:
            rows.append({"ts": start - 2 * random.randrange(1, 9999), "id": f"o{index}", "step": "pay"})
    return {"steps.ndjson": sorted(rows, key=lambda row: row["ts"])}


def expected(data):
    rows = data["steps.ndjson"]
    for name, steps in grouped(rows, lambda row: row["id"]).items():
        start = next(row["ts"] for row in steps if row["step"] == "cart")
        payments = [row["ts"] for row in steps if row["step"] == "pay" and row["ts"] > start]
        if payments and payments[0] - start <= HOUR:
            yield {"id": name, "paid": True}
        else:  # The end of the data lets the timer come to its end.
            yield {"id": name, "paid": False}
