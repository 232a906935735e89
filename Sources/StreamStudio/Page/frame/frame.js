// The frame around the views: it lays out the bars, the files and the tabs, and shows one view at a time.

import { announce, fill, h } from "../core/dom.js";
import { addKeys } from "../core/keys.js";
import { routeText } from "../core/router.js";
import { bars } from "./bars.js";
import { keepFocus } from "./dialog.js";
import { fileList } from "./files.js";
import { openHelp } from "./help.js";
import { openOperator } from "./operator.js";
import { openPalette } from "./palette.js";
import { problemStrip } from "./problems.js";
import { discard, newStream, saveAs } from "./streams.js";
import { redoAloud, save, topBar, undoAloud } from "./top.js";

/**
 * @typedef {object} ViewEntry
 * @property {string} id
 * @property {string} title
 * @property {() => Promise<{view: import("../core/types.js").View}>} load
 */

/**
 * Builds the frame.
 *
 * @param {HTMLElement} root
 * @param {import("../core/types.js").ViewContext} context
 * @param {ViewEntry[]} views
 */
export function mountFrame(root, context, views) {
  const { store } = context;
  const go = (/** @type {string} */ view) => store.set({ view });
  const makeNew = () => newStream(store, () => go(store.state.view ?? "marbles"));
  const saveCopy = () => saveAs(store, () => go(store.state.view ?? "marbles"));
  const openSearch = () => openPalette(() => searchEntries(context, views, { makeNew, saveCopy }));

  const drawer = fileList(context, { newStream: makeNew, closeDrawer: () => setDrawer(false) });
  const backdrop = h("div", { class: "backdrop", on: { click: () => setDrawer(false) } });
  const setDrawer = (/** @type {boolean} */ isOpen) => {
    drawer.classList.toggle("is-open", isOpen);
    backdrop.classList.toggle("is-open", isOpen);
    main.inert = isOpen;
    if (isOpen) drawer.querySelector("input")?.focus();
  };
  drawer.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !drawer.classList.contains("is-open")) return;
    setDrawer(false);
    /** @type {HTMLElement | null} */ (root.querySelector(".drawer-button"))?.focus();
  });
  store.subscribe(["path", "view"], () => setDrawer(false));

  const links = views.map((entry) => h("a", null, entry.title));
  const tabs = h("nav", { class: "tabs", "aria-label": "Views" }, links);
  const viewRoot = h("div", { class: "view", id: "view", tabIndex: -1 });
  const main = h("main", { class: "main" },
    tabs, bars(context, { saveAs: saveCopy }), viewRoot, problemStrip(context));
  fill(root,
    topBar(context, { openSearch, openHelp, openDrawer: () => setDrawer(true) }),
    drawer,
    backdrop,
    main);

  store.subscribe(["view", "path"], ({ view, path }) => {
    for (const [index, entry] of views.entries()) {
      links[index].href = routeText(entry.id, path);
      if (entry.id === view) links[index].setAttribute("aria-current", "page");
      else links[index].removeAttribute("aria-current");
    }
    tabs.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  });

  addKeys(
    { keys: "Mod+K", title: "Search files, operators and commands", run: openSearch },
    { keys: "?", title: "Show the keys", run: openHelp },
    ...views.map((view, index) => ({ keys: `Alt+${index + 1}`, title: view.title, run: () => go(view.id) })),
  );
  document.getElementById("skip")?.addEventListener("click", (event) => {
    // The address has the place of the page; the link must not change it.
    event.preventDefault();
    viewRoot.focus();
  });
  showViews(viewRoot, context, views);
}

/**
 * Shows the view that the state names.
 *
 * @param {HTMLElement} root
 * @param {import("../core/types.js").ViewContext} context
 * @param {ViewEntry[]} views
 */
function showViews(root, context, views) {
  const { store } = context;
  /** @type {string | null} */
  let current = null;
  /** @type {{unmount(): void} | null} */
  let mounted = null;
  let isMissing = false;
  // A page that has just opened begins at its top.
  let isFirst = true;

  const showView = async (/** @type {string | null} */ id) => {
    if (id === current && !isMissing) return;
    current = id;
    isMissing = false;
    const entry = views.find((view) => view.id === id);
    mounted?.unmount();
    mounted = null;
    if (!entry) return fill(root, emptyView("There is no such view", "Choose one of the tabs."));
    try {
      const { view } = await entry.load();
      if (current !== id) return;
      fill(root);
      mounted = view.mount(root, context);
      announce(entry.title);
      if (!isFirst) keepFocus();
      isFirst = false;
    } catch (error) {
      if (current !== id) return;
      isMissing = true;
      fill(root, emptyView(`${entry.title} cannot be shown`, String(error), h("button", {
        type: "button", class: "button", on: { click: () => location.reload() },
      }, "Reload the page")));
    }
  };
  store.subscribe(["view"], ({ view }) => void showView(view));
  // A view that could not be loaded, because the server was away, is loaded once it is back.
  store.subscribe(["connection"], ({ connection, view }) => {
    if (connection === "on" && isMissing) void showView(view);
  });
}

/**
 * @param {string} title
 * @param {string} text
 * @param {HTMLElement} [action]
 */
function emptyView(title, text, action) {
  return h("div", { class: "empty" }, h("h2", null, title), h("p", { dir: "auto" }, text), action);
}

/**
 * @param {import("../core/types.js").ViewContext} context
 * @param {ViewEntry[]} views
 * @param {{makeNew: () => void, saveCopy: () => void}} actions
 * @returns {Promise<import("./palette.js").Entry[]>}
 */
async function searchEntries({ store }, views, { makeNew, saveCopy }) {
  const { files, unsavedPaths, path } = store.state;
  const catalog = await store.catalog().catch(() => ({ operators: [], sources: [] }));
  const open = (/** @type {string} */ wished) => {
    location.hash = routeText(store.state.view ?? "marbles", wished);
  };
  const titles = new Map(files.map((file) => [file.path, file.name ?? file.description ?? ""]));
  const paths = new Set([...titles.keys(), ...unsavedPaths]);
  const hasFile = path !== null;
  return [
    ...[...paths].map((entry) => ({
      kind: "File", title: entry, detail: titles.get(entry) ?? "not on disk", run: () => open(entry),
    })),
    ...views.map((view, index) => ({
      kind: "View", title: view.title, detail: "view", keys: `Alt+${index + 1}`,
      run: () => store.set({ view: view.id }),
    })),
    { kind: "Command", title: "New stream…", detail: "", run: makeNew },
    ...hasFile ? [
      { kind: "Command", title: "Save", detail: "", keys: "Mod+S", run: () => void save(store) },
      { kind: "Command", title: "Save as…", detail: "", run: saveCopy },
      { kind: "Command", title: "Discard changes…", detail: "", run: () => void discard(store) },
      {
        kind: "Command", title: "Undo", detail: store.state.undoLabel ?? "", keys: "Mod+Z",
        run: () => undoAloud(store),
      },
      {
        kind: "Command", title: "Redo", detail: store.state.redoLabel ?? "", keys: "Mod+Shift+Z",
        run: () => redoAloud(store),
      },
    ] : [],
    { kind: "Command", title: "Keyboard shortcuts", detail: "", keys: "?", run: openHelp },
    ...(/** @type {const} */ (["light", "dark", "system"])).map((theme) => ({
      kind: "Command", title: `Theme: ${theme}`, detail: "", run: () => store.set({ theme }),
    })),
    ...catalog.operators.map((entry) => ({
      kind: "Operator", title: entry.name, detail: entry.summary, run: () => openOperator(store, entry),
    })),
    ...catalog.sources.map((entry) => ({
      kind: "Source", title: entry.name, detail: entry.summary, run: () => openOperator(store, entry),
    })),
  ];
}
