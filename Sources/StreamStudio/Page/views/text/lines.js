// A text as lines, which are kept up to date by what changes, so that a long text costs no more than a short one.

/**
 * @typedef {object} Change
 * @property {number} from
 * @property {number} oldTo
 * @property {number} newTo
 */

/**
 * What differs between two texts, as one replaced range.
 *
 * @param {string} before
 * @param {string} after
 * @returns {Change}
 */
export function difference(before, after) {
  const shorter = Math.min(before.length, after.length);
  let from = 0;
  while (from < shorter && before.charCodeAt(from) === after.charCodeAt(from)) from += 1;
  let end = 0;
  const limit = shorter - from;
  while (end < limit
    && before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end)) end += 1;
  return { from, oldTo: before.length - end, newTo: after.length - end };
}

/**
 * A range after a change. One that touches the change grows with it; one that was replaced shrinks to nothing.
 *
 * @param {[number, number]} range
 * @param {Change} change
 * @returns {[number, number]}
 */
export function shifted([start, end], { from, oldTo, newTo }) {
  const move = (/** @type {number} */ offset, /** @type {boolean} */ isEnd) => {
    if (offset < from || (offset === from && !isEnd)) return offset;
    if (offset >= oldTo) return offset + newTo - oldTo;
    return isEnd ? newTo : from;
  };
  const first = move(start, false);
  return [first, Math.max(first, move(end, true))];
}

/** A text and where its lines begin. */
export class Lines {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
    /** @type {string[]} */
    this.lines = text.split("\n");
    /** @type {number[]} */
    this.starts = [];
    this.count(0);
  }

  /** @param {number} first The first line whose start is to be computed. */
  count(first) {
    this.starts.length = this.lines.length;
    let start = first === 0 ? 0 : this.starts[first - 1] + this.lines[first - 1].length + 1;
    for (let index = first; index < this.lines.length; index += 1) {
      this.starts[index] = start;
      start += this.lines[index].length + 1;
    }
  }

  /**
   * @param {string} text
   * @returns {Change}
   */
  replace(text) {
    const change = difference(this.text, text);
    if (change.from === change.oldTo && change.from === change.newTo) return change;
    const first = this.lineAt(change.from);
    const last = this.lineAt(change.oldTo);
    const start = this.starts[first];
    const end = this.starts[last] + this.lines[last].length + change.newTo - change.oldTo;
    this.lines.splice(first, last - first + 1, ...text.slice(start, end).split("\n"));
    this.text = text;
    this.count(first);
    return change;
  }

  /**
   * The index of the line that has an offset.
   *
   * @param {number} offset
   * @returns {number}
   */
  lineAt(offset) {
    let low = 0;
    let high = this.starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.starts[middle] <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/**
 * Between a file's text and the text of a `textarea`, which has no carriage returns. What is typed gets the line
 * endings of the file, and the others stay as they are.
 */
export class Endings {
  /** @param {string} source */
  constructor(source) {
    this.source = source;
    /** @type {number[]} Offsets into the shown text of the line feeds that follow a carriage return in the source. */
    this.dropped = [];
    this.shown = source;
    if (!source.includes("\r")) return;
    this.shown = source.replace(/\r\n?/g, "\n");
    let count = 0;
    for (let at = source.indexOf("\r\n"); at >= 0; at = source.indexOf("\r\n", at + 2)) {
      this.dropped.push(at - count);
      count += 1;
    }
  }

  /**
   * @param {number} offset Into the shown text.
   * @returns {number} Into the source.
   */
  toSource(offset) {
    return offset + countBelow(this.dropped, offset);
  }

  /**
   * @param {number} offset Into the source.
   * @returns {number} Into the shown text.
   */
  toShown(offset) {
    let low = 0;
    let high = this.dropped.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.dropped[middle] + middle < offset) low = middle + 1;
      else high = middle;
    }
    return offset - low;
  }

  /**
   * The source after the shown text was changed.
   *
   * @param {string} shown
   * @returns {string}
   */
  sourceOf(shown) {
    if (this.shown === this.source) return shown;
    const { from, oldTo, newTo } = difference(this.shown, shown);
    const ending = this.dropped.length > 0 ? "\r\n" : "\n";
    return this.source.slice(0, this.toSource(from)) + shown.slice(from, newTo).replace(/\n/g, ending)
      + this.source.slice(this.toSource(oldTo));
  }
}

/**
 * How many numbers of a sorted list are below a limit.
 *
 * @param {number[]} sorted
 * @param {number} limit
 * @returns {number}
 */
function countBelow(sorted, limit) {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
