TITLE = "One-liner"
ABOUT = "A stream that is too short for a file of its own."
COMMAND = "streamrun -e 'map(value * 2)' < numbers.ndjson"


def data(random):
    return {"numbers.ndjson": [random.randrange(1000) for _ in range(100)]}


def expected(data):
    return [2 * number for number in data["numbers.ndjson"]]
