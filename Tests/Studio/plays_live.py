"""Plays about running streams, recordings, and streams of other processes."""
import json
import os
import re
import signal
import subprocess
import time

from selenium.webdriver.support.ui import Select

from plays_files import type_into_text
from plays_step import STREAM as SUM, recording as recording_of_sums
from server import expect, play

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
    report = person.text(".live .notice").replace("\n", " ")
    expect("removeDuplicates" in report or "kept" in report, f"the report does not say what was kept: {report}")
    world.note(report[:160])
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
    """The figures and the values of a stream that `streamrun --state` runs are watched, and it is left running."""
    person, server = world.person, world.server
    server.write("ticks.json", """{"source": {"timer": {"every": 0.1}}, "operators": [
        {"id": "twice", "map": {"expression": "value * 2"}}, {"id": "some", "filter": {"expression": "true"}}]}""")
    process = subprocess.Popen([world.streamrun, "ticks.json", "--state", "ticks.state"], cwd=server.folder,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        person.wait(lambda: os.path.exists(server.path("ticks.state/socket")), "the run")
        person.open(server, "Live", "search.json")
        person.click("button", "ticks.state")
        person.sees("/s", "[aria-label='Figures of operators']")
        person.sees(str(process.pid))
        person.wait(lambda: all(counts(person).get(name, 0) > 10 for name in ("twice", "some")), "values of operators")
        person.click("button", "Stop watching")
        expect(process.poll() is None, "the watched stream has ended")
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        process.wait(30)


@play(PLAYS)
def feed_by_buttons_and_typed_values(world):
    """The values of the test are buttons; a value of another type is refused; a finished stream runs again."""
    person = world.person
    start(person, world.server, "search.json")
    person.click("button", "swif", ".live-send")
    person.wait(lambda: published(person) == ["swif"], lambda: f"swif, not {published(person)}")
    person.click("button", "Finish", ".live-send")
    person.sees("The stream has finished")
    person.click("button", "Run again")
    person.sees("Running")
    person.wait(lambda: published(person) == [], "an empty log")
    person.click("button", "Stop")
    start(person, world.server, "tilt.json")
    field = person.css(".live-send-form input")[0]
    field.click()
    person.press("Ctrl+a")
    person.type("up")
    person.press("Enter")
    person.sees("Enter a number", ".live-send .error")
    expect(counts(person)["gravity"] == 0, "a value of another type was sent")
    person.press("Ctrl+a")
    person.type("0.5")
    person.press("Enter")
    person.wait(lambda: counts(person)["gravity"] == 1, "the value on the track")


def counts(person):
    """The number of values of each track."""
    heads = person.js("return [...document.querySelectorAll('.live-head')].map((head) => head.innerText)")
    found = {head.split("\n")[0]: re.search(r"(\d[\d,]*) values?", head) for head in heads}
    return {name: int(match.group(1).replace(",", "")) for name, match in found.items() if match}


def feed(person, kind, path, speed):
    """Chooses in the form what feeds the only input."""
    person.wait(lambda: person.css(".live-feed select"), "the form")
    Select(person.css(".live-feed select")[0]).select_by_visible_text(kind)
    Select(person.css(".live-feed select")[1]).select_by_value(path)
    field = person.css(".live-feed input")[0]
    field.clear()
    field.send_keys(speed)


@play(PLAYS)
def feed_from_a_file(world):
    """A file of 300 values feeds an input, 100 a second; a speed that is no number is refused."""
    person, server = world.person, world.server
    server.write("numbers.ndjson", "".join(f"{number}\n" for number in range(300)))
    server.write("double.json", {
        "inputs": {"n": {"type": "int"}}, "source": {"input": {"name": "n"}},
        "operators": [{"map": {"expression": "value * 2"}}],
    })
    person.open(server, "Live", "double.json")
    feed(person, "A file", "numbers.ndjson", "x")
    person.click("button", "Start")
    person.sees("Enter a number", ".live-feed .error")
    feed(person, "A file", "numbers.ndjson", "100")
    begin = time.monotonic()
    person.click("button", "Start")
    person.wait(lambda: published(person)[-2:] == ["598", "finished"], lambda: f"598, not {published(person)[-3:]}")
    duration = time.monotonic() - begin
    world.note(f"300 values in {duration:.1f} s")
    expect(duration > 2, f"300 values took {duration:.1f} s at 100 a second")
    expect(counts(person)["map"] == 300, f"{counts(person)}")


@play(PLAYS)
def feed_from_a_recording(world):
    """A recording of 3 seconds feeds an input at 5 times its speed."""
    person, server = world.person, world.server
    model = json.loads(SUM)
    # Its time is real: the pause that `debounce` waits for does not become shorter with the recording.
    model["operators"].pop()
    server.write("sum.json", model)
    server.write("sum.ndjson", recording_of_sums(server.path("sum.json")))
    person.open(server, "Live", "sum.json")
    feed(person, "A recording", "sum.ndjson", "5")
    begin = time.monotonic()
    person.click("button", "Start")
    person.wait(lambda: published(person) == ["1", "3", "7", "finished"], lambda: f"the sums, not {published(person)}")
    duration = time.monotonic() - begin
    world.note(f"3 s in {duration:.1f} s: {published(person)}")
    expect(0.5 < duration < 3, f"3 s took {duration:.1f} s at 5 times the speed")
