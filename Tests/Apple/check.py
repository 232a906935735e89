#!/usr/bin/env python3
"""Type-checks the targets in the order of their imports; see check.sh and README.md."""

import dataclasses
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
only = [argument for argument in sys.argv[2:] if not argument.startswith("--")]
stand_ins = root / "Tests/Apple/Modules"
package = (root / "Package.swift").read_text()

# The modules of `canImport` that this check has a value for. FoundationNetworking stays as it is, since the check has
# Linux's URLSession.
apple = {"Darwin", "MachO", "Combine", "CryptoKit", "SwiftUI"}
c_libraries = {"Android", "Musl", "WASILibc"}
decided = apple | c_libraries | {"Glibc", "FoundationEssentials"}


@dataclasses.dataclass
class System:
    """A system as which targets are compiled."""

    name: str
    os: str
    modules: set
    traits: set
    # The C library of a system that is not Apple's.
    library: str = ""
    flags: list = dataclasses.field(default_factory=list)
    # The targets that are compiled, without those that they import; none for all.
    products: list = dataclasses.field(default_factory=list)

    def can_import(self, module):
        return module in self.modules


def other(name, os, library, macro, *products):
    modules = {library, "FoundationEssentials"}
    return System(name, os, modules, {"OpenCombine"}, library, ["-Xcc", f"-D{macro}"], ["StreamKit", *products])


traits = set(re.findall(r'\.trait\(name: "(\w+)"', package))
systems = [
    System("macOS", "macOS", apple, traits),
    System("tvOS", "tvOS", apple, traits, flags=["-Xcc", "-DAPPLE_TV"]),
    other("Android", "Android", "Android", "ANDROID", "StreamEditing", "StreamCombine"),
    other("Linux with musl", "Linux", "Musl", "MUSL", "StreamEditing", "StreamCombine"),
    other("WASI", "WASI", "WASILibc", "WASI", "StreamEditing"),
]


def condition(line, system):
    """Returns a line of source code, the known conditions of an `#if` replaced by their values."""
    if not re.match(r"\s*#(if|elseif)\b", line):
        return line
    line = re.sub(r"\bos\((\w+)\)", lambda match: str(match[1] == system.os).lower(), line)
    value = lambda match: str(system.can_import(match[1])).lower() if match[1] in decided else match[0]
    return re.sub(r"\bcanImport\((\w+)\)", value, line)


# Apps that use SwiftUI, which see the libraries as another package does.
apps = [
    "Tests/Examples/Sources/NameForm",
    "Tests/Examples/Programs/Sources/AlarmApp",
    "Tests/Examples/Programs/Sources/Programs",
]


class Target:
    def __init__(self, folder, is_app=False):
        self.name = folder.name
        self.is_app = is_app
        self.files = {file.relative_to(root): file.read_text() for file in sorted(folder.rglob("*.swift"))}
        text = "\n".join(self.files.values())
        if "buildCommit" in text:
            # The build makes this file (Plugins/CommitVersion).
            self.files[folder.relative_to(root) / "BuildCommit.swift"] = 'let buildCommit = ""\n'
        if "PackageResources" in text:
            # The build makes constants of the resources that Package.swift embeds.
            names = sorted(set(re.findall(r"PackageResources\.(\w+)", text)))
            constants = "\n".join(f"  static let {name}: [UInt8] = []" for name in names)
            self.files[folder.relative_to(root) / "Resources.swift"] = f"struct PackageResources {{\n{constants}\n}}\n"
        if "Bundle.module" in text:
            module = "extension Foundation.Bundle { static let module = Bundle.main }"
            self.files[folder.relative_to(root) / "Resources.swift"] = f"import Foundation\n\n{module}\n"
        self.imports = set(re.findall(r"^[\w@() ]*\bimport (\w+)", text, re.MULTILINE))
        self.has_tv_branch = bool(re.search(r"#if.*\bos\((tv|watch)OS\)", text))

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


def chosen(targets, system):
    """The targets that are compiled as on a system."""
    if system.os == "tvOS":
        return [target for target in targets if target.has_tv_branch]
    if not system.products:
        return targets
    names = set(system.products)
    for target in reversed(targets):
        # Without the trait, nothing is imported from StreamSharing.
        if target.name in names:
            names |= target.imports - {"StreamSharing"}
    return [target for target in targets if target.name in names]


# MARK: Branches that nothing compiles


def compiled_branches(text, system):
    """The lines of the `#if`, `#elseif` and `#else` whose branches are compiled on a system."""
    # Whether the branch is compiled, and whether it or one before it is, of each open `#if`.
    compiled, outer = set(), [(True, True)]
    for number, line in enumerate(text.splitlines(), 1):
        directive = re.match(r"\s*#(if|elseif|else|endif)\b([^/]*)", line)
        if not directive:
            continue
        if directive[1] == "if":
            outer.append((False, False))
        _, was_true = outer.pop()
        if directive[1] == "endif":
            continue
        is_true = outer[-1][0] and not was_true and (directive[1] == "else" or holds(directive[2], system))
        outer.append((is_true, was_true or is_true))
        if is_true:
            compiled.add(number)
    return compiled


def holds(text, system):
    text = re.sub(r"\bos\((\w+)\)", lambda match: str(match[1] == system.os), text)
    text = re.sub(r"\bcanImport\((\w+)\)", lambda match: str(system.can_import(match[1])), text)
    text = re.sub(r"\b(?!True\b|False\b)(\w+)", lambda match: str(match[1] in system.traits), text)
    return eval(text.replace("&&", " and ").replace("||", " or ").replace("!", " not "), {})


def check_branches(targets):
    """Ends the check if a branch is compiled neither here nor in a build on Linux with all traits or with none."""
    linux = {"Glibc", "FoundationEssentials", "FoundationNetworking", "Dispatch"}
    builds = [System("Linux", "Linux", linux, traits), System("Linux without traits", "Linux", linux, set()),
              System("Linux, a debug build", "Linux", linux, traits | {"DEBUG"})]
    for system in systems:
        system.modules = system.modules | {"FoundationNetworking"}
    found = []
    for target in targets:
        used = builds + [system for system in systems if target in chosen(targets, system)]
        for file, text in target.files.items():
            compiled = set().union(*(compiled_branches(text, system) for system in used))
            for number, line in enumerate(text.splitlines(), 1):
                if re.match(r"\s*#(if|elseif|else)\b", line) and number not in compiled:
                    found.append(f"{file}:{number}: no configuration compiles the branch after '{line.strip()}'")
    if found:
        sys.exit("\n".join(found))


def dependencies(targets, built):
    """Links the modules of other packages, and returns the flags for importing them."""
    for module in (build / "Modules").glob("*.swiftmodule"):
        link = built / module.name
        if module.stem not in targets and not module.stem.endswith("Tests") and not link.exists():
            link.symlink_to(module)
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


def compile(name, files, folder, *flags, built=None, library="Darwin"):
    """Compiles a module, and returns whether there are no errors, whose paths are relative to the folder."""
    built = built or scratch / "modules"
    command = ["swiftc", "-frontend", *native] if is_native else ["swiftc", "-wmo", "-swift-version", "6"]
    command += ["-emit-module", "-Onone", "-diagnostic-style", "llvm"]
    command += ["-module-name", name, "-o" if is_native else "-emit-module-path", built / f"{name}.swiftmodule"]
    command += ["-module-cache-path", scratch / "cache", "-I", built, "-I", stand_ins / library]
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


# MARK: The systems


def check(targets, system, flags):
    """Compiles the targets as on a system, and returns how many have no errors, and the names of the others."""
    folder = scratch / system.name
    # On tvOS, the targets without a condition on it are those of macOS.
    built = scratch / "modules" if not system.library else folder / "modules"
    names = {target.name for target in targets}
    shutil.copytree(stand_ins, folder)
    if not built.exists():
        built.mkdir()
    imported = dependencies(names, built)
    options = {"built": built, "library": f"Other/{system.library}" if system.library else "Darwin"}
    if system.library:
        overlay = folder / "Other/Overlay.swift"
        overlay.write_text(f"@_exported import {system.library}\n{overlay.read_text()}")
        stand_in = [(system.library, overlay, ["-import-underlying-module"])]
    else:
        stand_in = [("Darwin", folder / "Darwin/Darwin.swift", ["-import-underlying-module"])]
        stand_in += [(name, folder / f"{name}.swift", imported) for name in ["Combine", "CryptoKit", "SwiftUI"]]
    for name, file, more in stand_in:
        assert compile(name, [file], folder, *more, *system.flags, **options)
    app_flags = ["-warnings-as-errors", *imported, *system.flags]
    flags = [*flags, *imported, *system.flags, *(flag for trait in sorted(system.traits) for flag in ["-D", trait])]
    count, failed = 0, set()
    programs = [Target(root / path, is_app=True) for path in apps] if system.name == "macOS" else []
    for target in [*chosen(targets, system), *programs]:
        target.write(folder, system)
        if missing := target.imports & failed:
            print(f"{target.name} is not checked as on {system.name}: it imports {', '.join(sorted(missing))}")
            failed.add(target.name)
        elif compile(target.name, target.files, folder, *(app_flags if target.is_app else flags), **options):
            count += 1
        else:
            print(f"{target.name} has errors on {system.name}", flush=True)
            failed.add(target.name)
    return count, failed


with tempfile.TemporaryDirectory() as name:
    scratch = pathlib.Path(name)
    (scratch / "modules").mkdir()
    targets = ordered([Target(folder) for folder in root.glob("Sources/*") if any(folder.rglob("*.swift"))])
    check_branches(targets)
    flags = ["-warnings-as-errors", "-enable-testing", "-package-name", "streamrun", "-D", "SWIFT_PACKAGE"]
    for feature in re.findall(r'\.enableUpcomingFeature\("(\w+)"\)', package):
        flags += ["-enable-upcoming-feature", feature]
    if is_native:
        built = scratch / "modules"
        check_natively(targets, [*flags, *(flag for trait in sorted(traits) for flag in ["-D", trait])])
        sys.exit()
    hasFailed = False
    for system in systems:
        if only and system.name not in only:
            continue
        count, failed = check(targets, system, flags)
        print(f"{system.name}: {count} targets without errors, {len(failed)} with errors or not checked", flush=True)
        hasFailed = hasFailed or bool(failed)
    sys.exit(1 if hasFailed else 0)
