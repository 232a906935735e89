#!/usr/bin/env python3
"""Checks the model's expressions with the lines of Expressions.md and, if their folder is given, CEL's own vectors.

    python3 Tests/Reference/Model/selfcheck_cel.py [VECTORS]
"""

import base64
import json
import pathlib
import re
import sys

import times
from expressions import compile as compile_expression
from values import Failure, Map, Type, UInt, equal, kind, same

PAGE = pathlib.Path(__file__).resolve().parents[3] / "Sources/CEL/CEL.docc/Expressions.md"
# Functions and names that the model leaves out.
LEFT_OUT = re.compile(r"\b(cidr|ip|isIP)\(|characters\(\)")
# Where stream files deviate from CEL, names with dots, and the greatest int beside 2^63, which CEL takes as equal.
DIFFERENT = re.compile(
    r"^math_ext/(ceil|round)/dyn_error|^fields/qualified_identifier|^namespace/"
    r"|^comparisons/(lt_literal/not_lt_dyn_int_big_lossy|lte_literal/lte_dyn_big_double_int|gte_literal/gte_dyn_int_big)"
)


def result_of(text, variables=None):
    try:
        return compile_expression(text).evaluate(variables or {})
    except Failure as failure:
        return failure


def lines_of_page():
    """(name, whether it is right) for each line `expression → result` of the page."""
    for block in re.findall(r"```cel\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL):
        for line in block.splitlines():
            expression, _, result = line.rpartition(" → ")
            if expression and not LEFT_OUT.search(expression):
                got, wanted = result_of(expression), result_of(result)
                yield line, not isinstance(got, Failure) and same(got, wanted)


def typed(entry):
    """A value of the vectors: {"int": "5"}, {"list": […]} …"""
    ((name, content),) = entry.items()
    made = {
        "int": int,
        "uint": lambda digits: UInt(int(digits)),
        "double": float,
        "bytes": base64.b64decode,
        "null": lambda _: None,
        "list": lambda elements: [typed(element) for element in elements],
        "map": lambda entries: Map((typed(key), typed(value)) for key, value in entries),
        "type": Type,
        "timestamp": times.to_timestamp,
        "duration": times.to_duration,
        "string": str,
        "bool": bool,
    }
    return made[name](content)


def alike(left, right):
    """Equality of the vectors: types count, the order of a map does not, NaN equals NaN."""
    if kind(left) != kind(right):
        return False
    if isinstance(left, list):
        return len(left) == len(right) and all(map(alike, left, right))
    if isinstance(left, Map):
        return len(left) == len(right) and all(key in right and alike(value, right[key]) for key, value in left.items())
    return equal(left, right) or left != left and right != right


def vectors(folder):
    for path in sorted(pathlib.Path(folder).glob("*.ndjson")):
        for line in path.read_text(encoding="utf-8").splitlines():
            vector = json.loads(line)
            wanted = vector.get("value") or (vector.get("typedResult") or {}).get("result")
            skipped = vector.get("needsProto") or vector.get("checkOnly") or path.stem in ("network_ext", "block_ext")
            if skipped or DIFFERENT.search(vector["id"]) or wanted is None and "error" not in vector:
                continue
            bindings = {name: typed(entry.get("value", entry)) for name, entry in (vector.get("bindings") or {}).items()}
            got = result_of(vector["expr"], bindings)
            fails = isinstance(got, Failure)
            yield vector["id"], fails if "error" in vector else not fails and alike(got, typed(wanted))


def main():
    results = list(lines_of_page()) + (list(vectors(sys.argv[1])) if len(sys.argv) > 1 else [])
    for name, good in results:
        if not good:
            print(f"FAILED {name}")
    failed = sum(not good for _, good in results)
    print(f"{len(results) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
