import signal
import subprocess

TITLE = "Stop with Ctrl-C, continue later"
ABOUT = "Saves its state when it is stopped, and continues where it was. Nothing is read or written twice."
COMMAND = "streamrun stream.json --input bookings.ndjson --follow --output totals.ndjson --state state"


def data(random):
    return {
        "bookings.ndjson": [
            {"account": random.choice("abcde"), "amount": random.randrange(-50, 100)} for _ in range(400)
        ]
    }


def lines(path):
    return path.read_text().count("\n") if path.exists() else 0


def until(process, path, count):
    import time

    end = time.monotonic() + 20
    while lines(path) < count and process.poll() is None and time.monotonic() < end:
        time.sleep(0.01)


def run(folder, command):
    rows = (folder / "bookings.ndjson").read_text().splitlines(keepends=True)
    (folder / "bookings.ndjson").write_text("".join(rows[:150]))
    for count in (150, 400):
        process = subprocess.Popen([str(folder / ".bin/streamrun"), *COMMAND.split()[1:]], cwd=folder)
        until(process, folder / "totals.ndjson", count)
        process.send_signal(signal.SIGINT)
        process.wait(20)
        with open(folder / "bookings.ndjson", "a") as file:
            file.write("".join(rows[150:]) if count == 150 else "")
    return (folder / "totals.ndjson").read_text()


def expected(data):
    totals = {}
    for row in data["bookings.ndjson"]:
        totals[row["account"]] = totals.get(row["account"], 0) + row["amount"]
        yield {"account": row["account"], "total": totals[row["account"]]}
