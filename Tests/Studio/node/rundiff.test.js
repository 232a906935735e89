// The comparison of two runs, and events in words.

import assert from "node:assert/strict";
import { test } from "node:test";
import { eventKind, eventText } from "../../../Sources/StreamStudio/Page/core/events.js";
import { runDifference } from "../../../Sources/StreamStudio/Page/core/rundiff.js";

/** @param {string} kind @param {string} title @param {any[]} events @param {any} [more] */
const track = (kind, title, events, more = {}) => ({
  id: `${kind}${title}`, kind, title, detail: "", pointer: null, from: [],
  events: events.map(([at, value], id) => ({ id: `${kind}${title}${id}`, at, value, causes: [] })), ...more,
});

/** @param {any[]} tracks */
const run = (...tracks) => /** @type {any} */ ({
  tracks, steps: [], end: 2, isCut: false, stop: null, warnings: [], inputs: {},
});

test("what is the same is drawn once", () => {
  const one = run(track("input", "a", [[0, 1]]), track("stage", "map", [[0, 2]]), track("output", "map", [[0, 2]]));
  const { run: both, ids, outputs } = runDifference(one, structuredClone(one), ["old", "new"]);
  assert.deepEqual(both.tracks.map(({ title }) => title), ["a", "map", "map"]);
  assert.deepEqual(ids, []);
  assert.deepEqual(outputs, []);
});

test("events that only one run has are named by side, in the order of time", () => {
  const before = run(track("input", "a", [[0, 1]]), track("output", "out", [[0.3, "x"], [1, "y"]]));
  const after = run(track("input", "a", [[0, 1]]), track("output", "out", [[0.5, "x"], [1, "y"]]));
  const { run: both, ids, outputs } = runDifference(before, after, ["saved", "unsaved"]);
  assert.deepEqual(both.tracks.map(({ title, detail }) => `${title} ${detail}`), ["a ", "− out saved", "+ out unsaved"]);
  assert.deepEqual(ids, ["old outputout0", "new outputout0"]);
  assert.deepEqual(outputs.map(({ side, event }) => [side, event.at]), [["old", 0.3], ["new", 0.5]]);
});

test("2 and 2.0 differ, and an event is counted as often as it occurs", () => {
  const before = run(track("output", "out", [[0, 2], [1, 1], [1, 1]]));
  const after = run(track("output", "out", [[0, { $double: 2 }], [1, 1]]));
  const { outputs } = runDifference(before, after, ["old", "new"]);
  assert.deepEqual(outputs.map(({ side, event }) => [side, event.value]),
    [["old", 2], ["new", { $double: 2 }], ["old", 1]]);
});

test("the only output is compared, whichever operator is the last one", () => {
  const { run: both } = runDifference(
    run(track("output", "map → output", [[0, 1]])), run(track("output", "filter → output", [[0, 2]])), ["old", "new"]);
  assert.deepEqual(both.tracks.map(({ title }) => title), ["− map → output", "+ filter → output"]);
});

test("operators of one name are compared in their order, and added ones stand alone", () => {
  const before = run(track("stage", "map", [[0, 1]]), track("stage", "map", [[0, 2]]));
  const after = run(track("stage", "map", [[0, 1]]), track("stage", "map", [[0, 3]]), track("stage", "scan", [[0, 3]]));
  const { run: both } = runDifference(before, after, ["old", "new"]);
  assert.deepEqual(both.tracks.map(({ title }) => title), ["map", "− map", "+ map", "+ scan"]);
});

test("events in words", () => {
  assert.equal(eventText({ at: 0, value: "a" }), "a");
  assert.equal(eventText({ at: 0, value: null }), "null");
  assert.equal(eventText({ at: 0, finished: true }), "finished");
  assert.equal(eventText({ at: 0, failure: { code: "S402", message: "divided by 0" } }), "failed: divided by 0");
  assert.equal(eventText({ failure: true }), "failed");
  assert.equal(eventKind({ at: 1, value: null }), "value");
});
