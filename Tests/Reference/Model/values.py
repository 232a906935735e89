"""The values of expressions and streams, apart from Python's own: JSON text, equality, order, keys.

An int is a Python int, a double a float, a string a str, bytes are bytes, a list is a list, null is None. A uint, a
map, a timestamp, a duration, an optional and a type have classes here. Python's bool is an int, so tests of types ask
`kind(value)`, never isinstance.
"""

import base64
import datetime
import json
import math

INT_MIN, INT_MAX, UINT_MAX = -(2**63), 2**63 - 1, 2**64 - 1


def is_deeper(value, levels):
    """Whether arrays and objects nest more than this deep. Parts that are the same object are looked at once."""
    level = [value]
    for _ in range(levels):
        parts = [part for part in level if isinstance(part, (list, Map))]
        level = {id(inner): inner for part in parts
                 for inner in (part if isinstance(part, list) else [entry for _, entry in part.items()])}.values()
        if not level:
            return False
    return True


def check_nesting(value, index):
    """A stream fails when its values nest ever deeper; the model does not know when."""
    if index % 16 == 15 and is_deeper(value, 400):
        raise NotImplementedError("values that nest ever deeper")


class Failure(Exception):
    """The failure of an expression or a stream: a code of the registry (S402 …), a message, the file's own error."""

    def __init__(self, code, message="", error=None):
        super().__init__(f"{code}: {message}")
        self.code, self.message, self.error = code, message, error
        self.is_of_host = False  # whether it ends the run
        self.pointer = ""  # the place in a value that its type refuses


class UInt(int):
    """An unsigned integer of 64 bits."""

    def __repr__(self):
        return f"{int(self)}u"


class Timestamp:
    """An instant, in nanoseconds since 1970."""

    def __init__(self, nanoseconds):
        self.nanoseconds = nanoseconds

    def __repr__(self):
        return f"timestamp('{timestamp_text(self)}')"


class Duration:
    """A length of time, in nanoseconds."""

    def __init__(self, nanoseconds):
        self.nanoseconds = nanoseconds

    def __repr__(self):
        return f"duration('{duration_text(self)}')"


class Optional:
    """An optional value; `present` is False for optional.none()."""

    def __init__(self, present, value=None):
        self.present, self.value = present, value

    def __repr__(self):
        return f"optional.of({self.value!r})" if self.present else "optional.none()"


def unwrapped(value):
    """A result as a value of a stream, which has no optionals: each is its value, or null."""
    if isinstance(value, Optional):
        return unwrapped(value.value) if value.present else None
    if isinstance(value, list):
        return [unwrapped(element) for element in value]
    if isinstance(value, Map):
        return Map((key, unwrapped(entry)) for key, entry in value.items())
    return value


class Type:
    """A type as a value, by its name."""

    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return self.name


class Map:
    """A map that keeps the order of its entries and finds keys by CEL's equality. A JSON object is a Map."""

    def __init__(self, entries=()):
        self.entries = {}  # key_of(key): (key, value)
        for key, value in entries:
            self.set(key, value)

    def set(self, key, value):
        identity = key_of(key)
        self.entries[identity] = (self.entries[identity][0] if identity in self.entries else key, value)

    def get(self, key, default=None):
        entry = self.entries.get(key_of(key))
        return default if entry is None else entry[1]

    def __contains__(self, key):
        return key_of(key) in self.entries

    def __getitem__(self, key):
        return self.entries[key_of(key)][1]

    def __len__(self):
        return len(self.entries)

    def keys(self):
        return [key for key, _ in self.entries.values()]

    def values(self):
        return [value for _, value in self.entries.values()]

    def items(self):
        return list(self.entries.values())

    def __repr__(self):
        return "{" + ", ".join(f"{key!r}: {value!r}" for key, value in self.items()) + "}"


KINDS = {
    type(None): "null_type",
    bool: "bool",
    int: "int",
    UInt: "uint",
    float: "double",
    str: "string",
    bytes: "bytes",
    list: "list",
    Map: "map",
    Timestamp: "google.protobuf.Timestamp",
    Duration: "google.protobuf.Duration",
    Optional: "optional_type",
    Type: "type",
}
NUMBERS = ("int", "uint", "double")


def kind(value):
    """The name of the value's type, as `type(value)` of an expression gives it."""
    return KINDS[type(value)]


def is_number(value):
    return kind(value) in NUMBERS


def key_of(value):
    """A hashable that two values share if, and only if, they are equal. NaN has one key, as in a JavaScript Map."""
    name = kind(value)
    if name in NUMBERS:
        # Python compares ints with floats exactly, and hashes them alike.
        if name == "double":
            return ("number", "NaN") if math.isnan(value) else ("number", value + 0.0)
        return ("number", int(value))
    if name == "list":
        return ("list", tuple(key_of(element) for element in value))
    if name == "map":
        return ("map", frozenset((key, key_of(entry)) for key, (_, entry) in value.entries.items()))
    if isinstance(value, (Timestamp, Duration)):
        return (name, value.nanoseconds)
    if name == "optional_type":
        return (name, value.present, key_of(value.value) if value.present else None)
    if name == "type":
        return (name, value.name)
    return (name, value)


def equal(left, right):
    """CEL's ==. Numbers of different types are compared exactly; values of other different types are unequal."""
    if is_number(left) and is_number(right):
        return bool(left == right)
    if kind(left) != kind(right):
        return False
    if isinstance(left, list):
        return len(left) == len(right) and all(map(equal, left, right))
    if isinstance(left, Map):
        return len(left) == len(right) and all(key in right and equal(value, right[key]) for key, value in left.items())
    if isinstance(left, Optional):
        return left.present == right.present and (not left.present or equal(left.value, right.value))
    return key_of(left) == key_of(right)


def compare(left, right):
    """-1, 0 or 1; None if one is NaN. Raises a Failure if the values have no order."""
    if is_number(left) and is_number(right):
        pass
    elif kind(left) == kind(right) and isinstance(left, (Timestamp, Duration)):
        left, right = left.nanoseconds, right.nanoseconds
    elif kind(left) != kind(right) or kind(left) not in ("string", "bytes", "bool"):
        raise Failure("S405", f"{kind(left)} and {kind(right)} have no order")
    if left == right:
        return 0
    if left < right:
        return -1
    return 1 if left > right else None


def same(left, right):
    """Equal values of equal types, at every depth, with entries of maps in one order. NaN is NaN; 0.0 is not -0.0."""
    if kind(left) != kind(right):
        return False
    if isinstance(left, float):
        return left == right and math.copysign(1, left) == math.copysign(1, right) or left != left and right != right
    if isinstance(left, list):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, Map):
        return len(left) == len(right) and all(
            same(a, c) and same(b, d) for (a, b), (c, d) in zip(left.items(), right.items())
        )
    if isinstance(left, Optional):
        return left.present == right.present and (not left.present or same(left.value, right.value))
    return equal(left, right)


# JSON


def read_json(text):
    """The value of a JSON text. Numbers without a fraction or an exponent are ints, or uints beyond these, others
    doubles."""
    try:
        return json.loads(
            text, parse_int=_integer, parse_float=_double, parse_constant=_constant, object_pairs_hook=_object
        )
    except json.JSONDecodeError as error:
        raise Failure("S001", str(error)) from error


def _integer(digits):
    number = int(digits)
    if not INT_MIN <= number <= UINT_MAX:
        raise Failure("S006", f"{digits} does not fit in a 64-bit integer")
    return number if number <= INT_MAX else UInt(number)


def _double(digits):
    number = float(digits)
    if math.isinf(number):
        raise Failure("S006", f"{digits} does not fit in a double")
    return number


def _constant(name):
    raise Failure("S001", f"{name} is not JSON")


def _object(pairs):
    result = Map()
    for key, value in pairs:
        if key in result:
            raise Failure("S003", f"the key '{key}' occurs twice")
        result.set(key, value)
    return result


def write_json(value):
    """The value as compact JSON, in one line, as NDJSON output has it."""
    return json_text(plain(value))


def json_text(value):
    if isinstance(value, float):
        text = double_text(value)
        return text if "e" in text or "." in text else text + ".0"
    if isinstance(value, list):
        return "[" + ",".join(map(json_text, value)) + "]"
    if isinstance(value, dict):
        return "{" + ",".join(f"{json_text(key)}:{json_text(entry)}" for key, entry in value.items()) + "}"
    return json.dumps(value, ensure_ascii=False)


def plain(value):
    """The value in the types of Python's json module, as it is printed: what JSON lacks becomes a string."""
    if isinstance(value, float):
        if math.isnan(value):
            return "NaN"
        return value if math.isfinite(value) else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, UInt):
        return int(value)
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, list):
        return [plain(element) for element in value]
    if isinstance(value, Map):
        result = {}
        for key, entry in value.items():
            name = key_text(key)
            if name in result:
                raise Failure("S410", f"two keys of a map are '{name}' as text")
            result[name] = plain(entry)
        return result
    if isinstance(value, Timestamp):
        return timestamp_text(value, groups_of_three=True)
    if isinstance(value, Duration):
        return duration_text(value)
    if isinstance(value, Optional):
        return plain(unwrapped(value))
    if isinstance(value, Type):
        return value.name
    return value


def key_text(key):
    """The key of a map as the key of a JSON object."""
    return key if isinstance(key, str) else "true" if key is True else "false" if key is False else str(int(key))


def printed(value):
    """The value as it is read from its own JSON: uints are ints, timestamps strings …"""
    return read_json(write_json(value))


EPOCH = datetime.datetime(1970, 1, 1)


def timestamp_text(timestamp, groups_of_three=False):
    """RFC 3339 in UTC. In JSON the fraction has 3, 6 or 9 digits; string(value) has no trailing zeros."""
    seconds, nanoseconds = divmod(timestamp.nanoseconds, 10**9)
    date = EPOCH + datetime.timedelta(seconds=seconds)
    return (
        date.strftime("%Y").rjust(4, "0")
        + date.strftime("-%m-%dT%H:%M:%S")
        + fraction_text(nanoseconds, groups_of_three)
        + "Z"
    )


def duration_text(duration):
    """Seconds, with a fraction if there is one: 5400s, 1.5s."""
    sign = "-" if duration.nanoseconds < 0 else ""
    seconds, nanoseconds = divmod(abs(duration.nanoseconds), 10**9)
    return f"{sign}{seconds}{fraction_text(nanoseconds)}s"


def fraction_text(nanoseconds, groups_of_three=False):
    """The digits of a fraction of a second after its point."""
    digits = f"{nanoseconds:09d}".rstrip("0")
    if groups_of_three:
        digits = digits.ljust(-(-len(digits) // 3) * 3, "0")
    return "." + digits if digits else ""


def double_text(value):
    """A double as string(value) gives it: the shortest digits that read back; beyond 2^53 with an exponent."""
    if math.isnan(value) or math.isinf(value):
        return "NaN" if value != value else "Infinity" if value > 0 else "-Infinity"
    text = repr(value)
    text = text[:-2] if text.endswith(".0") else text
    if abs(value) > 2.0**53 and "e" not in text:
        digits = text.lstrip("-").rstrip("0")
        fraction = f".{digits[1:]}" if len(digits) > 1 else ""
        text = f"{text[:text.startswith('-')]}{digits[0]}{fraction}e+{len(text.lstrip('-')) - 1}"
    return text
