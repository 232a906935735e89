"""Files that mean the same in other words: parameters, definitions, other files, named types.

`dressed(model, rng)` gives a `Model`: a file with what it needs from outside. The model of the reference runs it through
`parameters.resolve`; `selfcheck.py` compares it with the plain file.
"""

import json
import re

from generate_expressions import Choice
from parameters import BESIDES, NO_PARAMETERS, SECONDS, reference

# Variables of the place where an operator stands, which a definition does not see.
PLACE = re.compile(r"\b(key|user|page|outer|outerIndex|windowIndex|windowStart|windowEnd|acc|error|attempt)\b")
NOT_VALUES = {
    *NO_PARAMETERS, "stream", "operators", "names", "until", "reset", "opening", "closing", "as", "then", "else",
    "path", "format", "name", "function", "file", "zone", "align", "strategy",
}
STREAM_LISTS = (
    "merge", "append", "prepend", "zip", "combineLatest", "withLatestFrom", "forkJoin", "race", "join",
    "sequenceEqual", "mergeOrdered",
)
PLAIN = re.compile(r"'[^'\\%]{0,3}'")  # a short string in single quotation marks
LENGTH = re.compile(r"\d{1,6}(\.\d{1,9})?")  # a number of seconds that a duration can be
READS = re.compile(r'"(s|a|b)"')  # what may be the name of a stream
LITERAL = re.compile(
    r"""(?P<text>[rRbB]?(?:'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"))"""
    r"""|(?P<word>[A-Za-z_][\w.]*)|(?P<double>\d+\.\d+(?![\w.]))|(?P<int>\d+(?![\w.]))|(?P<other>[\d.]+\w*)"""
)


class Model(dict):
    """A stream file, and what comes from outside: other files, values of parameters, a seed."""

    def __init__(self, model):
        super().__init__(model)
        self.files, self.given, self.seed = {}, {}, None


class Dresser:
    def __init__(self, rng, files, has_files=True, is_plain=False):
        self.has_files = has_files  # whether an operator may apply another file
        self.is_plain = is_plain  # whether there are parameters alone, of types without a name
        self.rng, self.files, self.parameters, self.definitions, self.given = rng, files, {}, {}, {}
        self.names = 0

    def name(self, kind):
        self.names += 1
        return f"{kind}{self.names}"

    # Parameters

    def parameter(self, value, in_expression=False):
        """The name of a new parameter with a value."""
        name, rng = self.name("given"), self.rng
        declaration = {}
        if in_expression or rng.random() < 0.7:
            declaration["type"] = self.type_of(value, in_expression)
        if rng.random() < 0.6:
            declaration["default"] = value
        else:
            self.given[name] = value
            if rng.random() < 0.3:  # another value, which the one from outside replaces
                declaration["default"] = another(value)
        if rng.random() < 0.1:
            declaration["description"] = "one more"
        self.parameters[name] = declaration
        return name

    def type_of(self, value, in_expression):
        form = self.rng.random()
        if isinstance(value, (int, str)) and not isinstance(value, bool) and form < 0.15 and not in_expression:
            return {"enum": [value, another(value)]}
        if isinstance(value, bool):
            name = "bool"
        elif isinstance(value, list):
            kinds = {type(element) for element in value}
            name = {int: ["int"], str: ["string"], float: ["double"]}.get(*kinds, "dyn") if len(kinds) == 1 else "dyn"
        else:
            name = {int: "int", float: "double", str: "string", dict: "map(string, dyn)"}.get(type(value), "dyn")
        if isinstance(name, str) and name != "dyn" and form < 0.25 and not in_expression:
            return name + "?"
        return name

    def fields(self, name, fields):
        """The fields of an operator or a source, some of which are parameters."""
        result = {}
        for field, value in fields.items():
            if isinstance(value, str) and field in NO_PARAMETERS:
                result[field] = self.expression(value)
            elif field in ("operators", "then") and isinstance(value, list):
                result[field] = self.operators(value)
            elif field in NOT_VALUES or field == "with" and name in STREAM_LISTS or is_stream(value):
                result[field] = self.part(value)
            elif value is None or self.rng.random() < 0.7:
                result[field] = value
            elif field in SECONDS and LENGTH.fullmatch(f"{value}") and not self.is_plain and self.rng.random() < 0.4:
                result[field] = {"parameter": self.length(value)}
            else:
                result[field] = {"parameter": self.parameter(value)}
        return result

    def length(self, value):
        """The name of a new parameter with a duration."""
        name = self.name("given")
        self.parameters[name] = {"type": "duration", "default": f"{value}s"}
        if self.rng.random() < 0.4:
            self.given[name] = self.parameters[name].pop("default")
        return name

    def expression(self, text):
        """The expression with parameters in place of some literals."""

        def replace(match):
            if self.rng.random() < 0.75:
                return match[0]
            if match["double"] or match["int"]:
                number = float(match[0]) if match["double"] else int(match[0])
                return self.parameter(number, True) if number < 2**63 else match[0]
            # Not the keys of maps, nor the patterns of functions.
            if match["text"] and PLAIN.fullmatch(match[0]) and text[match.end() : match.end() + 1] != ":":
                return self.parameter(match[0][1:-1], True)
            return match[0]

        return LITERAL.sub(replace, text)

    def part(self, value):
        """A part of a file, at any depth."""
        if isinstance(value, list):
            return [self.part(element) for element in value]
        if not isinstance(value, dict):
            return value
        result = {}
        for name, member in value.items():
            if name in ("operators", "then") and isinstance(member, list):
                result[name] = self.operators(member)
            elif name == "source":
                result[name] = {source: self.fields(source, fields) for source, fields in member.items()}
            else:
                result[name] = member if name in ("value", "values", "events") else self.part(member)
        return result

    # Definitions

    def operators(self, operators):
        dressed = [
            {
                name: fields if name in BESIDES or name.startswith("x-") else self.fields(name, fields)
                for name, fields in operator.items()
            }
            for operator in operators
        ]
        while dressed and not self.is_plain and self.rng.random() < 0.35:
            start = self.rng.randrange(len(dressed))
            end = self.rng.randint(start + 1, len(dressed))
            run = dressed[start:end]
            if PLACE.search(json.dumps(run)) or '"path"' in json.dumps(run):
                break
            dressed[start:end] = [self.applied(run)]
        return dressed

    def applied(self, run):
        """An operator that applies a new definition, or a file."""
        text = json.dumps(run)
        in_file = self.has_files and self.rng.random() < 0.3 and '"apply"' not in text
        inputs = {}
        if in_file and READS.search(text):
            run, inputs = self.binding(run)
            text = json.dumps(run)
            in_file = not READS.search(text)
        declared, arguments = {}, {}
        for name in [name for name in self.parameters if re.search(rf"\b{name}\b", text)]:
            if in_file or self.rng.random() < 0.4:
                inner = self.name("own")
                text = re.sub(rf"\b{name}\b", inner, text)
                declared[inner] = {"type": self.parameters[name]["type"]} if "type" in self.parameters[name] else {}
                arguments[inner] = {"parameter": name}
        body = {"operators": json.loads(text), **({"parameters": declared} if declared else {})}
        if in_file:
            path = self.name("part") + ".json"
            declared = {"values": {}, **{inner: {} for inner in inputs}}
            self.files[path] = {**body, "inputs": declared, "source": {"input": {"name": "values"}}}
            return {"apply": {"file": path, **arguments, **({"inputs": inputs} if inputs else {})}}
        if inputs:
            body = {**body, "operators": json.loads(re.sub(r'"own_(s|a|b)"', r'"\1"', json.dumps(body["operators"])))}
        name = self.name("d")
        self.definitions[name] = body
        return {"apply": {"definition": name, **arguments}}


    def binding(self, run):
        """The operators with other names for the streams that they join, and the inputs of a file with these names."""
        inputs = {}

        def own(name):
            inputs[f"own_{name}"] = name
            return f"own_{name}"

        changed = []
        for operator in run:
            operator = dict(operator)
            for name in STREAM_LISTS:
                streams = operator.get(name, {}).get("with")
                if isinstance(streams, list):
                    renamed = [own(stream) if stream in ("s", "a", "b") else stream for stream in streams]
                    operator[name] = {**operator[name], "with": renamed}
            changed.append(operator)
        return changed, inputs


def another(value):
    if isinstance(value, bool):
        return not value
    if isinstance(value, (int, float)):
        return value + 1 if value < 2**53 else value - 1
    return value + "z" if isinstance(value, str) else value


def is_stream(value):
    if isinstance(value, list):
        return any(map(is_stream, value))
    return isinstance(value, dict) and ("source" in value or "stream" in value)


# Types


def name_types(type, types, rng):
    """The type with names in place of some of its parts."""
    if isinstance(type, Choice):
        result = dict(type)
    elif isinstance(type, dict):
        result = {name: name_types(member, types, rng) for name, member in type.items()}
    elif isinstance(type, list):
        inner = name_types(type[0], types, rng)
        result = f"list({inner})" if isinstance(inner, str) and rng.random() < 0.3 else [inner]
    elif isinstance(type, str) and type.endswith("?") and rng.random() < 0.3:
        return name_types(type[:-1], types, rng) + "?"
    else:
        result = type
    if rng.random() < 0.35 and not (isinstance(result, str) and result.endswith("?")) and result != "dyn":
        name = f"T{len(types)}"
        types[name] = result
        return name
    return result


def bind(model, files, rng):
    """Moves the first operators to another file, whose input is the source of this one, or a stream of it."""
    count = rng.randint(0, len(model["operators"]))
    run, rest = model["operators"][:count], model["operators"][count:]
    if READS.search(json.dumps(run)) or '"path"' in json.dumps(run):
        return
    path, inner = "bound.json", rng.choice(["a", "q"])
    source = model["source"] if "source" in model else None
    declaration = {}
    if source == {"input": {"name": "a"}} and not model["inputs"]["a"].get("time"):
        outer = "a"
        if "type" in model["inputs"]["a"] and rng.random() < 0.5:
            declaration = {"type": model["inputs"]["a"]["type"]}
    elif source and "input" not in source or "stream" in model:
        outer = "origin"
        origin = {"source": source} if source else {"stream": model.pop("stream")}
        model["streams"] = {**model.get("streams", {}), "origin": origin}
    else:
        return
    dresser = Dresser(rng, files)
    dresser.names = 100
    run = dresser.operators(run) if rng.random() < 0.7 else run
    other = {"inputs": {inner: declaration}, "source": {"input": {"name": inner}}, "operators": run}
    arguments = {}
    for name, declared in dresser.parameters.items():
        if name in dresser.given:
            arguments[name] = dresser.given[name]
    if dresser.definitions:
        other["definitions"] = dresser.definitions
    if dresser.parameters:
        other["parameters"] = dresser.parameters
    if rng.random() < 0.2:
        other["outputs"] = {"one": {"stream": "whole"}, "two": {"stream": inner}}
        other["streams"] = {"whole": {"source": other.pop("source"), "operators": other.pop("operators")}}
    files[path] = other
    reference = {"file": path, "inputs": {inner: outer}}
    if "outputs" in other:
        reference["output"] = "one"
    if arguments:
        reference["parameters"] = arguments
    model["source"], model["operators"] = {"stream": reference}, rest


def dressed(model, rng):
    """The file in other words, as a `Model`."""
    result = Model(json.loads(json.dumps(model)))
    if rng.random() < 0.2 and not {"partition", "outputs"} & set(result):
        bind(result, result.files, rng)
    dresser = Dresser(rng, result.files, "partition" not in result)
    for name, member in list(result.items()):
        if name == "streams":
            result[name] = {stream: dresser.part(inner) for stream, inner in member.items()}
        elif name == "operators":
            result[name] = dresser.operators(member)
        elif name == "source":
            result[name] = {
                source: dresser.fields(source, fields) if source != "stream" else fields
                for source, fields in member.items()
            }
        elif name in ("partition", "stream", "outputs"):
            result[name] = dresser.part(member)
    types = {}
    declarations = list(result.get("inputs", {}).values())
    if "file" in result.get("source", {}):
        declarations.append(result["source"]["file"])
    for declaration in declarations:
        if reference(declaration.get("type")) is None and "type" in declaration and rng.random() < 0.6:
            declaration["type"] = name_types(with_choices(declaration["type"]), types, rng)
    for name, content in (("types", types), ("parameters", dresser.parameters), ("definitions", dresser.definitions)):
        if content:
            result[name] = content
    result.given = dresser.given
    return result


def given(model, rng):
    """The file with values from outside in place of some of its own, as a `Model` without declarations."""
    dresser, result = Dresser(rng, {}, is_plain=True), Model(json.loads(json.dumps(model)))
    result["operators"] = dresser.operators(result["operators"])
    result.given = {name: dresser.given.get(name, one.get("default")) for name, one in dresser.parameters.items()}
    return result


def with_choices(type):
    """The type, whose enumerations were lost as JSON."""
    if isinstance(type, dict):
        if set(type) == {"enum"} and isinstance(type["enum"], list):
            return Choice(type)
        return {name: with_choices(member) for name, member in type.items()}
    return [with_choices(element) for element in type] if isinstance(type, list) else type


def options(model, rng):
    """The options of the command that give the parameters their values, and the files that they name."""
    words, others = [], {}
    for name, value in model.given.items():
        type = model.get("parameters", {}).get(name, {}).get("type", "dyn")
        if type == "string?" or rng.random() < 0.2:
            others[name] = value
        else:
            words += ["--set", f"{name}={value if type == 'string' else json.dumps(value, ensure_ascii=False)}"]
    if others:
        words += ["--parameters", "given.json"]
    if model.seed is not None:
        words += ["--seed", str(model.seed)]
    return words, {"given.json": json.dumps(others, ensure_ascii=False)} if others else {}
