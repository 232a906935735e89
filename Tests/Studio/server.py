"""A studio over a folder of its own, and what a play expects of it."""
import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))


class Failure(Exception):
    """What a play expected and did not see."""


def expect(condition, message):
    if not condition:
        raise Failure(message)


def expect_in(part, whole):
    expect(part in whole, f"expected {part!r} in {whole!r}")


def expect_equal(actual, expected, what="a value"):
    if actual != expected:
        raise Failure(f"{what}: expected {expected!r}, saw {actual!r}")


class Server:
    """A studio over a copy of the repository's Streams, which is a git repository, or over a folder that exists."""

    def __init__(self, command, folder=None, port=0):
        self.command = command
        self.port = port
        if folder:
            self.folder = folder
            self.start()
            return
        self.folder = os.path.realpath(tempfile.mkdtemp(prefix="studio-suite-"))
        shutil.copytree(os.path.join(ROOT, "Streams"), self.folder, dirs_exist_ok=True)
        self.git("init", "--quiet")
        self.commit("The streams of the repository")
        self.start()

    def git(self, *arguments):
        identity = ["-c", "user.name=Suite", "-c", "user.email=suite@example.org", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", *identity, "-C", self.folder, *arguments], check=True, stdout=subprocess.DEVNULL)

    def commit(self, message):
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", message)

    def start(self):
        self.process = subprocess.Popen(
            [self.command, self.folder, "--port", str(self.port), "--color", "never"], stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True)
        line = self.process.stdout.readline()
        found = re.search(r"http://\S+", line)
        if not found:
            raise Failure(f"the studio printed no link: {line}")
        self.link = found.group()
        self.port = int(re.search(r":(\d+)", self.link).group(1))

    def kill(self):
        """Ends the server without a farewell, as a crash would."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(30)
        self.process.stdout.close()

    def close(self):
        if self.process.poll() is None:
            self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def origin(self):
        return f"http://127.0.0.1:{self.port}"

    def ask(self, method, target, body=None, **headers):
        """Sends a request as it is, and returns its status, its headers and its body."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.putrequest(method, target, skip_host="Host" in headers, skip_accept_encoding=True)
        for name, value in headers.items():
            connection.putheader(name, value)
        data = json.dumps(body).encode() if body is not None else b""
        if body is not None:
            connection.putheader("Content-Type", "application/json")
        connection.putheader("Content-Length", str(len(data)))
        connection.endheaders(data)
        response = connection.getresponse()
        answer = response.status, {name.lower(): value for name, value in response.getheaders()}, response.read()
        connection.close()
        return answer

    def path(self, name):
        return os.path.join(self.folder, name)

    def read(self, name):
        with open(self.path(name), encoding="utf-8", newline="") as file:
            return file.read()

    def write(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w", encoding="utf-8", newline="") as file:
            file.write(text if isinstance(text, str) else json.dumps(text, indent=2, ensure_ascii=False) + "\n")


def play(plays, smoke=False):
    """Marks a function as a play of a group."""
    def mark(function):
        function.is_smoke = smoke
        plays.append(function)
        return function
    return mark


def run_stream(streamrun, path, *arguments):
    """What `streamrun --virtual --timestamps` prints, as lists of texts like those of `Person.shown`."""
    result = subprocess.run([streamrun, "--virtual", "--timestamps", path, *arguments], stdin=subprocess.DEVNULL,
                            capture_output=True, text=True, check=True)
    return [json.loads(line) for line in result.stdout.splitlines()]
