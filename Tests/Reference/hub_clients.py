#!/usr/bin/env python3
"""Clients of a hub, from outside: what they cost, what counts against a version, and what they tell.

    hub_clients.py STREAMHUB [SECONDS]

* An idle client that listens to a hub takes less than 0.1 % of a core, measured over SECONDS (default 10) by the
  nanoseconds that the kernel counts: directly, and through a proxy that sends the events in chunks.
* A version on probation is kept when the process ends in every ordinary way and when it is killed; it is refused when the
  process crashes twice. Values add up over runs, so that short runs make a version good.
* A short run begins with the newest version.
* A run tells which version it runs, when the hub is gone, and when it is back.
* A version without a value is never good; one that fails at its first value, however late, is replaced. A version that
  fails later, at each start, gives way to the one before.
* A short run without the hub runs the version of the runs before and says so, or refuses to.
"""
import http.server
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

PROGRAM = os.path.abspath(sys.argv[1])
SECONDS = float(sys.argv[2]) if len(sys.argv) > 2 else 10
PATIENCE = 60

FILE = """{
  "inputs": { "n": {} },
  "source": { "input": { "name": "n" } },
  "operators": [ { "map": { "expression": "'%s ' + string(value)" } } ]
}
"""


def fail(text):
    raise SystemExit("hub_clients.py: " + text)


class Follower:
    """A run of the command, whose input stays open."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen(
            [PROGRAM, "run", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            cwd=FOLDER, env=ENVIRONMENT)
        self.texts = {"out": "", "err": ""}
        self.changed = threading.Condition()
        for name, file in [("out", self.process.stdout), ("err", self.process.stderr)]:
            threading.Thread(target=self.read, args=(name, file), daemon=True).start()

    def read(self, name, file):
        while data := os.read(file.fileno(), 65536):
            with self.changed:
                self.texts[name] += data.decode()
                self.changed.notify_all()

    def wait_for(self, name, pattern):
        end = time.time() + PATIENCE
        with self.changed:
            while not re.search(pattern, self.texts[name]):
                if not self.changed.wait(max(0, end - time.time())):
                    fail(f"'{pattern}' did not appear in:\n{self.texts['out']}{self.texts['err']}")

    def send(self, value):
        self.process.stdin.write(f"{value}\n".encode())
        self.process.stdin.flush()

    def stop(self, number=None):
        """Ends the input, or sends a signal. Returns the exit code."""
        if number is None:
            self.process.stdin.close()
        else:
            self.process.send_signal(number)
        code = self.process.wait(PATIENCE)
        if number is not None:
            self.process.stdin.close()
        return code

    def nanoseconds(self):
        """The time on a processor of all threads, also of those that have ended."""
        # The clock of the process, as clock_getcpuclockid(3) numbers it.
        return time.clock_gettime_ns(~self.process.pid << 3 | 2)


class Chunking(http.server.BaseHTTPRequestHandler):
    """A proxy that sends responses of unknown length in chunks, as nginx does."""
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def do_GET(self):
        fields = {name: value for name, value in self.headers.items() if name.lower() != "host"}
        try:
            response = urllib.request.urlopen(urllib.request.Request(HUB + self.path, headers=fields))
        except urllib.error.HTTPError as error:
            response = error
        self.send_response(response.status)
        self.send_header("content-type", response.headers["content-type"])
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        try:
            while data := response.read1(65536):
                self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
            self.wfile.write(b"0\r\n\r\n")
        except OSError:
            # The client has gone.
            self.close_connection = True


def run(*arguments, input=None, code=0):
    result = subprocess.run(
        [PROGRAM, *arguments], cwd=FOLDER, env=ENVIRONMENT, text=True, input=input, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, timeout=PATIENCE)
    if result.returncode != code:
        fail(f"{arguments}: {result.stdout}{result.stderr}")
    return result


def publish(word, name, expression="'%s ' + string(value)"):
    """Publishes a file that puts the word before each value, or has another expression."""
    text = FILE.replace("'%s ' + string(value)", expression)
    with open(os.path.join(FOLDER, "file.json"), "w") as file:
        file.write(text.replace("%s", word))
    run("publish", "file.json", "--name", name)
    # The hub looks each second.
    end = time.time() + PATIENCE
    while time.time() < end:
        with urllib.request.urlopen(HUB + "/v1/streams") as response:
            for stream in json.load(response)["streams"]:
                if stream["name"] == name and published.get(name) != stream["content"]:
                    published[name] = stream["content"]
                    return
        time.sleep(0.1)
    fail("the hub does not notice a publication")


def serve(port):
    """Starts a hub. Returns its process and its port."""
    process = subprocess.Popen(
        [PROGRAM, "serve", "--port", str(port), "--public", "--rate", "100000"], cwd=FOLDER, env=ENVIRONMENT,
        stderr=subprocess.PIPE, text=True)
    while line := process.stderr.readline():
        event = json.loads(line)
        if event["event"] == "started":
            threading.Thread(target=process.stderr.read, daemon=True).start()
            return process, event["port"]
    fail("the hub does not start")


def reports(name):
    with urllib.request.urlopen(f"{HUB}/v1/rollouts/{name}") as response:
        return json.load(response)["versions"][0]["reports"]


def follow(name, cache, *options, hub=None):
    return Follower(
        name, "--from", hub or HUB, "--trust", "root.json", "--cache", cache, "--refresh", "3600", *options)


def cost():
    """Idle clients take less than 0.1 % of a core."""
    proxy = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Chunking)
    proxy.daemon_threads = True
    threading.Thread(target=proxy.serve_forever, daemon=True).start()
    publish("one", "idle")
    clients = [
        ("directly", follow("idle", "c1")), ("through a proxy", follow("idle", "c2", hub=f"http://127.0.0.1:{proxy.server_port}")),
    ]
    for _, client in clients:
        client.wait_for("err", "runs version 1")
        client.send(1)
        client.wait_for("out", "one 1")
    # They have connected, and a notice arrives.
    publish("two", "idle")
    for _, client in clients:
        client.wait_for("err", "swapped to version 2")
    time.sleep(2)
    # A shared machine is slower at times, which adds to the time of the process. The work of the client is in each
    # measure. So the least of several counts.
    least = [1.0 for _ in clients]
    for _ in range(6):
        before = [client.nanoseconds() for _, client in clients]
        start = time.monotonic()
        time.sleep(SECONDS)
        duration = time.monotonic() - start
        shares = [(client.nanoseconds() - first) / duration / 1e9 for (_, client), first in zip(clients, before)]
        least = [min(pair) for pair in zip(least, shares)]
        if max(least) < 0.001:
            break
    for (name, client), share in zip(clients, least):
        print(f"an idle client, {name}: {share * 100:.4f} % of a core over {SECONDS:.0f} s")
        if share >= 0.001:
            fail("it takes too much")
        client.stop()
    proxy.shutdown()


def ends():
    """Only a crash counts against a version on probation."""
    options = ["--report", "--probation", "3600", "--probation-values", "1000"]

    def interrupted(word, number, count):
        """A good version, then a number of runs of a new one that end on probation. Returns the name and the cache."""
        name, cache = f"ends-{word}".lower(), f"cache-{word}"
        publish("old", name)
        first = follow(name, cache, *options)
        first.wait_for("err", "runs version 1")
        first.stop()
        publish("new", name)
        for _ in range(count):
            client = follow(name, cache, *options)
            client.wait_for("err", "swapped to version 2")
            client.send(1)
            client.wait_for("out", "new 1")
            client.stop(number)
        return name, cache

    for word, number in [("INPUT", None), ("TERM", signal.SIGTERM), ("INT", signal.SIGINT), ("KILL", signal.SIGKILL)]:
        name, _ = interrupted(word, number, 4)
        counted = reports(name)
        print(f"four ends by {word} within the probation: {json.dumps(counted)}")
        if counted["failed"]:
            fail("a good version is refused")
    name, cache = interrupted("CRASH", signal.SIGSEGV, 2)
    client = follow(name, cache, *options)
    client.wait_for("err", "version 2 is refused: the process crashed 2 times")
    client.send(1)
    client.wait_for("out", "old 1")
    client.stop()
    print(f"two crashes within the probation: {json.dumps(reports(name))}")
    if reports(name)["failed"] != 1:
        fail("a version that crashes is not refused")


def short_runs():
    """A short run begins with the newest version, and makes it good with others."""
    arguments = ["run", "short", "--from", HUB, "--trust", "root.json", "--cache", "short", "--probation-values", "3"]
    publish("old", "short")
    run(*arguments, input="1\n")
    publish("new", "short")
    outputs = [run(*arguments, input="1\n2\n").stdout for _ in range(3)]
    print(f"three runs after a publication: {outputs}")
    if outputs != ['"new 1"\n"new 2"\n'] * 3:
        fail("a run does not begin with the newest version")
    offline = run("run", "short", "--from", HUB, "--cache", "short", "--offline", input="1\n")
    if offline.stdout != '"new 1"\n' or "runs version 2" not in offline.stderr:
        fail(f"the version is not good after four values: {offline.stdout}{offline.stderr}")


def slow():
    """A version without a value is inconclusive, and is replaced when it fails at its first one."""
    publish("old", "slow")
    client = follow("slow", "slow", "--report", "--probation", "1")
    client.wait_for("err", "slow: runs version 1\n")
    client.send(1)
    client.wait_for("out", "old 1")
    publish("new", "slow", "string(value / (value - value))")
    client.wait_for("err", "slow: swapped to version 2, on probation; ")
    time.sleep(3)
    silent = reports("slow")
    client.send(2)
    client.wait_for("err", "slow: version 2 has failed; version 1 continues, with its state")
    client.wait_for("out", "old 2")
    if client.stop() != 0:
        fail(f"the run has failed: {client.texts['err']}")
    print(f"a version without a value: {json.dumps(silent)}; after its first one: {json.dumps(reports('slow'))}")
    if (silent["inconclusive"], silent["good"], reports("slow")["failed"]) != (1, 0, 1):
        fail("a version without a value is taken for a good one, or its failure is not reported")


def later_failures():
    """A version that was good and fails at each start gives way to the one before; its failures are reported."""
    arguments = ["run", "later", "--from", HUB, "--trust", "root.json", "--cache", "later", "--report", "--probation-values", "2"]
    publish("old", "later")
    run(*arguments, input="1\n2\n")
    publish("new", "later", "value < 10 ? '%s ' + string(value) : string(value / 0)")
    run(*arguments, input="1\n2\n")
    # Wrong data are nobody's fault.
    run(*arguments, input="1\n{\n", code=2)
    if reports("later")["failed"]:
        fail("a version is to blame for wrong data")
    for number in range(2):
        told = run(*arguments, input="20\n", code=1)
        print(f"a failure of a good version: {json.dumps(reports('later'))}")
        if reports("later")["failed"] != 1 or number and "version 2 has failed in the last run" not in told.stderr:
            fail(f"it is not reported: {told.stderr}")
    restored = run(*arguments, input="20\n")
    last = run(*arguments, input="20\n")
    print(restored.stderr, last.stderr, sep="", end="")
    if (restored.stdout, last.stdout) != ('"old 20"\n', '"old 20"\n'):
        fail("the version before does not come back")
    for words in ["version 2 is on probation again: it has failed in the last 2 runs", "version 2 has failed; version 1 continues"]:
        if words not in restored.stderr:
            fail(f"a run does not tell that {words}")


def batch():
    """Without the hub, a short run begins with the good version and continues the probation of the runs before, or refuses
    to begin."""
    global hub
    arguments = ["run", "batch", "--from", HUB, "--trust", "root.json", "--cache", "batch", "--wait", "5"]
    publish("old", "batch")
    run(*arguments, input="1\n")
    publish("new", "batch")
    run(*arguments, input="1\n")
    hub.terminate()
    hub.wait()
    time.sleep(1.1)
    warning = (r"warning: batch: the repository cannot be read; version 1 runs, as of \d+ seconds? ago: [^\n]*\n"
               "batch: swapped to version 2, on probation; ")
    for options, code, words in [
            ([], 0, warning), (["--require-fresh", "1h"], 0, warning), (["--at-least", "2"], 0, warning),
            (["--refresh-first"], 3, "as --refresh-first requires: "),
            (["--require-fresh", "0s"], 4, r"was last read \d+ seconds? ago; --require-fresh permits 0 seconds: "),
            (["--at-least", "3"], 5, "version 2 would run; --at-least is 3: ")]:
        result = run(*arguments, *options, input="1\n", code=code)
        print(re.sub(r":\d{2,}", ":PORT", result.stderr).splitlines()[-1])
        if not re.search(words, result.stderr) or result.stdout != ('"new 1"\n' if code == 0 else ""):
            fail(f"{options}: {result.stdout}{result.stderr}")
    hub, _ = serve(HUB.rsplit(":", 1)[1])
    online = run(*arguments, "--refresh-first", "--require-fresh", "1m", "--at-least", "2", input="1\n")
    if online.stdout != '"new 1"\n' or "warning" in online.stderr:
        fail(f"with the hub: {online.stdout}{online.stderr}")


def absence():
    """A run tells when the hub is gone, and when it is back."""
    global hub
    publish("one", "absent")
    client = follow("absent", "absent", "--refresh", "1")
    client.wait_for("err", "absent: runs version 1\n")
    hub.terminate()
    hub.wait()
    client.wait_for("err", "cut off from the repository, version 1 continues: .*cannot be reached")
    time.sleep(3)
    hub, _ = serve(HUB.rsplit(":", 1)[1])
    client.wait_for("err", "absent: follows the repository again")
    client.stop()
    print(re.sub(r":\d{2,}", ":PORT", client.texts["err"]), end="")
    if client.texts["err"].count("cut off") != 1:
        fail("it is told more than once")


FOLDER = tempfile.mkdtemp()
published = {}
ENVIRONMENT = dict(os.environ, XDG_CACHE_HOME=FOLDER + "/cache", NO_COLOR="1")
ENVIRONMENT.pop("STREAMHUB_TOKEN", None)
HUB = ""
run("init", "--no-passphrase")
ENVIRONMENT["STREAMHUB_TOKEN"] = run("tokens", "new", "--scope", "report").stdout.strip()
hub, port = serve(0)
HUB = f"http://127.0.0.1:{port}"
try:
    cost()
    ends()
    short_runs()
    slow()
    later_failures()
    batch()
    absence()
finally:
    hub.kill()
    shutil.rmtree(FOLDER, ignore_errors=True)
