// Tests of the connection for events, which rests while the page is hidden.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Api } from "../../../Sources/StreamStudio/Page/core/api.js";

/** @type {Set<FakeSource>} */
const open = new Set();

class FakeSource extends EventTarget {
  constructor() {
    super();
    open.add(this);
  }

  close() {
    open.delete(this);
  }
}

const page = Object.assign(new EventTarget(), { hidden: false });
const browserWindow = Object.assign(new EventTarget(), { setTimeout });
Object.assign(globalThis, { document: page, window: browserWindow, EventSource: FakeSource });

/** @param {boolean} isHidden */
function hide(isHidden) {
  page.hidden = isHidden;
  page.dispatchEvent(new Event("visibilitychange"));
}

test("a hidden page has no connection, and gets one again when it is seen", () => {
  const events = new Api().events("/api/events", {}, { rests: true });
  assert.equal(open.size, 1);
  hide(true);
  assert.equal(open.size, 0);
  hide(false);
  assert.equal(open.size, 1);
  browserWindow.dispatchEvent(new Event("pagehide"));
  hide(true);
  assert.equal(open.size, 0);
  hide(false);
  browserWindow.dispatchEvent(new Event("pageshow"));
  assert.equal(open.size, 1);
  events.close();
  hide(true);
  hide(false);
  assert.equal(open.size, 0);
});

test("a page that begins hidden connects once it is seen; a connection that does not rest stays", () => {
  page.hidden = true;
  const resting = new Api().events("/api/events", {}, { rests: true });
  assert.equal(open.size, 0);
  const live = new Api().events("/api/live/1/events", {});
  assert.equal(open.size, 1);
  hide(false);
  assert.equal(open.size, 2);
  resting.close();
  live.close();
});
