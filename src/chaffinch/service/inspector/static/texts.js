// Texts of the inspector in English and Chinese, by key (`texts.json`).

const TEXTS = await (await fetch("/static/texts.json")).json();

export const LANGUAGES = { en: "English", zh: "中文" };

const KEPT_AS = "chaffinch.language";
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

/** Return a text in the chosen language, with values in place of {names}; numbers as people write them. */
export function t(key, values = {}) {
  const text = TEXTS[key]?.[chosen === "zh" ? 1 : 0] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => {
    const value = values[name] ?? whole;
    return typeof value === "number" ? value.toLocaleString(chosen) : String(value);
  });
}
