// The structure of drafts: places in the text, cards, and the edits that move them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { parseDiagram } from "../../../Sources/StreamStudio/Page/views/pipeline/diagram.js";
import { relativePath } from "../../../Sources/StreamStudio/Page/views/pipeline/changes.js";
import * as edits from "../../../Sources/StreamStudio/Page/views/pipeline/edits.js";
import {
  JSONTextError, appended, nodeAt, parent, parseTree, textOffset, tokens, valueIndex,
} from "../../../Sources/StreamStudio/Page/views/pipeline/jsontree.js";
import { documentOf, holder, referableNames } from "../../../Sources/StreamStudio/Page/views/pipeline/model.js";
import { matching } from "../../../Sources/StreamStudio/Page/views/pipeline/picker.js";
import { plainSnippet } from "../../../Sources/StreamStudio/Page/views/pipeline/expression.js";

/** @param {string} name @param {any[]} fields */
const entry = (name, fields = []) => ({
  name, family: "", summary: "", documentation: "", fields, examples: [], template: { [name]: {} },
});
const withField = { name: "with", kind: "streams", required: true, summary: "" };
const catalog = {
  operators: new Map([
    ["merge", entry("merge", [withField])],
    ["flatMap", entry("flatMap", [{ name: "stream", kind: "stream", required: true, summary: "" }])],
    ["groupBy", entry("groupBy", [{ name: "operators", kind: "operators", required: true, summary: "" }])],
  ]),
  sources: new Map(),
};

/** @param {any} json */
const docOf = (json, analysis = null) => documentOf(parseTree(JSON.stringify(json)), catalog, analysis);

test("offsets of a string go past its escapes", () => {
  const text = '{"a": "x\\"\\u00e9\\n😀y"}';
  const node = nodeAt(parseTree(text), "/a");
  assert.ok(node);
  assert.equal(node.value, 'x"é\n😀y');
  for (let index = 0; index <= node.value.length; index += 1) {
    assert.equal(valueIndex(node, textOffset(node, index)), index);
  }
  assert.equal(text.slice(textOffset(node, 2), textOffset(node, 3)), "\\u00e9");
  assert.equal(textOffset(node, node.value.length), text.lastIndexOf('"'));
});

test("values have their places, whatever the layout", () => {
  const text = ' {\n\t"b" : [ 1.0 , -2e3,true ] }\n';
  const root = parseTree(text);
  const list = nodeAt(root, "/b");
  assert.deepEqual(list?.elements.map((node) => text.slice(node.from, node.to)), ["1.0", "-2e3", "true"]);
  assert.equal(text.slice(root.members[0].keyFrom, root.members[0].keyTo), '"b"');
});

test("a text that is not JSON is refused with the place", () => {
  for (const [text, offset] of /** @type {[string, number][]} */ ([
    ["", 0], ["{", 1], ['{"a":1,}', 7], ["[1 2]", 3], ['["a\nb"]', 3], ["{} x", 3], ["[01]", 2],
  ])) {
    assert.throws(() => parseTree(text), (/** @type {any} */ error) => {
      assert.ok(error instanceof JSONTextError, text);
      assert.equal(error.offset, offset, text);
      return true;
    });
  }
});

test("pointers escape slashes and tildes", () => {
  const pointer = appended("/streams", "a/b~c", 0);
  assert.equal(pointer, "/streams/a~1b~0c/0");
  assert.deepEqual(tokens(pointer), ["streams", "a/b~c", "0"]);
  assert.equal(parent(pointer), "/streams/a~1b~0c");
  assert.deepEqual(tokens(""), []);
});

test("a draft becomes lanes of cards, with inner streams beside their operator", () => {
  const doc = docOf({
    inputs: { a: { type: "int" } },
    streams: { s: { source: { input: { name: "a" } } } },
    source: { stream: { name: "s" } },
    operators: [
      { merge: { with: ["a", { stream: [{ value: 1 }] }] } },
      { id: "g", label: "by key", groupBy: { key: "value", operators: [{ flatMap: { stream: "s" } }] } },
    ],
  });
  assert.deepEqual([...doc.cards.keys()], [
    "/streams/s/source", "/source", "/operators/0", "/operators/0/merge/with/1/stream", "/operators/1",
    "/operators/1/groupBy/operators/0",
  ]);
  const group = doc.cards.get("/operators/1");
  assert.equal(group?.name, "groupBy");
  assert.equal(group?.id, "g");
  assert.equal(group?.label, "by key");
  assert.equal(doc.cards.get("/operators/0")?.branches[0].name, "a");
  assert.deepEqual(referableNames(doc), ["s", "a"]);
});

test("an empty draft asks for a source", () => {
  const doc = docOf({});
  assert.equal(doc.main?.cards[0].kind, "missing");
  assert.equal(docOf({ outputs: { o: { stream: "a" } } }).main, null);
});

test("a problem belongs to the innermost card", () => {
  const problem = { code: "S101", severity: "error", message: "", range: null, pointer: "/operators/0/merge/with/0/source/x" };
  const doc = docOf({ operators: [{ merge: { with: [{ source: { never: {} } }] } }] },
    /** @type {any} */ ({ outline: null, diagnostics: [problem] }));
  assert.equal(doc.cards.get("/operators/0/merge/with/0/source")?.problems.length, 1);
  assert.equal(doc.cards.get("/operators/0")?.problems.length, 0);
  assert.equal(holder(doc, "/x").pointer, "");
});

test("operators move within a lane and into another one", () => {
  const doc = docOf({
    source: { never: {} },
    operators: [{ count: {} }, { flatMap: { stream: { source: { never: {} } } } }, { sum: {} }],
  });
  const [, count, flatMap, sum] = doc.main?.cards ?? [];
  const main = count.lane;
  assert.deepEqual(edits.moveOperator(count, main, 2), {
    edits: [{ move: { from: "/operators/0", to: "/operators/1" } }], pointer: "/operators/1",
  });
  assert.equal(edits.moveOperator(count, main, 1), null);
  assert.equal(edits.moveOperator(sum, main, 0)?.pointer, "/operators/0");
  const inner = flatMap.branches[0].lane;
  assert.ok(inner);
  // The lane has no operators yet, and the operator that holds it moves up when one before it is taken away.
  assert.deepEqual(edits.moveOperator(count, inner, 0), {
    edits: [
      { insert: { pointer: "/operators/1/flatMap/stream/operators", value: [] } },
      { move: { from: "/operators/0", to: "/operators/0/flatMap/stream/operators/0" } },
    ],
    pointer: "/operators/0/flatMap/stream/operators/0",
  });
  assert.equal(edits.moveOperator(flatMap, inner, 0), null);
});

test("the first operator brings its array, and the last one takes it away", () => {
  const empty = docOf({ source: { never: {} } }).main;
  assert.ok(empty);
  const added = edits.insertOperator(empty, 0, { count: {} });
  assert.deepEqual(added.edits, [{ insert: { pointer: "/operators", value: [{ count: {} }] } }]);
  const one = docOf({ source: { never: {} }, operators: [{ count: {} }] }).main;
  assert.deepEqual(edits.removeCard(/** @type {any} */ (one?.cards[1])), [{ remove: { pointer: "/operators" } }]);
});

test("a template refers to streams that the file has", () => {
  const merge = { ...entry("merge", [withField]), template: { merge: { with: ["b"] } } };
  assert.deepEqual(edits.templateOf(merge, ["x", "y"]), { merge: { with: ["x"] } });
  assert.deepEqual(edits.templateOf(merge, ["y", "b"]), { merge: { with: ["b"] } });
  assert.deepEqual(edits.templateOf(merge, []), { merge: { with: [] } });
  const debounce = {
    ...entry("debounce", [{ name: "seconds", kind: "seconds", required: false, summary: "" }]),
    examples: [{ title: "", text: '{"debounce": {"seconds": 0.003}}', inputs: [], output: "" }],
  };
  assert.deepEqual(edits.templateOf(debounce, []), { debounce: { seconds: 1 } });
});

test("free names are counted", () => {
  assert.equal(edits.freeName("input", []), "input");
  assert.equal(edits.freeName("input", ["input", "input2"]), "input3");
});

test("diagrams have frames, instants and names", () => {
  assert.deepEqual(parseDiagram("-a(b|)").marks.map(({ frame, kind }) => [frame, kind]),
    [[1, "value"], [2, "value"], [2, "finish"]]);
  assert.deepEqual(parseDiagram("[ab]-'long'#").marks.map(({ frame, text }) => [frame, text]),
    [[0, "a"], [0, "b"], [2, "long"], [3, "#"]]);
});

test("a search finds by name first, then by family, summary and documentation", () => {
  const offer = (/** @type {string} */ name, /** @type {string} */ summary) =>
    ({ name, family: "time", summary, entry: null, run() {} });
  const offers = [offer("sample", "Publishes after a debounce."), offer("debounceAll", ""), offer("debounce", "")];
  assert.deepEqual(matching(offers, "Debounce").map(({ name }) => name), ["debounce", "debounceAll", "sample"]);
  assert.equal(matching(offers, "nothing").length, 0);
  assert.equal(matching(offers, " ").length, 3);
});

test("a snippet has a place for the caret", () => {
  assert.deepEqual(plainSnippet("size(${1:value})"), { text: "size(value)", from: 5, to: 10 });
  assert.deepEqual(plainSnippet("a$0b\\$"), { text: "ab$", from: 3, to: 3 });
  assert.deepEqual(plainSnippet("${1|one,two|}"), { text: "one", from: 0, to: 3 });
});

test("files refer to others by relative paths", () => {
  assert.equal(relativePath("a/b/c.json", "../d.json"), "a/d.json");
  assert.equal(relativePath("c.json", "./x/d.json"), "x/d.json");
});
