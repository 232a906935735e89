"""The meaning of CEL's trees, with the one deviation of stream files: int, uint and double mix in arithmetic.

`compile(text).evaluate(variables, now)` gives a value of `values.py` or raises a Failure.
"""

import math
from functools import lru_cache

import functions_data as data
from functions import FUNCTIONS, METHODS, TYPES, no_overload
from syntax import parse
from values import (
    INT_MAX,
    INT_MIN,
    UINT_MAX,
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

TIMESTAMP_MIN, TIMESTAMP_MAX = -62135596800 * 10**9, 253402300800 * 10**9 - 1
NONE = Optional(False)


class Expression:
    """A parsed expression."""

    def __init__(self, text):
        self.text, self.tree = text, parse(text)

    def evaluate(self, variables, now=0, numbers=None):
        """The value with these variables; `now` is the stream's time, in nanoseconds since 1970, and `numbers` the random
        ones."""
        return Evaluation(now, numbers).value(self.tree, variables)

    def __repr__(self):
        return f"Expression({self.text!r})"


@lru_cache(maxsize=10_000)
def compile(text):
    return Expression(text)


# Numbers


def ranged(number, of):
    """An int or uint result, if it fits."""
    if of == "uint":
        if not 0 <= number <= UINT_MAX:
            raise Failure("S403", "the result does not fit in a uint")
        return UInt(number)
    if not INT_MIN <= number <= INT_MAX:
        raise Failure("S403", "the result does not fit in an int")
    return int(number)


def divided(left, right):
    """Division of doubles by IEEE 754."""
    if right == 0:
        if left == 0 or math.isnan(left):
            return math.nan
        return math.copysign(math.inf, left) * math.copysign(1, right)
    return left / right


def arithmetic(symbol, left, right):
    if kind(left) != kind(right) or isinstance(left, float):
        left, right = float(left), float(right)
        if symbol == "/":
            return divided(left, right)
        if symbol == "%":
            return math.nan if right == 0 or math.isinf(left) else math.fmod(left, right)
        return left + right if symbol == "+" else left - right if symbol == "-" else left * right
    of, left, right = kind(left), int(left), int(right)
    if symbol in "/%":
        if right == 0:
            raise Failure("S402", "division by zero")
        quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
        return ranged(quotient, of) if symbol == "/" else ranged(left - quotient * right, of)
    return ranged(left + right if symbol == "+" else left - right if symbol == "-" else left * right, of)


def timed(symbol, left, right):
    """Sums and differences of timestamps and durations."""
    number = left.nanoseconds + right.nanoseconds if symbol == "+" else left.nanoseconds - right.nanoseconds
    stamps = isinstance(left, Timestamp) + isinstance(right, Timestamp)
    if stamps == 1 and (symbol == "+" or isinstance(left, Timestamp)):
        if not TIMESTAMP_MIN <= number <= TIMESTAMP_MAX:
            raise Failure("S403", "the timestamp is out of range")
        return Timestamp(number)
    if stamps == 1 or stamps == 2 and symbol == "+":
        raise no_overload(f"_{symbol}_", left, right)
    if not INT_MIN <= number <= INT_MAX:
        raise Failure("S403", "the duration is out of range")
    return Duration(number)


def calculate(symbol, left, right):
    if is_number(left) and is_number(right):
        return arithmetic(symbol, left, right)
    if symbol == "+" and kind(left) == kind(right) and kind(left) in ("string", "bytes", "list"):
        return left + right
    times = (Timestamp, Duration)
    if symbol in "+-" and isinstance(left, times) and isinstance(right, times):
        return timed(symbol, left, right)
    if (result := data.scaled(symbol, left, right)) is not None:
        return result
    raise no_overload(f"_{symbol}_", left, right)


RELATIONS = {"<": (-1,), "<=": (-1, 0), ">": (1,), ">=": (1, 0)}


# Members


def index(operand, key):
    if isinstance(operand, Map):
        if kind(key) not in ("int", "uint", "double", "bool", "string") or key not in operand:
            raise Failure("S404", f"no such key: {key!r}")
        return operand[key]
    if isinstance(operand, list) and is_number(key):
        if key != key or key != math.floor(key) if isinstance(key, float) and not math.isinf(key) else False:
            raise no_overload("_[_]", operand, key)
        if not 0 <= key < len(operand):
            raise Failure("S411", f"index {key!r} is outside the list")
        return operand[int(key)]
    raise no_overload("_[_]", operand, key)


def optional_index(operand, key):
    """An optional with the member, or none if there is no such member."""
    try:
        return Optional(True, index(operand, key))
    except Failure as failure:
        if failure.code in ("S404", "S411"):
            return NONE
        raise


def member(operand, key, optional):
    inner = operand.value if isinstance(operand, Optional) and operand.present else operand
    if optional and inner is None:
        return NONE  # An addition to CEL: nothing is in null.
    if isinstance(operand, Optional):
        return optional_index(operand.value, key) if operand.present else NONE
    return optional_index(operand, key) if optional else index(operand, key)


def field(operand, name, optional):
    inner = operand.value if isinstance(operand, Optional) and operand.present else operand
    if optional and inner is None:
        return NONE
    if not isinstance(inner, Map) and not isinstance(inner, Optional):
        raise no_overload(f".{name}", inner)
    return member(operand, name, optional)


def boolean(value):
    if not isinstance(value, bool):
        raise no_overload("a condition", value)
    return value


class Evaluation:
    """One evaluation, by a walk over the tree."""

    def __init__(self, now, numbers=None):
        self.now, self.numbers = now, numbers

    def value(self, tree, names):
        return getattr(self, "of_" + tree[0])(tree, names)

    def of_literal(self, tree, names):
        return tree[1]

    def of_name(self, tree, names):
        if tree[1] in names:
            return names[tree[1]]
        if tree[1] in TYPES:
            return TYPES[tree[1]]
        raise Failure("S202", f"unknown name '{tree[1]}'")

    def of_select(self, tree, names):
        full = dotted(tree)
        if full in TYPES and full.split(".")[0] not in names:
            return TYPES[full]
        return field(self.value(tree[1], names), tree[2], tree[3])

    def of_index(self, tree, names):
        operand = self.value(tree[1], names)
        return member(operand, self.value(tree[2], names), tree[3])

    def of_list(self, tree, names):
        result = []
        for optional, element in tree[1]:
            value = self.value(element, names)
            if not optional:
                result.append(value)
            elif self.optional(value).present:
                result.append(value.value)
        return result

    def of_map(self, tree, names):
        result = Map()
        for optional, key, entry in tree[1]:
            key, value = self.value(key, names), self.value(entry, names)
            if optional and not self.optional(value).present:
                continue
            self.insert(result, key, value.value if optional else value)
        return result

    @staticmethod
    def optional(value):
        if not isinstance(value, Optional):
            raise no_overload("an optional entry", value)
        return value

    @staticmethod
    def insert(result, key, value):
        if kind(key) not in ("int", "uint", "bool", "string"):
            raise no_overload("the key of a map", key)
        if key in result:
            raise Failure("S401", f"the key {key!r} occurs twice")
        result.set(key, value)

    def of_call(self, tree, names):
        _, function, target, arguments = tree
        if target is None and function in OPERATORS:
            return OPERATORS[function](self, arguments, names)
        if target is not None and dotted(target) == "cel" and function == "bind":
            bound = self.value(arguments[1], names)
            return self.value(arguments[2], {**names, arguments[0][1]: bound})
        space = dotted(target) if target is not None else None
        if space is not None and space.split(".")[0] not in names and f"{space}.{function}" in FUNCTIONS:
            return FUNCTIONS[f"{space}.{function}"](*[self.value(argument, names) for argument in arguments])
        if target is None and function == "now":
            return Timestamp(self.now)
        if target is None and function == "random" and not arguments:
            if self.numbers is None:
                raise Failure("S204", "no seed, or no index")
            return self.numbers.next()
        if target is None and function == "has":
            return self.has(arguments[0], names)
        if target is None:
            if function not in FUNCTIONS:
                raise Failure("S204", f"unknown function '{function}'")
            return self.called(FUNCTIONS[function], [self.value(argument, names) for argument in arguments])
        operand = self.value(target, names)
        if function in MACROS and len(arguments) >= 2:
            return MACROS[function](self, operand, arguments, names)
        if function not in METHODS:
            raise Failure("S204", f"unknown function '{function}'")
        return self.called(METHODS[function], [operand] + [self.value(argument, names) for argument in arguments])

    @staticmethod
    def called(function, arguments):
        try:
            return function(*arguments)
        except TypeError as error:
            raise no_overload(function.__name__, *arguments) from error

    def has(self, tree, names):
        operand = self.value(tree[1], names)
        inner = operand.value if isinstance(operand, Optional) and operand.present else operand
        if inner is None:
            raise no_overload(f".{tree[2]}", inner)
        if isinstance(operand, Optional):
            return operand.present and field(operand, tree[2], True).present
        return field(operand, tree[2], True).present

    # Operators. `&&` and `||` ignore an error of one side if the other decides.

    def either(self, arguments, names, deciding):
        error = None
        for argument in arguments:
            try:
                if boolean(self.value(argument, names)) == deciding:
                    return deciding
            except Failure as failure:
                error = error or failure
        if error:
            raise error
        return not deciding

    def choose(self, arguments, names):
        chosen = 1 if boolean(self.value(arguments[0], names)) else 2
        return self.value(arguments[chosen], names)

    def negate(self, arguments, names):
        operand = self.value(arguments[0], names)
        if isinstance(operand, float):
            return -operand
        if kind(operand) != "int":
            raise no_overload("-_", operand)
        return ranged(-operand, "int")

    def contained(self, arguments, names):
        element, container = (self.value(argument, names) for argument in arguments)
        if isinstance(container, list):
            return any(equal(element, other) for other in container)
        if isinstance(container, Map):
            return element in container
        raise no_overload("@in", element, container)

    def related(self, symbol, arguments, names):
        left, right = (self.value(argument, names) for argument in arguments)
        if is_number(left) and is_number(right) and isinstance(left, float) != isinstance(right, float):
            # As CEL's conformance tests demand; sorting and equality compare exactly.
            left, right = float(left), float(right)
        return compare(left, right) in RELATIONS[symbol]

    def calculated(self, symbol, arguments, names):
        left, right = (self.value(argument, names) for argument in arguments)
        return calculate(symbol, left, right)

    # Macros

    def elements(self, operand, two):
        """What a macro's variables take, in turn: tuples of one or two values."""
        if isinstance(operand, list):
            return list(enumerate(operand)) if two else [(value,) for value in operand]
        if isinstance(operand, Map):
            return operand.items() if two else [(key,) for key in operand.keys()]
        raise no_overload("a macro", operand)

    def rounds(self, operand, arguments, names, bodies):
        """The names of each iteration; the variables are the arguments before the last `bodies`."""
        variables = [argument[1] for argument in arguments[: len(arguments) - bodies]]
        for element in self.elements(operand, len(variables) == 2):
            yield element, {**names, **dict(zip(variables, element))}

    def decide(self, operand, arguments, names, deciding):
        error = None
        for _, inner in self.rounds(operand, arguments, names, 1):
            try:
                if boolean(self.value(arguments[-1], inner)) == deciding:
                    return deciding
            except Failure as failure:
                error = error or failure
        if error:
            raise error
        return not deciding

    def exists_one(self, operand, arguments, names):
        return (
            sum(boolean(self.value(arguments[-1], inner)) for _, inner in self.rounds(operand, arguments, names, 1))
            == 1
        )

    def filter(self, operand, arguments, names):
        return [
            element[0]
            for element, inner in self.rounds(operand, arguments, names, 1)
            if boolean(self.value(arguments[-1], inner))
        ]

    def transform(self, operand, arguments, names, variables):
        """Pairs of an element and its transformed value, for the elements that pass the filter if there is one."""
        bodies = len(arguments) - variables
        for element, inner in self.rounds(operand, arguments, names, bodies):
            if bodies == 1 or boolean(self.value(arguments[-2], inner)):
                yield element, self.value(arguments[-1], inner)

    def transform_list(self, variables, operand, arguments, names):
        return [value for _, value in self.transform(operand, arguments, names, variables)]

    def transform_map(self, operand, arguments, names):
        result = Map()
        for element, value in self.transform(operand, arguments, names, 2):
            self.insert(result, element[0], value)
        return result

    def transform_map_entry(self, operand, arguments, names):
        result = Map()
        for _, entries in self.transform(operand, arguments, names, 2):
            if not isinstance(entries, Map):
                raise no_overload("transformMapEntry", entries)
            for key, value in entries.items():
                self.insert(result, key, value)
        return result

    def optional_map(self, operand, arguments, names, flat):
        if not self.optional(operand).present:
            return NONE
        value = self.value(arguments[1], {**names, arguments[0][1]: operand.value})
        return self.optional(value) if flat else Optional(True, value)

    def sort_by(self, operand, arguments, names):
        if not isinstance(operand, list):
            raise no_overload("sortBy", operand)
        keys = [self.value(arguments[1], inner) for _, inner in self.rounds(operand, arguments, names, 1)]
        return data.sort_by(operand, keys)

    def group_by(self, operand, arguments, names):
        if not isinstance(operand, list):
            raise no_overload("groupBy", operand)
        keys = [self.value(arguments[1], inner) for _, inner in self.rounds(operand, arguments, names, 1)]
        return data.group_by(operand, keys)

    def fold(self, operand, arguments, names):
        if len(arguments) != 4:
            raise no_overload("fold", operand)
        result = self.value(arguments[2], names)
        for (element,) in self.elements(operand, False):
            result = self.value(arguments[3], {**names, arguments[0][1]: result, arguments[1][1]: element})
        return result


def dotted(tree):
    """The text a.b.c of a tree that is made of names only, else None."""
    if tree[0] == "name":
        return tree[1]
    if tree[0] == "select" and not tree[3] and (prefix := dotted(tree[1])):
        return f"{prefix}.{tree[2]}"
    return None


def relation(symbol):
    return lambda self, arguments, names: self.related(symbol, arguments, names)


def calculation(symbol):
    return lambda self, arguments, names: self.calculated(symbol, arguments, names)


OPERATORS = {
    "_&&_": lambda self, arguments, names: self.either(arguments, names, False),
    "_||_": lambda self, arguments, names: self.either(arguments, names, True),
    "_?_:_": Evaluation.choose,
    "!_": lambda self, arguments, names: not boolean(self.value(arguments[0], names)),
    "-_": Evaluation.negate,
    "@in": Evaluation.contained,
    "_==_": lambda self, arguments, names: equal(*[self.value(argument, names) for argument in arguments]),
    "_!=_": lambda self, arguments, names: not equal(*[self.value(argument, names) for argument in arguments]),
    **{f"_{symbol}_": relation(symbol) for symbol in RELATIONS},
    **{f"_{symbol}_": calculation(symbol) for symbol in "+-*/%"},
}

MACROS = {
    "all": lambda self, *rest: self.decide(*rest, False),
    "exists": lambda self, *rest: self.decide(*rest, True),
    "exists_one": Evaluation.exists_one,
    "existsOne": Evaluation.exists_one,
    "filter": Evaluation.filter,
    "map": lambda self, *rest: self.transform_list(1, *rest),
    "transformList": lambda self, *rest: self.transform_list(2, *rest),
    "transformMap": Evaluation.transform_map,
    "transformMapEntry": Evaluation.transform_map_entry,
    "optMap": lambda self, *rest: self.optional_map(*rest, False),
    "optFlatMap": lambda self, *rest: self.optional_map(*rest, True),
    "sortBy": Evaluation.sort_by,
    "groupBy": Evaluation.group_by,
    "fold": Evaluation.fold,
}
