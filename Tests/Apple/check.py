#!/usr/bin/env python3
"""Type-checks the targets in the order of their imports; see check.sh and README.md."""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

root = pathlib.Path.cwd()
build = pathlib.Path(sys.argv[1])
is_native = "--native" in sys.argv
stand_ins = root / "Tests/Apple/Modules"
package = (root / "Package.swift").read_text()

# The values of conditions on Apple's platforms. FoundationNetworking stays as it is, since it has Linux's URLSession.
modules = {"Darwin": "true", "MachO": "true", "Combine": "true", "CryptoKit": "true", "SwiftUI": "true"}
modules |= {"Glibc": "false", "Musl": "false", "FoundationEssentials": "false"}
systems = {"macOS": [], "tvOS": ["-Xcc", "-DAPPLE_TV"]}


def condition(line, system):
    """Returns a line of source code, the known conditions of an `#if` replaced by their values."""
    if not re.match(r"\s*#(if|elseif)\b", line):
        return line
    line = re.sub(r"\bos\((\w+)\)", lambda match: str(match[1] == system).lower(), line)
    return re.sub(r"\bcanImport\((\w+)\)", lambda match: modules.get(match[1], match[0]), line)


# Apps that use SwiftUI, which see the libraries as another package does.
apps = ["Tests/Examples/Sources/NameForm", "Tests/Examples/Programs/Sources/AlarmApp"]


class Target:
    def __init__(self, folder, is_app=False):
        self.name = folder.name
        self.is_app = is_app
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
    for name in ["ArgumentParser", "Crypto", "OpenCombine"]:
        if not (built / f"{name}.swiftmodule").exists():
            sys.exit(f"no module {name} in {build}; first: swift build --enable-all-traits")
    flags = []
    for folder in (build / "../../checkouts").resolve().glob("*/Sources/*/include"):
        made = build / f"{folder.parent.name}.build/module.modulemap"
        for file in [folder / "module.modulemap", made]:
            if file.exists():
                flags += ["-Xcc", f"-fmodule-map-file={file}", "-Xcc", f"-I{folder}"]
                break
    return flags


def compile(name, files, folder, *flags):
    """Compiles a module, and returns whether there are no errors, whose paths are relative to the folder."""
    command = ["swiftc", "-frontend", *native] if is_native else ["swiftc", "-wmo", "-swift-version", "6"]
    command += ["-emit-module", "-Onone", "-diagnostic-style", "llvm"]
    command += ["-module-name", name, "-o" if is_native else "-emit-module-path", built / f"{name}.swiftmodule"]
    command += ["-module-cache-path", scratch / "cache", "-I", built, "-I", stand_ins / "Darwin"]
    if not any(file.name == "main.swift" for file in files):
        command.append("-parse-as-library")
    return subprocess.run([*command, *flags, *files], cwd=folder).returncode == 0


# MARK: macOS as the target of the compiler

version = re.search(r"\.macOS\(\.v(\d+)\)", package)[1]
native = ["-target", f"x86_64-apple-macosx{version}.0", "-disable-objc-interop", "-Xcc", "-nostdlibinc"]

# Linux's standard library, as text, has the availability of every declaration on macOS. Its bodies are of no interest.
interfaces = ["Swift", "SwiftOnoneSupport", "_Concurrency", "_Builtin_float", "_RegexParser", "_StringProcessing"]
interfaces += ["Synchronization"]
edits = [(r"-target \S+", f"-target {native[1]}"), (r" -O ", " -Onone "), (r"@backDeployed\([^)]*\)", "")]
edits += [(r"import Glibc\n", ""), (r"_swift_stdlib_gettid\(\)", "UInt32(0)")]


def standard_library():
    compiler = pathlib.Path(shutil.which("swiftc")).resolve()
    for name in interfaces:
        files = (compiler.parent.parent / f"lib/swift/linux/{name}.swiftmodule").glob("*.swiftinterface")
        text = max(files, key=lambda file: "private" in file.name).read_text()
        for pattern, replacement in edits:
            text = re.sub(pattern, replacement, text)
        file = scratch / f"{name}.swiftinterface"
        file.write_text(text)
        flags = ["-parse-stdlib"] if "-parse-stdlib" in text[:4_000] else []
        command = ["swiftc", "-frontend", "-compile-module-from-interface", *native, *flags]
        command += ["-disable-availability-checking", "-module-cache-path", scratch / "cache", "-I", built]
        subprocess.run([*command, "-module-name", name, "-o", built / f"{name}.swiftmodule", file], check=True)


def collections():
    """Compiles the modules of swift-collections with the flags of the debug build."""
    manifest = (build / "../../debug.yaml").resolve().read_text()
    for name in ["InternalCollectionsUtilities", "ContainersPreview", "DequeModule", "HeapModule"]:
        found = re.search(rf'args: (\[.*"-module-name","{name}","-emit-dependencies".*\])', manifest)
        arguments, flags, files = iter(json.loads(found[1])), ["-suppress-warnings"], []
        for argument in arguments:
            if argument in ["-enable-experimental-feature", "-enable-upcoming-feature", "-swift-version", "-package-name"]:
                flags += [argument, next(arguments)]
            elif argument.startswith("-D"):
                flags.append(argument)
            elif argument.startswith("@"):
                names = pathlib.Path(argument[1:]).read_text().split("\n")
                files = [pathlib.Path(name.strip("'\"")) for name in names if name]
        assert compile(name, files, scratch, *flags)


def check_natively(targets, flags):
    standard_library()
    collections()
    assert compile("Darwin", [stand_ins / "Darwin/Darwin.swift"], scratch, "-import-underlying-module")
    for stand_in in ["Foundation", "CryptoKit"]:
        assert compile(stand_in, [stand_ins / f"Native/{stand_in}.swift"], scratch)
    absent = {"ArgumentParser", "Combine", "Crypto", "CryptoExtras", "Dispatch", "SwiftASN1", "SwiftUI"}
    checked, left = [], []
    for target in targets:
        if target.imports & (absent | set(left)):
            left.append(target.name)
        elif compile(target.name, target.files, root, "-swift-version", "6", *flags):
            checked.append(target.name)
        else:
            sys.exit(f"{target.name} has errors on macOS {version}")
    print(f"on macOS {version}: {', '.join(checked)}; not checked: {', '.join(left)}")


with tempfile.TemporaryDirectory() as name:
    scratch = pathlib.Path(name)
    built = scratch / "modules"
    built.mkdir()
    targets = ordered([Target(folder) for folder in root.glob("Sources/*") if any(folder.rglob("*.swift"))])
    imported = [] if is_native else dependencies({target.name for target in targets})
    app_flags = [*imported, "-warnings-as-errors"]
    flags = [*app_flags, "-enable-testing", "-package-name", "streamrun", "-D", "SWIFT_PACKAGE"]
    for feature in re.findall(r'\.enableUpcomingFeature\("(\w+)"\)', package):
        flags += ["-enable-upcoming-feature", feature]
    for trait in re.findall(r'\.trait\(name: "(\w+)"', package):
        flags += ["-D", trait]
    if is_native:
        check_natively(targets, flags)
        sys.exit()
    count, failed = 0, set()
    for system, options in systems.items():
        folder = scratch / system
        shutil.copytree(stand_ins, folder)
        assert compile("Darwin", [folder / "Darwin/Darwin.swift"], folder, "-import-underlying-module", *options)
        for stand_in in ["Combine", "CryptoKit", "SwiftUI"]:
            assert compile(stand_in, [folder / f"{stand_in}.swift"], folder, *imported, *options)
        for target in targets + [Target(root / path, is_app=True) for path in apps]:
            if system not in target.systems:
                continue
            target.write(folder, system)
            if missing := target.imports & failed:
                print(f"{target.name} is not checked as on {system}: it imports {', '.join(sorted(missing))}")
                failed.add(target.name)
            elif compile(target.name, target.files, folder, *(app_flags if target.is_app else flags), *options):
                count += 1
            else:
                print(f"{target.name} has errors on {system}", flush=True)
                failed.add(target.name)
    print(f"{count} targets without errors, {len(failed)} with errors or not checked")
    sys.exit(1 if failed else 0)
