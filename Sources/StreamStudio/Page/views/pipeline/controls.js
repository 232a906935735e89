// Controls of fields. Each writes what one types at once, and takes what the text has, unless that is what it wrote.

import { field, fill, h } from "../../core/dom.js";
import { inlineMarkdown } from "../../core/markdown.js";
import { editText, isSame, parseJSON, parseTyped } from "../../core/values.js";
import { fieldLabel } from "./forms.js";

/**
 * @typedef {import("./jsontree.js").JSONNode} JSONNode
 * @typedef {import("./forms.js").Place} Place
 * @typedef {{value: any} | {error: string} | {remove: true}} Read
 * @typedef {object} Control
 * @property {HTMLElement} element
 * @property {() => void} focus
 * @property {(node: JSONNode | null) => void} update
 *
 * @typedef {object} FormContext
 * @property {import("../../core/store.js").Store} store
 * @property {import("../../core/api.js").Api} api
 * @property {import("./commits.js").Commits} commits
 * @property {() => import("./model.js").Doc} doc
 * @property {(pointer: string, focus?: boolean) => void} select
 * @property {(pointer: string, name: string) => Promise<string | null>} rename
 * @property {() => string} title The card's title, for the labels of changes.
 */

/** Time after the last key before an unfinished value is called an error. */
const PATIENCE = 600;

/**
 * The value of a node, with 2 and 2.0 kept apart.
 *
 * @param {JSONNode} node
 * @param {string} text The draft.
 * @returns {any}
 */
export function valueOf(node, text) {
  return parseJSON(text.slice(node.from, node.to));
}

/**
 * A control in which one types.
 *
 * @param {Place} place
 * @param {FormContext} context
 * @param {object} options
 * @param {HTMLInputElement | HTMLTextAreaElement} options.input
 * @param {(text: string) => Read} options.read
 * @param {(node: JSONNode, text: string) => string} options.show
 * @returns {Control & {write(): Promise<boolean>}}
 */
export function typedControl(place, context, { input, read, show }) {
  const { pointer, field: spec } = place;
  let timer = 0;
  let hasNode = place.node !== null;
  /** The text of the JSON that was written last; the control keeps the spelling that one typed for it. */
  let written = /** @type {any} */ (undefined);
  const element = labeled(place, input);
  const check = () => {
    clearTimeout(timer);
    const outcome = read(input.value);
    element.setError("error" in outcome ? outcome.error : null);
  };
  const write = async () => {
    grow(input);
    const outcome = read(input.value);
    clearTimeout(timer);
    if ("error" in outcome) {
      timer = window.setTimeout(check, PATIENCE);
      return false;
    }
    element.setError(null);
    if ("remove" in outcome) {
      written = undefined;
      if (!hasNode && !context.commits.isPending(pointer)) return true;
      return context.commits.write(pointer, null, `Remove ${spec.name} of ${context.title()}`);
    }
    written = outcome.value;
    return context.commits.write(pointer, { value: outcome.value }, `Set ${spec.name} of ${context.title()}`);
  };
  input.addEventListener("input", () => void write());
  input.addEventListener("blur", check);
  return {
    element, write,
    focus() {
      input.focus();
      input.select();
    },
    update(node) {
      hasNode = node !== null;
      if (context.commits.isPending(pointer)) return;
      const text = context.store.state.text;
      const isFocused = document.activeElement === input;
      if (!node) {
        if (isFocused && (written === undefined || input.value === "")) return;
        written = undefined;
        if (input.value !== "") input.value = "";
      } else {
        if (written !== undefined && isSame(valueOf(node, text), written)) return;
        // What one is typing is not valid yet: the text still has the value before it.
        if (isFocused && "error" in read(input.value)) return;
        written = valueOf(node, text);
        const shown = show(node, text);
        if (input.value !== shown) input.value = shown;
      }
      element.setError(null);
      grow(input);
    },
  };
}

/**
 * Makes a text area as high as its text.
 *
 * @param {HTMLInputElement | HTMLTextAreaElement} input
 */
export function grow(input) {
  if (!(input instanceof HTMLTextAreaElement)) return;
  const lines = input.value.split("\n").length;
  input.rows = Math.min(Math.max(lines, Number(input.dataset.rows ?? 1)), 16);
}

/**
 * Wraps a control with the label and help of its field.
 *
 * @param {Place} place
 * @param {HTMLElement} control
 */
export function labeled({ field: spec }, control) {
  const element = field(fieldLabel(spec.name), control, { help: " " });
  const help = element.querySelector(".help");
  if (help) {
    if (spec.summary) fill(help, ...inlineMarkdown(spec.summary));
    else help.remove();
  }
  const label = element.querySelector("label");
  if (label && !spec.required) label.append(" ", h("span", { class: "optional" }, "optional"));
  return element;
}

/**
 * What a field means if it is absent.
 *
 * @param {import("./model.js").Field} spec
 */
function defaultText(spec) {
  if (spec.default === undefined || spec.default === null) return "";
  return typeof spec.default === "string" ? spec.default : editText(spec.default);
}

/**
 * @param {Place} place
 * @param {FormContext} context
 * @returns {Control}
 */
function textControl(place, context) {
  const { field: spec } = place;
  const isLong = spec.kind === "longtext";
  const input = isLong ? h("textarea", { "data-rows": "2", dir: "auto", class: "prose" })
    : h("input", { type: "text", dir: "auto", placeholder: defaultText(spec), spellcheck: "false" });
  return typedControl(place, context, {
    input,
    read: (text) => (text === "" && !spec.required ? { remove: true } : { value: text }),
    show: (node, text) => (node.kind === "string" ? node.value : text.slice(node.from, node.to)),
  });
}

/**
 * @param {Place} place
 * @param {FormContext} context
 * @returns {Control}
 */
function numberControl(place, context) {
  const { field: spec } = place;
  const isWhole = spec.kind === "count" || spec.kind === "integer";
  const input = h("input", {
    type: "text", inputmode: isWhole ? "numeric" : "decimal", autocomplete: "off", class: "number",
    placeholder: defaultText(spec), title: spec.expectation,
    on: {
      keydown(/** @type {KeyboardEvent} */ event) {
        const step = event.key === "ArrowUp" ? 1 : event.key === "ArrowDown" ? -1 : 0;
        if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
        event.preventDefault();
        input.value = stepped(input.value || defaultText(spec), step, isWhole, spec);
        input.dispatchEvent(new Event("input"));
      },
    },
  });
  const control = typedControl(place, context, {
    input,
    read(text) {
      const trimmed = text.trim();
      if (trimmed === "") return spec.required ? { error: "Enter a number." } : { remove: true };
      const pattern = isWhole ? /^-?\d+$/ : /^-?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$/;
      if (!pattern.test(trimmed)) return { error: isWhole ? "Enter an integer." : "Enter a number, such as 0.3." };
      return parseTyped(/^-?\d+$/.test(trimmed) ? trimmed : String(Number(trimmed)), "dyn");
    },
    show: (node, text) => text.slice(node.from, node.to),
  });
  if (spec.unit) input.after(h("span", { class: "unit", "aria-hidden": "true" }, unitText(spec.unit)));
  return control;
}

/** @param {string} unit */
function unitText(unit) {
  return unit === "seconds" || unit === "second" ? "s" : unit;
}

/**
 * @param {string} text
 * @param {number} step
 * @param {boolean} isWhole
 * @param {import("./model.js").Field} spec
 */
function stepped(text, step, isWhole, spec) {
  const number = Number(text);
  if (!Number.isFinite(number)) return text;
  // The last digit of the number changes: 0.3 becomes 0.4, and 250 becomes 251.
  const digits = isWhole ? 0 : Math.max(/\.(\d+)/.exec(text)?.[1].length ?? 0, number === 0 ? 1 : 0);
  const next = Math.min(Math.max(number + step / 10 ** digits, spec.min ?? -Infinity), spec.max ?? Infinity);
  return digits ? String(Number(next.toFixed(digits))) : String(next);
}

/**
 * @param {Place} place
 * @param {FormContext} context
 * @returns {Control}
 */
function valueControl(place, context) {
  const { field: spec } = place;
  const isStructure = ["list", "object", "operators", "events"].includes(spec.kind);
  const input = h("textarea", {
    "data-rows": isStructure ? "3" : "1", rows: isStructure ? 3 : 1, dir: "auto", spellcheck: "false",
    placeholder: defaultText(spec),
  });
  return typedControl(place, context, {
    input,
    read(text) {
      if (text.trim() === "") return spec.required ? { error: "Enter a value." } : { remove: true };
      const outcome = parseTyped(text, "dyn");
      if (isStructure && "value" in outcome && typeof outcome.value === "string") {
        return { error: spec.kind === "object" ? "Enter an object: { … }." : "Enter an array: [ … ]." };
      }
      return outcome.error !== undefined ? { error: outcome.error } : { value: outcome.value };
    },
    show(node, text) {
      const source = text.slice(node.from, node.to);
      // Lines after the first have the indentation of the file.
      const indent = /\n([ \t]*)[^\n]*$/.exec(source)?.[1] ?? "";
      return node.kind === "string" ? editText(node.value) : source.replaceAll(`\n${indent}`, "\n");
    },
  });
}

/**
 * @param {Place} place
 * @param {FormContext} context
 * @returns {Control}
 */
function typeControl(place, context) {
  const list = h("datalist", { id: `types-${++listCount}` }, typeNames.map((name) => h("option", { value: name })));
  const input = h("input", {
    type: "text", list: list.id, autocomplete: "off", spellcheck: "false", placeholder: "any type", class: "mono",
  });
  const control = typedControl(place, context, {
    input,
    read(text) {
      if (text.trim() === "") return { remove: true };
      const outcome = parseTyped(text, "dyn");
      return outcome.error !== undefined ? { error: "Enter a type, such as int, or {\"x\": \"double\"}." } : outcome;
    },
    show: (node, text) => (node.kind === "string" ? node.value : text.slice(node.from, node.to).replace(/\s+/g, " ")),
  });
  control.element.append(list);
  return control;
}

let listCount = 0;
const typeNames = ["int", "double", "string", "bool", "timestamp", "duration", "bytes", "uint", "list(int)", "dyn"];

/**
 * @param {Place} place
 * @param {FormContext} context
 * @returns {Control}
 */
function namesControl(place, context) {
  const input = h("input", {
    type: "text", dir: "auto", autocomplete: "off", spellcheck: "false", placeholder: "separated by commas",
  });
  return typedControl(place, context, {
    input,
    read(text) {
      const names = text.split(",").map((name) => name.trim()).filter((name) => name !== "");
      return names.length === 0 && !place.field.required ? { remove: true } : { value: names };
    },
    show: (node) => node.elements.map((element) => String(element.value)).join(", "),
  });
}

/**
 * @param {Place} place
 * @param {FormContext} context
 * @returns {Control}
 */
function choiceControl(place, context) {
  const { field: spec, pointer } = place;
  const isBoolean = spec.kind === "boolean" || spec.kind === "bool";
  const words = isBoolean ? ["true", "false"] : spec.choices ?? [];
  const fallback = defaultText(spec);
  const select = h("select", {
    on: {
      change() {
        const value = isBoolean ? select.value === "true" : select.value;
        const written = select.value === "" ? null : { value };
        void context.commits.write(pointer, written, `Set ${spec.name} of ${context.title()}`);
      },
    },
  }, spec.required ? null : h("option", { value: "" }, fallback ? `Default (${fallback})` : "Default"),
  words.map((word) => h("option", { value: word }, word)));
  return {
    element: labeled(place, select),
    focus: () => select.focus(),
    update(node) {
      if (context.commits.isPending(pointer)) return;
      const value = node ? String(node.value ?? "") : "";
      // A word that the catalog does not have is shown, too; the server says what is wrong with it.
      if (![...select.options].some((option) => option.value === value)) {
        select.append(h("option", { value }, value || "Choose…"));
      }
      if (select.value !== value) select.value = value;
    },
  };
}

/**
 * Changes the name of an input, a stream or an output, once one has typed it.
 *
 * @param {Place} place
 * @param {FormContext} context
 */
function renameControl(place, context) {
  const input = h("input", { type: "text", dir: "auto", autocomplete: "off", spellcheck: "false" });
  const element = labeled(place, input);
  const { pointer } = place;
  const before = () => decodeName(pointer);
  const finish = async () => {
    const name = input.value.trim();
    if (name === before()) return;
    if (name === "") {
      element.setError("Enter a name.");
      return;
    }
    element.setError(await context.rename(pointer, name));
  };
  input.addEventListener("change", () => void finish());
  input.value = before();
  return {
    element,
    focus() {
      input.focus();
      input.select();
    },
    update() {
      if (document.activeElement !== input) input.value = before();
    },
  };
}

/** @param {string} pointer */
function decodeName(pointer) {
  return (pointer.split("/").at(-1) ?? "").replace(/~1/g, "/").replace(/~0/g, "~");
}

/**
 * The control of a field, by its kind; null for kinds that other files have.
 *
 * @param {Place} place
 * @param {FormContext} context
 * @returns {Control}
 */
export function basicControl(place, context) {
  switch (place.field.kind) {
    case "seconds": case "number": case "count": case "integer": return numberControl(place, context);
    case "boolean": case "bool": case "choice": return choiceControl(place, context);
    case "text": case "string": case "longtext": return textControl(place, context);
    case "names": return namesControl(place, context);
    case "type": return typeControl(place, context);
    case "rename": return renameControl(place, context);
    default: return valueControl(place, context);
  }
}
