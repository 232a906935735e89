"""partition: a stream for each key, in event time if the file has a `time`."""

from eventtime import Clock, order_by_time
from operators_parts import Parts
from sources import Feed, Input
from stage import UNLIMITED
from table import prepare
from values import Map, key_of


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
        scope = self.scope.with_key(self.fields.get("as", "key"), key)
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
    feed = run.feeds[fields["name"]]
    if "time" in partition:
        order_by_time(run, {feed: Clock.declared(Map([("expression", partition["time"])] + [
            (name, partition[name]) for name in ("lateness", "late") if name in partition]))})

    def make():
        keys = prepare(Keys, "partition", scope, partition, lambda: Input(run, feed))
        keys.input = fields["name"]
        return keys
    run.start(scope.apply(partition.get("then", []), make))
