#!/usr/bin/env python3
"""Runs a stream as shards on Redis, kills what there is to kill, and compares the results with `streamrun FILE`.

shards.py STREAMRUN [--events N] [--keys N] [--rows]: starts a redis-server of its own. Prints a line for each test.
"""
import argparse
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))


class Server:
    def __init__(self, folder):
        self.folder = folder
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.url = f"redis://127.0.0.1:{self.port}"
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            ["redis-server", "--port", str(self.port), "--dir", self.folder, "--appendonly", "yes", "--appendfsync",
             "everysec", "--save", "", "--maxmemory-policy", "noeviction", "--aof-load-truncated", "no"],
            stdout=subprocess.DEVNULL)
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                time.sleep(0.05)
        raise SystemExit("redis-server does not answer")

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        # What an operator does when the server was killed within a write.
        subprocess.run(
            ["redis-check-aof", "--fix", self.folder + "/appendonlydir/appendonly.aof.manifest"], input=b"y\n",
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)


class Test:
    def __init__(self, name, options, server, folder):
        self.streamrun, self.name, self.server, self.folder = options.streamrun, name, server, folder
        self.batch = "2000" if options.rows else "200"
        events, keys = options.events, options.keys
        self.file = os.path.join(folder, name + ".json")
        self.data = os.path.join(folder, name + ".ndjson")
        with open(os.path.join(HERE, "device.json"), encoding="utf-8") as source:
            model = json.load(source)
        model["name"] = name
        if options.rows:
            model["operators"] = model["operators"][:1]
        with open(self.file, "w", encoding="utf-8") as file:
            json.dump(model, file)
        rng = random.Random(7)
        rows = []
        for number in range(events):
            when = 1_700_000_000_000 + number * 4000 // keys
            late = rng.random() * 1900
            rows.append((when + late, '{"device":"d%d","ts":%d,"value":%d}\n' % (rng.randrange(keys), when, rng.randrange(100))))
        rows.sort()
        with open(self.data, "w", encoding="utf-8") as file:
            file.writelines(row for _, row in rows)
        self.started = time.monotonic()

    def command(self, *more):
        return [self.streamrun, "shard", self.file, "--redis", self.server.url, "--shards", "2", *more]

    def feed(self, *more):
        with open(self.data, "rb") as data:
            subprocess.run(self.command("--feed", "--end", *more), stdin=data, stderr=subprocess.DEVNULL, check=True)

    def owner(self, *more):
        return subprocess.Popen(
            self.command("--lease", "1", "--batch", self.batch, *more), stderr=subprocess.PIPE, text=True)

    def compare(self, note="", *more):
        results = subprocess.run(self.command("--results"), capture_output=True, check=True).stdout.splitlines()
        with open(self.data, "rb") as data:
            alone = subprocess.run([self.streamrun, self.file, *more], stdin=data, capture_output=True, check=True).stdout
        same = sorted(results) == sorted(alone.splitlines())
        print(f"{self.name}: {'EXACT' if same else 'DIFFERENT'}, {len(results)} results, "
              f"{time.monotonic() - self.started:.1f} s{note}", flush=True)
        return same


def undisturbed(test):
    test.feed()
    owner = test.owner()
    assert owner.wait(300) == 0, owner.stderr.read()
    return test.compare()


def owners_killed(test):
    """Three times the owner is killed; another process waits, and takes over."""
    test.feed()
    owners = [test.owner(), test.owner()]
    for _ in range(3):
        time.sleep(1.3)
        if owners[0].poll() is not None:
            break
        owners[0].send_signal(signal.SIGKILL)
        owners[0].wait()
        owners = [owners[1], test.owner()]
    codes = [owner.wait(300) for owner in owners]
    assert codes == [0, 0], codes
    return test.compare()


def paused(test):
    """An owner that stops for longer than its lease finds that it is none any more."""
    test.feed()
    first = test.owner()
    time.sleep(1)
    first.send_signal(signal.SIGSTOP)
    second = test.owner()
    time.sleep(3)
    first.send_signal(signal.SIGCONT)
    assert [first.wait(300), second.wait(300)] == [0, 0]
    said = first.stderr.read()
    return test.compare(", fenced" if "another process has taken over" in said else ", not fenced")


def server_killed(test):
    """The server is killed twice, and comes back with its log; feeding is repeated."""
    test.feed("--numbered")
    owner = test.owner()
    for _ in range(2):
        time.sleep(1.5)
        test.server.kill()
        time.sleep(0.3)
        test.server.start()
    test.feed("--numbered")
    code = owner.wait(300)
    assert code == 0, owner.stderr.read()
    return test.compare()


def drained(test):
    """Owners that stop when nothing is left, between parts of the input, and forget keys meanwhile."""
    with open(test.data, "rb") as data:
        lines = data.read().splitlines(True)
    for number in range(3):
        part = b"".join(lines[len(lines) * number // 3 : len(lines) * (number + 1) // 3])
        last = ["--end"] if number == 2 else []
        subprocess.run(test.command("--feed", *last), input=part, stderr=subprocess.DEVNULL, check=True)
        owner = test.owner("--drain", "--memory", "1")
        assert owner.wait(300) == 0, owner.stderr.read()
    return test.compare()


def said(test, *arguments, lines=b"", code=0):
    """Runs a command of the test, and returns what it tells people."""
    done = subprocess.run(test.command(*arguments), input=lines, capture_output=True, check=False, timeout=120)
    assert done.returncode == code, (arguments, done.returncode, done.stderr)
    return done.stderr.decode()


def rewrite(test, partition, operators, type=None):
    """Gives the test another file."""
    with open(test.file, encoding="utf-8") as file:
        model = json.load(file)
    model.update(inputs={"e": {"type": type} if type else {}}, source={"input": {"name": "e"}}, partition=partition, operators=operators)
    with open(test.file, "w", encoding="utf-8") as file:
        json.dump(model, file)


def refused(test):
    """What would be discarded is refused: records after the end, another numbered input, a second feeder."""
    line = b'{"device":"a","ts":1000,"value":1}\n'
    test.name = "ended"
    said(test, "--name", "ended", "--feed", "--end", lines=line)
    text = said(test, "--name", "ended", "--feed", "--end", lines=line, code=2)
    assert "the input of 'ended' has ended" in text, text
    said(test, "--name", "numbered", "--feed", "--numbered", lines=line)
    assert "1 were already there" in said(test, "--name", "numbered", "--feed", "--numbered", lines=line + line)
    text = said(test, "--name", "numbered", "--feed", "--numbered", lines=line.replace(b"a", b"b", 2), code=2)
    assert "line 1 or one before it is not that of the input" in text, text
    with subprocess.Popen(test.command("--name", "two", "--feed"), stdin=subprocess.PIPE, stderr=subprocess.DEVNULL) as first:
        first.stdin.write(line)
        first.stdin.flush()
        time.sleep(1)
        text = said(test, "--name", "two", "--feed", lines=line, code=2)
        assert "another process feeds 'two'" in text, text
        first.stdin.close()
        assert first.wait(60) == 0
    assert "fed 1 record" in said(test, "--name", "two", "--feed", lines=line)
    print(f"refused: EXACT, {time.monotonic() - test.started:.1f} s", flush=True)
    return True


def timeless(test):
    """Without `time`, results are there while the input is open, in the order of arrival, and states hold no records."""
    rewrite(test, {"key": "value.device"}, [{"scan": {"initialValue": 0, "expression": "acc + value.value"}}, {"map": {"expression": "[key, value]"}}])
    owner = test.owner()
    with open(test.data, "rb") as data:
        lines = data.read()
    with subprocess.Popen(test.command("--feed", "--end"), stdin=subprocess.PIPE, stderr=subprocess.DEVNULL) as feeder:
        feeder.stdin.write(lines)
        feeder.stdin.flush()
        count = lines.count(b"\n")
        for _ in range(600):
            results = subprocess.run(test.command("--results"), capture_output=True, check=True).stdout.count(b"\n")
            if results == count:
                break
            time.sleep(0.1)
        assert results == count, f"{results} results of {count} while the input is open"
        states = subprocess.run(
            ["redis-cli", "-p", str(test.server.port), "--raw", "HVALS", f"streamrun:{{{test.name}:0}}:state"], capture_output=True, check=True).stdout
        feeder.stdin.close()
    assert owner.wait(300) == 0, owner.stderr.read()
    return test.compare(f", {len(states)} bytes of state in a shard")


def late_lines(test):
    """Late records are the bytes that were read, as from one machine, with and without a key; they are told."""
    rewrite(test, {"key": "value.k", "time": "value.t", "late": "output"}, [])
    with open(test.data, "w", encoding="utf-8", newline="") as file:
        file.write('{"k":"a","t":5000}\r\n{ "k": "\\u00e9", "t": 1e3, "x": 1.50 }\n \n{"t":1000}\n{"k":"b","t":6000}\n')
    test.feed()
    owner = test.owner()
    assert owner.wait(300) == 0
    told = owner.stderr.read()
    assert "2 records arrived more than 0 s late, and went to the streams 'late'" in told, told
    late = []
    for shard in range(2):
        late += subprocess.run(
            ["redis-cli", "-p", str(test.server.port), "--raw", "XRANGE", f"streamrun:{{{test.name}:{shard}}}:late", "-", "+"],
            capture_output=True, check=True).stdout.splitlines()[2::5]
    alone = test.data + ".late"
    with open(test.data, "rb") as data:
        subprocess.run([test.streamrun, test.file, "--late-output", alone], stdin=data, capture_output=True, check=True)
    with open(alone, "rb") as file:
        assert sorted(late) == sorted(file.read().splitlines()), late
    return test.compare(f", {len(late)} late lines", "--late-output", alone)


def tables(test):
    """A table whose input has a type is fed as one machine reads it; a value that makes an operator fail is counted; `then`,
    which no owner can run, is refused before a record is fed."""
    row = {"k": "string", "t": "int", "v": "int"}
    rewrite(test, {"key": "value.k", "time": "value.t"}, [{"map": {"expression": "[key, 12 / value.v]"}}], row)
    with open(test.data, "w", encoding="utf-8") as file:
        file.write("k,t,v\n" + "".join(f"k{i % 5},{i},{i % 7}\n" for i in range(100)) + "k1,100,many\n")
    errors = ["--input-format", "csv", "--skip-errors"]
    with open(test.data, "rb") as data:
        told = said(test, "--feed", "--end", *errors, lines=data.read())
    assert "line 102: found a string" in told and "fed 100 records; 1 were skipped" in told, told
    owner = test.owner("--skip-errors")
    assert owner.wait(300) == 0
    told = owner.stderr.read()
    assert "100 records, 85 results, 15 skipped" in told, told
    same = test.compare(", 15 values skipped", *errors)
    rewrite(test, {"key": "value.k", "time": "value.t", "then": [{"count": {}}]}, [])
    told = said(test, "--name", "then", "--feed", lines=b'{"k":"a","t":1}\n', code=2)
    assert "'then' needs the results of all shards" in told, told
    return same


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("streamrun", type=os.path.abspath)
    parser.add_argument("--events", type=int, default=30_000)
    parser.add_argument("--keys", type=int, default=300)
    parser.add_argument("--rows", action="store_true", help="the totals alone, whose keys are rows")
    options = parser.parse_args()
    folder = tempfile.mkdtemp()
    server = Server(folder)
    failed = 0
    try:
        for run in (undisturbed, owners_killed, paused, server_killed, drained, refused, timeless, late_lines, tables):
            test = Test(run.__name__, options, server, folder)
            failed += not run(test)
    finally:
        server.kill()
        shutil.rmtree(folder, ignore_errors=True)
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
