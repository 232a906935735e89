// The page of an operator or a source: what it does, its fields and its examples.

import { h, icon, toast } from "../core/dom.js";
import { inlineMarkdown, markdown } from "../core/markdown.js";
import { jsonText } from "../core/values.js";
import { openDialog } from "./dialog.js";

/**
 * @param {import("../core/store.js").Store} store
 * @param {import("../core/types.js").CatalogEntry} entry
 */
export function openOperator(store, entry) {
  const canAdd = entry.family !== "source" && Boolean(store.state.analysis?.outline);
  const add = async () => {
    dialog.close();
    try {
      await addOperator(store, entry);
    } catch (error) {
      toast(`${entry.name} cannot be added. ${/** @type {Error} */ (error).message}`, { kind: "error" });
    }
  };
  /** @type {HTMLDialogElement} */
  const dialog = openDialog(entry.name, h("div", { class: "column" },
    markdown(entry.documentation || entry.summary),
    entry.fields.length > 0 && h("h3", null, "Fields"),
    h("ul", { class: "column" }, entry.fields.map((field) => h("li", null,
      h("code", null, field.name), " ",
      h("span", { class: "badge" }, field.required ? field.kind : `${field.kind}, optional`),
      h("p", { class: "dim", dir: "auto" }, inlineMarkdown(field.summary),
        field.default === undefined || field.default === null ? null : ` Default: ${jsonText(field.default)}.`)))),
    entry.examples.length > 0 && h("h3", null, "Examples"),
    entry.examples.map((example) => h("figure", { class: "column" },
      h("figcaption", { dir: "auto" }, example.title), h("pre", { class: "code example" }, exampleText(example))))),
  canAdd && h("button", { type: "button", class: "button primary", on: { click: () => void add() } }, icon("add"),
    "Add to the stream"));
}

/**
 * Adds an operator after the last one of the stream, and shows its form.
 *
 * @param {import("../core/store.js").Store} store
 * @param {import("../core/types.js").CatalogEntry} entry
 */
async function addOperator(store, entry) {
  const steps = store.state.analysis?.outline?.steps.filter((step) => /^\/operators\/\d+$/.test(step.pointer)) ?? [];
  const pointer = `/operators/${steps.length}`;
  const edit = steps.length > 0
    ? { insert: { pointer, value: entry.template } } : { set: { pointer: "/operators", value: [entry.template] } };
  if (await store.change([edit], `Add ${entry.name}`)) store.set({ view: "pipeline", selection: { pointer } });
}

/** @param {import("../core/types.js").CatalogExample} example */
function exampleText({ text, inputs, output }) {
  const names = inputs.length === 1 ? ["in"] : inputs.map((_, index) => `in ${index + 1}`);
  return [text, ...inputs.map((marbles, index) => `${names[index].padEnd(5)}${marbles}`), `out  ${output}`].join("\n");
}
