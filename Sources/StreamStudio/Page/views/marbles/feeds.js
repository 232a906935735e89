// The events that are fed into the inputs, as they are edited: plain data, without any drawing.

import { isSame } from "../../core/values.js";

/**
 * @typedef {import("../../core/types.js").FedEvent} FedEvent
 * @typedef {import("../../core/types.js").Inputs} Inputs
 * @typedef {import("../../core/types.js").Run} Run
 * @typedef {import("../../core/types.js").Track} Track
 * @typedef {import("../../core/types.js").RunEvent} RunEvent
 *
 * @typedef {{key: string, event: FedEvent, runId: number | string | null}} Item
 * An event with a key that stays while it is moved, and the event of the newest run that it became.
 */

let keyCount = 0;

/** @param {FedEvent} event @returns {Item} */
function itemOf(event) {
  keyCount += 1;
  return { key: `fed:${keyCount}`, event, runId: null };
}

/**
 * The name of the input that a track shows, or null for other tracks.
 *
 * @param {Track} track
 * @param {string[]} names
 * @returns {string | null}
 */
export function inputOf(track, names) {
  if (track.kind !== "input") return null;
  return names.find((name) => name === track.title || track.pointer === `/inputs/${name}`) ?? null;
}

/** The edited events by input. Every change makes new arrays; within an input the events are in order of time. */
export class Feeds {
  /** @param {Inputs} inputs */
  constructor(inputs) {
    /** @type {Map<string, Item[]>} */
    this.items = new Map();
    for (const [name, events] of Object.entries(inputs)) this.items.set(name, events.map(itemOf));
  }

  get names() {
    return [...this.items.keys()];
  }

  /**
   * Has a place for each of these inputs, and no empty ones for others.
   *
   * @param {string[]} names
   */
  declare(names) {
    for (const name of names) if (!this.items.has(name)) this.items.set(name, []);
    for (const [name, items] of this.items) {
      if (items.length === 0 && !names.includes(name)) this.items.delete(name);
    }
  }

  /** @returns {Inputs} */
  toInputs() {
    return Object.fromEntries([...this.items].map(([name, items]) => [name, items.map((item) => item.event)]));
  }

  /**
   * @param {string} key
   * @returns {{name: string, item: Item, index: number} | null}
   */
  find(key) {
    for (const [name, items] of this.items) {
      const index = items.findIndex((item) => item.key === key);
      if (index >= 0) return { name, item: items[index], index };
    }
    return null;
  }

  /**
   * @param {string} name
   * @param {Item[]} items
   */
  put(name, items) {
    // An end stays behind the values of its instant: nothing follows it.
    const isEnd = (/** @type {Item} */ item) => (item.event.finished || "failure" in item.event ? 1 : 0);
    this.items.set(name, [...items].sort((a, b) => a.event.at - b.event.at || isEnd(a) - isEnd(b)));
  }

  /**
   * @param {string} name
   * @param {FedEvent} event
   * @returns {string} The key of the new event.
   */
  add(name, event) {
    const item = itemOf(event);
    this.put(name, [...(this.items.get(name) ?? []), item]);
    return item.key;
  }

  /** @param {Iterable<string>} keys */
  remove(keys) {
    const removed = new Set(keys);
    for (const [name, items] of this.items) this.put(name, items.filter((item) => !removed.has(item.key)));
  }

  /**
   * @param {string} key
   * @param {FedEvent} event
   */
  replace(key, event) {
    for (const [name, items] of this.items) {
      if (!items.some((item) => item.key === key)) continue;
      this.put(name, items.map((item) => (item.key === key ? { ...item, event } : item)));
    }
  }

  /**
   * Sets the times of several events.
   *
   * @param {Map<string, number>} times By key.
   */
  move(times) {
    for (const [name, items] of this.items) {
      if (!items.some((item) => times.has(item.key))) continue;
      this.put(name, items.map((item) => {
        const at = times.get(item.key);
        return at === undefined || at === item.event.at ? item : { ...item, event: { ...item.event, at } };
      }));
    }
  }

  /**
   * Ends an input: an end that it has is replaced, since nothing can follow it.
   *
   * @param {string} name
   * @param {FedEvent} event
   * @returns {string}
   */
  end(name, event) {
    const items = this.items.get(name) ?? [];
    this.items.set(name, items.filter((item) => !item.event.finished && !("failure" in item.event)));
    return this.add(name, event);
  }

  /**
   * @param {Iterable<string>} keys
   * @param {number} distance In seconds.
   * @returns {string[]} The keys of the copies.
   */
  duplicate(keys, distance) {
    return [...keys].flatMap((key) => {
      const found = this.find(key);
      if (!found || !("value" in found.item.event)) return [];
      return [this.add(found.name, { ...found.item.event, at: roundTime(found.item.event.at + distance) })];
    });
  }

}

/**
 * Without the digits that are only an error of rounding.
 *
 * @param {number} seconds
 */
export function roundTime(seconds) {
  return Math.max(0, Number(seconds.toFixed(6)));
}

/** @param {FedEvent} fed @param {RunEvent} event */
function isOf(fed, event) {
  if (Math.abs(fed.at - event.at) > 1e-9) return false;
  if (fed.finished) return event.finished === true;
  if ("failure" in fed) return event.failure !== undefined;
  return isSame(fed.value, event.value);
}

/**
 * The run with the edited events on its input tracks. They are shown as they are edited now, also before the server
 * has answered, and have the ids of the run's events, so that causes and effects can be followed.
 *
 * @param {Run} run
 * @param {Feeds} feeds
 * @param {{isCurrent: boolean, types: Map<string, string>}} options `isCurrent`: the run is that of these events;
 * `types`: those of declared inputs, as text.
 * @returns {{run: Run, keys: Map<number | string, string>}} Also the key of each event that can be edited, by its id.
 */
export function shownRun(run, feeds, { isCurrent, types }) {
  /** @type {Map<number | string, string>} */
  const keys = new Map();
  const shownNames = new Set();
  const tracks = run.tracks.map((track) => {
    const name = inputOf(track, feeds.names);
    if (name === null) return track;
    shownNames.add(name);
    const detail = track.detail || (types.get(name) ?? "");
    const events = fedEvents(track, feeds.items.get(name) ?? [], isCurrent, types.has(name), keys);
    return { ...track, detail, events };
  });
  /** @type {Track[]} */
  const others = feeds.names.filter((name) => !shownNames.has(name)).map((name) => {
    /** @type {Track} */
    const track = {
      id: `input:${name}`, kind: "input", title: name, detail: types.get(name) ?? "", pointer: `/inputs/${name}`,
      from: [], isSubscribed: false, events: [],
    };
    return { ...track, events: fedEvents(track, feeds.items.get(name) ?? [], isCurrent, types.has(name), keys) };
  });
  return { run: { ...run, tracks: [...others, ...tracks] }, keys };
}

/**
 * @param {Track} track
 * @param {Item[]} items
 * @param {boolean} isCurrent
 * @param {boolean} isDeclared A test can also feed a named stream, whose events the server does not follow.
 * @param {Map<number | string, string>} keys
 * @returns {any[]}
 */
function fedEvents(track, items, isCurrent, isDeclared, keys) {
  let next = 0;
  const own = items.map((item) => {
    let found = null;
    if (isCurrent) {
      const latest = item.event.at + 1e-9;
      for (let index = next; index < track.events.length && track.events[index].at <= latest; index += 1) {
        if (!isOf(item.event, track.events[index])) continue;
        found = track.events[index];
        next = index + 1;
        break;
      }
      item.runId = found?.id ?? null;
    }
    const id = item.runId ?? `${item.key}@${track.id}`;
    keys.set(id, item.key);
    const isUnused = isCurrent && isDeclared && (!found || found.step === -1);
    return { ...item.event, id, causes: found?.causes ?? [], isUnused };
  });
  if (!isCurrent) return own;
  // What the run has besides, such as an initial value, is shown and cannot be edited.
  const matched = new Set(own.map((event) => event.id));
  const rest = track.events.filter((event) => !matched.has(event.id));
  return rest.length === 0 ? own : [...own, ...rest].sort((a, b) => a.at - b.at);
}
