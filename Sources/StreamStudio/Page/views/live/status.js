// The figures of a stream that another process runs, as `streamrun top` has them.

import { fill, h } from "../../core/dom.js";
import { timeText } from "../../core/values.js";

/**
 * @typedef {{name: string, pointer: string, values: number | null, streams: number, held: number, bytes: number,
 *   timers: number}} OperatorFigures
 * @typedef {{name: string, values: number}} Port
 * @typedef {{stream: string, process: number, uptime: number, time: number, lag: number | null, inputs: Port[],
 *   outputs: Port[], memory: number, timers: number, callsWaiting: number, lateValues: number | null, dropped: any[],
 *   skippedValues: number, savedState: {age: number, bytes: number} | null, operators: OperatorFigures[]}} Status
 */

/** @param {number} bytes */
function bytesText(bytes) {
  if (bytes < 1e3) return `${bytes} B`;
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** @param {number} seconds */
const wholeTime = (seconds) => timeText(seconds < 10 ? Number(seconds.toFixed(1)) : Math.round(seconds));

/**
 * Values a second since the status before.
 *
 * @param {number | null} now
 * @param {number | null | undefined} before
 * @param {number} seconds
 */
function rateText(now, before, seconds) {
  if (now === null || before === null || before === undefined || seconds <= 0) return "–";
  return `${Number(Math.max(0, (now - before) / seconds).toPrecision(3))}/s`;
}

/**
 * @param {HTMLElement} root
 * @param {Status | null} status
 * @param {Status | null} before The status before it, for rates.
 */
export function showStatus(root, status, before) {
  if (!status) {
    fill(root, h("p", { class: "dim" }, "Waiting for the first figures…"));
    return;
  }
  const seconds = before ? status.uptime - before.uptime : 0;
  /** @type {[string, string][]} */
  const facts = [
    ["Process", String(status.process)], ["Runs for", wholeTime(status.uptime)], ["Memory", bytesText(status.memory)],
    ["Timers", String(status.timers)], ["Calls waiting", String(status.callsWaiting)],
    ["Values with an error", String(status.skippedValues)],
  ];
  if (status.lag !== null) facts.push(["Lag", wholeTime(status.lag)]);
  if (status.lateValues !== null) facts.push(["Late values", String(status.lateValues)]);
  if (status.savedState) {
    facts.push(["State saved", `${wholeTime(status.savedState.age)} ago, ${bytesText(status.savedState.bytes)}`]);
  }
  /** @param {string} kind @param {Port[]} ports @param {Port[] | undefined} old */
  const portRows = (kind, ports, old) => ports.map((port) => row([
    `${kind} ${port.name}`, String(port.values),
    rateText(port.values, old?.find((other) => other.name === port.name)?.values, seconds), "", "", "",
  ]));
  const operators = status.operators.map((operator) => row([
    `${operator.name} ${operator.pointer}`, operator.values === null ? "–" : String(operator.values),
    rateText(
      operator.values, before?.operators.find((other) => other.pointer === operator.pointer)?.values, seconds),
    String(operator.held), bytesText(operator.bytes), String(operator.timers),
  ]));
  fill(root,
    h("h3", { dir: "auto" }, status.stream),
    h("dl", { class: "live-facts" },
      facts.map(([name, text]) => h("div", null, h("dt", null, name), h("dd", null, text)))),
    h("div", { class: "live-table", tabindex: "0", role: "region", "aria-label": "Figures of operators" },
      h("table", null,
        h("thead", null, h("tr", null, ["", "Values", "Rate", "Held", "Memory", "Timers"].map((title) =>
          title ? h("th", { scope: "col" }, title) : h("td", null)))),
        h("tbody", null, portRows("input", status.inputs, before?.inputs), operators,
          portRows("output", status.outputs, before?.outputs)))));
}

/** @param {string[]} cells */
function row(cells) {
  const [first, ...rest] = cells;
  return h("tr", null, h("th", { scope: "row", dir: "auto" }, first), rest.map((cell) => h("td", null, cell)));
}
