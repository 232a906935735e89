// Shows the Markdown of the catalog and of hovers: paragraphs, headings, lists, code and emphasis. Other marks stay as
// they are written. Nodes are built directly, so that no text can become markup.

import { h } from "./dom.js";

/**
 * The nodes of a text in Markdown.
 *
 * @param {string} text
 * @returns {HTMLElement[]}
 */
export function markdown(text) {
  /** @type {HTMLElement[]} */
  const blocks = [];
  const lines = text.replace(/\r\n?/g, "\n").split("\n");
  for (let at = 0; at < lines.length;) {
    const line = lines[at];
    const fence = /^\s*(`{3,}|~{3,})/.exec(line);
    if (line.trim() === "") {
      at += 1;
    } else if (fence) {
      const end = endOf(lines, at + 1, (other) => other.trim().startsWith(fence[1]));
      blocks.push(codeBlock(lines.slice(at + 1, end)));
      at = end + 1;
    } else if (/^( {4}|\t)/.test(line)) {
      const end = endOf(lines, at, (other) => !/^( {4}|\t)/.test(other));
      blocks.push(codeBlock(lines.slice(at, end).map((other) => other.replace(/^( {4}|\t)/, ""))));
      at = end;
    } else if (/^#{1,6} /.test(line)) {
      blocks.push(h("p", { class: "heading" }, ...inlineMarkdown(line.replace(/^#+ /, ""))));
      at += 1;
    } else if (isItem(line)) {
      const end = endOf(lines, at, (other) => !isItem(other) && !/^\s+\S/.test(other));
      blocks.push(list(lines.slice(at, end)));
      at = end;
    } else {
      const end = endOf(lines, at, (other) => other.trim() === "" || /^\s*(`{3,}|~{3,})/.test(other) || isItem(other));
      blocks.push(h("p", { dir: "auto" }, ...inlineMarkdown(lines.slice(at, end).join(" "))));
      at = end;
    }
  }
  return blocks;
}

/**
 * The nodes of one paragraph: code between back quotes, strong and emphasized words, and the text of links.
 *
 * @param {string} text
 * @returns {(Node | string)[]}
 */
export function inlineMarkdown(text) {
  const mark = /(`+)(.+?)\1|\*\*(.+?)\*\*|(?<![\w*])[*_](\S(?:.*?\S)?)[*_](?![\w*])|\[([^\]]+)\]\([^)]*\)/g;
  /** @type {(Node | string)[]} */
  const nodes = [];
  let end = 0;
  for (const match of text.matchAll(mark)) {
    nodes.push(text.slice(end, match.index));
    const [whole, , code, strong, emphasis, link] = match;
    if (code !== undefined) nodes.push(h("code", null, code.trim() || code));
    else if (strong !== undefined) nodes.push(h("strong", null, ...inlineMarkdown(strong)));
    else if (emphasis !== undefined) nodes.push(h("em", null, ...inlineMarkdown(emphasis)));
    else nodes.push(...inlineMarkdown(link));
    end = (match.index ?? 0) + whole.length;
  }
  nodes.push(text.slice(end));
  return nodes.filter((node) => node !== "");
}

/** @param {string} line */
function isItem(line) {
  return /^\s*(?:[-*+]|\d+[.)]) /.test(line);
}

/**
 * The index of the first line from one on for which a condition holds, or the end.
 *
 * @param {string[]} lines
 * @param {number} from
 * @param {(line: string) => boolean} condition
 */
function endOf(lines, from, condition) {
  const found = lines.findIndex((line, index) => index >= from && condition(line));
  return found < 0 ? lines.length : found;
}

/** @param {string[]} lines */
function codeBlock(lines) {
  return h("pre", { class: "code", tabindex: "0" }, lines.join("\n"));
}

/** @param {string[]} lines */
function list(lines) {
  /** @type {string[]} */
  const items = [];
  for (const line of lines) {
    if (isItem(line)) items.push(line.replace(/^\s*(?:[-*+]|\d+[.)]) /, ""));
    else items[items.length - 1] += ` ${line.trim()}`;
  }
  return h("ul", null, items.map((item) => h("li", { dir: "auto" }, ...inlineMarkdown(item))));
}
