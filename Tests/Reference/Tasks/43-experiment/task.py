import hashlib

TITLE = "Experiment"
ABOUT = "Each user belongs to one half of an experiment by the hash of the name; the sales of both are compared."
COMMAND = "streamrun stream.json < visits.ndjson"
UNORDERED = True


def data(random):
    return {
        "visits.ndjson": [
            {"user": f"user{random.randrange(200)}", "bought": random.random() < 0.1} for _ in range(600)
        ]
    }


def expected(data):
    halves = {"A": [], "B": []}
    for row in data["visits.ndjson"]:
        digest = hashlib.sha256(("salt" + row["user"]).encode()).digest()
        halves["A" if digest[0] < 128 else "B"].append(row["bought"])
    return [{"group": name, "visits": len(rows), "sales": sum(rows)} for name, rows in halves.items()]
