"""Values of declared types: an int where a double is declared becomes one, anything else of another type is refused."""

from values import Failure, Map, UInt, kind

NAMES = {"bool", "int", "uint", "double", "string", "bytes", "null", "null_type", "dyn", "any", "timestamp", "duration"}


def convert(value, type, types=None):
    """The value as one of the type, which is written as in a file. Raises S304.

    `types` are those of the file, by name."""
    if types:
        type = expanded(type, types)
    if isinstance(type, Map):
        if len(type) == 1 and isinstance(type.get("enum"), list):
            return convert_choice(value, type["enum"])
        return convert_object(value, type)
    if isinstance(type, list):
        return convert_list(value, type[0])
    if isinstance(type, Nullable):
        return None if value is None else convert(value, type.type)
    if type.strip().endswith("?"):
        return None if value is None else convert(value, type.strip()[:-1])
    name, arguments = parse_type(type)
    if name in ("dyn", "any", "google.protobuf.Any"):
        return value
    if name == "list":
        return convert_list(value, arguments[0] if arguments else "dyn")
    if name == "map":
        return convert_map(value, *(arguments or ["dyn", "dyn"]))
    if name == "double" and kind(value) in ("int", "uint"):
        return float(value)
    if name == "uint" and kind(value) == "int" and value >= 0:
        return UInt(value)
    if name in ("timestamp", "google.protobuf.Timestamp") and kind(value) == "string":
        return from_text("timestamp", value)
    if name in ("duration", "google.protobuf.Duration") and kind(value) == "string":
        return from_text("duration", value)
    expected = {"null": "null_type", "timestamp": "google.protobuf.Timestamp",
                "duration": "google.protobuf.Duration"}.get(name, name)
    if kind(value) != expected:
        raise refusal(value, type)
    return value


def from_text(function, text):
    from expressions import compile as compile_expression
    try:
        return compile_expression(f"{function}(value)").evaluate({"value": text}, 0)
    except Failure as failure:
        raise refusal(text, function) from failure


class Nullable:
    """A declared type that allows null."""

    def __init__(self, type):
        self.type = type


def expanded(type, types):
    """The type with those of the file in place of their names, where a name stands alone or before a question mark."""
    if isinstance(type, Map):
        return Map([(name, member if name == "enum" else expanded(member, types)) for name, member in type.items()])
    if isinstance(type, list):
        return [expanded(element, types) for element in type]
    if isinstance(type, str) and "(" in type:
        name, arguments = parse_type(type.rstrip("?"))
        if name in ("list", "optional"):
            inner = expanded(arguments[0], types)
            whole = [inner] if name == "list" else f"optional({inner})"
            return Nullable(whole) if type.strip().endswith("?") else whole
        return type
    if isinstance(type, str) and type.strip().rstrip("?").strip() in types:
        content = expanded(types[type.strip().rstrip("?").strip()], types)
        return Nullable(content) if type.strip().endswith("?") else content
    return type


def convert_choice(value, choices):
    """The values of an enumeration stay as they are; 1 and 1.0 are not the same."""
    if not any(kind(value) == kind(choice) and value == choice for choice in choices):
        raise Failure("S304", f"{value!r} is not one of {choices}")
    return value


def convert_object(value, type):
    """Each declared member must be there but those marked as optional; others stay as they are."""
    if kind(value) != "map":
        raise refusal(value, "object")
    result = Map(value.items())
    for name, member in type.items():
        if name.startswith("x-"):
            continue
        if isinstance(member, str) and member.startswith("optional("):
            name, member = name.rstrip("?") + "?", member[len("optional("):-1]
        if name.endswith("?"):
            name = name[:-1]
            if name not in value:
                continue
        if name not in value:
            raise Failure("S304", f"the member '{name}' is missing")
        result.set(name, within(name, value[name], member))
    return result


def within(name, value, type):
    """The converted part of a value; a refusal knows its place."""
    try:
        return convert(value, type)
    except Failure as failure:
        failure.pointer = f"/{str(name).replace('~', '~0').replace('/', '~1')}{failure.pointer}"
        raise


def convert_list(value, element):
    if kind(value) != "list":
        raise refusal(value, "list")
    return [within(at, item, element) for at, item in enumerate(value)]


def convert_map(value, key, element):
    if kind(value) != "map":
        raise refusal(value, "map")
    return Map([(convert(name, key), convert(item, element)) for name, item in value.items()])


def refusal(value, type):
    return Failure("S304", f"a value is of the type {kind(value)}, not {type}")


def parse_type(text):
    """map(string, list(int)) → ("map", ["string", "list(int)"])."""
    text = text.strip()
    if "(" not in text:
        return text, []
    name, inner = text[:text.index("(")], text[text.index("(") + 1:-1]
    arguments, depth, begin = [], 0, 0
    for position, character in enumerate(inner):
        depth += (character == "(") - (character == ")")
        if character == "," and depth == 0:
            arguments.append(inner[begin:position].strip())
            begin = position + 1
    return name.strip(), arguments + [inner[begin:].strip()]
