"""share: one subscription to upstream for all subscribers, which belongs to the stream in the file."""

from stage import QUEUE_LIMIT, UNLIMITED, Queued, Stage
from sources import nanoseconds
from table import OPERATORS


class Hub(Stage):
    """The shared subscription."""

    def __init__(self, scope, fields, make):
        super().__init__(scope.run)
        self.scope, self.fields, self.upstream = scope, fields, make
        self.subscribers, self.up, self.asked, self.reset_stream = [], None, 0, None
        self.keeps = max(fields.get("replay", 0), 1 if "initialValue" in fields else 0)
        self.clear()

    def clear(self):
        """As at the start: nothing to replay, and no end."""
        self.kept, self.ended = [], None
        if "initialValue" in self.fields:
            self.kept = [(self.scheduler.now, self.fields["initialValue"])]

    def replayed(self):
        if "replaySeconds" in self.fields:
            oldest = self.scheduler.now - nanoseconds(self.fields["replaySeconds"])
            self.kept = [(time, value) for time, value in self.kept if time > oldest]
        return [value for _, value in self.kept]

    def add(self, subscriber):
        self.cancel_reset()
        self.subscribers.append(subscriber)
        self.follows_results = subscriber.follows_results
        # After the end, without a replay there is only the end, also with `initialValue`: as of a CurrentValueSubject.
        if not self.ended or self.fields.get("replay"):
            subscriber.queue.extend(self.replayed())
        subscriber.ready()
        if self.ended:
            subscriber.scheduler.effect(lambda: subscriber.handle(subscriber.close, *self.ended))
        elif self.up is None and len(self.subscribers) >= self.fields.get("subscribers", 1):
            self.asked = 0
            self.up = self.connect(self.upstream)
            self.is_ready = self.has_begun = False

    def on_ready(self, up):
        self.is_ready = True
        self.replenish()

    def replenish(self):
        """Requests what one subscriber wants and the slowest has room for, once `subscribers` have requested some."""
        if self.up is None or not self.is_ready or not self.subscribers:
            return
        if not self.has_begun:
            asking = sum(subscriber.has_requested for subscriber in self.subscribers)
            if asking < self.fields.get("subscribers", 1):
                return
            self.has_begun = True
        room = min(subscriber.demand + QUEUE_LIMIT - len(subscriber.queue) for subscriber in self.subscribers)
        wanted = min(room, max(subscriber.demand for subscriber in self.subscribers))
        if wanted > self.asked:
            more = wanted - self.asked if wanted != UNLIMITED else UNLIMITED
            self.asked = wanted
            self.ask(more, self.up)

    def on_value(self, value, up):
        if up is not self.up:
            self.detach(up)
            self.reset()
            return
        self.asked -= 1
        if self.keeps:
            self.kept = (self.kept + [(self.scheduler.now, value)])[-self.keeps:]
        for subscriber in list(self.subscribers):
            self.scheduler.effect(lambda subscriber=subscriber: subscriber.handle(subscriber.put, value))

    def on_end(self, failure, up):
        if up is not self.up:
            return
        self.up = None
        self.ended = (failure,)
        subscribers, self.subscribers = self.subscribers, []
        self.reset_by("resetOnFailure" if failure else "resetOnFinish")
        for subscriber in subscribers:
            self.scheduler.effect(lambda subscriber=subscriber: subscriber.handle(subscriber.close, failure))

    def reset_by(self, field):
        how = self.fields.get(field, False)
        if how is True:
            self.reset()
        elif how is not False:
            self.reset_stream = self.connect(self.scope.stream(how), "reset")
            self.ask(1, self.reset_stream)

    def cancel_reset(self):
        if self.reset_stream:
            self.detach(self.reset_stream)
            self.reset_stream = None

    def reset(self):
        self.reset_stream = None
        self.disconnect()
        self.clear()

    def disconnect(self):
        if self.up:
            self.detach(self.up)
            self.up = None

    def remove(self, subscriber):
        if subscriber not in self.subscribers:
            return
        self.subscribers.remove(subscriber)
        if self.subscribers:
            self.scheduler.effect(self.replenish)
        elif not self.fields.get("staysConnected") and not self.ended:
            if self.fields.get("resetWhenUnused", False) in (False, True):
                self.disconnect()
            self.reset_by("resetWhenUnused")


class Subscriber(Queued):
    def __init__(self, run, hub):
        super().__init__(run)
        self.hub, self.has_requested = hub, False

    def start(self):
        self.hub.add(self)

    def on_request(self, count):
        self.has_requested = True
        super().on_request(count)
        self.scheduler.effect(self.hub.replenish)

    def on_cancel(self):
        self.hub.remove(self)


def add_share(scope, fields, make):
    hub = Hub(scope, fields, make)
    return lambda: Subscriber(scope.run, hub)


OPERATORS["share"] = add_share
