// The bar that finds words in the text.

import { h, iconButton } from "../../core/dom.js";

const LIMIT = 2000;

/**
 * The places of a word, without regard to case.
 *
 * @param {string} text
 * @param {string} word
 * @returns {[number, number][]}
 */
export function placesOf(text, word) {
  /** @type {[number, number][]} */
  const places = [];
  if (word === "") return places;
  const lower = text.toLowerCase();
  // Some characters have another length in lower case; then only the same case is found.
  const isEven = lower.length === text.length;
  const [where, what] = isEven ? [lower, word.toLowerCase()] : [text, word];
  for (let at = where.indexOf(what); at >= 0 && places.length < LIMIT; at = where.indexOf(what, at + what.length)) {
    places.push([at, at + what.length]);
  }
  return places;
}

/** The bar. */
export class Find {
  /** @param {import("./editor.js").Editor} editor */
  constructor(editor) {
    this.editor = editor;
    /** @type {[number, number][]} */
    this.places = [];
    this.index = 0;
    /** Whether one has searched since the bar was opened, so that the match is what one goes on with. */
    this.isUsed = false;
    this.input = h("input", {
      type: "search", placeholder: "Find", "aria-label": "Find in text", spellcheck: "false",
      on: {
        input: () => {
          this.isUsed = true;
          this.search(this.editor.area.selectionStart);
        },
        keydown: (/** @type {KeyboardEvent} */ event) => this.key(event),
      },
    });
    this.count = h("span", { class: "dim count", role: "status" });
    this.element = h("div", { class: "find toolbar", role: "search", hidden: true }, this.input, this.count,
      iconButton("up", "Previous (Shift+Enter)", () => this.go(-1)),
      iconButton("down", "Next (Enter)", () => this.go(1)),
      iconButton("close", "Close (Escape)", () => this.close()));
  }

  open() {
    const [from, to] = this.editor.selection;
    const word = this.editor.area.value.slice(from, to);
    this.element.hidden = false;
    this.isUsed = false;
    if (word && !word.includes("\n")) this.input.value = word;
    this.input.focus();
    this.input.select();
    this.search(from);
  }

  /** Ends with the match that is marked now selected, as editors do. */
  close() {
    const now = this.places[this.index];
    if (now && this.isUsed) this.editor.area.setSelectionRange(...now);
    this.element.hidden = true;
    this.places = [];
    this.mark();
    this.editor.area.focus({ preventScroll: true });
  }

  /** Searches again after the text has changed. */
  refresh() {
    if (this.element.hidden) return;
    this.places = placesOf(this.editor.text.text, this.input.value);
    this.index = Math.min(this.index, Math.max(this.places.length - 1, 0));
    this.mark();
  }

  /** @param {number} from Where the first place is wished. */
  search(from) {
    this.places = placesOf(this.editor.text.text, this.input.value);
    const next = this.places.findIndex((place) => place[0] >= from);
    this.index = Math.max(next, 0);
    this.mark();
    if (this.places.length > 0) this.editor.reveal(this.places[this.index][0]);
  }

  /** @param {number} step */
  go(step) {
    if (this.places.length === 0) return;
    this.isUsed = true;
    this.index = (this.index + step + this.places.length) % this.places.length;
    const [from, to] = this.places[this.index];
    this.editor.area.setSelectionRange(from, to);
    this.editor.reveal(from);
    this.mark();
  }

  mark() {
    this.editor.found = this.places.map((range, index) => (
      { range, kind: index === this.index ? "found-now" : "found" }));
    const total = this.places.length === LIMIT ? `${LIMIT}+` : String(this.places.length);
    const isEmpty = this.input.value === "";
    this.count.textContent = isEmpty ? "" : this.places.length === 0 ? "Not found" : `${this.index + 1} of ${total}`;
    this.editor.drawSoon();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.key === "Enter") this.go(event.shiftKey ? -1 : 1);
    else if (event.key === "Escape") this.close();
    else return;
    event.preventDefault();
  }
}
