"""Operators that delay values or limit their rate."""

from sources import nanoseconds
from stage import QUEUE_LIMIT, UNLIMITED, Queued
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
        self.number = 0  # of the next value

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
        number, self.number = self.number, self.number + 1
        if self.running and self.edges == "leading":
            return
        if self.pending is None or self.latest:
            self.pending = (value, number)
        if not self.running:
            self.emit() if self.edges != "trailing" else self.begin_interval(value, number)

    def begin_interval(self, value, number):
        self.running = True
        if self.wait is None:
            self.index = number
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
        (value, number), self.pending = self.pending, None
        self.publish(value)
        if not self.ended:
            self.begin_interval(value, number)

    def on_end(self, failure, up):
        if up is self.up:
            self.ended = (failure,)
            if self.combine:
                if self.pending is None:
                    self.after(0, lambda: self.conclude(failure))
            elif failure or self.pending is None or not self.running:
                # A stream that finished without a value has opened the way for the next value only.
                self.conclude(failure)
        elif failure:
            self.end(failure)
        else:
            # A stream without a value publishes nothing, and what waited is dropped with it.
            self.inner, self.running, self.pending = None, False, None
            if self.ended:
                self.conclude(*self.ended)


@operator("audit")
class Audit(Timed):
    def set_up(self):
        super().set_up()
        self.newest, self.running, self.ended, self.number = None, False, False, 0

    def on_value(self, value, up):
        if up is not self.up:
            self.stop_inner()
            self.fire()
            return
        self.newest = (value,)
        number, self.number = self.number, self.number + 1
        if not self.running:
            self.running = True
            if "stream" in self.fields:
                self.index = number
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
