"""Checks the JSON Schemas with Python's jsonschema, beside the program itself: schema.py STREAMRUN

Stream files that are valid must be accepted by both; broken ones refused by both, but for those that are listed in
schema-unsayable.txt; what commands print must fit the schemas of their outputs. Then mutations of what is valid:
every required field taken away, every field given a value of a wrong type. Closes with "N passed, N failed".
"""

import copy
import json
import pathlib
import subprocess
import sys
import tempfile

import jsonschema

program = pathlib.Path(sys.argv[1]).resolve()
here = pathlib.Path(__file__).resolve().parent
root = here.parent.parent
passed = failed = 0


def check(what, condition, why=""):
    global passed, failed
    if condition:
        passed += 1
    else:
        failed += 1
        print(f"FAILED   {what}\n  {str(why)[:400]}")


def run(*arguments, cwd=root, code=None):
    done = subprocess.run([program, *arguments], cwd=cwd, capture_output=True, text=True)
    if code is not None:
        check(f"{' '.join(map(str, arguments))} ends with {code}", done.returncode == code, done.stderr)
    return done.stdout


validators = {}
for path in sorted((root / "Schemas").glob("*.schema.json")):
    schema = json.loads(path.read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validators[path.name.removesuffix(".schema.json")] = jsonschema.Draft202012Validator(schema)
    check(f"{path.name} says what it is", {"$schema", "$id", "title"} <= set(schema))
check("there are schemas", len(validators) >= 10, list(validators))
stream = validators["stream"]


def explain(validator, value):
    error = jsonschema.exceptions.best_match(validator.iter_errors(value))
    return f"{error.json_path}: {error.message}" if error else "it is accepted"


def accepts(value):
    return stream.is_valid(value)


# What is valid.
valid = {}
for path in sorted(root.glob("Streams/**/*.json")):
    valid[str(path.relative_to(root))] = json.loads(path.read_text())
for name, value in valid.items():
    check(f"{name} is valid", accepts(value), explain(stream, value))

# What is broken.
unsayable = {}
for line in (here / "schema-unsayable.txt").read_text().splitlines():
    if line and not line.startswith("#"):
        name, reason = line.split(None, 1)
        unsayable[name] = reason

broken = root / "Tests/StreamCommandsTests/Broken"
for path in sorted(broken.glob("*.json")):
    name = path.stem
    try:
        value = json.loads(path.read_bytes().decode("utf-8-sig"))
    except (ValueError, RecursionError):
        check(f"{name} is no JSON, and not listed", name not in unsayable)
        continue
    if name in unsayable:
        check(f"{name} is listed because it is accepted", accepts(value), "take it off schema-unsayable.txt")
    else:
        check(f"{name} is refused", not accepts(value))
for name in unsayable:
    check(f"{name} is listed and exists", (broken / f"{name}.json").exists())

# The examples of the catalogue.
catalogue = json.loads(run("operators", "--format", "json", code=0))
letters = {name: {} for name in "abcdefgh"}
candidates = []  # (what, model, where the operator or source stands)
unsayable_examples = {}
for line in (here / "schema-unsayable-examples.txt").read_text().splitlines():
    if line and not line.startswith("#"):
        name, title, reason = (part.strip() for part in line.split("|"))
        unsayable_examples[name, title] = reason


def model_of(entry, element):
    model = {"inputs": letters}
    if entry["family"] == "source":
        model["source"] = element
    else:
        model["source"] = {"input": {"name": "a"}}
        model["operators"] = [element]
    return model


for entry in catalogue:
    for example in entry["examples"]:
        element = json.loads(example["json"])
        model = model_of(entry, element)
        what = f"{entry['name']}: {example['title']}"
        if "code" not in example:
            check(f"{what} is valid", accepts(model), explain(stream, model))
            candidates.append((what, entry, element))
        elif (entry["name"], example["title"]) in unsayable_examples:
            check(f"{what} is listed because it is accepted", accepts(model), "take it off the list")
            del unsayable_examples[entry["name"], example["title"]]
        else:
            check(f"{what} is refused", not accepts(model))
check("every example that is listed exists", not unsayable_examples, unsayable_examples)

# Mutations: what must be refused by both. The program reads all of them in one call.
wrong = {"a string": "\u0000wrong", "a number": 7.5, "true": True, "an array": [[]], "an object": {"wrong": 1}, "null": None}
mutations = []


# By the words with which the catalogue says what a field holds: which of those are no mistake of type.
fitting = [
    ("a number", {"a number"}), ("an integer", set()), ("an expression", {"a string"}), ("a string", {"a string"}),
    ("any JSON value", set(wrong)), ("true or false", {"true"}), ('"', set()), ("an array of", set()),
    ("a stream", {"a string"}), ("true, false, or a stream", {"a string", "true"}), ("a type's name", set()),
    ("an array", {"an array"}), ("an object", {"an object"}),
]


def unlike(kind):
    """Values of types that the field does not take."""
    for words, fits in fitting:
        if kind.startswith(words):
            return [(name, value) for name, value in wrong.items() if name not in fits]
    check(f"a field that holds {kind!r} is known here", False)
    return []


for what, entry, element in candidates:
    name = entry["name"]
    for field in entry["fields"]:
        if field["required"]:
            changed = copy.deepcopy(element)
            if field["name"] in changed[name]:
                del changed[name][field["name"]]
                mutations.append((f"{what}, without {field['name']}", model_of(entry, changed)))
        for kind, value in unlike(field["kind"]):
            changed = copy.deepcopy(element)
            changed[name][field["name"]] = value
            mutations.append((f"{what}, {field['name']} is {kind}", model_of(entry, changed)))
    changed = copy.deepcopy(element)
    changed[name]["unknownField"] = 1
    mutations.append((f"{what}, with an unknown field", model_of(entry, changed)))
    changed = copy.deepcopy(element)
    changed["unknownKey"] = {}
    mutations.append((f"{what}, beside an unknown key", model_of(entry, changed)))

# The same for everything else that a file is made of, on one file that has it all.
whole = {
    "$schema": "stream.schema.json", "format": 1, "id": "5C5C1E0B-6C0B-4D5D-9E1C-2B8E1C0B9A11", "name": "n",
    "description": "d", "requires": ["map"],
    "inputs": {"a": {"initialValue": 1, "type": "int", "buffer": {"capacity": 1, "whenFull": "fail"}}},
    "streams": {"s": {"stream": [{"value": 1, "operators": [{"count": {}}]}]}},
    "source": {"input": {"name": "a"}},
    "operators": [{"id": "i", "label": "l", "map": {"expression": "value"}, "onError": "skip", "x-a": 1}],
    "tests": [
        {
            "name": "t",
            "inputs": {"a": {"marbles": "-a", "values": {"a": 1}, "frame": 0.1}, "s": {"events": [{"at": 1, "value": 2}]}},
            "calls": {"f": [{"argument": 1, "after": 1, "value": 1}, {"failure": 1}], "g": {"expression": "argument"}},
            "for": 10, "expect": {"events": [{"at": 1, "value": 2}, {"at": 2, "finished": True}]},
        }
    ],
}
check("the file that has it all is valid", accepts(whole), explain(stream, whole))


def walk(value, path=()):
    if isinstance(value, dict):
        for key in value:
            yield path + (key,)
            yield from walk(value[key], path + (key,))
    elif isinstance(value, list):
        for index, element in enumerate(value):
            yield path + (index,)
            yield from walk(element, path + (index,))


anything = {"initialValue", "value", "x-a", "argument", "failure", "a"}
optional_in_all = []
for path in walk(whole):
    parent = whole
    for step in path[:-1]:
        parent = parent[step]
    changed = copy.deepcopy(whole)
    target = changed
    for step in path[:-1]:
        target = target[step]
    if path[-1] not in anything or path[-2:] == ("inputs", "a"):
        original = target[path[-1]]
        for kind, value in wrong.items():
            same = type(value) is type(original) or {type(value), type(original)} == {int, float}
            if same or (path[-1] == "type" and kind in ("an array", "an object")):
                continue
            target[path[-1]] = value
            mutations.append((f"whole file, {path} is {kind}", copy.deepcopy(changed)))
    if isinstance(parent, dict):
        less = copy.deepcopy(whole)
        target = less
        for step in path[:-1]:
            target = target[step]
        del target[path[-1]]
        optional_in_all.append((f"whole file without {path}", less))

with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    for index, (what, model) in enumerate(mutations + optional_in_all):
        (folder / f"{index:05}.json").write_text(json.dumps(model))
    found = json.loads(run("validate", ".", "--format", "json", cwd=folder))
    refused = {pathlib.Path(one["file"]).name for one in found if one["file"]}
    structural = {
        pathlib.Path(one["file"]).name
        for one in found
        if one["file"]
        and one["code"].startswith(("S10", "S111", "S112", "S116"))
        # A schema does not know what names refer to.
        and not one["message"].startswith("there is no input or stream")
    }
    for index, (what, model) in enumerate(mutations):
        check(f"{what} is refused by the schema", not accepts(model))
        check(f"{what} is refused by the program", f"{index:05}.json" in refused, json.dumps(model))
    # What is left out may be required or not: both must say the same.
    for index, (what, model) in enumerate(optional_in_all, len(mutations)):
        by_program = f"{index:05}.json" in structural
        check(f"{what}: both say the same", by_program != accepts(model), f"the program refuses: {by_program}")

# What commands print.
def outputs(name, *arguments, cwd=root):
    text = run(*arguments, cwd=cwd)
    value = json.loads(text)
    check(f"{' '.join(arguments)} fits {name}", validators[name].is_valid(value), explain(validators[name], value))
    for mutated in ([], {"unknown": 1}, 7):
        # A list may be empty where there is nothing to tell.
        if mutated != [] or name in ("test", "explain"):
            check(f"{name} refuses {mutated}", not validators[name].is_valid(mutated))


outputs("bench", "bench", "Streams/serial-a.json", "Streams/tilt.json", "--operators", "--rounds", "2", "--values",
        "100", "--format", "json")
outputs("diagnostics", "validate", "Streams", "--format", "json")
outputs("diagnostics", "validate", ".", "--format", "json", cwd=broken)
outputs("hash", "hash", "Streams", "--format", "json")
outputs("hash", "hash", "--behavior", "Streams", "--format", "json")
outputs("operators", "operators", "--format", "json")
outputs("operators", "operators", "zip", "--format", "json")
outputs("test", "test", "Streams", "--format", "json")
outputs("test", "test", "Streams", "--coverage", "--format", "json")
outputs("test", "test", ".", "--format", "json", cwd=root / "Tests/StreamCommandsTests/Failing")
outputs("test", "test", "missing-field.json", "--format", "json", cwd=broken)
differing = root / "Tests/StreamCommandsTests/Differing"
for other in ["ours", "theirs", "beside", "spelling", "wrong-type", "moved", "unfed"]:
    if (differing / f"{other}.json").stat().st_size:
        outputs("diff", "diff", "base.json", f"{other}.json", "--format", "json", cwd=differing)
        outputs("patch", "diff", "base.json", f"{other}.json", "--format", "patch", cwd=differing)
outputs("diff", "diff", "old", "new", "--format", "json", cwd=differing)
outputs("diff", "diff", "base.json", "ours.json", "--behavior", "--format", "json", cwd=differing)
for name in valid:
    outputs("explain", "explain", name, "--format", "json")
pictured = root / "Tests/StreamCommandsTests/Picturing"
for name in ["search", "groups", "combined"]:
    outputs("explain", "explain", f"{name}.json", "--format", "json", cwd=pictured)
outputs("run", "run", "Streams/serial-a.json", "--virtual", "--timestamps", "--format", "json")
for line in run("--virtual", "--timestamps", "Streams/serial-a.json", code=0).splitlines():
    check("a line of run --timestamps fits events", validators["events"].is_valid(json.loads(line)), line)

print(f"{len(mutations)} mutations, {len(valid)} stream files, {len(candidates)} examples")
print(f"{passed} passed, {failed} failed")
sys.exit(failed != 0)
