#!/usr/bin/env python3
"""Tries the help of messages: a help that says "write X" is applied to the wrong one-liner, which then has to run.

    cures.py BINARY [--only TEXT]

Each entry of the corpus is a one-liner that is refused or fails, the values that it gets, and what the cure must print, or
`...` for anything, or None for a help in general words. A cure replaces the part of the one-liner that the message points
at, or a part around it; a name for another name replaces that name, and the message after it may have a cure, too.

A help that is a sentence is in READINGS, with the one-liner that a reader makes of it. A help that does not cure is in
KNOWN, with the reason. Both hold for that exact help only.
"""

import argparse
import concurrent.futures
import os
import re
import subprocess
import sys

ROW = '{"a":1,"b":2.5,"s":"x","n":"7","none":null,"l":[1,2],"o":{"k":1},"@t":1,"user-agent":"u","größe":3,"order id":4,' \
      '"2xx":5,"t":"2024-01-01T10:00:00Z","d":"2024-01-01 10:00:05","ms":1704103200000}'
ANY = ...

# (one-liner, values, what the cure prints)
CORPUS = [
    # Names of members.
    ("map(value.@t)", ROW, "1"), ("map(value.user-agent)", ROW, '"u"'), ("map(value.größe)", ROW, "3"),
    ("map(value.order id)", ROW, "4"), ("map(value.2xx)", ROW, "5"), ("map(value.?order id.orValue(0))", ROW, "4"),
    ("map(has(value.user-agent))", ROW, "true"), ("filter(value.@t > 0) | count()", ROW, "1"),
    ('map(value."order id")', ROW, "4"), ("map(@t)", ROW, "1"), ("map(größe)", ROW, "3"), ("map(value.o.[k])", ROW, None),
    ("map(value.nune)", ROW, "null"), ("map(value.usr-agent)", ROW, None), ("map(value.in)", '{"in":5}', "5"),
    ("map(value.l.[0])", ROW, "1"),
    # Missing members and null.
    ("map(value.z)", ROW, ANY), ("map(value.z + 1)", ROW, "1"), ("map(value.o.z)", ROW, ANY), ("map(value.z == 'a')", ROW, "false"),
    ("map(value.none.x)", ROW, ANY), ("map(value.none + 1)", ROW, "1"), ("map(value.none.size())", ROW, "0"),
    ("map(size(value.none))", ROW, "0"), ("map(value.none.split(','))", ROW, '[""]'), ("map(-value.none)", ROW, "0"),
    ("map((value.a + value.none) * 2)", ROW, ANY), ("map(value['z'])", ROW, ANY), ("map(value.l[5])", ROW, ANY),
    ("map(value.l[-1])", ROW, "2"), ("map(value.l[-2])", ROW, "1"), ("map((value.l + [3])[-1])", ROW, "3"),
    ("map((value.a > 1 ? value : value.o).z)", ROW, ANY), ("map((value.l + [3])[7])", ROW, ANY),
    ("map(value.l.slice(0, 5))", ROW, "[1,2]"), ("map(value.s.substring(0, 5))", ROW, '"x"'),
    ("map((value.s + 'y').substring(0, 5))", ROW, '"xy"'),
    ("sum(value.none)", ROW, ANY), ("sum(value.z)", ROW, ANY), ("average(value.none)", ROW, ANY), ("max(by: value.none)", ROW, ANY),
    ("sort(by: value.none, limit: 9)", ROW, ANY), ("min(by: value.z)", ROW, ANY), ("filter(value.z)", ROW, ANY),
    ("filter(value.none)", ROW, ANY), ("count(value.none)", ROW, ANY), ("map([value.none].sum())", ROW, "0"),
    ("map(1 in value.none)", ROW, "false"), ("map(value.none.map(x, x))", ROW, "[]"),
    ("map([1, value.none].max())", ROW, "1"), ("map([1, value.none].sort())", ROW, "[1]"), ("map(int(value.none))", ROW, "0"),
    ("map(timestamp(value.none))", ROW, "null"), ("map(value.none.getHours())", ROW, "null"),
    ("map(value.l.sortBy(x, value.none))", ROW, ANY), ("map((value.a == 1 ? null : 1) + 1)", ROW, "1"),
    # Texts, numbers and times.
    ("map(value.n > 3)", ROW, "true"), ("map(value.n * 2)", ROW, "14.0"), ("map(value.s + value.a)", ROW, '"x1"'),
    ("map('a' + value.a)", ROW, '"a1"'), ("map('a' + (value.a + 1))", ROW, '"a2"'), ("map(value.n - (value.a + 1))", ROW, "5.0"),
    ("map(-value.n)", ROW, "-7.0"), ("map(int(value.s))", ROW, "0"), ("map(double(value.s))", ROW, "0.0"),
    ("map(timestamp(value.d))", ROW, '"2024-01-01T10:00:05Z"'), ("map(timestamp(value.ms))", ROW, '"2024-01-01T10:00:00Z"'),
    ("map(value.t.getHours())", ROW, "10"), ("map(value.t - duration('1h'))", ROW, '"2024-01-01T09:00:00Z"'),
    ("map(value.d.getHours())", ROW, "10"), ("map(timestamp(value.t).format('ww'))", ROW, None),
    ("map(timestamp(value.t).format('YYYY'))", ROW, None), ("map(timestamp(value.t).format('%Y'))", ROW, '"2024"'),
    ("map(timestamp(value.t).getHours('Berlin'))", ROW, "11"), ("map(timestamp(value.t).format('HH', 'new york'))", ROW, '"05"'),
    ("map(timestamp(value.t).getHours('UTC+2'))", ROW, "12"), ("map(timestamp(value.t).getHours('Nowhere'))", ROW, None),
    ("map(math.abs(value.n))", ROW, "7.0"), ("sort(by: -value.s, limit: 9)", ROW, ANY), ("map(value.a.pow(2))", ROW, ANY),
    ("map(floor(value.b))", ROW, "2.0"), ("map(value.s.len())", ROW, "1"), ("map(len(value.l))", ROW, "2"),
    ("map(value.s.upper())", ROW, '"X"'), ("map(avg(value.l))", ROW, "1.5"), ("map(sum(value.l))", ROW, "3"),
    ("map(max(value.l))", ROW, "2"), ("map(value.l.length)", ROW, "2"), ("map(value.a.toString())", ROW, '"1"'),
    ("map(str(value.a))", ROW, '"1"'), ("map(value.n.toInt())", ROW, "7"), ("map(parseInt(value.n))", ROW, "7"),
    # Syntax of other languages.
    ("filter(value.a > 0 and value.b > 1)", ROW, ANY), ("filter(value.a = 1)", ROW, ANY), ("filter(value.a <> 2)", ROW, ANY),
    ("filter(value.a === 1)", ROW, ANY), ("map(value.l[0:1])", ROW, ANY), ("map(value.a ** 2)", ROW, None),
    ("map(value.s::text)", ROW, '"x"'), ("map(value.n::int)", ROW, "7"), ("map({...value.o, 'v': 6})", ROW, None),
    ("map({**value.o, 'v': 6})", ROW, '{"k":1,"v":6}'), ("map([...value.l, 3])", ROW, None), ("map(value?.a)", ROW, None),
    ("map(None)", ROW, "null"), ("filter(not value.a == 2)", ROW, None), ("map(value.a if value.b else 1)", ROW, None),
    ("map(.a)", ROW, "1"), ("map($.a)", ROW, None),
    # Arguments of operators.
    ("[1] | merge([(range(3, 4))])", "", "1\n3\n4"), ("[1] | merge([range(3, 4)])", "", "1\n3\n4"),
    ("[1] | merge(with: range(3, 4))", "", "1\n3\n4"), ("[1] | merge(with: (range(3, 4)))", "", "1\n3\n4"),
    ("[1] | flatMap([just(2)])", "", "2"), ("[1] | flatMap(stream: [(just(2))])", "", "2"), ("[1, 2] | groupBy(value, [count()])", "", "1\n1"),
    ("[1, 2] | window(count: 2, operators: [filter(true), count()])", "", ANY), ('window("5m", count())', ROW, ANY),
    ("window(5m, count())", ROW, ANY), ("window(5, count())", ROW, ANY), ('debounce("5m")', ROW, ANY), ("debounce(ms: 300)", ROW, ANY),
    ("sort(-value.a, limit: 3)", ROW, ANY), ("sort(value.a)", ROW, None), ("sort(by: value.a)", ROW, None), ("prefix(n: 3)", ROW, ANY),
    ("scan(0, acc + value.a)", ROW, ANY), ("reduce(seed: 0, acc + value.a)", ROW, None), ("range(1)", "", None),
    ("map(value.a) | mergeWith(just(1))", ROW, None), ("take(3)", ROW, ANY), ("distinct(by: value.a)", ROW, ANY), ("head(3)", ROW, ANY),
    ("uniq()", ROW, ANY), ("filter(value.a > 0).map(value.a)", ROW, None), ("select(value.a > 0)", ROW, ANY), ("where(value.a > 0)", ROW, ANY),
    ("limit(3)", ROW, ANY), ("group_by(value.a, (count()))", ROW, ANY), ("order_by(value.a)", ROW, None), ("length()", ROW, ANY),
    ("keys()", ROW, ANY), ("filter(value.a > 0", ROW, ANY), ("map(value.a", ROW, ANY), ("map([1, 2)", ROW, None),
    ("map(value.a))", ROW, ANY), ("window(seconds: 1d, align: clock, zone: \"berlin\", (count()))", ROW, ANY),
    ("sample(5, stream: (timer(1)))", ROW, ANY), ("throttle(5, edges: both, latets: true)", ROW, ANY),
    # Limits of an evaluation.
    ("collect() | map({'s': lists.range(400000).map(i, i * 7919 % 400009).percentile(50)})", "", None),
    ("map([1, 2, 3, 4].stddev())", "", None), ("map([1, 2, 3, 4].stddev_pop())", "", None), ("map([1.0, 2.0].variance())", "", None),
    ("map([3, 1, 2].median())", ROW, "2.0"), ("map(value.l.reduce(a, b, a + b))", ROW, None),
    # Another value, and another form of a call.
    ("map(-value.z)", ROW, "0"), ("map(value.z && value.a > 0)", ROW, "false"), ("map(value.z ? 1 : 2)", ROW, "2"),
    ("map(value.z > value.a)", ROW, "false"), ("map(value.z + value.s)", ROW, '"x"'), ("map(value.z == value.s)", ROW, "false"),
    ("map(keys(value.o))", ROW, '["k"]'), ("map(value.a.string())", ROW, '"1"'), ("map(uppercased(value.s))", ROW, '"X"'),
    ("map(value.b.floor())", ROW, "2.0"), ("map(min(value.l) + 1)", ROW, "2"), ("map(value.s.length)", ROW, "1"),
]

# What the message of a one-liner says (its help, or the error without one), and the one-liner that a reader makes of it.
READINGS = {
    "sort(by: -value.s, limit: 9)": (
        "a string has no negative: 'descending: true' of an operator, and reverse() of a list, turn an order around",
        "sort(by: value.s, limit: 9, descending: true)"),
    "map(value.l[0:1])": ("write text.substring(start, end), or list.slice(start, end)", "map(value.l.slice(0, 1))"),
    "scan(0, acc + value.a)": ("write scan(expression, initialValue: …)", "scan(acc + value.a, initialValue: 0)"),
    "sample(5, stream: (timer(1)))": ("remove one of them", "sample(5)"),
    "map([3, 1, 2].median())": ("write list.percentile(50)", "map([3, 1, 2].percentile(50))"),
    "map([1, 2)": ("')' does not close '['", "map([1, 2])"),
    "map(value.l.sortBy(x, value.none))": (
        "write a key for null: x.name == null ? 0 : x.name",
        "map(value.l.sortBy(x, value.none == null ? 0 : value.none))"),
}

# The help of a one-liner that does not cure it, and the reason.
KNOWN = {
    "filter(value.z)": (
        "write value.?z.orValue(null) where it may be missing", "the help of an expression does not know that 'filter' wants a bool"),
}

# Standard deviations and the like have names of their own in the help.
TEMPLATES = [
    ("[1, 2, 3, 4]", "stddev()", 1.2909944487358056), ("[1, 2, 3, 4]", "stddev_pop()", 1.118033988749895),
    ("[1, 2, 4]", "variance()", 2.3333333333333335), ("[1, 2, 4]", "var_pop()", 1.5555555555555556), ("[3, 1, 2]", "median()", 2.0),
    ("'aXb'", "removeprefix('a')", None), ("[1, 2]", "enumerate()", None),
]

END = re.compile(r", or | where | for |, as in | to compare|, in seconds|, if |; | beside | before '| without the brackets|\? Else |\?$|$| in 'has'| to join| in backticks| to keep")


def run(binary, text, values, *options):
    result = subprocess.run([binary, "-e", text, *options], input=values + "\n", capture_output=True, text=True, timeout=60)
    return result.returncode, result.stdout.strip(), result.stderr


def place(text, errors):
    """The range of the one-liner that the first error points at."""
    found = re.search(r"^-e:1:(\d+): error (S\d+): (.*)$", errors, re.M)
    if not found:
        return None
    caret = re.search(r"^   \| ( *)(\^+)$", errors[found.end():], re.M)
    start = int(found.group(1)) - 1
    return start, start + (len(caret.group(2)) if caret else 1)


def cures(help, text):
    """The texts that a help tells to write: up to each of the words that may end them, the longest first."""
    # An argument that the help leaves open is the one of the one-liner.
    for name in re.findall(r"(\w+): …", help):
        if given := re.search(rf"\b{name}: ([^,()]+)", text):
            help = help.replace(f"{name}: …", given.group(0))
    texts = []
    for found in re.finditer(r"(?:write|did you mean|add|[:;,] or|; a member of the value is|a member of the value is) ", help):
        rest = help[found.end():]
        ends = sorted({match.start() for match in END.finditer(rest)} | {len(rest)}, reverse=True)
        for end in ends:
            text = rest[:end].strip().rstrip(":?").strip()
            if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"" and text.count(text[0]) == 2:
                texts.append(text[1:-1])
            if text and "…" not in text:
                texts.append(text)
    leave = re.search(r"leave out such values(?: before '\w+')?: (.+?)(?:; or |$)", help)
    if leave:
        condition = leave.group(1)
        texts.append("LEAVE" + (condition if condition.startswith("filter(") else f"filter({condition})"))
    named = re.search(r"'([^']+)' may be null: write (.+), or leave out", help)
    if named:
        texts.insert(0, "NAME" + named.group(1) + "\0" + named.group(2))
    removed = re.search(r"(?:remove|add) (?:the )?'(.)'", help)
    if removed:
        texts.append(("REMOVE" if "remove" in help else "ADD") + removed.group(1))
    return texts


def applications(text, start, end, cure):
    """The one-liner with the cure in the place of the range, and of each part around it."""
    if cure.startswith("LEAVE"):
        yield f"{cure[5:]} | {text}"
        return
    if cure.startswith("REMOVE"):
        for at in sorted(range(len(text)), key=lambda at: abs(at - start)):
            if text[at] == cure[6]:
                yield text[:at] + text[at + 1:]
        return
    if cure.startswith("ADD"):
        yield from (text + cure[3:], text[:end] + cure[3:] + text[end:])
        return
    if cure.startswith("NAME"):
        name, cure = cure[4:].split("\0")
        # A range may begin inside the parentheses that the name has.
        at = text.find(name, max(0, start - 1))
        if 0 <= at < end:
            yield text[:at] + cure + text[at + len(name):]
        return
    if text[start] == text[end - 1] and text[start] in "'\"":
        yield text[:start + 1] + cure + text[end - 1:]
    boundary = lambda at: at in (0, len(text)) or not (text[at - 1].isalnum() and text[at].isalnum())  # noqa: E731
    firsts = [at for at in range(start, -1, -1) if boundary(at)][:16]
    lasts = [at for at in range(end, len(text) + 1) if boundary(at)][:24]
    pairs = sorted(((first, last) for first in firsts for last in lasts), key=lambda pair: pair[1] - pair[0])
    for first, last in pairs:
        yield text[:first] + cure + text[last:]
    for first in [at for at in range(start, end) if boundary(at)][1:]:
        yield text[:first] + cure + text[end:]


def holds(binary, text, values, expected, start, end, cure):
    tried = set()
    for changed in applications(text, start, end, cure):
        if changed == text or changed in tried:
            continue
        tried.add(changed)
        if succeeds(binary, changed, values, expected):
            return True
        if len(tried) > 60:
            return False
    return False


def succeeds(binary, text, values, expected, *options):
    code, output, errors = run(binary, text, values, *options)
    return code == 0 and (expected is ANY or output == expected) and ": error " not in errors


def renamed(text, start, end, message, help):
    """The one-liner with the name that the help gives for an unknown function; None for other messages."""
    unknown = re.match(r"there is no function '([^']+)'", message)
    known = re.match(r"did you mean '([^']+)'\?", help)
    at = text.find(unknown.group(1) + "(", start, end) if unknown and known else -1
    if at < 0:
        return None
    whole = text[:at] + known.group(1) + text[at + len(unknown.group(1)):]
    # A function of a namespace is no method: its target is an argument.
    target = text[start:at].removesuffix(".")
    if "." not in known.group(1) or not target:
        return whole
    rest = text[at + len(unknown.group(1)) + 1:]
    return text[:start] + f"{known.group(1)}({target}" + ("" if rest.startswith(")") else ", ") + rest


def check(binary, entry, is_renamed=False):
    """Why the help does not cure the one-liner, as its kind, the help, and a sentence; None if it does."""
    text, values, expected = entry
    code, output, errors = run(binary, text, values)
    if code == 0 and " warning " not in errors:
        is_cured = is_renamed and (expected is ANY or output == expected)
        return None if is_cured else ("", f"it runs: {output[:80]}")
    if "Fatal error" in errors or code not in (0, 1, 2):
        return "", f"exit code {code}: {errors[:300]}"
    range = place(text, errors)
    if not range:
        return None if code == 0 else ("", f"no place: {errors[:300]}")
    message = re.search(r": error S\d+: (.*)$", errors, re.M).group(1)
    helps = re.findall(r"^   = help: (.*)$", errors[errors.index(": error "):], re.M)
    # The error of a date pattern has the help in its own sentence.
    own = re.split(r"; or skip such (?:values|lines)", helps[0])[0] if helps else message.partition("; ")[2] or message
    if text in READINGS and READINGS[text][0] == own:
        wanted = ANY if expected is None else expected
        return None if succeeds(binary, READINGS[text][1], values, wanted) else (own, f"the reading fails: {own}")
    if own == message:
        return own, f"no help: {message}"
    if expected is None:  # the help is in general words
        return None
    if own.startswith("skip such values with --skip-errors"):
        is_cured = succeeds(binary, text, values, expected, "--skip-errors")
        return None if is_cured else (own, f"the cure does not cure: {own}")
    if not is_renamed and (changed := renamed(text, *range, message, own)):
        problem = check(binary, (changed, values, expected), is_renamed=True)
        return problem and (problem[0], f"{own} {changed}: {problem[1]}")
    found = cures(own, text)
    if not found:
        return own, f"no cure in the help: {own}"
    if not any(holds(binary, text, values, expected, *range, cure) for cure in found):
        return own, f"the cure does not cure: {own}"
    return None


def template(binary, entry):
    """Evaluates the help for a function of another language, with the list in the place of its name."""
    target, call, expected = entry
    result = subprocess.run([binary, "eval", f"{target}.{call}"], capture_output=True, text=True, timeout=60)
    help = re.search(r"= help: (?:write |did you mean ')(.*?)(?:' for | for an? |'\?|$)", result.stderr, re.M)
    if not help:
        return "", "no help: " + result.stderr
    if expected is None:
        return None
    text = re.sub(r"\blist\b", lambda _: target, help.group(1))
    if not text.startswith(("math", "cel", target)):
        text = f"{target}.{text}()"
    again = subprocess.run([binary, "eval", text], capture_output=True, text=True, timeout=60)
    if again.returncode or abs(float(again.stdout) - expected) > 1e-12:
        return "", f"{text}: {again.stdout}{again.stderr[:300]}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("binary", type=os.path.abspath)
    parser.add_argument("--only", help="entries with this text")
    options = parser.parse_args()
    entries = [(check, entry) for entry in CORPUS] + [(template, entry) for entry in TEMPLATES]
    entries = [entry for entry in entries if not options.only or options.only in " ".join(map(str, entry[1]))]
    wrong = known = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for (_, entry), problem in zip(entries, pool.map(lambda pair: pair[0](options.binary, pair[1]), entries)):
            if problem and entry[0] in KNOWN and KNOWN[entry[0]][0] == problem[0]:
                known += 1
            elif problem:
                wrong += 1
                print(f"== {entry[0]}{'.' + entry[1] if entry in TEMPLATES else ''}\n   {problem[1]}", flush=True)
    print(f"{len(entries)} messages, {wrong} wrong, {known} known exceptions")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
