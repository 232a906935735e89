"""Operators that handle failures and empty streams, or subscribe again."""

from operators_transform import described, own_failure
from sources import file_failure, nanoseconds
from stage import UNLIMITED, Queued, Stage
from table import operator


@operator("mapError")
class MapError(Stage):
    def on_end(self, failure, up):
        self.end(failure and file_failure(self.scope.evaluate(self.fields["expression"], error=described(failure))))


class Replace(Queued):
    def on_request(self, count):
        if not self.closing:
            self.ask(count, self.up)
        super().on_request(count)

    def on_value(self, value, up):
        self.empty = False
        self.demand -= 1
        self.send(value)

    def set_up(self):
        self.empty = True

    def replace(self, **variables):
        value = self.fields["with"] if "with" in self.fields else self.scope.evaluate(
            self.fields["expression"], **variables)
        self.queue.append(value)
        self.close()


@operator("replaceError")
class ReplaceError(Replace):
    def on_end(self, failure, up):
        self.replace(error=described(failure)) if failure else self.end()


@operator("replaceEmpty")
class ReplaceEmpty(Replace):
    def on_end(self, failure, up):
        self.replace() if self.empty and not failure else self.end(failure)


@operator("failIfEmpty")
class FailIfEmpty(Stage):
    def set_up(self):
        self.empty = True

    def on_value(self, value, up):
        self.empty = False
        self.send(value)

    def on_end(self, failure, up):
        self.end(failure or (own_failure(self.fields, "the stream has no value") if self.empty else None))


class Resuming(Stage):
    """An operator that goes on with another stream; outstanding demand is carried over."""

    def set_up(self):
        self.demand, self.runs, self.up, self.other = 0, 0, None, None

    def start(self):
        self.run_again(self.upstream)

    def run_again(self, make):
        self.runs += 1
        self.up = self.connect(make)

    def on_ready(self, up):
        if up is not self.up:
            self.ask(1, up)
        elif self.runs == 1:
            self.ready()
        else:
            self.ask(self.demand, up)

    def on_request(self, count):
        self.demand += count
        if self.up:
            self.ask(count, self.up)

    def on_value(self, value, up):
        self.demand -= 1
        self.send(value)


@operator("catch")
class Catch(Resuming):
    def on_end(self, failure, up):
        if failure and self.runs == 1:
            self.run_again(self.scope.stream(self.fields["stream"], error=described(failure)))
        else:
            self.end(failure)


@operator("switchIfEmpty")
class SwitchIfEmpty(Resuming):
    def set_up(self):
        super().set_up()
        self.empty = True

    def on_value(self, value, up):
        self.empty = False
        super().on_value(value, up)

    def on_end(self, failure, up):
        if not failure and self.empty and self.runs == 1:
            self.run_again(self.scope.stream(self.fields["stream"]))
        else:
            self.end(failure)


class Again(Resuming):
    """Subscribes to upstream again: at once, after a wait, or when another stream publishes."""

    def again_after(self, wait, **variables):
        self.up = None
        if "stream" in self.fields:
            self.other = self.connect(self.scope.stream(self.fields["stream"], **variables))
        elif wait:
            self.after(wait, lambda: self.run_again(self.upstream))
        else:
            self.run_again(self.upstream)

    def on_value(self, value, up):
        if up is self.up:
            self.value_of_upstream(value)
        else:
            self.detach(up)
            self.run_again(self.upstream)

    def value_of_upstream(self, value):
        super().on_value(value, self.up)

    def on_end(self, failure, up):
        if up is self.up:
            self.end_of_upstream(failure)
        elif self.up is None:
            self.end(failure)


@operator("retry")
class Retry(Again):
    def set_up(self):
        super().set_up()
        self.attempt = 0

    def value_of_upstream(self, value):
        if self.fields.get("resetOnValue"):
            self.attempt = 0
        super().value_of_upstream(value)

    def end_of_upstream(self, failure):
        attempt = self.attempt + 1
        error = described(failure) if failure else None
        if failure is None or attempt > self.fields.get("count", UNLIMITED) or "expression" in self.fields and (
                not self.scope.test(self.fields["expression"], error=error, attempt=attempt)):
            self.end(failure)
            return
        self.attempt = attempt
        seconds = self.fields.get("seconds", 0) * self.fields.get("factor", 1) ** (attempt - 1)
        wait = nanoseconds(min(seconds, self.fields.get("maximum", 31_536_000)))
        self.again_after(wait, error=error, attempt=attempt)


@operator("repeat")
class Repeat(Again):
    def start(self):
        if self.fields.get("count") == 0:
            self.ready()
            self.scheduler.effect(lambda: self.handle(self.end))
        else:
            super().start()

    def end_of_upstream(self, failure):
        if failure or self.runs >= self.fields.get("count", UNLIMITED):
            self.end(failure)
        else:
            self.again_after(nanoseconds(self.fields.get("seconds", 0)), attempt=self.runs)


class Signal(Stage):
    """The stream of failures, or of finishes, that `retryWhen` and `repeatWhen` send through operators."""

    def __init__(self, run, owner):
        super().__init__(run)
        self.owner, self.demand = owner, 0
        owner.signal = self

    def start(self):
        self.ready()

    def on_request(self, count):
        self.demand += count

    def offer(self, value):
        if self.demand > 0:
            self.demand -= 1
            self.send(value)
        else:
            self.drop()


class When(Resuming):
    """The operators are subscribed to at the first failure, or finish."""

    def set_up(self):
        super().set_up()
        self.signal, self.waiting, self.finished = None, False, False

    def on_ready(self, up):
        if up is self.other:
            self.ask(UNLIMITED, up)
        else:
            super().on_ready(up)

    def notify(self, value):
        self.up, self.waiting = None, True
        if self.finished:
            self.end()
            return
        if self.other is None:
            self.other = self.connect(self.scope.apply(self.fields["operators"], lambda: Signal(self.run, self)))
        self.scheduler.effect(lambda: self.signal and self.signal.handle(self.signal.offer, value))

    def on_value(self, value, up):
        if up is not self.other:
            super().on_value(value, up)
        elif self.waiting:
            self.waiting = False
            self.run_again(self.upstream)


@operator("retryWhen")
class RetryWhen(When):
    def on_end(self, failure, up):
        if up is self.other:
            self.end(failure)
        elif failure:
            self.notify(described(failure))
        else:
            self.end()


@operator("repeatWhen")
class RepeatWhen(When):
    def on_end(self, failure, up):
        if up is self.other:
            if failure or self.waiting:
                self.end(failure)
            self.finished = True
        elif failure:
            self.end(failure)
        else:
            self.notify(None)
