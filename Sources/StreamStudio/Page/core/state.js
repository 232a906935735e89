// The state that all views share, and who is told when it changes.

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
 * @property {"on" | "off" | "locked"} connection `locked`: the server runs, but with another link than this page's.
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
 * @property {import("./history.js").History} history
 * @property {RunRequest} runRequest
 */

/** @returns {RunRequest} */
export function emptyRequest() {
  return { inputs: null, test: null, seconds: null, limit: null };
}

/**
 * What is known about a text of which nothing has been asked yet.
 *
 * @returns {Partial<State>}
 */
export function noAnswers() {
  return {
    analysis: null, analyzedText: null, run: null, runIsStale: false, runError: null, selection: null, pick: null,
  };
}

/** A state whose changes are told once per microtask. */
export class Observable extends EventTarget {
  constructor() {
    super();
    /** @type {State} */
    this.state = {
      studio: null, files: [], recordings: [], states: [], data: [], view: null, path: null, text: "", saved: null,
      isDirty: false, unsavedPaths: [], origin: null, conflict: null, analysis: null, analyzedText: null, run: null,
      runIsStale: false, runError: null, runRequest: emptyRequest(), selection: null, pick: null, connection: "on",
      theme: "system", undoLabel: null, redoLabel: null,
    };
    /** @type {Set<{keys: Set<string> | null, notify: (state: State, changed: Set<string>) => void}>} */
    this.subscribers = new Set();
    /** @type {Set<string>} */
    this.changed = new Set();
  }

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
}
