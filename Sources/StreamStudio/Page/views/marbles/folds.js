// Which operators of a file are folded, kept by the browser for the next visit.

const PREFIX = "studio.folded:";

/**
 * @param {string | null} path
 * @returns {string[]} The pointers of the folded operators.
 */
export function foldedOf(path) {
  try {
    const pointers = JSON.parse(localStorage.getItem(PREFIX + path) ?? "[]");
    return Array.isArray(pointers) ? pointers.filter((pointer) => typeof pointer === "string") : [];
  } catch {
    return [];
  }
}

/**
 * @param {string | null} path
 * @param {string[]} pointers
 */
export function keepFolded(path, pointers) {
  try {
    if (pointers.length > 0) localStorage.setItem(PREFIX + path, JSON.stringify(pointers));
    else localStorage.removeItem(PREFIX + path);
  } catch {
    // A browser that keeps nothing forgets it with the page.
  }
}
