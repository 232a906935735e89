// Builds nodes. Text never passes through an HTML parser, so that data from a stream file cannot become markup.

/** @typedef {Node | string | number | null | undefined | false | any[]} Child An array holds children, too. */
/** @typedef {Record<string, any> & {class?: string, on?: Record<string, (event: any) => void>}} Props */

const SVG = "http://www.w3.org/2000/svg";

/** Attributes whose current value is the property; the attribute is only the initial value. */
const PROPERTIES = new Set([
  "value", "checked", "disabled", "selected", "indeterminate", "open", "readOnly", "scrollTop", "tabIndex", "hidden",
]);

/**
 * Creates an HTML element.
 *
 * `on` holds listeners by event. A property that is null, undefined or false is left out, except `value`, `checked`
 * and others that are set as properties, and except ARIA's, where `false` is a word.
 *
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Props | null} [props]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function h(tag, props, ...children) {
  const element = document.createElement(tag);
  apply(element, props ?? {}, PROPERTIES);
  append(element, children);
  if (props && "value" in props && tag === "select") apply(element, { value: props.value }, PROPERTIES);
  return element;
}

/**
 * Creates an SVG element.
 *
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag
 * @param {Props | null} [props]
 * @param {...Child} children
 * @returns {SVGElementTagNameMap[T]}
 */
export function svg(tag, props, ...children) {
  const element = document.createElementNS(SVG, tag);
  apply(element, props ?? {}, new Set());
  append(element, children);
  return element;
}

/**
 * @param {Element} element
 * @param {Props} props
 * @param {Set<string>} properties
 */
function apply(element, props, properties) {
  for (const [name, value] of Object.entries(props)) {
    if (name === "on") {
      for (const [event, listener] of Object.entries(value)) {
        element.addEventListener(event, /** @type {EventListener} */ (listener));
      }
    } else if (properties.has(name)) {
      if (value !== undefined) /** @type {any} */ (element)[name] = value;
    } else if (value === null || value === undefined || (value === false && !name.startsWith("aria-"))) {
      continue;
    } else {
      element.setAttribute(name, value === true && !name.startsWith("aria-") ? "" : String(value));
    }
  }
}

/**
 * @param {Element | DocumentFragment} parent
 * @param {Child[]} children
 */
function append(parent, children) {
  for (const child of children) {
    if (Array.isArray(child)) append(parent, child);
    else if (child instanceof Node) parent.appendChild(child);
    else if (child !== null && child !== undefined && child !== false) parent.appendChild(text(String(child)));
  }
}

/** @param {string} content */
function text(content) {
  return document.createTextNode(content);
}

/**
 * Replaces what an element holds.
 *
 * @param {Element} parent
 * @param {...Child} children
 */
export function fill(parent, ...children) {
  parent.textContent = "";
  append(parent, children);
}

/** Paths on a grid of 16 by 16, drawn with a stroke of 1.5. */
const ICONS = {
  add: "M8 3v10M3 8h10",
  bulb: "M6 13h4M6.5 15h3M8 1.5a4.5 4.5 0 0 1 2.5 8.2V11h-5V9.7A4.5 4.5 0 0 1 8 1.5z",
  check: "M3 8.5l3.5 3.5L13 4.5",
  close: "M4 4l8 8M12 4l-8 8",
  copy: "M6 5.5h7v8H6zM10 5.5v-3H3v8h3",
  dark: "M13 9.5A5.5 5.5 0 0 1 6.5 3 5.5 5.5 0 1 0 13 9.5z",
  down: "M4 6l4 4 4-4",
  download: "M8 2v8M4.5 7L8 10.5 11.5 7M3 13.5h10",
  error: "M8 1.8a6.2 6.2 0 1 1 0 12.4A6.2 6.2 0 0 1 8 1.8M8 4.8v4M8 11v.2",
  file: "M4 1.8h5L12 5v9.2H4zM9 1.8V5h3",
  folder: "M1.8 4h4l1.5 1.5h7v7H1.8z",
  help: "M5.8 6a2.2 2.2 0 1 1 3.3 1.9C8.3 8.4 8 8.8 8 9.6M8 12v.2",
  light: "M8 5.2a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6M8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1"
    + "M13 3l-1 1M4 12l-1 1",
  menu: "M2 4h12M2 8h12M2 12h12",
  note: "M8 1.8a6.2 6.2 0 1 1 0 12.4A6.2 6.2 0 0 1 8 1.8M8 7.5v4M8 4.8v.2",
  redo: "M12.5 5.5h-6a3.5 3.5 0 0 0 0 7H10M10 2.5l3 3-3 3",
  remove: "M3 8h10",
  right: "M6 4l4 4-4 4",
  save: "M2.5 2.5h9l2 2v9h-11zM5 2.5v4h5v-4M5 13.5v-4h6v4",
  search: "M7 2.2a4.8 4.8 0 1 1 0 9.6 4.8 4.8 0 0 1 0-9.6M10.5 10.5L14 14",
  system: "M2 3h12v8H2zM6 14h4M8 11v3",
  undo: "M3.5 5.5h6a3.5 3.5 0 0 1 0 7H6M6 2.5l-3 3 3 3",
  up: "M4 10l4-4 4 4",
  warning: "M8 2l6.5 11.5h-13zM8 6.5v3.2M8 11.7v.1",
};

/** @typedef {keyof typeof ICONS} IconName */

/**
 * Creates an icon, which is hidden from screen readers: the control that holds it has the name.
 *
 * @param {IconName} name
 * @returns {SVGSVGElement}
 */
export function icon(name) {
  return svg("svg", { class: "icon", viewBox: "0 0 16 16", "aria-hidden": "true", focusable: "false" },
    svg("path", { d: ICONS[name] }));
}

/**
 * Creates a button that shows only an icon. `title` is its tooltip and its name for screen readers.
 *
 * @param {IconName} name
 * @param {string} title
 * @param {(event: MouseEvent) => void} run
 * @param {Props} [props]
 * @returns {HTMLButtonElement}
 */
export function iconButton(name, title, run, props = {}) {
  const { class: more = "", ...rest } = props;
  return h("button", {
    type: "button", class: `icon-button ${more}`.trim(), title, "aria-label": title, on: { click: run }, ...rest,
  }, icon(name));
}

let fieldCount = 0;

/**
 * Wraps a control in a labeled field with help and a place for its error.
 *
 * @param {string} label
 * @param {HTMLElement} control
 * @param {{help?: string, error?: string}} [options]
 * @returns {HTMLDivElement & {setError(message: string | null): void}}
 */
export function field(label, control, options = {}) {
  fieldCount += 1;
  const id = control.id || `field-${fieldCount}`;
  control.id = id;
  const help = options.help ? h("p", { class: "help", id: `${id}-help` }, options.help) : null;
  const error = h("p", { class: "error", id: `${id}-error`, hidden: true, dir: "auto" });
  const element = h("div", { class: "field" }, h("label", { for: id }, label), control, help, error);
  control.setAttribute("aria-describedby", `${help ? `${id}-help ` : ""}${id}-error`);
  const result = Object.assign(element, {
    /** @param {string | null} message */
    setError(message) {
      error.hidden = !message;
      error.textContent = message ?? "";
      if (message) control.setAttribute("aria-invalid", "true");
      else control.removeAttribute("aria-invalid");
    },
  });
  result.setError(options.error ?? null);
  return result;
}

/**
 * Tells screen readers something, politely.
 *
 * @param {string} message
 */
export function announce(message) {
  const region = document.getElementById("announcer");
  if (!region) return;
  // A region that is set to the text that it has is not read again.
  region.textContent = "";
  requestAnimationFrame(() => { region.textContent = message; });
}

/**
 * @typedef {object} ToastOptions
 * @property {"note" | "error"} [kind]
 * @property {{title: string, run: () => void}} [action]
 */

/**
 * Shows a message at the edge of the window for some seconds. An error stays until it is closed, and a message waits
 * while the pointer or the focus is on it.
 *
 * @param {string} message
 * @param {ToastOptions} [options]
 */
export function toast(message, options = {}) {
  const { kind = "note", action } = options;
  const region = document.getElementById("toasts");
  if (!region) return;
  let timer = 0;
  const close = () => {
    clearTimeout(timer);
    element.remove();
  };
  const wait = () => {
    clearTimeout(timer);
    if (kind === "note") timer = window.setTimeout(close, action ? 9000 : 5000);
  };
  const hold = () => clearTimeout(timer);
  const element = h("div", {
    // A note is told by the region, which is there before its text, as screen readers want it.
    class: `toast ${kind}`, role: kind === "error" ? "alert" : null,
    on: { pointerenter: hold, pointerleave: wait, focusin: hold, focusout: wait },
  },
  icon(kind === "error" ? "error" : "note"),
  h("p", { dir: "auto" }, message),
  action && h("button", {
    type: "button", class: "button quiet", on: { click: () => { close(); action.run(); } },
  }, action.title),
  iconButton("close", "Close", close));
  while (region.children.length >= 3) region.firstElementChild?.remove();
  region.append(element);
  wait();
}
