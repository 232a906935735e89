// The files that are open: their texts, what is saved of them, and their unsaved changes.

import { isAbort } from "./api.js";
import { freePath, keepDraft, keptDraft, keptPaths } from "./drafts.js";
import { History } from "./history.js";
import { emptyRequest, noAnswers, Observable } from "./state.js";

/**
 * @typedef {import("./state.js").OpenFile} OpenFile
 * @typedef {import("./types.js").Inputs} Inputs
 */

/** Time in milliseconds after a change of the text until the server is asked about it. */
const ANALYSIS_DELAY = 60;

/** Opens, changes and saves files. */
export class Documents extends Observable {
  /** @param {import("./api.js").Api} api */
  constructor(api) {
    super();
    this.api = api;
    this.state.unsavedPaths = keptPaths();
    /** @type {Map<string, OpenFile>} */
    this.openFiles = new Map();
    /** @type {OpenFile | null} */
    this.current = null;
    /** @type {number | undefined} */
    this.keepTimer = undefined;
    /** @type {Promise<void> | null} */
    this.saving = null;
    /** Changes of the text that are on their way.
     * @type {Set<Promise<unknown>>} */
    this.changes = new Set();
  }

  /**
   * Called when another text is shown than before.
   *
   * @param {number} _delay Time in milliseconds until something should be asked about it.
   */
  textChanged(_delay) {}

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
    const draft = known ? null : keptDraft(path);
    const isOnDisk = this.state.files.some((file) => file.path === path);
    const mine = known ?? (draft && this.opened(path, draft.text, draft.saved, draft.origin));
    if (mine && !mine.saved && !isOnDisk) return this.show(mine);
    let file;
    try {
      file = await this.api.get("/api/file", { path }, { signal: this.api.latest("open") });
    } catch (error) {
      if (isAbort(error)) return;
      if (!mine) throw error;
      if (/** @type {any} */ (error).status === 404) this.removed(mine);
      return this.show(mine);
    }
    const saved = { text: file.text, digest: file.digest };
    const open = mine ?? this.opened(path, file.text, saved, null);
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
    return freePath(path, [...this.state.files.map((file) => file.path), ...this.openFiles.keys(), ...keptPaths()]);
  }

  /**
   * @param {string} path
   * @param {string} text
   * @param {{text: string, digest: string} | null} saved
   * @param {string | null} origin
   * @returns {OpenFile}
   */
  opened(path, text, saved, origin) {
    const history = new History();
    const open = { path, text, saved, origin, conflict: null, history, runRequest: emptyRequest() };
    this.openFiles.set(path, open);
    return open;
  }

  /** @param {OpenFile} open */
  show(open) {
    const isOther = this.current !== open;
    this.current = open;
    this.set({ path: open.path, runRequest: open.runRequest });
    if (isOther) this.set(noAnswers());
    this.publish();
    this.textChanged(0);
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
    // The same list is no change.
    return paths.join("\n") === this.state.unsavedPaths.join("\n") ? this.state.unsavedPaths : paths;
  }

  /**
   * Keeps the unsaved text for a reload, or forgets it once it is saved.
   *
   * @returns {boolean} False if the browser's session has no room for it.
   */
  keep(open = this.current) {
    if (!open) return true;
    const { path, text, saved, origin } = open;
    return keepDraft(path, text === saved?.text ? null : { text, saved, origin });
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
        ...noAnswers(), path: null, text: "", saved: null, isDirty: false, origin: null, conflict: null,
        undoLabel: null, redoLabel: null,
      });
    }
    this.set({ unsavedPaths: this.unsavedPaths() });
  }

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
    this.textChanged(ANALYSIS_DELAY);
    clearTimeout(this.keepTimer);
    this.keepTimer = window.setTimeout(() => this.keep(open), 300);
  }

  /**
   * Says that a change of the text is on its way, so that a save waits for it.
   *
   * @template T
   * @param {Promise<T>} change
   * @returns {Promise<T>} The same.
   */
  coming(change) {
    this.changes.add(change);
    const end = () => void this.changes.delete(change);
    change.then(end, end);
    return change;
  }

  /** Waits for the changes that are on their way; those that wait for the server, which is away, do not count. */
  async settled() {
    while (this.changes.size > 0 && this.state.connection === "on") {
      let stop = () => {};
      const isAway = new Promise((done) => {
        stop = this.subscribe(["connection"], ({ connection }) => { if (connection !== "on") done(null); });
      });
      await Promise.race([Promise.allSettled(this.changes), isAway]);
      stop();
    }
  }

  /**
   * Saves the current file.
   *
   * @returns {Promise<"saved" | "conflict">}
   */
  save() {
    const open = this.current;
    if (!open) return Promise.resolve(/** @type {const} */ ("saved"));
    const saving = this.write(open);
    this.saving = saving.then(() => {}, () => {});
    return saving;
  }

  /**
   * @param {OpenFile} open
   * @returns {Promise<"saved" | "conflict">}
   */
  async write(open) {
    const { path, text, saved } = open;
    const body = { text, base: saved?.digest ?? null, baseText: saved?.text };
    try {
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
    this.keep(open);
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
    const { history, runRequest } = open;
    this.show(Object.assign(this.opened(path, open.text, { text: open.text, digest }, null), { history, runRequest }));
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
    if (open.saved?.digest === disk.digest && !open.conflict) return "same";
    const before = open.text;
    const isMine = before === disk.text || open.saved?.digest === disk.digest;
    if (isMine || before === open.saved?.text) {
      if (!isMine) open.history.add("text", before, disk.text, { label: "Load the changed file" });
      open.text = isMine ? before : disk.text;
      open.saved = disk;
      open.conflict = null;
    } else {
      open.conflict = { path: open.path, text: disk.text, digest: disk.digest };
    }
    this.keep(open);
    if (open === this.current) {
      this.publish();
      this.textChanged(0);
    }
    return open.conflict ? "conflict" : isMine ? "same" : "reloaded";
  }

  /**
   * Goes on without the file that another program has removed.
   *
   * @param {OpenFile} open
   */
  removed(open) {
    open.saved = null;
    open.conflict = null;
    open.origin = "It was removed from the folder. Saving writes it again.";
    this.keep(open);
    if (open === this.current) this.publish();
  }

  /**
   * Asks for the current file again.
   *
   * @returns {Promise<"same" | "reloaded" | "conflict" | "removed">}
   */
  async reload() {
    // The file that this page writes is no change by another program.
    await this.saving;
    const open = this.current;
    if (!open?.saved) return "same";
    try {
      return this.reconcile(open, await this.api.get("/api/file", { path: open.path }));
    } catch (error) {
      if (/** @type {any} */ (error).status !== 404) throw error;
      this.removed(open);
      return "removed";
    }
  }
}
