import signal
import subprocess
import time

TITLE = "A log that is rotated"
ABOUT = "Follows a file as `tail -F` does: no line is lost when it is renamed and created again."
COMMAND = "streamrun stream.json --input app.log --input-format ndjson --follow"


def data(random):
    return {"parts": [{"n": random.randrange(1000)} for _ in range(300)]}


def run(folder, command):
    rows = (folder / "parts").read_text().splitlines(keepends=True)
    log = folder / "app.log"
    log.write_text("".join(rows[:100]))
    with open(folder / "out", "w") as out:
        process = subprocess.Popen([str(folder / ".bin/streamrun"), *COMMAND.split()[1:]], cwd=folder, stdout=out)
        end = time.monotonic() + 20
        for count in (100, 200, 300):
            while (folder / "out").read_text().count("\n") < count and time.monotonic() < end:
                time.sleep(0.02)
            if count < 300:
                log.rename(folder / f"app.log.{count}")
                log.write_text("".join(rows[count : count + 100]))
        process.send_signal(signal.SIGTERM)
        process.wait(20)
    return (folder / "out").read_text()


def expected(data):
    return [row["n"] for row in data["parts"]]
