// A running stream. It lives longer than the view, so that one can edit in another view while it runs.

import { labelFieldOf } from "/player/player.js";
import { labelOf } from "../../core/values.js";

/**
 * @typedef {import("../../core/types.js").ViewContext} ViewContext
 * @typedef {{by: "hand"} | {by: "file" | "recording", path: string, speed: number}} Feed
 * @typedef {{id: string | number, kind: string, title: string, detail?: string, pointer?: string | null}} LiveTrack
 * @typedef {{at: number, seen: number, label: string, width: number, value?: any, finished?: boolean,
 *   failure?: any}} Ball
 * `at` is the stream's time in seconds, `seen` the time in milliseconds at which its picture enters the tube, `width`
 * that of the picture in pixels.
 * @typedef {{track: LiveTrack, balls: Ball[], count: number, last: Ball | null, isOver: boolean, field: string | null}}
 * Lane `field` is the member that labels records.
 * @typedef {{pointer: string, name: string, state: any, timers?: number[]}} OperatorState
 * @typedef {{name: string, pointer: string | null, outcome: "kept" | "begunAnew" | "lost", reason?: string}} SwapPart
 * @typedef {{tracks?: LiveTrack[], added?: number, parts?: SwapPart[]}} SwapReport
 * @typedef {{lane: Lane, ball: Ball}} Entry
 */

/** Pixels a millisecond at which balls roll. */
export const rollSpeed = 0.1;
export const ballRadius = 15;
const labelLength = 14;
/** Balls that a track remembers; older ones have left the tube. */
const ballLimit = 1200;
const logLimit = 200;
/** How far, in milliseconds, balls may fall behind while they wait for the ones before them. */
const mostLag = 1500;

/** A stream that runs on the server. It dispatches `change` for its state and `ball` for each event. */
export class LiveSession extends EventTarget {
  /**
   * @param {ViewContext} context
   * @param {{id: string, path: string, text: string, tracks: LiveTrack[], feeds: Record<string, Feed> | null}} started
   * `feeds` is null for a stream that another program runs.
   */
  constructor({ store, api }, { id, path, text, tracks, feeds }) {
    super();
    this.store = store;
    this.api = api;
    this.id = id;
    this.path = path;
    /** The text that runs. */
    this.text = text;
    this.feeds = feeds;
    this.isAttached = feeds === null;
    /** @type {Map<string, Lane>} */
    this.lanes = new Map();
    for (const track of tracks) this.addLane(track);
    /** @type {Entry[]} */
    this.log = [];
    /** @type {OperatorState[]} */
    this.states = [];
    /** The newest figures of a stream that another program runs, and those before.
     * @type {import("./status.js").Status | null} */
    this.status = null;
    /** @type {import("./status.js").Status | null} */
    this.statusBefore = null;
    /** @type {SwapReport | null} */
    this.report = null;
    /** Values that an operator has dropped because of an error. */
    this.skipped = "";
    /** @type {string | null} */
    this.swapError = null;
    /** @type {string | null} */
    this.end = null;
    this.isAway = false;
    this.failedConnections = 0;
    this.swapsAutomatically = true;
    this.isSwapping = false;
    this.stopFollowing = store.subscribe(["analysis"], () => this.followText());
    this.source = api.events(`/api/live/${encodeURIComponent(id)}/events`, {
      open: () => {
        this.failedConnections = 0;
        this.setAway(false);
      },
      error: () => this.disconnected(),
      marble: (data) => this.receive(data),
      state: (data) => {
        this.states = data?.operators ?? [];
        this.dispatchEvent(new Event("state"));
      },
      status: (data) => {
        this.statusBefore = this.status;
        this.status = data;
        this.dispatchEvent(new Event("status"));
      },
      swap: (data) => this.swapped(data?.report),
      skipped: (data) => {
        this.skipped = data?.message ?? "";
        this.changed();
      },
      end: (data) => this.ended(endText(data)),
    });
    this.leave = () => void this.cancel(true);
    window.addEventListener("pagehide", this.leave);
  }

  /**
   * @param {ViewContext} context
   * @param {Record<string, Feed>} feeds
   * @returns {Promise<LiveSession>}
   */
  static async start(context, feeds) {
    const { path, text } = context.store.state;
    const answer = await context.api.post("/api/live", { path, text, feeds });
    return new LiveSession(context, {
      id: String(answer.id), path: path ?? "", text, tracks: answer.tracks ?? [], feeds,
    });
  }

  /**
   * Shows a stream that another program runs.
   *
   * @param {ViewContext} context
   * @param {string} state Its directory.
   * @returns {Promise<LiveSession>}
   */
  static async attach(context, state) {
    const answer = await context.api.post("/api/attach", { state });
    return new LiveSession(context, {
      id: String(answer.id), path: state, text: "", tracks: answer.tracks ?? [], feeds: null,
    });
  }

  changed() {
    this.dispatchEvent(new Event("change"));
  }

  /** @param {LiveTrack} track */
  addLane(track) {
    /** @type {Lane} */
    const lane = { track, balls: [], count: 0, last: null, isOver: false, field: null };
    this.lanes.set(String(track.id), lane);
    return lane;
  }

  /** The browser connects again, but a run that the server has stopped does not come back. */
  disconnected() {
    this.failedConnections += 1;
    if (this.failedConnections >= 3) this.ended("The connection to the server was lost, which stopped the stream.");
    else this.setAway(true);
  }

  /** @param {boolean} isAway */
  setAway(isAway) {
    if (this.isAway === isAway) return;
    this.isAway = isAway;
    this.changed();
  }

  /** @param {any} data */
  receive(data) {
    const list = Array.isArray(data) ? data : [data];
    for (const marble of list) {
      if (!marble) continue;
      const id = String(marble.track);
      const lane = this.lanes.get(id) ?? this.addLane({ id, kind: "output", title: id });
      if (marble.value !== undefined) lane.field ||= labelFieldOf([marble.value]);
      const label = ballLabel(marble, lane.field);
      const width = Math.max(2 * ballRadius, label.length * 7.2 + 16);
      const now = performance.now();
      // Balls do not overlap in a tube: of several at once, each waits for the one before.
      const before = lane.balls[lane.balls.length - 1];
      const free = before ? before.seen + (before.width / 2 + width / 2 + 2) / rollSpeed : 0;
      const seen = Math.min(Math.max(now, free), now + mostLag);
      /** @type {Ball} */
      const ball = { ...marble, at: marble.at ?? 0, seen, label, width };
      lane.balls.push(ball);
      if (lane.balls.length > ballLimit) lane.balls.splice(0, lane.balls.length - ballLimit);
      if (!ball.finished && ball.failure === undefined) lane.count += 1;
      else lane.isOver = true;
      lane.last = ball;
      this.log.push({ lane, ball });
      if (this.log.length > logLimit) this.log.splice(0, this.log.length - logLimit);
    }
    this.dispatchEvent(new Event("ball"));
  }

  // MARK: Feeding

  /**
   * @param {string} input
   * @param {{value: any} | {finished: true} | {failure: any}} event
   */
  async send(input, event) {
    await this.api.post(`/api/live/${encodeURIComponent(this.id)}/send`, { input, ...event });
  }

  // MARK: Swap

  /** Whether the text is not the one that runs. */
  get isBehind() {
    return !this.isAttached && this.end === null && this.store.state.path === this.path
      && this.store.state.text !== this.text;
  }

  followText() {
    const { analysis, text, analyzedText } = this.store.state;
    const isValid = analysis?.diagnostics.every((diagnostic) => diagnostic.severity !== "error") ?? false;
    if (this.swapsAutomatically && this.isBehind && isValid && text === analyzedText) void this.swap();
    this.changed();
  }

  /** Replaces the running stream by the text; what did not change keeps its state. */
  async swap() {
    if (this.isSwapping) return;
    const { path, text } = this.store.state;
    this.isSwapping = true;
    try {
      const { report } = await this.api.post(`/api/live/${encodeURIComponent(this.id)}/swap`, { path, text });
      this.text = text;
      this.swapError = null;
      this.swapped(report);
    } catch (error) {
      this.swapError = /** @type {Error} */ (error).message;
    } finally {
      this.isSwapping = false;
      this.changed();
    }
    if (this.swapError === null && this.isBehind) this.followText();
  }

  /** @param {SwapReport | undefined} report */
  swapped(report) {
    if (!report) return;
    if (report.tracks) this.setTracks(report.tracks);
    this.report = report;
    this.changed();
  }

  /** @param {LiveTrack[]} tracks */
  setTracks(tracks) {
    // Ids are places in a list; an operator is the same where its place in the file is.
    const before = [...this.lanes.values()];
    this.lanes = new Map();
    for (const track of tracks) {
      const old = before.find((other) => other.track.pointer === track.pointer && other.track.title === track.title);
      if (old) this.lanes.set(String(track.id), Object.assign(old, { track, isOver: false }));
      else this.addLane(track);
    }
  }

  // MARK: End

  /** @param {string} reason */
  ended(reason) {
    if (this.end !== null) return;
    this.end = reason;
    this.source.close();
    this.stopFollowing();
    window.removeEventListener("pagehide", this.leave);
    this.changed();
  }

  /** @param {boolean} [isLeaving] Whether the page goes away, so that no answer can be awaited. */
  async cancel(isLeaving = false) {
    if (this.end !== null) return;
    const path = `/api/live/${encodeURIComponent(this.id)}`;
    this.ended("Stopped.");
    if (isLeaving) this.api.leave(path);
    else await this.api.delete(path).catch(() => {});
  }
}

/**
 * @param {any} end
 * @returns {string}
 */
function endText(end) {
  if (end?.reason === "failed") return `The stream failed: ${end.failure?.message ?? end.failure?.code ?? ""}`;
  if (end?.reason === "finished" || !end?.reason) return "The stream has finished.";
  return `${end.reason[0].toUpperCase()}${end.reason.slice(1)}.`;
}

/**
 * The text on a ball.
 *
 * @param {{value?: any, finished?: boolean, failure?: any}} ball
 * @param {string | null} field
 */
function ballLabel(ball, field) {
  if (ball.finished) return "";
  return ball.failure !== undefined ? "✕" : labelOf(ball.value, field, labelLength);
}
