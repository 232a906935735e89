// Colors of JSON. A string of JSON ends on its line, so that each line is read by itself.

/**
 * @typedef {"key" | "text" | "expression" | "number" | "word" | "bracket" | "escape" | "bad"} TokenKind
 * @typedef {{from: number, to: number, kind: TokenKind}} Token
 */

const TOKENS = /"(?:[^"\\]|\\.)*("?)|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|[A-Za-z_$]+|[{}[\]]/g;

/**
 * The tokens of a line.
 *
 * @param {string} line
 * @param {Set<string>} expressionKeys Names of members whose strings are expressions.
 * @returns {Token[]}
 */
export function tokensOf(line, expressionKeys) {
  /** @type {Token[]} */
  const tokens = [];
  let key = "";
  let isList = false;
  for (const match of line.matchAll(TOKENS)) {
    const [text, quote] = match;
    const from = match.index ?? 0;
    const to = from + text.length;
    if (text.startsWith("\"")) {
      const isKey = /^\s*:/.test(line.slice(to, to + 8));
      const kind = quote !== "\"" ? "bad" : isKey ? "key" : expressionKeys.has(key) ? "expression" : "text";
      tokens.push({ from, to, kind });
      if (isKey) key = text.slice(1, -1);
      else if (!isList) key = "";
    } else if (/^[{}[\]]$/.test(text)) {
      tokens.push({ from, to, kind: "bracket" });
      isList = text === "[";
      if (!isList) key = "";
    } else if (/^[-\d]/.test(text)) {
      tokens.push({ from, to, kind: "number" });
    } else {
      tokens.push({ from, to, kind: ["true", "false", "null"].includes(text) ? "word" : "bad" });
    }
  }
  return tokens;
}

/**
 * The brackets of a line that stand outside strings, by offset into the line.
 *
 * @param {string} line
 * @returns {{at: number, bracket: string}[]}
 */
export function bracketsOf(line) {
  const brackets = [];
  for (const match of line.matchAll(/"(?:[^"\\]|\\.)*"?|[{}[\]]/g)) {
    if (!match[0].startsWith("\"")) brackets.push({ at: match.index ?? 0, bracket: match[0] });
  }
  return brackets;
}

/**
 * The brackets to mark for a caret: the one beside it and its partner. A caret between two prefers the one before it.
 *
 * @param {import("./lines.js").Lines} text
 * @param {number} caret
 * @returns {[number, number] | null} Offsets, the opening bracket first.
 */
export function matchingBrackets(text, caret) {
  const line = text.lineAt(caret);
  const column = caret - text.starts[line];
  const beside = bracketsOf(text.lines[line]);
  const start = beside.find((item) => item.at === column - 1) ?? beside.find((item) => item.at === column);
  if (!start) return null;
  const isOpening = start.bracket === "{" || start.bracket === "[";
  const step = isOpening ? 1 : -1;
  let depth = 0;
  for (let index = line; index >= 0 && index < text.lines.length; index += step) {
    const brackets = bracketsOf(text.lines[index]);
    if (!isOpening) brackets.reverse();
    for (const { at, bracket } of brackets) {
      if (index === line && (isOpening ? at < start.at : at > start.at)) continue;
      depth += (bracket === "{" || bracket === "[") === isOpening ? 1 : -1;
      if (depth > 0) continue;
      const found = text.starts[index] + at;
      const origin = text.starts[line] + start.at;
      const pairs = `${start.bracket}${bracket}`;
      if (!["{}", "}{", "[]", "]["].includes(pairs)) return null;
      return isOpening ? [origin, found] : [found, origin];
    }
  }
  return null;
}
