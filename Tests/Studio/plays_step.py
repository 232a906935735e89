"""Plays about recordings as tapes."""
import json
import os
import subprocess
import time

from selenium.webdriver.support.ui import Select

from server import expect, play
from studio import Keys

PLAYS = []
STREAM = """{
  "inputs": { "a": { "type": "int" } },
  "source": { "input": { "name": "a" } },
  "operators": [
    { "id": "sum", "scan": { "initialValue": 0, "expression": "acc + value" } },
    { "id": "quiet", "debounce": { "seconds": 0.5 } }
  ]
}
"""


def recording(path):
    """What `streamrun FILE --record` writes for four values."""
    header = {
        "recording": 1, "streamrun": "0", "options": {"virtual": True}, "inputs": ["a"], "parameters": {}, "data": [],
        "stream": {"file": os.path.basename(path), "path": path, "id": "", "text": STREAM, "files": {}},
        "origin": "1970-01-01T00:00:00Z", "started": "2026-01-01T00:00:00Z",
    }
    lines = [
        {"at": 0, "input": "a", "value": 1}, {"at": 0.25, "input": "a", "value": 2}, {"at": 0.75, "timer": True},
        {"at": 2, "input": "a", "value": 4}, {"at": 2.5, "timer": True}, {"at": 3, "input": "a", "finished": True},
        {"end": 3, "events": 6, "values": 2, "because": "finished"},
    ]
    return "".join(json.dumps(line) + "\n" for line in [header, *lines])


def open_recording(world):
    person, server = world.person, world.server
    server.write("sum.json", STREAM)
    server.write("sum.ndjson", recording(server.path("sum.json")))
    time.sleep(0.3)
    person.open(server, "Step", "sum.json")
    person.sees("Before the first event", ".tape-event")


@play(PLAYS)
def an_empty_folder_says_what_to_do(world):
    """An empty folder says what to do."""
    person, server = world.person, world.server
    if os.path.exists(server.path("sum.ndjson")):
        os.remove(server.path("sum.ndjson"))
    time.sleep(0.3)
    person.open(server, "Step", "search.json")
    person.sees("--record", ".step-view .empty")


@play(PLAYS)
def the_keys_go_through_the_tape(world):
    """The keys go through the tape."""
    person = world.person
    open_recording(world)
    person.type("n")
    person.sees("Input a receives 1", ".tape-event")
    person.type("n")
    person.sees("Input a receives 2", ".tape-event")
    person.wait(lambda: "acc" in person.text(".step-card.changed"), "the change of the state")
    person.type("b")
    person.sees("Input a receives 1", ".tape-event")
    operator = Select(person.driver.find_element("css selector", "[aria-label=Operator]"))
    operator.select_by_index(len(operator.options) - 1)
    person.js("document.activeElement.blur()")
    person.type("o")
    person.sees("at 750 ms", ".tape-event")
    person.sees("3", "[aria-label=Outputs]")
    person.type("o")
    person.sees("7", "[aria-label=Outputs]")
    person.type("e")
    person.sees("finishes", ".tape-event")
    person.check_accessibility()
    position = person.driver.find_element("css selector", "[aria-label=Event]")
    position.clear()
    position.send_keys("2", Keys.ENTER)
    person.sees("Input a receives 2", ".tape-event")


@play(PLAYS)
def the_draft_is_compared(world):
    """The draft is compared."""
    person = world.person
    open_recording(world)
    person.click("button", "Compare with the draft")
    person.sees("The draft publishes the same", ".step-comparison")
    person.click("link", "Pipeline")
    person.wait(lambda: person.css('.node[data-pointer="/operators/1"]'), "the cards")[0].click()
    seconds = person.wait(lambda: person.css(".inspector input.number"), "the field")[0]
    seconds.clear()
    seconds.send_keys("0.2")
    time.sleep(0.5)
    person.click("link", "Step")
    person.sees("Before the first event", ".tape-event")
    person.click("button", "Compare with the draft")
    person.sees("different output event", ".step-comparison")
    person.sees("200 ms", ".run-differences")


@play(PLAYS)
def step_through_a_recording(world):
    """A recording is gone through by keys, forth and back, and to the next output of an operator."""
    person, server = world.person, world.server
    subprocess.run([world.streamrun, "--virtual", "filter.json", "--record", "run.ndjson"], cwd=server.folder,
                   check=True, capture_output=True)
    person.open(server, "Step", "filter.json")
    person.sees("Before the first event")
    person.click("button", "Next")
    person.wait(lambda: person.value("textbox", "Event") == "1", "the first event")
    person.js("document.activeElement.blur()")
    person.press("n")
    person.wait(lambda: person.value("textbox", "Event") == "2", "the second event")
    person.press("b")
    person.wait(lambda: person.value("textbox", "Event") == "1", "the first event again")
    menu = person.find("combobox", "Operator")
    options = person.js("return [...arguments[0].options].map((o) => o.text)", menu)
    chosen = person.js("return arguments[0].selectedOptions[0].text", menu)
    expect("filter" in chosen, f"the last operator is not chosen, but {chosen} of {options}")
    expect("9223372036854775807" not in person.text(".step-view"), "a demand without limit is a number")
    person.sees("unlimited", ".step-view")
    person.click("button", "Next output")
    person.wait(lambda: person.text("section[aria-label=Outputs]").strip(), "an output")
    person.click("button", "End")
    person.wait(lambda: person.find("button", "Next").get_property("disabled"), "the end of the tape")
    person.click("button", "Compare with the draft")
    person.sees("publishes the same")
