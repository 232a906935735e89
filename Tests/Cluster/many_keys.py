#!/usr/bin/env python3
"""More keys than a worker may hold, with the state on disk: many_keys.py --flink FLINK_HOME --streamrun PATH

Each of --keys devices (10,000,000) has a reading, and a tenth of them another one after all the others. The state is in
RocksDB, and the worker may hold --memory megabytes (128). Samples the memory of the workers from beginning to end, and
compares the lines of the output with those that Python computes, by their number and the sum of their hashes.
"""
import argparse
import glob
import hashlib
import os
import subprocess
import sys
import tempfile
import time

from cluster import processes

HERE = os.path.dirname(os.path.abspath(__file__))


def write(path, keys):
    """Writes the readings. Returns the number of expected lines and the sum of their hashes."""
    count, total = 0, 0
    with open(path, "w", encoding="ascii") as file:
        for number in range(keys + keys // 10):
            device = number if number < keys else (number - keys) * 10
            value = device % 997
            file.write('{"device":"d%d","ts":%d,"value":%d}\n' % (device, 1_700_000_000_000 + number, value))
            readings = 1 if number < keys else 2
            count += 1
            total += digest(b'{"device":"d%d","count":%d,"sum":%d}' % (device, readings, readings * value))
    return count, total % (1 << 64)


def digest(line):
    return int.from_bytes(hashlib.blake2b(line, digest_size=8).digest(), "big")


def read(folder):
    count, total = 0, 0
    for path in glob.glob(os.path.join(folder, "**", "*"), recursive=True):
        if os.path.isfile(path):
            with open(path, "rb") as file:
                for line in file:
                    count += 1
                    total += digest(line.rstrip(b"\n"))
    return count, total % (1 << 64)


def resident(root):
    """The megabytes that the largest worker below a process has in memory."""
    table, largest = processes(), 0
    for number, (parent, command) in table.items():
        if b"worker" not in command[1:3]:
            continue
        while parent in table and parent != root:
            parent = table[parent][0]
        if parent == root:
            try:
                with open(f"/proc/{number}/statm", encoding="ascii") as file:
                    largest = max(largest, int(file.read().split()[1]) * 4096 >> 20)
            except OSError:
                pass
    return largest


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--flink", required=True)
    parser.add_argument("--streamrun", required=True)
    parser.add_argument("--keys", type=int, default=10_000_000)
    parser.add_argument("--memory", type=int, default=128)
    options = parser.parse_args()
    if not os.access(options.streamrun, os.X_OK):
        parser.error(f"'{options.streamrun}' is no program")
    with tempfile.TemporaryDirectory() as folder:
        data, file = os.path.join(folder, "readings.ndjson"), os.path.join(folder, "stream.json")
        with open(file, "w", encoding="ascii") as text:
            text.write("""{
  "inputs": { "readings": { "type": { "device": "string", "ts": "int", "value": "int" } } },
  "source": { "input": { "name": "readings" } },
  "partition": { "key": "value.device", "time": "value.ts" },
  "operators": [
    { "scan": { "initialValue": { "count": 0, "sum": 0 },
                "expression": "{'count': acc.count + 1, 'sum': acc.sum + value.value}" } },
    { "map": { "expression": "{'device': key, 'count': value.count, 'sum': value.sum}" } }
  ]
}
""")
        expected = write(data, options.keys)
        start = time.monotonic()
        launcher = os.path.join(HERE, "..", "..", "Sources", "StreamFlink", "streamflink")
        job = subprocess.Popen([
            launcher, "run", file, "--source", "file:" + data, "--sink", "file:" + os.path.join(folder, "out"),
            "--state-backend", "rocksdb", "--incremental", "--checkpoint-interval", "10000", "--memory",
            str(options.memory), "--checkpoint-dir", os.path.join(folder, "checkpoints"), "--flink", options.flink,
            "--streamrun", options.streamrun])
        samples = []
        while job.poll() is None:
            samples.append(resident(job.pid))
            time.sleep(0.5)
        seconds = time.monotonic() - start
        if job.returncode != 0:
            sys.exit(f"many_keys.py: the job failed with code {job.returncode}")
        found = read(os.path.join(folder, "out"))
        print(f"{options.keys} keys, {expected[0]} records in {seconds:.0f} s; --memory {options.memory}: the worker had at most "
              f"{max(samples)} MB, in the quarters of the time "
              + ", ".join(str(max(samples[len(samples) * part // 4 : len(samples) * (part + 1) // 4] or [0])) for part in range(4)))
        if found != expected:
            sys.exit(f"many_keys.py: {found[0]} lines of {expected[0]}; sums of hashes {found[1]} and {expected[1]}")
        print(f"{found[0]} lines, as expected")


if __name__ == "__main__":
    main()
