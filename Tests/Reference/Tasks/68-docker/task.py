import json

TITLE = "JSON within JSON"
ABOUT = "The log of a container: each line has a string that is JSON itself, or plain text. Nanoseconds are kept."
COMMAND = "streamrun stream.json < container.log"


def data(random):
    return {
        "container.log": [
            {
                "log": random.choice([json.dumps({"level": "info", "n": index}), f"plain {index}"]) + "\n",
                "time": f"2026-01-01T00:00:{index % 60:02d}.{random.randrange(10**8, 10**9) | 1}Z",
            }
            for index in range(200)
        ]
    }


def run(folder, command):
    return command("streamrun stream.json < container.log")


def expected(data):
    rows = data["container.log"]
    for row in rows:
        log = row["log"]
        yield {"time": row["time"], "entry": json.loads(log) if log[0] == "{" else {"message": log.strip()}}
