"""Stream files that multiply: each row of the table "Constructions that multiply" in Limits.md has generators here.

A generator makes the files of a size, of which `f.json` is the main one. `sizes` are those that `bounds.py` tries: small,
near the bound, and far beyond it.
"""

ROWS = []


class Row:
    def __init__(self, make, construction, sizes, code, quick, door):
        self.make, self.construction, self.sizes, self.code, self.quick = make, construction, sizes, code, quick
        self.door = door
        self.name = make.__name__


def row(construction, *sizes, code=None, quick=None, door="validate"):
    """`code` is that of the error of a door at the greatest size; None for none. `quick` is the size for the gate."""

    def add(make):
        ROWS.append(Row(make, construction, sizes, code, quick or sizes[-1], door))
        return make

    return add


def just(value=1):
    return {"just": {"value": value}}


def map_(expression="value + 1"):
    return {"map": {"expression": expression}}


def apply(name, **arguments):
    return {"apply": {"definition": name, **arguments}}


def one(**members):
    return {"f.json": {"source": just(), **members}}


def doubling(n, operators=lambda inner: [inner, inner], leaf=None):
    """Definitions of which each applies the next one twice."""
    definitions = {f"d{i}": {"operators": operators(apply(f"d{i + 1}"))} for i in range(n)}
    return {**definitions, f"d{n}": {"operators": leaf or [map_()]}}


def named(expression, count):
    """The expression in which each of `count` names is made of the one before."""
    text = f"x{count - 1}"
    for i in reversed(range(count)):
        text = f"cel.bind(x{i}, {expression(f'x{i - 1}' if i else 'value')}, {text})"
    return text


APPLIED = "operators of definitions and of applied files, in operators, inner streams and partitions"


@row(APPLIED, 3, 12, 40, code="S114")
def definitions(n):
    return one(definitions=doubling(n), operators=[apply("d0")])


@row(APPLIED, 3, 12, 40, code="S114")
def definitions_in_joins(n):
    inner = lambda next: [{"merge": {"with": [{"source": just(), "operators": [next]}] * 2}}]
    return one(definitions=doubling(n, inner), operators=[apply("d0")])


@row(APPLIED, 3, 12, 40, code="S114")
def definitions_in_inner_streams(n):
    inner = lambda next: [{"flatMap": {"stream": {"source": just(), "operators": [next, next]}}}]
    return one(definitions=doubling(n, inner), operators=[apply("d0")])


@row(APPLIED, 3, 12, 40, code="S114")
def definitions_that_nothing_applies(n):
    return one(definitions=doubling(n))


@row(APPLIED, 3, 10, 60, code="S114")
def definitions_of_all_later_ones(n):
    return one(definitions={f"d{i}": {"operators": [apply(f"d{j}") for j in range(i + 1, n)]} for i in range(n)})


@row(APPLIED, 3, 12, 40, code="S114")
def definitions_without_operators(n):
    definitions = {**doubling(n), f"d{n}": {"operators": []}}
    return one(definitions=definitions, operators=[apply("d0")])


@row(APPLIED, 3, 12, 40, code="S114")
def definitions_in_a_partition(n):
    return {
        "f.json": {
            "inputs": {"e": {}}, "source": {"input": {"name": "e"}}, "partition": {"key": "value.k"},
            "definitions": doubling(n), "operators": [apply("d0")],
        }
    }


@row(APPLIED, 3, 12, 40, code="S114")
def definitions_in_streams_and_outputs(n):
    streams = {f"s{i}": {"source": just(), "operators": [apply("d0")]} for i in range(10)}
    return {
        "f.json": {
            "definitions": doubling(n), "streams": streams, "outputs": {name: {"stream": name} for name in streams},
        }
    }


@row(APPLIED, 3, 12, 40, code="S114")
def definitions_with_arguments(n):
    inner = lambda i: {
        "parameters": {"q": {"type": "int", "default": 1}}, "operators": [apply(f"d{i + 1}", q={"parameter": "q"})] * 2,
    }
    last = {"parameters": {"q": {"type": "int"}}, "operators": [{"drop": {"count": {"parameter": "q"}}}]}
    definitions = {**{f"d{i}": inner(i) for i in range(n)}, f"d{n}": last}
    return one(definitions=definitions, operators=[apply("d0", q=2)])


@row(APPLIED, 3, 12, 40, code="S202")
def definitions_with_errors(n):
    return one(definitions=doubling(n, leaf=[map_("valu"), map_("values + 1")]), operators=[apply("d0")])


@row(APPLIED, 30, 300, 10_000, code="S114")
def definitions_of_many_operators(n):
    return one(definitions={"d": {"operators": [map_()] * n}}, operators=[apply("d")] * n)


@row(APPLIED, 30, 300, 10_000, code="S114")
def definitions_of_long_expressions(n):
    return one(
        definitions={"d": {"operators": [map_("[" + ", ".join(["value"] * n) + "].size()")]}}, operators=[apply("d")] * n)


@row(APPLIED, 100, 10_000)
def definitions_in_a_row_of_190(n):
    definitions = {f"d{i}": {"operators": [apply(f"d{i + 1}")]} for i in range(190)}
    return one(definitions={**definitions, "d190": {"operators": [map_()] * n}}, operators=[apply("d0")])


@row(APPLIED, 2, 10, 14, 40, code="S114")
def definitions_deep_inside(n):
    definitions = {f"d{i}": {"operators": [apply(f"d{i + 1}")]} for i in range(150)}
    later = {f"d{150 + i}": {"operators": [apply(f"d{150 + i + 1}")] * 2} for i in range(n)}
    return one(definitions={**definitions, **later, f"d{150 + n}": {"operators": [map_()]}}, operators=[apply("d0")])


def appliable(operators, **members):
    return {"inputs": {"in": {}}, "source": {"input": {"name": "in"}}, "operators": operators, **members}


@row(APPLIED, 3, 10, 40, code="S114")
def applied_files(n):
    files = {f"a{i}.json": appliable([{"apply": {"file": f"a{i + 1}.json"}}] * 2) for i in range(n)}
    files[f"a{n}.json"] = appliable([map_()])
    return {**one(operators=[{"apply": {"file": "a0.json"}}]), **files}


@row(APPLIED, 30, 300, 10_000, code="S114")
def applied_files_of_many_operators(n):
    return {**one(operators=[{"apply": {"file": "a.json"}}] * n), "a.json": appliable([map_()] * n)}


@row(APPLIED, 3, 10, 40, code="S114")
def applied_files_with_definitions(n):
    file = appliable([apply("d0")], definitions=doubling(n))
    return {**one(operators=[{"apply": {"file": "a.json"}}] * 2), "a.json": file}


REFERRED = "files with other parameters, inputs or outputs"


@row(REFERRED, 3, 10, 40, code="S114")
def files_with_parameters(n):
    declared = {"p": {"type": "int", "default": 0}}

    def reference(i, value):
        return {"source": {"stream": {"file": f"g{i + 1}.json", "parameters": {"p": value}}}}

    files = {
        f"g{i}.json": {"parameters": declared, **reference(i, 1), "operators": [{"merge": {"with": [reference(i, 2)]}}]}
        for i in range(n)
    }
    files[f"g{n}.json"] = {"parameters": declared, "source": just()}
    return {**files, "f.json": files["g0.json"]}


@row(REFERRED, 30, 300, 10_000, code="S114")
def files_of_many_operators_with_parameters(n):
    streams = [{"source": {"stream": {"file": "g.json", "parameters": {"p": i}}}} for i in range(n)]
    return {
        "g.json": {"parameters": {"p": {"type": "int", "default": 0}}, "source": just(), "operators": [map_()] * n},
        **one(operators=[{"merge": {"with": streams}}]),
    }


@row(REFERRED, 30, 1_000, 10_000, code="S114")
def files_of_few_operators_with_parameters(n):
    streams = [{"source": {"stream": {"file": "g.json", "parameters": {"p": i}}}} for i in range(n)]
    return {
        "g.json": {"parameters": {"p": {"type": "int", "default": 0}}, "source": just()},
        **one(operators=[{"merge": {"with": streams}}]),
    }


@row(REFERRED, 30, 300, 3_000, code="S114")
def outputs_of_a_file(n):
    return {
        "g.json": {
            "streams": {"s": {"source": just(), "operators": [map_()] * n}},
            "outputs": {f"o{i}": {"stream": "s"} for i in range(n)},
        },
        **one(
            operators=[
                {"merge": {"with": [{"source": {"stream": {"file": "g.json", "output": f"o{i}"}}} for i in range(n)]}}
            ]),
    }


@row(REFERRED, 3, 10, 40, code="S114")
def files_with_inputs(n):
    def reference(i, name):
        return {"source": {"stream": {"file": f"g{i + 1}.json", "inputs": {"a": name}}}}

    files = {
        f"g{i}.json": {"inputs": {"a": {}}, **reference(i, "a"), "operators": [{"merge": {"with": [reference(i, "a")]}}]}
        for i in range(n)
    }
    files[f"g{n}.json"] = {"inputs": {"a": {}}, "source": {"input": {"name": "a"}}}
    return {**files, "f.json": files["g0.json"]}


JOINED = "named streams and files that several places read"


@row(JOINED, 3, 16, 40, code="S114")
def streams(n):
    streams = {
        f"s{i}": {"source": {"stream": {"name": f"s{i + 1}"}}, "operators": [{"merge": {"with": [f"s{i + 1}"]}}]}
        for i in range(n)
    }
    return one(streams={**streams, f"s{n}": {"source": just()}}, source={"stream": {"name": "s0"}})


@row(JOINED, 2, 4, 40, code="S114")
def streams_joined_ten_times(n):
    streams = {f"s{i}": {"source": just(), "operators": [{"zip": {"with": [f"s{i + 1}"] * 10}}]} for i in range(n)}
    return one(streams={**streams, f"s{n}": {"source": just()}}, source={"stream": {"name": "s0"}})


@row(JOINED, 3, 12, 100, code="S114")
def streams_of_all_later_ones(n):
    streams = {
        f"s{i}": {"source": just(), "operators": [{"combineLatest": {"with": [f"s{j}" for j in range(i + 1, n)]}}]}
        for i in range(n - 1)
    }
    return one(streams={**streams, f"s{n - 1}": {"source": just()}}, source={"stream": {"name": "s0"}})


@row(JOINED, 3, 16, 40, code="S114")
def streams_that_start_streams(n):
    streams = {
        f"s{i}": {"source": just(), "operators": [{"flatMap": {"stream": f"s{i + 1}"}}, {"merge": {"with": [f"s{i + 1}"]}}]}
        for i in range(n)
    }
    return one(streams={**streams, f"s{n}": {"source": just()}}, source={"stream": {"name": "s0"}})


@row(JOINED, 3, 16, 40, code="S114")
def files(n):
    files = {
        f"g{i}.json": {
            "source": {"stream": {"file": f"g{i + 1}.json"}},
            "operators": [{"merge": {"with": [{"source": {"stream": {"file": f"g{i + 1}.json"}}}]}}],
        }
        for i in range(n)
    }
    files[f"g{n}.json"] = {"source": just()}
    return {**files, "f.json": files["g0.json"]}


@row(JOINED, 100, 10_000)
def references_to_a_file(n):
    return {
        "g.json": {"source": just()},
        **one(operators=[{"merge": {"with": [{"source": {"stream": {"file": "g.json"}}}] * n}}]),
    }


@row(JOINED, 10, 100, 250)
def streams_of_all_others(n):
    streams = {f"s{i}": {"source": just()} for i in range(n)}
    for i in range(n):
        streams[f"t{i}"] = {"source": just(), "operators": [{"merge": {"with": [f"s{j}" for j in range(n)]}}]}
    return one(streams=streams, source={"stream": {"name": "t0"}})


VALUES = "values of parameters that arguments and fields repeat"


@row(VALUES, 10, 100, 3_000, code="S114")
def parameters_as_arguments(n):
    definition = {"parameters": {"q": {"type": "list(int)"}}, "operators": [map_("value + q.size()")]}
    return one(
        parameters={"p": {"type": "list(int)", "default": list(range(n))}}, definitions={"d": definition},
        operators=[apply("d", q={"parameter": "p"})] * n)


@row(VALUES, 10, 100, 3_000, code="S114")
def parameters_as_fields(n):
    streams = [{"source": {"sequence": {"values": {"parameter": "p"}}}}] * n
    return one(
        parameters={"p": {"type": "list", "default": list(range(n))}}, operators=[{"merge": {"with": streams}}])


@row(VALUES, 10, 100, 3_000)
def parameters_in_expressions(n):
    return one(
        parameters={"p": {"type": "list(int)", "default": list(range(10 * n))}},
        operators=[map_("[value" + ", p.size()" * 300 + "].size()")] * (n // 10))


@row(VALUES, 10, 1_000, 5_000)
def many_parameters(n):
    definition = {"parameters": {"q": {"type": "int", "default": 0}}, "operators": [map_("value + q")]}
    return one(
        parameters={f"p{i}": {"type": "int", "default": i} for i in range(n)}, definitions={"d": definition},
        operators=[apply("d", q={"parameter": f"p{i}"}) for i in range(n // 2)]
        + [map_(f"value + p{i}") for i in range(n // 2)])


TESTS = "tests that give parameters values, or replace streams"


@row(TESTS, 10, 100, 2_000, code="S114")
def tests_with_parameters(n):
    tests = [{"name": f"t{i}", "parameters": {"p": i}, "expect": {"values": [1 + n]}} for i in range(n)]
    return one(parameters={"p": {"type": "int", "default": 0}}, operators=[map_()] * n, tests=tests)


@row(TESTS, 10, 100, 2_000, code="S114")
def tests_that_replace_streams(n):
    tests = [{"name": f"t{i}", "inputs": {"s": {"values": [1]}}, "expect": {"values": [1]}} for i in range(n)]
    return one(streams={"s": {"source": just()}}, operators=[map_()] * n, tests=tests)


@row(TESTS, 10, 100, 2_000, code="S114")
def tests_of_definitions(n):
    tests = [{"name": f"t{i}", "inputs": {"values": {"values": [1]}}, "expect": {"values": [1 + n]}} for i in range(n)]
    return one(definitions={"d": {"operators": [map_()] * n, "tests": tests}}, operators=[apply("d")])


@row(TESTS, 3, 10, 40, code="S114")
def tests_of_definitions_that_apply_others(n):
    definitions = doubling(n)
    definitions["d0"]["tests"] = [{"name": "t", "inputs": {"values": {"values": [1]}}, "expect": {"values": []}}]
    return one(definitions=definitions)


TYPES = "types that name types"


@row(TYPES, 3, 12, 40, code="S104")
def types(n):
    types = {f"T{i}": {"a": f"T{i + 1}", "b": f"T{i + 1}"} for i in range(n)}
    return one(types={**types, f"T{n}": "int"}, inputs={"x": {"type": "T0"}})


@row(TYPES, 3, 12, 31, code="S104")
def types_of_all_later_ones(n):
    types = {f"T{i}": {f"a{j}": f"T{j}" for j in range(i + 1, n)} or "int" for i in range(n)}
    return one(types=types, inputs={"x": {"type": "T0"}})


@row(TYPES, 10, 100, 3_000, code="S104")
def types_within_the_type_of_an_input(n):
    types = {"T": {f"a{i}": "int" for i in range(n)}}
    return one(types=types, inputs={"x": {"type": {f"b{i}": "T" for i in range(n)}}})


@row(TYPES, 10, 100, 1_000, 9_000, code="S114")
def types_of_many_inputs(n):
    types = {"T": {f"a{i}": "int" for i in range(n)}}
    names = [f"x{i}" for i in range(n)]
    return one(
        types=types, inputs={name: {"type": "T"} for name in names}, operators=[{"merge": {"with": names}}])


@row(TYPES, 10, 1_000, 9_000)
def types_of_many_operators(n):
    return one(
        types={"T": {f"a{i}": "int" for i in range(n)}}, inputs={"x": {"type": "T"}},
        source={"input": {"name": "x"}}, operators=[{"filter": {"expression": f"value.a{n - 1} > 1"}}] * n)


CREATED = "types that expressions and operators create"


@row(CREATED, 5, 20, 10_000)
def records_of_records(n):
    return one(operators=[map_("{'a': value, 'b': value}")] * n)


@row(CREATED, 5, 20, 5_000)
def records_of_merged_records(n):
    return one(operators=[map_("{'a': value}.merge({'b' : {'c': value, 'd': [value]}})")] * n)


@row(CREATED, 5, 100, 10_000)
def lists_of_lists(n):
    return one(operators=[map_("[value, value]")] * n)


@row(CREATED, 5, 100, 10_000)
def collected_arrays(n):
    return one(operators=[{"collect": {"count": 1}}] * n)


@row(CREATED, 5, 16, 60, 300, code="S207")
def names_of_records(n):
    return one(operators=[map_(named(lambda x: f"{{'a': {x}, 'b': {x}, 'c': {x}}}", n))])


@row(CREATED, 5, 16)
def joins_of_joins(n):
    streams = {
        f"s{i}": {"source": {"stream": {"name": f"s{i + 1}"}}, "operators": [{"withLatestFrom": {"with": [f"s{i + 1}"]}}]}
        for i in range(n)
    }
    return one(streams={**streams, f"s{n}": {"source": just()}}, source={"stream": {"name": "s0"}})


@row(CREATED, 10, 1_000, 10_000)
def items_of_other_types(n):
    return {"f.json": {"stream": [{"value": {f"k{i}": i}} for i in range(n)], "operators": [map_("value")]}}


@row(CREATED, 10, 100, 2_000)
def choices_of_other_types(n):
    choices = "".join(f"value == {i} ? {{'k{i}': 1}} : " for i in range(min(n, 120)))
    return one(operators=[map_(choices + "{'z': 1}"), map_("1")] * (n // 20))


NESTED = "streams and operators in operators"


@row(NESTED, 5, 60, 100, 190, code="S004")
def inner_streams(n):
    model = {"source": just()}
    for _ in range(n):
        model = {"source": just(), "operators": [{"merge": {"with": [model]}}]}
    return {"f.json": model}


@row(NESTED, 5, 60, 100)
def inner_operators(n):
    operators = [map_()]
    for _ in range(n):
        operators = [{"groupBy": {"key": "value", "operators": operators}}]
    return one(operators=operators)


@row(NESTED, 100, 10_000)
def inner_streams_side_by_side(n):
    return one(operators=[{"merge": {"with": [{"source": just()}] * n}}])


@row(NESTED, 100, 1_000, 20_000, code="S104")
def operators(n):
    return one(operators=[map_()] * n)


@row(NESTED, 100, 10_000)
def items_with_operators(n):
    return {"f.json": {"stream": [{"value": i, "operators": [{"delay": {"seconds": 1}}]} for i in range(n)]}}


EXPRESSIONS = "macros, names and choices in an expression"


@row(EXPRESSIONS, 5, 60, 300, code="S207")
def macros_in_macros(n):
    text = "1"
    for i in range(n):
        text = f"[1, 2].map(x{i}, {text})"
    return one(operators=[map_(text)])


@row(EXPRESSIONS, 5, 10, 14)
def macros_over_macros(n):
    text = "[value]"
    for i in range(n):
        text = f"{text}.map(x{i}, [x{i}, x{i}])"
    return one(operators=[map_(text)])


@row(EXPRESSIONS, 3, 20, 200)
def optional_macros(n):
    text = "optional.of(value)" + "".join(f".optMap(x{i}, x{i} + 1)" for i in range(n))
    return one(operators=[map_(text)])


@row(EXPRESSIONS, 3, 20, 60, 300, code="S207")
def names_of_lists(n):
    return one(operators=[map_(f"size({named(lambda x: f'[{x}, {x}]', n)})")])


@row(EXPRESSIONS, 3, 20, 60, 300, code="S207")
def names_of_strings(n):
    return one(operators=[map_("size(" + named(lambda x: f"string({x}) + string({x})", n) + ")")])


@row(EXPRESSIONS, 100, 1_000, 4_000, 5_000, code="S104")
def conditions(n):
    text = " && ".join(f"value.f{i} != null" for i in range(n))
    return one(
        inputs={"x": {"type": {f"f{i}": "int?" for i in range(n)}}}, source={"input": {"name": "x"}},
        operators=[{"filter": {"expression": text}}] * 5)


@row(EXPRESSIONS, 10, 1_000)
def ranges(n):
    return one(operators=[map_("lists.range(9999999).size()")] * n)


@row(EXPRESSIONS, 10, 100, 300, code="S207")
def lists_in_lists(n):
    text = "value"
    for _ in range(n):
        text = f"[{text}, 1]"
    return one(operators=[map_(text)])


@row(EXPRESSIONS, 10, 1_000, 20_000, code="S207")
def literals(n):
    return one(operators=[map_("[" + ", ".join(["[1, 2, 'a']"] * n) + "]")])


PATTERNS = "repetition in regular expressions"


@row(PATTERNS, 3, 30, 3_000, code="S207")
def patterns(n):
    return one(operators=[{"filter": {"expression": f"string(value).matches('(a{{99}}){{90}}b{i}')"}} for i in range(n)])


@row(PATTERNS, 3, 30, 2_000, code="S207")
def patterns_of_an_expression(n):
    text = " || ".join(f"string(value).matches('(a{{99}}){{90}}b{i}')" for i in range(n))
    return one(operators=[{"filter": {"expression": text}}])


@row(PATTERNS, 1, 3, 40, code="S208")
def patterns_in_patterns(n):
    pattern = "a"
    for _ in range(n):
        pattern = f"({pattern}){{9}}"
    return one(operators=[{"filter": {"expression": f"string(value).matches('{pattern}')"}}])


WRITTEN = "marbles, records, items, durations, numbers and strings"


@row(WRITTEN, 10, 1_000, 50_000)
def marbles(n):
    diagram = "-a" * n + "|"
    return {"f.json": {"source": {"marbles": {"diagram": diagram}}, "tests": [{"name": "t", "expect": {"marbles": diagram}}]}}


@row(WRITTEN, 1, 100, 20_000, code="S115")
def marbles_after_years(n):
    return {"f.json": {"source": {"marbles": {"diagram": "a " + "90000000m " * n + "b|"}}}}


@row(WRITTEN, 10, 1_000, 50_000)
def records(n):
    events = [{"at": i, "value": i} for i in range(n)]
    return {"f.json": {"source": {"record": {"events": events}}, "tests": [{"name": "t", "expect": {"events": events}}]}}


@row(WRITTEN, 10, 1_000, 140_000)
def items(n):
    return {"f.json": {"stream": [{"value": i} for i in range(n)]}}


@row(WRITTEN, 10, 1_000, 20_000)
def durations(n):
    return one(
        parameters={"p": {"type": "duration", "default": "1ns" * n}}, operators=[{"delay": {"seconds": {"parameter": "p"}}}])


@row(WRITTEN, 10, 1_000, 100_000, code="S006")
def digits(n):
    return {"f.json": '{"source": {"just": {"value": %s}}}' % ("1" * n)}


@row(WRITTEN, 10, 1_000, 20_000)
def values_in_values(n):
    value = 1
    for _ in range(150):
        value = [value, 1]
    return {"f.json": {"source": {"sequence": {"values": [value] * (n // 100)}}}}


NAMES = "names in messages"


@row(NAMES, 10, 1_000, 5_000, code="S202")
def unknown_definitions(n):
    return one(definitions={f"d{i}": {"operators": []} for i in range(n)}, operators=[apply(f"e{i}") for i in range(n)])


@row(NAMES, 10, 1_000, 5_000, code="S202")
def unknown_parameters(n):
    return one(
        parameters={f"p{i}": {"type": "int", "default": i} for i in range(n)},
        operators=[{"drop": {"count": {"parameter": f"q{i}"}}} for i in range(n)])


@row(NAMES, 10, 1_000, 5_000, code="S101")
def unknown_arguments(n):
    parameters = {f"p{i}": {"type": "int", "default": i} for i in range(n)}
    return one(
        definitions={"d": {"parameters": parameters, "operators": []}}, operators=[apply("d", **{f"q{i}": 1 for i in range(n)})])


@row(NAMES, 10, 1_000, 5_000, code="S202")
def unknown_names(n):
    return one(
        parameters={f"p{i}": {"type": "int", "default": i} for i in range(n)},
        operators=[map_(f"value + q{i}") for i in range(n)])


@row(NAMES, 10, 1_000, 5_000, code="S109")
def unknown_streams(n):
    return one(
        streams={f"s{i}": {"source": just()} for i in range(n)}, operators=[{"merge": {"with": [f"t{i}" for i in range(n)]}}])


@row(NAMES, 10, 1_000, 5_000, code="S119")
def unknown_types(n):
    return one(types={f"T{i}": "int" for i in range(n)}, inputs={f"x{i}": {"type": f"U{i}"} for i in range(n)})


@row(NAMES, 10, 1_000, 5_000, code="S116")
def unknown_inputs_of_tests(n):
    tests = [{"name": f"t{i}", "inputs": {f"b{i}": {"values": [1]}}, "expect": {"values": []}} for i in range(n)]
    return one(inputs={f"a{i}": {} for i in range(n)}, tests=tests)


@row(NAMES, 10, 1_000, 5_000, code="S206")
def unknown_fields(n):
    return one(
        inputs={"x": {"type": {f"f{i}": "int" for i in range(n)}}}, source={"input": {"name": "x"}},
        operators=[{"filter": {"expression": f"value.g{i} == 1"}} for i in range(n)])


@row(NAMES, 10, 1_000, 5_000, code="S203")
def types_in_messages(n):
    return one(
        inputs={"x": {"type": {f"f{i}": "int" for i in range(n)}}}, source={"input": {"name": "x"}},
        operators=[{"filter": {"expression": "value + 1 > 2"}}] * n)


@row(NAMES, 10, 1_000, 5_000, code="S101")
def unknown_members(n):
    return one(**{f"k{i}": 1 for i in range(n)})


@row(NAMES, 10, 1_000, 5_000, code="S121")
def requirements(n):
    return one(requires=[f"acme.a{i}" for i in range(n)])


COPIES = "copies of a JSON Patch"


@row(COPIES, 3, 12, 40, code="S131", door="patch file")
def copies_into_themselves(n):
    patch = [{"op": "copy", "from": "/x-a", "path": "/x-a/-"} for _ in range(n)]
    return {**one(**{"x-a": [1, 2, 3]}), "patch.json": patch}
