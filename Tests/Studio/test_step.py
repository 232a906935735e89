"""Recordings, step by step in a browser: python3 Tests/Studio/test_step.py"""
import json
import os

from selenium.webdriver.support.ui import Select

from browser import Keys, StudioTest, time, unittest

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


class StepTest(StudioTest):
    width, height = 1300, 1100

    def open_recording(self):
        self.studio.write("sum.json", STREAM)
        self.studio.write("sum.ndjson", recording(self.studio.path("sum.json")))
        time.sleep(0.3)
        self.open("step", "sum.json")
        self.wait_for(".tape-event", "Before the first event")

    def test_an_empty_folder_says_what_to_do(self):
        if os.path.exists(self.studio.path("sum.ndjson")):
            os.remove(self.studio.path("sum.ndjson"))
        time.sleep(0.3)
        self.open("step", "search.json")
        self.wait_for(".step-view .empty", "--record")

    def test_the_keys_go_through_the_tape(self):
        self.open_recording()
        self.keys("n")
        self.wait_for(".tape-event", "Input a receives 1")
        self.keys("n")
        self.wait_for(".tape-event", "Input a receives 2")
        self.wait(lambda: "acc" in self.text(".step-card.changed"), "the change of the state")
        self.keys("b")
        self.wait_for(".tape-event", "Input a receives 1")
        operator = Select(self.browser.find_element("css selector", "[aria-label=Operator]"))
        operator.select_by_index(len(operator.options) - 1)
        self.js("document.activeElement.blur()")
        self.keys("o")
        self.wait_for(".tape-event", "at 750 ms")
        self.wait_for("[aria-label=Outputs]", "3")
        self.keys("o")
        self.wait_for("[aria-label=Outputs]", "7")
        self.keys("e")
        self.wait_for(".tape-event", "finishes")
        self.check_accessibility()
        position = self.browser.find_element("css selector", "[aria-label=Event]")
        position.clear()
        position.send_keys("2", Keys.ENTER)
        self.wait_for(".tape-event", "Input a receives 2")

    def test_the_draft_is_compared(self):
        self.open_recording()
        self.click("Compare with the draft")
        self.wait_for(".step-comparison", "The draft publishes the same")
        self.click("Pipeline")
        self.wait(lambda: self.all('.node[data-pointer="/operators/1"]'), "the cards")[0].click()
        seconds = self.wait(lambda: self.all(".inspector input.number"), "the field")[0]
        seconds.clear()
        seconds.send_keys("0.2")
        time.sleep(0.5)
        self.click("Step")
        self.wait_for(".tape-event", "Before the first event")
        self.click("Compare with the draft")
        self.wait_for(".step-comparison", "different output event")
        self.wait_for(".run-differences", "200 ms")


if __name__ == "__main__":
    unittest.main()
