"""The Live view in a browser: python3 Tests/Studio/test_live.py

Set STREAMRUN to the built command to test that a stream of another process is watched.
"""
import json
import os
import re
import signal
import subprocess

from selenium.webdriver.support.ui import Select

from browser import ROOT, Keys, StudioTest, time, unittest

STREAMRUN = os.environ.get("STREAMRUN", os.path.join(ROOT, ".build/debug/streamrun"))


class LiveTest(StudioTest):
    def setUp(self):
        super().setUp()
        # Chromium asks for it at a page that is a picture, from which each test begins.
        self.expected_errors = ("favicon.ico",)

    def begin(self, path):
        self.open("live", path)
        ready = "return document.querySelector('.live-start .primary')?.disabled === false"
        self.wait(lambda: self.js(ready), "the form")

    def start(self):
        self.click("Start", ".live-start")
        self.wait_for(".live .badge", "Running")

    def published(self):
        return [item.text for item in self.all(".live-log code")]

    def counts(self):
        """The number of values of each track."""
        heads = self.js("return [...document.querySelectorAll('.live-head')].map((head) => head.innerText)")
        counts = {}
        for head in heads:
            count = re.search(r"(\d[\d,]*) values?", head).group(1)
            counts[head.split("\n")[0]] = int(count.replace(",", ""))
        return counts

    def send(self, text):
        field = self.all(".live-send-form input")[0]
        field.send_keys(Keys.CONTROL + "a")
        field.send_keys(text + Keys.ENTER)

    def edit_text(self, before, after):
        """Changes the text as in the Text view, without leaving the run."""
        self.js("location.hash = location.hash.replace('/live/', '/text/')")
        self.wait(lambda: self.all(".editor .input"), "the editor")
        self.js("""
            const [before, after] = arguments;
            const area = document.querySelector(".editor .input");
            area.focus();
            const at = area.value.indexOf(before);
            area.setSelectionRange(at, at + before.length);
            document.execCommand("insertText", false, after);
        """, before, after)
        self.js("location.hash = location.hash.replace('/text/', '/live/')")
        self.wait(lambda: self.all(".live-running"), "the live view")

    def test_feeding_by_hand(self):
        self.begin("search.json")
        self.start()
        for text in ("sw", "swi", "swift"):
            self.send(text)
        self.wait(lambda: self.published() == ["swift"], "the value")
        expected = {"query": 3, "filter": 2, "debounce": 1, "removeDuplicates": 1}
        self.wait(lambda: self.counts() == expected, "the counts")
        self.wait(lambda: "frames/s" in self.text(".live-rate"), "the rate")
        # The values of the test are buttons.
        self.click("swif", ".live-send")
        self.wait(lambda: self.published() == ["swift", "swif"], "the value of the button")
        self.wait_for(".live-states", "removeDuplicates")
        self.click("Finish", ".live-send")
        self.wait_for(".live .notice", "The stream has finished.")
        self.click("Run again")
        self.wait_for(".live .badge", "Running")
        self.assertEqual(self.counts()["query"], 0)
        self.click("Stop")
        self.wait_for(".live .notice", "Stopped.")

    def test_typed_fields_tell_errors(self):
        self.begin("tilt.json")
        self.start()
        field = self.all(".live-send-form input")[0]
        field.clear()
        field.send_keys("up" + Keys.ENTER)
        self.wait_for(".live-send .error", "Enter a number")
        self.assertEqual(self.counts()["gravity"], 0)
        field.clear()
        field.send_keys("0.5" + Keys.ENTER)
        self.wait(lambda: self.counts()["gravity"] == 1, "the value")
        self.click("Stop")

    def test_swapping_keeps_state(self):
        self.begin("search.json")
        self.start()
        self.send("swift")
        self.wait(lambda: self.published() == ["swift"], "the value")
        self.edit_text("size(value) > 2", "size(value) > 3")
        self.wait_for(".live .notice", "The new text runs.")
        self.send("swift")
        self.send("abc")
        time.sleep(0.6)
        # `removeDuplicates` has kept the value, and "abc" is too short now.
        self.assertEqual(self.published(), ["swift"])
        self.edit_text("size(value) > 3", "size(valu) > 3")
        self.send("swifts")
        self.wait(lambda: self.published() == ["swift", "swifts"], "the version before the error")
        self.click("Stop")

    def test_feeding_from_a_file(self):
        self.studio.write("numbers.ndjson", "\n".join(str(number) for number in range(300)) + "\n")
        self.studio.write("double.json", json.dumps({
            "inputs": {"n": {"type": "int"}}, "source": {"input": {"name": "n"}},
            "operators": [{"map": {"expression": "value * 2"}}],
        }))
        self.begin("double.json")
        Select(self.all(".live-feed select")[0]).select_by_visible_text("A file")
        Select(self.all(".live-feed select")[1]).select_by_value("numbers.ndjson")
        speed = self.all(".live-feed input")[0]
        speed.clear()
        speed.send_keys("x")
        self.click("Start", ".live-start")
        self.wait_for(".live-feed .error", "Enter a number")
        speed.clear()
        speed.send_keys("100")
        self.start()
        self.wait(lambda: self.counts()["map"] > 100, "a hundred values")
        rate = self.wait(lambda: re.match(r"(\d+) frames", self.text(".live-rate")), "the rate")
        print(f"\n100 values a second through 2 tubes: {rate.group()}/s")
        self.wait_for(".live .notice", "The stream has finished.")
        self.wait(lambda: self.counts()["map"] == 300, "the last value")
        self.wait(lambda: self.published()[-2:] == ["598", "finished"], "the end")

    def test_reduced_motion_is_a_list(self):
        self.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "reduce"}])
        self.addCleanup(self.cdp, "Emulation.setEmulatedMedia", features=[])
        self.begin("serial-a.json")
        self.start()
        self.wait(lambda: "2" in self.text(".live-list"), "the list")
        self.assertEqual(self.text(".live-canvas-box"), "")
        self.wait_for(".live .notice", "The stream has finished.")

    def test_a_stream_of_another_process(self):
        if not os.path.exists(STREAMRUN):
            self.skipTest("STREAMRUN is not built")
        self.studio.write("ticks.json", '{"source": {"timer": {"every": 0.1}}}')
        process = subprocess.Popen(
            [STREAMRUN, "ticks.json", "--state", "ticks.state"], cwd=self.studio.folder, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        self.addCleanup(process.wait)
        self.addCleanup(process.send_signal, signal.SIGTERM)
        self.wait(lambda: os.path.exists(self.studio.path("ticks.state/socket")), "the run")
        self.begin("search.json")
        self.click("ticks.state", ".live-start")
        self.wait_for(".live-table", "/s")
        self.wait_for(".live-facts", str(process.pid))
        self.click("Stop watching")
        self.assertIsNone(process.poll())

    def test_accessibility_and_narrow_windows(self):
        self.begin("search.json")
        self.check_accessibility()
        self.start()
        self.send("swift")
        self.wait(lambda: self.published() == ["swift"], "the value")
        self.check_accessibility()
        self.resize(320, 800)
        self.addCleanup(self.resize, self.width, self.height)
        time.sleep(0.3)
        self.assertLessEqual(self.js("return document.documentElement.scrollWidth"), 320)
        self.click("Stop")


if __name__ == "__main__":
    unittest.main()
