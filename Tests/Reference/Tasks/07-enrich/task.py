from support import table

TITLE = "Enrich from a table"
ABOUT = "Adds to each order the name of its country, which a CSV file has."
COMMAND = "streamrun stream.json < orders.ndjson"
NAMES = {"NO": "Norway", "DE": "Germany, Federal Republic", "CI": "Côte d'Ivoire", "JP": "Japan"}


def data(random):
    return {
        "countries.csv": table([{"code": code, "name": name} for code, name in NAMES.items()]),
        "orders.ndjson": [{"id": index, "country": random.choice([*NAMES, "XX"])} for index in range(200)],
    }


def expected(data):
    return [{**row, "name": NAMES.get(row["country"], "unknown")} for row in data["orders.ndjson"]]
