// Runs a recording on the recorded version and on the draft, and marks where they differ.

import { fill, h, icon } from "../../core/dom.js";
import { isAbort } from "../../core/api.js";
import { DifferenceTable, runDifference } from "../../core/rundiff.js";
import { countText } from "../../core/values.js";
import { Player, readRun } from "/player/player.js";

/** @type {[string, string]} */
const names = ["recorded version", "draft"];

/**
 * The first error of the draft, or null.
 *
 * @param {import("../../core/store.js").Store} store
 * @returns {string | null}
 */
export function firstError({ state }) {
  return state.analysis?.diagnostics.find(({ severity }) => severity === "error")?.message ?? null;
}

/** The part of the view that compares. */
export class Comparison {
  /**
   * @param {object} options
   * @param {import("../../core/store.js").Store} options.store
   * @param {import("../../core/api.js").Api} options.api
   * @param {() => string | null} options.recording
   */
  constructor({ store, api, recording }) {
    this.store = store;
    this.api = api;
    this.recording = recording;
    this.isOn = false;
    this.timer = 0;
    /** @type {Player | null} */
    this.player = null;
    this.summary = h("div", { class: "column", role: "status" });
    this.table = new DifferenceTable();
    this.tracks = h("div", { class: "step-tracks" });
    this.element = h("section", { class: "card step-comparison", "aria-label": "Comparison", hidden: true },
      this.summary, this.tracks, this.table.element);
  }

  /** @param {boolean} isOn */
  setOn(isOn) {
    this.isOn = isOn;
    this.element.hidden = !isOn;
    this.refresh();
  }

  /** Compares again, once the text rests. */
  refresh() {
    clearTimeout(this.timer);
    if (this.isOn) this.timer = window.setTimeout(() => void this.compare(), 250);
  }

  async compare() {
    const { path, text } = this.store.state;
    const recording = this.recording();
    if (recording === null) return;
    if (path === null) {
      fill(this.summary, h("p", null, "Open the stream that the recording is to be compared with."));
      return;
    }
    const error = firstError(this.store);
    if (error !== null) {
      fill(this.summary, h("p", { class: "problem warning", dir: "auto" },
        icon("warning"), `The draft is not a valid stream: ${error}. The comparison is that of the text before.`));
      return;
    }
    try {
      const signal = this.api.latest("step-compare");
      const answer = await this.api.post("/api/step/compare", { recording, new: { path, text } }, { signal });
      this.show(answer);
    } catch (error) {
      if (isAbort(error)) return;
      fill(this.summary, h("p", { class: "problem error", dir: "auto" },
        icon("error"), /** @type {Error} */ (error).message));
    }
  }

  /** @param {{same: boolean, differences: string[], runs: import("../../core/types.js").Run[]}} answer */
  show({ same, differences, runs }) {
    const [before, after] = runs.map((run) => readRun(run));
    const { run, ids, outputs } = runDifference(before, after, names);
    fill(this.summary,
      h("p", null, same
        ? h("span", { class: "badge ok" }, icon("check"), "The draft publishes the same")
        : h("span", { class: "badge warn" }, icon("warning"), countText(outputs.length, "different output event"))),
      differences.length > 0 && h("details", null, h("summary", null, "The first difference"),
        h("pre", { class: "code", tabindex: "0" }, differences.join("\n"))));
    this.table.update(outputs, names);
    if (this.player) this.player.update(run);
    else this.player = new Player(this.tracks, { run });
    this.player.setSelection(ids);
  }

  destroy() {
    clearTimeout(this.timer);
    this.player?.destroy();
  }
}
