"""Random pipelines and recordings for event time: `EventCase(seed)`. A seed gives the same case on every machine.

A record has its time `t`, a key `k`, a number `v` and its number `n`. Each input has a clock of its own. The records
arrive out of order, but within the lateness of their input, so that none is late.
"""

import copy
import datetime
import json
import random

SECOND = 10**9
UNITS = {"s": SECOND, "ms": 10**6, "us": 10**3, "ns": 1}
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
ZONES = ["Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "America/Havana"]


def lines_of(records):
    return "".join(json.dumps(record) + "\n" for record in records)


def text_of_time(nanoseconds):
    """RFC 3339, with as many digits as it takes."""
    date = EPOCH + datetime.timedelta(seconds=nanoseconds // SECOND)
    rest = f"{nanoseconds % SECOND:09}".rstrip("0")
    return date.strftime("%Y-%m-%dT%H:%M:%S") + (f".{rest}" if rest else "") + "Z"


class Clock:
    """How the times of an input are written, and by how much its records may be out of order."""

    def __init__(self, rng):
        self.form = rng.choice(["s", "ms", "ms", "us", "ns", "text"])
        # A whole number of ticks is a whole number of units.
        self.tick = rng.choice([SECOND, 10 * SECOND, 60 * SECOND] + ([SECOND // 20] if self.form != "s" else []))
        self.lateness = self.tick * rng.choice([1, 2, 5, 20])

    def declaration(self, lateness=True):
        time = {"expression": "timestamp(value.t)" if self.form == "text" else "value.t"}
        if self.form not in ("ms", "text"):
            time["unit"] = self.form
        if lateness:
            time["lateness"] = self.seconds(self.lateness)
        return time

    def options(self):
        words = ["--event-time", "timestamp(value.t)" if self.form == "text" else "value.t"]
        if self.form != "text":
            words += ["--unit", self.form]
        return words + ["--lateness", str(self.seconds(self.lateness))]

    def written(self, nanoseconds):
        return text_of_time(nanoseconds) if self.form == "text" else nanoseconds // UNITS[self.form]

    @staticmethod
    def seconds(nanoseconds):
        return nanoseconds // SECOND if nanoseconds % SECOND == 0 else nanoseconds / SECOND


class EventCase:
    def __init__(self, seed):
        self.seed, self.rng = seed, random.Random(seed)
        rng = self.rng
        self.clocks = {"a": Clock(rng)}
        if rng.random() < 0.4:
            other = Clock(rng)
            if other.form == "s" and self.clocks["a"].tick < SECOND:
                other.form = "ms"
            other.tick, other.lateness = self.clocks["a"].tick, self.clocks["a"].tick * rng.choice([1, 3, 8])
            self.clocks["b"] = other
        self.tick, self.depth = self.clocks["a"].tick, 0
        # Some begin at a whole day, some in the middle of a change of the clock.
        self.base = rng.choice([1_600_000_000, 1_603_580_400, 1_583_625_600, 86_400 * 18_000, 1_000_000]) * SECOND
        count = rng.choice([0, 1, 3, 10, 30, 60, 200])
        self.sorted, self.shuffled = {}, {}
        for name, clock in self.clocks.items():
            self.shuffled[name] = self.arrivals(clock, count)
            self.sorted[name] = [record for _, record in sorted(self.shuffled[name], key=lambda pair: pair[0])]
            self.shuffled[name] = [record for _, record in self.shuffled[name]]
        self.partition = None
        if "b" not in self.clocks and rng.random() < 0.2:
            self.partition = {"key": rng.choice(["value.k", "value.v % 3", "[value.k, value.v > 5]"])}
        self.operators = self.chain("record", rng.choice([1, 2, 2, 3, 4]))
        if "b" in self.clocks:
            self.operators.insert(rng.choice([0, 0, len(self.operators)]), self.combination())

    def arrivals(self, clock, count):
        """[(time in nanoseconds, record)] as they arrive."""
        rng, time, records = self.rng, self.base, []
        for number in range(count):
            time += clock.tick * rng.choice([0, 1, 1, 1, 2, 3, 7] if rng.random() < 0.95 else [40, 200])
            record = {"t": clock.written(time), "k": rng.randrange(3), "v": rng.randrange(10), "n": number}
            records.append((time, record))
        calm = rng.random() < 0.2
        delay = {id(record): 0 if calm else rng.randint(0, clock.lateness) for _, record in records}
        rng.shuffle(records)  # records of one time arrive in any order
        records.sort(key=lambda pair: pair[0] + delay[id(pair[1])])
        return records

    def model(self, lateness=True, clocks=True, **members):
        """The stream file."""
        inputs = {name: {"time": clock.declaration(lateness)} if clocks else {} for name, clock in self.clocks.items()}
        model = {"inputs": inputs, "source": {"input": {"name": "a"}}}
        if self.partition:
            model["partition"] = self.partition
        return {**model, "operators": copy.deepcopy(self.operators), **members}

    @property
    def options(self):
        """The options that say the same as the file; None if no options can: for two clocks, or for a partition, whose
        file must say itself that it has times."""
        return self.clocks["a"].options() if len(self.clocks) == 1 and not self.partition else None

    # Operators: each method gives the operator and the type of its values, `record`, `number` or `any`.

    def time(self, *factors):
        return Clock.seconds(self.tick * self.rng.choice(factors)) if self.rng.random() < 0.8 else round(
            self.tick / SECOND * self.rng.choice([0.5, 2.25, 4.1]), 6)

    def chain(self, type, length):
        operators = []
        self.depth += 1
        for _ in range(length):
            names = ANY + (RECORD * 2 if type == "record" else []) + (NESTED if self.depth < 3 else [])
            operator, type = getattr(self, self.rng.choice(names))(type)
            operators.append(operator)
        self.depth -= 1
        return operators

    def filter(self, type):
        return {"filter": {"expression": "value.v % 3 != 0"}}, type

    def map(self, type):
        return {"map": {"expression": "value.v * 2 + index"}}, "number"

    def scan(self, type):
        return {"scan": {"initialValue": 0, "expression": "acc + value.v"}}, "number"

    def distinct(self, type):
        return {"distinct": {"key": "[value.k, value.v]"}}, type

    def removeDuplicates(self, type):
        return {"removeDuplicates": {"key": "value.k"}}, type

    def now(self, type):
        return {"map": {"expression": "{'now': now(), 'value': value}"}}, "any"

    def debounce(self, type):
        fields = {"seconds": self.time(1, 2, 3), **({"onFinish": "flush"} if self.rng.random() < 0.5 else {})}
        return {"debounce": fields}, type

    def throttle(self, type):
        fields = {"seconds": self.time(1, 3, 5)}
        if self.rng.random() < 0.5:
            fields.update(self.rng.choice([{"latest": False}, {"edges": "leading"}, {"edges": "trailing"}]))
        return {"throttle": fields}, type

    def audit(self, type):
        return {"audit": {"seconds": self.time(1, 2, 4)}}, type

    def delay(self, type):
        return {"delay": {"seconds": self.time(1, 2, 9)}}, type

    def timeout(self, type):
        return {"timeout": {"seconds": self.time(50, 300, 5), "error": "too late"}}, type

    def sample(self, type):
        return {"sample": {"seconds": self.time(2, 5)}}, type

    def rateLimit(self, type):
        fields = {"count": self.rng.choice([1, 2]), "seconds": self.time(3, 7)}
        return {"rateLimit": {**fields, "whenFull": self.rng.choice(["wait", "drop"])}}, type

    def dropFor(self, type):
        return {self.rng.choice(["dropFor", "prefixFor"]): {"seconds": self.time(5, 30)}}, type

    def measureInterval(self, type):
        return {"measureInterval": {"withValue": True}}, "any"

    def timestamp(self, type):
        return {"timestamp": {}}, "any"

    def collect(self, type):
        return {"collect": {"count": self.rng.choice([1, 2, 5])}}, "any"

    def collectTime(self, type):
        fields = {"seconds": self.time(2, 5, 10)}
        if self.rng.random() < 0.6:
            fields.update(self.alignment())
            if self.rng.random() < 0.4:
                fields["expression"] = "{'from': windowStart, 'to': windowEnd, 'values': value}"
        elif self.rng.random() < 0.5:
            fields.update(self.rng.choice([{"count": 3}, {"startEvery": self.time(1, 3, 12)}]))
        if self.rng.random() < 0.2 and self.base > 1_500_000_000 * SECOND:
            fields["emitEmpty"] = True
        return {"collectTime": fields}, "any"

    def alignment(self):
        rng, fields = self.rng, {"align": "clock"}
        if rng.random() < 0.3:
            fields["hop"] = self.time(1, 2, 4, 12)
        elif rng.random() < 0.3:
            fields.update({"seconds": rng.choice([3600, 21_600, 86_400]), "zone": rng.choice(ZONES)})
        if rng.random() < 0.3:
            fields["offset"] = self.time(1, 3)
        return fields

    def window(self, type):
        fields = {"operators": self.chain(type, 1)}
        choice = self.rng.random()
        if choice < 0.5:
            fields.update({"seconds": self.time(3, 6, 10), **self.alignment()})
            if self.rng.random() < 0.2:
                fields["emitEmpty"] = True
            if self.rng.random() < 0.5:
                fields["operators"].append({"map": {"expression": "[windowStart, windowEnd, value]"}})
        elif choice < 0.8:
            fields["seconds"] = self.time(3, 6, 10)
        else:
            fields["count"] = self.rng.choice([2, 3])
        return {"window": fields}, "any"

    def groupBy(self, type):
        fields = {"key": "value.k" if type == "record" else "string(value)", "operators": self.chain(type, 1)}
        if self.rng.random() < 0.4:
            fields["idle"] = self.time(4, 10)
        return {"groupBy": fields}, "any"

    def flatMap(self, type):
        inner = {"stream": [{"expression": "outer"}], "operators": [{"delay": {"seconds": self.time(1, 4)}}]}
        fields = {"stream": inner}
        if self.rng.random() < 0.5:
            fields["strategy"] = self.rng.choice(["concat", "latest", "exhaust"])
        elif self.rng.random() < 0.4:
            fields["maxPublishers"] = 2
        return {"flatMap": fields}, type

    def switchMap(self, type):
        inner = {"source": {"timer": {"every": self.time(1, 2), "count": 3}}}
        return {"switchMap": {"stream": inner}}, "number"

    def prefix(self, type):
        return {self.rng.choice(["prefix", "drop", "dropLast"]): {"count": self.rng.choice([1, 5])}}, type

    def nwise(self, type):
        return {"nwise": {"count": 2}}, "any"

    def withPrevious(self, type):
        return {"withPrevious": {}}, "any"

    def count(self, type):
        return {"count": {}}, "number"

    def collectUntil(self, type):
        return {"collectUntil": {"stream": {"source": {"timer": {"every": self.time(4, 9)}}}}}, "any"

    def combination(self):
        """An operator that reads both inputs."""
        fields = self.rng.choice([
            {"merge": {"with": ["b"]}}, {"combineLatest": {"with": ["b"]}}, {"zip": {"with": ["b"]}},
            {"withLatestFrom": {"with": ["b"]}}, {"forkJoin": {"with": ["b"]}}, {"race": {"with": ["b"]}},
            {"prefixUntil": {"stream": "b"}}, {"sample": {"stream": "b"}}, {"append": {"with": ["b"]}}, "join"])
        if fields == "join":
            wait = {"source": {"just": {"value": 0}}, "operators": [{"delay": {"seconds": self.time(2, 5)}}]}
            fields = {"join": {"with": ["b"], "left": wait, "right": wait, "expression": "[left.n, right.n]"}}
        return fields


RECORD = ["filter", "map", "scan", "distinct", "removeDuplicates"]
ANY = ["now", "debounce", "throttle", "audit", "delay", "timeout", "sample", "rateLimit", "dropFor", "measureInterval",
       "timestamp", "collect", "collectTime", "collectTime", "prefix", "nwise", "withPrevious", "count", "collectUntil"]
NESTED = ["window", "window", "window", "groupBy", "groupBy", "flatMap", "switchMap"]
