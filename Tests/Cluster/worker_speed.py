#!/usr/bin/env python3
"""How many events a second `streamrun worker` takes over a pipe, beside `streamrun FILE` on the same records.

worker_speed.py STREAMRUN FILE [EVENTS]: FILE is divided by value.device, in the time value.ts.
"""
import os
import random
import resource
import struct
import subprocess
import sys
import tempfile
import time

NONE = -(2**63)
BATCH = 1000


def string(data):
    return struct.pack(">I", len(data)) + data


def frame(kind, body):
    return struct.pack(">I", len(body) + 1) + kind + body


def records(count, keys):
    rng = random.Random(1)
    for number in range(count):
        device, time = b"d%d" % rng.randrange(keys), 1_700_000_000_000 + number * 10
        value = b"%d.%02d" % (rng.randrange(100), rng.randrange(100))
        yield device, time, b'{"device":"%s","ts":%d,"value":%s}' % (device, time, value)


def run(command, path):
    """Returns wall and processor seconds of a command that reads a file."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    with open(path, "rb") as file:
        writer = subprocess.Popen(["cat", path], stdout=subprocess.PIPE)
        subprocess.run(command, stdin=writer.stdout, stdout=subprocess.DEVNULL, check=True)
        writer.wait()
    wall = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(streamrun, file, count, keys, folder):
    lines, frames, routes = (os.path.join(folder, name) for name in ("lines", "frames", "routes"))
    hello = frame(b"H", struct.pack(">HB", 1, 1) + string(b""))
    seen = set()
    with open(lines, "wb") as text, open(frames, "wb") as stage, open(routes, "wb") as router:
        stage.write(hello)
        router.write(hello)
        batch, plain, number = {}, [], 0
        for device, when, record in records(count, keys):
            text.write(record + b"\n")
            batch.setdefault(device, []).append(struct.pack(">q", when * 1_000_000) + string(record))
            plain.append(string(record))
            number += 1
            if number % BATCH == 0 or number == count:
                groups = []
                for key, items in batch.items():
                    groups.append(string(b'"%s"' % key) + (b"\0" if key in seen else b"\2")
                                  + struct.pack(">I", len(items)) + b"".join(items))
                    seen.add(key)
                stage.write(frame(b"B", struct.pack(">I", len(groups)) + b"".join(groups)
                                  + struct.pack(">q", when * 1_000_000)))
                router.write(frame(b"K", struct.pack(">qI", NONE, len(plain)) + b"".join(plain)))
                batch, plain = {}, []
        stage.write(frame(b"F", struct.pack(">q", NONE)))
    parts = []
    for name, command, path in (
        ("streamrun FILE", [streamrun, file], lines), ("stage", [streamrun, "worker", file], frames),
        ("router", [streamrun, "worker", file], routes)):
        wall, cpu = run(command, path)
        parts.append(f"{name} {count / wall / 1e6:.2f} M/s ({cpu / count * 1e9:.0f} ns)")
    print(f"{count} events, {keys} keys: " + ", ".join(parts))


def main():
    streamrun, file = os.path.abspath(sys.argv[1]), sys.argv[2]
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        for keys in (1_000, 100_000):
            measure(streamrun, file, count, keys, folder)


if __name__ == "__main__":
    main()
