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
  mount,
};

/**
 * @param {HTMLElement} root
 * @param {ViewContext} context
 */
function mount(root, context) {
  const { store } = context;
  /** @type {Command[]} */
  let commands = [];
  /** @type {Editor} */
  const editor = new Editor({
    onEdit: (source, label, group) => store.edit(source, { label, group }),
    onCaret: () => showPlace(),
    onBulb: (line) => tips.showFixes(line),
    onKey: (event) => {
      if (completion.key(event)) return true;
      if (event.key === "Escape") tips.hide();
      const command = commands.find(({ keys }) => matches(event, keys));
      command?.run();
      return command !== undefined;
    },
  });
  const completion = new Completion(editor, context);
  /** @type {Tips} */
  const tips = new Tips(editor, context);
  const find = new Find(editor);
  const caretLine = () => editor.text.lineAt(editor.area.selectionEnd);
  const place = h("span", { class: "place dim" });
  const showPlace = () => {
    const line = caretLine();
    place.textContent = `Line ${line + 1}, column ${editor.area.selectionEnd - editor.text.starts[line] + 1}`;
    if (completion.isOpen && editor.area.selectionStart !== editor.area.selectionEnd) completion.close();
  };
  commands = [
    { keys: "Ctrl+Space", title: "Complete", run: () => completion.ask("key") },
    {
      keys: "Ctrl+I", title: "Explain what is at the caret",
      run: () => void tips.explain(editor.area.selectionEnd, true),
    },
    { keys: "Ctrl+.", title: "Show fixes of the line", run: () => tips.showFixes(caretLine()) },
    { keys: "Shift+Alt+F", title: "Format", run: () => void format(context) },
    { keys: "Mod+F", title: "Find", run: () => find.open() },
    { keys: "F2", title: "Rename the stream or input", run: () => openRename(editor, context, body) },
    { keys: "F8", title: "Next problem", run: () => goToProblem(context, editor, tips, 1) },
    { keys: "Shift+F8", title: "Previous problem", run: () => goToProblem(context, editor, tips, -1) },
  ];
  const removeKeys = addKeys(...commands.map((command) => ({ ...command, section: "Text" })),
    { keys: "Tab", title: "Insert two spaces, or indent the selection", section: "Text" },
    { keys: "Escape, Tab", title: "Leave the text", section: "Text" });

  editor.area.addEventListener("input", (event) => {
    const { inputType, data } = /** @type {InputEvent} */ (event);
    tips.hide();
    completion.typed(inputType === "insertText" ? data : null);
    find.refresh();
  });
  // A typed quote that got its partner is no input event of the browser.
  editor.area.addEventListener("keyup", (event) => {
    if (event.key === "\"") completion.typed("\"");
  });
  editor.area.addEventListener("blur", () => completion.close());

  /** @type {HTMLElement} */
  const body = h("div", { class: "text-view" },
    h("div", { class: "toolbar" },
      commandButton("search", "Find", commands[4]),
      commandButton("check", "Format", commands[3]),
      h("span", { class: "grow" }), place),
    find.element, editor.element,
    h("p", { class: "visually-hidden", id: "editor-help" },
      "Tab inserts spaces; press Escape, then Tab, to leave the text. Control Space completes."),
    h("p", { class: "editor-note dim" }, "Tab inserts spaces. ", h("kbd", null, "Escape"), " then ",
      h("kbd", null, "Tab"), " leaves the text. ", h("kbd", null, keysText("Ctrl+Space")), " completes."),
    completion.element, tips.tip, tips.menu);
  const empty = h("div", { class: "empty" }, h("h2", null, "No stream is open"),
    h("p", null, "Choose one from the list, or make a new one with the + button above the list."));
  root.append(body, empty);

  let path = /** @type {string | null} */ (null);
  const keepPlace = () => {
    if (path !== null) places.set(path, { selection: editor.selection, top: editor.element.scrollTop });
  };
  const update = () => {
    const { state } = store;
    body.hidden = state.path === null;
    empty.hidden = state.path !== null;
    if (state.path === null) return;
    if (path !== state.path) {
      keepPlace();
      editor.setSource(state.text, true);
      path = state.path;
      const kept = places.get(path);
      if (kept) editor.restore(kept);
    }
    editor.setSource(state.text, false);
    if (state.analysis && state.analyzedText === state.text) {
      const { endings } = editor;
      editor.problems = state.analysis.diagnostics.flatMap(({ range, severity }) => (
        range ? [{ range: [endings.toShown(range[0]), endings.toShown(range[1])], kind: severity }] : []));
      editor.fixLines = tips.fixLines;
      editor.drawSoon();
    }
    showPlace();
  };
  const select = () => {
    const { selection } = store.state;
    const range = selection?.range;
    if (!range || store.state.path === null) return;
    editor.select(editor.endings.toShown(range[0]), editor.endings.toShown(range[1]));
    // The same place can be chosen again.
    store.set({ selection: { ...selection, range: null } });
  };
  const ends = [
    store.subscribe(["text", "path", "analysis"], update),
    store.subscribe(["selection"], select),
  ];
  update();
  // After the layout of the view, so that it can scroll.
  const first = requestAnimationFrame(() => {
    const kept = path === null ? null : places.get(path);
    if (kept) editor.restore(kept);
    select();
    showSelectedStep(store, editor);
  });
  void expressionKeys(store).then((keys) => {
    editor.expressionKeys = keys;
    editor.layer.drawn.clear();
    editor.drawSoon();
  });

  return {
    unmount() {
      cancelAnimationFrame(first);
      keepPlace();
      selectStepAtCaret(store, editor);
      for (const end of ends) end();
      removeKeys();
      completion.close();
      tips.close();
      editor.close();
    },
  };
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
 * @param {ViewContext} context
 * @param {Editor} editor
 * @param {Tips} tips
 * @param {number} step
 */
function goToProblem({ store }, editor, tips, step) {
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
