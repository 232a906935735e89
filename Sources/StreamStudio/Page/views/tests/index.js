// The tests: all of them run on each change. What is wrong is shown where it is, and taken over by a click.

import { announce, field, fill, h, icon, toast } from "../../core/dom.js";
import { singleFlight } from "../../core/api.js";
import { inlineMarkdown } from "../../core/markdown.js";
import { countText, isSame, jsonText } from "../../core/values.js";
import { openDialog } from "../../frame/dialog.js";
import { differing, endOf, marbleRow, timedText } from "./rows.js";

/**
 * @typedef {object} Result
 * @property {string} name
 * @property {boolean} passed
 * @property {string} pointer
 * @property {any} expected The expectation as the file has it.
 * @property {any} actual What it would have to be; null if it is right.
 * @property {string[]} differences
 * @property {string[]} [warnings]
 *
 * @typedef {object} Coverage
 * @property {[number, number]} operators How many tests reach, of how many.
 * @property {[number, number]} branches
 * @property {{message: string, pointer: string, range: [number, number] | null}[]} uncovered
 *
 * @typedef {{tests: Result[], coverage: Coverage}} Report
 */

/** Time without a change before the tests run. */
const PAUSE = 200;

class TestsView {
  /**
   * @param {HTMLElement} root
   * @param {import("../../core/types.js").ViewContext} context
   */
  constructor(root, { store, api }) {
    this.store = store;
    this.api = api;
    /** @type {Report | null} */
    this.report = null;
    this.testedText = "\u0000";
    this.timer = 0;
    /** @type {Map<string, boolean>} Whether a test shows its events, where one has chosen it. */
    this.unfolded = new Map();
    this.run = singleFlight(() => this.runTests());
    this.summary = h("p", { class: "grow", role: "status" });
    this.updateAll = h("button", {
      type: "button", class: "button", hidden: true, on: { click: () => void this.update(null) },
    }, "Update all expectations");
    this.toolbar = h("div", { class: "toolbar" }, this.summary, this.updateAll, h("button", {
      type: "button", class: "button", on: { click: () => this.askForTest() },
    }, icon("add"), "New test from the marbles"));
    this.notice = h("div", { class: "notice warn", hidden: true });
    this.list = h("ol", { class: "column tests-list", "aria-label": "Tests" });
    this.coverage = h("section", { class: "column", "aria-label": "Coverage" });
    this.empty = h("div", { class: "empty", hidden: true });
    fill(root, this.toolbar, this.notice,
      h("div", { class: "tests-body column" }, this.empty, this.list, this.coverage));
    root.classList.add("tests-view");
    const end = store.subscribe(["text", "path", "analysis", "analyzedText"], () => this.schedule());
    store.wantsRun(true);
    this.schedule();
    this.unmount = () => {
      end();
      clearTimeout(this.timer);
      store.wantsRun(false);
      root.classList.remove("tests-view");
    };
  }

  /** Runs the tests once the text is valid and rests. */
  schedule() {
    const { text, path, analysis, analyzedText } = this.store.state;
    this.showEmpty();
    if (path === null || analyzedText !== text || !analysis) return;
    const errors = analysis.diagnostics.filter(({ severity }) => severity === "error");
    this.showNotice(errors.length);
    if (errors.length || text === this.testedText) return;
    clearTimeout(this.timer);
    this.timer = window.setTimeout(this.run, this.report ? PAUSE : 0);
  }

  async runTests() {
    const { path, text } = this.store.state;
    if (path === null) return;
    try {
      const report = await this.api.post("/api/test", { path, text });
      if (this.store.state.path !== path) return;
      this.testedText = text;
      this.showNotice(0);
      // A change that makes no difference to the tests leaves the page as it is.
      if (isSame(report, this.report)) return;
      this.report = report;
      this.render();
    } catch (error) {
      this.showFailure(/** @type {import("../../core/api.js").ApiError} */ (error));
    }
  }

  // MARK: Drawing

  showEmpty() {
    const { path, analysis } = this.store.state;
    const hasNone = path !== null && analysis !== null && (analysis.tests ?? []).length === 0
      && !analysis.diagnostics.some(({ severity }) => severity === "error") && !this.report?.tests.length;
    this.empty.hidden = path !== null && !hasNone;
    this.toolbar.hidden = path === null;
    if (path === null) {
      fill(this.empty, h("h2", null, "No stream is open"), h("p", null, "Choose a file on the left."));
    } else if (hasNone) {
      fill(this.empty, h("h2", null, "This stream has no tests"),
        h("p", null, "A test feeds the inputs and expects what the stream publishes, with the times. Arrange marbles "
          + "until the output is right, and make a test of them."),
        h("div", { class: "row" },
          h("button", {
            type: "button", class: "button primary", on: { click: () => this.askForTest() },
          }, "New test from the marbles"),
          h("button", {
            type: "button", class: "button", on: { click: () => this.store.set({ view: "marbles" }) },
          }, "Show the marbles")));
    }
  }

  /** @param {number} errors */
  showNotice(errors) {
    this.notice.hidden = errors === 0;
    this.list.classList.toggle("stale", errors > 0);
    if (errors) {
      fill(this.notice, icon("warning"), h("p", null,
        `The stream has ${countText(errors, "error")}. The results are those of the text before.`));
    }
  }

  /** @param {import("../../core/api.js").ApiError} error */
  showFailure(error) {
    this.notice.hidden = false;
    fill(this.notice, icon("error"), h("p", { dir: "auto" }, `The tests did not run. ${error.message}`),
      h("button", { type: "button", class: "button", on: { click: () => this.run() } }, "Run again"));
  }

  render() {
    const { report } = this;
    if (!report) return;
    this.showEmpty();
    this.showNotice(0);
    const failed = report.tests.filter(({ passed }) => !passed).length;
    const passed = report.tests.length - failed;
    fill(this.summary, report.tests.length === 0 ? "No tests" : [
      h("span", { class: "badge ok" }, icon("check"), `${passed} passed`), " ",
      failed > 0 && h("span", { class: "badge error" }, icon("close"), `${failed} failed`)]);
    this.updateAll.hidden = failed < 2;
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.key ?? "" : "";
    fill(this.list, report.tests.map((result, index) => this.card(result, index)));
    this.renderCoverage(report.coverage);
    this.refocus(focused);
  }

  /**
   * Gives the focus back to the control that had it, or, if it is gone, to another one of its test.
   *
   * @param {string} key
   */
  refocus(key) {
    if (key === "") return;
    const controls = /** @type {HTMLElement[]} */ ([...this.list.querySelectorAll("[data-key]")]);
    const test = `${key.split(" ")[0]} `;
    const found = controls.find((control) => control.dataset.key === key)
      ?? controls.find((control) => control.dataset.key?.startsWith(test));
    found?.focus();
  }

  /**
   * @param {Result} result
   * @param {number} index
   */
  card(result, index) {
    const { name, passed, warnings } = result;
    const details = h("details", {
      class: "test-details", open: this.unfolded.get(name) ?? !passed,
    }, h("summary", { "data-key": `${index} events` }, passed ? "Events" : "Expected and actual events"),
    ...eventRows(result));
    details.addEventListener("toggle", () => this.unfolded.set(name, details.open));
    const button = (/** @type {string} */ title, /** @type {() => void} */ run, style = "") => h("button", {
      type: "button", class: `button ${style}`, "data-key": `${index} ${title}`, on: { click: run },
    }, title);
    return h("li", { class: `card test ${passed ? "passed" : "failed"}` },
      h("div", { class: "row" },
        h("span", { class: `badge ${passed ? "ok" : "error"}` }, icon(passed ? "check" : "close"),
          passed ? "Passed" : "Failed"),
        h("h3", { class: "grow", dir: "auto" }, name),
        !passed && button("Update expectation", () => void this.update(name)),
        button("Show in marbles", () => this.showInMarbles(name), "quiet"),
        button("Edit", () => this.edit(result), "quiet")),
      (warnings ?? []).map((warning) => h("p", { class: "problem warning", dir: "auto" }, icon("warning"), warning)),
      details);
  }

  /** @param {Coverage} coverage */
  renderCoverage({ operators, branches, uncovered }) {
    const hasTests = this.report?.tests.length && operators[1] + branches[1] > 0;
    if (!hasTests) return fill(this.coverage);
    const share = (/** @type {[number, number]} */ [covered, total], /** @type {string} */ nouns) => total > 0
      && h("span", { class: `badge ${covered === total ? "ok" : "warn"}` },
        icon(covered === total ? "check" : "warning"), `${covered} of ${total} ${nouns}`);
    fill(this.coverage, h("h2", null, "Coverage"),
      h("p", { class: "row" }, "Tests reach", share(operators, "operators"), share(branches, "branches")),
      uncovered.length > 0 && h("ul", { class: "list uncovered" }, uncovered.map(({ message, pointer }) => h("li", null,
        icon("warning"), h("span", { class: "grow", dir: "auto" }, ...inlineMarkdown(message)),
        h("button", {
          type: "button", class: "button quiet", "aria-label": `Show ${pointer} in the pipeline`,
          on: { click: () => this.showOperator(pointer) },
        }, "Show")))));
  }

  // MARK: Actions

  /** @param {string} pointer */
  showOperator(pointer) {
    this.store.set({ view: "pipeline", selection: { pointer } });
  }

  /** @param {string} name */
  showInMarbles(name) {
    this.store.setRun({ test: name });
    this.store.set({ view: "marbles" });
  }

  /** @param {Result} result */
  edit({ pointer }) {
    this.store.set({ view: "pipeline", selection: { pointer } });
  }

  /**
   * Expects what the stream publishes now.
   *
   * @param {string | null} name Null for all tests.
   */
  async update(name) {
    const { path, text } = this.store.state;
    try {
      const body = name === null ? { path, text } : { path, text, name };
      const answer = await this.api.post("/api/test/update", body);
      if (this.store.state.text !== text) {
        toast("The text changed meanwhile. Try again.");
        return;
      }
      const label = name === null ? "Update all expectations" : `Update expectation of ${name}`;
      this.store.edit(answer.text, { label });
      toast(name === null ? "Updated all expectations." : `Updated the expectation of “${name}”.`,
        { action: { title: "Undo", run: () => this.store.undo() } });
    } catch (error) {
      toast(/** @type {Error} */ (error).message, { kind: "error" });
    }
  }

  /** Asks for the name of a test that is made of what the marbles show. */
  askForTest() {
    const { run, runRequest } = this.store.state;
    const inputs = runRequest.inputs ?? run?.inputs ?? {};
    const input = h("input", { type: "text", dir: "auto", autocomplete: "off" });
    const name = field("Name", input, { help: "What the test checks, such as “a pause searches”." });
    const published = run?.tracks.filter(({ kind }) => kind === "output").flatMap(({ events }) => events) ?? [];
    const submit = async (/** @type {Event} */ event) => {
      event.preventDefault();
      const wished = input.value.trim();
      const isTaken = this.store.state.analysis?.tests.some((test) => test.name === wished);
      if (wished === "" || isTaken) {
        name.setError(isTaken ? "There is a test of this name. Choose another one." : "Enter a name.");
        return input.focus();
      }
      const error = await this.addTest(wished, inputs, runRequest.seconds);
      name.setError(error);
      if (error === null) dialog.close();
    };
    const form = h("form", { class: "column", id: "test-form", on: { submit } }, name,
      h("p", { class: "dim" }, published.length
        ? `The test expects the ${countText(published.length, "event")} that the marbles show.`
        : "The marbles show no events yet: the test expects that nothing is published."),
      published.length > 0 && marbleRow("The stream", published, { end: endOf(published), different: new Set() }));
    const dialog = openDialog("New test from the marbles", form, [
      h("button", { type: "button", class: "button", on: { click: () => dialog.close() } }, "Cancel"),
      h("button", { type: "submit", form: "test-form", class: "button primary" }, "Add test"),
    ]);
    input.focus();
  }

  /**
   * @param {string} name
   * @param {any} inputs
   * @param {number | null} seconds
   * @returns {Promise<string | null>} What went wrong.
   */
  async addTest(name, inputs, seconds) {
    const { path, text } = this.store.state;
    try {
      const body = { path, text, name, inputs, ...(seconds === null ? {} : { seconds }) };
      const answer = await this.api.post("/api/test/add", body);
      this.store.edit(answer.text, { label: `Add test ${name}` });
      announce(`Added the test ${name}`);
      return null;
    } catch (error) {
      return /** @type {Error} */ (error).message;
    }
  }
}

/**
 * What a test expects and got: as marbles where they are events, else as the lines of the report.
 *
 * @param {Result} result
 * @returns {Node[]}
 */
function eventRows({ passed, expected, actual, differences }) {
  /** @type {Node[]} */
  const nodes = [];
  const got = actual === null ? null : expectations(actual);
  for (const [name, want] of expectations(expected)) {
    const other = got?.get(name) ?? null;
    if (name !== "") nodes.push(h("h4", { dir: "auto" }, name));
    if (!want) continue;
    const end = endOf(want, other ?? []);
    nodes.push(h("div", { class: "test-rows" },
      h("span", { class: "dim" }, "expected"),
      marbleRow("Expected", want, { end, different: other ? differing(want, other) : new Set() }),
      other && [h("span", { class: "dim" }, "actual"),
        marbleRow("Actual", other, { end, different: differing(other, want) })]));
    if (!passed && other) nodes.push(eventTable(want, other));
  }
  const isShown = passed || got !== null;
  if (nodes.length && isShown) return nodes;
  if (differences.length) nodes.push(h("pre", { class: "code", tabindex: "0" }, differences.join("\n")));
  else nodes.push(h("pre", { class: "code", tabindex: "0" }, jsonText(expected, "  ")));
  return nodes;
}

/**
 * The events that an expectation lists, by output; null for an output whose expectation is a diagram.
 *
 * @param {any} expectation
 * @returns {Map<string, import("./rows.js").Event[] | null>}
 */
function expectations(expectation) {
  const outputs = expectation?.outputs ? Object.entries(expectation.outputs) : [["", expectation]];
  return new Map(outputs.map(([name, one]) => [name, eventsOf(one)]));
}

/**
 * @param {any} expectation
 * @returns {import("./rows.js").Event[] | null}
 */
function eventsOf(expectation) {
  if (Array.isArray(expectation?.events)) return expectation.events;
  if (!Array.isArray(expectation?.values)) return null;
  const { values, failure, finished } = expectation;
  const end = failure !== undefined ? [{ failure }] : finished === false ? [] : [{ finished: true }];
  return [...values.map((/** @type {any} */ value) => ({ value })), ...end];
}

/**
 * The events side by side, those that differ marked, for reading and for screen readers.
 *
 * @param {import("./rows.js").Event[]} want
 * @param {import("./rows.js").Event[]} got
 */
function eventTable(want, got) {
  const wrong = differing(got, want);
  const count = Math.max(want.length, got.length);
  const first = Math.max(0, Math.min(...[...wrong, got.length, ...differing(want, got)]) - 1);
  const shown = Array.from({ length: Math.min(count - first, 12) }, (_, index) => first + index);
  return h("table", { class: "test-table" },
    h("thead", null, h("tr", null, h("th", { scope: "col" }, "Expected"), h("th", { scope: "col" }, "Actual"))),
    h("tbody", null, shown.map((index) => h("tr", { class: wrong.has(index) || !got[index] ? "different" : "" },
      h("td", { dir: "auto" }, want[index] ? timedText(want[index]) : "—"),
      h("td", { dir: "auto" }, got[index] ? timedText(got[index]) : "—")))),
    count > first + shown.length && h("caption", null, `and ${count - first - shown.length} more`));
}

/** @type {import("../../core/types.js").View} */
export const view = {
  id: "tests",
  title: "Tests",
  hint: "All tests of the stream, run in virtual time on each change.",
  mount(root, context) {
    return new TestsView(root, context);
  },
};
