#!/usr/bin/env python3
"""Loads the example server, checks its responses, and prints figures.

Argument: the server's executable. Needs wrk.
"""

import asyncio
import http.client
import json
import pathlib
import re
import resource
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time

streams = pathlib.Path(__file__).parent / "Sources/Server/Streams"
seconds = 10
order = {"customer": "Ada", "lines": [{"item": "tea", "count": 2}, {"item": "cake", "count": 1}]}
failures = []


def check(is_true, text):
    print(("ok    " if is_true else "FAIL  ") + text, flush=True)
    if not is_true:
        failures.append(text)


class Server:
    def __init__(self, path):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.log = tempfile.TemporaryFile()
        self.process = subprocess.Popen([path, str(self.port)], stdout=self.log, stderr=self.log)
        wait_until(self.answers, "the server answers")

    def answers(self):
        try:
            return self.request("GET", "/status")[0] == 200
        except OSError:
            return False

    def request(self, method, path, body=None):
        """Returns the status of the response and its body, as JSON if it is."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        text = body if isinstance(body, (str, type(None))) else json.dumps(body)
        connection.request(method, path, text, {"content-type": "application/json"} if text else {})
        response = connection.getresponse()
        data = response.read().decode()
        connection.close()
        is_json = response.headers.get("content-type", "").startswith("application/json") and data
        return response.status, json.loads(data) if is_json else data

    def status(self):
        return self.request("GET", "/status")[1]

    def megabytes(self):
        text = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", text)[1]) / 1024


def wait_until(condition, text, limit=30):
    end = time.monotonic() + limit
    while not condition():
        if time.monotonic() > end:
            sys.exit(f"FAIL  within {limit} s: {text}")
        time.sleep(0.05)


def wrk(server, length):
    """Posts orders over 64 connections. Returns the requests per second, and the number of errors."""
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as script:
        script.write(
            f"""
            wrk.method = "POST"
            wrk.headers["content-type"] = "application/json"
            wrk.body = '{json.dumps(order)}'
            done = function(summary)
              local e = summary.errors
              io.write("errors ", e.connect + e.read + e.write + e.status + e.timeout, "\\n")
            end
            """)
        script.flush()
        command = ["wrk", "-t2", "-c64", f"-d{length}s", "-s", script.name, f"http://127.0.0.1:{server.port}/orders"]
        text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return float(re.search(r"Requests/sec:\s+([\d.]+)", text)[1]), int(re.search(r"errors (\d+)", text)[1])


class Client:
    """A client of /prices, which reads events."""

    def __init__(self):
        self.numbers = []
        self.is_complete = False

    async def open(self, port, make=None):
        if make:
            self.reader, self.writer = await asyncio.open_connection(sock=make(port), limit=4096)
        else:
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", port)
        self.writer.write(b"GET /prices HTTP/1.1\r\nhost: server\r\n\r\n")
        head = await self.reader.readuntil(b"\r\n\r\n")
        assert b" 200 " in head, head
        return self

    async def read(self):
        """Reads until the end of the response, or of the connection."""
        try:
            while line := await self.reader.readline():
                if line.startswith(b"data: "):
                    self.numbers.append(json.loads(line[6:])["number"])
                elif line == b"0\r\n":
                    self.is_complete = True
                    break
        except (ConnectionError, asyncio.IncompleteReadError):
            pass

    def follow(self):
        self.task = asyncio.create_task(self.read())
        return self

    def disconnect(self):
        """Resets the connection, as a process that is killed or a cable that is cut."""
        linger = struct.pack("ii", 1, 0)
        self.writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self.writer.transport.abort()


def narrow(port):
    """A connection whose small buffers are full soon."""
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 536)
    client.connect(("127.0.0.1", port))
    client.setblocking(False)
    return client


class Market:
    """Posts ticks in a task."""

    def __init__(self, server):
        self.server = server
        self.number = 0

    def post(self, count):
        first = self.number + 1
        self.number += count
        ticks = [{"symbol": "ABC", "price": 100.5 + n % 7, "number": n} for n in range(first, first + count)]
        status = self.server.request("POST", "/ticks", ticks)[0]
        assert status == 202, status

    async def run(self, count, pause):
        while True:
            await asyncio.to_thread(self.post, count)
            await asyncio.sleep(pause)


async def clients_are(server, count):
    end = time.monotonic() + 20
    while (seen := (await asyncio.to_thread(server.status))["clients"]) != count:
        if time.monotonic() > end:
            break
        await asyncio.sleep(0.05)
    return seen == count


async def reaches(client, number):
    end = time.monotonic() + 30
    while client.numbers[-1:] != [number] and time.monotonic() < end:
        await asyncio.sleep(0.05)


def check_orders(server):
    wrk(server, 2)
    before = server.megabytes()
    rate, errors = wrk(server, seconds)
    check(errors == 0, f"orders: {rate:,.0f} requests/s over 64 connections, {errors} errors")
    wrk(server, seconds)
    after = server.megabytes()
    check(after < before + 16, f"orders: {before:.1f} MB before, {after:.1f} MB after {2 * seconds} s")
    status, lines = server.request("POST", "/orders", order)
    check(status == 200 and [line["total"] for line in lines] == [5.0, 9.0], f"an order is priced: {lines}")
    for name, lines, code, place in [
        ("an item that is unknown", [{"item": "gold", "count": 1}], "S413", "/operators/4/flatMap/stream/source/call"),
        ("a count out of range", [{"item": "tea", "count": 0}], "S407", "/operators/3/validate/expression"),
        ("no lines", [], "S407", "/operators/1/validate/expression"),
    ]:
        status, body = server.request("POST", "/orders", {"customer": "Ada", "lines": lines})
        error = body["errors"][0]
        check(status == 422 and (error["code"], error["place"]) == (code, place), f"{name}: {status} {error}")
    for text in ["{", '{"customer": 1}', "[]"]:
        status, body = server.request("POST", "/orders", text)
        check(status == 400, f"wrong JSON, {text}: {status} {str(body)[:80]}")
    check(server.status()["runs"] == 0, "no run of an order is left")


def check_rules(server):
    good = (streams / "prices.json").read_text()
    for name, text, line, column in [
        ("no JSON", '{\n  "source": ,\n}', 2, 13),
        ("an unknown operator", good.replace("throttle", "throtle"), 15, 11),
        ("a wrong expression", good.replace("acc.average * 0.9", "acc.average * nine"), 13, 168),
        ("another input", good.replace('"ticks"', '"trades"'), None, None),
    ]:
        status, body = server.request("PUT", "/rules", text)
        error = body["errors"][0]
        is_right = status == 422 and (line is None or error["line"] == line)
        check(is_right and (column is None or error["column"] == column), f"rules with {name}: {status} {error}")


async def check_prices(server):
    before = server.megabytes()
    market = Market(server)
    feeding = asyncio.create_task(market.run(5, 0.05))
    clients = [await Client().open(server.port) for _ in range(1000)]
    for client in clients:
        client.follow()
    check(await clients_are(server, 1000), "1,000 clients are connected")
    seen = [len(client.numbers) for client in clients]
    await asyncio.sleep(5)
    counts = sorted(len(client.numbers) - count for client, count in zip(clients, seen))
    check(counts[0] >= 10, f"prices: {counts[0]} to {counts[-1]} values for each client in 5 s")
    ordered = all(a < b for client in clients for a, b in zip(client.numbers, client.numbers[1:]))
    check(ordered, "each client received them in order, none twice")
    print(f"      {server.megabytes():.1f} MB with 1,000 clients, {before:.1f} MB before")
    for client in clients[:500]:
        client.disconnect()
    check(await clients_are(server, 500), "500 clients were cut off, and their subscriptions are canceled")

    # Another version every 100 ms, while orders are posted.
    rules = json.loads((streams / "prices.json").read_text())
    posting = asyncio.create_task(asyncio.to_thread(wrk, server, 5))
    reports, swaps = set(), 0
    seen = [len(client.numbers) for client in clients[500:]]
    while not posting.done():
        rules["operators"][0]["groupBy"]["operators"][1]["throttle"]["seconds"] = 0.1 + swaps % 2 * 0.05
        status, report = await asyncio.to_thread(server.request, "PUT", "/rules", json.dumps(rules))
        assert status == 200, report
        reports.add(report.strip())
        swaps += 1
        await asyncio.sleep(0.1)
    rate, errors = posting.result()
    grown = all(len(client.numbers) > count for client, count in zip(clients[500:], seen))
    check(errors == 0 and grown, f"{swaps} swaps in 5 s, {rate:,.0f} orders/s meanwhile, {errors} errors: {reports}")

    feeding.cancel()
    await asyncio.sleep(1)
    for client in clients[500:]:
        client.disconnect()
    check(await clients_are(server, 0), "without a value to send, clients that disconnect are noticed, too")
    print(f"      {server.megabytes():.1f} MB without clients")


async def check_slow_client(server):
    rules = json.loads((streams / "prices.json").read_text())
    rules["operators"][0]["groupBy"]["operators"].pop()
    await asyncio.to_thread(server.request, "PUT", "/rules", json.dumps(rules))
    market = Market(server)
    fast = (await Client().open(server.port)).follow()
    slow = await Client().open(server.port, narrow)
    await asyncio.to_thread(market.post, 2000)
    before = server.megabytes()
    for _ in range(100):
        await asyncio.to_thread(market.post, 1000)
    await reaches(fast, market.number)
    after = server.megabytes()
    figures = f"{before:.1f} MB before 100,000 values, {after:.1f} MB after"
    check(after < before + 16, f"a client that reads nothing: {figures}")
    last = fast.numbers[-1]
    check(last == market.number, f"another client has the newest of them, {last}, and {len(fast.numbers):,} in all")
    slow.follow()
    await reaches(slow, market.number)
    kept, newest = len(slow.numbers), slow.numbers[-1]
    jump = max(b - a for a, b in zip(slow.numbers, slow.numbers[1:]))
    check(newest == market.number, f"it reads again: {kept:,} old and new values, up to {newest}; one gap of {jump:,}")
    await asyncio.to_thread(market.post, 1)
    await reaches(slow, market.number)
    check(slow.numbers[-1] == market.number, "and then follows as the others")
    slow.disconnect()
    fast.disconnect()
    check(await clients_are(server, 0), "no client is left")


async def check_shutdown(server):
    clients = [(await Client().open(server.port)).follow() for _ in range(20)]
    check(await clients_are(server, 20), "20 clients wait for prices")
    server.process.send_signal(signal.SIGTERM)
    start = time.monotonic()
    code = await asyncio.to_thread(server.process.wait, 20)
    check(code == 0, f"kill -TERM: exit {code} after {time.monotonic() - start:.2f} s")
    await asyncio.wait([client.task for client in clients], timeout=5)
    complete = sum(client.is_complete for client in clients)
    check(complete == 20, f"{complete} of 20 responses are complete")


def main():
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 65_536), most))
    server = Server(sys.argv[1])
    try:
        check_orders(server)
        check_rules(server)
        asyncio.run(check_prices(server))
        asyncio.run(check_slow_client(server))
        status = server.status()
        check(status == {"clients": 0, "runs": 0}, f"nothing is left: {status}")
        asyncio.run(check_shutdown(server))
    finally:
        if server.process.poll() is None:
            server.process.kill()
        server.log.seek(0)
        print("".join(f"      log: {line}" for line in server.log.read().decode().splitlines(True)[-5:]))
    sys.exit(1 if failures else 0)


main()
