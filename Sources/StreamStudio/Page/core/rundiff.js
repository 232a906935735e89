// Two runs as one, with the tracks of both side by side on one axis of time, and the events that only one of them has.

import { fill, h } from "./dom.js";
import { eventText } from "./events.js";
import { jsonText, timeText } from "./values.js";

/** Differences beyond this number are only counted. */
const SHOWN = 100;

/**
 * @typedef {import("./types.js").Run} Run
 * @typedef {import("./types.js").RunEvent} RunEvent
 * @typedef {import("./types.js").Track} Track
 * @typedef {object} RunDifference
 * @property {Run} run The tracks of both runs; ids begin with `old ` or `new `.
 * @property {string[]} ids The events that only one of the runs has.
 * @property {{event: RunEvent, side: "old" | "new"}[]} outputs Those of outputs, in the order of time.
 */

/**
 * @param {Run} before
 * @param {Run} after
 * @param {[string, string]} names What the two are called, such as `saved` and `unsaved`.
 * @returns {RunDifference}
 */
export function runDifference(before, after, names) {
  const old = keyed(before.tracks);
  const next = keyed(after.tracks);
  /** @type {Track[]} */
  const tracks = [];
  /** @type {string[]} */
  const ids = [];
  /** @type {RunDifference["outputs"]} */
  const outputs = [];
  for (const key of [...new Set([...next.keys(), ...old.keys()])]) {
    const pair = [old.get(key) ?? null, next.get(key) ?? null];
    const [left, right] = pair;
    const only = [onlyIn(left, right), onlyIn(right, left)];
    // What is the same in both versions, as inputs mostly are, is drawn once.
    const isOne = left !== null && right !== null && only.every((events) => events.length === 0);
    pair.forEach((track, side) => {
      if (!track || (isOne && side === 0)) return;
      const name = side === 0 ? "old" : "new";
      tracks.push(renamed(track, name, isOne ? "" : names[side]));
      ids.push(...only[side].map((event) => `${name} ${event.id}`));
      if (track.kind === "output") for (const event of only[side]) outputs.push({ event, side: name });
    });
  }
  const order = { input: 0, stage: 1, output: 2 };
  tracks.sort((a, b) => order[a.kind] - order[b.kind]);
  const run = { ...after, tracks, steps: [], end: Math.max(before.end, after.end), isCut: before.isCut || after.isCut };
  outputs.sort((a, b) => a.event.at - b.event.at);
  return { run, ids, outputs };
}

/** A table of the events of outputs that only one of two versions has. */
export class DifferenceTable {
  constructor() {
    this.table = h("table", { class: "run-differences" });
    this.element = h("div", {
      class: "scrolled-table", tabindex: "0", role: "group", "aria-label": "Different events", hidden: true,
    }, this.table);
  }

  /**
   * @param {RunDifference["outputs"]} outputs
   * @param {[string, string]} names
   */
  update(outputs, names) {
    this.element.hidden = outputs.length === 0;
    fill(this.table,
      h("thead", null, h("tr", null, ["at", ...names].map((title) => h("th", { scope: "col" }, title)))),
      h("tbody", null, outputs.slice(0, SHOWN).map(({ event, side }) => h("tr", null,
        h("td", null, timeText(event.at)),
        h("td", { dir: "auto" }, side === "old" ? eventText(event) : ""),
        h("td", { dir: "auto" }, side === "new" ? eventText(event) : "")))),
      outputs.length > SHOWN && h("caption", null, `and ${outputs.length - SHOWN} more`));
  }
}

/**
 * Tracks by what they are in both versions: the second `map` of one is compared with the second of the other.
 *
 * @param {Track[]} tracks
 * @returns {Map<string, Track>}
 */
function keyed(tracks) {
  /** @type {Map<string, Track>} */
  const result = new Map();
  // The only output is the same, whichever operator is the last one.
  const isOnly = tracks.filter((track) => track.kind === "output").length === 1;
  for (const track of tracks) {
    let key = track.kind === "output" && isOnly ? "output" : `${track.kind} ${track.title}`;
    for (let number = 2; result.has(key); number += 1) key = `${track.kind} ${track.title} ${number}`;
    result.set(key, track);
  }
  return result;
}

/**
 * The events of a track that another one does not have at the same time.
 *
 * @param {Track | null} track
 * @param {Track | null} other
 * @returns {RunEvent[]}
 */
function onlyIn(track, other) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const event of other?.events ?? []) counts.set(keyOf(event), (counts.get(keyOf(event)) ?? 0) + 1);
  return (track?.events ?? []).filter((event) => {
    const count = counts.get(keyOf(event)) ?? 0;
    if (count > 0) counts.set(keyOf(event), count - 1);
    return count === 0;
  });
}

/** @param {RunEvent} event */
function keyOf({ at, value, finished, failure }) {
  const what = finished ? "finished" : failure ? `failure ${failure.code}` : `value ${jsonText(value)}`;
  return `${Math.round(at * 1e9)} ${what}`;
}

/**
 * @param {Track} track
 * @param {"old" | "new"} side
 * @param {string} name What the version is called; empty for a track of both.
 * @returns {Track}
 */
function renamed(track, side, name) {
  return {
    ...track,
    id: `${side} ${track.id}`,
    title: name ? `${side === "old" ? "−" : "+"} ${track.title}` : track.title,
    detail: name ? [name, track.detail].filter((part) => part !== "").join(" · ") : track.detail,
    from: (track.from ?? []).map((id) => `${side} ${id}`),
    events: track.events.map((event) => ({
      ...event, id: `${side} ${event.id}`, causes: (event.causes ?? []).map((id) => `${side} ${id}`),
    })),
  };
}
