// A stream as the text of a link: JSON, deflated, in base64url. The page makes and reads it; no server sees it, since
// browsers do not send what follows `#`.

/**
 * @typedef {object} SharedStream
 * @property {string} path
 * @property {string} text
 * @property {Record<string, any[]> | null} [inputs]
 */

/** Largest stream that a link may hold. Deflate packs zeros 1,000 times: a short link must not fill the memory. */
const TEXT_LIMIT = 4 * 1024 * 1024;

/**
 * @param {SharedStream} stream
 * @returns {Promise<string>}
 */
export async function encodeStream(stream) {
  const { path, text, inputs } = stream;
  const json = JSON.stringify(inputs ? { path, text, inputs } : { path, text });
  const body = new Blob([json]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(body).arrayBuffer());
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/**
 * Reads what a link holds. It comes from a stranger, so that every part is checked.
 *
 * @param {string} data
 * @returns {Promise<SharedStream>}
 * @throws {Error} If the link is damaged or holds too much.
 */
export async function decodeStream(data) {
  let content;
  try {
    const binary = atob(data.replace(/-/g, "+").replace(/_/g, "/"));
    content = JSON.parse(await inflated(Uint8Array.from(binary, (character) => character.charCodeAt(0))));
  } catch (error) {
    if (error instanceof RangeError) throw error;
    throw new Error("The link is damaged. Ask for it again, and copy all of it.");
  }
  if (typeof content !== "object" || content === null || typeof content.text !== "string") {
    throw new Error("The link does not hold a stream.");
  }
  const { text, inputs } = content;
  const isFed = typeof inputs === "object" && inputs !== null && Object.values(inputs).every(Array.isArray);
  return { path: safePath(content.path), text, inputs: isFed ? inputs : null };
}

/** @param {Uint8Array} bytes */
async function inflated(bytes) {
  const stream = new Blob([/** @type {BlobPart} */ (bytes)]).stream()
    .pipeThrough(new DecompressionStream("deflate-raw"));
  const reader = stream.getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let count = 0;
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    count += value.byteLength;
    if (count > TEXT_LIMIT) {
      await reader.cancel();
      throw new RangeError("The link holds more than 4 MB, which is more than a stream may have.");
    }
    text += decoder.decode(value, { stream: true });
  }
}

/** @param {unknown} path */
function safePath(path) {
  const name = typeof path === "string" ? path.split(/[/\\]/).pop() ?? "" : "";
  const clean = name.replace(/[^\p{L}\p{N}._ -]/gu, "").replace(/^\.+/, "").slice(0, 80);
  if (!clean) return "shared.json";
  return clean.endsWith(".json") ? clean : `${clean}.json`;
}
