// The form of the selected card, beside the cards or, on a narrow screen, below the selected one.

import { fill, h } from "../../core/dom.js";
import { inlineMarkdown, markdown } from "../../core/markdown.js";
import { basicControl } from "./controls.js";
import { diagramsOf, memoryText } from "./diagram.js";
import { expressionControl } from "./expression.js";
import { isInside, valueIndex } from "./jsontree.js";
import { problemList } from "./problems.js";
import { itemsControl, referenceControl, streamControl, streamsControl } from "./streamfields.js";

/**
 * @typedef {import("./controls.js").Control} Control
 * @typedef {import("./controls.js").FormContext} FormContext
 * @typedef {import("./forms.js").Form} Form
 * @typedef {import("./forms.js").Place} Place
 * @typedef {{title: string, keys?: string, run: () => void, isDanger?: boolean}} Action
 */

/**
 * @param {Place} place
 * @param {FormContext} context
 * @param {Form} form
 * @returns {Control}
 */
function controlFor(place, context, form) {
  const { kind, name } = place.field;
  if (kind === "expression") return expressionControl(place, context);
  if (kind === "streams") return streamsControl(place, context);
  if (kind === "items") return itemsControl(place, context);
  if (kind === "stream" || /^bool(ean)?OrStream$/.test(kind)) return streamControl(place, context);
  if (form.card?.kind === "source" && name === "name") return referenceControl(place, context, form.title === "input");
  return basicControl(place, context);
}

/** The panel that shows a form. */
export class Inspector {
  /**
   * @param {FormContext} context
   * @param {(form: Form) => Action[]} actionsOf
   */
  constructor(context, actionsOf) {
    this.context = context;
    this.actionsOf = actionsOf;
    /** @type {Form | null} */
    this.form = null;
    /** @type {Map<string, {control: Control, problems: HTMLElement}>} */
    this.controls = new Map();
    this.title = h("h2", { dir: "auto" });
    this.badge = h("span", { class: "badge" });
    this.actions = h("div", { class: "row inspector-actions" });
    this.summary = h("p", { class: "dim", dir: "auto" });
    this.problems = h("div", { class: "column-tight problems-of" });
    this.fields = h("div", { class: "column" });
    this.more = h("div", { class: "column" });
    this.moreTitle = h("summary", null, "More fields");
    this.moreBox = h("details", { class: "more" }, this.moreTitle, this.more);
    this.documentation = h("div", { class: "column-tight documentation" });
    this.documentationBox = h("details", { class: "more" }, h("summary", null, "Documentation"), this.documentation);
    this.documentationBox.addEventListener("toggle", () => this.showDocumentation());
    this.body = h("div", { class: "column inspector-body", hidden: true },
      h("div", { class: "row" }, this.title, this.badge), this.actions, this.summary, this.problems, this.fields,
      this.moreBox, this.documentationBox);
    this.empty = h("div", { class: "empty" }, h("h2", null, "Nothing is selected"),
      h("p", null, "Choose a card to edit it. ", h("kbd", null, "↑"), " ", h("kbd", null, "↓"),
        " go through the cards, ", h("kbd", null, "Return"), " goes to the fields, ",
        h("kbd", null, "A"), " adds an operator, ",
        h("kbd", null, "Alt"), " with ", h("kbd", null, "↑"), " ", h("kbd", null, "↓"), " moves one."));
    this.element = h("section", { class: "inspector", "aria-label": "Fields of the selected card" },
      this.body, this.empty);
  }

  /**
   * Shows a form; the same form with new values keeps its controls, so that typing is not interrupted.
   *
   * @param {Form | null} form
   * @param {boolean} areProblemsFresh Whether the problems are those of the present text.
   */
  update(form, areProblemsFresh) {
    const isOther = form?.key !== this.form?.key || !this.hasSamePlaces(form);
    this.form = form;
    this.body.hidden = !form;
    this.empty.hidden = form !== null;
    if (!form) return;
    if (isOther) this.build(form);
    for (const { pointer, node } of [...form.main, ...form.more]) this.controls.get(pointer)?.control.update(node);
    if (areProblemsFresh || isOther) this.updateProblems(form);
  }

  /** The place of the field that has the focus. @returns {string | null} */
  focusedPointer() {
    for (const [pointer, { control }] of this.controls) {
      if (control.element.contains(document.activeElement)) return pointer;
    }
    return null;
  }

  /** @param {Form | null} form */
  hasSamePlaces(form) {
    const places = form ? [...form.main, ...form.more] : [];
    return places.length === this.controls.size && places.every(({ pointer }) => this.controls.has(pointer));
  }

  /** @param {Form} form */
  build(form) {
    this.controls.clear();
    this.title.textContent = form.title;
    this.badge.textContent = form.kind;
    fill(this.summary, ...inlineMarkdown(form.summary));
    this.summary.hidden = form.summary === "";
    fill(this.actions, this.actionsOf(form).map(({ title, keys, run, isDanger }) => h("button", {
      type: "button", class: `button small${isDanger ? " danger" : ""}`, title: keys ? `${title} (${keys})` : title,
      on: { click: run },
    }, title)));
    fill(this.fields, form.main.map((place) => this.place(place, form)));
    fill(this.more, form.more.map((place) => this.place(place, form)));
    this.moreBox.hidden = form.more.length === 0;
    this.moreBox.open = form.main.length === 0;
    this.moreTitle.textContent = `${form.main.length ? "More fields" : "Fields"} (${form.more.length})`;
    this.documentationBox.hidden = !form.entry;
    this.showDocumentation();
  }

  /**
   * @param {Place} place
   * @param {Form} form
   */
  place(place, form) {
    const control = controlFor(place, this.context, form);
    const problems = h("div", { class: "column-tight problems-of" });
    this.controls.set(place.pointer, { control, problems });
    control.element.append(problems);
    return control.element;
  }

  showDocumentation() {
    const entry = this.form?.entry;
    if (!entry || !this.documentationBox.open) return fill(this.documentation);
    fill(this.documentation, ...markdown(entry.documentation ?? ""), memoryText(entry), ...diagramsOf(entry));
  }

  /** @param {Form} form */
  updateProblems(form) {
    const { store } = this.context;
    const places = [...form.main, ...form.more];
    const placeOf = (/** @type {import("./model.js").Problem} */ problem) =>
      places.find(({ pointer }) => isInside(problem.pointer ?? "", pointer));
    const general = form.problems.filter((problem) => !placeOf(problem));
    setProblems(this.problems, problemList(general, store, { onFix: () => this.focus() }));
    for (const place of places) {
      const own = form.problems.filter((problem) => placeOf(problem) === place);
      const shown = this.controls.get(place.pointer);
      if (shown) setProblems(shown.problems, problemList(own, store, { node: place.node, onFix: shown.control.focus }));
      if (own.length && form.more.includes(place)) this.moreBox.open = true;
    }
  }

  /**
   * Puts the focus into the field of a place, at the characters that are meant.
   *
   * @param {string} pointer
   * @param {[number, number] | null} range Offsets in the text.
   */
  focusAt(pointer, range) {
    const form = this.form;
    const places = form ? [...form.main, ...form.more] : [];
    // That of the name has the pointer of the whole member.
    const place = places.find((other) => other.pointer === pointer)
      ?? places.find((other) => other.field.kind !== "rename" && isInside(pointer, other.pointer));
    const shown = place && this.controls.get(place.pointer);
    if (!form || !place || !shown) return;
    if (form.more.includes(place)) this.moreBox.open = true;
    shown.control.focus();
    const input = document.activeElement;
    if (range && place.node?.kind === "string" && input instanceof HTMLTextAreaElement) {
      input.setSelectionRange(valueIndex(place.node, range[0]), valueIndex(place.node, range[1]));
    }
  }

  /** Puts the focus into the first field that needs a value, or the first one. */
  focus() {
    const form = this.form;
    if (!form) return;
    const first = form.main.find(({ field, node }) => field.required && (!node || node.value === "")) ?? form.main[0];
    const control = first && this.controls.get(first.pointer)?.control;
    if (control) control.focus();
    else this.body.querySelector("button")?.focus();
  }
}

/**
 * Replaces problems only if they differ, so that nothing flickers.
 *
 * @param {HTMLElement} box
 * @param {HTMLElement[]} next
 */
function setProblems(box, next) {
  const isSame = box.children.length === next.length
    && next.every((node, index) => node.isEqualNode(box.children[index]));
  if (!isSame) fill(box, next);
}
