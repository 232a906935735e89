// Places a popup at a place of the text: below it, or above where there is no room.

/**
 * @param {HTMLElement} popup It has a fixed position.
 * @param {{x: number, top: number, bottom: number}} place
 */
export function placePopup(popup, place) {
  const { width, height } = popup.getBoundingClientRect();
  const gap = 4;
  const x = Math.max(8, Math.min(place.x, window.innerWidth - width - 8));
  const isBelow = place.bottom + gap + height <= window.innerHeight - 8 || place.top - gap - height < 8;
  const y = isBelow ? Math.min(place.bottom + gap, window.innerHeight - height - 8) : place.top - gap - height;
  popup.style.setProperty("left", `${x}px`);
  popup.style.setProperty("top", `${Math.max(8, y)}px`);
}
