"""Loads a hub: readers of events, and static files.

  hub_load.py events --url http://127.0.0.1:8390 --pid PID --clients 10000 --publish COMMAND
      opens readers of /v1/events, runs the command, which has to publish once, and prints the time until every reader
      has the event, and the memory of the server per reader.
  hub_load.py files URL…
      runs wrk on each URL in turn, and prints requests per second (the hub beside nginx, for example).

Standard library only; `files` needs wrk.
"""

import argparse
import asyncio
import re
import resource
import statistics
import subprocess
import sys
import time
from urllib.parse import urlsplit


def memory(pid):
    """Resident memory of a process, in bytes."""
    with open(f"/proc/{pid}/status") as file:
        return int(re.search(r"VmRSS:\s+(\d+) kB", file.read())[1]) * 1024


def seconds_of_processor(pid):
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / 100


class Reader(asyncio.Protocol):
    """A reader of events, which notes when an event arrives."""

    request = b""
    arrivals = []
    opened = 0
    lost = 0

    def __init__(self):
        self.hasHead = False

    def connection_made(self, transport):
        transport.write(self.request)

    def data_received(self, data):
        if not self.hasHead:
            if not data.startswith(b"HTTP/1.1 200"):
                sys.exit(f"error: {data[:200]}")
            self.hasHead = True
            Reader.opened += 1
        if b"event: " in data:
            Reader.arrivals.append(time.monotonic())

    def connection_lost(self, error):
        Reader.lost += 1


async def events(options):
    address = urlsplit(options.url)
    token = f"Authorization: Bearer {options.token}\r\n" if options.token else ""
    Reader.request = (
        f"GET {options.path} HTTP/1.1\r\nHost: {address.netloc}\r\nAccept: text/event-stream\r\n{token}\r\n"
    ).encode()
    loop = asyncio.get_running_loop()
    before = memory(options.pid)
    start = time.monotonic()
    gate = asyncio.Semaphore(500)

    async def connect():
        async with gate:
            await loop.create_connection(Reader, address.hostname, address.port)

    await asyncio.gather(*(connect() for _ in range(options.clients)))
    while Reader.opened < options.clients and time.monotonic() - start < 120:
        await asyncio.sleep(0.01)
    opening = time.monotonic() - start
    print(f"{Reader.opened} readers connected in {opening:.2f} s")
    await asyncio.sleep(2)
    after = memory(options.pid)
    print(
        f"memory of the server: {before / 2**20:.1f} MiB before, {after / 2**20:.1f} MiB after, "
        f"{(after - before) / max(Reader.opened, 1):.0f} bytes per reader"
    )
    for _ in range(options.rounds):
        Reader.arrivals = []
        processor = seconds_of_processor(options.pid)
        start = time.monotonic()
        process = await asyncio.create_subprocess_shell(options.publish, stdout=subprocess.DEVNULL)
        while len(Reader.arrivals) < Reader.opened and time.monotonic() - start < 60:
            await asyncio.sleep(0.005)
        await process.wait()
        if not Reader.arrivals:
            sys.exit("error: no event has arrived")
        spread = sorted(arrival - Reader.arrivals[0] for arrival in Reader.arrivals)
        print(
            f"{len(spread)} of {Reader.opened} readers have the event; after the first of them: "
            f"half within {statistics.median(spread) * 1000:.0f} ms, all within {spread[-1] * 1000:.0f} ms; "
            f"{Reader.arrivals[0] - start:.3f} s from the start of the command to the first; "
            f"{seconds_of_processor(options.pid) - processor:.2f} s of the server's processor time"
        )
        await asyncio.sleep(1)
    print(f"memory of the server at the end: {memory(options.pid) / 2**20:.1f} MiB; {Reader.lost} readers lost")
    if len(Reader.arrivals) < Reader.opened or Reader.lost or spread[-1] > 1:
        sys.exit("FAILED: not all readers had the event within a second")


def files(options):
    for url in options.urls:
        result = subprocess.run(
            ["wrk", "-t1", f"-c{options.connections}", f"-d{options.seconds}s", "--latency", url],
            capture_output=True, text=True, check=True,
        ).stdout
        rate = re.search(r"Requests/sec:\s+([\d.]+)", result)[1]
        tail = re.search(r"99%\s+(\S+)", result)[1]
        errors = re.search(r"(Non-2xx.*|Socket errors.*)", result)
        print(f"{float(rate):>10.0f} requests/s  99 % within {tail:>8}  {url}  {errors[1] if errors else ''}")


def main():
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("events")
    command.add_argument("--url", default="http://127.0.0.1:8390")
    command.add_argument("--path", default="/v1/events")
    command.add_argument("--token")
    command.add_argument("--pid", type=int, required=True)
    command.add_argument("--clients", type=int, default=10_000)
    command.add_argument("--rounds", type=int, default=1)
    command.add_argument("--publish", required=True)
    command.set_defaults(run=lambda options: asyncio.run(events(options)))
    command = commands.add_parser("files")
    command.add_argument("urls", nargs="+")
    command.add_argument("--connections", type=int, default=64)
    command.add_argument("--seconds", type=int, default=5)
    command.set_defaults(run=files)
    options = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    options.run(options)


main()
