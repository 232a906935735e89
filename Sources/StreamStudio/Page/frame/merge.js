// Merges unsaved changes with the version on disk, and asks about what both have changed.

import { fill, h, toast } from "../core/dom.js";
import { jsonText } from "../core/values.js";
import { openDialog } from "./dialog.js";

/** @typedef {{pointer: string, title: string, base: any, ours: any, theirs: any}} MergeConflict */

/**
 * @param {import("../core/types.js").ViewContext} context
 */
export async function mergeConflict({ store, api }) {
  const { conflict, saved, text } = store.state;
  if (!conflict) return;
  const texts = { base: saved?.text ?? conflict.text, ours: text, theirs: conflict.text };
  const answer = await api.post("/api/merge", texts);
  const finish = (/** @type {string} */ merged) => {
    if (store.state.text !== text || store.state.conflict !== conflict) {
      toast("The text has changed meanwhile. Merge again.", { kind: "error" });
      return;
    }
    store.resolve(merged, "Merge with the version on disk");
    toast("Merged with the version on disk. Check the result, and save it.");
  };
  if (answer.conflicts.length === 0) {
    finish(answer.text);
    return;
  }
  pick(answer.conflicts, async (picks) => finish((await api.post("/api/merge", { ...texts, picks })).text));
}

/**
 * @param {MergeConflict[]} conflicts
 * @param {(picks: Record<string, string>) => Promise<void>} finish
 */
function pick(conflicts, finish) {
  /** @type {Record<string, string>} */
  const picks = Object.fromEntries(conflicts.map((conflict) => [conflict.pointer, "ours"]));
  const error = h("p", { class: "error", role: "alert" });
  const dialog = openDialog("Both versions changed the same parts", [
    h("p", { class: "dim" }, "Pick a version of each part. All other changes are merged."),
    h("div", { class: "column" }, conflicts.map((conflict, index) => conflictChoice(conflict, index, picks))),
    error,
  ], [
    h("button", { type: "button", class: "button", on: { click: () => dialog.close() } }, "Cancel"),
    h("button", {
      type: "button", class: "button primary",
      on: {
        click: async () => {
          try {
            await finish(picks);
            dialog.close();
          } catch (failure) {
            fill(error, /** @type {Error} */ (failure).message);
          }
        },
      },
    }, "Merge"),
  ]);
}

/**
 * @param {MergeConflict} conflict
 * @param {number} index
 * @param {Record<string, string>} picks
 */
function conflictChoice(conflict, index, picks) {
  const names = { ours: "Mine", theirs: "On disk", base: "Before" };
  return h("fieldset", { class: "conflict" },
    h("legend", { dir: "auto" }, conflict.title || conflict.pointer),
    /** @type {const} */ (["ours", "theirs", "base"]).map((side) => h("label", null,
      h("input", {
        type: "radio", name: `conflict-${index}`, checked: picks[conflict.pointer] === side,
        on: { change: () => { picks[conflict.pointer] = side; } },
      }),
      names[side],
      h("pre", { dir: "auto" }, conflict[side] === undefined || conflict[side] === null
        ? "(absent)" : typeof conflict[side] === "string" ? conflict[side] : jsonText(conflict[side], "  ")))));
}
