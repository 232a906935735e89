// Boots the page: the client of the server, the store, the frame, the router.

import { folderKey } from "./core/access.js";
import { Api } from "./core/api.js";
import { toast } from "./core/dom.js";
import { startKeys } from "./core/keys.js";
import { decodeStream } from "./core/link.js";
import { Router, routeText } from "./core/router.js";
import { Store } from "./core/store.js";
import { keptTheme } from "./core/theme.js";
import { mountFrame } from "./frame/frame.js";
import { readRun } from "/player/player.js";

/** The views, in the order of their tabs. Each is loaded when it is first shown. */
const views = [
  { id: "marbles", title: "Marbles", load: () => import("./views/marbles/index.js") },
  { id: "pipeline", title: "Pipeline", load: () => import("./views/pipeline/index.js") },
  { id: "text", title: "Text", load: () => import("./views/text/index.js") },
  { id: "tests", title: "Tests", load: () => import("./views/tests/index.js") },
  { id: "live", title: "Live", load: () => import("./views/live/index.js") },
  { id: "step", title: "Step", load: () => import("./views/step/index.js") },
  { id: "compare", title: "Compare", load: () => import("./views/compare/index.js") },
  { id: "share", title: "Share", load: () => import("./views/share/index.js") },
];

// The router reads the address that remains.
const api = new Api(readRun, folderKey());
const store = new Store(api);
const router = new Router();

/** How many places are being opened: until then, the address is ahead of the state. */
let following = 0;

/** Opens what the address names. */
async function follow() {
  following += 1;
  try {
    if (router.route.kind === "shared") await openShared(router.route.data);
    else await openRoute(router.route);
  } finally {
    following -= 1;
  }
  showPlace();
}

/** @param {import("./core/router.js").Route} route */
async function openRoute(route) {
  const view = route.kind === "view" ? route.view : "marbles";
  const path = (route.kind === "view" && route.path) || store.state.path || store.state.files[0]?.path || null;
  store.set({ view });
  if (path !== null && path !== store.state.path) {
    try {
      await store.open(path);
    } catch (error) {
      toast(`${path} cannot be opened. ${/** @type {Error} */ (error).message}`, { kind: "error" });
    }
  }
}

/**
 * Opens the stream that a link holds. It is not written to disk, and its runs have the server's limits.
 *
 * @param {string} data
 */
async function openShared(data) {
  try {
    const { path, text, inputs } = await decodeStream(data);
    store.create(store.freePath(path), text, {
      inputs, origin: "This stream came with a link. It is not on disk; look at it before you save it.",
    });
  } catch (error) {
    toast(/** @type {Error} */ (error).message, { kind: "error" });
  }
  store.set({ view: "marbles" });
}

/** Makes the address that of the state. */
function showPlace() {
  const { view, path } = store.state;
  if (!view || following > 0 || location.hash === routeText(view, path)) return;
  router.go(view, path, { replace: router.route.kind !== "view" });
}

/** Follows the changes that other programs make in the folder. */
function followFolder() {
  let wasAway = false;
  let isFirst = true;
  const events = api.events("/api/events", {
    open: () => {
      store.set({ connection: "on" });
      if (wasAway) {
        toast("The server is back.");
        store.runSoon();
      }
      // Without a connection, also while the page was hidden, changes were not heard of.
      if (!isFirst) store.loadFiles().then(reloaded, () => {});
      wasAway = false;
      isFirst = false;
    },
    error: (isRefused) => {
      wasAway = true;
      if (store.state.connection === "on") store.set({ connection: "off" });
      if (isRefused) void probe();
    },
    file: ({ path, digest }) => {
      void store.loadFiles();
      if (path === store.state.path && digest !== store.state.saved?.digest) void reloaded();
    },
  }, { rests: true });
  // A request may fail while the connection for events still seems to be open.
  api.addEventListener("off", () => {
    wasAway = true;
    events.restart();
  });
}

/** Learns why the server refuses: after a restart, it may want another link. */
async function probe() {
  try {
    await api.get("/api/studio");
  } catch (error) {
    const { status } = /** @type {import("./core/api.js").ApiError} */ (error);
    store.set({ connection: status === 401 || status === 403 ? "locked" : "off" });
  }
}

async function reloaded() {
  try {
    const result = await store.reload();
    if (result === "reloaded") toast("Another program changed this file. It was loaded again.");
    if (result === "removed") toast("Another program removed this file. Its text is still here.", { kind: "error" });
  } catch {
    // The server went away again, which the bar says.
  }
}

async function boot() {
  const root = document.getElementById("app");
  if (!root) return;
  mountFrame(root, { store, api }, views);
  startKeys();
  store.set({ theme: keptTheme() });
  // The first theme may be the initial one, which is no change; it must be shown, too.
  store.touch("theme");
  store.subscribe(["view", "path"], showPlace);
  try {
    const [studio] = await Promise.all([api.get("/api/studio"), store.loadFiles()]);
    store.set({ studio });
  } catch (error) {
    toast(/** @type {Error} */ (error).message, { kind: "error" });
  }
  router.addEventListener("change", () => void follow());
  await follow();
  followFolder();
}

window.addEventListener("beforeunload", (event) => {
  // The browser asks whether to leave, where the session cannot keep what is unsaved.
  if (!store.keep()) event.preventDefault();
});

void boot();
