"""partition: a stream for each key, in event time if the file has a `time`."""

from operators_parts import Parts
from sources import FINISHED, Feed, Input
from stage import UNLIMITED
from table import prepare
from values import Failure, Timestamp, key_of, kind

MILLISECOND = 10**6


class Keys(Parts):
    """The file's operators and named streams for each key, whose input is the values of the key."""

    def set_up(self):
        super().set_up()
        self.feeds = {}

    def on_value(self, value, up):
        if up is not self.up:
            self.part_value(value, up)
            return
        key = self.scope.evaluate(self.fields["key"], value=value)
        identity = key_of(key)
        if identity not in self.feeds:
            self.begin_key(identity, key)
        self.scheduler.effect(lambda: self.feeds[identity].send(value))

    def ask_other(self, up):
        self.ask(UNLIMITED, up)

    def ask_upstream(self):
        if self.demand > 0 and not self.asking:
            self.asking = UNLIMITED
            self.ask(UNLIMITED, self.up)

    def begin_key(self, identity, key):
        feed = self.feeds[identity] = Feed(self.run, self.input, None)
        scope = self.scope.with_(**{self.fields.get("as", "key"): key})
        scope.inputs = {self.input: lambda: Input(self.run, feed)}
        self.running.add(self.connect(scope.model(self.run.model), "part"))

    def on_end(self, failure, up):
        if up is not self.up:
            self.end_of_part(failure, up)
        elif failure:
            self.end(failure)
        else:
            self.ended = True
            for feed in self.feeds.values():
                self.scheduler.effect(feed.finish)
            self.scheduler.effect(lambda: self.handle(self.close_if_done))


def start_partition(run):
    partition, scope = run.model["partition"], run.file_scope()
    (name, fields), = run.model["source"].items()
    if name != "input":
        raise NotImplementedError("a partition of another source")
    if "time" in partition:
        order_by_time(run, scope, partition)
    feed = run.feeds[fields["name"]]

    def make():
        keys = prepare(Keys, "partition", scope, partition, lambda: Input(run, feed))
        keys.input = fields["name"]
        return keys
    run.start(scope.apply(partition.get("then", []), make))


def order_by_time(run, scope, partition):
    """Gives each record its time, as far as `lateness` allows in order. The stream begins with the first one."""
    lateness, late = round(partition.get("lateness", 0) * 10**9), partition.get("late", "apply")
    records = [value for _, values in run.pulled for value in values if value is not FINISHED] + [
        event for _, _, event in run.timed if event is not FINISHED]
    feed = next(iter(run.feeds.values()))
    held, ordered, newest, count = [], [], None, 0
    for record in records:
        record = run.converted(feed, record)
        time = time_of(scope.evaluate(partition["time"], value=record))
        newest = time if newest is None else max(newest, time)
        watermark = newest - lateness
        if time < watermark:
            run.late += 1
            if late != "apply":
                continue
            time = watermark
        count += 1
        held.append((time, count, record))
        held.sort(key=lambda entry: entry[:2])
        while held and held[0][0] <= watermark:
            ordered.append(held.pop(0))
    ordered += held
    run.options.start = ordered[0][0] if ordered else 0
    end = ordered[-1][0] - run.options.start if ordered else 0
    run.pulled = []
    run.timed = [(time - run.options.start, feed, record) for time, _, record in ordered] + [(end, feed, FINISHED)]


def time_of(value):
    if isinstance(value, Timestamp):
        return value.nanoseconds
    if kind(value) == "int":
        return value * MILLISECOND
    if kind(value) == "double":
        return round(value * MILLISECOND)
    raise Failure("S408", f"the time is of the type {kind(value)}")
