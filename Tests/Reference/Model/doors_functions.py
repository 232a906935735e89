"""The door of functions: one record with odd values, and some streams of it, each with one call of a function.

A call that fails is a value too: its code. So a file shows many calls, and their errors.
"""

import re

from casefiles import expected, text_of
from judging import Check, judge_end, judge_lines, published, without_texts
from values import Failure, printed, read_json, same, write_json

LISTS = {
    "none": [], "nulls": [None], "holed": [1, None, 2], "zeros": [-0.0, 0.0, 0], "mixed": [3, 1.5, -2, 10],
    "equal": [1, 1.0, 1], "words": ["b", "a", "", "é", "e\u0301", "Z", "😀", "b"], "flags": [True, False, True],
    "deep": [[2, 1], [1], [], [[3], 4]], "large": [2**53 + 1, 2.0**53, 2**53], "ends": [2**63 - 1, 1],
    "low": [-(2**63), -1], "odd": [1, "a", None, [1]], "one": [5], "up": [1, 2, 2, 3], "down": [3, 2, 1],
    "objects": [{"k": 1, "t": "b"}, {"k": 0, "t": "a"}, {"k": 1, "t": "a"}], "big": [1e308, 1e308, -1e308],
    "tenths": [0.1, 0.2, 0.3, 0.4], "texts": ["10", "9", "x"], "unsigned": [2**64 - 1, 5],
}
MAPS = {
    "empty": {}, "ab": {"a": 1, "b": 2}, "ba": {"b": 3, "a": None}, "inner": {"a": {"b": 1}, "c": [1]},
    "names": {"": 0, "é": 1, "e\u0301": 2, "a b": 3}, "record": {"k": "x", "n": 1, "x": 0.5},
}
NUMBERS = {
    "zero": 0, "minus": -0.0, "half": 0.5, "int": 7, "neg": -3, "most": 2**63 - 1, "least": -(2**63), "huge": 1e308,
    "tiny": 5e-324, "third": 1 / 3, "exact": 2**53 + 1, "unsigned": 2**64 - 1, "percent": 50, "over": 100.5,
    "ms": 1711843200123, "year1": -62135596800000, "late": 253402300799999, "after": 253402300800000,
    "frac": 1711843199999.7, "back": -1.5,
}
TEXTS = {
    "empty": "", "int": "12", "spaced": " 12 ", "plus": "+5", "hex": "0y1f", "float": "1e3", "point": "1.",
    "inf": "Infinity", "nan": "NaN", "word": "abc", "accent": "e\u0301tude", "umlaut": "Ärger ß", "emoji": "👍🏽🇫🇷",
    "pairs": "k1=v1;k2=v2", "date": "31/Jan/2024:10:00:00 +0100", "iso": "2024-03-31T02:30:00",
    "full": "2024-02-29T23:59:60Z", "offset": "2024-10-27T02:30:00.5+02:00", "day": "2023-02-29", "line": "a\nb",
    "path": "/a/b.txt", "duration": "1h30m", "days": "2d", "minus": "-1.5s", "bare": "90", "am": "12:05 AM",
    "lower": "feb 3, 99", "big": "99999999999999999999",
}
STAMPS = [
    "timestamp('2024-03-31T00:59:59.999999999Z')", "timestamp('2024-03-31T01:00:00Z')",
    "timestamp('2024-10-27T00:30:00Z')", "timestamp('2024-10-27T01:30:00Z')", "timestamp('0001-01-01T00:00:00Z')",
    "timestamp('9999-12-31T23:59:59.999999999Z')", "timestamp('1969-12-31T23:59:59.5Z')",
    "timestamp('2011-12-30T10:30:00Z')", "timestamp('2024-04-06T15:15:00Z')", "timestamp(0)",
    "timestamp('1890-01-01T00:00:00Z')", "timestamp('2100-07-01T12:00:00Z')",
    "timestamp.fromMillis(value.numbers.ms)",
]
LENGTHS = [
    "duration('1d')", "duration('-1h30m')", "duration('0s')", "duration('1ns')", "duration('106751d')",
    "duration(value.texts.duration)", "duration('1.5ms')",
]
ZONES = [
    "UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "America/St_Johns",
    "Africa/Casablanca", "Pacific/Apia", "+05:30", "-01:00", "+00:00", "Nowhere/City", "", "Europe/Dublin",
]
PATTERNS = [
    "yyyy-MM-dd HH:mm:ss.SSS xxx", "EEE, d MMM yyyy h:mm:ss.SSSSSSSSS a Z", "yyyyDDDHHmmssXX",
    "dd/MMM/yyyy:HH:mm:ss Z", "EEEE d. MMMM y XXX", "yy-M-d H:m:s S", "hh 'o''clock' a", "yyyy-MM-dd''HH",
    "ZZZZZ x X", "MMM d, yy", "yyyy-MM-dd", "hh:mm a", "yyyy-MM-dd'T'HH:mm:ss", "D y", "yyyyMMddHHmmss", "EEE HH",
    "'plain'", "Q", "yyyyy", "'open", "dd.MM.yyyy HH:mm zz",
]
REGEXES = [
    r"(?P<one>\w)(?P<two>\w)?", r"(?P<k>\w+)=(?P<v>\w+)", r"(\d+)", r"", r"(?P<a>x)|(?P<b>a)", r"^.$", r"(?i)A",
    r"[é-ü]", r"\s*", r"(?<n>b)", r"(a", r".", r"(?s)a.b", r"\bk",
]
FORMATS = [
    "%5d|%-5d|", "%05d", "%8.2f|", "%-8.1e|", "%08.3f", "%6s|%-6s|", "%x|%X|%o|%b", "%s", "%%|%d", "%3s", "%d %d",
    "%.0f", "%1000d", "%1001d", "%-05d", "%05s", "%q", "%", "%08x", "%+d", "%.3s", "%e",
]
CONDITIONS = [
    "x", "x == null", "type(x)", "string(x)", "x % 2", "x > 1", "size(x)", "x.k", "dyn(0)", "[x]", "-x",
    "x < 2 ? 'a' : 'b'", "int(x)", "true",
]
KEYS = [
    *CONDITIONS, "[x, 1]", "[size(x), x]", "[x.k, x.t]", "[x.t, -x.k]", "x == x ? [1, x] : x",
    "x > 2 ? [x] : [x, x]", "[]", "{'a': x}",
]
FOLDS = [
    "acc + x", "[acc, x]", "x", "acc", "acc == null ? x : acc", "acc + size(x)", "string(acc) + string(x)",
    "acc * 2 + 1", "{'s': acc}",
]
TEMPLATES = {
    "lists": """{L}.sum()
{L}.min()
{L}.max()
{L}.average()
{L}.percentile({N})
{L}.percentile({P})
{L}.indexOf({V})
{L}.lastIndexOf({V})
{L}.isSorted()
{L}.zip({L})
{L}.zip({L}).zip({L})
{L}.groupBy(x, {C})
{L}.fold(acc, x, {V}, {F})
{L}.sortBy(x, {K})
{L}.sortBy(x, {K})
{L}.sort()
{L}.distinct()
{L}.flatten()
{L}.slice({I}, {I})
{L}.reverse()
{L}.first().orValue({V})
{L}.last().orValue({V})
{L}[?{I}].orValue({V})
({L} + {L}).sum()
{L}.filter(x, {C})
{L}.map(x, {C})
{L}.exists(x, {C})
{L}.all(x, {C})
{L}.exists_one(x, {C})
{L}.transformMap(i, x, {C})
sets.contains({L}, {L})
sets.equivalent({L}, {L})
sets.intersects({L}, {L})
lists.range({I})
{V} in {L}
{L} == {L}
{L}.join(',')
math.greatest({L})
math.least({L})
{L}.existsOne(x, {C})
{L}.transformMapEntry(i, x, {{string(i): x}})
{L}.transformMapEntry(i, x, {{string(x): i}})
{L}.map(x, optional.of(x)).unwrapOpt()
optional.unwrap({L}.map(x, optional.ofNonZeroValue(x)))
optional.ofNonZeroValue({V}).orValue('zero')
optional.of({V}).optMap(x, [x]).value()
optional.of({L}).optFlatMap(x, x.first()).or({L}.last()).orValue({V})
optional.none().or(optional.of({V})).value()
{L}.first().value()
[?{L}.last(), 1]
{{?'a': {L}.first(), 'b': 2}}
size({L})""",
    "maps": """{M}.merge({M})
{M}.merge({{'q': {V}, 'a': 9}})
{M}.without('a')
{M}.without('a', {T})
{M}.without({L})
{M}.rename({{'a': 'z'}})
{M}.rename({{'a': 'b'}})
{M}.rename({M})
{M}.rename({{'a': {V}}})
{M}.keys()
{M}.values()
{M}.keys().sort()
{M}.values().sum()
{M}.map(k, {M}[k])
{M}.transformMap(k, v, [k, v])
{M}.transformList(k, v, v)
{M}.?a.orValue({V})
{M}[?{T}].hasValue()
has({M}.a)
{M} == {M}.merge({M})
{M}.merge({M}).keys()
size({M})""",
    "numbers": """math.{G}({N})
math.pow({N}, {N})
math.atan2({N}, {N})
math.sqrt({N})
math.round({N})
math.ceil({N})
math.floor({N})
math.trunc({N})
math.abs({N})
math.sign({N})
math.isNaN({N} / {N})
math.isInf(1.0 / {N})
math.isFinite({N})
math.greatest({N}, {N})
math.least({N}, {N})
math.bitAnd({N}, {N})
math.bitOr({N}, {N})
math.bitXor({N}, {N})
math.bitNot({N})
math.bitShiftLeft({N}, {I})
math.bitShiftRight({N}, {I})
round({N}, {I})
clamp({N}, {N}, {N})
tryInt({V}).orValue(-1)
tryDouble({V}).orValue(-1.0)
tryInt({T}).orValue(-1)
tryDouble({T}).orValue(-1.0)
int({N})
uint({N})
double({N})
string({N})
int({T})
uint({T})
double({T})
bool({T})
{N} + {N}
{N} - {N}
{N} * {N}
{N} / {N}
{N} % {N}
-{N}
{N} < {N}
{N} == {N}
dyn({N}) >= dyn({N})
toJSON({N})""",
    "times": """timestamp.fromMillis({N})
{S}.millis()
{D}.millis()
{S}.format('{A}', '{Z}')
{S}.format('{A}')
{S}.format({T})
parseTime({T}, '{A}')
parseTime({T}, '{A}', '{Z}')
parseTime({S}.format('{A}', '{Z}'), '{A}', '{Z}')
parseTime({S}.format('yyyy-MM-dd HH:mm:ss', '{Z}'), 'yyyy-MM-dd HH:mm:ss', '{Z}')
{D} * {N}
{N} * {D}
{D} / {N}
{D} / {D}
{D} + {D}
{D} - {D}
{D} < {D}
{S} + {D}
{S} - {D}
{S} - {S}
{S} < {S}
duration({T})
timestamp({T})
timestamp({N})
string({D})
string({S})
int({S})
{S}.getHours('{Z}')
{S}.getDayOfWeek('{Z}')
{S}.getDayOfYear('{Z}')
{S}.getFullYear('{Z}')
{S}.getMonth('{Z}')
{S}.getDate('{Z}')
{S}.getDayOfMonth('{Z}')
{S}.getMilliseconds('{Z}')
{D}.getHours()
{D}.getMinutes()
{D}.getMilliseconds()
[{D}, {D}].sum()
[{D}, {D}].max()
[{S}, {S}].min()
[{S}, {S}].sort()""",
    "texts": """regex.groups({T}, r'{R}').orValue({{}})
regex.extract({T}, r'{X}').orValue('-')
regex.extractAll({T}, r'{X}')
regex.replace({T}, r'{R}', '<\\\\0>')
{T}.matches(r'{R}')
'{W}'.format([{V}, {N}])
'{W}'.format([{N}, {T}])
'{W}'.format([{N}, {N}, {V}, {N}])
{T}.normalize()
({T} + '\\u0323').normalize() == {T}.normalize()
{T}.charAt({I})
{T}.indexOf({T})
{T}.lastIndexOf({T})
{T}.indexOf({T}, {I})
{T}.substring({I})
{T}.substring({I}, {I})
{T}.replace({T}, '_')
{T}.replace('', '.', {I})
{T}.split({T})
{T}.split('', {I})
{T}.trim()
{T}.reverse()
{T}.upperAscii()
{T}.lowerAscii()
{T}.uppercased()
{T}.lowercased()
{T}.contains({T})
{T}.startsWith({T})
{T}.endsWith({T})
{T} < {T}
size({T})
strings.quote({T})
base64.encode(bytes({T}))
string(base64.decode({T}))
sha256({T})
parseJSON({T})
toJSON({V})
string({V})
[{T}, {T}].join({T})
bytes({T}) < bytes({T})""",
}
CALLS = [line for lines in TEMPLATES.values() for line in lines.splitlines()]


def call(rng):
    """A random call of a function."""

    def number():
        return (
            f"value.numbers.{rng.choice(list(NUMBERS))}"
            if rng.random() < 0.85
            else rng.choice(["dyn(0.0 / 0.0)", "dyn(1.0 / 0.0)", "dyn(-1.0 / 0.0)", "dyn(5u)", "dyn(-0.0)"])
        )

    def member(kind, values):
        return f"value.{kind}.{rng.choice(list(values))}"

    def any_value():
        return rng.choice(
            [
                number, lambda: member("texts", TEXTS), lambda: member("lists", LISTS), lambda: member("maps", MAPS),
                lambda: rng.choice(["dyn(null)", "dyn(true)", "dyn(1)", "dyn('a')", "dyn(2.0)"]),
            ]
        )()

    def list_of():
        return (
            member("lists", LISTS)
            if rng.random() < 0.9
            else rng.choice(
                [
                    "[dyn(0.0 / 0.0), 1.0, dyn(0.0 / 0.0)]", "[dyn(1u), 1, 0.5]", "[dyn(b'b'), b'a']",
                    "[dyn(duration('2s')), duration('1s')]", "[dyn(1.0 / 0.0), -1.0 / 0.0]",
                    "[dyn(timestamp(5)), timestamp(3)]",
                ]
            )
        )

    makers = {
        "L": list_of, "M": lambda: member("maps", MAPS), "N": number, "T": lambda: member("texts", TEXTS),
        "V": any_value, "P": lambda: rng.choice(["0", "25", "50", "99.9", "100", "-1", "33.333"]),
        "I": lambda: rng.choice(["0", "1", "2", "-1", "5", "14", "63"]), "C": lambda: rng.choice(CONDITIONS),
        "K": lambda: rng.choice(KEYS), "F": lambda: rng.choice(FOLDS), "S": lambda: rng.choice(STAMPS),
        "D": lambda: rng.choice(LENGTHS), "Z": lambda: rng.choice(ZONES),
        "A": lambda: rng.choice(PATTERNS).replace("'", "\\'"), "R": lambda: rng.choice(REGEXES),
        "X": lambda: rng.choice([one for one in REGEXES if one.count("(") < 2]), "W": lambda: rng.choice(FORMATS),
        "G": lambda: rng.choice("log log10 exp sin cos tan asin acos atan".split()),
    }
    line = rng.choice(CALLS).replace("{{", "\0").replace("}}", "\1")
    return re.sub(r"\{(\w)\}", lambda match: makers[match[1]](), line).replace("\0", "{").replace("\1", "}")


def judge_calls(expressions):
    """Compares each call by itself."""

    def judge(check, outcome):
        wanted = [printed(value) for _, value in published(check.events)]
        try:
            got = [read_json(line) for line in outcome.output.splitlines()]
        except Failure as failure:
            return f"  the output is not NDJSON: {failure}\n"
        if len(got) != len(wanted):
            return judge_lines(check, outcome)
        parts = [
            f"  {expression}\n    expected {write_json(one)}\n    got      {write_json(other)}\n"
            for expression, one, other in zip(expressions, wanted, got)
            if not same(without_texts(one), without_texts(other))
        ]
        return "".join(parts) or judge_end(check, outcome)

    return judge


def functions(case, rng):
    """Some calls, each in a stream of its own."""
    record = {"lists": LISTS, "maps": MAPS, "numbers": NUMBERS, "texts": TEXTS}
    branches = [[{"map": {"expression": call(rng)}}, {"toResult": {}}] for _ in range(rng.choice([1, 5, 8]))]
    first, *others = branches
    model = {
        "inputs": {"a": {}},
        "source": {"input": {"name": "a"}},
        "operators": (
            first
            + [{"merge": {"with": [{"source": {"input": {"name": "a"}}, "operators": branch} for branch in others]}}]
            if others
            else first
        ),
    }
    events = expected(model, {"a": [(None, read_json(text_of(record)))]})
    judge = judge_calls([branch[0]["map"]["expression"] for branch in branches])
    return Check("functions", {"s.json": text_of(model)}, ["s.json"], text_of(record) + "\n", events, judge)
