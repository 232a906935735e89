import re

TITLE = "Validation"
ABOUT = "Each row with all of its mistakes, not only with the first one. Members may be missing."
COMMAND = "streamrun stream.json < rows.ndjson"


def data(random):
    rows = []
    for _ in range(200):
        row = {
            "email": random.choice(["ann@x.example", "a b@c", "nobody", ""]),
            "age": random.choice([0, 5, "17", "x", -1, None, 150]),
            "country": random.choice(["DE", "FR", "XX"]),
        }
        rows.append({name: value for name, value in row.items() if random.random() < 0.9})
    return {"rows.ndjson": rows}


def age(value):
    try:
        return 0 <= int(value) < 150
    except (TypeError, ValueError):
        return False


def expected(data):
    for row in data["rows.ndjson"]:
        checks = {
            "email": re.fullmatch(r"[^@ ]+@[^@ ]+", row.get("email", "")),
            "age": age(row.get("age")),
            "country": row.get("country") in ("DE", "FR"),
        }
        mistakes = [name for name, good in checks.items() if not good]
        if mistakes:
            yield {"row": row, "mistakes": mistakes}
