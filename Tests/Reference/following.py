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
    """What the app prints when it reads these lines; a function among them is called."""
    process = subprocess.Popen(
        [APP, location, FOLDER + "/root.json", f"{FOLDER}/{cache}", *more], stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, text=True)
    time.sleep(0.5)
    for line in lines:
        if callable(line):
            line()
            time.sleep(1.5)
        else:
            process.stdin.write(f"{line}\n")
            process.stdin.flush()
            time.sleep(0.4)
    process.stdin.close()
    output = process.stdout.read().split("\n")[:-1]
    assert process.wait(30) == 0, output
    return output


def check(name, actual, expected):
    # The first refresh ends before or after the first values.
    if actual != expected:
        raise SystemExit(f"{name}: expected\n  {expected}\nfound\n  {actual}")
    print(f"{name}: {', '.join(actual)}")


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
        self.address = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


subprocess.run([HUB, "init"], cwd=FOLDER, env=ENVIRONMENT, check=True, capture_output=True)
publish("acc + value")
FOLDER_OF_REPOSITORY = FOLDER + "/repository"

check("offline, never online before", app("http://127.0.0.1:1", "a", [5, 5]),
      ["fallback", "fallback, unreachable", "1", "2"])
check("a folder", app(FOLDER_OF_REPOSITORY, "a", ["check", 5, 5, 5]),
      ["fallback", "probation 1", "5", "10", "good 1", "15"])
check("offline, with the last good version", app("http://127.0.0.1:1", "a", [5, 5]),
      ["cached 1", "cached 1, unreachable", "5", "10"])

server = Server()
check("HTTP", app(server.address, "b", ["check", 1, 2, 3]),
      ["fallback", "probation 1", "1", "3", "good 1", "6"])

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
check("an altered file", app(server.address, "b", ["check", 1, 2]),
      ["cached 1", "cached 1, mismatch", "1", "3"])
server.lie = endless
check("endless data", app(server.address, "b", ["check", 1]), ["cached 1", "cached 1, tooLarge", "1"])
server.lie = None
check("an honest server", app(server.address, "b", ["check", 1, 2, 3]),
      ["cached 1", "probation 2", "2", "6", "good 2", "12"])
server.lie = older
check("an older version", app(server.address, "b", ["check", 1]), ["cached 2", "cached 2, rollback", "2"])

hub = subprocess.Popen(
    [HUB, "serve", "--port", "0", "--public"], cwd=FOLDER, env=ENVIRONMENT, stderr=subprocess.PIPE, text=True)
port = re.search(r'"port":(\d+)', hub.stderr.readline()).group(1)
threading.Thread(target=hub.stderr.read, daemon=True).start()
address = f"http://127.0.0.1:{port}"
check("a hub, whose notice brings the next version",
      app(address + "/repository", "c",
          ["check", 1, 2, 3, lambda: publish("acc + value * 3"), 1, 2, 3], address),
      ["fallback", "probation 2", "2", "6", "good 2", "12", "probation 3", "15", "21", "good 3", "30"])
hub.terminate()
assert hub.wait(30) == 0
check("a hub that is gone", app(address + "/repository", "c", [1], address),
      ["cached 3", "cached 3, unreachable", "3"])
