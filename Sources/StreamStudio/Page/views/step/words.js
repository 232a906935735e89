// Events, times and states of a recording in words.

import { stateWords, timeText } from "../../core/values.js";

/** @typedef {{frame: number, state: any, timers?: number[]}} State */

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

/**
 * The operator that a person asks about first: the last one of the stream, whose output is that of the stream.
 *
 * @param {{pointer: string}[]} operators
 * @returns {string} Its pointer, or "" if there is none.
 */
export function lastOfPipeline(operators) {
  const own = operators.filter(({ pointer }) => /^\/operators\/\d+$/.test(pointer));
  return (own.at(-1) ?? operators.at(-1))?.pointer ?? "";
}

/**
 * The state of an operator, with its timers if it has any, and with words for numbers that stand for one.
 *
 * @param {State | undefined} state
 */
export function shownState(state) {
  if (!state) return undefined;
  const words = stateWords(state.state);
  return state.timers?.length ? { state: words, timers: state.timers.map((at) => timeText(at)) } : words;
}
