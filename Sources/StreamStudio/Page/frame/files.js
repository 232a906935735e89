// The list of files: folders as a tree, a filter, and new streams.

import { fill, h, icon, iconButton } from "../core/dom.js";
import { routeText } from "../core/router.js";
import { countText } from "../core/values.js";

/** @typedef {{path: string, title: string, isUnsaved: boolean}} Leaf */
/** @typedef {{name: string, folders: Map<string, Folder>, leaves: Leaf[]}} Folder */

/**
 * @param {import("../core/types.js").ViewContext} context
 * @param {{newStream: () => void, closeDrawer: () => void}} actions
 * @returns {HTMLElement}
 */
export function fileList({ store }, actions) {
  const filter = h("input", {
    type: "search", placeholder: "Filter", "aria-label": "Filter files", spellcheck: "false",
    on: { input: () => draw() },
  });
  const tree = h("nav", { class: "tree", "aria-label": "Files" });
  const footer = h("footer");
  /** @type {Set<string>} */
  const closed = new Set();
  let shown = "";

  const draw = () => {
    const { files, unsavedPaths, path, view } = store.state;
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const known = new Set(files.map((file) => file.path));
    const unsaved = new Set(unsavedPaths);
    /** @type {Leaf[]} */
    const leaves = [
      ...files.map((file) => ({ path: file.path, title: file.name ?? "", isUnsaved: unsaved.has(file.path) })),
      ...unsavedPaths.filter((entry) => !known.has(entry)).map((entry) => (
        { path: entry, title: "", isUnsaved: true })),
    ].filter((leaf) => words.every((word) => `${leaf.path} ${leaf.title}`.toLowerCase().includes(word)));
    // Entries that are made anew would lose the click that is on its way.
    const key = JSON.stringify([leaves, path, view, words.length > 0]);
    if (key === shown) return;
    shown = key;
    const focused = tree.contains(document.activeElement) ? document.activeElement?.getAttribute("data-path") : null;
    if (leaves.length === 0) {
      const text = words.length > 0 ? "No file has these words." : "This folder has no stream files yet.";
      fill(tree, h("div", { class: "empty" }, h("p", null, text), h("button", {
        type: "button", class: "button", on: { click: actions.newStream },
      }, "New stream…")));
    } else {
      const link = (/** @type {Leaf} */ leaf) => fileLink(leaf, leaf.path === path, view ?? "marbles");
      fill(tree, folderNode(folderOf(leaves), "", link, words.length > 0 ? new Set() : closed));
    }
    if (focused) entryOf(tree, focused)?.focus();
    reach();
  };

  /** Leaves one entry to Tab: the one that has or had the focus, else the open file, else the first that is seen. */
  const reach = (/** @type {Element | null} */ wished = null) => {
    const all = entriesOf(tree);
    const seen = all.filter((entry) => entry.offsetParent !== null);
    const was = all.find((entry) => entry.tabIndex === 0 && entry.hasAttribute("tabindex"));
    const candidates = [wished, document.activeElement, was, tree.querySelector("[aria-current]")];
    const stop = candidates.find((entry) => entry && seen.includes(/** @type {HTMLElement} */ (entry)))
      ?? (seen.length > 0 ? seen : all)[0];
    for (const entry of all) entry.setAttribute("tabindex", entry === stop ? "0" : "-1");
  };

  tree.addEventListener("click", (event) => {
    if (/** @type {Element} */ (event.target).closest("a")) actions.closeDrawer();
  });
  tree.addEventListener("focusin", (event) => reach(/** @type {Element} */ (event.target)));
  tree.addEventListener("keydown", (event) => moveFocus(event, tree));
  tree.addEventListener("toggle", (event) => {
    const details = /** @type {HTMLDetailsElement} */ (event.target);
    const path = details.dataset.folder ?? "";
    if (details.open) closed.delete(path);
    else closed.add(path);
    reach();
  }, true);

  store.subscribe(["files", "path", "unsavedPaths", "view"], draw);
  store.subscribe(["studio", "files"], ({ studio, files }) => {
    footer.textContent = studio ? `${countText(files.length, "stream")} in ${studio.folder}` : "";
    if (studio) footer.title = `streamstudio ${studio.version}`;
  });
  draw();

  return h("aside", { class: "files", id: "files", "aria-label": "Files" },
    h("header", null,
      h("div", { class: "row" }, h("h2", null, "Streams"), iconButton("add", "New stream", actions.newStream)),
      filter),
    tree, footer);
}

/**
 * @param {HTMLElement} tree
 * @param {string} path
 * @returns {HTMLElement | null}
 */
function entryOf(tree, path) {
  return tree.querySelector(`[data-path="${CSS.escape(path)}"]`);
}

/**
 * @param {HTMLElement} tree
 * @returns {HTMLElement[]} Files and folders, also those in closed folders.
 */
function entriesOf(tree) {
  return [...tree.querySelectorAll("a, summary")].map((entry) => /** @type {HTMLElement} */ (entry));
}

/**
 * @param {Leaf[]} leaves
 * @returns {Folder}
 */
function folderOf(leaves) {
  /** @type {Folder} */
  const root = { name: "", folders: new Map(), leaves: [] };
  for (const leaf of leaves) {
    let folder = root;
    for (const name of leaf.path.split("/").slice(0, -1)) {
      let next = folder.folders.get(name);
      if (!next) {
        next = { name, folders: new Map(), leaves: [] };
        folder.folders.set(name, next);
      }
      folder = next;
    }
    folder.leaves.push(leaf);
  }
  return root;
}

/**
 * @param {Folder} folder
 * @param {string} path
 * @param {(leaf: Leaf) => Node} link
 * @param {Set<string>} closed
 * @returns {HTMLElement}
 */
function folderNode(folder, path, link, closed) {
  const folders = [...folder.folders.values()].sort((a, b) => a.name.localeCompare(b.name)).map((inner) => {
    const innerPath = `${path}/${inner.name}`;
    return h("li", null, h("details", { open: !closed.has(innerPath), "data-folder": innerPath },
      h("summary", { dir: "auto", "data-path": innerPath }, icon("right"), inner.name),
      folderNode(inner, innerPath, link, closed)));
  });
  const leaves = [...folder.leaves].sort((a, b) => a.path.localeCompare(b.path))
    .map((leaf) => h("li", null, link(leaf)));
  return h("ul", null, folders, leaves);
}

/**
 * @param {Leaf} leaf
 * @param {boolean} isCurrent
 * @param {string} view
 */
function fileLink(leaf, isCurrent, view) {
  const name = leaf.path.split("/").pop() ?? leaf.path;
  return h("a", {
    class: "file", href: routeText(view, leaf.path), "data-path": leaf.path, title: leaf.title || leaf.path,
    "aria-current": isCurrent ? "true" : null,
  }, icon("file"), h("span", { dir: "auto" }, name),
  leaf.isUnsaved && h("span", { class: "unsaved", title: "Unsaved changes" },
    h("span", { class: "visually-hidden" }, "unsaved changes")));
}

/**
 * Moves between the entries by the arrow keys, Home and End; Tab goes past them.
 *
 * @param {KeyboardEvent} event
 * @param {HTMLElement} tree
 */
function moveFocus(event, tree) {
  const steps = { ArrowDown: 1, ArrowUp: -1 };
  const step = steps[/** @type {keyof typeof steps} */ (event.key)];
  const details = /** @type {Element} */ (event.target).closest("summary")?.parentElement;
  if (details instanceof HTMLDetailsElement && (event.key === "ArrowRight" || event.key === "ArrowLeft")) {
    details.open = event.key === "ArrowRight";
    event.preventDefault();
  }
  const isEdge = event.key === "Home" || event.key === "End";
  if (!step && !isEdge) return;
  const entries = entriesOf(tree).filter((entry) => entry.offsetParent !== null);
  const next = isEdge ? entries.at(event.key === "Home" ? 0 : -1)
    : entries[entries.indexOf(/** @type {HTMLElement} */ (document.activeElement)) + step];
  next?.focus();
  event.preventDefault();
}
