"""The functions of expressions for data: sums and groups of lists, changes of maps, powers, dates in patterns.

Doubles go through the C library's functions, since Python raises where IEEE 754 has NaN or an infinity.
"""

import ctypes
import ctypes.util
import datetime
import functools
import math
import re
import unicodedata
import zoneinfo

from values import (
    EPOCH,
    INT_MAX,
    INT_MIN,
    Duration,
    Failure,
    Map,
    Optional,
    Timestamp,
    UInt,
    compare,
    equal,
    is_number,
    key_of,
    kind,
)

SECOND = 10**9


def no_overload(function, *arguments):
    return Failure("S405", f"{function} has no overload for ({', '.join(map(kind, arguments))})")


def need(function, *pairs):
    for value, kinds in pairs:
        if kind(value) not in kinds.split():
            raise no_overload(function, *[value for value, _ in pairs])


# Durations and numbers


def scaled(symbol, left, right):
    """The product or quotient of a duration; None for other operands."""
    if symbol == "*" and isinstance(right, Duration):
        left, right = right, left
    if symbol not in "*/" or not isinstance(left, Duration):
        return None
    if symbol == "/" and isinstance(right, Duration):
        if right.nanoseconds == 0:
            raise Failure("S402", "division by zero")
        return float(left.nanoseconds) / float(right.nanoseconds)
    if not is_number(right):
        return None
    if symbol == "/" and right == 0:
        raise Failure("S402", "division by zero")
    if isinstance(right, float):
        number = float(left.nanoseconds) * right if symbol == "*" else float(left.nanoseconds) / right
        if not math.isfinite(number):
            raise Failure("S403", "the duration is out of range")
        number = round(number)
    elif symbol == "*":
        number = left.nanoseconds * int(right)
    else:
        number = abs(left.nanoseconds) // abs(int(right)) * (1 if (left.nanoseconds < 0) == (right < 0) else -1)
    if not INT_MIN <= number <= INT_MAX:
        raise Failure("S403", "the duration is out of range")
    return Duration(number)


# Lists


def total(values):
    """The sum from left to right: ints as ints, with doubles from the first double on."""
    from expressions import calculate

    need("sum", (values, "list"))
    result = None
    for value in values:
        need("sum", (value, "int uint double google.protobuf.Duration"))
        result = value if result is None else calculate("+", result, value)
    return 0 if result is None else result


def ordered(name, values):
    for value in values:
        if not (is_number(value) and is_number(values[0])) and (
            kind(value) != kind(values[0])
            or kind(value) not in "bool string bytes google.protobuf.Timestamp google.protobuf.Duration".split()
        ):
            raise no_overload(name, value)


def filled(name, values):
    need(name, (values, "list"))
    if not values:
        raise Failure("S411", f"{name} of an empty list")


def total_order(left, right):
    """As `compare`, with NaN before all numbers."""
    order = compare(left, right)
    return math.isnan(right) - math.isnan(left) if order is None else order


def extreme(name, sign):
    def called(values):
        filled(name, values)
        ordered(name, values)
        best = values[0]
        for value in values[1:]:
            best = value if total_order(value, best) == sign else best
        return best

    return called


def numbers_of(name, values):
    filled(name, values)
    for value in values:
        need(name, (value, "int uint double"))
    return [float(value) for value in values]


def average(values):
    numbers = numbers_of("average", values)
    return functools.reduce(lambda left, right: left + right, numbers, 0.0) / len(numbers)


def percentile(values, percentage):
    need("percentile", (values, "list"), (percentage, "int uint double"))
    if not 0 <= percentage <= 100:
        raise Failure("S411", "no percentage")
    numbers = sorted(numbers_of("percentile", values))
    if any(map(math.isnan, numbers)):
        return math.nan
    rank = float(percentage) / 100 * (len(numbers) - 1)
    below = math.floor(rank)
    part = rank - below
    if part == 0:
        return numbers[below]
    return numbers[below] + (numbers[below + 1] - numbers[below]) * part


def is_sorted(values):
    need("isSorted", (values, "list"))
    ordered("isSorted", values)
    rank = lambda value: 0 if value != value else 1
    for value, following in zip(values, values[1:]):
        order = compare(value, following)
        if order == 1 or order is None and rank(value) > rank(following):
            return False
    return True


def place(values, wanted, last):
    places = [at for at, value in enumerate(values) if equal(value, wanted)]
    return places[-1 if last else 0] if places else -1


def zipped(left, right):
    need("zip", (left, "list"), (right, "list"))
    return [list(pair) for pair in zip(left, right)]


def sort_by(elements, keys):
    """The elements in the order of their keys, of which each may be a list of keys."""
    from functions import sort

    if not keys or not isinstance(keys[0], list):
        return sort(keys, elements)
    width = max(map(len, keys)) if all(isinstance(key, list) for key in keys) else None
    if width is None:
        raise no_overload("sortBy", *keys[:2])
    for column in range(width):
        ordered("sortBy", [key[column] for key in keys if len(key) > column])

    def order(a, b):
        for left, right in zip(keys[a], keys[b]):
            if (result := compare(left, right) or 0) != 0:
                return result
            if left != left or right != right:
                if (result := (left == left) - (right == right)) != 0:
                    return result
        return (len(keys[a]) > len(keys[b])) - (len(keys[a]) < len(keys[b]))

    return [elements[at] for at in sorted(range(len(keys)), key=functools.cmp_to_key(order))]


def group_by(elements, keys):
    groups = Map()
    for element, key in zip(elements, keys):
        need("groupBy", (key, "bool int uint string"))
        groups.set(key, groups.get(key, []) + [element])
    return groups


# Maps


def merged(first, second):
    need("merge", (first, "map"), (second, "map"))
    result = Map(first.items())
    for key, value in second.items():
        result.set(key, value)
    return result


def without(value, *keys):
    need("without", (value, "map"))
    if not keys:
        raise no_overload("without", value)
    if len(keys) == 1 and isinstance(keys[0], list):
        keys = keys[0]
    for key in keys:
        need("without", (key, "bool int uint string"))
    left_out = {key_of(key) for key in keys}
    return Map((key, entry) for key, entry in value.items() if key_of(key) not in left_out)


def renamed(value, names):
    need("rename", (value, "map"), (names, "map"))
    for name in names.values():
        need("rename", (name, "bool int uint string"))
    result = Map()
    for key, entry in value.items():
        key = names.get(key, key)
        if key in result:
            raise Failure("S401", "a key occurs twice")
        result.set(key, entry)
    return result


# Numbers

LIBRARY = ctypes.CDLL(ctypes.util.find_library("m"))


def of_library(name, function, count=1):
    call = getattr(LIBRARY, function)
    call.restype, call.argtypes = ctypes.c_double, [ctypes.c_double] * count

    def called(*values):
        if len(values) != count:
            raise no_overload(name, *values)
        need(name, *[(value, "int uint double") for value in values])
        return call(*map(float, values))

    return called


def trying(convert):
    def called(value):
        try:
            return Optional(True, convert(value))
        except Failure:
            return Optional(False)

    return called


# Dates in patterns

MONTHS = "January February March April May June July August September October November December".split()
WEEKDAYS = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split()
COUNTS = {"y": "124", "M": "1234", "d": "12", "D": "13", "E": "1234", "H": "12", "h": "12", "a": "1", "m": "12",
          "s": "12", "S": "123456789", "Z": "1235", "X": "123", "x": "123"}


def fields_of(pattern):
    """The texts and fields of a pattern: ("text", …) and (letter, count)."""
    result, position = [], 0
    for match in re.finditer(r"''|'((?:[^']|'')*)'|([A-Za-z])\2*|[^A-Za-z']", pattern):
        if match.start() != position:
            break
        position = match.end()
        if match.group() == "''":
            result.append(("text", "'"))
        elif match.group(1) is not None:
            result.append(("text", match.group(1).replace("''", "'")))
        elif match.group(2):
            if str(len(match.group())) not in COUNTS.get(match.group(2), ""):
                raise Failure("S401", f"no field {match.group()}")
            result.append((match.group(2), len(match.group())))
        else:
            result.append(("text", match.group()))
    if position != len(pattern):
        raise Failure("S401", "a quote is not closed")
    return result


def zone_offset(seconds, zone):
    from times import local

    return (local(Timestamp(seconds * SECOND), zone) - EPOCH - datetime.timedelta(seconds=seconds)).total_seconds()


def offset_text(seconds, form, z):
    if seconds == 0 and z:
        return "Z"
    hours, minutes = divmod(abs(int(seconds)) // 60, 60)
    text = f"{'-' if seconds < 0 else '+'}{hours:02d}"
    return text if form == 1 and minutes == 0 else f"{text}{':' if form == 3 else ''}{minutes:02d}"


def date_text(value, pattern, zone="UTC"):
    from times import local

    need("format", (value, "google.protobuf.Timestamp"), (pattern, "string"), (zone, "string"))
    date, offset = local(value, zone), zone_offset(value.nanoseconds // SECOND, zone)
    name = lambda text, count: text if count == 4 else text[:3]
    writers = {
        "text": lambda text: text,
        "y": lambda count: f"{date.year % 100:02d}" if count == 2 else f"{date.year:0{count}d}",
        "M": lambda count: f"{date.month:0{count}d}" if count < 3 else name(MONTHS[date.month - 1], count),
        "d": lambda count: f"{date.day:0{count}d}",
        "D": lambda count: f"{date.timetuple().tm_yday:0{count}d}",
        "E": lambda count: name(WEEKDAYS[date.isoweekday() % 7], count),
        "H": lambda count: f"{date.hour:0{count}d}",
        "h": lambda count: f"{date.hour % 12 or 12:0{count}d}",
        "a": lambda count: "AM" if date.hour < 12 else "PM",
        "m": lambda count: f"{date.minute:0{count}d}",
        "s": lambda count: f"{date.second:0{count}d}",
        "S": lambda count: f"{value.nanoseconds % SECOND:09d}"[:count],
        "Z": lambda count: offset_text(offset, 3 if count == 5 else 2, count == 5),
        "X": lambda count: offset_text(offset, count, True),
        "x": lambda count: offset_text(offset, count, False),
    }
    return "".join(writers[letter](part) for letter, part in fields_of(pattern))


def reading(letter, count):
    """The regular expression that reads a field."""
    digits = {1: r"(\d{1,2})", 2: r"(\d\d)"}
    if letter == "text":
        return re.escape(count)
    if letter == "y":
        return {1: r"(\d{1,4})", 2: r"(\d\d)", 4: r"(\d{4})"}[count]
    if letter == "D":
        return {1: r"(\d{1,3})", 3: r"(\d{3})"}[count]
    if letter == "M" and count > 2 or letter == "E":
        names = MONTHS if letter == "M" else WEEKDAYS
        return "((?i:" + "|".join(name if count == 4 else name[:3] for name in names) + "))"
    if letter == "S":
        return rf"(\d{{{count}}})"
    return "((?i:[ap]m))" if letter == "a" else r"([zZ]|[+-]\d\d(?::?\d\d)?)" if letter in "ZXx" else digits[count]


def parse_time(text, pattern, zone="UTC"):
    need("parseTime", (text, "string"), (pattern, "string"), (zone, "string"))
    fields = fields_of(pattern)
    letters = [letter for letter, _ in fields if letter != "text"]
    if "h" in letters and "a" not in letters and "H" not in letters:
        raise Failure("S401", "an hour without AM or PM")
    match = re.fullmatch("".join(reading(*field) for field in fields), text, re.ASCII)
    if not match:
        raise Failure("S410", "the text does not fit the pattern")
    read = dict(zip(letters, match.groups()))
    counts = {letter: count for letter, count in fields if letter != "text"}
    number = lambda letter, default: int(read.get(letter, default))
    year = number("y", 1970)
    year += (2000 if year < 69 else 1900) if counts.get("y") == 2 else 0
    month = number("M", 1) if counts.get("M", 1) < 3 else [name[:3] for name in MONTHS].index(
        read["M"][:3].capitalize()) + 1
    last_hour = [letter for letter in letters if letter in "Hh"][-1:]
    hour = number(last_hour[0], 0) if last_hour else 0
    if "h" in letters and not 1 <= number("h", 1) <= 12:
        raise Failure("S410", "no hour")
    if "a" in letters:
        if not 1 <= hour <= 12:
            raise Failure("S410", "no hour")
        hour = hour % 12 + (12 if read["a"].lower() == "pm" else 0)
    try:
        if "D" in letters:
            date = datetime.datetime(year, 1, 1, hour, number("m", 0), number("s", 0))
            date += datetime.timedelta(days=number("D", 1) - 1)
            if date.year != year:
                raise ValueError
        else:
            date = datetime.datetime(year, month, number("d", 1), hour, number("m", 0), number("s", 0))
    except (ValueError, OverflowError) as error:
        raise Failure("S410", "no such date") from error
    if "E" in letters and WEEKDAYS[date.isoweekday() % 7][:3] != read["E"][:3].capitalize():
        raise Failure("S410", "another weekday")
    offsets = [letter for letter in letters if letter in "ZXx"]
    if offsets:
        written = read[offsets[-1]].replace(":", "")
        hours, minutes = (0, 0) if written in "zZ" else (int(written[1:3]), int(written[3:5] or 0))
        if hours > 23 or minutes > 59:
            raise Failure("S410", "no offset")
        seconds = (date - EPOCH).total_seconds() - (hours * 3600 + minutes * 60) * (-1 if written[0] == "-" else 1)
    elif re.fullmatch(r"[+-]?\d\d:\d\d|UTC|Z", zone):
        seconds = (date - EPOCH).total_seconds() - zone_offset(0, "UTC" if zone == "Z" else zone)
    else:
        try:
            # PEP 495: the first of two, and the offset before a gap.
            place = zoneinfo.ZoneInfo(zone)
        except (zoneinfo.ZoneInfoNotFoundError, ValueError) as error:
            raise Failure("S410", "no such time zone") from error
        seconds = (date - EPOCH - date.replace(tzinfo=place, fold=0).utcoffset()).total_seconds()
    nanoseconds = int(seconds) * SECOND + int(read.get("S", "0").ljust(9, "0"))
    if not -62135596800 * SECOND <= nanoseconds < 253402300800 * SECOND:
        raise Failure("S410", "the timestamp is out of range")
    return Timestamp(nanoseconds)


def from_millis(value):
    need("timestamp.fromMillis", (value, "int double"))
    if isinstance(value, float):
        if not math.isfinite(value):
            raise Failure("S403", "the timestamp is out of range")
        whole = math.floor(value / 1000)
        part = (value - float(whole) * 1000) * 1_000_000
        nanoseconds = whole * SECOND + int(math.copysign(math.floor(abs(part) + 0.5), part))
    else:
        nanoseconds = value * 10**6
    if not -62135596800 * SECOND <= nanoseconds < 253402300800 * SECOND:
        raise Failure("S403", "the timestamp is out of range")
    return Timestamp(nanoseconds)


def millis(value):
    if isinstance(value, Timestamp):
        return value.nanoseconds // 10**6
    need("millis", (value, "google.protobuf.Duration"))
    return abs(value.nanoseconds) // 10**6 * (-1 if value.nanoseconds < 0 else 1)


# Texts


def normalize(text):
    need("normalize", (text, "string"))
    return unicodedata.normalize("NFC", text)


def groups(text, expression):
    from functions import pattern

    need("regex.groups", (text, "string"), (expression, "string"))
    compiled = pattern(expression.replace("(?<", "(?P<"))
    if not compiled.groupindex:
        raise Failure("S401", "no named group")
    match = compiled.search(text)
    if match is None:
        return Optional(False)
    return Optional(True, Map((name, part) for name, part in match.groupdict().items() if part is not None))


def check_padding(flags, width):
    if not width and flags:
        raise Failure("S401", "a flag without a width")
    if width and int(width) > 1000:
        raise Failure("S401", "too wide")


def padded(text, flags, width, letter, value):
    """A formatted value with its padding."""
    if not width:
        return text
    if "0" in flags and ("-" in flags or letter == "s" or not is_number(value)):
        raise Failure("S401", "no such padding")
    if "0" in flags and math.isfinite(value):
        return text.zfill(int(width))
    return text.ljust(int(width)) if "-" in flags else text.rjust(int(width))


FUNCTIONS = {
    "math.pi": lambda: math.pi,
    "math.pow": of_library("math.pow", "pow", 2),
    "math.atan2": of_library("math.atan2", "atan2", 2),
    **{f"math.{name}": of_library(f"math.{name}", name) for name in "log log10 exp sin cos tan asin acos atan".split()},
    "timestamp.fromMillis": from_millis,
    "parseTime": parse_time,
    "regex.groups": groups,
}

METHODS = {
    "sum": total,
    "min": extreme("min", -1),
    "max": extreme("max", 1),
    "average": average,
    "percentile": percentile,
    "isSorted": is_sorted,
    "zip": zipped,
    "merge": merged,
    "without": without,
    "rename": renamed,
    "keys": lambda value: need("keys", (value, "map")) or value.keys(),
    "values": lambda value: need("values", (value, "map")) or value.values(),
    "millis": millis,
    "normalize": normalize,
}
