TITLE = "Large identifiers"
ABOUT = "Integers of 64 bits pass without a change, where a double would round them."
COMMAND = "streamrun stream.json < rows.ndjson"


def data(random):
    rows = []
    for _ in range(500):
        number = random.randrange(-(2**63), 2**63 - 1)
        rows.append({"id": number, "parent": random.choice([number, number + 1])})
    return {"rows.ndjson": rows}


def expected(data):
    return [row for row in data["rows.ndjson"] if row["id"] != row["parent"]]
