"""Plays about running streams, recordings, and streams of other processes."""
import os
import signal
import subprocess
import time

from plays_files import type_into_text
from studio import expect, play

PLAYS = []


def start(person, server, path):
    person.open(server, "Live", path)
    person.click("button", "Start")
    person.sees("Running")


def published(person):
    return person.js("return [...document.querySelectorAll('[role=log] code')].map((e) => e.textContent)")


@play(PLAYS, smoke=True)
def balls_move(world):
    """A stream runs live: its values come a second apart, and the balls move smoothly."""
    person = world.person
    start(person, world.server, "serial-a.json")
    person.count_frames()
    time.sleep(1.5 if world.is_smoke else 3)
    rate, gaps = person.frames()
    world.note(f"{rate:.0f} frames a second, longest {gaps[-1]:.0f} ms")
    expect(rate >= 30, f"{rate:.0f} frames a second while balls move")
    person.wait(lambda: published(person)[:2] == ["1", "2"], lambda: f"1 and 2, not {published(person)}")


@play(PLAYS)
def feed_by_hand_and_swap(world):
    """Values are sent by hand; a changed text runs at once, keeps state, and the report says what was kept."""
    person = world.person
    start(person, world.server, "search.json")
    for text in ("sw", "swift"):
        person.fill("textbox", "Value", text)
        person.press("Enter")
    person.wait(lambda: published(person) == ["swift"], lambda: f"swift, not {published(person)}")
    person.view("Text")
    type_into_text(person, "> 2", "> 3")
    person.view("Live")
    person.sees("The new text runs")
    world.note(person.text(".live .notice").replace("\n", " ")[:160])
    person.fill("textbox", "Value", "swift")
    person.press("Enter")
    person.fill("textbox", "Value", "abc")
    person.press("Enter")
    time.sleep(0.7)
    expect(published(person) == ["swift"], f"removeDuplicates has lost its state: {published(person)}")
    person.fill("textbox", "Value", "kotlin")
    person.press("Enter")
    person.wait(lambda: published(person) == ["swift", "kotlin"], lambda: f"kotlin, not {published(person)}")
    person.click("button", "Finish")
    person.sees("The stream has finished")


@play(PLAYS)
def watch_another_process(world):
    """The figures of a stream that `streamrun --state` runs are watched, and it is left running."""
    person, server = world.person, world.server
    server.write("ticks.json", '{"source": {"timer": {"every": 0.1}}}')
    process = subprocess.Popen([world.streamrun, "ticks.json", "--state", "ticks.state"], cwd=server.folder,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        person.wait(lambda: os.path.exists(server.path("ticks.state/socket")), "the run")
        person.open(server, "Live", "search.json")
        person.click("button", "ticks.state")
        person.sees("/s", "[aria-label='Figures of operators']")
        person.sees(str(process.pid))
        person.click("button", "Stop watching")
        expect(process.poll() is None, "the watched stream has ended")
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        process.wait(30)


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
    person.choose("Operator", next(text for text in options if "filter" in text))
    person.click("button", "Next output")
    person.wait(lambda: person.text("section[aria-label=Outputs]").strip(), "an output")
    person.click("button", "End")
    person.wait(lambda: person.find("button", "Next").get_property("disabled"), "the end of the tape")
    person.click("button", "Compare with the draft")
    person.sees("publishes the same")
