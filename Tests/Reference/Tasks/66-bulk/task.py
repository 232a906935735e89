import json

TITLE = "Bulk requests"
ABOUT = "Batches of 100 documents, or of what has come in five seconds, as the text of a bulk request."
FIXED = "the program expects the batches of these documents"
COMMAND = "streamrun stream.json --event-time value.ts --format text < documents.ndjson"


def data(random):
    from support import START

    rows, ts = [], START
    for index in range(250):  # 200 at once, then few.
        ts += 2 if index < 200 else 7001
        rows.append({"ts": ts, "id": index})
    return {"documents.ndjson": rows}


def expected(data):
    rows = data["documents.ndjson"]
    batches = [rows[:100], rows[100:200]] + [[row] for row in rows[200:]]
    return "".join(
        "".join(f'{{"index":{{"_id":{row["id"]}}}}}\n{json.dumps(row, separators=(",", ":"))}\n' for row in batch)
        + "\n"
        for batch in batches
    )
