// Search over files, views, operators and commands.

import { fill, h } from "../core/dom.js";
import { keysText } from "../core/keys.js";
import { shown } from "./dialog.js";

/**
 * @typedef {object} Entry
 * @property {string} kind Such as "File".
 * @property {string} title
 * @property {string} detail
 * @property {string} [keys]
 * @property {() => void} run
 */

/**
 * Opens the search.
 *
 * @param {() => Promise<Entry[]>} load
 */
export function openPalette(load) {
  /** @type {Entry[]} */
  let entries = [];
  /** @type {Entry[]} */
  let found = [];
  let selected = 0;
  const input = h("input", {
    type: "search", placeholder: "Search files, operators and commands", "aria-label": "Search", role: "combobox",
    "aria-expanded": "true", "aria-controls": "palette-list", "aria-autocomplete": "list", spellcheck: "false",
    autocomplete: "off", on: { input: () => search() },
  });
  const list = h("ul", { id: "palette-list", role: "listbox", "aria-label": "Results" });
  const dialog = h("dialog", { "aria-label": "Search" }, h("div", { class: "palette" }, input, list));

  const run = (/** @type {Entry} */ entry) => {
    dialog.close();
    entry.run();
  };
  const select = (/** @type {number} */ index) => {
    const items = list.children;
    if (found.length === 0) return;
    items[selected]?.setAttribute("aria-selected", "false");
    selected = (index + found.length) % found.length;
    items[selected].setAttribute("aria-selected", "true");
    items[selected].scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", `palette-${selected}`);
  };
  const search = () => {
    found = matching(entries, input.value).slice(0, 60);
    fill(list, found.map((entry, index) => h("li", {
      id: `palette-${index}`, role: "option", "aria-selected": "false",
      on: { click: () => run(entry), pointermove: () => selected !== index && select(index) },
    },
    h("span", { class: "title", dir: "auto" }, entry.title), h("span", { class: "detail", dir: "auto" }, entry.detail),
    entry.keys ? h("kbd", null, keysText(entry.keys)) : h("span", { class: "kind" }, entry.kind))));
    if (found.length === 0) fill(list, h("li", { class: "empty" }, "Nothing has these words."));
    selected = 0;
    select(0);
  };
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") select(selected + 1);
    else if (event.key === "ArrowUp") select(selected - 1);
    else if (event.key === "Enter" && found[selected]) run(found[selected]);
    else return;
    event.preventDefault();
  });
  shown(dialog);
  void load().then((loaded) => {
    entries = loaded;
    search();
  });
}

/**
 * The entries that have all words, best first: a title that begins with the words, then one that has them, then the
 * others.
 *
 * @template {{title: string, detail: string}} T
 * @param {T[]} entries
 * @param {string} query
 * @returns {T[]}
 */
export function matching(entries, query) {
  const text = query.trim().toLowerCase();
  if (!text) return entries;
  const words = text.split(/\s+/);
  const rank = (/** @type {T} */ entry) => {
    const title = entry.title.toLowerCase();
    const all = `${title} ${entry.detail.toLowerCase()}`;
    if (!words.every((word) => all.includes(word))) return -1;
    if (title === text) return 0;
    if (title.startsWith(text)) return 1;
    return words.every((word) => title.includes(word)) ? 2 : 3;
  };
  return entries.map((entry) => ({ entry, rank: rank(entry) })).filter((item) => item.rank >= 0)
    .sort((a, b) => a.rank - b.rank).map((item) => item.entry);
}
