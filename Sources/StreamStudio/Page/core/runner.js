// Asks the server what is wrong with the text and, where a view shows it, what the stream publishes.

import { isAbort, singleFlight } from "./api.js";

/** Follows the changes of the text and of the inputs, with one request at a time. */
export class Runner {
  /**
   * @param {import("./state.js").Observable} store
   * @param {import("./api.js").Api} api
   */
  constructor(store, api) {
    this.store = store;
    this.api = api;
    this.wishes = 0;
    this.timer = 0;
    this.isOutdated = false;
    this.refresh = singleFlight(() => this.analyzeAndRun());
  }

  /** @param {boolean} isWanted */
  wants(isWanted) {
    this.wishes = Math.max(0, this.wishes + (isWanted ? 1 : -1));
    if (isWanted && (this.isOutdated || !this.store.state.run)) this.runSoon();
  }

  runSoon() {
    this.isOutdated = true;
    this.schedule(0);
  }

  /** @param {number} delay In milliseconds; 0 for the end of this microtask. */
  schedule(delay) {
    clearTimeout(this.timer);
    if (delay === 0) queueMicrotask(this.refresh);
    else this.timer = window.setTimeout(this.refresh, delay);
  }

  async analyzeAndRun() {
    const { path, text } = this.store.state;
    if (path === null) return;
    try {
      if (this.store.state.analyzedText !== text || !this.store.state.analysis) {
        const analysis = await this.api.post("/api/analyze", { path, text });
        if (this.store.state.path !== path) return;
        this.isOutdated = true;
        this.store.set({ analysis, analyzedText: text });
      }
      await this.runIfWanted(path, text);
    } catch (error) {
      if (/** @type {any} */ (error).isAway || isAbort(error)) return;
      reportError(error);
    }
  }

  /**
   * @param {string} path
   * @param {string} text
   */
  async runIfWanted(path, text) {
    if (this.wishes === 0 || !this.isOutdated) return;
    if (this.store.state.analysis?.diagnostics.some((diagnostic) => diagnostic.severity === "error")) {
      this.store.set({ runIsStale: true });
      return;
    }
    const { runRequest } = this.store.state;
    const wish = Object.fromEntries(Object.entries(runRequest).filter(([, value]) => value !== null));
    try {
      const run = await this.api.run({ path, text, ...wish }, this.store.state.run);
      if (this.store.state.path !== path) return;
      if (this.store.state.runRequest === runRequest) this.isOutdated = false;
      // The very inputs that were sent: comparing them with the present ones takes no time.
      if (runRequest.inputs) run.inputs = runRequest.inputs;
      this.store.set({ run, runIsStale: false, runError: null });
    } catch (error) {
      if (/** @type {any} */ (error).isAway || this.store.state.path !== path) return;
      this.isOutdated = false;
      this.store.set({ runIsStale: true, runError: /** @type {any} */ (error) });
    }
  }
}
