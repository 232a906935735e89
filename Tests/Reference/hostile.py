"""Runs hostile stream files through every command: hostile.py STREAMRUN [--files N] [--seed S] [--jobs N] [--keep DIR]

A third of the files are made from the catalogue's grammar (nested streams, extreme numbers), a third are mutated trees,
a third mutated bytes; most of the first two kinds are valid. No command may end by a signal, take more than 10 seconds
of wall time, or hold more than 500 MB. A run whose stream never ends and publishes nothing is an exception: 'run' has
no limit of work. It has to end by itself after a SIGTERM, with 143, before the program is ended two seconds later.
Files that break a rule are kept in --keep. Closes with "N passed, N failed".
"""

import argparse
import copy
import json
import multiprocessing
import os
import pathlib
import random
import resource
import subprocess
import sys
import tempfile
import time

root = pathlib.Path(__file__).resolve().parent.parent.parent
SECONDS, MEGABYTES = 10, 500
# How soon a run ends that looks for signals; one that does not is ended by the program's own alarm after 2 seconds.
NOTICE = 1.5

extremes = [
    0, -1, 1, 2, 7, 0.5, -0.0, 1e308, 5e-324, 2**31, 2**32, 2**53 + 1, 2**63 - 1, -(2**63), 86_400, 9_223_372_036,
    1e18, "", "value", "a" * 300, "\u0000", "𝄞", "(((", "value +", None, True, False, [], {}, [[]], {"a": {}},
    "now()", "/etc/passwd", "../x.json", ".*" * 50,
]
common = ["value", "dyn(value)", "[value]", "string(type(value))", "true", "value == 1", "1", "{'a': value}"]
expressions = common * 4 + [
    "value + 1", "value * 2", "[value, value]", "value > 2", "value % 2 == 0", "string(value)", "acc + value",
    "acc == null ? value : [acc, value]", "size(string(value))", "value / 0", "value.a", "{'a': value}", "[1, 2, 3]",
    "lists.range(20)", "outer", "key", "index", "values", "previous", "error", "'a'.matches('(a|b)*c')", "true",
    "now()",
]


class Grammar:
    def __init__(self, catalogue):
        self.operators, self.sources = [], []
        for entry in catalogue:
            group = self.sources if entry["family"] == "source" else self.operators
            for example in entry["examples"]:
                if "code" not in example:
                    group.append(json.loads(example["json"]))

    def source(self, r, depth):
        choice = r.random()
        if choice < 0.3:
            return {"stream": [self.item(r, depth) for _ in range(r.randrange(4))]}
        if choice < 0.5:
            return {"source": {"range": {"from": 0, "through": r.choice([0, 3, 40, 600])}}}
        if choice < 0.6:
            return {"source": {"timer": {"every": r.choice([0.001, 1, 31_536_000]), **r.choice([{}, {"count": 5}])}}}
        if choice < 0.7:
            return {"source": {"input": {"name": r.choice("ab")}}}
        return {"source": self.filled(r, copy.deepcopy(r.choice(self.sources)), depth)}

    def item(self, r, depth):
        item = {"value": r.choice([1, 2, 3.5, "x", None, [1], {"a": 1}, r.choice(extremes)])}
        if r.random() < 0.3:
            item["operators"] = [self.operator(r, depth)]
        return item

    def operator(self, r, depth):
        return self.filled(r, copy.deepcopy(r.choice(self.operators)), depth)

    def filled(self, r, value, depth):
        """Replaces streams by random ones, expressions and numbers now and then."""
        if isinstance(value, dict):
            for key in list(value):
                if key in ("stream", "with", "until", "signal", "stop", "start") and depth > 0 and r.random() < 0.7:
                    inner = self.model(r, depth - 1)
                    value[key] = [inner] if isinstance(value[key], list) else inner
                elif key == "expression" and r.random() < 0.2:
                    value[key] = r.choice(expressions)
                elif isinstance(value[key], (int, float)) and r.random() < 0.03:
                    value[key] = r.choice(extremes)
                else:
                    value[key] = self.filled(r, value[key], depth)
        elif isinstance(value, list):
            return [self.filled(r, one, depth) for one in value]
        return value

    def model(self, r, depth):
        model = self.source(r, depth)
        operators = [self.operator(r, depth) for _ in range(r.choice([0, 1, 1, 2, 3, 6]))]
        if operators:
            model["operators"] = operators
        return model

    def file(self, r):
        model = self.model(r, r.choice([0, 1, 2, 3, 6, 12]))
        model["inputs"] = {"a": {}, "b": r.choice([{}, {"initialValue": 1}, {"type": "int"}])}
        if r.random() < 0.4:
            model["streams"] = {name: self.model(r, 1) for name in "stuv"[: r.randrange(1, 5)]}
        if r.random() < 0.5:
            feed = {"marbles": r.choice(["-a-b|", "a", "(ab)#", "-"]), "values": {"a": 1, "b": {"a": 2}}}
            expect = r.choice([{"values": []}, {"marbles": "|"}, {"events": []}])
            model["tests"] = [{"name": "t", "inputs": {"a": feed}, "expect": expect}]
        return model


def mutate_tree(r, value):
    places = []

    def walk(node):
        children = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
        for key, child in list(children):
            places.append((node, key))
            walk(child)

    walk(value)
    for _ in range(r.choice([1, 1, 2, 5])):
        if not places:
            return value
        node, key = r.choice(places)
        if (isinstance(node, dict) and key not in node) or (isinstance(node, list) and key >= len(node)):
            continue
        kind = r.randrange(6)
        if kind == 0:
            del node[key]
        elif kind == 1:
            node[key] = copy.deepcopy(r.choice(extremes))
        elif kind == 2:
            other, name = r.choice(places)
            if (isinstance(other, dict) and name in other) or (isinstance(other, list) and name < len(other)):
                node[key] = copy.deepcopy(other[name])
        elif kind == 3 and isinstance(node, dict):
            node[r.choice(["x-a", "vlaue", "$ref", str(key) + "s", "operators", "stream"])] = node.pop(key)
        elif kind == 4 and isinstance(node, list):
            node.extend(copy.deepcopy(node) * r.choice([1, 1, 20]))
        elif kind == 5:
            for _ in range(r.choice([1, 5, 60])):
                node[key] = [node[key]] if r.random() < 0.5 else {"stream": node[key]}
    return value


def mutate_bytes(r, text):
    data = bytearray(text.encode())
    for _ in range(r.choice([1, 1, 2, 8])):
        at = r.randrange(len(data) + 1)
        kind = r.randrange(5)
        if kind == 0 and at < len(data):
            data[at] = r.randrange(256)
        elif kind == 1:
            texts = [b'"', b"{", b"[", b"\\u0000", b"\xff", b"1e999", b"99999999999999999999", b"\r", b","]
            data[at:at] = r.choice(texts)
        elif kind == 2:
            del data[at : at + r.choice([1, 2, 20])]
        elif kind == 3:
            data[at:at] = data[at : at + r.choice([5, 50, 500])]
        else:
            del data[at:]
    return bytes(data)


def valid(program, folder, texts):
    """The first of these texts that is valid, else the first."""
    names = [f"c{index}.json" for index in range(len(texts))]
    for name, text in zip(names, texts):
        pathlib.Path(folder, name).write_bytes(text)
    done = subprocess.run([program, "validate", *names, "--format", "json"], cwd=folder, capture_output=True)
    try:
        refused = {one["file"] for one in json.loads(done.stdout)}
    except (ValueError, KeyError, TypeError):
        return texts[0]
    return next((text for name, text in zip(names, texts) if name not in refused), texts[0])


def commands(r, name, other):
    always = [
        ["validate", name], ["format", name], ["hash", name], ["canonical", name], ["show", name], ["explain", name],
        ["show", name, "--graph", "--format", r.choice(["text", "svg", "mermaid", "dot"])], ["test", name],
        ["run", name, "--virtual", "--limit", "1000", "--for", r.choice(["5", "1000000"])],
    ]
    others = [
        ["validate", name, "--format", "json"], ["hash", "--behavior", name], ["explain", name, "--format", "json"],
        ["show", name, "--format", "svg"], ["show", name, "--stages"], ["diff", name, other],
        ["diff", name, other, "--behavior"], ["diff", name, other, "--format", "patch"],
        ["merge", other, name, other], ["test", name, "--format", "junit"], ["test", name, "--coverage"],
        ["import", name], ["bench", name, "--rounds", "1", "--values", "50"],
        ["test", "tests"], ["test", "tests", "--jobs", "1", "--format", "json"],
        ["run", name, "--virtual", "--limit", "100", "--format", "csv", "--timestamps", "--for", "5"],
        ["run", name, "--event-time", "value", "--limit", "100", "--for", "5"],
        ["run", name, "--virtual", "--limit", "100", "--format", "marbles", "--skip-errors", "--for", "5"],
        ["format", name, "--add-ids"],
        ["edit", name, *edits(r)],
    ]
    return always + r.sample(others, 2)


def edits(r):
    """The arguments of an edit or two."""
    value = json.dumps(r.choice(extremes))
    operator = json.dumps(r.choice([{"map": {"expression": r.choice(expressions)}}, {"drop": {"count": 1}}, {}, 7]))
    choices = [
        ["--rename", "n"], ["--set", f"/{r.choice(['name', 'operators/0', 'stream/0/value', 'source'])}={value}"],
        ["--remove", r.choice(["/operators/0", "/tests", "/stream", "/inputs/a"])],
        ["--append-item", value], ["--insert-item", value, "--at", r.choice(["0", "1", "9"])], ["--remove-item", "0"],
        ["--add-operator", operator], ["--add-operator", operator, "--at", r.choice(["0", "1", "9"])],
        ["--remove-operator", r.choice(["0", "1"])], ["--move-operator", r.choice(["0:1", "1:0", "0:9"])],
        ["--set-input", f"a={value}"],
    ]
    return sum(r.sample(choices, r.choice([1, 1, 2])), [])


def attack(program, command, folder):
    """Runs a command: its exit code, seconds and kilobytes, and whether it had to be stopped."""
    start = time.monotonic()
    deadline, stopped = start + SECONDS, None
    with open(pathlib.Path(folder, "input.ndjson")) as input, open(pathlib.Path(folder, "out"), "w") as out:
        process = subprocess.Popen([program, *command], cwd=folder, stdin=input, stdout=out, stderr=out)
    while True:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            break
        now = time.monotonic()
        if now > deadline and stopped is None and command[0] == "run":
            process.terminate()
            deadline, stopped = now + NOTICE, "asked"
        elif now > deadline:
            process.kill()
            pid, status, usage = os.wait4(process.pid, 0)
            stopped = "killed"
            break
        time.sleep(0.0005 if now - start < 0.02 else 0.01)
    process.returncode = 0
    return os.waitstatus_to_exitcode(status), time.monotonic() - start, usage.ru_maxrss, stopped


def work(job):
    program, catalogue, seed, count, keep = job
    resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
    resource.setrlimit(resource.RLIMIT_FSIZE, (200 << 20, 200 << 20))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    grammar = Grammar(catalogue)
    corpus = [path.read_text() for path in sorted(root.glob("Streams/**/*.json"))]
    runs, broken, codes, slowest = 0, [], {}, (0, "")

    def candidate(r, kind):
        model = grammar.file(r) if r.random() < 0.7 else json.loads(r.choice(corpus))
        if kind == 1:
            model = mutate_tree(r, model)
        text = json.dumps(model, ensure_ascii=r.random() < 0.5)
        return mutate_bytes(r, text) if kind == 2 else text.encode(errors="replace")

    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "tests").mkdir()
        pathlib.Path(folder, "input.ndjson").write_text('1\n{"a":2}\n"x"\n[1]\n3.5\n')
        for number in range(count):
            r = random.Random(f"{seed}/{number}")
            text = candidate(r, number % 3)
            if number % 3 < 2 and r.random() < 0.8:
                text = valid(program, folder, [text] + [candidate(r, number % 3) for _ in range(7)])
            pathlib.Path(folder, "f.json").write_bytes(text)
            pathlib.Path(folder, "o.json").write_text(r.choice(corpus))
            # Several files are tested in processes of their own.
            pathlib.Path(folder, "tests", "f.json").write_bytes(text)
            pathlib.Path(folder, "tests", "o.json").write_text(r.choice(corpus))
            for command in commands(r, "f.json", "o.json"):
                code, taken, kilobytes, stopped = attack(program, command, folder)
                runs += 1
                if taken > slowest[0]:
                    slowest = (taken, f"{seed}/{number} {' '.join(command)}")
                codes[code] = codes.get(code, 0) + 1
                why = (
                    f"took more than {SECONDS} s" if stopped == "killed"
                    else f"ended with {code}" if code not in ((0, 1, 2) if stopped is None else (143,))
                    else f"held {kilobytes >> 10} MB" if kilobytes > MEGABYTES << 10
                    else None
                )
                if why:
                    broken.append(f"{seed}/{number}: {' '.join(command)} {why}")
                    print(f"FAILED   {broken[-1]}", flush=True)
                    if keep:
                        pathlib.Path(keep, f"{seed}-{number}.json").write_bytes(text)
    return runs, broken, codes, slowest


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--files", type=int, default=25_000)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep")
    options = parser.parse_args()
    program = str(pathlib.Path(options.program).resolve())
    if options.keep:
        pathlib.Path(options.keep).mkdir(parents=True, exist_ok=True)
    catalogue = json.loads(subprocess.run([program, "operators", "--format", "json"], capture_output=True).stdout)
    size = 250
    jobs = [
        (program, catalogue, f"{options.seed}.{part}", min(size, options.files - start), options.keep)
        for part, start in enumerate(range(0, options.files, size))
    ]
    runs, broken, codes, slowest = 0, [], {}, (0, "")
    with multiprocessing.Pool(options.jobs, maxtasksperchild=8) as pool:
        for result in pool.imap_unordered(work, jobs):
            runs += result[0]
            broken += result[1]
            for code, count in result[2].items():
                codes[code] = codes.get(code, 0) + count
            slowest = max(slowest, result[3])
    print(f"{options.files} files, {runs} runs; exit codes {dict(sorted(codes.items()))}")
    print(f"slowest: {slowest[0]:.2f} s, {slowest[1]}")
    print(f"{runs - len(broken)} passed, {len(broken)} failed")
    sys.exit(bool(broken))
