import math

TITLE = "Outliers"
ABOUT = "Values that are more than three moving standard deviations away from the moving mean."
COMMAND = "streamrun stream.json < values.ndjson"


def data(random):
    return {
        "values.ndjson": [round(random.gauss(50, 2) + (40 if random.random() < 0.03 else 0), 3) for _ in range(600)]
    }


def expected(data):
    mean = variance = 0.0
    for index, value in enumerate(data["values.ndjson"]):
        z = (value - mean) / math.sqrt(variance) if variance > 0 else 0.0
        if index == 0:
            mean, variance = value, 0.0
        else:
            difference = value - mean
            mean, variance = 0.9 * mean + 0.1 * value, 0.9 * (variance + 0.1 * difference**2)
        if index >= 20 and abs(z) > 3:
            yield {"n": index + 1, "value": value, "z": z}
