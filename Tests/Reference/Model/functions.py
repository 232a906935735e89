"""The functions of CEL's standard and of cel-spec's extensions, and those of Expressions.md, on values of `values.py`.

FUNCTIONS are called by name, METHODS on a value, which is then the first argument. Left out: network addresses.
"""

import base64
import functools
import hashlib
import math
import re

import functions_data as data
import times
from values import (
    INT_MAX,
    INT_MIN,
    UINT_MAX,
    Duration,
    Failure,
    Map,
    Optional,
    Timestamp,
    Type,
    UInt,
    compare,
    double_text,
    duration_text,
    equal,
    is_number,
    key_of,
    key_text,
    kind,
    read_json,
    timestamp_text,
    write_json,
)


def no_overload(function, *arguments):
    return Failure("S405", f"{function} has no overload for ({', '.join(map(kind, arguments))})")


def need(function, *pairs):
    """Raises unless each value has one of the kinds, which stand in a string."""
    for value, kinds in pairs:
        if kind(value) not in kinds.split():
            raise no_overload(function, *[value for value, _ in pairs])


def invalid(message):
    return Failure("S410", message)


# Conversions


def to_int(value):
    if kind(value) in ("int", "uint"):
        number = int(value)
    elif isinstance(value, float):
        if not -(2.0**63) < value < 2.0**63:
            raise Failure("S403", "the double does not fit in an int")
        number = math.trunc(value)
    elif isinstance(value, str) and re.fullmatch(r"[+-]?\d+", value, re.ASCII):
        number = int(value)
    elif isinstance(value, Timestamp):
        number = value.nanoseconds // 10**9
    else:
        raise invalid("no int") if isinstance(value, str) else no_overload("int", value)
    if not INT_MIN <= number <= INT_MAX:
        raise invalid("no int") if isinstance(value, str) else Failure("S403", "the number does not fit in an int")
    return number


def to_uint(value):
    if isinstance(value, str):
        if not re.fullmatch(r"\+?\d+", value, re.ASCII) or int(value) > UINT_MAX:
            raise invalid("no uint")
        return UInt(int(value))
    if not is_number(value):
        raise no_overload("uint", value)
    if value != value or not 0 <= value < 2**64:
        raise Failure("S403", "the number does not fit in a uint")
    return UInt(math.trunc(value))


def to_double(value):
    if is_number(value):
        return float(value)
    if isinstance(value, str):
        if re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|[+-]?(Inf|Infinity|inf|infinity)|NaN|nan", value):
            return float(value)
        raise invalid("no double")
    raise no_overload("double", value)


def to_string(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if kind(value) in ("int", "uint"):
        return str(int(value))
    if isinstance(value, bytes):
        try:
            return value.decode()
        except UnicodeDecodeError as error:
            raise invalid("the bytes are not UTF-8") from error
    texts = {float: double_text, str: str, Timestamp: timestamp_text, Duration: duration_text}
    if type(value) not in texts:
        raise no_overload("string", value)
    return texts[type(value)](value)


def to_bool(value):
    if isinstance(value, bool):
        return value
    if isinstance(value, str):
        if value in ("true", "True", "TRUE", "t", "1"):
            return True
        if value in ("false", "False", "FALSE", "f", "0"):
            return False
        raise invalid("no bool")
    raise no_overload("bool", value)


def to_bytes(value):
    need("bytes", (value, "string bytes"))
    return value.encode() if isinstance(value, str) else value


# Strings


def size(value):
    need("size", (value, "string bytes list map"))
    return len(value)


def position(value, length):
    need("a position", (value, "int"))
    if not 0 <= value <= length:
        raise Failure("S411", f"index out of range: {value}")
    return value


def char_at(text, at):
    need("charAt", (text, "string"), (at, "int"))
    return text[position(at, len(text)) :][:1]


def index_of(text, part, start=0):
    if isinstance(text, list) and start == 0:
        return data.place(text, part, False)
    need("indexOf", (text, "string"), (part, "string"), (start, "int"))
    return text.find(part, position(start, len(text)))


def last_index_of(text, part, start=None):
    if isinstance(text, list) and start is None:
        return data.place(text, part, True)
    need("lastIndexOf", (text, "string"), (part, "string"))
    if start is None:
        return text.rfind(part)
    return text.rfind(part, 0, position(start, len(text)) + len(part))


def substring(text, start, end=None):
    need("substring", (text, "string"), (start, "int"))
    end = len(text) if end is None else position(end, len(text))
    if position(start, len(text)) > end:
        raise Failure("S411", "the start of the substring is after its end")
    return text[start:end]


def replace(text, old, new, count=-1):
    need("replace", (text, "string"), (old, "string"), (new, "string"), (count, "int"))
    return text.replace(old, new, max(count, -1))


def split(text, separator, limit=-1):
    need("split", (text, "string"), (separator, "string"), (limit, "int"))
    if limit == 0:
        return []
    if separator == "":
        pieces = list(text)
        return pieces if limit < 0 or len(pieces) <= limit else pieces[: limit - 1] + ["".join(pieces[limit - 1 :])]
    return text.split(separator, limit - 1 if limit > 0 else -1)


def join(parts, separator=""):
    need("join", (parts, "list"), (separator, "string"))
    for part in parts:
        need("join", (part, "string"))
    return separator.join(parts)


WHITE = "\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))


def of_string(name, function):
    def called(text):
        need(name, (text, "string"))
        return function(text)

    return called


def ascii_case(upper):
    first, last, shift = ("a", "z", -32) if upper else ("A", "Z", 32)
    return lambda text: "".join(chr(ord(c) + shift) if first <= c <= last else c for c in text)


def of_two_strings(name, function):
    def called(text, other):
        need(name, (text, "string"), (other, "string"))
        return function(text, other)

    return called


def quote(text):
    need("quote", (text, "string"))
    escapes = {
        "\a": "\\a",
        "\b": "\\b",
        "\f": "\\f",
        "\n": "\\n",
        "\r": "\\r",
        "\t": "\\t",
        "\v": "\\v",
        "\\": "\\\\",
        '"': '\\"',
    }
    return '"' + "".join(escapes.get(c, c) for c in text) + '"'


def reverse(value):
    need("reverse", (value, "string list"))
    return value[::-1]


def formatted_text(value):
    """A value as the clause %s writes it."""
    if value is None:
        return "null"
    if isinstance(value, float):
        return double_text(value)
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    if isinstance(value, Type):
        return value.name
    if isinstance(value, list):
        return "[" + ", ".join(map(formatted_text, value)) + "]"
    if isinstance(value, Map):
        entries = sorted((formatted_text(key), formatted_text(entry)) for key, entry in value.items())
        return "{" + ", ".join(f"{key}: {entry}" for key, entry in entries) + "}"
    return to_string(value)


def clause(letter, precision, value):
    need_of = {
        "d": "int uint double",
        "b": "int uint bool",
        "o": "int uint",
        "f": "int uint double",
        "e": "int uint double",
        "x": "int uint string bytes",
        "X": "int uint string bytes",
    }
    if letter == "s":
        return formatted_text(value)
    need(f"%{letter}", (value, need_of[letter]))
    if letter in "def" and isinstance(value, float) and not math.isfinite(value):
        return double_text(value)
    if letter in "ef":
        return f"{float(value):.{6 if precision is None else precision}{letter}}"
    if letter == "d":
        return double_text(value) if isinstance(value, float) else str(int(value))
    if letter in "xX" and isinstance(value, (str, bytes)):
        text = to_bytes(value).hex()
        return text.upper() if letter == "X" else text
    return f"{int(value):{letter}}"


def format_string(text, arguments, zone="UTC"):
    if isinstance(text, Timestamp):
        return data.date_text(text, arguments, zone)
    need("format", (text, "string"), (arguments, "list"))
    taken = 0

    def written(match):
        nonlocal taken
        if match.group() == "%%":
            return "%"
        flags, width, precision, letter = match.groups()
        if letter is None or taken >= len(arguments):
            raise Failure("S401" if letter is None else "S411", "a clause that does not exist, or without an argument")
        data.check_padding(flags, width)
        taken += 1
        value = arguments[taken - 1]
        return data.padded(clause(letter, int(precision) if precision else None, value), flags, width, letter, value)

    return re.sub(r"%%|%([-0]*)(\d*)(?:\.(\d+))?([sdfexXob])?", written, text)


# Regular expressions: Python's syntax, which for simple patterns is that of RE2


def pattern(text):
    if r"\p" in text:
        raise NotImplementedError("classes of Unicode")
    try:
        text = re.sub(r"\(\?<(?=[A-Za-z_])", "(?P<", text)
        return re.compile(text, re.ASCII)  # as RE2: \w, \d, \s and \b know ASCII alone
    except re.error as error:
        raise Failure("S410", f"the pattern is not valid: {error}") from error


def matches(text, expression):
    need("matches", (text, "string"), (expression, "string"))
    return pattern(expression).search(text) is not None


def extract(text, expression):
    need("regex.extract", (text, "string"), (expression, "string"))
    match = pattern(expression).search(text)
    group = match and match.group(match.re.groups)
    return Optional(False) if group is None else Optional(True, group)


def found(expression, text):
    """The matches, as RE2 has them: an empty one does not follow another one at once."""
    end = -1
    for match in pattern(expression).finditer(text):
        if match.end() > match.start() or match.start() > end:
            yield match
        end = match.end()


def extract_all(text, expression):
    need("regex.extractAll", (text, "string"), (expression, "string"))
    groups = [match.group(match.re.groups) for match in found(expression, text)]
    return [group for group in groups if group is not None]


def regex_replace(text, expression, replacement, count=-1):
    need("regex.replace", (text, "string"), (expression, "string"), (replacement, "string"), (count, "int"))
    if count == 0:
        return text

    def written(match):
        return re.sub(r"\\(\d)", lambda digit: match.group(int(digit.group(1))) or "", replacement)

    result, position = [], 0
    for number, match in enumerate(found(expression, text)):
        if 0 < count <= number:
            break
        result += [text[position : match.start()], written(match)]
        position = match.end()
    return "".join(result) + text[position:]


# Lists and sets


def first_of_equals(values):
    """The elements without those that equal an earlier one; NaN equals nothing."""
    seen = {}
    for at, value in enumerate(values):
        seen.setdefault(key_of(value) if value == value else ("NaN", at), value)
    return list(seen.values())


def sort(keys, elements=None):
    """The elements (by default the keys themselves) in the order of their keys; equal keys keep their order."""
    need("sort", (keys, "list"))
    data.ordered("sort", keys)
    elements = keys if elements is None else elements

    def compared(a, b):
        """NaN comes first."""
        result = compare(keys[a], keys[b])
        return (keys[a] == keys[a]) - (keys[b] == keys[b]) if result is None else result

    order = sorted(range(len(keys)), key=functools.cmp_to_key(compared))
    return [elements[at] for at in order]


def flatten(values, depth=1):
    need("flatten", (values, "list"), (depth, "int"))
    if depth < 0:
        raise Failure("S401", "the depth is negative")
    result = []
    for value in values:
        result.extend(flatten(value, depth - 1) if isinstance(value, list) and depth > 0 else [value])
    return result


def part(values, start, end):
    need("slice", (values, "list"), (start, "int"), (end, "int"))
    if not 0 <= start <= end <= len(values):
        raise Failure("S411", "the bounds are outside the list")
    return values[start:end]


def number_range(count):
    need("lists.range", (count, "int"))
    return list(range(count))


def end_of_list(at):
    def called(values):
        need("first", (values, "list"))
        return Optional(True, values[at]) if values else Optional(False)

    return called


def within(values, others):
    return all(any(equal(value, other) for other in others) for value in values)


def of_two_lists(name, function):
    def called(values, others):
        need(name, (values, "list"), (others, "list"))
        return function(values, others)

    return called


# Mathematics


def extreme(name, sign):
    def called(*values):
        if len(values) == 1 and isinstance(values[0], list):
            values = values[0]
        if not values:
            raise no_overload(name)
        best = None
        for value in values:
            need(name, (value, "int uint double"))
            if best is None or compare(value, best) == sign:
                best = value
        return best

    return called


def of_double(name, function):
    def called(value):
        need(name, (value, "int uint double"))
        value = float(value)
        return function(value) if math.isfinite(value) or name.startswith("math.is") else value

    return called


def half_away(value):
    """The nearest whole number, ties away from zero."""
    return math.copysign(float(math.floor(abs(value)) + (abs(value) - math.floor(abs(value)) >= 0.5)), value)


def root(value):
    need("math.sqrt", (value, "int uint double"))
    return math.sqrt(value) if value >= 0 else math.nan


def absolute(value):
    need("math.abs", (value, "int uint double"))
    if kind(value) == "int" and value == INT_MIN:
        raise Failure("S403", "the result does not fit in an int")
    return value if isinstance(value, UInt) else abs(value)


def sign(value):
    need("math.sign", (value, "int uint double"))
    if value != value:
        return value
    return type(value)((value > 0) - (value < 0))


def bits(name, function):
    def called(left, right):
        if kind(left) != kind(right) or kind(left) not in ("int", "uint"):
            raise no_overload(name, left, right)
        return type(left)(function(int(left), int(right)))

    return called


def bit_not(value):
    need("math.bitNot", (value, "int uint"))
    return UInt(~value % 2**64) if isinstance(value, UInt) else ~value


def shift(name, function):
    def called(value, count):
        if kind(count) in ("int", "uint") and count < 0:
            raise Failure("S411", "negative offset")
        need(name, (value, "int uint"), (count, "int uint"))
        result = function(int(value) % 2**64, min(int(count), 64)) % 2**64
        return UInt(result) if isinstance(value, UInt) else result - 2**64 if result > INT_MAX else result

    return called


def rounded(value, digits):
    need("round", (value, "int uint double"), (digits, "int"))
    if not 0 <= digits <= 15:
        raise Failure("S411", "too many digits")
    scaled = float(value) * 10.0**digits
    # A product from 2^53 on is rounded itself, and the value has no more digits than are kept.
    return float(value) if not abs(scaled) < 2.0**53 else half_away(scaled) / 10.0**digits


def clamp(value, low, high):
    need("clamp", (value, "int uint double"), (low, "int uint double"), (high, "int uint double"))
    if compare(low, high) not in (-1, 0):
        raise Failure("S411", "the lower bound is above the upper one")
    if len({kind(value), kind(low), kind(high)}) > 1:
        value, low, high = float(value), float(low), float(high)
    return low if compare(value, low) == -1 else high if compare(value, high) == 1 else value


# Optionals


def optional_value(optional):
    need("value", (optional, "optional_type"))
    if not optional.present:
        raise Failure("S404", "the optional is empty")
    return optional.value


def is_zero(value):
    if isinstance(value, (Timestamp, Duration)):
        return value.nanoseconds == 0
    return (
        value is None
        or value is False
        or is_number(value)
        and value == 0
        or (kind(value) in ("string", "bytes", "list", "map") and len(value) == 0)
    )


def unwrap(values):
    need("unwrapOpt", (values, "list"))
    return [value.value for value in values if value.present]


def decode_base64(text):
    need("base64.decode", (text, "string"))
    try:
        return base64.b64decode(text.encode("ascii") + b"=" * (-len(text) % 4), validate=True)
    except ValueError as error:
        raise invalid("no base64") from error


def parse_json(text):
    try:
        return read_json(text)
    except Failure as failure:
        raise invalid(f"no JSON: {failure}") from failure


TYPES = {
    name: Type(name)
    for name in (
        "int",
        "uint",
        "double",
        "bool",
        "string",
        "bytes",
        "list",
        "map",
        "null_type",
        "type",
        "optional_type",
        "google.protobuf.Timestamp",
        "google.protobuf.Duration",
    )
}

FUNCTIONS = {
    "int": to_int,
    "uint": to_uint,
    "double": to_double,
    "string": to_string,
    "bool": to_bool,
    "bytes": to_bytes,
    "timestamp": times.to_timestamp,
    "duration": times.to_duration,
    "dyn": lambda value: value,
    "type": lambda value: TYPES[kind(value)],
    "size": size,
    "matches": matches,
    "regex.extract": extract,
    "regex.extractAll": extract_all,
    "regex.replace": regex_replace,
    "strings.quote": quote,
    "base64.encode": lambda value: base64.b64encode(to_bytes(value)).decode(),
    "base64.decode": decode_base64,
    "parseJSON": of_string("parseJSON", parse_json),
    "toJSON": write_json,
    "sha256": lambda value: hashlib.sha256(to_bytes(value)).hexdigest(),
    "lists.range": number_range,
    "optional.of": lambda value: Optional(True, value),
    "optional.none": lambda: Optional(False),
    "optional.unwrap": unwrap,
    "optional.ofNonZeroValue": lambda value: Optional(False) if is_zero(value) else Optional(True, value),
    "sets.contains": of_two_lists("sets.contains", lambda a, b: within(b, a)),
    "sets.equivalent": of_two_lists("sets.equivalent", lambda a, b: within(a, b) and within(b, a)),
    "sets.intersects": of_two_lists("sets.intersects", lambda a, b: any(within([value], b) for value in a)),
    "math.greatest": extreme("math.greatest", 1),
    "math.least": extreme("math.least", -1),
    "math.abs": absolute,
    "math.ceil": of_double("math.ceil", lambda value: float(math.ceil(value)) or math.copysign(0.0, value)),
    "math.floor": of_double("math.floor", lambda value: float(math.floor(value)) or math.copysign(0.0, value)),
    "math.trunc": of_double("math.trunc", lambda value: math.copysign(float(math.trunc(value)), value)),
    "math.round": of_double("math.round", half_away),
    "math.sqrt": root,
    "math.sign": sign,
    "math.isNaN": of_double("math.isNaN", math.isnan),
    "math.isInf": of_double("math.isInf", math.isinf),
    "math.isFinite": of_double("math.isFinite", math.isfinite),
    "math.bitAnd": bits("math.bitAnd", lambda a, b: a & b),
    "math.bitOr": bits("math.bitOr", lambda a, b: a | b),
    "math.bitXor": bits("math.bitXor", lambda a, b: a ^ b),
    "math.bitNot": bit_not,
    "math.bitShiftLeft": shift("math.bitShiftLeft", lambda a, b: a << b),
    "math.bitShiftRight": shift("math.bitShiftRight", lambda a, b: a >> b),
    "round": rounded,
    "clamp": clamp,
    "atan2": lambda y, x: math.atan2(y, x),
    "tryInt": data.trying(to_int),
    "tryDouble": data.trying(to_double),
    **data.FUNCTIONS,
}

METHODS = {
    "size": size,
    "contains": of_two_strings("contains", lambda text, other: other in text),
    "matches": matches,
    "startsWith": of_two_strings("startsWith", str.startswith),
    "endsWith": of_two_strings("endsWith", str.endswith),
    "charAt": char_at,
    "indexOf": index_of,
    "lastIndexOf": last_index_of,
    "substring": substring,
    "replace": replace,
    "split": split,
    "join": join,
    "trim": of_string("trim", lambda text: text.strip(WHITE)),
    "upperAscii": of_string("upperAscii", ascii_case(True)),
    "lowerAscii": of_string("lowerAscii", ascii_case(False)),
    "uppercased": of_string("uppercased", str.upper),
    "lowercased": of_string("lowercased", str.lower),
    "reverse": reverse,
    "format": format_string,
    "slice": part,
    "sort": sort,
    "flatten": flatten,
    "distinct": lambda values: need("distinct", (values, "list")) or first_of_equals(values),
    "first": end_of_list(0),
    "last": end_of_list(-1),
    "unwrapOpt": unwrap,
    "value": optional_value,
    "hasValue": lambda optional: need("hasValue", (optional, "optional_type")) or optional.present,
    "or": lambda optional, other: optional if optional.present else other,
    "orValue": lambda optional, other: optional.value if optional.present else other,
    **times.GETTERS,
    **data.METHODS,
}
