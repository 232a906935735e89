// Edits of texts by ranges.

/**
 * A text with edits made; their ranges are those of the text before any of them.
 *
 * @param {string} text
 * @param {import("./types.js").TextEdit[]} edits
 * @returns {string}
 */
export function withEdits(text, edits) {
  const sorted = [...edits].sort((a, b) => b.range[0] - a.range[0]);
  return sorted.reduce((result, { range: [from, to], text: inserted }) => (
    result.slice(0, from) + inserted + result.slice(to)), text);
}
