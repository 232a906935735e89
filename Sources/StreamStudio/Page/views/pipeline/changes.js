// What one does to a draft in the pipeline: add, remove, move, rename. Each is one change in the history.

import { announce, toast } from "../../core/dom.js";
import { withEdits } from "../../core/edits.js";
import { valueOf } from "./controls.js";
import * as edits from "./edits.js";
import { appended, parent, tokens } from "./jsontree.js";
import { referableNames } from "./model.js";
import { openPicker } from "./picker.js";

/**
 * @typedef {import("./model.js").Card} Card
 * @typedef {import("./model.js").Doc} Doc
 * @typedef {import("./model.js").Lane} Lane
 * @typedef {import("./forms.js").Form} Form
 * @typedef {import("./picker.js").Offer} Offer
 *
 * @typedef {object} ChangingView The view as far as changes need it.
 * @property {Doc | null} doc
 * @property {import("./model.js").Catalog} catalog
 * @property {string | null} selected
 * @property {import("./canvas.js").Canvas} canvas
 * @property {import("./commits.js").Commits} commits
 * @property {import("../../core/store.js").Store} store
 * @property {import("../../core/api.js").Api} api
 * @property {import("./inspector.js").Inspector} inspector
 * @property {(pointer: string, isForm: boolean, field?: string | null) => void} focusLater
 * @property {() => void} refocus
 */

/** The changes that cards, forms and keys make. */
export class Changes {
  /** @param {ChangingView} view */
  constructor(view) {
    this.view = view;
  }

  /**
   * @param {Form} form
   * @returns {import("./inspector.js").Action[]}
   */
  actionsOf({ card, pointer, kind }) {
    if (card?.kind === "operator") {
      return [
        {
          title: "Add after", keys: "A",
          run: () => this.pickOperator(this.now(card).lane, edits.operatorIndex(this.now(card)) + 1),
        },
        { title: "Duplicate", keys: "D", run: () => void this.duplicate(this.now(card)) },
        { title: "Move to…", run: () => this.pickLane(this.now(card)) },
        { title: "Move up", keys: "Alt+↑", run: () => void this.moveBy(this.now(card), -1) },
        { title: "Move down", keys: "Alt+↓", run: () => void this.moveBy(this.now(card), 1) },
        { title: "Remove", keys: "Delete", run: () => void this.remove(pointer), isDanger: true },
      ];
    }
    if (card) {
      return [
        ...this.openActions(card),
        {
          title: card.kind === "missing" ? "Choose a source" : "Choose another source",
          run: () => this.pickSource(this.now(card).lane),
        },
        { title: "Add after", keys: "A", run: () => this.pickOperator(this.now(card).lane, 0) },
      ];
    }
    if (kind === "file") return [];
    if (kind === "test") {
      return [
        {
          title: "Show in marbles",
          run: () => {
            this.view.store.setRun({ test: this.view.doc?.items.get(pointer)?.name ?? null });
            this.view.store.set({ view: "marbles" });
          },
        },
        { title: "Remove", keys: "Delete", run: () => void this.remove(pointer), isDanger: true },
      ];
    }
    return [{ title: "Remove", keys: "Delete", run: () => void this.remove(pointer), isDanger: true }];
  }

  /**
   * Opens the file that a source refers to.
   *
   * @param {Card} card
   * @returns {import("./inspector.js").Action[]}
   */
  openActions(card) {
    const file = card.name === "stream" && card.fields?.members.find((m) => m.name === "file")?.node.value;
    if (typeof file !== "string") return [];
    const { store } = this.view;
    const run = () => {
      store.open(relativePath(store.state.path ?? "", file)).catch((/** @type {Error} */ error) => {
        toast(`${file} cannot be opened. ${error.message}`, { kind: "error" });
      });
    };
    return [{ title: `Open ${file}`, run }];
  }

  /**
   * The card as it is now: its form may be older than its lane.
   *
   * @param {Card} card
   * @returns {Card}
   */
  now(card) {
    return this.view.doc?.cards.get(card.pointer) ?? card;
  }

  /**
   * @param {Lane} lane
   * @param {number} index
   */
  pickOperator(lane, index) {
    const at = Math.min(index, edits.operatorCount(lane));
    const names = this.otherNames(lane);
    const offers = [...this.view.catalog.operators.values()].map((entry) => ({
      name: entry.name, family: entry.family, summary: entry.summary, entry,
      run: () => void this.make(
        edits.insertOperator(lane, at, edits.templateOf(entry, names)), `Add ${entry.name}`),
    }));
    openPicker({ title: "Add an operator", offers, onCancel: () => this.view.refocus() });
  }

  /** @param {Lane} lane */
  pickSource(lane) {
    const { doc } = this.view;
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
        "Publishes the values of this stream.",
        () => void this.make(source({ stream: { name: title } }), `Read ${title}`))),
      offer("Items", "values in the file", "Publishes values that the file has, one after another.",
        () => void this.make(edits.setItems(lane, [1, 2, 3].map((value) =>
          ({ value, operators: [{ delay: { seconds: 1 } }] }))), "Write items")),
      ...[...this.view.catalog.sources.values()].map((entry) => ({
        name: entry.name, family: entry.family, summary: entry.summary, entry,
        run: () => void this.make(source(edits.templateOf(entry, this.otherNames(lane))), `Choose ${entry.name}`),
      })),
    ];
    openPicker({ title: "Choose a source", offers, onCancel: () => this.view.refocus() });
  }

  /**
   * Asks for the stream that an operator moves to, for those who do not drag.
   *
   * @param {Card} card
   */
  pickLane(card) {
    const { doc } = this.view;
    if (!doc) return;
    /** @type {Map<string, Lane>} */
    const lanes = new Map([...doc.cards.values()].map(({ lane }) => [lane.pointer, lane]));
    const offers = [...lanes.values()]
      .filter((lane) => lane !== card.lane && edits.moveOperator(card, lane, 0) !== null)
      .map((lane) => ({
        name: lane.kind === "main" ? "the stream" : lane.owner ? `${lane.title} of ${lane.owner.name}` : lane.title,
        family: "streams of this file", entry: null, summary: lane.pointer || "The stream of the file.",
        run: () => void this.move(this.now(card), lane, edits.operatorCount(lane)),
      }));
    openPicker({ title: `Move ${card.name} to`, verb: "Move to", offers, onCancel: () => this.view.refocus() });
  }

  /** @param {Lane} lane */
  async addInputSource(lane) {
    if (!this.view.doc) return;
    const name = edits.freeName("input", referableNames(this.view.doc));
    const added = edits.addMember(this.view.doc.root, "inputs", name, { type: "string" });
    const source = edits.setSource(lane, { input: { name } });
    await this.make({ edits: [...added.edits, ...source.edits], pointer: added.pointer }, "Add input");
  }

  /**
   * @param {{edits: import("./edits.js").Edit[], pointer: string} | null} change
   * @param {string} label
   */
  async make(change, label, isForm = true) {
    if (!change) return;
    if (await this.view.commits.make(change.edits, label)) {
      announce(label);
      this.view.focusLater(change.pointer, isForm);
    }
  }

  /** @param {Card} card */
  async duplicate(card) {
    if (!card.node) return;
    const value = valueOf(card.node, this.view.store.state.text);
    // Two operators cannot have one id.
    delete value.id;
    const copy = edits.insertOperator(card.lane, edits.operatorIndex(card) + 1, value);
    await this.make(copy, `Duplicate ${card.name}`, false);
  }

  /**
   * @param {Card} card
   * @param {number} step
   */
  async moveBy(card, step) {
    const target = edits.operatorIndex(card) + step;
    if (target < 0 || target >= edits.operatorCount(card.lane)) return;
    await this.move(card, card.lane, step > 0 ? target + 1 : target);
    announce(`${card.name} is now operator ${target + 1} of ${edits.operatorCount(card.lane)}`);
  }

  /**
   * @param {Card} card
   * @param {Lane} lane
   * @param {number} index
   */
  async move(card, lane, index) {
    await this.make(edits.moveOperator(card, lane, index), `Move ${card.name}`, false);
  }

  /** @param {string} pointer */
  async remove(pointer) {
    const { doc } = this.view;
    const card = doc?.cards.get(pointer);
    const item = doc?.items.get(pointer);
    if (!doc || pointer === "" || card?.kind === "missing" || !(card ?? item)) return;
    const nodes = this.view.canvas.nodes();
    const at = nodes.findIndex((node) => node.dataset.pointer === pointer);
    const before = nodes[at - 1]?.dataset.pointer ?? "";
    const list = parent(pointer);
    const isAlone = item && (doc.root.members.find((m) => `/${m.name}` === list)?.node.members.length === 1);
    const removal = card ? edits.removeCard(card) : [{ remove: { pointer: isAlone ? list : pointer } }];
    const name = (card ?? item)?.name ?? "";
    if (!await this.view.commits.make(removal, `Remove ${name}`)) return;
    toast(`Removed ${name}.`, { action: { title: "Undo", run: () => this.view.store.undo() } });
    const next = this.view.doc?.cards.has(pointer) || this.view.doc?.items.has(pointer) ? pointer : before;
    this.view.focusLater(next, false);
  }

  /** @param {"inputs" | "streams" | "outputs" | "tests"} key */
  async addItem(key) {
    const { doc } = this.view;
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
    const { doc } = this.view;
    if (!doc) return;
    const name = edits.freeName("output", doc.outputs.map(({ item }) => item.name));
    const origin = doc.main?.cards[0];
    /** @type {import("./edits.js").Edit[]} */
    const moves = [];
    const stream = origin?.node ? {} : referableNames(doc)[0] ?? "";
    const added = edits.addMember(doc.root, "outputs", name, { stream });
    if (origin?.node) {
      const to = (/** @type {string} */ key) => appended(added.pointer, "stream", key);
      moves.push({ move: { from: origin.pointer, to: to(origin.kind === "items" ? "stream" : "source") } });
      if (doc.main?.hasOperators) moves.push({ move: { from: "/operators", to: to("operators") } });
    }
    await this.make({ edits: [...added.edits, ...moves], pointer: added.pointer }, "Add output");
  }

  async addTest() {
    const { doc } = this.view;
    if (!doc) return;
    const inputs = Object.fromEntries(doc.inputs.map(({ name }) => [name, { marbles: "-a-b|" }]));
    const value = { name: "New test", ...(doc.inputs.length ? { inputs } : {}), expect: { marbles: "-|" } };
    const hasTests = doc.root.members.some((m) => m.name === "tests");
    const pointer = appended("/tests", doc.tests.length);
    const edit = hasTests ? { insert: { pointer, value } } : { insert: { pointer: "/tests", value: [value] } };
    await this.make({ edits: [edit], pointer }, "Add test");
  }

  /**
   * The streams that an operator of a lane can be joined with: not the one that it is part of.
   *
   * @param {Lane} lane
   * @returns {string[]}
   */
  otherNames(lane) {
    const { doc } = this.view;
    if (!doc) return [];
    const [section, own] = tokens(lane.pointer);
    const source = lane.cards[0]?.fields?.members.find((m) => m.name === "name")?.node.value;
    const names = referableNames(doc).filter((name) => !(section === "streams" && name === own));
    return [...names.filter((name) => name !== source), ...names.filter((name) => name === source)];
  }

  /**
   * Changes a name, with all references to it, which the server knows.
   *
   * @param {string} pointer
   * @param {string} name
   * @returns {Promise<string | null>} What is wrong with the name.
   */
  async rename(pointer, name) {
    const { doc, store } = this.view;
    const [section, old] = tokens(pointer);
    const key = doc?.root.members.find((m) => m.name === section)?.node.members.find((m) => m.name === old);
    if (!doc || !key) return null;
    const label = `Rename ${old} to ${name}`;
    const next = appended("", section, name);
    if (section === "outputs") {
      if (doc.items.has(next)) return "There is an output of this name.";
      await this.make({ edits: [{ renameMember: { pointer, to: name } }], pointer: next }, label, false);
      return null;
    }
    if (referableNames(doc).includes(name)) return `There is a stream or an input '${name}'. Choose another name.`;
    /** @type {string | null} */
    let problem = null;
    await this.view.commits.rename(pointer, next, async () => {
      problem = await this.renameAll(pointer, next, label);
      return problem === null;
    });
    return problem;
  }

  /**
   * @param {string} pointer
   * @param {string} next
   * @param {string} label
   * @returns {Promise<string | null>} What is wrong.
   */
  async renameAll(pointer, next, label) {
    const { doc, store } = this.view;
    const [section, old] = tokens(pointer);
    const name = tokens(next)[1];
    const key = doc?.root.members.find((m) => m.name === section)?.node.members.find((m) => m.name === old);
    if (!key) return null;
    const { path, text } = store.state;
    try {
      const answer = await this.view.api.post("/api/rename", { path, text, at: key.keyFrom + 1, to: name });
      if (store.state.text !== text) return "The text changed meanwhile. Try again.";
      // One may have gone on to another field of the form, which is made anew for the new name.
      const field = this.view.inspector.focusedPointer();
      store.edit(withEdits(text, answer.edits), { label });
      this.view.focusLater(next, false, field?.startsWith(`${pointer}/`) ? next + field.slice(pointer.length) : null);
      return null;
    } catch (error) {
      return /** @type {Error} */ (error).message;
    }
  }
}

/**
 * The path in the folder of a file that another one refers to.
 *
 * @param {string} from The path of the file that refers to it.
 * @param {string} file
 * @returns {string}
 */
export function relativePath(from, file) {
  /** @type {string[]} */
  const parts = [];
  for (const part of [...from.split("/").slice(0, -1), ...file.split("/")]) {
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join("/");
}
