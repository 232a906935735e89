"""The Marbles view in a browser: python3 Tests/Studio/test_marbles.py"""
import json

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.support.ui import Select

from browser import Keys, StudioTest, time, unittest


class MarblesTest(StudioTest):
    def setUp(self):
        super().setUp()
        # Chromium asks for it at a page that is a picture, from which each test begins.
        self.expected_errors = ("favicon.ico",)

    # Looking

    def names(self, row):
        """What a screen reader says of the marbles of a row; -1 is the last row."""
        return self.js("const rows = [...document.querySelectorAll('.player-row')];"
                       "return [...(rows.at(arguments[0])?.querySelectorAll('.player-mark') ?? [])]"
                       ".map((mark) => mark.getAttribute('aria-label'))", row)

    def values(self, row):
        """The values and ends of a row, as `swift 0.4`."""
        short = []
        for name in self.names(row):
            words = (name or "").split(",")[0].split(" ")
            if words[0] == "value":
                at = len(words) - 1 - words[::-1].index("at")
                short.append(f"{' '.join(words[1:at])} {words[at + 1]}")
            elif words[0] in ("finished", "failure"):
                short.append(f"{words[0]} {words[words.index('at') + 1]}")
        # An end is drawn before the values of its instant, so that it is behind them.
        return sorted(short, key=lambda text: (float(text.rsplit(" ", 1)[1]), text.startswith("finished")))

    def wait_values(self, row, expected):
        try:
            self.wait(lambda: self.values(row) == expected, f"{expected}")
        except AssertionError:
            self.assertEqual(self.values(row), expected)

    def show(self, path):
        self.open("marbles", path)
        self.wait(lambda: self.names(-1) and all(self.names(-1)), "the run")

    def place(self, row, start):
        """The middle of the marble whose name starts with a text."""
        return self.wait(lambda: self.js("""
            const row = [...document.querySelectorAll('.player-row')].at(arguments[0]);
            const mark = [...row.querySelectorAll('.player-mark')].find((one) =>
              one.getAttribute('aria-label')?.startsWith(arguments[1]));
            if (!mark) return null;
            const box = mark.getBoundingClientRect();
            return [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)];
        """, row, start), f"the marble '{start}'")

    def seconds(self, count):
        """Pixels of a time."""
        first, second = self.js("""
            const ticks = [...document.querySelectorAll('.player-axis text')];
            const time = (text) => text.endsWith('ms') ? parseFloat(text) / 1000 : parseFloat(text);
            return ticks.slice(0, 2).map((tick) => [Number(tick.getAttribute('x')), time(tick.textContent)]);
        """)
        return round((second[0] - first[0]) / (second[1] - first[1]) * count)

    # Acting

    def pointer(self):
        return ActionChains(self.browser, duration=30)

    def drag(self, start, *ends):
        actions = self.pointer()
        actions.w3c_actions.pointer_action.move_to_location(*start).pointer_down()
        for end in ends:
            actions.w3c_actions.pointer_action.move_to_location(*end)
        actions.w3c_actions.pointer_action.pointer_up()
        actions.perform()

    def press(self, at, count=1):
        actions = self.pointer()
        actions.w3c_actions.pointer_action.move_to_location(*at)
        for _ in range(count):
            actions.w3c_actions.pointer_action.pointer_down().pointer_up()
        actions.perform()

    def focus_row(self, row):
        self.js("[...document.querySelectorAll('.player-plot')].at(arguments[0]).focus()", row)

    typed = ["sw 0", "swi 0.2", "swift 0.4", "swif 0.9", "swift 1.1", "sw 1.7", "finished 1.8"]

    # Tests

    def test_drag_moves_the_outputs(self):
        self.show("search.json")
        self.assertEqual(self.values(0), self.typed)
        self.wait_values(-1, ["swift 0.7", "finished 1.8"])
        x, y = self.place(0, "value swift at 0.4")
        self.drag((x, y), (x + 20, y), (x + self.seconds(0.2), y))
        self.wait_values(0, [*self.typed[:2], "swift 0.6", *self.typed[3:]])
        # "swi" is now followed by a pause of 0.4 s, in which it is searched for, too.
        self.wait_values(-1, ["swi 0.5", "swift 1.4", "finished 1.8"])
        self.assertIn("My own", Select(self.all(".marbles-controls select")[0]).first_selected_option.text)
        self.chord(Keys.CONTROL, "z")
        self.wait_values(0, self.typed)
        self.wait_values(-1, ["swift 0.7", "finished 1.8"])

    def test_escape_takes_a_drag_back(self):
        self.show("search.json")
        x, y = self.place(0, "value swift at 0.4")
        actions = self.pointer()
        actions.w3c_actions.pointer_action.move_to_location(x, y).pointer_down().move_to_location(x + 90, y)
        actions.perform()
        self.wait(lambda: self.values(0) != self.typed, "the drag")
        self.keys(Keys.ESCAPE)
        self.wait_values(0, self.typed)
        actions = self.pointer()
        actions.w3c_actions.pointer_action.pointer_up()
        actions.perform()

    def test_the_end_can_be_dragged_before_values(self):
        self.show("search.json")
        x, y = self.place(0, "finished")
        self.drag((x, y), (x - 10, y), (x - self.seconds(0.5), y))
        self.wait_values(0, [*self.typed[:5], "finished 1.3", "sw 1.7"])
        self.wait_values(-1, ["swift 0.7", "finished 1.3"])
        self.assertEqual(len(self.all(".player-mark.is-unused")), 1)

    def test_editing_by_keyboard_alone(self):
        self.show("search.json")
        self.focus_row(0)
        self.keys(Keys.END, Keys.ARROW_LEFT, Keys.DELETE)
        self.wait_values(0, [*self.typed[:5], "finished 1.8"])
        self.keys(Keys.HOME, Keys.ENTER)
        self.wait_for(".marbles-editor", "Value")
        self.chord(Keys.CONTROL, "a")
        self.keys("wait")
        self.wait_values(0, ["wait 0", *self.typed[1:5], "finished 1.8"])
        self.keys(Keys.ENTER)
        self.wait(lambda: not self.all(".marbles-editor"), "the end of the form")
        self.chord(Keys.ALT, Keys.ARROW_RIGHT)
        self.wait_values(0, ["wait 0.1", *self.typed[1:5], "finished 1.8"])
        self.chord(Keys.CONTROL, "d")
        self.wait_values(0, ["wait 0.1", "swi 0.2", "swift 0.4", "wait 0.6", *self.typed[3:5], "finished 1.8"])
        self.keys(Keys.END, Keys.INSERT)
        self.wait_for(".marbles-editor", "Value")
        self.keys("new", Keys.ESCAPE)
        self.wait(lambda: "new" not in str(self.values(0)), "the end of the new value")
        for _ in range(20):
            self.chord(Keys.CONTROL, "z")
        self.wait_values(0, self.typed)

    def test_double_click_adds_and_edits(self):
        self.show("search.json")
        x, y = self.place(0, "value swift at 0.4")
        self.press((x + self.seconds(0.2), y), count=2)
        self.wait_for(".marbles-editor", "Value")
        self.chord(Keys.CONTROL, "a")
        self.keys("typed", Keys.ENTER)
        self.wait_values(0, [*self.typed[:3], "typed 0.6", *self.typed[3:]])
        self.press(self.place(0, "value typed"), count=2)
        self.wait_for(".marbles-editor", "Value")
        self.click("Failure", ".marbles-editor")
        self.click("Done", ".marbles-editor")
        self.wait_values(-1, ["failure 0.6"])

    def test_members_of_a_record_have_fields_and_errors(self):
        self.show("tilt.json")
        self.press(self.place(0, "value 0.0 at 1 "), count=2)
        self.wait_for(".marbles-editor", "z")
        field = self.all(".marbles-members input")[2]
        field.clear()
        field.send_keys("up")
        self.wait_for(".marbles-members .error", "Enter a number")
        field.clear()
        field.send_keys("-1")
        self.wait(lambda: not self.text(".marbles-members .error"), "the end of the error")
        field.send_keys(Keys.ENTER)
        self.wait(lambda: "tiltedUp" in str(self.names(1)), "the operator's answer")
        Select(self.all(".marbles-controls select")[1]).select_by_visible_text("z")
        self.wait(lambda: "value -1.0 at 1 second, from gravity" in self.names(0), "the label")

    def test_a_pick_lights_causes_and_effects(self):
        self.show("search.json")
        self.press(self.place(-1, "value swift"))
        self.wait(lambda: len(self.all(".player-mark.is-lit")) == 4, "the causes")
        self.assertIn("caused by debounce", self.text(".player-inspector"))
        self.assertEqual(len(self.all(".player-link")), 3)
        self.keys(Keys.ESCAPE)
        self.wait(lambda: not self.all(".player-mark.is-lit"), "the end of the pick")
        self.focus_row(0)
        self.keys(Keys.HOME, Keys.ARROW_RIGHT, Keys.SPACE)
        # "swi" passes the filter and goes no further.
        self.wait(lambda: len(self.all(".player-mark.is-lit")) == 2, "the effects")

    def test_rubber_band_selects(self):
        self.show("search.json")
        (left, y), (right, _) = self.place(0, "value swif at 0.9"), self.place(0, "value swift at 1.1")
        self.drag((left - 40, y - 12), (left, y), (right + 30, y + 12))
        self.wait_for(".marbles-tools", "2 selected")
        self.click("Duplicate", ".marbles-tools")
        self.wait_values(0, [*self.typed[:5], "swif 1.6", "sw 1.7", "swift 1.8", "finished 1.8"])
        self.click("Delete", ".marbles-tools")
        self.wait_values(0, self.typed)

    def test_nothing_fed_and_the_way_out(self):
        self.show("search.json")
        Select(self.all(".marbles-controls select")[0]).select_by_visible_text("None")
        self.wait_for(".notice", "Nothing is published")
        self.click("Add a value", ".notice")
        self.wait_for(".marbles-editor", "Value")
        self.chord(Keys.CONTROL, "a")
        self.keys("שלום", Keys.ENTER)
        self.wait_values(-1, ["שלום 0.3"])

    def test_a_test_is_made_of_the_marbles(self):
        self.show("search.json")
        x, y = self.place(0, "value sw at 1.7")
        self.drag((x, y), (x - 10, y), (x - self.seconds(0.4), y))
        self.wait_values(0, [*self.typed[:5], "sw 1.3", "finished 1.8"])
        self.click("Make a test of this")
        self.wait_for("dialog", "Name of the test")
        self.keys("only a pause searches, and only for something new", Keys.ENTER)
        self.wait_for("dialog .error", "exists")
        self.chord(Keys.CONTROL, "a")
        self.keys("earlier", Keys.ENTER)
        self.wait_for(".toast", "Added the test “earlier”")
        self.chord(Keys.CONTROL, "s")
        self.wait(lambda: "earlier" in self.studio.read("search.json"), "the file")
        self.addCleanup(self.studio.write, "search.json", self.studio.read("search.json"))
        added = json.loads(self.studio.read("search.json"))["tests"][1]
        self.assertEqual(added["name"], "earlier")
        self.assertIn("expect", added)

    def test_scrubbing(self):
        self.show("search.json")
        self.js("document.querySelector('.player-handle').focus()")
        self.keys(Keys.HOME, Keys.PAGE_DOWN, Keys.PAGE_DOWN)
        self.wait_for(".player-readout", "400 ms of 1.8 s")
        self.assertEqual(len(self.all(".player-row:first-child .player-mark.is-later")), 4)
        self.click("Next instant")
        self.wait_for(".player-readout", "700 ms")
        self.click("Previous instant")
        self.wait_for(".player-readout", "400 ms")
        self.click("Play")
        self.wait_for(".player-readout", "1.8 s of 1.8 s")
        self.click("Zoom in")
        self.click("Zoom in")
        self.wait(lambda: len(self.all(".player-scroll.is-needed")) == 1, "the scroll bar")
        self.click("Show the whole run")
        self.wait(lambda: not self.all(".player-scroll.is-needed"), "the whole run")

    def test_items_of_a_file_are_dragged(self):
        self.show("serial-a.json")
        x, y = self.place(-1, "value 2 at 2 ")
        self.drag((x, y), (x + 10, y), (x + self.seconds(0.5), y))
        self.wait_values(-1, ["1 1", "2 2.5", "3 3.5", "4 4.5", "finished 4.5"])
        self.click("Item", ".marbles-tools")
        self.wait_values(-1, ["1 1", "2 2.5", "3 3.5", "4 4.5", "1 5.5", "finished 5.5"])
        self.press(self.place(-1, "value 3"), count=2)
        self.wait_for(".marbles-editor", "Delay in seconds")
        self.chord(Keys.CONTROL, "a")
        self.keys("three", Keys.ENTER)
        self.wait_values(-1, ["1 1", "2 2.5", "three 3.5", "4 4.5", "1 5.5", "finished 5.5"])
        for _ in range(12):
            self.chord(Keys.CONTROL, "z")
        self.wait_values(-1, ["1 1", "2 2", "3 3", "4 4", "finished 4"])

    def test_text_with_an_error_dims_the_picture(self):
        self.studio.write("broken.json", self.studio.read("search.json").replace("size(value)", "size(valu)"))
        self.open("marbles", "broken.json")
        self.wait_for(".notice.error", "there is no name 'valu' here")
        self.click("Show in text")
        self.wait(lambda: "#/text/" in self.browser.current_url, "the text")

    def test_ten_thousand_marbles(self):
        events = [{"at": index / 100, "value": index} for index in range(10_000)]
        self.studio.write("many.json", json.dumps({
            "inputs": {"n": {"type": "int"}}, "source": {"input": {"name": "n"}},
            "operators": [{"filter": {"expression": "value % 2 == 0"}}],
            "tests": [{"name": "many", "inputs": {"n": {"events": events}}, "expect": {"values": []}}],
        }))
        self.show("many.json")
        self.wait(lambda: "10000 values" in self.js(
            "return document.querySelector('.player-plot').getAttribute('aria-label')"), "the marbles")
        rate = self.browser.execute_async_script("""
            const done = arguments[arguments.length - 1];
            const axis = document.querySelector(".player-axis-box");
            const box = axis.getBoundingClientRect();
            axis.setPointerCapture = () => {};
            const send = (type, x) => axis.dispatchEvent(new PointerEvent(type, {
              bubbles: true, clientX: box.x + x, clientY: box.y + 5, button: 0, pointerId: 1,
            }));
            send("pointerdown", 50);
            const start = performance.now();
            let count = 0;
            requestAnimationFrame(function step() {
              send("pointermove", 50 + count * 5);
              count += 1;
              if (count < 100) return requestAnimationFrame(step);
              send("pointerup", 500);
              done(count * 1000 / (performance.now() - start));
            });
        """)
        print(f"\nscrubbing 10,000 marbles: {rate:.0f} frames a second")
        self.assertGreater(rate, 15)

    def test_drag_answers_in_time(self):
        events = [{"at": index / 10, "value": index} for index in range(200)]
        operators = [{"map": {"expression": "value + 1"}}, {"filter": {"expression": "value >= 0"}}] * 10
        self.studio.write("chain.json", json.dumps({
            "inputs": {"n": {"type": "int"}}, "source": {"input": {"name": "n"}}, "operators": operators,
            "tests": [{"name": "many", "inputs": {"n": {"events": events}}, "expect": {"values": []}}],
        }))
        self.show("chain.json")
        times = self.browser.execute_async_script("""
            const done = arguments[arguments.length - 1];
            const host = document.querySelector(".marbles-host");
            host.setPointerCapture = () => {};
            const mark = document.querySelectorAll(".player-row")[0].querySelectorAll(".player-mark")[100];
            const output = [...document.querySelectorAll(".player-row")].at(-1);
            const box = mark.getBoundingClientRect();
            const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
            const send = (target, type, dx) => target.dispatchEvent(new PointerEvent(type, {
              bubbles: true, clientX: x + dx, clientY: y, button: 0, pointerId: 1,
            }));
            const times = [];
            let start = 0;
            let timer = 0;
            const next = () => {
              clearTimeout(timer);
              if (times.length === 20) {
                send(host, "pointerup", 0);
                return done(times);
              }
              start = performance.now();
              send(host, "pointermove", 40 + (times.length % 2) * 60 + times.length * 3);
              timer = setTimeout(() => { times.push(Infinity); next(); }, 5000);
            };
            new MutationObserver((changes) => {
              if (start === 0 || !changes.some((change) => change.attributeName === "x")) return;
              times.push(performance.now() - start);
              start = 0;
              setTimeout(next, 50);
            }).observe(output, { subtree: true, attributes: true });
            send(mark, "pointerdown", 0);
            next();
        """)
        times = sorted(times)
        print(f"\npointer to output, 200 marbles, 20 operators: median {times[10]:.0f} ms, most {times[-1]:.0f} ms")
        self.assertLess(times[10], 2000)

    def test_accessibility_and_narrow_windows(self):
        self.show("tilt.json")
        self.check_accessibility()
        for width in (320, 360):
            self.resize(width, 800)
            self.addCleanup(self.resize, self.width, self.height)
            time.sleep(0.3)
            self.assertLessEqual(self.js("return document.documentElement.scrollWidth"), width)
        self.check_accessibility()


if __name__ == "__main__":
    unittest.main()
