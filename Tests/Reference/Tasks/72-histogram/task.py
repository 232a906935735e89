import math
from collections import Counter

TITLE = "Histogram"
ABOUT = "The number of values in each bin of ten."
COMMAND = "streamrun stream.json < values.ndjson"


def data(random):
    return {"values.ndjson": [round(random.gauss(20, 15), 2) for _ in range(500)]}


def expected(data):
    counts = Counter(math.floor(value / 10) * 10 for value in data["values.ndjson"])
    return [{str(bin): n for bin, n in counts.items()}]
