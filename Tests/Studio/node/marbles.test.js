// Tests of the marbles' data: the events that are fed, their places in a run, and the player's texts.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Feeds, inputOf, roundTime, shownRun } from "../../../Sources/StreamStudio/Page/views/marbles/feeds.js";
import { FedModel } from "../../../Sources/StreamStudio/Page/views/marbles/model.js";
import { gridOf } from "../../../Sources/StreamStudio/Page/views/marbles/gestures.js";
import {
  kindOf, labelFieldOf, labelFields, readRun, shortText, timeText,
} from "../../../Sources/StreamTools/Player/player.js";

/** @param {Feeds} feeds @param {string} name */
const times = (feeds, name) => (feeds.items.get(name) ?? []).map((item) => item.event.at);

test("events stay in order of time while they are moved, and an end stays behind the values of its instant", () => {
  const feeds = new Feeds({ a: [{ at: 0, value: 1 }, { at: 1, value: 2 }, { at: 2, finished: true }] });
  const [first] = feeds.items.get("a") ?? [];
  feeds.move(new Map([[first.key, 2]]));
  assert.deepEqual(feeds.toInputs(), { a: [{ at: 1, value: 2 }, { at: 2, value: 1 }, { at: 2, finished: true }] });
  assert.equal(feeds.find(first.key)?.index, 1);
});

test("a second end replaces the first", () => {
  const feeds = new Feeds({ a: [{ at: 1, finished: true }] });
  feeds.end("a", { at: 3, failure: "offline" });
  assert.deepEqual(feeds.toInputs(), { a: [{ at: 3, failure: "offline" }] });
});

/** @param {any} state */
function modelOf(state) {
  const store = { state, setInputs: (/** @type {any} */ inputs) => Object.assign(state.runRequest, { inputs }) };
  const model = new FedModel(/** @type {any} */ (store));
  model.read();
  return model;
}

test("an end that an added value has pushed on comes back where it was", () => {
  const inputs = { q: [{ at: 1.7, value: 1 }, { at: 1.8, finished: true }] };
  const model = modelOf({ text: "{}", runRequest: { inputs }, analysis: { inputs: [{ name: "q" }] }, run: null });
  const end = () => model.feeds.toInputs().q.find((event) => event.finished)?.at;
  const { key, group } = model.add("q", null) ?? assert.fail("nothing was added");
  assert.equal(end(), 2.7);
  model.replace(key, { at: 3, value: 1 }, group);
  assert.equal(end(), 3.5);
  model.replace(key, { at: 1.3, value: 1 }, group);
  assert.equal(end(), 1.8);
  model.replace(key, { at: 2, value: 1 }, group);
  model.pushEnd(key, null);
  assert.equal(end(), 1.8);
});

test("an input can be fed although what is declared is known later than the run", () => {
  const state = { text: "{}", runRequest: { inputs: {} }, analysis: /** @type {any} */ (null), run: null };
  const model = modelOf(state);
  state.analysis = { inputs: [{ name: "q" }] };
  model.read();
  assert.deepEqual(model.feeds.names, ["q"]);
  assert.equal(model.active, "q");
});

test("values are duplicated at a distance, ends are not", () => {
  const feeds = new Feeds({ a: [{ at: 0.1, value: 1 }, { at: 1, finished: true }], b: [{ at: 0, value: "x" }] });
  const keys = [...feeds.items.values()].flat().map((item) => item.key);
  assert.equal(feeds.duplicate(keys, 0.2).length, 2);
  assert.deepEqual(times(feeds, "a"), [0.1, 0.3, 1]);
  feeds.remove(keys);
  assert.deepEqual(feeds.toInputs(), { a: [{ at: 0.3, value: 1 }], b: [{ at: 0.2, value: "x" }] });
});

test("the end of an input is drawn where it is edited, with the ids of the run", () => {
  const feeds = new Feeds({ a: [{ at: 0, value: { $double: 2 } }, { at: 0, value: 3 }, { at: 5, value: 4 }], b: [] });
  /** @type {any} */
  const run = {
    tracks: [
      {
        id: 0, kind: "input", title: "a", detail: "", pointer: null, from: [], events: [
          { id: 10, at: 0, step: 1, value: { $double: 2 }, causes: [] },
          { id: 11, at: 0, step: 2, value: 3, causes: [] },
          { id: 12, at: 5, step: -1, value: 4, causes: [] },
        ],
      },
      { id: 1, kind: "output", title: "output", detail: "", pointer: null, from: [0], events: [] },
    ],
  };
  const { run: shown, keys } = shownRun(run, feeds, { isCurrent: true, types: new Map([["a", ""], ["b", "int"]]) });
  assert.deepEqual(shown.tracks.map((track) => [track.title, track.detail]), [["b", "int"], ["a", ""], ["output", ""]]);
  /** @type {any[]} */
  const events = shown.tracks[1].events;
  assert.deepEqual(events.map((event) => [event.id, event.isUnused]), [[10, false], [11, false], [12, true]]);
  assert.deepEqual([...keys.keys()], [10, 11, 12]);

  // A moved event keeps the id of the last run until the server has answered.
  const key = keys.get(10) ?? "";
  feeds.move(new Map([[key, 7]]));
  const moved = shownRun(run, feeds, { isCurrent: false, types: new Map() });
  assert.deepEqual(moved.run.tracks[1].events.map((event) => [event.id, event.at]), [[11, 0], [12, 5], [10, 7]]);
});

test("a track is that of an input by its name", () => {
  /** @param {string} kind @param {string} title @returns {any} */
  const track = (kind, title) => ({ kind, title, pointer: null });
  assert.equal(inputOf(track("input", "a"), ["a", "b"]), "a");
  assert.equal(inputOf(track("stage", "a"), ["a"]), null);
  assert.equal(inputOf(track("input", "c"), ["a"]), null);
});

test("drags snap to a tenth of a second, or to a step that can be seen", () => {
  assert.equal(gridOf(100, false), 0.1);
  assert.equal(gridOf(10, false), 0.5);
  assert.equal(gridOf(0.01, false), 500);
  assert.equal(gridOf(100, true), 0.01);
  assert.ok(Math.abs(gridOf(2000, false) - 0.005) < 1e-9);
  assert.equal(roundTime(0.1 + 0.2), 0.3);
  assert.equal(roundTime(-1), 0);
});

test("values have short texts and kinds", () => {
  assert.deepEqual(
    [2, { $double: 2 }, { $int: "9007199254740993" }, "", "a", true, null, [1, { $double: 2 }], { a: 1 }]
      .map((value) => shortText(value)),
    ["2", "2.0", "9007199254740993", "“”", "a", "true", "null", "[1, 2.0]", "{a: 1}"]);
  assert.equal(shortText({ room: "attic", celsius: 31 }, "room"), "attic");
  assert.equal(shortText({ other: 1 }, "room"), "{other: 1}");
  assert.deepEqual(
    [1, { $uint: "1" }, "a", false, [], {}, null, { $timestamp: "2026-01-01T00:00:00Z" }].map(kindOf),
    ["number", "number", "text", "true", "list", "object", "other", "other"]);
});

test("records are labeled by a name, an id or their first simple member", () => {
  assert.deepEqual(labelFields([1, { a: [1], b: { $double: 1 } }, { c: { d: 1 }, e: "x" }]), ["a", "b", "e"]);
  assert.equal(labelFieldOf([{ at: 1, name: "x" }]), "name");
  assert.equal(labelFieldOf([{ at: 1, what: "x" }]), "at");
  assert.equal(labelFieldOf([1, 2]), "");
});

test("times have as many digits as their distance needs", () => {
  assert.deepEqual(
    [timeText(0), timeText(0.25), timeText(0.0005, 0.0001), timeText(1.5), timeText(2, 1), timeText(75, 1)],
    ["0", "250 ms", "0.5 ms", "1.5 s", "2 s", "1:15"]);
  assert.equal(timeText(3661, 1), "1:01:01");
  assert.equal(timeText(200000, 60), "2 d 7:33");
});

test("a run keeps the events of the run before that are the same", () => {
  /** @param {number[]} at @param {any[]} values */
  const columns = (at, values) => ({ at, values, steps: at.map(() => 0), causes: at.map(() => null) });
  const run = (/** @type {any[]} */ ...tracks) => ({ tracks: tracks.map((events, id) => ({ id, events })), end: 2 });
  const before = readRun(run(columns([0, 1], [1, { a: [2] }]), columns([0, 2], [1, { $finished: true }])));
  const moved = readRun(run(columns([0, 1.5], [1, { a: [2] }]), columns([0, 2], [1, { $finished: true }])), before);
  assert.equal(moved.tracks[0].events[0], before.tracks[0].events[0]);
  assert.deepEqual(moved.tracks[0].events[1], { id: 1, at: 1.5, step: 0, value: { a: [2] }, causes: [] });
  assert.equal(moved.tracks[1].events, before.tracks[1].events);
  const edited = readRun(run(columns([0, 1], [1, { a: [3] }]), columns([0, 2], [1, { $finished: true }])), before);
  assert.deepEqual(edited.tracks[0].events[1].value, { a: [3] });
  // Another number of events changes the ids of those behind.
  const shorter = readRun(run(columns([0], [1]), columns([0, 2], [1, { $finished: true }])), before);
  assert.deepEqual(shorter.tracks[1].events.map((/** @type {any} */ event) => event.id), [1, 2]);
});
