#!/usr/bin/env python3
"""Builds the documentation of all libraries with swift-docc-plugin; a warning is an error.

    documentation.py [FOLDER]      the archive is FOLDER/streamrun.doccarchive; default .build-documentation

Articles link to each other by relative paths, which forges understand. DocC has links of its own, and the package does not
depend on the plugin. So a copy of the package is built, with the plugin, and with DocC's links: it also checks the links.
"""

import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGETS = ["StreamCore", "CEL", "StreamEngine", "StreamKit", "StreamCombine", "StreamTesting",
           "StreamEditing", "StreamTools", "StreamPartition", "StreamCommands", "StreamSharing"]
PLUGIN = '.package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.4.0")'


def headings(page):
    """The anchors of a page, as forges make them from headings, with DocC's anchors."""
    lines = [line.lstrip("# ") for line in page.read_text().splitlines() if line.startswith("#")]
    return {re.sub(r"[^\w -]", "", line.lower()).replace(" ", "-"): line.replace(" ", "-") for line in lines}


def converted(page):
    """The text of an article with DocC's links."""

    def link(match):
        text, path, anchor = match.group("text", "path", "anchor")
        target = (page.parent / path).resolve() if path else page
        fragment = f"#{headings(target)[anchor]}" if anchor else ""
        if target.parent == page.parent:
            return f"[{text}](doc:{target.stem}{fragment})"
        module = target.parent.stem.lower()
        return f"[{text}](/documentation/{module}/{target.stem.lower()}{fragment.lower()})"

    parts = re.split(r"(```.*?```)", page.read_text(), flags=re.DOTALL)
    pattern = r"\[(?P<text>[^\]]*)\]\((?P<path>[^):#]*\.md|(?=#))(?:#(?P<anchor>[^)]*))?\)"
    return "".join(part if part.startswith("```") else re.sub(pattern, link, part) for part in parts)


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / ".build-documentation").resolve()
    copy = folder / "package"
    shutil.rmtree(copy, ignore_errors=True)
    copy.mkdir(parents=True)
    shutil.copytree(ROOT / "Sources", copy / "Sources")
    (copy / "Tests").symlink_to(ROOT / "Tests")
    manifest = (ROOT / "Package.swift").read_text()
    (copy / "Package.swift").write_text(f"{manifest}\npackage.dependencies.append({PLUGIN})\n")
    for page in sorted((ROOT / "Sources").glob("*/*.docc/*.md")):
        (copy / page.relative_to(ROOT)).write_text(converted(page))

    command = ["swift", "package", "--enable-all-traits", "--package-path", copy, "--scratch-path", folder / "build"]
    command += ["--allow-writing-to-directory", folder, "generate-documentation"]
    for target in TARGETS:
        command += ["--target", target]
    command += ["--enable-experimental-combined-documentation", "--warnings-as-errors"]
    command += ["--output-path", folder / "streamrun.doccarchive"]
    sys.exit(subprocess.run([str(word) for word in command]).returncode)


main()
