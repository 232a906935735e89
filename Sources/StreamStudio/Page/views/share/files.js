// Downloads, the clipboard, and PNG from SVG.

import { announce, toast } from "../../core/dom.js";

/** Width and height that canvases of all browsers can have. */
const CANVAS_LIMIT = 8192;

/**
 * @param {string} name
 * @param {Blob} blob
 */
export function download(name, blob) {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser reads the blob after the click.
  window.setTimeout(() => URL.revokeObjectURL(url), 10_000);
  announce(`${name} is downloaded.`);
}

/** @param {string} text */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    toast("Copied.");
  } catch {
    toast("The browser does not let the page copy. Select the text and copy it by its menu.", { kind: "error" });
  }
}

/**
 * Draws an SVG as PNG, at twice its size for sharp text. It has the light colors and a white ground, whatever the theme
 * of this page: unlike an SVG, it cannot follow the page that will show it.
 *
 * @param {string} source
 * @returns {Promise<Blob>}
 */
export async function pngOf(source) {
  const light = source.replaceAll("(prefers-color-scheme: dark)", "not all");
  const url = URL.createObjectURL(new Blob([light], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const { width, height } = sizeOf(source, image);
    const scale = Math.min(2, CANVAS_LIMIT / width, CANVAS_LIMIT / height);
    const canvas = document.createElement("canvas");
    canvas.width = Math.max(1, Math.round(width * scale));
    canvas.height = Math.max(1, Math.round(height * scale));
    const drawing = canvas.getContext("2d");
    if (!drawing) throw new Error("The browser cannot draw PNG. Use SVG.");
    drawing.fillStyle = "white";
    drawing.fillRect(0, 0, canvas.width, canvas.height);
    drawing.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => {
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("The picture is too large for PNG. Use SVG."))));
    });
  } finally {
    URL.revokeObjectURL(url);
  }
}

/**
 * The size of an SVG; one without width and height has that of its view box.
 *
 * @param {string} source
 * @param {HTMLImageElement} image
 */
function sizeOf(source, image) {
  const box = /viewBox="[-\d.]+ [-\d.]+ ([\d.]+) ([\d.]+)"/.exec(source);
  if (box) return { width: Number(box[1]), height: Number(box[2]) };
  return { width: image.naturalWidth || 800, height: image.naturalHeight || 400 };
}
