// The form that edits one event of an input: its time, and its typed value, the end or a failure.

import { field, fill, h } from "../../core/dom.js";
import { editText, kindOf, parseTyped } from "../../core/values.js";
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
 * @property {(event: FedEvent) => void} onChange Called with each valid state, while one types.
 * @property {() => void} onRemove
 * @property {(isKept: boolean) => void} onClose
 */

const scalars = ["string", "int", "uint", "double", "bool", "timestamp", "duration", "bytes"];

/**
 * A value to begin with.
 *
 * @param {any} type
 * @returns {any}
 */
export function firstValue(type) {
  if (Array.isArray(type)) return [];
  if (typeof type === "object" && type !== null) {
    return Object.fromEntries(Object.entries(type).map(([name, member]) => [name, firstValue(member)]));
  }
  /** @type {Record<string, any>} */
  const values = {
    string: "a", double: { $double: 1 }, uint: { $uint: "1" }, bool: true, null: null,
    timestamp: { $timestamp: "2026-01-01T00:00:00Z" }, duration: { $duration: "1s" }, bytes: { $bytes: "" },
  };
  return type in values ? values[type] : 1;
}

/**
 * The type by which a value is edited: the declared one, or for an input of any type that of a record with simple
 * members stays open, so that it is edited as JSON.
 *
 * @param {any} type
 * @returns {Record<string, string> | null} The members, if each can have a field of its own.
 */
function membersOf(type) {
  if (typeof type !== "object" || type === null || Array.isArray(type)) return null;
  const names = Object.keys(type);
  return names.length > 0 && names.length <= 8 && names.every((name) => scalars.includes(type[name])) ? type : null;
}

/** @param {any} type @returns {string} */
function helpOf(type) {
  if (type === "string") return "";
  if (scalars.includes(type)) return `Type: ${type}`;
  return "A number, a string, true, false, null, or JSON.";
}

/**
 * A control for a value of a type.
 *
 * @param {string} label
 * @param {any} type
 * @param {any} value
 * @param {() => void} onInput
 * @returns {{element: HTMLElement, read: () => {value: any} | {error: string}, show: (error: string | null) => void}}
 */
export function valueControl(label, type, value, onInput) {
  const members = membersOf(type);
  if (members && (value === undefined || kindOf(value) === "object")) {
    return recordControl(label, members, value ?? {}, onInput);
  }
  if (type === "bool") {
    const select = h("select", { value: String(value === true), on: { input: onInput } },
      h("option", { value: "true" }, "true"), h("option", { value: "false" }, "false"));
    const element = field(label, select);
    return { element, read: () => ({ value: select.value === "true" }), show: (error) => element.setError(error) };
  }
  const text = value === undefined ? "" : editText(value, type);
  const isLong = text.length > 40 || (typeof type === "object" && type !== null);
  const attributes = {
    value: text, spellcheck: "false", autocomplete: "off", dir: "auto", "data-autofocus": "", on: { input: onInput },
  };
  const isNumber = ["int", "uint", "double"].includes(type);
  const control = isLong
    ? h("textarea", { ...attributes, rows: 4 })
    : h("input", { ...attributes, type: "text", inputmode: isNumber ? "decimal" : "text" });
  const element = field(label, control, { help: helpOf(type) });
  return {
    element,
    read: () => /** @type {any} */ (parseTyped(control.value, type ?? "dyn")),
    show: (error) => element.setError(error),
  };
}

/**
 * @param {string} label
 * @param {Record<string, string>} members
 * @param {any} value
 * @param {() => void} onInput
 */
function recordControl(label, members, value, onInput) {
  const parts = Object.entries(members).map(([name, type]) => {
    const part = valueControl(name, type, value[name], onInput);
    return { name, ...part };
  });
  const grid = h("div", { class: "marbles-members", role: "group", "aria-label": label },
    parts.map((part) => part.element));
  return {
    element: grid,
    read() {
      /** @type {Record<string, any>} */
      const record = {};
      let first = "";
      for (const part of parts) {
        const answer = part.read();
        part.show("error" in answer && answer.error ? answer.error : null);
        if ("error" in answer && answer.error) first ||= `${part.name}: ${answer.error}`;
        else record[part.name] = /** @type {{value: any}} */ (answer).value;
      }
      return first ? { error: first } : { value: record };
    },
    show() {},
  };
}

/**
 * Opens the form. The marble changes while one types; Escape takes that back.
 *
 * @param {EditorOptions} options
 * @returns {{close: (isKept: boolean) => void}}
 */
export function openEditor({ host, place, name, type, event, onChange, onRemove, onClose }) {
  let kind = event.finished ? "finished" : "failure" in event ? "failure" : "value";
  let isOpen = true;

  const time = h("input", {
    type: "text", inputmode: "decimal", value: String(event.at), autocomplete: "off", on: { input: () => changed() },
  });
  const timeField = field("Time in seconds", time);
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
  h("div", { class: "segmented", role: "group", "aria-label": "Kind of event" }, buttons),
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
  const left = Math.max(8, Math.min(place.x - element.offsetWidth / 2, host.clientWidth - element.offsetWidth - 8));
  element.style.setProperty("left", `${left}px`);
  element.style.setProperty("top", `${place.y}px`);
  element.scrollIntoView({ block: "nearest" });
  const first = /** @type {HTMLInputElement | null} */ (element.querySelector("[data-autofocus], select")) ?? time;
  first.focus();
  if (first instanceof HTMLInputElement) first.select();
  document.addEventListener("pointerdown", outside, true);
  return { close };
}
