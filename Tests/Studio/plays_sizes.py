"""Plays with large streams and many marbles, which print how long things take."""
import re
import statistics
import time

from server import expect, play

PLAYS = []
# Bounds that only breakage reaches: the suite runs on any machine, and beside other work.
LOOSE = 5000


def chain(count, events=None):
    """A stream of operators, with a test that feeds it."""
    model = {
        "inputs": {"a": {"type": "int"}}, "source": {"input": {"name": "a"}},
        "operators": [{"map": {"expression": f"value + {number % 7}"}} for number in range(count)],
    }
    if events:
        fed = [{"at": round(index * 0.1, 3), "value": index} for index in range(events)]
        model["tests"] = [{"name": "fed", "inputs": {"a": {"events": fed}}, "expect": {"events": []}}]
    return model


# Milliseconds from a click to the end of the frame in which what it shows is drawn.
SHOWING = """
    const [button, done] = arguments;
    const start = performance.now();
    button.click();
    requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - start)));"""


@play(PLAYS)
def files_of_many_operators(world):
    """Files of 1, 50 and 500 operators open in Pipeline, Text and Marbles."""
    person, server = world.person, world.server
    person.driver.get(server.link)
    person.errors()
    seen = {
        # To find buttons by their names takes seconds, as it lays out the cards that are out of sight.
        "Pipeline": lambda count: person.js("return document.querySelectorAll('.step-node').length") > count,
        "Text": lambda count: "map" in person.text(".layer"),
        "Marbles": lambda count: person.shown(person.tracks()[0]["title"])[:1] == ["0@0"] if person.tracks() else False,
    }
    for count in (1, 50, 500):
        name = f"chain-{count}.json"
        server.write(name, chain(count, 5))
        times = []
        for view, is_seen in seen.items():
            person.driver.get("about:blank")
            start = time.monotonic()
            person.driver.get(f"{server.origin}/index.html#/{view.lower()}/{name}")
            person.wait(lambda: is_seen(count), f"{count} operators in {view}", patience=40)
            times.append(f"{view} {(time.monotonic() - start) * 1000:.0f} ms")
        button = person.all("button", re.compile("^Show .*operators"))
        if button:
            times.append(f"all tracks {person.driver.execute_async_script(SHOWING, button[0]):.0f} ms")
        world.note(f"{count} operators: {', '.join(times)}")


@play(PLAYS)
def ten_thousand_marbles(world):
    """10,000 marbles are scrubbed by the pointer at a rate of frames that a person sees as motion."""
    person, server = world.person, world.server
    server.write("many.json", chain(1, 10000))
    person.open(server, "Marbles", "many.json")
    person.wait(lambda: "events between" in str(person.tracks()), "the marbles", patience=40)
    box = person.js("const b = document.querySelector('.player-axis-box').getBoundingClientRect();"
                    "return [b.x, b.y + b.height / 2, b.width]")
    person.count_frames()
    person.drag((box[0] + 20, box[1]), (box[2] - 60, 0), steps=60)
    rate, gaps = person.frames()
    world.note(f"{rate:.0f} frames a second, 95% of frames within {gaps[int(len(gaps) * 0.95)]:.0f} ms")
    expect(rate > 5, f"{rate:.1f} frames a second")


# Notes how long the output takes to follow the pointer: `drawn` until its marbles are those of the input, where the
# pointer has moved one; `seen` until the end of the frame that shows them, which begins at most 16.7 ms later.
FOLLOWING = """
    const rows = [...document.querySelectorAll(".player-row")];
    const [input, output] = [rows[0], rows.at(-1)];
    const places = (row) => [...row.querySelectorAll(".player-mark rect")]
      .map((rect) => Math.round(Number(rect.getAttribute("x")) + rect.getAttribute("width") / 2))
      .sort((one, other) => one - other).join(" ");
    const following = window.following = { drawn: [], seen: [] };
    const moves = [{ places: places(input), time: 0 }];
    let time = 0;
    for (const type of ["pointerrawupdate", "pointermove"]) {
      addEventListener(type, (event) => { if (event.buttons) time = event.timeStamp; }, true);
    }
    const watch = (row, note) => new MutationObserver(note)
      .observe(row, { subtree: true, childList: true, attributeFilter: ["x", "width"] });
    watch(input, () => {
      const now = places(input);
      if (now !== moves.at(-1).places) moves.push({ places: now, time });
    });
    watch(output, () => {
      const shown = moves.findLastIndex((move) => move.places === places(output));
      if (shown <= 0) return;
      const start = moves[shown].time;
      moves.splice(0, shown);
      following.drawn.push(performance.now() - start);
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => following.seen.push(performance.now() - start);
        port2.postMessage(0);
      });
    });"""


@play(PLAYS)
def drag_among_many(world):
    """With 200 marbles and 20 operators, the output follows a dragged marble."""
    person, server = world.person, world.server
    server.write("drag.json", chain(20, 200))
    for sight, clicks in (("4,200 marbles in sight", 0), ("1,400 in sight", 3)):
        person.open(server, "Marbles", "drag.json")
        person.resize(1440, 1400)
        person.wait(lambda: len(person.tracks()) >= 2, "the tracks", patience=30)
        person.click("button", re.compile("^Show .*operators"))
        for _ in range(clicks):
            person.click("button", "Zoom in")
        person.wait(lambda: len(person.tracks()) == 21 and all(
            any(" at " in m["name"] for m in track["marbles"]) for track in person.tracks()), "marbles apart")
        marbles = [m for m in person.tracks()[0]["marbles"] if m["name"].startswith("value")]
        marble = marbles[len(marbles) // 4]
        person.js(FOLLOWING)
        # There and back again: the first moves of a page are slower, as its code is not compiled yet.
        for start, distance in ((0, 500), (500, -500)):
            person.drag((marble["x"] + start, marble["y"]), (distance, 0), steps=90)
        person.wait(lambda: person.js("return following.drawn.length === following.seen.length"), "the last frame")
        times = person.js("return window.following")
        count = len(times["drawn"])
        expect(count >= 10, f"the output has followed only {count} times")
        said = []
        for name in ("drawn", "seen"):
            values = sorted(times[name])
            said.append(f"{name} median {statistics.median(values):.1f} ms, 95% {values[int(count * 0.95)]:.1f} ms")
            expect(statistics.median(values) < LOOSE, "the output does not follow the pointer")
        world.note(f"{sight}: {', '.join(said)}, {count} moves")
