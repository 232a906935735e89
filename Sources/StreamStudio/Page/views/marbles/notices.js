// What the marbles view says besides the picture: an error in the text, a silent stream, no stream.

import { fill, h, icon } from "../../core/dom.js";

/** @typedef {import("../../core/store.js").State} State */

/** Values of a track in a run: the server's default, and its most. */
const usualLimit = 1000;
const mostValues = 20000;

/**
 * @param {import("../../core/store.js").Store} store
 * @param {{input: () => string, add: () => void}} actions
 */
export function notices(store, actions) {
  const problem = h("div", { class: "notice error", hidden: true, role: "status" });
  const hint = h("div", { class: "notice", hidden: true });
  const more = h("div", { class: "notice", hidden: true }, icon("note"),
    h("p", null, `The run was cut where a track has ${usualLimit.toLocaleString("en-US")} values.`),
    h("button", { type: "button", class: "button", on: { click: () => store.setRun({ limit: mostValues }) } },
      `Run up to ${mostValues.toLocaleString("en-US")}`));
  const empty = h("div", { class: "empty", hidden: true });
  let shownMessage = "";
  let shownHint = "";

  /** @param {State} state @returns {boolean} */
  function writeProblem(state) {
    const error = state.analysis?.diagnostics.find((diagnostic) => diagnostic.severity === "error");
    const message = error?.message ?? state.runError?.message ?? "";
    const isShown = state.path !== null && message !== "";
    problem.hidden = !isShown;
    if (!isShown || shownMessage === message) return isShown;
    shownMessage = message;
    const show = () => store.set({
      view: "text", selection: { pointer: error?.pointer ?? null, range: error?.range ?? undefined },
    });
    fill(problem, icon("error"),
      h("p", { dir: "auto" }, h("strong", null, message),
        state.run && h("span", null, " · The picture is that of the text before.")),
      error && h("button", { type: "button", class: "button", on: { click: show } }, "Show in text"));
    return isShown;
  }

  /** @param {State} state */
  function writeHint(state) {
    const outputs = state.run?.tracks.filter((track) => track.kind === "output") ?? [];
    const isSilent = outputs.length > 0 && outputs.every((track) => track.events.every((event) => !("value" in event)));
    hint.hidden = !problem.hidden || !isSilent;
    const input = actions.input();
    const key = `${input} ${state.run?.isCut}`;
    if (hint.hidden || shownHint === key) return;
    shownHint = key;
    const within = state.run?.isCut ? " within this duration" : "";
    fill(hint, icon("note"),
      h("p", { dir: "auto" }, input
        ? `Nothing is published${within}. Add a value to “${input}”, or move one.`
        : "Nothing is published."),
      input && h("button", { type: "button", class: "button", on: { click: actions.add } }, "Add a value"));
  }

  return {
    elements: [problem, hint, more],
    empty,
    /** Returns whether there is a problem, so that the picture is not that of the text.
     * @param {State} state
     * @returns {boolean} */
    update(state) {
      const hasProblem = writeProblem(state);
      writeHint(state);
      const isAtLimit = state.run?.isCut && state.run.tracks.some((track) => track.events.length >= usualLimit);
      more.hidden = hasProblem || state.runRequest.limit !== null || !isAtLimit;
      empty.hidden = state.run !== null && state.path !== null;
      if (!state.path) {
        fill(empty, h("h2", null, "No stream is open"),
          h("p", null, "Choose a file in the list, or create a new stream there."));
      } else if (!state.run) {
        fill(empty, h("p", null, hasProblem ? "The marbles appear when the text has no errors." : "Running…"));
      }
      return hasProblem;
    },
  };
}
