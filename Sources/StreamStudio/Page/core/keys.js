// Keyboard shortcuts of the whole page. `Mod` is Control, or Command on a Mac.

const isMac = typeof navigator !== "undefined" && /Mac|iPhone|iPad/.test(navigator.platform ?? "");

/**
 * @typedef {object} Shortcut
 * @property {string} keys Such as `Mod+S` or `Alt+1`.
 * @property {string} title Empty for a key that is not listed.
 * @property {string} [section] Heading in the list of keys. Default: "Everywhere".
 * @property {(event: KeyboardEvent) => void} [run] Absent where the view handles the key and only lists it.
 * @property {(event: KeyboardEvent) => boolean} [when] Whether it applies now.
 * @property {boolean} [isForTyping] Whether it applies while one types in a field, too. Default: with Mod or Alt.
 */

/** @type {Set<Shortcut>} */
const shortcuts = new Set();

/**
 * Adds shortcuts, and returns a function that removes them.
 *
 * @param {...Shortcut} added
 * @returns {() => void}
 */
export function addKeys(...added) {
  for (const shortcut of added) shortcuts.add(shortcut);
  return () => {
    for (const shortcut of added) shortcuts.delete(shortcut);
  };
}

/**
 * All shortcuts, by section, in the order of their addition.
 *
 * @returns {Map<string, Shortcut[]>}
 */
export function allKeys() {
  /** @type {Map<string, Shortcut[]>} */
  const sections = new Map();
  for (const shortcut of shortcuts) {
    if (!shortcut.title) continue;
    const section = shortcut.section ?? "Everywhere";
    sections.set(section, [...(sections.get(section) ?? []), shortcut]);
  }
  return sections;
}

/**
 * The text of a shortcut's keys on this system.
 *
 * @param {string} keys
 * @returns {string}
 */
export function keysText(keys) {
  const words = /** @type {Record<string, string>} */ (isMac
    ? { Mod: "⌘", Alt: "⌥", Shift: "⇧", Ctrl: "⌃" }
    : { Mod: "Ctrl" });
  return keys.split("+").map((part) => words[part] ?? part).join(isMac ? "" : "+");
}

/**
 * Whether an event is that of keys such as `Mod+Shift+Z`.
 *
 * @param {KeyboardEvent} event
 * @param {string} keys
 * @returns {boolean}
 */
export function matches(event, keys) {
  const parts = keys.split("+");
  const key = parts[parts.length - 1];
  const has = (/** @type {string} */ name) => parts.includes(name);
  const control = has("Ctrl") || (has("Mod") && !isMac);
  if (event.ctrlKey !== control || event.metaKey !== (has("Mod") && isMac) || event.altKey !== has("Alt")) return false;
  // A key such as `?` needs Shift on some layouts and not on others.
  const isSymbol = key.length === 1 && !/[A-Z0-9]/.test(key);
  if (!isSymbol && event.shiftKey !== has("Shift")) return false;
  if (/^[0-9]$/.test(key)) return event.code === `Digit${key}`;
  // With Alt, some systems make another letter of the key.
  if (has("Alt") && /^[A-Z]$/.test(key)) return event.code === `Key${key}`;
  const name = key === "Space" ? " " : key;
  return event.key.toLowerCase() === name.toLowerCase();
}

/**
 * Whether an event comes from a field in which one types.
 *
 * @param {Event} event
 * @returns {boolean}
 */
export function isTyping(event) {
  const target = event.target;
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true;
  if (target instanceof HTMLInputElement) return !["button", "checkbox", "radio", "range"].includes(target.type);
  return target.isContentEditable;
}

/** Begins to listen. Views that handle a key call `preventDefault`, and it is not handled again. */
export function startKeys() {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing) return;
    for (const shortcut of [...shortcuts].reverse()) {
      if (!shortcut.run || !matches(event, shortcut.keys)) continue;
      const isForTyping = shortcut.isForTyping ?? /Mod|Alt|Ctrl/.test(shortcut.keys);
      if ((!isForTyping && isTyping(event)) || (shortcut.when && !shortcut.when(event))) continue;
      // A dialog keeps its keys.
      if (document.querySelector("dialog[open]")) return;
      event.preventDefault();
      shortcut.run(event);
      return;
    }
  });
}
