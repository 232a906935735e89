TITLE = "Missing numbers"
ABOUT = "The gaps in the numbers of each sender's packets."
COMMAND = "streamrun stream.json < packets.ndjson"


def data(random):
    numbers, rows = {}, []
    for _ in range(500):
        sender = random.choice("abc")
        numbers[sender] = numbers.get(sender, 0) + random.choice([1] * 9 + [2, 5])
        rows.append({"sender": sender, "number": numbers[sender]})
    return {"packets.ndjson": rows}


def expected(data):
    last = {}
    for row in data["packets.ndjson"]:
        before = last.get(row["sender"])
        if before is not None and row["number"] > before + 1:
            yield {"sender": row["sender"], "first": before + 1, "last": row["number"] - 1}
        last[row["sender"]] = row["number"]
