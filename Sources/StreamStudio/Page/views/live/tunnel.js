// The tunnel: a tube for each track, through which values roll as balls, the newest on the right.

import { colorOf } from "../../core/values.js";
import { ballRadius, rollSpeed } from "./session.js";

/**
 * @typedef {import("./session.js").Lane} Lane
 * @typedef {import("./session.js").Ball} Ball
 */

/** Height of the row of a track, which the style sheet has, too. */
export const laneHeight = 56;
const tubeHeight = 40;
const fall = 220;
/** More balls than this in sight are drawn as dots. */
const labelLimit = 60;
const dotRadius = 5;
const dotDistance = 4;

/** A canvas on which the balls of some lanes move. */
export class Tunnel {
  canvas = document.createElement("canvas");
  /** @type {Lane[]} */
  lanes = [];
  frame = 0;
  width = 0;
  isPaused = false;
  pausedAt = 0;
  /** Frames in the last second, and when that second began. */
  frames = 0;
  since = 0;
  rate = 0;
  /** @type {Record<string, string>} */
  colors = {};

  /** @param {(rate: number) => void} onRate Called once a second while balls move. */
  constructor(onRate) {
    this.onRate = onRate;
    this.canvas.className = "live-canvas";
    this.canvas.setAttribute("aria-hidden", "true");
    this.resizing = new ResizeObserver(() => this.resize());
    this.resizing.observe(this.canvas);
    this.theming = new MutationObserver(() => this.readColors());
    this.theming.observe(document.documentElement, { attributes: true });
    this.scheme = matchMedia("(prefers-color-scheme: dark)");
    this.schemeChanged = () => this.readColors();
    this.scheme.addEventListener("change", this.schemeChanged);
  }

  destroy() {
    cancelAnimationFrame(this.frame);
    this.resizing.disconnect();
    this.theming.disconnect();
    this.scheme.removeEventListener("change", this.schemeChanged);
  }

  /** @param {Lane[]} lanes */
  setLanes(lanes) {
    this.lanes = lanes;
    this.canvas.style.setProperty("height", `${lanes.length * laneHeight}px`);
    this.resize();
    this.start();
  }

  readColors() {
    const style = getComputedStyle(document.documentElement);
    const names = [
      "--marble-number", "--marble-text", "--marble-true", "--marble-list", "--marble-object", "--marble-other",
      "--marble-failure", "--marble-label", "--bg-sunken", "--bg-raised", "--line", "--text", "--font",
    ];
    this.colors = Object.fromEntries(names.map((name) => [name, style.getPropertyValue(name).trim()]));
    this.start();
  }

  resize() {
    const ratio = Math.min(2, devicePixelRatio || 1);
    const { clientWidth, clientHeight } = this.canvas;
    if (clientWidth === 0) return;
    this.width = clientWidth;
    // A canvas that is written a size is cleared, also if it is the same.
    const [width, height] = [Math.round(clientWidth * ratio), Math.round(clientHeight * ratio)];
    if (this.canvas.width !== width) this.canvas.width = width;
    if (this.canvas.height !== height) this.canvas.height = height;
    if (Object.keys(this.colors).length === 0) this.readColors();
    this.start();
  }

  /** Draws until nothing moves any more. */
  start() {
    if (this.frame || !this.canvas.isConnected) return;
    this.since = performance.now();
    this.frames = 0;
    this.frame = requestAnimationFrame((now) => this.tick(now));
  }

  /** @param {boolean} isPaused */
  pause(isPaused) {
    this.isPaused = isPaused;
    this.pausedAt = performance.now();
    this.start();
  }

  /** @param {number} now */
  tick(now) {
    this.frame = 0;
    const isMoving = this.draw(this.isPaused ? this.pausedAt : now);
    this.frames += 1;
    if (now - this.since >= 1000) {
      this.rate = Math.round((this.frames * 1000) / (now - this.since));
      this.onRate(this.rate);
      this.frames = 0;
      this.since = now;
    }
    if (isMoving && !this.isPaused && this.canvas.isConnected) {
      this.frame = requestAnimationFrame((next) => this.tick(next));
    }
  }

  /** @param {Ball} ball @param {number} now */
  x(ball, now) {
    return this.width - ballRadius - (now - ball.seen) * rollSpeed;
  }

  /**
   * @param {number} now
   * @returns {boolean} Whether something moves.
   */
  draw(now) {
    const context = this.canvas.getContext("2d");
    if (!context || this.width === 0) return false;
    const ratio = this.canvas.width / this.width;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    // Only the lanes that are in sight of the window are drawn: there can be dozens, and a frame is short.
    const { top } = this.canvas.getBoundingClientRect();
    const firstLane = Math.max(0, Math.floor(-top / laneHeight));
    const lastLane = Math.min(this.lanes.length - 1, Math.floor((innerHeight - top) / laneHeight));
    context.clearRect(0, firstLane * laneHeight, this.width, (lastLane - firstLane + 1) * laneHeight);
    context.font = `12px ${this.colors["--font"] || "sans-serif"}`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    let isMoving = false;
    for (let index = 0; index < this.lanes.length; index += 1) {
      const { balls } = this.lanes[index];
      const first = firstInSight(balls, now - (this.width + 100) / rollSpeed);
      isMoving ||= first < balls.length;
      if (index < firstLane || index > lastLane) continue;
      const middle = index * laneHeight + laneHeight / 2;
      this.drawTube(context, middle);
      if (balls.length - first > labelLimit) this.drawDots(context, balls, first, now, middle);
      else for (let at = first; at < balls.length; at += 1) this.drawBall(context, balls[at], now, middle);
    }
    return isMoving;
  }

  /** @param {CanvasRenderingContext2D} context @param {number} middle */
  drawTube(context, middle) {
    const top = middle - tubeHeight / 2;
    context.fillStyle = this.colors["--bg-sunken"];
    context.strokeStyle = this.colors["--line"];
    context.lineWidth = 1;
    context.beginPath();
    roundedBox(context, 0.5, top + 0.5, this.width - 1, tubeHeight - 1, tubeHeight / 2);
    context.fill();
    context.stroke();
    context.fillStyle = this.colors["--bg-raised"];
    context.globalAlpha = 0.55;
    context.beginPath();
    roundedBox(context, 10, top + 5, this.width - 20, 5, 2.5);
    context.fill();
    context.globalAlpha = 1;
  }

  /**
   * Many balls, as dots; those of one color are one path, and one that would hide another is left out.
   *
   * @param {CanvasRenderingContext2D} context
   * @param {Ball[]} balls
   * @param {number} first
   * @param {number} now
   * @param {number} middle
   */
  drawDots(context, balls, first, now, middle) {
    let color = "";
    let before = Infinity;
    context.beginPath();
    for (let at = first; at < balls.length && balls[at].seen <= now; at += 1) {
      const ball = balls[at];
      const x = this.x(ball, now);
      const next = ball.failure !== undefined ? "--marble-failure" : ball.finished ? "--text" : colorOf(ball.value);
      if (next === color && Math.abs(x - before) < dotDistance) continue;
      if (next !== color) {
        context.fill();
        context.beginPath();
        color = next;
        context.fillStyle = this.colors[color];
      }
      before = x;
      context.moveTo(x + dotRadius, middle);
      context.arc(x, middle, dotRadius, 0, 2 * Math.PI);
    }
    context.fill();
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {Ball} ball
   * @param {number} now
   * @param {number} middle
   */
  drawBall(context, ball, now, middle) {
    const x = this.x(ball, now);
    if (x < -60 || ball.seen > now) return;
    const age = Math.min(1, (now - ball.seen) / fall);
    // It falls into the tube, ever faster.
    const y = middle - (1 - age * age) * (tubeHeight / 2);
    context.globalAlpha = Math.min(1, 0.3 + age, Math.max(0, (x + 30) / 60));
    if (ball.finished) {
      context.fillStyle = this.colors["--text"];
      context.fillRect(x - 1.5, middle - tubeHeight / 2 + 4, 3, tubeHeight - 8);
    } else {
      const isFailure = ball.failure !== undefined;
      context.fillStyle = this.colors[isFailure ? "--marble-failure" : colorOf(ball.value)] || "#777";
      context.beginPath();
      roundedBox(context, x - ball.width / 2, y - ballRadius, ball.width, ballRadius * 2, ballRadius);
      context.fill();
      context.fillStyle = this.colors["--marble-label"] || "#fff";
      context.fillText(ball.label, x, y + 0.5, ball.width - 8);
    }
    context.globalAlpha = 1;
  }

  /**
   * The ball at a place of the window.
   *
   * @param {number} clientX
   * @param {number} clientY
   * @returns {{lane: Lane, ball: Ball} | null}
   */
  hit(clientX, clientY) {
    const box = this.canvas.getBoundingClientRect();
    const lane = this.lanes[Math.floor((clientY - box.top) / laneHeight)];
    const now = this.isPaused ? this.pausedAt : performance.now();
    if (!lane) return null;
    let found = null;
    for (const ball of lane.balls) {
      if (Math.abs(this.x(ball, now) - (clientX - box.left)) < ball.width / 2 + 2) found = ball;
    }
    return found && { lane, ball: found };
  }
}

/** The first ball that entered after a time.
 * @param {Ball[]} balls
 * @param {number} time */
function firstInSight(balls, time) {
  let low = 0;
  let high = balls.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (balls[middle].seen < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} height
 * @param {number} corner
 */
function roundedBox(context, x, y, width, height, corner) {
  const round = Math.min(corner, width / 2, height / 2);
  context.moveTo(x + round, y);
  context.arcTo(x + width, y, x + width, y + height, round);
  context.arcTo(x + width, y + height, x, y + height, round);
  context.arcTo(x, y + height, x, y, round);
  context.arcTo(x, y, x + width, y, round);
  context.closePath();
}
