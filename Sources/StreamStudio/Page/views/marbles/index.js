// The home view: the inputs, operators and outputs as tracks of marbles. The marbles of inputs are edited here; what
// comes of them is the server's answer.

import { Player, labelFieldOf, labelFields } from "/player/player.js";
import { announce, h, icon, iconButton } from "../../core/dom.js";
import { addKeys } from "../../core/keys.js";
import { Controls } from "./controls.js";
import { openEditor } from "./editor.js";
import { inputOf, shownRun } from "./feeds.js";
import { foldedOf, keepFolded } from "./folds.js";
import { gridOf, listenToGestures } from "./gestures.js";
import { ItemHands } from "./hands.js";
import { Items } from "./items.js";
import { FedModel } from "./model.js";
import { notices } from "./notices.js";
import { inputTools, toolButton, trackKeys } from "./tools.js";
import { Waiting } from "./waiting.js";

/**
 * @typedef {import("../../core/types.js").ViewContext} ViewContext
 * @typedef {import("../../core/types.js").Run} Run
 * @typedef {import("/player/player.js").Track} Track
 * @typedef {{trackId: number | string, index: number, key: string | null}} Pick
 */

/** The marbles of one mounted view. */
class MarblesView {
  /** @type {Run | null} */
  answered = null;
  /** @type {any[]} What the picture is made of. */
  shown = [];
  /** @type {string[]} The members that can label the records of `answered`. */
  fields = [];
  /** @type {Map<number | string, string>} Keys of fed events by the ids of the events that the player shows. */
  keys = new Map();
  /** @type {Player | null} */
  player = null;
  /** @type {string | null} */
  path = null;
  /** @type {Pick | null} */
  pick = null;
  /** @type {string | null} The member that labels records; null until there are some. */
  label = null;
  /** @type {{close: (isKept: boolean) => void} | null} */
  editor = null;

  itemTools = h("div", { class: "row marbles-tools", hidden: true },
    toolButton("Item", () => void this.items.add(), icon("add")));
  host = h("div", { class: "marbles-host" });
  waiting = new Waiting(this.host);

  /**
   * @param {HTMLElement} root
   * @param {ViewContext} context
   */
  constructor(root, context) {
    this.store = context.store;
    this.model = new FedModel(context.store);
    this.items = new Items(context.store);
    this.hands = new ItemHands(this.items, this);
    this.notices = notices(context.store, { input: () => this.model.input, add: () => this.add(this.model.input) });
    this.controls = new Controls(context, {
      label: (field) => this.setLabel(field),
      own: () => this.model.commit("Use own inputs"),
      none: () => this.store.setInputs({}, { label: "Feed nothing" }),
    });
    this.tools = inputTools(this.model, {
      add: () => this.add(this.model.input),
      end: (kind) => this.end(kind),
    });
    this.element = h("section", { class: "marbles", "aria-label": "Marbles" },
      this.controls.element, this.notices.elements, this.tools.element, this.itemTools, this.host, this.notices.empty);
    root.append(this.element);
    this.model.addEventListener("change", () => this.showEdit());
    this.model.addEventListener("select", () => this.showSelection());
    this.stops = [
      this.store.subscribe(
        ["path", "analysis", "run", "runIsStale", "runError", "runRequest", "text"], () => this.update()),
      this.store.subscribe(["pick"], (state) => this.showPick(state.pick)),
      listenToGestures(this.host, this.gestureTarget()),
      addKeys(...trackKeys),
    ];
    this.store.wantsRun(true);
    this.update();
  }

  unmount() {
    this.store.wantsRun(false);
    this.waiting.set(false);
    this.editor?.close(true);
    this.hands.editor?.close(true);
    for (const stop of this.stops) stop();
    this.player?.destroy();
    this.element.remove();
  }

  // MARK: Showing

  /** Begins with another stream: its picture has a scale, a label and folded tracks of its own.
   * @param {string | null} path */
  reset(path) {
    this.path = path;
    this.editor?.close(true);
    this.player?.destroy();
    this.player = null;
    this.label = null;
    this.pick = null;
    this.model.forget();
  }

  update() {
    const { state } = this.store;
    if (state.path !== this.path) this.reset(state.path);
    this.model.read();
    const run = state.path ? state.run : null;
    this.host.hidden = !run;
    this.controls.element.hidden = !state.path;
    this.tools.element.hidden = !run || this.model.feeds.names.length === 0;
    this.host.classList.toggle("is-stale", this.notices.update(state));
    this.itemTools.hidden = !run || this.items.list === null;
    this.tools.update();
    if (run !== this.answered) this.readLabels(run);
    if (run) this.showRun(run);
    this.controls.update(state, this.fields, this.label ?? "");
  }

  /** @param {Run | null} run */
  readLabels(run) {
    const values = run ? run.tracks.flatMap((track) => track.events.slice(0, 50).map((event) => event.value)) : [];
    this.fields = labelFields(values);
    this.label ??= this.fields.length > 0 ? labelFieldOf(values) : null;
  }

  /** @param {Run} run */
  showRun(run) {
    const isCurrent = this.model.isCurrent(run);
    const parts = [run, isCurrent, this.store.state.analysis, ...this.model.feeds.items.values()];
    if (this.player && parts.length === this.shown.length && parts.every((part, at) => part === this.shown[at])) return;
    this.shown = parts;
    const { run: shown, keys } = shownRun(run, this.model.feeds, { isCurrent, types: this.model.types });
    this.keys = keys;
    if (this.player) this.player.update(shown);
    else this.makePlayer(shown);
    if (this.player && this.player.labelField !== (this.label ?? "")) this.player.setLabel(this.label ?? "");
    if (run !== this.answered) this.pickAgain();
    this.answered = run;
    this.waiting.set(!isCurrent);
    this.player?.setSelection(this.selectedIds());
  }

  /** @param {any} run */
  makePlayer(run) {
    this.player = new Player(this.host, {
      run,
      labelField: this.label ?? "",
      folded: foldedOf(this.path),
      onFold: (pointers) => keepFolded(this.path, pointers),
      onPick: (event, track) => this.picked(event?.id ?? null, track),
      edit: {
        isEditable: (track) => this.nameOf(track) !== null || this.hands.isOn,
        tools: (track) => this.trackTools(track),
        onKey: (key, track, index) => this.key(key, track, index),
      },
    });
    this.player.element.addEventListener("focusin", (event) => this.focused(event));
  }

  /** Shows the edited events before the server has answered. */
  showEdit() {
    const { run } = this.store.state;
    if (run) this.showRun(run);
    this.tools.update();
  }

  /** @param {string} field */
  setLabel(field) {
    this.label = field;
    this.player?.setLabel(field);
  }

  /** The input that a track shows.
   * @param {Track} track */
  nameOf(track) {
    return inputOf(/** @type {any} */ (track), this.model.feeds.names);
  }

  /** @param {Track} track */
  trackTools(track) {
    const name = this.nameOf(track);
    if (name === null) return null;
    return iconButton("add", `Add a value to ${name}`, () => this.add(name), { class: "marbles-add" });
  }

  // MARK: Pick and selection

  /** @param {number | string | null} id @param {Track | null} track */
  picked(id, track) {
    const index = track?.events.findIndex((event) => event.id === id) ?? -1;
    this.pick = id === null || !track ? null : { trackId: track.id, index, key: this.keys.get(id) ?? null };
    const key = this.pick?.key;
    const name = key && this.model.feeds.find(key)?.name;
    if (name) this.model.active = name;
    this.model.select(key ? [key] : []);
    this.store.set({ pick: id });
  }

  /** Ids are those of a run; after another run, the pick is found again by its track and place. */
  pickAgain() {
    if (!this.pick || !this.player) return;
    const { trackId, index, key } = this.pick;
    const track = this.player.run.tracks.find((candidate) => candidate.id === trackId);
    const event = key ? track?.events.find((candidate) => this.keys.get(candidate.id) === key) : track?.events[index];
    this.player.showPick(event?.id ?? null);
    this.store.set({ pick: event?.id ?? null });
  }

  /** @param {number | string | null} id */
  showPick(id) {
    if (this.player && id !== this.player.picked) this.player.pick(id);
  }

  showSelection() {
    this.player?.setSelection(this.selectedIds());
    this.tools.update();
  }

  selectedIds() {
    return [...this.keys].filter(([, key]) => this.model.selection.has(key)).map(([id]) => id);
  }

  /** @param {FocusEvent} event */
  focused(event) {
    const row = /** @type {Element} */ (event.target).closest("[data-track]");
    const track = this.player?.run.tracks.find((candidate) => String(candidate.id) === row?.getAttribute("data-track"));
    const name = track && this.nameOf(track);
    if (name) this.model.active = name;
    this.tools.update();
  }

  /** The track and place where an event is drawn.
   * @param {string} key */
  placeOf(key) {
    for (const track of this.player?.run.tracks ?? []) {
      const index = track.events.findIndex((event) => this.keys.get(event.id) === key);
      if (index >= 0) return { trackId: track.id, index };
    }
    return null;
  }

  /** Moves the keyboard to the marble of an event.
   * @param {string} key */
  focusOn(key) {
    const place = this.placeOf(key);
    if (place) this.player?.focusMarble(place.trackId, place.index);
  }

  // MARK: Changes

  /** @param {string} name @param {number | null} [time] */
  add(name, time = this.player?.time ?? null) {
    const added = this.model.add(name, time);
    if (added) this.edit(added.key, { group: added.group, isNew: true });
  }

  /** @param {"finished" | "failure"} kind */
  end(kind) {
    const key = this.model.end(kind, this.player?.time ?? null);
    if (kind === "failure") this.edit(key);
  }

  /**
   * @param {string} key
   * @param {{group?: string, isNew?: boolean}} [options] A new event goes away when its form is canceled.
   */
  edit(key, options = {}) {
    const found = this.model.feeds.find(key);
    const { player } = this;
    if (!found || !player) return;
    this.editor?.close(true);
    player.freeze(true);
    player.drawNow();
    const id = [...this.keys].find(([, candidate]) => candidate === key)?.[0];
    const place = id === undefined ? null : player.clientPlaceOf(id);
    const box = this.host.getBoundingClientRect();
    const group = options.group ?? this.model.newGroup();
    this.editor = openEditor({
      host: this.host,
      place: { x: place ? place.x - box.left : box.width / 2, y: place ? place.y - box.top + 20 : 60 },
      name: found.name,
      type: this.model.typeOf(found.name),
      event: found.item.event,
      onChange: (event) => this.model.replace(key, event, group),
      onRemove: () => {
        this.model.select([key]);
        this.model.remove();
      },
      onClose: (isKept) => {
        this.editor = null;
        player.freeze(false);
        this.focusOn(key);
        if (isKept || !options.isNew) return;
        this.model.select([key]);
        this.model.remove();
      },
    });
  }

  // MARK: Keys and gestures

  /**
   * @param {KeyboardEvent} event
   * @param {Track} track
   * @param {number} index
   * @returns {boolean} Whether the key was used.
   */
  key(event, track, index) {
    const name = this.nameOf(track);
    const active = track.events[index];
    if (name === null) return active !== undefined && this.hands.useKey(event, active.id);
    this.model.active = name;
    const key = active ? this.keys.get(active.id) ?? null : null;
    const isMod = event.ctrlKey || event.metaKey;
    const pressed = `${isMod ? "Mod+" : ""}${event.altKey ? "Alt+" : ""}${event.key.length === 1
      ? event.key.toLowerCase() : event.key}`;
    if (pressed === "Mod+a") this.model.selectAll(name);
    else if (pressed === "Insert" || pressed === "+") this.addAfter(name, active?.at);
    else if (key !== null) return this.keyOn(pressed, key, event.shiftKey);
    else return false;
    return true;
  }

  /** @param {string} name @param {number} [time] */
  addAfter(name, time) {
    const added = time === undefined ? this.model.add(name, null) : this.model.addAfter(name, time);
    if (added) this.edit(added.key, { group: added.group, isNew: true });
  }

  /**
   * @param {string} pressed
   * @param {string} key The event that has the focus.
   * @param {boolean} isFine
   */
  keyOn(pressed, key, isFine) {
    const direction = { "Alt+ArrowLeft": -1, "Alt+ArrowRight": 1 }[pressed];
    if (pressed !== "Enter" && !direction && !["Delete", "Backspace", "Mod+d"].includes(pressed)) return false;
    if (pressed !== "Enter" && !this.model.selection.has(key)) this.model.select([key]);
    if (pressed === "Enter") this.edit(key);
    else if (pressed === "Mod+d") this.model.duplicate();
    else if (direction) {
      this.model.nudge(direction * gridOf(this.player?.scale ?? 100, isFine));
      this.focusOn(key);
      announce(`${this.model.timeOf(key)} seconds`);
    } else this.model.remove();
    return true;
  }

  /** @returns {import("./gestures.js").Target} */
  gestureTarget() {
    return {
      hit: (x, y) => {
        const hit = this.player?.hit(x, y);
        if (!hit) return null;
        const own = hit.event ? this.keys.get(hit.event.id) ?? null : null;
        const key = own ?? this.hands.hold(hit.event);
        return { key, input: this.nameOf(hit.track), time: hit.time, isMarble: hit.index >= 0 || hit.isBar };
      },
      selection: () => this.model.selection,
      select: (keys) => this.model.select(keys),
      timeOf: (key) => (key === ItemHands.key ? this.hands.time : this.model.timeOf(key)),
      move: (times, group, key) => {
        if (key === ItemHands.key) return this.hands.move(times.get(key) ?? 0, group);
        this.model.move(times, group);
        const place = this.placeOf(key);
        if (place) this.player?.setActive(place.trackId, place.index);
      },
      dragging: (isDragging) => {
        this.host.classList.toggle("is-dragging", isDragging);
        this.player?.freeze(isDragging);
        this.player?.hideTip();
      },
      clear: () => this.player?.pick(null),
      add: (input, time) => this.add(input, time),
      edit: (key) => (key === ItemHands.key ? this.hands.editHeld() : this.edit(key)),
      keysIn: (box) => (this.player?.idsIn(box) ?? []).flatMap((id) => this.keys.get(id) ?? []),
      scale: () => this.player?.scale ?? 100,
    };
  }
}

/** @type {import("../../core/types.js").View} */
export const view = {
  id: "marbles",
  title: "Marbles",
  hint: "Drag the marbles of the inputs; the operators and outputs follow.",
  mount(root, context) {
    const marbles = new MarblesView(root, context);
    return { unmount: () => marbles.unmount() };
  },
};
