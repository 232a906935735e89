// The state that all views share. A view reads `store.state`, subscribes to its keys, and changes it by methods.

import { isAbort, singleFlight } from "./api.js";
import { keepDraft, keptDraft, keptPaths } from "./drafts.js";
import { History } from "./history.js";

/**
 * @typedef {import("./types.js").Analysis} Analysis
 * @typedef {import("./types.js").Run} Run
 * @typedef {import("./types.js").Inputs} Inputs
 *
 * @typedef {{inputs: Inputs | null, test: string | null, seconds: number | null, limit: number | null}} RunRequest
 * Without `inputs` and `test`, the server feeds those of the file's first test.
 *
 * @typedef {{path: string, text: string, digest: string | null}} Conflict
 * The file as it is on disk (`digest` null: it was removed), while there are unsaved changes to another version.
 *
 * @typedef {object} State
 * @property {import("./types.js").Studio | null} studio
 * @property {import("./types.js").FileEntry[]} files
 * @property {import("./types.js").DataEntry[]} recordings
 * @property {{path: string}[]} states
 * @property {import("./types.js").DataEntry[]} data
 * @property {string | null} view
 * @property {string | null} path
 * @property {string} text
 * @property {{text: string, digest: string} | null} saved Null for a stream that is not on disk.
 * @property {boolean} isDirty Whether the text differs from what is saved.
 * @property {string[]} unsavedPaths
 * @property {string | null} origin Where an unsaved stream came from, such as a link.
 * @property {Conflict | null} conflict
 * @property {Analysis | null} analysis
 * @property {string | null} analyzedText The text that `analysis` is about: its ranges are offsets into that.
 * @property {Run | null} run
 * @property {boolean} runIsStale Whether `run` is that of an older text, since the present one has errors.
 * @property {import("./api.js").ApiError | null} runError
 * @property {RunRequest} runRequest
 * @property {{pointer?: string | null, range?: [number, number] | null} | null} selection
 * @property {number | string | null} pick The event that is picked in the marbles.
 * @property {"on" | "off"} connection
 * @property {"light" | "dark" | "system"} theme
 * @property {string | null} undoLabel
 * @property {string | null} redoLabel
 *
 * @typedef {object} OpenFile
 * @property {string} path
 * @property {string} text
 * @property {{text: string, digest: string} | null} saved
 * @property {string | null} origin
 * @property {Conflict | null} conflict
 * @property {History} history
 * @property {RunRequest} runRequest
 */

const ANALYSIS_DELAY = 60;

/** @returns {RunRequest} */
function emptyRequest() {
  return { inputs: null, test: null, seconds: null, limit: null };
}

/** The state, and the only ways to change it. */
export class Store extends EventTarget {
  /** @param {import("./api.js").Api} api */
  constructor(api) {
    super();
    this.api = api;
    /** @type {State} */
    this.state = {
      studio: null, files: [], recordings: [], states: [], data: [], view: null, path: null, text: "", saved: null,
      isDirty: false, unsavedPaths: keptPaths(), origin: null, conflict: null, analysis: null, analyzedText: null,
      run: null, runIsStale: false, runError: null, runRequest: emptyRequest(), selection: null, pick: null,
      connection: "on", theme: "system", undoLabel: null, redoLabel: null,
    };
    /** @type {Map<string, OpenFile>} */
    this.openFiles = new Map();
    /** @type {OpenFile | null} */
    this.current = null;
    /** @type {Set<{keys: Set<string> | null, notify: (state: State, changed: Set<string>) => void}>} */
    this.subscribers = new Set();
    /** @type {Set<string>} */
    this.changed = new Set();
    this.runWishes = 0;
    this.timer = 0;
    this.isRunOutdated = false;
    this.refresh = singleFlight(() => this.analyzeAndRun());
    /** @type {Promise<import("./types.js").Catalog> | null} */
    this.catalogAnswer = null;
    api.addEventListener("off", () => this.set({ connection: "off" }));
  }

  // MARK: State

  /**
   * Calls a function, once per microtask, after any of some keys has changed.
   *
   * @param {(keyof State)[] | null} keys Null for all.
   * @param {(state: State, changed: Set<string>) => void} notify
   * @returns {() => void} Ends the subscription.
   */
  subscribe(keys, notify) {
    const subscriber = { keys: keys && new Set(/** @type {string[]} */ (keys)), notify };
    this.subscribers.add(subscriber);
    return () => this.subscribers.delete(subscriber);
  }

  /** @param {Partial<State>} values */
  set(values) {
    for (const [key, value] of Object.entries(values)) {
      const state = /** @type {any} */ (this.state);
      if (state[key] === value) continue;
      state[key] = value;
      this.touch(/** @type {keyof State} */ (key));
    }
  }

  /**
   * Tells the subscribers about a key, as if it had changed.
   *
   * @param {keyof State} key
   */
  touch(key) {
    if (this.changed.size === 0) queueMicrotask(() => this.notify());
    this.changed.add(key);
  }

  notify() {
    const changed = this.changed;
    this.changed = new Set();
    for (const { keys, notify } of [...this.subscribers]) {
      if (keys && ![...changed].some((key) => keys.has(key))) continue;
      try {
        notify(this.state, changed);
      } catch (error) {
        // One view's mistake must not keep the others from what they need to know.
        reportError(error);
      }
    }
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

  // MARK: Files

  async loadFiles() {
    const { files, recordings, states, data } = await this.api.get("/api/files");
    this.set({ files: files ?? [], recordings: recordings ?? [], states: states ?? [], data: data ?? [] });
  }

  /**
   * Shows a file. Unsaved changes to the one before stay, and are there when one comes back to it.
   *
   * @param {string} path
   */
  async open(path) {
    const known = this.openFiles.get(path);
    if (known && !known.saved) return this.show(known);
    const draft = known ? null : keptDraft(path);
    let file;
    try {
      file = await this.api.get("/api/file", { path }, { signal: this.api.latest("open") });
    } catch (error) {
      if (isAbort(error)) return;
      const open = known ?? (draft && this.opened(path, draft.text, draft.saved, draft.origin));
      if (!open) throw error;
      return this.show(open);
    }
    const saved = { text: file.text, digest: file.digest };
    const open = known ?? this.opened(path, draft?.text ?? file.text, draft?.saved ?? saved, draft?.origin ?? null);
    this.reconcile(open, saved);
    this.show(open);
  }

  /**
   * Shows a new stream that is not on disk yet; saving creates its file.
   *
   * @param {string} path
   * @param {string} text
   * @param {{origin?: string, inputs?: Inputs | null}} [options]
   */
  create(path, text, options = {}) {
    const open = this.opened(path, text, null, options.origin ?? null);
    if (options.inputs) open.runRequest = { ...emptyRequest(), inputs: options.inputs };
    this.show(open);
    this.keep();
  }

  /**
   * A path that no file and no unsaved stream has, made from the one that is wished.
   *
   * @param {string} path
   * @returns {string}
   */
  freePath(path) {
    const taken = new Set([...this.state.files.map((file) => file.path), ...this.openFiles.keys(), ...keptPaths()]);
    const stem = path.replace(/\.json$/, "");
    let free = `${stem}.json`;
    for (let number = 2; taken.has(free); number += 1) free = `${stem}-${number}.json`;
    return free;
  }

  /**
   * @param {string} path
   * @param {string} text
   * @param {{text: string, digest: string} | null} saved
   * @param {string | null} origin
   * @returns {OpenFile}
   */
  opened(path, text, saved, origin) {
    const open = {
      path, text, saved, origin, conflict: null, history: new History(), runRequest: emptyRequest(),
    };
    this.openFiles.set(path, open);
    return open;
  }

  /** @param {OpenFile} open */
  show(open) {
    const isOther = this.current !== open;
    this.current = open;
    this.set({ path: open.path, runRequest: open.runRequest });
    if (isOther) {
      this.set({
        analysis: null, analyzedText: null, run: null, runIsStale: false, runError: null, selection: null, pick: null,
      });
    }
    this.publish();
    this.scheduleRefresh(0);
  }

  /** Copies what has changed of the current file into the state. */
  publish() {
    const open = this.current;
    if (!open) return;
    const { text, saved, origin, conflict, history, runRequest } = open;
    this.set({
      text, saved, origin, conflict, runRequest, isDirty: text !== saved?.text, undoLabel: history.undoLabel,
      redoLabel: history.redoLabel, unsavedPaths: this.unsavedPaths(),
    });
  }

  unsavedPaths() {
    const kept = keptPaths().filter((path) => !this.openFiles.has(path));
    const open = [...this.openFiles.values()].filter((file) => file.text !== file.saved?.text).map((file) => file.path);
    const paths = [...kept, ...open].sort();
    return paths.join("\n") === this.state.unsavedPaths.join("\n") ? this.state.unsavedPaths : paths;
  }

  /** Keeps the unsaved text for a reload, or forgets it once it is saved. */
  keep() {
    const open = this.current;
    if (!open) return;
    const { path, text, saved, origin } = open;
    keepDraft(path, text === saved?.text ? null : { text, saved, origin });
  }

  /**
   * Forgets a file's unsaved changes. The caller has asked.
   *
   * @param {string} path
   */
  async discard(path) {
    const open = this.openFiles.get(path);
    keepDraft(path, null);
    if (open?.saved && open === this.current) {
      this.edit(open.saved.text, { label: "Discard changes" });
      return;
    }
    this.openFiles.delete(path);
    if (open === this.current) {
      this.current = null;
      this.set({
        path: null, text: "", saved: null, isDirty: false, origin: null, conflict: null, analysis: null, run: null,
        undoLabel: null, redoLabel: null, runError: null,
      });
    }
    this.set({ unsavedPaths: this.unsavedPaths() });
  }

  // MARK: Changes

  /**
   * Changes the text. All views do it by this, so that there is one history.
   *
   * @param {string} text
   * @param {{label: string, group?: string}} options Changes of one group within a second are undone together.
   */
  edit(text, { label, group }) {
    const open = this.current;
    if (!open || text === open.text) return;
    open.history.add("text", open.text, text, { label, group });
    this.replace(text);
  }

  /** @param {string} text */
  replace(text) {
    const open = this.current;
    if (!open) return;
    open.text = text;
    this.publish();
    this.scheduleRefresh(ANALYSIS_DELAY);
    clearTimeout(this.keepTimer);
    this.keepTimer = window.setTimeout(() => this.keep(), 300);
  }

  /** @type {number | undefined} */
  keepTimer;

  /**
   * Changes the text by edits that name members by their JSON pointer. The server makes the new text, in which every
   * other byte stays.
   *
   * @param {object[]} edits
   * @param {string} label
   * @param {{group?: string}} [options]
   * @returns {Promise<boolean>} False if the text was changed otherwise meanwhile, so that the edits were not made.
   */
  async change(edits, label, options = {}) {
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

  /**
   * Saves the current file.
   *
   * @returns {Promise<"saved" | "conflict">}
   */
  async save() {
    const open = this.current;
    if (!open) return "saved";
    const { path, text, saved } = open;
    try {
      const body = { text, base: saved?.digest ?? null, baseText: saved?.text };
      const { digest } = await this.api.put("/api/file", { path }, body);
      open.saved = { text, digest };
      open.origin = null;
      open.conflict = null;
    } catch (error) {
      const current = /** @type {any} */ (error).status === 409 ? /** @type {any} */ (error).body?.current : null;
      if (!current) throw error;
      open.conflict = { path, ...current };
      this.publish();
      return "conflict";
    }
    open.history.endGroup();
    this.publish();
    this.keep();
    this.loadFiles().catch(() => {});
    return "saved";
  }

  /**
   * Saves the current text under another path, which must be free, and shows that file.
   *
   * @param {string} path
   */
  async saveAs(path) {
    const open = this.current;
    if (!open) return;
    const { digest } = await this.api.put("/api/file", { path }, { text: open.text, base: null });
    keepDraft(open.path, null);
    this.openFiles.delete(open.path);
    const copy = this.opened(path, open.text, { text: open.text, digest }, null);
    copy.history = open.history;
    copy.runRequest = open.runRequest;
    this.show(copy);
    await this.loadFiles();
  }

  /**
   * Ends a conflict with the version on disk.
   *
   * @param {string} text The text to go on with: ours, theirs or a merged one.
   * @param {string} label
   */
  resolve(text, label) {
    const open = this.current;
    if (!open?.conflict) return;
    const { text: theirs, digest } = open.conflict;
    open.saved = digest === null ? null : { text: theirs, digest };
    open.conflict = null;
    this.edit(text, { label });
    this.publish();
    this.keep();
  }

  /**
   * Compares a file with what is on disk now, after it was opened again, changed by another program or reached again.
   *
   * @param {OpenFile} open
   * @param {{text: string, digest: string}} disk
   * @returns {"same" | "reloaded" | "conflict"}
   */
  reconcile(open, disk) {
    if (open.saved?.digest === disk.digest) return "same";
    if (open.text === disk.text || open.text === open.saved?.text) {
      const before = open.text;
      open.saved = disk;
      open.text = disk.text;
      open.conflict = null;
      if (before !== disk.text) open.history.add("text", before, disk.text, { label: "Load the changed file" });
      keepDraft(open.path, null);
    } else {
      open.conflict = { path: open.path, text: disk.text, digest: disk.digest };
    }
    if (open === this.current) {
      this.publish();
      this.scheduleRefresh(0);
    }
    return open.conflict ? "conflict" : "reloaded";
  }

  /**
   * Asks for the current file again.
   *
   * @returns {Promise<"same" | "reloaded" | "conflict" | "removed">}
   */
  async reload() {
    const open = this.current;
    if (!open?.saved) return "same";
    try {
      return this.reconcile(open, await this.api.get("/api/file", { path: open.path }));
    } catch (error) {
      if (/** @type {any} */ (error).status !== 404) throw error;
      open.saved = null;
      open.origin = "It was removed from the folder. Saving writes it again.";
      this.publish();
      this.keep();
      return "removed";
    }
  }

  // MARK: Analysis and run

  /**
   * Says that a view needs runs, or no longer does.
   *
   * @param {boolean} isWanted
   */
  wantsRun(isWanted) {
    this.runWishes = Math.max(0, this.runWishes + (isWanted ? 1 : -1));
    if (isWanted && (this.isRunOutdated || !this.state.run)) this.runSoon();
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
    this.isRunOutdated = true;
    this.scheduleRefresh(0);
  }

  /** @param {number} delay */
  scheduleRefresh(delay) {
    clearTimeout(this.timer);
    if (delay === 0) queueMicrotask(this.refresh);
    else this.timer = window.setTimeout(this.refresh, delay);
  }

  async analyzeAndRun() {
    const { path, text } = this.state;
    if (path === null) return;
    try {
      if (this.state.analyzedText !== text || !this.state.analysis) {
        const analysis = await this.api.post("/api/analyze", { path, text });
        if (this.state.path !== path) return;
        this.isRunOutdated = true;
        this.set({ analysis, analyzedText: text });
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
    if (this.runWishes === 0 || !this.isRunOutdated) return;
    if (this.state.analysis?.diagnostics.some((diagnostic) => diagnostic.severity === "error")) {
      this.set({ runIsStale: true });
      return;
    }
    const { runRequest } = this.state;
    const wish = Object.fromEntries(Object.entries(runRequest).filter(([, value]) => value !== null));
    try {
      const run = await this.api.post("/api/run", { path, text, ...wish });
      if (this.state.path !== path) return;
      if (this.state.runRequest === runRequest) this.isRunOutdated = false;
      this.set({ run, runIsStale: false, runError: null });
    } catch (error) {
      if (/** @type {any} */ (error).isAway || this.state.path !== path) return;
      this.isRunOutdated = false;
      this.set({ runIsStale: true, runError: /** @type {any} */ (error) });
    }
  }
}
