// Two versions side by side: by meaning, by the marbles that they publish, and merged.

import { fill, h, icon } from "../../core/dom.js";
import { isAbort } from "../../core/api.js";
import { ChangeList } from "./changes.js";
import { MarbleDifference } from "./marbles.js";
import { MergePane } from "./merge.js";
import { Versions } from "./versions.js";

/**
 * @typedef {import("./versions.js").Source} Source
 * @typedef {{element: HTMLElement, update(old: Draft, next: Draft): Promise<void>, destroy?(): void}} Pane
 * @typedef {{path: string, text: string, title: string}} Draft
 */

/** Time without a change before versions are compared again. */
const PAUSE = 200;

class CompareView {
  /**
   * @param {HTMLElement} root
   * @param {import("../../core/types.js").ViewContext} context
   */
  constructor(root, { store, api }) {
    this.store = store;
    this.api = api;
    this.versions = new Versions(store, api);
    this.pane = "changes";
    this.timer = 0;
    /** @type {Record<string, Pane>} */
    this.panes = {
      changes: new ChangeList(store, api),
      marbles: new MarbleDifference(store, api),
      merge: new MergePane(store, api, this.versions),
    };
    this.old = this.select("Old version");
    this.next = this.select("New version");
    /** @type {{old: string | null, next: string | null}} What one has chosen, as opposed to what is chosen for one. */
    this.chosen = { old: null, next: null };
    this.tabs = h("div", { class: "segmented", role: "group", "aria-label": "Kind of comparison" },
      [["changes", "Changes"], ["marbles", "Marbles"], ["merge", "Merge"]].map(([id, title]) => h("button", {
        type: "button", "data-pane": id, "aria-pressed": String(id === this.pane),
        on: { click: () => this.showPane(id) },
      }, title)));
    this.toolbar = h("div", { class: "toolbar" }, this.tabs, h("span", { class: "row grow compare-versions" },
      h("label", { class: "row" }, "Old", this.old),
      h("button", {
        type: "button", class: "icon-button", title: "Exchange the versions", "aria-label": "Exchange the versions",
        on: { click: () => this.exchange() },
      }, "⇄"),
      h("label", { class: "row" }, "New", this.next)));
    this.notice = h("div", { class: "notice warn", hidden: true });
    this.empty = h("div", { class: "empty", hidden: true });
    this.git = h("p", { class: "dim compare-hub", hidden: true });
    this.body = h("div", { class: "compare-body" }, Object.values(this.panes).map((pane) => pane.element),
      this.git,
      h("p", { class: "dim compare-hub" }, "Versions that are published on a hub will appear in the lists, too."));
    root.classList.add("compare-view");
    fill(root, this.toolbar, this.notice, this.empty, this.body);
    const ends = [
      store.subscribe(["path", "saved", "files", "studio"], () => void this.load()),
      store.subscribe(["text"], () => this.schedule()),
    ];
    this.unmount = () => {
      ends.forEach((end) => end());
      clearTimeout(this.timer);
      for (const pane of Object.values(this.panes)) pane.destroy?.();
      root.classList.remove("compare-view");
    };
    this.showPane(this.pane);
    void this.load();
  }

  /** @param {string} label */
  select(label) {
    const select = h("select", {
      "aria-label": label, dir: "auto", on: {
        change: () => {
          this.chosen[select === this.old ? "old" : "next"] = select.value;
          this.schedule(0);
        },
      },
    });
    return select;
  }

  /** @param {string} id */
  showPane(id) {
    this.pane = id;
    for (const button of this.tabs.children) {
      button.setAttribute("aria-pressed", String(/** @type {HTMLElement} */ (button).dataset.pane === id));
    }
    for (const [name, pane] of Object.entries(this.panes)) pane.element.hidden = name !== id;
    this.schedule(0);
  }

  exchange() {
    [this.old.value, this.next.value] = [this.next.value, this.old.value];
    this.chosen = { old: this.old.value, next: this.next.value };
    this.schedule(0);
  }

  /** Reads the list of versions, and chooses two: what is saved and what is being edited, or the last commit. */
  async load() {
    const { path } = this.store.state;
    if (path !== this.path) this.chosen = { old: null, next: null };
    this.path = path;
    await this.versions.load();
    if (this.store.state.path !== path) return;
    const problem = this.store.state.studio?.gitProblem;
    this.git.hidden = !problem;
    this.git.textContent = problem ? `There are no commits in the lists: ${problem}.` : "";
    const groups = this.versions.groups();
    for (const select of [this.old, this.next]) {
      fill(select, groups.map(({ title, sources }) => h("optgroup", { label: title },
        sources.map((source) => h("option", { value: source.key }, source.title)))));
    }
    const { old, next } = this.versions.defaults();
    this.old.value = this.chosen.old ?? old;
    this.next.value = this.chosen.next ?? next;
    this.schedule(0);
  }

  /** @type {string | null | undefined} */
  path;

  /** @param {number} [delay] */
  schedule(delay = PAUSE) {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.compare(), delay);
  }

  async compare() {
    const isEmpty = this.store.state.path === null;
    this.empty.hidden = !isEmpty;
    this.body.hidden = isEmpty;
    this.toolbar.hidden = isEmpty;
    if (isEmpty) {
      fill(this.empty, h("h2", null, "No stream is open"), h("p", null, "Choose a file on the left."));
      return;
    }
    try {
      const keys = [this.old.value, this.next.value];
      const [old, next] = await Promise.all(keys.map((key) => this.versions.draft(key)));
      const broken = this.pane === "merge" ? null : await this.firstBroken([old, next]);
      this.notice.hidden = broken === null;
      if (broken !== null) fill(this.notice, icon("warning"), h("p", { dir: "auto" }, broken));
      else if (old && next) await this.panes[this.pane].update(old, next);
    } catch (error) {
      if (isAbort(error)) return;
      this.notice.hidden = false;
      fill(this.notice, icon("error"), h("p", { dir: "auto" }, /** @type {Error} */ (error).message));
    }
  }

  /**
   * What is wrong with the first version that is not a valid stream: it can be neither compared nor run.
   *
   * @param {(Draft | null)[]} drafts
   * @returns {Promise<string | null>}
   */
  async firstBroken(drafts) {
    for (const draft of drafts) {
      if (!draft) continue;
      const { path, text, title } = draft;
      const { analysis, analyzedText } = this.store.state;
      const isKnown = path === this.store.state.path && text === analyzedText && analysis !== null;
      const { diagnostics } = isKnown ? analysis : await this.api.post("/api/analyze", { path, text });
      const error = diagnostics.find((/** @type {any} */ { severity }) => severity === "error");
      if (error) return `The version “${title}” is not a valid stream: ${error.message}.`;
    }
    return null;
  }
}

/** @type {import("../../core/types.js").View} */
export const view = {
  id: "compare",
  title: "Compare",
  hint: "Two versions by meaning and by their marbles, and the merge of three.",
  mount(root, context) {
    return new CompareView(root, context);
  },
};
