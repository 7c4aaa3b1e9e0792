// Texts in English and Chinese: all stand in `texts/`, by key, each with both languages.

import { GENERAL } from "./texts/general.js";
import { PAGE } from "./texts/page.js";
import { SITE } from "./texts/site.js";

const TEXTS = { ...GENERAL, ...PAGE, ...SITE };
const KEPT_AS = "chaffinch.language";

export const LANGUAGES = { en: "English", zh: "中文" };

let chosen = localStorage.getItem(KEPT_AS) ?? (navigator.language.startsWith("zh") ? "zh" : "en");

/** Return the chosen language: `en` or `zh`. */
export function language() {
  return chosen;
}

/** Choose a language; views are made anew by whoever calls this. */
export function setLanguage(name) {
  chosen = Object.hasOwn(LANGUAGES, name) ? name : "en";
  localStorage.setItem(KEPT_AS, chosen);
  document.documentElement.lang = chosen === "zh" ? "zh-Hans" : "en";
}

/**
 * Return a text in the chosen language.
 * @param {string} key
 * @param {Object<string, string|number>} [values] stand in place of {names} in the text.
 */
export function t(key, values = {}) {
  const text = TEXTS[key]?.[chosen] ?? TEXTS[key]?.en ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}

/** Return a number as people write it. */
export function number(value, digits = 0) {
  return value.toLocaleString(chosen, { maximumFractionDigits: digits });
}
