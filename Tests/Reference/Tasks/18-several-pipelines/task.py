TITLE = "Several pipelines at once"
ABOUT = "Each runs in a process of its own; the shell gives both the same input."
COMMAND = (
    "mkfifo copy; streamrun maximum.json < copy > maximum & "
    "tee copy < readings.ndjson | streamrun stream.json; wait; cat maximum"
)


def data(random):
    return {"readings.ndjson": [round(random.gauss(0, 10), 3) for _ in range(2000)]}


def expected(data):
    rows = data["readings.ndjson"]
    return [sum(rows) / len(rows), max(rows)]
