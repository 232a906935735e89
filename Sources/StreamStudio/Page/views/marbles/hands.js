// The pointer and the keys on marbles of items that the file holds itself.

import { openEditor } from "./editor.js";
import { gridOf } from "./gestures.js";

/**
 * @typedef {import("./items.js").Items} Items
 * @typedef {import("./items.js").Item} Item
 * @typedef {import("/player/player.js").Player} Player
 *
 * @typedef {object} Picture What the marbles view shows.
 * @property {HTMLElement} host
 * @property {Player | null} player
 * @property {import("../../core/types.js").Run | null} answered
 */

let groupCount = 0;

/** Drags, edits and deletes items by their marbles. */
export class ItemHands {
  /** The key that stands for the item that is held, among the keys of fed events. */
  static key = "item";

  /** The item whose marble is under the pointer, and its time.
   * @type {{id: number | string, at: number, item: Item} | null} */
  held = null;
  /** @type {{close: (isKept: boolean) => void} | null} */
  editor = null;

  /**
   * @param {Items} items
   * @param {Picture} picture
   */
  constructor(items, picture) {
    this.items = items;
    this.picture = picture;
  }

  /** Whether the stream is a list of items. */
  get isOn() {
    return this.items.list !== null;
  }

  get time() {
    return this.held?.at ?? 0;
  }

  /** @param {number | string} id */
  itemOf(id) {
    const { answered } = this.picture;
    return this.isOn && answered ? this.items.of(answered, id) : null;
  }

  /** Remembers the item of an event.
   * @param {import("/player/player.js").RunEvent | null} event
   * @returns {string | null} The key, if there is such an item. */
  hold(event) {
    const item = event && this.itemOf(event.id);
    this.held = item && event && { id: event.id, at: event.at, item };
    return this.held ? ItemHands.key : null;
  }

  /** @param {number} time @param {string} group */
  move(time, group) {
    const { held } = this;
    if (held?.item.delay) this.items.drag(held.item.delay, Math.max(0, held.item.seconds + time - held.at), group);
  }

  /** @param {KeyboardEvent} event @param {number | string} id */
  useKey(event, id) {
    const item = this.itemOf(id);
    if (!item || event.ctrlKey || event.metaKey) return false;
    const direction = event.altKey ? { ArrowLeft: -1, ArrowRight: 1 }[event.key] : undefined;
    if (event.key === "Enter") this.edit(id, item);
    else if (event.key === "Delete" || event.key === "Backspace") void this.items.remove(item);
    else if (direction && item.delay) {
      const step = direction * gridOf(this.picture.player?.scale ?? 100, event.shiftKey);
      this.items.drag(item.delay, Math.max(0, item.seconds + step), `nudge ${item.delay}`);
    } else return false;
    return true;
  }

  editHeld() {
    if (this.held) this.edit(this.held.id, this.held.item);
  }

  /** @param {number | string} id @param {Item} item */
  edit(id, item) {
    const { host, player } = this.picture;
    const place = player?.clientPlaceOf(id);
    const box = host.getBoundingClientRect();
    groupCount += 1;
    const group = `item ${groupCount}`;
    this.editor?.close(true);
    this.editor = openEditor({
      host,
      place: { x: place ? place.x - box.left : 0, y: place ? place.y - box.top + 20 : 60 },
      name: "the stream",
      type: "dyn",
      event: { at: item.seconds, value: item.value },
      timeLabel: item.delay ? "Delay in seconds" : null,
      onChange: (event) => this.items.change(item, event.value, event.at, group),
      onRemove: () => void this.items.remove(item),
      onClose: () => { this.editor = null; },
    });
  }
}
