// The form that edits one event of an input: its time, and its typed value, the end or a failure.

import { field, fill, h } from "../../core/dom.js";
import { firstValue, valueControl } from "../../core/typed.js";
import { roundTime } from "./feeds.js";

/**
 * @typedef {import("../../core/types.js").FedEvent} FedEvent
 *
 * @typedef {object} EditorOptions
 * @property {HTMLElement} host The positioned element that holds the form.
 * @property {{x: number, y: number}} place Within the host.
 * @property {string} name The input.
 * @property {any} type Its declared type.
 * @property {FedEvent} event
 * @property {string | null} [timeLabel] Null without a time. With it, the event is a value and stays one.
 * @property {(event: FedEvent) => void} onChange Called with each valid state, while one types.
 * @property {() => void} onRemove
 * @property {(isKept: boolean) => void} onClose
 */

/**
 * Opens the form. The marble changes while one types; Escape takes that back.
 *
 * @param {EditorOptions} options
 * @returns {{close: (isKept: boolean) => void}}
 */
export function openEditor({ host, place, name, type, event, timeLabel, onChange, onRemove, onClose }) {
  let kind = event.finished ? "finished" : "failure" in event ? "failure" : "value";
  let isOpen = true;

  const time = h("input", {
    type: "text", inputmode: "decimal", value: String(event.at), autocomplete: "off", on: { input: () => changed() },
  });
  const timeField = field(timeLabel ?? "Time in seconds", time);
  timeField.hidden = timeLabel === null;
  const value = valueControl("Value", type, "value" in event ? event.value : firstValue(type), () => changed());
  const failure = valueControl("Error", "dyn", "failure" in event ? event.failure : "offline", () => changed());
  const kinds = [["value", "Value"], ["finished", "Finish"], ["failure", "Failure"]];
  const buttons = kinds.map(([id, title]) => h("button", {
    type: "button", "data-kind": id, on: { click: () => { kind = id; showKind(); changed(); } },
  }, title));
  const body = h("div", { class: "marbles-editor-body" });

  function showKind() {
    for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.kind === kind));
    fill(body, kind === "value" ? value.element : kind === "failure" ? failure.element : null);
  }

  /** @returns {FedEvent | null} */
  function read() {
    const at = Number(time.value.trim().replace(",", "."));
    const isTime = time.value.trim() !== "" && Number.isFinite(at) && at >= 0;
    timeField.setError(isTime ? null : "Enter seconds from the start, such as 1.5.");
    if (kind === "finished") return isTime ? { at: roundTime(at), finished: true } : null;
    const control = kind === "value" ? value : failure;
    const answer = control.read();
    const error = "error" in answer ? answer.error : undefined;
    control.show(error ?? null);
    if (error || !isTime) return null;
    return { at: roundTime(at), [kind]: /** @type {{value: any}} */ (answer).value };
  }

  function changed() {
    const edited = read();
    if (edited) onChange(edited);
  }

  /** @param {boolean} isKept */
  function close(isKept) {
    if (!isOpen) return;
    isOpen = false;
    document.removeEventListener("pointerdown", outside, true);
    element.remove();
    if (!isKept) onChange(event);
    onClose(isKept);
  }

  /** @param {PointerEvent} pointer */
  function outside(pointer) {
    if (!element.contains(/** @type {Node} */ (pointer.target))) close(read() !== null);
  }

  const element = h("form", {
    class: "marbles-editor", role: "dialog", "aria-label": `Event of ${name}`,
    on: {
      submit(/** @type {SubmitEvent} */ submitted) {
        submitted.preventDefault();
        if (read()) close(true);
      },
      keydown(/** @type {KeyboardEvent} */ key) {
        if (key.key === "Escape") {
          key.stopPropagation();
          close(false);
        } else if (key.key === "Enter" && (key.ctrlKey || key.metaKey) && read()) {
          close(true);
        }
      },
    },
  },
  timeLabel === undefined && h("div", { class: "segmented", role: "group", "aria-label": "Kind of event" }, buttons),
  body,
  timeField,
  h("div", { class: "row" },
    h("button", { type: "submit", class: "button primary" }, "Done"),
    h("button", { type: "button", class: "button", on: { click: () => close(false) } }, "Cancel"),
    h("span", { class: "grow" }),
    h("button", {
      type: "button", class: "button quiet danger",
      on: { click: () => { close(true); onRemove(); } },
    }, "Delete")));
  showKind();
  host.append(element);
  // What an event causes is to the right of it, so that the form stands to the left, or as far away as there is room.
  const room = host.clientWidth - element.offsetWidth - 8;
  const left = place.x - element.offsetWidth - 48;
  element.style.setProperty("left", `${left >= 8 ? left : Math.max(8, room)}px`);
  element.style.setProperty("top", `${place.y}px`);
  element.scrollIntoView({ block: "nearest" });
  const first = /** @type {HTMLInputElement | null} */ (element.querySelector("[data-autofocus], select")) ?? time;
  first.focus();
  if (first instanceof HTMLInputElement) first.select();
  document.addEventListener("pointerdown", outside, true);
  return { close };
}
