// The events of a recording in words.

import { timeText, valueText } from "../../core/values.js";

/**
 * An event of a recording: what came from outside, or timers that fired.
 *
 * @typedef {{at?: number | string, kind?: string, input?: string, value?: any, finished?: boolean, failure?: any,
 *   call?: any, function?: string, argument?: any, timer?: boolean, swap?: any, text?: string, title?: string}} TapeEvent
 */

/**
 * @param {TapeEvent | string | null | undefined} event
 * @returns {string}
 */
export function eventWords(event) {
  if (!event) return "Before the first event";
  if (typeof event === "string") return event;
  if (event.text ?? event.title) return String(event.text ?? event.title);
  if (event.input !== undefined) return `Input ${event.input} ${received(event)}`;
  if (event.call !== undefined || event.function !== undefined) {
    const name = event.function ?? (typeof event.call === "string" ? event.call : event.call?.function ?? "");
    const argument = event.argument === undefined ? "" : `(${valueText(event.argument, 80)})`;
    return `Call ${name}${argument} ${"failure" in event ? received(event) : `returns ${valueText(event.value, 200)}`}`;
  }
  if (event.swap !== undefined || event.kind === "swap") return "The stream is replaced by another version";
  return event.timer ? "The next timer fires" : "Timers fire";
}

/** @param {TapeEvent} event */
function received(event) {
  if (event.finished) return "finishes";
  if ("failure" in event && event.failure !== undefined && event.failure !== null) {
    return `fails: ${event.failure?.message ?? event.failure?.code ?? valueText(event.failure, 200)}`;
  }
  return `receives ${valueText(event.value, 200)}`;
}

/**
 * An output in words.
 *
 * @param {{at?: number, value?: any, finished?: boolean, failure?: any, output?: string}} output
 * @returns {string}
 */
export function outputWords(output) {
  const name = output.output ? `${output.output}: ` : "";
  if (output.finished) return `${name}finished`;
  if (output.failure !== undefined && output.failure !== null) {
    return `${name}failed: ${output.failure?.message ?? output.failure?.code ?? valueText(output.failure, 200)}`;
  }
  return `${name}${valueText(output.value, 400)}`;
}

/**
 * A time of a recording, which is a string of nanoseconds beyond 46 days.
 *
 * @param {number | string | null | undefined} at
 * @returns {string}
 */
export function atWords(at) {
  if (at === null || at === undefined) return "";
  return typeof at === "number" ? timeText(at) : at;
}
