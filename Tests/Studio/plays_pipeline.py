"""Plays about the cards and forms of Pipeline."""
import json
import time

from selenium.webdriver.common.action_chains import ActionChains

from server import expect, expect_equal, expect_in, play
from studio import Keys

PLAYS = []
SEARCH_BOX = {
    "inputs": {"query": {"type": "string"}},
    "source": {"input": {"name": "query"}},
    "operators": [
        {"filter": {"expression": "size(value) > 2"}},
        {"debounce": {"seconds": 0.3}},
        {"removeDuplicates": {}},
    ],
}
MANY = """{
  "inputs": { "a": { "type": "int" }, "b": {} },
  "streams": {
    "left": { "source": { "input": { "name": "a" } }, "operators": [ { "count": {} } ] }
  },
  "stream": [ { "value": 1, "operators": [ { "delay": { "seconds": 1 } } ] }, { "value": 2.0 } ],
  "operators": [
    { "merge": { "with": [ "left", { "source": { "timer": { "every": 1.0 } } } ] } },
    { "groupBy": { "key": "value",   "operators": [ { "count": {} } ] } }
  ],
  "tests": [ { "name": "t", "inputs": { "a": { "values": [ 1 ] } }, "expect": { "values": [], "finished": false } } ]
}
"""


def pointer_of(world):
    """The pointer of the card that has the focus."""
    person = world.person
    return person.js("return document.activeElement?.dataset?.pointer ?? null")


def names(world):
    person = world.person
    return person.js("return [...document.querySelectorAll('.pipeline .node')].filter(e => e.checkVisibility())"
                   ".map(e => e.querySelector('.node-name').textContent)")


def draft_of(world):
    """The draft that is shown, which the page keeps for a reload."""
    person, server = world.person, world.server
    time.sleep(0.5)
    path = person.js("return decodeURIComponent(location.hash.replace(/^#[/]pipeline[/]/, ''))")
    kept = person.js("return sessionStorage.getItem('studio.draft:' + arguments[0])", path)
    return json.loads(kept)["text"] if kept else server.read(path)


def card(world, pointer):
    person = world.person
    selector = f'.pipeline .node[data-pointer="{pointer}"]'
    return person.wait(lambda: next(iter(person.css(selector)), None), f"the card {pointer}")


def wait_focus(world, pointer):
    person = world.person
    person.wait(lambda: pointer_of(world) == pointer, f"the focus on {pointer}, not {pointer_of(world)}")


def field(world, label):
    """The control of the field of a label."""
    person = world.person
    def find():
        for field in person.css(".inspector .field"):
            title = person.js("return arguments[0].querySelector('label')?.firstChild.textContent", field)
            if title == label and field.is_displayed():
                return field.find_element("css selector", "input, textarea, select")
        return None
    return person.wait(find, f"the field '{label}'")


def open_text(world, name, text):
    person, server = world.person, world.server
    server.write(name, text)
    time.sleep(0.3)
    person.open(server, "Pipeline", name)
    person.resize(1440, 1200)
    person.wait(lambda: names(world), "the cards")


def pick_by_keys(world, query):
    """Chooses from the catalog by the keyboard."""
    person = world.person
    person.sees("", "dialog.picker")
    person.wait(lambda: person.js("return document.activeElement.type === 'search'"), "the search")
    person.type(query)
    person.press("Enter")
    person.wait(lambda: not person.css("dialog.picker"), "the end of the dialog")


def pick_by_mouse(world, name):
    person = world.person
    def find():
        for option in person.css("dialog.picker [role=option]"):
            if option.find_element("css selector", "code").text == name:
                return option
        return None
    option = person.wait(find, f"the choice '{name}'")
    person.js("arguments[0].scrollIntoView({ block: 'center' })", option)
    option.click()
    person.click("button", f"Add {name}", "dialog")
    person.wait(lambda: not person.css("dialog.picker"), "the end of the dialog")


def typed(world, tag):
    """The control in which one types, once the form of a new card has it."""
    person = world.person
    def find():
        element = person.driver.switch_to.active_element
        return element if element.tag_name == tag else None
    return person.wait(find, f"the focus in a {tag}")


@play(PLAYS)
def an_edit_keeps_every_other_byte(world):
    """An edit keeps every other byte."""
    person = world.person
    open_text(world, "bytes.json", MANY)
    card(world, "/operators/1").click()
    key = field(world, "Key")
    key.clear()
    key.send_keys("value % 2")
    expect_equal(draft_of(world), MANY.replace('"value", ', '"value % 2", '))
    person.press("Ctrl+z")
    person.wait(lambda: field(world, "Key").get_attribute("value") == "value", "the undo")
    card(world, "/stream").click()
    items = lambda: [element.get_attribute("value") for element in person.css(".rows.items input")]
    person.wait(lambda: items() == ["1", "1", "2.0", ""], "the items")


@play(PLAYS)
def operators_move_by_keys_and_by_dragging(world):
    """Operators move by keys and by dragging."""
    person = world.person
    open_text(world, "moves.json", json.dumps(SEARCH_BOX, indent=2))
    card(world, "/operators/2").click()
    person.press("Alt+Up")
    wait_focus(world, "/operators/1")
    expect_equal(names(world)[3:6], ["filter", "removeDuplicates", "debounce"])
    person.type("d")
    wait_focus(world, "/operators/2")
    expect_equal(names(world)[3:7], ["filter", "removeDuplicates", "removeDuplicates", "debounce"])
    person.press("Delete")
    person.wait(lambda: len(names(world)) == 6, "the removal")
    source, target = card(world, "/operators/2"), card(world, "/operators/0")
    ActionChains(person.driver).click_and_hold(source).move_by_offset(0, -20) \
        .move_to_element_with_offset(target, 0, -12).release().perform()
    person.wait(lambda: names(world)[3:6] == ["debounce", "filter", "removeDuplicates"], "the drop")


@play(PLAYS)
def an_operator_moves_into_another_stream(world):
    """An operator moves into another stream."""
    person = world.person
    open_text(world, "lanes.json", MANY)
    ActionChains(person.driver).click_and_hold(card(world, "/operators/1")).move_by_offset(0, -20) \
        .move_to_element(card(world, "/streams/left/source")).release().perform()
    wait_focus(world, "/streams/left/operators/0")
    draft = json.loads(draft_of(world))
    expect_equal([list(o)[0] for o in draft["streams"]["left"]["operators"]], ["groupBy", "count"])
    person.click("button", "Move to…")
    pick_by_keys(world, "the stream of")
    wait_focus(world, "/operators/1")
    expect_equal(json.loads(draft_of(world)), json.loads(MANY))


@play(PLAYS)
def a_name_is_taken_when_one_goes_on_to_another_field(world):
    """A name is taken when one goes on to another field."""
    person, server = world.person, world.server
    server.write("blur.json", json.dumps(SEARCH_BOX))
    time.sleep(0.3)
    person.open(server, "Pipeline", "blur.json")
    card(world, "/inputs/query").click()
    field(world, "Name").click()
    ActionChains(person.driver).key_down(Keys.CONTROL).send_keys("a").key_up(Keys.CONTROL).send_keys("term").perform()
    field(world, "Type").click()
    person.wait(lambda: person.css('.pipeline .node[data-pointer="/inputs/term"]'), "the new name")
    has_focus = lambda: person.js("return document.activeElement === arguments[0]", field(world, "Type"))
    person.wait(has_focus, "the focus in the same field")
    expect_in('"term"', draft_of(world))
    expect('"query"' not in draft_of(world), '"query"')


@play(PLAYS)
def a_name_changes_with_its_references(world):
    """A name changes with its references."""
    person = world.person
    open_text(world, "names.json", MANY)
    card(world, "/inputs/a").click()
    name = field(world, "Name")
    name.clear()
    name.send_keys("b", Keys.ENTER)
    person.sees("There is a stream or an input 'b'", ".inspector .error")
    name.clear()
    name.send_keys("first", Keys.ENTER)
    wait_focus(world, "/inputs/first")
    draft = json.loads(draft_of(world))
    expect_equal(draft["streams"]["left"]["source"], {"input": {"name": "first"}})
    expect_equal(list(draft["tests"][0]["inputs"]), ["first"])
    card(world, "/streams/left").click()
    name = field(world, "Name")
    name.clear()
    name.send_keys("right", Keys.ENTER)
    wait_focus(world, "/streams/right")
    expect_equal(json.loads(draft_of(world))["operators"][0]["merge"]["with"][0], "right")


@play(PLAYS)
def completion_in_an_expression(world):
    """Completion in an expression."""
    person = world.person
    open_text(world, "completion.json", json.dumps(SEARCH_BOX, indent=2))
    card(world, "/operators/0").click()
    expression = field(world, "Expression")
    expression.send_keys(Keys.END, " && !value.star")
    person.sees("startsWith", ".suggestions")
    expression.send_keys(Keys.ENTER)
    person.wait(lambda: "value.startsWith(" in expression.get_attribute("value"), "the completion")
    expect("\n" not in expression.get_attribute("value"), "\n")


@play(PLAYS)
def forms_check_what_one_types(world):
    """Forms check what one types."""
    person = world.person
    open_text(world, "fields.json", json.dumps(SEARCH_BOX, indent=2))
    card(world, "/operators/1").click()
    seconds = field(world, "Seconds")
    seconds.clear()
    seconds.send_keys("many")
    person.sees("Enter a number", ".inspector .error")
    seconds.clear()
    seconds.send_keys("-1")
    person.sees("expected a number of seconds", ".inspector .problem")
    person.sees("debounce", ".node.has-error")
    seconds.clear()
    seconds.send_keys("2", Keys.ARROW_UP)
    person.wait(lambda: not person.css(".node.has-error"), "the end of the error")
    expect_in('"seconds": 3\n', draft_of(world))


@play(PLAYS)
def a_problem_leads_to_its_field(world):
    """A problem leads to its field."""
    person = world.person
    stream = json.loads(json.dumps(SEARCH_BOX))
    stream["operators"][0]["filter"]["expression"] = "size(value) > 2 && valu == 'a'"
    open_text(world, "problem.json", json.dumps(stream, indent=2))
    person.sees("filter", ".node.has-error")
    card(world, "/operators/2").click()
    person.js("document.querySelector('.problems button').click()")
    person.wait(lambda: person.css("#problem-list button"), "the list")[0].click()
    person.wait(lambda: person.js("""
        const { tagName, value, selectionStart, selectionEnd } = document.activeElement;
        return tagName === "TEXTAREA" && value.slice(selectionStart, selectionEnd) === "valu";
    """), "the characters")


@play(PLAYS)
def a_file_gets_outputs(world):
    """A file gets outputs."""
    person = world.person
    open_text(world, "outputs.json", MANY)
    person.click("button", "Add output")
    card(world, "/outputs/output/stream/operators/0")
    draft = json.loads(draft_of(world))
    expect("operators" not in draft, "operators")
    expect_equal(draft["outputs"]["output"]["stream"]["operators"], json.loads(MANY)["operators"])


@play(PLAYS)
def a_text_that_is_not_json_is_said(world):
    """A text that is not json is said."""
    person, server = world.person, world.server
    server.write("broken.json", '{ "source": }')
    time.sleep(0.3)
    person.open(server, "Pipeline", "broken.json")
    person.sees("not valid JSON in line 1", ".pipeline-view .notice")
    person.click("button", "Show the text")
    person.wait(lambda: "#/text/" in person.driver.current_url, "the text")


@play(PLAYS)
def five_hundred_operators(world):
    """Five hundred operators."""
    person = world.person
    operators = [{"map": {"expression": f"value + {number}"}} for number in range(500)]
    stream = {"inputs": {"a": {"type": "int"}}, "source": {"input": {"name": "a"}}, "operators": operators}
    open_text(world, "long.json", json.dumps(stream, indent=2))
    person.wait(lambda: len(person.css(".step-node")) == 501, "all cards")
    times = person.driver.execute_async_script("""
        const done = arguments[arguments.length - 1];
        const frame = () => new Promise((next) => requestAnimationFrame(() => setTimeout(next)));
        (async () => {
          const times = [];
          for (const number of [3, 250, 499, 251, 4]) {
            const begin = performance.now();
            document.querySelector(`.node[data-pointer="/operators/${number}"]`).focus();
            await frame();
            times.push(performance.now() - begin);
          }
          done(times.sort((a, b) => a - b));
        })();
    """)
    world.note(f"select among 500 operators: {times[2]:.0f} ms")
    expect(times[2] < 100, f"{times[2]}")


@play(PLAYS)
def accessible_forms(world):
    """The forms of cards and the catalog break no rule of axe, wide and at 360 px."""
    person = world.person
    open_text(world, "accessible.json", MANY)
    for pointer in ("/operators/0", "/operators/1", "/stream", "/inputs/a", "/streams/left", ""):
        card(world, pointer).click()
        for more in person.css(".inspector details:not([open]) > summary"):
            if more.is_displayed():
                more.click()
        person.check_accessibility()
    card(world, "/operators/0").click()
    person.type("a")
    person.sees("map", "dialog.picker")
    person.check_accessibility()
    person.press("Escape")
    person.resize(360, 780)
    card(world, "/operators/0").click()
    person.check_accessibility()
    width = person.js("return document.documentElement.scrollWidth")
    person.resize(1440, 1200)
    expect(width <= 360, f"wider than 360")
