"""Plays about the frame around the views: files, drafts, conflicts, search, keys."""
import os
import time

from server import expect, expect_equal, expect_in, play

PLAYS = []
MINE = """{
  "name": "Mine",
  "inputs": { "q": { "type": "int" } },
  "source": { "input": { "name": "q" } },
  "operators": [
    { "debounce": { "seconds": 1 } },
    { "map": { "expression": "value * 2" } }
  ]
}
"""


def value(world):
    person = world.person
    return person.js("return document.querySelector('.editor .input')?.value ?? ''")


def replace(world, old, new):
    """Types over a part of the text."""
    person = world.person
    person.wait(lambda: old in value(world), f"'{old}'")
    person.js("""
        const [old, text] = arguments;
        const area = document.querySelector(".editor .input");
        const at = area.value.indexOf(old);
        area.focus();
        area.setSelectionRange(at, at + old.length);
        document.execCommand("insertText", false, text);
    """, old, new)


def open_mine(world, name):
    person, server = world.person, world.server
    server.write(name, MINE)
    time.sleep(0.3)
    person.open(server, "Text", name)
    person.wait(lambda: value(world) == MINE, "the text")


@play(PLAYS)
def a_new_stream_is_written_by_saving(world):
    """A new stream is written by saving."""
    person, server = world.person, world.server
    person.open(server, "Text", "search.json")
    person.click("button", "New stream")
    person.sees("A search box", "dialog")
    person.type("search")
    person.press("Enter")
    person.sees("There is a file of this name", "dialog .error")
    person.press("Ctrl+a")
    person.type("articles/mine")
    person.press("Enter")
    person.sees("Not on disk", ".top-bar .badge")
    expect(not os.path.exists(server.path("articles/mine.json")), "it is there too early")
    person.press("Ctrl+s")
    person.wait(lambda: person.text(".top-bar .badge") == "", "the end of saving")
    expect_in('"inputs"', server.read("articles/mine.json"))
    person.sees("mine.json", ".tree")


@play(PLAYS)
def unsaved_text_survives_a_reload(world):
    """Unsaved text survives a reload."""
    person, server = world.person, world.server
    open_mine(world, "draft.json")
    replace(world, "value * 2", "value * 3")
    time.sleep(0.5)
    person.driver.refresh()
    person.wait(lambda: "value * 3" in value(world), "the draft")
    person.sees("Unsaved", ".top-bar .badge")
    expect_equal(server.read("draft.json"), MINE)


@play(PLAYS)
def a_changed_file_is_loaded_again(world):
    """A changed file is loaded again."""
    person, server = world.person, world.server
    open_mine(world, "changed.json")
    server.write("changed.json", MINE.replace("Mine", "Theirs"))
    person.wait(lambda: '"Theirs"' in value(world), "the changed file")
    person.sees("It was loaded again", ".toast")
    person.press("Ctrl+z")
    expect_equal(value(world), MINE)


@play(PLAYS)
def conflicts_are_picked(world):
    """Conflicts are picked."""
    person, server = world.person, world.server
    open_mine(world, "picked.json")
    replace(world, '"seconds": 1', '"seconds": 5')
    server.write("picked.json", MINE.replace('"seconds": 1', '"seconds": 7'))
    person.sees("Another program has changed this file", ".bars")
    person.click("button", "Merge")
    person.sees("debounce", ".conflict")
    person.check_accessibility()
    person.css(".conflict input")[1].click()
    person.click("button", "Merge", "dialog")
    person.wait(lambda: '"seconds": 7' in value(world), "their version")
    expect_equal(person.text(".bars"), "")


@play(PLAYS)
def a_save_never_overwrites(world):
    """A save never overwrites."""
    person, server = world.person, world.server
    open_mine(world, "kept.json")
    replace(world, "value * 2", "value * 3")
    theirs = MINE.replace("Mine", "Theirs")
    server.write("kept.json", theirs)
    person.allow("409")
    person.press("Ctrl+s")
    person.sees("Another program has changed this file", ".bars")
    expect_equal(server.read("kept.json"), theirs)
    person.click("button", "Keep mine")
    person.press("Ctrl+s")
    person.wait(lambda: server.read("kept.json") == MINE.replace("* 2", "* 3"), "my version on disk")


@play(PLAYS)
def a_removed_file_is_still_here(world):
    """A removed file is still here."""
    person, server = world.person, world.server
    open_mine(world, "removed.json")
    person.allow("404")
    os.remove(server.path("removed.json"))
    person.sees("It was removed from the folder", ".bars")
    expect_equal(value(world), MINE)


@play(PLAYS)
def search(world):
    """Search."""
    person, server = world.person, world.server
    person.open(server, "Text", "search.json")
    person.press("Ctrl+k")
    person.sees("search.json", ".palette")
    person.check_accessibility()
    person.type("debounce")
    person.sees("Publishes a value once", ".palette [aria-selected=true]")
    person.press("Enter")
    person.sees("Silence required before a value is published", "dialog")
    person.press("Escape")
    person.press("Ctrl+k")
    person.type("theme dark")
    person.press("Enter")
    person.wait(lambda: person.js("return document.documentElement.dataset.theme") == "dark", "the theme")
    person.press("Ctrl+k")
    person.type("scan.json")
    person.press("Enter")
    person.wait(lambda: person.driver.current_url.endswith("#/text/scan.json"), "the file")


@play(PLAYS)
def the_focus_stays(world):
    """The focus stays."""
    person, server = world.person, world.server
    person.open(server, "Text", "search.json")
    person.sees("scan.json", ".tree")
    person.js("[...document.querySelectorAll('.tree a')].find(e => e.textContent === 'scan.json').focus()")
    person.press("Enter")
    person.sees("Scan", ".top-bar h1")
    expect_equal(person.js("return document.activeElement.textContent"), "scan.json")
    person.press("Up")
    expect_equal(person.js("return document.activeElement.textContent"), "rooms.json")
    person.js("document.querySelectorAll('.tabs a')[7].focus()")
    person.press("Enter")
    person.sees("Picture", ".share-view")
    expect_equal(person.js("return document.activeElement.textContent"), "Share")


@play(PLAYS)
def keys(world):
    """Keys."""
    person, server = world.person, world.server
    person.open(server, "Text", "search.json")
    person.press("Alt+1")
    person.wait(lambda: "#/marbles/" in person.driver.current_url, "the view")
    person.js("document.querySelector('.tabs a').focus()")
    person.type("?")
    person.sees("Keyboard shortcuts", "dialog")
    person.check_accessibility()
    person.press("Escape")
    expect_equal(person.css("dialog"), [])
