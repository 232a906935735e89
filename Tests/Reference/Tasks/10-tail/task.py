import json

TITLE = "Errors of a growing log"
ABOUT = "Follows a log with `tail -f`, and skips lines that are not JSON."
COMMAND = "timeout 1 tail -n +1 -f log.ndjson | streamrun stream.json --skip-errors"


def data(random):
    lines = []
    for index in range(300):
        row = {"level": random.choice(["info", "error"]), "message": f"message {index}"}
        lines.append(random.choice([json.dumps(row)] * 9 + ["Traceback (most recent call last):", '{"level": "err']))
    return {"log.ndjson": "\n".join(lines) + "\n"}


def expected(data):
    for line in data["log.ndjson"].splitlines():
        try:
            row = json.loads(line)
        except ValueError:
            continue
        if row["level"] == "error":
            yield row["message"]
