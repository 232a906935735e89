"""Measures CEL beside its peers: cel_peers.py BENCHMARKS [--quick], started by ../cel.sh.

Every peer's answers are compared with ours before anything is timed. Then each of the rounds times every workload with
every peer, one after the other, so that a slow moment of the machine meets all of them; the medians are printed.

Expressions are planned once, in every peer. Each evaluation gets another row of values than the one before:
  ours                             a plan with activations made beforehand, which hold the values
  ours set                         a plan with one activation, which is given the values each time
  closure                          Swift, by hand, over Swift's own types
  common-expression-language       a compiled program with contexts made beforehand: no value is converted in time
  common-expression-language dict  a compiled program with a dictionary, which it converts each time
  cel-python                       a compiled program with a dictionary of values of CEL's types, made beforehand
Peers in Python pay for one call of a Python function, without a loop in Python.
"""

import collections
import gc
import importlib.metadata
import itertools
import json
import statistics
import subprocess
import sys
import time

NAMES = ["quake", "us", "x", "alaska-north"]
TEXTS = ["us7000abcd-mag-5", "us7000abcdefghijklmnop-mag-6.5", "us6000abcd-mag-5", "us7000abcd-mag-5-deleted"]

WORKLOADS = [  # name, expression, variables with their types, rows of values, nanoseconds that ours may take
    ("plan", "value.z > 0.25 ? 'tiltedDown' : 'notOk1'", [["value", "{x: double, y: double, z: double}"]],
     [[{"x": 0.5, "y": 0.25, "z": 0.75}]], 10_000),
    ("sum", "value * 2 + acc", [["value", "int"], ["acc", "int"]], [[7 * i, i] for i in range(16)], 15),
    ("field", "value.z > 0.25 ? 'tiltedDown' : 'notTilted'", [["value", "{x: double, y: double, z: double}"]],
     [[{"x": 0.5, "y": 0.25, "z": i / 16 + 0.03125}] for i in range(16)], 40),
    ("filter", "value.filter(x, x % 3 == 0 && x > 50)", [["value", "list(int)"]],
     [[list(range(i, i + 100))] for i in range(16)], None),
    ("text", "value.startsWith('us7000') && value.contains('-mag-') && !value.endsWith('deleted')"
     " ? value + ':' + string(size(value)) : ''", [["value", "string"]],
     [[TEXTS[i % 4]] for i in range(16)], None),
    ("pattern", "value.matches('^[a-z]+-[0-9]{4}$')", [["value", "string"]],
     [[f"{NAMES[i % 4]}-{1000 + i}"] for i in range(16)], None),
]  # fmt: skip
assert len(WORKLOADS[0][1]) == 40


def say(text):
    print(f"cel.sh: {text}", file=sys.stderr, flush=True)


def timed(make_calls, rows, seconds):
    """Nanoseconds for each row; make_calls(n) is an iterator that goes n times through all rows when it is drained."""
    rounds = 1
    while True:
        calls = make_calls(rounds)
        start = time.perf_counter()
        collections.deque(calls, maxlen=0)
        taken = time.perf_counter() - start
        if taken >= seconds:
            return taken * 1e9 / (rounds * rows)
        rounds = int(rounds * (seconds / taken * 1.1 if taken > seconds / 100 else 10)) + 1


def repeated(function, arguments):
    return lambda rounds: map(function, itertools.chain.from_iterable(itertools.repeat(arguments, rounds)))


class Swift:
    """Ours and the closures: another process, which answers a line with a line."""

    def __init__(self, path):
        self.process = subprocess.Popen([path, "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        keys = ("name", "expression", "variables", "rows")
        self.send([dict(zip(keys, workload)) for workload in WORKLOADS])

    def send(self, request):
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()

    def ask(self, *request):
        self.send(request)
        line = self.process.stdout.readline()
        if not line:
            sys.exit("cel.sh: the Swift side has stopped")
        return json.loads(line)

    def peers(self):
        for peer in ("ours", "ours set", "closure"):
            yield peer, lambda name, _, peer=peer: (
                self.ask("answers", name, peer),
                lambda seconds: self.ask("measure", name, peer, float(seconds)),
            )


def rust():
    import cel

    say(f"common-expression-language {importlib.metadata.version('common-expression-language')}")

    def peer(prepare):
        def prepared(name, workload):
            _, text, variables, rows, _ = workload
            contexts = [prepare(dict(zip((v for v, _ in variables), row))) for row in rows]
            program = cel.compile(text)
            answers = [program.execute(context) for context in contexts]
            if name == "plan":
                return answers, lambda seconds: timed(repeated(cel.compile, [text]), 1, seconds)
            return answers, lambda seconds: timed(repeated(program.execute, contexts), len(rows), seconds)

        return prepared

    yield "common-expression-language", peer(lambda values: cel.Context(variables=values))
    yield "common-expression-language dict", peer(lambda values: values)


def python():
    import celpy

    # NB: celpy's parser keeps the first environment's runner for the whole process, so there is one environment.
    environment = celpy.Environment(runner_class=celpy.CompiledRunner)
    say(f"cel-python {importlib.metadata.version('cel-python')}, with its CompiledRunner")

    def prepared(name, workload):
        _, text, variables, rows, _ = workload
        arguments = [{v: celpy.json_to_cel(x) for (v, _), x in zip(variables, row)} for row in rows]
        plan = lambda text: environment.program(environment.compile(text))
        program = plan(text)
        answers = [json.loads(json.dumps(program.evaluate(a), cls=celpy.CELJSONEncoder)) for a in arguments]
        if name == "plan":
            return answers, lambda seconds: timed(repeated(plan, [text]), 1, seconds)
        return answers, lambda seconds: timed(repeated(program.evaluate, arguments), len(rows), seconds)

    yield "cel-python", prepared


def main():
    quick = "--quick" in sys.argv[2:]
    seconds = 0.01 if quick else 0.2
    peers = list(Swift(sys.argv[1]).peers())
    for package, load in (("common-expression-language", rust), ("cel-python", python)):
        try:
            peers += load()
        except Exception as error:  # whatever a peer's import throws
            say(f"{package} cannot be used, and is left out: {error}")

    cases = []
    for workload in WORKLOADS:
        name = workload[0]
        expected = None
        for peer, prepare in peers:
            answers, measure = prepare(name, workload)
            if answers is None:
                continue
            expected = expected if expected is not None else answers
            # Types count too: 1 is neither 1.0 nor true.
            if repr(answers) != repr(expected):
                sys.exit(f"cel.sh: {name}: {peer} answers {answers}, ours {expected}")
            cases.append((name, peer, measure, []))
    say(f"all answers agree; {'quick, ' if quick else ''}5 rounds of {len(cases)} measurements")

    gc.disable()
    for _ in range(5):
        for name, peer, measure, times in cases:
            times.append(measure(seconds))
            gc.collect()

    medians = {(name, peer): statistics.median(times) for name, peer, _, times in cases}
    print("workload\tpeer\tns_per_value\tratio_to_ours")
    for (name, peer), median in medians.items():
        print(f"{name}\t{peer}\t{median:.1f}\t{median / medians[name, 'ours']:.2f}")
    for name, _, _, _, target in WORKLOADS:
        if target:
            ours = medians[name, "ours"]
            say(f"target of {name}: {target} ns, {'met' if ours < target else 'MISSED'} with {ours:.1f} ns")


if __name__ == "__main__":
    main()
