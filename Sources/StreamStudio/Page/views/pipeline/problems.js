// Problems where they belong: with the characters that an error is about, and the fix that the server offers.

import { h, icon } from "../../core/dom.js";
import { withEdits } from "../../core/edits.js";
import { inlineMarkdown } from "../../core/markdown.js";

/**
 * @typedef {import("./model.js").Problem} Problem
 * @typedef {import("./jsontree.js").JSONNode} JSONNode
 */

/**
 * The problems of a field or a card, with the characters that an error is about and the fix that the server offers.
 *
 * @param {Problem[]} problems
 * @param {import("../../core/store.js").Store} store
 * @param {{node?: JSONNode | null, onFix?: () => void}} [options] The value of the field, whose characters are shown if
 *   it is a string, and what to do after a fix.
 * @returns {HTMLElement[]}
 */
export function problemList(problems, store, options = {}) {
  const { node = null, onFix } = options;
  return problems.map((problem) => {
    const { severity, message, notes, help, fix } = problem;
    return h("div", { class: `problem ${severity}` },
      icon(severity === "note" ? "note" : severity),
      h("div", { class: "grow column-tight" },
        h("p", { dir: "auto" }, h("span", { class: "visually-hidden" }, `${severity}: `), ...inlineMarkdown(message)),
        excerpt(problem, store.state.text, node),
        (notes ?? []).map((note) => h("p", { class: "dim", dir: "auto" }, note)),
        help && h("p", { class: "dim", dir: "auto" }, help),
        fix && h("button", {
          type: "button", class: "button quiet small", on: {
            click() {
              store.edit(withEdits(store.state.text, fix.edits), { label: fix.title });
              onFix?.();
            },
          },
        }, icon("bulb"), fix.title)));
  });
}

/**
 * The line of a string with the characters marked that a problem is about.
 *
 * @param {Problem} problem
 * @param {string} text
 * @param {JSONNode | null} node
 */
function excerpt({ range }, text, node) {
  if (!range || node?.kind !== "string" || range[0] <= node.from || range[1] >= node.to) return null;
  const start = Math.max(node.from + 1, range[0] - 40);
  const end = Math.min(node.to - 1, range[1] + 40);
  return h("p", { class: "code excerpt", dir: "ltr" },
    start > node.from + 1 && "…", text.slice(start, range[0]),
    h("mark", null, text.slice(range[0], range[1]) || " "),
    text.slice(range[1], end), end < node.to - 1 && "…");
}
