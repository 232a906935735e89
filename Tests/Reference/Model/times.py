"""Timestamps and durations of expressions: reading their texts, and their parts."""

import datetime
import re
import zoneinfo

from values import EPOCH, INT_MAX, Duration, Failure, Timestamp, kind

SECOND = 10**9
UNITS = {"d": 86400 * SECOND, "h": 3600 * SECOND, "m": 60 * SECOND, "s": SECOND, "ms": 10**6, "us": 10**3, "µs": 10**3, "ns": 1}
INSTANT = re.compile(r"(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(\.\d+)?([Zz]|[+-]\d\d:\d\d)", re.ASCII)


def to_timestamp(value):
    if isinstance(value, Timestamp):
        return value
    if kind(value) == "int":
        nanoseconds = value * SECOND
    elif isinstance(value, str):
        match = INSTANT.fullmatch(value)
        if not match:
            raise Failure("S410", "no timestamp")
        year, month, day, hour, minute, second = map(int, match.groups()[:6])
        try:
            date = datetime.datetime(year, month, day, hour, minute, second) - EPOCH
        except ValueError as error:
            raise Failure("S410", "no timestamp") from error
        zone = 0
        if match.group(8) not in "Zz":
            zone = int(match.group(8)[1:3]) * 3600 + int(match.group(8)[4:6]) * 60
            zone = -zone if match.group(8)[0] == "-" else zone
        fraction = int((match.group(7) or ".")[1:][:9].ljust(9, "0"))
        nanoseconds = (date.days * 86400 + date.seconds - zone) * SECOND + fraction
    else:
        raise Failure("S405", "timestamp has no overload")
    if not -62135596800 * SECOND <= nanoseconds < 253402300800 * SECOND:
        raise Failure("S410" if isinstance(value, str) else "S403", "the timestamp is out of range")
    return Timestamp(nanoseconds)


def to_duration(value):
    if isinstance(value, Duration):
        return value
    if kind(value) == "int":
        return Duration(value * SECOND)
    if not isinstance(value, str):
        raise Failure("S405", "duration has no overload")
    match = re.fullmatch(r"([+-]?)((?:(?:\d+\.?\d*|\.\d+)(?:d|h|ms|m|us|µs|ns|s))+|0)", value, re.ASCII)
    if not match:
        raise Failure("S410", "no duration")
    total = 0
    for number, unit in re.findall(r"([\d.]+)(d|h|ms|m|us|µs|ns|s)", match.group(2)):
        whole, _, fraction = number.partition(".")
        total += int(whole or 0) * UNITS[unit] + int(fraction or 0) * UNITS[unit] // 10 ** len(fraction)
    if total > INT_MAX:
        raise Failure("S410", "the duration is out of range")
    return Duration(-total if match.group(1) == "-" else total)


def local(timestamp, zone):
    """The date and time in a zone: a name, or an offset such as -02:30."""
    date = EPOCH + datetime.timedelta(seconds=timestamp.nanoseconds // SECOND)
    if zone is None or zone == "UTC":
        return date
    offset = re.fullmatch(r"([+-]?)(\d\d):(\d\d)", zone)
    if not datetime.timedelta(1) < date - datetime.datetime.min < datetime.datetime.max - datetime.datetime.min - datetime.timedelta(1):
        raise NotImplementedError("the first and the last day of time in a zone")
    if offset:
        delta = datetime.timedelta(hours=int(offset.group(2)), minutes=int(offset.group(3)))
        return date - delta if offset.group(1) == "-" else date + delta
    try:
        place = zoneinfo.ZoneInfo(zone)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError) as error:
        raise Failure("S410", "no such time zone") from error
    return date.replace(tzinfo=datetime.timezone.utc).astimezone(place).replace(tzinfo=None)


def getter(name, of_date, of_duration=None):
    def called(value, zone=None):
        if isinstance(value, Timestamp):
            return of_date(local(value, zone), value.nanoseconds)
        if isinstance(value, Duration) and of_duration and zone is None:
            return of_duration(abs(value.nanoseconds)) * (-1 if value.nanoseconds < 0 else 1)
        raise Failure("S405", f"{name} has no overload")

    return called


PARTS = {
    "getFullYear": (lambda date, _: date.year, None),
    "getMonth": (lambda date, _: date.month - 1, None),
    "getDayOfYear": (lambda date, _: date.timetuple().tm_yday - 1, None),
    "getDayOfMonth": (lambda date, _: date.day - 1, None),
    "getDate": (lambda date, _: date.day, None),
    "getDayOfWeek": (lambda date, _: date.isoweekday() % 7, None),
    "getHours": (lambda date, _: date.hour, lambda length: length // (3600 * SECOND)),
    "getMinutes": (lambda date, _: date.minute, lambda length: length // (60 * SECOND)),
    "getSeconds": (lambda date, _: date.second, lambda length: length // SECOND),
    "getMilliseconds": (lambda _, nanoseconds: nanoseconds // 10**6 % 1000, lambda length: length // 10**6 % 1000),
}
GETTERS = {name: getter(name, *parts) for name, parts in PARTS.items()}
