"""Plays about the text: errors, completion, quick fixes, documentation, format, one history, and every byte kept."""
import json
import re

from plays_files import type_into_text
from server import expect_equal, play

PLAYS = []
EDITOR = "Stream as JSON"


def value(person):
    return person.value("textbox", EDITOR)


@play(PLAYS, smoke=True)
def an_error_at_its_character(world):
    """A typed error is marked at its characters, told among the problems, and fixed by a key."""
    person = world.person
    person.open(world.server, "Text", "search.json")
    before = value(person)
    type_into_text(person, "size(value)", "size(valu)")
    person.wait(lambda: person.text(".mark-error") == "valu",
                lambda: f"'valu' marked, not {person.text('.mark-error')!r}")
    person.sees("there is no name 'valu' here", "section[aria-label=Problems]")
    person.press("Left", "Ctrl+.")
    person.sees("Change to 'value'")
    person.press("Enter")
    person.sees("No problems", "section[aria-label=Problems]")
    expect_equal(value(person), before, "the fixed text")


@play(PLAYS)
def completion_by_keyboard(world):
    """An operator is completed by keys, with its documentation beside it."""
    person = world.person
    person.open(world.server, "Text", "search.json")
    type_into_text(person, '{ "removeDuplicates": {} }', '{ "removeDuplicates": {} },\n    {"sca')
    person.press("Ctrl+Space")
    person.wait(lambda: any("scan" in name for name in person.names("option")), "scan among the completions")
    person.sees("Accumulates")
    person.press("Enter")
    person.wait(lambda: '"scan": {' in value(person), lambda: f"the completed operator, not {value(person)[300:520]}")


@play(PLAYS)
def documentation_and_format(world):
    """The pointer on an operator shows its documentation; the format puts the text in its stable form."""
    person, server = world.person, world.server
    ugly = json.dumps(json.loads(server.read("search.json")))
    server.write("ugly.json", ugly)
    person.open(server, "Text", "search.json")
    box = person.wait(lambda: person.js(
        "const key = [...document.querySelectorAll('.layer *')].find((e) => e.textContent === '\"debounce\"');"
        "if (!key) return null; const b = key.getBoundingClientRect(); return [b.x + 20, b.y + b.height / 2]"),
        "the word debounce")
    person.hover(box[0], box[1])
    person.hover(box[0] + 2, box[1])
    person.sees("silent", ".tip")
    person.go(server, "Text", "ugly.json")
    person.click("button", "Format")
    person.wait(lambda: value(person).startswith('{\n  "format"'), "the format")
    person.press("Ctrl+z")
    person.wait(lambda: value(person) == ugly, "the text before")


@play(PLAYS)
def one_history_of_forms_and_text(world):
    """Undo and redo go through the changes of the text, of forms and of marbles in one order."""
    person, server = world.person, world.server
    person.open(server, "Text", "search.json")
    start = value(person)
    type_into_text(person, "> 2", "> 4")
    first = value(person)
    person.view("Pipeline")
    person.click("button", "debounce seconds 0.3")
    person.fill("textbox", "Seconds", "0.7")
    person.press("Tab")
    person.view("Text")
    person.wait(lambda: '"seconds": 0.7' in value(person), "the change of the form in the text")
    second = value(person)
    expect_equal(second, first.replace('"seconds": 0.3', '"seconds": 0.7'), "the text after both changes")
    person.click("textbox", EDITOR)
    for _ in range(12):
        if value(person) == start:
            break
        person.press("Ctrl+z")
    expect_equal(value(person), start, "the text after undo")
    for _ in range(12):
        if value(person) == second:
            break
        person.press("Ctrl+Shift+z")
    expect_equal(value(person), second, "the text after redo")


@play(PLAYS)
def saving_keeps_every_byte(world):
    """A save writes the edit and nothing else: line ends, spaces, right-to-left text and emoji stay."""
    person, server = world.person, world.server
    source = ('{\r\n  "name": "\u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627 \U0001f600",\n'
              '  "inputs": { "q": { "type": "string" } },\r\n  "source":{"input":{"name":"q"}},\r\n'
              '  "operators": [ {"filter":{"expression":"value != \'\U0001f469\u200d\U0001f680 \u05d0\'"}},   '
              '{"debounce":{"seconds":1.0}} ]\r\n}')
    server.write("bytes.json", source)
    person.open(server, "Pipeline", "bytes.json")
    person.click("button", re.compile("^debounce"))
    person.fill("textbox", "Seconds", "2.5")
    person.save()
    expect_equal(server.read("bytes.json"), source.replace('"seconds":1.0', '"seconds":2.5'), "the file after the form")
    person.view("Text")
    type_into_text(person, '"debounce"', '"throttle"')
    person.save()
    expected = source.replace('"seconds":1.0', '"seconds":2.5').replace("debounce", "throttle")
    expect_equal(server.read("bytes.json"), expected, "the file after the text")
    person.view("Marbles")
    person.click("button", "Add a value to q")
    form = person.find("dialog", "Event of q")
    person.fill("textbox", "Value", "\u05e2\u05d1\u05e8\u05d9\u05ea", form)
    person.click("button", "Done", form)
    person.wait(lambda: "\u05e2\u05d1\u05e8\u05d9\u05ea@" in " ".join(person.shown("q")), "the Hebrew marble")
