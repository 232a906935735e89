import json
import shutil
import signal
import subprocess
import time

TITLE = "Continue on another machine"
ABOUT = "The folder of the state is copied, with the files of the run; there the run continues."
COMMAND = "streamrun stream.json --input calls.ndjson --follow --output top.ndjson --state state"


def data(random):
    return {"calls.ndjson": [{"id": index, "seconds": random.randrange(10_000)} for index in range(300)]}


def run(folder, command):
    rows = (folder / "calls.ndjson").read_text().splitlines(keepends=True)
    (folder / "calls.ndjson").write_text("".join(rows[:120]))
    process = subprocess.Popen([str(folder / ".bin/streamrun"), *COMMAND.split()[1:]], cwd=folder)
    end = time.monotonic() + 20
    wanted = list(expected({"calls.ndjson": [json.loads(row) for row in rows[:120]]}))
    while time.monotonic() < end and process.poll() is None:
        if (folder / "top.ndjson").exists() and (folder / "top.ndjson").read_text().count("\n") == len(wanted):
            break
        time.sleep(0.01)
    process.send_signal(signal.SIGTERM)
    process.wait(20)
    other = folder / "other"
    other.mkdir()
    for name in ("stream.json", "calls.ndjson", "top.ndjson"):
        shutil.move(folder / name, other)
    shutil.copytree(folder / "state", other / "state")
    shutil.rmtree(folder / "state")
    with open(other / "calls.ndjson", "a") as file:
        file.write("".join(rows[120:]))
    command("cd other && " + COMMAND.replace(" --follow", ""))
    return (other / "top.ndjson").read_text()


def expected(data):
    top, last = [], None
    for row in data["calls.ndjson"]:
        top = sorted(top + [row], key=lambda call: (-call["seconds"], call["id"]))[:3]
        ids = [call["id"] for call in top]
        if ids != last:
            yield ids
        last = ids
