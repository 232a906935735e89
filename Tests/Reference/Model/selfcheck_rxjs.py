"""RxJS's vectors, as far as an operator of RxJS maps plainly onto one of ours."""

import json
import re

from sources import FINISHED
from stream import Options, run
from values import Failure, read_json, write_json


class Untranslated(Exception):
    """The vector needs what our files do not have, or is not plain."""


def seconds(ms):
    if not isinstance(ms, (int, float)) or isinstance(ms, bool):
        raise Untranslated("a time that is not a number")
    return ms / 1000


class Translator:
    """One vector. `depth` counts the functions that give streams: `value` of RxJS's is our `outer` within."""

    def __init__(self, vector):
        self.vector, self.depth = vector, 0

    def text(self, function, names=("value", "index")):
        """An expression of ours, for a function whose parameters become the names."""
        if not isinstance(function, dict) or "cel" not in function or function.get("fails"):
            raise Untranslated("function")
        text, renamed = function["cel"], {}
        if re.search(r"\bfail\(", text):
            raise Untranslated("fail")
        if self.depth:
            renamed = {"value": "outer", "index": "outerIndex"}
        renamed.update({name: ours for name, ours in zip(function.get("params", []), names) if name != ours})
        return re.sub(r"'[^']*'|\"[^\"]*\"|\b[a-zA-Z]\w*\b",
                      lambda found: renamed.get(found[0], found[0]), text)

    def inner(self, argument):
        """The stream of a function that gives one."""
        if not isinstance(argument, dict) or "stream" not in argument:
            raise Untranslated("inner stream")
        if self.depth:
            raise Untranslated("nested")
        self.depth += 1
        model = self.stream(argument["stream"])
        self.depth -= 1
        return model

    def stream(self, s):
        if "ref" in s:
            source = self.vector["sources"][s["ref"]]
            if source["kind"] == "hot":
                return {"source": {"input": {"name": s["ref"]}}}
            return {"source": {"record": {"events": [self.event(event) for event in source["events"]]}}}
        if "op" in s:
            return self.creation(s["op"], s["args"])
        if "source" in s:
            source = s["source"]
            model = self.stream({"ref": source} if isinstance(source, str) else source)
            return {"source": {"stream": model} if False else model["source"],
                    "operators": model.get("operators", []) + self.operators(s["operators"])}
        raise Untranslated(f"stream {next(iter(s))}")

    @staticmethod
    def event(event):
        at = {"at": event["t"] / 1000}
        if "complete" in event:
            return {**at, "finished": True}
        if "error" in event:
            return {**at, "failure": event["error"]}
        if isinstance(event["next"], dict) and any(key.startswith("$") for key in event["next"]):
            raise Untranslated("special value")
        return {**at, "value": event["next"]}

    def creation(self, op, args):
        if op in ("of", "from"):
            values = args if op == "of" else args[0]
            if not isinstance(values, list):
                raise Untranslated("from")
            if any(isinstance(value, dict) and "cel" in value for value in values):
                parts = [self.text(v, ()) if isinstance(v, dict) and "cel" in v else json.dumps(v) for v in values]
                return {"source": {"sequence": {"expression": "[" + ", ".join(f"dyn({p})" for p in parts) + "]"}}}
            return {"source": {"sequence": {"values": values}}}
        if op == "EMPTY":
            return {"source": {"empty": {}}}
        if op == "NEVER":
            return {"source": {"never": {}}}
        if op == "throwError":
            if isinstance(args[0], dict) and "cel" in args[0]:
                raise Untranslated("computed error")
            return {"source": {"fail": {"error": args[0]}}}
        if op == "range":
            return {"source": {"range": {"from": args[0], "through": args[0] + args[1] - 1}}}
        if op == "interval":
            return {"source": {"timer": {"every": seconds(args[0])}}}
        if op == "timer":
            first = {"startingAfter": seconds(args[0])}
            if args[1:] and args[1] <= 0:
                raise Untranslated("a period of zero")
            if len(args) == 1:
                return {"source": {"timer": {"every": 1, "count": 1, **first}}}
            return {"source": {"timer": {"every": seconds(args[1]), **first}}}
        if op in ("combineLatest", "concat", "merge", "zip", "race", "forkJoin") and isinstance(args[0], list):
            first, *others = [self.stream(s) for s in args[0]]
            if not others:
                raise Untranslated("a join of one stream")
            name = {"concat": "append"}.get(op, op)
            fields = {"with": others}
            if len(args) > 1 and isinstance(args[1], dict):
                fields["expression"] = self.projector(args[1], len(others) + 1)
            elif len(args) > 1:
                fields["maxPublishers"] = args[1]
            return {**first, "operators": first.get("operators", []) + [{name: fields}]}
        raise Untranslated(op)

    def projector(self, function, count):
        if not function.get("spread"):
            raise Untranslated("projector")
        return self.text(function, ("values",))

    def operators(self, operators):
        result = []
        for operator in operators:
            if operator.get("scheduler"):
                raise Untranslated("scheduler")
            result += self.operator(operator["op"], operator["args"])
        return result

    def operator(self, op, args):
        a = args[0] if args else None
        expression = isinstance(a, dict) and "cel" in a
        one = lambda name, **fields: [{name: {k: v for k, v in fields.items() if v is not None}}]  # noqa: E731
        matching = {"expression": self.text(a)} if expression else {}
        if op in ("map", "filter", "takeWhile", "skipWhile", "every", "findIndex"):
            names = {"takeWhile": "prefixWhile", "skipWhile": "dropWhile", "every": "allSatisfy"}
            more = {"inclusive": True} if op == "takeWhile" and args[1:] == [True] else {}
            return one(names.get(op, op), expression=self.text(a), **more)
        if op in ("scan", "reduce"):
            fields = {"expression": self.text(a, ("acc", "value", "index"))}
            return [{op: {**fields, **({"initialValue": args[1]} if len(args) > 1 else {})}}]
        if op in ("count", "single"):
            return one(op, **matching)
        if op in ("first", "last"):
            tail = [{"failIfEmpty": {}}] if len(args) < 2 else [{"replaceEmpty": {"with": args[1]}}]
            return one(op, **matching) + (tail if self.vector["combine"] == "unknown" or len(args) > 1 else [])
        if op in ("take", "skip", "takeLast", "skipLast"):
            if not isinstance(a, int) or a < 0:
                raise Untranslated("negative count")
            return one({"take": "prefix", "skip": "drop", "takeLast": "last", "skipLast": "dropLast"}[op], count=a)
        if op == "elementAt" and len(args) == 1:
            return one("output", at=a)
        if op in ("takeUntil", "skipUntil"):
            return one({"takeUntil": "prefixUntil", "skipUntil": "dropUntil"}[op], stream=self.stream(a))
        if op == "distinct":
            key = {"key": self.text(a)} if expression else {}
            return one("distinct", **key, reset=self.stream(args[1]) if len(args) > 1 else None)
        if op == "distinctUntilChanged":
            if args[1:]:
                raise Untranslated("key selector")
            return one("removeDuplicates", by=self.text(a, ("previous", "value")) if expression else None)
        if op in ("ignoreElements", "isEmpty", "pairwise", "toArray"):
            return {"ignoreElements": one("ignoreOutput"), "isEmpty": one("isEmpty"),
                    "pairwise": one("nwise", count=2), "toArray": one("collect")}[op]
        if op in ("min", "max"):
            return one(op, compare=self.text(a, ("first", "second")) if expression else None)
        if op == "sequenceEqual":
            return one(op, **{"with": [self.stream(a)]},
                       expression=self.text(args[1], ("first", "second")) if args[1:] else None)
        if op in ("sample", "audit", "debounce", "throttle", "delayWhen"):
            if op == "throttle":
                return self.throttle(args, stream=self.inner(a))
            extra = {"onFinish": "flush"} if op == "debounce" else {}
            if len(args) > 1:
                raise Untranslated(op)
            return one(op, stream=self.stream(a) if op == "sample" else self.inner(a), **extra)
        if op in ("sampleTime", "auditTime", "debounceTime"):
            return one(op[:-4], seconds=seconds(a))
        if op == "throttleTime":
            return self.throttle(args, seconds=seconds(a))
        if op == "delay":
            return one(op, seconds=seconds(a))
        if op in ("bufferCount", "windowCount"):
            return self.parts(op, count=a, startEvery=args[1] if args[1:] and args[1] else None)
        if op in ("bufferTime", "windowTime"):
            every = seconds(args[1]) if args[1:] and args[1] is not None else None
            name = "startEvery" if op == "bufferTime" else "startEverySeconds"
            fields = {"seconds": seconds(a), name: every, "count": args[2] if args[2:] else None}
            return self.parts(op, **fields)
        if op in ("buffer", "window"):
            return self.parts(op + "U", stream=self.stream(a))
        if op in ("bufferWhen", "windowWhen"):
            return self.parts(op, stream=self.inner(a), each=True)
        if op in ("bufferToggle", "windowToggle"):
            return self.parts(op, opening=self.stream(a), closing=self.inner(args[1]))
        if op in ("mergeMap", "concatMap", "switchMap", "exhaustMap") and not (args[1:] and args[1]):
            strategy = {"mergeMap": None, "concatMap": "concat", "switchMap": "latest", "exhaustMap": "exhaust"}[op]
            return one("flatMap", stream=self.inner(a), strategy=strategy,
                       maxPublishers=args[2] if len(args) > 2 else None)
        if op in ("mergeScan", "switchScan"):
            if set(a.get("params", [])) - {"acc", "value", "index"}:
                raise Untranslated("names")
            return [{"mergeScan": {"stream": self.inner(a), "initialValue": args[1],
                                   **({"strategy": "latest"} if op == "switchScan" else {}),
                                   **({"maxPublishers": args[2]} if args[2:] else {})}}]
        if op == "expand":
            return one(op, stream=self.inner(a), limit=10_000,
                       maxPublishers=args[1] if args[1:] and isinstance(args[1], int) and args[1] > 0 else None)
        if op in ("combineLatestWith", "zipWith", "mergeWith", "concatWith", "raceWith", "withLatestFrom"):
            name = {"concatWith": "append"}.get(op, op.removesuffix("With"))
            args = args[0] if args and isinstance(args[0], list) else args
            fields = {}
            if isinstance(args[-1], dict) and "cel" in args[-1]:
                fields["expression"] = self.projector(args[-1], len(args))
                args = args[:-1]
            elif isinstance(args[-1], int):
                fields["maxPublishers"] = args[-1]
                args = args[:-1]
            if not args:
                raise Untranslated("a join of one stream")
            return [{name: {"with": [self.stream(s) for s in args], **fields}}]
        if op in ("startWith", "endWith") and not any(isinstance(v, dict) for v in args):
            values = {"source": {"sequence": {"values": args}}}
            return [{"prepend" if op == "startWith" else "append": {"with": [values]}}]
        if op == "defaultIfEmpty":
            return [{"replaceEmpty": {"with": a}}]
        if op == "throwIfEmpty":
            return one("failIfEmpty")
        if op == "catchError" and "caught" not in json.dumps(a.get("stream", "caught")):
            if self.depth:
                raise Untranslated("nested")
            self.depth = 0
            return one("catch", stream=self.stream(a["stream"]))
        if op in ("retry", "repeat"):
            if isinstance(a, dict):
                if set(a) - {"count", "resetOnSuccess"}:
                    raise Untranslated(op)
                return one(op, count=a.get("count"), resetOnValue=a.get("resetOnSuccess") or None)
            if isinstance(a, int) and a < 0:
                raise Untranslated("negative count")
            return one(op, count=a)
        if op == "share" and not args:
            return one(op, resetOnFinish=True, resetOnFailure=True)
        raise Untranslated(op)

    def throttle(self, args, **fields):
        config = args[1] if args[1:] else {}
        edges = {(True, False): "leading", (True, True): "both", (False, True): "trailing"}.get(
            (config.get("leading", True), config.get("trailing", False)))
        if edges is None:
            raise Untranslated("no edges")
        return [{"throttle": {**fields, "edges": edges}}]

    def parts(self, op, **fields):
        fields = {name: value for name, value in fields.items() if value is not None}
        if op.startswith("buffer"):
            name = {"bufferCount": "collect", "bufferTime": "collectTime"}.get(op, "collectUntil")
            if name == "collectTime":
                fields["emitEmpty"] = True
            return [{name: fields}]
        return [{"window": {**fields, "operators": [{"map": {"expression": "[dyn(windowIndex), value]"}}]}}]


def flattened(events):
    """Streams of an expectation as [index, value] at their times."""
    result, index = [], 0
    for event in events:
        if isinstance(event.get("next"), dict) and "$stream" in event["next"]:
            for inner in event["next"]["$stream"]:
                if "next" in inner:
                    result.append({"t": event["t"] + inner["t"], "next": [index, inner["next"]]})
            index += 1
        else:
            result.append(event)
    return sorted(result, key=lambda event: event["t"])


def history(events):
    return [(event["t"], "finished" if "complete" in event else "failure" if "error" in event
             else "value " + json.dumps(event["next"], sort_keys=True)) for event in events]


def check_rxjs(report, directory):
    for path in sorted(directory.glob("*/*.ndjson")):
        for line in path.read_text().splitlines():
            vector = json.loads(line)
            try:
                check_vector(report, vector)
            except (Untranslated, TypeError, ValueError, AttributeError, LookupError) as reason:
                name = f"RxJS: {reason}"
                report.left[name] = report.left.get(name, 0) + 1


def check_vector(report, vector):
    if "observers" in vector or "defs" in vector or vector.get("subscribeAt") or not vector.get("pipeline"):
        raise Untranslated("observers")
    if set(vector.get("flags", [])) & {"sequence", "undefined"}:
        raise Untranslated("flags")
    differs = vector["combine"] == "differs" and "throttleTime" not in vector["ops"]
    expect = vector["combineExpect"] if differs and "combineExpect" in vector else vector["expect"]
    expect = flattened(expect)
    if "$" in json.dumps(expect) or "$" in json.dumps(vector["sources"]):
        raise Untranslated("special value")
    model = Translator(vector).stream(vector["pipeline"])
    hot = {name: source for name, source in vector["sources"].items() if source["kind"] == "hot"}
    inputs = {}
    for name, source in sorted(hot.items(), key=lambda item: item[1]["order"]):
        events = [(e["t"] * 10**6, FINISHED if "complete" in e else Failure("S407", "", e["error"]) if "error" in e
                   else read_json(json.dumps(e["next"]))) for e in source["events"] if e["t"] >= 0]
        inputs[name] = events
    model = {"inputs": {name: {} for name in inputs}, **model}
    end = vector.get("unsubscribeAt")
    options = Options(until=None if end is None else end * 10**6 - 1, steps=200_000)

    def actual():
        result = []
        for time, name, value in run(read_json(json.dumps(model)), inputs, options).events:
            text = "value " + json.dumps(json.loads(write_json(value)), sort_keys=True) if name == "value" else name
            result.append((time / 10**6, text))
        return result
    report.check(f"{vector['id']} {json.dumps(model['operators'] if 'operators' in model else model)}",
                 lambda: [(float(t), text) for t, text in history(expect)], actual)
