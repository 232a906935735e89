#!/usr/bin/env python3
"""Type-checks the targets in the order of their imports; see check.sh."""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

root = pathlib.Path.cwd()
build = pathlib.Path(sys.argv[1])
stand_ins = root / "Tests/Apple/Modules"
package = (root / "Package.swift").read_text()

# The values of conditions on Apple's platforms. FoundationNetworking stays as it is, since it has Linux's URLSession.
modules = {"Darwin": "true", "MachO": "true", "Combine": "true", "CryptoKit": "true"}
modules |= {"Glibc": "false", "Musl": "false", "FoundationEssentials": "false"}
systems = {"macOS": [], "tvOS": ["-Xcc", "-DAPPLE_TV"]}


def condition(line, system):
    """Returns a line of source code, the known conditions of an `#if` replaced by their values."""
    if not re.match(r"\s*#(if|elseif)\b", line):
        return line
    line = re.sub(r"\bos\((\w+)\)", lambda match: str(match[1] == system).lower(), line)
    return re.sub(r"\bcanImport\((\w+)\)", lambda match: modules.get(match[1], match[0]), line)


class Target:
    def __init__(self, folder):
        self.name = folder.name
        self.files = {file.relative_to(root): file.read_text() for file in sorted(folder.rglob("*.swift"))}
        text = "\n".join(self.files.values())
        self.imports = set(re.findall(r"^[\w@() ]*\bimport (\w+)", text, re.MULTILINE))
        self.systems = ["macOS"] + ["tvOS"] * bool(re.search(r"#if.*\bos\((tv|watch)OS\)", text))

    def write(self, folder, system):
        for file, text in self.files.items():
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).write_text("".join(condition(line, system) for line in text.splitlines(keepends=True)))


def ordered(targets):
    """The targets, each after those that it imports."""
    result, waiting = [], {target.name: target for target in targets}
    while waiting:
        ready = [target for target in waiting.values() if not target.imports & waiting.keys() - {target.name}]
        assert ready, f"the imports are circular: {', '.join(waiting)}"
        result += ready
        waiting = {name: target for name, target in waiting.items() if target not in ready}
    return result


def dependencies(targets):
    """Links the modules of other packages, and returns the flags for importing them."""
    for module in (build / "Modules").glob("*.swiftmodule"):
        if module.stem not in targets and not module.stem.endswith("Tests"):
            (built / module.name).symlink_to(module)
    flags = []
    for folder in (build / "../../checkouts").resolve().glob("*/Sources/*/include"):
        made = build / f"{folder.parent.name}.build/module.modulemap"
        for file in [folder / "module.modulemap", made]:
            if file.exists():
                flags += ["-Xcc", f"-fmodule-map-file={file}", "-Xcc", f"-I{folder}"]
                break
    assert flags, f"no build of the dependencies in {build}"
    return flags


def compile(name, files, folder, *flags):
    """Compiles a module, and returns whether there are no errors, whose paths are relative to the folder."""
    command = ["swiftc", "-emit-module", "-wmo", "-Onone", "-swift-version", "6", "-diagnostic-style", "llvm"]
    command += ["-module-name", name, "-emit-module-path", built / f"{name}.swiftmodule"]
    command += ["-module-cache-path", scratch / "cache", "-I", built, "-I", stand_ins / "Darwin"]
    if not any(file.name == "main.swift" for file in files):
        command.append("-parse-as-library")
    return subprocess.run([*command, *flags, *files], cwd=folder).returncode == 0


with tempfile.TemporaryDirectory() as name:
    scratch = pathlib.Path(name)
    built = scratch / "modules"
    built.mkdir()
    targets = ordered([Target(folder) for folder in root.glob("Sources/*") if any(folder.rglob("*.swift"))])
    imported = dependencies({target.name for target in targets})
    flags = [*imported, "-warnings-as-errors", "-enable-testing", "-package-name", "streamrun", "-D", "SWIFT_PACKAGE"]
    for feature in re.findall(r'\.enableUpcomingFeature\("(\w+)"\)', package):
        flags += ["-enable-upcoming-feature", feature]
    for trait in re.findall(r'\.trait\(name: "(\w+)"', package):
        flags += ["-D", trait]
    count, failed = 0, set()
    for system, options in systems.items():
        folder = scratch / system
        shutil.copytree(stand_ins, folder)
        assert compile("Darwin", [folder / "Darwin/Darwin.swift"], folder, "-import-underlying-module", *options)
        for stand_in in ["Combine", "CryptoKit"]:
            assert compile(stand_in, [folder / f"{stand_in}.swift"], folder, *imported, *options)
        for target in targets:
            if system not in target.systems:
                continue
            target.write(folder, system)
            if missing := target.imports & failed:
                print(f"{target.name} is not checked as on {system}: it imports {', '.join(sorted(missing))}")
                failed.add(target.name)
            elif compile(target.name, target.files, folder, *flags, *options):
                count += 1
            else:
                print(f"{target.name} has errors on {system}", flush=True)
                failed.add(target.name)
    print(f"{count} targets without errors, {len(failed)} with errors or not checked")
    sys.exit(1 if failed else 0)
