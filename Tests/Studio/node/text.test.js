// Tests of the editor's parts that need no browser.

import assert from "node:assert/strict";
import { test } from "node:test";
import { bracketsOf, matchingBrackets, tokensOf } from "../../../Sources/StreamStudio/Page/views/text/highlight.js";
import { difference, Endings, Lines, shifted } from "../../../Sources/StreamStudio/Page/views/text/lines.js";
import { parseSnippet } from "../../../Sources/StreamStudio/Page/views/text/snippet.js";
import { indented, lineBreak, paired, pairRemoved } from "../../../Sources/StreamStudio/Page/views/text/typing.js";

/** @param {number} seed */
function random(seed) {
  let state = seed;
  return (/** @type {number} */ limit) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state % limit;
  };
}

test("lines after many changes are those of the text", () => {
  const next = random(7);
  const lines = new Lines("one\ntwo\n\nthree");
  for (let round = 0; round < 500; round += 1) {
    const { text } = lines;
    const from = next(text.length + 1);
    const to = Math.min(text.length, from + next(6));
    const inserted = ["", "x", "\n", "ab\ncd", "\n\n", "aa"][next(6)];
    lines.replace(text.slice(0, from) + inserted + text.slice(to));
    const fresh = new Lines(lines.text);
    assert.deepEqual(lines.lines, fresh.lines);
    assert.deepEqual(lines.starts, fresh.starts);
  }
  for (let offset = 0; offset <= lines.text.length; offset += 1) {
    assert.equal(lines.lineAt(offset), lines.text.slice(0, offset).split("\n").length - 1);
  }
});

test("ranges move with the text", () => {
  const change = difference("abcdef", "abXYdef");
  assert.deepEqual(change, { from: 2, oldTo: 3, newTo: 4 });
  assert.deepEqual(shifted([3, 5], change), [4, 6]);
  assert.deepEqual(shifted([0, 2], change), [0, 4]);
  assert.deepEqual(shifted([0, 1], change), [0, 1]);
  assert.deepEqual(shifted([1, 6], change), [1, 7]);
  const typed = difference("ab", "axb");
  assert.deepEqual(shifted([0, 1], typed), [0, 2], "typing at the end of a range makes it longer");
  assert.deepEqual(shifted([1, 2], typed), [1, 3]);
});

test("line endings of the file are kept", () => {
  const source = "{\r\n  \"a\": 1\r\n}\n";
  const endings = new Endings(source);
  assert.equal(endings.shown, "{\n  \"a\": 1\n}\n");
  const edited = endings.shown.replace("1", "1,\n  \"b\": 2");
  assert.equal(endings.sourceOf(edited), "{\r\n  \"a\": 1,\r\n  \"b\": 2\r\n}\n");
  for (let offset = 0; offset < endings.shown.length; offset += 1) {
    assert.equal(endings.toShown(endings.toSource(offset)), offset);
    assert.equal(source[endings.toSource(offset)] === "\r" ? "\n" : source[endings.toSource(offset)],
      endings.shown[offset]);
  }
  assert.equal(new Endings("a\nb").toSource(3), 3);
});

test("tokens of a line", () => {
  const kinds = (/** @type {string} */ line) => (
    tokensOf(line, new Set(["expression", "by"])).map(({ from, to, kind }) => `${kind} ${line.slice(from, to)}`));
  assert.deepEqual(kinds("{ \"map\": { \"expression\": \"value \\\" {2}\" } }"), [
    "bracket {", "key \"map\"", "bracket {", "key \"expression\"", "expression \"value \\\" {2}\"", "bracket }",
    "bracket }",
  ]);
  assert.deepEqual(kinds("\"by\": [\"a\", \"b\"], \"n\": -1.5e3, \"t\": true"), [
    "key \"by\"", "bracket [", "expression \"a\"", "expression \"b\"", "bracket ]", "key \"n\"", "number -1.5e3",
    "key \"t\"", "word true",
  ]);
  assert.deepEqual(kinds("\"open"), ["bad \"open"]);
  assert.deepEqual(bracketsOf("{\"}\": []}").map((item) => item.bracket), ["{", "[", "]", "}"]);
});

test("brackets that belong together", () => {
  const text = new Lines("{\n  \"a}\": [1, {}],\n  \"b\": \"]\"\n}");
  assert.deepEqual(matchingBrackets(text, 1), [0, text.text.length - 1]);
  assert.deepEqual(matchingBrackets(text, text.text.length), [0, text.text.length - 1]);
  const open = text.text.indexOf("[");
  assert.deepEqual(matchingBrackets(text, open), [open, text.text.indexOf("]")]);
  assert.equal(matchingBrackets(new Lines("[}"), 1), null);
  assert.equal(matchingBrackets(new Lines("{"), 1), null);
});

/**
 * @param {string} marked A text whose caret is `|`.
 * @param {(text: string, from: number, to: number) => import(
 *   "../../../Sources/StreamStudio/Page/views/text/typing.js").KeyEdit | null} key
 */
function after(marked, key) {
  const caret = marked.indexOf("|");
  const text = marked.replace("|", "");
  const edit = key(text, caret, caret);
  if (!edit) return null;
  const result = text.slice(0, edit.from) + edit.text + text.slice(edit.to);
  return `${result.slice(0, edit.selection[0])}|${result.slice(edit.selection[0])}`;
}

test("keys", () => {
  const quote = (/** @type {string} */ text, /** @type {number} */ from, /** @type {number} */ to) => (
    paired(text, from, to, "\""));
  const brace = (/** @type {string} */ text, /** @type {number} */ from, /** @type {number} */ to) => (
    paired(text, from, to, "{"));
  const close = (/** @type {string} */ text, /** @type {number} */ from, /** @type {number} */ to) => (
    paired(text, from, to, "}"));
  assert.equal(after("  {|}", lineBreak), "  {\n    |\n  }");
  assert.equal(after("  \"a\": 1,|", lineBreak), "  \"a\": 1,\n  |");
  assert.equal(after("{| \"a\": 1}", lineBreak), "{\n  | \"a\": 1}");
  assert.equal(after("|", quote), "\"|\"");
  assert.equal(after("\"a|\"", quote), "\"a\"|");
  assert.equal(after("\"a|b\"", quote), null);
  assert.equal(after("[|]", brace), "[{|}]");
  assert.equal(after("|\"a\"", brace), null);
  assert.equal(after("{|}", close), "{}|");
  assert.equal(after("{|}", pairRemoved), "|");
  assert.equal(after("{|a}", pairRemoved), null);
  assert.equal(after("a|b", (text, from, to) => indented(text, from, to, false)), "a  |b");
  assert.equal(after("  a|b", (text, from, to) => indented(text, from, to, true)), "a|b");
  const many = indented("a\n\nb", 0, 4, false);
  assert.equal(many.text, "  a\n\n  b");
});

test("snippets", () => {
  assert.deepEqual(parseSnippet("size(${1:value})"), { text: "size(value)", stops: [[5, 10]] });
  assert.deepEqual(parseSnippet("{ \"a\": $2, \"b\": $1 }$0"), {
    text: "{ \"a\": , \"b\":  }", stops: [[14, 14], [7, 7], [16, 16]],
  });
  assert.deepEqual(parseSnippet("cost \\$5 ${1:a\\}b}"), { text: "cost $5 a}b", stops: [[8, 11]] });
  assert.equal(parseSnippet("{\n  $1\n}", "    ").text, "{\n      \n    }");
});
