"""Random stream files and inputs: `Case(seed)`. A seed gives the same case on every machine.

A case has the values of one input `a` and the operators after it; `doors.py` decides which source takes the place of
the input. Times are milliseconds. Files aim at passing the type check; those that do not are counted and left out.
"""

import random

from generate_expressions import DEEP, MIXED, RECORD, SCALARS, Expressions, random_input_type, random_type, random_value
from generate_more import MORE, NESTED, MoreOperators

WAYS = ["merge", "concat", "latest", "exhaust"]
ERRORS = ["oops", {"message": "bad", "n": 1}, 7]


DAYS = [86_400, 2 * 86_400, 7 * 86_400]
ZONES = ["Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "America/St_Johns", "Africa/Casablanca",
         "Pacific/Apia", "America/Sao_Paulo", "UTC", "Asia/Kathmandu", "Europe/London"]
# Milliseconds since 1970: hours before clocks change, a day that Samoa left out, and others.
STARTS = [0, 1_000_000, 1_700_000_000_000, 1_711_836_000_000, 1_729_983_600_000, 1_710_050_400_000, 1_712_412_000_000,
          1_325_200_000_000, 1_541_300_000_000, 86_399_000, 4_102_444_800_000]


class Case(MoreOperators):
    def __init__(self, seed):
        self.seed, self.rng = seed, random.Random(seed)
        rng = self.rng
        self.expressions = Expressions(rng)
        # The seed of random(), if the file uses it; the seed of what the file is rewritten with.
        self.seed_of_numbers = rng.choice([0, 1, 7, -3, 2**62 + 1, seed]) if rng.random() < 0.2 else None
        self.dress, self.made = rng.randrange(10**6) if rng.random() < 0.4 else None, {}
        self.type = random_input_type(rng)
        self.typed = self.type != "dyn" and rng.random() < 0.5
        count = rng.choice([0, 1, 2, 3, 3, 4, 4, 5, 6, 8, 12]) if rng.random() < 0.97 else rng.choice([520, 1100])
        if self.type is MIXED:
            count = rng.choice([6, 12, 12, 40])
        pool = [random_value(rng, self.type, self.typed) for _ in range(min(count, 12))]
        if self.type is MIXED:
            scalars = [1, 2.5, 1.5, 7, None, "a", True]
            pool = [{**value, "x": rng.choice(scalars), "y": rng.choice(scalars[:5])} for value in pool]
        self.values = [pool[at % 12] for at in range(count)]
        self.times = self.random_times(count)
        self.finishes = rng.random() < 0.85
        self.timed = self.demanding = self.calendar = self.fails = False
        self.streams, self.depth, self.in_group = {}, 0, 0
        self.slow = rng.random() < 0.45  # whether operators may wait
        self.partition = self.random_partition() if rng.random() < 0.3 and isinstance(self.type, dict) else None
        self.operator = None  # the one whose fields are made
        self.scale = 1  # of the times, in milliseconds
        self.clock = self.random_clock()
        names = {"key": self.key_type} if self.partition else {}
        self.in_group += bool(self.partition)
        if rng.random() < 0.2 and not self.partition:
            self.streams["s"] = self.model("a")
        length = rng.choice([1, 1, 2, 2, 3, 4, 5])
        first, type = [], self.type
        if type is MIXED and rng.random() < 0.8:  # the rows of a file are read member by member
            shapes = ["value.x", "{'k': value.k, 'x': value.x}", "[value.x, value.z]", "value.y"]
            first, type = [{"map": {"expression": rng.choice(shapes)}}], "dyn"
        operators, self.result = self.chain(type, length, names)
        self.operators = first + operators
        self.outputs = self.random_outputs()
        if self.partition and rng.random() < 0.2:
            slow, self.slow = self.slow, False
            self.partition["then"], self.result = self.chain("dyn", 1, {})
            self.slow = slow

    def random_outputs(self):
        """The outputs of a file that has several, by their names, in any order: `main` is the stream of the operators."""
        if self.partition or self.rng.random() < 0.85:
            return {}
        outputs, streams = {"main": {"stream": "main"}}, ["main", "a", *self.streams]
        for name in self.rng.sample(["first", "second", "it's \"x\""], self.rng.choice([1, 1, 2])):
            form = self.rng.random()
            outputs[name] = {"stream": self.rng.choice(streams) if form < 0.4 else self.model("a" if form < 0.7 else None)}
        names = self.rng.sample(list(outputs), len(outputs))
        return {name: outputs[name] for name in names}

    def random_times(self, count):
        """Milliseconds of each value, in order."""
        time, times = 0, []
        for _ in range(count):
            time += self.rng.choice([0, 1, 2, 5, 10, 10, 20, 100])
            times.append(time)
        return times

    def random_partition(self):
        """The members of `partition`; the records have their time as `t`."""
        name = self.rng.choice([name for name, type in self.type.items() if type in SCALARS and not name.endswith("?")])
        self.key_type = self.type[name]
        key = f"value.{name}"
        if self.rng.random() < 0.2:
            key, self.key_type = f"[{key}, value.k]", ["dyn"]
        partition = {"key": key}
        if self.rng.random() < 0.7 or self.slow:
            partition["time"] = "value.t"
            self.type = {**self.type, "t": "int"}
            self.values = [{**value, "t": 1_000_000 + time} for value, time in zip(self.values, self.times)]
            if self.rng.random() < 0.6:
                partition["lateness"] = self.rng.choice([0.002, 0.01, 0.05, 1])
                partition["late"] = self.rng.choice(["apply", "drop", "output"])
                self.rng.shuffle(self.values)
                self.values.sort(key=lambda value: value["t"] + self.rng.choice([0, 5, 30]))
        return partition

    def random_clock(self):
        """The input's `time`, or None: that of a partition, or one of its own; the records have their time as `t`."""
        rng = self.rng
        if self.partition:
            if "time" not in self.partition or rng.random() < 0.6:
                return None
            moved = [name for name in ("lateness", "late") if name in self.partition]
            return {"expression": self.partition.pop("time"), **{name: self.partition.pop(name) for name in moved}}
        if not isinstance(self.type, dict) or rng.random() < 0.8:
            return None
        if rng.random() < 0.4:  # hours and days instead of milliseconds
            self.scale = rng.choice([250_000, 3_600_000, 7_000_000])
            self.times = [time * self.scale for time in self.times]
        clock = {"expression": "value.t"}
        unit = rng.choice(["s", "ms", "ms", "us", "ns"])
        if unit != "ms":
            clock["unit"] = unit
        per = {"s": 0.001, "ms": 1, "us": 1000, "ns": 10**6}[unit]
        self.type = {**self.type, "t": "double" if unit == "s" else "int"}
        delay = rng.choice([0, 5, 40, 300]) * self.scale
        arrival = lambda place: self.times[place] + rng.choice([0, 0, delay, delay // 2])  # noqa: E731
        start = rng.choice(STARTS if self.scale > 1 or rng.random() < 0.3 else [1_000_000])
        self.values = [{**self.values[place], "t": (start + self.times[place]) * per}
                       for place in sorted(range(len(self.values)), key=arrival)]
        if unit == "ms" and rng.random() < 0.2:
            forms = ["timestamp.fromMillis(value.t)", "double(value.t)", "value.t + 0", "value.?t.orValue(0)"]
            clock["expression"] = rng.choice(forms)
        seconds = lambda *choices: self.length(rng.choice(choices))  # noqa: E731
        if rng.random() < 0.8:
            clock["lateness"] = seconds(0.002, 0.005, 0.02, 0.05, 1)
        if rng.random() < 0.5:
            clock["late"] = rng.choice(["apply", "drop", "output"])
        if rng.random() < 0.2:
            clock["maxJump"] = seconds(0.01, 0.02, 0.1, 0.3)
        if rng.random() < 0.1:
            clock["limit"] = rng.choice([1, 2, 5, 100])
        return clock

    def length(self, seconds):
        """The length on the scale of the records' times."""
        return seconds if self.scale == 1 else round(seconds * self.scale, 3)

    def alignment(self):
        """Fields of aligned windows, with a length of their own."""
        self.timed, rng = True, self.rng
        long = [900, 3600, 5 * 3600, 21_600, *DAYS, *DAYS]
        seconds = rng.choice([0.005, 0.02, 0.1, 7, 3600] if self.scale == 1 else long)
        fields = {"seconds": seconds, "align": "clock"}
        if rng.random() < 0.3:
            fields["hop"] = seconds * rng.choice([0.5, 2, 0.25, 3])
        if rng.random() < 0.3:
            fields["offset"] = rng.choice([seconds * 0.5, seconds * 3, 1800, 6 * 3600])
        if seconds >= 900 and rng.random() < 0.6:
            fields["zone"] = rng.choice(ZONES)
        if rng.random() < 0.2:
            fields["emitEmpty"] = True
        return fields

    # Streams in fields

    def model(self, source=None, type=None, names=None):
        """A model in place: a cold source and at most two operators."""
        rng = self.rng
        type = type or rng.choice(["int", "int", "double", "string", "dyn"])
        value = lambda: random_value(rng, type, False)
        kinds = ["just", "sequence", "items", "range", "empty", "fail", "computed", "repeat", "generate", "iif"]
        kind = rng.choices(kinds + ["timed"], [4, 6, 3, 2, 1, 1, 4, 1, 1, 1, 8 if self.slow else 0])[0]
        names = names or {}
        if source == "a":
            model, type = {"source": {"input": {"name": "a"}}}, self.type
        elif kind == "items":
            model = {"stream": [{"value": value()} for _ in range(rng.choice([1, 2, 3]))]}
        elif kind == "range":
            model, type = {"source": {"range": {"from": 1, "through": rng.choice([0, 1, 3])}}}, "int"
        elif kind == "computed":
            type = rng.choice(SCALARS + ["dyn"])
            form, text = rng.choice(
                [("just", self.expressions.of(type, names)), ("sequence", f"[{self.expressions.of(type, names)}]")]
            )
            model = {"source": {form: {"expression": text}}}
        elif kind == "timed":
            self.timed, time, events = True, 0, []
            for _ in range(rng.choice([0, 1, 2, 3])):
                time += rng.choice([0, 3, 7, 13, 30])
                events.append({"at": time / 1000, "value": value()})
            if rng.random() < 0.8:
                events.append(
                    {"at": time / 1000, "finished": True}
                    if rng.random() < 0.8
                    else {"at": time / 1000, "failure": "late"}
                )
            model = {"source": {"record": {"events": events}}}
            if rng.random() < 0.2:
                model, type = {
                    "source": {"timer": {"every": rng.choice([0.003, 0.017]), "count": rng.choice([1, 3])}}
                }, "int"
        elif kind == "generate":
            model = {"source": {"generate": {"initialValue": 1, "while": "value < 9", "next": "value * 2"}}}
            type = "int"
        elif kind == "iif":
            model = {
                "source": {
                    "iif": {"condition": self.expressions.of("bool", names), "then": self.model(type=type, names=names)}
                }
            }
        else:
            source = {
                "just": {"just": {"value": value()}}, "empty": {"empty": {}},
                "fail": {"fail": {"error": rng.choice(ERRORS)}},
                "sequence": {"sequence": {"values": [value() for _ in range(rng.choice([0, 1, 2, 3]))]}},
                "repeat": {"repeatElement": {"value": value(), "count": 2}},
            }
            model = {"source": source[kind]}
        if rng.random() < 0.4 and self.depth < 2:
            model["operators"], type = self.chain(type, 1, names)
        model_types[id(model)] = type
        return model

    def stream(self, names=None, type=None):
        """A field that takes a stream, with the type of its values."""
        if not names and self.streams and self.rng.random() < 0.3:
            return self.rng.choice(list(self.streams)), "dyn"
        model = self.model(type=type, names=names)
        return model, model_types.pop(id(model), "dyn")

    # Operators

    def chain(self, type, length, names):
        operators = []
        self.depth += 1
        for _ in range(length):
            name = self.rng.choices(*self.choices(type))[0]
            before, outer = type, self.operator
            self.operator = name
            fields, type = getattr(self, "op_" + name)(type, names)
            self.add_fields(name, fields, before, names)
            self.operator = outer
            operator = {name: fields}
            if self.rng.random() < 0.12 and not {"operators", "stream"} & set(fields):
                operator["onError"] = "skip"
            if self.rng.random() < 0.05:
                operator["label"] = "some label"
            operators.append(operator)
        self.depth -= 1
        return operators, type

    def choices(self, type):
        names, weights = [], []
        for name, weight, wanted in TABLE:
            if wanted == "slow" and not self.slow or wanted == "nested" and self.depth > 2:
                continue
            if name in ("retry", "repeat") and self.in_group:
                continue
            if wanted == "number" and type not in ("int", "double") or wanted == "bool" and type != "bool":
                continue
            if wanted == "order" and type not in ("int", "double", "string"):
                continue
            names.append(name)
            weights.append(weight)
        return names, weights

    def text(self, want, type, names, **more):
        has_index = self.operator not in ("join", "removeDuplicates", "sequenceEqual")
        self.expressions.has_numbers = self.seed_of_numbers is not None and has_index
        self.expressions.has_clock = self.slow
        text = self.expressions.of(want, {**names, "value": type, **more}, self.rng.choice([1, 2, 2, 3]))
        self.expressions.has_numbers = self.expressions.has_clock = False
        self.timed = self.timed or "now()" in text
        return text

    def condition(self, type, names, **more):
        return {"expression": self.text("bool", type, names, **more)}

    def op_map(self, type, names):
        want = random_type(self.rng) if self.rng.random() < 0.5 else "dyn"
        more = {"index": "int"} if self.rng.random() < 0.3 else {}
        return {"expression": self.text(want, type, names, **more)}, want

    def op_compactMap(self, type, names):
        return {"expression": f"{self.text('bool', type, names)} ? dyn({self.text('dyn', type, names)}) : null"}, "dyn"

    def op_scan(self, type, names):
        want = self.rng.choice(["int", "double", "string", ["dyn"], "dyn"])
        initial = {"dyn": 0}.get(want) if want == "dyn" else random_value(self.rng, want, False)
        return {"initialValue": initial, "expression": self.text(want, type, names, acc=want)}, want

    op_reduce = op_scan

    def op_flatMap(self, type, names):
        stream, type = self.stream({**names, "outer": type, "outerIndex": "int"})
        fields = {"stream": stream}
        if self.rng.random() < 0.4:
            fields["strategy"] = self.rng.choice(WAYS)
        elif self.rng.random() < 0.2:
            fields["maxPublishers"] = 1
        self.demanding = self.demanding or len(fields) > 1
        return fields, type

    def op_switchMap(self, type, names):
        stream, type = self.stream({**names, "outer": type, "outerIndex": "int"})
        return {"stream": stream}, type

    op_exhaustMap = op_switchMap

    def op_mergeScan(self, type, names):
        stream, _ = self.stream({**names, "outer": type, "acc": "dyn"}, "dyn")
        return {"initialValue": 0, "stream": stream}, "dyn"

    def op_combineLatestAll(self, type, names):
        stream, type = self.stream({**names, "outer": type})
        return {"stream": stream}, ["dyn"]

    op_zipAll = op_combineLatestAll

    def op_collect(self, type, names):
        fields = {}
        if self.rng.random() < 0.8:
            fields["count"] = self.rng.choice([1, 2, 3])
            if self.rng.random() < 0.3:
                fields["startEvery"] = self.rng.choice([1, 2, 4])
        return fields, [type]

    def op_groupBy(self, type, names):
        key_type = self.rng.choice(SCALARS + ["double", "int", "dyn", ["dyn"]])
        paths = self.expressions.paths({"value": type}, key_type)
        fields = {
            "key": self.rng.choice(paths) if paths and self.rng.random() < 0.6 else self.text(key_type, type, names)
        }
        if self.rng.random() < 0.2:
            element = self.rng.choice(SCALARS)
            fields["element"], type = self.text(element, type, names), element
        if self.slow and self.rng.random() < 0.3:
            self.timed, fields["idle"] = True, self.rng.choice([0.004, 0.015, 0.05])
        first, key = [], "key"
        if self.rng.random() < 0.25:
            key = fields["as"] = self.rng.choice(["user", "page", "key"])
        if self.rng.random() < 0.35:
            number = key_type in ("int", "double")
            shapes = [key, f"[{key}, value]", f"{{'k': {key}, 'v': value}}"] + (
                [f"{key} / 2", f"[{key} / 2]", f"{{'h': {key} * 2}}"] if number else []
            )
            first, type = [{"map": {"expression": self.rng.choice(shapes)}}], "dyn"
        fields["operators"], type = self.group(
            type, self.rng.choice([1, 1, 2]) - len(first), {**names, key: key_type}
        )
        fields["operators"] = first + fields["operators"]
        return fields, type

    def group(self, type, length, names):
        """The operators of a group or window, which has one subscriber only."""
        self.in_group += 1
        result = self.chain(type, length, names)
        self.in_group -= 1
        return result

    def op_window(self, type, names):
        fields = {}
        if self.slow and self.rng.random() < 0.5:
            self.timed, fields["seconds"] = True, self.rng.choice([0.0045, 0.0155, 0.0505])
            if self.rng.random() < 0.6:
                fields = self.alignment()
        else:
            fields["count"] = self.rng.choice([1, 2, 3])
        fields["operators"], type = self.group(type, 1, {**names, "windowIndex": "int"})
        if "align" in fields and self.rng.random() < 0.5:
            shape = "{'from': string(windowStart), 'to': windowEnd.getSeconds(), 'value': value}"
            fields["operators"].append({"map": {"expression": shape}})
            type = "dyn"
        return fields, type

    def op_replaceNil(self, type, names):
        return {"with": random_value(self.rng, "int")}, "dyn" if type == "dyn" else type

    def none(self, type, names):
        return {}, type

    op_unwrap = op_enumerated = op_materialize = op_toggle = op_ignoreOutput = op_ignoreFailure = none

    def op_enumerated(self, type, names):
        return {}, {"index": "int", "value": type}

    def op_encode(self, type, names):
        return {}, "string"

    def op_withPrevious(self, type, names):
        if self.rng.random() < 0.4:
            return {}, ["dyn"]
        want = self.rng.choice(SCALARS + ["dyn"])
        return {
            "initialValue": random_value(self.rng, type, False),
            "expression": self.text(want, type, names, previous=type),
        }, want

    def op_nwise(self, type, names):
        return {"count": self.rng.choice([1, 2, 3]), **({"partial": True} if self.rng.random() < 0.3 else {})}, [type]

    def op_materialize(self, type, names):
        return {}, "dyn"

    def op_intersperse(self, type, names):
        return {"value": random_value(self.rng, type, False)}, type

    def op_filter(self, type, names):
        return self.condition(type, names), type

    op_dropWhile = op_prefixWhile = op_validate = op_filter

    def op_allSatisfy(self, type, names):
        return self.condition(type, names), "bool"

    def op_findIndex(self, type, names):
        return self.condition(type, names), "int"

    def maybe_condition(self, type, names):
        return (self.condition(type, names) if self.rng.random() < 0.5 else {}), type

    op_first = op_last = op_single = maybe_condition

    def op_removeDuplicates(self, type, names):
        fields = {} if self.rng.random() < 0.6 else {"key": self.text(self.rng.choice(SCALARS + ["dyn"]), type, names)}
        return fields, type

    op_distinct = op_removeDuplicates

    def op_drop(self, type, names):
        return {"count": self.rng.choice([0, 1, 2])}, type

    def op_prefix(self, type, names):
        return {"count": self.rng.choice([0, 1, 2, 4])}, type

    op_dropLast = op_drop

    def op_output(self, type, names):
        return (
            {"at": self.rng.choice([0, 1, 3])}
            if self.rng.random() < 0.5
            else {"from": 1, "through": self.rng.choice([1, 2])}
        ), type

    def op_count(self, type, names):
        return self.maybe_condition(type, names)[0], "int"

    def op_min(self, type, names):
        return {}, type

    op_max = op_sum = op_min

    def op_average(self, type, names):
        return {}, "double"

    def op_contains(self, type, names):
        fields = (
            {"value": random_value(self.rng, type, False)} if self.rng.random() < 0.5 else self.condition(type, names)
        )
        return fields, "bool"

    def op_isEmpty(self, type, names):
        return {}, "bool"

    def op_sequenceEqual(self, type, names):
        return {"with": [self.stream(type=type)[0]]}, "bool"

    def op_collectMap(self, type, names):
        fields = {"key": self.text(self.rng.choice(["int", "string", "bool"]), type, names)}
        return {**fields, **({"multiple": True} if self.rng.random() < 0.4 else {})}, "dyn"

    def op_sort(self, type, names):
        fields = {"limit": 5000, **({"descending": True} if self.rng.random() < 0.3 else {})}
        if type not in ("int", "double", "string"):
            fields["by"] = self.text(self.rng.choice(["int", "string"]), type, names)
        return fields, type

    def joined(self, type, names):
        """Other streams, and the form of the result."""
        streams = [self.stream() for _ in range(self.rng.choice([1, 1, 2]))]
        fields, form = {"with": [stream for stream, _ in streams]}, self.rng.random()
        labels = [f"p{at}" for at in range(len(streams) + 1)]
        if form < 0.4:
            return fields, ["dyn"]
        types = dict(zip(labels, [type] + [type for _, type in streams]))
        fields["names"] = labels
        if form < 0.7:
            return fields, types
        want = self.rng.choice(SCALARS + ["dyn"])
        fields["expression"] = self.expressions.of(want, {**names, **types}, 2)
        return fields, want

    op_zip = op_combineLatest = op_withLatestFrom = op_forkJoin = joined

    def op_merge(self, type, names):
        streams = [
            self.stream(type=self.rng.choice([type, "int", "double", "dyn"])) for _ in range(self.rng.choice([1, 1, 2]))
        ]
        same = all(other == type for _, other in streams)
        return {"with": [stream for stream, _ in streams]}, type if same else "dyn"

    op_append = op_prepend = op_merge

    def op_mergeOrdered(self, type, names):
        return {
            "with": [{"source": {"sequence": {"values": sorted(random_value(self.rng, "int") for _ in range(3))}}}]
        }, "dyn"

    def op_replaceError(self, type, names):
        if self.rng.random() < 0.5:
            return {"with": random_value(self.rng, "double", False)}, "dyn"
        return {"expression": "{'e': error}"}, "dyn"

    def op_replaceEmpty(self, type, names):
        other = self.rng.choice([type, "int", "double"])
        return {"with": random_value(self.rng, other, False)}, type if other == type else "dyn"

    def op_mapError(self, type, names):
        return {"expression": "{'was': error}"}, type

    def op_catch(self, type, names):
        return {"stream": self.stream()[0]}, "dyn"

    op_switchIfEmpty = op_catch

    def op_failIfEmpty(self, type, names):
        return {"error": self.rng.choice(ERRORS)}, type

    def op_retry(self, type, names):
        return {"count": self.rng.choice([0, 1, 2])}, type

    def op_repeat(self, type, names):
        return {"count": self.rng.choice([0, 1, 2])}, type

    def op_toResult(self, type, names):
        return {}, "dyn"

    op_toLoadingState = op_toResult

    # Operators that wait

    def waiting(self, type, names):
        self.timed = True
        return {"seconds": self.rng.choice([0.0015, 0.0035, 0.0125, 0.0505])}, type

    op_debounce = op_throttle = op_audit = op_timeout = op_delaySubscription = op_dropFor = op_prefixFor = waiting

    def op_delay(self, type, names):
        self.timed = True
        return {"seconds": self.rng.choice([0, 0.0015, 0.0125, 0.0505])}, type

    def op_debounce(self, type, names):
        fields, type = self.waiting(type, names)
        return {**fields, **({"onFinish": "flush"} if self.rng.random() < 0.5 else {})}, type

    def op_throttle(self, type, names):
        fields, type = self.waiting(type, names)
        if self.rng.random() < 0.3:
            fields["latest"] = False
        elif self.rng.random() < 0.4:
            fields["edges"] = self.rng.choice(["leading", "trailing"])
        return fields, type

    def op_timeout(self, type, names):
        fields, type = self.waiting(type, names)
        fields["seconds"] += self.rng.choice([0.0000003, 0.0000007])  # of what is due at one instant, it may come last
        return {**fields, **({"error": "too late"} if self.rng.random() < 0.5 else {})}, type

    def op_measureInterval(self, type, names):
        self.timed = True
        return ({"withValue": True}, "dyn") if self.rng.random() < 0.5 else ({}, "double")

    def op_timestamp(self, type, names):
        self.timed = self.calendar = True
        return {}, "dyn"

    def op_collectTime(self, type, names):
        fields, _ = self.waiting(type, names)
        if self.rng.random() < 0.3:
            fields["count"] = 2
        elif self.rng.random() < 0.5:
            fields = self.alignment()
            if self.rng.random() < 0.5:
                fields["expression"] = "{'from': string(windowStart), 'to': windowEnd.getSeconds(), 'values': value}"
                return fields, "dyn"
        return fields, [type]

    def op_sample(self, type, names):
        fields, _ = self.waiting(type, names)
        if self.rng.random() < 0.4:
            fields = {"stream": self.stream()[0]}
        return fields, type

    def op_rateLimit(self, type, names):
        self.timed = True
        return {
            "count": self.rng.choice([1, 2]),
            "seconds": 0.0105,
            "whenFull": self.rng.choice(["wait", "drop"]),
        }, type

    def op_delayWhen(self, type, names):
        return {"stream": self.stream({**names, "outer": type})[0]}, type

    def op_dropUntil(self, type, names):
        return {"stream": self.stream()[0]}, type

    op_prefixUntil = op_dropUntil

    def op_collectUntil(self, type, names):
        return ({"stream": self.stream()[0]} if self.rng.random() < 0.4 else self.condition(type, names)), [type]


model_types = {}

# Operators, their weights, and when they are possible.
TABLE = [
    (name, weight, wanted)
    for wanted, line in {
        "": "map:30 compactMap:4 scan:6 reduce:3 collect:6 replaceNil:1 unwrap:1 enumerated:2 materialize:1 "
        "ignoreOutput:0.3 ignoreFailure:1 encode:1 withPrevious:4 nwise:2 intersperse:1 filter:6 dropWhile:1 prefixWhile:1 validate:2 "
        "allSatisfy:1 findIndex:1 first:1 last:1 single:1 removeDuplicates:4 distinct:3 drop:1 prefix:2 dropLast:1 "
        "output:1 count:2 contains:1 isEmpty:0.5 collectMap:2 replaceError:2 replaceEmpty:2 mapError:1 "
        "failIfEmpty:0.5 retry:1 repeat:1 toResult:1 toLoadingState:1 sort:2",
        "nested": "flatMap:6 switchMap:2 exhaustMap:1 mergeScan:1 combineLatestAll:0.5 zipAll:0.5 groupBy:8 window:4 "
        "zip:3 combineLatest:3 withLatestFrom:2 forkJoin:1 merge:3 append:3 prepend:2 sequenceEqual:1 catch:2 "
        "switchIfEmpty:1 mergeOrdered:0.5 collectUntil:1 dropUntil:1 prefixUntil:1 delayWhen:1",
        "order": "min:1 max:1",
        "number": "sum:2 average:1",
        "bool": "toggle:2",
        "slow": "delay:3 debounce:3 throttle:3 audit:2 timeout:2 delaySubscription:1 dropFor:1 prefixFor:1 "
        "measureInterval:1 timestamp:1 collectTime:3 sample:2 rateLimit:1",
    }.items()
    for name, weight in [(entry.split(":")[0], float(entry.split(":")[1])) for entry in line.split()]
]
TABLE += [
    (name, float(weight), "nested" if name in NESTED else "")
    for name, weight in (entry.split(":") for entry in MORE.split())
]
