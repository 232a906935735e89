from support import table

TITLE = "Pivot"
ABOUT = "A row for each day, with a column for each product."
COMMAND = "streamrun stream.json --input sales.csv --format csv"


def data(random):
    return {
        "sales.csv": table(
            [
                {
                    "day": f"2026-01-{random.randrange(1, 9):02d}",
                    "product": random.choice(["pen", "ink", "paper"]),
                    "n": random.randrange(20),
                }
                for _ in range(300)
            ]
        )
    }


def expected(data):
    days = {}
    for line in data["sales.csv"].splitlines()[1:]:
        day, product, n = line.split(",")
        days.setdefault(day, {"day": day, "pen": 0, "ink": 0, "paper": 0})[product] += int(n)
    return table(list(days.values()), end="\r\n")
