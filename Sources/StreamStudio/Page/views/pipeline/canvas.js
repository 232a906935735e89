// Draws the cards of a draft. Nodes are kept by their place and changed only where their content differs: a file of 500
// operators changes by one keystroke, and most of its cards stay.

import { fill, h, icon } from "../../core/dom.js";
import { countText } from "../../core/values.js";
import { operatorCount, operatorIndex } from "./edits.js";

/**
 * @typedef {import("./model.js").Branch} Branch
 * @typedef {import("./model.js").Card} Card
 * @typedef {import("./model.js").Doc} Doc
 * @typedef {import("./model.js").Item} Item
 * @typedef {import("./model.js").Lane} Lane
 * @typedef {object} Actions
 * @property {(lane: Lane, index: number) => void} addOperator
 * @property {(pointer: string) => void} select
 * @property {(key: "inputs" | "streams" | "outputs" | "tests") => void} addItem
 * @property {(name: string) => void} showName Selects the stream or input of a name.
 */

/** A lane of more cards lays out only those in sight. */
const LONG = 40;

/** @type {Record<string, string>} What joins a stream to an operator, in words. */
const relations = {
  joined: "joined", started: "started for values", fed: "fed by the operator", part: "runs on each part",
};

/**
 * What the problems of a card amount to.
 *
 * @param {Card | Item} owner
 */
function problemText({ problems }) {
  const errors = problems.filter((problem) => problem.severity === "error").length;
  if (errors) return countText(errors, "error");
  const warnings = problems.filter((problem) => problem.severity === "warning").length;
  return warnings ? countText(warnings, "warning") : "";
}

/** A card: one control, whose name says everything that it shows. */
class NodeView {
  /** @param {string} className */
  constructor(className) {
    this.name = h("span", { class: "node-name", dir: "auto" });
    this.label = h("span", { class: "node-label", dir: "auto" });
    this.tag = h("span", { class: "badge" });
    this.problem = h("span", { class: "badge error" });
    this.detail = h("span", { class: "node-detail", dir: "auto" });
    this.message = h("span", { class: "node-message", dir: "auto" });
    this.element = h("button", { type: "button", class: `node ${className}`, tabIndex: -1 },
      h("span", { class: "grip", "aria-hidden": "true" }),
      h("span", { class: "node-line" }, this.name, this.label, this.tag, this.problem), this.detail, this.message);
    this.signature = "";
  }

  /**
   * @param {Card | Item} owner
   * @param {string} pointer
   * @param {string} kind
   * @param {{label: string, tag: string}} [more]
   */
  update(owner, pointer, kind, more) {
    const { label, tag } = more ?? { label: "", tag: "" };
    const problem = problemText(owner);
    const [first] = owner.problems;
    const message = problem && first ? first.message : "";
    const parts = [pointer, kind, owner.name, label, tag, owner.detail, problem, message, first?.severity ?? ""];
    const signature = parts.join("\u0000");
    if (signature === this.signature) return;
    this.signature = signature;
    const { element } = this;
    element.dataset.pointer = pointer;
    element.dataset.kind = kind;
    element.classList.toggle("has-error", first?.severity === "error" && problem !== "");
    for (const [part, text] of /** @type {[HTMLElement, string][]} */ ([
      [this.name, owner.name], [this.label, label], [this.tag, tag], [this.problem, problem],
      [this.detail, owner.detail], [this.message, message],
    ])) {
      part.textContent = text;
      part.hidden = text === "";
    }
    for (const part of [this.problem, this.message]) part.classList.toggle("warn", first?.severity === "warning");
  }
}

/** A card of a lane, with the streams that it holds and the place to add an operator behind it. */
class StepView {
  /** @param {Canvas} canvas */
  constructor(canvas) {
    this.canvas = canvas;
    this.node = new NodeView("step-node");
    this.branches = h("div", { class: "branches", hidden: true });
    this.insert = h("button", {
      type: "button", class: "insert", tabIndex: -1, title: "Add an operator here",
      "aria-label": "Add an operator here",
      on: { click: () => canvas.actions.addOperator(this.card.lane, this.behind) },
    }, icon("add"));
    this.element = h("li", { class: "step" }, this.node.element, this.branches, this.insert);
    /** @type {Card} */
    this.card = /** @type {any} */ (null);
    /** @type {(LaneView | HTMLElement)[]} */
    this.shown = [];
    canvas.steps.set(this.element, this);
  }

  /** The index of an operator that is added behind the card. */
  get behind() {
    return operatorIndex(this.card) + (this.card.kind === "operator" ? 1 : 0);
  }

  /** @param {Card} card */
  update(card) {
    this.card = card;
    this.node.update(card, card.pointer, card.kind, { label: card.label, tag: card.id });
    this.node.element.classList.toggle("missing", card.kind === "missing");
    this.node.element.setAttribute("aria-keyshortcuts", "Enter A D Delete Alt+ArrowUp Alt+ArrowDown");
    this.updateBranches(card.branches);
  }

  /** @param {Branch[]} branches */
  updateBranches(branches) {
    if (branches.length === 0 && this.shown.length === 0) return;
    this.branches.hidden = branches.length === 0;
    const next = branches.map((branch, index) => {
      const old = this.shown[index];
      if (!branch.lane) return this.reference(branch, old);
      const view = old instanceof LaneView ? old : new LaneView(this.canvas, true);
      view.update(branch.lane, branchTitle(branch));
      return view;
    });
    if (next.length === this.shown.length && next.every((view, index) => view === this.shown[index])) return;
    this.shown = next;
    fill(this.branches, next.map((view) => (view instanceof LaneView ? view.element : view)));
  }

  /**
   * @param {Branch} branch
   * @param {LaneView | HTMLElement | undefined} old
   */
  reference(branch, old) {
    const title = branchTitle(branch);
    if (old instanceof HTMLElement && old.dataset.title === title && old.dataset.name === branch.name) return old;
    const { actions } = this.canvas;
    return h("p", { class: "reference", "data-title": title, "data-name": branch.name },
      h("span", { class: "relation" }, title),
      h("button", {
        type: "button", class: "button quiet small", dir: "auto",
        on: { click: () => actions.showName(branch.name ?? "") },
      }, branch.name));
  }
}

/** @param {Branch} branch */
function branchTitle({ field, relation }) {
  const words = relations[relation] ?? relation;
  return words ? `${field}: ${words}` : field;
}

/** A column of cards. */
class LaneView {
  /**
   * @param {Canvas} canvas
   * @param {boolean} isSide Whether it stands beside an operator.
   */
  constructor(canvas, isSide) {
    this.canvas = canvas;
    /** @type {StepView[]} */
    this.views = [];
    this.title = h("p", { class: "lane-title" });
    this.list = h("ol", { class: "lane" });
    this.add = h("button", {
      type: "button", class: "button add-end", on: { click: () => canvas.actions.addOperator(this.lane, Infinity) },
    }, icon("add"), "Add operator");
    this.element = h("div", { class: isSide ? "side-track" : "track" },
      isSide ? this.title : null, this.list, this.add);
    /** @type {Lane} */
    this.lane = /** @type {any} */ (null);
    canvas.lanes.set(this.element, this);
  }

  /**
   * @param {Lane} lane
   * @param {string} title
   */
  update(lane, title) {
    this.lane = lane;
    if (this.title.textContent !== title) this.title.textContent = title;
    this.list.setAttribute("aria-label", title);
    const { cards } = lane;
    while (this.views.length > cards.length) this.views.pop()?.element.remove();
    const added = document.createDocumentFragment();
    cards.forEach((card, index) => {
      let view = this.views[index];
      if (!view) {
        view = new StepView(this.canvas);
        this.views.push(view);
        added.append(view.element);
      }
      view.update(card);
    });
    this.list.append(added);
    this.list.classList.toggle("is-long", cards.length > LONG);
    this.add.setAttribute("aria-label", `Add an operator at the end of ${title}`);
  }

  /** The number of operators. */
  get count() {
    return operatorCount(this.lane);
  }
}

/** A titled part of the page with cards of one sort. */
class Section {
  /**
   * @param {string} title
   * @param {string} empty
   * @param {{title: string, run: () => void} | null} add
   */
  constructor(title, empty, add) {
    this.body = h("div", { class: "section-body" });
    this.title = h("h2", null, title);
    this.emptyText = h("p", { class: "dim" }, empty);
    this.element = h("section", { class: "pipeline-section", "aria-label": title },
      h("header", { class: "row" }, this.title,
        add && h("button", {
          type: "button", class: "button quiet small", on: { click: add.run },
        }, icon("add"), add.title)),
      empty ? this.emptyText : null, this.body);
    /** @type {NodeView[]} */
    this.nodes = [];
  }

  /**
   * @param {Item[]} items
   * @param {string} kind
   */
  updateItems(items, kind) {
    while (this.nodes.length > items.length) this.nodes.pop()?.element.remove();
    items.forEach((item, index) => {
      let node = this.nodes[index];
      if (!node) {
        node = new NodeView("item-node");
        this.nodes.push(node);
        this.body.append(node.element);
      }
      node.update(item, item.pointer, kind);
    });
    this.emptyText.hidden = items.length > 0;
  }
}

/** A named stream or an output: its own card, and its lane. */
class NamedView {
  /** @param {Canvas} canvas */
  constructor(canvas) {
    this.node = new NodeView("item-node");
    this.lane = new LaneView(canvas, false);
    this.element = h("div", { class: "named" }, this.node.element, this.lane.element);
  }

  /**
   * @param {Item} item
   * @param {Lane | null} lane
   * @param {string} kind
   */
  update(item, lane, kind) {
    this.node.update(item, item.pointer, kind);
    this.lane.element.hidden = lane === null;
    if (lane) this.lane.update(lane, item.name);
  }
}

/** All cards of a draft. */
export class Canvas {
  /** @param {Actions} actions */
  constructor(actions) {
    this.actions = actions;
    /** @type {WeakMap<Element, StepView>} */
    this.steps = new WeakMap();
    /** @type {WeakMap<Element, LaneView>} */
    this.lanes = new WeakMap();
    this.file = new NodeView("item-node");
    this.partition = new NodeView("item-node");
    const add = (/** @type {Parameters<Actions["addItem"]>[0]} */ key, /** @type {string} */ title) =>
      ({ title, run: () => actions.addItem(key) });
    const noInputs = "No inputs: the stream needs nothing from outside.";
    this.inputs = new Section("Inputs", noInputs, add("inputs", "Add input"));
    this.streams = new Section("Named streams", "", add("streams", "Add stream"));
    this.main = new Section("Stream", "", null);
    this.outputs = new Section("Outputs", "", add("outputs", "Add output"));
    this.tests = new Section("Tests", "", add("tests", "Add test"));
    this.mainLane = new LaneView(this, false);
    /** What runs on the results of all keys. */
    this.then = new LaneView(this, true);
    this.main.body.append(this.mainLane.element);
    /** @type {NamedView[]} */
    this.namedStreams = [];
    /** @type {NamedView[]} */
    this.namedOutputs = [];
    this.element = h("div", { class: "pipeline-canvas" },
      h("section", { class: "pipeline-section", "aria-label": "File" }, this.file.element),
      this.inputs.element, this.streams.element,
      h("section", { class: "pipeline-section", "aria-label": "Partition" }, this.partition.element, this.then.element),
      this.main.element, this.outputs.element, this.tests.element);
  }

  /** @param {Doc} doc */
  update(doc) {
    const { file } = doc;
    this.file.update({ ...file, name: file.name || "Unnamed stream" }, "", "file");
    this.inputs.updateItems(doc.inputs, "input");
    this.tests.updateItems(doc.tests, "test");
    /** @type {HTMLElement} */ (this.partition.element.parentElement).hidden = doc.partition === null;
    if (doc.partition) this.partition.update(doc.partition, "/partition", "partition");
    this.then.element.hidden = doc.then === null;
    if (doc.then) this.then.update(doc.then, "then: runs on the results of all keys");
    this.updateNamed(this.streams, this.namedStreams, "stream", doc.streams.map((lane) => {
      const item = /** @type {Item} */ (doc.items.get(lane.pointer));
      return { item, lane };
    }));
    this.updateNamed(this.outputs, this.namedOutputs, "output", doc.outputs);
    this.main.element.hidden = doc.main === null;
    if (doc.main) this.mainLane.update(doc.main, "the stream");
  }

  /**
   * @param {Section} section
   * @param {NamedView[]} views
   * @param {string} kind
   * @param {{item: Item, lane: Lane | null}[]} entries
   */
  updateNamed(section, views, kind, entries) {
    while (views.length > entries.length) views.pop()?.element.remove();
    entries.forEach(({ item, lane }, index) => {
      if (!views[index]) {
        views.push(new NamedView(this));
        section.body.append(views[index].element);
      }
      views[index].update(item, lane, kind);
    });
    section.element.classList.toggle("is-empty", entries.length === 0);
  }

  /**
   * All cards in the order of sight.
   *
   * @returns {HTMLElement[]}
   */
  nodes() {
    return /** @type {HTMLElement[]} */ ([...this.element.querySelectorAll(".node")])
      .filter((node) => node.closest("[hidden]") === null);
  }

  /**
   * @param {string} pointer
   * @returns {HTMLElement | null}
   */
  nodeOf(pointer) {
    return this.element.querySelector(`.node[data-pointer="${CSS.escape(pointer)}"]`);
  }
}
