// One output of the page, in parts that mark where on the page they came from, and are marked by it.

import { fill, h } from "../dom.js";
import { t } from "../i18n.js";
import { RENDERERS } from "../outputs/renderers.js";

/** `<output-view>`: call `start` with the model and the output's name once. */
export class OutputView extends HTMLElement {
  #model = null;
  #name = "";
  #parts = []; // [rows, element], in order
  #stop = new AbortController();

  start(model, name) {
    this.#model = model;
    this.#name = name;
    const { signal } = this.#stop;
    model.addEventListener("decision", () => this.#load(), { signal });
    model.addEventListener("mark", ({ detail }) => this.#marked(detail), { signal });
    this.addEventListener("mouseover", (event) => this.#point(event.target));
    this.addEventListener("focusin", (event) => this.#point(event.target));
    this.addEventListener("mouseleave", () => model.show(null, this));
    this.#load();
  }

  disconnectedCallback() {
    this.#stop.abort();
  }

  /** Mark the part that is a number of parts further on. */
  step(by) {
    const elements = this.#parts.map(([, element]) => element);
    const at = elements.indexOf(this.querySelector(".part.marked"));
    const next = elements[Math.max(0, Math.min(elements.length - 1, at < 0 ? 0 : at + by))];
    next?.focus({ preventScroll: true });
    next?.scrollIntoView({ block: "nearest" });
    if (next) this.#point(next);
  }

  async #load() {
    fill(this, h("p", { class: "state", role: "status" }, t("general.working")));
    try {
      const { parts, in_rows: isInRows } = await this.#model.view("output", { output: this.#name });
      this.#parts = [];
      const note = isInRows ? null : h("p", { class: "note" }, t("output.data", { source: this.#model.decision.source }));
      const part = (rows, element) => this.#part(isInRows ? rows : null, element);
      const made = parts.length ? RENDERERS[this.#name](parts, part) : h("p", { class: "state soft" }, t("output.none"));
      fill(this, note, made);
    } catch (error) {
      fill(this, h("p", { class: "wrong", role: "alert" }, t("general.failed", { detail: error.message })));
    }
  }

  /** Make an element a part that came from rows of the page. */
  #part(rows, element) {
    element.classList.add("part");
    if (rows === null || rows === undefined) return element;
    element.tabIndex = -1;
    element.dataset.part = String(this.#parts.length);
    this.#parts.push([rows, element]);
    return element;
  }

  #point(target) {
    const element = target.closest?.("[data-part]");
    const [rows] = element ? this.#parts[Number(element.dataset.part)] : [null];
    this.#model.show(rows, this);
    this.#markPart(element);
  }

  #marked({ rows, from, isRest }) {
    if (from === this || isRest) return;
    const row = rows[0]?.[0] ?? -1;
    const found = this.#parts.find(([[first, last]]) => first <= row && row < last);
    this.#markPart(found?.[1]);
    found?.[1].scrollIntoView({ block: "nearest" });
  }

  #markPart(element) {
    for (const one of this.querySelectorAll(".part.marked")) one.classList.remove("marked");
    element?.classList.add("marked");
  }
}

customElements.define("output-view", OutputView);
