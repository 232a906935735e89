// Bars above a view: the server is away, the file on disk has changed, the stream is not on disk yet.

import { announce, fill, h, icon, toast } from "../core/dom.js";
import { ask } from "./dialog.js";
import { discard } from "./streams.js";
import { mergeConflict } from "./merge.js";

/** @typedef {import("../core/store.js").Store} Store */

/**
 * @param {import("../core/types.js").ViewContext} context
 * @param {{saveAs: () => void}} actions
 * @returns {HTMLElement}
 */
export function bars(context, actions) {
  const { store } = context;
  const element = h("div", { class: "bars" });
  let shown = "";
  store.subscribe(["connection", "conflict", "origin", "saved", "path"], (state) => {
    const { connection, path, conflict, origin, saved } = state;
    // Buttons that are made anew would lose the focus, or the click that is on its way.
    const key = JSON.stringify([connection, path, conflict && (conflict.digest ?? "removed"), origin, saved === null]);
    if (key === shown) return;
    shown = key;
    fill(element,
      state.connection !== "on" && awayBar(state.connection === "locked"),
      state.path && state.conflict && conflictBar(context, state.conflict),
      state.path && !state.saved && state.origin && originBar(store, state.origin, actions.saveAs));
  });
  return element;
}

/** @param {boolean} isLocked */
function awayBar(isLocked) {
  return h("div", { class: "notice warn", role: "status" }, icon("warning"), h("p", null, isLocked
    ? "The server needs another link than this page has. Open the link that it has printed in this tab; the text is kept."
    : "The server is away. The text that you type is kept; the page continues once the server is back."));
}

/**
 * @param {import("../core/types.js").ViewContext} context
 * @param {import("../core/store.js").Conflict} conflict
 */
function conflictBar(context, conflict) {
  const { store } = context;
  const isRemoved = conflict.digest === null;
  const theirs = async () => {
    const yes = await ask("Load the version on disk?", "Your unsaved changes are replaced. Undo brings them back.",
      "Load from disk");
    if (yes) store.resolve(conflict.text, "Load the version on disk");
  };
  return h("div", { class: "notice warn", role: "alert" }, icon("warning"),
    h("p", null, isRemoved
      ? "Another program has removed this file, and you have unsaved changes."
      : "Another program has changed this file, and you have unsaved changes."),
    !isRemoved && h("button", {
      type: "button", class: "button primary", on: { click: () => void merge(context) },
    }, "Merge"),
    h("button", {
      type: "button", class: "button",
      on: {
        click: () => {
          store.resolve(store.state.text, "Keep my version");
          announce("Your version is kept. Saving replaces the one on disk.");
        },
      },
    }, "Keep mine"),
    !isRemoved && h("button", { type: "button", class: "button", on: { click: () => void theirs() } }, "Take theirs"));
}

/** @param {import("../core/types.js").ViewContext} context */
async function merge(context) {
  try {
    await mergeConflict(context);
  } catch (error) {
    toast(`The versions cannot be merged. ${/** @type {Error} */ (error).message}`, { kind: "error" });
  }
}

/**
 * @param {Store} store
 * @param {string} origin
 * @param {() => void} saveAs
 */
function originBar(store, origin, saveAs) {
  return h("div", { class: "notice", role: "status" }, icon("note"),
    h("p", { dir: "auto" }, origin),
    h("button", { type: "button", class: "button primary", on: { click: saveAs } }, "Save as…"),
    h("button", { type: "button", class: "button", on: { click: () => void discard(store) } }, "Discard"));
}
