"""Windows that are aligned to the clock: at whole multiples of their length since 1970, or at local midnight."""

import datetime
import zoneinfo

SECOND = 10**9
DAY = 86_400 * SECOND
UTC = datetime.timezone.utc
EPOCH = datetime.date(1970, 1, 1)


def instant_of_day(date, offset, zone):
    """When a local day begins: `offset` seconds after midnight by the clock on the wall, the first time it shows that."""
    local = datetime.datetime.combine(date, datetime.time()) + datetime.timedelta(seconds=offset)
    return int(local.replace(tzinfo=zoneinfo.ZoneInfo(zone)).astimezone(UTC).timestamp()) * SECOND


def zone_starts(first, last, hop, offset, zone):
    """{start: date} of the windows in a zone from well before `first` until after `last`, in nanoseconds.

    A date that the zone skips begins with the next one, which wins."""
    margin = datetime.timedelta(days=2 + 2 * max(1, hop // DAY))
    date = datetime.datetime.fromtimestamp(first // SECOND, UTC).date() - margin
    bound = datetime.datetime.fromtimestamp(last // SECOND, UTC).date() + margin
    starts = {}
    while date <= bound:
        begin = instant_of_day(date, offset, zone)
        if hop % DAY == 0:
            if (date - EPOCH).days % (hop // DAY) == 0:
                starts[begin] = date
        else:
            end = instant_of_day(date + datetime.timedelta(days=1), offset, zone)
            starts.update((start, date) for start in range(begin, end, hop))
        date += datetime.timedelta(days=1)
    return dict(sorted(starts.items()))


def windows(first, last, length, hop, offset, zone):
    """[(start, end)] of windows, among them all that could hold a time from `first` to `last`, in nanoseconds."""
    if zone is None:
        begin = (first - length - offset) // hop * hop + offset
        return [(start, start + length) for start in range(begin, last + hop + 1, hop)]
    starts = zone_starts(first - length, last, hop, offset // SECOND, zone)
    day = lambda date, days: instant_of_day(date + datetime.timedelta(days=days), offset // SECOND, zone)  # noqa: E731
    found = []
    for (start, date), later in zip(list(starts.items())[:-1], list(starts)[1:]):
        if length == hop:
            found.append((start, later))
        elif length % DAY == 0:  # as long after the begin of a day as the start
            days = length // DAY
            found.append((start, min(day(date, days) + start - day(date, 0), day(date, days + 1))))
        else:
            found.append((start, start + length))
    return found


class Aligned:
    """The windows of an operator with `align`, in times since 1970."""

    def __init__(self, fields, length):
        nanoseconds = lambda name, other: round(fields[name] * SECOND) if name in fields else other  # noqa: E731
        self.length, self.hop = length, nanoseconds("hop", length)
        self.offset, self.zone = nanoseconds("offset", 0), fields.get("zone")
        self.opened = None  # the start of the window that was opened last

    def near(self, time):
        return windows(time, time, self.length, self.hop, self.offset, self.zone)

    def opening(self, time):
        """The windows that hold a time and have not been opened, oldest first."""
        found = [(start, end) for start, end in self.near(time)
                 if start <= time < end and (self.opened is None or start > self.opened)]
        if found:
            self.opened = found[-1][0]
        return found

    def next_start(self, time):
        later = [start for start, _ in windows(time, time + 2 * self.hop, self.length, self.hop, self.offset, self.zone)]
        return next(start for start in later if start > time)
