// The home view: the inputs, operators and outputs as tracks of marbles. The marbles of inputs are edited here; what
// comes of them is the server's answer.

import { Player, labelFieldOf, labelFields } from "/player/player.js";
import { announce, fill, h, icon, iconButton } from "../../core/dom.js";
import { addKeys } from "../../core/keys.js";
import { firstValue } from "../../core/typed.js";
import { isSame } from "../../core/values.js";
import { Controls } from "./controls.js";
import { openEditor } from "./editor.js";
import { Feeds, inputOf, roundTime, shownRun } from "./feeds.js";
import { gridOf, listenToGestures } from "./gestures.js";

/**
 * @typedef {import("../../core/store.js").State} State
 * @typedef {import("../../core/types.js").ViewContext} ViewContext
 * @typedef {import("../../core/types.js").FedEvent} FedEvent
 * @typedef {import("../../core/types.js").Inputs} Inputs
 * @typedef {import("../../core/types.js").Run} Run
 * @typedef {{trackId: number | string, index: number, key: string | null}} Pick
 */

/** Seconds between the last value and one that is added without a place. */
const addedDistance = 0.5;
let editCount = 0;

/** The marbles of one mounted view. */
class MarblesView {
  /**
   * @param {HTMLElement} root
   * @param {ViewContext} context
   */
  constructor(root, context) {
    this.store = context.store;
    this.feeds = new Feeds({});
    /** @type {Inputs | null} */
    this.shownInputs = null;
    /** @type {Run | null} */
    this.answered = null;
    /** @type {Map<number | string, string>} */
    this.keys = new Map();
    /** @type {Set<string>} */
    this.selection = new Set();
    /** @type {Player | null} */
    this.player = null;
    /** @type {Pick | null} */
    this.pick = null;
    /** @type {string | null} */
    this.activeInput = null;
    /** @type {string | null} */
    this.label = null;
    /** @type {{close: (isKept: boolean) => void} | null} */
    this.editor = null;

    this.controls = new Controls(context, {
      label: (field) => {
        this.label = field;
        this.player?.setLabel(field);
      },
      own: () => this.commit("Use own inputs"),
      none: () => this.store.setInputs({}, { label: "Feed nothing" }),
    });
    this.problem = h("div", { class: "notice error", hidden: true, role: "status" });
    this.hint = h("div", { class: "notice", hidden: true });
    this.tools = this.makeTools();
    this.host = h("div", { class: "marbles-host" });
    this.empty = h("div", { class: "empty", hidden: true });
    this.element = h("section", { class: "marbles", "aria-label": "Marbles" },
      this.controls.element, this.problem, this.hint, this.tools, this.host, this.empty);
    root.append(this.element);

    this.stops = [
      this.store.subscribe(
        ["path", "analysis", "run", "runIsStale", "runError", "runRequest", "text"], () => this.update()),
      this.store.subscribe(["pick"], (state) => this.showPick(state.pick)),
      listenToGestures(this.host, this.gestureTarget()),
      addKeys(
        { keys: "Enter", title: "Edit the marble of an input, or pick another one", section: "Marbles" },
        { keys: "Space", title: "Show what caused a marble and what it caused", section: "Marbles" },
        { keys: "Insert", title: "Add a value (also +)", section: "Marbles" },
        { keys: "Delete", title: "Delete marbles", section: "Marbles" },
        { keys: "Alt+←", title: "Move marbles earlier or later (with Shift: finely)", section: "Marbles" },
        { keys: "Mod+D", title: "Duplicate marbles", section: "Marbles" },
        { keys: "Mod+A", title: "Select all marbles of the input", section: "Marbles" }),
    ];
    this.store.wantsRun(true);
    this.update();
  }

  unmount() {
    this.store.wantsRun(false);
    this.editor?.close(true);
    for (const stop of this.stops) stop();
    this.player?.destroy();
    this.element.remove();
  }

  makeTools() {
    this.inputSelect = h("select", {
      "aria-label": "Input", on: { change: () => { this.activeInput = this.inputSelect?.value ?? null; } },
    });
    const button = (/** @type {string} */ title, /** @type {() => void} */ run) =>
      h("button", { type: "button", class: "button", on: { click: run } }, title);
    this.duplicateButton = button("Duplicate", () => this.duplicate());
    this.deleteButton = button("Delete", () => this.remove());
    this.count = h("span", { class: "dim", role: "status" });
    return h("div", { class: "row marbles-tools", role: "group", "aria-label": "Edit inputs", hidden: true },
      this.inputSelect,
      h("button", { type: "button", class: "button", on: { click: () => this.add(this.input()) } },
        icon("add"), "Value"),
      button("Finish", () => this.end({ at: 0, finished: true })),
      button("Fail", () => this.end({ at: 0, failure: "offline" })),
      this.duplicateButton, this.deleteButton, this.count);
  }

  // MARK: Showing

  update() {
    const { state } = this.store;
    this.readFeeds();
    this.writeNotices(state);
    const run = state.path ? state.run : null;
    this.host.hidden = !run;
    this.controls.element.hidden = !state.path;
    this.tools.hidden = !run || this.feeds.names.length === 0;
    this.writeTools();
    if (run) this.showRun(run);
    const values = run ? run.tracks.flatMap((track) => track.events.slice(0, 50).map((event) => event.value)) : [];
    const fields = labelFields(values);
    if (this.label === null && fields.length > 0) {
      this.label = labelFieldOf(values);
      this.player?.setLabel(this.label);
    }
    this.controls.update(state, fields, this.label ?? "");
  }

  /** Takes the inputs from the store, if they were not changed here. */
  readFeeds() {
    const { runRequest, run, analysis } = this.store.state;
    const inputs = runRequest.inputs ?? run?.inputs ?? {};
    const declared = analysis?.inputs.map((input) => input.name) ?? [];
    const wished = { ...Object.fromEntries(declared.map((name) => [name, []])), ...inputs };
    if (this.shownInputs && (inputs === this.shownInputs || isSame(wished, this.feeds.toInputs()))) return;
    this.shownInputs = inputs;
    this.feeds = new Feeds(wished);
    this.selection = new Set();
  }

  /** @param {State} state */
  writeNotices(state) {
    const error = state.analysis?.diagnostics.find((diagnostic) => diagnostic.severity === "error");
    const message = error?.message ?? state.runError?.message ?? null;
    const isShown = state.path !== null && message !== null;
    if (isShown && this.problem.dataset.message !== message) {
      this.problem.dataset.message = message;
      const show = () => this.store.set({
        view: "text", selection: { pointer: error?.pointer ?? null, range: error?.range ?? undefined },
      });
      fill(this.problem, icon("error"),
        h("p", { dir: "auto" }, message, state.run ? " The picture is that of the text before." : ""),
        error && h("button", { type: "button", class: "button", on: { click: show } }, "Show in text"));
    }
    this.problem.hidden = !isShown;
    this.host.classList.toggle("is-stale", isShown);
    this.writeHint(state, isShown);
    this.empty.hidden = state.run !== null && state.path !== null;
    if (!state.path) {
      fill(this.empty, h("h2", null, "No stream is open"),
        h("p", null, "Choose a file in the list, or create a new stream there."));
    } else if (!state.run) {
      fill(this.empty, h("p", null, isShown ? "The marbles appear when the text has no errors." : "Running…"));
    }
  }

  /** @param {State} state @param {boolean} isShown Whether a problem is shown already. */
  writeHint(state, isShown) {
    const outputs = state.run?.tracks.filter((track) => track.kind === "output") ?? [];
    const isSilent = outputs.length > 0 && outputs.every((track) => track.events.every((event) => !("value" in event)));
    this.hint.hidden = isShown || !isSilent;
    if (this.hint.hidden) return;
    const name = this.input();
    fill(this.hint, icon("note"),
      h("p", { dir: "auto" }, name
        ? `Nothing is published. Add a value to “${name}”, or move one.`
        : "Nothing is published. A longer duration may show values."),
      name && h("button", { type: "button", class: "button", on: { click: () => this.add(name) } }, "Add a value"));
  }

  /** @param {Run} run */
  showRun(run) {
    const { runRequest, runIsStale } = this.store.state;
    const isCurrent = !runIsStale && (!runRequest.inputs || isSame(clean(run.inputs), clean(runRequest.inputs)));
    const types = new Map(this.store.state.analysis?.inputs.map((input) => [input.name, typeText(input.type)]) ?? []);
    const { run: shown, keys } = shownRun(run, this.feeds, { isCurrent, types });
    this.keys = keys;
    if (!this.player) {
      this.player = new Player(this.host, {
        run: shown,
        labelField: this.label ?? "",
        onPick: (event, track) => this.picked(event?.id ?? null, track),
        edit: {
          isEditable: (track) => inputOf(/** @type {any} */ (track), this.feeds.names) !== null,
          tools: (track) => this.trackTools(track),
          onKey: (key, track, index) => this.key(key, /** @type {any} */ (track), index),
        },
      });
      this.player.element.addEventListener("focusin", (event) => this.focused(event));
    } else {
      this.player.update(shown);
    }
    if (run !== this.answered) this.pickAgain();
    this.answered = run;
    this.player.setSelection(this.selectedIds());
  }

  /** Shows the edited events before the server has answered. */
  showEdit() {
    const { run } = this.store.state;
    if (run) this.showRun(run);
    this.writeTools();
  }

  /** @param {import("/player/player.js").Track} track */
  trackTools(track) {
    const name = inputOf(/** @type {any} */ (track), this.feeds.names);
    if (name === null) return null;
    return iconButton("add", `Add a value to ${name}`, () => this.add(name), { class: "marbles-add" });
  }

  writeTools() {
    const { names } = this.feeds;
    if (this.activeInput === null || !names.includes(this.activeInput)) this.activeInput = names[0] ?? null;
    if (this.inputSelect) {
      const isOther = names.join("\n") !== [...this.inputSelect.options].map((option) => option.value).join("\n");
      if (isOther) fill(this.inputSelect, names.map((name) => h("option", { value: name }, name)));
      this.inputSelect.value = this.activeInput ?? "";
      this.inputSelect.hidden = names.length < 2;
    }
    const count = this.selection.size;
    if (this.duplicateButton) this.duplicateButton.disabled = count === 0;
    if (this.deleteButton) this.deleteButton.disabled = count === 0;
    const text = count === 0 ? "" : `${count} selected`;
    if (this.count && this.count.textContent !== text) this.count.textContent = text;
  }

  // MARK: Pick and selection

  /** @param {number | string | null} id @param {import("/player/player.js").Track | null} track */
  picked(id, track) {
    const index = track?.events.findIndex((event) => event.id === id) ?? -1;
    this.pick = id === null || !track ? null : { trackId: track.id, index, key: this.keys.get(id) ?? null };
    const key = this.pick?.key;
    this.select(key ? [key] : []);
    const name = key && this.feeds.find(key)?.name;
    if (name) this.activeInput = name;
    this.writeTools();
    this.store.set({ pick: id });
  }

  /** Ids are those of a run; after another run, the pick is found again by its track and place. */
  pickAgain() {
    if (!this.pick || !this.player) return;
    const { trackId, index, key } = this.pick;
    const track = this.player.run.tracks.find((candidate) => candidate.id === trackId);
    const event = key ? track?.events.find((candidate) => this.keys.get(candidate.id) === key) : track?.events[index];
    if ((event?.id ?? null) !== this.player.picked) this.player.light(event?.id ?? null);
    this.store.set({ pick: event?.id ?? null });
  }

  /** @param {number | string | null} id */
  showPick(id) {
    if (this.player && id !== this.player.picked) this.player.pick(id);
  }

  /** @param {Iterable<string>} keys */
  select(keys) {
    this.selection = new Set(keys);
    this.player?.setSelection(this.selectedIds());
    this.writeTools();
  }

  selectedIds() {
    return [...this.keys].filter(([, key]) => this.selection.has(key)).map(([id]) => id);
  }

  /** @param {FocusEvent} event */
  focused(event) {
    const row = /** @type {Element} */ (event.target).closest("[data-track]");
    const track = this.player?.run.tracks.find((candidate) => String(candidate.id) === row?.getAttribute("data-track"));
    const name = track && inputOf(/** @type {any} */ (track), this.feeds.names);
    if (name) this.activeInput = name;
    this.writeTools();
  }

  input() {
    return this.activeInput ?? this.feeds.names[0] ?? "";
  }

  // MARK: Changes

  /**
   * Gives the edited events to the store, which runs the stream with them.
   *
   * @param {string} label
   * @param {string} [group]
   */
  commit(label, group) {
    const inputs = this.feeds.toInputs();
    this.shownInputs = inputs;
    this.store.setInputs(inputs, { label, group });
    this.showEdit();
  }

  /** @param {string} name @param {number} [time] */
  add(name, time) {
    if (!this.feeds.items.has(name)) return;
    const items = this.feeds.items.get(name) ?? [];
    const values = items.filter((item) => "value" in item.event);
    const last = values[values.length - 1];
    const at = time ?? this.player?.time ?? (last ? roundTime(last.event.at + addedDistance) : 0);
    const before = values.filter((item) => item.event.at <= at).pop() ?? values[0];
    const type = this.store.state.analysis?.inputs.find((input) => input.name === name)?.type;
    const end = items.find((item) => !("value" in item.event));
    const key = this.feeds.add(name, { at, value: before ? before.event.value : firstValue(type) });
    // Nothing follows an end; one that is in the way moves on.
    if (end && end.event.at < at) this.feeds.move(new Map([[end.key, roundTime(at + addedDistance)]]));
    this.selection = new Set([key]);
    editCount += 1;
    const group = `edit ${editCount}`;
    this.commit("Add a value", group);
    this.edit(key, { group, isNew: true });
  }

  /** @param {FedEvent} event */
  end(event) {
    const name = this.input();
    const items = this.feeds.items.get(name) ?? [];
    const values = items.filter((item) => "value" in item.event);
    const last = values[values.length - 1]?.event.at ?? 0;
    const at = this.player?.time ?? roundTime(last + addedDistance);
    const key = this.feeds.end(name, { ...event, at });
    this.selection = new Set([key]);
    this.commit(event.finished ? "Finish the input" : "Fail the input");
    if (!event.finished) this.edit(key);
  }

  duplicate() {
    if (this.selection.size === 0) return;
    const times = [...this.selection].map((key) => this.feeds.find(key)?.item.event.at ?? 0);
    const distance = Math.max(...times) - Math.min(...times) + addedDistance;
    this.selection = new Set(this.feeds.duplicate(this.selection, distance));
    this.commit("Duplicate values");
    announce(`${this.selection.size} duplicated`);
  }

  remove() {
    if (this.selection.size === 0) return;
    const count = this.selection.size;
    this.feeds.remove(this.selection);
    this.selection = new Set();
    this.commit(count === 1 ? "Delete an event" : "Delete events");
    announce(`${count} deleted`);
  }

  /**
   * @param {string} key
   * @param {{group?: string, isNew?: boolean}} [options] A new event goes away when its form is canceled.
   */
  edit(key, options = {}) {
    const { group, isNew = false } = options;
    const found = this.feeds.find(key);
    if (!found || !this.player) return;
    this.editor?.close(true);
    this.player.drawNow();
    const id = [...this.keys].find(([, candidate]) => candidate === key)?.[0];
    const place = id === undefined ? null : this.player.clientPlaceOf(id);
    const box = this.host.getBoundingClientRect();
    editCount += 1;
    const edited = group ?? `edit ${editCount}`;
    const type = this.store.state.analysis?.inputs.find((input) => input.name === found.name)?.type;
    this.player.freeze(true);
    this.editor = openEditor({
      host: this.host,
      place: { x: place ? place.x - box.left : box.width / 2, y: place ? place.y - box.top + 20 : 60 },
      name: found.name,
      type: type ?? "dyn",
      event: found.item.event,
      onChange: (event) => {
        if (isSame(event, this.feeds.find(key)?.item.event)) return;
        this.feeds.replace(key, event);
        this.commit("Edit an event", edited);
      },
      onRemove: () => {
        this.selection = new Set([key]);
        this.remove();
      },
      onClose: (isKept) => {
        this.editor = null;
        this.player?.freeze(false);
        this.focusOn(key);
        if (isKept || !isNew) return;
        this.selection = new Set([key]);
        this.remove();
      },
    });
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

  // MARK: Keys and gestures

  /**
   * @param {KeyboardEvent} event
   * @param {import("../../core/types.js").Track} track
   * @param {number} index
   * @returns {boolean}
   */
  key(event, track, index) {
    const name = inputOf(track, this.feeds.names);
    const active = track.events[index];
    const key = active ? this.keys.get(active.id) ?? null : null;
    if (name === null) return false;
    this.activeInput = name;
    const isMod = event.ctrlKey || event.metaKey;
    if (isMod && event.key.toLowerCase() === "a") {
      this.select((this.feeds.items.get(name) ?? []).map((item) => item.key));
      return true;
    }
    if (event.key === "Insert" || (event.key === "+" && !isMod)) {
      this.add(name, active ? roundTime(active.at + addedDistance) : undefined);
      return true;
    }
    if (key === null) return false;
    if (event.key === "Enter" && !isMod) {
      this.edit(key);
      return true;
    }
    if (!this.selection.has(key) && (event.key === "Delete" || event.key === "Backspace" || isMod || event.altKey)) {
      this.select([key]);
    }
    if (event.key === "Delete" || event.key === "Backspace") {
      this.remove();
      return true;
    }
    if (isMod && event.key.toLowerCase() === "d") {
      this.duplicate();
      return true;
    }
    if (event.altKey && (event.key === "ArrowLeft" || event.key === "ArrowRight")) {
      this.nudge(key, event.key === "ArrowRight" ? 1 : -1, event.shiftKey);
      return true;
    }
    return false;
  }

  /** @param {string} key @param {1 | -1} direction @param {boolean} isFine */
  nudge(key, direction, isFine) {
    const distance = direction * gridOf(this.player?.scale ?? 100, isFine);
    const times = [...this.selection].map((item) => /** @type {[string, number]} */ (
      [item, this.feeds.find(item)?.item.event.at ?? 0]));
    const earliest = Math.min(...times.map(([, at]) => at));
    const step = Math.max(distance, -earliest);
    this.feeds.move(new Map(times.map(([item, at]) => [item, roundTime(at + step)])));
    this.commit("Move events", `nudge ${[...this.selection].join()}`);
    this.focusOn(key);
    announce(`${this.feeds.find(key)?.item.event.at} seconds`);
  }

  /** @returns {import("./gestures.js").Target} */
  gestureTarget() {
    return {
      hit: (x, y) => {
        const hit = this.player?.hit(x, y);
        if (!hit) return null;
        const input = inputOf(/** @type {any} */ (hit.track), this.feeds.names);
        return { key: hit.event ? this.keys.get(hit.event.id) ?? null : null, input, time: hit.time };
      },
      selection: () => this.selection,
      select: (keys) => this.select(keys),
      timeOf: (key) => this.feeds.find(key)?.item.event.at ?? 0,
      move: (times, group, key) => {
        this.feeds.move(times);
        this.commit("Move events", group);
        const place = this.placeOf(key);
        if (place) this.player?.setActive(place.trackId, place.index);
      },
      dragging: (isDragging) => {
        this.host.classList.toggle("is-dragging", isDragging);
        this.player?.freeze(isDragging);
        this.player?.hideTip();
      },
      add: (input, time) => this.add(input, time),
      edit: (key) => this.edit(key),
      keysIn: (box) => (this.player?.idsIn(box) ?? []).flatMap((id) => this.keys.get(id) ?? []),
      scale: () => this.player?.scale ?? 100,
    };
  }
}

/** Inputs without those that are fed nothing.
 * @param {Inputs} inputs */
function clean(inputs) {
  return Object.fromEntries(Object.entries(inputs ?? {}).filter(([, events]) => events.length > 0));
}

/** @param {any} type */
function typeText(type) {
  return typeof type === "string" ? type : type === null || type === undefined ? "" : JSON.stringify(type);
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
