// A draft as lanes of cards. Cards come from the JSON of the text, so that they stay while a stream is incomplete.
// Details, relations and problems come from the server's analysis, by pointer.

import { appended, isInside, member, parent } from "./jsontree.js";

/**
 * @typedef {import("./jsontree.js").JSONNode} JSONNode
 * @typedef {import("../../core/types.js").CatalogField} Field
 * @typedef {import("../../core/types.js").CatalogEntry} Entry
 * @typedef {import("../../core/types.js").Diagnostic} Problem
 * @typedef {import("../../core/types.js").Outline} Outline
 * @typedef {import("../../core/types.js").OutlineStep} Step
 * @typedef {{operators: Map<string, Entry>, sources: Map<string, Entry>}} Catalog
 * @typedef {{
 *   pointer: string, field: string, relation: string, name: string | null, lane: Lane | null
 * }} Branch
 * @typedef {{
 *   kind: "source" | "items" | "missing" | "operator" | "reference", pointer: string, name: string, id: string,
 *   label: string, detail: string, node: JSONNode | null, fields: JSONNode | null, entry: Entry | null,
 *   branches: Branch[], problems: Problem[], lane: Lane, index: number
 * }} Card
 * @typedef {{
 *   pointer: string, title: string, relation: string, kind: "main" | "stream" | "output" | "inline" | "operators",
 *   operators: string, hasOperators: boolean, cards: Card[], owner: Card | null
 * }} Lane
 * @typedef {{pointer: string, name: string, detail: string, node: JSONNode, problems: Problem[]}} Item
 * @typedef {{
 *   root: JSONNode, main: Lane | null, streams: Lane[], outputs: {item: Item, lane: Lane | null}[], inputs: Item[],
 *   tests: Item[], partition: Item | null, then: Lane | null, file: Item, cards: Map<string, Card>,
 *   items: Map<string, Item>
 * }} Doc
 */

const annotations = new Set(["id", "label", "onError"]);
/** Kinds of fields that hold streams. */
const streamKinds = new Set(["stream", "streams", "boolOrStream", "booleanOrStream"]);

/**
 * The key of an operator's or a source's object that names it.
 * @param {JSONNode | null} json
 * @returns {import("./jsontree.js").Member | null}
 */
export function namedMember(json) {
  return json?.members.find((m) => !annotations.has(m.name) && !m.name.startsWith("x-")) ?? null;
}

/**
 * A short text of a value.
 * @param {JSONNode | null} json
 * @param {number} [limit]
 * @returns {string}
 */
export function shortText(json, limit = 60) {
  if (!json) return "";
  const text = compact(json, limit + 1);
  return text.length > limit ? `${text.slice(0, limit - 1)}…` : text;
}

/**
 * @param {JSONNode} json
 * @param {number} limit
 * @returns {string}
 */
function compact(json, limit) {
  if (json.kind !== "object" && json.kind !== "array") return json.raw;
  let text = json.kind === "object" ? "{" : "[";
  const parts = json.kind === "object" ? json.members : json.elements;
  for (const [index, part] of parts.entries()) {
    if (text.length > limit) break;
    if (index) text += ", ";
    text += "node" in part ? `${JSON.stringify(part.name)}: ${compact(part.node, limit)}` : compact(part, limit);
  }
  return text + (json.kind === "object" ? "}" : "]");
}

/**
 * The fields of an operator in one line, where the server has not said more.
 *
 * @param {JSONNode | null} fields
 */
function fieldsText(fields) {
  if (!fields) return "";
  return fields.members.filter((m) => m.node.kind !== "object" && m.node.kind !== "array")
    .map((m) => (m.name === "expression" ? String(m.node.value) : `${m.name} ${shortText(m.node, 40)}`)).join(" · ");
}

class Builder {
  /**
   * @param {JSONNode} root
   * @param {Catalog} catalog
   * @param {Outline | null} outline
   */
  constructor(root, catalog, outline) {
    this.root = root;
    this.catalog = catalog;
    /** @type {Map<string, Card>} */
    this.cards = new Map();
    /** @type {Map<string, Item>} */
    this.items = new Map();
    /** @type {Map<string, Step>} */
    this.steps = new Map();
    if (outline) this.collect(outline);
  }

  /** @param {Outline} outline */
  collect(outline) {
    for (const step of outline.steps ?? []) {
      if (step.pointer !== null) this.steps.set(step.pointer, step);
      for (const branch of step.branches ?? []) if (branch.outline) this.collect(branch.outline);
    }
    for (const stream of outline.streams ?? []) this.collect(stream);
    for (const output of outline.outputs ?? []) if (output.stream) this.collect(output.stream);
  }

  /** @returns {Doc} */
  doc() {
    const { root } = this;
    const file = this.item("", stringOf(member(root, "name")), stringOf(member(root, "description")), root);
    const inputs = this.list("inputs", (node) => {
      const type = member(node, "type");
      const initial = member(node, "initialValue");
      const words = [type ? (type.kind === "string" ? type.value : shortText(type)) : "any type"];
      if (initial) words.push(`initially ${shortText(initial, 24)}`);
      return words.join(" · ");
    });
    const streams = (member(root, "streams")?.members ?? [])
      .map((m) => this.lane(appended("/streams", m.name), m.name, "stream", m.node, null));
    const hasOutputs = member(root, "outputs") !== null;
    const outputs = this.list("outputs", (node) => stringOf(member(node, "description"))).map((item) => {
      const stream = member(item.node, "stream");
      const lane = stream?.kind === "object"
        ? this.lane(appended(item.pointer, "stream"), item.name, "output", stream, null) : null;
      if (stream?.kind === "string") item.detail = `from ${stream.value}${item.detail ? ` · ${item.detail}` : ""}`;
      return { item, lane };
    });
    const tests = (member(root, "tests")?.elements ?? []).map((node, index) =>
      this.item(appended("/tests", index), stringOf(member(node, "name")) || `test ${index + 1}`, "", node));
    const partition = member(root, "partition");
    const then = member(partition, "then");
    return {
      root, file, inputs, streams, outputs, tests,
      partition: partition && this.item("/partition", "Partition", shortText(member(partition, "key")), partition),
      then: then && this.lane("/partition/then", "then", "operators", then, null),
      main: hasOutputs ? null : this.lane("", "Stream", "main", root, null), cards: this.cards, items: this.items,
    };
  }

  /**
   * @param {string} key
   * @param {(node: JSONNode) => string} detail
   */
  list(key, detail) {
    return (member(this.root, key)?.members ?? [])
      .map((m) => this.item(appended("", key, m.name), m.name, detail(m.node), m.node));
  }

  /**
   * @param {string} pointer
   * @param {string} name
   * @param {string} detail
   * @param {JSONNode} node
   * @returns {Item}
   */
  item(pointer, name, detail, node) {
    /** @type {Item} */
    const item = { pointer, name, detail, node, problems: [] };
    this.items.set(pointer, item);
    return item;
  }

  /**
   * @param {string} pointer
   * @param {string} title
   * @param {Lane["kind"]} kind
   * @param {JSONNode} node
   * @param {Card | null} owner
   * @returns {Lane}
   */
  lane(pointer, title, kind, node, owner) {
    const list = kind === "operators" ? node : member(node, "operators");
    /** @type {Lane} */
    const lane = {
      pointer, title, relation: "", kind, owner, cards: [], hasOperators: list !== null,
      operators: kind === "operators" ? pointer : appended(pointer, "operators"),
    };
    if (kind === "stream") this.item(pointer, title, "", node);
    if (kind !== "operators") lane.cards.push(this.origin(lane, node));
    for (const [index, json] of (list?.elements ?? []).entries()) {
      lane.cards.push(this.operator(lane, appended(lane.operators, index), json));
    }
    lane.cards.forEach((card, index) => { card.index = index; });
    return lane;
  }

  /**
   * The source, the items, or the place where one of them belongs.
   *
   * @param {Lane} lane
   * @param {JSONNode} node
   */
  origin(lane, node) {
    const source = member(node, "source");
    const items = member(node, "stream");
    if (source) {
      const named = namedMember(source);
      const card = this.card(lane, "source", appended(lane.pointer, "source"), named?.name ?? "source", source);
      card.fields = named?.node ?? null;
      card.entry = this.catalog.sources.get(card.name) ?? null;
      this.finished(card);
      const reference = stringOf(member(card.fields, "name")) || stringOf(member(card.fields, "file"));
      if (reference && ["input", "stream"].includes(card.name)) card.detail = reference;
      return card;
    }
    if (items) {
      const card = this.card(lane, "items", appended(lane.pointer, "stream"), "items", items);
      const values = items.elements.map((item) => shortText(member(item, "value"), 16));
      card.detail = values.length > 8 ? `${values.slice(0, 8).join(", ")} … (${values.length})` : values.join(", ");
      return card;
    }
    const card = this.card(lane, "missing", appended(lane.pointer, "source"), "No source", null);
    card.detail = "Choose where the values come from.";
    return card;
  }

  /**
   * @param {Lane} lane
   * @param {string} pointer
   * @param {JSONNode} json
   */
  operator(lane, pointer, json) {
    const named = namedMember(json);
    const card = this.card(lane, "operator", pointer, named?.name ?? "operator", json);
    card.fields = named?.node ?? null;
    card.entry = this.catalog.operators.get(card.name) ?? null;
    card.id = stringOf(member(json, "id"));
    card.label = stringOf(member(json, "label"));
    return this.finished(card);
  }

  /**
   * @param {Lane} lane
   * @param {Card["kind"]} kind
   * @param {string} pointer
   * @param {string} name
   * @param {JSONNode | null} node
   * @returns {Card}
   */
  card(lane, kind, pointer, name, node) {
    /** @type {Card} */
    const card = {
      kind, pointer, name, id: "", label: "", detail: "", node, fields: null, entry: null, branches: [], problems: [],
      lane, index: 0,
    };
    this.cards.set(pointer, card);
    return card;
  }

  /**
   * Adds what the server said, and the streams in the fields.
   *
   * @param {Card} card
   */
  finished(card) {
    const step = this.steps.get(card.pointer);
    const isSame = step && (card.kind === "source" || step.name === card.name);
    card.detail = (isSame && step.detail) || fieldsText(card.fields);
    for (const m of card.fields?.members ?? []) {
      const kind = card.entry?.fields.find((f) => f.name === m.name)?.kind ?? "";
      const pointer = appended(card.pointer, card.name, m.name);
      const isOf = (/** @type {string} */ field) => field === m.name || field.startsWith(`${m.name}/`);
      const relation = step?.branches.find((branch) => isOf(branch.field))?.relation ?? "";
      if (isOperatorList(m.name, kind, m.node)) {
        this.branch(card, m.name, pointer, m.node, relation, "operators");
      } else if (streamKinds.has(kind)) {
        const nodes = m.node.kind === "array" ? m.node.elements : [m.node];
        nodes.forEach((node, index) => {
          const place = m.node.kind === "array" ? appended(pointer, index) : pointer;
          this.branch(card, m.name, place, node, relation, "inline");
        });
      }
    }
    return card;
  }

  /**
   * @param {Card} card
   * @param {string} field
   * @param {string} pointer
   * @param {JSONNode} node
   * @param {string} relation
   * @param {Lane["kind"]} kind
   */
  branch(card, field, pointer, node, relation, kind) {
    if (node.kind === "string") {
      card.branches.push({ pointer, field, relation, name: node.value, lane: null });
    } else if (node.kind === "object" || kind === "operators") {
      const lane = this.lane(pointer, field, kind, node, card);
      lane.relation = relation;
      card.branches.push({ pointer, field, relation, name: null, lane });
    }
  }
}

/**
 * @param {string} name
 * @param {string} kind
 * @param {JSONNode} node
 */
function isOperatorList(name, kind, node) {
  return node.kind === "array" && (kind === "operators" || (kind === "list" && name === "operators"));
}

/** @param {JSONNode | null} json */
function stringOf(json) {
  return json?.kind === "string" ? String(json.value) : "";
}

/**
 * The lanes and cards of a draft.
 * @param {JSONNode} root
 * @param {Catalog} catalog
 * @param {{outline: Outline | null, diagnostics: Problem[]} | null} analysis
 * @param {string} [path]
 * @returns {Doc}
 */
export function documentOf(root, catalog, analysis, path) {
  const doc = new Builder(root, catalog, analysis?.outline ?? null).doc();
  for (const problem of analysis?.diagnostics ?? []) {
    // A problem of another file has a pointer into that file.
    const isOther = path !== undefined && problem.file && problem.file !== path;
    holder(doc, isOther ? "" : problem.pointer ?? "").problems.push(problem);
  }
  return doc;
}

/**
 * The card or item whose value contains a pointer; the innermost one.
 * @param {Doc} doc
 * @param {string} pointer
 * @returns {Card | Item}
 */
export function holder(doc, pointer) {
  for (let at = pointer; at !== ""; at = parent(at)) {
    const found = doc.cards.get(at) ?? doc.items.get(at);
    if (found) return found;
  }
  if (isInside(pointer, "/operators") && doc.main) return doc.main.cards[doc.main.cards.length - 1] ?? doc.file;
  return doc.file;
}

/**
 * The names that a stream in the file can refer to: named streams first, then inputs.
 * @param {Doc} doc
 * @returns {string[]}
 */
export function referableNames(doc) {
  return [...new Set([...doc.streams.map((s) => s.title), ...doc.inputs.map((i) => i.name)])];
}
