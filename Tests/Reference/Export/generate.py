"""Makes the package in which exported streams are compared with their files: generate.py STREAMRUN ROOT SCRATCH

Each file becomes a module of its own. A test that puts something in the place of a named stream becomes a file of its
own, whose stream that is; what is exported is then typed as that test needs it. With EXAMPLES=1 the examples of the
operators that can be exported are files too. Everything is built in Swift 6 mode; LANGUAGE_MODE=5 does it in Swift 5 mode.
"""
import json
import os
import re
import shutil
import subprocess
import sys

streamrun, root, scratch = sys.argv[1:4]
here = os.path.dirname(os.path.abspath(__file__))
streams, sources, script = (os.path.join(scratch, name) for name in ("Streams", "Sources", "Script"))
for folder in (streams, sources, script):
    shutil.rmtree(folder, ignore_errors=True)
shutil.copytree(os.path.join(root, "Streams"), streams)
os.makedirs(script)


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)


def export(target, path):
    return subprocess.run([streamrun, "export", path, "--to", target], capture_output=True, text=True, cwd=streams)


def variants(path):
    """The file without the tests that replace streams, and a file for each of these."""
    with open(os.path.join(streams, path)) as file:
        model = json.load(file)
    named = model.get("streams", {})
    own, others = [], []
    for test in model.get("tests", []):
        (others if set(test.get("inputs", {})) & set(named) else own).append(test)
    yield path, dict(model, tests=own)
    for number, test in enumerate(others, 1):
        inputs = dict(test["inputs"])
        replaced = dict(named)
        for name in list(inputs):
            if name in named:
                replaced[name] = {"source": source(inputs.pop(name))}
        yield path[:-5] + f"-replaced-{number}.json", dict(
            model, streams=replaced, tests=[dict(test, inputs=inputs)])


def source(what):
    if "marbles" in what:
        fields = {"diagram": what["marbles"]}
        fields.update({key: what[key] for key in ("values", "frame") if key in what})
        return {"marbles": fields}
    if "events" in what:
        return {"record": {"events": what["events"]}}
    return {"sequence": {"values": what["values"]}}


def examples():
    """Files of the operators' examples, of those operators that can be exported."""
    listed = subprocess.run(
        [streamrun, "export", "--list", "--to", "swift"], capture_output=True, text=True, check=True).stdout
    operators = re.search(r"^operators: (.*)$", listed, re.M).group(1).split(", ")
    catalogue = json.loads(
        subprocess.run([streamrun, "operators", "--format", "json"], capture_output=True, text=True, check=True).stdout)
    for entry in catalogue:
        if entry["family"] == "source" or entry["name"] not in operators:
            continue
        for number, example in enumerate(entry["examples"], 1):
            if "out" not in example or "in" not in example:
                continue
            names = ["a", "b", "c", "d", "e"][: len(example["in"])]
            values = {"values": example["values"]} if "values" in example else {}
            yield f"examples/{entry['name']}-{number}.json", {
                "inputs": {name: {} for name in names},
                "source": {"input": {"name": "a"}},
                "operators": [json.loads(example["json"])],
                "tests": [
                    {
                        "name": example["title"],
                        # Of a failure an example says no more than that there is one.
                        "x-anyFailure": True,
                        "inputs": {
                            name: dict(values, marbles=diagram) for name, diagram in zip(names, example["in"])},
                        "expect": dict(values, marbles=example["out"]),
                    }
                ],
            }


mode = os.environ.get("LANGUAGE_MODE", "6")
files = []
for folder, _, names in sorted(os.walk(streams)):
    for name in sorted(names):
        if name.endswith(".json"):
            files.append(os.path.relpath(os.path.join(folder, name), streams))
models = [variant for path in files for variant in variants(path)]
with_examples = os.environ.get("EXAMPLES", "0") == "1"
if with_examples:
    models += examples()
modules, refused = [], []
for path, model in models:
    write(os.path.join(streams, path), json.dumps(model))
    outcome = export("swift", path)
    if outcome.returncode:
        reasons = re.findall(r"error S507: (.*)", outcome.stderr)
        if not reasons:
            sys.exit(f"{path} cannot be exported, and not because something has no translation:\n{outcome.stderr}")
        refused += [f"{path}: {reason}" for reason in reasons]
    else:
        module = "Exported_" + re.sub(r"\W", "_", path[:-5])
        code = outcome.stdout
        write(os.path.join(sources, module, "Exported.swift"), code)
        modules.append((module, path, code))
    outcome = export("rxjs", path)
    if outcome.returncode == 0:
        write(os.path.join(script, path.replace("/", "-")[:-5] + ".mjs"), outcome.stdout)


def check(path, code):
    """What runs a file's tests on what was exported of it, from within its module."""
    declaration = re.search(r"^struct (\w+)(<Clock: Scheduler>)? \{\n(.*?)^\}", code, re.M | re.S)
    for found in re.finditer(r"^(?:///[^\n]*\n)*struct (\w+)(<Clock: Scheduler>)? \{\n(.*?)^\}", code, re.M | re.S):
        if "var stream: AnyPublisher" in found.group(3):
            declaration = found
    name, body = declaration.group(1), declaration.group(3)
    arguments = ["scheduler: world.scheduler"] if declaration.group(2) else []
    for original, function, argument, result in re.findall(
            r"/// The host's `([^`]+)`\.\n  let (\w+): \((.+)\) -> (Void|AnyPublisher<JSON, any Error>)", body):
        if result == "Void":
            arguments.append(f"{function}: {{ _ in }}")
        else:
            arguments.append(f'{function}: {{ world.call("{original}", $0) {{ failure($0) }} }}')
    feeds = []
    with open(os.path.join(streams, path)) as file:
        model = json.load(file)
    for test in model.get("tests", []):
        for fed in test.get("inputs", {}):
            feeds.append(fed)
    lines = []
    for fed in sorted(set(feeds)):
        renamed = re.search(rf"/// The input `{re.escape(fed)}`\.\n  let (\S+) = ", body)
        subject = renamed.group(1) if renamed else fed
        if not re.search(rf"let {re.escape(subject)} = (Passthrough|CurrentValue)Subject<", body):
            sys.exit(f"{path}: there is no subject of the input '{fed}' in what was exported")
        lines.append(f'      world.feed("{fed}", exported.{subject}) {{ failure($0) }}\n')
    has_error = "struct StreamError" in code
    return f"""import CheckSupport
import OpenCombine

public let suite = ExportSuite(file: "{path}") {{ world in
  let exported = {name}({", ".join(arguments)})
{''.join(line[4:] for line in lines)}  world.hear(exported.stream) {{ payload(of: $0) }}
}}

private func failure(_ json: String) -> any Error {{
  {'StreamError(payload: decoded(json))' if has_error else 'HostFailure(json: json)'}
}}

private func payload(of error: any Error) -> String? {{
  {'(error as? StreamError).map { encoded($0.payload) } ?? ' if has_error else ''}(error as? HostFailure)?.json
}}
"""


for module, path, code in modules:
    write(os.path.join(sources, module, "Check.swift"), check(path, code))
# Of what is known of examples nothing is expected where they are not run.
for name in ("refused.txt", "differs-swift.txt", "differs-rxjs.txt"):
    with open(os.path.join(here, name)) as file:
        lines = [line for line in file if with_examples or not line.startswith("examples/")]
    write(os.path.join(scratch, "known-" + name), "".join(lines))
write(os.path.join(scratch, "refused.txt"), "".join(line + "\n" for line in sorted(refused)))
shutil.copytree(os.path.join(here, "CheckSupport"), os.path.join(sources, "CheckSupport"))
# Modules are looked for beside the program that imports them.
shutil.copy(os.path.join(here, "histories.mjs"), scratch)
names = [module for module, _, _ in modules]
write(os.path.join(sources, "ExportCheck", "main.swift"),
      "import CheckSupport\n" + "".join(f"import {name}\n" for name in names)
      + "\nrunAll([\n" + "".join(f"  {name}.suite,\n" for name in names) + "])\n")
write(os.path.join(scratch, "Package.swift"), f"""// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [.treatAllWarnings(as: .error), .swiftLanguageMode(.v{mode})]
let names = {json.dumps(names)}
let exported: [Target] = names.map {{ name in
  .target(
    name: name, dependencies: ["CheckSupport", .product(name: "OpenCombine", package: "OpenCombine")],
    swiftSettings: settings)
}}

let package = Package(
  name: "exported",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "streamrun", path: "{os.path.abspath(root)}"),
    .package(url: "https://github.com/OpenCombine/OpenCombine", exact: "0.14.0"),
  ],
  targets: exported + [
    .target(
      name: "CheckSupport",
      dependencies: [
        .product(name: "CEL", package: "streamrun"), .product(name: "StreamKit", package: "streamrun"),
        .product(name: "StreamCombine", package: "streamrun"),
      ]),
    .executableTarget(name: "ExportCheck", dependencies: ["CheckSupport"] + names.map {{ .byName(name: $0) }}),
  ]
)
""")
print(f"{len(modules)} files exported to Swift, {len(set(line.split(':')[0] for line in refused))} refused")
