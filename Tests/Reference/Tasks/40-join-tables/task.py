import csv
import io

from support import table

TITLE = "Join of two tables"
ABOUT = "Each order with its customer, from two CSV files to a third; orders without a customer are kept."
COMMAND = "streamrun stream.json --input orders.csv --format csv"


def data(random):
    return {
        "customers.csv": table(
            [
                {"id": index, "name": f"customer {index}", "city": random.choice(["Rome", "Ulm"])}
                for index in range(50)
            ]
        ),
        "orders.csv": table(
            [
                {"id": index, "customer": random.randrange(60), "amount": random.randrange(1, 99) / 4}
                for index in range(300)
            ]
        ),
    }


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


def expected(data):
    customers = {row["id"]: row for row in rows(data["customers.csv"])}
    none = {"name": "", "city": ""}
    result = [
        {**row, **{name: customers.get(row["customer"], none)[name] for name in ("name", "city")}}
        for row in rows(data["orders.csv"])
    ]
    return table(result, end="\r\n")
