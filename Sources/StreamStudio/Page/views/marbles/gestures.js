// Gestures of the pointer on tracks: drag marbles in time, select by a rubber band, add by a double click.

import { h } from "../../core/dom.js";
import { roundTime } from "./feeds.js";

/**
 * @typedef {{key: string | null, input: string | null, time: number, isMarble: boolean}} Hit
 * `key` is that of an event that can be edited.
 *
 * @typedef {object} Target What the gestures change.
 * @property {(clientX: number, clientY: number) => Hit | null} hit
 * @property {() => Set<string>} selection
 * @property {(keys: Iterable<string>) => void} select
 * @property {(key: string) => number} timeOf
 * @property {(times: Map<string, number>, group: string, key: string) => void} move `key` is the one that is dragged.
 * @property {(isDragging: boolean) => void} dragging
 * @property {() => void} clear Forgets what is picked.
 * @property {(input: string, time: number) => void} add
 * @property {(key: string) => void} edit
 * @property {(box: DOMRect) => string[]} keysIn The marbles within a box of the window.
 * @property {() => number} scale Pixels a second.
 */

/** Browsers tell of a move with the next frame; where they can, they tell at once, too, and the answer comes sooner. */
const moves = ["pointerrawupdate", "pointermove"];
/** A pointer that moves less has clicked. */
const slack = 3;
let dragCount = 0;

/**
 * The distance of times to which a drag snaps: a tenth of a second, or the nearest round time that is some pixels wide.
 *
 * @param {number} scale Pixels a second.
 * @param {boolean} isFine
 * @returns {number}
 */
export function gridOf(scale, isFine) {
  const least = (isFine ? 1 : 5) / scale;
  if (!isFine && least <= 0.1 && 0.1 * scale <= 80) return 0.1;
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least * 0.999) ?? power * 10;
}

/**
 * Listens to an element that holds a player.
 *
 * @param {HTMLElement} root
 * @param {Target} target
 * @returns {() => void} Ends it.
 */
export function listenToGestures(root, target) {
  /** Whether the click that follows ended a drag. */
  let hasDragged = false;

  /** @param {PointerEvent} event */
  function down(event) {
    hasDragged = false;
    if (event.button !== 0) return;
    const hit = target.hit(event.clientX, event.clientY);
    if (!hit) return;
    if (hit.key !== null) {
      if (event.shiftKey || event.ctrlKey || event.metaKey) return toggle(event, hit.key);
      drag(event, hit.key);
    } else if (event.pointerType !== "touch" && !hit.isMarble) {
      band(event);
    }
  }

  /** @param {PointerEvent} event @param {string} key */
  function toggle(event, key) {
    const selection = new Set(target.selection());
    if (selection.has(key)) selection.delete(key);
    else selection.add(key);
    target.select(selection);
    hasDragged = true;
    event.preventDefault();
  }

  /** @param {PointerEvent} start @param {string} key */
  function drag(start, key) {
    const moved = target.selection().has(key) ? [...target.selection()] : [key];
    const times = new Map(moved.map((item) => [item, target.timeOf(item)]));
    const first = target.timeOf(key);
    const earliest = Math.min(...times.values());
    dragCount += 1;
    const group = `drag ${dragCount}`;
    let shown = 0;
    follow(start, {
      begin() {
        if (!target.selection().has(key)) target.select([]);
        target.dragging(true);
      },
      move(event) {
        const grid = gridOf(target.scale(), event.shiftKey);
        const wish = first + (event.clientX - start.clientX) / target.scale();
        const distance = Math.max(Math.round(wish / grid) * grid - first, -earliest);
        if (distance === shown) return;
        shown = distance;
        target.move(new Map([...times].map(([item, at]) => [item, roundTime(at + distance)])), group, key);
      },
      end: () => target.dragging(false),
      cancel: () => target.move(times, group, key),
    });
  }

  /** @param {PointerEvent} start */
  function band(start) {
    const box = h("div", { class: "marbles-band" });
    const origin = root.getBoundingClientRect();
    follow(start, {
      begin() {
        target.clear();
        root.append(box);
      },
      move(event) {
        const rect = new DOMRect(
          Math.min(start.clientX, event.clientX), Math.min(start.clientY, event.clientY),
          Math.abs(event.clientX - start.clientX), Math.abs(event.clientY - start.clientY));
        box.style.setProperty("left", `${rect.x - origin.x}px`);
        box.style.setProperty("top", `${rect.y - origin.y}px`);
        box.style.setProperty("width", `${rect.width}px`);
        box.style.setProperty("height", `${rect.height}px`);
        target.select(target.keysIn(rect));
      },
      end: () => box.remove(),
      cancel: () => target.select([]),
    });
  }

  /**
   * Follows the pointer until it is released; Escape takes back what it did.
   *
   * @param {PointerEvent} start
   * @param {{begin(): void, move(event: PointerEvent): void, end(): void, cancel(): void}} steps
   */
  function follow(start, steps) {
    let hasBegun = false;
    /** @param {PointerEvent} event */
    const move = (event) => {
      if (event.pointerId !== start.pointerId) return;
      const isFar = Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) > slack;
      if (!hasBegun && !isFar) return;
      if (!hasBegun) {
        hasBegun = true;
        hasDragged = true;
        root.setPointerCapture(start.pointerId);
        steps.begin();
      }
      event.preventDefault();
      steps.move(event);
    };
    const listener = /** @type {EventListener} */ (move);
    const stop = () => {
      for (const type of moves) root.removeEventListener(type, listener);
      root.removeEventListener("pointerup", stop);
      root.removeEventListener("pointercancel", cancel);
      window.removeEventListener("keydown", escape, true);
      if (hasBegun) steps.end();
    };
    const cancel = () => {
      if (hasBegun) steps.cancel();
      stop();
    };
    /** @param {KeyboardEvent} event */
    const escape = (event) => {
      if (event.key !== "Escape" || !hasBegun) return;
      event.preventDefault();
      event.stopPropagation();
      cancel();
    };
    for (const type of moves) root.addEventListener(type, listener);
    root.addEventListener("pointerup", stop);
    root.addEventListener("pointercancel", cancel);
    window.addEventListener("keydown", escape, true);
  }

  /** @param {MouseEvent} event */
  function click(event) {
    if (!hasDragged) return;
    // The player would pick the marble that was dragged.
    event.preventDefault();
    hasDragged = false;
  }

  /** @param {MouseEvent} event */
  function doubleClick(event) {
    const hit = target.hit(event.clientX, event.clientY);
    if (!hit) return;
    if (hit.key !== null) return target.edit(hit.key);
    if (hit.isMarble || hit.input === null) return;
    const grid = gridOf(target.scale(), event.shiftKey);
    target.add(hit.input, roundTime(Math.round(hit.time / grid) * grid));
  }

  root.addEventListener("pointerdown", down);
  root.addEventListener("click", click, true);
  root.addEventListener("dblclick", doubleClick);
  return () => {
    root.removeEventListener("pointerdown", down);
    root.removeEventListener("click", click, true);
    root.removeEventListener("dblclick", doubleClick);
  };
}
