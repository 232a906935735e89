import json

TITLE = "Add, drop and rename members"
ABOUT = "Other members are unchanged, in their order."
COMMAND = "streamrun stream.json < rows.ndjson"


def data(random):
    return {
        "rows.ndjson": [
            {
                "id": index,
                "nme": f"n{index}",
                "price": random.randrange(9),
                "count": random.randrange(9),
                **({"internal": True} if random.random() < 0.5 else {}),
                "tags": [index],
            }
            for index in range(100)
        ]
    }


def expected(data):
    lines = ""
    for row in data["rows.ndjson"]:
        result = {"name" if name == "nme" else name: value for name, value in row.items() if name != "internal"}
        result["total"] = row["price"] * row["count"]
        lines += json.dumps(result, separators=(",", ":")) + "\n"
    return lines
