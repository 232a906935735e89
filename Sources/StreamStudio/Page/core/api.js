// Requests to the server. All answers about a stream come from there.

/**
 * A request that failed. `status` is 0 when the server could not be reached.
 */
export class ApiError extends Error {
  /**
   * @param {number} status
   * @param {string} title
   * @param {string} detail
   * @param {any} body
   */
  constructor(status, title, detail, body) {
    super(detail ? `${title}: ${detail}` : title);
    this.name = "ApiError";
    this.status = status;
    this.title = title;
    this.detail = detail;
    this.body = body;
  }

  /** Whether the server could not be reached. */
  get isAway() {
    return this.status === 0;
  }
}

/**
 * Whether an error says that a newer request has replaced the one that it ended.
 *
 * @param {unknown} error
 * @returns {boolean}
 */
export function isAbort(error) {
  return error instanceof DOMException && error.name === "AbortError";
}

/** @typedef {{signal?: AbortSignal}} RequestOptions */
/** @typedef {Record<string, string | number | boolean | null | undefined>} Query */

/** Client of the server's API. It dispatches `on` and `off` as the server is reached or not. */
export class Api extends EventTarget {
  /**
   * @param {(answer: any, before: any) => import("./types.js").Run} readRun
   * @param {string} [key] The key of the folder.
   */
  constructor(readRun, key = "") {
    super();
    this.readRun = readRun;
    this.key = key;
    /** @type {Map<string, AbortController>} */
    this.controllers = new Map();
  }

  /**
   * @param {string} path
   * @param {Query} [query]
   * @param {RequestOptions} [options]
   * @returns {Promise<any>}
   */
  get(path, query, options) {
    return this.request("GET", path, query, undefined, options);
  }

  /**
   * @param {string} path
   * @param {unknown} body
   * @param {RequestOptions} [options]
   * @returns {Promise<any>}
   */
  post(path, body, options) {
    return this.request("POST", path, undefined, body, options);
  }

  /**
   * What a draft publishes in virtual time.
   *
   * @param {object} request
   * @param {import("./types.js").Run | null} [before] The events that stay as they are in this run are the same objects.
   * @returns {Promise<import("./types.js").Run>}
   */
  async run(request, before = null) {
    return this.readRun(await this.post("/api/run", request), before);
  }

  /**
   * @param {string} path
   * @param {Query} query
   * @param {unknown} body
   * @param {RequestOptions} [options]
   * @returns {Promise<any>}
   */
  put(path, query, body, options) {
    return this.request("PUT", path, query, body, options);
  }

  /**
   * @param {string} path
   * @param {Query} [query]
   * @param {RequestOptions} [options]
   * @returns {Promise<any>}
   */
  delete(path, query, options) {
    return this.request("DELETE", path, query, undefined, options);
  }

  /** The header that lets requests in. */
  get access() {
    return { Authorization: `Bearer ${this.key}` };
  }

  /**
   * Deletes something while the page goes away, so that no answer can be awaited.
   *
   * @param {string} path
   */
  leave(path) {
    void fetch(path, { method: "DELETE", keepalive: true, headers: this.access, credentials: "omit" });
  }

  /**
   * Aborts the request that was made with the same key before, and returns the signal for the next one.
   *
   * @param {string} key
   * @returns {AbortSignal}
   */
  latest(key) {
    this.controllers.get(key)?.abort();
    const controller = new AbortController();
    this.controllers.set(key, controller);
    return controller.signal;
  }

  /**
   * Follows the server's events. The browser reconnects by itself; where it gives up, this does so after a second, and
   * after longer pauses while the server refuses.
   *
   * @param {string} path
   * @param {Record<string, (data: any) => void>} handlers By event; `open` and `error` are those of the connection.
   *   The data of an error says whether the server has refused, rather than being away.
   * @param {{rests?: boolean}} [options] `rests`: there is no connection while the page is hidden. A browser has few
   *   connections to a host, and hidden tabs, and pages that one has left by a link, would keep them from the others.
   * @returns {{close(): void, restart(): void}} `restart` connects again.
   */
  events(path, handlers, options = {}) {
    /** @type {EventSource | null} */
    let source = null;
    let timer = 0;
    let pause = 1000;
    let isResting = false;
    const connect = () => {
      if (isResting) return;
      source = new EventSource(path + queryText({ key: this.key }));
      source.onopen = () => {
        pause = 1000;
        handlers.open?.(null);
      };
      source.onerror = () => {
        const isRefused = source?.readyState === EventSource.CLOSED;
        handlers.error?.(isRefused);
        if (isRefused) restart();
      };
      for (const [name, handler] of Object.entries(handlers)) {
        if (name === "open" || name === "error") continue;
        source.addEventListener(name, (event) => handler(parsed(/** @type {MessageEvent} */ (event).data)));
      }
    };
    const disconnect = () => {
      clearTimeout(timer);
      source?.close();
    };
    const restart = () => {
      disconnect();
      timer = window.setTimeout(connect, pause);
      pause = Math.min(pause * 2, 16_000);
    };
    const look = (/** @type {Event} */ event) => {
      const mustRest = event.type === "pagehide" || document.hidden;
      if (mustRest === isResting) return;
      isResting = mustRest;
      disconnect();
      connect();
    };
    /** @type {[EventTarget, string][]} */
    const signs = options.rests
      ? [[document, "visibilitychange"], [window, "pagehide"], [window, "pageshow"]] : [];
    for (const [target, type] of signs) target.addEventListener(type, look);
    isResting = signs.length > 0 && document.hidden;
    connect();
    const close = () => {
      for (const [target, type] of signs) target.removeEventListener(type, look);
      disconnect();
    };
    return { close, restart };
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {Query | undefined} query
   * @param {unknown} body
   * @param {RequestOptions} [options]
   */
  async request(method, path, query, body, options = {}) {
    let response;
    let text;
    try {
      response = await fetch(path + queryText(query), {
        method,
        headers: { ...this.access, ...(body === undefined ? {} : { "Content-Type": "application/json" }) },
        body: body === undefined ? undefined : JSON.stringify(body),
        signal: options.signal,
        credentials: "omit",
      });
      text = await response.text();
    } catch (error) {
      if (isAbort(error)) throw error;
      this.dispatchEvent(new Event("off"));
      throw new ApiError(0, "The server is away", "Start it again to continue.", null);
    }
    this.dispatchEvent(new Event("on"));
    const answer = parsed(text);
    if (response.ok) return answer;
    throw new ApiError(
      response.status, answer?.title ?? `The server answered ${response.status}`, answer?.detail ?? "", answer);
  }
}

/** @param {Query} [query] */
function queryText(query) {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== null && value !== undefined) parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return text ? `?${text}` : "";
}

/** @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Wraps an asynchronous function so that one call runs at a time; of the calls made meanwhile, only the newest runs
 * next. Unlike aborting, this gives an answer while calls never pause, as when one drags.
 *
 * @param {() => Promise<void>} run
 * @returns {() => void}
 */
export function singleFlight(run) {
  let isRunning = false;
  let isWanted = false;
  const start = async () => {
    if (isRunning) {
      isWanted = true;
      return;
    }
    isRunning = true;
    try {
      do {
        isWanted = false;
        await run();
      } while (isWanted);
    } finally {
      isRunning = false;
    }
  };
  return () => void start();
}
