// The edited events of the inputs and the selected ones, with all that changes them. Every change runs the stream.

import { announce } from "../../core/dom.js";
import { declaredType, firstValue } from "../../core/typed.js";
import { isSame } from "../../core/values.js";
import { Feeds, roundTime } from "./feeds.js";

/**
 * @typedef {import("../../core/types.js").FedEvent} FedEvent
 * @typedef {import("../../core/types.js").Inputs} Inputs
 */

/** Seconds between the last value and one that is added without a place. */
const addedDistance = 0.5;

/** Is told of each change by `change`. */
export class FedModel extends EventTarget {
  /** @param {import("../../core/store.js").Store} store */
  constructor(store) {
    super();
    this.store = store;
    this.feeds = new Feeds({});
    /** @type {Inputs | null} */
    this.shown = null;
    /** Keys of events.
     * @type {Set<string>} */
    this.selection = new Set();
    /** The input that the buttons are for.
     * @type {string | null} */
    this.active = null;
    this.groupCount = 0;
    /** The end that an added value has pushed on, and from where.
     * @type {{value: string, end: string, from: number, at: number} | null} */
    this.pushed = null;
  }

  get input() {
    return this.active ?? "";
  }

  /** Forgets the events of a stream that is not shown any more. */
  forget() {
    this.shown = null;
    this.feeds = new Feeds({});
    this.selection = new Set();
    this.active = null;
  }

  /** A group of changes that are undone together. */
  newGroup() {
    this.groupCount += 1;
    return `marbles ${this.groupCount}`;
  }

  /** Takes the inputs from the store, if they were not changed here. */
  read() {
    const { runRequest, run, analysis } = this.store.state;
    const inputs = runRequest.inputs ?? run?.inputs ?? {};
    const declared = analysis?.inputs.map((input) => input.name) ?? [];
    const wished = { ...Object.fromEntries(declared.map((name) => [name, []])), ...inputs };
    if (!this.shown || (inputs !== this.shown && !isSame(wished, this.feeds.toInputs()))) {
      this.shown = inputs;
      this.feeds = new Feeds(wished);
      this.selection = new Set();
    }
    // The inputs may be known later than what they are fed.
    this.feeds.declare(Object.keys(wished));
    const { names } = this.feeds;
    if (this.active === null || !names.includes(this.active)) this.active = names[0] ?? null;
  }

  /** Whether a run is that of the edited events.
   * @param {import("../../core/types.js").Run} run */
  isCurrent(run) {
    const { runRequest, runIsStale } = this.store.state;
    return !runIsStale && (!runRequest.inputs || isSame(fed(run.inputs), fed(runRequest.inputs)));
  }

  /** The types of the declared inputs, as text. */
  get types() {
    const inputs = this.store.state.analysis?.inputs ?? [];
    return new Map(inputs.map(({ name, type }) => [name, typeText(type)]));
  }

  /** @param {string} name */
  typeOf(name) {
    return declaredType(this.store.state.text, name);
  }

  /** @param {string} key */
  timeOf(key) {
    return this.feeds.find(key)?.item.event.at ?? 0;
  }

  /**
   * Gives the edited events to the store, which runs the stream with them.
   *
   * @param {string} label
   * @param {string} [group]
   */
  commit(label, group) {
    const inputs = this.feeds.toInputs();
    this.shown = inputs;
    this.store.setInputs(inputs, { label, group });
    this.dispatchEvent(new Event("change"));
  }

  /** @param {Iterable<string>} keys */
  select(keys) {
    this.selection = new Set(keys);
    this.dispatchEvent(new Event("select"));
  }

  /**
   * @param {string} name
   * @param {number | null} time Null: after the last value.
   * @returns {{key: string, group: string} | null}
   */
  add(name, time) {
    const items = this.feeds.items.get(name);
    if (!items) return null;
    const values = items.filter((item) => "value" in item.event);
    const last = values[values.length - 1];
    const at = time ?? (last ? roundTime(last.event.at + addedDistance) : 0);
    const before = values.filter((item) => item.event.at <= at).pop() ?? values[0];
    const end = items.find((item) => !("value" in item.event));
    const key = this.feeds.add(name, { at, value: before ? before.event.value : firstValue(this.typeOf(name)) });
    // Nothing follows an end; one that is in the way moves on.
    this.pushed = end && end.event.at < at
      ? { value: key, end: end.key, from: end.event.at, at: end.event.at } : null;
    this.pushEnd(key, at);
    this.selection = new Set([key]);
    const group = this.newGroup();
    this.commit("Add a value", group);
    return { key, group };
  }

  /**
   * Moves the end that an added value has pushed on with that value, or back where it was.
   *
   * @param {string} key The value.
   * @param {number | null} at Null once it is removed.
   */
  pushEnd(key, at) {
    const { pushed } = this;
    if (pushed?.value !== key) return;
    const end = this.feeds.find(pushed.end)?.item.event;
    // One that was moved by hand stays there.
    if (!end || end.at !== pushed.at) return;
    pushed.at = at !== null && at > pushed.from ? roundTime(at + addedDistance) : pushed.from;
    this.feeds.move(new Map([[pushed.end, pushed.at]]));
  }

  /**
   * Adds a value after one that is there.
   *
   * @param {string} name
   * @param {number} time
   */
  addAfter(name, time) {
    return this.add(name, roundTime(time + addedDistance));
  }

  /**
   * @param {"finished" | "failure"} kind
   * @param {number | null} time
   * @returns {string} The key of the end.
   */
  end(kind, time) {
    const values = (this.feeds.items.get(this.input) ?? []).filter((item) => "value" in item.event);
    const at = time ?? roundTime((values[values.length - 1]?.event.at ?? 0) + addedDistance);
    const key = this.feeds.end(this.input, kind === "finished" ? { at, finished: true } : { at, failure: "offline" });
    this.selection = new Set([key]);
    this.commit(kind === "finished" ? "Finish the input" : "Fail the input");
    return key;
  }

  /**
   * @param {string} key
   * @param {FedEvent} event
   * @param {string} group
   */
  replace(key, event, group) {
    if (isSame(event, this.feeds.find(key)?.item.event)) return;
    this.feeds.replace(key, event);
    this.pushEnd(key, event.at);
    this.commit("Edit an event", group);
  }

  /**
   * @param {Map<string, number>} times By key.
   * @param {string} group
   */
  move(times, group) {
    this.feeds.move(times);
    this.commit("Move events", group);
  }

  /** Moves the selected events.
   * @param {number} distance In seconds. */
  nudge(distance) {
    const times = [...this.selection].map((key) => /** @type {[string, number]} */ ([key, this.timeOf(key)]));
    const step = Math.max(distance, -Math.min(...times.map(([, at]) => at)));
    const keys = [...this.selection].join();
    this.move(new Map(times.map(([key, at]) => [key, roundTime(at + step)])), `nudge ${keys}`);
  }

  duplicate() {
    if (this.selection.size === 0) return;
    const times = [...this.selection].map((key) => this.timeOf(key));
    const distance = Math.max(...times) - Math.min(...times) + addedDistance;
    this.selection = new Set(this.feeds.duplicate(this.selection, distance));
    this.commit("Duplicate values");
    announce(`${this.selection.size} duplicated`);
  }

  remove() {
    const count = this.selection.size;
    if (count === 0) return;
    this.feeds.remove(this.selection);
    for (const key of this.selection) this.pushEnd(key, null);
    this.selection = new Set();
    this.commit(count === 1 ? "Delete an event" : "Delete events");
    announce(`${count} deleted`);
  }

  /** @param {string} name */
  selectAll(name) {
    this.select((this.feeds.items.get(name) ?? []).map((item) => item.key));
  }
}

/** @param {any} type */
function typeText(type) {
  return typeof type === "string" ? type : type === null || type === undefined ? "" : JSON.stringify(type);
}

/** Inputs without those that are fed nothing.
 * @param {Inputs} inputs
 * @returns {Inputs} */
function fed(inputs) {
  return Object.fromEntries(Object.entries(inputs ?? {}).filter(([, events]) => events.length > 0));
}
