"""A studio over a copy of Streams, and a Chromium that looks at it.

Set STREAMSTUDIO to the built command. The tests need Debian's chromium and chromium-driver, selenium from PyPI, and for
the rules of accessibility axe-playwright-python from PyPI, of which only the file axe.min.js is used.
"""
import importlib.util
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))
COMMAND = os.environ.get("STREAMSTUDIO", os.path.join(ROOT, ".build/debug/streamstudio"))
WAIT = float(os.environ.get("STUDIO_WAIT", "20"))


class Studio:
    """A server over a folder of its own."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="studio-")
        shutil.copytree(os.path.join(ROOT, "Streams"), self.folder, dirs_exist_ok=True)
        self.port = 0
        self.process = None
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            [COMMAND, self.folder, "--port", str(self.port)], text=True, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT)
        line = self.process.stdout.readline()
        link = re.search(r"http://\S+", line)
        assert link, f"the studio printed no link: {line}"
        self.link = link.group()
        self.port = int(re.search(r":(\d+)", self.link).group(1))

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}/"

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(30)
        self.process.stdout.close()

    def close(self):
        self.stop()
        shutil.rmtree(self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def read(self, name):
        with open(self.path(name), encoding="utf-8", newline="") as file:
            return file.read()

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8", newline="") as file:
            file.write(text)


class StudioTest(unittest.TestCase):
    """Tests in one browser and one studio. A test fails if the page has reported an error that it did not expect."""

    width, height = 1280, 900

    @classmethod
    def setUpClass(cls):
        cls.studio = Studio()
        cls.addClassCleanup(lambda: cls.studio.close())
        options = webdriver.ChromeOptions()
        for argument in ("--no-sandbox", "--headless=new", "--disable-gpu", "--disable-dev-shm-usage"):
            options.add_argument(argument)
        options.binary_location = os.environ.get("CHROMIUM", "/usr/bin/chromium")
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        driver = os.environ.get("CHROMEDRIVER", "/usr/bin/chromedriver")
        cls.browser = webdriver.Chrome(options=options, service=Service(driver))
        cls.addClassCleanup(cls.browser.quit)
        cls.browser.set_script_timeout(60)
        cls.downloads = tempfile.mkdtemp(prefix="downloads-")
        cls.addClassCleanup(shutil.rmtree, cls.downloads)
        cls.cdp("Browser.setDownloadBehavior", behavior="allow", downloadPath=cls.downloads)
        cls.resize(cls.width, cls.height)
        # The link gives the cookie; the tests open the page by its file.
        cls.browser.get(cls.studio.link)
        cls.browser.get(f"{cls.studio.url}icon.svg")

    @classmethod
    def cdp(cls, command, **arguments):
        return cls.browser.execute_cdp_cmd(command, arguments)

    @classmethod
    def resize(cls, width, height):
        cls.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def setUp(self):
        self.expected_errors = ()
        self.forget()
        self.browser.get_log("browser")

    def forget(self):
        """Leaves the page, and clears what the browser keeps of it."""
        self.browser.get(f"{self.studio.url}icon.svg")
        self.js("sessionStorage.clear(); localStorage.clear()")

    def tearDown(self):
        errors = [entry["message"] for entry in self.browser.get_log("browser") if entry["level"] == "SEVERE"]
        errors = [error for error in errors if not any(part in error for part in self.expected_errors)]
        self.assertEqual(errors, [], "the page reported errors")

    def open(self, view, path):
        """Opens a place as from a bookmark, and waits until its text is checked."""
        self.browser.get("about:blank")
        self.browser.get(f"{self.studio.url}index.html#/{view}/{path}")
        self.wait(lambda: "Checking" not in self.text(".problems") and self.text(".problems") != "", "the check")

    # Looking

    def js(self, script, *arguments):
        return self.browser.execute_script(script, *arguments)

    def all(self, selector):
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def text(self, selector):
        return self.js("return [...document.querySelectorAll(arguments[0])].filter(e => e.checkVisibility())"
                       ".map(e => e.textContent).join('\\n')", selector)

    def wait(self, condition, what):
        """Waits until a condition holds."""
        end = time.monotonic() + WAIT
        while True:
            value = condition()
            if value:
                return value
            if time.monotonic() > end:
                self.fail(f"waited {WAIT} s for {what}")
            time.sleep(0.05)

    def wait_for(self, selector, text=""):
        return self.wait(lambda: text in self.text(selector) and self.text(selector), f"'{text}' in {selector}")

    # Acting

    def keys(self, *keys):
        ActionChains(self.browser).send_keys(*keys).perform()

    def chord(self, *keys):
        actions = ActionChains(self.browser)
        for key in keys[:-1]:
            actions.key_down(key)
        actions.send_keys(keys[-1])
        for key in reversed(keys[:-1]):
            actions.key_up(key)
        actions.perform()

    def click(self, name, within="body"):
        """Clicks the button or link of a name, as a person sees or hears it."""
        def find():
            return self.js("""
                const [within, name] = arguments;
                return [...document.querySelectorAll(`${within} button, ${within} a`)].find((element) =>
                  element.checkVisibility() && (element.ariaLabel ?? element.innerText).trim() === name) ?? null;
            """, within, name)
        self.wait(find, f"the button '{name}'").click()

    def check_accessibility(self):
        """Fails for each rule of WCAG 2.2 AA that axe finds broken."""
        found = importlib.util.find_spec("axe_playwright_python")
        if found is None:
            self.skipTest("axe-playwright-python is not installed")
        with open(os.path.join(os.path.dirname(found.origin), "axe.min.js"), encoding="utf-8") as file:
            self.js(file.read())
        violations = self.browser.execute_async_script("""
            const done = arguments[arguments.length - 1];
            const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
            axe.run(document, { preload: false, runOnly: rules }).then(({ violations }) => done(violations.map((rule) =>
              `${rule.id}: ${rule.nodes.map((node) => node.target.join(" ")).slice(0, 3).join(", ")}`)));
        """)
        self.assertEqual(violations, [])


__all__ = ["Keys", "Studio", "StudioTest", "time", "unittest"]
