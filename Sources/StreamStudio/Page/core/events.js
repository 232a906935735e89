// Events in words: values, the finish and failures.

import { valueText } from "./values.js";

/**
 * @typedef {{at?: number, value?: any, finished?: boolean, failure?: any}} StreamEvent
 */

/**
 * @param {StreamEvent} event
 * @returns {"value" | "finished" | "failure"}
 */
export function eventKind(event) {
  if (event.finished) return "finished";
  return event.failure !== undefined && event.failure !== null ? "failure" : "value";
}

/**
 * What an event is, without its time.
 *
 * @param {StreamEvent} event
 * @param {number} [limit] Largest number of characters of a value.
 * @returns {string}
 */
export function eventText(event, limit = 200) {
  switch (eventKind(event)) {
    case "finished": return "finished";
    case "value": return valueText(event.value, limit);
    default: return failureText(event.failure, limit);
  }
}

/**
 * @param {any} failure A failure of a run has a code and a message; one that is expected may be any value.
 * @param {number} limit
 */
function failureText(failure, limit) {
  const detail = failure === true ? "" : failure?.message ?? failure?.code ?? valueText(failure, limit);
  return detail ? `failed: ${detail}` : "failed";
}
