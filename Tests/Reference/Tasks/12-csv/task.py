import csv
import io

from support import table

TITLE = "CSV in, CSV out"
ABOUT = "Reads a table, adds a column and writes a table. The names of the files tell the formats."
COMMAND = "streamrun stream.json --input rows.csv --output totals.csv"


def data(random):
    names = ["pen", 'a "quoted" name', "comma, here", "two\nlines", "Größe", " space "]
    return {
        "rows.csv": table(
            [
                {"name": random.choice(names), "price": random.randrange(1, 400) / 4, "count": random.randrange(1, 9)}
                for _ in range(100)
            ]
        )
    }


def expected(data):
    rows = list(csv.DictReader(io.StringIO(data["rows.csv"])))
    return {
        "totals.csv": table(
            [{**row, "total": round(float(row["price"]) * int(row["count"]), 2)} for row in rows], end="\r\n"
        )
    }
