"""Operators that publish some of the values."""

from operators_transform import Step
from sources import nanoseconds
from stage import QUEUE_LIMIT, UNLIMITED, Queued, Stage
from table import operator
from values import Failure, equal, key_of


@operator("filter")
class Filter(Step):
    def step(self, value, index):
        self.send(value) if self.test("expression", value=value, index=index) else self.skip()


@operator("removeDuplicates")
class RemoveDuplicates(Step):
    """Compares with the value that was received last."""

    def set_up(self):
        super().set_up()
        self.last = None

    def step(self, value, index):
        now = self.evaluate("key", value=value) if "key" in self.fields else value
        last, self.last = self.last, (now,)  # received, even if the condition fails
        if last is None:
            duplicate = False
        elif "by" in self.fields:
            duplicate = self.test("by", previous=last[0], value=value)
        else:
            duplicate = equal(last[0], now)
        self.skip() if duplicate else self.send(value)


@operator("distinct")
class Distinct(Step):
    def set_up(self):
        super().set_up()
        self.seen = {}

    def start(self):
        self.up = None
        if "reset" in self.fields:
            self.reset = self.connect(self.scope.stream(self.fields["reset"]))
        self.up = self.connect(self.upstream)

    def on_ready(self, up):
        self.ready() if up is self.up else self.ask(UNLIMITED, up)

    def on_value(self, value, up):
        if up is self.up:
            super().on_value(value, up)
        else:
            self.seen.clear()

    def on_end(self, failure, up):
        if up is self.up or failure:
            self.end(failure)

    def step(self, value, index):
        key = key_of(self.evaluate("key", value=value, index=index) if "key" in self.fields else value)
        if "seconds" in self.fields:
            oldest = self.scheduler.now - nanoseconds(self.fields["seconds"])
            self.seen = {other: time for other, time in self.seen.items() if time > oldest}
        if key in self.seen:
            self.skip()
            return
        if len(self.seen) >= self.fields.get("limit", 1_000_000):
            if self.fields.get("whenFull", "fail") == "fail":
                raise Failure("S409", "distinct is full")
            del self.seen[next(iter(self.seen))]
        self.seen[key] = self.scheduler.now
        self.send(value)


@operator("drop")
class Drop(Step):
    def set_up(self):
        super().set_up()
        self.count = self.more = self.fields.get("count", 1)

    def on_request(self, count):
        self.ask(count + self.more, self.up)
        self.more = 0

    def step(self, value, index):
        if index >= self.count:
            self.send(value)


@operator("prefix")
class Prefix(Step):
    """Finishes with its last value; nothing is subscribed to for no value."""

    def start(self):
        if self.fields["count"] == 0:
            self.ready()
            self.scheduler.effect(lambda: self.handle(self.end))
        else:
            super().start()

    def step(self, value, index):
        self.send(value)
        if index + 1 == self.fields["count"]:
            self.end()


@operator("output")
class Output(Step):
    def set_up(self):
        super().set_up()
        at = self.fields.get("at")
        self.first = self.fields.get("from", 0) if at is None else at
        self.last = self.fields.get("through") if at is None else at

    def step(self, value, index):
        self.send(value) if index >= self.first else self.skip()
        if index == self.last:
            self.end()


@operator("dropWhile")
class DropWhile(Step):
    def set_up(self):
        super().set_up()
        self.dropping = True

    def step(self, value, index):
        if self.dropping and self.test("expression", value=value, index=index):
            self.skip()
        else:
            self.dropping = False
            self.send(value)


@operator("prefixWhile")
class PrefixWhile(Step):
    def step(self, value, index):
        going = self.test("expression", value=value, index=index)
        if going or self.fields.get("inclusive"):
            self.send(value)
        if not going:
            self.end()


@operator("dropLast")
class DropLast(Step):
    def set_up(self):
        super().set_up()
        self.kept = []

    def step(self, value, index):
        self.kept.append(value)
        self.send(self.kept.pop(0)) if len(self.kept) > self.fields["count"] else self.skip()


@operator("dropFor")
class DropFor(Step):
    def start(self):
        self.closed = self.fields["seconds"] > 0
        if self.closed:
            self.after(nanoseconds(self.fields["seconds"]), self.open)
        super().start()

    def open(self):
        self.closed = False

    def step(self, value, index):
        self.skip() if self.closed else self.send(value)


@operator("prefixFor")
class PrefixFor(Step):
    def start(self):
        if self.fields["seconds"] == 0:
            self.ready()
            self.scheduler.effect(lambda: self.handle(self.end))
        else:
            self.after(nanoseconds(self.fields["seconds"]), self.end)
            super().start()

    def step(self, value, index):
        self.send(value)


class WithSignal(Stage):
    """An operator with another stream that is a signal."""

    def on_ready(self, up):
        self.ready() if up is self.up else self.ask(UNLIMITED, up)


@operator("dropUntil")
class DropUntil(WithSignal):
    def start(self):
        self.closed = True
        self.other = self.connect(self.scope.stream(self.fields["stream"]))
        self.up = self.connect(self.upstream)

    def on_ready(self, up):
        self.ready() if up is self.up else self.ask(1, up)

    def on_value(self, value, up):
        if up is self.other:
            self.closed = False
            self.detach(up)
        elif self.closed:
            self.ask(1, up)
        else:
            self.send(value)

    def on_end(self, failure, up):
        if up is self.up or failure:
            self.end(failure)
        elif self.closed and self.fields.get("onSilentFinish", "finish") == "finish":
            self.end()


@operator("prefixUntil")
class PrefixUntil(WithSignal):
    """The other stream is subscribed to first."""

    def start(self):
        self.up = None
        self.other = self.connect(self.scope.stream(self.fields["stream"]))
        self.up = self.connect(self.upstream)

    def on_ready(self, up):
        self.ready() if up is self.up else self.ask(1, up)

    def on_value(self, value, up):
        if up is self.up:
            self.send(value)
        else:
            self.end()

    def on_end(self, failure, up):
        if up is self.up or failure and self.fields.get("failures") == "pass":
            self.end(failure)


@operator("ignoreOutput")
class IgnoreOutput(Step):
    def on_ready(self, up):
        """All values are requested at the start, as in Combine."""
        self.ready()
        self.ask(UNLIMITED, up)

    def on_request(self, count):
        pass

    def step(self, value, index):
        pass


@operator("ignoreFailure")
class IgnoreFailure(Step):
    def step(self, value, index):
        self.send(value)

    def on_end(self, failure, up):
        self.end()


@operator("sample")
class Sample(Queued):
    """Interval or signal: the newest value, if there is a new one."""

    def set_up(self):
        self.newest = None

    def start(self):
        self.up = self.connect(self.upstream)
        if "stream" in self.fields:
            self.other = self.connect(self.scope.stream(self.fields["stream"]))
        else:
            # The timers of upstream are set first, as in RxJS.
            self.scheduler.effect(lambda: self.after(nanoseconds(self.fields["seconds"]), self.tick))

    def on_ready(self, up):
        """All values are requested at once: to leave values out is the meaning."""
        if up is self.up:
            self.ready()
        self.ask(UNLIMITED, up)

    def tick(self):
        self.after(nanoseconds(self.fields["seconds"]), self.tick)
        self.publish()

    def publish(self):
        if self.newest is not None:
            value, self.newest = self.newest[0], None
            if len(self.queue) >= QUEUE_LIMIT:
                raise Failure("S409", "the queue of sample is full")
            self.put(value)

    def on_value(self, value, up):
        if up is self.up:
            self.newest = (value,)
        else:
            self.publish()

    def on_end(self, failure, up):
        if failure:
            self.end(failure)
        elif up is self.up:
            self.close()
