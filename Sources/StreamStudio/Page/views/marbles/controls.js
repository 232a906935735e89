// The bar above the marbles: what is fed, how records are labeled, how long the run is, and a test made of it.

import { field, fill, h, toast } from "../../core/dom.js";
import { openDialog } from "../../frame/dialog.js";

/**
 * @typedef {import("../../core/store.js").State} State
 * @typedef {import("../../core/types.js").ViewContext} ViewContext
 *
 * @typedef {object} Actions
 * @property {(field: string) => void} label
 * @property {() => void} own Goes on with the inputs that are shown as one's own.
 * @property {() => void} none
 */

/**
 * @param {HTMLSelectElement} select
 * @param {{value: string, title: string}[]} options
 * @param {string} value
 */
function setOptions(select, options, value) {
  const key = JSON.stringify(options);
  if (select.dataset.key !== key) {
    select.dataset.key = key;
    fill(select, options.map((option) => h("option", { value: option.value }, option.title)));
  }
  if (select.value !== value) select.value = value;
}

/** The bar of the marbles view. */
export class Controls {
  /**
   * @param {ViewContext} context
   * @param {Actions} actions
   */
  constructor({ store, api }, actions) {
    this.store = store;
    this.api = api;
    this.source = h("select", { on: { change: () => this.choose(actions) } });
    this.label = h("select", null);
    this.label.addEventListener("change", () => actions.label(this.label.value));
    this.seconds = h("input", {
      type: "text", inputmode: "decimal", placeholder: "auto", class: "marbles-seconds", autocomplete: "off",
      on: { change: () => this.setSeconds() },
    });
    this.secondsField = field("Duration (s)", this.seconds);
    this.labelField = field("Label", this.label);
    this.sourceField = field("Inputs from", this.source);
    this.test = h("button", { type: "button", class: "button", on: { click: () => this.openTest() } },
      "Make a test of this");
    this.element = h("div", { class: "toolbar marbles-controls" }, this.sourceField, this.labelField,
      this.secondsField, h("span", { class: "grow" }), this.test);
  }

  /**
   * @param {State} state
   * @param {string[]} fields The members by which records can be labeled.
   * @param {string} label
   */
  update(state, fields, label) {
    const tests = state.analysis?.tests ?? [];
    const { inputs, test, seconds } = state.runRequest;
    const hasInputs = (state.analysis?.inputs.length ?? 0) > 0 || Object.keys(state.run?.inputs ?? {}).length > 0;
    const options = tests.map(({ name }, index) => ({ value: `test:${name}`, title: name || `test ${index + 1}` }));
    if (hasInputs || inputs) options.push({ value: "own", title: "My own" }, { value: "none", title: "None" });
    const isNone = inputs !== null && Object.values(inputs).every((events) => events.length === 0);
    const first = tests.length > 0 ? `test:${tests[0].name}` : "none";
    const value = inputs ? (isNone ? "none" : "own") : test !== null ? `test:${test}` : first;
    this.sourceField.hidden = options.length === 0;
    setOptions(this.source, options, value);
    this.labelField.hidden = fields.length === 0;
    const fieldOptions = fields.map((name) => ({ value: name, title: name }));
    setOptions(this.label, [{ value: "", title: "whole record" }, ...fieldOptions], label);
    if (document.activeElement !== this.seconds) this.seconds.value = seconds === null ? "" : String(seconds);
    this.test.disabled = !state.run || state.runIsStale;
  }

  /** @param {Actions} actions */
  choose(actions) {
    const { value } = this.source;
    if (value === "none") actions.none();
    else if (value === "own") actions.own();
    else this.store.setRun({ test: value.slice("test:".length) });
  }

  setSeconds() {
    const text = this.seconds.value.trim().replace(",", ".");
    const seconds = Number(text);
    const isValid = text === "" || (Number.isFinite(seconds) && seconds > 0);
    this.secondsField.setError(isValid ? null : "Enter seconds, such as 10.");
    if (isValid) this.store.setRun({ seconds: text === "" ? null : seconds });
  }

  openTest() {
    const count = (this.store.state.analysis?.tests.length ?? 0) + 1;
    const name = h("input", { type: "text", value: `test ${count}`, dir: "auto", autocomplete: "off" });
    const nameField = field("Name of the test", name);
    const form = h("form", {
      class: "column", id: "marbles-test",
      on: {
        submit: async (/** @type {SubmitEvent} */ event) => {
          event.preventDefault();
          const error = await this.addTest(name.value.trim());
          nameField.setError(error);
          if (!error) dialog.close();
        },
      },
    },
    nameField,
    h("p", { class: "dim" }, "The test feeds these inputs and expects what the stream publishes now."));
    const dialog = openDialog("Make a test of this", form, [
      h("button", { type: "button", class: "button", on: { click: () => dialog.close() } }, "Cancel"),
      h("button", { type: "submit", form: "marbles-test", class: "button primary" }, "Add test"),
    ]);
    name.focus();
    name.select();
  }

  /**
   * @param {string} name
   * @returns {Promise<string | null>} The error.
   */
  async addTest(name) {
    if (name === "") return "Enter a name.";
    const { path, text, runRequest, run, analysis } = this.store.state;
    if (analysis?.tests.some((test) => test.name === name)) return "A test with this name exists.";
    const inputs = runRequest.inputs ?? run?.inputs ?? {};
    const body = { path, text, name, inputs, ...(runRequest.seconds === null ? {} : { seconds: runRequest.seconds }) };
    try {
      const answer = await this.api.post("/api/test/add", body);
      this.store.edit(answer.text, { label: "Add a test" });
      toast(`Added the test “${name}”.`, {
        action: { title: "Show tests", run: () => this.store.set({ view: "tests" }) },
      });
      return null;
    } catch (error) {
      return /** @type {Error} */ (error).message;
    }
  }
}
