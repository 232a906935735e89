"""Plays with large streams and many marbles, which print how long things take."""
import re
import statistics
import time

from studio import expect, play

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


@play(PLAYS)
def files_of_many_operators(world):
    """Files of 1, 50 and 500 operators open in Pipeline, Text and Marbles."""
    person, server = world.person, world.server
    person.driver.get(server.link)
    person.errors()
    seen = {
        "Pipeline": lambda count: len(person.all("button", re.compile("^map "))) >= min(count, 10),
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


@play(PLAYS)
def drag_among_many(world):
    """With 200 marbles and 20 operators, a dragged marble changes the output at once."""
    person, server = world.person, world.server
    model = chain(20, 200)
    server.write("drag.json", model)
    person.open(server, "Marbles", "drag.json")
    person.resize(1440, 1400)
    person.wait(lambda: len(person.tracks()) >= 2, "the tracks", patience=30)
    if person.all("button", re.compile("^Show .*operators")):
        person.click("button", re.compile("^Show .*operators"))
    for _ in range(6):
        person.click("button", "Zoom in")
    person.wait(lambda: any(" at " in m["name"] for m in person.tracks()[0]["marbles"]), "marbles apart")
    track = person.tracks()[0]
    marble = track["marbles"][len(track["marbles"]) // 3]
    # From the pointer's move to the end of the frame in which the output's marbles have changed.
    person.js("""
        window.latencies = [];
        let moved = 0;
        const rows = document.querySelectorAll(".player-row");
        const output = rows[rows.length - 1];
        addEventListener("pointermove", (event) => { if (event.buttons && !moved) moved = performance.now(); }, true);
        new MutationObserver(() => {
          if (!moved) return;
          const start = moved;
          moved = 0;
          requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = () => window.latencies.push(performance.now() - start);
            port2.postMessage(0);
          });
        }).observe(output, { subtree: true, attributes: true, childList: true, characterData: true });""")
    for direction in (1, -1, 1, -1):
        now = next((m for m in person.tracks()[0]["marbles"] if m["name"] == marble["name"]), marble)
        person.drag((now["x"], now["y"]), (direction * 160, 0), steps=25)
        time.sleep(0.3)
        marble = min(person.tracks()[0]["marbles"], key=lambda m: abs(m["x"] - now["x"] - direction * 160))
    latencies = sorted(person.js("return window.latencies"))
    expect(len(latencies) >= 3, f"the output changed only {len(latencies)} times during four drags")
    median, high = statistics.median(latencies), latencies[int(len(latencies) * 0.95)]
    world.note(f"pointer to output: median {median:.1f} ms, 95% within {high:.1f} ms, {len(latencies)} changes")
    expect(median < LOOSE, "the output does not follow the pointer")
