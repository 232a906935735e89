import json

TITLE = "A JSON array on standard input"
ABOUT = "The elements of one pretty-printed array are the values."
COMMAND = "streamrun stream.json --input-format json < users.json"


def data(random):
    rows = [{"id": index, "email": random.choice(["a@x.example", "b@y.test"])} for index in range(200)]
    return {"users.json": json.dumps(rows, indent=2)}


def expected(data):
    return [row["id"] for row in json.loads(data["users.json"]) if row["email"].endswith(".example")]
