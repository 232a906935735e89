TITLE = "Slowest requests"
ABOUT = "Begin and end of a request are two lines of a log; the five slowest requests."
FIXED = "copies would have the numbers of other requests"
COMMAND = "streamrun stream.json < requests.ndjson"


def data(random):
    rows = []
    for request in range(200):
        start = random.randrange(10**6)
        rows.append({"ts": start, "request": request, "event": "begin"})
        if random.random() < 0.9:
            rows.append({"ts": start + random.randrange(1, 5000), "request": request, "event": "end"})
    return {"requests.ndjson": sorted(rows, key=lambda row: (row["ts"], row["event"]))}


def expected(data):
    begin, result = {}, []
    for row in data["requests.ndjson"]:
        if row["event"] == "begin":
            begin[row["request"]] = row["ts"]
        else:
            result.append({"request": row["request"], "ms": row["ts"] - begin[row["request"]]})
    return [sorted(result, key=lambda row: (-row["ms"], row["request"]))[:5]]
