"""mergeOrdered, join and buffer: they keep values until others come, or until they are requested."""

from collections import deque

from operators_combine import Joined
from stage import UNLIMITED, Queued
from table import operator
from values import Failure, compare


@operator("mergeOrdered")
class MergeOrdered(Joined):
    """Publishes the smallest value once every stream that has not finished has one waiting.

    All that are due are published before as many are requested.
    """

    def set_up(self):
        super().set_up()
        self.waiting = [deque() for _ in range(self.size)]
        self.limit = self.fields.get("limit", 1024)
        self.asked = False
        self.owed = [0] * self.size
        self.known = ()  # the newest key of all streams, with which the next one must have an order

    def on_request(self, count):
        self.demand += count
        if not self.asked:
            self.asked = True
            for up in self.inputs:
                self.ask(self.limit, up)
        self.advance()

    def on_value(self, value, up):
        key = self.scope.evaluate(self.fields["by"], value=value) if "by" in self.fields else value
        compare(key, *self.known or (key,))
        self.known = (key,)
        self.waiting[up.tag].append((key, value))
        self.advance()

    def advance(self):
        """Publishes one value at a time."""
        if self.publishing:
            return
        heads = [position for position in range(self.size) if self.waiting[position]]
        complete = all(queue or ended for queue, ended in zip(self.waiting, self.ended))
        if complete and not heads:
            self.end()
        elif complete and self.demand > 0:
            best = heads[0]
            for position in heads[1:]:
                if (compare(self.waiting[position][0][0], self.waiting[best][0][0]) or 0) < 0:
                    best = position
            self.publishing = True
            self.demand -= 1
            self.send(self.waiting[best].popleft()[1])
            self.owed[best] += 1
            self.scheduler.effect(lambda: self.handle(self.go_on))
        else:
            owed, self.owed = self.owed, [0] * self.size
            for count, up in zip(owed, self.inputs):
                self.ask(count, up)

    def go_on(self):
        self.publishing = False
        self.advance()

    def on_end(self, failure, up):
        if failure:
            self.end(failure)
        else:
            self.ended[up.tag] = True
            self.advance()

    def on_skip(self, up):
        self.ask(1, up)


@operator("join")
class Join(Queued):
    """Pairs of values whose windows overlap. Ends when no pair is possible any more: both sides have
    finished, as in RxJava and Reactor, or one has finished and has no open window."""

    def set_up(self):
        self.limit = self.fields.get("limit", 100_000)
        self.values, self.ended, self.indices = ({}, {}), [False, False], [0, 0]
        self.begun, self.asked = [], False

    def start(self):
        self.connect(self.upstream, 0)
        self.connect(self.scope.stream(self.fields["with"][0]), 1)

    def on_ready(self, up):
        if up.tag not in (0, 1):
            self.ask(1, up)
            return
        self.begun.append(up)
        if len(self.begun) == 1:
            self.ready()
        if self.asked:
            self.ask(UNLIMITED, up)

    def on_request(self, count):
        if not self.asked:
            self.asked = True
            for up in self.begun:
                self.ask(UNLIMITED, up)
        super().on_request(count)

    def on_value(self, value, up):
        if up.tag not in (0, 1):
            self.close_window(up)
            self.detach(up)
            return
        side = up.tag
        if len(self.values[side]) >= self.limit:
            raise Failure("S409", "join is full")
        index, self.indices[side] = self.indices[side], self.indices[side] + 1
        stream = self.scope.stream(self.fields["left" if side == 0 else "right"], outer=value, outerIndex=index)
        window = self.connect(stream, ("window", side))
        self.values[side][window] = value
        pairs = [(value, other) if side == 0 else (other, value) for other in self.values[1 - side].values()]
        results = [self.pair(*pair) for pair in pairs]
        self.scheduler.effect(lambda: self.handle(self.publish, results))

    def publish(self, results):
        if max(0, len(results) - self.demand) + len(self.queue) > self.limit:
            raise Failure("S409", "join is full")
        self.put(*results)

    def pair(self, left, right):
        if "expression" in self.fields:
            return self.scope.evaluate(self.fields["expression"], left=left, right=right)
        return [left, right]

    def close_window(self, up):
        self.values[up.tag[1]].pop(up, None)
        self.end_if_done()

    def end_if_done(self):
        if all(self.ended) or any(ended and not values for ended, values in zip(self.ended, self.values)):
            for up in list(self.ups):
                self.detach(up)
            self.scheduler.effect(lambda: self.handle(self.close))

    def on_end(self, failure, up):
        if failure:
            self.end(failure)
        elif up.tag in (0, 1):
            self.ended[up.tag] = True
            self.end_if_done()
        else:
            self.close_window(up)


@operator("buffer")
class Buffer(Queued):
    def set_up(self):
        self.capacity, self.policy = self.fields["capacity"], self.fields.get("whenFull", "dropNewest")
        self.keeps_full = self.fields.get("prefetch") == "keepFull"

    def on_ready(self, up):
        self.ready()
        self.ask(self.capacity if self.keeps_full else UNLIMITED, up)

    def on_value(self, value, up):
        if self.closing:
            return
        if self.demand > 0 or len(self.queue) < self.capacity:
            self.put(value)
        elif self.policy == "fail":
            self.detach(self.up)
            self.close(Failure("S409", "the buffer is full"))
        else:
            self.drop()
            if self.policy == "dropOldest":
                self.queue.popleft()
                self.queue.append(value)

    def on_drained(self):
        if self.keeps_full and not self.closing:
            self.ask(1, self.up)

    def on_end(self, failure, up):
        if failure and self.demand == 0:
            self.end(failure)
        else:
            self.close(failure)
