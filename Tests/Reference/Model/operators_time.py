"""Operators that delay values or limit their rate."""

from collections import deque

from sources import file_failure, nanoseconds
from stage import QUEUE_LIMIT, UNLIMITED, Queued, Stage
from table import operator
from values import Failure


@operator("delay")
class Delay(Queued):
    """Values that were requested wait for their time, and so does the end."""

    def set_up(self):
        self.wait, self.pending, self.ended = nanoseconds(self.fields["seconds"]), 0, False

    def on_request(self, count):
        self.ask(count, self.up)

    def on_value(self, value, up):
        if self.pending >= self.fields.get("limit", 1_000_000):
            raise Failure("S409", "delay is full")
        self.pending += 1
        self.after(self.wait, lambda: self.publish(value))

    def publish(self, value):
        self.pending -= 1
        self.send(value)
        if self.ended and self.pending == 0:
            self.end()

    def on_end(self, failure, up):
        if failure and self.fields.get("failures") == "immediate":
            self.end(failure)
        elif not failure and self.fields.get("finish") == "immediate":
            self.ended = True
            if self.pending == 0:
                self.end()
        else:
            self.after(self.wait, lambda: self.end(failure))


class Timed(Queued):
    """An operator that requests everything once it has been asked, and publishes when a time or a stream says so."""

    def set_up(self):
        self.index, self.inner, self.asked = 0, None, False

    def on_ready(self, up):
        self.ready() if up is self.up else self.ask(UNLIMITED, up)

    def on_request(self, count):
        if not self.asked:
            self.asked = True
            self.ask(UNLIMITED, self.up)
        super().on_request(count)

    def publish(self, value):
        if len(self.queue) >= QUEUE_LIMIT:
            raise Failure("S409", f"the queue of {self.name} is full")
        self.put(value)

    def conclude(self, failure=None):
        """A failure does not wait for demand."""
        self.end(failure) if failure else self.close()

    def start_inner(self, value):
        index, self.index = self.index, self.index + 1
        self.inner = self.connect(self.scope.stream(self.fields["stream"], outer=value, outerIndex=index))

    def stop_inner(self):
        if self.inner:
            self.detach(self.inner)
            self.inner = None


@operator("debounce")
class Debounce(Timed):
    def set_up(self):
        super().set_up()
        self.pending, self.timer = None, None

    def on_value(self, value, up):
        if up is not self.up:
            self.stop_inner()
            self.fire()
            return
        self.pending = (value,)
        if "stream" in self.fields:
            self.stop_inner()
            self.start_inner(value)
        else:
            if self.timer:
                self.timer.cancel()
            self.timer = self.after(nanoseconds(self.fields["seconds"]), self.fire)

    def fire(self):
        if self.pending is not None:
            (value,), self.pending = self.pending, None
            self.publish(value)

    def on_end(self, failure, up):
        if up is not self.up:
            self.inner = None
            if failure:
                self.end(failure)
            return
        if self.timer:
            self.timer.cancel()
        flush = not failure and self.fields.get("onFinish") == "flush" and self.pending is not None
        pending, self.pending = self.pending, None
        self.stop_inner()

        if flush:
            self.publish(pending[0])
        if "stream" in self.fields:
            self.conclude(failure)
        else:
            self.after(0, lambda: self.conclude(failure))


@operator("throttle")
class Throttle(Timed):
    """With a time and both edges, Combine's: everything passes through the scheduler. Otherwise RxJS's."""

    def set_up(self):
        super().set_up()
        self.wait = nanoseconds(self.fields["seconds"]) if "seconds" in self.fields else None
        self.edges, self.latest = self.fields.get("edges", "both"), self.fields.get("latest", True)
        self.combine = self.wait is not None and self.edges == "both"
        self.pending, self.running, self.begun, self.ended = None, False, None, None

    def on_value(self, value, up):
        if up is not self.up:
            self.stop_inner()
            self.interval_ends()
        elif self.combine:
            self.value_as_combine(value)
        else:
            self.value_as_rxjs(value)

    def value_as_combine(self, value):
        """At once after a quiet interval, else at its end; at once is later within this instant."""
        if self.pending is None:
            now = self.scheduler.now
            due = now if self.begun is None else max(now, self.begun + self.wait)
            self.after(due - now, self.fire)
        if self.pending is None or self.latest:
            self.pending = (value,)

    def fire(self):
        self.begun = self.scheduler.now
        (value,), self.pending = self.pending, None
        self.publish(value)
        if self.ended:
            self.conclude(*self.ended)

    def value_as_rxjs(self, value):
        if self.running and self.edges == "leading":
            return
        if self.pending is None or self.latest:
            self.pending = (value,)
        if not self.running:
            self.emit() if self.edges != "trailing" else self.begin_interval(value)

    def begin_interval(self, value):
        self.running = True
        if self.wait is None:
            self.start_inner(value)
        else:
            self.after(self.wait, self.interval_ends)

    def interval_ends(self):
        self.running = False
        if self.pending is not None:
            self.emit()
        if self.ended:
            self.conclude(*self.ended)

    def emit(self):
        (value,), self.pending = self.pending, None
        self.publish(value)
        if not self.ended:
            self.begin_interval(value)

    def on_end(self, failure, up):
        if up is self.up:
            self.ended = (failure,)
            if self.combine:
                if self.pending is None:
                    self.after(0, lambda: self.conclude(failure))
            elif failure or self.pending is None:
                self.conclude(failure)
        elif failure:
            self.end(failure)
        else:
            # A stream without a value publishes nothing.
            self.inner, self.running = None, False
            if self.ended:
                self.conclude(*self.ended)


@operator("audit")
class Audit(Timed):
    def set_up(self):
        super().set_up()
        self.newest, self.running, self.ended = None, False, False

    def on_value(self, value, up):
        if up is not self.up:
            self.stop_inner()
            self.fire()
            return
        self.newest = (value,)
        if not self.running:
            self.running = True
            if "stream" in self.fields:
                self.start_inner(value)
            else:
                self.after(nanoseconds(self.fields["seconds"]), self.fire)

    def fire(self):
        (value,), self.newest, self.running = self.newest, None, False
        self.publish(value)
        if self.ended:
            self.conclude()

    def on_end(self, failure, up):
        if failure:
            self.end(failure)
        elif up is self.up:
            self.ended = True
            if not self.running:
                self.conclude()
        else:
            self.inner, self.running, self.newest = None, False, None
            if self.ended:
                self.conclude()


@operator("timeout")
class Timeout(Stage):
    """Values and the end pass through the scheduler; the clock restarts with each value."""

    def set_up(self):
        self.limit = self.fields.get("limit", 100_000)
        self.demand, self.asked, self.switched, self.received, self.timer = 0, 0, False, False, None

    def start(self):
        self.up = self.connect(self.upstream)
        self.restart()

    def restart(self):
        if self.timer:
            self.timer.cancel()
        seconds = self.fields.get("seconds")
        if not self.received:
            seconds = self.fields.get("first", seconds)
        self.timer = self.after(nanoseconds(seconds), self.expire) if seconds is not None else None

    def expire(self):
        self.detach(self.up)
        if "with" in self.fields:
            self.switched, self.asked = True, self.demand
            for timer in self.timers:
                timer.cancel()
            self.up = self.connect(self.scope.stream(self.fields["with"]))
        else:
            self.end(file_failure(self.fields["error"]) if "error" in self.fields else None)

    def on_ready(self, up):
        self.ask(self.demand, up) if self.switched else self.ready()

    def on_request(self, count):
        if self.demand == 0 and self.asked == 0 and not self.received and not self.switched:
            self.restart()
        self.demand += count
        self.replenish(count)

    def replenish(self, count):
        more = count if self.switched else min(self.demand, self.limit) - self.asked
        if more > 0:
            self.asked += more
            self.ask(more, self.up)

    def on_value(self, value, up):
        if self.switched:
            self.demand -= 1
            self.send(value)
            return
        self.received = True
        self.restart()
        self.after(0, lambda: self.publish(value))

    def publish(self, value):
        self.demand -= 1
        self.asked -= 1
        self.send(value)
        self.scheduler.effect(lambda: self.handle(self.replenish, 0))

    def on_end(self, failure, up):
        if self.switched:
            self.end(failure)
            return
        if self.timer:
            self.timer.cancel()
        self.after(0, lambda: self.end(failure))


@operator("delaySubscription")
class DelaySubscription(Stage):
    def set_up(self):
        self.up = self.other = None

    def start(self):
        self.demand = 0
        self.ready()
        if "stream" in self.fields:
            self.other = self.connect(self.scope.stream(self.fields["stream"]))
        else:
            self.after(nanoseconds(self.fields["seconds"]), self.open)

    def open(self):
        self.up = self.connect(self.upstream)

    def on_ready(self, up):
        self.ask(self.demand if up is self.up else 1, up)

    def on_request(self, count):
        self.demand += count
        if self.up:
            self.ask(count, self.up)

    def on_value(self, value, up):
        if up is self.up:
            self.demand -= 1
            self.send(value)
        else:
            self.detach(up)
            self.open()

    def on_end(self, failure, up):
        if up is self.up or failure:
            self.end(failure)
        elif self.up is None:
            self.open()


@operator("delayWhen")
class DelayWhen(Queued):
    """Each value waits for the first value of its stream."""

    def set_up(self):
        self.index, self.pending, self.ended = 0, {}, False

    def on_ready(self, up):
        self.ready() if up is self.up else self.ask(1, up)

    def on_request(self, count):
        self.demand += count
        self.drain()
        if not self.ended:
            self.ask(count, self.up)

    def on_value(self, value, up):
        if up is self.up:
            if len(self.pending) >= self.fields.get("limit", 100_000):
                raise Failure("S409", "delayWhen is full")
            index, self.index = self.index, self.index + 1
            inner = self.connect(self.scope.stream(self.fields["stream"], outer=value, outerIndex=index))
            self.pending[inner] = value
        else:
            released = self.pending.pop(up)
            self.detach(up)
            self.put(released)
            self.close_if_done()

    def close_if_done(self):
        if self.ended and not self.pending:
            self.close()

    def on_end(self, failure, up):
        if failure:
            self.end(failure)
            return
        if up is self.up:
            self.ended = True
        else:
            del self.pending[up]
            self.ask(1, self.up) if not self.ended else None
        self.close_if_done()


@operator("rateLimit")
class RateLimit(Queued):
    """A token bucket. Its level is in tokens times `seconds`, so it stays an integer."""

    def set_up(self):
        self.size, self.period = self.fields["count"], nanoseconds(self.fields["seconds"])
        self.policy, self.limit = self.fields.get("whenFull", "wait"), self.fields.get("limit", 100_000)
        self.level, self.filled, self.timer, self.asked = self.size * self.period, 0, None, 0
        self.ended = False

    def start(self):
        self.filled = self.scheduler.now
        super().start()

    def take(self):
        """Takes a token; else returns the wait for one."""
        now = self.scheduler.now
        self.level = min(self.size * self.period, self.level + (now - self.filled) * self.size)
        self.filled = now
        if self.level >= self.period:
            self.level -= self.period
            return None
        return -(-(self.period - self.level) // self.size)

    def on_request(self, count):
        self.demand += count
        if self.policy != "wait":
            self.ask(count, self.up)
        else:
            self.publish()
            self.replenish()

    def replenish(self):
        more = min(self.demand, self.limit) - self.asked
        if more > 0 and not self.ended:
            self.asked += more
            self.ask(more, self.up)

    def on_value(self, value, up):
        if self.policy == "wait":
            self.queue.append(value)
            self.publish()
        elif self.take() is None:
            self.send(value)
        elif self.policy == "drop":
            self.ask(1, self.up)
        else:
            raise Failure("S409", "the rate is exceeded")

    def publish(self):
        """Publishes one value at a time."""
        if self.publishing:
            return
        if self.ended and not self.queue:
            self.end()
        elif self.queue and self.demand > 0 and self.timer is None:
            wait = self.take()
            if wait is not None:
                self.timer = self.after(wait, self.refill)
                return
            self.publishing = True
            self.demand -= 1
            self.asked -= 1
            self.send(self.queue.popleft())
            self.scheduler.effect(lambda: self.handle(self.go_on))

    def go_on(self):
        self.publishing = False
        self.replenish()
        self.publish()

    def refill(self):
        self.timer = None
        self.publish()

    def on_end(self, failure, up):
        self.ended = True
        if failure:
            self.end(failure)
        else:
            self.publish()


class Arrays(Queued):
    """An operator that collects values into arrays, which wait for demand; `limit` bounds all of them."""

    def set_up(self):
        self.open, self.index = [], 0
        self.limit = self.fields.get("limit", 1_000_000)
        self.up = None

    def check(self):
        waiting = list(self.queue) + [array for array in self.open]
        if sum(max(1, len(array)) for array in waiting) > self.limit:
            raise Failure("S409", "the arrays are full")

    def on_ready(self, up):
        self.ready() if up is self.up else self.ask(UNLIMITED, up)

    def on_request(self, count):
        if not self.closing and self.up:
            self.ask(UNLIMITED, self.up)
        super().on_request(count)

    def add(self, value):
        for array in self.open:
            array.append(value)
        self.check()

    def conclude(self, failure, keep_empty):
        if failure:
            self.end(failure)
        else:
            self.queue.extend(array for array in self.open if array or keep_empty)
            self.open = []
            self.close()


@operator("collectTime")
class CollectTime(Arrays):
    """Combine's collect(.byTime) and .byTimeOrCount; with `startEvery` RxJS's bufferTime."""

    def start(self):
        self.period = nanoseconds(self.fields["seconds"])
        self.empty = self.fields.get("emitEmpty", False)
        self.size, self.timer = self.fields.get("count"), None
        self.up = self.connect(self.upstream)
        self.begin_array()
        if "startEvery" in self.fields:
            self.after(nanoseconds(self.fields["startEvery"]), self.begin_next)

    def begin_array(self):
        array = []
        self.open.append(array)
        self.timer = self.after(self.period, lambda: self.close_array(array))

    def begin_next(self):
        self.after(nanoseconds(self.fields["startEvery"]), self.begin_next)
        self.begin_array()

    def close_array(self, array):
        if not any(other is array for other in self.open):
            return
        self.open = [other for other in self.open if other is not array]
        if "startEvery" not in self.fields:
            self.begin_array()
        if array or self.empty:
            self.queue.append(array)
            self.check()
            self.drain()

    def on_value(self, value, up):
        self.add(value)
        for array in list(self.open):
            if len(array) == self.size:
                if "startEvery" not in self.fields:
                    self.timer.cancel()
                self.close_array(array)

    def on_end(self, failure, up):
        self.after(0, lambda: self.conclude(failure, self.empty))


@operator("collectUntil")
class CollectUntil(Arrays):
    """RxJS's buffer, bufferWhen (`each`) and bufferToggle, and arrays up to a matching value."""

    def set_up(self):
        super().set_up()
        self.number, self.closings = 0, {}

    def start(self):
        if "opening" in self.fields:
            self.other = self.connect(self.scope.stream(self.fields["opening"]), "opening")
        elif self.fields.get("each"):
            self.open = [[]]
            self.ready()
            self.watch()
        elif "stream" in self.fields:
            self.open = [[]]
        self.up = self.connect(self.upstream)
        if "stream" in self.fields and not self.fields.get("each"):
            self.other = self.connect(self.scope.stream(self.fields["stream"]), "stream")

    def on_ready(self, up):
        if up is self.up and self.fields.get("each"):
            self.ask(UNLIMITED if self.demand else 0, up)
        else:
            super().on_ready(up)

    def watch(self):
        number, self.number = self.number, self.number + 1
        self.other = self.connect(self.scope.stream(self.fields["stream"], outerIndex=number), "stream")

    def on_value(self, value, up):
        if up is self.up:
            self.value(value)
        elif up.tag == "opening":
            array = []
            self.open.append(array)
            self.check()
            number, self.number = self.number, self.number + 1
            closing = self.connect(
                self.scope.stream(self.fields["closing"], outer=value, outerIndex=number), "closing")
            self.closings[closing] = array
        elif up.tag == "closing":
            array = self.closings.pop(up)
            self.detach(up)
            self.open = [other for other in self.open if other is not array]
            self.put(array)
        else:
            self.rotate(up)

    def rotate(self, up):
        array, self.open = self.open[0], [[]]
        if self.fields.get("each"):
            self.detach(up)
        self.queue.append(array)
        self.check()
        self.drain()
        if self.fields.get("each"):
            self.watch()

    def value(self, value):
        if "expression" not in self.fields:
            self.add(value)
            return
        index, self.index = self.index, self.index + 1
        last = self.scope.test(self.fields["expression"], value=value, index=index)
        if not self.open:
            self.open = [[]]
        self.add(value)
        if last:
            self.put(self.open.pop())

    def on_end(self, failure, up):
        if up is self.up:
            self.conclude(failure, keep_empty=True)
        elif failure:
            self.end(failure)
