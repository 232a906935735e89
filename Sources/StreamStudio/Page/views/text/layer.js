// The colored text under the textarea, and the line numbers: only the lines that are in sight are nodes.

import { h, icon } from "../../core/dom.js";
import { tokensOf } from "./highlight.js";

/**
 * @typedef {"error" | "warning" | "note" | "found" | "found-now" | "bracket"} MarkKind
 * @typedef {{range: [number, number], kind: MarkKind, hasFix?: boolean}} Mark
 *
 * @typedef {object} Scene
 * @property {import("./lines.js").Lines} text
 * @property {number} first
 * @property {number} last The line after the last one that is drawn.
 * @property {Mark[]} marks
 * @property {Set<string>} expressionKeys
 * @property {number} caretLine
 */

/** Height of a line in pixels; the style sheet has the same. */
export const LINE_HEIGHT = 20;

/** Draws lines. */
export class Layer {
  /** @param {(line: number) => void} showFixes Called when the light bulb of a line is clicked. */
  constructor(showFixes) {
    this.code = h("div", { class: "layer", "aria-hidden": "true" });
    this.gutter = h("div", { class: "numbers" });
    this.showFixes = showFixes;
    /** @type {Map<string, HTMLElement[]>} Drawn lines by what they show. */
    this.drawn = new Map();
    /** @type {HTMLElement[]} In the order of the lines. */
    this.nodes = [];
    this.first = 0;
    this.gutterKey = "";
  }

  /** Draws all lines anew at the next time. */
  forget() {
    this.drawn.clear();
  }

  /** @param {Scene} scene */
  draw(scene) {
    this.drawCode(scene);
    this.drawGutter(scene);
  }

  /** @param {Scene} scene */
  drawCode({ text, first, last, marks, expressionKeys }) {
    const before = this.drawn;
    /** @type {Map<string, HTMLElement[]>} */
    const drawn = new Map();
    const nodes = [];
    for (let index = first; index < last; index += 1) {
      const start = text.starts[index];
      const line = text.lines[index];
      const end = start + line.length;
      const own = marks.filter(({ range }) => range[0] <= end && range[1] >= start
        && (range[0] < end || range[0] === range[1] || line === "" || range[0] === end))
        .map(({ range, kind }) => placed(range, start, line.length, kind))
        .filter((mark) => mark !== null);
      const key = own.length > 0 ? `${line}\n${own.map((mark) => Object.values(mark ?? {}).join()).join(";")}` : line;
      const node = before.get(key)?.pop() ?? lineNode(line, /** @type {LineMark[]} */ (own), expressionKeys);
      nodes.push(node);
      const same = drawn.get(key);
      if (same) same.push(node);
      else drawn.set(key, [node]);
    }
    this.drawn = drawn;
    this.first = first;
    this.replaceNodes(nodes);
    this.code.style.setProperty("transform", `translateY(${first * LINE_HEIGHT}px)`);
  }

  /**
   * Replaces the nodes that differ: most often, that is the one line in which one types.
   *
   * @param {HTMLElement[]} nodes
   */
  replaceNodes(nodes) {
    const before = this.nodes;
    this.nodes = nodes;
    if (nodes.length !== before.length) {
      this.code.replaceChildren(...nodes);
      return;
    }
    const differing = nodes.flatMap((node, index) => (node === before[index] ? [] : [index]));
    if (differing.length === 1) before[differing[0]].replaceWith(nodes[differing[0]]);
    else if (differing.length > 0) this.code.replaceChildren(...nodes);
  }

  /** @param {Scene} scene */
  drawGutter({ text, first, last, marks, caretLine }) {
    /** @type {Map<number, MarkKind>} */
    const worst = new Map();
    /** @type {Set<number>} */
    const fixLines = new Set();
    const ranks = { error: 3, warning: 2, note: 1 };
    for (const { range, kind, hasFix } of marks) {
      if (!(kind in ranks)) continue;
      const line = text.lineAt(range[0]);
      if (line < first || line >= last) continue;
      if (hasFix) fixLines.add(line);
      const rank = ranks[/** @type {keyof typeof ranks} */ (kind)];
      const known = worst.get(line);
      if (!known || ranks[/** @type {keyof typeof ranks} */ (known)] < rank) worst.set(line, kind);
    }
    const key = [first, last, caretLine, [...worst].join(), [...fixLines].join()].join("|");
    if (key === this.gutterKey) return;
    this.gutterKey = key;
    const rows = [];
    for (let index = first; index < last; index += 1) {
      const kind = worst.get(index);
      const classes = ["number", index === caretLine ? "current" : "", kind ? `has-${kind}` : ""];
      rows.push(h("div", { class: classes.filter(Boolean).join(" ") },
        fixLines.has(index) && h("button", {
          type: "button", class: "bulb", title: "Show fixes (Ctrl+.)", tabIndex: -1,
          "aria-label": `Show fixes of line ${index + 1}`, on: { click: () => this.showFixes(index) },
        }, icon("bulb")),
        h("span", { "aria-hidden": "true" }, String(index + 1))));
    }
    this.gutter.replaceChildren(...rows);
    this.gutter.style.setProperty("transform", `translateY(${first * LINE_HEIGHT}px)`);
  }

  /**
   * The place of a column of a drawn line, from the left edge of the text, in pixels.
   *
   * @param {number} line
   * @param {number} column
   * @returns {number | null} Null if the line is not drawn.
   */
  xOf(line, column) {
    const node = this.nodes[line - this.first];
    if (!node) return null;
    const left = this.code.getBoundingClientRect().left;
    const place = placeIn(node, column);
    if (!place) return 0;
    const range = document.createRange();
    range.setStart(place.node, place.offset);
    range.collapse(true);
    const box = range.getClientRects()[0] ?? node.getBoundingClientRect();
    return box.left - left;
  }

  /**
   * The column of a drawn line at a place.
   *
   * @param {number} line
   * @param {number} x From the left edge of the text.
   * @param {number} length Number of the line's characters.
   * @returns {number | null} Null beyond its end.
   */
  columnAt(line, x, length) {
    const end = this.xOf(line, length);
    if (end === null || x > end) return null;
    let low = 0;
    let high = length;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.xOf(line, middle) ?? 0) <= x) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** @typedef {{from: number, to: number, kind: MarkKind}} LineMark */

/**
 * The part of a mark that is on a line, or null.
 *
 * @param {[number, number]} range
 * @param {number} start
 * @param {number} length
 * @param {MarkKind} kind
 * @returns {LineMark | null}
 */
function placed(range, start, length, kind) {
  const from = Math.max(range[0] - start, 0);
  const to = Math.min(range[1] - start, length);
  if (from < to) return { from, to, kind };
  // A range without characters, or of a line break, is drawn as wide as a character.
  return range[0] >= start && range[0] <= start + length ? { from, to: from + 1, kind } : null;
}

/**
 * @param {string} line
 * @param {LineMark[]} marks
 * @param {Set<string>} expressionKeys
 * @returns {HTMLElement}
 */
function lineNode(line, marks, expressionKeys) {
  const node = h("div", { class: "line" });
  const tokens = tokensOf(line, expressionKeys);
  const shown = marks.some((mark) => mark.to > line.length) ? `${line} ` : line;
  const edges = new Set([0, shown.length]);
  for (const { from, to } of [...tokens, ...marks]) edges.add(from).add(to);
  const sorted = [...edges].sort((a, b) => a - b);
  let next = 0;
  for (let index = 0; index + 1 < sorted.length; index += 1) {
    const from = sorted[index];
    const to = sorted[index + 1];
    while (next < tokens.length && tokens[next].to <= from) next += 1;
    const token = tokens[next];
    const classes = marks.filter((mark) => mark.from <= from && mark.to >= to).map((mark) => `mark-${mark.kind}`);
    if (token && token.from <= from) classes.push(`code-${token.kind}`);
    const part = shown.slice(from, to);
    node.append(classes.length > 0 ? h("span", { class: classes.join(" ") }, part) : part);
  }
  return node;
}

/**
 * @param {HTMLElement} line
 * @param {number} column
 * @returns {{node: Text, offset: number} | null}
 */
function placeIn(line, column) {
  const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
  let rest = column;
  /** @type {Text | null} */
  let last = null;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    last = /** @type {Text} */ (node);
    if (rest <= last.length) return { node: last, offset: rest };
    rest -= last.length;
  }
  return last && { node: last, offset: last.length };
}
