"""The page of recipes: each task with its file, its command and its picture."""

import json
import pathlib
import re
import subprocess
import tempfile

root = pathlib.Path(__file__).resolve().parents[2]
page = root / "Sources/StreamCommands/StreamCommands.docc/Recipes.md"

INTRODUCTION = """\
# Recipes

Tasks of data and backend engineers, each with a stream file, the command that runs it, and a picture.

Each task is a folder of `Tests/Reference/Tasks` with its stream and a Python program, which makes the data and computes
the same result. To try a recipe, write its stream and data into a folder, and run its command there:

```text
$ python3 Tests/Reference/tasks.py --data moving-average try
try/readings.ndjson
try/stream.json

$ cd try
$ streamrun stream.json < readings.ndjson
```

The name is the part of the folder's name after the number; `ls Tests/Reference/Tasks` lists all. The files also have
tests, which the pictures show and this page omits. `jq` and `streamrun` are on the path.

* [Coming from jq, Miller, SQL and RxJS](ComingFromTools.md) has shorter answers.
* [Operators and sources](../../StreamKit/StreamKit.docc/Operators.md) has all operators, and
  [Functions](../../CEL/CEL.docc/Functions.md) all functions of expressions.
* [When not to use it](WhenNotToUseIt.md) has the limits.

This page is made by `Tests/Reference/tasks.py BIN --recipes`.
"""


def anchor(title):
    """The anchor of a heading, as forges make it."""
    return re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")


def picture(binary, folder):
    result = subprocess.run(
        [binary, "show", "stream.json", "--color", "never"], cwd=folder, capture_output=True, text=True, timeout=60
    )
    if result.returncode:
        raise SystemExit(f"{folder.name}: {result.stderr}")
    return result.stdout.rstrip()


def shown(binary, file):
    """The file without its tests and its format."""
    stream = json.loads(file.read_text())
    for name in ("format", "tests"):
        stream.pop(name, None)
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / file.name
        copy.write_text(json.dumps(stream, ensure_ascii=False))
        return subprocess.run(
            [binary, "format", copy.name], cwd=folder, capture_output=True, text=True, check=True
        ).stdout.rstrip()


def recipe(binary, folder, task):
    others = sorted(file for file in folder.glob("*.json") if file.name != "stream.json")
    parts = [f"## {task.TITLE}", task.ABOUT, f"```text\n$ {task.COMMAND}\n```"]
    # A block of JSON is checked by itself, so a file that refers to other files is shown as text.
    own = (folder / "stream.json").read_text()
    language = "text" if '"file":' in own or any(file.name in own for file in others) else "json"
    parts.append(f"```{language}\n{shown(binary, folder / 'stream.json')}\n```")
    for file in others:
        parts += [f"`{file.name}`:", f"```json\n{shown(binary, file)}\n```"]
    parts.append(f"```text\n{picture(binary, folder)}\n```")
    return "\n\n".join(parts) + "\n"


def main(binary, tasks, check):
    ready = [
        (folder, task) for folder, task in tasks if not hasattr(task, "WAITING") and not hasattr(task, "IMPOSSIBLE")
    ]
    index = " · ".join(f"[{task.TITLE}](#{anchor(task.TITLE)})" for _, task in ready)
    text = INTRODUCTION + f"\n{index}\n\n" + "\n".join(recipe(str(binary), folder, task) for folder, task in ready)
    if check:
        if page.read_text() != text:
            return f"{page.relative_to(root)} is not current: run tasks.py BIN --recipes"
        print(f"{page.name}: {len(ready)} recipes, current")
        return 0
    page.write_text(text)
    print(f"{page.name}: {len(ready)} recipes, {text.count(chr(10))} lines")
    return 0
