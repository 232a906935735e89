"""The door of one-liners: a stream file written in the short form, with a name for every argument."""

import re

from casefiles import INPUT, Unusable, case_with, expected, lines_of, paced, stream_file, text_of
from dressing import given
from judging import Check

# The fields whose strings are expressions, unless an operator has another meaning for the name.
EXPRESSIONS = {"expression", "key", "element", "by", "compare", "condition", "while", "next", "argument"}
EXPRESSIONS_OF = {"generate": {"output"}, "partition": {"time"}}
STREAMS = {"stream", "until", "reset", "opening", "closing", "then", "else", "left", "right"}
STREAMS |= {"resetOnFinish", "resetOnFailure", "resetWhenUnused"}


def short_form(model):
    """The one-liner of a stream file."""
    if set(model) - {"inputs", "source", "stream", "operators", "partition"}:
        raise Unusable("other members")
    if any(model.get("inputs", {}).values()):
        raise Unusable("a typed input")
    steps = [source_of(model)]
    if "partition" in model:
        steps.append(call("partition", model["partition"]))
    return " | ".join(steps + [operator(placed) for placed in model.get("operators", [])])


def source_of(model):
    if "stream" in model:
        return "[" + ", ".join(map(item, model["stream"])) + "]"
    ((name, fields),) = model["source"].items()
    return call(name, fields)


def item(members):
    return " | ".join([text_of(members["value"])] + [operator(placed) for placed in members.get("operators", [])])


def operator(placed):
    beside = {name: value for name, value in placed.items() if name in ("id", "label", "onError")}
    ((name, fields),) = ((name, value) for name, value in placed.items() if name not in beside)
    return call(name, fields, beside)


def call(name, fields, beside=None):
    arguments = [f"{field}: {argument(name, field, value)}" for field, value in fields.items()]
    arguments += [f"{field}: {text_of(value)}" for field, value in (beside or {}).items()]
    return f"{name}({', '.join(arguments)})"


def argument(name, field, value):
    if isinstance(value, str) and field in EXPRESSIONS | EXPRESSIONS_OF.get(name, set()):
        return expression(value)
    if field == "operators" or (name == "partition" and field == "then"):
        return "(" + " | ".join(map(operator, value)) + ")"
    if field == "with" and isinstance(value, list) and name not in ("replaceNil", "replaceError", "replaceEmpty"):
        return "[" + ", ".join(map(stream, value)) + "]"
    if isinstance(value, dict) and (field in STREAMS or field == "with" and ("source" in value or "stream" in value)):
        return stream(value)
    return text_of(value)


def expression(text):
    if "//" in re.sub(r"'[^']*'|\"[^\"]*\"", "", text) or text != text.strip():
        raise Unusable("a comment, or white space")
    return text


def stream(reference):
    return text_of(reference) if isinstance(reference, str) else f"({short_form(reference)})"


def one_liner(case, rng):
    """A one-liner prints what its stream file does, from standard input or a file."""
    if case.streams:
        raise Unusable("named streams")
    model = stream_file(case_with(case, dress=None, outputs={}), INPUT, typed=False)
    if "seed" in model and model.seed is None:
        model.seed = model["seed"]
    model.pop("seed", None)
    seed, model = model.seed, given(model, rng) if rng.random() < 0.4 else model
    text, model.seed = short_form(model), seed
    model["parameters"], case.made["model"] = {name: {} for name in model.given}, model
    events = expected(model, paced(case))
    from doors import run_options  # which has this door in its table

    options, judge = run_options(case, events, rng)
    command = ["-e", text] + options
    files = {"s.json": text_of(model)}
    if rng.random() < 0.3:
        files["in.ndjson"] = lines_of(case.values)
        return Check("-e --input", files, command + ["--input", "a=in.ndjson"], "", events, judge)
    return Check("-e", files, command, lines_of(case.values), events, judge)
