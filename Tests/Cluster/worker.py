"""A client of `streamrun worker`: the protocol of WorkerProtocol.md, in Python, for tests."""
import json
import struct
import subprocess

NONE, NEVER = -(2**63), 2**63 - 1


class WorkerError(Exception):
    """The worker has answered with `E`."""

    def __init__(self, fatal, message):
        super().__init__(message)
        self.fatal = fatal


def string(data):
    return struct.pack(">I", len(data)) + data


class Body:
    def __init__(self, data):
        self.data, self.place = data, 0

    def take(self, form):
        size = struct.calcsize(">" + form)
        value = struct.unpack_from(">" + form, self.data, self.place)[0]
        self.place += size
        return value

    def string(self):
        size = self.take("I")
        value = self.data[self.place : self.place + size]
        assert len(value) == size
        self.place += size
        return value


class Worker:
    def __init__(self, command, record=None, folder=None):
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=folder)
        self.record = record
        self.keys, self.memory = 0, 0
        self.skipped = 0  # the values that answers have told, with the option `countSkipped`
        self.options = {}

    def frame(self, kind, body=b""):
        return struct.pack(">I", len(body) + 1) + kind.encode() + body

    def ask(self, kind, body=b""):
        request = self.frame(kind, body)
        self.process.stdin.write(request)
        self.process.stdin.flush()
        head = self.process.stdout.read(4)
        if len(head) < 4:
            raise EOFError("the worker has ended: " + self.process.stderr.read().decode(errors="replace"))
        answer = self.process.stdout.read(struct.unpack(">I", head)[0])
        if self.record is not None:
            self.record.append((request, head + answer))
        kind, body = chr(answer[0]), Body(answer[1:])
        if kind == "E":
            raise WorkerError(body.take("B"), body.string().decode())
        return kind, body

    def hello(self, stage=1, options=b"", protocol=1):
        self.options = json.loads(options or b"{}")
        kind, body = self.ask("H", struct.pack(">HB", protocol, stage) + string(options))
        assert kind == "h"
        return body.take("H"), body.string(), body.string()

    def route(self, newest, records):
        kind, body = self.ask("K", struct.pack(">qI", newest, len(records)) + b"".join(map(string, records)))
        assert kind == "k"
        newest, watermark, count = body.take("q"), body.take("q"), body.take("I")
        assert count == len(records)
        return newest, watermark, [(body.take("B"), body.take("q"), body.string()) for _ in range(count)]

    def results(self, kind, body):
        found = []
        while True:
            assert kind == "r", kind
            more = body.take("B")
            self.keys, self.memory = body.take("I"), body.take("Q")
            if self.options.get("countSkipped"):
                self.skipped += body.take("I")
            for _ in range(body.take("I")):
                found.append((body.take("q"), body.string()))
            assert body.place == len(body.data)
            if not more:
                return found
            kind, body = self.ask("C")

    def batch(self, groups, advance=NONE):
        """groups: (key, mode, snapshot, [(time, record)]); with the option `sources`, items are (time, record, source)"""
        parts = [struct.pack(">I", len(groups))]
        for key, mode, snapshot, items in groups:
            parts.append(string(key) + bytes([mode]))
            if mode == 1:
                parts.append(string(snapshot))
            parts.append(struct.pack(">I", len(items)))
            parts += [struct.pack(">q", time) + b"".join(struct.pack(">I", place) for place in source) + string(record)
                      for time, record, *source in items]
        parts.append(struct.pack(">q", advance))
        return self.results(*self.ask("B", b"".join(parts)))

    def finish(self, newest=NONE):
        return self.results(*self.ask("F", struct.pack(">q", newest)))

    def snapshots(self):
        """[(key, snapshot or None, wake)]"""
        found = []
        kind, body = self.ask("S")
        while True:
            assert kind == "s", kind
            more = body.take("B")
            for _ in range(body.take("I")):
                key, none, wake, data = body.string(), body.take("B"), body.take("q"), body.string()
                found.append((key, None if none else data, wake))
            if not more:
                return found
            kind, body = self.ask("C")

    def drop(self, keys):
        kind, body = self.ask("D", struct.pack(">I", len(keys)) + b"".join(map(string, keys)))
        assert kind == "d"
        self.keys, self.memory = body.take("I"), body.take("Q")

    def close(self):
        self.process.stdin.close()
        errors = self.process.stderr.read().decode(errors="replace")
        self.process.wait(30)
        return self.process.returncode, errors

    def kill(self):
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            try:
                pipe.close()
            except OSError:
                pass
