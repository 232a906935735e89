// Two runs as one, with the tracks of both side by side on one axis of time, and the events that only one of them has.

import { jsonText } from "./values.js";

/**
 * @typedef {import("./types.js").Run} Run
 * @typedef {import("./types.js").RunEvent} RunEvent
 * @typedef {import("./types.js").Track} Track
 * @typedef {object} RunDifference
 * @property {Run} run The tracks of both runs; ids begin with `old ` or `new `.
 * @property {string[]} ids The events that only one of the runs has.
 * @property {number} outputs How many of them are events of outputs.
 * @property {number | null} first The time of the first of these.
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
  let outputs = 0;
  /** @type {number | null} */
  let first = null;
  for (const key of [...new Set([...next.keys(), ...old.keys()])]) {
    const pair = [old.get(key) ?? null, next.get(key) ?? null];
    const [left, right] = pair;
    const only = [onlyIn(left, right), onlyIn(right, left)];
    // What is the same in both versions, as inputs mostly are, is drawn once.
    const isOne = left !== null && right !== null && only.every((events) => events.length === 0);
    pair.forEach((track, side) => {
      if (!track || (isOne && side === 0)) return;
      tracks.push(renamed(track, side === 0 ? "old" : "new", isOne ? "" : names[side]));
      for (const event of only[side]) {
        ids.push(`${side === 0 ? "old" : "new"} ${event.id}`);
        if (track.kind !== "output") continue;
        outputs += 1;
        first = Math.min(first ?? Infinity, event.at);
      }
    });
  }
  const order = { input: 0, stage: 1, output: 2 };
  tracks.sort((a, b) => order[a.kind] - order[b.kind]);
  const run = { ...after, tracks, steps: [], end: Math.max(before.end, after.end), isCut: before.isCut || after.isCut };
  return { run, ids, outputs, first };
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
