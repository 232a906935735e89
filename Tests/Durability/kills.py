#!/usr/bin/env python3
"""Kills runs with --state and compares the outputs of the resumed runs with those of runs that were never stopped.

usage: kills.py STREAMRUN [--kills N] [--seed S] [--lines N] [--mode random|calls|disk|week|power|readonly] [--only NAME] [--keep DIR]

The reference of each pipeline is one run without --state. Then the same command runs with --state again and again,
each time killed with SIGKILL at a random instant (`random`), at each of its system calls that write (`calls`, by strace),
with a disk that is full (`disk`, in a small tmpfs, as root), or stopped after each hour of a week of event time (`week`).
`power` cuts the power of each run in a double of a file system (power.py), N times altogether; `readonly` runs where folders
cannot be written to, from the start or suddenly (readonly.py, as root). The outputs must be the same, byte for byte.
"""
import argparse, json, os, random, shutil, signal, subprocess, sys, tempfile, time

import power, readonly

def op(name, **fields):
    return {name: fields}

SOURCE = {"input": {"name": "a"}}
GROUP = lambda *operators: op("groupBy", key="value.k", operators=list(operators))

# Ten pipelines with the timed and the stateful operators, over event time.
PIPELINES = {
    "totals": [GROUP(op("scan", initialValue=0, expression="acc + value.v"), op("debounce", seconds=2),
                     op("map", expression="[key, value]"))],
    "windows": [op("collectTime", seconds=5), op("map", expression="[size(value), value[0].v]")],
    "throttle": [GROUP(op("throttle", seconds=1), op("map", expression="[key, value.v]"))],
    "delay": [op("delay", seconds=0.7), op("map", expression="value.v"), op("removeDuplicates")],
    "timeouts": [GROUP(op("timeout", seconds=3), op("catch", stream={"source": {"just": {"expression": "'late'"}}}),
                       op("map", expression="[key, value]"))],
    "sessions": [op("groupBy", key="value.k", idle=2, operators=[op("count"), op("map", expression="[key, value]")])],
    "sample": [op("sample", seconds=1.5), op("map", expression="value.v")],
    "flatten": [op("flatMap", stream={"source": {"just": {"expression": "outer.v"}}, "operators": [op("delay", seconds=0.4)]})],
    "buffers": [op("collect", count=7), op("map", expression="[size(value), value[0].v]"), op("distinct")],
    "joins": [op("map", expression="value.v"),
              op("combineLatest", **{"with": [{"source": {"input": {"name": "a"}},
                                              "operators": [op("debounce", seconds=0.3), op("map", expression="value.k")]}]})],
}

def write_inputs(folder, count, seed, scale=1):
    choose = random.Random(seed)
    time_ = 1_700_000_000_000
    with open(os.path.join(folder, "a.ndjson"), "w") as file:
        for number in range(count):
            time_ += choose.choice([0, 1, 5, 20, 50, 100, 400]) * scale
            file.write(json.dumps({"k": choose.randrange(40), "v": number, "t": time_}) + "\n")

def command(binary, folder, name, state):
    arguments = [binary, name + ".json", "--input", "a=a.ndjson", "--event-time", "value.t", "--output",
                 name + (".out" if state else ".ref")]
    return arguments + (["--format", "ndjson"] + (["--state", name + ".state", "--every", "40ms"] if state else []))

def run(arguments, folder, **options):
    return subprocess.run(arguments, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, **options)

def read(path):
    with open(path, "rb") as file:
        return file.read()

def compare(folder, name, report):
    reference, output = read(os.path.join(folder, name + ".ref")), read(os.path.join(folder, name + ".out"))
    if reference == output:
        return True
    at = next((i for i, (x, y) in enumerate(zip(reference, output)) if x != y), min(len(reference), len(output)))
    print(f"DIFFERENT {name}: {len(reference)} and {len(output)} bytes, first at {at}; {report}", flush=True)
    return False

def finish(arguments, folder, name, report):
    ended = run(arguments, folder)
    if ended.returncode != 0:
        print(f"FAILED {name}: {ended.returncode} {ended.stderr.decode()[:500]}; {report}", flush=True)
        return False
    return compare(folder, name, report)

def reset(folder, name):
    shutil.rmtree(os.path.join(folder, name + ".state"), ignore_errors=True)
    try:
        os.remove(os.path.join(folder, name + ".out"))
    except FileNotFoundError:
        pass

def random_kills(binary, folder, names, kills, choose):
    """Kills each run after a random part of the time that a whole run takes."""
    done, rounds, good = 0, 0, True
    lengths = {}
    for name in names:
        start = time.time()
        reset(folder, name)
        good &= finish(command(binary, folder, name, True), folder, name, "never killed")
        lengths[name] = time.time() - start
    while done < kills:
        name = names[rounds % len(names)]
        rounds += 1
        reset(folder, name)
        arguments = command(binary, folder, name, True)
        count = 0
        while done < kills:
            process = subprocess.Popen(arguments, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                       stderr=subprocess.PIPE)
            try:
                process.wait(choose.random() * lengths[name] * 0.6)
                break
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                done += 1
                count += 1
            if count >= 40:
                break
        if process.returncode not in (0, -signal.SIGKILL):
            print(f"FAILED {name}: {process.returncode} {process.stderr.read().decode()[:500]}", flush=True)
            good = False
        good &= finish(arguments, folder, name, f"killed {count} times")
    print(f"{done} kills at random instants, {rounds} resumed runs compared", flush=True)
    return good

def call_kills(binary, folder, names, kills):
    """Kills each run at its n-th call of each system call that writes, and of its copies that save the state."""
    done, good = 0, True
    for name in names:
        for call in ["write", "fsync", "rename", "unlink", "openat", "ftruncate", "mkdir"]:
            number = 1
            while number <= kills:
                reset(folder, name)
                arguments = command(binary, folder, name, True)
                ended = run(["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={call}", "-e",
                             f"inject={call}:signal=KILL:when={number}", *arguments], folder)
                if ended.returncode == 0:
                    break
                done += 1
                good &= finish(arguments, folder, name, f"killed at {call} {number}")
                number = number + 1 if number < 12 else int(number * 1.5)
    print(f"{done} kills at system calls", flush=True)
    return good

def full_disk(binary, folder, names):
    """Runs in a file system that is too small, then in one that is not."""
    good = True
    for name in names:
        small = os.path.join(folder, "small")
        os.makedirs(small, exist_ok=True)
        for size in ["200k", "400k", "1m"]:
            subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "none", small], check=True)
            try:
                reset(folder, name)
                arguments = command(binary, folder, name, True)
                moved = [x if x not in (name + ".state", name + ".out") else "small/" + x for x in arguments]
                ended = run(moved, folder)
                message = ended.stderr.decode()
                if ended.returncode not in (0, 2) or (ended.returncode == 2 and "the disk is full" not in message):
                    print(f"FAILED {name} on a full disk: {ended.returncode} {message[:300]}", flush=True)
                    good = False
                subprocess.run(["mount", "-o", "remount,size=200m", small], check=True)
                again = run(moved, folder)
                output = read(os.path.join(small, name + ".out"))
                if again.returncode != 0 or output != read(os.path.join(folder, name + ".ref")):
                    print(f"DIFFERENT {name} after a full disk of {size}: {again.returncode} {again.stderr.decode()[:300]}",
                          flush=True)
                    good = False
            finally:
                subprocess.run(["umount", small], check=True)
    print(f"{3 * len(names)} runs on a full disk", flush=True)
    return good

def week(binary, folder, names):
    """Runs an hour of event time at once, a week long."""
    good = True
    for name in names:
        reset(folder, name)
        arguments = command(binary, folder, name, True) + ["--for", "3600"]
        hours = 0
        while True:
            ended = run(arguments, folder)
            hours += 1
            if ended.returncode != 0 or b"has ended" in ended.stderr or hours > 400:
                break
        good &= compare(folder, name, f"{hours} hours, {ended.returncode} {ended.stderr.decode()[:200]}")
        print(f"{name}: {hours} runs", flush=True)
    return good

def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--lines", type=int, default=20_000)
    parser.add_argument("--mode", default="random", choices=["random", "calls", "disk", "week", "power", "readonly"])
    parser.add_argument("--only")
    parser.add_argument("--keep")
    options = parser.parse_args()
    binary = os.path.abspath(options.binary)
    folder = options.keep or tempfile.mkdtemp(prefix="kills")
    os.makedirs(folder, exist_ok=True)
    names = [options.only] if options.only else list(PIPELINES)
    # 82 ms between two records, or 29 s.
    write_inputs(folder, options.lines, options.seed, 350 if options.mode == "week" else 1)
    for name in names:
        model = {"inputs": {"a": {}}, "source": SOURCE, "operators": PIPELINES[name]}
        with open(os.path.join(folder, name + ".json"), "w") as file:
            json.dump(model, file)
        ended = run(command(binary, folder, name, False), folder)
        if ended.returncode != 0 or not read(os.path.join(folder, name + ".ref")):
            sys.exit(f"{name}: {ended.returncode} {ended.stderr.decode()}")
    choose = random.Random(options.seed)
    if options.mode == "random":
        good = random_kills(binary, folder, names, options.kills, choose)
    elif options.mode == "calls":
        good = call_kills(binary, folder, names, options.kills)
    elif options.mode == "disk":
        good = full_disk(binary, folder, names)
    elif options.mode == "power":
        good = power.power_cuts(binary, folder, names, options.kills, choose)
    elif options.mode == "readonly":
        good = readonly.read_only(binary, folder, names)
    else:
        good = week(binary, folder, names)
    if not options.keep:
        shutil.rmtree(folder)
    sys.exit(0 if good else 1)

main()
