// Draws the marble diagrams in the examples of the catalog, so that one sees an operator before one adds it.

import { h, svg } from "../../core/dom.js";
import { inlineMarkdown } from "../../core/markdown.js";
import { colorOf, valueText } from "../../core/values.js";

/**
 * @typedef {{frame: number, kind: "value" | "finish" | "failure", text: string, order: number}} Mark
 */

const STEP = 18;
const MIDDLE = 13;

/**
 * Reads a diagram: `-` is a frame, `(ab)` and `[ab]` are one instant, `|` is the finish and `#` a failure.
 *
 * @param {string} diagram
 * @returns {{marks: Mark[], frames: number}}
 */
export function parseDiagram(diagram) {
  /** @type {Mark[]} */
  const marks = [];
  let frame = 0;
  /** Marks of the instant that is being read, or -1 outside of brackets. */
  let inGroup = -1;
  for (const token of diagram.match(/'[^']*'| \d+(?:\.\d+)?(?:ms|s|m) |\S/g) ?? []) {
    if (token === "(" || token === "[") {
      inGroup = 0;
    } else if (token === ")" || token === "]") {
      // RxJS counts the characters of a group in parentheses as frames.
      frame += token === ")" ? inGroup + 2 : 1;
      inGroup = -1;
    } else if (token === "-" || token.startsWith(" ")) {
      frame += 1;
    } else if (token !== "^") {
      const kind = token === "|" ? "finish" : token === "#" ? "failure" : "value";
      marks.push({ frame, kind, text: token.replace(/'/g, ""), order: Math.max(inGroup, 0) });
      if (inGroup < 0) frame += 1;
      else inGroup += 1;
    }
  }
  return { marks, frames: Math.max(frame, ...marks.map((mark) => mark.frame + 1)) };
}

/**
 * @param {{title: string, rows: {name: string, diagram: string}[], values: Record<string, any>}} example
 * @returns {SVGSVGElement}
 */
function drawing({ title, rows, values }) {
  const parsed = rows.map(({ diagram }) => parseDiagram(diagram));
  const frames = Math.max(...parsed.map((row) => row.frames), 1);
  const left = 36;
  const width = left + (frames + 1) * STEP;
  const height = rows.length * MIDDLE * 2;
  const text = rows.map(({ name, diagram }) => `${name} ${diagram}`).join("; ");
  return svg("svg", {
    class: "diagram", viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": `${title}: ${text}`,
  }, parsed.map(({ marks }, index) => {
    const y = index * MIDDLE * 2 + MIDDLE;
    const end = marks.find((mark) => mark.kind !== "value")?.frame ?? frames;
    return svg("g", { transform: `translate(0 ${y})` },
      svg("text", { x: 0, y: 4, class: "diagram-name" }, rows[index].name),
      svg("line", { x1: left, x2: left + (end + 0.5) * STEP, y1: 0, y2: 0 }),
      marks.map((mark) => markShape(mark, left + (mark.frame + 0.5) * STEP, values)));
  }));
}

/**
 * @param {Mark} mark
 * @param {number} x
 * @param {Record<string, any>} values What the letters stand for.
 */
function markShape({ kind, text, order }, x, values) {
  const shift = x + order * 7;
  if (kind === "finish") return svg("line", { class: "finish", x1: shift, x2: shift, y1: -8, y2: 8 });
  if (kind === "failure") {
    return svg("path", { class: "failure", d: `M${shift - 5} -5l10 10M${shift + 5} -5l-10 10` });
  }
  const value = text in values ? values[text] : text;
  const circle = svg("circle", { r: 8.5 });
  circle.style.setProperty("fill", `var(${colorOf(value)})`);
  return svg("g", { transform: `translate(${shift} 0)` }, svg("title", null, valueText(value, 80)), circle,
    // An array or an object has no room in a marble: its letter in the diagram stands for it.
    svg("text", { y: 3.5, class: "marble-text" }, valueText(typeof value === "object" ? text : value, 3)));
}

/**
 * The examples of an operator or a source that have diagrams, drawn, with the JSON that they show.
 *
 * @param {import("./model.js").Entry} entry
 * @param {number} [limit]
 * @returns {HTMLElement[]}
 */
export function diagramsOf(entry, limit = 4) {
  return entry.examples.slice(0, limit).map((example) => {
    const { title, text, inputs, output } = example;
    const rows = [...inputs.map((diagram, index) => ({
      name: inputs.length > 1 ? String.fromCharCode(97 + index) : "in", diagram,
    })), { name: "out", diagram: output }];
    return h("figure", { class: "example" }, h("figcaption", null, title),
      h("pre", { class: "code", tabindex: "0" }, text), drawing({ title, rows, values: example.values ?? {} }));
  });
}

/**
 * What an operator or a source keeps while it runs.
 *
 * @param {import("./model.js").Entry} entry
 * @returns {HTMLElement | null}
 */
export function memoryText({ memory }) {
  return memory ? h("p", { class: "dim", dir: "auto" }, "Keeps ", ...inlineMarkdown(memory), ".") : null;
}
