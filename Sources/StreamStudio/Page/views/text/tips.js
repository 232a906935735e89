// What the pointer or a key asks about a place of the text: problems, documentation, fixes.

import { isAbort } from "../../core/api.js";
import { announce, fill, h, icon } from "../../core/dom.js";
import { withEdits } from "../../core/edits.js";
import { markdown } from "../../core/markdown.js";
import { placePopup } from "./popup.js";

/** @typedef {import("../../core/types.js").Diagnostic} Diagnostic */

const HOVER_DELAY = 350;

/** The popups with documentation and with fixes. */
export class Tips {
  /**
   * @param {import("./editor.js").Editor} editor
   * @param {import("../../core/types.js").ViewContext} context
   */
  constructor(editor, context) {
    this.editor = editor;
    this.context = context;
    this.timer = 0;
    this.tip = h("div", { class: "tip popup", role: "tooltip", hidden: true });
    this.menu = h("div", { class: "fixes menu popup", role: "menu", "aria-label": "Fixes", hidden: true });
    this.menu.addEventListener("keydown", (event) => this.menuKey(event));
    this.menu.addEventListener("focusout", (event) => {
      if (!this.menu.contains(/** @type {Node} */ (event.relatedTarget))) this.menu.hidden = true;
    });
    editor.area.addEventListener("pointermove", (event) => this.pointed(event));
    editor.area.addEventListener("pointerleave", () => this.leave());
    this.tip.addEventListener("pointerenter", () => clearTimeout(this.timer));
    this.tip.addEventListener("pointerleave", () => this.leave());
    editor.element.addEventListener("scroll", () => this.hide());
  }

  close() {
    clearTimeout(this.timer);
  }

  hide() {
    clearTimeout(this.timer);
    this.context.api.latest("hover");
    this.tip.hidden = true;
  }

  leave() {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.hide(), 200);
  }

  /** @param {PointerEvent} event */
  pointed(event) {
    clearTimeout(this.timer);
    if (event.buttons !== 0 || event.pointerType === "touch") return;
    this.timer = window.setTimeout(() => {
      const offset = this.editor.offsetAt(event.clientX, event.clientY);
      if (offset === null) this.hide();
      else void this.explain(offset, false);
    }, HOVER_DELAY);
  }

  /**
   * The problems at a place.
   *
   * @param {number} from Into the shown text.
   * @param {number} to
   * @returns {Diagnostic[]}
   */
  problemsAt(from, to) {
    const { analysis, analyzedText } = this.context.store.state;
    const { endings } = this.editor;
    if (!analysis || analyzedText !== endings.source) return [];
    return analysis.diagnostics.filter(({ range }) => (
      range && endings.toShown(range[0]) <= to && endings.toShown(range[1]) >= from));
  }

  /**
   * Shows what is known about a place.
   *
   * @param {number} offset Into the shown text.
   * @param {boolean} isWished By a key: it is read aloud, too.
   */
  async explain(offset, isWished) {
    const { api, store } = this.context;
    const { endings } = this.editor;
    const text = endings.source;
    const body = { path: store.state.path, text, at: endings.toSource(offset) };
    let answer = null;
    try {
      answer = await api.post("/api/hover", body, { signal: api.latest("hover") });
    } catch (error) {
      if (isAbort(error)) return;
    }
    if (this.editor.endings.source !== text) return;
    const problems = this.problemsAt(offset, offset);
    if (!answer?.markdown && problems.length === 0) {
      this.hide();
      if (isWished) announce("Nothing is known about this place.");
      return;
    }
    fill(this.tip, problems.map(problemNode), answer?.markdown ? markdown(answer.markdown) : null);
    this.tip.hidden = false;
    const start = answer?.range ? endings.toShown(answer.range[0]) : offset;
    placePopup(this.tip, this.editor.placeOf(start));
    if (isWished) announce(this.tip.textContent ?? "");
  }

  // MARK: Fixes

  /**
   * Shows the fixes of a line.
   *
   * @param {number} line
   */
  showFixes(line) {
    const { starts, lines } = this.editor.text;
    const start = starts[line];
    const problems = this.problemsAt(start, start + lines[line].length).filter((problem) => problem.fix);
    if (problems.length === 0) {
      announce("No fix is known for this line.");
      return;
    }
    this.hide();
    fill(this.menu, problems.map((problem) => h("button", {
      type: "button", role: "menuitem", tabIndex: -1, on: { click: () => this.applyFix(problem) },
    }, icon("bulb"), problem.fix?.title)));
    this.menu.hidden = false;
    placePopup(this.menu, this.editor.placeOf(start + (/\S/.exec(lines[line])?.index ?? 0)));
    /** @type {HTMLElement} */ (this.menu.firstElementChild).focus();
  }

  /** @param {Diagnostic} problem */
  applyFix(problem) {
    const { store } = this.context;
    const { analyzedText, text } = store.state;
    this.menu.hidden = true;
    this.editor.area.focus({ preventScroll: true });
    if (!problem.fix || analyzedText !== text) return;
    store.edit(withEdits(text, problem.fix.edits), { label: problem.fix.title });
  }

  /** @param {KeyboardEvent} event */
  menuKey(event) {
    const items = /** @type {HTMLElement[]} */ ([...this.menu.children]);
    const index = items.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    const steps = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[/** @type {keyof typeof steps} */ (event.key)];
    if (step) {
      items[(index + step + items.length) % items.length].focus();
    } else if (event.key === "Escape" || event.key === "Tab") {
      this.menu.hidden = true;
      this.editor.area.focus({ preventScroll: true });
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}

/** @param {Diagnostic} problem */
function problemNode(problem) {
  return h("p", { class: `tip-problem is-${problem.severity}`, dir: "auto" }, icon(problem.severity),
    h("span", null, problem.message, problem.help && h("span", { class: "help" }, ` ${problem.help}`)));
}
