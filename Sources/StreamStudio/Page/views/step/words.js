// Events and times of a recording in words.

import { timeText } from "../../core/values.js";

/**
 * The server's words for an event, without the time, which stands beside it.
 *
 * @param {string} event such as `at 0.3: input a receives 2`
 * @returns {string}
 */
export function eventWords(event) {
  const words = event.replace(/^at \S+: /, "");
  return words.charAt(0).toUpperCase() + words.slice(1);
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
