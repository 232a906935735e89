"""The sources of values, and the inputs that the host feeds."""

from marbles import parse_marbles
from stage import QUEUE_LIMIT, Queued, Stage
from values import Failure, Map, kind

FINISHED = object()


def nanoseconds(seconds):
    return round(seconds * 10**9)


def file_failure(error, code="S407"):
    """The failure that a file gives: any JSON value."""
    message = error if isinstance(error, str) else error.get("message", "") if isinstance(error, Map) else str(error)
    failure = Failure(code, message, error)
    failure.from_file = True
    return failure


class Pull(Stage):
    """A source that creates values on demand: an iterator, which is read one value ahead."""

    interval = 0

    def __init__(self, run, iterate):
        super().__init__(run)
        self.iterate, self.demand, self.pumping, self.iterator = iterate, 0, False, None

    def start(self):
        self.ready()
        self.scheduler.effect(lambda: self.handle(self.open))

    def open(self):
        if self.iterator is None:
            self.iterator = False
            self.look()

    def look(self):
        """Reads the next value, or the end."""
        self.waiting = False
        try:
            self.iterator = self.iterator or self.iterate()
            self.next, self.waiting = next(self.iterator), True
        except StopIteration:
            self.end()
        except Failure:
            if not self.skips:
                raise
            self.run.skipped += 1
            self.end()
        else:
            self.pump()

    def on_request(self, count):
        self.demand += count
        self.open()
        self.pump()

    def pump(self):
        if self.demand > 0 and not self.pumping and getattr(self, "waiting", False):
            self.pumping = True
            self.demand -= 1
            self.send(self.next)
            self.scheduler.effect(lambda: self.handle(self.again))

    def again(self):
        self.pumping = False
        self.look()


class Reading(Pull):
    """A file: its end is found by reading on, when one more value is requested."""

    is_begun = False

    def open(self):
        self.is_begun = True
        self.pump()

    def pump(self):
        if self.is_begun and self.demand > 0 and not self.pumping and not getattr(self, "waiting", False):
            self.look()
        else:
            super().pump()

    def again(self):
        self.pumping = self.waiting = False
        self.pump()


class Plan(Queued):
    """Events at times since the subscription, [(nanoseconds, value or FINISHED or Failure)], all set at once. An event
    waits for demand, and those after it wait for it."""

    def __init__(self, run, events):
        super().__init__(run)
        self.events = events

    def start(self):
        self.ready()
        for time, event in self.events:
            self.after(time, lambda event=event: self.happen(event))

    def happen(self, event):
        if self.closing:
            return
        if event is FINISHED or isinstance(event, Failure):
            self.close(None if event is FINISHED else event)
        else:
            self.put(event)


class Ticks(Stage):
    """Events of which each is known when the one before it has happened. An end follows the last value at once. A tick
    that nobody has requested is dropped."""

    def __init__(self, run, events):
        super().__init__(run)
        self.events, self.demand = events, 0

    def start(self):
        self.events, self.begun = iter(self.events), self.scheduler.now
        self.ready()
        self.schedule()

    def on_request(self, count):
        self.demand += count

    def schedule(self):
        event = next(self.events, None)
        if event is None:
            return
        wait = max(0, self.begun + event[0] - self.scheduler.now)
        if event[1] is FINISHED or isinstance(event[1], Failure):
            failure = None if event[1] is FINISHED else event[1]
            self.scheduler.effect(lambda: self.handle(self.end, failure)) if wait == 0 else self.after(
                wait, lambda: self.end(failure))
        else:
            self.after(wait, lambda: self.tick(event[1]))

    def tick(self, event):
        if self.demand > 0:
            self.demand -= 1
            self.send(event)
        else:
            self.drop()
        self.schedule()


class Once(Stage):
    """Ends at the subscription, or never."""

    def __init__(self, run, ends, failure=None):
        super().__init__(run)
        self.ends, self.failure = ends, failure

    def start(self):
        self.ready()
        if self.ends:
            self.scheduler.effect(lambda: self.handle(lambda: self.end(self.failure)))

    def on_request(self, count):
        pass


class Input(Queued):
    """One subscriber of an input."""

    def __init__(self, run, feed):
        super().__init__(run)
        self.feed, self.missed = feed, False

    def start(self):
        self.feed.subscribers.append(self)
        self.missed = self.feed.has_value and not self.feed.ended  # after the end there is only the end
        self.ready()
        if self.feed.ended:
            self.scheduler.effect(lambda: self.handle(self.finish, *self.feed.ended))

    def on_request(self, count):
        if self.missed:
            self.missed = False
            self.queue.append(self.feed.value)
        super().on_request(count)

    def offer(self, value):
        """A value of the host."""
        if self.closing:
            return
        if self.demand > 0 or self.feed.waits:
            self.missed = False
            self.put(value)
        elif self.feed.has_value and not self.feed.buffer:
            if self.missed:
                self.drop()
            self.missed = True
        else:
            self.keep(value, *(self.feed.buffer or (QUEUE_LIMIT, "fail")))

    def keep(self, value, capacity, policy):
        if len(self.queue) < capacity:
            self.queue.append(value)
        elif policy == "fail":
            raise Failure("S409", "the queue of the input is full")
        else:
            self.drop()
            if policy == "dropOldest":
                self.queue.popleft()
                self.queue.append(value)

    def finish(self, failure):
        """A failure does not wait for the values that wait for demand, as Combine's."""
        self.end(failure) if failure else self.close()

    def on_cancel(self):
        if self in self.feed.subscribers:
            self.feed.subscribers.remove(self)


class Feed:
    """An input: its subscribers in the order of subscription, and its newest value if it has an initial one."""

    def __init__(self, run, name, declaration):
        self.run, self.name, self.subscribers, self.ended = run, name, [], None
        self.is_read = False  # whether a value has been sent
        self.waits = False  # whether the host reads a record only when it is requested
        self.has_value = declaration is not None and "initialValue" in declaration
        self.value = declaration["initialValue"] if self.has_value else None
        buffer = declaration.get("buffer") if declaration is not None else None
        self.buffer = buffer and (buffer["capacity"], buffer.get("whenFull", "fail"))

    def send(self, value):
        if self.ended:
            return
        self.is_read = True
        if self.has_value:
            self.value = value
        for subscriber in list(self.subscribers):
            self.run.scheduler.effect(lambda subscriber=subscriber: subscriber.handle(subscriber.offer, value))

    def finish(self, failure=None):
        if not self.ended:
            self.ended = (failure,)
            for subscriber in list(self.subscribers):
                self.run.scheduler.effect(lambda subscriber=subscriber: subscriber.handle(subscriber.finish, failure))

    def living(self):
        return [subscriber for subscriber in self.subscribers if not subscriber.canceled and not subscriber.over]

    def is_full(self):
        return any(len(subscriber.queue) >= QUEUE_LIMIT for subscriber in self.living())

    def can_finish(self, values):
        """A file is not opened before a stream subscribes to its input; its end follows its last value."""
        return not values and (self.is_read or bool(self.living()))

    def can_take(self):
        """Whether a branch wants a value, and the queue of no other branch is full."""
        return any(subscriber.demand > 0 for subscriber in self.living()) and not self.is_full()


def make_source(scope, name, fields):
    """A closure that subscribes to a source."""
    run = scope.run

    def pull(iterate):
        def make():
            stage = Pull(run, iterate)
            stage.skips = scope.skips
            return stage
        return make

    def at_subscription(field, expression):
        return lambda: fields[field] if field in fields else scope.evaluate(fields[expression])

    if name == "just":
        value = at_subscription("value", "expression")
        return pull(lambda: iter([value()]))
    if name == "sequence":
        values = at_subscription("values", "expression")

        def elements():
            result = values()
            if not isinstance(result, list):
                raise Failure("S408", f"the expression returns {kind(result)}, not a list")
            return iter(result)
        return pull(elements)
    if name == "range":
        step = fields.get("by", 1)
        end = fields["through"] + (1 if step > 0 else -1)
        return pull(lambda: iter(range(fields["from"], end, step)))
    if name == "repeatElement":
        return pull(lambda: repeat(fields["value"], fields.get("count")))
    if name == "generate":
        interval = nanoseconds(fields.get("seconds", 0))
        if interval:
            return lambda: Ticks(run, generate_timed(scope, fields, interval))
        return pull(lambda: generate(scope, fields))
    if name == "timer":
        every, first = nanoseconds(fields["every"]), nanoseconds(fields.get("startingAfter", fields["every"]))
        return lambda: Ticks(run, ticks(every, first, fields.get("count")))
    if name == "record":
        return lambda: Plan(run, [(nanoseconds(event["at"]), event_of(event)) for event in fields["events"]])
    if name == "marbles":
        events = parse_marbles(fields["diagram"], fields.get("values"), nanoseconds(fields.get("frame", 0.001)))
        return lambda: Plan(run, [event for event in events if event[0] >= 0])
    if name == "empty":
        return lambda: Once(run, True)
    if name == "never":
        return lambda: Once(run, False)
    if name == "fail":
        return lambda: Once(run, True, file_failure(fields["error"]))
    if name == "iif":
        return lambda: Choice(run, scope, fields)
    if name == "input":
        return scope.input(fields["name"], fields.get("late", False))
    if name == "stream":
        return scope.named(fields["name"]) if "name" in fields else scope.from_file(fields)
    if name == "call":
        return lambda: Call(run, scope, fields)
    if name == "file":
        return lambda: Reading(run, lambda: iter(run.read_file(fields["path"], fields["format"], fields.get("type"))))
    raise NotImplementedError(name)


def event_of(event):
    if "value" in event:
        return event["value"]
    return FINISHED if event.get("finished") else file_failure(event["failure"])


def repeat(value, count):
    while count is None or count > 0:
        yield value
        count = count and count - 1


def generate(scope, fields):
    value = fields["initialValue"]
    while "while" not in fields or scope.test(fields["while"], value=value):
        yield scope.evaluate(fields["output"], value=value) if "output" in fields else value
        value = scope.evaluate(fields["next"], value=value)


def generate_timed(scope, fields, interval):
    """The end follows the last value at once."""
    time = interval
    try:
        for value in generate(scope, fields):
            yield time, value
            time += interval
    except Failure as failure:
        yield time - interval, failure
    else:
        yield max(0, time - interval), FINISHED


def ticks(every, first, count):
    tick = 0
    while count is None or tick < count:
        yield first + tick * every, tick
        tick += 1
    yield max(0, first + (tick - 1) * every) if tick else 0, FINISHED


class Call(Stage):
    """A call of a host function, which is made with the first request."""

    def __init__(self, run, scope, fields):
        super().__init__(run)
        self.scope, self.fields, self.made = scope, fields, False

    def start(self):
        self.ready()

    def on_request(self, count):
        if self.made:
            return
        try:
            argument = self.scope.evaluate(self.fields["argument"]) if "argument" in self.fields else None
        except Failure as failure:
            self.run.skipped += self.scope.skips
            self.end(None if self.scope.skips else failure)
            return
        self.made = True
        self.run.call(self, self.fields["function"], argument)

    def answer(self, result):
        if isinstance(result, Failure):
            self.end(result)
        else:
            self.send(result)
            self.end()


class Choice(Stage):
    """iif: the condition is evaluated at each subscription."""

    def __init__(self, run, scope, fields):
        super().__init__(run)
        self.scope, self.fields = scope, fields

    def start(self):
        try:
            branch = "then" if self.scope.test(self.fields["condition"]) else "else"
        except Failure as failure:
            self.run.skipped += self.scope.skips
            self.end(None if self.scope.skips else failure)
            return
        if branch in self.fields:
            self.up = self.connect(self.scope.branch(self.fields[branch]))
        else:
            self.ready()
            self.end()

    def on_ready(self, up):
        self.ready()
