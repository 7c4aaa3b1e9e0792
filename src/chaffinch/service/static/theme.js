// Light or dark: as the system has it, until one is chosen.

const KEPT_AS = "chaffinch.theme";
const ORDER = ["", "light", "dark"];

/** Return the chosen theme; "" for that of the system. */
export function theme() {
  return localStorage.getItem(KEPT_AS) ?? "";
}

/** Choose the theme that follows, in the order of system, light, dark. */
export function nextTheme() {
  localStorage.setItem(KEPT_AS, ORDER[(ORDER.indexOf(theme()) + 1) % ORDER.length]);
  applyTheme();
}

/** Show the chosen theme. */
export function applyTheme() {
  document.documentElement.dataset.theme = theme();
}
