// Renames the stream or the input at the caret, with all references to it.

import { h, toast } from "../../core/dom.js";
import { withEdits } from "../../core/edits.js";
import { placePopup } from "./popup.js";

/**
 * Asks for the new name beside the caret.
 *
 * @param {import("./editor.js").Editor} editor
 * @param {import("../../core/types.js").ViewContext} context
 * @param {HTMLElement} root Where the field is shown.
 */
export function openRename(editor, { store, api }, root) {
  const { path, text } = store.state;
  const at = editor.caret;
  const caret = editor.area.selectionEnd;
  const input = h("input", { type: "text", value: wordAt(text, at), "aria-label": "New name", spellcheck: "false" });
  const error = h("p", { class: "rename-error", role: "alert", hidden: true, dir: "auto" });
  // The popup goes when the focus leaves it.
  const close = () => editor.area.focus({ preventScroll: true });
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    try {
      const { edits } = await api.post("/api/rename", { path, text, at, to: input.value });
      close();
      if (store.state.path !== path || store.state.text !== text) {
        toast("The text has changed meanwhile. Rename again.", { kind: "error" });
        return;
      }
      store.edit(withEdits(text, edits), { label: `Rename to ${input.value}` });
    } catch (failure) {
      error.hidden = false;
      error.textContent = /** @type {Error} */ (failure).message;
    }
  };
  /** @type {HTMLFormElement} */
  const popup = h("form", {
    class: "rename popup",
    on: {
      submit,
      keydown: (/** @type {KeyboardEvent} */ event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        close();
      },
      focusout: (/** @type {FocusEvent} */ event) => {
        if (!popup.contains(/** @type {Node | null} */ (event.relatedTarget))) popup.remove();
      },
    },
  }, input, error);
  root.append(popup);
  placePopup(popup, editor.placeOf(caret));
  input.focus();
  input.select();
}

/**
 * The name around an offset.
 *
 * @param {string} text
 * @param {number} offset
 * @returns {string}
 */
function wordAt(text, offset) {
  const before = /[\p{L}\p{N}_.-]*$/u.exec(text.slice(0, offset))?.[0] ?? "";
  const after = /^[\p{L}\p{N}_.-]*/u.exec(text.slice(offset))?.[0] ?? "";
  return before + after;
}
