#!/usr/bin/env python3
"""Random files and records through `streamrun worker`, beside `streamrun FILE`: the same results, whatever the batches,
and whenever keys are saved, dropped, brought back or taken over by another worker.

worker_exact.py STREAMRUN [COUNT] [FIRST SEED]
"""
import json
import os
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(__file__))
from worker import NONE, Worker

CHAINS = [
    [{"scan": {"initialValue": 0, "expression": "acc + value.v"}}],
    [{"scan": {"initialValue": {"n": 0, "s": 0}, "expression": "{'n': acc.n + 1, 's': acc.s + value.v}"}},
     {"filter": {"expression": "value.n % 3 != 0"}}, {"map": {"expression": "{'k': key, 'n': value.n, 's': value.s}"}}],
    [{"debounce": {"seconds": 1}}, {"map": {"expression": "[key, value.v]"}}],
    [{"filter": {"expression": "value.v > 20"}}, {"debounce": {"seconds": 0.4, "onFinish": "flush"}}],
    [{"throttle": {"seconds": 0.7}}],
    [{"removeDuplicates": {"key": "value.v / 10"}}, {"count": {}}, {"map": {"expression": "[key, value]"}}],
    [{"prefix": {"count": 4}}, {"map": {"expression": "[key, value.v, value.t]"}}],
    [{"collect": {"count": 3}}, {"map": {"expression": "[key, value.map(x, x.v)]"}}],
    [{"delay": {"seconds": 0.3}}],
    [{"timeout": {"seconds": 2, "with": {"stream": [{"value": "late"}]}}}],
    [{"window": {"count": 3, "operators": [{"count": {}}]}}],
    [{"flatMap": {"stream": {"source": {"just": {"expression": "[key, outer.v * 2]"}}}}}],
    [{"withPrevious": {}}, {"map": {"expression": "[key, value[0] == null ? 0 : 1, value[1].v]"}}],
    [{"timestamp": {}}, {"map": {"expression": "[key, string(value.timestamp)]"}}],
    [{"distinct": {"key": "value.v % 7"}}],
    [{"collectTime": {"seconds": 0.5}}, {"map": {"expression": "[key, size(value)]"}}],
    [{"measureInterval": {}}],
    [{"sample": {"seconds": 0.6}}],
    [{"buffer": {"capacity": 10, "whenFull": "dropOldest"}}, {"count": {}}],
    [{"groupBy": {"key": "value.v % 2", "operators": [{"count": {}}]}}],
]


def run_seed(streamrun, seed, folder):
    rng = random.Random(seed)
    chain = rng.choice(CHAINS)
    if rng.random() < 0.3:
        chain = chain + [{"map": {"expression": "[value, 1]"}}]
    lateness = rng.choice([0, 0, 0.2, 2])
    late = rng.choice(["apply", "drop", "output"])
    key = rng.choice(["value.k", "value.k", "value.v % 5", "value.k + '-' + string(value.v % 3)"])
    partition = {"key": key, "time": "value.t", "lateness": lateness, "late": late}
    typed = rng.random() < 0.5
    model = {"inputs": {"e": {"type": {"k": "string", "t": "int", "v": "int"}} if typed else {}},
             "source": {"input": {"name": "e"}}, "partition": partition, "operators": chain}
    if rng.random() < 0.25:
        model["streams"] = {"other": {"source": {"input": {"name": "e"}}, "operators": rng.choice(CHAINS)}}
        model["operators"] = chain + [{"merge": {"with": ["other"]}}]
    path = os.path.join(folder, "stream.json")
    with open(path, "w") as file:
        json.dump(model, file)
    checked = subprocess.run([streamrun, "validate", path], capture_output=True, text=True)
    assert checked.returncode == 0, (seed, json.dumps(model), checked.stdout + checked.stderr)
    count, keys = rng.choice([5, 50, 400]), rng.choice([1, 3, 40])
    base, records = 1_700_000_000_000, []
    for number in range(count):
        base += rng.choice([0, 1, 100, 300, 2000])
        time = base - rng.randrange(int(lateness * 1000) + 1) if rng.random() < 0.5 else base
        if rng.random() < 0.03:
            time = base - rng.randrange(5000)
        records.append(json.dumps({"k": "d%d" % rng.randrange(keys), "t": time, "v": rng.randrange(100)}).encode())
    data = b"\n".join(records) + b"\n"
    late_path = os.path.join(folder, "late")
    alone = subprocess.run(
        [streamrun, path] + (["--late-output", late_path] if late == "output" else []), input=data,
        capture_output=True)
    assert alone.returncode == 0, (seed, json.dumps(model), alone.stderr.decode())
    expected = sorted(alone.stdout.splitlines())

    command = [streamrun, "worker", path]
    workers = [Worker(command) for _ in range(rng.choice([1, 1, 2, 3]))]
    router = Worker(command)
    _, _, about = router.hello()
    for worker in workers:
        worker.hello()
    state = json.loads(about)["state"]
    stored, wakes = {}, {}  # the adapter's state
    resident = [set() for _ in workers]
    newest, results, lates = NONE, [], 0

    def owner(key):
        return sum(key) % len(workers)

    def save(number):
        for key, snapshot, wake in workers[number].snapshots():
            if snapshot is None:
                stored.pop(key, None)
                wakes.pop(key, None)
            else:
                stored[key], wakes[key] = snapshot, wake

    def group(key, items):
        number = owner(key)
        if key in resident[number]:
            return (key, 0, None, items)
        resident[number].add(key)
        return (key, 1, stored[key], items) if key in stored else (key, 2, None, items)

    place = 0
    while place < len(records):
        part = records[place : place + rng.choice([1, 3, 20, 100])]
        place += len(part)
        newest, watermark, routes = router.route(newest, part)
        groups = [{} for _ in workers]
        for record, (fate, time, key) in zip(part, routes):
            if fate in (0, 1):
                groups[owner(key)].setdefault(key, []).append((time, record))
            else:
                lates += 1
        for number, worker in enumerate(workers):
            batch = [group(key, items) for key, items in groups[number].items()]
            if rng.random() < 0.7:
                due = [key for key, wake in wakes.items()
                       if wake < watermark and owner(key) == number and key not in resident[number]]
                batch += [group(key, []) for key in due]
                results += worker.batch(batch, watermark)
            else:
                results += worker.batch(batch)
            chance = rng.random()
            if chance < 0.15:
                save(number)
                if rng.random() < 0.5:
                    gone = [key for key in resident[number] if rng.random() < 0.6]
                    worker.drop(gone)
                    resident[number] -= set(gone)
            elif chance < 0.2:
                save(number)  # a checkpoint, then the worker is lost
                worker.kill()
                workers[number] = Worker(command)
                workers[number].hello()
                resident[number] = set()
    for number, worker in enumerate(workers):
        results += worker.finish(newest)
        rest = [key for key in stored if owner(key) == number and key not in resident[number]]
        for start in range(0, len(rest), 7):
            results += worker.batch([(key, 1, stored[key], []) for key in rest[start : start + 7]])
            results += worker.finish(newest)
        assert worker.close()[0] == 0
    router.close()
    found = sorted(value for _, value in results)
    if found != expected:
        missing = [line for line in expected if line not in found][:3]
        extra = [line for line in found if line not in expected][:3]
        print(f"seed {seed} ({state}): {len(found)} results, expected {len(expected)}\n{json.dumps(model)}\n"
              f"missing {missing}\nextra {extra}")
        return None
    return state


def main():
    streamrun = os.path.abspath(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 100
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    states, failed = {}, 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(first, first + count):
            state = run_seed(streamrun, seed, folder)
            if state is None:
                failed += 1
            else:
                states[state] = states.get(state, 0) + 1
    print(f"{count - failed} of {count} random partitions exact, {states}")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
