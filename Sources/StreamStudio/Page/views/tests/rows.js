// Events as a small row of marbles on a common scale, for what a test expects and what it got.

import { svg } from "../../core/dom.js";
import { eventKind, eventText } from "../../core/events.js";
import { colorOf, isSame, timeText, valueText } from "../../core/values.js";

/** @typedef {import("../../core/events.js").StreamEvent} Event */

/** Beyond this number of events, marbles have no labels. */
const LABELED = 40;
/** The longest label of a marble. */
const LABEL = 10;
/** The parts of the width that stay free before and behind the marbles, in percent. */
const MARGIN = 4;
const END = 10;

/**
 * The indices of events that another row does not have at the same place of the order.
 *
 * @param {Event[]} events
 * @param {Event[]} others
 * @returns {Set<number>}
 */
export function differing(events, others) {
  /** @type {Set<number>} */
  const indices = new Set();
  events.forEach((event, index) => {
    if (!isSameEvent(event, others[index])) indices.add(index);
  });
  return indices;
}

/**
 * @param {Event} a
 * @param {Event | undefined} b
 */
function isSameEvent(a, b) {
  if (!b || eventKind(a) !== eventKind(b)) return false;
  if (a.at !== undefined && b.at !== undefined && Math.abs(a.at - b.at) > 1e-9) return false;
  return eventKind(a) !== "value" || isSame(a.value, b.value);
}

/**
 * An event in words, with its time.
 *
 * @param {Event} event
 * @returns {string}
 */
export function timedText(event) {
  return event.at === undefined ? eventText(event) : `${eventText(event)} at ${timeText(event.at)}`;
}

/**
 * The time at which rows that are compared end.
 *
 * @param {...Event[]} rows
 * @returns {number}
 */
export function endOf(...rows) {
  return Math.max(0, ...rows.flat().map((event) => event.at ?? 0));
}

/**
 * A row of marbles.
 *
 * @param {string} name
 * @param {Event[]} events
 * @param {{end: number, different: Set<number>}} options
 * @returns {SVGSVGElement}
 */
export function marbleRow(name, events, { end, different }) {
  const hasLabels = events.length <= LABELED;
  const text = events.slice(0, 20).map(timedText).join(", ") || "nothing";
  let instant = -1;
  let shift = 0;
  const marbles = events.map((event, index) => {
    // Events without times stand in their order.
    const share = event.at === undefined ? index / Math.max(events.length - 1, 1) : end === 0 ? 0 : event.at / end;
    const label = hasLabels && eventKind(event) === "value" ? valueText(event.value, LABEL) : "";
    const width = eventKind(event) !== "value" ? 8 : hasLabels ? Math.max(24, 12 + 6.5 * label.length) : 6;
    // Events of one instant stand side by side.
    shift = event.at !== undefined && event.at === instant ? shift + width / 2 + 3 : 0;
    instant = event.at ?? -1;
    const place = { x: `${MARGIN + share * (100 - MARGIN - END)}%`, y: 18, overflow: "visible" };
    const marble = svg("svg", place, svg("g", { transform: `translate(${shift} 0)` },
      svg("title", null, timedText(event)), shape(event, label, width, different.has(index))));
    shift += width / 2;
    return marble;
  });
  return svg("svg", { class: "test-row", height: 36, width: "100%", role: "img", "aria-label": `${name}: ${text}` },
    svg("line", { class: "axis", x1: "1%", x2: "99%", y1: 18, y2: 18 }), marbles);
}

/**
 * @param {Event} event
 * @param {string} label
 * @param {number} width
 * @param {boolean} isDifferent
 */
function shape(event, label, width, isDifferent) {
  const kind = eventKind(event);
  const box = (/** @type {number} */ by, /** @type {string} */ name) => svg("rect", {
    class: name, x: -width / 2 - by, y: -(label ? 22 : width) / 2 - by, width: width + 2 * by,
    height: (label ? 22 : width) + 2 * by, rx: 11 + by,
  });
  const ring = isDifferent ? box(4, "different") : null;
  if (kind === "finished") return [ring, svg("line", { class: "finish", x1: 0, x2: 0, y1: -11, y2: 11 })];
  if (kind === "failure") return [ring, svg("path", { class: "failure", d: "M-6 -6L6 6M6 -6L-6 6" })];
  const marble = box(0, "marble");
  marble.style.setProperty("fill", `var(${colorOf(event.value)})`);
  return [ring, marble, label && svg("text", { y: 4 }, label)];
}
