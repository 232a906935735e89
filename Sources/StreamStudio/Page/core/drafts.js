// Unsaved texts, kept in the browser's session: a reload, or a crash of the page, loses nothing.

const PREFIX = "studio.draft:";

/**
 * @typedef {object} KeptDraft
 * @property {string} text
 * @property {{text: string, digest: string} | null} saved The file as it was when the draft was begun.
 * @property {string | null} origin Where a draft that was never saved came from.
 */

/**
 * @param {string} path
 * @returns {KeptDraft | null}
 */
export function keptDraft(path) {
  try {
    const json = sessionStorage.getItem(PREFIX + path);
    const draft = json ? JSON.parse(json) : null;
    return typeof draft?.text === "string" ? draft : null;
  } catch {
    return null;
  }
}

/** @returns {string[]} The paths that have drafts. */
export function keptPaths() {
  try {
    return Object.keys(sessionStorage).filter((key) => key.startsWith(PREFIX)).map((key) => key.slice(PREFIX.length));
  } catch {
    return [];
  }
}

/**
 * @param {string} path
 * @param {KeptDraft | null} draft Null forgets the one that is kept.
 * @returns {boolean} Whether it was kept: the browser's session may be full or forbidden.
 */
export function keepDraft(path, draft) {
  try {
    if (draft) sessionStorage.setItem(PREFIX + path, JSON.stringify(draft));
    else sessionStorage.removeItem(PREFIX + path);
    return true;
  } catch {
    return false;
  }
}

/**
 * The first path that is not taken, made from the one that is wished.
 *
 * @param {string} path
 * @param {Iterable<string>} taken
 * @returns {string}
 */
export function freePath(path, taken) {
  const others = new Set(taken);
  const stem = path.replace(/\.json$/, "");
  let free = `${stem}.json`;
  for (let number = 2; others.has(free); number += 1) free = `${stem}-${number}.json`;
  return free;
}
