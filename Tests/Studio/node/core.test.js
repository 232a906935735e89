// Tests of the page's core, under node: node --test Tests/Studio/node

import assert from "node:assert/strict";
import { test } from "node:test";
import { singleFlight } from "../../../Sources/StreamStudio/Page/core/api.js";
import { withEdits } from "../../../Sources/StreamStudio/Page/core/edits.js";
import { History } from "../../../Sources/StreamStudio/Page/core/history.js";
import { decodeStream, encodeStream } from "../../../Sources/StreamStudio/Page/core/link.js";
import { parseRoute, routeText } from "../../../Sources/StreamStudio/Page/core/router.js";

test("changes of a group within a second are undone together", () => {
  const history = new History();
  history.add("text", "", "a", { label: "Type", group: "type", time: 0 });
  history.add("text", "a", "ab", { label: "Type", group: "type", time: 900 });
  history.add("text", "ab", "abc", { label: "Type", group: "type", time: 1800 });
  history.add("text", "abc", "abcd", { label: "Type", group: "type", time: 2800 });
  assert.equal(history.done.length, 2);
  const last = history.undo();
  assert.deepEqual([last?.before, last?.after], ["abc", "abcd"]);
  const first = history.undo();
  assert.deepEqual([first?.before, first?.after], ["", "abc"]);
  assert.equal(history.undo(), null);
  assert.equal(history.redo()?.after, "abc");
});

test("changes of other groups, of inputs and after an undo are apart", () => {
  const history = new History();
  history.add("text", "", "a", { label: "Type", group: "type", time: 0 });
  history.add("inputs", {}, { q: [] }, { label: "Drag", group: "type", time: 10 });
  history.add("text", "a", "b", { label: "Set", time: 20 });
  history.add("text", "b", "c", { label: "Set", time: 30 });
  assert.equal(history.done.length, 4);
  history.undo();
  history.redo();
  history.add("text", "c", "cd", { label: "Type", group: "type", time: 40 });
  assert.equal(history.done.length, 5);
  history.undo();
  history.add("text", "c", "cx", { label: "Type", group: "type", time: 50 });
  assert.equal(history.redo(), null, "a new change ends what could be redone");
});

test("an ended group does not grow", () => {
  const history = new History();
  history.add("text", "", "a", { label: "Type", group: "type", time: 0 });
  history.endGroup();
  history.add("text", "a", "ab", { label: "Type", group: "type", time: 1 });
  assert.equal(history.done.length, 2);
});

test("places of the page", () => {
  assert.deepEqual(parseRoute(""), { kind: "home" });
  assert.deepEqual(parseRoute("#/text"), { kind: "view", view: "text", path: null });
  const path = "röoms/a b#1?.json";
  assert.equal(routeText("text", path), "#/text/r%C3%B6oms/a%20b%231%3F.json");
  assert.deepEqual(parseRoute(routeText("text", path)), { kind: "view", view: "text", path });
  assert.deepEqual(parseRoute("#/text/50%"), { kind: "view", view: "text", path: "50%" });
  assert.deepEqual(parseRoute("#s=abc_-"), { kind: "shared", data: "abc_-" });
});

test("a link holds a stream", async () => {
  const stream = {
    path: "search.json", text: "{ \"name\": \"Zürich 🙂\" }\r\n".repeat(200),
    inputs: { query: [{ at: 0.5, value: { $double: 2 } }, { at: 1, finished: true }] },
  };
  const data = await encodeStream(stream);
  assert.match(data, /^[A-Za-z0-9_-]+$/);
  assert.ok(data.length < 500);
  assert.deepEqual(await decodeStream(data), stream);
});

test("a link from a stranger is checked", async () => {
  for (const data of ["", "AAAA", "%%%", "a b"]) await assert.rejects(decodeStream(data), /damaged/);
  const other = await encodeStream({ path: "../../etc/pass\u0000wd", text: "{}" });
  assert.equal((await decodeStream(other)).path, "passwd.json");
  const hidden = await encodeStream({ path: ".ssh", text: "{}" });
  assert.equal((await decodeStream(hidden)).path, "ssh.json");
  const bomb = await encodeStream({ path: "a.json", text: " ".repeat(5 * 1024 * 1024) });
  assert.ok(bomb.length < 10_000);
  await assert.rejects(decodeStream(bomb), RangeError);
  const noText = await encodeStream(/** @type {any} */ ({ path: "a.json", text: 1 }));
  await assert.rejects(decodeStream(noText), /does not hold a stream/);
});

test("edits are made in the text before any of them", () => {
  const edits = [
    { range: /** @type {[number, number]} */ ([0, 1]), text: "xyz" },
    { range: /** @type {[number, number]} */ ([2, 3]), text: "" },
  ];
  assert.equal(withEdits("abcd", edits), "xyzbd");
});

test("of calls made while one runs, the newest runs next", async () => {
  let count = 0;
  let value = 0;
  /** @type {number[]} */
  const seen = [];
  const run = singleFlight(async () => {
    const own = value;
    await new Promise((resolve) => setTimeout(resolve, 5));
    seen.push(own);
    count += 1;
  });
  for (value = 1; value <= 10; value += 1) run();
  value = 10;
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(count, 2);
  assert.deepEqual(seen, [1, 10]);
});
