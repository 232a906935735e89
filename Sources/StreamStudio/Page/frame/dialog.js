// Dialogs, on the browser's own element: it keeps the focus inside, closes by Escape and gives the focus back.

import { h, iconButton } from "../core/dom.js";

/**
 * Opens a dialog with a title, content and buttons.
 *
 * @param {string} title
 * @param {import("../core/dom.js").Child} content
 * @param {import("../core/dom.js").Child} [buttons]
 * @param {{class?: string}} [options]
 * @returns {HTMLDialogElement} Emits `close` when it ends.
 */
export function openDialog(title, content, buttons = null, options = {}) {
  /** @type {HTMLDialogElement} */
  const dialog = h("dialog", { "aria-label": title, class: options.class },
    h("div", { class: "dialog" },
      h("header", null, h("h2", null, title), iconButton("close", "Close", () => dialog.close())),
      content,
      buttons && h("footer", null, buttons)));
  return shown(dialog);
}

/**
 * Shows a dialog, closes it by a click beside it, and removes it at its end.
 *
 * @param {HTMLDialogElement} dialog
 * @returns {HTMLDialogElement}
 */
export function shown(dialog) {
  document.body.append(dialog);
  dialog.addEventListener("close", () => {
    dialog.remove();
    keepFocus();
  });
  dialog.addEventListener("pointerdown", (event) => {
    if (event.target === dialog && isOutside(event, dialog)) dialog.close();
  });
  dialog.showModal();
  return dialog;
}

/** The focus falls to the page if what had it is gone: then it goes to the view, where a person works. */
export function keepFocus() {
  if (document.activeElement === document.body) document.getElementById("view")?.focus({ preventScroll: true });
}

/**
 * @param {PointerEvent} event
 * @param {Element} element
 */
function isOutside(event, element) {
  const box = element.getBoundingClientRect();
  return event.clientX < box.left || event.clientX > box.right || event.clientY < box.top || event.clientY > box.bottom;
}

/**
 * Asks a question.
 *
 * @param {string} title
 * @param {string} text
 * @param {string} action The word for yes, such as "Discard changes".
 * @returns {Promise<boolean>}
 */
export function ask(title, text, action) {
  return new Promise((resolve) => {
    let answer = false;
    const dialog = openDialog(title, h("p", { dir: "auto" }, text), [
      h("button", { type: "button", class: "button", on: { click: () => dialog.close() } }, "Cancel"),
      h("button", {
        type: "button", class: "button primary", on: { click: () => { answer = true; dialog.close(); } },
      }, action),
    ]);
    dialog.addEventListener("close", () => resolve(answer));
  });
}
