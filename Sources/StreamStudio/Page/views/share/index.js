// The Share view: pictures of a stream, one HTML file that shows a run without a server, and a link that holds the
// whole stream.

import { isAbort } from "../../core/api.js";
import { announce, field, fill, h, icon, toast } from "../../core/dom.js";
import { encodeStream } from "../../core/link.js";
import { countText } from "../../core/values.js";
import { copyText, download, pngOf } from "./files.js";

/**
 * @typedef {import("../../core/types.js").ViewContext} ViewContext
 * @typedef {{name: string, type: string, text: string}} Picture
 *
 * @typedef {object} Choice
 * @property {"marbles" | "graph"} form
 * @property {string} format
 * @property {boolean} stages
 */

/** @type {{id: string, title: string, forms: string[]}[]} */
const FORMATS = [
  { id: "svg", title: "SVG", forms: ["marbles", "graph"] },
  { id: "png", title: "PNG", forms: ["marbles", "graph"] },
  { id: "text", title: "Text", forms: ["marbles", "graph"] },
  { id: "mermaid", title: "Mermaid", forms: ["graph"] },
  { id: "dot", title: "DOT", forms: ["graph"] },
];

/** Browsers and chat programs cut longer addresses. */
const LONG_LINK = 8000;

/** @type {import("../../core/types.js").View} */
export const view = {
  id: "share",
  title: "Share",
  hint: "Pictures, a page that shows a run, and a link that holds the stream.",
  mount,
};

/**
 * @param {HTMLElement} root
 * @param {ViewContext} context
 */
function mount(root, context) {
  const { store } = context;
  const picture = pictureCard(context);
  const link = linkCard(context);
  const body = h("div", { class: "share-view" },
    picture.element,
    h("div", { class: "column" }, link.element, pageCard(context), hubCard()));
  const empty = h("div", { class: "empty" }, h("h2", null, "No stream is open"),
    h("p", null, "Choose one from the list to share it."));
  root.append(body, empty);
  const update = () => {
    const isOpen = store.state.path !== null;
    body.hidden = !isOpen;
    empty.hidden = isOpen;
    if (!isOpen) return;
    picture.update();
    void link.update();
  };
  const end = store.subscribe(["text", "path", "analysis", "runRequest"], update);
  update();
  return {
    unmount() {
      end();
      context.api.latest("picture");
    },
  };
}

/**
 * What the server needs to draw what the marbles show.
 *
 * @param {import("../../core/store.js").State} state
 */
function draftOf({ path, text, runRequest }) {
  const { inputs, test, seconds } = runRequest;
  return { path, text, ...(inputs && { inputs }), ...(test && { test }), ...(seconds && { seconds }) };
}

/** @param {import("../../core/store.js").State} state */
function fileStem({ path }) {
  return (path ?? "stream").split("/").pop()?.replace(/\.json$/, "") ?? "stream";
}

/**
 * @param {string} label
 * @param {{id: string, title: string}[]} options
 * @param {(id: string) => void} choose
 */
function segments(label, options, choose) {
  const buttons = options.map(({ id, title }) => h("button", {
    type: "button", "data-id": id, on: { click: () => choose(id) },
  }, title));
  const element = h("div", { class: "segmented", role: "group", "aria-label": label }, buttons);
  return {
    element,
    /**
     * @param {string} chosen
     * @param {(id: string) => boolean} isShown
     */
    show(chosen, isShown = () => true) {
      for (const button of buttons) {
        button.setAttribute("aria-pressed", String(button.dataset.id === chosen));
        button.hidden = !isShown(button.dataset.id ?? "");
      }
    },
  };
}

/** @param {ViewContext} context */
function pictureCard({ store, api }) {
  /** @type {Choice} */
  const choice = { form: "marbles", format: "svg", stages: true };
  /** @type {Picture | null} */
  let picture = null;
  let timer = 0;
  const forms = segments("Picture of", [{ id: "marbles", title: "Marbles" }, { id: "graph", title: "Graph" }], (id) => {
    choice.form = id === "graph" ? "graph" : "marbles";
    if (!formatOf(choice).forms.includes(choice.form)) choice.format = "svg";
    changed();
  });
  const formats = segments("Format", FORMATS, (id) => {
    choice.format = id;
    changed();
  });
  const stages = h("input", {
    type: "checkbox", checked: true, on: { change: () => { choice.stages = stages.checked; changed(); } },
  });
  const stagesLabel = h("label", { class: "row" }, stages, "Show each operator");
  const preview = h("div", { class: "preview", tabIndex: 0, role: "group", "aria-label": "Preview" });
  const error = h("p", { class: "notice error", role: "alert", hidden: true, dir: "auto" });
  const actions = /** @type {HTMLButtonElement[]} */ ([
    h("button", { type: "button", class: "button primary", on: { click: () => void save() } },
      icon("download"), "Download"),
    h("button", { type: "button", class: "button", on: { click: () => void copy() } }, icon("copy"), "Copy"),
  ]);

  const load = async () => {
    const { analysis, analyzedText, text } = store.state;
    if (analyzedText !== text) return;
    const problem = analysis?.diagnostics.find((diagnostic) => diagnostic.severity === "error");
    if (problem) return show(`The stream has an error: ${problem.message}. Fix it to draw the picture.`);
    const format = choice.format === "png" ? "svg" : choice.format;
    try {
      const body = { ...draftOf(store.state), form: choice.form, format, stages: choice.stages };
      picture = await api.post("/api/picture", body, { signal: api.latest("picture") });
      await showPreview(preview, /** @type {Picture} */ (picture), choice.format);
      show(null);
    } catch (failure) {
      if (isAbort(failure)) return;
      const { isAway, message } = /** @type {import("../../core/api.js").ApiError} */ (failure);
      if (!isAway) show(`No picture can be drawn. ${message}`);
    }
  };
  // The picture before an error stays in sight, so that nothing jumps while one types.
  const show = (/** @type {string | null} */ message) => {
    error.hidden = message === null;
    error.textContent = message ?? "";
    preview.hidden = picture === null;
    for (const button of actions) button.disabled = picture === null || message !== null;
  };
  const update = () => {
    clearTimeout(timer);
    timer = window.setTimeout(() => void load(), 120);
  };
  const changed = () => {
    forms.show(choice.form);
    formats.show(choice.format, (id) => FORMATS.some((entry) => entry.id === id && entry.forms.includes(choice.form)));
    stagesLabel.hidden = choice.form !== "marbles";
    update();
  };
  const save = async () => {
    if (!picture) return;
    const name = `${fileStem(store.state)}${choice.form === "graph" ? "-graph" : ""}`;
    try {
      if (choice.format === "png") download(`${name}.png`, await pngOf(picture.text));
      else download(name + extensionOf(picture.name, choice.format), new Blob([picture.text], { type: picture.type }));
    } catch (failure) {
      toast(/** @type {Error} */ (failure).message, { kind: "error" });
    }
  };
  const copy = async () => {
    if (!picture) return;
    try {
      if (choice.format === "png") {
        await navigator.clipboard.write([new ClipboardItem({ "image/png": pngOf(picture.text) })]);
        toast("The picture is copied.");
      } else {
        await copyText(picture.text);
      }
    } catch (failure) {
      toast(`The picture cannot be copied. ${/** @type {Error} */ (failure).message}`, { kind: "error" });
    }
  };
  changed();
  return {
    update,
    element: h("section", { class: "card column", "aria-label": "Picture" },
      h("h2", null, "Picture"),
      h("div", { class: "row" }, forms.element, formats.element, stagesLabel),
      error, preview, h("div", { class: "row" }, actions)),
  };
}

/** @param {Choice} choice */
function formatOf(choice) {
  return FORMATS.find((entry) => entry.id === choice.format) ?? FORMATS[0];
}

/**
 * @param {string} name
 * @param {string} format
 */
function extensionOf(name, format) {
  /** @type {Record<string, string>} */
  const extensions = { svg: ".svg", text: ".txt", mermaid: ".mmd", dot: ".dot" };
  return /\.[a-z]+$/.exec(name)?.[0] ?? extensions[format] ?? ".txt";
}

/**
 * @param {HTMLElement} preview
 * @param {Picture} picture
 * @param {string} format
 */
async function showPreview(preview, picture, format) {
  if (format !== "svg" && format !== "png") {
    fill(preview, h("pre", { class: "code", dir: "auto" }, picture.text));
    return;
  }
  // As an image, a picture cannot run anything, whatever its text has.
  const isPNG = format === "png";
  const url = URL.createObjectURL(isPNG ? await pngOf(picture.text) : new Blob([picture.text], { type: picture.type }));
  const image = h("img", { alt: "Picture of the stream", src: url });
  const done = () => URL.revokeObjectURL(url);
  image.addEventListener("load", () => {
    fill(preview, image);
    done();
  }, { once: true });
  image.addEventListener("error", done, { once: true });
}

/** @param {ViewContext} context */
function linkCard({ store }) {
  /** @type {HTMLInputElement} */
  const input = h("input", { type: "text", readOnly: true, spellcheck: "false", on: { focus: () => input.select() } });
  const size = h("p", { class: "dim", role: "status" });
  let version = 0;
  const update = async () => {
    version += 1;
    const own = version;
    const { path, text, runRequest } = store.state;
    const data = await encodeStream({ path: path ?? "stream.json", text, inputs: runRequest.inputs });
    if (own !== version) return;
    input.value = `${location.origin}${location.pathname}#s=${data}`;
    const warning = " Some programs cut links as long as this: send the file or the page instead.";
    size.textContent = `${countText(input.value.length, "character")}.${input.value.length > LONG_LINK ? warning : ""}`;
  };
  return {
    update,
    element: h("section", { class: "card column", "aria-label": "Link" },
      h("h2", null, "Link"),
      h("p", { class: "dim" },
        "The link holds the whole stream and what the marbles feed. No server keeps it: whoever has the link and runs "
        + "the studio at this address opens the stream, unsaved."),
      field("Link", input), size,
      h("div", { class: "row" }, h("button", {
        type: "button", class: "button", on: { click: () => void copyText(input.value) },
      }, icon("copy"), "Copy link"))),
  };
}

/** @param {ViewContext} context */
function pageCard({ store, api }) {
  const error = h("p", { class: "notice error", role: "alert", hidden: true, dir: "auto" });
  const button = h("button", { type: "button", class: "button", on: { click: () => void save() } },
    icon("download"), "Download page");
  const save = async () => {
    button.disabled = true;
    try {
      const body = { ...draftOf(store.state), form: "marbles", format: "html", stages: true };
      const { text } = await api.post("/api/picture", body);
      download(`${fileStem(store.state)}.html`, new Blob([text], { type: "text/html" }));
      error.hidden = true;
      announce("The page is downloaded.");
    } catch (failure) {
      error.hidden = false;
      error.textContent = `No page can be made. ${/** @type {Error} */ (failure).message}`;
    }
    button.disabled = false;
  };
  return h("section", { class: "card column", "aria-label": "Page" },
    h("h2", null, "Page"),
    h("p", { class: "dim" },
      "One HTML file that shows the run and can be scrubbed, without any server: for documentation, tickets and "
      + "slides."),
    error, h("div", { class: "row" }, button));
}

function hubCard() {
  return h("section", { class: "card column", "aria-label": "Hub" },
    h("h2", null, "Hub"),
    h("p", { class: "dim" },
      "Publish, promote, halt and roll back versions here once this page is served by a hub. Until then, use ",
      h("code", null, "streamhub publish"), "."));
}
