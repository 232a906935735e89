// A small editor of our own: a textarea, which keeps the browser's selection, input methods and screen readers, over
// a layer with colors. CodeMirror would do more, but cannot be had as files that may be shipped with the studio.

import { h } from "../../core/dom.js";
import { matchingBrackets } from "./highlight.js";
import { LINE_HEIGHT, Layer } from "./layer.js";
import { Endings, Lines, shifted } from "./lines.js";
import { indented, lineBreak, paired, pairRemoved } from "./typing.js";

/**
 * @typedef {import("./layer.js").Mark} Mark
 *
 * @typedef {object} EditorOptions
 * @property {(source: string, label: string, group?: string) => void} onEdit
 * @property {() => void} onCaret
 * @property {(event: KeyboardEvent) => boolean} onKey Whether it has handled the key.
 * @property {(line: number) => void} onBulb
 */

/** Lines that are drawn above and below those in sight. */
const MARGIN = 12;
const PADDING = 8;

/** The editor of a text. */
export class Editor {
  /** @param {EditorOptions} options */
  constructor(options) {
    this.options = options;
    this.endings = new Endings("");
    this.text = new Lines("");
    /** @type {Mark[]} */
    this.problems = [];
    /** @type {Mark[]} */
    this.found = [];
    /** @type {Set<string>} */
    this.expressionKeys = new Set(["expression"]);
    /** @type {[number, number][]} Places of a completion that are still to be filled. */
    this.stops = [];
    this.leavesByTab = false;
    this.frame = 0;
    this.size = "";
    this.area = h("textarea", {
      class: "input", "aria-label": "Stream as JSON", "aria-describedby": "editor-help", spellcheck: "false",
      autocomplete: "off", autocapitalize: "off", autocorrect: "off", wrap: "off", "aria-autocomplete": "list",
      on: {
        input: (/** @type {InputEvent} */ event) => this.typed(event),
        beforeinput: (/** @type {InputEvent} */ event) => this.willType(event),
        keydown: (/** @type {KeyboardEvent} */ event) => this.key(event),
        blur: () => { this.leavesByTab = false; },
      },
    });
    this.layer = new Layer(options.onBulb);
    this.currentLine = h("div", { class: "current-line" });
    this.code = h("div", { class: "code-area" }, this.currentLine, this.layer.code, this.area);
    this.element = h("div", { class: "editor", on: { scroll: () => this.drawSoon() } },
      h("div", { class: "gutter" }, this.layer.gutter), this.code);
    this.observer = new ResizeObserver(() => this.drawSoon());
    this.observer.observe(this.element);
    this.selectionChanged = () => {
      if (document.activeElement !== this.area) return;
      this.drawSoon();
      this.options.onCaret();
    };
    document.addEventListener("selectionchange", this.selectionChanged);
    this.area.addEventListener("selectionchange", this.selectionChanged);
  }

  close() {
    cancelAnimationFrame(this.frame);
    this.observer.disconnect();
    document.removeEventListener("selectionchange", this.selectionChanged);
  }

  // MARK: Text

  /** The start and end of the selection, as offsets into the shown text. */
  get selection() {
    return /** @type {[number, number]} */ ([this.area.selectionStart, this.area.selectionEnd]);
  }

  /** The caret as an offset into the file's text. */
  get caret() {
    return this.endings.toSource(this.area.selectionEnd);
  }

  /**
   * Shows a text. The caret goes to the end of what differs, unless the text is that of another file.
   *
   * @param {string} source
   * @param {boolean} isOther
   */
  setSource(source, isOther) {
    if (source === this.endings.source && !isOther) return;
    this.endings = new Endings(source);
    const { shown } = this.endings;
    if (isOther) {
      this.text = new Lines(shown);
      this.area.value = shown;
      this.problems = [];
      this.stops = [];
      this.area.setSelectionRange(0, 0);
      this.element.scrollTop = 0;
      this.element.scrollLeft = 0;
    } else {
      const change = this.replaceText(shown);
      this.area.value = shown;
      this.area.setSelectionRange(change.newTo, change.newTo);
      if (document.activeElement === this.area) this.reveal(change.newTo);
    }
    this.drawSoon();
  }

  /**
   * @param {string} shown
   * @returns {import("./lines.js").Change}
   */
  replaceText(shown) {
    const change = this.text.replace(shown);
    const moved = (/** @type {Mark} */ mark) => ({ ...mark, range: shifted(mark.range, change) });
    this.problems = this.problems.map(moved);
    this.found = this.found.map(moved);
    this.stops = this.stops.map((stop) => shifted(stop, change));
    return change;
  }

  /**
   * Takes what the textarea has now.
   *
   * @param {string} label
   * @param {string} [group]
   */
  take(label, group) {
    const shown = this.area.value;
    const source = this.endings.sourceOf(shown);
    this.replaceText(shown);
    this.endings = new Endings(source);
    this.drawSoon();
    this.options.onEdit(source, label, group);
  }

  /** @param {InputEvent} event */
  typed(event) {
    const isWord = /^(insertText|insertCompositionText|deleteContent)/.test(event.inputType);
    this.take(event.inputType === "insertFromPaste" ? "Paste" : "Type", isWord ? "type" : undefined);
  }

  /** @param {InputEvent} event */
  willType(event) {
    // The browser's own history does not know the changes of other views.
    if (event.inputType === "historyUndo" || event.inputType === "historyRedo") {
      event.preventDefault();
      return;
    }
    if (event.inputType !== "insertText" || event.isComposing || !event.data) return;
    const [from, to] = this.selection;
    if (this.applyKey(paired(this.area.value, from, to, event.data), "Type", "type")) event.preventDefault();
  }

  /**
   * Replaces a range of the shown text.
   *
   * @param {number} from
   * @param {number} to
   * @param {string} text
   * @param {{label: string, group?: string, selection?: [number, number]}} options
   */
  replaceRange(from, to, text, { label, group, selection }) {
    if (from !== to || text !== "") this.area.setRangeText(text, from, to, "end");
    if (selection) this.area.setSelectionRange(...selection);
    if (from !== to || text !== "") this.take(label, group);
    this.reveal(this.area.selectionEnd);
  }

  /**
   * @param {import("./typing.js").KeyEdit | null} edit
   * @param {string} label
   * @param {string} [group]
   * @returns {boolean}
   */
  applyKey(edit, label, group) {
    if (!edit) return false;
    this.replaceRange(edit.from, edit.to, edit.text, { label, group, selection: edit.selection });
    return true;
  }

  /** @param {import("../../core/types.js").Diagnostic[]} diagnostics Of the text that is shown. */
  setProblems(diagnostics) {
    const { endings } = this;
    this.problems = diagnostics.flatMap(({ range, severity, fix }) => (range ? [{
      range: [endings.toShown(range[0]), endings.toShown(range[1])], kind: severity, hasFix: Boolean(fix),
    }] : []));
    this.drawSoon();
  }

  /** @param {Set<string>} keys Names of members whose strings are expressions. */
  setExpressionKeys(keys) {
    this.expressionKeys = keys;
    this.layer.forget();
    this.drawSoon();
  }

  // MARK: Keys

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.isComposing || event.defaultPrevented) return;
    if (this.options.onKey(event)) {
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    const leaves = this.leavesByTab;
    if (event.key !== "Shift") this.leavesByTab = event.key === "Escape";
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const [from, to] = this.selection;
    const value = this.area.value;
    let isDone = false;
    switch (event.key) {
      case "Tab":
        if (leaves) break;
        isDone = this.nextStop(event.shiftKey)
          || this.applyKey(indented(value, from, to, event.shiftKey), "Indent");
        break;
      case "Enter":
        isDone = this.applyKey(lineBreak(value, from, to), "Type");
        break;
      case "Backspace":
        isDone = this.applyKey(pairRemoved(value, from, to), "Type", "type");
        break;
      case "PageUp":
      case "PageDown":
        this.page(event.key === "PageUp" ? -1 : 1, event.shiftKey);
        isDone = true;
        break;
      case "Escape":
        this.stops = [];
        break;
      default:
    }
    if (isDone) event.preventDefault();
  }

  /**
   * Goes to the next place of a completion.
   *
   * @param {boolean} isBack
   * @returns {boolean}
   */
  nextStop(isBack) {
    if (this.stops.length === 0 || isBack) return false;
    const [from, to] = this.stops.shift() ?? [0, 0];
    this.select(from, to);
    return true;
  }

  /**
   * Moves the caret by a page: the textarea is as tall as the text, so that the browser does not know what a page is.
   *
   * @param {number} direction
   * @param {boolean} isSelecting
   */
  page(direction, isSelecting) {
    const isBackward = this.area.selectionDirection === "backward";
    const [from, to] = this.selection;
    const [anchor, focus] = isBackward ? [to, from] : [from, to];
    const line = this.text.lineAt(focus);
    const column = focus - this.text.starts[line];
    const step = Math.max(1, Math.floor(this.element.clientHeight / LINE_HEIGHT) - 1);
    const target = Math.min(Math.max(line + direction * step, 0), this.text.lines.length - 1);
    const offset = this.text.starts[target] + Math.min(column, this.text.lines[target].length);
    this.element.scrollTop += direction * step * LINE_HEIGHT;
    if (!isSelecting) this.area.setSelectionRange(offset, offset);
    else if (offset < anchor) this.area.setSelectionRange(offset, anchor, "backward");
    else this.area.setSelectionRange(anchor, offset, "forward");
    this.reveal(offset);
  }

  /**
   * Selects a range of the shown text and scrolls to it.
   *
   * @param {number} from
   * @param {number} to
   */
  select(from, to) {
    this.area.focus({ preventScroll: true });
    this.area.setSelectionRange(from, to);
    this.reveal(from);
    this.drawSoon();
  }

  /** @param {{selection: [number, number], top: number}} place */
  restore({ selection, top }) {
    this.area.setSelectionRange(...selection);
    this.draw();
    this.element.scrollTop = top;
    this.drawSoon();
  }

  /** @param {number} offset Into the shown text. */
  reveal(offset) {
    const line = this.text.lineAt(offset);
    const top = PADDING + line * LINE_HEIGHT;
    const { scrollTop, clientHeight, scrollLeft, clientWidth } = this.element;
    if (top < scrollTop + LINE_HEIGHT) this.element.scrollTop = Math.max(0, top - clientHeight / 3);
    else if (top + 2 * LINE_HEIGHT > scrollTop + clientHeight) this.element.scrollTop = top - (clientHeight * 2) / 3;
    const x = (offset - this.text.starts[line]) * this.characterWidth();
    const width = clientWidth - this.code.offsetLeft;
    if (x < scrollLeft) this.element.scrollLeft = Math.max(0, x - 40);
    else if (x > scrollLeft + width - 40) this.element.scrollLeft = x - width + 80;
  }

  // MARK: Drawing

  characterWidth() {
    if (!this.measured) {
      const probe = h("span", { class: "probe" }, "0".repeat(100));
      this.code.append(probe);
      this.measured = probe.getBoundingClientRect().width / 100 || 8;
      probe.remove();
    }
    return this.measured;
  }

  /** @type {number | undefined} */
  measured;

  drawSoon() {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.draw());
  }

  draw() {
    const { text, area } = this;
    // Read before anything is written: the browser lays out a long text once, not twice.
    const { scrollTop, clientHeight } = this.element;
    const size = [
      text.lines.length * LINE_HEIGHT + 2 * PADDING, Math.ceil(this.columns() * this.characterWidth()) + 48,
      Math.max(3, String(text.lines.length).length),
    ];
    if (size.join() !== this.size) {
      this.size = size.join();
      this.code.style.setProperty("height", `${size[0]}px`);
      this.code.style.setProperty("width", `${size[1]}px`);
      this.element.style.setProperty("--digits", String(size[2]));
    }
    const first = Math.max(0, Math.floor((scrollTop - PADDING) / LINE_HEIGHT) - MARGIN);
    const last = Math.min(text.lines.length, Math.ceil((scrollTop + clientHeight) / LINE_HEIGHT) + MARGIN);
    const caret = area.selectionEnd;
    const caretLine = text.lineAt(caret);
    const pair = document.activeElement === area ? matchingBrackets(text, caret) : null;
    const brackets = (pair ?? []).map((at) => (
      { range: /** @type {[number, number]} */ ([at, at + 1]), kind: /** @type {const} */ ("bracket") }));
    this.currentLine.style.setProperty("transform", `translateY(${caretLine * LINE_HEIGHT}px)`);
    this.layer.draw({
      text, first, last, marks: [...this.problems, ...this.found, ...brackets], caretLine,
      expressionKeys: this.expressionKeys,
    });
  }

  /** The number of columns of the longest line; wide characters take two. */
  columns() {
    let longest = 0;
    for (const line of this.text.lines) {
      if (line.length * 2 <= longest) continue;
      const wide = /[^\u0000-\u00ff]/.test(line) ? line.length : 0;
      longest = Math.max(longest, line.length + wide);
    }
    return longest;
  }

  /**
   * The place of an offset in the window: below it, popups are shown.
   *
   * @param {number} offset Into the shown text.
   * @returns {{x: number, top: number, bottom: number}}
   */
  placeOf(offset) {
    const line = this.text.lineAt(offset);
    const column = offset - this.text.starts[line];
    const box = this.code.getBoundingClientRect();
    const x = box.left + (this.layer.xOf(line, column) ?? column * this.characterWidth());
    const top = box.top + PADDING + line * LINE_HEIGHT;
    return { x, top, bottom: top + LINE_HEIGHT };
  }

  /**
   * The offset at a place in the window.
   *
   * @param {number} x
   * @param {number} y
   * @returns {number | null} Into the shown text; null where there is none.
   */
  offsetAt(x, y) {
    const box = this.code.getBoundingClientRect();
    const line = Math.floor((y - box.top - PADDING) / LINE_HEIGHT);
    if (line < 0 || line >= this.text.lines.length || x < box.left) return null;
    const column = this.layer.columnAt(line, x - box.left, this.text.lines[line].length);
    return column === null ? null : this.text.starts[line] + column;
  }
}
