"""A stage is one subscription to an operator or a source.

Signals arrive through `on_…`, one at a time; a stage responds with `ready`, `send`, `end`, `ask` and `connect`, which
are carried out in order after it has returned. Cancellation alone travels at once.
"""

from collections import deque

from values import Failure

UNLIMITED = float("inf")
QUEUE_LIMIT = 1024  # values without demand, where there is no field for it


class Stage:
    skips = False  # onError: "skip"
    scope = None
    orders_results = False  # whether it puts the results of a partition in order
    follows_results = False  # whether it is behind such a stage

    def __init__(self, run):
        self.run, self.scheduler = run, run.scheduler
        self.down, self.tag, self.up = None, None, None
        self.ups, self.timers = [], []
        self.canceled = self.over = False
        self.is_ready = self.is_open = False  # the subscription is on its way down, and has arrived there

    # Signals, for a stage to override.

    def set_up(self):
        """The fields are known."""

    def start(self):
        """The subscription: by default upstream is subscribed to."""
        self.up = self.connect(self.upstream)

    def on_ready(self, up):
        self.ready()

    def on_request(self, count):
        if self.up:
            self.ask(count, self.up)

    def on_value(self, value, up):
        self.send(value)

    def on_end(self, failure, up):
        self.end(failure)

    def on_cancel(self):
        pass

    def on_skip(self, up):
        """A value was dropped because it made the operator fail."""
        self.ask(1, up)

    # Responses.

    def connect(self, make, tag=None):
        """Subscribes to another stream, an upstream of this stage."""
        up = make()
        up.down, up.tag = self, tag
        up.follows_results = self.follows_results and not self.orders_results
        self.ups.append(up)
        self.scheduler.effect(up.begin)
        return up

    def ready(self):
        """Passes the subscription down, which allows requests."""
        self.is_ready = True
        self.scheduler.effect(lambda: self.canceled or self.down.handle(self.down.on_ready, self))

    def ask(self, count, up):
        if count > 0 and up is not None:
            self.scheduler.effect(lambda: up.handle(up.on_request, count))

    def send(self, value):
        self.scheduler.effect(lambda: self.canceled or self.down.receive(value, self))

    def end(self, failure=None):
        """Ends this stage: upstream is canceled at once, then downstream receives the end, after the subscription."""
        if self.over or self.canceled:
            return
        if not self.is_ready:
            self.ready()
        self.over = True
        self.release()
        self.scheduler.effect(lambda: self.canceled or self.down.receive_end(failure, self))

    def after(self, nanoseconds, action, is_last=False):
        """Sets a timer of this stage. 0 is later within this instant, at its end if it is a last one. What is behind the
        results of a partition comes after them."""
        rank = 2 if self.orders_results else is_last + 3 * self.follows_results
        timer = self.scheduler.at(self.scheduler.now + nanoseconds, lambda: self.handle(action), rank)
        self.timers = [other for other in self.timers if other.action] + [timer]
        return timer

    def drop(self, reason=""):
        """Counts a value that is lost because nobody has requested it."""
        self.run.dropped += 1

    # Delivery.

    def handle(self, signal, *arguments):
        if self.canceled or self.over:
            return
        try:
            signal(*arguments)
        except Failure as failure:
            self.scheduler.effects = []
            self.end(failure)

    def begin(self):
        self.handle(self.start)

    def receive(self, value, up):
        if self.canceled or self.over:
            return
        try:
            self.on_value(value, up)
        except Failure as failure:
            self.scheduler.effects = []
            if self.skips and failure.code != "S416":
                self.run.skipped += 1
                self.on_skip(up)
            else:
                self.end(failure)

    def receive_end(self, failure, up):
        if up in self.ups:
            self.ups.remove(up)
        self.handle(self.on_end, failure, up)

    def release(self):
        for timer in self.timers:
            timer.cancel()
        ups, self.ups = self.ups, []
        for up in ups:
            up.cancel()

    def cancel(self):
        if not self.canceled:
            self.canceled = True
            self.release()
            if not self.over:
                self.on_cancel()

    def detach(self, up):
        """Cancels one upstream."""
        if up in self.ups:
            self.ups.remove(up)
        up.cancel()


class Queued(Stage):
    """A stage with a queue of values that wait for demand; an end waits for the queue.

    One value is published at a time: what downstream requests meanwhile is added up and served afterwards.
    """

    def __init__(self, run):
        super().__init__(run)
        self.demand, self.queue, self.closing, self.publishing = 0, deque(), None, False

    def put(self, *values):
        self.queue.extend(values)
        self.drain()

    def close(self, failure=None):
        self.closing = (failure,)
        self.drain()

    def drain(self):
        if self.publishing:
            return
        if self.queue and self.demand > 0:
            self.publishing = True
            self.demand -= 1
            self.send(self.queue.popleft())
            self.on_drained()
            self.scheduler.effect(lambda: self.handle(self.go_on))
        elif self.closing and not self.queue:
            self.end(*self.closing)

    def go_on(self):
        self.publishing = False
        self.drain()

    def on_drained(self):
        """One value has left the queue."""

    def on_request(self, count):
        self.demand += count
        self.drain()

    def on_ready(self, up):
        self.ready()
