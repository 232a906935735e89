// The marbles of two versions on one axis of time, with those marked that only one of them has.

import { fill, h, icon } from "../../core/dom.js";
import { DifferenceTable, runDifference } from "../../core/rundiff.js";
import { countText, timeText } from "../../core/values.js";
import { Player } from "/player/player.js";

/** @typedef {import("./index.js").Draft} Draft */

/** The comparison of two runs. */
export class MarbleDifference {
  /**
   * @param {import("../../core/store.js").Store} store
   * @param {import("../../core/api.js").Api} api
   */
  constructor(store, api) {
    this.store = store;
    this.api = api;
    /** @type {Player | null} */
    this.player = null;
    this.summary = h("p", { role: "status" });
    this.note = h("p", { class: "dim" });
    this.table = new DifferenceTable();
    this.tracks = h("div", { class: "compare-tracks" });
    this.element = h("section", { class: "column", "aria-label": "Marbles" },
      this.summary, this.note, this.tracks, this.table.element);
  }

  /**
   * @param {Draft} old
   * @param {Draft} next
   */
  async update(old, next) {
    const after = await this.run(next, null);
    if (!after) return;
    // Both versions are fed what the new one is fed.
    const before = await this.run(old, after.inputs);
    if (!before) return;
    /** @type {[string, string]} */
    const names = [old.title, next.title];
    const { run, ids, outputs } = runDifference(before, after, names);
    fill(this.summary, ids.length === 0
      ? h("span", { class: "badge ok" }, icon("check"), "Both versions publish the same")
      : [h("span", { class: "badge warn" }, icon("warning"), outputs.length
        ? countText(outputs.length, "different output event") : "The same output, by other ways"),
      outputs.length > 0 && ` the first at ${timeText(outputs[0].event.at)}`]);
    this.table.update(outputs, names);
    this.note.textContent = ids.length ? "Marbles with a ring are only in one of the versions." : "";
    this.note.hidden = ids.length === 0;
    this.tracks.hidden = false;
    if (this.player) this.player.update(run);
    else this.player = new Player(this.tracks, { run });
    this.player.setSelection(ids);
  }

  /**
   * @param {Draft} draft
   * @param {any} inputs What is fed; null for what the marbles feed.
   * @returns {Promise<import("../../core/types.js").Run | null>} Null if the version has errors.
   */
  async run({ path, text, title }, inputs) {
    const { runRequest } = this.store.state;
    const fed = inputs ?? runRequest.inputs;
    const wish = {
      ...(fed ? { inputs: fed } : runRequest.test && !inputs ? { test: runRequest.test } : {}),
      ...(runRequest.seconds === null ? {} : { seconds: runRequest.seconds }),
    };
    try {
      return await this.api.run({ path, text, ...wish });
    } catch (error) {
      const { status, title: what, detail } = /** @type {import("../../core/api.js").ApiError} */ (error);
      if (!status) throw error;
      this.tracks.hidden = true;
      this.note.hidden = true;
      fill(this.summary,
        h("span", { class: "badge error" }, icon("error"), `The version “${title}” does not run`), " ",
        h("span", { dir: "auto" }, detail || what));
      return null;
    }
  }

  destroy() {
    this.player?.destroy();
  }
}
