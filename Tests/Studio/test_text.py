"""The Text view in a browser: python3 Tests/Studio/test_text.py"""
import json

from browser import Keys, StudioTest, time, unittest


class TextTest(StudioTest):
    def value(self):
        return self.js("return document.querySelector('.editor .input')?.value ?? ''")

    def caret(self, before, after=""):
        """Puts the caret between two texts that stand together."""
        self.wait(lambda: self.all(".editor .input") and before + after in self.value(), f"'{before + after}'")
        self.js("const area = document.querySelector('.editor .input'); area.focus();"
                "const at = area.value.indexOf(arguments[0] + arguments[1]) + arguments[0].length;"
                "area.setSelectionRange(at, at)", before, after)

    def type(self, *keys):
        for key in keys:
            self.keys(key)

    def selected(self):
        return self.js("const a = document.querySelector('.editor .input');"
                       "return a.value.slice(a.selectionStart, a.selectionEnd)")

    def test_completion_by_keyboard(self):
        self.open("text", "search.json")
        before = self.wait(self.value, "the text")
        self.caret('{ "debounce": { "seconds": 0.3 } },')
        self.type(Keys.ENTER, '{"sca')
        self.wait_for(".completion [aria-selected=true]", "scan")
        self.assertIn("Accumulates", self.text(".completion .page"))
        self.type(Keys.ENTER)
        self.assertIn('{"scan": { "expression": "" }}', self.value())
        for _ in range(20):
            self.chord(Keys.CONTROL, "z")
        self.assertEqual(self.value(), before)
        self.assertEqual(self.text(".top-bar .badge"), "")

    def test_error_at_its_character_and_its_fix(self):
        self.open("text", "search.json")
        self.caret("size(value")
        self.type(Keys.BACKSPACE, Keys.ESCAPE)
        self.wait(lambda: self.text(".mark-error") == "valu", "the mark")
        self.wait_for(".problems", "there is no name 'valu' here")
        self.chord(Keys.CONTROL, "i")
        self.wait_for(".tip", "there is no name 'valu' here")
        self.assertEqual(len(self.all(".editor .bulb")), 1)
        self.chord(Keys.CONTROL, ".")
        self.wait_for(".fixes", "Change to 'value'")
        self.type(Keys.ENTER)
        self.wait_for(".problems", "No problems")
        self.assertIn("size(value) > 2", self.value())

    def test_documentation_under_the_pointer(self):
        self.open("text", "search.json")
        self.wait_for(".layer", "debounce")
        box = self.js("const key = [...document.querySelectorAll('.layer .code-key')].find(e => e.textContent === "
                      "'\"debounce\"').getBoundingClientRect(); return [key.x + 20, key.y + 8]")
        self.cdp("Input.dispatchMouseEvent", type="mouseMoved", x=box[0], y=box[1])
        self.wait_for(".tip", "Publishes a value once the stream has been silent")

    def test_every_other_byte_stays(self):
        source = ('{\r\n  "name": "\u05e9\u05dc\u05d5\u05dd \U0001f600",\n  "inputs": { "q": { "type": "int" } },\r\n'
                  '  "source":{"input":{"name":"q"}},\r\n  "operators": [ {"map":{"expression":"value * 2"}} ]\r\n}')
        self.studio.write("bytes.json", source)
        self.wait(lambda: "bytes.json" in self.files(), "the file")
        self.open("text", "bytes.json")
        self.caret("value * 2")
        self.type("5", Keys.ESCAPE)
        self.caret('"operators": [')
        self.type(Keys.ENTER)
        self.chord(Keys.CONTROL, "s")
        self.wait(lambda: self.text(".top-bar .badge") == "", "the end of saving")
        expected = source.replace("* 2", "* 25").replace('"operators": [', '"operators": [\r\n    ')
        self.assertEqual(self.studio.read("bytes.json"), expected)
        layer = self.js("return [...document.querySelectorAll('.layer .line')].map(e => e.textContent).join('\\n')")
        self.assertEqual(layer, self.value())

    def files(self):
        self.browser.get("about:blank")
        self.browser.get(f"{self.studio.url}index.html")
        self.wait_for(".tree", "search.json")
        return self.text(".tree")

    def test_input_method(self):
        self.open("text", "search.json")
        self.caret("Search as you type")
        self.cdp("Input.imeSetComposition", text="\u306b\u307b", selectionStart=2, selectionEnd=2)
        self.assertIn("type\u306b\u307b", self.value())
        self.cdp("Input.insertText", text="\u65e5\u672c")
        self.assertIn("type\u65e5\u672c\"", self.value())
        self.chord(Keys.CONTROL, "z")
        self.assertNotIn("\u65e5\u672c", self.value())

    def test_find_format_and_rename(self):
        self.open("text", "search.json")
        self.caret("{")
        self.chord(Keys.CONTROL, "f")
        self.type("SWIFT")
        self.wait_for(".find", "1 of 2")
        self.type(Keys.ESCAPE)
        self.assertEqual(self.selected(), "swift")
        self.chord(Keys.CONTROL, "f")
        self.wait_for(".find", "1 of 2")
        self.type(Keys.ENTER)
        self.wait_for(".find", "2 of 2")
        self.type(Keys.ESCAPE)
        self.assertEqual(self.selected(), "swift")
        self.caret('"query', '": { "type"')
        self.type(Keys.F2)
        self.keys("typed", Keys.ENTER)
        self.wait(lambda: self.value().count('"typed"') == 3, "the new name")
        self.caret("{")
        self.type(Keys.ENTER, Keys.ENTER)
        self.chord(Keys.SHIFT, Keys.ALT, "f")
        self.wait(lambda: self.value().startswith('{\n  "format"'), "the format")

    def test_tab_is_no_trap(self):
        self.open("text", "search.json")
        self.caret("{")
        self.type(Keys.TAB)
        self.assertTrue(self.value().startswith("{  \n"))
        self.keys(Keys.ESCAPE, Keys.TAB)
        self.assertNotEqual(self.js("return document.activeElement.tagName"), "TEXTAREA")

    def test_problem_leads_to_its_place(self):
        self.open("text", "search.json")
        self.caret("size(value")
        self.type(Keys.BACKSPACE, Keys.ESCAPE)
        self.wait_for(".problems", "valu")
        self.chord(Keys.ALT, "8")
        self.wait_for(".share-view", "Picture")
        self.all(".problems > button")[0].click()
        self.all(".problems .problem-link")[0].click()
        self.wait(lambda: self.all(".editor .input") and self.selected() == "valu", "the selection")

    def test_5000_lines(self):
        operators = [{"map": {"expression": f"value + {index}"}} for index in range(500)]
        model = {"inputs": {"q": {"type": "int"}}, "source": {"input": {"name": "q"}}, "operators": operators}
        text = json.dumps(model, indent=2).replace('"expression"', "\n" * 6 + '      "expression"')
        self.assertGreater(text.count("\n"), 5000)
        self.studio.write("long.json", text)
        self.wait(lambda: "long.json" in self.files(), "the file")
        self.open("text", "long.json")
        self.caret("value + 250")
        self.js("""
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
            self.type(digit)
            time.sleep(0.05)
        times = sorted(self.wait(lambda: (times := self.js("return times"))[19:] and times, "the frames"))
        print(f"\n5,000 lines, from input to the end of the frame: median {times[10]:.1f} ms, most {times[-1]:.1f} ms")
        self.assertLess(times[10], 50)
        self.assertLess(len(self.all(".layer .line")), 120)
        self.assertIn("value + 25012345678901234567890", self.text(".layer"))

    def test_accessibility(self):
        for theme in ("light", "dark"):
            with self.subTest(theme):
                self.forget()
                self.js("localStorage.setItem('studio.theme', arguments[0])", theme)
                self.open("text", "search.json")
                self.caret("size(value")
                self.type(Keys.BACKSPACE)
                self.wait_for(".problems", "valu")
                self.chord(Keys.CONTROL, Keys.SPACE)
                self.wait_for(".completion", "value")
                self.check_accessibility()


if __name__ == "__main__":
    unittest.main()
