"""Runs a stream file: `run(model, inputs, options)` gives all events that it publishes.

Written from the pages (Format, Semantics, the pages of the operators) and SEMANTICS.md; it shares nothing with the
engine.
"""

import json
from dataclasses import dataclass, field

import operators_arrays  # noqa: F401 (each module adds its operators to the table)
import operators_combine  # noqa: F401
import operators_failures  # noqa: F401
import operators_inner  # noqa: F401
import operators_ordered  # noqa: F401
import operators_parts  # noqa: F401
import operators_rate  # noqa: F401
import operators_select  # noqa: F401
import operators_summarize  # noqa: F401
import operators_time  # noqa: F401
import operators_transform  # noqa: F401
import share  # noqa: F401
from convert import convert
from eventtime import Clock, HostStop, order_by_time
from expressions import compile as compile_expression
from parameters import resolve
from randoms import AROUND, Numbers
from scheduler import Endless, Scheduler
from sources import FINISHED, Feed, Input, file_failure, make_source, nanoseconds
from stage import UNLIMITED, Stage
from table import OPERATORS
from values import Failure, Map, equal, kind, printed, unwrapped


@dataclass
class Options:
    limit: int | None = None  # --limit: so many values
    until: int | None = None  # --for: nanoseconds
    skip_errors: bool = False
    initial: dict = field(default_factory=dict)  # --set
    replaced: dict = field(default_factory=dict)  # a test's events for named streams
    files: dict = field(default_factory=dict)  # path: list of values, or a Failure after the values before it
    models: dict = field(default_factory=dict)  # path: the stream file there
    parameters: Map = field(default_factory=Map)  # --set, for parameters
    steps: int = 5_000_000  # actions, after which the run counts as endless
    seed: int | None = None  # --seed
    start: int = 0  # the time of the stream's zero, since 1970
    has_time: bool = True  # whether that is known: in event time it is not before the first value
    ends: bool = True  # whether an input whose records are read at the pace of demand finishes
    waits: bool = False  # whether records with times wait for demand, as lines of a file do
    calls: dict = field(default_factory=dict)  # function: the results of its calls, as a test has them
    app: bool = False  # whether an app feeds the inputs: a value of another type fails its input
    current: dict = field(default_factory=dict)  # the values that feeds keep for inputs without an initial value
    awaits: bool = False  # whether values are requested one at a time, when everything that is due has been done


@dataclass
class Result:
    events: list
    dropped: int
    late: int
    skipped: int
    endless: bool = False
    is_refused: bool = False  # whether the host refuses a record, read or not
    late_at: list = field(default_factory=list)  # the places of late records among all of an input
    is_read: bool = True  # whether all records have been read
    calls: list = field(default_factory=list)  # (time, function, argument, time of the result, result)
    timers: int = 0  # how many were set
    start: int = 0  # the time of the stream's zero, since 1970


class Scope:
    """What the expressions of a part of a file see, and the names of its streams."""

    def __init__(self, run, variables, names, skips, inputs=None, around=()):
        self.run, self.variables, self.names, self.inputs = run, variables, names, inputs or {}
        self.around = around  # the keys and numbers of the streams around, the outermost first
        self.skips = skips  # whether a source is left out whose expression fails (onError, in streams for a value)
        self.operator_skips = False  # whether this operator does

    def with_(self, **changes):
        around = (*self.around, *[changes[name] for name in AROUND if name in changes])
        return Scope(self.run, {**self.variables, **changes}, self.names, self.skips, self.inputs, around)

    def with_key(self, name, key):
        scope = self.with_(**{name: key})
        scope.around = (*self.around, key)
        return scope

    def for_operator(self, skips):
        scope = Scope(self.run, self.variables, self.names, False, self.inputs, self.around)
        scope.operator_skips = skips
        return scope

    def evaluate(self, text, **variables):
        now = self.run.options.start + self.run.scheduler.now
        place = getattr(text, "place", None) if "index" in variables else None
        numbers = Numbers(self.run.seed, place, [*self.around, variables["index"]]) if place is not None else None
        return unwrapped(compile_expression(text).evaluate({**self.variables, **variables}, now, numbers))

    def test(self, text, **variables):
        result = self.evaluate(text, **variables)
        if kind(result) != "bool":
            raise Failure("S408", f"the expression returns {kind(result)}, not a Boolean")
        return result

    def stream(self, field, **variables):
        """A closure that subscribes to the stream of a field: a name, a model or a closure. The operator's onError applies
        to the expressions of its source if it is started for a value."""
        if callable(field):
            return field
        if isinstance(field, str):
            return self.named(field)
        scope = self.with_(**variables)
        scope.skips = self.operator_skips and "outer" in variables
        return scope.model(field)

    def branch(self, field):
        """A stream that a source chooses: it is started for the same value."""
        return self.named(field) if isinstance(field, str) else self.with_().model(field)

    def named(self, name):
        for level in reversed(self.names):
            if name in level:
                return level[name](name)
        return self.input(name)

    def input(self, name, is_late=False):
        if name in self.inputs and not is_late:
            return self.inputs[name]
        feed = self.run.late_feed(name) if is_late else self.run.feeds[name]
        return lambda: Input(self.run, feed)

    def from_file(self, fields):
        """The stream of another file, some of whose inputs are streams of this one."""
        path = fields["file"]
        given = self.run.options.models
        model = resolve(given[path], fields.get("parameters", Map()), given, f"{getattr(fields, 'place', '')}/file")
        scope = self.run.file_scope()
        scope.inputs = {inner: self.named(outer) for inner, outer in fields.get("inputs", Map()).items()}
        if "output" in fields:
            output = model["outputs"][fields["output"]]["stream"]
            model = Map([(name, member) for name, member in model.items() if name != "outputs"])
            model.set("source", Map([("stream", Map([("name", output)]))]))
        return scope.model(model)

    def model(self, model):
        scope = self
        if "streams" in model:
            level = {}
            scope = Scope(self.run, self.variables, self.names + [level], self.skips, self.inputs, self.around)
            made = {}

            def build(name):
                if name not in made:
                    replaced = self.run.options.replaced.get(name) if self.names == [] else None
                    made[name] = replay(self.run, replaced) if replaced else scope.model(model["streams"][name])
                return made[name]
            level.update({name: build for name in model["streams"].keys()})
        if "outputs" in model:
            return scope.outputs(model["outputs"])
        if "stream" in model:
            make = scope.items(model["stream"])
        else:
            (name, fields), = [(k, v) for k, v in model["source"].items() if not k.startswith("x-")]
            make = make_source(scope, name, fields)
        return scope.apply(model.get("operators", []), make)

    def outputs(self, outputs):
        """The values of all outputs, each as a map from the output's name, merged."""
        makes = []
        for name, output in outputs.items():
            tag = Map([("expression", f"{{{json.dumps(name)}: value}}")])
            makes.append(OPERATORS["map"](self.for_operator(False), tag, self.stream(output["stream"])))
        return OPERATORS["merge"](self.for_operator(False), Map([("with", makes[1:])]), makes[0])

    def items(self, items):
        makes = [self.apply(item.get("operators", []), self.item(item)) for item in items]
        if not makes:
            return make_source(self, "empty", Map())
        return OPERATORS["append"](self, Map(), makes[0], makes[1:]) if len(makes) > 1 else makes[0]

    def item(self, item):
        fields = Map([("value", item["value"])]) if "value" in item else Map([("expression", item["expression"])])
        return make_source(self, "just", fields)

    def apply(self, operators, make):
        for operator in operators:
            (name, fields), = [(k, v) for k, v in operator.items()
                               if k not in ("id", "label", "onError") and not k.startswith("x-")]
            scope = self.for_operator(self.run.options.skip_errors or operator.get("onError") == "skip")
            make = OPERATORS[name](scope, fields, make)
        return make


def replay(run, events):
    from sources import Plan
    return lambda: Plan(run, events)


class Sink(Stage):
    def start(self):
        self.events, self.up = [], self.connect(self.upstream)
        self.count = 0

    def on_ready(self, up):
        if self.run.options.awaits:
            return
        self.ask(UNLIMITED, up)

    def on_value(self, value, up):
        self.run.events.append((self.scheduler.now, "value", value))
        self.count += 1
        self.run.is_awaited = True
        if self.count == self.run.options.limit:
            self.run.done = True
            self.cancel()

    def fail(self, failure):
        self.release()
        self.on_end(failure, self.up)

    def on_end(self, failure, up):
        self.over = self.run.done = True
        event = ("finished", None) if failure is None else ("failure", failure)
        self.run.events.append((self.scheduler.now, *event))


class Run:
    def __init__(self, model, inputs, options):
        self.model, self.options = model, options
        self.scheduler = Scheduler(options.steps)
        self.events, self.done = [], False
        self.dropped = self.late = self.skipped = 0
        self.is_refused, self.late_at = False, []
        self.types = dict(model["types"].items()) if "types" in model else {}
        self.seed = options.seed if options.seed is not None else model.get("seed")
        self.declarations = self.all_inputs(model)
        self.feeds = {name: Feed(self, name, self.declaration(name)) for name in self.declarations.keys()}
        self.late_feeds = {}
        self.orders_results = False  # whether the results of a partition are put in order
        self.results, self.calls = [], []  # the results of calls, [(time, stage, result)], and all calls
        self.is_awaited, self.fired = False, -1  # whether the next value is to be requested, and when a timer fired last
        self.pulled = []  # [(feed, values)] that are read at the pace of demand
        self.timed = []  # [(time, order, feed, event)]
        for name, events in sorted(inputs.items()):  # at one time, in the order of the names
            if events and events[0][0] is None:
                self.pulled.append((self.feeds[name], [value for _, value in events if value is not FINISHED]))
            else:
                self.timed += [(time, self.feeds[name], event) for time, event in events]
        self.timed.sort(key=lambda event: event[0])
        for feed in self.feeds.values():
            feed.waits = feed.waits or options.waits

    def late_feed(self, name):
        """The feed of the values of an input that arrive too late."""
        if name not in self.late_feeds:
            self.late_feeds[name] = Feed(self, f"{name} (late)", None)
        return self.late_feeds[name]

    def reads_late(self, name):
        """Whether a stream of the file reads the values of an input that arrive too late."""
        parts = [self.model]
        while parts:
            part = parts.pop()
            if isinstance(part, Map):
                if part.get("late") is True and part.get("name") == name:
                    return True
                parts += [value for _, value in part.items()]
            elif isinstance(part, list):
                parts += part
        return False

    def all_inputs(self, model):
        """The inputs of the file and of the files that it refers to; one name is one input."""
        result = Map()
        for inner, bound in self.parts(model):
            for name, declaration in inner.get("inputs", Map()).items():
                if name not in result and name not in bound:
                    result.set(name, declaration)
        return result

    def parts(self, value, bound=()):
        """All objects in a model, and in the files that it refers to, with the inputs that another file binds."""
        if isinstance(value, Map):
            if "source" in value or "stream" in value or "outputs" in value:
                yield value, bound
            if isinstance(value.get("file"), str) and value["file"] in self.options.models:
                other = self.options.models[value["file"]]
                names = value.get("inputs", Map()).keys()
                if "definition" not in value and isinstance(value.get("inputs", Map()), Map):
                    yield from self.parts(other, names)
            for _, member in value.items():
                yield from self.parts(member, bound)
        elif isinstance(value, list):
            for element in value:
                yield from self.parts(element, bound)

    def declaration(self, name):
        declaration = self.declarations[name]
        if name in self.options.initial:
            declaration = Map(declaration.items())
            declaration.set("initialValue", self.options.initial[name])
        if "initialValue" in declaration and "type" in declaration:
            declaration = Map(declaration.items())
            declaration.set("initialValue", convert(declaration["initialValue"], declaration["type"], self.types))
        return declaration

    def file_scope(self):
        return Scope(self, {}, [], False)

    def read_file(self, path, format, type):
        content = self.options.files[path]
        for value in content:
            if isinstance(value, Failure):
                raise value
            yield value if type is None else convert(value, type, self.types)

    def converted(self, feed, value):
        """A record of the host as the declared type of its input has it."""
        declaration = self.declarations[feed.name.removesuffix(" (late)")]
        return convert(value, declaration["type"], self.types) if "type" in declaration else value

    def send(self, feed, value):
        if isinstance(value, HostStop):
            if self.scheduler.count:
                raise Failure(value.code, "how far the timers get is not said")
            self.stop(value.code)
            return
        if value is FINISHED or isinstance(value, Failure):
            self.scheduler.perform(lambda: feed.finish(None if value is FINISHED else value))
            return
        try:
            value = self.converted(feed, value)
        except Failure as failure:
            if self.options.app:
                self.scheduler.perform(lambda: feed.finish(failure))
            elif not self.options.skip_errors:
                raise
            self.skipped += self.options.skip_errors
            return
        self.scheduler.perform(lambda: feed.send(value))

    def stop(self, code):
        """The host ends the run."""
        failure = Failure(code, "the host ends the run")
        failure.is_of_host, self.done = True, True
        self.events.append((self.scheduler.now, "failure", failure))

    def start(self, make):
        self.sink = sink = Sink(self)
        sink.upstream, sink.follows_results = make, self.orders_results
        if self.done:
            return
        self.scheduler.perform(sink.begin)

    def call(self, stage, function, argument):
        """A call of a host function, whose result is known at once and delivered later."""
        answer = next((answer for answer in self.options.calls[function] if "argument" not in answer
                       or equal(printed(answer["argument"]), printed(argument))), None)
        if answer is None:
            raise NotImplementedError("a call without a result")
        time, result = self.scheduler.now + nanoseconds(answer.get("after", 0)), answer.get("value")
        if "failure" in answer:
            result = file_failure(answer["failure"])
        elif "expression" in answer:
            try:
                result = unwrapped(compile_expression(answer["expression"]).evaluate({"argument": argument}, 0))
            except Failure as failure:
                result = failure
        self.calls.append((self.scheduler.now, function, argument, time, result))
        self.results.append((time, stage, result))
        self.results.sort(key=lambda entry: entry[0])

    def deliver_result(self):
        time, stage, result = self.results.pop(0)
        self.scheduler.now = max(self.scheduler.now, time)
        self.scheduler.perform(lambda: stage.handle(stage.answer, result))

    def begin_awaiting(self):
        """The values that feeds keep, and the first request."""
        for name, value in self.options.current.items():
            self.send(self.feeds[name], value)
        self.is_awaited = self.options.awaits

    def await_value(self, timer):
        """Requests the next value, if all timers that are due have fired. Returns whether there was something to do."""
        if timer is not None and timer <= self.fired:
            self.scheduler.fire()
            return True
        if self.is_awaited:
            self.is_awaited = False
            self.scheduler.perform(lambda: self.sink.handle(self.sink.ask, 1, self.sink.up))
            return True
        return False

    def loop(self):
        while not self.done:
            timer = self.scheduler.next_time()
            if self.options.awaits and self.await_value(timer):
                continue
            result = self.results[0][0] if self.results else None
            event = self.timed[0][0] if self.timed and not self.is_waiting() else None
            pulled = next((pair for pair in self.pulled if pair[0].can_take() or pair[0].can_finish(pair[1])), None)
            if event is not None and event <= self.scheduler.now:
                self.next_event()
            elif pulled:
                feed, values = pulled
                self.pulled.remove(pulled)
                if values:
                    self.pulled.append(pulled)  # the inputs take turns
                    self.send(feed, values.pop(0))
                elif self.options.ends:
                    self.scheduler.perform(feed.finish)
            elif result is not None and result <= self.scheduler.now:
                self.deliver_result()
            elif event is not None and (timer is None or event <= timer) and (result is None or event <= result):
                if self.too_late(event):
                    return
                self.scheduler.now = max(self.scheduler.now, event)
                self.next_event()
            elif result is not None and (timer is None or result <= timer):
                if self.too_late(result):
                    return
                self.deliver_result()
            elif timer is not None:
                if self.too_late(timer):
                    return
                self.scheduler.fire()
                self.fired = self.scheduler.now
            else:
                self.fail_if_stuck()
                return

    def fail_if_stuck(self):
        """Branches of one input wait for each other, and nothing else can happen."""
        if any(feed.is_full() for feed, _ in self.pulled):
            failure = Failure("S409", "branches wait for each other")
            self.scheduler.perform(lambda: self.sink.handle(self.sink.fail, failure))

    def is_waiting(self):
        """Whether the next record with a time waits for demand."""
        _, feed, event = self.timed[0]
        return self.options.waits and event is not FINISHED and not isinstance(event, HostStop) and not feed.can_take()

    def too_late(self, time):
        return self.options.until is not None and time > self.options.until

    def next_event(self):
        _, feed, event = self.timed.pop(0)
        self.send(feed, event)


def run(model, inputs=None, options=None):
    """Runs a stream file. `inputs` has, for each input, [(nanoseconds or None, value, FINISHED or a Failure)]: records
    without a time are read at the pace of demand, and then the input finishes."""
    options = options or Options()
    model = resolve(model, options.parameters, options.models)
    running = Run(model, inputs or {}, options)
    endless = False
    try:
        clocks = {feed: Clock.declared(running.declarations[name]["time"]) for name, feed in running.feeds.items()
                  if "time" in running.declarations[name]}
        if clocks:
            running.options.waits = True
            order_by_time(running, clocks)
            for feed in clocks:
                feed.waits = True
        if "partition" in model:
            from partition import start_partition
            start_partition(running)
        else:
            running.start(running.file_scope().model(model))
            running.begin_awaiting()
        running.loop()
    except Endless:
        endless = True
    return Result(running.events, running.dropped, running.late, running.skipped, endless, running.is_refused,
                  running.late_at, not running.timed, running.calls, running.scheduler.count, options.start)
