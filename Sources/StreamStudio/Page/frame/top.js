// The bar at the top: the file, what one can do with it, search and theme.

import { announce, fill, h, icon, iconButton, toast } from "../core/dom.js";
import { addKeys, keysText } from "../core/keys.js";
import { applyTheme, nextTheme } from "../core/theme.js";

/**
 * @param {import("../core/types.js").ViewContext} context
 * @param {{openSearch: () => void, openDrawer: () => void, openHelp: () => void}} actions
 * @returns {HTMLElement}
 */
export function topBar({ store }, actions) {
  const name = h("h1", { dir: "auto" });
  const path = h("span", { class: "path", dir: "auto" });
  const mark = h("span", { class: "badge warn", hidden: true }, "Unsaved");
  const undo = iconButton("undo", "Undo", () => undoAloud(store));
  const redo = iconButton("redo", "Redo", () => redoAloud(store));
  const saving = () => void save(store);
  const saveButton = h("button", {
    type: "button", class: "button save-button", "aria-label": "Save", title: `Save (${keysText("Mod+S")})`,
    on: { click: saving },
  }, icon("save"), h("span", { class: "words" }, "Save"));
  const theme = iconButton("system", "Theme", () => {
    const next = nextTheme(store.state.theme);
    store.set({ theme: next });
    announce(`Theme: ${next}`);
  }, { class: "theme-button" });

  addKeys(
    { keys: "Mod+S", title: "Save", run: saving },
    { keys: "Mod+Z", title: "Undo", run: () => undoAloud(store), when: isOfStream },
    { keys: "Mod+Shift+Z", title: "Redo", run: () => redoAloud(store), when: isOfStream },
    { keys: "Ctrl+Y", title: "", run: () => redoAloud(store), when: isOfStream },
  );

  store.subscribe(null, (state, changed) => {
    if (["path", "isDirty", "saved", "files", "studio"].some((key) => changed.has(key))) {
      const file = state.files.find((entry) => entry.path === state.path);
      name.textContent = file?.name || state.path?.split("/").pop() || "Stream Studio";
      path.textContent = state.path && state.path !== name.textContent ? state.path : "";
      mark.hidden = !state.path || !state.isDirty;
      mark.textContent = state.saved ? "Unsaved" : "Not on disk";
      saveButton.disabled = !state.path || !state.isDirty;
      saveButton.classList.toggle("primary", Boolean(state.path) && state.isDirty);
      document.title = `${state.isDirty && state.path ? "• " : ""}${name.textContent} – Stream Studio`;
    }
    describe(undo, "Undo", state.undoLabel, "Mod+Z");
    describe(redo, "Redo", state.redoLabel, "Mod+Shift+Z");
    if (changed.has("theme")) {
      applyTheme(state.theme);
      const title = `Theme: ${state.theme}. Change to ${nextTheme(state.theme)}`;
      theme.title = title;
      theme.setAttribute("aria-label", title);
      fill(theme, icon(state.theme));
    }
  });

  return h("header", { class: "top-bar" },
    iconButton("menu", "Files", actions.openDrawer, { class: "drawer-button", "aria-controls": "files" }),
    h("span", { class: "product" }, "Stream Studio"),
    h("div", { class: "file-name" }, name, path, mark),
    h("button", {
      type: "button", class: "button search-button", "aria-label": "Search", on: { click: actions.openSearch },
    }, icon("search"), h("span", { class: "words" }, "Search"), h("kbd", null, keysText("Mod+K"))),
    undo, redo, saveButton, theme,
    iconButton("help", "Keyboard shortcuts (?)", actions.openHelp));
}

/**
 * Whether an undo is one of the stream. What one types into a search is no part of it: there, the browser undoes.
 *
 * @param {KeyboardEvent} event
 * @returns {boolean}
 */
function isOfStream({ target }) {
  return !(target instanceof HTMLInputElement && target.type === "search");
}

/**
 * @param {HTMLButtonElement} button
 * @param {string} verb
 * @param {string | null} label
 * @param {string} keys
 */
function describe(button, verb, label, keys) {
  const title = `${label ? `${verb}: ${label}` : `Nothing to ${verb.toLowerCase()}`} (${keysText(keys)})`;
  if (button.title === title) return;
  button.title = title;
  button.setAttribute("aria-label", label ? `${verb}: ${label}` : verb);
  // A disabled button would lose the focus of a person who undoes by keyboard.
  button.setAttribute("aria-disabled", String(!label));
}

/**
 * Saves, and says what hindered it.
 *
 * @param {import("../core/store.js").Store} store
 */
export async function save(store) {
  const { path } = store.state;
  // What one has just typed into a form may still be on its way into the text.
  await store.settled();
  if (!path || path !== store.state.path || !store.state.isDirty) return;
  try {
    const result = await store.save();
    announce(result === "saved" ? "Saved" : "The file on disk has changed. Choose which version to keep.");
  } catch (error) {
    const { isAway, message } = /** @type {import("../core/api.js").ApiError} */ (error);
    toast(isAway ? "The server is away. The text is kept in this tab; save it when the server is back." : message,
      { kind: "error", action: { title: "Try again", run: () => void save(store) } });
  }
}

/** Undoes the last change, and tells which: it may be one of another view.
 * @param {import("../core/store.js").Store} store */
export function undoAloud(store) {
  const { undoLabel } = store.state;
  store.undo();
  if (undoLabel !== null) announce(`Undid: ${undoLabel}`);
}

/** @param {import("../core/store.js").Store} store */
export function redoAloud(store) {
  const { redoLabel } = store.state;
  store.redo();
  if (redoLabel !== null) announce(`Redid: ${redoLabel}`);
}
