// Values as the server sends them: plain JSON, and objects with a single key that begins with `$` for what JSON cannot
// hold: `{"$double": 2}` is 2.0, `{"$int": "9007199254740993"}`, `{"$timestamp": "2026-01-01T00:00:00Z"}` and others.

/**
 * @typedef {"number" | "text" | "true" | "null" | "list" | "object" | "timestamp" | "duration" | "bytes" | "map"} Kind
 */

/** A string that is written without quotes, such as the digits of a large integer. */
const TAGS = new Set(["$double", "$int", "$uint", "$timestamp", "$duration", "$bytes", "$map"]);

/**
 * The tag and content of a tagged value, or null for a plain one.
 *
 * @param {any} value
 * @returns {{tag: string, content: any} | null}
 */
export function tagged(value) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const names = Object.keys(value);
  if (names.length !== 1 || !TAGS.has(names[0])) return null;
  return { tag: names[0], content: value[names[0]] };
}

/**
 * @param {any} value
 * @returns {Kind}
 */
export function kindOf(value) {
  if (value === null || value === undefined) return "null";
  if (typeof value === "number") return "number";
  if (typeof value === "string") return "text";
  if (typeof value === "boolean") return "true";
  if (Array.isArray(value)) return "list";
  switch (tagged(value)?.tag) {
    case "$double": case "$int": case "$uint": return "number";
    case "$timestamp": return "timestamp";
    case "$duration": return "duration";
    case "$bytes": return "bytes";
    case "$map": return "map";
    default: return "object";
  }
}

/**
 * The name of a kind, as a person reads it.
 *
 * @param {any} value
 * @returns {string}
 */
export function kindName(value) {
  const names = { text: "string", true: "Boolean", list: "array", null: "null" };
  const kind = kindOf(value);
  return kind in names ? names[/** @type {keyof typeof names} */ (kind)] : kind;
}

/**
 * The token of the color in which a value's marble is drawn, such as `--marble-number`.
 *
 * @param {any} value
 * @returns {string}
 */
export function colorOf(value) {
  const kind = kindOf(value);
  if (["number", "text", "true", "list", "object"].includes(kind)) return `--marble-${kind}`;
  return kind === "map" ? "--marble-object" : "--marble-other";
}

/**
 * A value as the text of JSON, in one line or indented. 2.0 keeps its point, and large integers keep their digits, so
 * that `parseJSON` reads the same value again.
 *
 * @param {any} value
 * @param {string} [indent]
 * @returns {string}
 */
export function jsonText(value, indent = "") {
  return written(value, indent, indent ? "\n" : "");
}

/**
 * @param {any} value
 * @param {string} indent
 * @param {string} line
 * @returns {string}
 */
function written(value, indent, line) {
  if (value === undefined) return "null";
  const tag = tagged(value);
  if (tag?.tag === "$double" && typeof tag.content === "number") return doubleText(tag.content);
  if (tag?.tag === "$int") return String(tag.content);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner = line + indent;
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((item) => written(item, indent, inner))
    : Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${written(item, indent, inner)}`);
  const [open, close] = isList ? "[]" : "{}";
  if (parts.length === 0) return open + close;
  return open + inner + parts.join(line ? `,${inner}` : ", ") + line + close;
}

/** @param {number} number */
function doubleText(number) {
  const text = Object.is(number, -0) ? "-0" : String(number);
  return /[.eE]/.test(text) ? text : `${text}.0`;
}

/**
 * Reads JSON, and keeps what `JSON.parse` would lose: the point of 2.0 and the digits of large integers.
 *
 * @param {string} text
 * @returns {any}
 * @throws {SyntaxError}
 */
export function parseJSON(text) {
  JSON.parse(text);
  const tokens = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
  return JSON.parse(text.replace(tokens, (token) => {
    if (token.startsWith("\"")) return token;
    const number = Number(token);
    if (/[.eE]/.test(token)) return Number.isInteger(number) ? `{"$double":${token}}` : token;
    return Number.isSafeInteger(number) ? token : `{"$int":"${token}"}`;
  }));
}

/**
 * A value as short text: strings without quotes, timestamps and durations without their tag.
 *
 * @param {any} value
 * @param {number} [limit] Largest number of characters.
 * @returns {string}
 */
export function valueText(value, limit = Infinity) {
  const tag = tagged(value);
  let text;
  if (typeof value === "string") text = value === "" ? "\"\"" : value;
  else if (!tag) text = jsonText(value);
  else if (tag.tag === "$double") text = typeof tag.content === "number" ? doubleText(tag.content) : tag.content;
  else if (tag.tag === "$uint") text = `${tag.content}u`;
  else if (tag.tag === "$duration") text = `${tag.content}`;
  else if (tag.tag === "$map") text = mapText(tag.content);
  else text = String(tag.content);
  return shortened(text, limit);
}

/** @param {any} pairs */
function mapText(pairs) {
  if (!Array.isArray(pairs)) return jsonText(pairs);
  return `{${pairs.map((pair) => `${jsonText(pair?.[0])}: ${jsonText(pair?.[1])}`).join(", ")}}`;
}

/**
 * The state of an operator, with a word for a demand without limit: it is the largest integer, which nobody recognizes.
 *
 * @param {any} value
 * @returns {any}
 */
export function stateWords(value) {
  if (tagged(value)?.content === "9223372036854775807") return "unlimited";
  if (Array.isArray(value)) return value.map(stateWords);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, stateWords(member)]));
}

/**
 * Shortens a text by characters as one sees them, so that no emoji is cut.
 *
 * @param {string} text
 * @param {number} limit
 * @returns {string}
 */
export function shortened(text, limit) {
  if (text.length <= limit) return text;
  const characters = Array.from(text.slice(0, limit * 2));
  return characters.length <= limit ? text : `${characters.slice(0, Math.max(limit - 1, 0)).join("")}…`;
}

/**
 * The text by which a value's marble is labeled: a field of it where one is picked and it has that field.
 *
 * @param {any} value
 * @param {string | null} [fieldName]
 * @param {number} [limit]
 * @returns {string}
 */
export function labelOf(value, fieldName = null, limit = 12) {
  if (fieldName && kindOf(value) === "object" && Object.hasOwn(value, fieldName)) {
    return valueText(value[fieldName], limit);
  }
  return valueText(value, limit);
}

/**
 * The names of the fields that values have, in the order of first sight.
 *
 * @param {Iterable<any>} values
 * @returns {string[]}
 */
export function fieldNames(values) {
  /** @type {Set<string>} */
  const names = new Set();
  for (const value of values) {
    if (kindOf(value) === "object") for (const name of Object.keys(value)) names.add(name);
  }
  return [...names];
}

/**
 * Whether two values are the same; 2 and 2.0 are not.
 *
 * @param {any} a
 * @param {any} b
 * @returns {boolean}
 */
export function isSame(a, b) {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const names = Object.keys(a);
  return names.length === Object.keys(b).length
    && names.every((name) => Object.hasOwn(b, name) && isSame(a[name], b[name]));
}

/** @typedef {{value: any, error?: undefined} | {error: string, value?: undefined}} Parsed */

/**
 * Reads a value that one typed for a declared type: the name of a type such as `double`, an object of fields or an
 * array with the type of the elements. The server checks the value again; this only makes typing pleasant: no quotes
 * for a string, `2` for a double.
 *
 * @param {string} text
 * @param {any} [type]
 * @returns {Parsed}
 */
export function parseTyped(text, type = "dyn") {
  const trimmed = text.trim();
  if (type === "string") return { value: text };
  if (trimmed === "") return { error: "Enter a value." };
  switch (type) {
    case "int":
      if (!/^-?\d+$/.test(trimmed)) return { error: "Enter an integer, such as 3." };
      return { value: integer(trimmed) };
    case "uint":
      if (!/^\d+u?$/.test(trimmed)) return { error: "Enter an integer that is not negative, such as 3." };
      return { value: { $uint: trimmed.replace(/u$/, "") } };
    case "double":
      if (["NaN", "Infinity", "-Infinity"].includes(trimmed)) return { value: { $double: trimmed } };
      if (!/^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$/.test(trimmed)) return { error: "Enter a number, such as 2.5." };
      return { value: double(Number(trimmed)) };
    case "bool":
      if (trimmed !== "true" && trimmed !== "false") return { error: "Enter true or false." };
      return { value: trimmed === "true" };
    case "null":
      return trimmed === "null" ? { value: null } : { error: "Enter null." };
    case "timestamp":
      if (Number.isNaN(Date.parse(trimmed)) || !/^\d{4}-/.test(trimmed)) {
        return { error: "Enter a time, such as 2026-01-31T12:00:00Z." };
      }
      return { value: { $timestamp: /T/.test(trimmed) ? trimmed : `${trimmed}T00:00:00Z` } };
    case "duration":
      if (!/^-?\d+(\.\d+)?s?$/.test(trimmed)) return { error: "Enter seconds, such as 1.5s." };
      return { value: { $duration: trimmed.endsWith("s") ? trimmed : `${trimmed}s` } };
    case "bytes":
      if (!/^[A-Za-z0-9+/]*={0,2}$/.test(trimmed)) return { error: "Enter bytes in Base64." };
      return { value: { $bytes: trimmed } };
    default:
      return structured(trimmed, type);
  }
}

/**
 * @param {string} text
 * @param {any} type
 * @returns {Parsed}
 */
function structured(text, type) {
  try {
    return { value: adapted(parseJSON(text), type) };
  } catch {
    // A bare word is a string, unless it was meant as a part of JSON.
    if (type === "dyn" && !/^[[{"]/.test(text)) return { value: text };
    return { error: "This is not JSON. Strings need \"quotes\", and members are separated by commas." };
  }
}

/**
 * Makes doubles of the integers that stand where the type has doubles.
 *
 * @param {any} value
 * @param {any} type
 * @returns {any}
 */
function adapted(value, type) {
  if (type === "double" && typeof value === "number") return double(value);
  if (type === "timestamp" && typeof value === "string") return { $timestamp: value };
  if (Array.isArray(value) && Array.isArray(type)) return value.map((item) => adapted(item, type[0]));
  if (kindOf(value) !== "object" || typeof type !== "object" || type === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, adapted(item, type[name])]));
}

/** @param {number} number */
function double(number) {
  return Number.isInteger(number) ? { $double: number } : number;
}

/** @param {string} digits */
function integer(digits) {
  return Number.isSafeInteger(Number(digits)) ? Number(digits) : { $int: digits };
}

/**
 * The text by which a value is edited, which `parseTyped` reads again.
 *
 * @param {any} value
 * @param {any} [type]
 * @returns {string}
 */
export function editText(value, type = "dyn") {
  const tag = tagged(value);
  if (typeof value === "string") return type === "string" || isBareWord(value) ? value : JSON.stringify(value);
  if (tag && ["$timestamp", "$duration", "$bytes", "$uint"].includes(tag.tag) && type === tag.tag.slice(1)) {
    return String(tag.content);
  }
  return tag ? (type === "double" || tag.tag === "$int" ? valueText(value) : jsonText(value)) : jsonText(value);
}

/** @param {string} text */
function isBareWord(text) {
  if (text.trim() !== text || text === "" || /^[[{"]/.test(text)) return false;
  try {
    JSON.parse(text);
    return false;
  } catch {
    return true;
  }
}

/**
 * A time or duration in seconds as text: `1.5 s`, `300 ms`, `2 min 5 s`.
 *
 * @param {number} seconds
 * @returns {string}
 */
export function timeText(seconds) {
  if (!Number.isFinite(seconds)) return "never";
  const size = Math.abs(seconds);
  if (size > 0 && size < 0.9995) return `${rounded(seconds * 1000)} ms`;
  if (size < 60) return `${rounded(seconds)} s`;
  const whole = Math.round(seconds);
  const parts = [[Math.floor(whole / 3600), "h"], [Math.floor(whole / 60) % 60, "min"], [whole % 60, "s"]];
  return parts.filter(([count]) => count !== 0).map(([count, unit]) => `${count} ${unit}`).join(" ");
}

/** @param {number} number */
function rounded(number) {
  return String(Math.round(number * 1000) / 1000);
}

/**
 * A count with its noun: `1 error`, `2 errors`.
 *
 * @param {number} count
 * @param {string} noun
 * @returns {string}
 */
export function countText(count, noun) {
  return `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;
}
