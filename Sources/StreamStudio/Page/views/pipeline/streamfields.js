// Fields that hold streams: the names of streams of the file, or streams of their own, which have cards beside the
// operator. Items of a stream are edited here, too.

import { fill, h, iconButton } from "../../core/dom.js";
import { editText, isSame, parseTyped } from "../../core/values.js";
import { labeled, valueOf } from "./controls.js";
import { fieldLabel } from "./forms.js";
import { appended, member } from "./jsontree.js";
import { referableNames } from "./model.js";

/**
 * @typedef {import("./controls.js").Control} Control
 * @typedef {import("./controls.js").FormContext} FormContext
 * @typedef {import("./forms.js").Place} Place
 * @typedef {import("./jsontree.js").JSONNode} JSONNode
 */

/** What a stream of its own begins as: its card then offers to choose a source. */
const OWN_STREAM = { source: { never: {} } };
const OWN = "\u0000own";
/** Items beyond this number are edited in the text. */
const ITEMS = 200;
const FILE = "\u0000file";

/**
 * A menu of the streams and inputs of the file.
 *
 * @param {FormContext} context
 * @param {object} options
 * @param {string} options.label
 * @param {boolean} options.isOptional
 * @param {boolean} [options.hasFlags] Whether `true` and `false` are values, too.
 * @param {(value: any, isRemoved: boolean) => void} options.onChoice
 * @returns {{element: HTMLSelectElement, update(node: JSONNode | null): void}}
 */
function streamMenu(context, { label, isOptional, hasFlags, onChoice }) {
  const select = h("select", {
    "aria-label": label, dir: "auto",
    on: {
      change() {
        if (select.value === "") onChoice(null, true);
        else if (select.value === OWN) onChoice(OWN_STREAM, false);
        else if (hasFlags && ["true", "false"].includes(select.value)) onChoice(select.value === "true", false);
        else onChoice(select.value, false);
      },
    },
  });
  let signature = "";
  return {
    element: select,
    update(node) {
      const names = referableNames(context.doc());
      const value = !node ? "" : node.kind === "object" ? FILE : String(node.value);
      const next = JSON.stringify([names, value]);
      if (next === signature) return;
      signature = next;
      const isUnknown = node?.kind === "string" && !names.includes(value);
      fill(select,
        isOptional || !node ? h("option", { value: "" }, isOptional ? "None" : "Choose a stream…") : null,
        node?.kind === "object" ? h("option", { value: FILE }, "A stream of its own") : null,
        hasFlags ? ["true", "false"].map((word) => h("option", { value: word }, word)) : null,
        isUnknown && value !== "" ? h("option", { value }, `${value} (unknown)`) : null,
        isUnknown && value === "" ? h("option", { value: "" }, "Choose a stream…") : null,
        names.map((name) => h("option", { value: name }, name)),
        node?.kind === "object" ? null : h("option", { value: OWN }, "New stream of its own"));
      select.value = value;
    },
  };
}

/**
 * @param {Place} place
 * @param {FormContext} context
 * @returns {Control}
 */
export function streamControl(place, context) {
  const { field: spec, pointer } = place;
  const menu = streamMenu(context, {
    label: spec.name, isOptional: !spec.required, hasFlags: /bool/i.test(spec.kind),
    onChoice(value, isRemoved) {
      void context.commits.write(pointer, isRemoved ? null : { value }, `Set ${spec.name} of ${context.title()}`);
    },
  });
  menu.element.removeAttribute("aria-label");
  const open = openButton(context, pointer);
  const element = labeled(place, menu.element);
  menu.element.after(open);
  return {
    element,
    focus: () => menu.element.focus(),
    update(node) {
      open.hidden = node?.kind !== "object";
      if (!context.commits.isPending(pointer)) menu.update(node);
    },
  };
}

/**
 * @param {FormContext} context
 * @param {string} pointer
 */
function openButton(context, pointer) {
  return h("button", {
    type: "button", class: "button quiet small", hidden: true, on: { click: () => openOwn(context, pointer) },
  }, "Edit its cards");
}

/**
 * @param {FormContext} context
 * @param {string} pointer
 */
function openOwn(context, pointer) {
  const { cards } = context.doc();
  const first = [appended(pointer, "source"), appended(pointer, "stream")].find((place) => cards.has(place));
  if (first) context.select(first, true);
}

/**
 * @param {Place} place
 * @param {FormContext} context
 * @returns {Control}
 */
export function streamsControl(place, context) {
  const { field: spec, pointer } = place;
  /** @type {JSONNode[]} */
  let elements = [];
  /** @type {ReturnType<typeof streamMenu>[]} */
  let menus = [];
  const rows = h("ul", { class: "rows" });
  const label = `Set ${spec.name} of `;
  const add = h("select", {
    "aria-label": `Add a stream to ${spec.name}`,
    on: {
      change() {
        const value = add.value === OWN ? OWN_STREAM : add.value;
        const edit = place.node || elements.length
          ? { insert: { pointer: appended(pointer, elements.length), value } } : { set: { pointer, value: [value] } };
        void context.commits.make([edit], label + context.title());
        add.value = "";
      },
    },
  });
  const element = labeled(place, h("div", {
    class: "column-tight", role: "group", "aria-label": fieldLabel(spec.name),
  }, rows, add));
  /** @param {number} count */
  const build = (count) => {
    menus = Array.from({ length: count }, (_, index) => streamMenu(context, {
      label: `${spec.name} ${index + 1}`, isOptional: false,
      onChoice(value) {
        void context.commits.make([{ set: { pointer: appended(pointer, index), value } }], label + context.title());
      },
    }));
    fill(rows, menus.map((menu, index) => h("li", null, menu.element, openButton(context, appended(pointer, index)),
      iconButton("close", `Remove stream ${index + 1}`, () => {
        const edits = [{ remove: { pointer: appended(pointer, index) } }];
        void context.commits.make(edits, `Remove a stream of ${context.title()}`);
        add.focus();
      }))));
  };
  return {
    element,
    focus: () => (menus[0]?.element ?? add).focus(),
    update(node) {
      place.node = node;
      elements = node?.elements ?? [];
      if (menus.length !== elements.length) build(elements.length);
      elements.forEach((json, index) => {
        menus[index].update(json);
        const open = menus[index].element.nextElementSibling;
        if (open instanceof HTMLButtonElement) open.hidden = json.kind !== "object";
      });
      fill(add, h("option", { value: "" }, "Add a stream…"),
        referableNames(context.doc()).map((name) => h("option", { value: name }, name)),
        h("option", { value: OWN }, "New stream of its own"));
      add.value = "";
    },
  };
}

/**
 * The name of an input or of a stream, as sources refer to it.
 *
 * @param {Place} place
 * @param {FormContext} context
 * @param {boolean} isInput
 * @returns {Control}
 */
export function referenceControl(place, context, isInput) {
  const { field: spec, pointer } = place;
  const select = h("select", {
    dir: "auto",
    on: {
      change() {
        const written = select.value === "" ? null : { value: select.value };
        void context.commits.write(pointer, written, `Set ${spec.name} of ${context.title()}`);
      },
    },
  });
  return {
    element: labeled(place, select),
    focus: () => select.focus(),
    update(node) {
      if (context.commits.isPending(pointer)) return;
      const doc = context.doc();
      const names = isInput ? doc.inputs.map((input) => input.name) : referableNames(doc);
      const value = node ? String(node.value) : "";
      fill(select, spec.required && node ? null : h("option", { value: "" }, spec.required ? "Choose…" : "None"),
        value !== "" && !names.includes(value) ? h("option", { value }, `${value} (not declared)`) : null,
        names.map((name) => h("option", { value: name }, name)));
      select.value = value;
    },
  };
}

/**
 * The delay of an item, if that is its only operator.
 *
 * @param {JSONNode} item
 */
function delayOf(item) {
  const list = member(item, "operators");
  if (!list || list.elements.length === 0) return "";
  const seconds = list.elements.length === 1 ? member(member(list.elements[0], "delay"), "seconds") : null;
  const isPlain = seconds && list.elements[0].members.length === 1
    && list.elements[0].members[0].node.members.length === 1;
  return isPlain ? seconds.raw : null;
}

/**
 * @param {Place} place
 * @param {FormContext} context
 * @returns {Control}
 */
export function itemsControl(place, context) {
  const { pointer } = place;
  const rows = h("ol", { class: "rows items" });
  let count = -1;
  const add = h("button", {
    type: "button", class: "button", on: {
      async click() {
        const value = { value: 0, operators: [{ delay: { seconds: 1 } }] };
        const edit = { insert: { pointer: appended(pointer, count), value } };
        const isMade = await context.commits.make([edit], "Add item");
        if (isMade) requestAnimationFrame(() => rows.lastElementChild?.querySelector("input")?.select());
      },
    },
  }, "Add an item");
  const head = h("p", { class: "items-head", "aria-hidden": "true" },
    h("span", null, "Value"), h("span", null, "Delay"));
  const rest = h("p", { class: "dim", hidden: true });
  const element = h("div", { class: "field" }, head, rows, rest, add);
  /** @param {number} index */
  const row = (index) => {
    const own = appended(pointer, index);
    const value = h("input", { type: "text", dir: "auto", "aria-label": `Value of item ${index + 1}`, class: "mono" });
    const delay = h("input", {
      type: "text", inputmode: "decimal", "aria-label": `Delay of item ${index + 1} in seconds`, class: "number",
      placeholder: "0",
    });
    value.addEventListener("input", () => {
      const read = parseTyped(value.value, "dyn");
      value.toggleAttribute("aria-invalid", false);
      if (read.error !== undefined) value.setAttribute("aria-invalid", "true");
      else void context.commits.write(appended(own, "value"), { value: read.value }, `Set value of item ${index + 1}`);
    });
    delay.addEventListener("input", () => {
      const seconds = Number(delay.value);
      const isNumber = Number.isFinite(seconds) && seconds >= 0;
      if (isNumber) delay.removeAttribute("aria-invalid");
      else delay.setAttribute("aria-invalid", "true");
      if (!isNumber) return;
      const written = delay.value.trim() === "" ? null : { value: [{ delay: { seconds } }] };
      if (!written && !delay.dataset.has) return;
      void context.commits.write(appended(own, "operators"), written, `Set delay of item ${index + 1}`);
    });
    return h("li", null, value, delay, h("span", { class: "dim", "aria-hidden": "true" }, "s"),
      iconButton("close", `Remove item ${index + 1}`, () => {
        void context.commits.make([{ remove: { pointer: own } }], `Remove item ${index + 1}`);
        add.focus();
      }));
  };
  return {
    element,
    focus: () => (rows.querySelector("input") ?? add).focus(),
    update(node) {
      const items = node?.elements ?? [];
      if (count !== items.length) fill(rows, items.slice(0, ITEMS).map((_, index) => row(index)));
      count = items.length;
      head.hidden = count === 0;
      rest.hidden = count <= ITEMS;
      rest.textContent = `${count - ITEMS} more items are in the text.`;
      const text = context.store.state.text;
      items.slice(0, ITEMS).forEach((item, index) => {
        const [value, delay] = rows.children[index].querySelectorAll("input");
        updateItem(value, delay, item, text);
      });
    },
  };
}

/**
 * @param {HTMLInputElement} value
 * @param {HTMLInputElement} delay
 * @param {JSONNode} item
 * @param {string} text
 */
function updateItem(value, delay, item, text) {
  const json = member(item, "value");
  const shown = json ? valueOf(json, text) : undefined;
  const typed = parseTyped(value.value, "dyn");
  if (document.activeElement !== value || (typed.error === undefined && !isSame(typed.value, shown))) {
    const next = shown === undefined ? "" : editText(shown);
    if (document.activeElement !== value && value.value !== next) value.value = next;
  }
  const seconds = delayOf(item);
  delay.disabled = seconds === null;
  delay.title = seconds === null ? "This item has other operators; edit them in the text." : "";
  delay.dataset.has = seconds ? "true" : "";
  if (document.activeElement !== delay) delay.value = seconds ?? "…";
}
