// The pipeline: the draft as cards, and the form of the selected one. All changes go to the server as edits.

import { fill, h, icon, toast } from "../../core/dom.js";
import { addKeys, isTyping } from "../../core/keys.js";
import { Canvas } from "./canvas.js";
import { Changes } from "./changes.js";
import { Commits } from "./commits.js";
import { enableDrag } from "./drag.js";
import { operatorIndex } from "./edits.js";
import { formOf } from "./forms.js";
import { Inspector } from "./inspector.js";
import { JSONTextError, appended, parseTree } from "./jsontree.js";
import { documentOf, holder } from "./model.js";

/**
 * @typedef {import("./model.js").Card} Card
 * @typedef {import("./model.js").Catalog} Catalog
 * @typedef {import("./model.js").Doc} Doc
 */

const EMPTY_FILE = "{\n}\n";

class PipelineView {
  /**
   * @param {HTMLElement} root
   * @param {import("../../core/types.js").ViewContext} context
   */
  constructor(root, { store, api }) {
    this.root = root;
    this.store = store;
    this.api = api;
    this.commits = new Commits(store);
    /** @type {Doc | null} */
    this.doc = null;
    /** @type {Catalog} */
    this.catalog = { operators: new Map(), sources: new Map() };
    /** @type {string | null} */
    this.selected = null;
    /** @type {{pointer: string, isForm: boolean, field: string | null} | null} */
    this.focusNext = null;
    this.text = "\u0000";
    this.isReady = false;
    /** @type {string | null} */
    this.path = null;
    /** @type {unknown} */
    this.analysis = null;
    this.changes = new Changes(this);
    const { changes } = this;
    /** @type {Canvas} */
    this.canvas = new Canvas({
      addOperator: (lane, index) => changes.pickOperator(lane, index),
      select: (pointer) => this.select(pointer),
      addItem: (key) => void changes.addItem(key),
      showName: (name) => this.showName(name),
    });
    /** @type {Inspector} */
    this.inspector = new Inspector({
      store, api, commits: this.commits, doc: () => /** @type {Doc} */ (this.doc),
      select: (pointer, isFocused) => this.select(pointer, { isFocused }),
      rename: (pointer, name) => changes.rename(pointer, name),
      title: () => this.inspector.form?.title ?? "the file",
    }, (form) => changes.actionsOf(form));
    this.notice = h("div", { class: "notice warn", hidden: true });
    this.empty = h("div", { class: "empty", hidden: true });
    this.body = h("div", { class: "pipeline" }, this.canvas.element, this.inspector.element);
    root.classList.add("pipeline-view");
    fill(root, this.notice, this.empty, this.body);
    this.narrow = window.matchMedia("(max-width: 899px)");
    this.end = this.listen();
    void this.loadCatalog();
  }

  listen() {
    const { canvas, store } = this;
    canvas.element.addEventListener("click", (event) => {
      const node = event.target instanceof Element ? event.target.closest(".node") : null;
      if (node instanceof HTMLElement) this.clicked(node.dataset.pointer ?? "");
    });
    canvas.element.addEventListener("focusin", (event) => {
      const node = event.target;
      if (node instanceof HTMLElement && node.classList.contains("node")) this.select(node.dataset.pointer ?? "");
    });
    canvas.element.addEventListener("keydown", (event) => this.key(event));
    this.inspector.element.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || event.defaultPrevented || this.selected === null) return;
      event.preventDefault();
      canvas.nodeOf(this.selected)?.focus();
    });
    enableDrag(canvas, {
      cardOf: (pointer) => this.doc?.cards.get(pointer),
      move: (card, { lane, index }) => void this.changes.move(card, lane, index),
      select: (pointer) => this.select(pointer),
    });
    const place = () => this.place();
    this.narrow.addEventListener("change", place);
    const section = "Pipeline";
    const ends = [
      store.subscribe(["text", "path", "analysis", "analyzedText"], () => this.render()),
      store.subscribe(["selection"], () => this.follow()),
      () => this.narrow.removeEventListener("change", place),
      addKeys(
        { keys: "ArrowDown", title: "Next card", section },
        { keys: "Enter", title: "Edit the fields of a card", section },
        { keys: "Escape", title: "Back to the card", section },
        { keys: "A", title: "Add an operator behind a card", section },
        { keys: "Shift+A", title: "Add an operator before a card", section },
        { keys: "D", title: "Duplicate an operator", section },
        { keys: "Alt+ArrowUp", title: "Move an operator up", section },
        { keys: "Alt+ArrowDown", title: "Move an operator down", section },
        { keys: "Delete", title: "Remove a card", section },
        { keys: "Ctrl+Space", title: "Complete an expression", section }),
    ];
    return () => ends.forEach((end) => end());
  }

  /** Draws once the catalog is there: without it, fields and inner streams are unknown. */
  async loadCatalog() {
    try {
      const { operators, sources } = await this.store.catalog();
      this.catalog = {
        operators: new Map(operators.map((entry) => [entry.name, entry])),
        sources: new Map(sources.map((entry) => [entry.name, entry])),
      };
    } catch (error) {
      toast(`The catalog of operators is missing. ${/** @type {Error} */ (error).message}`, { kind: "error" });
    }
    this.isReady = true;
    this.render();
  }

  // MARK: Drawing

  render() {
    if (!this.isReady) return;
    const { path, text, analysis, analyzedText } = this.store.state;
    this.showEmpty(path, text);
    if (path !== this.path || text.trim() === "") {
      this.path = path;
      this.doc = null;
      this.selected = null;
    }
    if (path === null || text.trim() === "") return;
    const isFresh = analyzedText === text;
    if (text === this.text && analysis === this.analysis) return;
    try {
      this.doc = documentOf(parseTree(text), this.catalog, analysis, path);
      this.showNotice(null);
    } catch (error) {
      if (!(error instanceof JSONTextError)) throw error;
      this.showNotice(error);
      return;
    }
    this.text = text;
    this.analysis = analysis;
    const place = this.focusedPlace();
    this.canvas.update(this.doc);
    this.follow();
    this.mark();
    this.updateForm(isFresh);
    this.applyFocus();
    // A card that went away, by an undo for example, must not take the focus with it.
    if (place >= 0 && document.activeElement === document.body) this.canvas.nodes()[Math.max(place - 1, 0)]?.focus();
  }

  /**
   * @param {string | null} path
   * @param {string} text
   */
  showEmpty(path, text) {
    const isEmpty = path === null || text.trim() === "";
    this.empty.hidden = !isEmpty;
    this.body.hidden = isEmpty;
    if (!isEmpty) return;
    this.text = "\u0000";
    const begin = h("button", {
      type: "button", class: "button primary",
      on: { click: () => this.store.edit(EMPTY_FILE, { label: "Begin a stream" }) },
    }, "Begin a stream");
    fill(this.empty, h("h2", null, path === null ? "No stream is open" : "This file is empty"),
      h("p", null, path === null ? "Choose a file on the left, or create a new stream." : "A stream is a JSON object."),
      path !== null && begin);
  }

  /** @param {JSONTextError | null} error */
  showNotice(error) {
    this.notice.hidden = error === null;
    this.body.hidden = error !== null && this.doc === null;
    this.body.toggleAttribute("inert", error !== null);
    if (!error) return;
    const line = this.store.state.text.slice(0, error.offset).split("\n").length;
    const consequence = this.doc ? " The cards show it as it was before." : "";
    fill(this.notice, icon("warning"),
      h("p", null, `The text is not valid JSON in line ${line}: ${error.message}.${consequence}`),
      h("button", {
        type: "button", class: "button",
        on: {
          click: () => this.store.set({ view: "text", selection: { range: [error.offset, error.offset] } }),
        },
      }, "Show the text"));
  }

  /** The place among all cards of the one that has the focus, or whose form has it; -1 if there is none. */
  focusedPlace() {
    const active = document.activeElement;
    if (!(active instanceof HTMLElement) || !this.body.contains(active)) return -1;
    const isForm = this.inspector.element.contains(active) && this.selected !== null;
    const node = isForm ? this.canvas.nodeOf(this.selected ?? "") : active.closest(".node");
    return node instanceof HTMLElement ? this.canvas.nodes().indexOf(node) : -1;
  }

  /** Marks the selected card, and makes it the one that Tab reaches. */
  mark() {
    const { canvas, selected } = this;
    for (const old of canvas.element.querySelectorAll("[aria-current]")) old.removeAttribute("aria-current");
    for (const old of canvas.element.querySelectorAll(".node[tabindex='0']")) old.setAttribute("tabindex", "-1");
    const node = selected === null ? null : canvas.nodeOf(selected);
    node?.setAttribute("aria-current", "true");
    (node ?? canvas.file.element).setAttribute("tabindex", "0");
    this.place();
  }

  /** On a narrow screen, the form stands below the selected card. */
  place() {
    const { canvas, inspector, selected } = this;
    const node = selected === null ? null : canvas.nodeOf(selected);
    const isInline = this.narrow.matches && node !== null;
    inspector.element.classList.toggle("is-inline", isInline);
    const { element } = inspector;
    if (isInline ? node.nextElementSibling === element : element.parentElement === this.body) return;
    const focused = inspector.element.contains(document.activeElement) ? document.activeElement : null;
    if (isInline) node.after(inspector.element);
    else this.body.append(inspector.element);
    if (focused instanceof HTMLElement) focused.focus();
  }

  /** @param {boolean} isFresh */
  updateForm(isFresh) {
    const form = this.doc && this.selected !== null ? formOf(this.doc, this.selected) : null;
    this.inspector.update(form, isFresh);
  }

  // MARK: Selection

  /**
   * @param {string} pointer
   * @param {{isFocused?: boolean}} [options]
   */
  select(pointer, options) {
    if (pointer !== this.selected) {
      this.selected = pointer;
      this.mark();
      this.updateForm(true);
      this.followed = { pointer };
      this.store.set({ selection: this.followed });
    }
    if (options?.isFocused) this.canvas.nodeOf(pointer)?.focus();
  }

  /** @param {string} pointer */
  clicked(pointer) {
    this.select(pointer);
    const card = this.doc?.cards.get(pointer);
    if (card?.kind === "missing") this.changes.pickSource(card.lane);
  }

  /** @type {import("../../core/store.js").State["selection"] | undefined} */
  followed;

  /** Follows the selection that another view has made, and forgets a card that is gone. */
  follow() {
    const { doc } = this;
    if (!doc) return;
    const { selection } = this.store.state;
    const isNew = selection !== this.followed;
    this.followed = selection;
    const wanted = selection?.pointer;
    if (isNew && wanted !== null && wanted !== undefined && wanted !== this.selected) {
      const { pointer } = holder(doc, wanted);
      this.selected = pointer;
      this.mark();
      this.updateForm(true);
      this.canvas.nodeOf(pointer)?.scrollIntoView({ block: "nearest" });
      // A place inside a card, such as that of a problem, is a field of its form.
      if (wanted !== pointer) this.inspector.focusAt(wanted, selection?.range ?? null);
    } else if (this.selected !== null && !doc.cards.has(this.selected) && !doc.items.has(this.selected)) {
      this.selected = null;
    }
  }

  /**
   * Selects a card once it is drawn.
   *
   * @param {string} pointer
   * @param {boolean} isForm
   * @param {string | null} [field] The field of its form that gets the focus.
   */
  focusLater(pointer, isForm, field = null) {
    this.focusNext = { pointer, isForm, field };
    this.applyFocus();
  }

  applyFocus() {
    const next = this.focusNext;
    if (!next || !(this.doc?.cards.has(next.pointer) || this.doc?.items.has(next.pointer))) return;
    const node = this.canvas.nodeOf(next.pointer);
    if (!node) return;
    this.focusNext = null;
    this.select(next.pointer);
    node.focus();
    node.scrollIntoView({ block: "nearest" });
    if (next.field !== null) this.inspector.focusAt(next.field, null);
    else if (next.isForm) this.inspector.focus();
  }

  /** @param {string} name */
  showName(name) {
    const { doc } = this;
    if (!doc) return;
    const stream = appended("/streams", name);
    const input = appended("/inputs", name);
    const pointer = doc.items.has(stream) ? stream : doc.items.has(input) ? input : null;
    if (pointer) this.focusLater(pointer, false);
    else toast(`No stream and no input has the name '${name}'.`);
  }

  // MARK: Keys

  /** @param {KeyboardEvent} event */
  key(event) {
    const node = event.target;
    if (!(node instanceof HTMLElement) || !node.classList.contains("node") || isTyping(event)) return;
    const pointer = node.dataset.pointer ?? "";
    const card = this.doc?.cards.get(pointer);
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
    const nodes = () => this.canvas.nodes();
    const go = (/** @type {HTMLElement | null | undefined} */ other) => {
      other?.focus();
      other?.scrollIntoView({ block: "nearest" });
    };
    if (event.altKey && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
      if (card?.kind === "operator") void this.changes.moveBy(card, event.key === "ArrowUp" ? -1 : 1);
    } else if (!isPlain) return;
    else if (event.key === "ArrowDown") go(nodes()[nodes().indexOf(node) + 1]);
    else if (event.key === "ArrowUp") go(nodes()[nodes().indexOf(node) - 1]);
    else if (event.key === "Home") go(nodes()[0]);
    else if (event.key === "End") go(nodes().at(-1));
    else if (event.key === "ArrowRight") go(this.firstInside(card));
    else if (event.key === "ArrowLeft") go(card?.lane.owner && this.canvas.nodeOf(card.lane.owner.pointer));
    else if (event.key === "Enter") {
      if (card?.kind === "missing") this.changes.pickSource(card.lane);
      else this.inspector.focus();
    } else if (event.key.toLowerCase() === "a") {
      const isBehind = card?.kind === "operator" && !event.shiftKey;
      if (card) this.changes.pickOperator(card.lane, operatorIndex(card) + (isBehind ? 1 : 0));
      else if (this.doc?.main) this.changes.pickOperator(this.doc.main, Infinity);
    } else if (event.key.toLowerCase() === "d" && card?.kind === "operator") void this.changes.duplicate(card);
    else if (event.key === "Delete" || event.key === "Backspace") void this.changes.remove(pointer);
    else return;
    event.preventDefault();
  }

  /** @param {Card | undefined} card */
  firstInside(card) {
    const lane = card?.branches.find((branch) => branch.lane)?.lane;
    return lane?.cards[0] && this.canvas.nodeOf(lane.cards[0].pointer);
  }

  refocus() {
    if (this.selected !== null) this.canvas.nodeOf(this.selected)?.focus();
  }
}

/** @type {import("../../core/types.js").View} */
export const view = {
  id: "pipeline",
  title: "Pipeline",
  hint: "The stream as cards: add operators, fill in their fields, put them in another order.",
  mount(root, context) {
    const pipeline = new PipelineView(root, context);
    return {
      unmount() {
        pipeline.end();
        root.classList.remove("pipeline-view");
      },
    };
  },
};
