"""Parameters and definitions of stream files: `resolve` replaces them by their values and operators."""

import re

from convert import convert
from randoms import Text, placed
from values import Duration, Map, duration_text, write_json

BESIDES = ("id", "label", "onError")
# Fields with an expression.
NO_PARAMETERS = ("expression", "by", "key", "while", "next", "condition", "element", "compare", "leftKey", "rightKey", "on",
                 "argument")


# Fields with a length in seconds, which a duration may be the value of.
SECONDS = ("seconds", "after", "at", "every", "first", "frame", "hop", "idle", "lateness", "maxJump", "maximum", "offset",
           "replaySeconds", "startEvery", "startEverySeconds", "startingAfter")
# Members with data, in which nothing is replaced.
DATA = ("value", "values", "initialValue", "events", "error", "tests")


class Wrong(Exception):
    """A file that no program may accept."""


def entries(value):
    return [(name, member) for name, member in value.items()]


def reference(value):
    """The name of the parameter that a field names; None for another value."""
    if isinstance(value, (dict, Map)) and len(value) == 1 and "parameter" in value:
        return value["parameter"] if isinstance(value["parameter"], str) else None
    return None


TOKEN = re.compile(
    r"""(?P<text>[rRbB]*(?:'''.*?'''|\"\"\".*?\"\"\"|'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"))"""
    r"""|(?P<member>\.\??\s*[A-Za-z_]\w*)|(?P<name>[A-Za-z_]\w*)""", re.DOTALL)


def in_expression(text, values):
    """The expression with the values of parameters in place of their names, which no local variable hides here."""
    def replace(match):
        name = match["name"]
        return f"({literal(values[name])})" if name in values else match[0]
    result = TOKEN.sub(replace, text)
    return Text(result).at(text.place) if isinstance(text, Text) else result


def with_place(result, original):
    """A changed object at the place of the original."""
    if hasattr(original, "place"):
        result.place, result.origin = original.place, original.origin
    return result


def literal(value):
    """A value as a CEL expression."""
    if isinstance(value, Map):
        return "{" + ", ".join(f"{literal(key)}: {literal(member)}" for key, member in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(literal, value)) + "]"
    return f"duration('{duration_text(value)}')" if isinstance(value, Duration) else write_json(value)


def bound(declared, given):
    """The values of parameters: those for fields, and those for expressions."""
    fields, constants = {}, {}
    for name, _ in entries(given):
        if name not in declared:
            raise Wrong(f"no parameter {name}")
    for name, declaration in entries(declared):
        if name in given:
            value = given[name]
        elif "default" in declaration:
            value = declaration["default"]
        else:
            raise Wrong(f"no value for {name}")
        fields[name] = value
        constants[name] = convert(value, declaration["type"]) if "type" in declaration else value
    return fields, constants


class Resolver:
    def __init__(self, definitions, fields, constants, files):
        self.definitions, self.fields, self.constants, self.files = definitions, fields, constants, files
        self.open, self.of_file = [], (fields, constants)
        self.bound, self.inputs = {}, Map()

    def within(self, fields, constants):
        """The resolver of a definition, which sees its own parameters and those of the file."""
        outer_fields, outer_constants = self.of_file
        inner = Resolver(self.definitions, {**outer_fields, **fields}, {**outer_constants, **constants}, self.files)
        inner.open, inner.of_file = self.open, self.of_file
        inner.bound, inner.inputs = self.bound, self.inputs
        return inner

    def field(self, name, parameter):
        """The value of a field that is a parameter."""
        if parameter not in self.fields:
            raise Wrong(f"no parameter {parameter}")
        length = self.constants.get(parameter)
        is_length = name in SECONDS and isinstance(length, Duration)
        return length.nanoseconds / 1e9 if is_length else self.fields[parameter]

    def renamed(self, name, member):
        """A reference to an input that is bound to a stream of the other file."""
        if name in BESIDES or not self.bound:
            return member
        if isinstance(member, str):
            return self.bound.get(member, member)
        if isinstance(member, list):
            return [self.renamed(name, element) for element in member]
        return member

    def source(self, source):
        result = Map()
        for key, fields in source.items():
            bound = key == "input" and fields.get("name") in self.bound
            result.set("stream" if bound else key, self.value(fields, True))
        return result

    def value(self, value, is_fields=False):
        """A part of a file. In the fields of an operator or a source, a member may name a parameter."""
        if isinstance(value, Map):
            result = Map()
            for name, member in value.items():
                if is_fields and reference(member) is not None:
                    result.set(name, self.field(name, reference(member)))
                elif name in ("operators", "then") and isinstance(member, list):
                    result.set(name, self.operators(member))
                elif name == "source" and isinstance(member, Map):
                    result.set(name, self.source(member))
                elif name in NO_PARAMETERS and isinstance(member, str):
                    result.set(name, in_expression(member, self.constants))
                elif name in DATA:
                    result.set(name, member)
                else:
                    result.set(name, self.renamed(name, self.value(member)))
            return with_place(result, value)
        if isinstance(value, list):
            return [self.value(element) for element in value]
        return value

    def operators(self, operators):
        result = []
        for operator in operators:
            if "apply" in operator:
                result += self.applied(operator["apply"])
            else:
                result.append(Map(
                    (name, self.value(fields, True) if name not in BESIDES else fields)
                    for name, fields in operator.items()))
        return result

    def applied(self, fields):
        given, place = Map(), getattr(fields, "place", "")
        for name, member in fields.items():
            if name not in ("definition", "file") and not (name == "inputs" and "file" in fields):
                given.set(name, self.fields[reference(member)] if reference(member) is not None else member)
        if "file" in fields:
            model = placed(self.files[fields["file"]], f"{place}/file")
            inner = Resolver(model.get("definitions", Map()), *bound(model.get("parameters", Map()), given), self.files)
            inner.open, inner.inputs = self.open, self.inputs
            inner.bound = {own: self.bound.get(outer, outer) for own, outer in fields.get("inputs", Map()).items()}
            fed = model["source"]["input"]["name"]
            for own, declaration in model.get("inputs", Map()).items():
                if own != fed and own not in inner.bound and own not in self.inputs:
                    self.inputs.set(own, declaration)
            name = fields["file"]
        else:
            name = fields["definition"]
            if name not in self.definitions:
                raise Wrong(f"no definition {name}")
            model = placed(self.definitions[name], f"{place}/definition", f"/definitions/{name}")
            inner = self.within(*bound(model.get("parameters", Map()), given))
        if name in self.open:
            raise Wrong("a circle")
        self.open.append(name)
        operators = inner.operators(model["operators"])
        self.open.pop()
        return operators


def resolve(model, given=Map(), files=None, origin=""):
    """The file without parameters and definitions. Its expressions know their places, after that of a reference to it."""
    model = placed(model, origin)
    if not re.search('"(parameters|definitions|apply)":', write_json(model)):
        return model
    fields, constants = bound(model.get("parameters", Map()), given)
    plain = Map((name, member) for name, member in model.items() if name not in ("parameters", "definitions"))
    resolver = Resolver(model.get("definitions", Map()), fields, constants, files or {})
    plain = resolver.value(plain)
    if len(resolver.inputs):
        inputs = Map(plain.get("inputs", Map()).items())
        for name, declaration in resolver.inputs.items():
            if name not in inputs:
                inputs.set(name, declaration)
        plain.set("inputs", inputs)
    return plain
