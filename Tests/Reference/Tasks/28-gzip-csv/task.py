import csv
import gzip
import io

from support import table

TITLE = "A compressed table"
ABOUT = "The sum of a column of `rows.csv.gz`."
COMMAND = "streamrun stream.json --input rows.csv.gz"


def data(random):
    rows = [{"item": random.choice(["pen", "ink, blue"]), "count": random.randrange(50)} for _ in range(300)]
    return {"rows.csv.gz": gzip.compress(table(rows).encode())}


def expected(data):
    rows = csv.DictReader(io.StringIO(gzip.decompress(data["rows.csv.gz"]).decode()))
    return [sum(int(row["count"]) for row in rows)]
