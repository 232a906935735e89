#!/usr/bin/env python3
"""The faults of hub.md that clients and operators met, with what must happen: hub.py STREAMHUB STREAMRUN [FINDING …].

The steps are those of the reproductions, on free ports and in folders of their own; the figures are those of Hub.md,
Following.md, Trust.md and Publishing.md. Needs faketime. Takes about six minutes.
"""
import concurrent.futures
import http.server
import json
import math
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

from reproductions import Reproductions

HERE = pathlib.Path(__file__).resolve().parent
TILT = (HERE.parents[2] / "Streams" / "tilt.json").read_text()
LEVEL = '{"x":0.0,"y":-1.0,"z":-0.3}\n'
DAY = 86_400
STREAMHUB, STREAMRUN = (os.path.abspath(path) for path in sys.argv[1:3])
r = Reproductions("hub", STREAMHUB)
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "HOME": str(r.folder), "NO_COLOR": "1"}


def changed(word="NEW"):
    """The stream with another word for a position that is not vertical, without its test."""
    model = json.loads(TILT.replace("notVertical", word))
    del model["tests"]
    return json.dumps(model)


class Installation:
    """A repository with one stream, its keys, and a hub."""

    def __init__(self, name, *streams):
        self.folder = r.folder / name
        self.folder.mkdir()
        self.process = self.child = None
        self.port, self.log = 0, []
        self.command("init", "--no-passphrase")
        for stream in streams:
            self.publish(TILT, stream)

    def start(self, *words, days=0, token=None, **options):
        """Starts a command in this folder, some days later."""
        clock = ["faketime", "-f", f"+{days}d"] if days else []
        environment = {**ENVIRONMENT, "FAKETIME_DONT_FAKE_MONOTONIC": "1", **({"STREAMHUB_TOKEN": token} if token else {})}
        return subprocess.Popen([*clock, STREAMHUB, *words], cwd=self.folder, env=environment, text=True, **options)

    def command(self, *words, days=0, code=0, input=""):
        """Runs a command to its end, and returns what it printed."""
        with self.start(*words, days=days, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            out, err = process.communicate(input, timeout=120)
        if code is not None and process.returncode != code:
            raise RuntimeError(f"{words}: code {process.returncode}; {out}{err}")
        return (out + err).strip()

    def publish(self, text, name, *options):
        (self.folder / "published.json").write_text(text)
        return self.command("publish", "published.json", "--name", name, *options)

    def token(self, scope):
        return self.command("tokens", "new", "--scope", scope)

    def serve(self, *options, days=0):
        self.log = []
        self.process = self.start("serve", "--port", str(self.port), "--public", "--rate", "100000", *options, days=days,
                                  stderr=subprocess.PIPE)
        while line := self.process.stderr.readline():
            self.log.append(json.loads(line))
            if self.log[-1]["event"] == "started":
                break
        else:
            raise RuntimeError("the hub does not start")
        # The same port when it starts again: the cache of a client is that of an address.
        self.port = self.log[-1]["port"]
        self.url = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self.read, args=[self.process.stderr], daemon=True).start()
        # faketime is a parent of the hub.
        children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        self.child = int(children[0]) if days else self.process.pid

    def read(self, lines):
        for line in lines:
            self.log.append(json.loads(line))

    def stop(self):
        if self.process and self.process.poll() is None:
            os.kill(self.child, signal.SIGTERM)
            self.process.wait(30)

    def request(self, method, path, body=None, token=None, **fields):
        """Returns the status, the reply, the fields of its header, and the seconds that it took."""
        request = urllib.request.Request(self.url + path, None if body is None else body.encode(), method=method)
        if body is not None:
            request.add_header("Content-Type", "application/json")
        if token:
            request.add_header("Authorization", "Bearer " + token)
        for name, value in fields.items():
            request.add_header(name.replace("_", "-"), value)
        begin = time.monotonic()
        try:
            with urllib.request.urlopen(request, timeout=100) as response:
                return response.status, response.read().decode(), response.headers, time.monotonic() - begin
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode(), error.headers, time.monotonic() - begin
        except TimeoutError:
            return 0, '"no reply"', {}, time.monotonic() - begin

    def rollout(self, name, version):
        """The state of a version and the counts of its reports."""
        versions = json.loads(self.request("GET", "/v1/rollouts/" + name)[1])["versions"]
        return next((entry for entry in versions if entry["version"] == version), None)

    def wait_for(self, condition, seconds=20):
        end = time.monotonic() + seconds
        while not (value := condition()) and time.monotonic() < end:
            time.sleep(0.1)
        return value


class Client:
    """A run of `streamhub run`, whose input stays open."""

    def __init__(self, hub, name, source, cache, *options, token=None):
        self.output, self.errors = [], []
        self.process = hub.start("run", name, "--from", source, "--trust", "root.json", "--cache", cache, *options, token=token,
                                 stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.threads = [threading.Thread(target=lines.extend, args=[file], daemon=True)
                        for lines, file in [(self.output, self.process.stdout), (self.errors, self.process.stderr)]]
        for thread in self.threads:
            thread.start()

    def send(self, count=1):
        self.process.stdin.write(LEVEL * count)
        self.process.stdin.flush()

    def stop(self, number=None):
        """Ends the input, or sends a signal. Returns the output and the errors."""
        if number:
            self.process.send_signal(number)
            self.process.wait(30)
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        self.process.wait(30)
        for thread in self.threads:
            thread.join()
        return "".join(self.output), "".join(self.errors)

    def nanoseconds(self):
        # The clock of the process, as clock_getcpuclockid(3) numbers it.
        return time.clock_gettime_ns(~self.process.pid << 3 | 2)


def alone(text):
    """The output of a file on its own, for the input that the clients get."""
    (r.folder / "alone.json").write_text(text)
    with subprocess.Popen([STREAMRUN, "alone.json"], cwd=r.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as run:
        run.stdin.write(LEVEL)
        run.stdin.flush()
        time.sleep(1.5)
        return run.communicate()[0]


def busy_client():
    """A1: a client that follows and gets nothing takes less than 0.1 % of a core."""
    hub = Installation("busy", "t")
    try:
        hub.serve()
        sources = [hub.url, hub.url + "/repository", "repository"]
        clients = [Client(hub, "t", source, f"c{number}") for number, source in enumerate(sources)]
        for client in clients:
            hub.wait_for(lambda client=client: client.errors)
        time.sleep(3)
        before, begin = [client.nanoseconds() for client in clients], time.monotonic()
        time.sleep(15)
        duration = time.monotonic() - begin
        for source, client, first in zip(sources, clients, before):
            share = (client.nanoseconds() - first) / duration / 1e9
            shown = f"{share * 100:.4f} % of a core over {duration:.0f} s\n{client.stop()[1]}"
            r.report("A1", "run t --from " + source, shown, ["it takes too much"] if share >= 0.001 else [])
    finally:
        hub.stop()
    # Notices in chunks, crashes, short runs, and a hub that is gone.
    r.environment["H"] = str(HERE.parent / "hub_clients.py")
    r.check("A1, A2, A4, B1", "$H $S", seconds=600)


def restart_refuses():
    """A2: a good version stays, however the process ends within its probation."""
    hub = Installation("restarts", "term", "int", "eof")
    token = hub.token("report")
    expected = alone(changed())
    try:
        hub.serve()
        for name, number in [("term", signal.SIGTERM), ("int", signal.SIGINT), ("eof", None)]:
            first = Client(hub, name, hub.url, "c-" + name, "--report", "--probation", "1", token=token)
            for _ in range(8):
                first.send()
                time.sleep(0.3)
            first.stop()
            hub.publish(changed(), name)
            hub.wait_for(lambda name=name: hub.rollout(name, 2))
            shown, problems = "", []
            for start in range(1, 5):
                client = Client(hub, name, hub.url, "c-" + name, "--report", token=token)
                client.send()
                hub.wait_for(lambda client=client: client.output)
                client.send(8)
                time.sleep(0.5)
                output, errors = client.stop(number)
                shown += f"start {start}: {output.strip()} | {errors.strip()}\n"
                if output != expected:
                    problems.append(f"start {start}: printed {output!r}, expected {expected!r}")
                if "refused" in errors or "version 2" not in errors:
                    problems.append(f"start {start}: {errors}")
            version = hub.rollout(name, 2)
            shown += json.dumps(version["reports"])
            if version["reports"]["failed"] or version["reports"]["running"] + version["reports"]["good"] != 1:
                problems.append(f"the reports are {version['reports']}")
            r.report("A2", f"four ends by {name.upper()} within the probation", shown, problems)
    finally:
        hub.stop()


def good_rollout():
    """A3: clients that run for 2 seconds do not halt the rollout of a version that is in order; failures of 5 clients do."""
    hub = Installation("rollout", "t", "u")
    token = hub.token("report")
    old, new = alone(TILT), alone(changed())
    try:
        hub.serve("--report-rate", "100000")

        def one(number):
            client = Client(hub, "t", hub.url, f"c{number}", "--report", token=token)
            client.send()
            # Two seconds from the start of the stream, which may take longer.
            hub.wait_for(lambda: client.errors)
            time.sleep(2)
            client.send()
            return client.stop()

        def all_clients():
            with concurrent.futures.ThreadPoolExecutor(10) as pool:
                return list(pool.map(one, range(40)))

        all_clients()
        hub.publish(changed(), "t", "--percent", "60")
        hub.wait_for(lambda: hub.rollout("t", 2))
        for number in range(1, 4):
            runs = all_clients()
            version = hub.rollout("t", 2)
            chosen = [output for output, errors in runs if "version 2" in errors]
            problems = []
            if version["state"] != "candidate" or version["reports"]["failed"]:
                problems.append(f"{version['state']}, {version['reports']}, {version['failures']}")
            if sum(version["reports"].values()) != len(chosen) or not 10 < len(chosen) < 38:
                problems.append(f"{len(chosen)} clients run version 2, {version['reports']} report")
            others = [output for output, errors in runs if "version 2" not in errors]
            if set(chosen) != {new} or set(others) != {old}:
                problems.append(f"the outputs are {set(chosen)} and {set(others)}")
            r.report("A3", f"round {number} of 40 runs of 2 s, at 60 %", f"{len(chosen)} run version 2: {version['reports']}", problems)

        hub.publish(changed(), "u", "--percent", "60")
        hub.wait_for(lambda: hub.rollout("u", 2))
        content = hub.rollout("u", 2)["content"]

        def report(state, clients):
            for client in clients:
                body = {"client": f"client-{client}", "stream": "u", "version": 2, "content": content, "state": state}
                status, reply, _, _ = hub.request("POST", "/v1/reports", json.dumps(body), token)
                if status != 202:
                    raise RuntimeError(f"{status} {reply}")

        report("running", range(39))
        for failed, state in [(1, "candidate"), (4, "candidate"), (5, "halted")]:
            report("failed", range(39, 39 + failed))
            hub.wait_for(lambda: hub.rollout("u", 2)["state"] == "halted", 10 if state == "halted" else 2)
            version, share = hub.rollout("u", 2), failed / (39 + failed)
            shown = f"{version['reports']}, {version['state']}; at least {wilson(share, 39 + failed):.1%} fail"
            problems = [] if version["state"] == state else [f"it is not {state}"]
            r.report("A3", f"{failed} failures beside 39 clients without", shown, problems)
    finally:
        hub.stop()


def wilson(share, count, z=1.959964):
    """The lower end of the score interval."""
    middle, square = share + z * z / (2 * count), share * (1 - share) / count + z * z / (4 * count * count)
    return (middle - z * math.sqrt(square)) / (1 + z * z / count)


def long_tests():
    """A5: changes do not wait for the tests of an upload, which are bounded together, as is the memory that they take."""
    every = {"source": {"timer": {"every": 0.000001}}}
    none = {"filter": {"expression": "size(value) < 0"}}

    def tests(count, seconds):
        return [{"name": f"t{number}", "for": seconds, "expect": {"values": []}} for number in range(count)]

    never = {"source": {"never": {}}, "operators": [{"collectTime": {"seconds": 1}}]}
    grow = {"scan": {"initialValue": [], "expression": "size(acc) < 20000000 ? acc + [value] : acc"}}
    texts = {"map": {"expression": "[value, value, value, 'abcdefghijklmnopqrstuvwxyz' + string(value)]"}}
    # Each test has an input of its own, for which the stream is compiled again.
    compiled = {"streams": {"a": {"source": {"just": {"value": 1}}}}, "source": {"stream": {"name": "a"}},
                "operators": [{"map": {"expression": f"value + {number}"}} for number in range(2000)],
                "tests": [{"name": f"t{n}", "inputs": {"a": {"events": [{"at": 0, "finished": True}]}}, "expect": {"values": [0]}}
                          for n in range(1000)]}
    files = {
        "60 tests that wait": {**never, "tests": [{"name": f"t{n}", "expect": {"values": []}} for n in range(60)]},
        "1,000 long tests": {**every, "operators": [{"filter": {"expression": "value < 0"}}], "tests": tests(1000, 100)},
        "1,001 tests": {**never, "tests": [{"name": f"t{n}", "expect": {"values": []}} for n in range(1001)]},
        "a list that grows": {**every, "operators": [grow, none], "tests": tests(1, 1000)},
        "lists of lists": {**every, "operators": [{"collect": {"count": 1000000}}, {"scan": {"initialValue": [], "expression": "acc + [value]"}}, none], "tests": tests(1, 100000)},
        "texts": {**every, "operators": [texts, {"scan": {"initialValue": [], "expression": "acc + value"}}, none], "tests": tests(1, 100000)},
        "1,000 tests to compile": compiled,
    }
    hub = Installation("tests", "tilt")
    admin, publisher = hub.token("admin"), hub.token("publish:")
    try:
        hub.serve()
        for number, (name, file) in enumerate(files.items()):
            tag = hub.request("GET", "/v1/streams/tilt")[2]["ETag"]
            status, reply, _, _ = hub.request("PUT", "/v1/streams/tilt?percent=5", changed(f"NEW{number}"), admin, If_Match=tag)
            if status != 200:
                raise RuntimeError(f"{status} {reply}")
            body, memory, worst, problems = json.dumps(file), 0, 0, []
            with concurrent.futures.ThreadPoolExecutor(1) as pool:
                upload = pool.submit(hub.request, "PUT", f"/v1/streams/s{number}", body, publisher, If_None_Match="*")
                time.sleep(0.3)
                status, reply, _, halting = hub.request("POST", "/v1/streams/tilt/halt", "{}", admin)
                if status != 200 or halting > 3:
                    problems.append(f"halt: {status} after {halting:.1f} s, {reply[:200]}")
                while True:
                    for path in ("/healthz", "/readyz", "/v1/streams/tilt/versions/1"):
                        status, reply, _, seconds = hub.request("GET", path)
                        worst = max(worst, seconds)
                        if status != 200 or seconds > 3:
                            problems.append(f"{path}: {status} after {seconds:.1f} s, {reply[:200]}")
                    status_lines = pathlib.Path(f"/proc/{hub.child}/status").read_text()
                    memory = max(memory, int(re.search(r"VmRSS:\s*(\d+)", status_lines)[1]) // 1024)
                    if upload.done():
                        break
                    time.sleep(0.1)
                status, reply, _, seconds = upload.result()
            detail = re.search('"detail":"(.*?)"', reply + '"detail":""')[1][:150]
            shown = (f"{len(body)} bytes: {status} after {seconds:.1f} s, {memory} MiB; {detail}\n"
                     f"meanwhile halt after {halting:.2f} s, reading {worst:.2f} s at most")
            # 10 seconds for the tests, and a busy machine. The review saw 179 MB.
            if status != 422 or seconds > 20:
                problems.append("the upload is not refused in time")
            if memory > 512:
                problems.append("the memory is not bounded")
            r.report("A5", name, shown, problems)
    finally:
        hub.stop()


class Dripping(http.server.BaseHTTPRequestHandler):
    """A repository whose timestamp comes a byte at a time, or a header line by line: /SECONDS/… or /header/…."""
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def do_GET(self):
        _, mode, name = urllib.parse.unquote(self.path).split("/", 2)
        try:
            if mode == "header":
                self.wfile.write(b"HTTP/1.1 200 OK\r\n")
                self.drip([b"X-A: b\r\n"] * 130, 1)
            file = self.server.folder / name
            if not file.is_file():
                return self.send_error(404)
            data = file.read_bytes()
            self.send_response(200)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            if mode != "honest" and "timestamp" in name:
                self.drip([data[i:i + 1] for i in range(len(data))], float(mode))
            else:
                self.wfile.write(data)
        except OSError:
            self.close_connection = True

    def drip(self, parts, seconds):
        for part in parts:
            self.wfile.write(part)
            self.wfile.flush()
            time.sleep(seconds)


def drip():
    """B3: a request ends after 60 seconds, however slowly the bytes of its header or its body arrive."""
    hub = Installation("drip", "t")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Dripping)
    server.daemon_threads = True
    server.folder = hub.folder / "repository"
    threading.Thread(target=server.serve_forever, daemon=True).start()

    def pull(mode, cache, code=None):
        begin = time.monotonic()
        told = hub.command("pull", "t", "--repository", f"http://127.0.0.1:{server.server_port}/{mode}", "--trust", "root.json",
                           "--cache", cache, "-o", cache + ".json", code=code)
        return told, time.monotonic() - begin

    pull("honest", "c", code=0)
    hub.publish(changed(), "t")
    modes = ["0.15", "0.5", "2", "header"]
    for mode in modes:
        shutil.copytree(hub.folder / "c", hub.folder / ("c" + mode))
    with concurrent.futures.ThreadPoolExecutor(len(modes)) as pool:
        results = list(pool.map(lambda mode: pull(mode, "c" + mode), modes))
    for mode, (told, seconds) in zip(modes, results):
        what = "a header that comes a line a second" if mode == "header" else f"a byte each {mode} s"
        problems = []
        if not 55 < seconds < 75:
            problems.append(f"the command took {seconds:.1f} s")
        if (hub.folder / f"c{mode}.json").exists() or "in time" not in told:
            problems.append("it is not refused for the time that it takes")
        r.report("B3", what, f"{seconds:.1f} s: {told}", problems)
        pull("honest", "c" + mode, code=0)
        new = (hub.folder / f"c{mode}.json").read_text() == changed()
        r.report("B3", "the same client from an honest server", "", [] if new else ["it does not get the new version"])
    server.shutdown()


def year():
    """A6: a root that expires is told by the log, the metrics, /health and the commands, and can be renewed."""
    if not shutil.which("faketime"):
        r.report("A6", "a year later", "", ["faketime is not installed"])
        return
    hub = Installation("year", "tilt")

    def look(days, expiring, ready, told=None, cache="c", left=None):
        """Starts the hub at a day; the log, the metrics and /readyz have to say what is expected."""
        problems, shown, left = [], "", 365 - days if left is None else left
        hub.serve(days=days)
        try:
            hub.wait_for(lambda: (hub.request("GET", "/readyz")[0] == 200) == ready, 15)
            # The log comes with the first look at the metadata.
            hub.wait_for(lambda: any(line["event"] == "expiring" for line in hub.log), 10 if expiring else 2)
            status, reply, _, _ = hub.request("GET", "/readyz")
            shown += f"/readyz: {status} {reply.strip()}\n"
            if status != (200 if ready else 503) or (not ready and "root" not in reply):
                problems.append(f"/readyz replies with {status}: {reply}")
            if hub.request("GET", "/healthz")[0] != 200:
                problems.append("/healthz fails")
            health = json.loads(hub.request("GET", "/health")[1])
            expected = ("warn" if expiring else "pass") if ready else "fail"
            if health["status"] != expected or ["root" in cause["detail"] for cause in health["causes"]] != [True] * expiring:
                problems.append(f"/health says {health['status']}, expected {expected}: {health['causes']}")
            metrics = hub.request("GET", "/metrics")[1]
            seconds = re.search(r'^streamhub_role_expires_seconds\{role="root"\} (\S+)', metrics, re.M)
            if not seconds or abs(float(seconds[1]) - left * DAY) > 3600:
                problems.append(f"the metric of the root is {seconds and seconds[1]}, expected {left * DAY}")
            if f"\nstreamhub_ready {int(ready)}\n" not in metrics:
                problems.append("the metric 'streamhub_ready' is another")
            lines = [line for line in hub.log if line["event"] == "expiring"]
            shown += "".join(json.dumps(line) + "\n" for line in lines)
            if ["root" in json.dumps(line) for line in lines] != [True] * expiring:
                problems.append(f"{lines} in the log")
            run = hub.command("run", "tilt", "--from", hub.url, "--trust", "root.json", "--cache", cache, days=days, input=LEVEL)
            shown += run
            if "runs version 1" not in run or (told and not re.search(told, run)) or (not told and "expire" in run):
                problems.append(f"a client tells {run!r}")
        finally:
            hub.stop()
        r.report("A6", f"{days} days later", shown, problems)

    look(60, expiring=False, ready=True)
    look(334, expiring=False, ready=True)
    look(336, expiring=True, ready=True, told="metadata of 'root' expire in (28|29) days; 'streamhub renew root'")
    look(357, expiring=True, ready=True, told="metadata of 'root' expire in [78] days")
    # Clients follow the hub until the root has expired.
    look(359, expiring=True, ready=True, told="metadata of 'root' expire in [56] days")
    look(366, expiring=True, ready=False, told="the repository cannot be read; version 1 runs, as of .*root")
    told = hub.command("publish", "published.json", "--name", "another", days=366, code=None)
    refused = "root" in told and "another" not in hub.command("list", days=360, code=None)
    r.report("A6", "publish, 366 days later", told, [] if refused else ["it publishes, or does not tell why not"])
    told = hub.command("renew", "root", days=366)
    look(366, expiring=False, ready=True, left=365)
    look(366, expiring=False, ready=True, left=365, cache="new")
    r.report("A6", "renew root, 366 days later", told, [])


def small_memory():
    """A2: a client's own --memory that is too small for the good version, too, does not count against the new one."""
    folder = r.folder / "memory"
    folder.mkdir()
    for word in ("OLD", "NEW"):
        (folder / f"{word}.json").write_text(json.dumps({
            "inputs": {"n": {}}, "source": {"input": {"name": "n"}},
            "operators": [{"map": {"expression": f"'{word} ' + string(value)"}}]}))
    r.check(
        "A2",
        """$S init --no-passphrase > /dev/null
        $S publish OLD.json --name t > /dev/null && echo 1 | $S run t --trust root.json --cache c
        $S publish NEW.json --name t > /dev/null
        (echo 1; sleep 2; echo 2) | $S run t --cache c --memory 1MB 2> log; grep -Eo 'error S409|--memory allows at most 1MB' log | paste -sd' '; echo 3 | $S run t --cache c""",
        '"OLD 1"\nerror S409 --memory allows at most 1MB\n"NEW 3"',
        errors="swapped to version 2", folder="memory")


FINDINGS = {"A1": busy_client, "A2": restart_refuses, "A2-memory": small_memory, "A3": good_rollout, "A5": long_tests, "A6": year, "B3": drip}
for finding in sys.argv[3:] or FINDINGS:
    try:
        FINDINGS[finding]()
    except (RuntimeError, OSError, subprocess.SubprocessError) as error:
        r.report(finding, FINDINGS[finding].__doc__, "", [str(error)])
r.finish()
