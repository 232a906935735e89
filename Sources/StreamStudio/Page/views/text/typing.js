// What keys do to the text of JSON: indent, close brackets and quotes. Each function answers with an edit, or null to
// leave the key to the browser.

/**
 * @typedef {object} KeyEdit
 * @property {number} from
 * @property {number} to
 * @property {string} text
 * @property {[number, number]} selection After the edit.
 */

const INDENT = "  ";
/** @type {Record<string, string>} */
const CLOSERS = { "{": "}", "[": "]", "\"": "\"" };

/**
 * Return: the next line is indented as this one, and more after an opening bracket.
 *
 * @param {string} text
 * @param {number} from
 * @param {number} to
 * @returns {KeyEdit}
 */
export function lineBreak(text, from, to) {
  const start = text.lastIndexOf("\n", from - 1) + 1;
  const indent = /^[ \t]*/.exec(text.slice(start, from))?.[0] ?? "";
  const isOpen = /[{[]\s*$/.test(text.slice(start, from));
  const inner = `\n${indent}${isOpen ? INDENT : ""}`;
  const caret = from + inner.length;
  const isClosed = isOpen && /^[ \t]*[}\]]/.test(text.slice(to));
  const spaces = isClosed ? /^[ \t]*/.exec(text.slice(to))?.[0].length ?? 0 : 0;
  return {
    from, to: to + spaces, text: isClosed ? `${inner}\n${indent}` : inner, selection: [caret, caret],
  };
}

/**
 * A typed character that opens or closes: brackets and quotes come in pairs, and the closing one that stands there
 * already is stepped over.
 *
 * @param {string} text
 * @param {number} from
 * @param {number} to
 * @param {string} character
 * @returns {KeyEdit | null}
 */
export function paired(text, from, to, character) {
  const next = text[to] ?? "";
  if (from === to && next === character && /["}\]]/.test(character)) {
    const isInside = character !== "\"" || isInString(text, from);
    if (isInside) return { from, to, text: "", selection: [from + 1, from + 1] };
  }
  const closer = CLOSERS[character];
  if (!closer) return null;
  if (from !== to) {
    if (text.slice(from, to).includes("\n") && character === "\"") return null;
    return { from, to, text: character + text.slice(from, to) + closer, selection: [from + 1, to + 1] };
  }
  if (isInString(text, from) || !/^[\s,}\]]?$/.test(next)) return null;
  return { from, to, text: character + closer, selection: [from + 1, from + 1] };
}

/**
 * Backspace between the two of an empty pair removes both.
 *
 * @param {string} text
 * @param {number} from
 * @param {number} to
 * @returns {KeyEdit | null}
 */
export function pairRemoved(text, from, to) {
  if (from !== to || from === 0 || CLOSERS[text[from - 1]] !== text[from]) return null;
  if (text[from] === "\"" && text[from - 2] === "\\") return null;
  return { from: from - 1, to: from + 1, text: "", selection: [from - 1, from - 1] };
}

/**
 * Tab and Shift+Tab: spaces at the caret, or the selected lines moved in or out.
 *
 * @param {string} text
 * @param {number} from
 * @param {number} to
 * @param {boolean} isOut
 * @returns {KeyEdit}
 */
export function indented(text, from, to, isOut) {
  if (from === to && !isOut) {
    return { from, to, text: INDENT, selection: [from + INDENT.length, from + INDENT.length] };
  }
  const start = text.lastIndexOf("\n", from - 1) + 1;
  const lines = text.slice(start, to).split("\n");
  const moved = lines.map((line) => (isOut ? line.replace(/^ {1,2}|^\t/, "") : line && INDENT + line));
  const result = moved.join("\n");
  const first = moved[0].length - lines[0].length;
  const all = result.length - (to - start);
  return { from: start, to, text: result, selection: [Math.max(start, from + first), Math.max(start, to + all)] };
}

/**
 * Whether an offset is inside a string.
 *
 * @param {string} text
 * @param {number} offset
 * @returns {boolean}
 */
export function isInString(text, offset) {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  let isInside = false;
  for (let at = start; at < offset; at += 1) {
    if (text[at] === "\\" && isInside) at += 1;
    else if (text[at] === "\"") isInside = !isInside;
  }
  return isInside;
}
