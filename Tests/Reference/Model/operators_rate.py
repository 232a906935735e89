"""timeout, delaySubscription, delayWhen and rateLimit."""

from sources import file_failure, nanoseconds
from stage import Queued, Stage
from table import OPERATORS, operator, prepare
from values import Failure


def timeout(scope, fields, make):
    stage = TimeoutNotice if fields.get("onTimeout") == "publish" else Timeout
    return lambda: prepare(stage, "timeout", scope, fields, make)


OPERATORS["timeout"] = timeout


class TimeoutNotice(Queued):
    """Publishes a value after a silence, and goes on; the clock restarts with the next value."""

    def set_up(self):
        self.asked, self.received, self.silent, self.last, self.timer = 0, False, False, None, None

    def start(self):
        self.up = self.connect(self.upstream)
        self.scheduler.effect(lambda: self.handle(self.restart))

    def restart(self):
        if self.timer:
            self.timer.cancel()
        seconds = self.fields.get("seconds")
        if not self.received:
            seconds = self.fields.get("first", seconds)
        self.timer = self.after(nanoseconds(seconds), self.expire) if seconds is not None else None

    def expire(self):
        self.silent = True
        notice = self.fields.get("value")
        if "expression" in self.fields:
            try:
                notice = self.scope.evaluate(self.fields["expression"], value=self.last)
            except Failure:
                if not self.skips:
                    raise
                self.run.skipped += 1
                return
        self.put(notice)

    def on_request(self, count):
        if self.asked == 0 and not self.received and not self.silent:
            self.restart()
        super().on_request(count)
        self.more()

    def more(self):
        count = self.demand - self.asked if self.demand > self.asked else 0
        if count > 0 and not self.queue:
            self.asked += count
            self.ask(count, self.up)

    def on_skip(self, up):
        self.asked -= 1
        self.more()

    def on_value(self, value, up):
        self.asked -= 1
        self.received, self.silent, self.last = True, False, value
        self.restart()
        self.put(value)

    def on_end(self, failure, up):
        if self.timer:
            self.timer.cancel()
        self.end(failure) if failure else self.close()


class Timeout(Stage):
    """Values and the end pass through the scheduler; the clock restarts with each value."""

    def set_up(self):
        self.limit = self.fields.get("limit", 100_000)
        self.demand, self.asked, self.switched, self.received, self.timer = 0, 0, False, False, None

    def start(self):
        self.up = self.connect(self.upstream)
        self.scheduler.effect(lambda: self.handle(self.restart))  # after the timers of upstream, as in RxJS

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
            error = self.fields.get("error", "no value arrived in time" if self.fields.get("onTimeout") == "fail" else None)
            self.end(file_failure(error) if error is not None else None)

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
