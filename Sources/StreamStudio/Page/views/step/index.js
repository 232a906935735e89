// A recording as a tape: one goes through its events, and sees what each operator published and keeps.

import { announce, fill, h, icon, toast } from "../../core/dom.js";
import { isAbort } from "../../core/api.js";
import { eventText } from "../../core/events.js";
import { addKeys } from "../../core/keys.js";
import { valueTree } from "../../core/tree.js";
import { countText, isSame } from "../../core/values.js";
import { Comparison, firstError } from "./comparison.js";
import { atWords, eventWords, lastOfPipeline, shownState } from "./words.js";

/**
 * @typedef {import("./words.js").State} State
 * @typedef {{name: string, pointer: string, latest?: any, states?: State[]}} Operator
 * @typedef {object} TapeView
 * @property {number} position
 * @property {number | null} count Null as long as the recording has not been read to its end.
 * @property {boolean} [isAtEnd]
 * @property {number | string | null} at
 * @property {string | null} event In words.
 * @property {any[]} outputs
 * @property {Operator[]} operators
 */

class StepView {
  /**
   * @param {HTMLElement} root
   * @param {import("../../core/types.js").ViewContext} context
   */
  constructor(root, { store, api }) {
    this.store = store;
    this.api = api;
    /** @type {string | null} */
    this.recording = null;
    /** @type {string | null} */
    this.id = null;
    /** @type {TapeView | null} */
    this.view = null;
    /** @type {TapeView | null} The one before, for what has changed. */
    this.before = null;
    this.isBusy = false;
    this.usesDraft = false;
    /** @type {HTMLSelectElement} */
    this.chooser = h("select", { dir: "auto", on: { change: () => this.choose(this.chooser.value) } });
    this.version = h("select", {
      "aria-label": "Version of the stream", on: {
        change: () => {
          this.usesDraft = this.version.value === "draft";
          void this.start();
        },
      },
    }, h("option", { value: "recorded" }, "as recorded"), h("option", { value: "draft" }, "with this draft"));
    this.operator = h("select", { "aria-label": "Operator", dir: "auto" });
    this.position = h("input", {
      type: "text", inputmode: "numeric", class: "number", "aria-label": "Event",
      on: {
        change: () => {
          const number = Number(this.position.value);
          if (Number.isInteger(number) && number >= 0) void this.move({ to: number });
          else this.position.value = String(this.view?.position ?? 0);
        },
      },
    });
    /** @type {HTMLInputElement} */
    this.slider = h("input", {
      type: "range", min: "0", step: "1", "aria-label": "Position on the tape", class: "grow",
      on: { input: () => void this.move({ to: Number(this.slider.value) }) },
    });
    this.count = h("span", { class: "dim" });
    /**
     * @param {string} title
     * @param {string} key
     * @param {() => void} run
     */
    const button = (title, key, run) => h("button", {
      type: "button", class: "button", title: `${title} (${key})`, "aria-keyshortcuts": key, on: { click: run },
    }, title);
    this.back = button("Back", "B", () => void this.move({ move: "back" }));
    this.next = button("Next", "N", () => void this.move({ move: "next" }));
    this.end = button("End", "E", () => void this.move({ move: "end" }));
    this.output = button("Next output", "O", () => void this.nextOutput());
    this.controls = h("div", { class: "toolbar tape-controls", role: "toolbar", "aria-label": "Tape" },
      this.back, this.next, this.end, h("label", { class: "row" }, "Event", this.position), this.count, this.slider,
      h("span", { class: "row" }, this.output, h("label", { class: "row" }, "of", this.operator)));
    this.comparison = new Comparison({ store, api, recording: () => this.recording });
    this.toolbar = h("div", { class: "toolbar" },
      h("label", { class: "row" }, "Recording", this.chooser), this.version, h("span", { class: "grow" }),
      h("button", {
        type: "button", class: "button", "aria-pressed": "false",
        on: { click: (/** @type {MouseEvent} */ event) => this.compare(event) },
      }, "Compare with the draft"));
    this.event = h("section", { class: "card tape-event", "aria-label": "Event", "aria-live": "polite" });
    this.outputs = h("section", { class: "column-step", "aria-label": "Outputs" });
    this.operators = h("section", { class: "column-step", "aria-label": "Operators" });
    this.body = h("div", { class: "step-body" },
      h("div", { class: "column" }, this.event, this.outputs), this.operators);
    this.empty = h("div", { class: "empty" });
    root.classList.add("step-view");
    fill(root, this.toolbar, this.controls, this.comparison.element, this.empty, this.body);
    const section = "Step";
    const isOn = () => this.id !== null;
    const ends = [
      store.subscribe(["recordings"], () => this.showRecordings()),
      store.subscribe(["analyzedText", "path"], () => this.changed()),
      addKeys(
        { keys: "N", title: "Next event", section, when: isOn, run: () => void this.move({ move: "next" }) },
        { keys: "B", title: "Event before", section, when: isOn, run: () => void this.move({ move: "back" }) },
        { keys: "E", title: "End of the recording", section, when: isOn, run: () => void this.move({ move: "end" }) },
        { keys: "O", title: "Next output of an operator", section, when: isOn, run: () => void this.nextOutput() }),
    ];
    this.unmount = () => {
      ends.forEach((end) => end());
      this.close();
      this.comparison.destroy();
      root.classList.remove("step-view");
    };
    this.showRecordings();
  }

  showRecordings() {
    const { recordings } = this.store.state;
    const paths = recordings.map(({ path }) => path);
    const hasNone = paths.length === 0;
    this.toolbar.hidden = hasNone;
    if (hasNone) {
      this.recording = null;
      this.id = null;
      this.view = null;
      this.showEmpty("There are no recordings in the folder", [
        "A recording holds everything that a run received from outside. Make one with ",
        h("code", null, "streamrun FILE --record run.ndjson"), ", and it appears here.",
      ]);
      return;
    }
    fill(this.chooser, recordings.map(({ path }) => h("option", { value: path }, path)));
    if (this.recording === null || !paths.includes(this.recording)) this.choose(paths[0]);
    else this.chooser.value = this.recording;
  }

  /** @param {string} path */
  choose(path) {
    this.recording = path;
    this.chooser.value = path;
    void this.start();
    this.comparison.refresh();
  }

  /** The draft has changed: a tape that runs it begins again at the same place. */
  changed() {
    if (this.usesDraft && this.recording !== null) {
      clearTimeout(this.timer);
      this.timer = window.setTimeout(() => void this.start(this.view?.position), 300);
    }
    this.comparison.refresh();
  }

  /** @type {number | undefined} */
  timer;

  /** @param {number} [position] */
  async start(position = 0) {
    const { path, text } = this.store.state;
    const draft = this.usesDraft && path !== null ? { draft: { path, text } } : {};
    const error = this.usesDraft ? firstError(this.store) : null;
    this.close();
    if (error !== null) {
      this.showEmpty("The draft is not a valid stream", [error]);
      return;
    }
    try {
      const signal = this.api.latest("step");
      const answer = await this.api.post("/api/step", { recording: this.recording, ...draft }, { signal });
      this.id = answer.id;
      this.before = null;
      this.show(answer.view);
      if (position > 0) await this.move({ to: Math.min(position, answer.count ?? position) });
    } catch (error) {
      if (isAbort(error)) return;
      this.id = null;
      const { title, detail } = /** @type {import("../../core/api.js").ApiError} */ (error);
      this.showEmpty(title || "The recording cannot be read", [detail ?? ""]);
    }
  }

  /** Tells the server that the tape is no longer needed. */
  close() {
    if (this.id !== null) this.api.delete(`/api/step/${encodeURIComponent(this.id)}`).catch(() => {});
    this.id = null;
  }

  /** @param {{move?: "next" | "back" | "end", to?: number, outputOf?: string}} wish */
  async move(wish) {
    if (this.id === null) return;
    // Of the places that a dragged slider goes through, only the newest matters.
    if (this.isBusy) {
      this.waiting = wish;
      return;
    }
    this.isBusy = true;
    try {
      const view = await this.api.post(`/api/step/${encodeURIComponent(this.id)}`, wish);
      this.before = this.view;
      this.show(view);
    } catch (error) {
      const { status, message } = /** @type {import("../../core/api.js").ApiError} */ (error);
      this.isBusy = false;
      // A server that was started again does not know the tape.
      if (status === 404) {
        this.id = null;
        await this.start(this.view?.position);
      } else if (status !== 0) {
        toast(message, { kind: "error" });
      }
    }
    this.isBusy = false;
    const next = this.waiting;
    this.waiting = undefined;
    if (next) void this.move(next);
  }

  /** @type {{move?: "next" | "back" | "end", to?: number, outputOf?: string} | undefined} */
  waiting;

  async nextOutput() {
    const position = this.view?.position;
    await this.move({ outputOf: this.operator.value });
    if (this.view?.position === position) announce("There is no further output of this operator");
  }

  /** @param {Event} event */
  compare(event) {
    const button = /** @type {HTMLButtonElement} */ (event.currentTarget);
    const isOn = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(isOn));
    button.classList.toggle("primary", isOn);
    this.comparison.setOn(isOn);
  }

  // MARK: Drawing

  /**
   * @param {string} title
   * @param {import("../../core/dom.js").Child[]} text
   */
  showEmpty(title, text) {
    this.empty.hidden = false;
    this.body.hidden = true;
    this.controls.hidden = true;
    fill(this.empty, h("h2", null, title), h("p", { dir: "auto" }, ...text));
  }

  /** @param {TapeView} view */
  show(view) {
    this.view = view;
    this.empty.hidden = true;
    this.body.hidden = false;
    this.controls.hidden = false;
    const { position, count } = view;
    const isAtEnd = view.isAtEnd ?? position === count;
    this.slider.hidden = count === null;
    this.slider.max = String(count ?? position);
    this.slider.value = String(position);
    this.slider.setAttribute("aria-valuetext", `event ${position} of ${count ?? "many"}`);
    this.position.value = String(position);
    this.count.textContent = count === null ? "" : `of ${count.toLocaleString("en-US")}`;
    this.back.disabled = position === 0;
    for (const button of [this.next, this.end, this.output]) button.disabled = isAtEnd;
    fill(this.event, h("p", { class: "dim" }, position === 0 ? "Start"
      : `Event ${position}${count === null ? "" : ` of ${count}`} at ${atWords(view.at)}`),
      h("p", { class: "tape-words", dir: "auto" },
        position === 0 ? "Before the first event" : eventWords(view.event ?? "")));
    fill(this.outputs, h("h2", null, "Output of the stream"),
      view.outputs.length === 0 ? h("p", { class: "dim" }, "Nothing at this event.")
        : h("ol", { class: "list" }, view.outputs.map((output) => h("li", null,
          icon("right"), h("span", { class: "grow code", dir: "auto" }, eventText(output, 400)),
          h("span", { class: "dim" }, atWords(output.at))))));
    this.showOperators(view.operators);
  }

  /** @param {Operator[]} operators */
  showOperators(operators) {
    const chosen = this.operator.value;
    const options = operators.map(({ name, pointer }) => `${name}\u0000${pointer}`).join("\n");
    if (this.operator.dataset.options !== options) {
      this.operator.dataset.options = options;
      fill(this.operator, operators.map(({ name, pointer }) => h("option", { value: pointer }, `${name} ${pointer}`)));
      const isThere = operators.some(({ pointer }) => pointer === chosen);
      this.operator.value = isThere ? chosen : lastOfPipeline(operators);
    }
    const old = new Map((this.before?.operators ?? []).map((operator) => [operator.pointer, operator]));
    const changed = operators.filter((operator) => isOther(operator, old.get(operator.pointer))).length;
    fill(this.operators, h("h2", null, "Operators"),
      this.before
        && h("p", { class: "dim" }, changed ? `${countText(changed, "operator")} changed` : "No operator changed"),
      h("ol", { class: "column" }, operators.map((operator) => this.card(operator, old.get(operator.pointer)))));
  }

  /**
   * @param {Operator} operator
   * @param {Operator | undefined} old
   */
  card(operator, old) {
    const { name, pointer, latest, states } = operator;
    const isChanged = isOther(operator, old);
    const compared = (/** @type {any} */ before) => (old ? { before } : {});
    return h("li", { class: `card step-card${isChanged ? " changed" : ""}` },
      h("div", { class: "row" }, h("h3", { dir: "auto" }, name), h("code", { class: "dim grow" }, pointer),
        isChanged && h("span", { class: "badge accent" }, "changed"),
        h("button", {
          type: "button", class: "button quiet", "aria-label": `Show ${name} in the pipeline`,
          on: { click: () => this.store.set({ view: "pipeline", selection: { pointer } }) },
        }, "Show")),
      h("p", null, h("span", { class: "dim" }, "latest "),
        latest === undefined || latest === null ? h("span", { class: "dim" }, "none")
          : [h("span", { class: "code", dir: "auto" }, eventText(latest, 400)),
            h("span", { class: "dim" }, ` at ${atWords(latest.at)}`)]),
      (states ?? []).map((state, index) => valueTree((states ?? []).length > 1 ? `state of ${state.frame}` : "state",
        shownState(state), compared(shownState(old?.states?.[index])))));
  }
}

/**
 * @param {Operator} operator
 * @param {Operator | undefined} old
 */
function isOther(operator, old) {
  return old !== undefined && !(isSame(operator.latest, old.latest) && isSame(operator.states ?? [], old.states ?? []));
}

/** @type {import("../../core/types.js").View} */
export const view = {
  id: "step",
  title: "Step",
  hint: "A recording as a tape: go through its events, with the state of each operator.",
  mount(root, context) {
    return new StepView(root, context);
  },
};
