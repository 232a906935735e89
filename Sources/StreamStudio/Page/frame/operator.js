// The page of an operator or a source: what it does, its fields and its examples.

import { h } from "../core/dom.js";
import { inlineMarkdown, markdown } from "../core/markdown.js";
import { jsonText } from "../core/values.js";
import { openDialog } from "./dialog.js";

/** @param {import("../core/types.js").CatalogEntry} entry */
export function openOperator(entry) {
  openDialog(entry.name, h("div", { class: "column" },
    markdown(entry.documentation || entry.summary),
    entry.fields.length > 0 && h("h3", null, "Fields"),
    h("ul", { class: "column" }, entry.fields.map((field) => h("li", null,
      h("code", null, field.name), " ",
      h("span", { class: "badge" }, field.required ? field.kind : `${field.kind}, optional`),
      h("p", { class: "dim", dir: "auto" }, inlineMarkdown(field.summary),
        field.default === undefined || field.default === null ? null : ` Default: ${jsonText(field.default)}.`)))),
    entry.examples.length > 0 && h("h3", null, "Examples"),
    entry.examples.map((example) => h("figure", { class: "column" },
      h("figcaption", { dir: "auto" }, example.title), h("pre", { class: "code example" }, exampleText(example))))));
}

/** @param {import("../core/types.js").CatalogExample} example */
function exampleText({ text, inputs, output }) {
  const names = inputs.length === 1 ? ["in"] : inputs.map((_, index) => `in ${index + 1}`);
  return [text, ...inputs.map((marbles, index) => `${names[index].padEnd(5)}${marbles}`), `out  ${output}`].join("\n");
}
