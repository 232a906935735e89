// The items that a stream file holds itself, as in the article: `"stream": [{"value": 1, "operators": […]}]`. Their
// marbles can be dragged, too; that changes the delay in the text.

import { singleFlight } from "../../core/api.js";
import { toast } from "../../core/dom.js";
import { roundTime } from "./feeds.js";

/**
 * @typedef {import("../../core/types.js").Outline} Outline
 * @typedef {import("../../core/types.js").Run} Run
 * @typedef {{pointer: string, delay: string | null, seconds: number, value: any}} Item
 * `delay` is the pointer of the item's last delay, if it has one.
 */

const itemPointer = /^((?:.*\/)?stream\/\d+)(?:\/operators\/\d+)?$/;

/** Finds the items of the present stream and edits them. */
export class Items {
  /** @param {import("../../core/store.js").Store} store */
  constructor(store) {
    this.store = store;
    /** What is wished while one drags or types: edits follow each other, and the newest wins.
     * @type {{edits: object[], label: string, group: string} | null} */
    this.wish = null;
    this.follow = singleFlight(() => this.send());
  }

  /** The pointer of the list of items, if the stream itself is one. */
  get list() {
    const first = this.store.state.analysis?.outline?.steps[0];
    return first?.kind === "source" && first.name === "stream" ? first.pointer : null;
  }

  /**
   * The item that an event comes from.
   *
   * @param {Run} run
   * @param {number | string} id
   * @returns {Item | null}
   */
  of(run, id) {
    const tracks = new Map(run.tracks.flatMap((track) => track.events.map((event) => [event.id, { track, event }])));
    const seen = new Set();
    const waiting = [id];
    for (let current = waiting.pop(); current !== undefined; current = waiting.pop()) {
      const found = tracks.get(current);
      if (!found || seen.has(current)) continue;
      seen.add(current);
      const pointer = itemPointer.exec(found.track.pointer ?? "")?.[1];
      if (pointer && "value" in found.event) return this.item(pointer, found.event.value);
      // Only what has the value of the item stands for it.
      if (found.track.kind === "output") waiting.push(...found.event.causes);
    }
    return null;
  }

  /**
   * @param {string} pointer
   * @param {any} value
   * @returns {Item | null}
   */
  item(pointer, value) {
    const outline = this.store.state.analysis?.outline;
    const item = outline && find(outline, pointer);
    if (!item) return null;
    const delay = item.steps.filter((step) => step.name === "delay" && typeof step.fields?.seconds === "number").pop();
    return {
      pointer, value, delay: delay ? `${delay.pointer}/delay/seconds` : null, seconds: delay?.fields.seconds ?? 0,
    };
  }

  /**
   * Sets the delay of an item while one drags it; the newest wish wins.
   *
   * @param {string} pointer
   * @param {number} seconds
   * @param {string} group
   */
  drag(pointer, seconds, group) {
    this.wish = { edits: [{ set: { pointer, value: roundTime(seconds) } }], label: "Move an item", group };
    this.follow();
  }

  async send() {
    const { wish } = this;
    if (!wish) return;
    this.wish = null;
    await this.edit(wish.edits, wish.label, wish.group);
  }

  /**
   * @param {Item} item
   * @param {any} value
   * @param {number} seconds
   * @param {string} group
   */
  change(item, value, seconds, group) {
    /** @type {object[]} */
    const edits = [{ set: { pointer: `${item.pointer}/value`, value } }];
    if (item.delay) edits.push({ set: { pointer: item.delay, value: roundTime(seconds) } });
    this.wish = { edits, label: "Edit an item", group };
    this.follow();
  }

  /** Adds an item that follows the last one after a second. */
  add() {
    const { list } = this;
    const first = this.store.state.analysis?.outline?.steps[0];
    if (list === null || !first) return;
    const value = { value: 1, operators: [{ delay: { seconds: 1 } }] };
    return this.edit([{ insert: { pointer: `${list}/${first.branches.length}`, value } }], "Add an item");
  }

  /** @param {Item} item */
  remove(item) {
    return this.edit([{ remove: { pointer: item.pointer } }], "Delete an item");
  }

  /**
   * @param {object[]} edits
   * @param {string} label
   * @param {string} [group]
   */
  async edit(edits, label, group) {
    try {
      await this.store.change(edits, label, { group });
    } catch (error) {
      toast(/** @type {Error} */ (error).message, { kind: "error" });
    }
  }
}

/**
 * @param {Outline} outline
 * @param {string} pointer
 * @returns {Outline | null}
 */
function find(outline, pointer) {
  if (outline.pointer === pointer) return outline;
  const inner = [
    ...outline.steps.flatMap((step) => step.branches.flatMap((branch) => branch.outline ?? [])),
    ...outline.streams, ...outline.outputs.map((output) => output.stream),
  ];
  for (const stream of inner) {
    const found = stream && find(stream, pointer);
    if (found) return found;
  }
  return null;
}
