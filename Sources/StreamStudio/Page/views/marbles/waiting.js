// Says that an element waits for an answer.

/** Milliseconds after which an answer takes long. */
const delay = 600;

/**
 * Marks an element as busy while an answer takes long. To mark it in each frame of a drag would make the browser style
 * all that is in it anew.
 */
export class Waiting {
  timer = 0;

  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
  }

  /** @param {boolean} isWaiting */
  set(isWaiting) {
    if (isWaiting) {
      this.timer ||= window.setTimeout(() => this.element.setAttribute("aria-busy", "true"), delay);
      return;
    }
    clearTimeout(this.timer);
    this.timer = 0;
    if (this.element.hasAttribute("aria-busy")) this.element.removeAttribute("aria-busy");
  }
}
