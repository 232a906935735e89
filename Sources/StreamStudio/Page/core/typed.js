// Controls for values of a declared type: a field for a scalar, a field for each member of a simple record, else JSON.

import { field, h } from "./dom.js";
import { editText, kindOf, parseTyped } from "./values.js";

const scalars = ["string", "int", "uint", "double", "bool", "timestamp", "duration", "bytes"];

/**
 * The declared type of an input as the file has it: the name of a scalar, an object of members, an array with the type
 * of its elements, or "dyn". The server's analysis has types as text for people.
 *
 * @param {string} text The stream file.
 * @param {string} name
 * @returns {any}
 */
export function declaredType(text, name) {
  try {
    return JSON.parse(text).inputs?.[name]?.type ?? "dyn";
  } catch {
    return "dyn";
  }
}

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
 * The members of a record type, if each can have a field of its own.
 *
 * @param {any} type
 * @returns {Record<string, string> | null}
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
  const isLong = text.length > 48 || (typeof type === "object" && type !== null);
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
