// Moves an operator by the pointer: to another place of its lane, or into another lane.

/**
 * @typedef {import("./canvas.js").Canvas} Canvas
 * @typedef {import("./model.js").Card} Card
 * @typedef {import("./model.js").Lane} Lane
 * @typedef {{lane: Lane, index: number}} Target
 */

/** The way that the pointer goes before a press is a drag. */
const THRESHOLD = 5;
/** The distance from an edge at which the cards scroll. */
const EDGE = 40;

/**
 * @param {Canvas} canvas
 * @param {{cardOf: (pointer: string) => Card | undefined, move: (card: Card, target: Target) => void,
 *   select: (pointer: string) => void}} options
 */
export function enableDrag(canvas, { cardOf, move, select }) {
  const scroller = canvas.element;
  scroller.addEventListener("pointerdown", (event) => {
    const node = event.target instanceof Element ? event.target.closest(".step-node") : null;
    // A finger scrolls, unless it is on the grip.
    const isGrip = event.target instanceof Element && event.target.closest(".grip") !== null;
    if (!(node instanceof HTMLElement) || event.button !== 0 || (event.pointerType === "touch" && !isGrip)) return;
    const card = cardOf(node.dataset.pointer ?? "");
    if (card?.kind === "operator") follow(event, node, card);
  });

  /**
   * @param {PointerEvent} start
   * @param {HTMLElement} node
   * @param {Card} card
   */
  function follow(start, node, card) {
    let isDragging = false;
    /** @type {Target | null} */
    let target = null;
    const step = /** @type {HTMLElement} */ (node.closest(".step"));
    const controller = new AbortController();
    const { signal } = controller;
    const end = (/** @type {boolean} */ isDropped) => {
      controller.abort();
      if (!isDragging) return;
      step.classList.remove("dragged");
      step.style.removeProperty("--drag");
      mark(null);
      // The click that follows a drag must not select what is now under the pointer.
      window.addEventListener("click", (event) => event.stopPropagation(), { capture: true, once: true });
      setTimeout(() => window.dispatchEvent(new MouseEvent("click")));
      if (isDropped && target) move(card, target);
    };
    window.addEventListener("pointermove", (event) => {
      const way = event.clientY - start.clientY;
      if (!isDragging && Math.hypot(event.clientX - start.clientX, way) < THRESHOLD) return;
      if (!isDragging) {
        isDragging = true;
        select(card.pointer);
        step.classList.add("dragged");
      }
      event.preventDefault();
      step.style.setProperty("--drag", `${way}px`);
      scrollNear(event.clientY);
      target = targetAt(event.clientX, event.clientY, step, card);
    }, { signal });
    window.addEventListener("pointerup", () => end(true), { signal });
    window.addEventListener("pointercancel", () => end(false), { signal });
    window.addEventListener("keydown", (event) => {
      if (event.key === "Escape") end(false);
    }, { signal, capture: true });
  }

  /** @param {number} y */
  function scrollNear(y) {
    const box = scroller.getBoundingClientRect();
    if (y < box.top + EDGE) scroller.scrollTop -= 12;
    else if (y > box.bottom - EDGE) scroller.scrollTop += 12;
  }

  /**
   * @param {number} x
   * @param {number} y
   * @param {HTMLElement} own
   * @param {Card} card
   * @returns {Target | null}
   */
  function targetAt(x, y, own, card) {
    const under = document.elementsFromPoint(x, y)
      .find((element) => !own.contains(element) && scroller.contains(element));
    const step = under?.closest(".step");
    const view = step && canvas.steps.get(step);
    if (view && view.card) {
      const box = view.node.element.getBoundingClientRect();
      const isBelow = y > box.top + box.height / 2;
      const before = view.card.lane.cards.slice(0, view.card.index).filter((other) => other.kind === "operator").length;
      const index = before + (isBelow && view.card.kind === "operator" ? 1 : 0);
      mark(step, isBelow || view.card.kind !== "operator");
      return { lane: view.card.lane, index };
    }
    const track = under?.closest(".track, .side-track");
    const lane = track && canvas.lanes.get(track);
    if (lane && lane.lane && lane.lane !== card.lane) {
      mark(lane.element, true);
      return { lane: lane.lane, index: lane.count };
    }
    mark(null);
    return null;
  }

  /**
   * Shows where the card would go.
   *
   * @param {Element | null} element
   * @param {boolean} [isBelow]
   */
  function mark(element, isBelow = false) {
    for (const old of scroller.querySelectorAll(".drop-above, .drop-below")) {
      if (old !== element) old.classList.remove("drop-above", "drop-below");
    }
    element?.classList.toggle("drop-below", isBelow);
    element?.classList.toggle("drop-above", !isBelow);
  }
}
