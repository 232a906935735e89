"""Plays about accessibility and the look: axe's rules, narrow windows, focus, motion, screenshots."""
import os
import re
import subprocess
import time

from server import ROOT, expect, play
from studio import VIEWS

PLAYS = []


def show(person, server, view):
    """Opens a view with something in it."""
    subject = "filter.json" if view == "Step" else "search.json"
    person.go(server, view, subject)
    marks = {"Marbles": ".player-mark", "Pipeline": ".node", "Text": ".layer .line", "Tests": ".test",
             "Live": "button.primary", "Step": ".tape-event", "Compare": ".compare-view [role=status]",
             "Share": ".preview img"}
    person.wait(lambda: person.js("return document.querySelector(arguments[0]) !== null", marks[view]), f"{view} drawn")
    time.sleep(0.3)


def record(world):
    """Puts a recording in the folder, for the view Step."""
    subprocess.run([world.streamrun, "--virtual", "filter.json", "--record", "run.ndjson"], cwd=world.server.folder,
                   check=True, capture_output=True)


@play(PLAYS)
def rules_of_accessibility(world):
    """No view breaks a rule of WCAG 2.2 AA that axe knows, in light and dark."""
    person = world.person
    record(world)
    person.driver.get(world.server.link)
    person.errors()
    found = []
    for theme in ("light", "dark"):
        person.media(theme=theme)
        for view in VIEWS:
            show(person, world.server, view)
            found += [f"{view}, {theme}: {violation}" for violation in person.violations()]
    expect(not found, "; ".join(found))


@play(PLAYS)
def narrow_windows(world):
    """At 320 px neither the page nor a part of it scrolls sideways, but the text; the files are a drawer."""
    person = world.person
    record(world)
    person.driver.get(world.server.link)
    person.errors()
    person.resize(320, 640)
    wide = []
    for view in VIEWS:
        show(person, world.server, view)
        width = person.js("return document.documentElement.scrollWidth")
        if width > 320:
            wide.append(f"{view}: {width} px")
        wide += [f"{view}: {part}" for part in person.js("""
            return [...document.querySelectorAll("*")].filter((e) => e.checkVisibility() && !e.matches(".tabs, pre")
                && ["auto", "scroll"].includes(getComputedStyle(e).overflowX) && e.scrollWidth > e.clientWidth
                && !e.closest(".editor"))
              .map((e) => `${e.tagName}.${e.className} ${e.scrollWidth} > ${e.clientWidth}`);""")]
    expect(not wide, f"wider than the window: {', '.join(wide)}")
    person.click("button", "Files")
    person.click("link", "scan.json")
    person.wait(lambda: person.driver.current_url.endswith("/scan.json"), "the file")


@play(PLAYS)
def focus_is_seen(world):
    """Tab goes through each view, and what has the focus is in sight and outlined."""
    person = world.person
    record(world)
    person.driver.get(world.server.link)
    person.errors()
    unseen = []
    for view in VIEWS:
        show(person, world.server, view)
        person.js("document.activeElement.blur()")
        for _ in range(45):
            person.press("Tab")
            state = person.js("""
                const e = document.activeElement;
                if (e === document.body) return null;
                // The frame of the text editor has the outline of the text in it.
                const shapes = [e, e.parentElement, e.closest(".editor") ?? e, ...e.children]
                  .map((one) => getComputedStyle(one));
                const box = e.getBoundingClientRect();
                const isOutlined = shapes.some((style) => style.boxShadow !== "none"
                  || (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 1));
                return [e.tagName + " " + (e.getAttribute("aria-label") ?? e.textContent ?? "").trim().slice(0, 40),
                  isOutlined, box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth];""")
            if state and not (state[1] and state[2]):
                unseen.append(f"{view}: {state[0]} ({'not outlined' if not state[1] else 'out of sight'})")
    unseen = list(dict.fromkeys(unseen))
    expect(not unseen, "; ".join(unseen[:12]))


@play(PLAYS)
def reduced_motion(world):
    """With reduced motion nothing moves by itself: no animations, and live values are a list."""
    person = world.person
    person.media(motion="reduce")
    person.open(world.server, "Live", "serial-a.json")
    person.click("button", "Start")
    person.sees("Running")
    time.sleep(1.2)
    moving = person.js("return document.getAnimations()"
                       ".filter((animation) => animation.effect.getComputedTiming().duration > 1).length")
    expect(moving == 0, f"{moving} animations run")
    expect(person.js("return ![...document.querySelectorAll('canvas')].some((c) => c.checkVisibility())"), "balls move")


SIZES = {360: 780, 1440: 900, 3840: 2160}
PAGES = os.path.join(ROOT, "Sources/StreamStudio/StreamStudio.docc")


@play(PLAYS)
def screenshots(world):
    """Screenshots of each view in light and dark, from a phone to 4K, if --screenshots names a folder."""
    if not world.options.screenshots:
        return
    person = world.person
    record(world)
    os.makedirs(world.options.screenshots, exist_ok=True)
    person.driver.get(world.server.link)
    person.errors()
    for theme in ("light", "dark"):
        for width, height in SIZES.items():
            person.media(theme=theme)
            person.resize(width, height)
            for view in VIEWS:
                show(person, world.server, view)
                name = f"{view.lower()}-{theme}-{width}.png"
                person.screenshot(os.path.join(world.options.screenshots, name))


@play(PLAYS)
def pictures_of_the_documentation(world):
    """The pictures of the documentation, with --documentation: a picked marble with its causes, and the cards."""
    if not world.options.documentation:
        return
    person = world.person
    person.open(world.server, "Marbles", "tilt.json")
    person.resize(1200, 720)
    marble = person.wait(lambda: person.track("combineLatest")["marbles"], "the marbles")[-2]
    person.click_at(marble["x"], marble["y"])
    person.wait(lambda: person.css(".player-link"), "the causes")
    person.hover(600, 20)
    time.sleep(0.5)
    person.screenshot(os.path.join(PAGES, "marbles.png"))
    person.view("Pipeline")
    person.click("button", re.compile("^map"))
    time.sleep(0.5)
    person.screenshot(os.path.join(PAGES, "pipeline.png"))
