import csv
import io

TITLE = "Records to a table"
ABOUT = "Records with different members become one table; members that are missing are empty cells."
COMMAND = "streamrun stream.json --format csv < rows.ndjson"


def data(random):
    return {
        "rows.ndjson": [
            {"id": index, **{name: random.randrange(10) for name in "abc" if random.random() < 0.6}}
            for index in range(200)
        ]
    }


def expected(data):
    rows = data["rows.ndjson"]
    columns = list(dict.fromkeys(name for row in rows[:100] for name in row))
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\r\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()
