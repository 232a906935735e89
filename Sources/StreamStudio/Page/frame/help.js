// The list of keys.

import { h } from "../core/dom.js";
import { allKeys, keysText } from "../core/keys.js";
import { openDialog } from "./dialog.js";

/** Opens the list of all shortcuts that work now. */
export function openHelp() {
  const sections = [...allKeys()].map(([title, shortcuts]) => h("section", null,
    h("h3", null, title),
    h("dl", null, shortcuts.map(({ keys, title: action }) => [
      h("dt", null, action), h("dd", null, h("kbd", null, keysText(keys)))]))));
  openDialog("Keyboard shortcuts", h("div", { class: "keys-list" }, sections));
}
