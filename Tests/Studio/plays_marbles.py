"""Plays about the marbles: editing inputs, causes, scrubbing, the article's ten streams, the page without a server."""
import json
import os
import re
import subprocess

from plays_files import type_into_text
from server import expect, expect_equal, run_stream, play
from studio import spoken

PLAYS = []
QUERY = ["sw@0", "swi@0.2", "swift@0.4", "swif@0.9", "swift@1.1", "sw@1.7", "finished@1.8"]
ARTICLE = ["serial-a", "serial-b", "filter", "map", "drop", "scan", "zip", "combine-latest", "merge", "append"]


def open_search(world):
    person = world.person
    person.open(world.server, "Marbles", "search.json")
    person.shows(QUERY, "query")
    person.shows(["swift@0.7", "finished@1.8"])
    return person


def drag_by(person, title, name, seconds):
    """Drags a marble by seconds."""
    marble = person.marble(title, name)
    person.drag((marble["x"], marble["y"]), (seconds * person.pixels_per_second(title), 0))


@play(PLAYS, smoke=True)
def drag_a_marble(world):
    """A dragged marble of an input changes the output while one drags; undo takes the drag back in one step."""
    person = open_search(world)
    drag_by(person, "query", "swif@0.9", 0.2 - 0.01)
    person.wait(lambda: "swif@0.9" not in person.shown("query"), "the marble away from 0.9")
    drag_by(person, "query", "swift@1.1", 0.45)
    person.wait(lambda: "swif@" in " ".join(person.shown()), lambda: f"swif on the output, not {person.shown()}")
    person.press("Ctrl+z", "Ctrl+z")
    person.shows(QUERY, "query")
    person.shows(["swift@0.7", "finished@1.8"])


@play(PLAYS)
def edit_marbles(world):
    """Marbles are added, edited, deleted; the input finishes or fails; all of it is undone."""
    person = open_search(world)
    before = world.server.read("search.json")
    person.click("button", "Add a value to query")
    form = person.find("dialog", "Event of query")
    person.fill("textbox", "Value", "combine", form)
    person.fill("textbox", "Time in seconds", "1.3", form)
    person.click("button", "Done", form)
    person.wait(lambda: "combine@1.3" in person.shown("query"), "the new marble")
    person.wait(lambda: "combine@1.6" in person.shown(), lambda: f"its effect, not {person.shown()}")
    marble = person.marble("query", "combine@1.3")
    person.double_click_at(marble["x"], marble["y"])
    person.fill("textbox", "Value", "rx", person.find("dialog", "Event of query"))
    person.press("Enter")
    person.wait(lambda: "rx@1.3" in person.shown("query"), "the edited marble")
    person.wait(lambda: "combine" not in " ".join(person.shown()), "the end of the effect")
    marble = person.marble("query", "rx@1.3")
    person.click_at(marble["x"], marble["y"])
    person.press("Delete")
    person.wait(lambda: person.shown("query")[:-1] == QUERY[:-1],
                lambda: f"the values of before, not {person.shown('query')}")
    marble = person.marble("query", person.shown("query")[-1])
    person.click_at(marble["x"], marble["y"])
    person.press("Delete")
    person.wait(lambda: "finished" not in " ".join(person.shown("query")), "the end deleted")
    person.click("button", "Fail")
    person.press("Enter")
    person.wait(lambda: any(text.startswith("failure") for text in person.shown()), "the failure on the output")
    for _ in range(40):
        if person.find("button", re.compile("^Undo")).get_attribute("aria-disabled") == "true":
            break
        person.press("Ctrl+z")
    person.shows(QUERY, "query")
    person.shows(["swift@0.7", "finished@1.8"])
    expect_equal(world.server.read("search.json"), before, "the file on disk")


@play(PLAYS)
def causes_and_effects(world):
    """A picked marble lights up what caused it and what it caused, and nothing else."""
    person = open_search(world)
    marble = person.marble("query", "swift@0.4")
    person.click_at(marble["x"], marble["y"])

    def lit():
        return {track["title"]: [spoken(marble["name"]) for marble in track["marbles"] if "is-lit" in marble["marks"]]
                for track in person.tracks()}
    expected = {"query": ["swift@0.4"], "filter": ["swift@0.4"], "debounce": ["swift@0.7"],
                "removeDuplicates → output": ["swift@0.7"]}
    person.wait(lambda: lit() == expected, lambda: f"{expected} lit, not {lit()}")
    person.press("Escape")
    person.wait(lambda: not any(lit().values()), "nothing lit")


@play(PLAYS)
def scrub_by_keyboard(world):
    """The keyboard reaches the time, and goes through the instants; marbles that come later are dimmed."""
    person = open_search(world)
    person.skip_to_view()
    person.tab_to("slider", "Time shown")
    person.press("Home")
    for _ in range(3):
        person.press("PageDown")
    slider = person.find("slider", "Time shown")
    person.wait(lambda: float(slider.get_attribute("aria-valuenow")) == 0.7, lambda: (
        f"0.7 s after three instants, not {slider.get_attribute('aria-valuenow')}"))

    def seen():
        return [spoken(m["name"]) for m in person.output()["marbles"] if "is-later" not in m["marks"]]
    person.wait(lambda: seen() == ["swift@0.7"], lambda: f"only swift@0.7 before the time, not {seen()}")
    person.press("PageUp")
    person.wait(lambda: seen() == [], "nothing published yet")
    box = person.js("const b = document.querySelector('.player-axis-box').getBoundingClientRect();"
                    "return [b.x, b.y + b.height / 2, b.width]")
    person.drag((box[0] + 30, box[1]), (box[2] * 0.6, 0))
    person.wait(lambda: float(slider.get_attribute("aria-valuenow")) > 0.8, "the time under the pointer")


@play(PLAYS)
def make_a_test(world):
    """A test is made of what the marbles show, passes, and is undone."""
    person = open_search(world)
    drag_by(person, "query", "swif@0.9", 0.3)
    person.wait(lambda: "swif@0.9" not in person.shown("query"), "the drag")
    person.click("button", "Make a test of this")
    person.fill("textbox", "Name of the test", "a later word")
    person.press("Enter")
    person.view("Tests")
    person.sees("a later word")
    person.sees("2 passed")
    person.press("Ctrl+z")
    person.wait(lambda: "a later word" not in person.text(".tests-view, main"), "the end of the test")


@play(PLAYS)
def marbles_by_keyboard(world):
    """A marble is reached, moved, edited, deleted and added by keys alone."""
    person = open_search(world)
    person.skip_to_view()
    for _ in range(30):
        person.press("Tab")
        if person.focused()[0] == "listbox":
            break
    expect(person.focused()[0] == "listbox", f"Tab did not reach the tracks, but {person.focused()}")
    person.press("Home", "Right", "Right", "Right")
    person.press("Alt+Right", "Alt+Right")
    person.wait(lambda: "swif@1.1" in person.shown("query"), lambda: f"swif at 1.1, not {person.shown('query')}")
    person.press("Enter")
    person.find("dialog", "Event of query")
    person.press("Ctrl+a")
    person.type("kotlin")
    person.press("Enter")
    person.wait(lambda: "kotlin@1.1" in person.shown("query"), lambda: f"kotlin at 1.1, not {person.shown('query')}")
    person.press("Delete")
    person.wait(lambda: "kotlin@1.1" not in person.shown("query"), "the deleted marble")
    person.press("Insert")
    person.find("dialog", "Event of query")
    person.press("Escape")
    person.wait(lambda: not person.all("dialog", "Event of query"), "the closed form")


@play(PLAYS)
def the_articles_ten_streams(world):
    """Each stream of the article is seen as `streamrun` runs it, edited, seen again, and shared by a link."""
    person, server = world.person, world.server
    other = world.another_person()
    other.driver.get(server.link)
    other.errors()
    person.open(server, "Marbles", "search.json")
    for name in ARTICLE:
        path = f"{name}.json"
        person.click("link", path)
        person.view("Marbles")
        expected = texts_of(run_stream(world.streamrun, server.path(path)))
        person.wait(lambda: values_of(person.shown()) == expected,
                    lambda: f"{name}: expected {expected}, saw {values_of(person.shown())}")
        person.view("Text")
        edit = EDITS[name]
        type_into_text(person, *edit)
        server.write(f"edited-{path}", server.read(path).replace(edit[0], edit[1], 1))
        edited = texts_of(run_stream(world.streamrun, server.path(f"edited-{path}")))
        expect(edited != expected, f"the edit {edit} of {name} changes nothing")
        person.view("Marbles")
        person.wait(lambda: values_of(person.shown()) == edited,
                    lambda: f"{name} edited: expected {edited}, saw {values_of(person.shown())}")
        person.view("Share")
        link = person.wait(lambda: person.value("textbox", "Link"), "the link")
        other.driver.get("about:blank")
        other.driver.get(link)
        other.wait(lambda: values_of(other.shown()) == edited,
                   lambda: f"{name} shared: expected {edited}, saw {values_of(other.shown())}")
        os.remove(server.path(f"edited-{path}"))


EDITS = {
    "serial-a": ('"value": 2', '"value": 7'), "serial-b": ('"seconds": 0.5', '"seconds": 1.5'),
    "filter": ("value != 3", "value != 2"), "map": ("value * 2", "value * 3"), "drop": ('"count": 2', '"count": 1'),
    "scan": ('"initialValue": 0', '"initialValue": 5'), "zip": ('"zip"', '"merge"'),
    "combine-latest": ('"combineLatest"', '"zip"'), "merge": ('"merge"', '"append"'), "append": ('"append"', '"merge"'),
}


def texts_of(events):
    """The lines of `streamrun --timestamps` as texts `value@time`."""
    def text(value):
        if isinstance(value, list):
            return f"[{', '.join(text(item) for item in value)}]"
        return value if isinstance(value, str) else json.dumps(value)
    return [f"{text(event['value'])}@{event['at']:g}" for event in events]


def values_of(shown):
    """What a track shows, without its end, which `streamrun` does not print."""
    return [text for text in shown if not text.startswith("finished@")]


@play(PLAYS, smoke=True)
def the_page_without_a_server(world):
    """The HTML file of a run opens from the disk, scrubs, and asks for nothing."""
    person, server = world.person, world.server
    path = server.path("run.html")
    subprocess.run([world.streamrun, "show", server.path("search.json"), "-o", path], check=True, capture_output=True)
    person.cdp("Network.enable")
    person.open_link(f"file://{path}")
    person.shows(["swift@0.7", "finished@1.8"])
    person.click("button", "Previous instant")
    slider = person.find("slider", "Time shown")
    person.press("PageUp") if person.focused()[0] == "slider" else person.click("button", "Previous instant")
    person.wait(lambda: float(slider.get_attribute("aria-valuenow")) < 1.8, "an earlier time")
    requests = person.js("return performance.getEntriesByType('resource').map((entry) => entry.name)")
    requests = [name for name in requests if not name.startswith(("data:", "blob:"))]
    expect(not requests, f"the page asked for {requests}")
