"""Operators that replace values by others, one at a time, and `collect`."""

import re

from convert import convert
from sources import file_failure
from stage import Queued, Stage
from table import operator
from values import Failure, Map, Timestamp, check_nesting, kind, read_json, write_json


class Step(Stage):
    """An operator that decides about each value by itself, with its index."""

    def set_up(self):
        self.index = 0

    def on_value(self, value, up):
        index, self.index = self.index, self.index + 1
        self.step(value, index)

    def evaluate(self, field, **variables):
        return self.scope.evaluate(self.fields[field], **variables)

    def test(self, field, **variables):
        return self.scope.test(self.fields[field], **variables)

    def skip(self):
        """The value is not published; one more is requested for it."""
        self.ask(1, self.up)


@operator("map")
class MapValues(Step):
    def step(self, value, index):
        self.send(self.evaluate("expression", value=value, index=index))


@operator("compactMap")
class CompactMap(Step):
    def step(self, value, index):
        result = self.evaluate("expression", value=value, index=index)
        self.skip() if result is None else self.send(result)


@operator("scan")
class Scan(Step):
    def set_up(self):
        super().set_up()
        self.begun = "initialValue" in self.fields
        self.acc = self.fields.get("initialValue")

    def step(self, value, index):
        if self.begun:
            value = self.evaluate("expression", acc=self.acc, value=value, index=index)
            check_nesting(value, index)
        self.acc, self.begun = value, True
        self.send(value)


@operator("replaceNil")
class ReplaceNil(Step):
    def step(self, value, index):
        if value is None:
            value = self.fields["with"] if "with" in self.fields else self.evaluate(
                "expression", value=None, index=index)
        self.send(value)


@operator("unwrap")
class Unwrap(Step):
    def step(self, value, index):
        if value is None:
            raise own_failure(self.fields, "a value is null")
        self.send(value)


def own_failure(fields, message):
    """The failure that the fields `error` and `message` describe."""
    if "error" in fields:
        return file_failure(fields["error"])
    return Failure("S407", fields.get("message", message))


@operator("validate")
class Validate(Step):
    def step(self, value, index):
        if not self.test("expression", value=value, index=index):
            raise own_failure(self.fields, f"a value is invalid: {self.fields['expression']}")
        self.send(value)


@operator("encode")
class Encode(Step):
    def step(self, value, index):
        self.send(write_json(value))


@operator("decode")
class Decode(Step):
    def step(self, value, index):
        if kind(value) != "string":
            raise Failure("S410", f"a value is of the type {kind(value)}, not a string")
        try:
            value = read_json(value)
            if self.fields.get("names") == "fromSnakeCase":
                value = camel_case(value)
            if "type" in self.fields:
                value = convert(value, self.fields["type"])
        except Failure as failure:
            raise Failure("S410", failure.message) from failure
        self.send(value)


def camel_case(value):
    if isinstance(value, list):
        return [camel_case(element) for element in value]
    if not isinstance(value, Map):
        return value
    result = Map()
    for key, entry in value.items():
        leading, name, trailing = re.fullmatch(r"(_*)(.*?)(_*)", key, re.DOTALL).groups()
        first, *rest = re.split("_+", name)
        name = leading + first + "".join(word[:1].upper() + word[1:] for word in rest) + trailing
        if name in result:
            raise Failure("S003", f"two names become '{name}'")
        result.set(name, camel_case(entry))
    return result


@operator("withPrevious")
class WithPrevious(Step):
    def set_up(self):
        super().set_up()
        self.previous = self.fields.get("initialValue")

    def step(self, value, index):
        # A value that makes the expression fail, and is skipped, is the next `previous`, too.
        previous, self.previous = self.previous, value
        result = [previous, value]
        if "expression" in self.fields:
            result = self.evaluate("expression", previous=previous, value=value, index=index)
        self.send(result)


@operator("nwise")
class Nwise(Step):
    def set_up(self):
        super().set_up()
        self.newest = []

    def step(self, value, index):
        self.newest = (self.newest + [value])[-self.fields["count"]:]
        whole = len(self.newest) == self.fields["count"]
        self.send(list(self.newest)) if whole or self.fields.get("partial") else self.skip()


@operator("enumerated")
class Enumerated(Step):
    def step(self, value, index):
        self.send(Map([("index", index), ("value", value)]))


@operator("toggle")
class Toggle(Step):
    def step(self, value, index):
        if kind(value) != "bool":
            raise Failure("S408", f"a value is of the type {kind(value)}, not a Boolean")
        self.send(not value)


@operator("print", "handleEvents")
class Forward(Step):
    def step(self, value, index):
        self.send(value)


@operator("timestamp")
class TimestampValues(Step):
    def step(self, value, index):
        now = self.run.options.start + self.scheduler.now
        self.send(Map([("value", value), ("timestamp", Timestamp(now))]))


@operator("measureInterval")
class MeasureInterval(Step):
    def start(self):
        self.last = self.scheduler.now
        super().start()

    def step(self, value, index):
        interval = (self.scheduler.now - self.last) / 10**9
        self.last = self.scheduler.now
        self.send(Map([("value", value), ("interval", interval)]) if self.fields.get("withValue") else interval)


def described(failure):
    """A failure as a value: what the file gave, else an object."""
    if failure.error is not None or getattr(failure, "from_file", False):
        return failure.error
    return Map([("code", failure.code), ("message", failure.message)])


class Describing(Queued):
    """Values become descriptions, and an end a last value."""

    def on_request(self, count):
        self.ask(count, self.up) if not self.closing else None
        super().on_request(count)

    def on_value(self, value, up):
        self.put(self.describe(value))

    def on_end(self, failure, up):
        last = self.describe_end(failure)
        self.closing = (None,)
        self.put(*([last] if last is not None else []))


@operator("materialize")
class Materialize(Describing):
    def describe(self, value):
        return Map([("value", value)])

    def describe_end(self, failure):
        return Map([("finished", True)]) if failure is None else Map([("failure", described(failure))])


@operator("toResult")
class ToResult(Describing):
    def describe(self, value):
        return Map([("success", value)])

    def describe_end(self, failure):
        return failure and Map([("failure", described(failure))])


@operator("toLoadingState")
class ToLoadingState(Describing):
    def describe(self, value):
        return Map([("loaded", value)])

    def describe_end(self, failure):
        return failure and Map([("failed", described(failure))])


def event_kind(value):
    """Which of the three descriptions of an event the value is."""
    if isinstance(value, Map) and len(value) == 1:
        (name, content), = value.items()
        if name in ("value", "failure") or name == "finished" and content is True:
            return name
    raise Failure("S408", "a value does not describe an event")


@operator("dematerialize")
class Dematerialize(Step):
    def step(self, value, index):
        name = event_kind(value)
        if name == "value":
            self.send(value["value"])
        else:
            self.end(None if name == "finished" else file_failure(value["failure"]))


@operator("values")
class Values(Step):
    def step(self, value, index):
        self.send(value["value"]) if event_kind(value) == "value" else self.skip()


@operator("failures")
class Failures(Step):
    def step(self, value, index):
        self.send(value["failure"]) if event_kind(value) == "failure" else self.skip()


@operator("intersperse")
class Intersperse(Queued):
    """A separator uses demand as a value does."""

    def set_up(self):
        self.count, self.asked = 0, 0

    def on_request(self, count):
        self.demand += count
        self.drain()
        self.replenish()

    def replenish(self):
        if not self.queue and self.demand > self.asked and not self.closing:
            self.ask(self.demand - self.asked, self.up)
            self.asked = self.demand

    def on_value(self, value, up):
        self.asked -= 1
        separates = self.count and self.count % self.fields.get("every", 1) == 0
        self.count += 1
        self.put(*([self.fields["value"]] if separates else []), value)
        self.asked = min(self.asked, self.demand) if self.demand < self.asked else self.asked

    def on_end(self, failure, up):
        self.close(failure)


@operator("collect")
class Collect(Queued):
    """Arrays of `count`, which begin at every `startEvery`-th value; without `count` one array of all values."""

    def set_up(self):
        self.size = self.fields.get("count")
        self.every = self.fields.get("startEvery", self.size)
        self.limit = self.fields.get("limit", 10_000_000)
        self.open, self.index = [] if self.size else [[]], 0

    def on_ready(self, up):
        self.ready()
        if not self.size:
            self.ask(float("inf"), self.up)

    def on_request(self, count):
        super().on_request(count)
        if self.size and not self.closing:
            self.ask(count * (self.size if self.every == self.size else 1), self.up)

    def on_value(self, value, up):
        if not self.size:
            if len(self.open[0]) >= self.limit:
                raise Failure("S409", "collect is full")
            self.open[0].append(value)
            return
        if self.index % self.every == 0:
            self.open.append([])
        self.index += 1
        for array in self.open:
            array.append(value)
        if self.open and len(self.open[0]) == self.size:
            self.put(self.open.pop(0))
        elif self.every != self.size:
            self.ask(1, self.up)

    def on_end(self, failure, up):
        if failure:
            self.end(failure)
            return
        if self.size and self.every < self.size and sum(map(len, self.open)) > self.limit:
            raise Failure("S409", "collect is full")
        self.queue.extend(self.open)
        self.close()
