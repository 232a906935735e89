#!/usr/bin/env python3
"""An app that follows a stream: offline, from a folder, over HTTP, through a hub, and with a lying server in between.

    following.py STREAMHUB APP

APP is Tests/Examples/Sharing's FollowStream. Each part states what the app has to print.
"""
import functools
import http.server
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

HUB, APP = (os.path.abspath(path) for path in sys.argv[1:3])
FOLDER = tempfile.mkdtemp()
ENVIRONMENT = dict(os.environ, STREAMHUB_PASSPHRASE="a secret", XDG_CACHE_HOME=FOLDER + "/cache")
SUM = """{ "inputs": { "n": {} }, "source": { "input": { "name": "n" } },
  "operators": [ { "id": "total", "scan": { "initialValue": 0, "expression": "%s" } } ] }"""


def publish(expression):
    with open(FOLDER + "/sum.json", "w") as file:
        file.write(SUM % expression)
    subprocess.run(
        [HUB, "publish", "sum.json", "--name", "sum"], cwd=FOLDER, env=ENVIRONMENT, check=True, capture_output=True)


def app(location, cache, lines, *more):
    """The states that the app prints, and the values, when it reads these lines; a function among them is called."""
    process = subprocess.Popen(
        [APP, location, FOLDER + "/root.json", f"{FOLDER}/{cache}", *more], stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, text=True)
    output = []
    is_ready = threading.Event()

    def read():
        for line in process.stdout:
            output.append(line.strip())
            if line == "ready\n":
                is_ready.set()

    reader = threading.Thread(target=read)
    reader.start()
    assert is_ready.wait(60), output
    # The first refresh has ended, or has failed, before the first number.
    time.sleep(1)
    for line in lines:
        if callable(line):
            line()
            time.sleep(2)
        else:
            process.stdin.write(f"{line}\n")
            process.stdin.flush()
            time.sleep(0.4)
    process.stdin.close()
    assert process.wait(60) == 0, output
    reader.join()
    output.remove("ready")
    states = [line for line in output if not line.lstrip("-").isdigit()]
    # The state at the start is printed unless the first refresh was faster.
    if re.fullmatch(r"fallback|cached \d+", states[0]) and len(states) > 1:
        states.pop(0)
    return states, [line for line in output if line.lstrip("-").isdigit()]


def check(name, actual, states, values):
    if actual != (states, values):
        raise SystemExit(f"{name}: expected\n  {(states, values)}\nfound\n  {actual}")
    print(f"{name}: {', '.join(states)}; {' '.join(values)}")


class Server:
    """The repository over HTTP; `lie` changes what is sent, by the path."""

    def __init__(self):
        self.lie = None
        server = self

        class Handler(http.server.SimpleHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def do_GET(self):
                path = self.translate_path(self.path)
                data = open(path, "rb").read() if os.path.isfile(path) else None
                if server.lie:
                    data = server.lie(self.path, data)
                self.send_response(200 if data is not None else 404)
                self.end_headers()
                self.wfile.write(data or b"")

        handler = functools.partial(Handler, directory=FOLDER + "/repository")
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        # A client hangs up on endless data.
        self.server.handle_error = lambda *_: None
        self.address = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


subprocess.run([HUB, "init"], cwd=FOLDER, env=ENVIRONMENT, check=True, capture_output=True)
publish("acc + value")
FOLDER_OF_REPOSITORY = FOLDER + "/repository"

check("offline, never online before", app("http://127.0.0.1:1", "a", [5, 5]),
      ["fallback, unreachable"], ["1", "2"])
check("a folder", app(FOLDER_OF_REPOSITORY, "a", [5, 5, 5]), ["inconclusive 1", "probation 1", "good 1"], ["5", "10", "15"])
check("offline, with the last good version", app("http://127.0.0.1:1", "a", [5, 5]),
      ["cached 1, unreachable"], ["5", "10"])

server = Server()
check("HTTP", app(server.address, "b", [1, 2, 3]), ["inconclusive 1", "probation 1", "good 1"], ["1", "3", "6"])

# The publisher goes on; the server in between lies.
shutil.copytree(FOLDER_OF_REPOSITORY, FOLDER + "/old")
publish("acc + value * 2")


def altered(path, data):
    return data.replace(b"value * 2", b"value * 9") if "/targets/" in path and data else data


def older(path, data):
    place = FOLDER + "/old" + path
    return open(place, "rb").read() if os.path.isfile(place) else None


def endless(path, data):
    return data + b" " * 70_000_000 if path.endswith("timestamp.json") and data else data


server.lie = altered
check("an altered file", app(server.address, "b", [1, 2]), ["cached 1, mismatch"], ["1", "3"])
server.lie = endless
check("endless data", app(server.address, "b", [1]), ["cached 1, tooLarge"], ["1"])
server.lie = None
check("an honest server", app(server.address, "b", [1, 2, 3]), ["inconclusive 2", "probation 2", "good 2"], ["2", "6", "12"])
server.lie = older
check("an older version", app(server.address, "b", [1]), ["cached 2, rollback"], ["2"])

hub = subprocess.Popen(
    [HUB, "serve", "--port", "0", "--public"], cwd=FOLDER, env=ENVIRONMENT, stderr=subprocess.PIPE, text=True)
port = re.search(r'"port":(\d+)', hub.stderr.readline()).group(1)
threading.Thread(target=hub.stderr.read, daemon=True).start()
address = f"http://127.0.0.1:{port}"
check("a hub, whose notice brings the next version",
      app(address + "/repository", "c", [1, 2, 3, lambda: publish("acc + value * 3"), 1, 2, 3], address),
      ["inconclusive 2", "probation 2", "good 2", "inconclusive 3", "probation 3", "good 3"], ["2", "6", "12", "15", "21", "30"])
hub.terminate()
assert hub.wait(30) == 0
check("a hub that is gone", app(address + "/repository", "c", [1], address), ["cached 3, unreachable"], ["3"])
