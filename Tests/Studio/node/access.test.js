// Tests of the key that the studio's link brings.

import assert from "node:assert/strict";
import { test } from "node:test";
import { folderKey } from "../../../Sources/StreamStudio/Page/core/access.js";
import { Api } from "../../../Sources/StreamStudio/Page/core/api.js";

/** @type {Map<string, string>} */
const kept = new Map();
const place = { hash: "" };
Object.assign(globalThis, {
  location: place,
  history: { replaceState: () => { place.hash = ""; } },
  localStorage: {
    getItem: (/** @type {string} */ name) => kept.get(name) ?? null,
    setItem: (/** @type {string} */ name, /** @type {string} */ value) => kept.set(name, value),
  },
});

test("the key is taken out of the address, and kept for further tabs", () => {
  assert.equal(folderKey(), "");
  place.hash = "#key=0a1b";
  assert.equal(folderKey(), "0a1b");
  assert.equal(place.hash, "");
  assert.equal(folderKey(), "0a1b");
  place.hash = "#s=key";
  assert.equal(folderKey(), "0a1b");
  assert.equal(place.hash, "#s=key");
});

test("every request has the key, and none a cookie", async () => {
  /** @type {[string, any][]} */
  const requests = [];
  /** @type {string[]} */
  const sources = [];
  Object.assign(globalThis, {
    fetch: async (/** @type {string} */ path, /** @type {any} */ options) => {
      requests.push([path, options]);
      return { ok: true, text: async () => "{}" };
    },
    EventSource: class extends EventTarget {
      /** @param {string} path */
      constructor(path) {
        super();
        sources.push(path);
      }
    },
    document: new EventTarget(),
    window: new EventTarget(),
  });
  const api = new Api((answer) => answer, "0a1b");
  await api.get("/api/files");
  await api.post("/api/run", {});
  api.leave("/api/live/1");
  for (const [path, { headers, credentials }] of requests) {
    assert.equal(headers.Authorization, "Bearer 0a1b", path);
    assert.equal(credentials, "omit", path);
  }
  assert.equal(requests.length, 3);
  api.events("/api/events", {});
  assert.deepEqual(sources, ["/api/events?key=0a1b"]);
});
