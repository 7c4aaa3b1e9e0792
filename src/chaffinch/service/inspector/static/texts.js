// Texts of the inspector by key (`texts.json`): in Chinese where that is the browser's language, else in English.

const TEXTS = await (await fetch("/static/texts.json")).json();

const isChinese = navigator.language.startsWith("zh");
document.documentElement.lang = isChinese ? "zh-Hans" : "en";

/** Return a text in the browser's language, with values in place of {names}; numbers as people write them. */
export function t(key, values = {}) {
  const text = TEXTS[key]?.[isChinese ? 1 : 0] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => {
    const value = values[name] ?? whole;
    return typeof value === "number" ? value.toLocaleString(navigator.language) : String(value);
  });
}
