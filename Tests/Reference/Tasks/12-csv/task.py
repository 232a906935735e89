import csv
import io

from support import table

TITLE = "CSV in, CSV out"
ABOUT = "Reads a table, adds a column and writes a table. The names of the files tell the formats."
COMMAND = "streamrun stream.json --input rows.csv --output totals.csv && cat totals.csv"


def data(random):
    names = ["pen", 'a "quoted" name', "comma, here", "two\nlines", "Größe", " space "]
    return {"rows.csv": table([{"name": random.choice(names), "price": random.randrange(1, 400) / 4,
                                "count": random.randrange(1, 9)} for _ in range(100)])}


def run(folder):
    rows = csv.DictReader(io.StringIO(command(COMMAND.split(" && ")[0]) or (folder / "totals.csv").read_bytes().decode()))
    import support
    return support.ndjson([{"name": row["name"], "price": float(row["price"]), "count": int(row["count"]),
                            "total": float(row["total"])} for row in rows])


def expected(data):
    for row in csv.DictReader(io.StringIO(data["rows.csv"])):
        price, count = float(row["price"]), int(row["count"])
        yield {"name": row["name"], "price": price, "count": count, "total": round(price * count, 2)}
