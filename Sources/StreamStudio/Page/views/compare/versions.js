// The versions that can be compared: what is saved, what is being edited, the commits of git, other files.

/**
 * @typedef {import("./index.js").Draft} Draft
 * @typedef {{key: string, title: string, load: () => Promise<Draft>}} Source
 */

/** The lists of versions, and their texts. */
export class Versions {
  /**
   * @param {import("../../core/store.js").Store} store
   * @param {import("../../core/api.js").Api} api
   */
  constructor(store, api) {
    this.store = store;
    this.api = api;
    /** @type {{rev: string, date: string, author: string, title: string}[]} */
    this.commits = [];
    /** @type {Map<string, string>} Texts of commits, which never change. */
    this.texts = new Map();
  }

  /** Asks git, if the folder has it. */
  async load() {
    const { path, saved, studio } = this.store.state;
    this.commits = [];
    if (path === null || !saved || studio?.hasGit === false) return;
    try {
      const { versions } = await this.api.get("/api/versions", { path });
      this.commits = versions ?? [];
    } catch {
      // Without git's versions, the other ones can still be compared.
    }
  }

  /** @returns {{title: string, sources: Source[]}[]} */
  groups() {
    const { path, files } = this.store.state;
    const others = files.filter((file) => file.path !== path);
    return [
      { title: "This file", sources: this.own() },
      { title: "Commits", sources: this.commits.map((commit) => this.commit(commit)) },
      { title: "Other files", sources: others.map((file) => this.file(file.path)) },
    ].filter(({ sources }) => sources.length > 0);
  }

  /** @returns {Source[]} */
  own() {
    const { path, saved, isDirty } = this.store.state;
    /** @type {Source[]} */
    const sources = [];
    const draft = (/** @type {string} */ title, /** @type {() => string} */ text) => async () =>
      ({ path: path ?? "", text: text(), title });
    if (saved) {
      sources.push({ key: "saved", title: "Saved", load: draft("saved", () => this.store.state.saved?.text ?? "") });
    }
    const title = saved ? (isDirty ? "Unsaved text" : "Text in the editor") : "Text, not saved yet";
    sources.push({ key: "text", title, load: draft(saved ? "unsaved" : "text", () => this.store.state.text) });
    return sources;
  }

  /**
   * @param {{rev: string, date: string, author: string, title: string}} commit
   * @returns {Source}
   */
  commit({ rev, date, title }) {
    const { path } = this.store.state;
    const day = String(date).slice(0, 10);
    return {
      key: `rev ${rev}`, title: `${rev.slice(0, 7)} ${day} ${title}`,
      load: async () => {
        let text = this.texts.get(`${path} ${rev}`);
        if (text === undefined) {
          text = String((await this.api.get("/api/version", { path, rev })).text);
          this.texts.set(`${path} ${rev}`, text);
        }
        return { path: path ?? "", text, title: rev.slice(0, 7) };
      },
    };
  }

  /**
   * @param {string} path
   * @returns {Source}
   */
  file(path) {
    return {
      key: `file ${path}`, title: path,
      load: async () => ({ path, text: (await this.api.get("/api/file", { path })).text, title: path }),
    };
  }

  /**
   * The versions that one most likely wants to see.
   *
   * @returns {{old: string, next: string}}
   */
  defaults() {
    const { isDirty, saved } = this.store.state;
    const newest = this.commits[0] ? `rev ${this.commits[0].rev}` : null;
    if (saved && isDirty) return { old: "saved", next: "text" };
    return { old: newest ?? (saved ? "saved" : "text"), next: "text" };
  }

  /**
   * @param {string} key
   * @returns {Promise<Draft | null>}
   */
  async draft(key) {
    for (const { sources } of this.groups()) {
      const found = sources.find((source) => source.key === key);
      if (found) return found.load();
    }
    return null;
  }
}
