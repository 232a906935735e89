// Tests of how values are shown, edited and read.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  colorOf, countText, editText, fieldNames, isSame, jsonText, kindOf, labelOf, parseJSON, parseTyped, stateWords,
  timeText, valueText,
} from "../../../Sources/StreamStudio/Page/core/values.js";

test("kinds of plain and tagged values", () => {
  const kinds = [
    [1, "number"], ["a", "text"], [true, "true"], [null, "null"], [[], "list"], [{}, "object"], [{ a: 1 }, "object"],
    [{ $double: 2 }, "number"], [{ $int: "9007199254740993" }, "number"], [{ $uint: "1" }, "number"],
    [{ $timestamp: "2026-01-01T00:00:00Z" }, "timestamp"], [{ $duration: "1s" }, "duration"],
    [{ $bytes: "AA==" }, "bytes"], [{ $map: [] }, "map"], [{ $other: 1 }, "object"], [{ $double: 1, a: 2 }, "object"],
  ];
  for (const [value, kind] of kinds) assert.equal(kindOf(value), kind, JSON.stringify(value));
  assert.equal(colorOf("a"), "--marble-text");
  assert.equal(colorOf(null), "--marble-other");
});

test("texts of values", () => {
  const texts = [
    [2, "2"], [{ $double: 2 }, "2.0"], [{ $double: "NaN" }, "NaN"], [{ $double: 1e21 }, "1e+21"], ["a b", "a b"],
    ["", "\"\""], [{ $int: "9007199254740993" }, "9007199254740993"], [{ $uint: "3" }, "3u"],
    [{ $duration: "1s" }, "1s"],
    [[1, { $double: 2 }, "a"], "[1, 2.0, \"a\"]"], [{ a: null }, "{\"a\": null}"],
    [{ $map: [[1, "x"]] }, "{1: \"x\"}"],
  ];
  for (const [value, text] of texts) assert.equal(valueText(value), text);
  assert.equal(valueText("👩‍👩‍👧 long text", 5).length <= 12, true);
  assert.equal(valueText("abcdef", 4), "abc…");
  assert.equal(labelOf({ mag: { $double: 5 }, place: "Fiji" }, "mag"), "5.0");
  assert.equal(labelOf("x", "mag"), "x");
  assert.deepEqual(fieldNames([{ a: 1 }, 3, { b: 1, a: 2 }, { $double: 1 }]), ["a", "b"]);
});

test("JSON keeps 2.0 and large integers", () => {
  const text = "[1, 2.0, 2.5, -0.0, 1e3, 9007199254740993, \"2.0\", {\"a\": 1.0}]";
  const value = parseJSON(text);
  assert.deepEqual(value[1], { $double: 2 });
  assert.deepEqual(value[5], { $int: "9007199254740993" });
  assert.equal(value[6], "2.0");
  assert.deepEqual(parseJSON(jsonText(value)), value);
  assert.throws(() => parseJSON("{a}"), SyntaxError);
  assert.equal(jsonText({ a: [1], b: {} }, "  "), "{\n  \"a\": [\n    1\n  ],\n  \"b\": {}\n}");
});

test("typed input", () => {
  const good = [
    ["3", "int", 3], ["-3", "int", -3], ["9007199254740993", "int", { $int: "9007199254740993" }],
    ["2", "double", { $double: 2 }], ["2.5", "double", 2.5], ["NaN", "double", { $double: "NaN" }],
    ["true", "bool", true], [" a ", "string", " a "], ["", "string", ""], ["7u", "uint", { $uint: "7" }],
    ["2026-01-31T12:00:00Z", "timestamp", { $timestamp: "2026-01-31T12:00:00Z" }],
    ["1.5", "duration", { $duration: "1.5s" }], ["hello", "dyn", "hello"], ["12", "dyn", 12],
    ["2.0", "dyn", { $double: 2 }],
    ["\"12\"", "dyn", "12"], ["null", "dyn", null], ["[1, 2]", ["double"], [{ $double: 1 }, { $double: 2 }]],
    ["{\"x\": 1, \"n\": 1}", { x: "double", n: "int" }, { x: { $double: 1 }, n: 1 }],
  ];
  for (const [text, type, value] of good) {
    assert.deepEqual(parseTyped(/** @type {string} */ (text), type), { value }, `${text} as ${JSON.stringify(type)}`);
  }
  const bad = [
    ["a", "int"], ["1.5", "int"], ["-1", "uint"], ["x", "double"], ["yes", "bool"], ["", "dyn"], ["{a", "dyn"],
    ["soon", "timestamp"], ["hello", ["int"]], ["€", "bytes"],
  ];
  for (const [text, type] of bad) {
    assert.ok(parseTyped(/** @type {string} */ (text), type).error, `${text} as ${JSON.stringify(type)}`);
  }
});

test("the text to edit is read as the same value", () => {
  const pairs = [
    [3, "int"], [{ $double: 2 }, "double"], [{ $double: "NaN" }, "double"], ["a \"b\"", "string"], ["12", "dyn"],
    ["word", "dyn"], [" x", "dyn"], ["", "dyn"], ["true", "dyn"], [null, "dyn"], [{ $double: 2 }, "dyn"],
    [{ a: [1, { $double: 2 }] }, "dyn"], [{ $timestamp: "2026-01-31T12:00:00Z" }, "timestamp"],
    [{ $duration: "1.5s" }, "duration"], [{ $uint: "7" }, "uint"], [{ $bytes: "AA==" }, "bytes"],
    [{ $timestamp: "2026-01-31T12:00:00Z" }, "dyn"], [{ $int: "9007199254740993" }, "dyn"], [true, "bool"],
  ];
  for (const [value, type] of pairs) {
    const text = editText(value, type);
    const result = parseTyped(text, type);
    assert.ok(isSame(result.value, value), `${JSON.stringify(value)} as ${type}: ${text} → ${JSON.stringify(result)}`);
  }
});

test("equality", () => {
  assert.ok(isSame({ a: [1, { b: null }] }, { a: [1, { b: null }] }));
  assert.ok(!isSame(2, { $double: 2 }));
  assert.ok(!isSame([], {}));
  assert.ok(!isSame({ a: undefined }, { b: undefined }));
});

test("a demand without limit is a word", () => {
  const state = { demand: { $int: "9223372036854775807" }, waiting: [{ demand: 3 }], at: { $double: 2 } };
  assert.deepEqual(stateWords(state), { demand: "unlimited", waiting: [{ demand: 3 }], at: { $double: 2 } });
  assert.equal(stateWords(null), null);
});

test("times and counts", () => {
  const times = [[0, "0 s"], [0.3, "300 ms"], [1.5, "1.5 s"], [125, "2 min 5 s"], [3600, "1 h"], [Infinity, "never"]];
  for (const [seconds, text] of times) assert.equal(timeText(/** @type {number} */ (seconds)), text);
  assert.equal(countText(1, "error"), "1 error");
  assert.equal(countText(1200, "marble"), "1,200 marbles");
});
