import subprocess

TITLE = "A run that is killed"
ABOUT = "`kill -9` at any time: the run that continues writes each line exactly once."
COMMAND = "streamrun stream.json --input readings.ndjson --output sums.ndjson --state state --every 200"


def data(random):
    return {
        "readings.ndjson": [
            {"device": random.choice("abcdef"), "value": random.randrange(100)} for _ in range(20_000)
        ]
    }


def run(folder, command):
    kills = 0
    for attempt in range(30):
        process = subprocess.Popen([str(folder / ".bin/streamrun"), *COMMAND.split()[1:]], cwd=folder)
        try:
            process.wait(0.05 + 0.01 * attempt if attempt < 8 else 30)
        except subprocess.TimeoutExpired:
            process.kill()
            kills += 1
        process.wait()
        if process.returncode == 0:
            break
    return (folder / "sums.ndjson").read_text()


def expected(data):
    sums = {}
    for row in data["readings.ndjson"]:
        n, total = sums.get(row["device"], (0, 0))
        sums[row["device"]] = (n + 1, total + row["value"])
        yield {"device": row["device"], "n": n + 1, "sum": total + row["value"]}
