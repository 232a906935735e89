// The pipeline: the draft as cards, and the form of the selected one. All changes go to the server as edits.

import { announce, fill, h, icon, toast } from "../../core/dom.js";
import { addKeys, isTyping } from "../../core/keys.js";
import { Canvas } from "./canvas.js";
import { Commits } from "./commits.js";
import { valueOf } from "./controls.js";
import { enableDrag } from "./drag.js";
import * as edits from "./edits.js";
import { formOf } from "./forms.js";
import { Inspector } from "./inspector.js";
import { JSONTextError, appended, parent, parseTree, tokens } from "./jsontree.js";
import { documentOf, holder, references, referableNames } from "./model.js";
import { openPicker } from "./picker.js";

/**
 * @typedef {import("./model.js").Card} Card
 * @typedef {import("./model.js").Catalog} Catalog
 * @typedef {import("./model.js").Doc} Doc
 * @typedef {import("./model.js").Lane} Lane
 * @typedef {import("./forms.js").Form} Form
 * @typedef {import("./picker.js").Offer} Offer
 */

const EMPTY_FILE = "{\n}\n";

class PipelineView {
  /** @param {HTMLElement} root @param {import("../../core/types.js").ViewContext} context */
  constructor(root, { store, api }) {
    this.root = root;
    this.store = store;
    this.commits = new Commits(store);
    /** @type {Doc | null} */
    this.doc = null;
    /** @type {Catalog} */
    this.catalog = { operators: new Map(), sources: new Map() };
    /** @type {string | null} */
    this.selected = null;
    /** @type {{pointer: string, isForm: boolean} | null} */
    this.focusNext = null;
    this.text = "\u0000";
    /** @type {unknown} */
    this.analysis = null;
    this.canvas = new Canvas({
      addOperator: (lane, index) => this.pickOperator(lane, index),
      select: (pointer) => this.select(pointer),
      addItem: (key) => void this.addItem(key),
      showName: (name) => this.showName(name),
    });
    this.inspector = new Inspector({
      store, api, commits: this.commits, doc: () => /** @type {Doc} */ (this.doc),
      select: (pointer, isFocused) => this.select(pointer, { isFocused }),
      rename: (pointer, name) => this.rename(pointer, name),
      title: () => this.inspector.form?.title ?? "the file",
    }, (form) => this.actionsOf(form));
    this.notice = h("div", { class: "notice warn", hidden: true });
    this.empty = h("div", { class: "empty", hidden: true });
    this.body = h("div", { class: "pipeline" }, this.canvas.element, this.inspector.element);
    root.classList.add("pipeline-view");
    fill(root, this.notice, this.empty, this.body);
    this.narrow = window.matchMedia("(max-width: 899px)");
    this.listen();
    void this.loadCatalog();
    this.render();
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
      move: (card, { lane, index }) => void this.move(card, lane, index),
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
        { keys: "ArrowDown", title: "Next card", section }, { keys: "Enter", title: "Edit the fields of a card", section },
        { keys: "Escape", title: "Back to the card", section }, { keys: "A", title: "Add an operator behind a card", section },
        { keys: "Shift+A", title: "Add an operator before a card", section },
        { keys: "D", title: "Duplicate an operator", section },
        { keys: "Alt+ArrowUp", title: "Move an operator up", section },
        { keys: "Alt+ArrowDown", title: "Move an operator down", section },
        { keys: "Delete", title: "Remove a card", section },
        { keys: "Ctrl+Space", title: "Complete an expression", section }),
    ];
    this.end = () => ends.forEach((end) => end());
  }

  async loadCatalog() {
    try {
      const { operators, sources } = await this.store.catalog();
      this.catalog = {
        operators: new Map(operators.map((entry) => [entry.name, entry])),
        sources: new Map(sources.map((entry) => [entry.name, entry])),
      };
      this.text = "\u0000";
      this.render();
    } catch (error) {
      toast(`The catalog of operators is missing. ${/** @type {Error} */ (error).message}`, { kind: "error" });
    }
  }

  // MARK: Drawing

  render() {
    const { path, text, analysis, analyzedText } = this.store.state;
    this.showEmpty(path, text);
    if (path === null || text.trim() === "") {
      this.doc = null;
      return;
    }
    const isFresh = analyzedText === text;
    if (text === this.text && analysis === this.analysis) return;
    try {
      this.doc = documentOf(parseTree(text), this.catalog, analysis);
      this.showNotice(null);
    } catch (error) {
      if (!(error instanceof JSONTextError)) throw error;
      this.showNotice(error);
      return;
    }
    this.text = text;
    this.analysis = analysis;
    this.canvas.update(this.doc);
    this.follow();
    this.mark();
    this.updateForm(isFresh);
    this.applyFocus();
  }

  /** @param {string | null} path @param {string} text */
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
    this.body.toggleAttribute("inert", error !== null);
    if (!error) return;
    const line = this.store.state.text.slice(0, error.offset).split("\n").length;
    fill(this.notice, icon("warning"),
      h("p", null, `The text is not valid JSON in line ${line}: ${error.message}. The cards show it as it was before.`),
      h("button", {
        type: "button", class: "button",
        on: {
          click: () => this.store.set({ view: "text", selection: { range: [error.offset, error.offset] } }),
        },
      }, "Show the text"));
  }

  /** Marks the selected card, and makes it the one that Tab reaches. */
  mark() {
    const { canvas, selected } = this;
    for (const old of canvas.element.querySelectorAll("[aria-current]")) old.removeAttribute("aria-current");
    for (const old of canvas.element.querySelectorAll(".node[tabindex='0']")) old.setAttribute("tabindex", "-1");
    const node = selected === null ? null : canvas.nodeOf(selected);
    node?.setAttribute("aria-current", "true");
    (node ?? canvas.nodes()[0])?.setAttribute("tabindex", "0");
    this.place();
  }

  /** On a narrow screen, the form stands below the selected card. */
  place() {
    const { canvas, inspector, selected } = this;
    const node = selected === null ? null : canvas.nodeOf(selected);
    const isInline = this.narrow.matches && node !== null;
    inspector.element.classList.toggle("is-inline", isInline);
    const isPlaced = isInline ? node.nextElementSibling === inspector.element : inspector.element.parentElement === this.body;
    if (isPlaced) return;
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

  /** @param {string} pointer @param {{isFocused?: boolean}} [options] */
  select(pointer, { isFocused = false } = {}) {
    if (pointer !== this.selected) {
      this.selected = pointer;
      this.mark();
      this.updateForm(true);
      this.store.set({ selection: { pointer } });
    }
    if (isFocused) this.canvas.nodeOf(pointer)?.focus();
  }

  /** @param {string} pointer */
  clicked(pointer) {
    this.select(pointer);
    const card = this.doc?.cards.get(pointer);
    if (card?.kind === "missing") this.pickSource(card.lane);
  }

  /** Follows the selection that another view has made, and forgets a card that is gone. */
  follow() {
    const { doc } = this;
    if (!doc) return;
    const wanted = this.store.state.selection?.pointer;
    if (wanted !== null && wanted !== undefined && wanted !== this.selected) {
      const found = holder(doc, wanted);
      if (found.pointer === this.selected) return;
      this.selected = found.pointer;
      this.mark();
      this.updateForm(true);
      this.canvas.nodeOf(found.pointer)?.scrollIntoView({ block: "nearest" });
    } else if (this.selected !== null && !doc.cards.has(this.selected) && !doc.items.has(this.selected)) {
      this.selected = null;
    }
  }

  /** Selects a card once it is drawn. @param {string} pointer @param {boolean} isForm */
  focusLater(pointer, isForm) {
    this.focusNext = { pointer, isForm };
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
    if (next.isForm) this.inspector.focus();
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
      if (card?.kind === "operator") void this.moveBy(card, event.key === "ArrowUp" ? -1 : 1);
    } else if (!isPlain) return;
    else if (event.key === "ArrowDown") go(nodes()[nodes().indexOf(node) + 1]);
    else if (event.key === "ArrowUp") go(nodes()[nodes().indexOf(node) - 1]);
    else if (event.key === "Home") go(nodes()[0]);
    else if (event.key === "End") go(nodes().at(-1));
    else if (event.key === "ArrowRight") go(this.firstInside(card));
    else if (event.key === "ArrowLeft") go(card?.lane.owner && this.canvas.nodeOf(card.lane.owner.pointer));
    else if (event.key === "Enter") {
      if (card?.kind === "missing") this.pickSource(card.lane);
      else this.inspector.focus();
    } else if (event.key.toLowerCase() === "a") {
      if (card) this.pickOperator(card.lane, edits.operatorIndex(card) + (card.kind === "operator" && !event.shiftKey ? 1 : 0));
      else if (this.doc?.main) this.pickOperator(this.doc.main, Infinity);
    } else if (event.key.toLowerCase() === "d" && card?.kind === "operator") void this.duplicate(card);
    else if (event.key === "Delete" || event.key === "Backspace") void this.remove(pointer);
    else return;
    event.preventDefault();
  }

  /** @param {Card | undefined} card */
  firstInside(card) {
    const lane = card?.branches.find((branch) => branch.lane)?.lane;
    return lane?.cards[0] && this.canvas.nodeOf(lane.cards[0].pointer);
  }

  // MARK: Changes

  /** @param {Form} form @returns {import("./inspector.js").Action[]} */
  actionsOf({ card, pointer, kind }) {
    if (card?.kind === "operator") {
      return [
        { title: "Add after", keys: "A", run: () => this.pickOperator(card.lane, edits.operatorIndex(this.now(card)) + 1) },
        { title: "Duplicate", keys: "D", run: () => void this.duplicate(this.now(card)) },
        { title: "Up", keys: "Alt+↑", run: () => void this.moveBy(this.now(card), -1) },
        { title: "Down", keys: "Alt+↓", run: () => void this.moveBy(this.now(card), 1) },
        { title: "Remove", keys: "Delete", run: () => void this.remove(pointer), isDanger: true },
      ];
    }
    if (card) {
      return [
        { title: card.kind === "missing" ? "Choose a source" : "Choose another source", run: () => this.pickSource(this.now(card).lane) },
        { title: "Add after", keys: "A", run: () => this.pickOperator(this.now(card).lane, 0) },
      ];
    }
    if (kind === "file") return [];
    if (kind === "test") {
      return [
        {
          title: "Show in marbles",
          run: () => {
            this.store.setRun({ test: this.inspector.form?.title ?? null });
            this.store.set({ view: "marbles" });
          },
        },
        { title: "Remove", keys: "Delete", run: () => void this.remove(pointer), isDanger: true },
      ];
    }
    return [{ title: "Remove", keys: "Delete", run: () => void this.remove(pointer), isDanger: true }];
  }

  /** The card as it is now: its form may be older than its lane. @param {Card} card @returns {Card} */
  now(card) {
    return this.doc?.cards.get(card.pointer) ?? card;
  }

  /** @param {Lane} lane @param {number} index */
  pickOperator(lane, index) {
    const at = Math.min(index, edits.operatorCount(lane));
    const offers = [...this.catalog.operators.values()].map((entry) => ({
      name: entry.name, family: entry.family, summary: entry.summary, entry,
      run: () => void this.make(edits.insertOperator(lane, at, edits.templateOf(entry)), `Add ${entry.name}`),
    }));
    openPicker({ title: "Add an operator", offers, onCancel: () => this.refocus() });
  }

  /** @param {Lane} lane */
  pickSource(lane) {
    const { doc } = this;
    if (!doc) return;
    /** @param {any} value */
    const source = (value) => edits.setSource(lane, value);
    /** @type {(name: string, family: string, summary: string, run: () => void) => Offer} */
    const offer = (name, family, summary, run) => ({ name, family, summary, entry: null, run });
    const own = tokens(lane.pointer)[0] === "streams" ? tokens(lane.pointer)[1] : null;
    const offers = [
      ...doc.inputs.map(({ name }) => offer(name, "inputs of this file", "Publishes what the host sends to this input.",
        () => void this.make(source({ input: { name } }), `Read input ${name}`))),
      offer("New input", "inputs of this file", "Declares an input, which the host feeds, and reads it.",
        () => void this.addInputSource(lane)),
      ...doc.streams.filter(({ title }) => title !== own).map(({ title }) => offer(title, "streams of this file",
        "Publishes the values of this stream.", () => void this.make(source({ stream: { name: title } }), `Read ${title}`))),
      offer("Items", "values in the file", "Publishes values that the file has, one after another.",
        () => void this.make(edits.setItems(lane, [1, 2, 3].map((value) =>
          ({ value, operators: [{ delay: { seconds: 1 } }] }))), "Write items")),
      ...[...this.catalog.sources.values()].map((entry) => ({
        name: entry.name, family: entry.family, summary: entry.summary, entry,
        run: () => void this.make(source(edits.templateOf(entry)), `Choose ${entry.name}`),
      })),
    ];
    openPicker({ title: "Choose a source", offers, onCancel: () => this.refocus() });
  }

  refocus() {
    if (this.selected !== null) this.canvas.nodeOf(this.selected)?.focus();
  }

  /** @param {Lane} lane */
  async addInputSource(lane) {
    if (!this.doc) return;
    const name = edits.freeName("input", referableNames(this.doc));
    const added = edits.addMember(this.doc.root, "inputs", name, { type: "string" });
    const source = edits.setSource(lane, { input: { name } });
    await this.make({ edits: [...added.edits, ...source.edits], pointer: added.pointer }, "Add input");
  }

  /** @param {{edits: import("./edits.js").Edit[], pointer: string} | null} change @param {string} label */
  async make(change, label, isForm = true) {
    if (!change) return;
    if (await this.commits.make(change.edits, label)) {
      announce(label);
      this.focusLater(change.pointer, isForm);
    }
  }

  /** @param {Card} card */
  async duplicate(card) {
    if (!card.node) return;
    const value = valueOf(card.node, this.text);
    // Two operators cannot have one id.
    delete value.id;
    await this.make(edits.insertOperator(card.lane, edits.operatorIndex(card) + 1, value), `Duplicate ${card.name}`, false);
  }

  /** @param {Card} card @param {number} step */
  async moveBy(card, step) {
    const target = edits.operatorIndex(card) + step;
    if (target < 0 || target >= edits.operatorCount(card.lane)) return;
    await this.move(card, card.lane, step > 0 ? target + 1 : target);
    announce(`${card.name} is now operator ${target + 1} of ${edits.operatorCount(card.lane)}`);
  }

  /** @param {Card} card @param {Lane} lane @param {number} index */
  async move(card, lane, index) {
    await this.make(edits.moveOperator(card, lane, index), `Move ${card.name}`, false);
  }

  /** @param {string} pointer */
  async remove(pointer) {
    const { doc } = this;
    const card = doc?.cards.get(pointer);
    const item = doc?.items.get(pointer);
    if (!doc || pointer === "" || card?.kind === "missing" || !(card ?? item)) return;
    const nodes = this.canvas.nodes();
    const at = nodes.findIndex((node) => node.dataset.pointer === pointer);
    const before = nodes[at - 1]?.dataset.pointer ?? "";
    const list = parent(pointer);
    const isAlone = item && (doc.root.members.find((m) => `/${m.name}` === list)?.node.members.length === 1);
    const removal = card ? edits.removeCard(card) : [{ remove: { pointer: isAlone ? list : pointer } }];
    const name = (card ?? item)?.name ?? "";
    if (!await this.commits.make(removal, `Remove ${name}`)) return;
    toast(`Removed ${name}.`, { action: { title: "Undo", run: () => this.store.undo() } });
    const next = this.doc?.cards.has(pointer) || this.doc?.items.has(pointer) ? pointer : before;
    this.focusLater(next, false);
  }

  /** @param {"inputs" | "streams" | "outputs" | "tests"} key */
  async addItem(key) {
    const { doc } = this;
    if (!doc) return;
    const names = referableNames(doc);
    if (key === "tests") return this.addTest();
    if (key === "outputs") return this.addOutput();
    const name = edits.freeName(key === "inputs" ? "input" : "stream", names);
    const value = key === "inputs" ? { type: "string" } : { source: { never: {} } };
    await this.make(edits.addMember(doc.root, key, name, value), `Add ${key === "inputs" ? "input" : "named stream"}`);
  }

  /** A file with outputs has no stream of its own, so the first output takes over what the file has. */
  async addOutput() {
    const { doc } = this;
    if (!doc) return;
    const name = edits.freeName("output", doc.outputs.map(({ item }) => item.name));
    const origin = doc.main?.cards[0];
    /** @type {import("./edits.js").Edit[]} */
    const moves = [];
    const added = edits.addMember(doc.root, "outputs", name, { stream: origin?.node ? {} : referableNames(doc)[0] ?? "" });
    if (origin?.node) {
      const to = (/** @type {string} */ key) => appended(added.pointer, "stream", key);
      moves.push({ move: { from: origin.pointer, to: to(origin.kind === "items" ? "stream" : "source") } });
      if (doc.main?.hasOperators) moves.push({ move: { from: "/operators", to: to("operators") } });
    }
    await this.make({ edits: [...added.edits, ...moves], pointer: added.pointer }, "Add output");
  }

  async addTest() {
    const { doc } = this;
    if (!doc) return;
    const inputs = Object.fromEntries(doc.inputs.map(({ name }) => [name, { marbles: "-a-b|" }]));
    const value = { name: "New test", ...(doc.inputs.length ? { inputs } : {}), expect: { marbles: "-|" } };
    const hasTests = doc.root.members.some((m) => m.name === "tests");
    const pointer = appended("/tests", doc.tests.length);
    const edit = hasTests ? { insert: { pointer, value } } : { insert: { pointer: "/tests", value: [value] } };
    await this.make({ edits: [edit], pointer }, "Add test");
  }

  /** @param {string} pointer @param {string} name @returns {Promise<boolean>} */
  async rename(pointer, name) {
    const { doc } = this;
    if (!doc) return false;
    const [section, old] = tokens(pointer);
    const taken = section === "outputs" ? doc.outputs.map(({ item }) => item.name) : referableNames(doc);
    if (taken.includes(name)) return false;
    const found = section === "outputs" ? { values: [], keys: [] } : references(doc, old, section === "inputs");
    const next = appended("", section, name);
    this.focusNext = { pointer: next, isForm: false };
    const isMade = await this.commits.make(edits.rename(pointer, name, found), `Rename ${old} to ${name}`);
    if (isMade && this.doc?.items.has(next)) this.select(next);
    return isMade;
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
