#!/usr/bin/env python3
"""An hour of a hub, in a minute: the clock of its process runs 60 times as fast.

    hub_soak.py STREAMHUB [--minutes 60] [--readers 300] [--real-clock]

With --real-clock the same requests come in a minute of the real clock, since faketime keeps memory of its own. In each
virtual minute a version is published, promoted or halted, clients report, read files, and a tenth of the readers
of events reconnects with its last event. Each quarter of an hour the keys of the hub are replaced, and the old ones are
removed. At the end every reader has had every event once and in order, the memory of
the hub has not grown by more than a bound for each publication, its log has no error, and it stops at once. Needs
faketime.
"""
import argparse
import asyncio
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile

parser = argparse.ArgumentParser()
parser.add_argument("streamhub")
parser.add_argument("--minutes", type=int, default=60)
parser.add_argument("--readers", type=int, default=300)
parser.add_argument("--real-clock", action="store_true")
arguments = parser.parse_args()
PROGRAM = os.path.abspath(arguments.streamhub)
SPEED = 60
# The description of a version, its event, and the counts of its reports stay in memory; faketime keeps 90 KiB a minute.
BYTES_FOR_EACH_MINUTE = (32 if arguments.real_clock else 160) * 1024
random.seed(1)


class Reader:
    """A reader of events that reconnects."""

    def __init__(self, port, token):
        self.port, self.token, self.ids, self.last = port, token, [], None
        self.task = asyncio.create_task(self.read())

    def reconnect(self):
        self.task.cancel()
        self.task = asyncio.create_task(self.read())

    async def read(self):
        # As browsers do, when the hub ends the connection.
        while True:
            try:
                await self.listen()
            except OSError:
                pass

    async def listen(self):
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            after = f"Last-Event-ID: {self.last}\r\n" if self.last else ""
            writer.write(
                f"GET /v1/events HTTP/1.1\r\nHost: hub\r\nAuthorization: Bearer {self.token}\r\n{after}\r\n".encode())
            while line := await reader.readline():
                if match := re.fullmatch(rb"id: (\d+)\s*", line):
                    number = int(match[1])
                    # The first line of a connection repeats the last ID.
                    if number != self.last:
                        self.ids.append(number)
                    self.last = number
        finally:
            writer.close()


async def request(port, token, method, path, body=None, **fields):
    """Sends a request. Returns the status, the fields and the body."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    data = b"" if body is None else json.dumps(body).encode()
    head = [f"{method} {path} HTTP/1.1", "Host: hub", "Connection: close", f"Authorization: Bearer {token}",
            f"Content-Length: {len(data)}"]
    if body is not None:
        head.append("Content-Type: application/json")
    head += [f"{name.replace('_', '-')}: {value}" for name, value in fields.items()]
    writer.write(("\r\n".join(head) + "\r\n\r\n").encode() + data)
    text = await asyncio.wait_for(reader.read(), 30)
    writer.close()
    head, body = text.split(b"\r\n\r\n", 1)
    lines = head.decode().split("\r\n")
    return int(lines[0].split()[1]), dict(line.lower().split(": ", 1) for line in lines[1:]), body


def memory(pid):
    with open(f"/proc/{pid}/status") as file:
        return int(re.search(r"VmRSS:\s+(\d+) kB", file.read())[1]) * 1024


def children(pid):
    with open(f"/proc/{pid}/task/{pid}/children") as file:
        return [int(child) for child in file.read().split()]


async def main():
    folder = tempfile.mkdtemp()

    def hub(*words):
        return subprocess.run([PROGRAM, *words], cwd=folder, check=True, text=True, stdout=subprocess.PIPE).stdout

    hub("init", "--no-passphrase")
    token = hub("tokens", "new", "--scope", "admin").strip()
    log = open(folder + "/log", "w+")
    clock = [] if arguments.real_clock else ["faketime", "-f", f"+0 x{SPEED}"]
    # A second has the requests of a minute.
    process = subprocess.Popen(
        [*clock, PROGRAM, "serve", "--port", "0", "--rate", "1000"], cwd=folder, stderr=log)
    while not (line := open(folder + "/log").readline()).endswith("\n"):
        await asyncio.sleep(0.05)
    port = json.loads(line)["port"]
    # faketime may be a parent of the hub.
    pid = next(iter(children(process.pid)), process.pid)
    first, requests, start = None, 0, None

    async def send(method, path, expected, body=None, **fields):
        nonlocal requests
        status, head, reply = await request(port, token, method, path, body, **fields)
        assert status in expected, f"{method} {path}: {status} {reply[:300]}"
        requests += 1
        return head, reply

    # Readers begin after an event, so that each of them has an ID from the start.
    await send("PUT", "/v1/streams/first", [201], {"source": {"just": {"value": 0}}}, If_None_Match="*")
    readers = [Reader(port, token) for _ in range(arguments.readers)]
    while any(reader.last is None for reader in readers):
        await asyncio.sleep(0.1)
    begin = asyncio.get_running_loop().time()
    for minute in range(arguments.minutes):
        name = f"team/stream-{minute % 5}"
        path = "/v1/streams/" + name.replace("/", "%2F")
        head, _ = await send("GET", path, [200, 404])
        tag = head.get("etag")
        stream = {"source": {"just": {"value": minute}}, "tests": [{"name": "t", "expect": {"values": [minute]}}]}
        query = "?percent=20" if minute >= 5 else ""
        _, reply = await send(
            "PUT", path + query, [200, 201], stream, **({"If_Match": tag} if tag else {"If_None_Match": "*"}))
        version = json.loads(reply)["version"]
        _, reply = await send("GET", path + "/versions", [200])
        content = json.loads(reply)["versions"][0]["content"]
        reports = [
            {"client": f"client-{random.randrange(2000)}", "stream": name, "version": version, "content": content,
             "state": random.choice(["inconclusive", "running", "good"])}
            for _ in range(200)]
        await send("POST", "/v1/reports", [202], reports)
        if minute >= 5:
            await send("POST", path + ("/promote" if minute % 3 else "/halt"), [200], {"version": version})
        for file in ["metadata/timestamp.json", "metadata/1.root.json"]:
            await send("GET", "/repository/" + file, [200])
        await send("GET", "/metrics", [200])
        for reader in random.sample(readers, arguments.readers // 10):
            reader.reconnect()
        if minute % 15 == 14:
            old = os.listdir(folder + "/keys")
            for role in ["timestamp", "snapshot", "targets"]:
                hub("keys", "rotate", role, "--no-passphrase")
            for key in old:
                if not key.startswith("root-"):
                    os.remove(f"{folder}/keys/{key}")
        if minute == arguments.minutes // 4:
            first, start = memory(pid), minute
        await asyncio.sleep(max(0, begin + (minute + 1) * 60 / SPEED - asyncio.get_running_loop().time()))
    await asyncio.sleep(2)
    last = memory(pid)
    _, reply = await send("GET", "/metrics", [200])
    expires = float(re.search(rb"streamhub_timestamp_expires_seconds ([\d.]+)", reply)[1])
    sent = sorted({number for reader in readers for number in reader.ids})
    wrong = [reader for reader in readers if reader.ids != sent]
    for reader in readers:
        reader.task.cancel()
    stopping = asyncio.get_running_loop().time()
    os.kill(pid, signal.SIGTERM)
    code = process.wait(30)
    stopping = asyncio.get_running_loop().time() - stopping
    lines = [json.loads(line) for line in open(folder + "/log")]
    problems = [line for line in lines if line["level"] != "info"]
    growth = (last - first) / (arguments.minutes - start)
    print(
        f"{arguments.minutes} {'rounds of a second' if arguments.real_clock else 'virtual minutes'}, {requests} requests, {len(sent)} events for {len(readers)} readers, of whom "
        f"a tenth reconnected each minute: {len(wrong)} without some or out of order\n"
        f"memory {first / 2**20:.1f} MiB after a quarter, {last / 2**20:.1f} MiB at the end: {growth / 1024:.1f} KiB a "
        f"round\nthe timestamp expires in {expires / 86400:.2f} days; {len(problems)} warnings and errors in the log; "
        f"exit {code} after {stopping:.1f} s")
    if wrong or problems or code or growth > BYTES_FOR_EACH_MINUTE or not sent:
        for problem in problems[:5]:
            print(problem)
        for reader in wrong[:3]:
            print("lacks", sorted(set(sent) - set(reader.ids))[:5], "has", reader.ids[:5])
        sys.exit("FAILED")


asyncio.run(main())
