"""Plays that build the search box of the README from an empty file, by mouse and by keyboard."""
import json
import os
import re
import subprocess

from server import ROOT, Failure, expect_equal, play

PLAYS = []


def readme_stream():
    """The first JSON in the README: the search box."""
    with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as file:
        return json.loads(re.search(r"```json\n(.*?)```", file.read(), re.DOTALL).group(1))


def check(world, path):
    """Saves the built file, compares it with the README, and feeds it."""
    person, server = world.person, world.server
    person.save()
    expect_equal(json.loads(server.read(path)), readme_stream(), "the saved file")
    world.note(f"{person.clicks} clicks, {person.key_presses} keys")
    checked = subprocess.run(
        [world.streamrun, "validate", server.path(path)], capture_output=True, text=True, check=False)
    expect_equal(checked.returncode, 0, f"streamrun validate ({checked.stderr})")


@play(PLAYS, smoke=True)
def search_box_by_mouse(world):
    """The search box is built with the mouse; only its names, numbers and expressions are typed."""
    person, server = world.person, world.server
    person.open(server, "Marbles", "map.json")
    person.clicks = person.key_presses = 0
    person.click("button", "New stream")
    person.click("radio", "Empty")
    person.fill("textbox", "File", "box.json")
    person.click("button", "Create")
    person.view("Pipeline")
    person.click("button", re.compile("^values"))
    person.fill("textbox", "Name", "query")
    person.press("Enter")
    person.find("button", re.compile("^query"))
    person.fill("textbox", re.compile("^Type"), "string")
    add_at_end(person, "filter")
    person.fill("textbox", "Expression", "size(value) > 2")
    add_at_end(person, "debounce")
    person.fill("textbox", "Seconds", "0.3")
    add_at_end(person, "removeDuplicates")
    person.find("button", re.compile("^removeDuplicates"))
    person.view("Marbles")
    person.click("button", "Add a value")
    form = person.find("dialog", "Event of query")
    person.fill("textbox", "Value", "swift", form)
    person.click("button", "Done", form)
    person.wait(lambda: any(text.startswith("swift@") for text in person.shown()), lambda: (
        f"swift on the output, not {person.shown()}"))
    check(world, "box.json")


def add_at_end(person, name):
    """Adds an operator at the end of the stream, by the mouse."""
    person.click("button", "Add an operator at the end of the stream")
    person.click("option", re.compile(f"^{name}( |$)"))
    person.click("button", f"Add {name}")
    person.find("button", re.compile(f"^{name}"))


@play(PLAYS)
def search_box_by_keyboard(world):
    """The search box is built by keys alone, and its marbles are seen."""
    person, server = world.person, world.server
    person.open(server, "Pipeline", "map.json")
    person.clicks = person.key_presses = 0
    person.press("Ctrl+k")
    person.type("new stream")
    person.press("Enter")
    person.find("radio", "Empty")
    person.press("Ctrl+a")
    person.type("box")
    person.press("Enter")
    person.find("button", re.compile("^values"))
    person.press("Alt+2")
    person.tab_to("button", re.compile("^(Unnamed stream|values)"))
    to_card(person, "values")
    person.press("Enter")
    person.wait(lambda: person.focused() == ["input", "Name"], lambda: f"the focus on Name, not {person.focused()}")
    person.press("Ctrl+a")
    person.type("query")
    person.press("Enter")
    person.wait(lambda: person.focused()[1].startswith("query"), lambda: f"the card 'query', not {person.focused()}")
    person.press("Enter")
    person.tab_to("textbox", re.compile("^Type"))
    person.press("Ctrl+a")
    person.type("string")
    person.wait(lambda: any(name.startswith("query string") for name in person.names("button")), "the type")
    person.press("Escape")
    to_card(person, "input query")
    add_by_keys(person, "filter")
    person.wait(lambda: person.focused()[1].startswith("Expression"), lambda: f"Expression, not {person.focused()}")
    person.press("Ctrl+a")
    person.type("size(value) > 2")
    person.press("Escape")
    to_card(person, "filter")
    add_by_keys(person, "debounce")
    person.wait(lambda: person.focused()[1].startswith("Seconds"), lambda: f"Seconds, not {person.focused()}")
    person.press("Ctrl+a")
    person.type("0.3")
    person.press("Escape")
    to_card(person, "debounce")
    add_by_keys(person, "removeDuplicates")
    person.find("button", re.compile("^removeDuplicates"))
    expect_equal(person.clicks, 0, "clicks")
    check(world, "box.json")


def to_card(person, name):
    """Moves to a card by the arrow keys, from the form or from another card."""
    for key in ["Escape"] * 3:
        if person.focused()[0] == "button":
            break
        person.press(key)
    if person.focused()[1].startswith(name):
        return
    seen = []
    for _ in range(12):
        person.press("Down")
        if person.focused()[1].startswith(name):
            return
        seen.append(person.focused()[1])
    raise Failure(f"the arrows did not reach the card '{name}', but {seen}")


def add_by_keys(person, name):
    """Adds an operator behind the card that has the focus."""
    person.press("a")
    person.find("listbox", "Add an operator")
    person.type(name)
    person.wait(lambda: any(option.startswith(name) for option in person.names("option")[:1]), f"{name} found")
    person.press("Enter")
    person.wait(lambda: not person.all("listbox", "Add an operator"), "the end of the picker")


@play(PLAYS)
def the_focus_is_never_lost(world):
    """After a new stream by keys, and after another view by keys, the focus is in the view, and not at the page."""
    person = world.person
    person.open(world.server, "Marbles", "map.json")
    person.press("Ctrl+k")
    person.type("new stream")
    person.press("Enter")
    person.find("radio", "Empty")
    person.press("Ctrl+a")
    person.type("fresh")
    person.press("Enter")
    for keys in (None, "Alt+2", "Alt+1", "Alt+6"):
        if keys:
            person.press(keys)
        person.wait(lambda: person.js("return document.activeElement.closest('#view') !== null"),
                    lambda: f"the focus in the view after {keys or 'a new stream'}, not {person.focused()[0]}")
