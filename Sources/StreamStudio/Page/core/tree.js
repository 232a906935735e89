// A value as a tree that folds, with the parts marked that have changed since another value.

import { h } from "./dom.js";
import { colorOf, isSame, kindOf, valueText } from "./values.js";

/** Children beyond this number are only counted. */
const SHOWN = 100;

/**
 * Builds the tree of a value.
 *
 * @param {string} name
 * @param {any} value
 * @param {{before?: any, depth?: number}} [options] `before` is the value to compare with; without it, nothing is
 *   marked. `depth` is the number of levels that are open.
 * @returns {HTMLElement}
 */
export function valueTree(name, value, options = {}) {
  const depth = options.depth ?? 2;
  const isChanged = "before" in options && !isSame(options.before, value);
  const label = name === "" ? null : h("span", { class: "tree-name", dir: "auto" }, name);
  const mark = isChanged ? h("span", { class: "visually-hidden" }, " changed") : null;
  const children = childrenOf(value);
  if (children === null || children.length === 0) {
    const text = h("span", { class: "tree-value", dir: "auto" }, valueText(value, 400));
    text.style.setProperty("color", `var(${colorOf(value)})`);
    return h("div", { class: `tree-leaf${isChanged ? " changed" : ""}` }, label, text, mark);
  }
  const before = /** @type {Map<string, any>} */ (new Map(childrenOf(options.before) ?? []));
  return h("details", { class: `tree${isChanged ? " changed" : ""}`, open: depth > 0 },
    h("summary", null, label, h("span", { class: "dim", dir: "auto" }, valueText(value, 60)), mark),
    h("div", { class: "tree-children" },
      children.slice(0, SHOWN).map(([key, child]) => valueTree(key, child,
        "before" in options ? { before: before.get(key), depth: depth - 1 } : { depth: depth - 1 })),
      children.length > SHOWN && h("p", { class: "dim" }, `and ${children.length - SHOWN} more`)));
}

/**
 * @param {any} value
 * @returns {[string, any][] | null}
 */
function childrenOf(value) {
  if (kindOf(value) === "list") {
    return [.../** @type {any[]} */ (value).entries()].map(([index, item]) => [`${index}`, item]);
  }
  return kindOf(value) === "object" ? Object.entries(value) : null;
}
