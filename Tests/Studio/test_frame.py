"""The frame around the views in a browser: python3 Tests/Studio/test_frame.py"""
import os

from browser import Keys, StudioTest, time, unittest

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


class FrameTest(StudioTest):
    def value(self):
        return self.js("return document.querySelector('.editor .input')?.value ?? ''")

    def replace(self, old, new):
        """Types over a part of the text."""
        self.wait(lambda: old in self.value(), f"'{old}'")
        self.js("""
            const [old, text] = arguments;
            const area = document.querySelector(".editor .input");
            const at = area.value.indexOf(old);
            area.focus();
            area.setSelectionRange(at, at + old.length);
            document.execCommand("insertText", false, text);
        """, old, new)

    def open_mine(self, name):
        self.studio.write(name, MINE)
        time.sleep(0.3)
        self.open("text", name)
        self.wait(lambda: self.value() == MINE, "the text")

    def test_the_link_opens_the_page(self):
        self.browser.get(self.studio.link)
        self.wait_for(".tree", "search.json")
        self.assertNotIn("token", self.browser.current_url)

    def test_a_new_stream_is_written_by_saving(self):
        self.open("text", "search.json")
        self.click("New stream")
        self.wait_for("dialog", "A search box")
        self.keys("search", Keys.ENTER)
        self.wait_for("dialog .error", "There is a file of this name")
        self.chord(Keys.CONTROL, "a")
        self.keys("articles/mine", Keys.ENTER)
        self.wait_for(".top-bar .badge", "Not on disk")
        self.assertFalse(os.path.exists(self.studio.path("articles/mine.json")))
        self.chord(Keys.CONTROL, "s")
        self.wait(lambda: self.text(".top-bar .badge") == "", "the end of saving")
        self.assertIn('"inputs"', self.studio.read("articles/mine.json"))
        self.wait_for(".tree", "mine.json")

    def test_unsaved_text_survives_a_reload(self):
        self.open_mine("draft.json")
        self.replace("value * 2", "value * 3")
        time.sleep(0.5)
        self.browser.refresh()
        self.wait(lambda: "value * 3" in self.value(), "the draft")
        self.wait_for(".top-bar .badge", "Unsaved")
        self.assertEqual(self.studio.read("draft.json"), MINE)

    def test_a_changed_file_is_loaded_again(self):
        self.open_mine("changed.json")
        self.studio.write("changed.json", MINE.replace("Mine", "Theirs"))
        self.wait(lambda: '"Theirs"' in self.value(), "the changed file")
        self.wait_for(".toast", "It was loaded again")
        self.chord(Keys.CONTROL, "z")
        self.assertEqual(self.value(), MINE)

    def test_changes_by_two_are_merged(self):
        self.open_mine("merged.json")
        self.replace("value * 2", "value * 3")
        self.studio.write("merged.json", MINE.replace("Mine", "Theirs"))
        self.wait_for(".bars", "Another program has changed this file")
        self.click("Merge")
        self.wait(lambda: "Theirs" in self.value() and "value * 3" in self.value(), "the merged text")
        self.chord(Keys.CONTROL, "s")
        self.wait(lambda: self.text(".top-bar .badge") == "", "the end of saving")
        self.assertEqual(self.studio.read("merged.json"), MINE.replace("Mine", "Theirs").replace("* 2", "* 3"))

    def test_conflicts_are_picked(self):
        self.open_mine("picked.json")
        self.replace('"seconds": 1', '"seconds": 5')
        self.studio.write("picked.json", MINE.replace('"seconds": 1', '"seconds": 7'))
        self.wait_for(".bars", "Another program has changed this file")
        self.click("Merge")
        self.wait_for(".conflict", "debounce")
        self.check_accessibility()
        self.all(".conflict input")[1].click()
        self.click("Merge", "dialog")
        self.wait(lambda: '"seconds": 7' in self.value(), "their version")
        self.assertEqual(self.text(".bars"), "")

    def test_a_save_never_overwrites(self):
        self.open_mine("kept.json")
        self.replace("value * 2", "value * 3")
        theirs = MINE.replace("Mine", "Theirs")
        self.studio.write("kept.json", theirs)
        self.expected_errors = ("409",)
        self.chord(Keys.CONTROL, "s")
        self.wait_for(".bars", "Another program has changed this file")
        self.assertEqual(self.studio.read("kept.json"), theirs)
        self.click("Keep mine")
        self.chord(Keys.CONTROL, "s")
        self.wait(lambda: self.studio.read("kept.json") == MINE.replace("* 2", "* 3"), "my version on disk")

    def test_a_removed_file_is_still_here(self):
        self.open_mine("removed.json")
        self.expected_errors = ("404",)
        os.remove(self.studio.path("removed.json"))
        self.wait_for(".bars", "It was removed from the folder")
        self.assertEqual(self.value(), MINE)

    def test_the_server_goes_away(self):
        self.open_mine("away.json")
        self.expected_errors = ("/api/", "chrome-error")
        self.studio.stop()
        self.wait_for(".bars", "The server is away")
        self.replace("value * 2", "value * 3")
        self.chord(Keys.CONTROL, "s")
        self.wait_for(".toast", "The text is kept in this tab")
        self.studio.start()
        # The token is kept, so that the page continues by itself.
        self.wait(
            lambda: "away" not in self.js("return document.querySelector('.bars').textContent"), "the server's return")
        self.wait(lambda: "value * 3" in self.value(), "the kept text")
        self.chord(Keys.CONTROL, "s")
        self.wait(lambda: self.studio.read("away.json") == MINE.replace("* 2", "* 3"), "the saved text")

    def test_search(self):
        self.open("text", "search.json")
        self.chord(Keys.CONTROL, "k")
        self.wait_for(".palette", "search.json")
        self.check_accessibility()
        self.keys("debounce")
        self.wait_for(".palette [aria-selected=true]", "Publishes a value once")
        self.keys(Keys.ENTER)
        self.wait_for("dialog", "Silence required before a value is published")
        self.keys(Keys.ESCAPE)
        self.chord(Keys.CONTROL, "k")
        self.keys("theme dark", Keys.ENTER)
        self.wait(lambda: self.js("return document.documentElement.dataset.theme") == "dark", "the theme")
        self.chord(Keys.CONTROL, "k")
        self.keys("scan.json", Keys.ENTER)
        self.wait(lambda: self.browser.current_url.endswith("#/text/scan.json"), "the file")

    def test_the_focus_stays(self):
        self.open("text", "search.json")
        self.wait_for(".tree", "scan.json")
        self.js("[...document.querySelectorAll('.tree a')].find(e => e.textContent === 'scan.json').focus()")
        self.keys(Keys.ENTER)
        self.wait_for(".top-bar h1", "Scan")
        self.assertEqual(self.js("return document.activeElement.textContent"), "scan.json")
        self.keys(Keys.ARROW_UP)
        self.assertEqual(self.js("return document.activeElement.textContent"), "rooms.json")
        self.js("document.querySelectorAll('.tabs a')[7].focus()")
        self.keys(Keys.ENTER)
        self.wait_for(".share-view", "Picture")
        self.assertEqual(self.js("return document.activeElement.textContent"), "Share")

    def test_keys(self):
        self.open("text", "search.json")
        self.chord(Keys.ALT, "1")
        self.wait(lambda: "#/marbles/" in self.browser.current_url, "the view")
        self.js("document.querySelector('.tabs a').focus()")
        self.keys("?")
        self.wait_for("dialog", "Keyboard shortcuts")
        self.check_accessibility()
        self.keys(Keys.ESCAPE)
        self.assertEqual(self.all("dialog"), [])

    def test_narrow(self):
        self.resize(320, 640)
        self.addCleanup(self.resize, self.width, self.height)
        for view in ("text", "share", "marbles"):
            self.open(view, "search.json")
            self.wait_for(".tabs [aria-current=page]", view.capitalize())
            self.assertEqual(self.js("return document.documentElement.scrollWidth"), 320, view)
        self.click("Files")
        self.wait_for(".files", "search.json")
        self.keys("scan")
        self.click("scan.json")
        self.wait(lambda: self.browser.current_url.endswith("/scan.json"), "the file")
        self.wait(lambda: not self.all(".files.is-open"), "the end of the drawer")


if __name__ == "__main__":
    unittest.main()
