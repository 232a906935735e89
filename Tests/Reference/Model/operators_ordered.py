"""mergeOrdered, join and buffer: they keep values until others come, or until they are requested."""

from collections import deque

from operators_combine import Joined
from sources import nanoseconds
from stage import UNLIMITED, Queued
from table import operator
from values import Failure, compare, key_of, kind


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
    """Pairs of values with equal keys whose windows overlap. Ends when nothing can be published any more: for pairs, when
    both sides have finished, as in RxJava and Reactor, or one has finished and has no open window; values that are
    published without a partner keep it going until their side has finished."""

    def set_up(self):
        fields = self.fields
        self.limit = fields.get("limit", 100_000)
        self.values, self.ended, self.indices = ({}, {}), [False, False], [0, 0]
        self.begun, self.asked = [], False
        self.keys = [fields.get("on", fields.get("leftKey")), fields.get("on", fields.get("rightKey"))]
        variant = fields.get("type", "inner")
        self.outer = [variant in ("left", "full"), variant in ("right", "full")]

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
            self.close_window(up.tag[1], up)
            self.detach(up)
            return
        side = up.tag
        if len(self.values[side]) >= self.limit:
            raise Failure("S409", "join is full")
        key = True
        if self.keys[side] is not None:
            key = self.scope.evaluate(self.keys[side], value=value)
        partners = [entry for entry in self.values[1 - side].values() if fits(key, entry["key"])]
        results = [self.result(side, value, entry["value"]) for entry in partners]
        entry = {"value": value, "key": key, "met": bool(partners)}
        if not partners and self.ended[1 - side]:
            entry["met"] = True
            if self.outer[side]:
                results = [self.result(side, value, None)]
        for partner in partners:
            partner["met"] = True
        index, self.indices[side] = self.indices[side], self.indices[side] + 1
        if "seconds" in self.fields:
            window = object()
            self.values[side][window] = entry
            self.after(nanoseconds(self.fields["seconds"]), lambda: self.close_window(side, window))
        else:
            stream = self.scope.stream(self.fields["left" if side == 0 else "right"], outer=value, outerIndex=index)
            window = self.connect(stream, ("window", side))
            self.values[side][window] = entry
        self.scheduler.effect(lambda: self.handle(self.publish, results))

    def publish(self, results):
        if max(0, len(results) - self.demand) + len(self.queue) > self.limit:
            raise Failure("S409", "join is full")
        self.put(*results)

    def result(self, side, value, other):
        left, right = (value, other) if side == 0 else (other, value)
        if "expression" in self.fields:
            return self.scope.evaluate(self.fields["expression"], left=left, right=right)
        return [left, right]

    def alone(self, side, entry):
        """Publishes a value whose time is over without a partner."""
        if self.outer[side] and not entry["met"]:
            entry["met"] = True
            try:
                result = self.result(side, entry["value"], None)
            except Failure:
                if not self.skips:
                    raise
                self.run.skipped += 1
                return
            self.scheduler.effect(lambda: self.handle(self.put, result))

    def close_window(self, side, window):
        entry = self.values[side].pop(window, None)
        if entry:
            self.alone(side, entry)
        self.end_if_done()

    def end_if_done(self):
        going = [not self.ended[side] and (
            self.outer[side] or not self.ended[1 - side] or bool(self.values[1 - side])) for side in (0, 1)]
        if not any(going):
            for up in list(self.ups):
                self.detach(up)
            self.scheduler.effect(lambda: self.handle(self.close))

    def on_end(self, failure, up):
        if failure:
            self.end(failure)
        elif up.tag in (0, 1):
            self.ended[up.tag] = True
            for entry in list(self.values[1 - up.tag].values()):
                self.alone(1 - up.tag, entry)
            self.end_if_done()
        else:
            self.close_window(up.tag[1], up)


def fits(key, other):
    """Whether two keys are equal. Null has no partner, as in SQL, nor has a list with null in it."""
    if key is None or kind(key) == "list" and any(part is None for part in key):
        return False
    return key_of(key) == key_of(other)


@operator("buffer")
class Buffer(Queued):
    def set_up(self):
        self.capacity, self.policy = self.fields["capacity"], self.fields.get("whenFull", "dropNewest")
        self.keeps_full = self.fields.get("prefetch") == "keepFull"

    def on_ready(self, up):
        """Upstream is asked before downstream can ask, as in Combine: values that come at once fill the buffer."""
        self.ask(self.capacity if self.keeps_full else UNLIMITED, up)
        self.ready()

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
