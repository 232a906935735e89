"""Plays about the editor of the text: keys, input methods, search, names, long files."""
import json
import time

from server import expect, expect_equal, expect_in, play

PLAYS = []


def value(world):
    person = world.person
    return person.js("return document.querySelector('.editor .input')?.value ?? ''")


def caret(world, before, after=""):
    """Puts the caret between two texts that stand together."""
    person = world.person
    person.wait(lambda: person.css(".editor .input") and before + after in value(world), f"'{before + after}'")
    person.js("const area = document.querySelector('.editor .input'); area.focus();"
            "const at = area.value.indexOf(arguments[0] + arguments[1]) + arguments[0].length;"
            "area.setSelectionRange(at, at)", before, after)


def selected(world):
    person = world.person
    return person.js("const a = document.querySelector('.editor .input');"
                   "return a.value.slice(a.selectionStart, a.selectionEnd)")


def files(world):
    person, server = world.person, world.server
    person.driver.get(server.link)
    person.sees("search.json", ".tree")
    return person.text(".tree")


@play(PLAYS)
def input_method(world):
    """Input method."""
    person, server = world.person, world.server
    person.open(server, "Text", "search.json")
    caret(world, "Search as you type")
    person.cdp("Input.imeSetComposition", text="\u306b\u307b", selectionStart=2, selectionEnd=2)
    expect_in("type\u306b\u307b", value(world))
    person.cdp("Input.insertText", text="\u65e5\u672c")
    expect_in("type\u65e5\u672c\"", value(world))
    person.press("Ctrl+z")
    expect("\u65e5\u672c" not in value(world), "\u65e5\u672c")


@play(PLAYS)
def find_format_and_rename(world):
    """Find format and rename."""
    person, server = world.person, world.server
    person.open(server, "Text", "search.json")
    caret(world, "{")
    person.press("Ctrl+f")
    person.type("SWIFT")
    person.sees("1 of 2", ".find")
    person.press("Escape")
    expect_equal(selected(world), "swift")
    person.press("Ctrl+f")
    person.sees("1 of 2", ".find")
    person.press("Enter")
    person.sees("2 of 2", ".find")
    person.press("Escape")
    expect_equal(selected(world), "swift")
    caret(world, '"query', '": { "type"')
    person.press("F2")
    person.type("typed")
    person.press("Enter")
    person.wait(lambda: value(world).count('"typed"') == 3, "the new name")
    caret(world, "{")
    person.press("Enter", "Enter")
    person.press("Shift+Alt+f")
    person.wait(lambda: value(world).startswith('{\n  "format"'), "the format")


@play(PLAYS)
def tab_is_no_trap(world):
    """Tab is no trap."""
    person, server = world.person, world.server
    person.open(server, "Text", "search.json")
    caret(world, "{")
    person.press("Tab")
    expect(value(world).startswith("{  \n"), "it is not so")
    person.press("Escape", "Tab")
    expect(person.js("return document.activeElement.tagName") != "TEXTAREA", "both are " + repr("TEXTAREA"))


@play(PLAYS)
def problem_leads_to_its_place(world):
    """Problem leads to its place."""
    person, server = world.person, world.server
    person.open(server, "Text", "search.json")
    caret(world, "size(value")
    person.press("Backspace", "Escape")
    person.sees("valu", ".problems")
    person.press("Alt+8")
    person.sees("Picture", ".share-view")
    person.css(".problems > button")[0].click()
    person.css(".problems .problem-link")[0].click()
    person.wait(lambda: person.css(".editor .input") and selected(world) == "valu", "the selection")


@play(PLAYS)
def five_thousand_lines(world):
    """Typing among 5,000 lines is drawn in one frame, and only the lines in sight are in the page."""
    person, server = world.person, world.server
    operators = [{"map": {"expression": f"value + {index}"}} for index in range(500)]
    model = {"inputs": {"q": {"type": "int"}}, "source": {"input": {"name": "q"}}, "operators": operators}
    text = json.dumps(model, indent=2).replace('"expression"', "\n" * 6 + '      "expression"')
    expect(text.count("\n") > 5000, "the text is too short")
    server.write("long.json", text)
    person.wait(lambda: "long.json" in files(world), "the file")
    person.open(server, "Text", "long.json")
    caret(world, "value + 250")
    person.js("""
        window.times = [];
        document.querySelector(".editor .input").addEventListener("input", () => {
          const start = performance.now();
          requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = () => window.times.push(performance.now() - start);
            port2.postMessage(0);
          });
        });
    """)
    for digit in "1234567890" * 2:
        person.type(digit)
        time.sleep(0.05)
    times = sorted(person.wait(lambda: (times := person.js("return times"))[19:] and times, "the frames"))
    world.note(f"from input to the end of the frame: median {times[10]:.1f} ms, most {times[-1]:.1f} ms")
    expect(times[10] < 50, f"{times[10]}")
    expect(len(person.css(".layer .line")) < 120, "too many lines are in the page")
    expect_in("value + 25012345678901234567890", person.text(".layer"))


@play(PLAYS)
def accessible_errors_and_completion(world):
    """A marked error and the open completion break no rule of axe, in light and dark."""
    person, server = world.person, world.server
    for theme in ("light", "dark"):
        person.media(theme=theme)
        server.write(f"{theme}.json", server.read("search.json"))
        person.open(server, "Text", f"{theme}.json")
        caret(world, "size(value")
        person.press("Backspace")
        person.sees("valu", ".problems")
        person.press("Ctrl+Space")
        person.sees("value", ".completion")
        person.check_accessibility()
