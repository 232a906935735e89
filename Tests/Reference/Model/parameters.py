"""Parameters and definitions of stream files: `resolve` replaces them by their values and operators, `lift` makes a file
with parameters and definitions of one without, for random cases. `resolve(lift(model))` means the same as `model`.
"""

import json
import random
import re

from convert import convert
from values import Map, read_json, write_json

BESIDES = ("id", "label", "onError")
NO_PARAMETERS = ("expression", "by", "key", "while", "next", "condition")


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
    return TOKEN.sub(replace, text)


def literal(value):
    """A value as a CEL expression."""
    if isinstance(value, Map):
        return "{" + ", ".join(f"{literal(key)}: {literal(member)}" for key, member in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(literal, value)) + "]"
    return write_json(value)


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
        self.open = []

    def within(self, fields, constants):
        inner = Resolver(self.definitions, {**self.fields, **fields}, {**self.constants, **constants}, self.files)
        inner.open = self.open
        return inner

    def value(self, value, is_fields=False):
        """A part of a file. In the fields of an operator or a source, a member may name a parameter."""
        if isinstance(value, Map):
            result = Map()
            for name, member in value.items():
                if is_fields and reference(member) is not None:
                    if reference(member) not in self.fields:
                        raise Wrong(f"no parameter {reference(member)}")
                    result.set(name, self.fields[reference(member)])
                elif name in ("operators", "then") and isinstance(member, list):
                    result.set(name, self.operators(member))
                elif name == "source" and isinstance(member, Map):
                    result.set(name, Map((key, self.value(fields, True)) for key, fields in member.items()))
                elif name in NO_PARAMETERS and isinstance(member, str):
                    result.set(name, in_expression(member, self.constants))
                elif name in ("value", "values", "initialValue", "events", "error", "tests"):
                    result.set(name, member)
                else:
                    result.set(name, self.value(member))
            return result
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
        given = Map()
        for name, member in fields.items():
            if name not in ("definition", "file"):
                given.set(name, self.fields[reference(member)] if reference(member) is not None else member)
        if "file" in fields:
            model = self.files[fields["file"]]
            inner = Resolver(model.get("definitions", Map()), *bound(model.get("parameters", Map()), given), self.files)
            inner.open = self.open
            name = fields["file"]
        else:
            name = fields["definition"]
            if name not in self.definitions:
                raise Wrong(f"no definition {name}")
            model = self.definitions[name]
            inner = self.within(*bound(model.get("parameters", Map()), given))
        if name in self.open:
            raise Wrong("a circle")
        self.open.append(name)
        operators = inner.operators(model["operators"])
        self.open.pop()
        return operators


def resolve(model, given=Map(), files=None):
    """The file without parameters and definitions."""
    if "parameters" not in model and "definitions" not in model and '"apply"' not in write_json(model):
        return model
    fields, constants = bound(model.get("parameters", Map()), given)
    plain = Map((name, member) for name, member in model.items() if name not in ("parameters", "definitions"))
    return Resolver(model.get("definitions", Map()), fields, constants, files or {}).value(plain)


def lift(model, seed):
    """A file that means the same, some of whose fields are parameters and some of whose operators a definition."""
    rng = random.Random(seed)
    model = json.loads(json.dumps(model))
    parameters = {}
    for operator in model.get("operators", []):
        for name, fields in operator.items():
            if name in BESIDES or name.startswith("x-") or not isinstance(fields, dict):
                continue
            for field, value in fields.items():
                plain = type(value) in (int, float, str) and field not in NO_PARAMETERS
                if not plain or field in ("stream", "with") or rng.random() < 0.5:
                    continue
                parameter = f"given{len(parameters)}"
                kind = {int: "int", float: "double", str: "string"}[type(value)]
                parameters[parameter] = {"type": kind, "default": value} if rng.random() < 0.7 else {"default": value}
                fields[field] = {"parameter": parameter}
    operators = model.get("operators", [])
    members = {}
    if operators and "partition" not in model and rng.random() < 0.6:
        start = rng.randrange(len(operators))
        end = rng.randint(start + 1, len(operators))
        run, arguments, declared = operators[start:end], {}, {}
        for operator in run:
            for fields in operator.values():
                for field, value in fields.items() if isinstance(fields, dict) else []:
                    if reference(value) is not None and rng.random() < 0.5:
                        outer = reference(value)
                        declared[f"{outer}_"], arguments[f"{outer}_"] = {}, {"parameter": outer}
                        fields[field] = {"parameter": f"{outer}_"}
        definition = {"parameters": declared, "operators": run} if declared else {"operators": run}
        members["definitions"] = {"d": definition}
        model["operators"] = operators[:start] + [{"apply": {"definition": "d", **arguments}}] + operators[end:]
    if parameters:
        members["parameters"] = parameters
    return {**members, **model}
