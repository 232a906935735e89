"""partition: a stream for each key, in event time if the file has a `time`."""

import math

from eventtime import Clock, order_by_time
from operators_parts import Parts
from sources import Feed, Input
from stage import UNLIMITED, Queued
from table import prepare
from values import Map, is_number, json_text, key_of


class Keys(Parts):
    """The file's operators and named streams for each key, whose input is the values of the key."""

    def set_up(self):
        super().set_up()
        self.feeds, self.keys = {}, {}

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
        stream = self.connect(scope.model(self.run.model), "part")
        self.running.add(stream)
        self.keys[stream] = key

    def part_value(self, value, up):
        super().part_value((self.keys[up], value) if self.names_keys else value, up)

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


class Results(Queued):
    """The results of all keys at the end of their instant: by the text of the key, then in the order of the key. To what is
    behind it they are events from outside, which precede timers."""

    orders_results = True

    def __init__(self, run):
        super().__init__(run)
        self.present, self.ending, self.asked = [], None, False

    def on_request(self, count):
        super().on_request(count)
        if not self.asked:
            self.asked = True
            self.ask(UNLIMITED, self.up)

    def on_value(self, value, up):
        if not self.present:
            self.after(0, self.release)
        self.present.append(value)

    def on_end(self, failure, up):
        if self.present:
            self.ending = (failure,)
        else:
            self.close(failure)

    def release(self):
        present, self.present = self.present, []
        self.put(*(value for _, value in sorted(present, key=lambda pair: text_of_key(pair[0]).encode())))
        if self.ending:
            self.close(*self.ending)


def text_of_key(key):
    """The one JSON text that all equal keys have."""
    if is_number(key):
        whole = not isinstance(key, float) or math.isfinite(key) and key == int(key) and -(2**63) <= key < 2**64
        return str(int(key)) if whole else json_text(key)
    if isinstance(key, list):
        return "[" + ",".join(map(text_of_key, key)) + "]"
    if isinstance(key, Map):
        members = sorted((text_of_key(name), text_of_key(value)) for name, value in key.items())
        return "{" + ",".join(f"{name}:{value}" for name, value in members) + "}"
    if key is None or isinstance(key, (bool, str)):
        return json_text(key)
    raise NotImplementedError("the text of such a key")


def start_partition(run):
    partition, scope = run.model["partition"], run.file_scope()
    (name, fields), = run.model["source"].items()
    if name != "input":
        raise NotImplementedError("a partition of another source")
    feed = run.feeds[fields["name"]]
    if "time" in partition:
        order_by_time(run, {feed: Clock.declared(Map([("expression", partition["time"])] + [
            (name, partition[name]) for name in ("lateness", "late") if name in partition]))})

    then = partition.get("then", [])
    run.orders_results = bool(then) and ("time" in partition or "time" in run.declarations[fields["name"]])

    def make():
        keys = prepare(Keys, "partition", scope, partition, lambda: Input(run, feed))
        keys.input, keys.names_keys = fields["name"], run.orders_results
        return keys

    def ordered():
        results = Results(run)
        results.upstream = make
        return results
    run.start(scope.apply(then, ordered if run.orders_results else make))
