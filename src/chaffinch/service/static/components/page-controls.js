// What is decided by, and what the page is coloured by: each change repaints at once.

import { fill, h } from "../dom.js";
import { number, t } from "../i18n.js";
import { PAINTS } from "../page-model.js";
import { keepOrDrop, oneOf, onOff } from "./choices.js";

const FAVORS = ["precision", "balanced", "recall"];
const PARTS = ["headline", "byline", "captions", "comments", "tables", "cards", "related", "notes"];

/**
 * `<page-controls>`: call `start` with the model, the frame and the state of the view's address. Event
 * `state`: the state changed.
 */
export class PageControls extends HTMLElement {
  #model = null;
  #frame = null;
  #state = null;
  #report = h("p", { class: "report soft", role: "status" });
  #paints = null;
  #favors = null;
  #hidden = null;
  #took = null; // milliseconds of the last decision

  start(model, frame, state) {
    this.#model = model;
    this.#frame = frame;
    this.#state = state;
    this.#paints = oneOf(t("control.paint"), PAINTS.map((one) => [one, t(`paint.${one}`)]), state.paint,
      (paint) => {
        this.#change({ paint });
        model.paintBy(paint);
      });
    this.#favors = oneOf(t("control.favor"), FAVORS.map((one) => [one, t(`favor.${one}`)]),
      state.favor || "balanced", (favor) => this.#decide({ favor: favor === "balanced" ? "" : favor }));
    this.#hidden = onOff(t("control.hidden"), state.hidden, (shown) => this.#reveal(shown));
    fill(this, this.#mainRow(), this.#moreRow());
    model.addEventListener("decision", () => this.#tell());
    frame.addEventListener("built", () => this.#restore(), { once: true });
  }

  /** Choose the favour that follows. */
  nextFavor() {
    this.#favors.choose(FAVORS[(FAVORS.indexOf(this.#favors.value) + 1) % FAVORS.length]);
  }

  /** Choose the colours that follow. */
  nextPaint() {
    this.#paints.choose(PAINTS[(PAINTS.indexOf(this.#paints.value) + 1) % PAINTS.length]);
  }

  /** Show or hide what a reader doesn't see. */
  toggleHidden() {
    this.#hidden.toggle();
  }

  #mainRow() {
    const named = (name, control) => h("div", { class: "control" }, h("span", { class: "name", "aria-hidden": "true" }, t(name)), control);
    return h("div", { class: "controls" },
      named("control.paint", this.#paints), named("control.favor", this.#favors), this.#report);
  }

  #moreRow() {
    const policies = PARTS.map((part) => keepOrDrop(part, this.#state.policy[part], (value) =>
      this.#decide({ policy: { ...this.#state.policy, [part]: value } })));
    return h("details", { class: "more", open: this.#state.isMoreOpen },
      h("summary", {}, t("control.more")),
      h("div", { class: "controls" }, this.#hidden,
        onOff(t("control.images"), this.#state.images, (on) => this.#change({ images: on }, true)),
        onOff(t("control.styles"), this.#state.styles, (on) => {
          this.#frame.send({ kind: "style", on });
          this.#change({ styles: on });
        })),
      h("fieldset", { class: "policies" }, h("legend", {}, t("control.policy")), policies));
  }

  #reveal(shown) {
    this.#frame.send({ kind: "reveal", shown });
    this.#change({ hidden: shown });
  }

  async #decide(change) {
    this.#change(change);
    const begun = performance.now();
    await this.#safely(() => this.#model.decide(this.#state.options));
    this.#took = performance.now() - begun;
    this.#tell();
  }

  async #safely(work) {
    try {
      await work();
    } catch (error) {
      this.#report.textContent = t("general.failed", { detail: error.message });
      throw error;
    }
  }

  #tell() {
    const { count, decision } = this.#model;
    const changed = [...Array(count).keys()].filter((one) => this.#model.isChanged(one)).length;
    const words = [t("page.summary", {
      kept: number(this.#model.kept), count: number(count), length: number(decision.length),
    })];
    if (changed) words.push(t("page.summary.changed", { count: number(changed) }));
    if (this.#took !== null) words.push(t("page.summary.took", { milliseconds: number(this.#took) }));
    this.#report.textContent = words.join(" · ");
  }

  #change(change, needsReload = false) {
    Object.assign(this.#state, change);
    this.dispatchEvent(new CustomEvent("state", { detail: { needsReload } }));
  }

  /** Bring the page to the state that the address names. */
  async #restore() {
    const state = this.#state;
    this.#tell();
    if (state.favor || Object.keys(state.policy).length) await this.#model.decide(state.options);
    if (state.paint !== "decision") this.#model.paintBy(state.paint);
    if (state.hidden) this.#frame.send({ kind: "reveal", shown: true });
    if (!state.styles) this.#frame.send({ kind: "style", on: false });
    this.#tell();
  }
}

customElements.define("page-controls", PageControls);
