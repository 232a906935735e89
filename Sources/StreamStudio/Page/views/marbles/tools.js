// The buttons that edit the inputs, and the keys that do the same on the tracks.

import { fill, h, icon } from "../../core/dom.js";

/** @typedef {import("./model.js").FedModel} FedModel */

const section = "Marbles";

/** Keys on tracks, for the list of keys; the tracks handle them. */
export const trackKeys = [
  { keys: "Enter", title: "Edit the marble of an input, or pick another one", section },
  { keys: "Space", title: "Show what caused a marble and what it caused", section },
  { keys: "Insert", title: "Add a value (also +)", section },
  { keys: "Delete", title: "Delete marbles", section },
  { keys: "Alt+←", title: "Move marbles earlier or later (with Shift: finely)", section },
  { keys: "Mod+D", title: "Duplicate marbles", section },
  { keys: "Mod+A", title: "Select all marbles of the input", section },
  { keys: "F", title: "Fold an operator to its name", section },
];

/**
 * @param {string} title
 * @param {() => void} run
 * @param {Node} [picture]
 */
export function toolButton(title, run, picture) {
  return h("button", { type: "button", class: "button", on: { click: run } }, picture, title);
}

/**
 * @param {FedModel} model
 * @param {{add: () => void, end: (kind: "finished" | "failure") => void}} actions
 */
export function inputTools(model, actions) {
  const input = h("select", { "aria-label": "Input", on: { change: () => { model.active = input.value; } } });
  const count = h("span", { class: "dim", role: "status" });
  const hint = h("span", { class: "dim marbles-hint" }, "Drag a marble to move it, double-click to add or edit one.");
  const duplicate = toolButton("Duplicate", () => model.duplicate());
  const remove = toolButton("Delete", () => model.remove());
  const element = h("div", { class: "row marbles-tools", role: "group", "aria-label": "Edit inputs", hidden: true },
    input, toolButton("Value", actions.add, icon("add")), toolButton("Finish", () => actions.end("finished")),
    toolButton("Fail", () => actions.end("failure")), duplicate, remove, count, hint);
  return {
    element,
    update() {
      const { names } = model.feeds;
      const isOther = names.join("\n") !== [...input.options].map((option) => option.value).join("\n");
      if (isOther) fill(input, names.map((name) => h("option", { value: name }, name)));
      input.value = model.input;
      input.hidden = names.length < 2;
      const { size } = model.selection;
      duplicate.disabled = size === 0;
      remove.disabled = size === 0;
      hint.hidden = size > 0;
      const text = size === 0 ? "" : `${size} selected`;
      if (count.textContent !== text) count.textContent = text;
    },
  };
}
