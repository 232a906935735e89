// The live view: the stream runs in real time on the server, and its values roll through tubes.

import { fill, h, icon, toast } from "../../core/dom.js";
import { declaredType } from "../../core/typed.js";
import { colorOf, countText, jsonText, timeText, valueText } from "../../core/values.js";
import { sendPanel, showStates } from "./send.js";
import { LiveSession } from "./session.js";
import { showStatus } from "./status.js";
import { startForm } from "./start.js";
import { laneHeight, Tunnel } from "./tunnel.js";

/**
 * @typedef {import("../../core/types.js").ViewContext} ViewContext
 * @typedef {import("./session.js").Lane} Lane
 * @typedef {import("./session.js").Ball} Ball
 */

/** The stream that runs. Another view may be in front of it.
 * @type {LiveSession | null} */
let session = null;

/** Operators that are shown at first, and tracks that have a tube at most. */
const stageLimit = 12;
const laneLimit = 60;
/** Milliseconds between two updates of texts. */
const textInterval = 250;
const listedBalls = 10;

/** The live view of one mount. */
class LiveView {
  /**
   * @param {HTMLElement} root
   * @param {ViewContext} context
   */
  constructor(root, context) {
    this.context = context;
    this.isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    /** @type {boolean | null} Null until one chooses. */
    this.showsStages = null;
    this.timer = 0;
    /** @type {(() => void)[]} */
    this.stops = [];
    this.start = startForm(context, (started) => this.begin(started));
    this.rate = h("span", { class: "dim live-rate" });
    this.tunnel = new Tunnel((rate) => { this.rate.textContent = `${rate} frames/s`; });
    this.heads = h("div", { class: "live-heads" });
    this.lists = h("div", { class: "live-lists", hidden: !this.isStill });
    this.canvasBox = h("div", { class: "live-canvas-box", hidden: this.isStill }, this.tunnel.canvas);
    this.picked = h("div", { class: "card live-picked", hidden: true, role: "status" });
    this.notices = h("div", null);
    this.figures = h("div", { class: "card column", hidden: true });
    this.tubes = h("div", { class: "live-tubes card" }, this.heads, this.canvasBox, this.lists);
    this.send = h("div", { class: "live-sends" });
    this.states = h("div", { class: "live-states" });
    this.log = h("ol", null);
    this.logBox = h("div", { class: "live-log", role: "log", "aria-label": "Published", tabindex: "0" }, this.log);
    this.published = h("section", { class: "card column" }, h("h3", null, "Published"), this.logBox);
    this.stateCard = h("section", { class: "card column" }, h("h3", null, "State of operators"), this.states);
    this.status = h("span", { class: "badge" });
    this.buttons = this.makeButtons();
    this.running = h("div", { class: "live-running", hidden: true },
      h("div", { class: "toolbar" }, this.buttons),
      this.notices,
      h("div", { class: "live-columns" },
        h("div", { class: "live-main column" },
          this.figures, this.tubes, this.picked, this.published),
        h("div", { class: "live-side column" }, this.send, this.stateCard)));
    this.element = h("section", { class: "live", "aria-label": "Live" }, this.start.element, this.running);
    root.append(this.element);
    this.tunnel.canvas.addEventListener("click", (event) => this.pick(event));
    this.unsubscribe = context.store.subscribe(
      ["path", "analysis", "data", "recordings", "states", "text"], () => this.update());
    // The values of the test become buttons, and a run says what they are.
    this.stopWishing = context.store.subscribe(["run"], () => {
      if (session && !this.send.contains(document.activeElement)) this.makeSends(session);
    });
    context.store.wantsRun(true);
    this.follow();
    this.update();
  }

  unmount() {
    this.unsubscribe();
    this.stopWishing();
    this.context.store.wantsRun(false);
    this.unfollow();
    clearTimeout(this.timer);
    this.tunnel.destroy();
    this.element.remove();
  }

  makeButtons() {
    const button = (/** @type {string} */ title, /** @type {() => void} */ run) =>
      h("button", { type: "button", class: "button", on: { click: run } }, title);
    this.stopButton = button("Stop", () => void session?.cancel());
    this.againButton = button("Run again", () => void this.runAgain());
    this.closeButton = button("Change feeds", () => this.close());
    this.pauseButton = button("Hold the picture", () => {
      const isPaused = !this.tunnel.isPaused;
      this.tunnel.pause(isPaused);
      this.pauseButton?.setAttribute("aria-pressed", String(isPaused));
    });
    this.stagesButton = button("Operators", () => {
      this.showsStages = !this.stagesAreShown();
      this.setLanes();
    });
    this.auto = h("input", {
      type: "checkbox", checked: true,
      on: { change: () => this.setAuto() },
    });
    this.swapButton = button("Swap now", () => void session?.swap());
    this.autoLabel = h("label", { class: "row" }, this.auto, "Swap when the text changes");
    return [
      this.status, this.stopButton, this.againButton, this.closeButton, this.pauseButton, this.stagesButton, this.rate,
      h("span", { class: "grow" }), this.autoLabel, this.swapButton,
    ];
  }

  setAuto() {
    if (!session) return;
    session.swapsAutomatically = Boolean(this.auto?.checked);
    session.followText();
  }

  // MARK: Session

  /** @param {LiveSession} started */
  begin(started) {
    session = started;
    this.showsStages = null;
    this.follow();
    this.update();
    this.running.querySelector("button")?.focus();
  }

  /** Runs the stream that is open now, with the same feeds. */
  async runAgain() {
    const { feeds } = session ?? {};
    if (!feeds) return;
    try {
      this.begin(await LiveSession.start(this.context, feeds));
    } catch (error) {
      toast(/** @type {Error} */ (error).message, { kind: "error" });
    }
  }

  close() {
    this.unfollow();
    void session?.cancel();
    session = null;
    this.update();
  }

  follow() {
    this.unfollow();
    const current = session;
    if (!current) return;
    const listeners = /** @type {const} */ ([
      ["change", () => this.update()],
      ["ball", () => { this.tunnel.start(); this.writeSoon(); }],
      ["state", () => showStates(this.states, current.states)],
      ["status", () => showStatus(this.figures, current.status, current.statusBefore)],
    ]);
    for (const [name, listener] of listeners) current.addEventListener(name, listener);
    this.stops = listeners.map(([name, listener]) => () => current.removeEventListener(name, listener));
    // A stream that another process runs has figures, and its operators publish values; its state stays where it is.
    this.figures.hidden = !current.isAttached;
    for (const part of [this.published, this.stateCard]) part.hidden = current.isAttached;
    if (current.isAttached) showStatus(this.figures, current.status, current.statusBefore);
    fill(this.states);
    showStates(this.states, current.states);
    this.makeSends(current);
    this.setLanes();
    this.writeTexts();
  }

  unfollow() {
    for (const stop of this.stops) stop();
    this.stops = [];
  }

  /** @param {LiveSession} current */
  makeSends(current) {
    const { analysis, run, text } = this.context.store.state;
    const inputs = current.isAttached ? [] : analysis?.inputs ?? [];
    const panels = inputs.map(({ name }) => {
      const fed = run?.inputs?.[name] ?? [];
      const presets = fed.filter((event) => "value" in event).map((event) => event.value);
      return { name, type: declaredType(text, name), presets };
    });
    // What one has typed stays while nothing of it changes.
    const key = JSON.stringify([current.id, panels]);
    if (this.sendKey === key) return;
    this.sendKey = key;
    fill(this.send, panels.map(({ name, type, presets }) => sendPanel(name, type, presets, current)));
  }

  // MARK: Showing

  update() {
    this.start.element.hidden = session !== null;
    this.running.hidden = session === null;
    if (!session) return this.start.update();
    const hasEnded = session.end !== null;
    const text = hasEnded ? "Ended" : session.isAway ? "Connecting…" : "Running";
    this.status.className = `badge ${hasEnded ? "" : session.isAway ? "warn" : "ok"}`;
    if (this.status.textContent !== text) this.status.textContent = text;
    if (this.stopButton) {
      this.stopButton.hidden = hasEnded;
      this.stopButton.textContent = session.isAttached ? "Stop watching" : "Stop";
    }
    if (this.againButton) this.againButton.hidden = !hasEnded || session.isAttached;
    if (this.closeButton) this.closeButton.hidden = !hasEnded;
    if (this.pauseButton) this.pauseButton.hidden = this.isStill;
    if (this.autoLabel) this.autoLabel.hidden = hasEnded || session.isAttached;
    if (this.auto) this.auto.checked = session.swapsAutomatically;
    if (this.swapButton) {
      this.swapButton.hidden = hasEnded || session.isAttached;
      this.swapButton.disabled = !session.isBehind || session.isSwapping;
    }
    this.send.hidden = hasEnded;
    this.writeNotices(session);
    this.setLanes();
  }

  /** @param {LiveSession} current */
  writeNotices(current) {
    const { path } = this.context.store.state;
    const isElsewhere = !current.isAttached && current.path !== path;
    const { end, report, swapError, skipped } = current;
    const key = JSON.stringify([end, report, swapError, skipped, isElsewhere]);
    if (this.noticeKey === key) return;
    this.noticeKey = key;
    const open = () => void this.context.store.open(current.path);
    fill(this.notices,
      end !== null && h("div", { class: "notice" }, icon("note"), h("p", { dir: "auto" }, end)),
      isElsewhere && h("div", { class: "notice" }, icon("note"),
        h("p", { dir: "auto" }, `This is a run of ${current.path}, not of the stream that is open.`),
        h("button", { type: "button", class: "button", on: { click: open } }, `Open ${current.path}`)),
      skipped && h("div", { class: "notice warn" }, icon("warning"),
        h("p", { dir: "auto" }, `A value was dropped: ${skipped}`)),
      swapError !== null && h("div", { class: "notice error" }, icon("error"),
        h("p", { dir: "auto" }, `The text was not swapped in. ${swapError}`)),
      report !== null && h("div", { class: "notice" }, icon("check"), h("details", { class: "grow" },
        h("summary", null, reportTitle(report)), reportBody(report))));
  }

  noticeKey = "";
  sendKey = "";

  stagesAreShown() {
    const stages = [...(session?.lanes.values() ?? [])].filter((lane) => lane.track.kind === "stage").length;
    return this.showsStages ?? (stages <= stageLimit || Boolean(session?.isAttached));
  }

  setLanes() {
    if (!session) return;
    const shows = this.stagesAreShown();
    const all = [...session.lanes.values()];
    const lanes = all.filter((lane) => shows || lane.track.kind !== "stage").slice(0, laneLimit);
    const stages = all.filter((lane) => lane.track.kind === "stage").length;
    if (this.stagesButton) {
      this.stagesButton.hidden = stages === 0;
      this.stagesButton.textContent = `${shows ? "Hide" : "Show"} ${countText(stages, "operator")}`;
    }
    const isSame = this.lanes.length === lanes.length && lanes.every((lane, index) => lane === this.lanes[index]);
    if (isSame) return;
    this.lanes = lanes;
    fill(this.heads, lanes.map((lane) => h("div", { class: `live-head is-${lane.track.kind}` },
      h("strong", { dir: "auto", title: lane.track.title }, lane.track.title),
      h("span", { class: "dim live-last", dir: "auto" }))));
    fill(this.lists, lanes.map(() => h("div", { class: "live-list" })));
    const height = `${lanes.length * laneHeight}px`;
    this.heads.style.setProperty("height", height);
    if (!this.isStill) this.tunnel.setLanes(lanes);
    this.writeTexts();
  }

  /** @type {Lane[]} */
  lanes = [];

  /** Texts follow a few times a second, so that they can be read. */
  writeSoon() {
    this.timer ||= window.setTimeout(() => {
      this.timer = 0;
      this.writeTexts();
    }, textInterval);
  }

  writeTexts() {
    if (!session) return;
    this.lanes.forEach((lane, index) => {
      const last = this.heads.children[index]?.querySelector(".live-last");
      const text = `${countText(lane.count, "value")}${lane.last ? ` · ${ballText(lane.last)}` : ""}`;
      if (last && last.textContent !== text) last.textContent = text;
      if (this.isStill) this.writeList(lane, index);
    });
    this.writeLog(session);
    if (session.lanes.size !== this.lanes.length) this.setLanes();
  }

  /** @param {Lane} lane @param {number} index */
  writeList(lane, index) {
    const list = this.lists.children[index];
    if (!list) return;
    fill(list, lane.balls.slice(-listedBalls).map((ball) => {
      const element = h("span", { class: "live-value", dir: "auto" }, ballText(ball));
      const color = ball.failure !== undefined ? "--marble-failure" : colorOf(ball.value);
      element.style.setProperty("background", ball.finished ? "var(--text-dim)" : `var(${color})`);
      return element;
    }));
  }

  /** @param {LiveSession} current */
  writeLog(current) {
    const outputs = current.log.filter((entry) => isOutput(entry.lane, current)).slice(-100);
    const last = outputs[outputs.length - 1];
    if (last === this.lastLogged && this.log.childElementCount > 0) return;
    // Only what is new is added: a log that is filled again would be read again.
    const known = this.lastLogged ? outputs.indexOf(this.lastLogged) : -1;
    if (known < 0) fill(this.log);
    this.lastLogged = last;
    const { scrollTop, clientHeight, scrollHeight } = this.logBox;
    const isAtEnd = scrollTop + clientHeight >= scrollHeight - 8;
    for (const { lane, ball } of outputs.slice(known + 1)) {
      this.log.append(h("li", null, h("span", { class: "dim" }, timeText(ball.at)),
        h("span", { class: "dim", dir: "auto" }, lane.track.title),
        h("code", { dir: "auto" }, ballText(ball))));
    }
    while (this.log.childElementCount > 100) this.log.firstElementChild?.remove();
    if (outputs.length === 0) fill(this.log, h("li", { class: "is-empty dim" }, "Nothing yet."));
    if (isAtEnd) this.logBox.scrollTop = this.logBox.scrollHeight;
  }

  /** @type {import("./session.js").Entry | undefined} */
  lastLogged;

  /** @param {MouseEvent} event */
  pick(event) {
    const hit = this.tunnel.hit(event.clientX, event.clientY);
    this.picked.hidden = hit === null;
    if (!hit) return;
    const { lane, ball } = hit;
    fill(this.picked, h("p", { dir: "auto" }, `${lane.track.title} at ${timeText(ball.at)}`),
      h("pre", { dir: "auto" }, ball.finished ? "finished" : jsonText(ball.failure ?? ball.value, "  ")));
  }
}

/** @param {Ball} ball */
function ballText(ball) {
  if (ball.finished) return "finished";
  if (ball.failure !== undefined) return `failed: ${ball.failure?.message ?? jsonText(ball.failure)}`;
  return valueText(ball.value, 200);
}

/**
 * Whether a track is what the stream publishes: an output, or the last operator where none is named.
 *
 * @param {Lane} lane
 * @param {LiveSession} current
 */
function isOutput(lane, current) {
  if (lane.track.kind === "output") return true;
  const lanes = [...current.lanes.values()];
  return lanes.every((other) => other.track.kind !== "output") && lane === lanes[lanes.length - 1];
}

/** @param {import("./session.js").SwapReport} report */
function reportTitle(report) {
  const parts = report.parts ?? [];
  const kept = parts.filter((part) => part.outcome === "kept").length;
  const others = [
    parts.length > kept && `${parts.length - kept} did not`, report.added && `${report.added} added`,
  ].filter(Boolean);
  return `The new text runs. ${[`${countText(kept, "operator")} kept the state`, ...others].join(", ")}.`;
}

/** @param {import("./session.js").SwapReport} report @returns {HTMLElement} */
function reportBody(report) {
  const words = { kept: "is kept", begunAnew: "begins anew", lost: "is lost" };
  return h("ul", null, (report.parts ?? []).map((part) => h("li", { dir: "auto" },
    `${part.name}: the state ${words[part.outcome]}`
      + `${part.reason ? ` (${part.reason})` : ""}`)));
}

/** @type {import("../../core/types.js").View} */
export const view = {
  id: "live",
  title: "Live",
  hint: "Run the stream in real time, and feed it by hand, from a file or from a recording.",
  mount(root, context) {
    const live = new LiveView(root, context);
    return { unmount: () => live.unmount() };
  },
};
