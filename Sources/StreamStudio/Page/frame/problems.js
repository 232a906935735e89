// The strip at the bottom: how many errors and warnings there are; opened, the list of them.

import { fill, h, icon } from "../core/dom.js";
import { withEdits } from "../core/edits.js";
import { countText } from "../core/values.js";

/** @typedef {import("../core/types.js").Diagnostic} Diagnostic */

/**
 * @param {import("../core/types.js").ViewContext} context
 * @returns {HTMLElement}
 */
export function problemStrip({ store }) {
  const list = h("ul", { id: "problem-list", hidden: true, "aria-label": "Problems" });
  const button = h("button", {
    type: "button", "aria-expanded": "false", "aria-controls": "problem-list", on: { click: () => toggle() },
  });
  const drawList = () => {
    const problems = list.hidden ? [] : store.state.analysis?.diagnostics ?? [];
    fill(list, problems.slice(0, 200).map((problem) => problemItem(problem, select, fixed)));
  };
  const toggle = (isOpen = list.hidden) => {
    list.hidden = !isOpen;
    drawList();
    button.setAttribute("aria-expanded", String(isOpen));
  };
  const select = (/** @type {Diagnostic} */ problem) => {
    // In a view that shows no operators, the place is the text.
    if (store.state.view !== "pipeline") store.set({ view: "text" });
    store.set({ selection: { pointer: problem.pointer, range: problem.range } });
  };
  const fixed = (/** @type {Diagnostic} */ problem) => {
    const { text, analyzedText } = store.state;
    // The ranges of a fix are those of the text that was analyzed.
    if (!problem.fix || text !== analyzedText) return;
    store.edit(withEdits(text, problem.fix.edits), { label: problem.fix.title });
  };

  store.subscribe(["analysis", "path", "connection"], (state) => {
    strip.hidden = !state.path;
    const problems = state.analysis?.diagnostics ?? [];
    fill(button, summary(problems, state.analysis !== null));
    button.disabled = problems.length === 0;
    if (problems.length === 0) toggle(false);
    drawList();
  });

  const strip = h("section", { class: "problems", "aria-label": "Problems", hidden: true }, button, list);
  return strip;
}

/**
 * @param {Diagnostic[]} problems
 * @param {boolean} isAnalyzed
 */
function summary(problems, isAnalyzed) {
  if (!isAnalyzed) return h("span", null, "Checking…");
  if (problems.length === 0) return h("span", { class: "is-ok" }, icon("check"), "No problems");
  const parts = /** @type {const} */ (["error", "warning", "note"]).map((severity) => {
    const count = problems.filter((problem) => problem.severity === severity).length;
    return count > 0 && h("span", { class: `is-${severity}` }, icon(severity), countText(count, severity));
  });
  return [...parts, h("span", { class: "first", dir: "auto" }, problems[0].message)];
}

/**
 * @param {Diagnostic} problem
 * @param {(problem: Diagnostic) => void} select
 * @param {(problem: Diagnostic) => void} fix
 */
function problemItem(problem, select, fix) {
  return h("li", null,
    h("button", { type: "button", class: "problem-link", on: { click: () => select(problem) } },
      h("span", { class: `is-${problem.severity}` }, icon(problem.severity),
        h("span", { class: "visually-hidden" }, problem.severity)),
      h("span", { dir: "auto" }, problem.message, " ", problem.help && h("span", { class: "help" }, problem.help)),
      h("span", { class: "badge" }, problem.code)),
    problem.fix && h("button", { type: "button", class: "button quiet", on: { click: () => fix(problem) } },
      icon("bulb"), problem.fix.title));
}
