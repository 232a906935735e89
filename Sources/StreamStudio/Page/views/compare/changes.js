// The changes between two versions, by meaning.

import { fill, h, icon } from "../../core/dom.js";
import { inlineMarkdown } from "../../core/markdown.js";
import { countText, jsonText } from "../../core/values.js";

/**
 * @typedef {import("./index.js").Draft} Draft
 * @typedef {{kind: string, title: string, detail?: string | null, pointer?: string | null, old?: any, new?: any,
 *   effect?: string | null, fields?: {name: string, old?: any, new?: any}[]}} Change
 */

/** @type {Record<string, string>} */
const styles = { added: "ok", removed: "error", changed: "accent", moved: "accent" };

/** @type {Record<string, string>} What a change does to a stream that runs while it is made. */
const effects = {
  noBehavior: "same behavior", stateKept: "state kept", structure: "new structure", stateLost: "state lost",
};

/** The list of changes. */
export class ChangeList {
  /**
   * @param {import("../../core/store.js").Store} store
   * @param {import("../../core/api.js").Api} api
   */
  constructor(store, api) {
    this.store = store;
    this.api = api;
    this.element = h("section", { class: "column", "aria-label": "Changes" });
  }

  /**
   * @param {Draft} old
   * @param {Draft} next
   */
  async update(old, next) {
    const body = { old: { path: old.path, text: old.text }, new: { path: next.path, text: next.text } };
    const answer = await this.api.post("/api/diff", body, { signal: this.api.latest("diff") });
    /** @type {Change[]} */
    const changes = answer.changes ?? [];
    const isOwn = next.path === this.store.state.path && next.text === this.store.state.text;
    fill(this.element,
      h("p", { role: "status" }, changes.length === 0
        ? h("span", { class: "badge ok" }, icon("check"), old.text === next.text ? "The same text" : "The same stream")
        : countText(changes.length, "change")),
      changes.length === 0 && old.text !== next.text
        && h("p", { class: "dim" },
          "The texts differ only in layout, in the order of members, or in what streams ignore."),
      h("ol", { class: "column" }, changes.map((change) => this.card(change, isOwn))));
  }

  /**
   * @param {Change} change
   * @param {boolean} isOwn
   */
  card(change, isOwn) {
    const { kind, title, detail, pointer, fields } = change;
    return h("li", { class: "card change" },
      h("div", { class: "row" },
        h("span", { class: `badge ${styles[kind] ?? ""}` }, kind),
        h("h3", { class: "grow", dir: "auto" }, ...inlineMarkdown(title ?? "the file")),
        change.effect && h("span", { class: "badge", title: "If the running stream is replaced" },
          effects[change.effect] ?? change.effect),
        isOwn && pointer && kind !== "removed" && h("button", {
          type: "button", class: "button quiet", "aria-label": `Show ${title} in the pipeline`,
          on: { click: () => this.store.set({ view: "pipeline", selection: { pointer } }) },
        }, "Show")),
      detail && h("p", { class: "dim change-detail", dir: "auto" }, ...inlineMarkdown(detail)),
      (fields ?? []).length ? null : sides(change.old, change.new),
      (fields ?? []).map((field) => [
        h("p", { class: "dim" }, h("code", null, field.name)), sides(field.old, field.new)]));
  }
}

/**
 * The values of both versions, one below the other.
 *
 * @param {any} old
 * @param {any} next
 */
function sides(old, next) {
  const side = (/** @type {string} */ tag, /** @type {string} */ name, /** @type {any} */ value) =>
    value === undefined || value === null ? null : h("p", { class: `code change-side ${tag}`, dir: "auto" },
      h("span", { class: "visually-hidden" }, `${name}: `), valueWords(value));
  return [side("old", "old", old), side("new", "new", next)];
}

/**
 * A value as text; a string as it is, since it is an expression or a name.
 *
 * @param {any} value
 * @returns {string}
 */
export function valueWords(value) {
  if (typeof value === "string") return value;
  const short = jsonText(value);
  return short.length <= 100 ? short : jsonText(value, "  ");
}
