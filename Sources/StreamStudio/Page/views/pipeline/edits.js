// Edits of the structure, as the server takes them. Nothing here changes a text.

import { parseJSON } from "../../core/values.js";
import { appended, parent, tokens } from "./jsontree.js";

/**
 * @typedef {import("./model.js").Card} Card
 * @typedef {import("./model.js").Doc} Doc
 * @typedef {import("./model.js").Lane} Lane
 * @typedef {{set: {pointer: string, value: any}} | {insert: {pointer: string, value: any}} |
 *   {remove: {pointer: string}} | {move: {from: string, to: string}} |
 *   {renameMember: {pointer: string, to: string}}} Edit
 */

/**
 * The number of operators before a card, which is the index of an operator that is inserted before it.
 *
 * @param {Card} card
 * @returns {number}
 */
export function operatorIndex(card) {
  return card.kind === "operator" ? Number(tokens(card.pointer).at(-1)) : 0;
}

/**
 * The number of operators in a lane.
 *
 * @param {Lane} lane
 * @returns {number}
 */
export function operatorCount(lane) {
  return lane.cards.filter((card) => card.kind === "operator").length;
}

/**
 * Inserts an operator.
 *
 * @param {Lane} lane
 * @param {number} index
 * @param {any} value
 * @returns {{edits: Edit[], pointer: string}} the pointer is that of the new card
 */
export function insertOperator(lane, index, value) {
  const pointer = appended(lane.operators, index);
  if (lane.hasOperators) return { edits: [{ insert: { pointer, value } }], pointer };
  return { edits: [{ insert: { pointer: lane.operators, value: [value] } }], pointer: appended(lane.operators, 0) };
}

/**
 * Replaces the source of a lane, or its items.
 *
 * @param {Lane} lane
 * @param {any} value
 * @returns {{edits: Edit[], pointer: string}}
 */
export function setSource(lane, value) {
  const pointer = appended(lane.pointer, "source");
  /** @type {Edit[]} */
  const edits = lane.cards[0]?.kind === "items" ? [{ remove: { pointer: appended(lane.pointer, "stream") } }] : [];
  return { edits: [...edits, { set: { pointer, value } }], pointer };
}

/**
 * Replaces the source of a lane by items.
 *
 * @param {Lane} lane
 * @param {any[]} items
 * @returns {{edits: Edit[], pointer: string}}
 */
export function setItems(lane, items) {
  const pointer = appended(lane.pointer, "stream");
  /** @type {Edit[]} */
  const edits = lane.cards[0]?.kind === "source" ? [{ remove: { pointer: appended(lane.pointer, "source") } }] : [];
  return { edits: [...edits, { set: { pointer, value: items } }], pointer };
}

/**
 * Removes a card. The array of operators goes with its last one, as it came with its first one.
 *
 * @param {Card} card
 * @returns {Edit[]}
 */
export function removeCard(card) {
  const isLast = card.kind === "operator" && operatorCount(card.lane) === 1 && card.lane.kind !== "operators";
  return [{ remove: { pointer: isLast ? card.lane.operators : card.pointer } }];
}

/**
 * Moves an operator to an index among the operators of a lane, counted before the move.
 *
 * @param {Card} card
 * @param {Lane} lane
 * @param {number} index
 * @returns {{edits: Edit[], pointer: string} | null} null if it would stay where it is, or end up inside itself
 */
export function moveOperator(card, lane, index) {
  const from = card.pointer;
  if (lane.operators.startsWith(`${from}/`)) return null;
  const own = operatorIndex(card);
  if (lane === card.lane) {
    const target = index > own ? index - 1 : index;
    if (target === own) return null;
    const to = appended(lane.operators, target);
    return { edits: [{ move: { from, to } }], pointer: to };
  }
  const operators = afterRemoval(lane.operators, from);
  const to = appended(operators, index);
  /** @type {Edit[]} */
  const edits = lane.hasOperators ? [] : [{ insert: { pointer: lane.operators, value: [] } }];
  return { edits: [...edits, { move: { from, to } }], pointer: to };
}

/**
 * The pointer that a value has after an element of an array was removed.
 *
 * @param {string} pointer
 * @param {string} removed
 * @returns {string}
 */
export function afterRemoval(pointer, removed) {
  const list = parent(removed);
  if (!pointer.startsWith(`${list}/`)) return pointer;
  const own = Number(tokens(removed).at(-1));
  const rest = tokens(pointer.slice(list.length));
  const index = Number(rest[0]);
  if (!Number.isInteger(index) || index <= own) return pointer;
  return appended(list, index - 1, ...rest.slice(1));
}

/**
 * A name that nothing else has: `input`, `input2`, `input3` …
 *
 * @param {string} base
 * @param {string[]} taken
 * @returns {string}
 */
export function freeName(base, taken) {
  if (!taken.includes(base)) return base;
  for (let number = 2; ; number++) if (!taken.includes(`${base}${number}`)) return `${base}${number}`;
}

/**
 * Adds a member to an object of the file that may not exist yet.
 *
 * @param {import("./jsontree.js").JSONNode} root
 * @param {string} key such as `inputs`
 * @param {string} name
 * @param {any} value
 * @returns {{edits: Edit[], pointer: string}}
 */
export function addMember(root, key, name, value) {
  const pointer = appended("", key, name);
  const exists = root.members.some((m) => m.name === key);
  const edit = exists ? { insert: { pointer, value } } : { insert: { pointer: `/${key}`, value: { [name]: value } } };
  return { edits: [edit], pointer };
}

/**
 * The JSON of a new operator or source: the catalog's template, with streams that the file has.
 *
 * @param {import("./model.js").Entry} entry
 * @param {string[]} names The streams and inputs of the file, the likeliest first.
 * @returns {any}
 */
export function templateOf(entry, names) {
  const fields = { ...(entry.template?.[entry.name] ?? {}) };
  // Some need one of several optional fields, which the first example has.
  const isStructure = (/** @type {string} */ name) =>
    ["operators", "stream", "streams"].includes(entry.fields.find((field) => field.name === name)?.kind ?? "");
  if (Object.keys(fields).every(isStructure)) {
    for (const [name, value] of Object.entries(firstExample(entry))) if (!(name in fields)) fields[name] = value;
  }
  for (const { name, kind, required } of entry.fields) {
    if (!(name in fields)) continue;
    if (kind === "streams" && isForeign(fields[name]?.[0], names)) fields[name] = names.slice(0, 1);
    else if (kind === "stream" && isForeign(fields[name], names)) {
      if (required) fields[name] = names[0] ?? { source: { never: {} } };
      else delete fields[name];
    } else if (kind === "seconds" && seconds(fields[name]) < 0.1) {
      // The examples count in frames of a millisecond, which nobody could see.
      fields[name] = 1;
    }
  }
  return { [entry.name]: fields };
}

/**
 * The fields of the first example of an operator that needs one of several fields.
 *
 * @param {import("./model.js").Entry} entry
 * @returns {Record<string, any>}
 */
function firstExample(entry) {
  try {
    return parseJSON(entry.examples[0]?.text ?? "{}")[entry.name] ?? {};
  } catch {
    return {};
  }
}

/**
 * Whether a stream in a field is the name of one that the file does not have.
 *
 * @param {any} stream
 * @param {string[]} names
 */
function isForeign(stream, names) {
  return typeof stream === "string" && !names.includes(stream);
}

/** @param {any} value */
function seconds(value) {
  return typeof value === "number" ? value : Number(value?.$double ?? 1);
}
