// The key of the folder, which the studio's link brings.

const KEY = "studio.key";

/**
 * Takes the key out of the address, and keeps it for further tabs. The storage belongs to this server alone, where a
 * cookie would be sent to every server of this machine.
 *
 * @returns {string} Empty if the link has not been opened.
 */
export function folderKey() {
  const key = /^#key=([0-9a-f]+)$/.exec(location.hash)?.[1];
  try {
    if (key) localStorage.setItem(KEY, key);
  } catch {
    // Only this tab has the key then.
  }
  if (key) history.replaceState(null, "", "/");
  try {
    return key ?? localStorage.getItem(KEY) ?? "";
  } catch {
    return key ?? "";
  }
}
