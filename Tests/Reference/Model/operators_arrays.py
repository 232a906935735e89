"""collectTime and collectUntil: values in arrays whose ends a time, another stream or an expression determines."""

from sources import nanoseconds
from stage import UNLIMITED, Queued
from table import operator
from values import Failure, Timestamp
from windows import Aligned


class Arrays(Queued):
    """An operator that collects values into arrays, which wait for demand; `limit` bounds all of them."""

    def set_up(self):
        self.open, self.index = [], 0
        self.limit = self.fields.get("limit", 1_000_000)
        self.up, self.is_begun = None, False  # whether upstream can be asked

    def check(self):
        waiting = list(self.queue) + [array for array in self.open]
        if sum(max(1, len(array)) for array in waiting) > self.limit:
            raise Failure("S409", "the arrays are full")

    def on_ready(self, up):
        self.is_begun = self.is_begun or up is self.up
        self.ready() if up is self.up else self.ask(UNLIMITED, up)

    def on_request(self, count):
        if not self.closing and self.is_begun:
            self.ask(self.demand_for(count), self.up)
        super().on_request(count)

    def demand_for(self, count):
        """What to ask upstream for so many arrays."""
        return UNLIMITED

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
            for up in list(self.ups):  # signals, which have no meaning without upstream
                self.detach(up)
            self.close()


class Interval(list):
    """An array of an aligned interval, with its bounds."""


@operator("collectTime")
class CollectTime(Arrays):
    """Combine's collect(.byTime) and .byTimeOrCount; with `startEvery` RxJS's bufferTime."""

    def start(self):
        self.stopped = False
        self.period = nanoseconds(self.fields["seconds"])
        self.empty = self.fields.get("emitEmpty", False)
        self.size, self.timer = self.fields.get("count"), None
        self.aligned = Aligned(self.fields, self.period) if "align" in self.fields else None
        if self.aligned:
            if self.empty:
                self.after(0, self.begin_aligned)  # with the values of the first instant, time is known
            self.up = self.connect(self.upstream)
            return
        self.up = self.connect(self.upstream)
        self.begin_array()
        if "startEvery" in self.fields:
            self.after(nanoseconds(self.fields["startEvery"]), self.begin_next)

    def demand_for(self, count):
        """Combine's .byTimeOrCount asks for just enough values for full arrays."""
        return UNLIMITED if self.size is None or "startEvery" in self.fields else count * self.size

    def begin_array(self):
        """Intervals end with upstream."""
        if self.stopped:
            return
        array = []
        self.open.append(array)
        self.timer = self.after(self.period, lambda: self.close_array(array))

    def begin_next(self):
        self.after(nanoseconds(self.fields["startEvery"]), self.begin_next)
        self.begin_array()

    def close_array(self, array):
        if self.stopped or not any(other is array for other in self.open):
            return
        self.open = [other for other in self.open if other is not array]
        if "startEvery" not in self.fields:
            self.begin_array()
        if array or self.empty:
            self.publish(array)

    def present(self):
        return self.run.options.start + self.scheduler.now

    def begin_aligned(self):
        """Opens the intervals that hold the present, and looks again at the next start."""
        if self.stopped:
            return
        self.roll()
        self.after(self.aligned.next_start(self.present()) - self.present(), self.begin_aligned)

    def roll(self):
        """Closes the aligned intervals that are over, and opens those that hold the present."""
        present = self.present()
        while self.open and self.open[0].end <= present:
            self.close_aligned(self.open[0])
        for start, end in self.aligned.opening(present):
            array = Interval()
            array.start, array.end = start, end
            self.open.append(array)
            self.check()
            self.after(end - present, lambda array=array: self.close_aligned(array))

    def close_aligned(self, array):
        if self.stopped or not any(other is array for other in self.open):
            return
        self.open = [other for other in self.open if other is not array]
        if array or self.empty:
            self.publish(self.result(array))

    def result(self, array):
        if "expression" not in self.fields:
            return list(array)
        bounds = {"windowStart": Timestamp(array.start), "windowEnd": Timestamp(array.end)}
        return self.scope.evaluate(self.fields["expression"], value=list(array), **bounds)

    def publish(self, array):
        self.queue.append(array)
        self.check()
        self.drain()

    def on_value(self, value, up):
        if self.aligned:
            self.roll()
        self.add(value)
        for array in list(self.open):
            if len(array) == self.size:
                # A full array is published through the scheduler.
                self.open = [other for other in self.open if other is not array]
                if "startEvery" not in self.fields:
                    self.timer.cancel()
                    self.begin_array()
                self.after(0, lambda array=array: self.publish(array))

    def on_end(self, failure, up):
        self.stopped = True
        self.after(0, lambda: self.finish(failure))

    def finish(self, failure):
        if self.aligned and not failure:
            if self.empty and self.aligned.opened is None and self.run.options.has_time:
                self.roll()  # the stream ends at its first instant
            self.queue.extend(self.result(array) for array in self.open if array or self.empty)
            self.open = []
        self.conclude(failure, self.empty)


@operator("collectUntil")
class CollectUntil(Arrays):
    """RxJS's buffer, bufferWhen (`each`) and bufferToggle, and arrays up to a matching value."""

    def set_up(self):
        super().set_up()
        self.number, self.closings = 0, {}
        self.unasked, self.is_asked = [], False  # the signals that nothing has been requested from yet
        self.signals_first = "opening" in self.fields or self.fields.get("each")

    def start(self):
        if self.signals_first:
            self.ready()
        if "opening" in self.fields:
            self.other = self.connect(self.scope.stream(self.fields["opening"]), "opening")
        elif self.fields.get("each"):
            self.open = [[]]
            self.watch()
        elif "stream" in self.fields:
            self.open = [[]]
        self.up = self.connect(self.upstream)
        if "stream" in self.fields and not self.fields.get("each"):
            self.other = self.connect(self.scope.stream(self.fields["stream"]), "stream")

    def on_ready(self, up):
        if up is self.up and self.signals_first:
            self.is_begun = True
            self.ask(UNLIMITED if self.is_asked else 0, up)
        elif up is self.up or self.is_asked or up.tag == "closing":
            super().on_ready(up)
        else:
            self.unasked.append(up)

    def on_request(self, count):
        """Nothing is requested before downstream requests something."""
        signals, self.unasked, self.is_asked = self.unasked, [], True
        if not self.signals_first:
            super().on_request(count)
        for signal in signals:
            self.ask(UNLIMITED, signal)
        if self.signals_first:
            super().on_request(count)

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
        else:
            self.ask(1, self.up)  # no array is complete with it

    def demand_for(self, count):
        return count if "expression" in self.fields else UNLIMITED

    def on_end(self, failure, up):
        if up is self.up:
            self.conclude(failure, keep_empty=True)
        elif failure:
            self.end(failure)
