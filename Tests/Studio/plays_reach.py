"""Plays about who can use the page: fingers, right-to-left readers, small windows, screen readers."""
import time

from plays_looks import record, show
from server import expect, expect_equal, play
from studio import VIEWS

PLAYS = []


@play(PLAYS)
def a_finger_drags_and_scrolls(world):
    """A finger drags a marble sideways, and scrolls the page when it moves down."""
    person = world.person
    person.open(world.server, "Marbles", "search.json")
    person.resize(400, 500)
    person.cdp("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=1)
    try:
        marble = person.marble("query", "swif@0.9")
        x, y = marble["x"], marble["y"]
        step = person.pixels_per_second("query") * 0.2 / 5
        swipe(person, x, y, step, 0)
        person.wait(lambda: "swif@0.9" not in person.shown("query"), lambda: (
            f"the marble away from 0.9; there are {person.shown('query')}"))
        scrolled = "return Math.max(scrollY, ...[...document.querySelectorAll('*')].map((e) => e.scrollTop))"
        person.js("document.querySelectorAll('*').forEach((e) => { e.scrollTop = 0; })")
        before = person.wait(lambda: person.shown("query"), "the track")
        marble = person.track("query")["marbles"][1]
        x, y = marble["x"], marble["y"]
        swipe(person, x, y, 0, -25)
        person.wait(lambda: person.js(scrolled) > 20, "the scrolled page")
        expect_equal(person.shown("query"), before, "the marbles after the scroll")
    finally:
        person.cdp("Emulation.setTouchEmulationEnabled", enabled=False)


def swipe(person, x, y, dx, dy, steps=5):
    """Puts a finger down, moves it by steps, and lifts it."""
    def touch(kind, *points):
        person.cdp("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": px, "y": py} for px, py in points])
        time.sleep(0.03)
    touch("touchStart", (x, y))
    for step in range(1, steps + 1):
        touch("touchMove", (x + dx * step, y + dy * step))
    touch("touchEnd")


@play(PLAYS)
def right_to_left_values(world):
    """Hebrew and Arabic values keep their direction in marbles, in their editor, and in the log of a run."""
    person, server = world.person, world.server
    hebrew, arabic = "שלום עולם!", "مرحبا (1)"
    text = server.read("search.json").replace('"swift"', f'"{hebrew}"').replace('"swif"', f'"{arabic}"')
    server.write("right.json", text)
    person.open(server, "Marbles", "right.json")
    person.shows([f"{hebrew}@0.7", "finished@1.8"])
    marble = person.marble("query", f"{hebrew}@0.4")
    person.double_click_at(marble["x"], marble["y"])
    field = person.find("textbox", "Value", person.find("dialog", "Event of query"))
    expect_equal(direction(person, field), "rtl", "the direction of the field")
    person.press("Escape")
    person.go(server, "Live", "right.json")
    person.click("button", "Start")
    person.sees("Running")
    person.fill("textbox", "Value", hebrew)
    person.press("Enter")
    person.sees(hebrew, "[role=log]")
    code = person.css("[role=log] code")[0]
    expect_equal(direction(person, code), "rtl", "the direction of the published value")


def direction(person, element):
    return person.js("return getComputedStyle(arguments[0]).direction", element)


CONTROLS = {"button", "link", "textbox", "searchbox", "combobox", "checkbox", "radio", "slider", "listbox", "option",
            "tab", "menuitem", "spinbutton", "switch", "dialog", "treeitem", "group", "img", "region", "toolbar"}
NAMELESS = {"group", "img", "region", "toolbar"}


@play(PLAYS)
def names_for_screen_readers(world):
    """In Chromium's tree of accessibility, every control of each view has a role and a name."""
    person = world.person
    record(world)
    person.driver.get(world.server.link)
    person.errors()
    person.cdp("Accessibility.enable")
    nameless, count = [], 0
    for view in VIEWS:
        show(person, world.server, view)
        for node in person.cdp("Accessibility.getFullAXTree")["nodes"]:
            role = node.get("role", {}).get("value")
            if node.get("ignored"):
                continue
            focusable = any(p["name"] == "focusable" and p["value"].get("value") for p in node.get("properties", []))
            if role in ("RootWebArea", "InlineTextBox") or not (focusable or role in CONTROLS - NAMELESS):
                continue
            count += 1
            name = node.get("name", {}).get("value", "").strip()
            if not name or role in ("generic", "none"):
                html = describe(person, node)
                # What only a script can focus is no control.
                if 'tabindex="-1"' not in html:
                    nameless.append(f"{view}: {role} {html}")
    person.cdp("Accessibility.disable")
    world.note(f"{count} controls")
    expect(not nameless, "; ".join(nameless[:20]))


def describe(person, node):
    """The beginning of the HTML of a node."""
    number = node.get("backendDOMNodeId")
    try:
        return person.cdp("DOM.getOuterHTML", backendNodeId=number)["outerHTML"][:120]
    except Exception:  # pylint: disable=broad-except
        return "of the browser"


@play(PLAYS)
def live_regions_tell(world):
    """What happens without a change of focus is told: problems, a deleted marble, an undo, a test, a save."""
    person, server = world.person, world.server
    person.open(server, "Marbles", "search.json")
    person.shows(["swift@0.7", "finished@1.8"])
    person.js("""
        window.told = [];
        new MutationObserver((changes) => {
          for (const { target } of changes) {
            const element = target.nodeType === 1 ? target : target.parentElement;
            const region = element?.closest(
              "[aria-live]:not([aria-live=off]), [role=status], [role=alert], [role=log]");
            const text = region?.textContent.trim();
            if (text && window.told.at(-1) !== text) window.told.push(text);
          }
        }).observe(document.body, { subtree: true, childList: true, characterData: true });""")

    def tells(part):
        person.wait(lambda: any(part in text for text in person.js("return window.told")), lambda: (
            f"'{part}' to be told; told were {person.js('return window.told')}"))
    marble = person.marble("query", "swi@0.2")
    person.click_at(marble["x"], marble["y"])
    tells("swi")
    tells("selected")
    person.press("Delete")
    tells("1 deleted")
    person.press("Ctrl+z")
    tells("Undid")
    person.click("button", "Make a test of this")
    person.type("told")
    person.press("Enter")
    tells("Added the test")
    person.save()
    tells("Saved")


@play(PLAYS)
def operators_fold_one_by_one(world):
    """A track folds to its name by its button and by F, and stays folded in the next visit; causes go around it."""
    person, server = world.person, world.server
    person.open(server, "Marbles", "search.json")
    person.shows(["swift@0.7", "finished@1.8"])
    person.click("button", "Marbles of debounce")
    button = person.find("button", "Marbles of debounce")
    expect_equal(button.get_attribute("aria-expanded"), "false", "whether debounce is open")
    expect_equal(folded(person), ["debounce"], "the folded tracks")
    marble = person.marble("removeDuplicates → output", "swift@0.7")
    person.click_at(marble["x"], marble["y"])
    person.wait(lambda: len(person.css(".player-link")) == 2, lambda: (
        f"a link from filter to the output, not {len(person.css('.player-link'))} links"))
    person.press("Escape")
    person.skip_to_view()
    for _ in range(40):
        person.press("Tab")
        if person.focused()[1].startswith("stage filter"):
            break
    person.press("f")
    expect_equal(person.focused(), ["button", "Marbles of filter"], "the focus")
    expect_equal(folded(person), ["filter", "debounce"], "the folded tracks")
    person.press("Enter")
    expect_equal(folded(person), ["debounce"], "the folded tracks")
    person.go(server, "Marbles", "scan.json")
    person.go(server, "Marbles", "search.json")
    person.wait(lambda: person.tracks() and folded(person) == ["debounce"], "the fold of the last visit")


def folded(person):
    return person.js("return [...document.querySelectorAll('.player-row.is-folded .player-title')]"
                     ".map((title) => title.textContent)")
