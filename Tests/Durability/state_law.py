#!/usr/bin/env python3
"""A run with --state has the bytes of the run without it: over ways to write, intervals of saving, fast and slow inputs.

usage: state_law.py STREAMRUN [--short] [--kills N] [--seed S] [--only TEXT]

The reference of each case is one run without --state. Then the same command runs with --state, at each interval, and is
not disturbed. With --kills, runs are then killed N times altogether at random instants, each time together with every
program that they have started, and continued until they end. The contents of all files must be those of the reference;
of a compressed file, its decompressed content. --short leaves out the slow inputs with long intervals and most pairs.
"""
import argparse, gzip, itertools, json, lzma, os, random, re, shutil, signal, subprocess, sys, tempfile, time

SOURCE = {"input": {"name": "a"}}
PLAIN = {"inputs": {"a": {}}, "source": SOURCE, "operators": [{"map": {"expression": "{'n': value.n, 'k': value.k, ?'x': value.?x, ?'y': value.?y, ?'z': value.?z}"}}]}
GROUPS = {"inputs": {"a": {}}, "source": SOURCE, "operators": [{"groupBy": {"key": "value.k", "operators": [
    {"scan": {"initialValue": 0, "expression": "acc + value.n"}}, {"map": {"expression": "{'k': key, 'sum': value}"}}]}}]}
NAMED = {"inputs": {"a": {"time": {"expression": "value.t", "unit": "s", "lateness": 2, "late": "output"}}}, "outputs": {
    "even": {"stream": {"source": SOURCE, "operators": [{"filter": {"expression": "value.n % 2 == 0"}}]}},
    "sums": {"stream": {"source": SOURCE, "operators": GROUPS["operators"]}},
    "late": {"stream": {"source": {"input": {"name": "a", "late": True}}}}}}
LATE = dict(GROUPS, inputs={"a": {"time": {"expression": "value.t", "unit": "s", "lateness": 1, "late": "output"}}})
TICKS = {"source": {"timer": {"every": 0.03, "count": 45}}, "operators": [{"map": {"expression": "{'n': value, 'k': value % 3}"}}]}

# The ways to write: the model, the arguments, and what follows the command in a shell.
def ways():
    for ending in ["ndjson", "json", "csv", "tsv", "txt"]:
        yield "file." + ending, PLAIN, ["--output", "o." + ending], ""
    for ending in ["ndjson.gz", "csv.gz", "json.xz", "ndjson.zst", "tsv.zst", "ndjson.xz"]:
        yield "file." + ending, PLAIN, ["--output", "o." + ending], ""
    for format in ["ndjson", "csv", "json"]:
        yield "stdout." + format, PLAIN, ["--format", format], "> o"
        yield "append." + format, PLAIN, ["--format", format], ">> o"
        yield "pipe." + format, PLAIN, ["--format", format], "| cat > o"
        yield "program." + format, PLAIN, ["--format", format, "--output", "|cat >> o"], ""
        yield "rotated." + format, PLAIN, ["--output", "o." + format, "--rotate", "2kB"], ""
    yield "columns", PLAIN, ["--output", "o.csv", "--columns", "n,x,k"], ""
    yield "stamped", LATE, ["--output", "o.csv", "--timestamps", "--late-output", "late.ndjson"], ""
    yield "period", LATE, ["--output", "o.csv", "--rotate", "5m", "--late-output", "late.ndjson"], ""
    yield "late.gz", LATE, ["--output", "o.ndjson", "--late-output", "late.ndjson.gz"], ""
    yield "named", NAMED, ["--output", "even=e.csv", "--output", "sums=s.ndjson.gz", "--output", "late=l.json"], ""
    yield "named-to-one", NAMED, ["--output", "even=e.tsv"], "> o"

# What a case has for its input, and whether the input takes time.
def inputs():
    yield "fast", 4_000, False
    yield "few", 30, False
    yield "slow", 24, True

def write_input(folder, count):
    """Records out of order by up to 3 s; members appear in the third, the sixtieth and the 150th record."""
    choose = random.Random(7)
    with open(os.path.join(folder, "a.ndjson"), "w") as file:
        for n in range(count):
            record = {"n": n, "k": n % 7, "t": 1_700_000_000 + n - choose.choice([0, 0, 0, 1, 3])}
            for first, name in [(2, "x"), (60, "y"), (150, "z")]:
                if n >= first and n % 3 == 2: record[name] = f"{name},{n}"
            file.write(json.dumps(record) + "\n")

FEED = """import sys, time
for n, line in enumerate(open('a.ndjson')):
    if n in (4, 8, 9, 17): time.sleep(0.8 if n == 8 else 0.2)
    sys.stdout.write(line); sys.stdout.flush()
"""

def content(path):
    data = open(path, "rb").read()
    if path.endswith(".gz"): return gzip.decompress(data)
    if path.endswith(".xz"): return lzma.decompress(data)
    if path.endswith(".zst"): return subprocess.run(["zstd", "-dc", path], stdout=subprocess.PIPE, check=True).stdout
    return data

def contents(folder):
    """The contents of the outputs; rotated files in their order, since their names have the time of the machine."""
    names = sorted(n for n in os.listdir(folder) if n not in ("a.ndjson", "m.json", "st", "feed.py", "errors"))
    result = {n: content(os.path.join(folder, n)) for n in names if not re.search(r"-\d{8}T\d{6}Z(-\d+)?\.", n)}
    key = lambda n: (re.sub(r"-\d{8}T.*", "", n), re.search(r"\d{8}T\d{6}Z", n).group(), int((re.search(r"Z-(\d+)", n) or [0, 1])[1]))
    rotated = sorted(set(names) - set(result), key=key)
    return result | {f"{re.sub(r'-[0-9]{8}T.*', '', n)} #{i}": content(os.path.join(folder, n)) for i, n in enumerate(rotated)}

def fresh(folder, model, count):
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    write_input(folder, count)
    open(os.path.join(folder, "feed.py"), "w").write(FEED)
    json.dump(model, open(os.path.join(folder, "m.json"), "w"))

def line(binary, arguments, tail, slow, every=None):
    words = [binary, "m.json", *arguments] + (["--state", "st", "--every", every] if every else [])
    if slow is not None: words += ["--input", "a=-" if slow else "a=a.ndjson"]
    quoted = " ".join("'" + w + "'" for w in words)
    return ("python3 feed.py | " if slow else "") + ("" if tail.startswith("|") else "exec " if not slow else "") + quoted + " 2> errors " + tail

def run(folder, command):
    ended = subprocess.run(["bash", "-c", "set -o pipefail; " + command], cwd=folder, stdin=subprocess.DEVNULL)
    return ended.returncode, open(os.path.join(folder, "errors")).read()

def difference(expected, found):
    for name in sorted(set(expected) | set(found)):
        a, b = expected.get(name), found.get(name)
        if a == b: continue
        if a is None or b is None: return f"{name} is {'missing' if b is None else 'there'}"
        at = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
        return f"{name} has {len(b)} bytes instead of {len(a)}, first at {at}: {b[at:at + 40]!r} instead of {a[at:at + 40]!r}"

class Judge:
    def __init__(self, binary): self.binary, self.cases, self.bad = binary, 0, 0

    def compare(self, title, expected, folder, ended):
        self.cases += 1
        try: problem = difference(expected, contents(folder))
        except Exception as error: problem = f"a file cannot be read: {error}"
        if ended[0] != 0: problem = f"exit {ended[0]}: {ended[1][:300]}"
        if not problem: return True
        self.bad += 1
        print(f"DIFFERENT {title}: {problem}", flush=True)
        return False

def descendants(process):
    found = []
    try: children = open(f"/proc/{process}/task/{process}/children").read().split()
    except OSError: return found
    for child in children: found += [int(child)] + descendants(int(child))
    return found

def kill_all(process):
    """Kills a process and everything that it has started, as a power cut or the end of a container does."""
    os.kill(process, signal.SIGSTOP)
    for each in descendants(process) + [process]:
        try: os.kill(each, signal.SIGKILL)
        except ProcessLookupError: pass

def undisturbed(judge, folder, options, choose):
    """Each way to write, with each input, at each interval of saving."""
    intervals = {"fast": ["1", "7", "100", "3ms", "20ms", "5s"], "few": ["1", "7", "5s"], "slow": ["1", "200ms", "5s"]}
    for (way, model, arguments, tail), (speed, count, slow) in itertools.product(ways(), inputs()):
        if options.only and options.only not in f"{way} {speed}": continue
        chosen = intervals[speed]
        if options.short: chosen = choose.sample(chosen, 1) if choose.random() < (0.2 if slow else 0.6) else []
        if not chosen: continue
        fresh(folder, model, count)
        code, errors = run(folder, line(judge.binary, arguments, tail, slow))
        if code: sys.exit(f"{way} {speed} without --state: exit {code}: {errors}")
        expected = contents(folder)
        for every in chosen:
            fresh(folder, model, count)
            judge.compare(f"{way}, {speed} input, --every {every}", expected, folder,
                          run(folder, line(judge.binary, arguments, tail, slow, every)))

def killed(judge, folder, options, choose):
    """Kills of all processes of a run, and runs that are asked to stop, each continued until it ends."""
    kinds = [w for w in ways() if w[3] in ("", ">> o") and not w[0].startswith("program")
             and (not options.only or options.only in w[0])]
    kills, stops, rounds = 0, 0, 0
    while kills + stops < options.kills:
        way, model, arguments, tail = kinds[rounds % len(kinds)]
        rounds += 1
        ticks = model is PLAIN and rounds % 3 == 0
        every = choose.choice(["1", "40", "3ms", "20ms", "100ms"])
        fresh(folder, TICKS if ticks else model, 60_000)
        start = time.time()
        code, errors = run(folder, line(judge.binary, arguments, tail, None if ticks else False))
        if code: sys.exit(f"{way} without --state: exit {code}: {errors}")
        length, expected = time.time() - start, contents(folder)
        fresh(folder, TICKS if ticks else model, 60_000)
        command, count = line(judge.binary, arguments, tail, None if ticks else False, every), 0
        while count < 25:
            process = subprocess.Popen(["bash", "-c", command], cwd=folder, stdin=subprocess.DEVNULL)
            try:
                process.wait(choose.random() * max(0.1, length) * (0.8 if ticks else 1.5))
                break
            except subprocess.TimeoutExpired: pass
            count += 1
            if choose.random() < 0.3:
                stops += 1
                process.terminate()
            else:
                kills += 1
                kill_all(process.pid)
            process.wait()
        judge.compare(f"{way}, {'ticks' if ticks else 'file'}, --every {every}, killed {count} times", expected, folder,
                      run(folder, command))
    print(f"{kills} kills of all processes and {stops} stops, {rounds} runs that continued", flush=True)

def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    judge, choose = Judge(os.path.abspath(options.binary)), random.Random(options.seed)
    base = tempfile.mkdtemp(prefix="law")
    start = time.time()
    undisturbed(judge, os.path.join(base, "r"), options, choose)
    if options.kills: killed(judge, os.path.join(base, "r"), options, choose)
    shutil.rmtree(base)
    print(f"{judge.cases} runs with --state in {time.time() - start:.0f} s, {judge.bad} differ from those without", flush=True)
    sys.exit(1 if judge.bad else 0)

main()
