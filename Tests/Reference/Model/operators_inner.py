"""Operators that start streams for values."""

from collections import deque

from operators_combine import CombineLatest, Zip
from stage import UNLIMITED, Queued, Stage
from table import operator
from values import Failure


class Flatten(Queued):
    """Each value starts a stream. With finite demand each has one requested value under way; others wait in one queue."""

    first = UNLIMITED

    def set_up(self):
        self.strategy = self.fields.get("strategy", "merge")
        self.most = 1 if self.strategy == "concat" else self.fields.get("maxPublishers", UNLIMITED)
        self.limit = self.fields.get("limit", 1024)
        self.index, self.waiting, self.running, self.senders = 0, deque(), [], deque()
        self.asked = self.ended = False
        self.up = None

    def on_ready(self, up):
        if up is self.up:
            self.ready()
        else:
            self.ask(UNLIMITED if self.demand == UNLIMITED else 1, up)

    def on_request(self, count):
        if not self.asked:
            self.asked = True
            self.ask(self.most + self.limit, self.up)
        super().on_request(count)

    def on_value(self, value, up):
        if up is self.up:
            self.outer_value(value)
        else:
            self.inner_value(value, up)

    def inner_value(self, value, up):
        self.senders.append(up)
        self.put(value)

    def on_drained(self):
        sender = self.senders.popleft()
        if sender:
            self.ask(1, sender)

    def outer_value(self, value):
        if self.strategy == "exhaust" and self.running:
            return
        if self.strategy == "latest":
            self.stop_inners()
        if len(self.running) < self.most:
            self.begin_inner(value)
        else:
            self.waiting.append(value)

    def stop_inners(self):
        for inner in self.running:
            self.detach(inner)
        self.running = []
        self.queue.clear()
        self.senders.clear()

    def begin_inner(self, value):
        index, self.index = self.index, self.index + 1
        self.running.append(self.connect(self.inner_stream(value, index)))

    def inner_stream(self, value, index):
        return self.scope.stream(self.fields["stream"], outer=value, outerIndex=index, **self.variables())

    def variables(self):
        return {}

    def on_end(self, failure, up):
        if failure:
            self.end(failure)
            return
        if up is self.up:
            self.ended = True
        else:
            self.running.remove(up)
            if self.waiting:
                self.begin_inner(self.waiting.popleft())
            if self.most < UNLIMITED:
                self.ask(1, self.up)
        self.close_if_done()

    def close_if_done(self):
        if self.ended and not self.running and not self.waiting:
            self.close()


@operator("flatMap")
class FlatMap(Flatten):
    pass


@operator("switchMap")
class SwitchMap(Flatten):
    def set_up(self):
        super().set_up()
        self.strategy = "latest"


@operator("exhaustMap")
class ExhaustMap(Flatten):
    def set_up(self):
        super().set_up()
        self.strategy = "exhaust"


@operator("mergeScan")
class MergeScan(Flatten):
    """`acc` is the value that was published last."""

    def set_up(self):
        super().set_up()
        self.acc = self.fields["initialValue"]

    def variables(self):
        return {"acc": self.acc}

    def inner_value(self, value, up):
        self.acc = value
        super().inner_value(value, up)


@operator("expand")
class Expand(Flatten):
    """A value is published when its stream starts, or else waits for its turn."""

    def set_up(self):
        super().set_up()
        self.limit = self.fields.get("limit", 10_000)
        self.started = 0

    def on_request(self, count):
        if not self.asked:
            self.asked = True
            self.ask(UNLIMITED, self.up)
        self.demand += count
        self.drain()

    def on_ready(self, up):
        self.ready() if up is self.up else self.ask(UNLIMITED, up)

    def inner_value(self, value, up):
        self.outer_value(value)

    def begin_inner(self, value):
        if self.started >= self.limit:
            raise Failure("S409", "expand has started too many streams")
        self.started += 1
        self.senders.append(None)
        self.put(value)
        super().begin_inner(value)


class StreamsOfAll(Stage):
    """combineLatestAll and zipAll: the streams of all values start when upstream finishes."""

    def set_up(self):
        self.values, self.limit = [], self.fields.get("limit", 10_000)
        self.joined, self.demand = None, 0

    def on_ready(self, up):
        self.ready() if up is self.up else self.ask(self.demand, up)

    def on_request(self, count):
        if self.joined:
            self.ask(count, self.joined)
        elif self.demand == 0:
            self.ask(UNLIMITED, self.up)
        self.demand += count

    def on_value(self, value, up):
        if up is self.joined:
            self.demand -= 1
            self.send(value)
            return
        if len(self.values) >= self.limit:
            raise Failure("S409", f"{self.name} is full")
        self.values.append(value)

    def on_end(self, failure, up):
        if failure or up is self.joined or not self.values:
            self.end(failure)
            return
        makes = [self.scope.stream(self.fields["stream"], outer=value, outerIndex=index)
                 for index, value in enumerate(self.values)]

        def make():
            stage = self.kind(self.run)
            stage.name, stage.scope, stage.fields = self.name, self.scope, {"with": [], "limit": self.limit}
            stage.upstream, stage.others = makes[0], makes
            stage.set_up()
            stage.makes, stage.size = makes, len(makes)
            stage.ended = [False] * len(makes)
            return stage
        self.joined = self.connect(make)


@operator("combineLatestAll")
class CombineLatestAll(StreamsOfAll):
    class kind(CombineLatest):
        def set_up(self):
            super().set_up()
            self.newest = [None] * len(self.others)


@operator("zipAll")
class ZipAll(StreamsOfAll):
    class kind(Zip):
        def set_up(self):
            super().set_up()
            self.waiting = [deque() for _ in self.others]


class Part(Queued):
    """The source of a group or a window: the values that its owner sends."""

    def __init__(self, run):
        super().__init__(run)
        self.finished = False

    def start(self):
        self.ready()

    def offer(self, value):
        if self.down:
            self.handle(self.put, value)

    def finish(self, failure=None):
        if self.down:
            self.handle(self.close, failure)


class Parts(Queued):
    """Streams of parts (groups or windows), whose values are published in order of arrival."""

    def set_up(self):
        self.index, self.ended, self.up, self.running = 0, False, None, set()

    def on_ready(self, up):
        if up is self.up:
            self.ready()
        else:
            self.ask(UNLIMITED, up)

    def on_request(self, count):
        if self.demand == 0:
            self.ask(UNLIMITED, self.up)
        super().on_request(count)

    def begin_part(self, scope):
        part = Part(self.run)
        part.stream = self.connect(scope.apply(self.fields["operators"], lambda: part), "part")
        self.running.add(part.stream)
        return part

    def offer(self, part, value):
        self.scheduler.effect(lambda: part.offer(value))

    def finish_part(self, part, failure=None):
        self.scheduler.effect(lambda: part.finish(failure))

    def end_of_part(self, failure, up):
        if failure:
            self.end(failure)
        else:
            self.running.discard(up)
            self.close_if_done()

    def close_if_done(self):
        if self.ended and not self.running:
            self.close()


@operator("groupBy")
class GroupBy(Parts):
    def set_up(self):
        super().set_up()
        self.groups = {}  # key: Part, in the order of their start

    def on_value(self, value, up):
        if up is self.up:
            self.group_value(value)
        elif up.tag == "part":
            self.put(value)
        else:
            self.detach(up)
            self.close_group(up.tag)

    def group_value(self, value):
        from values import key_of
        index, self.index = self.index, self.index + 1
        key = self.scope.evaluate(self.fields["key"], value=value, index=index)
        element = value
        if "element" in self.fields:
            element = self.scope.evaluate(self.fields["element"], value=value, index=index)
        identity = key_of(key)
        if identity not in self.groups:
            if len(self.groups) >= self.fields.get("limit", 100_000):
                if self.fields.get("whenFull", "fail") == "fail":
                    raise Failure("S409", "groupBy has too many groups")
                self.close_group(min(self.groups, key=lambda identity: self.groups[identity].used))
            self.begin_group(identity, key)
        group = self.groups[identity]
        group.used = self.index
        if "idle" in self.fields:
            from sources import nanoseconds
            if group.timer:
                group.timer.cancel()
            group.timer = self.after(nanoseconds(self.fields["idle"]), lambda: self.close_group(identity))
        self.offer(group, element)

    def begin_group(self, identity, key):
        scope = self.scope.with_(key=key)
        group = self.begin_part(scope)
        self.groups[identity] = group
        group.timer = group.until = None
        if "until" in self.fields:
            group.until = self.connect(scope.stream(self.fields["until"]), identity)

    def close_group(self, identity):
        group = self.groups.pop(identity, None)
        if group:
            if group.timer:
                group.timer.cancel()
            if group.until:
                self.detach(group.until)
            self.finish_part(group)

    def on_end(self, failure, up):
        if up is self.up:
            if failure:
                self.end(failure)
                return
            self.ended = True
            for identity in list(self.groups):
                self.close_group(identity)
            self.scheduler.effect(lambda: self.handle(self.close_if_done))
        elif up.tag == "part":
            self.end_of_part(failure, up)
        elif failure:
            self.end(failure)
        else:
            self.close_group(up.tag)


@operator("window")
class Window(Parts):
    """RxJS's window, windowCount, windowTime, windowToggle and windowWhen."""

    def set_up(self):
        super().set_up()
        self.open, self.number, self.closings = [], 0, {}
        self.size = self.fields.get("count")
        self.every = self.fields.get("startEvery", self.size)

    def start(self):
        from sources import nanoseconds
        fields = self.fields
        self.seconds = nanoseconds(fields["seconds"]) if "seconds" in fields else None
        self.ready()
        if "opening" in fields:
            self.connect(self.scope.stream(fields["opening"]), "opening")
        elif "expression" not in fields:
            self.open_window()
        if "startEverySeconds" in fields:
            self.step = nanoseconds(fields["startEverySeconds"])
            self.after(self.step, self.open_next)
        self.up = self.connect(self.upstream)
        if "stream" in fields and not fields.get("each"):
            self.connect(self.scope.stream(fields["stream"]), "stream")

    def on_ready(self, up):
        if up is self.up:
            self.ask(UNLIMITED, up)
        else:
            self.ask(UNLIMITED, up)

    def on_request(self, count):
        Queued.on_request(self, count)

    def open_next(self):
        self.after(self.step, self.open_next)
        self.open_window()

    def open_window(self, outer=None):
        if len(self.open) >= self.fields.get("limit", 1000):
            raise Failure("S409", "window has too many windows")
        number, self.number = self.number, self.number + 1
        part = self.begin_part(self.scope.with_(windowIndex=number))
        part.count, part.until, part.timer = 0, None, None
        self.open.append(part)
        if self.seconds is not None:
            part.timer = self.after(self.seconds, lambda: self.close_window(part, then_open=True))
        if self.fields.get("each"):
            part.until = self.connect(self.scope.stream(self.fields["stream"]), ("closing", part))
        elif "closing" in self.fields:
            part.until = self.connect(self.scope.stream(self.fields["closing"], outer=outer), ("closing", part))

    def close_window(self, part, then_open=False):
        if part in self.open:
            self.open.remove(part)
            if part.timer:
                part.timer.cancel()
            if part.until:
                self.detach(part.until)
            self.finish_part(part)
            if then_open and "startEverySeconds" not in self.fields:
                self.open_window()

    def on_value(self, value, up):
        if up is self.up:
            self.value(value)
        elif up.tag == "part":
            self.put(value)
        elif up.tag == "opening":
            self.open_window(outer=value)
        elif up.tag == "stream":
            self.close_window(self.open[0])
            self.open_window()
        else:
            self.close_window(up.tag[1], then_open="each" in self.fields)

    def value(self, value):
        index, self.index = self.index, self.index + 1
        last = "expression" in self.fields and self.scope.test(self.fields["expression"], value=value, index=index)
        if "expression" in self.fields and not self.open:
            self.open_window()
        for part in list(self.open):
            part.count += 1
            self.offer(part, value)
        if last:
            self.close_window(self.open[0])
        elif self.seconds is not None:
            for part in list(self.open):
                if part.count == self.size:
                    self.close_window(part, then_open=True)
        elif self.size:
            if self.open and self.open[0].count == self.size:
                self.close_window(self.open[0])
            if self.index % self.every == 0:
                self.open_window()

    def on_end(self, failure, up):
        if up is self.up:
            if failure:
                self.end(failure)
                return
            self.ended = True
            for part in list(self.open):
                self.close_window(part)
            self.scheduler.effect(lambda: self.handle(self.finish_signals))
        elif up.tag == "part":
            self.end_of_part(failure, up)
        elif failure:
            self.end(failure)
        elif isinstance(up.tag, tuple) and self.fields.get("each"):
            self.close_window(up.tag[1], then_open=True)

    def finish_signals(self):
        for up in list(self.ups):
            if up.tag != "part":
                self.detach(up)
        self.close_if_done()
