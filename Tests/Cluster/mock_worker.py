#!/usr/bin/env python3
"""A stand-in for `streamrun worker FILE`, with the worker protocol and a fixed stream.

It tests adapters without the real program. The stream is that of device.json: for each device, a running count and sum
for every event, and the last total of each burst, which ends after 5 seconds of silence in event time. With "then" in
the partition, a second stage publishes the number and the sum of the results at the end.

Of the file it reads `lateness` and `late` of the partition, and whether it has a `then`. Environment variables:
MOCK_ANSWER limits the values of one answer, so that continuations are used (default 5000), and MOCK_KEY_BYTES is the
memory that a key is said to need (default 200).
"""
import hashlib
import json
import os
import struct
import sys

NONE, NEVER = -(1 << 63), (1 << 63) - 1
SILENCE = 5_000_000_000
FORMAT = b"mock 1"


class Refusal(Exception):
    """An error that ends the worker."""


class Device:
    """The state of one key: totals, the time at which the burst ends, and items that wait for event time."""

    __slots__ = ("count", "sum", "due", "items")

    def __init__(self):
        self.count = self.sum = 0
        self.due = NEVER
        self.items = []  # (time, number of arrival, record)

    def snapshot(self):
        return json.dumps([self.count, self.sum, self.due, [(t, r.decode("utf-8")) for t, _, r in self.items]]).encode()

    @staticmethod
    def restored(data):
        device = Device()
        device.count, device.sum, device.due, items = json.loads(data)
        device.items = [(t, i, r.encode("utf-8")) for i, (t, r) in enumerate(items)]
        return device


class Worker:
    def __init__(self, path, old):
        with open(path, "rb") as file:
            text = file.read()
        self.file = json.loads(text)
        partition = self.file.get("partition")
        if not partition:
            raise Refusal("the file has no 'partition'")
        self.hash = hashlib.sha256(FORMAT + json.dumps(self.file, sort_keys=True).encode()).digest()[:8]
        self.old = None
        if old:
            with open(old, "rb") as file:
                self.old = hashlib.sha256(FORMAT + json.dumps(json.load(file), sort_keys=True).encode()).digest()[:8]
        self.lateness = round(partition.get("lateness", 0) * 1e9)
        self.fate = {"apply": 1, "drop": 2, "output": 3}[partition.get("late", "drop")]
        self.stage, self.has_sources, self.counts_skipped = 0, False, False
        self.skips = False
        self.keys = {}
        self.changed = {}
        self.arrivals = 1 << 20
        self.time = NONE
        self.limit = int(os.environ.get("MOCK_ANSWER", "5000"))
        self.key_bytes = int(os.environ.get("MOCK_KEY_BYTES", "200"))
        self.rest = []

    # Answers

    def hello(self, body):
        protocol, stage, length = struct.unpack_from(">HBI", body)
        if protocol != 1:
            raise Refusal(f"the protocol is 1, not {protocol}")
        self.stage = stage
        options = json.loads(body[7:7 + length] or b"{}")
        self.skips = options.get("skipErrors", False)
        self.has_sources, self.counts_skipped = options.get("sources", False), options.get("countSkipped", False)
        description = {"program": "mock 1", "name": self.file.get("name", "mock"), "stages": 2 if "then" in self.file["partition"] else 1,
                       "key": "value.device", "time": "value.ts", "lateness": self.lateness / 1e9,
                       "late": {1: "apply", 2: "drop", 3: "output"}[self.fate], "state": "executions"}
        return b"h" + struct.pack(">HI", 1, 8) + self.hash + data(json.dumps(description).encode())

    def route(self, body):
        newest, count = struct.unpack_from(">qI", body)
        at, answers = 12, []
        for _ in range(count):
            record, at = field(body, at)
            try:
                value = json.loads(record)
                key, time = json.dumps(value["device"]).encode(), value["ts"] * 1_000_000
            except (ValueError, KeyError, TypeError) as error:
                if not self.skips:
                    raise Refusal(f"a record is no event: {record[:100]!r}") from error
                answers.append(struct.pack(">Bq", 4, 0) + data(b"not JSON"))
                continue
            watermark = NONE if newest == NONE else newest - self.lateness
            if time < watermark:
                answers.append(struct.pack(">Bq", self.fate, watermark if self.fate == 1 else time) + data(key))
            else:
                newest = max(newest, time)
                answers.append(struct.pack(">Bq", 0, time) + data(key))
        watermark = NONE if newest == NONE else newest - self.lateness
        return b"k" + struct.pack(">qqI", newest, watermark, count) + b"".join(answers)

    def batch(self, body):
        count, = struct.unpack_from(">I", body)
        at = 4
        for _ in range(count):
            key, at = field(body, at)
            mode = body[at]
            at += 1
            if mode == 0:
                if key not in self.keys:
                    raise Refusal(f"the worker does not hold the key {key!r}")
            elif key in self.keys:
                raise Refusal(f"mode {mode} for the key {key!r}, which the worker holds")
            if mode == 1:
                snapshot, at = field(body, at)
                if snapshot[:8] not in (self.hash, self.old):
                    raise Refusal("the snapshot belongs to another version of the file")
                self.keys[key] = Device.restored(snapshot[8:])
            elif mode == 2:
                self.keys[key] = Device()
            device = self.keys[key]
            items, = struct.unpack_from(">I", body, at)
            at += 4
            for _ in range(items):
                time, = struct.unpack_from(">q", body, at)
                # It has one source: the places of others would decide between equal times.
                record, at = field(body, at + 12 if self.has_sources else at + 8)
                self.arrivals += 1
                device.items.append((time, self.arrivals, record))
            if items:
                self.changed[key] = True
        advance, = struct.unpack_from(">q", body, at)
        if at + 8 != len(body):
            raise Refusal("bytes are left in a batch")
        values = []
        if advance != NONE:
            self.time = max(self.time, advance)
            for key, device in self.keys.items():
                if device.due < advance or device.items:
                    self.run(key, device, advance, values)
            values.sort(key=lambda value: value[0])
        return self.values(values)

    def run(self, key, device, until, values, inclusive=False):
        """Delivers the items of a key before a time, or up to and including it, and ends its burst before it."""
        items = device.items
        items.sort()
        done = 0
        for time, _, record in items:
            if time > until or (time == until and not inclusive):
                break
            done += 1
            self.fire(device, key, time, values)
            if self.stage == 2:
                device.count += 1
                device.sum += json.loads(record)["sum"]
                continue
            device.count += 1
            device.sum += json.loads(record)["value"]
            device.due = time + SILENCE
            values.append((time, b'{"device":%s,"count":%d,"sum":%d}' % (key, device.count, device.sum)))
        del items[:done]
        if self.fire(device, key, until, values) or done:
            self.changed[key] = True

    @staticmethod
    def fire(device, key, until, values):
        """Ends a burst whose time is before another: an item at the same time comes first, and so does the finish."""
        if device.due < until:
            values.append((device.due, b'{"device":%s,"burst":%d,"sum":%d}' % (key, device.count, device.sum)))
            device.due = NEVER
            return True
        return False

    def finish(self, body):
        newest, = struct.unpack(">q", body)
        values = []
        for key, device in self.keys.items():
            self.run(key, device, NEVER, values) if self.stage == 2 else self.run(key, device, newest, values, True)
        values.sort(key=lambda value: value[0])
        if self.stage == 2:
            values += [(newest, b'{"results":%d,"sum":%d}' % (device.count, device.sum)) for device in self.keys.values()]
        self.keys = {}
        self.changed = {}
        return self.values(values)

    def values(self, values):
        def answer(part, more):
            head = struct.pack(">BIQ", more, len(self.keys), self.key_bytes * len(self.keys)) + bytes(4 * self.counts_skipped)
            return b"r" + head + struct.pack(">I", len(part)) + b"".join(struct.pack(">q", time) + data(value) for time, value in part)
        return self.parts(values, answer)

    def snapshots(self):
        def answer(part, more):
            out = [b"s", struct.pack(">BI", more, len(part))]
            for key in part:
                device = self.keys[key]
                wake = min([device.due] + [time for time, _, _ in device.items])
                out += [data(key), struct.pack(">Bq", 0, wake), data(self.hash + device.snapshot())]
            return b"".join(out)
        changed = [key for key in self.changed if key in self.keys]
        self.changed = {}
        return self.parts(changed, answer)

    def parts(self, whole, answer):
        """An answer with the first part; the others wait for C."""
        parts = [whole[i:i + self.limit] for i in range(0, len(whole), self.limit)] or [[]]
        frames = [answer(part, i + 1 < len(parts)) for i, part in enumerate(parts)]
        self.rest = frames[1:]
        return frames[0]

    def drop(self, body):
        count, = struct.unpack_from(">I", body)
        at = 4
        for _ in range(count):
            key, at = field(body, at)
            if key in self.changed:
                raise Refusal(f"the key {key!r} has changed since its snapshot")
            del self.keys[key]
        return b"d" + struct.pack(">IQ", len(self.keys), self.key_bytes * len(self.keys))

    def answer(self, kind, body):
        if self.rest and kind != b"C":
            raise Refusal("an answer has more: expected C")
        if not self.stage and kind != b"H":
            raise Refusal("expected H")
        if kind == b"H":
            return self.hello(body)
        if kind == b"K":
            return self.route(body)
        if kind == b"B":
            return self.batch(body)
        if kind == b"C" and self.rest:
            return self.rest.pop(0)
        if kind == b"S":
            return self.snapshots()
        if kind == b"D":
            return self.drop(body)
        if kind == b"F":
            return self.finish(body)
        raise Refusal(f"unexpected request {kind!r}")


def data(value):
    return struct.pack(">I", len(value)) + value


def field(body, at):
    length, = struct.unpack_from(">I", body, at)
    at += 4
    if at + length > len(body):
        raise Refusal("a frame ends in the middle of a field")
    return body[at:at + length], at + length


def main(arguments):
    if arguments[:1] != ["worker"] or len(arguments) < 2:
        print("usage: mock_worker.py worker FILE [--check] [--restore-old OLD]", file=sys.stderr)
        return 2
    old = arguments[arguments.index("--restore-old") + 1] if "--restore-old" in arguments else None
    read, write = sys.stdin.buffer, sys.stdout.buffer
    try:
        worker = Worker(arguments[1], old)
        if "--check" in arguments:
            return 0
        while True:
            head = read.read(4)
            if len(head) < 4:
                return 0
            length, = struct.unpack(">I", head)
            frame = read.read(length)
            if len(frame) < length:
                return 0
            answer = worker.answer(frame[:1], frame[1:])
            write.write(struct.pack(">I", len(answer)) + answer)
            write.flush()
    except (Refusal, OSError, ValueError, struct.error) as error:
        print(f"mock_worker: error: {error}", file=sys.stderr)
        if "--check" not in arguments:
            answer = b"E\x01" + data(str(error).encode())
            write.write(struct.pack(">I", len(answer)) + answer)
            write.flush()
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
