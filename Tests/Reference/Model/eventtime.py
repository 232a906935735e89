"""Event time: in which order, and at which times, the records of an input are delivered.

The one definition of `unit`, `lateness`, `late`, `limit` and `maxJump`, for inputs and for partitions.
"""

import heapq
from dataclasses import dataclass, field
from fractions import Fraction

from sources import FINISHED
from values import Failure, Timestamp, kind

SECOND = 10**9
UNITS = {"s": SECOND, "ms": 10**6, "us": 10**3, "ns": 1}
YEARS = 292 * 365 * 86_400 * SECOND  # about the longest time of a stream
FIRST, LAST = -62_135_596_800 * SECOND, 253_402_300_800 * SECOND  # the years 1 and 10000
START, END = -9_214_560_000 * SECOND, 9_214_646_400 * SECOND  # the years 1678 and 2262


@dataclass
class Clock:
    """All lengths are in nanoseconds."""

    expression: str = "value.t"
    unit: str = "ms"
    lateness: int = 0
    late: str = "apply"
    limit: int | None = None
    max_jump: int | None = None

    @staticmethod
    def declared(time):
        """The clock of an input's `time`."""
        length = lambda name: round(time[name] * SECOND) if name in time else None  # noqa: E731
        return Clock(time["expression"], time.get("unit", "ms"), length("lateness") or 0, time.get("late", "apply"),
                     time.get("limit"), length("maxJump"))

    @staticmethod
    def plain(nanoseconds):
        """A number of seconds, as an integer if it is one."""
        return nanoseconds // SECOND if nanoseconds % SECOND == 0 else nanoseconds / SECOND

    def declaration(self):
        time = {"expression": self.expression, "unit": self.unit, "late": self.late}
        time["lateness"] = self.plain(self.lateness)
        if self.limit is not None:
            time["limit"] = self.limit
        if self.max_jump is not None:
            time["maxJump"] = self.plain(self.max_jump)
        return time

    @property
    def is_plain(self):
        return self.lateness == 0 and self.late == "apply" and self.max_jump is None

    def agree(self, first, second):
        """Whether neither of two times is too far from the other: `second` arrived later."""
        return -max(self.max_jump, self.lateness) <= second - first <= self.max_jump

    def is_invalid(self, time):
        """Whether a time is out of range."""
        return not FIRST <= time < LAST or not self.is_plain and not START <= time < END

    def time_of(self, value):
        """When a value of the expression is, in nanoseconds since 1970."""
        if isinstance(value, Timestamp):
            return value.nanoseconds
        if kind(value) == "int":
            return value * UNITS[self.unit]
        if kind(value) == "double":
            # As the number is written, which is not the value of the double; halves are rounded away from zero.
            exact = Fraction(repr(abs(value))) * UNITS[self.unit]
            return (-1 if value < 0 else 1) * int(exact + Fraction(1, 2))
        raise Failure("S408", f"the time is of the type {kind(value)}")


@dataclass
class Arranged:
    ordered: list = field(default_factory=list)  # [(time, record)] as they are delivered
    output: list = field(default_factory=list)  # the late records that go to an output of their own
    late: int = 0
    late_at: list = field(default_factory=list)  # the places of the late records among all
    refused: int = 0  # records that are skipped because of their time
    problem: str | None = None  # the code of the error that ends the run; what is held then is lost


class Late:
    """A record that is kept apart from those that are on time."""

    def __init__(self, record):
        self.record = record


def confirmed(records, clock, is_cut):
    """The records [(number, time, record)] in groups that are handled at once, and whether they are refused.

    With `maxJump`, the first one waits until the second agrees about the time; where they disagree, the third decides."""
    numbered = [(number, time, record) for number, (time, record) in enumerate(records)]
    groups, waiting = [], []
    if clock.max_jump is not None:
        for place, one in enumerate(numbered):
            if clock.is_invalid(one[1]):
                groups.append(([one], True))
                continue
            waiting.append(one)
            agrees = len(waiting) > 1 and clock.agree(waiting[0][1], one[1])
            if len(waiting) == 3 and not agrees:
                groups.append(([waiting.pop(0)], True))
                agrees = clock.agree(waiting[0][1], one[1])
            if agrees:
                numbered = numbered[place + 1:]
                break
        else:
            return groups if is_cut else groups + [(waiting, False)]
        groups.append((waiting, False))
    return groups + [([one], False) for one in numbered]


def arrange(records, clock, skips=False, keeps_late=False, is_cut=False):
    """Orders [(time, record)], which come as they arrive.

    A record is late if it is older than the newest one less the lateness. The others are delivered when the newest time
    is later by the lateness, in the order of their times, and those of one time as they arrived. Nothing follows the
    last record, or something that ends the run if it is cut: what is held then is lost."""
    result, held, newest, origin = Arranged(), [], None, None
    for group, is_refused in confirmed(records, clock, is_cut):
        for number, time, record in group:
            out_of_range = clock.is_invalid(time) or origin is not None and time - origin > YEARS
            ahead = clock.max_jump is not None and newest is not None and time - newest > clock.max_jump
            if out_of_range or ahead or is_refused:
                if not skips:
                    result.problem = "S305"
                    break
                result.refused += 1
                continue
            watermark = None if newest is None else newest - clock.lateness
            newest = time if newest is None else max(newest, time)
            if watermark is not None and time < watermark:
                result.late += 1
                result.late_at.append(number)
                if clock.late == "output":
                    result.output.append(record)
                if clock.late == "output" and keeps_late:
                    record = Late(record)
                elif clock.late != "apply":
                    continue
                time = watermark
            heapq.heappush(held, (time, number, record))
        if result.problem:
            break
        if clock.limit is not None and clock.lateness > 0 and len(held) > clock.limit:
            result.problem = "S409"
            break
        while held and held[0][0] <= newest - clock.lateness:
            time, _, record = heapq.heappop(held)
            origin = time if origin is None else origin
            result.ordered.append((time, record))
    while held and not result.problem and not is_cut:
        time, _, record = heapq.heappop(held)
        result.ordered.append((time, record))
    return result


class HostStop:
    """The run ends with an error of the host."""

    def __init__(self, code):
        self.code = code


def order_by_time(run, clocks):
    """Gives the records of each feed the times of its clock, {feed: Clock}. The stream begins with the first of them."""
    scope, arranged = run.file_scope(), {}
    for feed, clock in sorted(clocks.items(), key=lambda pair: pair[0].name):  # decides between equal times
        records = [value for other, values in run.pulled if other is feed for value in values if value is not FINISHED]
        records += [event for _, other, event in run.timed if other is feed and event is not FINISHED]
        timed, places, problem = timed_records(run, scope, feed, clock, records)
        arranged[feed] = one = arrange(timed, clock, run.options.skip_errors, run.reads_late(feed.name), problem is not None)
        run.late, run.skipped = run.late + one.late, run.skipped + one.refused
        run.late_at += [places[at] for at in one.late_at]
        one.problem = one.problem or problem
        run.is_refused = run.is_refused or one.problem is not None
    if len(arranged) > 1 and any(one.problem for one in arranged.values()):
        raise Failure("S305", "the host ends the run of several inputs")
    if not any(one.ordered for one in arranged.values()):  # the stream does not begin
        for one in arranged.values():
            if one.problem:
                run.stop(one.problem)
    times = [one.ordered[0][0] for one in arranged.values() if one.ordered]
    run.options.start = start = min(times, default=0)
    run.options.has_time = start != 0  # a host starts a stream without values in 1970
    run.pulled = [pair for pair in run.pulled if pair[0] not in clocks]
    run.timed = [event for event in run.timed if event[1] not in clocks]
    for feed, one in arranged.items():
        late = run.late_feed(feed.name)
        for time, record in one.ordered:
            is_late = isinstance(record, Late)
            run.timed.append((time - start, late if is_late else feed, record.record if is_late else record))
        end = HostStop(one.problem) if one.problem else FINISHED
        for ended in (late, feed) if run.reads_late(feed.name) else (feed,):
            run.timed.append((one.ordered[-1][0] - start if one.ordered else 0, ended, end))
    run.timed.sort(key=lambda event: event[0])


def timed_records(run, scope, feed, clock, records):
    """[(time, record)] of the records before the first one that the host refuses, or of all that it does not skip; their
    places among all; and the code of the refusal."""
    timed, places = [], []
    for place, record in enumerate(records):
        try:
            record = run.converted(feed, record)
        except Failure:
            code = "S304"
        else:
            try:
                timed.append((clock.time_of(scope.evaluate(clock.expression, value=record)), record))
                places.append(place)
                continue
            except Failure:
                code = "S305"
        if not run.options.skip_errors:
            return timed, places, code
        run.skipped += 1
    return timed, places, None
