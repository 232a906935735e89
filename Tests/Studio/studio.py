"""What the plays of the suite stand on: a studio over a folder of its own, and a person in front of Chromium.

A person finds controls by their role and name, as a screen reader tells them, and acts by real clicks and keys. The
plays read the page, but call none of its modules.
"""
import contextlib
import importlib.util
import os
import re
import shutil
import tempfile
import time

from selenium import webdriver
from selenium.common.exceptions import ElementClickInterceptedException, StaleElementReferenceException
from selenium.common.exceptions import ElementNotInteractableException, JavascriptException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.actions.wheel_input import ScrollOrigin
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from finding import FINDING
from server import Failure, expect, expect_equal

PATIENCE = float(os.environ.get("STUDIO_WAIT", "10"))
VIEWS = ["Marbles", "Pipeline", "Text", "Tests", "Live", "Step", "Compare", "Share"]


def wire(name):
    """A name as the script reads it: a string is the whole name, a pattern is looked for."""
    return {"pattern": name.pattern} if isinstance(name, re.Pattern) else name


class Person:
    """A person in front of one Chromium."""

    NAMED_KEYS = {
        "Ctrl": Keys.CONTROL, "Shift": Keys.SHIFT, "Alt": Keys.ALT, "Enter": Keys.ENTER, "Tab": Keys.TAB,
        "Escape": Keys.ESCAPE, "Space": Keys.SPACE, "Delete": Keys.DELETE, "Backspace": Keys.BACKSPACE,
        "Insert": Keys.INSERT, "Home": Keys.HOME, "End": Keys.END, "Up": Keys.ARROW_UP, "Down": Keys.ARROW_DOWN,
        "Left": Keys.ARROW_LEFT, "Right": Keys.ARROW_RIGHT, "PageUp": Keys.PAGE_UP, "PageDown": Keys.PAGE_DOWN,
        "F2": Keys.F2, "Plus": "+",
    }

    def __init__(self):
        options = webdriver.ChromeOptions()
        for argument in ("--no-sandbox", "--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--lang=en-US"):
            options.add_argument(argument)
        # The plays navigate more than a person: pages that are kept for going back would hold connections.
        options.add_argument("--disable-features=BackForwardCache")
        options.binary_location = os.environ.get("CHROMIUM", "/usr/bin/chromium")
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        driver = os.environ.get("CHROMEDRIVER", "/usr/bin/chromedriver")
        self.driver = webdriver.Chrome(options=options, service=Service(driver))
        self.driver.set_script_timeout(60)
        self.downloads = tempfile.mkdtemp(prefix="studio-suite-downloads-")
        self.cdp("Browser.setDownloadBehavior", behavior="allow", downloadPath=self.downloads)
        self.resize(1280, 900)
        self.begin()

    def begin(self):
        """Begins a play: nothing is allowed to fail, nothing is counted."""
        self.allowed = []
        self.clicks = 0
        self.key_presses = 0
        self.driver.get("about:blank")
        self.media(theme="light")
        self.resize(1280, 900)
        self.errors()

    def close(self):
        with contextlib.suppress(Exception):
            self.driver.quit()
        shutil.rmtree(self.downloads, ignore_errors=True)

    def cdp(self, command, **arguments):
        return self.driver.execute_cdp_cmd(command, arguments)

    def resize(self, width, height):
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def media(self, theme="light", motion="no-preference"):
        features = {"prefers-color-scheme": theme, "prefers-reduced-motion": motion}
        self.cdp("Emulation.setEmulatedMedia",
                 features=[{"name": name, "value": value} for name, value in features.items()])

    def allow(self, *parts):
        """Names parts of console errors that the play provokes."""
        self.allowed += parts

    def errors(self):
        """The errors in the console since the last question, without those that are allowed."""
        entries = [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE"]
        return [entry for entry in entries if not any(part in entry for part in self.allowed)]

    # Places

    def open_link(self, link):
        self.driver.get(link)
        self.wait(lambda: self.js("return document.readyState === 'complete'"), "the page")

    def open(self, server, view, path):
        """Opens the studio by its link, then a file in a view as from a bookmark."""
        self.driver.get(server.link)
        self.errors()
        self.go(server, view, path)

    def go(self, server, view, path):
        self.driver.get("about:blank")
        self.driver.get(f"{server.origin}/index.html#/{view.lower()}/{path}")
        self.wait(lambda: self.js("return document.querySelector('.tabs [aria-current=page]')?.textContent") == view,
                  f"the view {view}")
        self.checked()

    def checked(self):
        """Waits until the text is checked."""
        self.wait(lambda: (text := self.text("section[aria-label=Problems]")) and "Checking" not in text, "the check")

    def view(self, name):
        """Goes to a view by its tab."""
        self.click("link", name)
        self.wait(lambda: self.js("return document.querySelector('.tabs [aria-current=page]')?.textContent") == name,
                  f"the view {name}")

    # Looking

    def js(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def text(self, selector="body"):
        """The visible text of all that a selector finds."""
        return self.js("return [...document.querySelectorAll(arguments[0])].filter((e) => e.checkVisibility())"
                       ".map((e) => e.innerText ?? e.textContent).join('\\n')", selector)

    def all(self, role, name=None, within=None):
        return self.js(FINDING + "return find(...arguments)", role, wire(name), within)

    def css(self, selector):
        """The elements of a selector, for what has no name of its own, such as the parts of a picture."""
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def names(self, role, within=None):
        """The names of all visible elements of a role."""
        return self.js(FINDING + "return find(arguments[0], null, arguments[1]).map(nameOf)", role, within)

    def find(self, role, name=None, within=None, patience=PATIENCE):
        """Waits for an element of a role and a name."""
        label = name.pattern if isinstance(name, re.Pattern) else name
        found = self.wait(lambda: self.all(role, name, within), patience=patience, what=lambda: (
            f"the {role} '{label}'; there are: {', '.join(self.names(role, within)[:40]) or 'none'}"))
        return found[0]

    def sees(self, text, selector="body", patience=PATIENCE):
        """Waits until a text is seen."""
        self.wait(lambda: text in self.text(selector), patience=patience,
                  what=lambda: f"the text '{text}'; there is: {self.text(selector)[:600]!r}")

    def wait(self, condition, what, patience=PATIENCE):
        """Waits until a condition holds, and returns what it has returned."""
        end = time.monotonic() + patience
        while True:
            with contextlib.suppress(StaleElementReferenceException, JavascriptException):
                value = condition()
                if value:
                    return value
            if time.monotonic() > end:
                raise Failure(f"waited {patience:g} s for {what() if callable(what) else what}")
            time.sleep(0.03)

    def focused(self):
        """The role or tag, and the name of what has the focus."""
        return self.js(FINDING + "const e = document.activeElement; return [e.getAttribute('role') ?? "
                       "e.tagName.toLowerCase(), nameOf(e)]")

    def value(self, role, name=None, within=None):
        return self.find(role, name, within).get_property("value")

    def violations(self):
        """The rules of WCAG 2.2 AA that axe finds broken on the page."""
        found = importlib.util.find_spec("axe_playwright_python")
        expect(found, "axe.min.js is missing: pip install axe-playwright-python")
        with open(os.path.join(os.path.dirname(found.origin), "axe.min.js"), encoding="utf-8") as file:
            self.js(file.read())
        return self.driver.execute_async_script("""
            const done = arguments[arguments.length - 1];
            axe.run(document, { preload: false, runOnly: arguments[0] }).then(({ violations }) => done(violations.map(
              (rule) => `${rule.id}: ${rule.nodes.map((node) => node.target.join(" ")).slice(0, 3).join(", ")}`)));
        """, ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"])

    def check_accessibility(self):
        found = self.violations()
        expect(not found, "; ".join(found))

    def screenshot(self, path):
        self.driver.save_screenshot(path)

    # Acting

    def click(self, role, name=None, within=None):
        """Clicks a control with the mouse."""
        def attempt():
            element = self.find(role, name, within)
            try:
                element.click()
            except (ElementClickInterceptedException, ElementNotInteractableException, StaleElementReferenceException):
                return None
            return element
        self.clicks += 1
        return self.wait(attempt, f"a {role} '{getattr(name, 'pattern', name)}' that nothing covers")

    def point(self, element):
        """The middle of an element in the window."""
        box = self.js("const [e] = arguments; e.scrollIntoView({block: 'nearest', inline: 'nearest'});"
                      "const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]", element)
        return round(box[0]), round(box[1])

    def mouse(self, duration=20):
        return ActionChains(self.driver, duration=duration)

    def click_at(self, x, y):
        self.clicks += 1
        chain = self.mouse()
        chain.w3c_actions.pointer_action.move_to_location(round(x), round(y))
        chain.click().perform()

    def double_click_at(self, x, y):
        self.clicks += 2
        chain = self.mouse()
        chain.w3c_actions.pointer_action.move_to_location(round(x), round(y))
        chain.double_click().perform()

    def hover(self, x, y):
        chain = self.mouse()
        chain.w3c_actions.pointer_action.move_to_location(round(x), round(y))
        chain.perform()

    def drag(self, start, distance, steps=5, release=True):
        """Drags from a point by a distance, in some steps."""
        self.clicks += 1
        chain = self.mouse()
        pointer = chain.w3c_actions.pointer_action
        pointer.move_to_location(round(start[0]), round(start[1]))
        pointer.pointer_down()
        for step in range(1, steps + 1):
            x, y = start[0] + distance[0] * step / steps, start[1] + distance[1] * step / steps
            pointer.move_to_location(round(x), round(y))
        if release:
            pointer.pointer_up()
        chain.perform()

    def wheel(self, element, dx, dy):
        self.mouse().scroll_from_origin(ScrollOrigin.from_element(element), dx, dy).perform()

    def press(self, *chords):
        """Presses keys, such as "Ctrl+Shift+Z", one after the other."""
        chain = self.mouse()
        for chord in chords:
            names = chord.split("+") if len(chord) > 1 else [chord]
            keys = [self.NAMED_KEYS.get(name, name.lower() if len(names) > 1 else name) for name in names]
            for key in keys[:-1]:
                chain.key_down(key)
            chain.send_keys(keys[-1])
            for key in reversed(keys[:-1]):
                chain.key_up(key)
            self.key_presses += 1
        chain.perform()

    def type(self, text):
        self.key_presses += len(text)
        self.mouse().send_keys(text).perform()

    def fill(self, role, name, text, within=None):
        """Clicks a field and types over what it holds."""
        self.click(role, name, within)
        self.press("Ctrl+a")
        self.type(text)

    def choose(self, name, option, within=None):
        """Chooses an option of a menu by the keyboard, as the menu itself is no part of the page."""
        select = self.find("combobox", name, within)
        options = self.js("return [...arguments[0].options].map((o) => o.text)", select)
        matching = [text for text in options if text == option]
        expect(matching, f"the menu '{name}' has no '{option}', but {options}")
        self.clicks += 1
        self.js("arguments[0].focus()", select)
        current = self.js("return arguments[0].selectedIndex", select)
        target = options.index(option)
        self.press(*(["Down"] * (target - current) if target > current else ["Up"] * (current - target)))
        self.wait(lambda: self.js("return arguments[0].selectedOptions[0]?.text", select) == option,
                  f"'{option}' chosen")

    def tab_to(self, role, name, most=80, back=False):
        """Presses Tab until a control has the focus."""
        target = name if isinstance(name, re.Pattern) else re.compile(f"^{re.escape(name)}$")
        seen = []
        for _ in range(most):
            self.press("Shift+Tab" if back else "Tab")
            found_role, found_name = self.focused()
            roles = {"button": ("button", "summary"), "textbox": ("input", "textarea", "combobox"), "link": ("a",),
                     "combobox": ("select", "combobox")}.get(role, (role,))
            if found_role in roles and target.search(found_name):
                return
            seen.append(f"{found_role} '{found_name}'")
        raise Failure(f"Tab did not reach the {role} '{target.pattern}', but {', '.join(seen[:60])}")

    def skip_to_view(self):
        """Goes past the bars and the files by the first link of the page, which takes a person to the view."""
        self.js("document.activeElement.blur()")
        self.press("Tab")
        expect_equal(self.focused(), ["a", "Skip to the stream"], "the first stop of Tab")
        self.press("Enter")

    def is_unsaved(self):
        return self.js("return document.querySelector('.top-bar .badge')?.checkVisibility() ?? false")

    def save(self):
        """Saves by the keyboard, once the page says that there is something to save."""
        self.wait(self.is_unsaved, "unsaved changes")
        self.press("Ctrl+s")
        self.wait(lambda: not self.is_unsaved(), "the end of saving")

    # Frames

    def count_frames(self):
        """Begins to note the time of each frame."""
        self.js("""
            const times = window.frameTimes = [];
            const note = (time) => {
              times.push(time);
              if (times === window.frameTimes && times.length < 5000) requestAnimationFrame(note);
            };
            requestAnimationFrame(note);""")

    def frames(self):
        """The frames a second since the count began, and the milliseconds between frames, in order of their length."""
        times = self.js("return window.frameTimes")
        gaps = sorted(after - before for before, after in zip(times, times[1:]))
        return len(gaps) * 1000 / (times[-1] - times[0]), gaps

    # Marbles

    def tracks(self):
        """The tracks of marbles in sight: their names, and the names, places and classes of their marbles."""
        return self.js("""
            return [...document.querySelectorAll(".player-row")].map((row) => {
              const plot = row.querySelector(".player-plot");
              return {
                name: plot.getAttribute("aria-label") ?? "",
                title: row.querySelector(".player-title")?.textContent ?? "",
                marbles: [...plot.querySelectorAll("[role=option]")].map((mark) => {
                  const box = mark.getBoundingClientRect();
                  return { name: mark.getAttribute("aria-label") ?? "", x: box.x + box.width / 2,
                    y: box.y + box.height / 2, w: box.width,
                    marks: [...mark.classList].filter((one) => one.startsWith("is-")) };
                }).sort((one, other) => one.x - other.x),
              };
            });""")

    def track(self, title):
        """The track of a title, or of a part of it. Waits until it is there."""
        def look():
            tracks = self.tracks()
            exact = [track for track in tracks if track["title"] == title]
            return (exact or [track for track in tracks if title in track["title"]] or [None])[-1]
        return self.wait(look, what=lambda: f"the track '{title}'; there are {[t['title'] for t in self.tracks()]}")

    def output(self):
        """The last track, which is an output."""
        return self.wait(lambda: (self.tracks() or [None])[-1], "a track")

    def shown(self, title=None):
        """The events of a track as text: `swift@0.7`, `finished@1.8`, in the order of their times."""
        track = self.track(title) if title else self.output()
        return [spoken(marble["name"]) for marble in track["marbles"]]

    def shows(self, events, title=None, patience=PATIENCE):
        """Waits until a track, or the output, shows exactly these events."""
        self.wait(lambda: self.shown(title) == events, patience=patience,
                  what=lambda: f"{events} on {title or 'the output'}; there are {self.shown(title)}")

    def marble(self, title, name):
        """The marble of a track whose text is `value@time`. Waits until it is there."""
        def look():
            return next((m for m in self.track(title)["marbles"] if spoken(m["name"]) == name), None)
        return self.wait(look, what=lambda: f"the marble {name} on {title}; there are {self.shown(title)}")

    def pixels_per_second(self, title):
        """From the places of the first and the last marble of a track."""
        marbles = [(float(spoken(m["name"]).rsplit("@", 1)[1]), m["x"]) for m in self.track(title)["marbles"]]
        (start, x), (end, other) = marbles[0], marbles[-1]
        return (other - x) / (end - start)


def spoken(name):
    """Shortens the spoken name of a marble: `value swift at 0.7 seconds, from query` is `swift@0.7`."""
    found = re.match(r"(?:value )?(.*) at ([-\d.e]+) seconds?,", name, re.DOTALL)
    return f"{found.group(1)}@{found.group(2)}" if found else name
