"""Plays about the comparison and the merge of versions."""
import json
import time

from selenium.webdriver.support.ui import Select

from server import expect_equal, play

PLAYS = []
BASE = {
    "name": "Search",
    "inputs": {"query": {"type": "string"}},
    "source": {"input": {"name": "query"}},
    "operators": [{"filter": {"expression": "size(value) > 2"}}, {"debounce": {"seconds": 0.3}}],
    "tests": [
        {
            "name": "a pause",
            "inputs": {"query": {"events": [{"at": 0, "value": "swift"}, {"at": 1, "finished": True}]}},
            "expect": {"events": [{"at": 0.3, "value": "swift"}, {"at": 1, "finished": True}]},
        },
    ],
}


def changed(**changes):
    stream = json.loads(json.dumps(BASE))
    if "seconds" in changes:
        stream["operators"][1]["debounce"]["seconds"] = changes.pop("seconds")
    return {**stream, **changes}


def write_json(world, name, stream):
    server = world.server
    server.write(name, json.dumps(stream, indent=2))


def git(world, *arguments):
    server = world.server
    subprocess.run(["git", "-C", server.folder, "-c", "user.name=a", "-c", "user.email=a@b.c", *arguments],
                   check=True, capture_output=True)


def choose(world, label, title):
    person = world.person
    def find():
        for select in person.css(".compare-view select"):
            name = select.get_attribute("aria-label") or person.js("return arguments[0].labels[0]?.textContent", select)
            titles = [option.text for option in Select(select).options]
            if name and name.startswith(label) and title in titles:
                return Select(select)
        return None
    person.wait(find, f"'{title}' in '{label}'").select_by_visible_text(title)


@play(PLAYS)
def a_version_that_is_not_valid_is_said(world):
    """A version that is not valid is said."""
    person, server = world.person, world.server
    write_json(world, "valid.json", BASE)
    write_json(world, "invalid.json", changed(seconds=-1))
    time.sleep(0.3)
    person.open(server, "Compare", "valid.json")
    choose(world, "Old version", "invalid.json")
    person.sees("'seconds' is -1", ".compare-view .notice")
    choose(world, "Old version", "Saved")
    person.sees("The same text", ".compare-view")


@play(PLAYS)
def three_versions_are_merged(world):
    """Three versions are merged."""
    person, server = world.person, world.server
    write_json(world, "base.json", BASE)
    write_json(world, "theirs.json", changed(seconds=1, name="Theirs", description="Theirs alone"))
    write_json(world, "ours.json", changed(seconds=2, name="Ours"))
    time.sleep(0.3)
    person.open(server, "Compare", "ours.json")
    choose(world, "Old version", "theirs.json")
    person.click("button", "Merge", ".compare-view")
    choose(world, "Common base", "base.json")
    person.sees("2 conflicts to decide", ".compare-view [role=status]")
    sides = {"name": "theirs", "seconds": "base"}
    for conflict in person.css(".merge-conflict"):
        title = conflict.find_element("css selector", "legend").text
        side = next(side for word, side in sides.items() if word in title)
        conflict.find_element("css selector", f"input[value={side}]").click()
    person.sees("All conflicts are decided", ".compare-view [role=status]")
    person.wait(lambda: '"Theirs"' in person.text(".merge-preview"), "the result")
    person.check_accessibility()
    person.click("button", "Take result")
    person.sees("Unsaved", ".top-bar .badge")
    time.sleep(0.5)
    draft = json.loads(json.loads(person.js("return sessionStorage.getItem('studio.draft:ours.json')"))["text"])
    expect_equal(draft, changed(seconds=0.3, name="Theirs", description="Theirs alone"))
