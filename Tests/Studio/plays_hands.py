"""Plays about what hands and keys do to marbles."""
import time

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.support.ui import Select

from server import expect, expect_equal, play
from studio import Keys

PLAYS = []


def names(world, row):
    """What a screen reader says of the marbles of a row; -1 is the last row."""
    person = world.person
    return person.js("const rows = [...document.querySelectorAll('.player-row')];"
                   "return [...(rows.at(arguments[0])?.querySelectorAll('.player-mark') ?? [])]"
                   ".map((mark) => mark.getAttribute('aria-label'))", row)


def values(world, row):
    """The values and ends of a row, as `swift 0.4`."""
    short = []
    for name in names(world, row):
        words = (name or "").split(",")[0].split(" ")
        if words[0] == "value":
            at = len(words) - 1 - words[::-1].index("at")
            short.append(f"{' '.join(words[1:at])} {words[at + 1]}")
        elif words[0] in ("finished", "failure"):
            short.append(f"{words[0]} {words[words.index('at') + 1]}")
    # An end is drawn before the values of its instant, so that it is behind them.
    return sorted(short, key=lambda text: (float(text.rsplit(" ", 1)[1]), text.startswith("finished")))


def wait_values(world, row, expected):
    person = world.person
    try:
        person.wait(lambda: values(world, row) == expected, f"{expected}")
    except AssertionError:
        expect_equal(values(world, row), expected)


def show(world, path):
    person, server = world.person, world.server
    person.open(server, "Marbles", path)
    person.wait(lambda: names(world, -1) and all(names(world, -1)), "the run")


def place(world, row, start):
    """The middle of the marble whose name starts with a text."""
    person = world.person
    return person.wait(lambda: person.js("""
        const row = [...document.querySelectorAll('.player-row')].at(arguments[0]);
        const mark = [...row.querySelectorAll('.player-mark')].find((one) =>
          one.getAttribute('aria-label')?.startsWith(arguments[1]));
        if (!mark) return null;
        const box = mark.getBoundingClientRect();
        return [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)];
    """, row, start), f"the marble '{start}'")


def seconds(world, count):
    """Pixels of a time."""
    person = world.person
    first, second = person.js("""
        const ticks = [...document.querySelectorAll('.player-axis text')];
        const time = (text) => text.endsWith('ms') ? parseFloat(text) / 1000 : parseFloat(text);
        return ticks.slice(0, 2).map((tick) => [Number(tick.getAttribute('x')), time(tick.textContent)]);
    """)
    return round((second[0] - first[0]) / (second[1] - first[1]) * count)


def pointer(world):
    person = world.person
    return ActionChains(person.driver, duration=30)


def drag(world, start, *ends):
    actions = pointer(world)
    actions.w3c_actions.pointer_action.move_to_location(*start).pointer_down()
    for end in ends:
        actions.w3c_actions.pointer_action.move_to_location(*end)
    actions.w3c_actions.pointer_action.pointer_up()
    actions.perform()


def press(world, at, count=1):
    actions = pointer(world)
    actions.w3c_actions.pointer_action.move_to_location(*at)
    for _ in range(count):
        actions.w3c_actions.pointer_action.pointer_down().pointer_up()
    actions.perform()


def focus_row(world, row):
    person = world.person
    person.js("[...document.querySelectorAll('.player-plot')].at(arguments[0]).focus()", row)
TYPED = ["sw 0", "swi 0.2", "swift 0.4", "swif 0.9", "swift 1.1", "sw 1.7", "finished 1.8"]


@play(PLAYS)
def escape_takes_a_drag_back(world):
    """Escape takes a drag back."""
    person = world.person
    show(world, "search.json")
    x, y = place(world, 0, "value swift at 0.4")
    actions = pointer(world)
    actions.w3c_actions.pointer_action.move_to_location(x, y).pointer_down().move_to_location(x + 90, y)
    actions.perform()
    person.wait(lambda: values(world, 0) != TYPED, "the drag")
    person.press("Escape")
    wait_values(world, 0, TYPED)
    actions = pointer(world)
    actions.w3c_actions.pointer_action.pointer_up()
    actions.perform()


@play(PLAYS)
def the_end_can_be_dragged_before_values(world):
    """The end can be dragged before values."""
    person = world.person
    show(world, "search.json")
    x, y = place(world, 0, "finished")
    drag(world, (x, y), (x - 10, y), (x - seconds(world, 0.5), y))
    wait_values(world, 0, [*TYPED[:5], "finished 1.3", "sw 1.7"])
    wait_values(world, -1, ["swift 0.7", "finished 1.3"])
    expect_equal(len(person.css(".player-mark.is-unused")), 1)


@play(PLAYS)
def editing_by_keyboard_alone(world):
    """Editing by keyboard alone."""
    person = world.person
    show(world, "search.json")
    focus_row(world, 0)
    person.press("End", "Left", "Delete")
    wait_values(world, 0, [*TYPED[:5], "finished 1.8"])
    person.press("Home", "Enter")
    person.sees("Value", ".marbles-editor")
    person.press("Ctrl+a")
    person.type("wait")
    wait_values(world, 0, ["wait 0", *TYPED[1:5], "finished 1.8"])
    person.press("Enter")
    person.wait(lambda: not person.css(".marbles-editor"), "the end of the form")
    person.press("Alt+Right")
    wait_values(world, 0, ["wait 0.1", *TYPED[1:5], "finished 1.8"])
    person.press("Ctrl+d")
    wait_values(world, 0, ["wait 0.1", "swi 0.2", "swift 0.4", "wait 0.6", *TYPED[3:5], "finished 1.8"])
    person.press("End", "Insert")
    person.sees("Value", ".marbles-editor")
    person.type("new")
    person.press("Escape")
    person.wait(lambda: "new" not in str(values(world, 0)), "the end of the new value")
    for _ in range(20):
        person.press("Ctrl+z")
    wait_values(world, 0, TYPED)


@play(PLAYS)
def double_click_adds_and_edits(world):
    """Double click adds and edits."""
    person = world.person
    show(world, "search.json")
    x, y = place(world, 0, "value swift at 0.4")
    press(world, (x + seconds(world, 0.2), y), count=2)
    person.sees("Value", ".marbles-editor")
    person.press("Ctrl+a")
    person.type("typed")
    person.press("Enter")
    wait_values(world, 0, [*TYPED[:3], "typed 0.6", *TYPED[3:]])
    press(world, place(world, 0, "value typed"), count=2)
    person.sees("Value", ".marbles-editor")
    person.click("button", "Failure", ".marbles-editor")
    person.click("button", "Done", ".marbles-editor")
    wait_values(world, -1, ["failure 0.6"])


@play(PLAYS)
def members_of_a_record_have_fields_and_errors(world):
    """Members of a record have fields and errors."""
    person = world.person
    show(world, "tilt.json")
    press(world, place(world, 0, "value 0.0 at 1 "), count=2)
    person.sees("z", ".marbles-editor")
    field = person.css(".marbles-members input")[2]
    field.clear()
    field.send_keys("up")
    person.sees("Enter a number", ".marbles-members .error")
    field.clear()
    field.send_keys("-1")
    person.wait(lambda: not person.text(".marbles-members .error"), "the end of the error")
    field.send_keys(Keys.ENTER)
    person.wait(lambda: "tiltedUp" in str(names(world, 1)), "the operator's answer")
    Select(person.css(".marbles-controls select")[1]).select_by_visible_text("z")
    person.wait(lambda: "value -1.0 at 1 second, from gravity" in names(world, 0), "the label")


@play(PLAYS)
def rubber_band_selects(world):
    """Rubber band selects."""
    person = world.person
    show(world, "search.json")
    (left, y), (right, _) = place(world, 0, "value swif at 0.9"), place(world, 0, "value swift at 1.1")
    drag(world, (left - 40, y - 12), (left, y), (right + 30, y + 12))
    person.sees("2 selected", ".marbles-tools")
    person.click("button", "Duplicate", ".marbles-tools")
    wait_values(world, 0, [*TYPED[:5], "swif 1.6", "sw 1.7", "swift 1.8", "finished 1.8"])
    person.click("button", "Delete", ".marbles-tools")
    wait_values(world, 0, TYPED)


@play(PLAYS)
def nothing_fed_and_the_way_out(world):
    """Nothing fed and the way out."""
    person = world.person
    show(world, "search.json")
    Select(person.css(".marbles-controls select")[0]).select_by_visible_text("None")
    person.sees("Nothing is published", ".notice")
    person.click("button", "Add a value", ".notice")
    person.sees("Value", ".marbles-editor")
    person.press("Ctrl+a")
    person.type("שלום")
    person.press("Enter")
    wait_values(world, -1, ["שלום 0.3"])


@play(PLAYS)
def scrubbing(world):
    """Scrubbing."""
    person = world.person
    show(world, "search.json")
    person.js("document.querySelector('.player-handle').focus()")
    person.press("Home", "PageDown", "PageDown")
    person.sees("400 ms of 1.8 s", ".player-readout")
    expect_equal(len(person.css(".player-row:first-child .player-mark.is-later")), 4)
    person.click("button", "Next instant")
    person.sees("700 ms", ".player-readout")
    person.click("button", "Previous instant")
    person.sees("400 ms", ".player-readout")
    person.click("button", "Play")
    person.sees("1.8 s of 1.8 s", ".player-readout")
    person.click("button", "Zoom in")
    person.click("button", "Zoom in")
    person.wait(lambda: len(person.css(".player-scroll.is-needed")) == 1, "the scroll bar")
    person.click("button", "Show the whole run")
    person.wait(lambda: not person.css(".player-scroll.is-needed"), "the whole run")


@play(PLAYS)
def items_of_a_file_are_dragged(world):
    """Items of a file are dragged."""
    person = world.person
    show(world, "serial-a.json")
    x, y = place(world, -1, "value 2 at 2 ")
    drag(world, (x, y), (x + 10, y), (x + seconds(world, 0.5), y))
    wait_values(world, -1, ["1 1", "2 2.5", "3 3.5", "4 4.5", "finished 4.5"])
    person.click("button", "Item", ".marbles-tools")
    wait_values(world, -1, ["1 1", "2 2.5", "3 3.5", "4 4.5", "1 5.5", "finished 5.5"])
    press(world, place(world, -1, "value 3"), count=2)
    person.sees("Delay in seconds", ".marbles-editor")
    person.press("Ctrl+a")
    person.type("three")
    person.press("Enter")
    wait_values(world, -1, ["1 1", "2 2.5", "three 3.5", "4 4.5", "1 5.5", "finished 5.5"])
    for _ in range(12):
        person.press("Ctrl+z")
    wait_values(world, -1, ["1 1", "2 2", "3 3", "4 4", "finished 4"])


@play(PLAYS)
def text_with_an_error_dims_the_picture(world):
    """Text with an error dims the picture."""
    person, server = world.person, world.server
    server.write("broken.json", server.read("search.json").replace("size(value)", "size(valu)"))
    person.open(server, "Marbles", "broken.json")
    person.sees("there is no name 'valu' here", ".notice.error")
    person.click("button", "Show in text")
    person.wait(lambda: "#/text/" in person.driver.current_url, "the text")


@play(PLAYS)
def accessible_tracks_in_narrow_windows(world):
    """Tracks of records break no rule of axe, and fit into windows of 320 and 360 px."""
    person = world.person
    show(world, "tilt.json")
    person.check_accessibility()
    for width in (320, 360):
        person.resize(width, 800)
        pass
        time.sleep(0.3)
        expect(person.js("return document.documentElement.scrollWidth") <= width, f"wider than width")
    person.check_accessibility()
