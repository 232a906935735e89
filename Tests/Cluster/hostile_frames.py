#!/usr/bin/env python3
"""Feeds workers with frames that are cut, changed, repeated, exchanged or random.

hostile_frames.py STREAMRUN [--frames N] [--seed N]: a worker answers with whole frames, of which only the last can be an error,
and exits with 0, 1 or 2 within 20 seconds. Prints the number of conversations for each exit code.
"""
import argparse
import collections
import json
import multiprocessing
import os
import random
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from worker import NONE, Worker

TIMED = '"partition": {"key": "value.k", "time": "value.t", "lateness": 1}'
FILES = {
    # Rows with timers, executions, and rows without timers and with a second stage.
    "rows": '"operators": [{"scan": {"initialValue": {"n": 0, "s": 0.0}, "expression": '
            '"{\'n\': acc.n + 1, \'s\': acc.s + value.v}"}}, {"debounce": {"seconds": 1}}], ' + TIMED,
    "executions": '"operators": [{"delay": {"seconds": 1}}, {"window": {"count": 2, "operators": [{"count": {}}]}}], '
                  + TIMED,
    "then": '"operators": [{"scan": {"initialValue": 0, "expression": "acc + value.v"}}], '
            '"partition": {"key": "value.k", "time": "value.t", "then": [{"scan": {"initialValue": 0, "expression": "acc + value"}}]}',
}
KINDS = b"HKBSDFC"


def recorded(streamrun, path, *options):
    """The requests of a conversation in which keys come, go, and come back with their snapshots, and the results."""
    frames, results = [], []
    worker = Worker([streamrun, "worker", path], record=frames)
    worker.hello(1, json.dumps(dict.fromkeys(options, True)).encode() if options else b"")
    records = [b'{"k":"%c","t":%d,"v":%d}' % (97 + number % 5, 1000 + 100 * number, number) for number in range(20)]
    newest, watermark, routes = worker.route(NONE, records)
    known = {}
    for start in range(0, 20, 5):
        groups = []
        for number in range(start, start + 5):
            key = routes[number][2]
            source = [number % 3] if "sources" in options else []
            groups.append((key, *known.get(key, (2, None)), [(routes[number][1], records[number], *source)]))
            known[key] = (0, None)
        results += worker.batch(groups, NONE if start < 10 else 1_000_000 * (1000 + 100 * start))
        snapshots = dict((key, data) for key, data, _ in worker.snapshots())
        gone = [key for key in sorted(snapshots) if snapshots[key] is not None][: start // 5]
        worker.drop(gone)
        for key in gone:
            known[key] = (1, snapshots[key])
    results += worker.batch([], watermark)
    results += worker.finish(newest)
    worker.close()
    return [request for request, _ in frames], results


def recorded_then(streamrun, path):
    """The requests of a conversation about the operators of `then`."""
    frames = []
    results = recorded(streamrun, path, "sources")[1]
    worker = Worker([streamrun, "worker", path], record=frames)
    worker.hello(2, b'{"skipErrors": true, "countSkipped": true}')
    mode, snapshot = 2, None
    for start in range(0, len(results), 5):
        worker.batch([(b"null", mode, snapshot, results[start:start + 5])], results[start][0])
        (_, snapshot, _), = worker.snapshots()
        worker.drop([b"null"])
        mode = 1
    worker.batch([(b"null", mode, snapshot, [])])
    worker.finish(results[-1][0])
    worker.close()
    return [request for request, _ in frames]


def changed(frames, choose):
    frames = list(frames)
    for _ in range(choose.randint(1, 4)):
        if not frames:
            break
        place = choose.randrange(len(frames))
        frame = frames[place]
        match choose.randrange(9):
            case 0:
                frames[place] = frame[: choose.randint(0, len(frame))]
            case 1 if frame:
                frames[place] = frame[: (at := choose.randrange(len(frame)))] + bytes([choose.randrange(256)]) + frame[at + 1 :]
            case 2:
                # The length fits, the body is cut or longer.
                body = frame[4 : choose.randint(5, max(5, len(frame)))] + choose.randbytes(choose.choice([0, 0, 3]))
                frames[place] = struct.pack(">I", len(body)) + body
            case 3:
                # A number in the body is another.
                at = choose.randrange(5, len(frame)) if len(frame) > 5 else 4
                number = choose.choice([0, 1, 0x7FFF_FFFF, 0xFFFF_FFFF, 1 << choose.randrange(32)])
                frames[place] = (frame[:at] + struct.pack(">I", number) + frame[at + 4 :])[: len(frame)]
            case 4:
                other = choose.randrange(len(frames))
                frames[place], frames[other] = frames[other], frames[place]
            case 5:
                frames.insert(place, frame)
            case 6:
                body = bytes([choose.choice(KINDS)]) + choose.randbytes(choose.randint(0, 60))
                frames.insert(place, struct.pack(">I", len(body)) + body)
            case 7:
                frames[place] = choose.randbytes(choose.randint(1, 40))
            case _:
                del frames[place]
    return frames


def problem(command, frames):
    """What is wrong with the worker's answers, or None, and its exit code."""
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        output, _ = process.communicate(b"".join(frames), timeout=20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        return "no end within 20 seconds", None
    code, place, hasFailed = process.returncode, 0, False
    while place < len(output):
        length = struct.unpack_from(">I", output.ljust(place + 4, b"\xff"), place)[0]
        if hasFailed or place + 4 + length > len(output) or length == 0:
            return "the answers are no frames", code
        hasFailed = output[place + 4] == ord("E")
        place += 4 + length
    if code not in (0, 1, 2) or hasFailed != (code != 0):
        return "the exit code is wrong", code
    return None, code


def run(job):
    streamrun, seed, count = job
    choose = random.Random(seed)
    codes = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        conversations = []
        for name, text in FILES.items():
            path = os.path.join(folder, name + ".json")
            with open(path, "w", encoding="utf-8") as file:
                file.write('{"inputs": {"e": {}}, "source": {"input": {"name": "e"}}, %s}' % text)
            conversations.append(([streamrun, "worker", path], recorded(streamrun, path)[0]))
            conversations.append(([streamrun, "worker", path], recorded(streamrun, path, "sources", "countSkipped")[0]))
        conversations.append(([streamrun, "worker", path], recorded_then(streamrun, path)))
        done = 0
        while done < count:
            command, frames = choose.choice(conversations)
            frames = changed(frames, choose)
            done += len(frames)
            wrong, code = problem(command, frames)
            codes[code] += 1
            if wrong:
                name = f"/tmp/hostile-{seed}-{done}.frames"
                with open(name, "wb") as file:
                    file.write(b"".join(frames))
                return done, codes, f"{wrong}, code {code}: {command[2]} < {name}"
    return done, codes, None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("streamrun", type=os.path.abspath)
    parser.add_argument("--frames", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    parts = max(2, options.frames // 10_000)
    jobs = [(options.streamrun, options.seed * 1_000_000 + part, options.frames // parts) for part in range(parts)]
    total, codes = 0, collections.Counter()
    with multiprocessing.Pool(os.cpu_count()) as pool:
        for done, found, wrong in pool.imap_unordered(run, jobs):
            total += done
            codes += found
            if wrong:
                sys.exit(f"hostile_frames.py: {wrong}")
    ends = ", ".join(f"{number} with {code}" for code, number in sorted(codes.items()))
    print(f"{total} frames in {sum(codes.values())} conversations, which ended {ends}")


if __name__ == "__main__":
    main()
