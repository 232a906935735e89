"""Operators that start streams for values."""

from collections import deque

from operators_combine import CombineLatest, Zip
from stage import UNLIMITED, Queued, Stage
from table import operator
from values import Failure


class Flatten(Queued):
    """Each value starts a stream. With finite demand each has one requested value under way, others wait in one queue;
    where only one stream runs, `latest` and `exhaust`, it is asked for what downstream has requested."""

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
        elif self.carries():
            self.ask(self.demand, up)
        else:
            self.ask(UNLIMITED if self.demand == UNLIMITED else 1, up)

    def carries(self):
        return self.strategy in ("latest", "exhaust")

    def on_request(self, count):
        if not self.asked:
            self.asked = True
            self.ask(self.most + self.limit, self.up)
        super().on_request(count)
        if self.carries() and self.running:
            self.ask(count, self.running[0])

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
        if sender and not self.carries():
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
    """A value is published when its stream starts, or else waits for its turn. With finite demand a stream is asked for
    its next value when the last one has been published; but those that run are asked for all that they have while no
    other may start, since a value that waits for their end could not be published before."""

    def set_up(self):
        super().set_up()
        self.limit = self.fields.get("limit", 10_000)
        self.started = 0  # `waiting` has each value with the stream to ask after it, or None if it has been asked

    def on_request(self, count):
        self.demand += count
        self.expand()
        if self.demand == UNLIMITED:
            for up in self.ups:
                self.ask(UNLIMITED, up)
        elif not self.asked:
            self.ask(1, self.up)
        self.asked = True

    def on_ready(self, up):
        self.ready() if up is self.up else self.ask(UNLIMITED if self.demand == UNLIMITED else 1, up)

    def on_value(self, value, up):
        if self.started + len(self.waiting) >= self.limit:
            raise Failure("S409", "expand has too many streams and waiting values")
        self.waiting.append([value, up])
        self.hurry() if len(self.running) >= self.most else self.expand()

    def expand(self):
        if self.waiting and self.demand > 0 and len(self.running) < self.most:
            self.demand -= 1
            value, source = self.waiting.popleft()
            self.started += 1
            self.send(value)
            self.begin_inner(value)
            if source in self.ups:
                self.ask(1, source)
            if len(self.running) >= self.most:
                self.hurry()
            self.scheduler.effect(lambda: self.handle(self.expand))
        elif self.ended and not self.waiting and not self.running:
            self.end()

    def hurry(self):
        for entry in self.waiting:
            if entry[1] in self.running:
                self.ask(1, entry[1])
                entry[1] = None

    def on_end(self, failure, up):
        if failure:
            self.end(failure)
            return
        if up is self.up:
            self.ended = True
        else:
            self.running.remove(up)
        self.expand()


class StreamsOfAll(Stage):
    """combineLatestAll and zipAll: the streams of all values start when upstream finishes."""

    def set_up(self):
        self.values, self.limit = [], self.fields.get("limit", 10_000)
        self.joined, self.demand = None, 0

    def on_ready(self, up):
        if up is self.up:
            self.ready()
        self.ask(UNLIMITED if up is self.up else self.demand, up)

    def on_request(self, count):
        if self.joined:
            self.ask(count, self.joined)
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
