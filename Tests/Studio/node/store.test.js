// Tests of the store against a server of the test's own.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

/** @type {Map<string, string>} */
const session = new Map();
Object.assign(globalThis, {
  window: globalThis,
  reportError: (/** @type {unknown} */ error) => { throw error; },
  sessionStorage: new Proxy({
    getItem: (/** @type {string} */ key) => session.get(key) ?? null,
    setItem: (/** @type {string} */ key, /** @type {string} */ value) => void session.set(key, value),
    removeItem: (/** @type {string} */ key) => void session.delete(key),
  }, {
    ownKeys: () => [...session.keys()],
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
  }),
});

const { ApiError } = await import("../../../Sources/StreamStudio/Page/core/api.js");
const { Store } = await import("../../../Sources/StreamStudio/Page/core/store.js");

/** A server with files in memory. */
class FakeApi extends EventTarget {
  constructor() {
    super();
    /** @type {Record<string, string>} */
    this.disk = { "a.json": "{}", "b.json": "[]" };
    /** @type {any[]} */
    this.posts = [];
    this.errors = 0;
  }

  latest() {
    return new AbortController().signal;
  }

  /**
   * @param {string} path
   * @param {any} query
   */
  async get(path, query) {
    if (path === "/api/files") return { files: Object.keys(this.disk).map((entry) => ({ path: entry })) };
    const text = this.disk[query.path];
    if (text === undefined) throw new ApiError(404, "No such file", "", null);
    return { path: query.path, text, digest: `d${text}` };
  }

  /**
   * @param {string} path
   * @param {any} query
   * @param {any} body
   */
  async put(path, query, body) {
    const text = this.disk[query.path];
    const digest = text === undefined ? null : `d${text}`;
    if (digest !== body.base) throw new ApiError(409, "Changed", "", { current: { text, digest }, merged: null });
    this.disk[query.path] = body.text;
    return { digest: `d${body.text}` };
  }

  /**
   * @param {string} path
   * @param {any} body
   */
  async post(path, body) {
    this.posts.push([path, body]);
    if (path === "/api/edit") return { text: `${body.text} edited` };
    if (path === "/api/run") return { tracks: [], inputs: body.inputs ?? {} };
    const diagnostics = body.text.includes("bad") ? [{ severity: "error", range: [0, 1] }] : [];
    return { diagnostics, outline: null, inputs: [], outputs: [], tests: [] };
  }

  /** @param {any} body */
  run(body) {
    return this.post("/api/run", body);
  }

  /** @param {string} path */
  requests(path) {
    return this.posts.filter(([name]) => name === path).map(([, body]) => body);
  }
}

const wait = (milliseconds = 90) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** @type {FakeApi} */
let api;
/** @type {import("../../../Sources/StreamStudio/Page/core/store.js").Store} */
let store;

beforeEach(async () => {
  session.clear();
  api = new FakeApi();
  store = new Store(/** @type {any} */ (api));
  await store.loadFiles();
  await store.open("a.json");
});

test("one history of text and inputs", async () => {
  store.edit("1", { label: "Type", group: "type" });
  store.edit("12", { label: "Type", group: "type" });
  store.setInputs({ q: [{ at: 1, value: 1 }] }, { label: "Drag" });
  store.edit("12 3", { label: "Set field" });
  assert.equal(store.state.undoLabel, "Set field");
  store.undo();
  assert.equal(store.state.text, "12");
  store.undo();
  assert.equal(store.state.runRequest.inputs, null);
  assert.equal(store.state.text, "12");
  store.undo();
  assert.equal(store.state.text, "{}");
  assert.equal(store.state.isDirty, false);
  store.undo();
  store.redo();
  store.redo();
  assert.deepEqual(store.state.runRequest.inputs, { q: [{ at: 1, value: 1 }] });
  assert.equal(store.state.redoLabel, "Set field");
});

test("subscribers are told once for many changes", async () => {
  let count = 0;
  const end = store.subscribe(["text"], () => { count += 1; });
  await wait(1);
  count = 0;
  store.edit("1", { label: "Type" });
  store.edit("2", { label: "Type" });
  await wait(1);
  assert.equal(count, 1);
  end();
  store.edit("3", { label: "Type" });
  await wait(1);
  assert.equal(count, 1);
});

test("other files keep their unsaved changes and their history", async () => {
  store.edit("mine", { label: "Type" });
  await store.open("b.json");
  assert.equal(store.state.text, "[]");
  assert.equal(store.state.undoLabel, null);
  assert.deepEqual(store.state.unsavedPaths, ["a.json"]);
  await store.open("a.json");
  assert.equal(store.state.text, "mine");
  store.undo();
  assert.equal(store.state.text, "{}");
});

test("an unsaved text survives a reload", async () => {
  store.edit("mine", { label: "Type" });
  store.keep();
  const again = new Store(/** @type {any} */ (api));
  assert.deepEqual(again.state.unsavedPaths, ["a.json"]);
  await again.open("a.json");
  assert.equal(again.state.text, "mine");
  assert.equal(again.state.isDirty, true);
  assert.equal(again.state.conflict, null);
  api.disk["a.json"] = "theirs";
  const third = new Store(/** @type {any} */ (api));
  await third.open("a.json");
  assert.equal(third.state.text, "mine");
  assert.equal(third.state.conflict?.text, "theirs");
});

test("saving over another program's change is a conflict, never a loss", async () => {
  store.edit("mine", { label: "Type" });
  api.disk["a.json"] = "theirs";
  assert.equal(await store.save(), "conflict");
  assert.equal(api.disk["a.json"], "theirs");
  assert.equal(store.state.conflict?.text, "theirs");
  store.resolve(store.state.text, "Keep my version");
  assert.equal(store.state.conflict, null);
  assert.equal(await store.save(), "saved");
  assert.equal(api.disk["a.json"], "mine");
  assert.equal(session.size, 0);
});

test("a changed file is loaded again if there is nothing to lose", async () => {
  api.disk["a.json"] = "theirs";
  assert.equal(await store.reload(), "reloaded");
  assert.equal(store.state.text, "theirs");
  assert.equal(store.state.isDirty, false);
  store.edit("mine", { label: "Type" });
  api.disk["a.json"] = "theirs too";
  assert.equal(await store.reload(), "conflict");
  assert.equal(store.state.text, "mine");
  store.resolve("theirs too", "Take theirs");
  assert.equal(store.state.isDirty, false);
  delete api.disk["a.json"];
  assert.equal(await store.reload(), "removed");
  assert.equal(store.state.text, "theirs too");
  assert.equal(store.state.isDirty, true);
});

test("a new stream is written by saving only", async () => {
  assert.equal(store.freePath("a.json"), "a-2.json");
  store.create("new.json", "{ }", { origin: "link" });
  assert.equal(api.disk["new.json"], undefined);
  assert.equal(store.state.isDirty, true);
  await store.saveAs("other.json");
  assert.deepEqual(Object.keys(api.disk), ["a.json", "b.json", "other.json"]);
  assert.equal(store.state.path, "other.json");
  assert.equal(store.state.isDirty, false);
  await assert.rejects(store.saveAs("b.json"));
});

test("a stream that was never saved comes back without asking for its file", async () => {
  store.create("new.json", "{ }");
  const again = new Store(/** @type {any} */ (api));
  await again.loadFiles();
  api.get = async () => assert.fail("there is no file to ask for");
  await again.open("new.json");
  assert.equal(again.state.text, "{ }");
  assert.equal(again.state.saved, null);
});

test("a stream that was never saved does not replace a file of its name", async () => {
  store.create("new.json", "{ }");
  api.disk["new.json"] = "theirs";
  const again = new Store(/** @type {any} */ (api));
  await again.loadFiles();
  await again.open("new.json");
  assert.equal(again.state.text, "{ }");
  assert.equal(again.state.conflict?.text, "theirs");
});

test("a file that was removed while another one was open", async () => {
  store.edit("mine", { label: "Type" });
  await store.open("b.json");
  delete api.disk["a.json"];
  await store.open("a.json");
  assert.equal(store.state.text, "mine");
  assert.equal(store.state.saved, null);
  assert.match(store.state.origin ?? "", /removed/);
});

test("edits by pointer are dropped when the text has changed meanwhile", async () => {
  const first = store.change([], "Set");
  store.edit("typed", { label: "Type" });
  assert.equal(await first, false);
  assert.equal(store.state.text, "typed");
  assert.equal(await store.change([], "Set"), true);
  assert.equal(store.state.text, "typed edited");
});

test("a save can wait for the changes that are on their way, and not for a server that is away", async () => {
  void store.change([], "Set");
  assert.equal(store.state.isDirty, false);
  await store.settled();
  assert.equal(store.state.isDirty, true);
  void store.coming(new Promise(() => {}));
  const settled = store.settled();
  store.set({ connection: "off" });
  await settled;
});

test("runs follow when a view wants them, and not for texts with errors", async () => {
  await wait();
  assert.equal(api.requests("/api/run").length, 0);
  store.wantsRun(true);
  await wait(10);
  assert.equal(api.requests("/api/run").length, 1);
  store.setInputs({ q: [] });
  store.setInputs({ q: [{ at: 1, value: 1 }] });
  await wait(10);
  assert.deepEqual(api.requests("/api/run").at(-1).inputs, { q: [{ at: 1, value: 1 }] });
  const before = store.state.run;
  store.edit("bad", { label: "Type" });
  await wait();
  assert.equal(store.state.runIsStale, true);
  assert.equal(store.state.run, before);
  store.edit("good", { label: "Type" });
  await wait();
  assert.equal(store.state.runIsStale, false);
  assert.notEqual(store.state.run, before);
  store.wantsRun(false);
  const count = api.requests("/api/run").length;
  store.edit("good too", { label: "Type" });
  await wait();
  assert.equal(api.requests("/api/run").length, count);
});
