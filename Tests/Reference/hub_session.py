#!/usr/bin/env python3
"""Two terminals: a hub, and a run that follows it. What they print is compared with hub-session.txt.

    hub_session.py STREAMHUB [--update]

The first terminal creates a repository, publishes streams, and serves them; the second one runs a stream. Publications
change the running stream and keep its state; one that fails its tests is refused; one that fails while it runs is
replaced by the version before, the hub hears of it, and halts the rollout. Times, ports, tokens and the IDs of keys are
replaced by words.
"""
import json
import os
import pty
import re
import select
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

PROGRAM = os.path.abspath(sys.argv[1])
GOLDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "hub-session.txt")
PATIENCE = 60
PASSED = r"sum: version 2 has passed its probation\r?\n"

SUM = """{
  "inputs": { "n": {} },
  "source": { "input": { "name": "n" } },
  "operators": [ { "id": "total", "scan": { "initialValue": 0, "expression": "%s" } } ],
  "tests": [
    { "name": "adds up", "inputs": { "n": { "values": [1, 2] } }, "expect": { "values": [%s] } }
  ]
}
"""

TYPING = """{
  "inputs": { "n": {} },
  "source": { "input": { "name": "n" } },
  "operators": [ { "map": { "expression": "%s" } }, { "debounce": { "seconds": 0.2 } } ]
}
"""

TWO = """{
  "inputs": { "n": {} },
  "source": { "input": { "name": "n" } },
  "operators": [ { "map": { "expression": "%s" } }, { "prefix": { "count": 2 } } ]
}
"""


def normalized(text):
    """The text with everything that differs from run to run replaced by a word."""
    text = text.replace("\r\n", "\n")
    text = re.sub(r"shub_[A-Za-z0-9_-]+", "TOKEN", text)
    text = re.sub(r"-[0-9a-f]{8}\.pem", "-ID.pem", text)
    text = re.sub(r"\b[0-9a-f]{16}\b", "ID", text)
    text = re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+Z", "TIME", text)
    text = re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d", "TIME", text)
    text = re.sub(r"sha256:[0-9a-f]{64}", "sha256:HASH", text)
    text = re.sub(r"127\.0\.0\.1:\d+", "127.0.0.1:PORT", text)
    text = re.sub(r"as of \d+ seconds? ago", "as of N seconds ago", text)
    # Whether a value is there before the run is stopped depends on the machine.
    text = re.sub(r"sum: no value has reached version 4; [^\n]*\n", "", text)
    return text


class Terminal:
    """A command in a pseudo terminal, whose input is a pipe."""

    def __init__(self, arguments, environment, folder):
        self.master, slave = pty.openpty()
        self.process = subprocess.Popen(
            arguments, stdin=subprocess.PIPE, stdout=slave, stderr=slave, env=environment, cwd=folder)
        os.close(slave)
        self.text = ""
        self.lock = threading.Condition()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        while True:
            try:
                data = os.read(self.master, 65536)
            except OSError:
                data = b""
            with self.lock:
                self.text += data.decode()
                self.lock.notify_all()
            if not data:
                return

    def send(self, line):
        self.process.stdin.write((line + "\n").encode())
        self.process.stdin.flush()

    def wait_for(self, pattern, start=0):
        """Waits until the text after a position matches. Returns the match."""
        end = time.time() + PATIENCE
        with self.lock:
            while True:
                match = re.search(pattern, self.text[start:])
                if match:
                    return match
                if not self.lock.wait(max(0, end - time.time())):
                    raise SystemExit(f"'{pattern}' did not appear in:\n{self.text}")

    def stop(self, close=True):
        if close:
            self.process.stdin.close()
        else:
            self.process.terminate()
        code = self.process.wait(PATIENCE)
        time.sleep(0.1)
        return code


def main():
    folder = tempfile.mkdtemp()
    environment = dict(os.environ, STREAMHUB_PASSPHRASE="a secret", XDG_CACHE_HOME=folder + "/cache", NO_COLOR="1")
    transcript = []

    def write(name, text):
        with open(os.path.join(folder, name), "w") as file:
            file.write(text)

    def run(command):
        """Runs a command of the first terminal."""
        result = subprocess.run(
            ["sh", "-c", command.replace("streamhub", PROGRAM)], env=environment, cwd=folder, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
        transcript.append(f"$ {command}\n{result.stdout}" + (f"[exit {result.returncode}]\n" if result.returncode else ""))
        return result.stdout

    write("sum.json", SUM % ("acc + value", "1, 3"))
    write("wrong.json", SUM % ("acc + value", "1, 4"))
    write("double.json", SUM % ("acc + value * 2", "2, 6"))
    write("failing.json", SUM % ("acc + 10 / (5 - value)", "2, 5"))
    write("broken.json", '{ "stream": [ { "vaule": 1 } ] }')
    write("files.json", '{ "source": { "file": { "path": "n.ndjson", "format": "ndjson" } } }')

    transcript.append("== the first terminal: a repository\n")
    for command in [
        "streamhub init", "streamhub init", "ls -l keys | cut -c1-10 | sort | uniq -c | sed 's/^ *//'",
        "streamhub publish sum.json --name sum", "streamhub publish sum.json --name sum",
        "streamhub publish wrong.json --name sum", "streamhub publish broken.json --name sum",
        "streamhub publish files.json --name sum", "streamhub publish gone.json --name sum",
        "streamhub publish double.json --name '../sum'", "streamhub publish double.json --name new --percent 5",
        "streamhub publish double.json --name sum --percent 101",
        "streamhub publish double.json --name sum --where 'client.'",
        "streamhub list", "streamhub log smu", "streamhub show sum", "streamhub pull sum | head -2",
        "streamhub pull sum --version 9", "streamhub promote sum", "streamhub rollback sum", "streamhub halt sum",
        "streamhub list --repository gone", "streamhub list --repository http://127.0.0.1:1 --trust root.json",
        "streamhub list --repository http://127.0.0.1:1/r",
        "streamhub list --repository http://127.0.0.1:1/r --trust sum.json", "streamhub run sum --from 127.0.0.1:1",
        "streamhub int", "streamhub keys delegate targets --paths 'a/*'; ls keys | wc -l",
        "streamhub keys delegate team --paths 'team/*'", "streamhub keys list",
        "streamhub publish sum.json --name team/sum", "streamhub keys rotate timestamp", "streamhub renew",
        "STREAMHUB_PASSPHRASE=wrong streamhub renew", "streamhub run gone", "streamhub run sum --report",
    ]:
        run(command)

    transcript.append("\n== two terminals: a hub, and a run that follows it\n")
    token = run("streamhub tokens new --scope report --note apps")
    environment["STREAMHUB_TOKEN"] = re.search(r"shub_\S+", token).group()
    hub = Terminal([PROGRAM, "serve", "--port", "0", "--public", "--halt-reports", "1", "--halt-failures", "1"], environment, folder)
    address = "http://127.0.0.1:" + hub.wait_for(r'"event":"started".*"port":(\d+)').group(1)
    follower = Terminal(
        [PROGRAM, "run", "sum", "--from", address, "--trust", "root.json", "--report", "--probation-values", "3",
         "--refresh", "3600", "--attribute", "platform=ios", "--record", "run.ndjson"],
        environment, folder)

    def feed(*numbers):
        for number in numbers:
            start = len(follower.text)
            follower.send(str(number))
            follower.wait_for(r"\n", start)

    follower.wait_for("runs version 1")
    feed(1, 2)
    start = len(follower.text)
    run("streamhub publish double.json --name sum --percent 100")
    follower.wait_for("swapped", start)
    feed(3, 4, 5)
    follower.wait_for(PASSED)
    run("streamhub promote sum")
    feed(6)
    start = len(follower.text)
    run("streamhub publish failing.json --name sum --percent 100 --where \"client.platform == 'ios'\"")
    follower.wait_for("swapped", start)
    feed(4)
    start = len(follower.text)
    follower.send("5")
    follower.wait_for(r"continues, with its state", start)
    hub.wait_for("self-halt")
    feed(7)
    # A failure that the version before has as well is not blamed on the new one, and ends the run.
    start = len(follower.text)
    run("streamhub publish sum.json --name sum --percent 100")
    follower.wait_for("swapped", start)
    follower.send('"seven"')
    code = follower.process.wait(PATIENCE)
    # The replay knows from the recording which version was kept, and which one was not.
    replayed = subprocess.run(
        [os.path.join(os.path.dirname(PROGRAM), "streamrun"), "replay", "run.ndjson"], cwd=folder, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    values = re.findall(r"^\d+(?=\r?$)", follower.text, re.M)
    if replayed.stdout.split() != values or replayed.returncode != code:
        raise SystemExit(f"the replay prints {replayed.stdout.split()}, not {values}:\n{replayed.stderr}")
    run("streamhub log sum")
    with urllib.request.urlopen(address + "/v1/rollouts/sum") as response:
        rollout = json.load(response)
    transcript.append("$ curl " + address + "/v1/rollouts/sum\n")
    for version in rollout["versions"]:
        failures = [text for failure in version["failures"] for text in failure["diagnostics"]]
        transcript.append(f"version {version['version']}: {json.dumps(version['reports'])} {failures}\n")
    run("streamhub list --repository " + address + " --trust root.json")
    # The line comes while values are printed.
    transcript.append(f"\n-- the second terminal\n{re.sub(PASSED, '', follower.text)}[exit {code}]\n")
    # Timers: a value that the failing version has published is not published again by the version before.
    write("typing.json", TYPING % "value")
    write("wrong-typing.json", TYPING % "0 / (5 - value) + value")
    run("streamhub publish typing.json --name typing")
    hub.wait_for(r'"stream":"typing","version":1')
    follower2 = Terminal(
        [PROGRAM, "run", "typing", "--from", address, "--refresh", "3600"], environment, folder)
    follower2.wait_for("runs version 1")
    for number, pattern in [(1, r"1\r?\n"), (2, r"2\r?\n")]:
        start = len(follower2.text)
        follower2.send(str(number))
        follower2.wait_for(pattern, start)
        if number == 1:
            start = len(follower2.text)
            run("streamhub publish wrong-typing.json --name typing --percent 100")
            follower2.wait_for("swapped", start)
            hub.wait_for(r'"stream":"typing","version":2')
    follower2.send("5")
    follower2.wait_for(r"state\r?\n5\r?\n")
    transcript.append(f"\n-- a third terminal\n{follower2.text}[exit {follower2.stop()}]\n")
    # The version before a failing one ends the stream with the input at which that fails.
    write("two.json", TWO % "value")
    write("wrong-two.json", TWO % "10 / (5 - value)")
    run("streamhub publish two.json --name two")
    hub.wait_for(r'"stream":"two","version":1')
    last = Terminal([PROGRAM, "run", "two", "--from", address, "--refresh", "3600"], environment, folder)
    last.wait_for("runs version 1")
    last.send("1")
    last.wait_for(r"1\r?\n")
    start = len(last.text)
    run("streamhub publish wrong-two.json --name two --percent 100")
    last.wait_for("swapped", start)
    last.send("5")
    code = last.process.wait(PATIENCE)
    time.sleep(0.1)
    hub.wait_for(r'"stream":"two","version":2')
    transcript.append(f"\n-- a fourth terminal\n{last.text}[exit {code}]\n")
    # The example of the README: the position of a device, from its gravity sensor.
    streams = os.path.join(os.path.dirname(GOLDEN), "..", "..", "Streams")
    with open(os.path.join(streams, "tilt.json")) as file:
        tilt = file.read()
    write("tilt.json", tilt)
    write("sensitive.json", tilt.replace("-0.25", "-0.2"))
    run("streamhub publish tilt.json --name tilt")
    hub.wait_for(r'"stream":"tilt","version":1')
    device = Terminal(
        [PROGRAM, "run", "tilt", "--from", address, "--event-time", "value.ms", "--refresh", "3600"], environment, folder)

    device.wait_for("runs version 1")

    def tip(ms, z, pattern):
        start = len(device.text)
        device.send(json.dumps({"ms": ms, "x": 0.0, "y": -1.0, "z": z}))
        if pattern:
            device.wait_for(pattern, start)

    tip(0, 0.0, None)
    tip(1_000, -0.22, "vertical")
    tip(1_400, -0.22, None)
    start = len(device.text)
    run("streamhub publish sensitive.json --name tilt")
    device.wait_for("swapped", start)
    hub.wait_for(r'"stream":"tilt","version":2')
    tip(2_000, -0.22, None)
    tip(3_000, 0.0, "tiltedUp")
    device.process.stdin.close()
    code = device.process.wait(PATIENCE)
    time.sleep(0.1)
    transcript.append(f"\n-- a device\n{device.text}[exit {code}]\n")
    code = hub.stop(close=False)
    lines = [json.loads(line) for line in hub.text.splitlines() if line.startswith("{")]
    words = [" ".join(str(line[key]) for key in ("level", "event", "stream", "version", "reason") if key in line)
             for line in lines]
    transcript.append("-- the log of the hub\n" + "\n".join(words) + f"\n[exit {code}]\n")

    transcript.append("\n== a publisher on another machine: the hub has the keys of the snapshot and the timestamp only\n")
    run("mkdir online elsewhere elsewhere/keys && mv keys/snapshot-* keys/timestamp-* online")
    run("mv keys/targets-* elsewhere/keys && cp root.json sum.json double.json wrong.json elsewhere")
    hub2 = Terminal([PROGRAM, "serve", "--port", "0", "--keys", "online", "--private"], environment, folder)
    there = "http://127.0.0.1:" + hub2.wait_for(r'"event":"started".*"port":(\d+)').group(1)
    report_token = environment["STREAMHUB_TOKEN"]
    made = subprocess.run(
        [PROGRAM, "tokens", "new", "--scope", "publish:"], env=environment, cwd=folder, text=True, stdout=subprocess.PIPE)
    for command in [
        f"streamhub publish sum.json --name far/sum --repository {there}",
        f"streamhub publish sum.json --name far/sum --repository {there} --trust root.json",
        f"streamhub publish wrong.json --name far/sum --repository {there}",
        f"streamhub publish double.json --name far/sum --repository {there} --percent 20",
        f"streamhub promote far/sum --repository {there}", f"streamhub rollback far/sum --repository {there}",
        f"streamhub renew targets --repository {there}", f"streamhub renew --repository {there}",
        f"streamhub publish double.json --name far/sum --repository {there} --keys none",
        f"streamhub publish double.json --name far/sum --repository {there}/repository",
        f"STREAMHUB_TOKEN= streamhub promote far/sum --repository {there}",
        f"streamhub log far/sum --repository {there}",
    ]:
        # The first one has the token of the apps.
        run("cd elsewhere && " + command)
        if "--trust" in command and environment["STREAMHUB_TOKEN"] == report_token:
            environment["STREAMHUB_TOKEN"] = made.stdout.strip()
            run("cd elsewhere && " + command)
    transcript.append(f"[exit {hub2.stop(close=False)}]\n")
    assert made.stdout.strip() not in hub2.text, "a secret was printed"
    environment["STREAMHUB_TOKEN"] = report_token

    transcript.append("\n== the repository is gone: the last good version runs\n")
    transcript.append(
        subprocess.run(
            [PROGRAM, "run", "sum", "--from", address], input="1\n2\n", text=True, env=environment, cwd=folder,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout)

    secrets = [environment["STREAMHUB_PASSPHRASE"], environment["STREAMHUB_TOKEN"]]
    text = "".join(transcript)
    assert secrets[0] not in text and secrets[1] not in hub.text + follower.text, "a secret was printed"
    text = normalized(text)
    if "--update" in sys.argv:
        with open(GOLDEN, "w") as file:
            file.write(text)
    with open(GOLDEN) as file:
        expected = file.read()
    if text != expected:
        import difflib
        sys.stdout.writelines(difflib.unified_diff(
            expected.splitlines(True), text.splitlines(True), "hub-session.txt", "printed"))
        raise SystemExit(1)
    print("two terminals print what is expected")


main()
