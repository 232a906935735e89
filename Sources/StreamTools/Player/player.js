// Draws a run of a stream as marbles on tracks, and lets a person go through it.
//
// This file imports nothing, because it works in two places: the studio loads it as a module, and
// `streamrun show -o run.html` writes it into a page that has no server. That page holds the run as JSON in the element
// "run"; the last lines of this file look for it.

/**
 * @typedef {{code: string, message: string}} Failure
 * @typedef {{id: number|string, at: number, step?: number, value?: any, finished?: boolean, failure?: any,
 *   causes?: (number|string)[], isFixed?: boolean, isUnused?: boolean}} RunEvent
 * @typedef {{id: number|string, kind: string, title: string, detail?: string, pointer?: string|null,
 *   from?: (number|string)[], isSubscribed?: boolean, events: RunEvent[]}} Track
 * @typedef {{tracks: Track[], steps?: {at: number, kind: string, input?: string}[], end?: number, isCut?: boolean,
 *   stop?: Failure|null, warnings?: any[], inputs?: Record<string, any[]>, name?: string}} Run
 * @typedef {{track: Track, event: RunEvent|null, index: number, time: number, isBar: boolean}} Hit
 * @typedef {object} EditHooks
 * @property {(track: Track) => boolean} isEditable Whether the marbles of a track can be moved.
 * @property {(track: Track) => Element|null} [tools] Buttons beside the title of a track.
 * @property {(key: KeyboardEvent, track: Track, index: number) => boolean} [onKey] Returns whether it used the key.
 * @typedef {object} Options
 * @property {Run} run
 * @property {string} [labelField] The member of records that labels their marbles.
 * @property {string[]} [folded] Pointers of the operators that are folded to their heads.
 * @property {(folded: string[]) => void} [onFold]
 * @property {(event: RunEvent|null, track: Track|null) => void} [onPick]
 * @property {(time: number|null) => void} [onScrub]
 * @property {EditHooks} [edit]
 * @property {boolean} [isPlain] Without toolbar and inspector, for small rows.
 * @typedef {{event: RunEvent, track: Track, index: number}} Found
 * @typedef {{run: Run, events: Map<number|string, Found>, effects: Map<number|string, (number|string)[]>}} Graph
 * @typedef {{at: number, first: number, count: number, x: number}} Group Events of one instant.
 * @typedef {{kind: string, x: number, y: number, w: number, h: number, label: string, index: number,
 *   last: number}} Mark What is drawn for an event, or for the events from `index` to `last`.
 * @typedef {{g: SVGGElement, rect: SVGRectElement, text: SVGTextElement|null, mark: Mark|null, flags: number,
 *   name: string}} Slot An element that draws a mark.
 * @typedef {{track: Track, element: HTMLElement, head: HTMLElement, svg: SVGSVGElement, line: SVGLineElement,
 *   slots: Slot[], used: number, fan: number, height: number, active: number, isSeen: boolean, isOpen: boolean,
 *   fold: HTMLElement|null, isFolded: boolean, tools: Element|null, name: string, drawn: any[], isNamed: boolean}} Row
 * `drawn` is what the drawing was made of; `isNamed`, whether its marks have their names.
 */

const svgNamespace = "http://www.w3.org/2000/svg";
const rowHeight = 44;
const marbleSize = 22;
/** Events of one instant that are drawn one above another; the others are a count. */
const fanLimit = 5;
const openFanLimit = 40;
/** Distance of events of one instant: they overlap a little, so that two fit in a row. */
const fanStep = 20;
/** Marbles nearer than this, in pixels, are joined to a bar. */
const joinDistance = 3;
const barWidth = 32;
const narrowWidth = 600;
const widestLabel = 108;
const linkLimit = 400;
const stageLimit = 12;
/** Milliseconds without a drawing after which names for screen readers are written. */
const namingDelay = 150;
/** Classes of a mark, by the bits of its flags. */
const flagNames = ["is-lit", "is-picked", "is-selected", "is-unused", "is-active", "is-later"];
const speeds = [0.1, 0.25, 0.5, 1, 2, 5, 10, 60];

let playerCount = 0;

/**
 * @param {string} tag
 * @param {Record<string, any>} [attributes]
 * @param {...(Node|string)} children
 * @returns {HTMLElement}
 */
function html(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/**
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, any>} [attributes]
 * @param {...(Node|string)} children
 * @returns {SVGElementTagNameMap[T]}
 */
function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(svgNamespace, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/** Writes an attribute if it changes: browsers lay out and paint again for an equal value, too.
 * @param {Element} element @param {string} name @param {string|number} value */
function write(element, name, value) {
  const text = String(value);
  if (element.getAttribute(name) !== text) element.setAttribute(name, text);
}

/** @param {any[]} list @param {any[]} other */
const areEqual = (list, other) => list.length === other.length && list.every((item, index) => item === other[index]);

/** @type {Record<string, string>} */
const icons = {
  previous: "M4 3v10M13 3 7 8l6 5z",
  play: "M5 3v10l8-5z",
  pause: "M5 3h2v10H5zM9 3h2v10H9z",
  next: "M12 3v10M3 3l6 5-6 5z",
  minus: "M3 8h10",
  plus: "M3 8h10M8 3v10",
  fold: "M4 6l4 4 4-4",
  fit: "M2 4v8M14 4v8M4 8h8M6 6 4 8l2 2M10 6l2 2-2 2",
};

/**
 * @param {string} name
 * @param {string} title
 * @param {() => void} run
 */
function iconButton(name, title, run) {
  const path = svg("path", { d: icons[name] });
  const drawing = svg("svg", { viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true" }, path);
  const button = html("button", { type: "button", class: "player-button", title, "aria-label": title }, drawing);
  button.addEventListener("click", run);
  return button;
}

/** The only member of the tagged form of a value that JSON cannot hold, such as {"$timestamp": "…"}.
 * @param {any} value
 * @returns {[string, any]|null} */
function tagOf(value) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const names = Object.keys(value);
  return names.length === 1 && names[0].startsWith("$") ? [names[0], value[names[0]]] : null;
}

/**
 * The kind of a value, which selects the color of its marble.
 * @param {any} value
 * @returns {"number"|"text"|"true"|"list"|"object"|"other"}
 */
export function kindOf(value) {
  const tag = tagOf(value);
  if (tag) return ["$int", "$uint", "$double"].includes(tag[0]) ? "number" : "other";
  if (typeof value === "number") return "number";
  if (typeof value === "string") return "text";
  if (typeof value === "boolean") return "true";
  if (Array.isArray(value)) return "list";
  return value === null || value === undefined ? "other" : "object";
}

/**
 * A short text for a value; a string stays without quotation marks.
 * @param {any} value
 * @param {string} [field] The member that stands for a record.
 * @returns {string}
 */
export function shortText(value, field) {
  const tag = tagOf(value);
  if (tag) return tag[0] === "$double" && Number.isInteger(tag[1]) ? `${tag[1]}.0` : String(tag[1]);
  if (typeof value === "string") return value === "" ? "“”" : value;
  if (Array.isArray(value)) return `[${value.map((item) => shortText(item, field)).join(", ")}]`;
  if (typeof value !== "object" || value === null) return String(value);
  if (field && field in value) return shortText(value[field], field);
  return `{${Object.entries(value).map(([name, item]) => `${name}: ${shortText(item, field)}`).join(", ")}}`;
}

/**
 * @param {number} seconds
 * @param {number} [step] The distance of two times that must stay distinct.
 * @returns {string}
 */
export function timeText(seconds, step = 0.001) {
  const digits = Math.max(0, Math.min(6, Math.ceil(-Math.log10(step) - 1e-9)));
  const plain = (/** @type {number} */ value, /** @type {number} */ places) => String(Number(value.toFixed(places)));
  if (seconds < 0) return `−${timeText(-seconds, step)}`;
  if (seconds === 0) return "0";
  if (seconds < 1) return `${plain(seconds * 1000, Math.max(0, digits - 3))} ms`;
  if (seconds < 60) return `${plain(seconds, digits)} s`;
  const rest = plain(seconds % 60, digits);
  const two = (/** @type {number|string} */ part) => (Number(part) < 10 ? `0${part}` : String(part));
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${two(rest)}`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours}:${two(minutes % 60)}:${two(rest)}`;
  return `${Math.floor(hours / 24)} d ${hours % 24}:${two(minutes % 60)}`;
}

/** A failure of a run has a code and a message; one that is fed can be any value.
 * @param {any} failure
 * @returns {string} */
const failureText = (failure) => failure?.message || failure?.code || shortText(failure);

/** @param {RunEvent} event */
const spokenTime = (event) => `${Number(event.at.toFixed(6))} second${event.at === 1 ? "" : "s"}`;

/**
 * @param {RunEvent} event
 * @param {string} title The title of its track.
 * @param {string} [field]
 */
function spokenName(event, title, field) {
  if (event.finished) return `finished at ${spokenTime(event)}, ${title}`;
  if (event.failure) return `failure ${failureText(event.failure)} at ${spokenTime(event)}, ${title}`;
  return `value ${shortText(event.value, field).slice(0, 200)} at ${spokenTime(event)}, from ${title}`;
}

/** What an operator is remembered by while it is folded: ids are those of one run.
 * @param {Track} track */
const foldKey = (track) => track.pointer ?? track.title;

/** To a tenth of a pixel.
 * @param {number} length */
const round = (length) => Math.round(length * 10) / 10;

/** The first index whose time is at least `time`.
 * @param {RunEvent[]} events
 * @param {number} time */
function lowerBound(events, time) {
  let low = 0;
  let high = events.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (events[middle].at < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Texts are measured once: the same values come back in every frame of a drag.
 * @type {Map<string, number>} */
const widths = new Map();
/** @type {CanvasRenderingContext2D|null} */
let measure = null;
/** @param {string} text */
function widthOf(text) {
  let width = widths.get(text);
  if (width === undefined) {
    measure ??= document.createElement("canvas").getContext("2d");
    if (measure) measure.font = "12px system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif";
    width = measure ? measure.measureText(text).width : text.length * 7;
    if (widths.size > 20000) widths.clear();
    widths.set(text, width);
  }
  return width;
}

/** Cuts a text to a width in pixels.
 * @param {string} text
 * @param {number} room */
function fitted(text, room) {
  const start = text.length > 40 ? `${text.slice(0, 40)}…` : text;
  if (widthOf(start) <= room) return start;
  let count = Math.min(start.length - 1, Math.floor((start.length * room) / widthOf(start)));
  while (count > 0 && widthOf(`${start.slice(0, count)}…`) > room) count -= 1;
  return count > 0 ? `${start.slice(0, count)}…` : "";
}

/** Draws a run and lets a person zoom, pan, scrub and pick marbles. */
export class Player {
  // The parts of the drawing
  axis = svg("svg", { class: "player-axis", "aria-hidden": "true" });
  handle = html("div", { class: "player-handle", role: "slider", tabindex: 0, "aria-label": "Time shown" });
  axisBox = html("div", { class: "player-axis-box" }, this.axis, this.handle);
  under = svg("svg", { class: "player-under", "aria-hidden": "true" });
  over = svg("svg", { class: "player-over", "aria-hidden": "true" });
  veil = svg("rect", { class: "player-veil", y: 0, height: "100%" });
  headLine = svg("line", { class: "player-head-line", y1: 0, y2: "100%" });
  list = html("div", { class: "player-rows" });
  body = html("div", { class: "player-body" }, this.under, this.list, this.over);
  spacer = html("div", { class: "player-spacer" });
  scroller = html("div", { class: "player-scroll", tabindex: -1 }, this.spacer);
  tip = html("div", { class: "player-tip", role: "tooltip", dir: "auto", hidden: "" });
  notes = html("ul", { class: "player-notes" });
  inspector = html("div", { class: "player-inspector", role: "status" });
  readout = html("span", { class: "player-readout" });
  playButton = iconButton("play", "Play", () => this.togglePlay());
  stagesButton = html("button", { type: "button", class: "player-button player-text-button" });
  element = html("div", { class: "player" });

  // What is drawn
  /** @type {Map<number|string, Row>} */
  rows = new Map();
  /** @type {Row[]} */
  visible = [];
  notesKey = "";
  /** The tracks that have the focus: to ask the document lays out the page.
   * @type {EventTarget|null} */
  focus = null;
  /** What the axis, and the scroll bar, were drawn of. */
  axisKey = "";
  scrollKey = "";
  /** The time up to which the run is drawn. */
  end = 0;
  /** Whether operators are shown; null until one chooses.
   * @type {boolean|null} */
  stageChoice = null;
  /** Operators that are folded to their heads, by pointer.
   * @type {Set<string>} */
  folded = new Set();

  // Scale: the time at the left margin, and pixels a second
  from = 0;
  scale = 100;
  width = 0;
  isFitted = true;
  isFrozen = false;
  scrollLeft = 0;
  scrollRatio = 1;

  // The scrub head; null shows the whole run
  /** @type {number|null} */
  time = null;
  speed = 1;
  playing = 0;
  drawing = 0;
  naming = 0;
  /** @type {number[]|null} */
  instantTimes = null;

  // The picked event, with its causes and effects, and the selected events
  /** @type {number|string|null} */
  picked = null;
  /** @type {Set<number|string>} */
  lit = new Set();
  /** @type {Set<number|string>} */
  selected = new Set();
  /** @type {Graph|null} */
  graph = null;
  inspected = "";

  /**
   * @param {Element} root
   * @param {Options} options
   */
  constructor(root, options) {
    this.options = options;
    this.id = `player${(playerCount += 1)}`;
    this.run = options.run;
    this.labelField = options.labelField ?? "";
    this.folded = new Set(options.folded);
    this.resizing = new ResizeObserver(() => this.resized());
    this.seeing = new IntersectionObserver((entries) => this.seen(entries), { rootMargin: "200px" });
    this.build(root);
    this.update(options.run);
  }

  /** @param {Element} root */
  build(root) {
    const head = html("div", { class: "player-axis-head" });
    const axisRow = html("div", { class: "player-axis-row" }, head, this.axisBox);
    const parts = this.options.isPlain ? [] : [this.toolbar()];
    this.element.append(...parts, axisRow, this.body, this.scroller, this.notes, this.inspector, this.tip);
    root.append(this.element);
    this.listen();
  }

  toolbar() {
    const speed = /** @type {HTMLSelectElement} */ (
      html("select", { class: "player-select", "aria-label": "Speed", title: "Speed" })
    );
    for (const factor of speeds) speed.append(html("option", { value: factor }, `${factor}×`));
    speed.value = "1";
    speed.addEventListener("change", () => (this.speed = Number(speed.value)));
    this.stagesButton.addEventListener("click", () => {
      this.stageChoice = !this.showsStages;
      this.update(this.run);
    });
    return html(
      "div", { class: "player-bar", role: "toolbar", "aria-label": "Run" },
      iconButton("previous", "Previous instant", () => this.step(-1)),
      this.playButton,
      iconButton("next", "Next instant", () => this.step(1)),
      speed, this.readout, html("span", { class: "player-fill" }), this.stagesButton,
      iconButton("minus", "Zoom out", () => this.zoom(1 / 1.6)),
      iconButton("plus", "Zoom in", () => this.zoom(1.6)),
      iconButton("fit", "Show the whole run", () => this.fit()),
    );
  }

  listen() {
    this.resizing.observe(this.axisBox);
    this.element.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.scroller.addEventListener("scroll", () => this.scrolled());
    this.axisBox.addEventListener("pointerdown", (event) => this.scrubStart(event));
    this.handle.addEventListener("keydown", (event) => this.scrubKey(event));
    this.list.addEventListener("keydown", (event) => this.rowKey(event));
    this.list.addEventListener("pointerdown", (event) => this.pressed(event), true);
    this.list.addEventListener("click", (event) => this.clicked(event));
    this.list.addEventListener("focusin", (event) => this.focused(event));
    this.list.addEventListener("focusout", () => this.blurred());
    this.list.addEventListener("pointermove", (event) => this.hovered(event));
    this.list.addEventListener("pointerleave", () => this.hideTip());
    this.element.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !this.tip.hidden) this.hideTip();
    });
  }

  /** Rows out of sight are not drawn: a stream can have hundreds of operators.
   * @param {IntersectionObserverEntry[]} entries */
  seen(entries) {
    for (const entry of entries) {
      const row = this.rowOf(entry.target);
      if (row) row.isSeen = entry.isIntersecting;
      if (!row?.isSeen || this.width === 0) continue;
      this.drawRow(row);
      this.writeNames(row);
    }
  }

  /** Releases the observers and removes the drawing. */
  destroy() {
    this.pause();
    cancelAnimationFrame(this.drawing);
    clearTimeout(this.naming);
    this.resizing.disconnect();
    this.seeing.disconnect();
    this.element.remove();
  }

  // MARK: The run

  /** Shows another run, or the same one after a change of its tracks.
   * @param {Run} run */
  update(run) {
    const isOther = run !== this.run;
    this.run = run;
    this.graph = null;
    this.instantTimes = null;
    this.end = Math.max(run.end ?? 0, ...run.tracks.map((track) => track.events[track.events.length - 1]?.at ?? 0));
    const stages = run.tracks.filter((track) => track.kind === "stage").length;
    const label = stages === 1 ? "1 operator" : `${stages} operators`;
    this.stagesButton.textContent = this.showsStages ? `Hide ${label}` : `Show ${label}`;
    this.stagesButton.hidden = stages === 0;
    this.arrange();
    if (this.isFitted && !this.isFrozen) this.setFit();
    if (this.picked !== null && isOther) this.showPick(this.picked);
    this.writeNotes();
    // While one drags, an answer is drawn as it comes, so that nothing is left to do in the next frame.
    if (this.isFrozen) this.drawNow();
    else this.draw();
  }

  /** Makes a row for each track that is shown, and keeps rows that are there. */
  arrange() {
    const shown = this.run.tracks.filter((track) => this.showsStages || track.kind !== "stage");
    const kept = new Set(shown.map((track) => track.id));
    for (const [id, row] of this.rows) {
      if (kept.has(id)) continue;
      this.seeing.unobserve(row.element);
      row.element.remove();
      this.rows.delete(id);
    }
    const rows = shown.map((track, index) => {
      const row = this.rows.get(track.id) ?? this.makeRow(track);
      this.describe(row, track);
      if (this.list.children[index] !== row.element) {
        this.list.insertBefore(row.element, this.list.children[index] ?? null);
      }
      return row;
    });
    this.visible = rows.filter((row) => !row.isFolded);
  }

  /** @param {Track} track @returns {Row} */
  makeRow(track) {
    const head = html("div", { class: "player-head" });
    const line = svg("line", { class: "player-line" });
    const plot = svg("svg", { class: "player-plot", tabindex: 0 }, line);
    const element = html("div", { class: "player-row", "data-track": track.id }, head, plot);
    /** @type {Row} */
    const row = {
      track: { ...track, title: "", events: [] }, element, head, svg: plot, line, slots: [], used: 0, fan: 1, height: 0,
      active: -1, isSeen: true, isOpen: false, fold: null, isFolded: false, tools: null, name: "", drawn: [], isNamed: false,
    };
    this.rows.set(track.id, row);
    this.seeing.observe(element);
    return row;
  }

  /** @param {Row} row @param {Track} track */
  describe(row, track) {
    const old = row.track;
    row.track = track;
    if (row.active >= track.events.length) row.active = track.events.length - 1;
    const isOther = old.title !== track.title || old.kind !== track.kind;
    const tools = isOther || !row.tools ? this.options.edit?.tools?.(track) ?? null : row.tools;
    if (isOther || old.detail !== track.detail || tools !== row.tools) {
      row.tools = tools;
      const title = html("span", { class: "player-title", dir: "auto", title: track.title }, track.title);
      const detail = html("span", { class: "player-detail", dir: "auto", title: track.detail ?? "" });
      detail.textContent = track.detail ?? "";
      row.head.replaceChildren(html("span", { class: "player-names" }, title, detail));
      row.fold = track.kind === "stage" ? this.foldButton(track) : null;
      if (row.fold) row.head.prepend(row.fold);
      if (row.tools) row.head.append(row.tools);
      row.element.setAttribute("data-kind", track.kind);
    }
    row.isFolded = row.fold !== null && this.folded.has(foldKey(track));
    row.element.classList.toggle("is-folded", row.isFolded);
    if (row.fold) write(row.fold, "aria-expanded", String(!row.isFolded));
    row.element.classList.toggle("is-unsubscribed", track.isSubscribed === false);
    row.element.classList.toggle("is-editable", this.options.edit?.isEditable(track) ?? false);
    // The names of marbles hold the title.
    if (isOther) row.isNamed = false;
    if (isOther || row.name === "" || old.events !== track.events) this.describeEvents(row);
    const fan = Math.min(row.fan, row.isOpen ? openFanLimit : fanLimit);
    const height = rowHeight + Math.max(0, fan - 2) * fanStep;
    // A row that grew while one drags does not shrink until the end of the drag: nothing jumps.
    if (row.height !== height && !(this.isFrozen && height < row.height)) {
      row.height = height;
      row.svg.setAttribute("height", String(height));
    }
  }

  /** @param {Track} track */
  foldButton(track) {
    const button = iconButton("fold", `Marbles of ${track.title}`, () => this.fold(track));
    button.classList.add("player-fold");
    return button;
  }

  /** Folds the track of an operator to its head, or shows its marbles again.
   * @param {Track} track */
  fold(track) {
    const key = foldKey(track);
    if (!this.folded.delete(key)) this.folded.add(key);
    const row = this.rows.get(track.id);
    // Its place was not observed while it was folded.
    if (row) row.isSeen = true;
    this.update(this.run);
    this.options.onFold?.([...this.folded]);
  }

  /** Names a row, and finds out how many values of one instant it has to show.
   * @param {Row} row */
  describeEvents(row) {
    const { events, kind, title } = row.track;
    let values = 0;
    let together = 0;
    row.fan = 1;
    events.forEach((event, index) => {
      if (index > 0 && event.at !== events[index - 1].at) together = 0;
      if (!event.finished) together += 1;
      if (!event.finished && event.failure === undefined) values += 1;
      row.fan = Math.max(row.fan, together);
    });
    const name = `${kind} ${title}, ${values} value${values === 1 ? "" : "s"}`;
    if (row.name === name) return;
    row.name = name;
    row.svg.setAttribute("role", events.length > 0 ? "listbox" : "group");
    row.svg.setAttribute("aria-label", name);
  }

  writeNotes() {
    /** @type {[string, string][]} */
    const notes = [];
    const { stop, warnings } = this.run;
    if (stop) notes.push(["is-error", `The run stopped: ${stop.message}`]);
    const end = timeText(this.run.end ?? this.end);
    if (this.run.isCut) notes.push(["is-cut", `The picture ends at ${end}; the stream continues.`]);
    for (const warning of warnings ?? []) {
      notes.push(["is-warning", typeof warning === "string" ? warning : warning.message ?? JSON.stringify(warning)]);
    }
    const key = JSON.stringify(notes);
    if (key === this.notesKey) return;
    this.notesKey = key;
    this.notes.replaceChildren(...notes.map(([kind, text]) => html("li", { class: kind, dir: "auto" }, text)));
  }

  /** A few operators are shown unless one hides them. */
  get showsStages() {
    return this.stageChoice ?? this.run.tracks.filter((track) => track.kind === "stage").length <= stageLimit;
  }

  /** @param {string} field */
  setLabel(field) {
    if (field === this.labelField) return;
    this.labelField = field;
    for (const row of this.visible) row.isNamed = false;
    this.draw();
  }

  /** Marks the marbles with these ids as selected.
   * @param {Iterable<number|string>} ids */
  setSelection(ids) {
    const selected = new Set(ids);
    if (selected.size === this.selected.size && [...selected].every((id) => this.selected.has(id))) return;
    this.selected = selected;
    this.draw();
  }

  /** Keeps the scale while marbles are dragged: the end of the run moves, and the picture must not.
   * @param {boolean} isFrozen */
  freeze(isFrozen) {
    this.isFrozen = isFrozen;
    if (!isFrozen) this.update(this.run);
  }

  // MARK: Scale

  /** Room for half a marble before the start and after the end. */
  get margin() {
    return this.width < narrowWidth ? 24 : 44;
  }

  /** @param {number} time */
  x(time) {
    return this.margin + (time - this.from) * this.scale;
  }

  /** The time at a horizontal place of the window.
   * @param {number} clientX */
  timeAt(clientX) {
    const left = this.axisBox.getBoundingClientRect().left;
    return Math.max(0, this.from + (clientX - left - this.margin) / this.scale);
  }

  fitScale() {
    const end = this.end;
    return Math.max(1, this.width - 2 * this.margin) / (end > 0 ? end : 1);
  }

  setFit() {
    this.from = 0;
    this.scale = this.fitScale();
  }

  fit() {
    this.isFitted = true;
    this.setFit();
    this.draw();
  }

  /**
   * @param {number} factor
   * @param {number} [clientX] The place that stays where it is.
   */
  zoom(factor, clientX) {
    const least = this.fitScale();
    const scale = Math.min(1e6, Math.max(least, this.scale * factor));
    const middle = this.from + (this.width / 2 - this.margin) / this.scale;
    const time = clientX === undefined ? this.time ?? middle : this.timeAt(clientX);
    this.from = time - (time - this.from) * (this.scale / scale);
    this.scale = scale;
    this.isFitted = scale <= least * 1.0001;
    this.clampFrom();
    this.draw();
  }

  clampFrom() {
    const room = this.end - (this.width - 2 * this.margin) / this.scale;
    this.from = Math.max(0, Math.min(this.from, room));
  }

  /** Moves the picture so that a time is in sight.
   * @param {number} time */
  reveal(time) {
    const x = this.x(time);
    if (x >= this.margin / 2 && x <= this.width - this.margin / 2) return;
    this.from = time - (this.width / 2 - this.margin) / this.scale;
    this.clampFrom();
    this.draw();
  }

  /** @param {WheelEvent} event */
  wheel(event) {
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      this.zoom(Math.exp(-event.deltaY / 300), event.clientX);
      return;
    }
    const delta = event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX;
    if (delta === 0 || this.isFitted) return;
    event.preventDefault();
    this.from += delta / this.scale;
    this.clampFrom();
    this.draw();
  }

  scrolled() {
    if (this.scroller.scrollLeft === this.scrollLeft) return;
    this.scrollLeft = this.scroller.scrollLeft;
    this.from = this.scrollLeft / this.scrollRatio;
    this.clampFrom();
    this.draw();
  }

  /** Sets the native scroll bar to the part of the run that is in sight. */
  writeScroll() {
    const total = this.end * this.scale + 2 * this.margin;
    const isNeeded = !this.isFitted && total > this.width + 1;
    // To read or write the place of a scroll bar lays out the page.
    const key = `${isNeeded} ${total} ${this.from} ${this.scale}`;
    if (key === this.scrollKey) return;
    this.scrollKey = key;
    this.scroller.classList.toggle("is-needed", isNeeded);
    if (!isNeeded) return;
    // Browsers cut elements that are wider than some 10 million pixels.
    const shrink = Math.min(1, 5e6 / total);
    this.scrollRatio = this.scale * shrink;
    this.spacer.style.setProperty("width", `${Math.round(total * shrink)}px`);
    this.scroller.scrollLeft = this.from * this.scrollRatio;
    this.scrollLeft = this.scroller.scrollLeft;
  }

  resized() {
    const width = this.axisBox.clientWidth;
    if (width === this.width || width === 0) return;
    this.width = width;
    if (this.isFitted) this.setFit();
    this.clampFrom();
    this.drawNow();
  }

  // MARK: Drawing

  /** Draws with the next frame; several changes are one drawing. */
  draw() {
    this.drawing ||= requestAnimationFrame(() => this.drawNow());
  }

  /** Draws what waits for the next frame, so that the marks are those of the present tracks. */
  settle() {
    if (this.drawing) this.drawNow();
  }

  drawNow() {
    cancelAnimationFrame(this.drawing);
    this.drawing = 0;
    if (this.width === 0) return;
    this.element.classList.toggle("has-pick", this.lit.size > 0);
    for (const row of this.visible) if (row.isSeen && this.isOutdated(row)) this.drawRow(row);
    this.drawAxis();
    this.drawLinks();
    this.drawHead();
    this.writeScroll();
    clearTimeout(this.naming);
    this.naming = window.setTimeout(() => {
      // Another drawing is to come, which asks again.
      if (this.drawing) return;
      for (const row of this.visible) if (row.isSeen) this.writeNames(row);
    }, namingDelay);
  }

  drawAxis() {
    const cut = this.run.isCut || this.run.stop ? this.run.end ?? this.end : null;
    const key = `${this.from} ${this.scale} ${this.width} ${cut} ${Boolean(this.run.stop)}`;
    if (key === this.axisKey) return;
    this.axisKey = key;
    const step = this.tickStep();
    const ticks = [];
    const lines = [];
    const last = this.from + (this.width - this.margin) / this.scale;
    const first = Math.max(0, this.from - this.margin / this.scale);
    for (let count = Math.ceil(first / step); count * step <= last; count += 1) {
      const x = this.x(count * step).toFixed(1);
      ticks.push(svg("line", { x1: x, x2: x, y1: 25, y2: 30, class: "player-tick" }));
      ticks.push(svg("text", { x, y: 13, "text-anchor": "middle" }, timeText(count * step, step)));
      lines.push(svg("line", { x1: x, x2: x, y1: 0, y2: "100%", class: "player-grid" }));
    }
    if (cut !== null) {
      const x = this.x(cut).toFixed(1);
      lines.push(svg("line", { x1: x, x2: x, y1: 0, y2: "100%", class: this.run.stop ? "player-stop" : "player-cut" }));
    }
    this.axis.replaceChildren(...ticks);
    this.under.replaceChildren(...lines, this.veil);
  }

  tickStep() {
    const least = 72 / this.scale;
    const power = 10 ** Math.floor(Math.log10(least));
    const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= least) ?? power * 10;
    return [15, 30, 60, 300, 600, 1800, 3600, 7200, 21600, 43200, 86400].find((time) => least > 10 && time >= least)
      ?? step;
  }

  /** The time at which the line of a row ends.
   * @param {Row} row */
  endOf(row) {
    const last = row.track.events[row.track.events.length - 1];
    return last && (last.finished || last.failure) ? last.at : this.end;
  }

  /** All that the drawing of a row depends on. While one drags, most rows stay as they are.
   * @param {Row} row */
  partsOf(row) {
    return [
      row.track.events, row.height, row.isOpen, row.active, this.focus === row.svg, this.endOf(row),
      this.from, this.scale, this.width, this.labelField, this.time, this.lit, this.picked, this.selected,
    ];
  }

  /** @param {Row} row */
  isOutdated(row) {
    return !areEqual(row.drawn, this.partsOf(row));
  }

  /** @param {Row} row */
  drawRow(row) {
    row.drawn = this.partsOf(row);
    row.isNamed = false;
    row.used = 0;
    const middle = row.height / 2;
    const { events } = row.track;
    write(row.line, "x1", Math.max(0, this.x(0)).toFixed(1));
    write(row.line, "x2", Math.max(0, Math.min(this.width, this.x(this.endOf(row)))).toFixed(1));
    write(row.line, "y1", middle);
    write(row.line, "y2", middle);
    let hasActive = false;
    for (const mark of this.marks(row)) {
      hasActive ||= mark.index === row.active && mark.kind !== "bar" && mark.kind !== "more";
      this.place(row, mark);
    }
    if (!hasActive && row.active >= 0 && this.focus === row.svg) {
      const mark = this.markOf(row, row.active, this.x(events[row.active].at), marbleSize * 2);
      this.place(row, mark);
    }
    for (let index = row.used; index < row.slots.length; index += 1) row.slots[index].g.remove();
    row.slots.length = row.used;
    if (this.focus !== row.svg) return;
    const active = row.slots.find((slot) => slot.mark?.index === row.active && slot.mark.kind !== "bar");
    if (!active) {
      row.svg.removeAttribute("aria-activedescendant");
      return;
    }
    write(row.svg, "aria-activedescendant", active.g.id);
    if (this.isFrozen) this.writeName(row, active);
    else this.writeNames(row);
  }

  /** The marbles and bars of a row that are in sight.
   * @param {Row} row
   * @returns {Mark[]} */
  marks(row) {
    const { events } = row.track;
    const margins = widestLabel / this.scale;
    const stop = this.from + this.width / this.scale + margins;
    /** @type {Group[]} */
    const groups = [];
    for (let first = lowerBound(events, this.from - margins); first < events.length && events[first].at <= stop; ) {
      let next = first + 1;
      while (next < events.length && events[next].at === events[first].at) next += 1;
      groups.push({ at: events[first].at, first, count: next - first, x: this.x(events[first].at) });
      first = next;
    }
    /** @type {Mark[]} */
    const marks = [];
    for (let at = 0; at < groups.length; ) {
      let last = at;
      while (last + 1 < groups.length && groups[last + 1].x - groups[last].x < joinDistance) last += 1;
      const before = at > 0 ? groups[at].x - groups[at - 1].x : Infinity;
      const after = last + 1 < groups.length ? groups[last + 1].x - groups[last].x : Infinity;
      if (last > at) marks.push(...this.barsOf(row, groups.slice(at, last + 1)));
      else marks.push(...this.fanOf(row, groups[at], Math.min(before, after, this.roomAt(groups[at].x)) - 2));
      at = last + 1;
    }
    return marks;
  }

  /** The widest marble that the edges do not cut.
   * @param {number} x */
  roomAt(x) {
    const edge = Math.min(x, this.width - x);
    return edge < 0 ? widestLabel : Math.min(widestLabel, Math.max(marbleSize + 2, 2 * edge));
  }

  /** Marbles that are too near to be told apart, as bars with their number: the taller, the denser.
   * @param {Row} row @param {Group[]} groups @returns {Mark[]} */
  barsOf(row, groups) {
    /** @type {Mark[]} */
    const marks = [];
    const { events } = row.track;
    const origin = Math.floor(groups[0].x / barWidth) * barWidth;
    for (let at = 0; at < groups.length; ) {
      const place = Math.floor((groups[at].x - origin) / barWidth);
      const first = groups[at];
      while (at + 1 < groups.length && Math.floor((groups[at + 1].x - origin) / barWidth) === place) at += 1;
      const last = groups[at];
      at += 1;
      const end = last.first + last.count - 1;
      const count = end - first.first + 1;
      const x = (first.x + last.x) / 2;
      const w = Math.max(4, last.x - first.x + joinDistance - 1);
      const h = Math.min(row.height - 8, 8 + 5 * Math.log2(count));
      const label = w > 18 ? fitted(String(count), w) : "";
      marks.push({ kind: "bar", x, y: row.height / 2, w, h, label, index: first.first, last: end });
    }
    const final = groups[groups.length - 1];
    const index = final.first + final.count - 1;
    const closing = events[index];
    if (closing.finished || closing.failure) marks.push(this.markOf(row, index, this.x(closing.at), marbleSize));
    return marks;
  }

  /** The events of one instant, one above another.
   * @param {Row} row @param {Group} group @param {number} room @returns {Mark[]} */
  fanOf(row, group, room) {
    /** @type {Mark[]} */
    const marks = [];
    const values = [];
    for (let index = group.first; index < group.first + group.count; index += 1) {
      if (row.track.events[index].finished) marks.push(this.markOf(row, index, group.x, room));
      else values.push(index);
    }
    const limit = row.isOpen ? openFanLimit : fanLimit;
    const drawn = values.length > limit ? limit - 1 : values.length;
    const shown = Math.min(values.length, limit);
    const top = row.height / 2 - ((shown - 1) * fanStep) / 2;
    for (let place = 0; place < drawn; place += 1) {
      const mark = this.markOf(row, values[place], group.x, room);
      mark.y = top + place * fanStep;
      marks.push(mark);
    }
    if (drawn < values.length) {
      const count = values.length - drawn;
      marks.push({
        kind: "more", x: group.x, y: top + drawn * fanStep, w: Math.max(30, widthOf(`+${count}`) + 12),
        h: marbleSize, label: `+${count}`, index: values[drawn], last: values[values.length - 1],
      });
    }
    return marks;
  }

  /** @param {Row} row @param {number} index @param {number} x @param {number} room @returns {Mark} */
  markOf(row, index, x, room) {
    const event = row.track.events[index];
    const base = { x, y: row.height / 2, index, last: index };
    if (event.finished) return { ...base, kind: "finished", w: 3, h: row.height - 8, label: "" };
    const size = Math.max(5, Math.min(marbleSize, room));
    if (event.failure) return { ...base, kind: "failure", w: size, h: size, label: size > 12 ? "✕" : "" };
    const kind = kindOf(event.value);
    if (room < 12) return { ...base, kind, w: size, h: size, label: "" };
    const text = shortText(event.value, this.labelField);
    const most = Math.min(widestLabel, Math.max(marbleSize, room));
    const short = text.length > 60 ? text.slice(0, 60) : text;
    const w = room < marbleSize ? size : Math.max(marbleSize, Math.min(most, widthOf(short) + 12));
    return { ...base, kind, w, h: size, label: fitted(short, w - 6) };
  }

  /** Puts a mark in the next element of the row. Elements are used again, and only what changed is written: an update
   * while one drags must fit in a frame.
   * @param {Row} row @param {Mark} mark */
  place(row, mark) {
    let slot = row.slots[row.used];
    if (!slot) {
      const rect = svg("rect");
      const g = svg("g", { id: `${this.id}-${row.track.id}-${row.used}`, role: "option" }, rect);
      slot = { g, rect, text: null, mark: null, flags: 0, name: "" };
      row.slots.push(slot);
      row.svg.append(g);
    }
    row.used += 1;
    const before = slot.mark;
    slot.mark = mark;
    const isOther = before?.kind !== mark.kind;
    this.writeFlags(row, slot, mark, isOther);
    const [x, y] = [round(mark.x), round(mark.y)];
    mark.x = x;
    mark.y = y;
    const isMoved = before?.x !== x || before.y !== y;
    const isResized = isOther || before.w !== mark.w || before.h !== mark.h;
    // A transform would be less to write, but makes each marble a layer for the browser to arrange in each frame.
    if (isMoved || isResized) {
      slot.rect.setAttribute("x", String(round(x - mark.w / 2)));
      slot.rect.setAttribute("y", String(round(y - mark.h / 2)));
    }
    if (isResized) {
      const corner = mark.kind === "bar" ? 3 : Math.min(mark.w, mark.h) / 2;
      slot.rect.setAttribute("width", String(round(mark.w)));
      slot.rect.setAttribute("height", String(round(mark.h)));
      slot.rect.setAttribute("rx", String(round(corner)));
    }
    const isNew = !slot.text;
    if ((before?.label ?? "") !== mark.label) this.writeLabel(slot, mark.label);
    if (slot.text && (isMoved || isNew)) {
      slot.text.setAttribute("x", String(x));
      slot.text.setAttribute("y", String(y));
    }
  }

  /** @param {Row} row @param {Mark} mark */
  flagsOf(row, mark) {
    const event = row.track.events[mark.index];
    const later = this.time !== null && event.at > this.time ? 32 : 0;
    if (mark.kind === "bar" || mark.kind === "more") return later;
    const isActive = mark.index === row.active && this.focus === row.svg;
    return (this.lit.has(event.id) ? 1 : 0) | (event.id === this.picked ? 2 : 0)
      | (this.selected.has(event.id) ? 4 : 0) | (event.isUnused ? 8 : 0) | (isActive ? 16 : 0) | later;
  }

  /** @param {Row} row @param {Slot} slot @param {Mark} mark @param {boolean} isOther Whether the kind is another. */
  writeFlags(row, slot, mark, isOther) {
    const flags = this.flagsOf(row, mark);
    if (!isOther && flags === slot.flags) return;
    slot.flags = flags;
    const names = flagNames.filter((_, bit) => flags & (1 << bit));
    slot.g.setAttribute("class", ["player-mark", `kind-${mark.kind}`, ...names].join(" "));
    slot.g.setAttribute("aria-selected", String((flags & 6) !== 0));
  }

  /** @param {Slot} slot @param {string} label */
  writeLabel(slot, label) {
    if (label === "") {
      slot.text?.remove();
      slot.text = null;
      return;
    }
    if (!slot.text) {
      slot.text = svg("text", { "text-anchor": "middle", dy: "0.35em", "unicode-bidi": "plaintext" });
      slot.g.append(slot.text);
    }
    slot.text.textContent = label;
  }

  /** The name of a mark for screen readers.
   * @param {Row} row @param {Mark} mark */
  nameOf(row, mark) {
    const { events, title } = row.track;
    if (mark.kind === "more") return `${mark.last - mark.index + 1} more at ${spokenTime(events[mark.index])}`;
    if (mark.kind !== "bar") return spokenName(events[mark.index], title, this.labelField);
    const [first, last] = [events[mark.index].at, events[mark.last].at];
    return `${mark.last - mark.index + 1} events between ${first} and ${last} seconds, ${title}`;
  }

  /** Writes the names once nothing moves: nobody hears thousands of names in each frame of a drag.
   * @param {Row} row */
  writeNames(row) {
    if (row.isNamed) return;
    row.isNamed = true;
    for (const slot of row.slots) this.writeName(row, slot);
  }

  /** @param {Row} row @param {Slot} slot */
  writeName(row, slot) {
    const name = slot.mark ? this.nameOf(row, slot.mark) : "";
    if (name === slot.name) return;
    slot.name = name;
    slot.g.setAttribute("aria-label", name);
  }

  // MARK: Causes and effects

  /** Events by id, and the effects of each; made when first asked for. */
  graphOfRun() {
    if (this.graph?.run === this.run) return this.graph;
    /** @type {Map<number|string, Found>} */
    const events = new Map();
    /** @type {Map<number|string, (number|string)[]>} */
    const effects = new Map();
    for (const track of this.run.tracks) {
      track.events.forEach((event, index) => {
        events.set(event.id, { event, track, index });
        for (const cause of event.causes ?? []) {
          const list = effects.get(cause);
          if (list) list.push(event.id);
          else effects.set(cause, [event.id]);
        }
      });
    }
    this.graph = { run: this.run, events, effects };
    return this.graph;
  }

  /** Lights up an event, everything that caused it and everything that it caused.
   * @param {number|string|null} id */
  light(id) {
    if (this.lit.size > 0) this.lit = new Set();
    this.picked = null;
    if (id === null) return;
    const { events, effects } = this.graphOfRun();
    if (!events.has(id)) return;
    this.picked = id;
    this.lit = new Set();
    /** @param {(id: number|string) => (number|string)[]} next */
    const follow = (next) => {
      const seen = new Set([id]);
      const waiting = [id];
      for (let current = waiting.pop(); current !== undefined; current = waiting.pop()) {
        this.lit.add(current);
        for (const other of next(current)) {
          if (seen.has(other) || !events.has(other)) continue;
          seen.add(other);
          waiting.push(other);
        }
      }
    };
    follow((current) => events.get(current)?.event.causes ?? []);
    follow((current) => effects.get(current) ?? []);
  }

  /** Picks an event by id; null clears the pick.
   * @param {number|string|null} id */
  pick(id) {
    const found = this.showPick(id);
    this.options.onPick?.(found?.event ?? null, found?.track ?? null);
  }

  /** Shows an event as picked, without telling.
   * @param {number|string|null} id
   * @returns {Found|null} */
  showPick(id) {
    this.light(id);
    const found = this.picked === null ? null : this.graphOfRun().events.get(this.picked) ?? null;
    this.inspect(found);
    this.draw();
    return found;
  }

  /** @param {{event: RunEvent, track: Track}|null} found */
  inspect(found) {
    const inspected = found && !this.options.isPlain ? JSON.stringify([found.event, found.track.title]) : "";
    if (inspected === this.inspected) return;
    this.inspected = inspected;
    this.inspector.replaceChildren();
    if (!found || inspected === "") return;
    const { event, track } = found;
    const { events, effects } = this.graphOfRun();
    const titles = (/** @type {(number|string)[]} */ ids) =>
      [...new Set(ids.map((id) => events.get(id)?.track.title).filter(Boolean))].join(", ");
    const from = titles(event.causes ?? []);
    const to = titles(effects.get(event.id) ?? []);
    const what = event.finished ? "Finished" : event.failure ? "Failure" : "Value";
    const line = [`${what} of ${track.title} at ${timeText(event.at, 1e-6)}`];
    if (from) line.push(`caused by ${from}`);
    line.push(to ? `caused ${to}` : "caused nothing more");
    const text = event.finished ? "" : JSON.stringify(event.failure ?? event.value, null, 2);
    const close = html("button", { type: "button", class: "player-button player-text-button" }, "Clear");
    close.addEventListener("click", () => this.pick(null));
    this.inspector.replaceChildren(html("div", { class: "player-inspected" }, line.join(" · "), close));
    if (text) this.inspector.append(html("pre", { dir: "auto", tabindex: 0 }, text));
  }

  /** The place of an event within the body; null if its row is not shown.
   * @param {number|string} id */
  placeOf(id) {
    const found = this.graphOfRun().events.get(id);
    const row = found && this.rows.get(found.track.id);
    if (!found || !row || row.isFolded) return null;
    const { events } = row.track;
    let first = found.index;
    while (first > 0 && events[first - 1].at === found.event.at) first -= 1;
    const values = [];
    for (let index = first; index < events.length && events[index].at === found.event.at; index += 1) {
      if (!events[index].finished) values.push(index);
    }
    const shown = Math.min(values.length, row.isOpen ? openFanLimit : fanLimit);
    const place = Math.min(values.indexOf(found.index), shown - 1);
    const shift = place < 0 ? 0 : (place - (shown - 1) / 2) * fanStep;
    const top = row.svg.getBoundingClientRect().top - this.over.getBoundingClientRect().top;
    return { x: this.x(found.event.at), y: top + row.height / 2 + shift };
  }

  /** The nearest causes that are drawn: the tracks of operators may be folded.
   * @param {number|string} id */
  shownCauses(id) {
    const { events } = this.graphOfRun();
    const found = new Set();
    const seen = new Set([id]);
    const waiting = [...(events.get(id)?.event.causes ?? [])];
    for (let current = waiting.pop(); current !== undefined; current = waiting.pop()) {
      if (seen.has(current)) continue;
      seen.add(current);
      const entry = events.get(current);
      if (!entry) continue;
      if (this.rows.get(entry.track.id)?.isFolded === false) found.add(current);
      else waiting.push(...(entry.event.causes ?? []));
    }
    return found;
  }

  drawLinks() {
    if (this.lit.size === 0 && this.over.firstChild === this.headLine) return;
    const paths = [];
    for (const id of this.lit) {
      if (paths.length > linkLimit) break;
      const to = this.placeOf(id);
      if (!to) continue;
      for (const cause of this.shownCauses(id)) {
        const from = this.lit.has(cause) ? this.placeOf(cause) : null;
        if (!from) continue;
        const bend = Math.max(12, Math.abs(to.y - from.y) / 2) * (to.y >= from.y ? 1 : -1);
        const edge = (marbleSize / 2) * Math.sign(bend);
        const [top, bottom] = [from.y + edge, to.y - edge];
        const d = `M${from.x} ${top}C${from.x} ${top + bend} ${to.x} ${bottom - bend} ${to.x} ${bottom}`;
        paths.push(svg("path", { d, class: "player-link" }));
      }
    }
    this.over.replaceChildren(...paths, this.headLine);
  }

  // MARK: The scrub head

  /** Shows the run as it was at a time; null shows all of it.
   * @param {number|null} time */
  showAt(time) {
    const end = this.end;
    this.time = time === null || time >= end ? null : Math.max(0, time);
    this.settle();
    for (const row of this.visible) {
      if (!row.isSeen) continue;
      for (const slot of row.slots) if (slot.mark) this.writeFlags(row, slot, slot.mark, false);
      row.drawn = this.partsOf(row);
    }
    this.drawHead();
    this.options.onScrub?.(this.time);
  }

  drawHead() {
    const end = this.end;
    const time = this.time ?? end;
    const x = this.x(time);
    const isAtEnd = this.time === null;
    write(this.veil, "x", Math.max(0, x));
    write(this.veil, "width", isAtEnd ? 0 : Math.max(0, this.width - x));
    write(this.headLine, "x1", x);
    write(this.headLine, "x2", x);
    this.headLine.classList.toggle("is-at-end", isAtEnd);
    this.handle.style.setProperty("transform", `translateX(${x.toFixed(1)}px)`);
    this.handle.hidden = x < 0 || x > this.width;
    const text = timeText(time, Math.min(0.01, 1 / this.scale));
    const shown = `${text} of ${timeText(end, 0.01)}`;
    if (this.readout.textContent !== shown) this.readout.textContent = shown;
    write(this.handle, "aria-valuemin", 0);
    write(this.handle, "aria-valuemax", end);
    write(this.handle, "aria-valuenow", Number(time.toFixed(6)));
    write(this.handle, "aria-valuetext", `${Number(time.toFixed(3))} of ${Number(end.toFixed(3))} seconds`);
  }

  /** @param {PointerEvent} event */
  scrubStart(event) {
    if (event.button !== 0) return;
    event.preventDefault();
    this.pause();
    this.handle.hidden = false;
    this.handle.focus({ preventScroll: true });
    this.axisBox.setPointerCapture(event.pointerId);
    const move = (/** @type {PointerEvent} */ moved) => this.showAt(this.timeAt(moved.clientX));
    const stop = () => {
      this.axisBox.removeEventListener("pointermove", move);
      this.axisBox.removeEventListener("pointerup", stop);
      this.axisBox.removeEventListener("pointercancel", stop);
    };
    this.axisBox.addEventListener("pointermove", move);
    this.axisBox.addEventListener("pointerup", stop);
    this.axisBox.addEventListener("pointercancel", stop);
    move(event);
  }

  /** @param {KeyboardEvent} event */
  scrubKey(event) {
    const part = (this.width / this.scale / 100) * (event.shiftKey ? 10 : 1);
    const time = this.time ?? this.end;
    /** @type {Record<string, () => void>} */
    const moves = {
      ArrowRight: () => this.showAt(time + part),
      ArrowUp: () => this.showAt(time + part),
      ArrowLeft: () => this.showAt(time - part),
      ArrowDown: () => this.showAt(time - part),
      PageDown: () => this.step(1),
      PageUp: () => this.step(-1),
      Home: () => this.showAt(0),
      End: () => this.showAt(null),
      " ": () => this.togglePlay(),
    };
    const move = event.altKey || event.ctrlKey || event.metaKey ? undefined : moves[event.key];
    if (!move) return;
    event.preventDefault();
    move();
    this.reveal(this.time ?? this.end);
  }

  instants() {
    if (!this.instantTimes) {
      const times = new Set([0]);
      for (const track of this.run.tracks) for (const event of track.events) times.add(event.at);
      this.instantTimes = [...times].sort((one, other) => one - other);
    }
    return this.instantTimes;
  }

  /** Goes to the next instant at which something happens, or to the one before.
   * @param {1|-1} direction */
  step(direction) {
    this.pause();
    const times = this.instants();
    const time = this.time ?? this.end;
    const next = direction > 0
      ? times.find((candidate) => candidate > time)
      : times[times.findIndex((candidate) => candidate >= time) - 1];
    this.showAt(next ?? (direction > 0 ? null : 0));
    this.reveal(this.time ?? this.end);
  }

  togglePlay() {
    if (this.playing) this.pause();
    else this.play();
  }

  play() {
    let time = this.time ?? 0;
    const end = this.end;
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    let before = performance.now();
    const frame = (/** @type {number} */ now) => {
      time += (Math.max(0, now - before) / 1000) * this.speed;
      before = now;
      // Without motion, the head jumps from instant to instant.
      const times = isStill ? this.instants() : [];
      this.showAt(isStill ? times[Math.max(0, times.findIndex((at) => at > time) - 1)] ?? 0 : time);
      if (time >= end) {
        this.showAt(null);
        this.pause();
        return;
      }
      this.reveal(time);
      this.playing = requestAnimationFrame(frame);
    };
    this.playing = requestAnimationFrame(frame);
    this.markPlaying("pause", "Pause");
  }

  pause() {
    if (!this.playing) return;
    cancelAnimationFrame(this.playing);
    this.playing = 0;
    this.markPlaying("play", "Play");
  }

  /** @param {string} icon @param {string} title */
  markPlaying(icon, title) {
    this.playButton.querySelector("path")?.setAttribute("d", icons[icon]);
    this.playButton.setAttribute("aria-label", title);
    this.playButton.setAttribute("title", title);
  }

  // MARK: Pointer and keys on tracks

  /** @param {EventTarget|Element|null} target @returns {Row|null} */
  rowOf(target) {
    const element = target instanceof Element ? target.closest(".player-row") : null;
    return this.visible.find((row) => row.element === element) ?? null;
  }

  /** The track, and the marble, at a place of the window.
   * @param {number} clientX @param {number} clientY @returns {Hit|null} */
  hit(clientX, clientY) {
    this.settle();
    const target = document.elementFromPoint(clientX, clientY);
    const row = this.element.contains(target) ? this.rowOf(target) : null;
    if (!row || !target || !row.svg.contains(target)) return null;
    const slot = row.slots.find((candidate) => candidate.g.contains(target));
    const isBar = slot?.mark?.kind === "bar" || slot?.mark?.kind === "more";
    const index = slot?.mark && !isBar ? slot.mark.index : -1;
    return { track: row.track, event: row.track.events[index] ?? null, index, time: this.timeAt(clientX), isBar };
  }

  /** The ids of the marbles that touch a box of the window.
   * @param {DOMRect} box
   * @returns {(number|string)[]} */
  idsIn(box) {
    this.settle();
    const ids = [];
    for (const row of this.visible) {
      const plot = row.svg.getBoundingClientRect();
      if (plot.bottom < box.top || plot.top > box.bottom) continue;
      for (const { mark } of row.slots) {
        if (!mark || mark.kind === "bar" || mark.kind === "more") continue;
        const [x, y] = [plot.left + mark.x, plot.top + mark.y];
        const isIn = x + mark.w / 2 >= box.left && x - mark.w / 2 <= box.right
          && y + mark.h / 2 >= box.top && y - mark.h / 2 <= box.bottom;
        if (isIn) ids.push(row.track.events[mark.index].id);
      }
    }
    return ids;
  }

  /** Where an event is drawn, in pixels of the window; null if its track is folded.
   * @param {number|string} id */
  clientPlaceOf(id) {
    const place = this.placeOf(id);
    const box = this.over.getBoundingClientRect();
    return place && { x: box.left + place.x, y: box.top + place.y };
  }

  /** The marble that is pressed is the one that keys are for.
   * @param {PointerEvent} event */
  pressed(event) {
    this.settle();
    const row = this.rowOf(event.target);
    const slot = row?.slots.find((candidate) => candidate.g.contains(/** @type {Node} */ (event.target)));
    if (row && slot?.mark) row.active = slot.mark.index;
  }

  /** Says which marble of a track keys are for, without moving the focus.
   * @param {number|string} trackId @param {number} index */
  setActive(trackId, index) {
    const row = this.rows.get(trackId);
    if (row) row.active = index;
  }

  /** @param {MouseEvent} event */
  clicked(event) {
    this.settle();
    const row = this.rowOf(event.target);
    if (!row || event.detail > 1 || event.defaultPrevented) return;
    const slot = row.slots.find((candidate) => candidate.g.contains(/** @type {Node} */ (event.target)));
    if (!slot?.mark) {
      if (row.svg.contains(/** @type {Node} */ (event.target))) this.pick(null);
      return;
    }
    if (slot.mark.kind === "bar") return this.zoom(4, event.clientX);
    if (slot.mark.kind === "more") {
      row.isOpen = true;
      this.hideTip();
      this.update(this.run);
      return;
    }
    row.active = slot.mark.index;
    const { id } = row.track.events[slot.mark.index];
    this.pick(this.picked === id ? null : id);
  }

  /** @param {FocusEvent} event */
  focused(event) {
    const row = this.rowOf(event.target);
    if (!row || event.target !== row.svg) return;
    this.focus = row.svg;
    if (row.active < 0 && row.track.events.length > 0) {
      row.active = Math.min(lowerBound(row.track.events, this.from), row.track.events.length - 1);
    }
    this.drawRow(row);
  }

  blurred() {
    this.focus = null;
    this.hideTip();
    this.draw();
  }

  /** Moves the keyboard to a marble.
   * @param {number|string} trackId @param {number} index */
  focusMarble(trackId, index) {
    const row = this.rows.get(trackId);
    if (!row) return;
    row.active = Math.max(-1, Math.min(index, row.track.events.length - 1));
    row.svg.focus({ preventScroll: false });
    const event = row.track.events[row.active];
    if (event) this.reveal(event.at);
    this.drawRow(row);
    this.showTip(row, row.active);
  }

  /** The focus goes to the button that shows the marbles again.
   * @param {Row} row */
  foldByKey(row) {
    if (!row.fold) return;
    this.fold(row.track);
    row.fold.focus();
  }

  /** @param {KeyboardEvent} key */
  rowKey(key) {
    const row = this.rowOf(key.target);
    if (!row || key.target !== row.svg) return;
    if (this.options.edit?.isEditable(row.track) && this.options.edit.onKey?.(key, row.track, row.active)) {
      key.preventDefault();
      return;
    }
    if (key.altKey || key.ctrlKey || key.metaKey) return;
    const { events } = row.track;
    const at = this.visible.indexOf(row);
    const across = (/** @type {Row|undefined} */ other) => {
      if (!other) return;
      const time = events[row.active]?.at ?? this.from;
      const index = Math.min(lowerBound(other.track.events, time), other.track.events.length - 1);
      this.focusMarble(other.track.id, index);
    };
    /** @type {Record<string, () => void>} */
    const moves = {
      ArrowRight: () => this.focusMarble(row.track.id, Math.min(row.active + 1, events.length - 1)),
      ArrowLeft: () => this.focusMarble(row.track.id, Math.max(row.active - 1, 0)),
      Home: () => this.focusMarble(row.track.id, 0),
      End: () => this.focusMarble(row.track.id, events.length - 1),
      ArrowDown: () => across(this.visible[at + 1]),
      ArrowUp: () => across(this.visible[at - 1]),
      f: () => this.foldByKey(row),
      Enter: () => this.pickActive(row),
      " ": () => this.pickActive(row),
      Escape: () => this.pick(null),
      "+": () => this.zoom(1.6),
      "-": () => this.zoom(1 / 1.6),
      0: () => this.fit(),
    };
    const move = moves[key.key];
    if (!move) return;
    key.preventDefault();
    move();
  }

  /** @param {Row} row */
  pickActive(row) {
    const event = row.track.events[row.active];
    if (event) this.pick(this.picked === event.id ? null : event.id);
  }

  /** @param {PointerEvent} event */
  hovered(event) {
    if (event.pointerType === "touch" || event.buttons) return;
    this.settle();
    const row = this.rowOf(event.target);
    const slot = row?.slots.find((candidate) => candidate.g.contains(/** @type {Node} */ (event.target)));
    if (!row || !slot?.mark) {
      if (!this.tip.contains(/** @type {Node} */ (event.target))) this.hideTip();
      return;
    }
    this.showTip(row, slot.mark.index, slot.mark);
  }

  /** @param {Row} row @param {number} index @param {Mark} [mark] */
  showTip(row, index, mark) {
    const event = row.track.events[index];
    if (!event) return this.hideTip();
    const isMany = mark && mark.index !== mark.last;
    const value = event.finished ? "finished" : event.failure ? failureText(event.failure) : shortText(event.value);
    this.tip.textContent = isMany ? this.nameOf(row, mark) : `${value.slice(0, 300)} · ${timeText(event.at, 1e-6)}`;
    this.tip.hidden = false;
    const box = this.element.getBoundingClientRect();
    const plot = row.svg.getBoundingClientRect();
    const middle = plot.left - box.left + (mark?.x ?? this.x(event.at));
    const left = Math.max(4, Math.min(middle - this.tip.offsetWidth / 2, box.width - this.tip.offsetWidth - 4));
    const y = plot.top - box.top + (mark ? mark.y + mark.h / 2 : row.height / 2 + marbleSize / 2) + 6;
    this.tip.style.setProperty("transform", `translate(${left.toFixed(0)}px, ${y.toFixed(0)}px)`);
  }

  hideTip() {
    this.tip.hidden = true;
  }
}

/**
 * Makes events of the columns in which the engine gives the events of a run.
 *
 * What is as in the run before stays the same object: so a drawing finds what has changed by comparing objects.
 *
 * @param {any} json
 * @param {any} [before] The `Run` that was shown before.
 * @returns {any} A `Run`, with all that the answer has.
 */
export function readRun(json, before = null) {
  let count = 0;
  const tracks = json.tracks.map((/** @type {any} */ track, /** @type {number} */ place) => {
    const events = readEvents(track.events, count, before?.tracks[place]?.events ?? []);
    count += events.length;
    return { ...track, events };
  });
  return { ...json, tracks };
}

/**
 * @param {{at: number[], steps: number[], values: any[], causes: (number|number[]|null)[]}} columns
 * @param {number} firstId
 * @param {RunEvent[]} before
 * @returns {RunEvent[]} `before`, if nothing is different.
 */
function readEvents({ at, steps, values, causes }, firstId, before) {
  let isSame = before.length === at.length;
  const events = at.map((time, index) => {
    const cause = causes[index];
    const event = eventOf(values[index]);
    event.id = firstId + index;
    event.at = time;
    event.step = steps[index];
    event.causes = cause === null ? [] : typeof cause === "number" ? [cause] : cause;
    const old = before[index];
    if (old && isSameEvent(event, old)) return old;
    isSame = false;
    return event;
  });
  return isSame ? before : events;
}

/** @param {any} value @returns {RunEvent} */
function eventOf(value) {
  const event = { id: 0, at: 0 };
  if (value?.$finished === true) return { ...event, finished: true };
  return value?.$failure === undefined ? { ...event, value } : { ...event, failure: value.$failure };
}

/** @param {RunEvent} event @param {RunEvent} other */
function isSameEvent(event, other) {
  return event.id === other.id && event.at === other.at && event.step === other.step
    && areEqual(event.causes ?? [], other.causes ?? []) && event.finished === other.finished
    && isSameValue(event.value, other.value) && isSameValue(event.failure, other.failure);
}

/** @param {any} value @param {any} other */
function isSameValue(value, other) {
  return value === other || (typeof value === "object" && JSON.stringify(value) === JSON.stringify(other));
}

/** Shows the run that a page without a server holds. */
function bootAlone() {
  const source = document.getElementById("run");
  if (!(source instanceof HTMLScriptElement) || source.type !== "application/json") return null;
  const run = readRun(JSON.parse(source.textContent ?? '{"tracks":[]}'));
  document.documentElement.classList.add("player-alone");
  const root = document.getElementById("player") ?? document.body.appendChild(html("main", {}));
  const records = run.tracks.flatMap((/** @type {Track} */ track) => track.events.map((event) => event.value));
  if (document.title) root.append(html("h1", { class: "player-page-title", dir: "auto" }, document.title));
  const player = new Player(root, { run });
  const field = labelFieldOf(records);
  if (field) player.setLabel(field);
  return player;
}

/** The member that labels records best: a name or an id if there is one, else the first that is a string or number.
 * @param {any[]} values
 * @returns {string} */
export function labelFieldOf(values) {
  const fields = labelFields(values);
  return ["name", "title", "label", "id"].find((name) => fields.includes(name)) ?? fields[0] ?? "";
}

/** The members of records that can label them.
 * @param {any[]} values
 * @returns {string[]} */
export function labelFields(values) {
  const fields = new Set();
  for (const value of values) {
    if (kindOf(value) !== "object") continue;
    for (const [name, item] of Object.entries(value)) if (kindOf(item) !== "object") fields.add(name);
    if (fields.size > 30) break;
  }
  return [...fields];
}

if (typeof document !== "undefined") bootAlone();
