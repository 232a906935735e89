// The list of completions. The server knows what fits; this shows it, narrows it while one types, and inserts it.

import { singleFlight } from "../../core/api.js";
import { announce, fill, h } from "../../core/dom.js";
import { withEdits } from "../../core/edits.js";
import { markdown } from "../../core/markdown.js";
import { difference, shifted } from "./lines.js";
import { placePopup } from "./popup.js";
import { parseSnippet } from "./snippet.js";

/**
 * @typedef {object} Item
 * @property {string} label
 * @property {string} kind
 * @property {string | null} detail
 * @property {string | null} documentation
 * @property {import("../../core/types.js").TextEdit} edit
 * @property {string | null} [filter]
 * @property {import("../../core/types.js").TextEdit[]} [further]
 */

/** The popup with completions. */
export class Completion {
  /**
   * @param {import("./editor.js").Editor} editor
   * @param {import("../../core/types.js").ViewContext} context
   */
  constructor(editor, context) {
    this.editor = editor;
    this.context = context;
    /** @type {Item[]} */
    this.items = [];
    /** @type {Item[]} */
    this.shown = [];
    this.selected = 0;
    this.timer = 0;
    /** What is asked for: by typing, by a key (then an empty answer is said), or nothing any more. */
    this.wish = /** @type {"typed" | "key" | null} */ (null);
    // One request at a time, so that fast typing does not pile them up at the server.
    this.request = singleFlight(() => this.load());
    this.asked = "";
    this.start = 0;
    this.list = h("ul", { id: "completion-list", role: "listbox", "aria-label": "Completions" });
    this.page = h("div", { class: "page" });
    this.element = h("div", { class: "completion popup", hidden: true }, this.list, this.page);
    editor.area.setAttribute("aria-controls", "completion-list");
  }

  get isOpen() {
    return !this.element.hidden;
  }

  close() {
    clearTimeout(this.timer);
    this.wish = null;
    this.hide();
  }

  hide() {
    this.element.hidden = true;
    this.items = [];
    this.editor.area.removeAttribute("aria-activedescendant");
  }

  /**
   * Follows what was typed.
   *
   * @param {string | null} character The character that was typed; null for a deletion or another change.
   */
  typed(character) {
    const isWord = character !== null && /^[\p{L}\p{N}_".$]$/u.test(character);
    if (this.isOpen) this.narrow();
    // After the frame that shows what was typed.
    clearTimeout(this.timer);
    if (isWord || this.isOpen) this.timer = window.setTimeout(() => this.ask("typed"), 30);
    else this.wish = null;
  }

  /**
   * Asks the server what fits at the caret.
   *
   * @param {"typed" | "key"} wish
   */
  ask(wish) {
    this.wish = wish;
    this.request();
  }

  async load() {
    const { api, store } = this.context;
    const isWished = this.wish === "key";
    if (!this.wish) return;
    const { endings, area, caret } = this.editor;
    const text = endings.source;
    const body = { path: store.state.path, text, at: caret };
    try {
      const answer = await api.post("/api/complete", body);
      const isOld = endings.source !== this.editor.endings.source || document.activeElement !== area;
      if (!isOld && this.wish) this.show(answer.items, isWished);
    } catch {
      this.hide();
      if (isWished) announce("Completions cannot be had now.");
    }
  }

  /**
   * @param {Item[]} items
   * @param {boolean} isWished
   */
  show(items, isWished) {
    const { endings } = this.editor;
    this.asked = endings.shown;
    this.items = items;
    const starts = items.map((item) => endings.toShown(item.edit.range[0]));
    this.start = Math.min(this.editor.area.selectionEnd, ...starts);
    this.narrow();
    if (this.shown.length === 0 && isWished) announce("Nothing fits here.");
  }

  /** Shows the items that begin with, or have, what stands before the caret. */
  narrow() {
    const caret = this.editor.area.selectionEnd;
    const { shown } = this.editor.endings;
    if (caret < this.start || shown.slice(this.start, caret).includes("\n")) return this.hide();
    const ranked = this.items.map((item) => ({ item, rank: this.rank(item, caret) })).filter(({ rank }) => rank < 3);
    ranked.sort((a, b) => a.rank - b.rank);
    const before = this.shown[this.selected]?.label;
    this.shown = ranked.map(({ item }) => item).slice(0, 100);
    // One that is already written in full needs no list.
    const isWritten = this.shown.length === 1 && this.resultOf(this.shown[0]) === shown;
    if (this.shown.length === 0 || isWritten) {
      this.element.hidden = true;
      return;
    }
    fill(this.list, this.shown.map((item, index) => h("li", {
      id: `completion-${index}`, role: "option", "aria-selected": "false",
      on: {
        // The caret stays in the text.
        pointerdown: (/** @type {Event} */ event) => event.preventDefault(),
        click: () => this.accept(index),
      },
    }, h("span", { class: "label", dir: "auto" }, item.label), h("span", { class: "kind" }, item.kind))));
    this.element.hidden = false;
    const again = this.shown.findIndex((item) => item.label === before);
    this.select(Math.max(again, 0));
    placePopup(this.element, this.editor.placeOf(this.start));
  }

  /**
   * @param {Item} item
   * @param {number} caret
   * @returns {number} 0 for the best, 3 for one that does not fit.
   */
  rank(item, caret) {
    const start = this.editor.endings.toShown(item.edit.range[0]);
    const query = bare(this.editor.endings.shown.slice(start, caret));
    const name = bare(item.filter ?? item.label);
    if (query === "" || name.startsWith(query)) return 0;
    if (name.includes(query)) return 1;
    let at = 0;
    for (const character of name) if (character === query[at]) at += 1;
    return at === query.length ? 2 : 3;
  }

  /** @param {number} index */
  select(index) {
    this.list.children[this.selected]?.setAttribute("aria-selected", "false");
    this.selected = (index + this.shown.length) % this.shown.length;
    const item = this.shown[this.selected];
    const node = this.list.children[this.selected];
    node.setAttribute("aria-selected", "true");
    node.scrollIntoView({ block: "nearest" });
    this.editor.area.setAttribute("aria-activedescendant", node.id);
    this.page.hidden = !item.documentation && !item.detail;
    const documentation = item.documentation ?? "";
    const hasDetail = item.detail && !documentation.includes(item.detail);
    fill(this.page, hasDetail && h("p", { class: "detail", dir: "auto" }, item.detail), markdown(documentation));
    this.page.scrollTop = 0;
  }

  /**
   * @param {KeyboardEvent} event
   * @returns {boolean} Whether the key was for the list.
   */
  key(event) {
    if (!this.isOpen || event.ctrlKey || event.metaKey || event.altKey) return false;
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };
    const step = event.shiftKey ? 0 : steps[/** @type {keyof typeof steps} */ (event.key)] ?? 0;
    if (step !== 0) {
      const isEdge = Math.abs(step) > 1;
      const wished = this.selected + step;
      this.select(isEdge ? Math.min(Math.max(wished, 0), this.shown.length - 1) : wished);
      return true;
    }
    if ((event.key === "Enter" || event.key === "Tab") && !event.shiftKey) {
      this.accept(this.selected);
      return true;
    }
    if (event.key === "Escape") {
      this.close();
      return true;
    }
    if (["ArrowLeft", "ArrowRight", "Home", "End"].includes(event.key)) this.close();
    return false;
  }

  /**
   * The edits of an item in the text that stands now.
   *
   * @param {Item} item
   */
  editsOf(item) {
    const { endings } = this.editor;
    const change = difference(this.asked, endings.shown);
    const place = (/** @type {[number, number]} */ [from, to]) => shifted([from, to], change);
    const shownRange = (/** @type {[number, number]} */ [from, to]) => (
      place([endings.toShown(from), endings.toShown(to)]));
    const range = shownRange(item.edit.range);
    const line = endings.shown.slice(endings.shown.lastIndexOf("\n", range[0] - 1) + 1, range[0]);
    const snippet = parseSnippet(item.edit.text, /^[ \t]*/.exec(line)?.[0] ?? "");
    const further = (item.further ?? []).map((edit) => ({ range: shownRange(edit.range), text: edit.text }));
    return { range, snippet, further };
  }

  /** @param {Item} item */
  resultOf(item) {
    const { range, snippet, further } = this.editsOf(item);
    return withEdits(this.editor.endings.shown, [{ range, text: snippet.text }, ...further]);
  }

  /** @param {number} index */
  accept(index) {
    const item = this.shown[index];
    if (!item) return;
    const { range, snippet, further } = this.editsOf(item);
    const result = this.resultOf(item);
    const moved = further.filter((edit) => edit.range[0] < range[0])
      .reduce((sum, edit) => sum + edit.text.length - (edit.range[1] - edit.range[0]), 0);
    const start = range[0] + moved;
    this.close();
    const { from, oldTo, newTo } = difference(this.editor.endings.shown, result);
    const stops = snippet.stops.map(([a, b]) => /** @type {[number, number]} */ ([start + a, start + b]));
    const end = start + snippet.text.length;
    this.editor.replaceRange(from, oldTo, result.slice(from, newTo), {
      label: `Insert ${item.label}`, selection: stops[0] ?? [end, end],
    });
    this.editor.stops = stops.slice(1);
  }
}

/** @param {string} text */
function bare(text) {
  return text.replace(/["\s]/g, "").toLowerCase();
}
