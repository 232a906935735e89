// Light, dark, or as the system prefers.

/** @typedef {"light" | "dark" | "system"} Theme */

const KEY = "studio.theme";
/** @type {Theme[]} */
const THEMES = ["system", "light", "dark"];

/** @returns {Theme} */
export function keptTheme() {
  try {
    const theme = /** @type {Theme} */ (localStorage.getItem(KEY));
    return THEMES.includes(theme) ? theme : "system";
  } catch {
    return "system";
  }
}

/**
 * @param {Theme} theme
 * @returns {Theme}
 */
export function nextTheme(theme) {
  return THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
}

/** @param {Theme} theme */
export function applyTheme(theme) {
  const sheet = /** @type {HTMLLinkElement | null} */ (document.getElementById("dark-theme"));
  if (sheet) sheet.media = { system: "(prefers-color-scheme: dark)", dark: "all", light: "not all" }[theme];
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // The theme is then only that of this page.
  }
}
