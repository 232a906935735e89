// Changes from cards and forms, one after the other: each is made to the text that the one before has left, and of the
// changes to one field that wait, only the newest is made.

import { ApiError } from "../../core/api.js";
import { toast } from "../../core/dom.js";

/**
 * @typedef {import("./edits.js").Edit} Edit
 * @typedef {{key: string | null, edits: Edit[], label: string, group?: string, run?: () => Promise<boolean>,
 *   done: (isMade: boolean) => void}} Job `run` is a change that is made otherwise than by edits.
 */

/** How often edits are made again to a text that changed while the server answered. */
const TRIES = 3;

/** The queue of changes of the view. */
export class Commits {
  /** @param {import("../../core/store.js").Store} store */
  constructor(store) {
    this.store = store;
    /** @type {Job[]} */
    this.jobs = [];
    /** @type {Job | null} */
    this.current = null;
  }

  /**
   * Writes a field, or removes it.
   *
   * @param {string} pointer
   * @param {{value: any} | null} written
   * @param {string} label
   * @returns {Promise<boolean>}
   */
  write(pointer, written, label) {
    /** @type {Edit} */
    const edit = written ? { set: { pointer, value: written.value } } : { remove: { pointer } };
    const waiting = this.jobs.findIndex((job) => job.key === pointer);
    if (waiting >= 0) this.jobs.splice(waiting, 1)[0].done(false);
    return this.add({ key: pointer, edits: [edit], label, group: `field ${pointer}` });
  }

  /**
   * Makes a change of the structure.
   *
   * @param {Edit[]} edits
   * @param {string} label
   * @returns {Promise<boolean>} whether it was made
   */
  make(edits, label) {
    return this.add({ key: null, edits, label });
  }

  /**
   * Makes a change of names in its turn, after which fields of the renamed member that wait are written to the new one.
   *
   * @param {string} from Pointer of the member.
   * @param {string} to
   * @param {() => Promise<boolean>} run
   * @returns {Promise<boolean>}
   */
  rename(from, to, run) {
    return this.add({
      key: null, edits: [], label: "", run: async () => {
        if (!await run()) return false;
        const moved = (/** @type {string} */ pointer) => (
          pointer.startsWith(`${from}/`) ? to + pointer.slice(from.length) : pointer);
        for (const job of this.jobs) {
          if (job.key === null) continue;
          job.key = moved(job.key);
          for (const edit of /** @type {Record<string, any>[]} */ (job.edits)) {
            for (const part of Object.values(edit)) part.pointer = moved(part.pointer);
          }
        }
        return true;
      },
    });
  }

  /**
   * Whether a field has a change that has not reached the text yet.
   *
   * @param {string} pointer
   * @returns {boolean}
   */
  isPending(pointer) {
    return this.current?.key === pointer || this.jobs.some((job) => job.key === pointer);
  }

  /**
   * @param {Omit<Job, "done">} job
   * @returns {Promise<boolean>}
   */
  add(job) {
    const made = /** @type {Promise<boolean>} */ (new Promise((done) => {
      this.jobs.push({ ...job, done });
    }));
    if (!this.current) void this.run();
    return this.store.coming(made);
  }

  async run() {
    for (let job = this.jobs.shift(); job; job = this.jobs.shift()) {
      this.current = job;
      let isMade = false;
      try {
        isMade = job.run ? await job.run() : await this.change(job);
      } catch (error) {
        const { title, detail } = /** @type {import("../../core/api.js").ApiError} */ (error);
        toast(detail || title || String(error), { kind: "error" });
      }
      this.current = null;
      job.done(isMade);
    }
  }

  /**
   * @param {Job} job
   * @returns {Promise<boolean>}
   */
  async change({ edits, label, group }) {
    for (let tries = 0; tries < TRIES;) {
      try {
        if (await this.store.change(edits, label, { group })) return true;
        tries += 1;
      } catch (error) {
        if (!(error instanceof ApiError && error.isAway)) throw error;
        await this.connected();
      }
    }
    return false;
  }

  /** Waits for the server: what one types while it is away is made once it is back. */
  connected() {
    return /** @type {Promise<void>} */ (new Promise((done) => {
      const end = this.store.subscribe(["connection"], ({ connection }) => {
        if (connection !== "on") return;
        end();
        done();
      });
    }));
  }
}
