"""Random expressions that mostly pass the type check, and random values.

A type is a name ("int", "double", "string", "bool", "dyn"), a list with the type of its elements, or a dict with the
types of the members of an object: as in the `inputs` of a stream file.
"""

import json

SCALARS = ["int", "double", "string", "bool"]
RECORD = {"k": "string", "n": "int", "x": "double", "s": "string", "b": "bool"}
DEEP = {"k": "int", "x": "double", "l": ["int"], "o": {"p": "int", "q": "double"}}
SPARSE = {"k": "string", "n": "int", "x": "double?", "s": "string?", "m": "int?", "b": "bool"}


class Choice(dict):
    """The type {"enum": [...]}: strings or ints."""

    @property
    def choices(self):
        return self["enum"]


CHOSEN = {"k": "string", "e": Choice(enum=["open", "closed", "half"]), "g": Choice(enum=[1, 2, 5]), "m?": "int",
          "s?": "string?", "n": "int", "b": "bool"}
MIXED = {"k": "int", "x": "dyn", "y": "dyn", "z": "double"}  # members that change their types
NESTED = {"k": "string", "n": "int", "o": {"p": "int?", "q?": "double", "e": Choice(enum=["x", "y"])}, "l": ["int?"]}
EMPTY = {"int": "0", "double": "0.5", "string": "''", "bool": "false"}
NUMBERS = {"double": ["random()"], "bool": ["(random() < 0.5)"], "int": ["int(random() * 6)"],
           "string": ["string(random())"]}
WORDS = ["", "a", "b", "ab", "Zoë", "x y", "é😀", "12", "null"]


def random_type(rng):
    return rng.choice(SCALARS + [RECORD, RECORD, DEEP, SPARSE, ["int"], ["double"], "dyn", "dyn"])


def random_input_type(rng):
    """The type of an input, whose objects may lack members and have enumerations."""
    return rng.choice([CHOSEN, CHOSEN, NESTED, MIXED]) if rng.random() < 0.3 else random_type(rng)


def random_value(rng, type, untyped_ints=True):
    """A value in the types of Python's json module: a float is always written with a fraction."""
    if isinstance(type, str) and type.endswith("?"):
        return None if rng.random() < 0.3 else random_value(rng, type[:-1], untyped_ints)
    if type == "int":
        return (
            rng.choice([0, 1, 2, 3, 5, 7, -1, -4, 10, 100, 2**53 + 1])
            if rng.random() < 0.9
            else rng.randint(-99, 99) * 10 ** rng.choice([0, 0, 4, 7, 12])
        )
    if type == "double":
        if untyped_ints and rng.random() < 0.25:
            return rng.randint(-5, 5)  # an int where a double is declared
        if rng.random() < 0.15:  # digits of any number before and after the point
            return round(rng.uniform(-1, 1) * 10.0 ** rng.randint(0, 12), rng.randint(0, 6))
        return rng.choice([0.5, 1.0, 2.0, 3.0, -1.5, -0.0, 2.25, 1e3, 7.0, 0.1, 2.0**53])
    if type == "string":
        return rng.choice(WORDS)
    if type == "bool":
        return rng.random() < 0.5
    if isinstance(type, list):
        return [random_value(rng, type[0], untyped_ints) for _ in range(rng.choice([0, 1, 1, 2, 3]))]
    if isinstance(type, Choice):
        return rng.choice(type.choices)
    if isinstance(type, dict):
        return {name.rstrip("?"): random_value(rng, member, untyped_ints) for name, member in type.items()
                if not name.endswith("?") or rng.random() < 0.6}
    return (
        random_value(rng, rng.choice(SCALARS + [["dyn"], {"k": "int", "v": "dyn"}, RECORD]), False)
        if rng.random() < 0.9
        else None
    )


def literal(value):
    """The text of a value as a literal of CEL."""
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, str):
        return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"
    if isinstance(value, list):
        return "[" + ", ".join(map(literal, value)) + "]"
    return "{" + ", ".join(f"{literal(key)}: {literal(entry)}" for key, entry in value.items()) + "}"


class Expressions:
    """Expressions over names with types."""

    def __init__(self, rng):
        self.rng, self.fresh = rng, 0
        self.has_numbers = False  # whether random() is available
        self.has_clock = False  # whether now() is known to the model

    def pick(self, *makes):
        return self.rng.choice(makes)()

    def paths(self, names, want):
        """Texts that read a value of a type out of the names."""
        found = []

        def look(text, type, depth):
            if type == want:
                found.append(text)
            elif isinstance(want, str) and type == want + "?":
                test = self.rng.choice(["{0} == null ? {1} : {0}", "{0} != null ? {0} : {1}"])
                found.append("(" + test.format(text, EMPTY[want]) + ")")
            elif want == "bool" and isinstance(type, str) and type.endswith("?"):
                more = self.rng.choice(["{0} != null && {0} == {1}", "{0} == null || {0} != {1}", "{0} == null"])
                found.append("(" + more.format(text, EMPTY[type[:-1]]) + ")")
            if isinstance(type, Choice):
                self.look_at_choice(found, text, type.choices, want)
            elif isinstance(type, dict) and depth < 3:
                for name, member in type.items():
                    if name.endswith("?"):
                        self.look_at_optional(found, text, name[:-1], member, want)
                    else:
                        look(f"{text}.{name}", member, depth + 1)

        for name, type in names.items():
            look(name, type, 0)
        return found

    def look_at_choice(self, found, text, choices, want):
        """Adds what reads an enumeration."""
        if want == "bool":
            found.append(f"({text} {self.rng.choice(['==', '!='])} {literal(self.rng.choice(choices))})")
        elif want == "string":
            found.append(f"string({text})" if isinstance(choices[0], int) or self.rng.random() < 0.3 else text)
        elif want == "int" and isinstance(choices[0], int):
            found.append(f"({text} + 0)")

    def look_at_optional(self, found, text, name, type, want):
        """Adds what reads a member that may be missing."""
        if want == "bool":
            found.append(f"has({text}.{name})")
        plain = type.rstrip("?")
        if want != plain:
            return
        if type != plain:
            found.append(f"(has({text}.{name}) && {text}.{name} != null ? {text}.{name} : {EMPTY[want]})")
        else:
            found.append(self.rng.choice([f"{text}.?{name}.orValue({EMPTY[want]})",
                                          f"(has({text}.{name}) ? {text}.{name} : {EMPTY[want]})",
                                          f"(!has({text}.{name}) ? {EMPTY[want]} : {text}.{name})"]))

    def of(self, want, names, depth=2):
        """An expression of a type."""
        if isinstance(want, str) and want.endswith("?"):
            return "null" if self.rng.random() < 0.2 else self.of(want[:-1], names, depth)
        rng, paths = self.rng, self.paths(names, want)
        if paths and rng.random() < (0.75 if depth <= 0 else 0.35):
            return rng.choice(paths)
        if self.has_clock and want in ("int", "double") and rng.random() < 0.04:
            return "(now() - timestamp(0)).millis()" if want == "int" else "((now() - timestamp(0)) / duration('1ms'))"
        if self.has_numbers and isinstance(want, str) and want in NUMBERS and rng.random() < 0.25:
            return rng.choice(NUMBERS[want])
        if depth <= 0:
            return self.constant(want)
        if rng.random() < 0.08:
            arms = [self.of(want, names, depth - 1) for _ in range(2)]
            return f"({self.of('bool', names, depth - 1)} ? {arms[0]} : {arms[1]})"
        if rng.random() < 0.04:
            name = self.name()
            kind = rng.choice(SCALARS)
            body = self.of(want, {**names, name: kind}, depth - 1)
            return f"cel.bind({name}, {self.of(kind, names, depth - 1)}, {body})"
        if rng.random() < 0.06 and want != "dyn":
            return f"dyn({self.of(want, names, depth - 1)})"
        if isinstance(want, list):
            return self.list(want, names, depth)
        if isinstance(want, dict):
            if rng.random() < 0.3:
                name = rng.choice(list(want))
                return f"{self.of(want, names, depth - 1)}.merge({{'{name}': {self.of(want[name], names, depth - 1)}}})"
            return (
                "{" + ", ".join(f"'{name}': {self.of(member, names, depth - 1)}" for name, member in want.items()) + "}"
            )
        if rng.random() < 0.25 and want in SCALARS:
            return getattr(self, f"data_{want}")(names, depth - 1)
        return getattr(self, want)(names, depth - 1)

    def constant(self, want):
        value = random_value(self.rng, want, False)
        if isinstance(value, float) and value == 0:
            value = 0.0
        return literal(value)

    def name(self):
        self.fresh += 1
        return f"v{self.fresh}"

    def int(self, names, depth):
        of, rng = lambda want: self.of(want, names, depth), self.rng
        return self.pick(
            lambda: f"({of('int')} {rng.choice('+-*')} {of('int')})",
            lambda: f"({of('int')} + {of('int')})",
            lambda: f"({of('int')} {rng.choice('/%')} {rng.choice(['2', '3', '7', of('int')])})",
            lambda: f"size({of(rng.choice(['string', ['int'], ['dyn']]))})",
            lambda: f"-{of('int')}",
            lambda: f"int({of(rng.choice(['double', 'int']))})",
            lambda: f"math.abs({of('int')})",
            lambda: f"math.greatest({of('int')}, {of('int')})",
            lambda: f"math.least([{of('int')}, {of('int')}])",
            lambda: f"{of(['int'])}[{rng.choice(['0', '1', of('int')])}]",
            lambda: f"{of('string')}.indexOf({of('string')})",
            lambda: f"math.sign({of('int')})",
            lambda: f"{{'a': {of('int')}}}.a",
            lambda: f"{of(['int'])}[?0].orValue({of('int')})",
            lambda: f"math.bitAnd({of('int')}, 7)",
            lambda: f"clamp({of('int')}, 0, 5)",
            lambda: f"{of(['int'])}.map({'v0'}, v0 * 2).size()",
        )

    def double(self, names, depth):
        of, rng = lambda want: self.of(want, names, depth), self.rng
        return self.pick(
            lambda: f"({of('double')} {rng.choice('+-*/')} {of('double')})",
            lambda: f"({of('double')} {rng.choice('+-*/')} {of('int')})",
            lambda: f"({of('int')} {rng.choice('+-*/')} {of('double')})",
            lambda: f"double({of(rng.choice(['int', 'double']))})",
            lambda: f"-{of('double')}",
            lambda: f"math.{rng.choice(['floor', 'ceil', 'trunc', 'abs'])}({of('double')})",
            lambda: f"math.greatest({of('double')}, {of('double')})",
            lambda: f"math.least([{of('double')}, {of('double')}])",
            lambda: f"{of(['double'])}[0]",
            lambda: f"[{of('int')}, {of('int')}].sort()[{rng.choice('01')}] * 0.5",
            lambda: f"round({of('double')}, 1)",
            lambda: f"{{'d': {of('double')}}}.d",
        )

    def string(self, names, depth):
        of, rng = lambda want: self.of(want, names, depth), self.rng
        return self.pick(
            lambda: f"({of('string')} + {of('string')})",
            lambda: f"string({of(rng.choice(['int', 'bool', 'string']))})",
            lambda: f"string({of('double')})",
            lambda: f"{of('string')}.{rng.choice(['upperAscii', 'lowerAscii', 'trim', 'reverse'])}()",
            lambda: f"{of('string')}.replace('a', {of('string')})",
            lambda: f"{of('string')}.substring({rng.choice('001')})",
            lambda: f"[{of('string')}, {of('string')}].join('-')",
            lambda: f"'%s|%d'.format([{of('dyn')}, {of('int')}])",
            lambda: f"string(type({of(rng.choice(SCALARS + ['dyn']))}) == {rng.choice(['int', 'double', 'string'])})",
            lambda: f"{of('string')}.charAt(0)",
            lambda: f"toJSON({of(rng.choice(SCALARS + ['dyn', RECORD]))})",
            lambda: f"{of('string')}.split('b').join()",
        )

    def bool(self, names, depth):
        of, rng = lambda want: self.of(want, names, depth), self.rng
        relation = rng.choice(["<", "<=", ">", ">=", "==", "!="])
        return self.pick(
            lambda: f"({of('int')} {relation} {of(rng.choice(['int', 'double']))})",
            lambda: f"({of('double')} {relation} {of('double')})",
            lambda: f"({of('string')} {relation} {of('string')})",
            lambda: f"({of('bool')} {rng.choice(['&&', '||'])} {of('bool')})",
            lambda: f"!{of('bool')}",
            lambda: f"({of('int')} % 2 == {rng.choice('01')})",
            lambda: f"({of('int')} in {of(['int'])})",
            lambda: f"{of('string')}.{rng.choice(['contains', 'startsWith', 'endsWith'])}({of('string')})",
            lambda: f"(type({of(rng.choice(SCALARS + ['dyn']))}) == {rng.choice(['int', 'double', 'string', 'bool'])})",
            lambda: f"({of('dyn')} {rng.choice(['==', '!='])} {of('dyn')})",
            lambda: f"({of(RECORD)} == {of(RECORD)})",
            lambda: f"{of(['int'])}.{rng.choice(['all', 'exists', 'exists_one'])}"
            f"(v0, {self.of('bool', {**names, 'v0': 'int'}, depth - 1)})",
            lambda: f"(1 / {of('int')} > 0 || {of('bool')})",
            lambda: f"(string({of('int')}) in {{{of('string')}: 1}})",
            lambda: f"({of('dyn')} in {of(['dyn'])})",
            lambda: f"has({{'a': {of('dyn')}}}.{rng.choice('ab')})",
        )

    # The functions for data

    def time(self, names, depth):
        return f"timestamp.fromMillis({self.of(self.rng.choice(['int', 'int', 'double']), names, depth)})"

    def data_int(self, names, depth):
        of, rng = lambda want: self.of(want, names, depth), self.rng
        within = lambda want, **more: self.of(want, {**names, "v0": "int", **more}, depth - 1)
        return self.pick(
            lambda: f"({of(['int'])} + [{of('int')}]).{rng.choice(['sum', 'min', 'max'])}()",
            lambda: f"{of(['int'])}.sum()",
            lambda: f"{of(['int'])}.{rng.choice(['min', 'max'])}()",
            lambda: f"{of(['int'])}.{rng.choice(['indexOf', 'lastIndexOf'])}({of('int')})",
            lambda: f"{of(['int'])}.fold(a0, v0, {of('int')}, {within('int', a0='int')})",
            lambda: f"tryInt({of(rng.choice(SCALARS + ['dyn']))}).orValue({of('int')})",
            lambda: f"{self.time(names, depth)}.millis()",
            lambda: f"(duration('1d1500us') * {of(rng.choice(['int', 'double']))}).millis()",
            lambda: f"(duration('1h') / {of(rng.choice(['int', 'double']))}).millis()",
            lambda: f"{of(['int'])}.groupBy(v0, {within(rng.choice(['int', 'bool', 'string']))}).size()",
            lambda: f"{of(['int'])}.zip({of(['string'])}).size()",
            lambda: f"[{of('int')}, {of('int')}].sortBy(v0, [v0 % 2, {within('int')}])[0]",
        )

    def data_double(self, names, depth):
        of, rng = lambda want: self.of(want, names, depth), self.rng
        return self.pick(
            lambda: f"({of(['double'])} + [{of('double')}]).{rng.choice(['sum', 'min', 'max', 'average'])}()",
            lambda: f"({of([rng.choice(['int', 'double'])])} + [{of('int')}]).percentile("
            f"{rng.choice(['0', '25', '50', '90.5', '100', of('double')])})",
            lambda: f"{of(['int'])}.average()",
            lambda: f"tryDouble({of(rng.choice(SCALARS + ['dyn']))}).orValue({of('double')})",
            lambda: f"math.{rng.choice('log log10 exp sin cos tan asin acos atan sqrt'.split())}({of('double')})",
            lambda: f"math.pow({of('double')}, {of(rng.choice(['int', 'double']))})",
            lambda: f"math.atan2({of('double')}, {of('double')})",
            lambda: f"(duration('90s') * {of('int')} / duration('7s'))",
            lambda: f"(math.pi() * {of('double')})",
            lambda: f"{of(['double'])}.fold(a0, v0, 0, a0 + v0 * 2)",
        )

    def data_string(self, names, depth):
        of, rng = lambda want: self.of(want, names, depth), self.rng
        within = lambda want: self.of(want, {**names, "v0": "int"}, depth - 1)
        zone = rng.choice(["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "+05:30", "-01:00"])
        pattern = rng.choice(["yyyy-MM-dd HH:mm:ss.SSS xxx", "EEE, d MMM yyyy h:mm:ss.SSSSSS a Z", "yyyyDDDHHmmssXX",
                              "yyyy-MM-dd HH:mm", "dd/MMM/yyyy:HH:mm:ss Z", "EEEE d. MMMM y XXX", "yyyy-MM-dd HH:mm ss"])
        return self.pick(
            lambda: f"{self.time(names, depth)}.format('{pattern}', '{zone}')",
            lambda: f"string(parseTime({self.time(names, depth)}.format('{pattern}', '{zone}'), '{pattern}', '{zone}'))",
            lambda: f"string(parseTime({of('string')}, '{pattern}'))",
            lambda: f"'%5d|%-4s|%07.1f|%6s|%04d'.format("
            f"[{of('int')}, {of('string')}, {of('double')}, {of('dyn')}, {of('int')}])",
            lambda: f"({of('string')} + 'e\u0301\u0323').normalize()",
            lambda: f"toJSON({of(RECORD)}.without('{rng.choice('knx')}', 's'))",
            lambda: f"toJSON({of(RECORD)}.rename({{'{rng.choice('knx')}': '{rng.choice('qz')}'}}))",
            lambda: f"toJSON({of(RECORD)}.merge({{'{rng.choice('knzq')}': {of('dyn')}}}))",
            lambda: f"{of(RECORD)}.without('n').keys().join()",
            lambda: f"toJSON({of(RECORD)}.values())",
            lambda: f"toJSON({of(['int'])}.groupBy(v0, {within(rng.choice(['int', 'bool', 'string']))}))",
            lambda: f"toJSON({of(['int'])}.zip({of(['dyn'])}))",
            lambda: f"regex.groups({of('string')}, r'(?P<one>[a-z])(?P<other>\w)?')"
            f".optMap(g, g.one + g.?other.orValue('-')).orValue({of('string')})",
            lambda: f"{of(['string'])}.fold(a0, v0, '', a0 + v0 + ',')",
            lambda: f"toJSON({of(['string'])}.sortBy(v0, [size(v0), v0]))"
        )

    def data_bool(self, names, depth):
        of, rng = lambda want: self.of(want, names, depth), self.rng
        return self.pick(
            lambda: f"{of([rng.choice(['int', 'double', 'string'])])}.isSorted()",
            lambda: f"{of(['int'])}.sortBy(v0, v0).isSorted()",
            lambda: f"tryInt({of('string')}).hasValue()",
            lambda: f"({self.time(names, depth)} < {self.time(names, depth)})",
            lambda: f"('x' in {of(RECORD)}.rename({{'n': 'x1'}}).keys())",
            lambda: f"({of('string')}.normalize() == {of('string')})",
        )

    def list(self, want, names, depth):
        rng, depth, element = self.rng, depth - 1, want[0]
        of = lambda type: self.of(type, names, depth)
        source = rng.choice(["int", "double", "dyn"])
        return self.pick(
            lambda: "[" + ", ".join(of(element) for _ in range(rng.choice([1, 2, 2, 3]))) + "]",
            lambda: "[" + ", ".join(of(element) for _ in range(rng.choice([1, 2]))) + "]",
            lambda: f"({of(want)} + {of(want)})",
            lambda: f"{of(want)}.filter(v0, {self.of('bool', {**names, 'v0': element}, depth - 1)})",
            lambda: f"{of([source])}.map(v0, {self.of(element, {**names, 'v0': source}, depth - 1)})",
            lambda: f"{of(want)}.{rng.choice(['reverse', 'distinct'])}()",
            lambda: f"{of(want)}.transformList"
            f"(i0, v0, {self.of(element, {**names, 'v0': element, 'i0': 'int'}, depth - 1)})",
        )

    def dyn(self, names, depth):
        """A value of any type; often a literal that holds whole values in one of its places."""
        rng = self.rng
        whole = rng.choice(list(names)) if names else "null"
        other = lambda: self.of(rng.choice(SCALARS + ["dyn"]), names, depth - 1) if depth > 0 else whole
        return self.pick(
            lambda: whole,
            lambda: whole,
            lambda: f"[{whole}]",
            lambda: f"{{'x': {whole}}}",
            lambda: f"{{'x': {whole}, 'y': {other()}}}",
            lambda: f"{{'y': {other()}, 'x': {whole}}}",
            lambda: f"{{'x': {whole}, 'y': {whole}}}",
            lambda: f"[{other()}, {whole}, {other()}]",
            lambda: f"{{'x': {{'y': {whole}}}}}",
            lambda: f"[[{whole}], {{'z': {whole}}}]",
            lambda: f"[{other()}, {other()}]",
            lambda: f"dyn({other()})",
            lambda: other(),
            lambda: f"{{'a': {other()}, 'b': {{'c': {other()}, 'd': {whole}}}}}",
            lambda: f"({self.of('bool', names, depth)} ? dyn({other()}) : dyn({other()}))",
            lambda: f"({whole} == null ? dyn(0) : dyn({other()}))",
        )
