// The page's place: `#/VIEW/PATH`, or `#s=…` for a link that holds a whole stream.

/**
 * @typedef {{kind: "view", view: string, path: string | null}} ViewRoute
 * @typedef {{kind: "shared", data: string}} SharedRoute
 * @typedef {ViewRoute | SharedRoute | {kind: "home"}} Route
 */

/**
 * @param {string} hash With its `#`, or empty.
 * @returns {Route}
 */
export function parseRoute(hash) {
  const text = hash.replace(/^#/, "");
  if (text.startsWith("s=")) return { kind: "shared", data: text.slice(2) };
  const match = /^\/([a-z]+)(?:\/(.*))?$/.exec(text);
  if (!match) return { kind: "home" };
  return { kind: "view", view: match[1], path: match[2] ? decoded(match[2]) : null };
}

/**
 * @param {string} view
 * @param {string | null} path
 * @returns {string}
 */
export function routeText(view, path) {
  return `#/${view}${path ? `/${path.split("/").map(encodeURIComponent).join("/")}` : ""}`;
}

/** @param {string} path */
function decoded(path) {
  return path.split("/").map((part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  }).join("/");
}

/** Follows the address, and changes it. */
export class Router extends EventTarget {
  constructor() {
    super();
    /** @type {Route} */
    this.route = parseRoute(location.hash);
    window.addEventListener("hashchange", () => {
      this.route = parseRoute(location.hash);
      this.dispatchEvent(new Event("change"));
    });
  }

  /**
   * @param {string} view
   * @param {string | null} path
   * @param {{replace?: boolean}} [options] With `replace`, the place before it is not in the browser's history.
   */
  go(view, path, options = {}) {
    const hash = routeText(view, path);
    if (location.hash === hash) return;
    if (options.replace) {
      history.replaceState(null, "", hash);
      this.route = parseRoute(hash);
      this.dispatchEvent(new Event("change"));
    } else {
      location.hash = hash;
    }
  }
}
