// Chooses an operator or a source from the catalog: search, the list, and what the chosen one does beside it.

import { fill, h } from "../../core/dom.js";
import { inlineMarkdown, markdown } from "../../core/markdown.js";
import { shown } from "../../frame/dialog.js";
import { diagramsOf, memoryText } from "./diagram.js";

/**
 * @typedef {import("./model.js").Entry} Entry
 * @typedef {object} Offer Something that can be added.
 * @property {string} name
 * @property {string} family
 * @property {string} summary
 * @property {Entry | null} entry
 * @property {() => void} run
 */

/**
 * Offers that match all words of a query, the best first; without a query, all in their order.
 *
 * @param {Offer[]} offers
 * @param {string} query
 * @returns {Offer[]}
 */
export function matching(offers, query) {
  const words = query.toLowerCase().split(/\s+/).filter((word) => word !== "");
  if (words.length === 0) return offers;
  return offers.map((offer) => ({ offer, rank: words.reduce((sum, word) => sum + rankOf(offer, word), 0) }))
    .filter(({ rank }) => Number.isFinite(rank)).sort((a, b) => a.rank - b.rank).map(({ offer }) => offer);
}

/**
 * How well an offer answers a word: 0 is best; infinite if it does not.
 *
 * @param {Offer} offer
 * @param {string} word
 */
function rankOf({ name, family, summary, entry }, word) {
  const own = name.toLowerCase();
  if (own === word) return 0;
  if (own.startsWith(word)) return 1;
  // Of two names that contain a word, the shorter one is likelier.
  if (own.includes(word)) return 2 + own.length / 100;
  if (family.toLowerCase().startsWith(word)) return 3;
  if (summary.toLowerCase().includes(word)) return 4;
  const more = entry
    ? [entry.documentation ?? "", ...entry.fields.map((field) => `${field.name} ${field.summary}`)] : [];
  return more.some((text) => text.toLowerCase().includes(word)) ? 6 : Infinity;
}

/**
 * Opens the dialog.
 *
 * @param {object} options
 * @param {string} options.title
 * @param {Offer[]} options.offers
 * @param {string} [options.verb]
 * @param {() => void} [options.onCancel]
 */
export function openPicker({ title, offers, verb = "Add", onCancel }) {
  let found = offers;
  let selected = 0;
  let isChosen = false;
  const list = h("ul", { class: "picker-list", role: "listbox", id: "picker-list", "aria-label": title });
  const documentation = h("section", {
    class: "picker-documentation column", "aria-label": "Documentation", tabindex: "0",
  });
  const search = h("input", {
    type: "search", placeholder: "Search by name or by what it does", "aria-label": title, role: "combobox",
    "aria-controls": "picker-list", "aria-expanded": "true", "aria-autocomplete": "list", autocomplete: "off",
    spellcheck: "false",
    on: { input: () => render(), keydown: (/** @type {KeyboardEvent} */ event) => key(event) },
  });
  const choose = (/** @type {number} */ index) => {
    selected = index;
    const offer = found[selected];
    for (const row of list.querySelectorAll("[role=option]")) {
      const isSelected = row.id === `picker-${selected}`;
      row.setAttribute("aria-selected", String(isSelected));
      if (isSelected) row.scrollIntoView({ block: "nearest" });
    }
    if (offer) search.setAttribute("aria-activedescendant", `picker-${selected}`);
    else search.removeAttribute("aria-activedescendant");
    fill(documentation, offer ? describe(offer, verb, () => add(offer)) : null);
    documentation.scrollTop = 0;
  };
  const add = (/** @type {Offer} */ offer) => {
    isChosen = true;
    dialog.close();
    offer.run();
  };
  const key = (/** @type {KeyboardEvent} */ event) => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
    if (step) choose(Math.min(Math.max(selected + step, 0), Math.max(found.length - 1, 0)));
    else if (event.key === "Enter" && found[selected]) add(found[selected]);
    else return;
    event.preventDefault();
  };
  const render = () => {
    found = matching(offers, search.value);
    const isSorted = search.value.trim() === "";
    fill(list, found.flatMap((offer, index) => {
      const row = h("li", {
        role: "option", id: `picker-${index}`, on: { click: () => choose(index), dblclick: () => add(offer) },
      }, h("code", null, offer.name), h("span", { class: "dim" }, ...inlineMarkdown(offer.summary)));
      const begins = isSorted && offer.family !== found[index - 1]?.family;
      return begins ? [h("li", { class: "picker-family", role: "presentation" }, offer.family), row] : [row];
    }), found.length === 0 && h("li", { class: "dim none", role: "presentation" },
      offers.length === 0
      ? "There is nothing to choose."
      : "Nothing matches. Try another word, such as “time”, “average” or “duplicates”."));
    choose(0);
  };
  const dialog = h("dialog", { class: "picker", "aria-label": title },
    h("div", { class: "picker-frame" }, h("header", null, search), list, documentation));
  render();
  shown(dialog);
  dialog.addEventListener("close", () => { if (!isChosen) onCancel?.(); });
  search.focus();
}

/**
 * @param {Offer} offer
 * @param {string} verb
 * @param {() => void} add
 */
function describe({ name, family, summary, entry }, verb, add) {
  return [
    h("div", { class: "row" }, h("h2", { class: "grow" }, name), h("span", { class: "badge" }, family)),
    h("p", { dir: "auto" }, ...inlineMarkdown(summary)),
    h("div", { class: "row" },
      h("button", { type: "button", class: "button primary", on: { click: add } }, `${verb} ${name}`)),
    entry && diagramsOf(entry, 2),
    entry && memoryText(entry),
    entry && entry.fields.length > 0 && h("dl", { class: "picker-fields" }, entry.fields.map((field) => [
      h("dt", null, h("code", null, field.name), " ", !field.required && h("span", { class: "optional" }, "optional")),
      h("dd", null, ...inlineMarkdown(field.summary))])),
    entry?.documentation && entry.documentation !== summary
      && h("details", { class: "more" },
        h("summary", null, "All of its documentation"), ...markdown(entry.documentation)),
  ];
}
