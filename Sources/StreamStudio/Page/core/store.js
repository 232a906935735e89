// The one store. A view reads `store.state`, subscribes to its keys, and changes it by methods.

import { Documents } from "./documents.js";
import { Runner } from "./runner.js";

/**
 * @typedef {import("./state.js").State} State
 * @typedef {import("./state.js").Conflict} Conflict
 * @typedef {import("./state.js").RunRequest} RunRequest
 * @typedef {import("./types.js").Inputs} Inputs
 */

/** The state, and the only ways to change it. */
export class Store extends Documents {
  /** @param {import("./api.js").Api} api */
  constructor(api) {
    super(api);
    this.runner = new Runner(this, api);
    /** @type {Promise<import("./types.js").Catalog> | null} */
    this.catalogAnswer = null;
    api.addEventListener("off", () => this.set({ connection: "off" }));
  }

  /**
   * The catalog of operators and sources, which is asked for once.
   *
   * @returns {Promise<import("./types.js").Catalog>}
   */
  catalog() {
    this.catalogAnswer ??= this.api.get("/api/catalog").catch((error) => {
      this.catalogAnswer = null;
      throw error;
    });
    return this.catalogAnswer;
  }

  // MARK: Changes

  /**
   * Changes the text by edits that name members by their JSON pointer. The server makes the new text, in which every
   * other byte stays.
   *
   * @param {object[]} edits
   * @param {string} label
   * @param {{group?: string}} [options]
   * @returns {Promise<boolean>} False if the text was changed otherwise meanwhile, so that the edits were not made.
   */
  change(edits, label, options = {}) {
    return this.coming(this.makeChange(edits, label, options));
  }

  /**
   * @param {object[]} edits
   * @param {string} label
   * @param {{group?: string}} options
   */
  async makeChange(edits, label, options) {
    const { path, text } = this.state;
    const answer = await this.api.post("/api/edit", { path, text, edits });
    if (this.state.path !== path || this.state.text !== text) return false;
    this.edit(answer.text, { label, group: options.group });
    return true;
  }

  undo() {
    this.apply(this.current?.history.undo() ?? null, "before");
  }

  redo() {
    this.apply(this.current?.history.redo() ?? null, "after");
  }

  /**
   * @param {import("./history.js").Change<any> | null} change
   * @param {"before" | "after"} side
   */
  apply(change, side) {
    if (!change || !this.current) return;
    if (change.kind === "text") {
      this.replace(change[side]);
    } else {
      this.current.runRequest = change[side];
      this.publish();
      this.runSoon();
    }
  }

  // MARK: Runs

  /**
   * Says that a view needs runs, or no longer does.
   *
   * @param {boolean} isWanted
   */
  wantsRun(isWanted) {
    this.runner.wants(isWanted);
  }

  /**
   * Sets what the marbles feed.
   *
   * @param {Inputs | null} inputs
   * @param {{label?: string, group?: string}} [options]
   */
  setInputs(inputs, options = {}) {
    const { label = "Change inputs", group } = options;
    this.setRequest({ ...this.state.runRequest, inputs, test: null }, label, group);
  }

  /**
   * Chooses the test whose inputs are fed, the duration of the run, or its largest number of values.
   *
   * @param {{test?: string | null, seconds?: number | null, limit?: number | null}} options
   */
  setRun(options) {
    const request = { ...this.state.runRequest, ...options };
    if (options.test !== undefined) request.inputs = null;
    this.setRequest(request, "Change the run");
  }

  /**
   * @param {RunRequest} request
   * @param {string} label
   * @param {string} [group]
   */
  setRequest(request, label, group) {
    const open = this.current;
    if (!open) return;
    open.history.add("inputs", open.runRequest, request, { label, group });
    open.runRequest = request;
    this.publish();
    this.runSoon();
  }

  /** Runs at the next moment: while one drags, the answer must follow the pointer. */
  runSoon() {
    this.runner.runSoon();
  }

  /** @param {number} delay */
  textChanged(delay) {
    this.runner.schedule(delay);
  }
}
