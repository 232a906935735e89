// Dialogs that make streams: new from an example or empty, save under another name.

import { announce, field, h, toast } from "../core/dom.js";
import { ask, openDialog } from "./dialog.js";

/**
 * What is wrong with a path that one typed, or null.
 *
 * @param {string} path
 * @param {Iterable<string>} taken
 * @returns {string | null}
 */
export function pathError(path, taken) {
  if (!path.trim() || path === ".json") return "Enter a name, such as search.json.";
  if (path.startsWith("/") || path.split("/").some((part) => part === ".." || part === "." || part === "")) {
    return "Enter a path within the folder, such as rooms/search.json.";
  }
  if (/[\\:*?"<>|]/.test(path)) return "A name cannot have \\ : * ? \" < > |.";
  for (const other of taken) if (other === path) return "There is a file of this name. Choose another one.";
  return null;
}

/**
 * Asks for a path, and calls `finish` with it once it is right.
 *
 * @param {import("../core/store.js").Store} store
 * @param {{title: string, path: string, action: string, content?: import("../core/dom.js").Child}} options
 * @param {(path: string) => Promise<void>} finish
 */
function askPath(store, { title, path, action, content }, finish) {
  const input = h("input", { type: "text", value: path, spellcheck: "false", autocomplete: "off", dir: "auto" });
  const name = field("File", input, { help: "Within the folder of the streams." });
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const wished = input.value.trim().replace(/(\.json)?$/, ".json");
    const taken = [...store.state.files.map((file) => file.path), ...store.state.unsavedPaths];
    const error = pathError(wished, taken.filter((other) => other !== store.state.path || store.state.saved));
    name.setError(error);
    if (error) return input.focus();
    try {
      await finish(wished);
      dialog.close();
    } catch (failure) {
      name.setError(/** @type {Error} */ (failure).message);
    }
  };
  const form = h("form", { class: "column", id: "path-form", on: { submit } }, content, name);
  const dialog = openDialog(title, form, [
    h("button", { type: "button", class: "button", on: { click: () => dialog.close() } }, "Cancel"),
    h("button", { type: "submit", form: "path-form", class: "button primary" }, action),
  ]);
  input.focus();
  input.setSelectionRange(path.lastIndexOf("/") + 1, path.replace(/\.json$/, "").length);
}

/**
 * @param {import("../core/store.js").Store} store
 * @param {() => void} shown Called when the new stream is open.
 */
export function newStream(store, shown) {
  const examples = store.state.studio?.examples ?? [];
  let chosen = 0;
  const list = h("fieldset", { class: "field" }, h("legend", null, "Begin with"),
    h("div", { class: "examples" }, examples.map((example, index) => h("label", null,
      h("input", {
        type: "radio", name: "example", checked: index === 0, on: { change: () => { chosen = index; } },
      }),
      h("span", { dir: "auto" }, example.title)))));
  askPath(store, {
    title: "New stream", path: store.freePath("new.json"), action: "Create", content: list,
  }, async (path) => {
    store.create(path, examples[chosen]?.text ?? "{}\n");
    shown();
    announce(`${path} is open`);
  });
}

/**
 * @param {import("../core/store.js").Store} store
 * @param {() => void} shown
 */
export function saveAs(store, shown) {
  const { path, saved } = store.state;
  if (!path) return;
  askPath(store, {
    title: "Save as", path: saved ? store.freePath(path) : path, action: "Save",
  }, async (wished) => {
    await store.saveAs(wished);
    shown();
    announce(`Saved as ${wished}`);
  });
}

/**
 * Asks, and forgets the unsaved changes.
 *
 * @param {import("../core/store.js").Store} store
 */
export async function discard(store) {
  const { path, saved, isDirty } = store.state;
  if (!path || !isDirty) return toast("There are no unsaved changes.");
  const text = saved ? "The text is that of the file on disk again. Undo brings the changes back."
    : "The stream is not on disk, and cannot be brought back.";
  if (await ask("Discard changes?", text, "Discard")) await store.discard(path);
}
