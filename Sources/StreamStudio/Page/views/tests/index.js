// The tests: all of them run on each change. What is wrong is shown where it is, and taken over by a click.

import { announce, field, fill, h, icon, toast } from "../../core/dom.js";
import { singleFlight } from "../../core/api.js";
import { inlineMarkdown } from "../../core/markdown.js";
import { countText } from "../../core/values.js";
import { openDialog } from "../../frame/dialog.js";
import { differing, endOf, eventText, marbleRow } from "./rows.js";

/**
 * @typedef {object} Result
 * @property {string} name
 * @property {boolean} passed
 * @property {string | null} [message]
 * @property {any} [expected]
 * @property {any} [actual]
 * @property {string[]} [differences]
 * @property {string | null} [pointer]
 *
 * @typedef {{pointer: string, name: string, values: number}} Covered
 * @typedef {{tests: Result[], coverage: Covered[]}} Report
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
    fill(root, this.toolbar, this.notice, h("div", { class: "tests-body column" }, this.empty, this.list, this.coverage));
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
      this.report = { tests: report.tests ?? [], coverage: report.coverage ?? [] };
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
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.key : undefined;
    fill(this.list, report.tests.map((result, index) => this.card(result, index)));
    this.renderCoverage(report.coverage);
    const again = focused && [...this.list.querySelectorAll("[data-key]")]
      .find((element) => /** @type {HTMLElement} */ (element).dataset.key === focused);
    if (again instanceof HTMLElement) again.focus();
  }

  /**
   * @param {Result} result
   * @param {number} index
   */
  card(result, index) {
    const { name, passed, message } = result;
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
        button("Edit", () => this.edit(result, index), "quiet")),
      !passed && message && h("p", { class: "test-message", dir: "auto" }, ...inlineMarkdown(message)),
      details);
  }

  /** @param {Covered[]} coverage */
  renderCoverage(coverage) {
    const missed = coverage.filter(({ values }) => values === 0);
    if (coverage.length === 0 || !this.report?.tests.length) return fill(this.coverage);
    fill(this.coverage, h("h2", null, "Coverage"),
      missed.length === 0
        ? h("p", null, h("span", { class: "badge ok" }, icon("check"),
          `Tests reach all ${countText(coverage.length, "operator")}`))
        : [
          h("p", { dir: "auto" },
            `Tests reach ${coverage.length - missed.length} of ${countText(coverage.length, "operator")}. `
            + "No value comes through these:"),
          h("ul", { class: "row" }, missed.map(({ pointer, name }) => h("li", null, h("button", {
            type: "button", class: "button", title: pointer, on: { click: () => this.showOperator(pointer) },
          }, name)))),
        ]);
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

  /**
   * @param {Result} result
   * @param {number} index
   */
  edit({ pointer }, index) {
    this.store.set({ view: "pipeline", selection: { pointer: pointer ?? `/tests/${index}` } });
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
      this.store.edit(answer.text, { label: name === null ? "Update all expectations" : `Update expectation of ${name}` });
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
      if (input.value.trim() === "") {
        name.setError("Enter a name.");
        return input.focus();
      }
      const error = await this.addTest(input.value.trim(), inputs, runRequest.seconds);
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
  const want = eventsOf(expected);
  const got = eventsOf(actual);
  /** @type {Node[]} */
  const nodes = [];
  if (want && got) {
    const end = endOf(want, got);
    const wrong = passed ? new Set() : differing(got, want);
    const missing = passed ? new Set() : differing(want, got);
    nodes.push(h("div", { class: "test-rows" },
      h("span", { class: "dim" }, "expected"), marbleRow("Expected", want, { end, different: missing }),
      h("span", { class: "dim" }, "actual"), marbleRow("Actual", got, { end, different: wrong })));
    if (!passed) nodes.push(eventTable(want, got));
  } else {
    for (const [title, value] of /** @type {[string, any][]} */ ([["expected", expected], ["actual", actual]])) {
      if (value !== undefined && value !== null) {
        nodes.push(h("p", { class: "dim" }, title), h("pre", { class: "code", tabindex: "0", dir: "auto" }, textOf(value)));
      }
    }
  }
  if (differences?.length) nodes.push(h("pre", { class: "code", tabindex: "0", dir: "auto" }, differences.join("\n")));
  return nodes;
}

/** @param {any} value */
function textOf(value) {
  if (typeof value === "string") return value;
  return Array.isArray(value) && value.every((line) => typeof line === "string")
    ? value.join("\n") : JSON.stringify(value, null, 2);
}

/**
 * @param {any} value
 * @returns {import("./rows.js").Event[] | null}
 */
function eventsOf(value) {
  const events = Array.isArray(value) ? value : value?.events;
  if (!Array.isArray(events)) return null;
  const isEvent = (/** @type {any} */ event) =>
    typeof event === "object" && event !== null && ("value" in event || "finished" in event || "failure" in event);
  return events.every(isEvent) ? events : null;
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
      h("td", { dir: "auto" }, want[index] ? eventText(want[index]) : "—"),
      h("td", { dir: "auto" }, got[index] ? eventText(got[index]) : "—")))),
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
