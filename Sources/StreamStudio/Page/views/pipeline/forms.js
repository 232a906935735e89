// Which fields a card's form has. Fields of operators and sources come from the catalog; those of inputs, outputs and
// tests are members of the format.

import { appended, member } from "./jsontree.js";

/**
 * @typedef {import("./model.js").Card} Card
 * @typedef {import("./model.js").Doc} Doc
 * @typedef {import("./model.js").Field} Field
 * @typedef {import("./model.js").Item} Item
 * @typedef {import("./model.js").Problem} Problem
 * @typedef {import("./jsontree.js").JSONNode} JSONNode
 * @typedef {{field: Field, pointer: string, node: JSONNode | null}} Place
 * @typedef {object} Form
 * @property {string} key Changes when another form must be built.
 * @property {string} pointer
 * @property {string} title
 * @property {string} kind
 * @property {string} summary
 * @property {Place[]} main
 * @property {Place[]} more Fields that one rarely needs.
 * @property {import("./model.js").Entry | null} entry
 * @property {Card | null} card
 * @property {Problem[]} problems
 */

/**
 * @param {string} name
 * @param {string} kind
 * @param {string} summary
 * @param {Partial<Field>} [rest]
 * @returns {Field}
 */
function fieldOf(name, kind, summary, rest = {}) {
  return { name, kind, summary, required: false, ...rest };
}

const nameField = fieldOf("name", "rename", "", { required: true });

const fileFields = [
  fieldOf("name", "text", "The name of the stream, for people."),
  fieldOf("description", "longtext", "The purpose of the stream."),
];
const moreFileFields = [
  fieldOf("requires", "names", "Operators, functions and hooks that the host must register, separated by commas."),
];
const inputFields = [
  fieldOf("type", "type", "Type of the values: `int`, `double`, `string`, `bool` and others, or an object of fields "
    + "such as `{\"x\": \"double\"}`. Values of another type are refused."),
  fieldOf("initialValue", "value", "With an initial value, the input keeps its newest value and publishes it to each "
    + "new subscriber first."),
];
const moreInputFields = [
  fieldOf("buffer", "object", "Keeps values that nobody has requested yet: "
    + "`{\"capacity\": 100, \"whenFull\": \"dropOldest\"}`."),
];
const outputFields = [
  fieldOf("stream", "stream", "The stream whose values leave the file.", { required: true }),
  fieldOf("description", "longtext", "The purpose of the output, for people."),
  fieldOf("type", "type", "Type of the values, for readers of the file. It converts nothing."),
];
const testFields = [
  fieldOf("name", "text", "What the test checks.", { required: true }),
  fieldOf("inputs", "object", "What feeds each input: `marbles`, `events` or `values`."),
  fieldOf("expect", "object", "What the stream publishes: `marbles`, `events` or `values`.", { required: true }),
];
const moreTestFields = [
  fieldOf("for", "seconds", "The test ends after this time.", { unit: "seconds" }),
  fieldOf("calls", "object", "Results of the host's functions."),
];
const partitionFields = [
  fieldOf("key", "expression", "The key by which values are divided.", { required: true }),
  fieldOf("time", "expression", "The time of a value: a timestamp, or milliseconds since 1970."),
  fieldOf("lateness", "seconds", "Seconds by which values may be out of order.", { default: 0, unit: "seconds" }),
  fieldOf("late", "choice", "What becomes of a value that is later.",
    { choices: ["apply", "drop", "output"], default: "apply" }),
  fieldOf("then", "operators", "Operators that run on the results of all keys."),
];
const annotationFields = [
  fieldOf("label", "text", "A text for people."),
  fieldOf("id", "text", "A stable name, by which the state of the operator is found again in another version."),
  fieldOf("onError", "choice", "Effect of a value that makes the operator fail: `fail` ends the stream; `skip` "
    + "reports the error and drops the value.", { choices: ["fail", "skip"], default: "fail" }),
];

/**
 * The form of what a pointer names, or null if that no longer exists.
 *
 * @param {Doc} doc
 * @param {string} pointer
 * @returns {Form | null}
 */
export function formOf(doc, pointer) {
  const card = doc.cards.get(pointer);
  if (card) return cardForm(card);
  const item = doc.items.get(pointer);
  return item ? itemForm(item) : null;
}

/**
 * @param {Card} card
 * @returns {Form}
 */
function cardForm(card) {
  const { entry, fields, node, pointer } = card;
  const inner = appended(pointer, card.name);
  const form = base(pointer, card.name, card.kind === "operator" ? "operator" : "source", card.problems);
  form.card = card;
  form.key += ` ${card.kind} ${card.name}`;
  form.entry = entry;
  form.summary = entry?.summary ?? "";
  if (card.kind === "missing") {
    form.summary = "A stream begins with a source: an input that the host feeds, a timer, items, or another one.";
    return form;
  }
  if (card.kind === "items") {
    form.title = "items";
    form.summary = "Values in the file. Each item starts when the one before it has ended.";
    form.main = [{ field: fieldOf("items", "items", "", { required: true }), pointer, node }];
    return form;
  }
  const known = entry?.fields ?? (fields ? unknownFields(fields) : []);
  const hasRequired = known.some((field) => field.required);
  known.forEach((field, index) => {
    const place = { field, pointer: appended(inner, field.name), node: member(fields, field.name) };
    const isMain = field.required || place.node || known.length <= 3 || (!hasRequired && index < 3);
    (isMain ? form.main : form.more).push(place);
  });
  if (card.kind === "operator") form.more.push(...placesOf(annotationFields, pointer, node));
  return form;
}

/**
 * Fields of an operator of a host, which the catalog does not have.
 *
 * @param {JSONNode} fields
 * @returns {Field[]}
 */
function unknownFields(fields) {
  return fields.members.map((m) => fieldOf(m.name, m.name === "expression" ? "expression" : "value", ""));
}

/**
 * @param {Item} item
 * @returns {Form}
 */
function itemForm(item) {
  const { node, pointer } = item;
  const form = base(pointer, item.name, "", item.problems);
  const rename = { field: nameField, pointer, node: null };
  const section = pointer.split("/")[1] ?? "";
  switch (section) {
    case "":
      form.kind = "file";
      form.title = item.name || "Stream file";
      form.main = placesOf(fileFields, pointer, node);
      form.more = placesOf(moreFileFields, pointer, node);
      break;
    case "inputs":
      form.kind = "input";
      form.summary = "Values that the host feeds.";
      form.main = [rename, ...placesOf(inputFields, pointer, node)];
      form.more = placesOf(moreInputFields, pointer, node);
      break;
    case "streams":
      form.kind = "named stream";
      form.summary = "Other streams of the file refer to it by its name.";
      form.main = [rename];
      break;
    case "outputs":
      form.kind = "output";
      form.main = [rename, ...placesOf(outputFields, pointer, node)];
      break;
    case "tests":
      form.kind = "test";
      form.summary = "Runs in virtual time. The tests view shows its result.";
      form.main = placesOf(testFields, pointer, node);
      form.more = placesOf(moreTestFields, pointer, node);
      break;
    default:
      form.kind = "partition";
      form.summary = "Divides the values of an input by a key. Each key has a stream of its own.";
      form.main = placesOf(partitionFields, pointer, node);
  }
  form.key += ` ${form.kind}`;
  return form;
}

/**
 * @param {string} pointer
 * @param {string} title
 * @param {string} kind
 * @param {Problem[]} problems
 * @returns {Form}
 */
function base(pointer, title, kind, problems) {
  return {
    key: pointer, pointer, title, kind, summary: "", main: [], more: [], entry: null, card: null, problems,
  };
}

/**
 * @param {Field[]} fields
 * @param {string} pointer
 * @param {JSONNode | null} node
 * @returns {Place[]}
 */
function placesOf(fields, pointer, node) {
  return fields.map((field) => ({ field, pointer: appended(pointer, field.name), node: member(node, field.name) }));
}

/**
 * The label of a field: `initialValue` is "Initial value".
 *
 * @param {string} name
 * @returns {string}
 */
export function fieldLabel(name) {
  const words = name.replace(/([a-z0-9])([A-Z])/g, (_, before, after) => `${before} ${after.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
