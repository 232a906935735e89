"""Rarer operators, and the fields of operators beyond the most usual ones, for random stream files."""

from generate_expressions import random_value

MORE = ("share:1 race:1 buffer:1 join:1 expand:1 decode:1 dematerialize:0.5 values:0.5 failures:0.5 retryWhen:0.7 "
        "repeatWhen:0.5 print:0.3 handleEvents:0.2")
NESTED = ("race", "join", "expand", "retryWhen", "repeatWhen")


class MoreOperators:
    """Methods of a case: `op_NAME(type, names)` gives an operator's fields and the type of its values."""

    def op_share(self, type, names):
        rng, fields = self.rng, {}
        for name in ("resetOnFinish", "resetOnFailure", "resetWhenUnused", "staysConnected"):
            if rng.random() < 0.2:
                fields[name] = True
        if rng.random() < 0.4:
            fields["replay"] = rng.choice([0, 1, 2])
        if rng.random() < 0.2:
            fields["initialValue"], type = random_value(rng, type, False), "dyn"
        return fields, type

    def op_race(self, type, names):
        return {"with": [self.stream()[0] for _ in range(self.rng.choice([1, 2]))]}, "dyn"

    def op_buffer(self, type, names):
        fields = {"capacity": self.rng.choice([1, 2, 600])}
        if self.rng.random() < 0.5:
            fields["whenFull"] = self.rng.choice(["dropOldest", "dropNewest", "fail"])
        if self.rng.random() < 0.5:
            fields["prefetch"] = "keepFull"
        return fields, type

    def op_join(self, type, names):
        rng = self.rng
        other, kind = self.stream()
        fields = {"with": [other]}
        if self.slow and rng.random() < 0.4:
            # Of what is due at one instant, the end of a window may come last.
            fields["seconds"] = self.wait() + rng.choice([0.0000003, 0.0000007])
        else:
            fields["left"] = self.stream({**names, "outer": type, "outerIndex": "int"})[0]
            fields["right"] = self.stream({**names, "outer": kind, "outerIndex": "int"})[0]
        if rng.random() < 0.6:
            key = rng.choice(["int", "string", "dyn", ["dyn"], "bool"])
            if rng.random() < 0.5 and type == kind:
                fields["on"] = self.text(key, type, names)
            else:
                fields["leftKey"], fields["rightKey"] = self.text(key, type, names), self.text(key, kind, names)
        variant = rng.choice(["inner", "inner", "left", "right", "full"])
        if variant != "inner" or rng.random() < 0.2:
            fields["type"] = variant
        left, right = "dyn" if variant in ("right", "full") else type, "dyn" if variant in ("left", "full") else kind
        if rng.random() < 0.4:
            fields["expression"] = "{'l': left, 'r': right}"
            return fields, {"l": left, "r": right}
        return fields, ["dyn"]

    def op_expand(self, type, names):
        condition = self.expressions.of("bool", {**names, "outer": type, "outerIndex": "int"})
        then = {"source": {"sequence": {"values": [random_value(self.rng, type, False) for _ in range(2)]}},
                "operators": [{"filter": {"expression": "outerIndex < 3"}}]}
        fields = {"stream": {"source": {"iif": {"condition": condition, "then": then}}}, "limit": 30}
        if self.rng.random() < 0.4:
            fields["maxPublishers"] = self.rng.choice([1, 2])
        return fields, "dyn"

    def op_decode(self, type, names):
        return {}, "dyn"

    op_dematerialize = op_values = op_failures = op_decode

    def op_print(self, type, names):
        return {}, type

    op_handleEvents = op_print

    def op_retryWhen(self, type, names):
        operators = [{"prefix": {"count": self.rng.choice([0, 1, 2])}}]
        if self.slow and self.rng.random() < 0.5:
            self.timed = True
            operators.append({"delay": {"seconds": 0.0125}})
        return {"operators": operators}, type

    op_repeatWhen = op_retryWhen

    # Fields

    def add_fields(self, name, fields, type, names):
        """More fields of an operator, which do not change the type of its values."""
        method = getattr(self, "more_" + name, None)
        if method and self.rng.random() < 0.35:
            method(fields, type, names)

    def wait(self, *choices):
        self.timed = True
        return self.rng.choice(choices or [0.0015, 0.0035, 0.0125, 0.0505])

    def more_delay(self, fields, type, names):
        fields[self.rng.choice(["failures", "finish"])] = self.rng.choice(["immediate", "delayed"])

    def use_stream(self, fields, type, names):
        if "seconds" in fields:
            del fields["seconds"]
            fields["stream"] = self.stream({**names, "outer": type, "outerIndex": "int"})[0]

    more_debounce = more_throttle = more_audit = use_stream

    def more_delaySubscription(self, fields, type, names):
        self.use_stream(fields, "dyn", {})
        fields["stream"] = self.stream()[0]

    def more_timeout(self, fields, type, names):
        fields["first"] = self.wait() + self.rng.choice([0.0000003, 0.0000007])  # see op_timeout
        if self.rng.random() < 0.5:
            fields.pop("error", None)
            fields["onTimeout"] = "publish"
            if self.rng.random() < 0.5:
                fields["value"] = random_value(self.rng, type, False)
            else:
                # The value is null before the first one.
                fields["expression"] = self.rng.choice(["value", "[value]"]) if type == "dyn" else "value"
            return
        if self.rng.random() < 0.5:
            fields.pop("error", None)
            fields["with"] = self.stream(type=type)[0]

    def more_collectTime(self, fields, type, names):
        if "align" in fields:
            return
        if self.rng.random() < 0.5:
            fields["emitEmpty"] = True
        if self.rng.random() < 0.5:
            fields["startEvery"] = self.wait()

    def more_collectUntil(self, fields, type, names):
        fields.clear()
        if self.rng.random() < 0.4:
            fields.update(stream=self.stream()[0], each=True)
        else:
            opening, kind = self.stream()
            closing = self.stream({**names, "outer": kind, "outerIndex": "int"})[0]
            fields.update(opening=opening, closing=closing)

    def more_groupBy(self, fields, type, names):
        form = self.rng.random()
        if form < 0.4:
            fields["until"] = self.stream()[0]
        else:
            fields["limit"] = self.rng.choice([1, 2])
            if form < 0.8:
                fields["whenFull"] = "evictOldest"

    def more_window(self, fields, type, names):
        if "align" in fields:
            return
        operators = fields["operators"]
        form = self.rng.random()
        if form < 0.2 and "count" in fields:
            fields["startEvery"] = self.rng.choice([1, 2, 4])
        elif form < 0.3 and "seconds" in fields:
            fields["count"] = self.rng.choice([1, 2])
        elif form < 0.4 and "seconds" in fields:
            fields["startEverySeconds"] = self.wait(0.0045, 0.0155, 0.0505)
        else:
            fields.clear()
            if form < 0.6:
                fields.update(self.condition(type, names))
            elif form < 0.8:
                fields["stream"] = self.stream()[0]
                if self.rng.random() < 0.5:
                    fields["each"] = True
            else:
                opening, kind = self.stream()
                fields.update(opening=opening, closing=self.stream({**names, "outer": kind})[0])
            fields["operators"] = operators

    def more_distinct(self, fields, type, names):
        if self.slow and self.rng.random() < 0.5:
            fields["seconds"] = self.wait() + 0.0000003
        if self.rng.random() < 0.5:
            fields["limit"] = self.rng.choice([1, 2])
            if self.rng.random() < 0.6:
                fields["whenFull"] = "forgetOldest"
        else:
            fields["reset"] = self.stream()[0]

    def more_dropUntil(self, fields, type, names):
        fields["onSilentFinish"] = "wait"

    def more_prefixUntil(self, fields, type, names):
        fields["failures"] = "pass"

    def more_prefixWhile(self, fields, type, names):
        fields["inclusive"] = True

    def more_append(self, fields, type, names):
        fields["failures"] = "continue"

    def more_merge(self, fields, type, names):
        fields["maxPublishers"] = self.rng.choice([1, 2])

    def more_combineLatest(self, fields, type, names):
        fields["atomic"] = self.timed = True

    def more_last(self, fields, type, names):
        fields["count"] = self.rng.choice([0, 1, 2])

    def more_intersperse(self, fields, type, names):
        fields["every"] = self.rng.choice([1, 2])

    def more_retry(self, fields, type, names):
        form = self.rng.random()
        if self.slow and form < 0.5:
            fields.update(seconds=self.wait(), factor=2, maximum=0.02)
        elif form < 0.6:
            fields["stream"] = self.stream()[0]
        if self.rng.random() < 0.3:
            fields["expression"] = "attempt < 2"
        if self.rng.random() < 0.2 and fields.get("count", 9) < 2:
            fields["resetOnValue"] = False

    def more_repeat(self, fields, type, names):
        if self.slow and self.rng.random() < 0.6:
            fields["seconds"] = self.wait()
        else:
            fields["stream"] = self.stream()[0]

    def more_flatMap(self, fields, type, names):
        if fields.get("strategy") in (None, "merge", "concat"):
            fields["limit"] = self.rng.choice([1, 2])
            self.demanding = True
            if self.rng.random() < 0.4 and "strategy" not in fields:
                fields["maxPublishers"] = self.rng.choice([1, 2])

    def more_mergeScan(self, fields, type, names):
        if self.rng.random() < 0.5:
            fields["strategy"] = "latest"
        else:
            fields["maxPublishers"], self.demanding = 1, True

    def more_rateLimit(self, fields, type, names):
        if fields.get("whenFull") == "wait":
            fields["limit"], self.demanding = self.rng.choice([1, 2, 50]), True
        else:
            fields["whenFull"] = "fail"

    def more_mergeOrdered(self, fields, type, names):
        fields["limit"], self.demanding = self.rng.choice([1, 2]), True

    def more_min(self, fields, type, names):
        if self.rng.random() < 0.5:
            fields["by"] = self.text("int", type, names)
        elif type in ("int", "double"):
            fields["compare"] = "first - second"

    more_max = more_min

    def more_sequenceEqual(self, fields, type, names):
        fields["expression"] = "dyn(first) == dyn(second)"

    def more_replaceNil(self, fields, type, names):
        fields.clear()
        fields["expression"] = "index"

    def more_replaceEmpty(self, fields, type, names):
        fields.clear()
        fields["expression"] = "1 + 1"
