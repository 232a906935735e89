// Runs a recording on the recorded version and on the draft, and marks where they differ.

import { fill, h, icon } from "../../core/dom.js";
import { isAbort } from "../../core/api.js";
import { runDifference } from "../../core/rundiff.js";
import { countText, timeText } from "../../core/values.js";
import { Player } from "/player/player.js";
import { outputWords } from "./words.js";

/** Differences beyond this number are only counted. */
const SHOWN = 50;

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
    this.tracks = h("div", { class: "step-tracks" });
    this.element = h("section", { class: "card step-comparison", "aria-label": "Comparison", hidden: true },
      this.summary, this.tracks);
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

  /** @param {{same: boolean, differences: any[], runs: import("../../core/types.js").Run[]}} answer */
  show({ same, differences, runs }) {
    const shown = differences.slice(0, SHOWN);
    fill(this.summary,
      h("p", null, same
        ? h("span", { class: "badge ok" }, icon("check"), "The draft publishes the same")
        : h("span", { class: "badge warn" }, icon("warning"), `${countText(differences.length, "difference")}`)),
      !same && h("div", { class: "step-differences" }, h("table", { class: "step-table" },
        h("thead", null, h("tr", null,
          ["at", "recorded version", "draft"].map((title) => h("th", { scope: "col" }, title)))),
        h("tbody", null, shown.map((difference) => h("tr", null, h("td", null, timeText(difference.at)),
          h("td", { dir: "auto" }, sideWords(difference.old)), h("td", { dir: "auto" }, sideWords(difference.new))))),
        differences.length > SHOWN && h("caption", null, `and ${differences.length - SHOWN} more`))));
    const [before, after] = runs ?? [];
    if (!before || !after) return;
    const { run, ids } = runDifference(before, after, ["recorded", "draft"]);
    if (this.player) this.player.update(run);
    else this.player = new Player(this.tracks, { run });
    this.player.setSelection(ids);
  }

  destroy() {
    clearTimeout(this.timer);
    this.player?.destroy();
  }
}

/** @param {any} side */
function sideWords(side) {
  if (side === undefined || side === null) return "—";
  if (Array.isArray(side)) return side.map(outputWords).join(", ");
  return typeof side === "object" && ("value" in side || "finished" in side || "failure" in side)
    ? outputWords(side) : outputWords({ value: side });
}
