// The Text view: the stream's JSON in an editor. Completion, documentation, problems and fixes are the server's.

import { h, icon, toast } from "../../core/dom.js";
import { addKeys, keysText, matches } from "../../core/keys.js";
import { rangeOf, stepAt } from "../../core/outline.js";
import { Completion } from "./completion.js";
import { Editor } from "./editor.js";
import { Find } from "./find.js";
import { openRename } from "./rename.js";
import { Tips } from "./tips.js";

/**
 * @typedef {import("../../core/types.js").ViewContext} ViewContext
 * @typedef {{keys: string, title: string, run: () => void}} Command
 */

/**
 * Where the caret was in each file, for when one comes back to the view.
 *
 * @type {Map<string, {selection: [number, number], top: number}>}
 */
const places = new Map();

/** @type {import("../../core/types.js").View} */
export const view = {
  id: "text",
  title: "Text",
  hint: "The stream's JSON, with completion, documentation and fixes.",
  mount: (root, context) => new TextView(root, context),
};

/** The view while it is shown. */
class TextView {
  /**
   * @param {HTMLElement} root
   * @param {ViewContext} context
   */
  constructor(root, context) {
    this.context = context;
    this.store = context.store;
    /** @type {string | null} */
    this.path = null;
    this.editor = new Editor({
      onEdit: (source, label, group) => this.store.edit(source, { label, group }),
      onCaret: () => this.showCaret(),
      onBulb: (line) => this.tips.showFixes(line),
      onKey: (event) => this.key(event),
    });
    this.completion = new Completion(this.editor, context);
    this.tips = new Tips(this.editor, context);
    this.find = new Find(this.editor);
    this.commands = this.makeCommands();
    this.place = h("span", { class: "place dim" });
    this.body = this.makeBody();
    this.empty = h("div", { class: "empty" }, h("h2", null, "No stream is open"),
      h("p", null, "Choose one from the list, or make a new one with the + button above the list."));
    root.append(this.body, this.empty);
    this.listen();
    this.ends = [
      this.store.subscribe(["text", "path", "analysis"], () => this.update()),
      this.store.subscribe(["selection"], () => this.select()),
      addKeys(...Object.values(this.commands).map((command) => ({ ...command, section: "Text" })),
        { keys: "Tab", title: "Insert two spaces, or indent the selection", section: "Text" },
        { keys: "Escape, Tab", title: "Leave the text", section: "Text" }),
    ];
    this.update();
    // After the layout of the view, so that it can scroll.
    this.frame = requestAnimationFrame(() => {
      this.restorePlace();
      this.select();
      showSelectedStep(this.store, this.editor);
    });
    void expressionKeys(this.store).then((keys) => this.editor.setExpressionKeys(keys));
  }

  unmount() {
    cancelAnimationFrame(this.frame);
    this.keepPlace();
    selectStepAtCaret(this.store, this.editor);
    for (const end of this.ends) end();
    this.completion.close();
    this.tips.close();
    this.editor.close();
  }

  // MARK: Layout

  makeCommands() {
    const { editor, tips } = this;
    const caret = () => editor.area.selectionEnd;
    return {
      complete: { keys: "Ctrl+Space", title: "Complete", run: () => this.completion.ask("key") },
      explain: { keys: "Ctrl+I", title: "Explain what is at the caret", run: () => void tips.explain(caret(), true) },
      fix: { keys: "Ctrl+.", title: "Show fixes of the line", run: () => tips.showFixes(editor.text.lineAt(caret())) },
      format: { keys: "Shift+Alt+F", title: "Format", run: () => void format(this.context) },
      find: { keys: "Mod+F", title: "Find", run: () => this.find.open() },
      rename: {
        keys: "F2", title: "Rename the stream or input", run: () => openRename(editor, this.context, this.body),
      },
      next: { keys: "F8", title: "Next problem", run: () => goToProblem(this.store, editor, tips, 1) },
      previous: { keys: "Shift+F8", title: "Previous problem", run: () => goToProblem(this.store, editor, tips, -1) },
    };
  }

  /** @returns {HTMLElement} */
  makeBody() {
    return h("div", { class: "text-view" },
      h("div", { class: "toolbar" },
        commandButton("search", "Find", this.commands.find),
        commandButton("check", "Format", this.commands.format),
        h("span", { class: "grow" }), this.place),
      this.find.element, this.editor.element,
      h("p", { class: "visually-hidden", id: "editor-help" },
        "Tab inserts spaces; press Escape, then Tab, to leave the text. Control Space completes."),
      h("p", { class: "editor-note dim" }, "Tab inserts spaces. ", h("kbd", null, "Escape"), " then ",
        h("kbd", null, "Tab"), " leaves the text. ", h("kbd", null, keysText("Ctrl+Space")), " completes."),
      this.completion.element, this.tips.tip, this.tips.menu);
  }

  // MARK: Typing

  listen() {
    const { area } = this.editor;
    area.addEventListener("input", (event) => {
      const { inputType, data } = /** @type {InputEvent} */ (event);
      this.tips.hide();
      this.completion.typed(inputType === "insertText" ? data : null);
    });
    // A typed quote that got its partner is no input event of the browser.
    area.addEventListener("keyup", (event) => {
      if (event.key === "\"") this.completion.typed("\"");
    });
    area.addEventListener("blur", () => this.completion.close());
  }

  /**
   * @param {KeyboardEvent} event
   * @returns {boolean}
   */
  key(event) {
    if (this.completion.key(event)) return true;
    if (event.key === "Escape") this.tips.hide();
    const command = Object.values(this.commands).find(({ keys }) => matches(event, keys));
    command?.run();
    return command !== undefined;
  }

  // MARK: State

  update() {
    const { path, text, analysis, analyzedText } = this.store.state;
    this.body.hidden = path === null;
    this.empty.hidden = path !== null;
    if (path === null) return;
    const { editor } = this;
    if (path !== this.path) {
      this.keepPlace();
      editor.setSource(text, true);
      this.path = path;
      this.restorePlace();
    }
    editor.setSource(text, false);
    if (analysis && analyzedText === text) editor.setProblems(analysis.diagnostics);
    this.find.refresh();
    this.showCaret();
  }

  showCaret() {
    const { area, text } = this.editor;
    const line = text.lineAt(area.selectionEnd);
    this.place.textContent = `Line ${line + 1}, column ${area.selectionEnd - text.starts[line] + 1}`;
    if (this.completion.isOpen && area.selectionStart !== area.selectionEnd) this.completion.close();
  }

  /** Selects the range that another view has chosen. */
  select() {
    const { selection, path } = this.store.state;
    const range = selection?.range;
    if (!range || path === null) return;
    const { endings } = this.editor;
    this.editor.select(endings.toShown(range[0]), endings.toShown(range[1]));
    // The same place can be chosen again.
    this.store.set({ selection: { ...selection, range: null } });
  }

  keepPlace() {
    if (this.path === null) return;
    places.set(this.path, { selection: this.editor.selection, top: this.editor.element.scrollTop });
  }

  restorePlace() {
    const kept = this.path === null ? null : places.get(this.path);
    if (kept) this.editor.restore(kept);
  }
}

/**
 * @param {import("../../core/dom.js").IconName} name
 * @param {string} title
 * @param {Command} command
 */
function commandButton(name, title, command) {
  return h("button", {
    type: "button", class: "button", title: `${command.title} (${keysText(command.keys)})`, on: { click: command.run },
  }, icon(name), title);
}

/** @param {ViewContext} context */
async function format({ store, api }) {
  const { path, text } = store.state;
  try {
    const answer = await api.post("/api/format", { path, text });
    if (store.state.path === path && store.state.text === text) store.edit(answer.text, { label: "Format" });
  } catch (error) {
    toast(`The text cannot be formatted. ${/** @type {Error} */ (error).message}`, { kind: "error" });
  }
}

/**
 * @param {import("../../core/store.js").Store} store
 * @param {Editor} editor
 * @param {Tips} tips
 * @param {number} step
 */
function goToProblem(store, editor, tips, step) {
  const places = (store.state.analysis?.diagnostics ?? []).flatMap(({ range }) => (
    range ? [editor.endings.toShown(range[0])] : [])).sort((a, b) => a - b);
  if (places.length === 0) return;
  const caret = editor.area.selectionStart;
  const next = step > 0 ? places.find((at) => at > caret) ?? places[0]
    : [...places].reverse().find((at) => at < caret) ?? places[places.length - 1];
  editor.select(next, next);
  requestAnimationFrame(() => void tips.explain(next, true));
}

/**
 * Goes to the step that another view has selected, unless the caret is there already.
 *
 * @param {import("../../core/store.js").Store} store
 * @param {Editor} editor
 */
function showSelectedStep({ state }, editor) {
  const pointer = state.selection?.pointer;
  if (!pointer || state.text !== state.analyzedText) return;
  const range = rangeOf(state.analysis?.outline ?? null, pointer);
  if (!range || (range[0] <= editor.caret && editor.caret <= range[1])) return;
  const start = editor.endings.toShown(range[0]);
  editor.select(start, start);
}

/**
 * Selects the step at the caret for the other views.
 *
 * @param {import("../../core/store.js").Store} store
 * @param {Editor} editor
 */
function selectStepAtCaret(store, editor) {
  const { state } = store;
  if (state.text !== state.analyzedText || editor.caret === 0) return;
  const step = stepAt(state.analysis?.outline ?? null, editor.caret);
  if (step && step.pointer !== state.selection?.pointer) store.set({ selection: { pointer: step.pointer } });
}

/**
 * The names of the members whose strings are expressions, which the catalog knows.
 *
 * @param {import("../../core/store.js").Store} store
 * @returns {Promise<Set<string>>}
 */
async function expressionKeys(store) {
  const keys = new Set(["expression"]);
  try {
    const { operators, sources } = await store.catalog();
    for (const entry of [...operators, ...sources]) {
      for (const field of entry.fields) if (field.kind === "expression") keys.add(field.name);
    }
  } catch {
    // Without the catalog, only this one is colored.
  }
  return keys;
}
