// The merge of three versions: what both sides have changed differently is asked for, and the result is shown.

import { fill, h, icon, toast } from "../../core/dom.js";
import { countText } from "../../core/values.js";
import { valueWords } from "./changes.js";

/**
 * @typedef {import("./index.js").Draft} Draft
 * @typedef {"base" | "ours" | "theirs"} Side
 * @typedef {{pointer: string, title: string, base?: any, ours?: any, theirs?: any}} Conflict
 */

/** @type {[Side, string][]} */
const sides = [["base", "Base"], ["ours", "Ours (new)"], ["theirs", "Theirs (old)"]];

/** The pane that merges. Ours is the new version, theirs is the old one, and the base is chosen here. */
export class MergePane {
  /**
   * @param {import("../../core/store.js").Store} store
   * @param {import("../../core/api.js").Api} api
   * @param {import("./versions.js").Versions} versions
   */
  constructor(store, api, versions) {
    this.store = store;
    this.api = api;
    this.versions = versions;
    /** @type {Map<string, Side>} */
    this.picks = new Map();
    /** @type {Conflict[]} */
    this.conflicts = [];
    /** @type {{base: string, ours: Draft, theirs: Draft} | null} */
    this.merged = null;
    this.base = h("select", { dir: "auto", on: { change: () => void this.again() } });
    this.summary = h("p", { role: "status" });
    this.list = h("ol", { class: "column", "aria-label": "Conflicts" });
    this.preview = h("pre", { class: "code merge-preview", tabindex: "0", "aria-label": "Result of the merge" });
    this.take = h("button", {
      type: "button", class: "button primary", on: { click: () => this.takeResult() },
    }, "Take result");
    this.element = h("section", { class: "column", "aria-label": "Merge" },
      h("p", { class: "dim" }, "Changes of both versions since their common base are joined. A value that both have "
        + "changed differently is a conflict: choose which one stays."),
      h("label", { class: "row" }, "Common base", this.base), this.summary, this.list,
      h("div", { class: "row" }, h("h3", { class: "grow" }, "Result"), this.take), this.preview);
    this.text = "";
  }

  /**
   * @param {Draft} theirs
   * @param {Draft} ours
   */
  async update(theirs, ours) {
    this.drafts = { ours, theirs };
    const chosen = this.base.value;
    const groups = this.versions.groups();
    fill(this.base, h("option", { value: "" }, "None: every difference is a conflict"),
      groups.map(({ title, sources }) => h("optgroup", { label: title },
        sources.map((source) => h("option", { value: source.key }, source.title)))));
    this.base.value = chosen || this.defaultBase();
    if (this.base.selectedIndex < 0) this.base.value = "";
    await this.merge();
  }

  /** @type {{ours: Draft, theirs: Draft} | undefined} */
  drafts;

  /** What both versions most likely come from: the commit before the newest, or what is saved. */
  defaultBase() {
    const { commits } = this.versions;
    return commits.length ? `rev ${commits[commits.length > 1 ? 1 : 0].rev}` : this.store.state.saved ? "saved" : "";
  }

  async again() {
    try {
      await this.merge();
    } catch (error) {
      fill(this.summary, h("span", { class: "badge error" }, icon("error"), /** @type {Error} */ (error).message));
    }
  }

  async merge() {
    if (!this.drafts) return;
    const { ours, theirs } = this.drafts;
    const base = (await this.versions.draft(this.base.value))?.text ?? "{}";
    const isOther = base !== this.merged?.base || ours.text !== this.merged.ours.text
      || theirs.text !== this.merged.theirs.text;
    if (isOther) {
      this.picks.clear();
      const answer = await this.ask(base, ours, theirs);
      this.conflicts = answer.conflicts ?? [];
      this.merged = { base, ours, theirs };
      this.show(answer);
      this.showConflicts();
    } else {
      this.show(await this.ask(base, ours, theirs));
    }
  }

  /**
   * @param {string} base
   * @param {Draft} ours
   * @param {Draft} theirs
   * @returns {Promise<{text: string, conflicts: Conflict[]}>}
   */
  ask(base, ours, theirs) {
    const picks = this.picks.size ? { picks: Object.fromEntries(this.picks) } : {};
    const body = { base, ours: ours.text, theirs: theirs.text, path: ours.path, ...picks };
    return this.api.post("/api/merge", body, { signal: this.api.latest("merge") });
  }

  /** @param {{text: string, conflicts: Conflict[]}} answer */
  show({ text }) {
    const open = this.conflicts.filter(({ pointer }) => !this.picks.has(pointer)).length;
    this.text = text ?? "";
    this.preview.textContent = this.text;
    const isOwn = this.drafts?.ours.path === this.store.state.path;
    this.take.disabled = open > 0 || !isOwn || this.text === "" || this.text === this.store.state.text;
    fill(this.summary, this.conflicts.length === 0
      ? h("span", { class: "badge ok" }, icon("check"), "No conflicts")
      : open === 0 ? h("span", { class: "badge ok" }, icon("check"), "All conflicts are decided")
        : h("span", { class: "badge warn" }, icon("warning"), `${countText(open, "conflict")} to decide`),
    !isOwn && " The new version must be one of the file that is open, to take the result into it.",
    isOwn && open === 0 && this.text === this.store.state.text && " The result is the draft as it is.");
  }

  showConflicts() {
    fill(this.list, this.conflicts.map((conflict, index) => h("li", { class: "card" },
      h("fieldset", { class: "merge-conflict" }, h("legend", { dir: "auto" }, conflict.title || conflict.pointer),
        sides.map(([side, title]) => h("label", { class: "merge-side" },
          h("input", {
            type: "radio", name: `conflict-${index}`, value: side,
            on: { change: () => this.pick(conflict.pointer, side) },
          }),
          h("span", { class: "merge-name" }, title),
          h("span", { class: "code grow", dir: "auto" },
            conflict[side] === undefined || conflict[side] === null ? "(absent)" : valueWords(conflict[side]))))))));
  }

  /**
   * @param {string} pointer
   * @param {Side} side
   */
  pick(pointer, side) {
    this.picks.set(pointer, side);
    void this.again();
  }

  takeResult() {
    this.store.edit(this.text, { label: "Merge" });
    toast("The draft is now the merged version.", { action: { title: "Undo", run: () => this.store.undo() } });
  }
}
