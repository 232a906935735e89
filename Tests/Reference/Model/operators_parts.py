"""groupBy and window: values in parts, on each of which operators run."""

from collections import deque

from sources import nanoseconds
from stage import UNLIMITED, Queued
from table import operator
from values import Failure, Timestamp, key_of
from windows import Aligned


class Part:
    """A group or a window: a subject to which its owner sends values. A late subscriber receives the end, and values from
    before only if its stream was paused then."""

    def __init__(self):
        self.subscribers, self.ended = [], None
        self.early = []  # the values that wait for the first subscriber; None after it

    def offer(self, value, is_paused):
        if self.early is not None and is_paused:
            self.early.append(value)
        for subscriber in list(self.subscribers):
            subscriber.scheduler.effect(lambda subscriber=subscriber: subscriber.handle(subscriber.put, value))

    def finish(self, failure=None):
        self.ended = (failure,)
        for subscriber in list(self.subscribers):
            subscriber.scheduler.effect(lambda subscriber=subscriber: subscriber.handle(subscriber.close, failure))


class PartSubscriber(Queued):
    def __init__(self, run, part):
        super().__init__(run)
        self.part = part

    def start(self):
        self.part.subscribers.append(self)
        self.ready()
        self.queue.extend(self.part.early or [])
        self.part.early = None
        if self.queue and self.part.ended:
            self.close(*self.part.ended)
        elif self.part.ended:
            self.scheduler.effect(lambda: self.handle(self.end, *self.part.ended))

    def on_cancel(self):
        if self in self.part.subscribers:
            self.part.subscribers.remove(self)


class Parts(Queued):
    """Streams of parts (groups or windows), whose values are published in order of arrival. With finite demand upstream
    is asked for one value when another one could be published, which belongs to the parts that are open when it comes, and
    each part has one requested value under way, as the streams of Combine's flatMap."""

    def set_up(self):
        self.index, self.ended, self.up, self.running, self.asking = 0, False, None, set(), 0
        self.is_begun = False  # whether upstream can be asked
        self.senders = deque()  # the parts of the values in the queue

    def on_ready(self, up):
        if up is self.up:
            self.is_begun = True
            self.ready()
        else:
            self.ask_other(up)

    def ask_other(self, up):
        self.ask(1 if up.tag == "part" and self.demand < UNLIMITED else UNLIMITED, up)

    def on_request(self, count):
        super().on_request(count)
        if self.demand == UNLIMITED:
            for part in self.ups:
                if part.tag == "part" and part.is_ready:
                    self.ask(UNLIMITED, part)
        self.ask_upstream()

    def part_value(self, value, up):
        self.senders.append(up)
        self.put(value)

    def on_drained(self):
        self.ask(1, self.senders.popleft())

    def ask_upstream(self):
        wanted = UNLIMITED if self.demand == UNLIMITED else int(self.demand > 0 and not self.queue and not self.publishing)
        if self.is_begun and wanted > self.asking:
            self.asking = wanted
            self.ask(wanted, self.up)

    def go_on(self):
        super().go_on()
        self.ask_upstream()

    def on_skip(self, up):
        self.received()

    def received(self):
        """A value of upstream has been received: another one may be requested when it has been dealt with."""
        if self.asking == 1:
            self.asking = 0
            self.scheduler.effect(lambda: self.handle(self.ask_upstream))

    def begin_part(self, scope):
        part = Part()
        source = lambda: PartSubscriber(self.run, part)  # noqa: E731
        part.stream = self.connect(scope.apply(self.fields["operators"], source), "part")
        self.running.add(part.stream)
        return part

    def offer(self, part, value):
        self.scheduler.effect(lambda: part.offer(value, part.stream in self.senders))

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
            self.received()
        elif up.tag == "part":
            self.part_value(value, up)
        else:
            self.detach(up)
            self.close_group(up.tag)

    def group_value(self, value):
        index, self.index = self.index, self.index + 1
        key = self.scope.evaluate(self.fields["key"], value=value, index=index)
        element = value
        if "element" in self.fields:
            element = self.scope.evaluate(self.fields["element"], value=value, index=index)
        identity = key_of(key)
        if identity not in self.groups:
            if len(self.groups) >= self.fields.get("limit", 10_000_000):
                if self.fields.get("whenFull", "fail") == "fail":
                    raise Failure("S409", "groupBy has too many groups")
                self.close_group(min(self.groups, key=lambda identity: self.groups[identity].used))
            self.begin_group(identity, key)
        group = self.groups[identity]
        group.used = self.index
        if "idle" in self.fields:
            if group.timer:
                group.timer.cancel()
            group.timer = self.after(nanoseconds(self.fields["idle"]), lambda: self.close_group(identity))
        self.offer(group, element)

    def begin_group(self, identity, key):
        scope = self.scope.with_key(self.fields.get("as", "key"), key)
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
        fields = self.fields
        self.seconds = nanoseconds(fields["seconds"]) if "seconds" in fields else None
        self.aligned = Aligned(fields, self.seconds) if "align" in fields else None
        self.ready()
        if self.aligned:
            if fields.get("emitEmpty"):
                self.after(0, self.begin_aligned)  # with the values of the first instant, time is known
        elif "opening" in fields:
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
            self.is_begun = True
            self.ask_upstream()
        else:
            self.ask_other(up)

    def open_next(self):
        self.after(self.step, self.open_next)
        self.open_window()

    def begin_aligned(self):
        """Opens the windows that hold the present, and looks again at the next start."""
        self.roll()
        present = self.run.options.start + self.scheduler.now
        self.after(self.aligned.next_start(present) - present, self.begin_aligned)

    def roll(self):
        """Closes the aligned windows that are over, and opens those that hold the present."""
        present = self.run.options.start + self.scheduler.now
        for part in [part for part in self.open if part.end <= present]:
            self.close_window(part)
        for start, end in self.aligned.opening(present):
            part = self.open_window(windowStart=Timestamp(start), windowEnd=Timestamp(end))
            part.end = end
            part.timer = self.after(end - present, lambda part=part: self.close_window(part))

    def open_window(self, outer=None, **bounds):
        if len(self.open) >= self.fields.get("limit", 1000):
            raise Failure("S409", "window has too many windows")
        number, self.number = self.number, self.number + 1
        part = self.begin_part(self.scope.with_(windowIndex=number, **bounds))
        part.count, part.until, part.timer = 0, None, None
        self.open.append(part)
        if self.seconds is not None and not bounds:
            part.timer = self.after(self.seconds, lambda: self.close_window(part, then_open=True))
        if self.fields.get("each"):
            part.until = self.connect(self.scope.stream(self.fields["stream"]), ("closing", part))
        elif "closing" in self.fields:
            part.until = self.connect(self.scope.stream(self.fields["closing"], outer=outer), ("closing", part))
        return part

    def close_window(self, part, then_open=False):
        if part in self.open:
            self.open.remove(part)
            if part.timer:
                part.timer.cancel()
            if part.until:
                self.detach(part.until)
            self.finish_part(part)
            if then_open and "startEverySeconds" not in self.fields and not self.aligned:
                self.open_window()

    def on_value(self, value, up):
        if up is self.up:
            self.value(value)
            self.received()
        elif up.tag == "part":
            self.part_value(value, up)
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
        if self.aligned:
            self.roll()
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
            if self.aligned and self.fields.get("emitEmpty") and self.aligned.opened is None and self.run.options.has_time:
                self.roll()  # the stream ends at its first instant
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
