// The form that says how each input is fed, and starts the stream or attaches to one that runs elsewhere.

import { field, fill, h, icon } from "../../core/dom.js";
import { LiveSession } from "./session.js";

/**
 * @typedef {import("../../core/types.js").ViewContext} ViewContext
 * @typedef {import("./session.js").Feed} Feed
 */

/** @param {number} size */
function sizeText(size) {
  return size < 1000 ? `${size} B` : size < 1e6 ? `${(size / 1000).toFixed(0)} kB` : `${(size / 1e6).toFixed(1)} MB`;
}

/**
 * How one input is fed.
 *
 * @param {string} name
 * @param {import("../../core/store.js").State} state
 */
function feedField(name, state) {
  const by = h("select", { on: { change: () => show() } },
    h("option", { value: "hand" }, "Hand"),
    state.data.length > 0 && h("option", { value: "file" }, "A file"),
    state.recordings.length > 0 && h("option", { value: "recording" }, "A recording"));
  const path = h("select", null);
  const speed = h("input", { type: "text", inputmode: "decimal", value: "1", autocomplete: "off" });
  const pathField = field("File", path);
  const speedField = field("Speed", speed, { help: " " });
  const show = () => {
    const entries = by.value === "file" ? state.data : by.value === "recording" ? state.recordings : [];
    fill(path, entries.map((entry) => h("option", { value: entry.path }, `${entry.path} (${sizeText(entry.size)})`)));
    pathField.hidden = entries.length === 0;
    speedField.hidden = entries.length === 0;
    const help = speedField.querySelector(".help");
    if (help) help.textContent = by.value === "file" ? "Values a second" : "2 is twice as fast.";
  };
  show();
  const element = h("fieldset", { class: "live-feed" }, h("legend", { dir: "auto" }, name),
    field("Fed by", by), pathField, speedField);
  return {
    name,
    element,
    /** @returns {Feed | null} Null if a field has an error. */
    read() {
      if (by.value === "hand") return { by: "hand" };
      const factor = Number(speed.value.trim().replace(",", "."));
      const isValid = Number.isFinite(factor) && factor > 0;
      speedField.setError(isValid ? null : "Enter a number greater than 0.");
      return isValid ? { by: /** @type {"file" | "recording"} */ (by.value), path: path.value, speed: factor } : null;
    },
  };
}

/**
 * @param {ViewContext} context
 * @param {(session: LiveSession) => void} onStart
 * @returns {{element: HTMLElement, update: () => void}}
 */
export function startForm(context, onStart) {
  const { store } = context;
  /** @type {ReturnType<typeof feedField>[]} */
  let feeds = [];
  let key = "";
  const error = h("p", { class: "live-error", role: "alert", hidden: true, dir: "auto" });
  const list = h("div", { class: "live-feeds" });
  const start = h("button", { type: "submit", class: "button primary" }, "Start");
  const attachments = h("div", { class: "card column", hidden: true });

  /** @param {() => Promise<LiveSession>} begin */
  async function run(begin) {
    start.disabled = true;
    error.hidden = true;
    try {
      onStart(await begin());
    } catch (problem) {
      error.textContent = /** @type {Error} */ (problem).message;
      error.hidden = false;
    } finally {
      start.disabled = false;
    }
  }

  const form = h("form", {
    class: "card column",
    on: {
      submit(/** @type {SubmitEvent} */ event) {
        event.preventDefault();
        const read = feeds.map((feed) => /** @type {const} */ ([feed.name, feed.read()]));
        if (read.some(([, feed]) => feed === null)) return;
        void run(() => LiveSession.start(context, /** @type {any} */ (Object.fromEntries(read))));
      },
    },
  },
  h("h2", null, "Run in real time"),
  h("p", { class: "dim" }, "Values move through a tube for each input, operator and output, as they are published."),
  list, error, h("div", { class: "row" }, start));

  function update() {
    const { state } = store;
    const names = state.analysis?.inputs.map((input) => input.name) ?? [];
    const next = JSON.stringify([names, state.data, state.recordings, state.states]);
    const hasError = state.analysis?.diagnostics.some((diagnostic) => diagnostic.severity === "error") ?? false;
    start.disabled = state.path === null || state.analysis === null || hasError;
    if (hasError) error.textContent = "The text has errors. Fix them to run it.";
    error.hidden = !hasError;
    if (key === next) return;
    key = next;
    feeds = names.map((name) => feedField(name, state));
    fill(list, feeds.map((feed) => feed.element),
      names.length === 0 && h("p", { class: "dim" }, "This stream has no inputs; it runs by itself."));
    attachments.hidden = state.states.length === 0;
    fill(attachments, h("h2", null, "Watch a stream that runs elsewhere"),
      h("p", { class: "dim" }, "These directories hold the state of streams that were started with ",
        h("code", null, "streamrun --state"), "."),
      h("div", { class: "list" }, state.states.map((entry) => h("button", {
        type: "button", on: { click: () => void run(() => LiveSession.attach(context, entry.path)) },
      }, icon("folder"), h("span", { dir: "auto" }, entry.path)))));
  }

  return { element: h("div", { class: "live-start column" }, form, attachments), update };
}
