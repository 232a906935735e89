// The field of an expression, with the server's completion at the caret.

import { announce, fill, h } from "../../core/dom.js";
import { isAbort } from "../../core/api.js";
import { inlineMarkdown, markdown } from "../../core/markdown.js";
import { countText } from "../../core/values.js";
import { typedControl } from "./controls.js";
import { nodeAt, parseTree, textOffset, valueIndex } from "./jsontree.js";

/**
 * @typedef {import("./controls.js").Control} Control
 * @typedef {import("./controls.js").FormContext} FormContext
 * @typedef {import("./forms.js").Place} Place
 * @typedef {import("./jsontree.js").JSONNode} JSONNode
 * @typedef {object} Item
 * @property {string} label
 * @property {string} [kind]
 * @property {string} [detail]
 * @property {string} [documentation]
 * @property {{range: [number, number], text: string}} edit
 * @property {string} [filter]
 */

const SHOWN = 60;
let listCount = 0;

/**
 * @param {Place} place
 * @param {FormContext} context
 * @returns {Control}
 */
export function expressionControl(place, context) {
  const { field: spec } = place;
  const input = h("textarea", {
    rows: 1, dir: "ltr", spellcheck: "false", autocomplete: "off", class: "expression", "aria-autocomplete": "list",
    placeholder: typeof spec.default === "string" ? spec.default : "",
  });
  const control = typedControl(place, context, {
    input,
    read: (text) => (text === "" && !spec.required ? { remove: true } : { value: text }),
    show: (node, text) => (node.kind === "string" ? node.value : text.slice(node.from, node.to)),
  });
  // A name in parentheses stands for names that other fields give.
  const variables = /** @type {string[]} */ (spec.variables ?? []).filter((name) => !name.startsWith("("));
  if (variables.length) {
    control.element.append(h("p", { class: "help variables" }, "Variables: ",
      variables.map((name, index) => [index ? ", " : "", h("code", null, name)])));
  }
  const completion = new Completion(place, context, input, control.write);
  input.after(completion.element);
  return control;
}

/** The list of completions below an expression. */
class Completion {
  /**
   * @param {Place} place
   * @param {FormContext} context
   * @param {HTMLTextAreaElement} input
   * @param {() => Promise<boolean>} write
   */
  constructor(place, context, input, write) {
    this.place = place;
    this.context = context;
    this.input = input;
    this.write = write;
    /** @type {Item[]} */
    this.items = [];
    /** @type {Item[]} */
    this.shown = [];
    this.selected = 0;
    /** The index in the value at which the completed word begins. */
    this.start = 0;
    this.count = 0;
    const id = `completion-${++listCount}`;
    this.list = h("ul", { class: "suggestions-list", role: "listbox", id, "aria-label": "Completions" });
    this.documentation = h("div", { class: "suggestions-documentation", dir: "auto" });
    this.element = h("div", { class: "suggestions", hidden: true }, this.list, this.documentation);
    input.setAttribute("aria-controls", id);
    input.addEventListener("input", () => void this.typed());
    input.addEventListener("keydown", (event) => this.key(event));
    input.addEventListener("blur", () => this.close());
    // A press must not take the focus from the expression.
    this.element.addEventListener("pointerdown", (event) => event.preventDefault());
    this.list.addEventListener("click", (event) => {
      const row = event.target instanceof Element ? event.target.closest("li") : null;
      if (row) this.apply(this.shown[[...this.list.children].indexOf(row)]);
    });
  }

  async typed() {
    const caret = this.input.selectionStart;
    const isWord = /[\p{L}\p{N}_.]/u.test(this.input.value.slice(caret - 1, caret));
    if (!isWord) return this.close();
    await this.ask(false);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.isComposing) return;
    const isOpen = !this.element.hidden;
    if (event.key === " " && event.ctrlKey) void this.ask(true);
    else if (isOpen && event.key === "ArrowDown") this.choose(this.selected + 1);
    else if (isOpen && event.key === "ArrowUp") this.choose(this.selected - 1);
    else if (isOpen && (event.key === "Enter" || event.key === "Tab") && !event.shiftKey) {
      this.apply(this.shown[this.selected]);
    } else if (isOpen && event.key === "Escape") {
      event.stopPropagation();
      this.close();
    } else if (event.key !== "Enter" || event.shiftKey) return;
    // An expression is one line, unless one wants more: Shift+Return begins another.
    event.preventDefault();
  }

  /**
   * Asks the server at the caret.
   *
   * @param {boolean} isForced
   */
  async ask(isForced) {
    const { store, api, commits } = this.context;
    const { pointer } = this.place;
    const ticket = ++this.count;
    // The text must have what is typed, since the server completes in the text.
    while (commits.isPending(pointer)) await new Promise((done) => setTimeout(done, 5));
    if (isForced && !stringAt(store.state.text, pointer)) {
      await commits.write(pointer, { value: this.input.value }, `Set ${this.place.field.name}`);
    }
    const { path, text } = store.state;
    const node = stringAt(text, pointer);
    const caret = this.input.selectionStart;
    if (!node || node.value !== this.input.value || ticket !== this.count) return;
    try {
      const at = textOffset(node, caret);
      const answer = await api.post("/api/complete", { path, text, at }, { signal: api.latest("complete") });
      if (ticket !== this.count || document.activeElement !== this.input) return;
      this.items = (answer.items ?? []).filter((/** @type {Item} */ item) => item.edit.range[0] > node.from);
      this.start = this.items.length ? valueIndex(node, this.items[0].edit.range[0]) : caret;
      this.show(isForced);
    } catch (error) {
      if (!isAbort(error)) this.close();
    }
  }

  /**
   * Shows the items that go on with what is typed.
   *
   * @param {boolean} isForced
   */
  show(isForced) {
    const caret = this.input.selectionStart;
    const word = this.input.value.slice(this.start, caret).toLowerCase();
    const rank = (/** @type {Item} */ item) => (item.filter || item.label).toLowerCase().indexOf(word);
    this.shown = this.items.filter((item) => rank(item) >= 0)
      .sort((a, b) => Math.min(rank(a), 1) - Math.min(rank(b), 1)).slice(0, SHOWN);
    const isDone = this.shown.length === 1 && this.shown[0].label.toLowerCase() === word;
    if (this.shown.length === 0 || (isDone && !isForced)) return this.close();
    fill(this.list, this.shown.map((item, index) => h("li", { role: "option", id: `${this.list.id}-${index}` },
      h("code", null, item.label), h("span", { class: "dim" }, item.detail ?? ""))));
    if (this.element.hidden) announce(countText(this.shown.length, "completion"));
    this.element.hidden = false;
    this.choose(0);
  }

  /** @param {number} index */
  choose(index) {
    const count = this.shown.length;
    this.selected = (index + count) % count;
    for (const [number, row] of [...this.list.children].entries()) {
      row.setAttribute("aria-selected", String(number === this.selected));
      if (number === this.selected) row.scrollIntoView({ block: "nearest" });
    }
    this.input.setAttribute("aria-activedescendant", `${this.list.id}-${this.selected}`);
    const item = this.shown[this.selected];
    fill(this.documentation, item.detail && h("p", { class: "code" }, ...inlineMarkdown(item.detail)),
      ...markdown(item.documentation ?? ""));
    this.documentation.hidden = !item.documentation && !item.detail;
  }

  /** @param {Item | undefined} item */
  apply(item) {
    if (!item) return;
    const { text, from, to } = plainSnippet(unescaped(item.edit.text));
    const { value, selectionStart } = this.input;
    this.input.setRangeText(text, Math.min(this.start, value.length), selectionStart, "end");
    this.input.setSelectionRange(this.start + from, this.start + to);
    this.close();
    void this.write();
  }

  close() {
    this.count += 1;
    this.element.hidden = true;
    this.input.removeAttribute("aria-activedescendant");
  }
}

/**
 * @param {string} text
 * @param {string} pointer
 * @returns {JSONNode | null}
 */
function stringAt(text, pointer) {
  try {
    const node = nodeAt(parseTree(text), pointer);
    return node?.kind === "string" ? node : null;
  } catch {
    return null;
  }
}

/**
 * The text that stands for the inside of a JSON string.
 *
 * @param {string} text
 */
function unescaped(text) {
  try {
    // In a snippet, a backslash is written twice: once for the snippet, once for JSON.
    return JSON.parse(`"${text}"`);
  } catch {
    return text;
  }
}

/**
 * The text of a snippet, and the range of its first place for the cursor.
 *
 * @param {string} snippet such as `size(${1:value})`
 * @returns {{text: string, from: number, to: number}}
 */
export function plainSnippet(snippet) {
  let text = "";
  /** @type {[number, number] | null} */
  let first = null;
  let end = 0;
  const places = /\$(\d+)|\$\{(\d+)(?::([^}]*)|\|([^,|}]*)[^}]*)?\}|\\([$}\\])/g;
  for (const match of snippet.matchAll(places)) {
    text += snippet.slice(end, match.index);
    end = (match.index ?? 0) + match[0].length;
    if (match[5] !== undefined) {
      text += match[5];
      continue;
    }
    const word = match[3] ?? match[4] ?? "";
    if (!first && (match[1] ?? match[2]) !== "0") first = [text.length, text.length + word.length];
    text += word;
  }
  text += snippet.slice(end);
  const [from, to] = first ?? [text.length, text.length];
  return { text, from, to };
}
