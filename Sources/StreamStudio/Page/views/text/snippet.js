// Texts of completions with places for the cursor: `$1`, `${2:word}`, `$0`.

/**
 * @typedef {object} Snippet
 * @property {string} text
 * @property {[number, number][]} stops Ranges of the places in the order of their numbers; `$0` is the last.
 */

/**
 * @param {string} source
 * @param {string} [indent] Written after each line break.
 * @returns {Snippet}
 */
export function parseSnippet(source, indent = "") {
  let text = "";
  /** @type {{number: number, range: [number, number]}[]} */
  const stops = [];
  const pattern = /\\([\\$}])|\$(\d+)|\$\{(\d+)(?::((?:[^\\}]|\\.)*))?\}|\n/g;
  let end = 0;
  for (const match of source.matchAll(pattern)) {
    const at = match.index ?? 0;
    text += source.slice(end, at);
    end = at + match[0].length;
    if (match[0] === "\n") {
      text += `\n${indent}`;
    } else if (match[1] !== undefined) {
      text += match[1];
    } else {
      const word = (match[4] ?? "").replace(/\\([\\$}])/g, "$1");
      stops.push({ number: Number(match[2] ?? match[3]), range: [text.length, text.length + word.length] });
      text += word;
    }
  }
  text += source.slice(end);
  const order = (/** @type {number} */ number) => (number === 0 ? Infinity : number);
  stops.sort((a, b) => order(a.number) - order(b.number));
  return { text, stops: stops.map((stop) => stop.range) };
}
