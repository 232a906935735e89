// Places of the outline: which step stands at a place of the text, and where a step stands.

/** @typedef {import("./types.js").Outline} Outline */

/**
 * All steps of an outline, those of inner streams after the one that has them.
 *
 * @param {Outline | null} outline
 * @returns {Generator<import("./types.js").OutlineStep>}
 */
export function* stepsOf(outline) {
  if (!outline) return;
  for (const step of outline.steps) {
    yield step;
    for (const branch of step.branches) yield* stepsOf(branch.outline ?? null);
  }
  for (const stream of outline.streams) yield* stepsOf(stream);
  for (const output of outline.outputs) yield* stepsOf(output.stream);
}

/**
 * The innermost step at a place.
 *
 * @param {Outline | null} outline
 * @param {number} offset
 * @returns {import("./types.js").OutlineStep | null}
 */
export function stepAt(outline, offset) {
  let found = null;
  let size = Infinity;
  for (const step of stepsOf(outline)) {
    if (!step.range || step.range[0] > offset || step.range[1] < offset) continue;
    if (step.range[1] - step.range[0] >= size) continue;
    size = step.range[1] - step.range[0];
    found = step;
  }
  return found;
}

/**
 * Where the step with a pointer stands; for a pointer to a part of a step, that step.
 *
 * @param {Outline | null} outline
 * @param {string} pointer
 * @returns {[number, number] | null}
 */
export function rangeOf(outline, pointer) {
  let found = null;
  let length = -1;
  for (const step of stepsOf(outline)) {
    const isWithin = pointer === step.pointer || pointer.startsWith(`${step.pointer}/`);
    if (!isWithin || step.pointer.length <= length) continue;
    length = step.pointer.length;
    found = step.range;
  }
  return found;
}
