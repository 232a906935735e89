#!/usr/bin/env python3
"""Prints cases for a test program, one JSON object per line: a stream file, what an app sends to its inputs, and what must
come out, as the model has it.

    cases.py --files N --seed S

`file` is the stream file, `files` are the others to which it refers, `parameters` the values of its parameters, and
`numbers` is the seed of random(), if it is given from outside. `feeds` says for each input what feeds it: `values` (values of any type), `int`, `double`,
`string`, `bool` (a type of Swift), `publisher`, or `current` with the value that the feed keeps. `fed` has the events:
`at` in nanoseconds, `input`, and one of `value`, `finished` and `failure`. `calls` has each call of a host function:
`at`, `argument`, the time of the result as `result`, and `value` or `failure` (`code`, and `error` if the file or the
script gives one).

`publisher` and `values` are the events that come out: of a publisher, whose subscriber requests everything, and of an
asynchronous sequence, whose next value is requested when all that is due has been done. `timers` says whether the
sequence may read a clock.

A file whose input has a clock has `byData`: its time follows the values, so the events have an order alone, and no
`values`.
"""

import argparse
import json
import multiprocessing
import random
import signal
import sys
import traceback

from calls import calls_for_model, with_calls
from casefiles import INPUT, Unusable, as_values, case_with, hot, paced, results, stream_file, text_of
from doors_more import JOINS
from doors_tools import spoiled
from generate import ERRORS, Case
from judging import without_texts
from known_apps import known_app
from reference import MODEL_SECONDS, TooSlow, give_up, limit_memory
from sources import FINISHED, file_failure
from values import Failure, plain, printed, read_json

SWIFT_TYPES = {"int": int, "double": float, "string": str, "bool": bool}


class AppCase:
    """A case, and how an app feeds it."""

    def __init__(self, case):
        rng = random.Random(case.seed * 13 + 5)
        if case.partition:
            raise Unusable("a partition")
        self.calls = {}
        if rng.random() < 0.12:
            case = with_calls(case, rng)
            self.calls = calls_for_model(case)
        self.model, self.is_timed = stream_file(case, INPUT), case.timed
        self.initial, self.current = {}, {}
        self.inputs, self.feeds = {"a": self.events(case, rng)}, {"a": self.feed(case, rng)}
        if rng.random() < 0.15:
            self.add_input(case, rng)
        if rng.random() < 0.08:
            full = rng.choice(["dropOldest", "dropNewest", "fail"])
            self.model["inputs"]["a"]["buffer"] = {"capacity": rng.choice([1, 2]), "whenFull": full}

    def events(self, case, rng):
        """What is sent to the input: sometimes a failure as its end, or a value that its type refuses."""
        events = hot(case)
        if case.finishes and rng.random() < 0.15:
            events[-1] = (events[-1][0], file_failure(read_json(text_of(rng.choice(ERRORS)))))
        if case.typed and case.values and rng.random() < 0.08:
            at = rng.randrange(len(case.values))
            bad = read_json(text_of(spoiled(rng, case.type, case.values[at])))
            events[at] = (events[at][0], bad)
            self.is_spoiled = True
        return events

    is_spoiled = False

    def feed(self, case, rng):
        """What feeds the input `a`."""
        form = rng.random()
        if form < 0.2:
            value = rng.choice(case.values) if case.values else 0
            if rng.random() < 0.5 and not case.typed:
                self.model["inputs"]["a"] = {**self.model["inputs"]["a"], "initialValue": 0}
                self.initial["a"] = read_json(text_of(value))
            else:
                self.current["a"] = read_json(text_of(value))
            return {"current": value}
        if form < 0.3:
            return "publisher"
        swift = SWIFT_TYPES.get(case.type if isinstance(case.type, str) else "")
        if swift and not self.is_spoiled and all(type(value) is swift for value in case.values) and form < 0.8:
            return case.type
        return "values"

    def add_input(self, case, rng):
        """A second input, which a joining operator reads."""
        name = rng.choice(JOINS)
        fields = {"stream": "b"} if name in ("dropUntil", "prefixUntil", "flatMap", "switchIfEmpty") else {"with": ["b"]}
        part = self.model if "operators" in self.model else self.model["streams"]["main"]
        at = rng.randint(0, len(part["operators"]))
        part["operators"] = part["operators"][:at] + [{name: fields}] + part["operators"][at:]
        self.model["inputs"]["b"] = {"initialValue": 0} if rng.random() < 0.5 else {}
        if rng.random() < 0.2 and self.model["inputs"]["b"]:
            return  # an input without a feed keeps its initial value
        times = sorted(rng.choice(case.times + [0, 3, 12]) for _ in range(rng.choice([0, 1, 2, 4])))
        values = as_values([rng.choice(case.values) if case.values else at for at in range(len(times))])
        self.inputs["b"] = [(time * 10**6, value) for time, value in zip(times, values)]
        if rng.random() < 0.7:
            self.inputs["b"].append(((times[-1] if times else 0) * 10**6 + 2 * 10**6, FINISHED))
        self.feeds["b"] = "values"

    def run(self, awaits):
        return results(
            self.model, self.inputs, initial=self.initial, current=self.current, calls=self.calls, app=True, awaits=awaits
        )

    def line(self, seed):
        published, awaited = self.run(False), self.run(True)
        fed = [(time, name, event) for name, events in self.inputs.items() for time, event in events]
        line = {
            "seed": seed,
            "file": self.model,
            "feeds": self.feeds,
            "fed": [{"at": at, "input": name, **content(event)} for at, name, event in sorted(fed, key=lambda e: e[0])],
            "timers": self.is_timed or awaited.timers > 0 or "now()" in text_of([self.model, self.model.files]),
            **from_outside(self.model),
        }
        line["known"] = known_app(self)
        for door, result in (("publisher", published), ("values", awaited)):
            line[door] = [{"at": at, **outcome(what, event)} for at, what, event in result.events]
        if self.calls:
            if [call[:4] for call in published.calls] != [call[:4] for call in awaited.calls] or ambiguous(published.calls):
                raise Unusable("the doors differ in their calls, or two calls cannot be told apart")
            line["calls"] = [
                {"at": at, "function": function, "argument": plain(argument), "result": time, **content(result)}
                for at, function, argument, time, result in published.calls
            ]
            line["functions"] = list(self.calls)
        return line


class DataCase:
    """A case whose time follows the values that an app sends, and what `run` prints for them."""

    def __init__(self, case):
        if case.partition:
            raise Unusable("a partition")
        self.model = stream_file(case, INPUT)
        self.result = results(self.model, paced(case), app=True)
        if self.result.is_refused:
            raise Unusable("the host refuses a record")
        sent = hot(case_with(case, finishes=True))
        self.sent = [{"at": at, "input": "a", **content(event)} for at, event in sent]
        swift = SWIFT_TYPES.get(case.type if isinstance(case.type, str) else "")
        is_typed = swift and case.values and all(type(value) is swift for value in case.values)
        self.feed = case.type if is_typed else random.Random(case.seed).choice(["values", "publisher"])

    def line(self, seed):
        return {
            "seed": seed, "file": self.model, **from_outside(self.model), "feeds": {"a": self.feed}, "fed": self.sent, "timers": True, "byData": True,
            "publisher": [{"at": 0, **outcome(what, event)} for _, what, event in self.result.events], "values": [],
        }


def from_outside(model):
    """The values of parameters, the seed and the other files of a stream file."""
    seed = {} if model.seed is None else {"numbers": model.seed}
    return {"parameters": model.given, "files": {path: text_of(file) for path, file in model.files.items()}, **seed}


def ambiguous(calls):
    """Whether two calls of one instant are equal, or a result comes at an instant of which another call's is part."""
    keys = [(at, function, text_of(plain(argument))) for at, function, argument, _, _ in calls]
    return len(set(keys)) < len(keys)


def content(event):
    if event is FINISHED:
        return {"finished": True}
    if isinstance(event, Failure):
        return {"failure": failure(event)}
    return {"value": plain(event)}


def outcome(what, event):
    if what == "value":
        return {"value": plain(without_texts(printed(event)))}
    return content(FINISHED if what == "finished" else event)


def failure(failure):
    error = {} if failure.error is None else {"error": plain(without_texts(printed(failure.error)))}
    return {"code": failure.code, **error}


def line_of(case, seed):
    """The line of a case, or None if an app cannot feed it or the model cannot tell."""
    signal.signal(signal.SIGALRM, give_up)
    signal.alarm(MODEL_SECONDS)
    try:
        try:
            return (DataCase if case.clock else AppCase)(case_with(case)).line(seed)
        finally:
            signal.alarm(0)  # where the alarm may also interrupt
    except (Unusable, NotImplementedError, TooSlow, RecursionError, MemoryError, Failure):
        return None
    except Exception:  # noqa: BLE001 (a mistake of the model is shown by the test)
        return {"seed": seed, "crash": traceback.format_exc(limit=-4)}


def line_of_seed(seed):
    return line_of(Case(seed), seed)


def lines(count, seed):
    with multiprocessing.Pool(2, initializer=limit_memory) as pool:
        for line in pool.imap(line_of_seed, range(seed, seed + 100 * count), chunksize=16):
            if line:
                yield line
                count -= 1
            if count <= 0:
                pool.terminate()
                return


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    # A program in Swift starts its children with signals blocked that end workers and slow cases.
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGALRM, signal.SIGTERM})
    for line in lines(options.files, options.seed):
        sys.stdout.write(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
