// One history of changes of the text and of the inputs that the marbles feed.

/**
 * @template T
 * @typedef {object} Change
 * @property {"text" | "inputs"} kind
 * @property {T} before
 * @property {T} after
 * @property {string} label
 * @property {string | null} group
 * @property {number} time
 */

/** Changes of the same group within this time, in milliseconds, are undone together. */
const GROUP_TIME = 1000;
const LIMIT = 500;

/** Changes that can be undone and redone. */
export class History {
  constructor() {
    /** @type {Change<any>[]} */
    this.done = [];
    /** @type {Change<any>[]} */
    this.undone = [];
  }

  /**
   * @param {"text" | "inputs"} kind
   * @param {any} before
   * @param {any} after
   * @param {{label: string, group?: string | null, time?: number}} options
   */
  add(kind, before, after, { label, group = null, time = Date.now() }) {
    const last = this.done[this.done.length - 1];
    this.undone = [];
    if (last && group !== null && last.group === group && last.kind === kind && time - last.time < GROUP_TIME) {
      last.after = after;
      last.time = time;
      return;
    }
    this.done.push({ kind, before, after, label, group, time });
    if (this.done.length > LIMIT) this.done.shift();
  }

  /** Ends the group of the last change, so that the next one is undone by itself. */
  endGroup() {
    const last = this.done[this.done.length - 1];
    if (last) last.group = null;
  }

  /** @returns {Change<any> | null} The change to take back. */
  undo() {
    const change = this.done.pop();
    if (!change) return null;
    change.group = null;
    this.undone.push(change);
    return change;
  }

  /** @returns {Change<any> | null} The change to make again. */
  redo() {
    const change = this.undone.pop();
    if (!change) return null;
    this.done.push(change);
    return change;
  }

  /** Label of the change that `undo` takes back, or null. */
  get undoLabel() {
    return this.done[this.done.length - 1]?.label ?? null;
  }

  /** Label of the change that `redo` makes again, or null. */
  get redoLabel() {
    return this.undone[this.undone.length - 1]?.label ?? null;
  }
}
