// Small controls: one of several, on or off, keep or drop.

import { h } from "../dom.js";
import { t } from "../i18n.js";

/**
 * Return a row of buttons of which one is pressed.
 * @param {string} name what is chosen, for people who can't see it.
 * @param {Array<[string, string]>} options values and their texts.
 * @param {string} value the one that is pressed.
 * @param {(value: string) => void} whenChosen
 */
export function oneOf(name, options, value, whenChosen) {
  const buttons = options.map(([own, text]) =>
    h("button", { type: "button", "aria-pressed": String(own === value), "data-value": own,
      onclick: () => choose(own) }, text),
  );
  const group = h("div", { class: "one-of", role: "group", "aria-label": name }, buttons);

  function choose(chosen) {
    group.value = chosen;
    for (const one of buttons) one.setAttribute("aria-pressed", String(one.dataset.value === chosen));
    whenChosen(chosen);
  }

  group.value = value;
  group.choose = choose;
  return group;
}

/** Return a button that is pressed or not; `toggle()` presses it. */
export function onOff(text, value, whenChosen) {
  const button = h("button", { type: "button", class: "on-off", "aria-pressed": String(value),
    onclick: () => button.toggle() }, text);
  button.toggle = () => {
    const isOn = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(isOn));
    whenChosen(isOn);
  };
  return button;
}

/** Return a list of which one is chosen, under its name. */
export function pick(name, options, value, whenChosen) {
  return h("label", { class: "pick" }, h("span", {}, name), h("select", {
    onchange: (event) => whenChosen(event.target.value),
  }, options.map(([own, text]) => h("option", { value: own, selected: own === value }, text))));
}

/** Return a list for a part that a policy keeps, drops, or leaves to its default. */
export function keepOrDrop(part, value, whenChosen) {
  const options = [["", t("policy.default")], ["keep", t("policy.keep")], ["drop", t("policy.drop")]];
  const now = value === undefined ? "" : value ? "keep" : "drop";
  return pick(t(`policy.${part}`), options, now, (chosen) => {
    whenChosen(chosen === "" ? undefined : chosen === "keep");
  });
}
