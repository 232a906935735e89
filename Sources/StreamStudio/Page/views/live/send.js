// Feeds an input by hand: a typed field, buttons for the values of the test, finish and fail.

import { announce, fill, h } from "../../core/dom.js";
import { firstValue, valueControl } from "../../core/typed.js";
import { jsonText, stateWords, timeText, valueText } from "../../core/values.js";

/** Values of the test that become buttons. */
const presetLimit = 8;

/**
 * @param {string} name
 * @param {any} type
 * @param {any[]} presets Values to send by one press.
 * @param {import("./session.js").LiveSession} session
 * @returns {HTMLElement}
 */
export function sendPanel(name, type, presets, session) {
  const control = valueControl("Value", type ?? "dyn", presets[0] ?? firstValue(type), () => control.show(null));

  /** @param {any} event @param {string} said */
  async function send(event, said) {
    try {
      await session.send(name, event);
      control.show(null);
      announce(said);
    } catch (error) {
      control.show(/** @type {Error} */ (error).message);
    }
  }

  const form = h("form", {
    class: "live-send-form",
    on: {
      submit(/** @type {SubmitEvent} */ submitted) {
        submitted.preventDefault();
        const answer = control.read();
        if ("error" in answer && answer.error) return control.show(answer.error);
        const { value } = /** @type {{value: any}} */ (answer);
        void send({ value }, `Sent ${valueText(value, 60)}`);
      },
    },
  },
  control.element,
  h("div", { class: "row" },
    h("button", { type: "submit", class: "button primary" }, "Send"),
    h("button", { type: "button", class: "button", on: { click: () => void send({ finished: true }, "Finished") } },
      "Finish"),
    h("button", {
      type: "button", class: "button", on: { click: () => void send({ failure: "offline" }, "Failed") },
    }, "Fail")));

  const buttons = distinct(presets).slice(0, presetLimit).map((value) => h("button", {
    type: "button", class: "button live-preset", dir: "auto", title: valueText(value),
    on: { click: () => void send({ value }, `Sent ${valueText(value, 60)}`) },
  }, valueText(value, 18)));
  const section = h("section", { class: "card column live-send", "aria-label": `Feed ${name}` },
    h("h3", { dir: "auto" }, name), form);
  if (buttons.length > 0) {
    section.append(h("div", { class: "row", role: "group", "aria-label": "Values of the test" }, buttons));
  }
  return section;
}

/** @param {any[]} values */
function distinct(values) {
  return [...new Map(values.map((value) => [jsonText(value), value])).values()];
}

/**
 * The state of the operators, as a tree.
 *
 * @param {HTMLElement} root
 * @param {import("./session.js").OperatorState[]} states
 */
export function showStates(root, states) {
  const open = new Set([...root.querySelectorAll("details[open]")].map((details) => details.getAttribute("data-at")));
  const isFirst = root.childElementCount === 0;
  if (states.length === 0) {
    fill(root, h("p", { class: "dim" }, "No operator holds state."));
    return;
  }
  fill(root, states.map((operator) => h("details", {
    "data-at": operator.pointer, open: isFirst ? states.length <= 6 : open.has(operator.pointer),
  },
  h("summary", null, h("strong", null, operator.name), " ", h("span", { class: "dim" }, operator.pointer)),
  h("pre", { dir: "auto", tabindex: "0" }, jsonText(stateWords(operator.state), "  "),
    operator.timers?.length ? `\ntimers: ${operator.timers.map(timeText).join(", ")}` : null))));
}
