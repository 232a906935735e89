"""Operators that join several streams, and `buffer`. `share` is in operators_inner."""

from collections import deque

from stage import UNLIMITED, Queued, Stage
from table import OPERATORS, operator, prepare
from values import Failure, Map


class Joined(Queued):
    """Several upstreams, in order: this stream, then those of `with`. The tag of an upstream is its position."""

    inputs = ()

    def set_up(self):
        self.makes = [self.upstream] + [self.scope.stream(other) for other in self.fields["with"]]
        self.size = len(self.makes)
        self.ended = [False] * self.size

    def start(self):
        """Downstream receives the subscription when all streams have been subscribed to, and may have ended."""
        self.inputs = [self.connect(make, position) for position, make in enumerate(self.makes)]
        self.scheduler.effect(lambda: self.handle(self.ready))

    def on_ready(self, up):
        pass

    def result(self, values):
        names = self.fields.get("names")
        if "expression" in self.fields:
            named = dict(zip(names or [], values))
            return self.scope.evaluate(self.fields["expression"], **{"values": values, **named})
        return Map(zip(names, values)) if names else list(values)

    def results(self, values):
        """The result, where no value is being delivered: none if the expression fails and such failures are skipped."""
        try:
            return [self.result(values)]
        except Failure:
            if not self.skips:
                raise
            self.run.skipped += 1
            return []


@operator("zip")
class Zip(Joined):
    def set_up(self):
        super().set_up()
        self.waiting = [deque() for _ in range(self.size)]

    def on_request(self, count):
        for up in self.inputs:
            self.ask(count, up)

    def on_value(self, value, up):
        mine = self.waiting[up.tag]
        mine.append(value)
        if all(self.waiting):
            values = [queue[0] for queue in self.waiting]
            for queue in self.waiting:
                queue.popleft()
            self.send(self.result(values))
            self.end_if_done()
        elif len(mine) > self.fields.get("limit", 1_000_000):
            raise Failure("S409", "zip is full")

    def end_if_done(self):
        if any(ended and not queue for ended, queue in zip(self.ended, self.waiting)):
            self.end()

    def on_end(self, failure, up):
        if failure:
            self.end(failure)
        else:
            self.ended[up.tag] = True
            self.end_if_done()

    def on_skip(self, up):
        for up in self.inputs:
            self.ask(1, up)
        self.end_if_done()


@operator("combineLatest")
class CombineLatest(Joined):
    """With finite demand one value at a time is requested from each stream. One that comes without demand waits."""

    def set_up(self):
        super().set_up()
        self.newest, self.timer, self.asked, self.held = [None] * self.size, None, False, deque()

    def on_request(self, count):
        super().on_request(count)
        self.take_held()
        if count == UNLIMITED or not self.asked:
            self.asked = True
            for up in self.inputs:
                self.ask(UNLIMITED if self.demand == UNLIMITED else 1, up)

    def on_value(self, value, up):
        if self.demand > 0 and not self.held:
            self.take(value, up)
            self.ask(1, up)
        else:
            self.held.append((value, up))

    def take(self, value, up):
        newest = list(self.newest)
        newest[up.tag] = (value,)
        if self.fields.get("atomic"):
            if all(newest) and self.timer is None:
                self.timer = self.after(0, self.fire, is_last=True)
        elif all(newest):
            # A value that makes the expression fail is skipped, so the one before it stays.
            self.put(self.result([value for value, in newest]))
        self.newest = newest

    def take_held(self):
        while self.held and self.demand > 0 and self.timer is None:
            value, up = self.held.popleft()
            try:
                self.take(value, up)
            except Failure:
                if not self.skips:
                    raise
                self.run.skipped += 1
            self.ask(1, up)
        self.end_if_done()

    def fire(self):
        self.publish()
        self.take_held()

    def publish(self):
        self.timer = None
        for result in self.results([value for value, in self.newest]):
            self.put(result)

    def end_if_done(self):
        if all(self.ended) and not self.held and self.timer is None:
            self.close()

    def on_end(self, failure, up):
        self.ended[up.tag] = True
        if self.timer and (failure or all(self.ended) and not self.held):
            self.publish()
        if failure:
            self.end(failure)
        else:
            self.end_if_done()


@operator("withLatestFrom")
class WithLatestFrom(Joined):
    """The other streams are subscribed to first."""

    def set_up(self):
        super().set_up()
        self.newest = [None] * self.size

    def start(self):
        others = [self.connect(make, position + 1) for position, make in enumerate(self.makes[1:])]
        self.inputs = [self.connect(self.makes[0], 0)] + others

    def on_ready(self, up):
        self.ask(UNLIMITED, up) if up.tag else self.ready()

    def on_request(self, count):
        self.ask(count, self.inputs[0])

    def on_value(self, value, up):
        self.newest[up.tag] = (value,)
        if up.tag == 0:
            if all(self.newest):
                self.send(self.result([value for value, in self.newest]))
            else:
                self.ask(1, up)

    def on_end(self, failure, up):
        if failure or up.tag == 0:
            self.end(failure)


@operator("forkJoin")
class ForkJoin(Joined):
    def set_up(self):
        super().set_up()
        self.newest = [None] * self.size

    def start(self):
        self.ready()
        super().start()

    def on_ready(self, up):
        self.ask(UNLIMITED, up)

    def on_value(self, value, up):
        self.newest[up.tag] = (value,)

    def on_end(self, failure, up):
        if failure:
            self.end(failure)
            return
        self.ended[up.tag] = True
        if self.newest[up.tag] is None:
            self.end()
        elif all(self.ended):
            self.queue += self.results([value for value, in self.newest])
            self.close()


@operator("merge")
class Merge(Joined):
    """The streams are subscribed to, in order, after downstream has its subscription, and asked once it has been asked.

    At most one value of each stream waits for demand, if that is finite.
    """

    def set_up(self):
        super().set_up()
        self.next, self.running = 0, 0
        self.senders, self.unasked, self.has_been_asked = deque(), [], False

    def start(self):
        self.ready()
        self.scheduler.effect(lambda: self.handle(self.open))

    def open(self):
        most = self.fields.get("maxPublishers") or self.size
        if self.next < self.size and self.running < most:
            self.running += 1
            self.next += 1
            self.connect(self.makes[self.next - 1], self.next - 1)
            self.scheduler.effect(lambda: self.handle(self.open))

    def on_ready(self, up):
        self.unasked.append(up)
        self.ask_all()

    def on_request(self, count):
        self.has_been_asked = True
        super().on_request(count)
        self.ask_all()

    def ask_all(self):
        if self.has_been_asked:
            for up in self.unasked:
                self.ask(UNLIMITED if self.demand == UNLIMITED else 1, up)
            self.unasked = []

    def on_value(self, value, up):
        self.senders.append(up)
        self.put(value)

    def on_drained(self):
        self.ask(1, self.senders.popleft())

    def on_end(self, failure, up):
        if failure:
            self.end(failure)
            return
        self.running -= 1
        if self.next < self.size:
            self.scheduler.effect(lambda: self.handle(self.open))
        elif self.running == 0:
            self.close()


@operator("race")
class Race(Joined):
    """The streams are subscribed to, in order, after downstream has its subscription: if it has requested values by then,
    each may win with its first one before the next one is subscribed to."""

    def set_up(self):
        super().set_up()
        self.inputs, self.early = None, {}  # the ends before the first request

    def start(self):
        self.ready()
        self.scheduler.effect(lambda: self.handle(self.open))

    def open(self):
        if self.inputs is not None:
            return
        self.inputs = []
        for position, make in enumerate(self.makes):
            self.inputs.append(self.connect(make, position))

    def on_ready(self, up):
        self.ask(self.demand, up)

    def on_request(self, count):
        self.demand += count
        if self.inputs is None:
            self.open()
        else:
            for up in self.inputs:
                if up in self.early:
                    self.scheduler.effect(lambda: self.handle(self.end_early))
                    break
                self.ask(count, up)

    def end_early(self):
        """The first stream that ended before the first request wins, unless one in front of it publishes at once."""
        if len(self.inputs) > 1:
            first = next(up for up in self.inputs if up in self.early)
            self.on_end(self.early[first], first)

    def win(self, up):
        for other in self.inputs:
            if other is not up:
                self.detach(other)
        self.inputs = [up]

    def on_value(self, value, up):
        self.win(up)
        self.demand -= 1
        self.send(value)

    def on_end(self, failure, up):
        if self.demand == 0 and len(self.inputs) > 1:
            self.early[up] = failure
            return
        self.win(up)
        self.end(failure)


class Concatenate(Stage):
    """append and prepend: each stream starts when the one before it has finished; demand is carried over."""

    position = demand = 0

    def start(self):
        self.up = self.connect(self.makes[0])

    def on_ready(self, up):
        if self.position == 0:
            self.ready()
        else:
            self.ask(self.demand, up)

    def on_request(self, count):
        self.demand += count
        self.ask(count, self.up)

    def on_value(self, value, up):
        self.demand -= 1
        self.send(value)

    def on_end(self, failure, up):
        self.position += 1
        if self.position == len(self.makes) or failure and not self.continues:
            self.end(None if self.continues else failure)
        else:
            self.up = self.connect(self.makes[self.position])


def concatenate(name, order):
    def add(scope, fields, make, others=None):
        makes = [make] + (others if others is not None else [scope.stream(other) for other in fields["with"]])

        def subscribe():
            stage = prepare(Concatenate, name, scope, fields, make)
            stage.makes = order(makes)
            stage.continues = fields.get("failures") == "continue"
            return stage
        return subscribe
    OPERATORS[name] = add


concatenate("append", lambda makes: makes)
concatenate("prepend", lambda makes: makes[1:] + makes[:1])
