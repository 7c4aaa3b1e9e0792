// What published methods would keep, as layers that are switched on and off beside the decision; and the
// other pages of the site that some of them need.

import { fill, h } from "../dom.js";
import { number, t } from "../i18n.js";
import { pageFields } from "./page-fields.js";

/** The keys that switch layers: 1 for the first one, 0 for none. */
export const DIGITS = "12345670";

const NARROW = "(max-width: 48rem)";

/**
 * `<layer-choices>`: call `start` with the model and the names of the layers that are on; `isOpen` for
 * whether the choices are seen before one is. Event `layers`: others are on; `detail` has their names.
 */
export class LayerChoices extends HTMLElement {
  #model = null;
  #on = [];
  #buttons = h("div", { class: "layer-buttons", role: "group", "aria-label": t("layers.title") });
  #why = h("p", { class: "soft", id: "layers-why" });
  #state = h("p", { role: "status", class: "soft said" });
  #form = h("div", { class: "siblings-form" });
  #summary = h("summary", {});

  /** @param {import("../page-model.js").PageModel} model */
  start(model, names = [], { isOpen = !matchMedia(NARROW).matches } = {}) {
    this.#model = model;
    this.#on = names.filter((one) => model.layerNames.includes(one));
    fill(this, h("details", { class: "layers-part", open: isOpen || this.#on.length > 0 }, this.#summary,
      h("div", { class: "layers-body" }, this.#buttons,
        h("details", { class: "siblings-part" }, h("summary", {}, t("siblings.title")), this.#why, this.#form), this.#state)));
    fill(this.#form, this.#fields());
    this.#draw();
    if (this.#on.length) this.#lay();
  }

  /** Switch the layer of a number, from 1 on, on or off; 0 switches all off. */
  toggle(at) {
    if (at === 0) this.#choose([]);
    else if (at <= this.#model.layerNames.length) this.#press(this.#model.layerNames[at - 1]);
  }

  #press(name) {
    if (!this.#model.canLay(name)) {
      this.#state.textContent = `${name}: ${t("layers.needs")}`;
      this.querySelector(".layers-part").open = true;
      this.querySelector(".siblings-part").open = true;
      return;
    }
    const isOn = this.#on.includes(name);
    this.#choose(isOn ? this.#on.filter((one) => one !== name) : [...this.#on, name]);
  }

  #choose(names) {
    this.#on = names;
    this.#state.textContent = "";
    this.#draw();
    this.dispatchEvent(new CustomEvent("layers", { detail: names }));
    return this.#lay();
  }

  async #lay() {
    const failed = await this.#model.layBeside(this.#on);
    if (!failed.length) return;
    this.#on = this.#on.filter((one) => !failed.some(([name]) => name === one));
    this.#state.textContent = failed.map(([name, text]) => `${name}: ${text}`).join(" · ");
    this.#draw();
  }

  #draw() {
    const model = this.#model;
    const focused = document.activeElement?.dataset?.layer;
    this.#summary.textContent = t("layers.summary", { count: number(this.#on.length) });
    fill(this.#buttons, model.layerNames.map((name, at) => this.#button(name, at + 1)));
    if (focused) this.#buttons.querySelector(`[data-layer="${focused}"]`)?.focus();
    const { count, from } = model.siblings;
    this.#why.textContent = count ? t(`siblings.from.${from}`, { count: number(count) }) : t("siblings.none");
  }

  #button(name, at) {
    const isOn = this.#on.includes(name), can = this.#model.canLay(name);
    return h("button", {
      type: "button", "data-layer": name, "aria-pressed": String(isOn), title: can ? null : t("layers.needs"),
      "aria-disabled": can ? null : "true", "aria-describedby": can ? null : "layers-why", onclick: () => this.#press(name),
    }, h("span", { class: `mark layer${at} kept`, "aria-hidden": "true" }, at), name);
  }

  #fields() {
    const [fields, given] = pageFields("siblings");
    return [
      fields,
      h("div", { class: "row" },
        h("button", { type: "button", onclick: async () => this.#name({ pages: await given() }) }, t("siblings.use")),
        /^https?:/.test(this.#model.url ?? "")
          ? h("button", { type: "button", onclick: () => this.#name({ find: true }) }, t("siblings.find")) : null),
    ];
  }

  async #name(asked) {
    this.#state.textContent = t(asked.find ? "siblings.finding" : "general.working");
    try {
      const { failed } = await this.#model.nameSiblings(asked);
      this.#state.textContent = failed.map((one) => `${one.url ?? ""} ${one.detail}`).join(" · ");
    } catch (error) {
      this.#state.textContent = t("general.failed", { detail: error.message });
    }
    this.#draw();
    const { count } = this.#model.siblings;
    if (!this.#state.textContent) this.#state.textContent = t(count ? "siblings.now" : "siblings.none", { count: number(count) });
    if (this.#on.length) this.#lay();
  }
}

/** Return the items of a legend for the layers that are on. */
export function layerLegend(model) {
  return model.layers.map(({ number: at, method }) =>
    h("li", {}, h("span", { class: `mark layer${at} kept`, "aria-hidden": "true" }, at), method));
}

customElements.define("layer-choices", LayerChoices);
