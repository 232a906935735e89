// The JSON of a draft with the place of every part in the text. The server explains streams; this only finds members,
// so that forms show fields while a stream is incomplete, and so that a caret in a form has an offset in the text.
// Offsets are UTF-16 offsets, as in the API.

/**
 * @typedef {{name: string, keyFrom: number, keyTo: number, node: JSONNode}} Member
 * @typedef {{
 *   kind: "object" | "array" | "string" | "number" | "boolean" | "null",
 *   from: number, to: number, value: any, members: Member[], elements: JSONNode[], raw: string
 * }} JSONNode
 */

/** A text that is not JSON, with the offset of the first character that does not belong. */
export class JSONTextError extends Error {
  /**
   * @param {string} message
   * @param {number} offset
   */
  constructor(message, offset) {
    super(message);
    this.offset = offset;
  }
}

/** @type {Member[]} */
const noMembers = [];
/** @type {JSONNode[]} */
const noElements = [];
const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const spacePattern = /[ \t\n\r]*/y;
const plainPattern = /[^"\\\u0000-\u001f]*/y;
const escapePattern = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

class Parser {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
    this.at = 0;
  }

  /** @returns {JSONNode} */
  whole() {
    if (this.text.charCodeAt(0) === 0xfeff) this.at = 1;
    this.skipSpace();
    const node = this.value();
    this.skipSpace();
    if (this.at < this.text.length) this.fail("unexpected text after the end");
    return node;
  }

  skipSpace() {
    spacePattern.lastIndex = this.at;
    spacePattern.test(this.text);
    this.at = spacePattern.lastIndex;
  }

  /** @returns {JSONNode} */
  value() {
    const sign = this.text[this.at];
    if (sign === "{") return this.object();
    if (sign === "[") return this.array();
    if (sign === '"') return this.string();
    for (const [word, kind, value] of words) {
      if (this.text.startsWith(word, this.at)) {
        const from = this.at;
        this.at += word.length;
        return node(kind, from, this.at, value, word);
      }
    }
    numberPattern.lastIndex = this.at;
    const match = numberPattern.exec(this.text);
    if (!match) return this.fail(sign === undefined ? "the text ends too early" : "expected a value");
    const from = this.at;
    this.at = numberPattern.lastIndex;
    return node("number", from, this.at, Number(match[0]), match[0]);
  }

  /** @returns {JSONNode} */
  object() {
    const from = this.at++;
    /** @type {Member[]} */
    const members = [];
    this.skipSpace();
    while (this.text[this.at] !== "}") {
      if (members.length) this.expect(",");
      if (this.text[this.at] !== '"') this.fail("expected the name of a member in quotation marks");
      const key = this.string();
      this.skipSpace();
      this.expect(":");
      members.push({ name: key.value, keyFrom: key.from, keyTo: key.to, node: this.value() });
      this.skipSpace();
    }
    this.at++;
    return { ...node("object", from, this.at, undefined, ""), members };
  }

  /** @returns {JSONNode} */
  array() {
    const from = this.at++;
    /** @type {JSONNode[]} */
    const elements = [];
    this.skipSpace();
    while (this.text[this.at] !== "]") {
      if (elements.length) this.expect(",");
      elements.push(this.value());
      this.skipSpace();
    }
    this.at++;
    return { ...node("array", from, this.at, undefined, ""), elements };
  }

  /** @returns {JSONNode} */
  string() {
    const from = this.at++;
    let hasEscapes = false;
    for (;;) {
      plainPattern.lastIndex = this.at;
      plainPattern.test(this.text);
      this.at = plainPattern.lastIndex;
      if (this.text[this.at] === '"') break;
      escapePattern.lastIndex = this.at;
      if (!escapePattern.test(this.text)) this.fail("a string ends too early or has a character that must be escaped");
      this.at = escapePattern.lastIndex;
      hasEscapes = true;
    }
    this.at++;
    const raw = this.text.slice(from, this.at);
    return node("string", from, this.at, hasEscapes ? JSON.parse(raw) : raw.slice(1, -1), raw);
  }

  /** @param {string} sign */
  expect(sign) {
    if (this.text[this.at] !== sign) this.fail(`expected '${sign}'`);
    this.at++;
    this.skipSpace();
  }

  /**
   * @param {string} message
   * @returns {never}
   */
  fail(message) {
    throw new JSONTextError(message, this.at);
  }
}

/** @type {[string, JSONNode["kind"], any][]} */
const words = [["true", "boolean", true], ["false", "boolean", false], ["null", "null", null]];

/**
 * @param {JSONNode["kind"]} kind
 * @param {number} from
 * @param {number} to
 * @param {any} value
 * @param {string} raw
 * @returns {JSONNode}
 */
function node(kind, from, to, value, raw) {
  return { kind, from, to, value, raw, members: noMembers, elements: noElements };
}

/**
 * Reads a text.
 * @param {string} text
 * @returns {JSONNode} throws a JSONTextError
 */
export function parseTree(text) {
  return new Parser(text).whole();
}

/**
 * The parts of a JSON pointer.
 * @param {string} pointer
 * @returns {string[]}
 */
export function tokens(pointer) {
  return pointer === "" ? [] : pointer.slice(1).split("/").map((t) => t.replace(/~1/g, "/").replace(/~0/g, "~"));
}

/**
 * The JSON pointer with one or more parts appended.
 * @param {string} pointer
 * @param {...(string | number)} parts
 * @returns {string}
 */
export function appended(pointer, ...parts) {
  return parts.reduce((/** @type {string} */ result, part) =>
    `${result}/${String(part).replace(/~/g, "~0").replace(/\//g, "~1")}`, pointer);
}

/**
 * The JSON pointer without its last part.
 * @param {string} pointer
 * @returns {string}
 */
export function parent(pointer) {
  return pointer.slice(0, Math.max(0, pointer.lastIndexOf("/")));
}

/**
 * Whether a pointer is another one or is inside its value.
 * @param {string} pointer
 * @param {string} outer
 * @returns {boolean}
 */
export function isInside(pointer, outer) {
  return pointer === outer || pointer.startsWith(`${outer}/`);
}

/**
 * The member of an object.
 * @param {JSONNode | null | undefined} object
 * @param {string} name
 * @returns {JSONNode | null}
 */
export function member(object, name) {
  return object?.members.find((m) => m.name === name)?.node ?? null;
}

/**
 * The value at a JSON pointer.
 * @param {JSONNode} root
 * @param {string} pointer
 * @returns {JSONNode | null}
 */
export function nodeAt(root, pointer) {
  /** @type {JSONNode | null} */
  let current = root;
  for (const token of tokens(pointer)) {
    current = current.kind === "array" ? current.elements[Number(token)] ?? null : member(current, token);
    if (!current) return null;
  }
  return current;
}

/**
 * The offset in the text of a character of a string, past its escapes.
 * @param {JSONNode} string
 * @param {number} index the index of the character in the value; its length is the end
 * @returns {number}
 */
export function textOffset(string, index) {
  let offset = 1;
  for (let count = 0; count < index && offset < string.raw.length - 1; count++) {
    offset += escapeLength(string.raw, offset);
  }
  return string.from + offset;
}

/**
 * The index in a string's value of the character at an offset of the text; the nearest one if it is outside.
 * @param {JSONNode} string
 * @param {number} offset
 * @returns {number}
 */
export function valueIndex(string, offset) {
  const end = Math.min(offset - string.from, string.raw.length - 1);
  let at = 1;
  let index = 0;
  for (; at < end; index++) at += escapeLength(string.raw, at);
  return index;
}

/**
 * @param {string} raw
 * @param {number} at
 */
function escapeLength(raw, at) {
  if (raw[at] !== "\\") return 1;
  return raw[at + 1] === "u" ? 6 : 2;
}
