// Why the chosen block was kept or dropped: its score, what spoke for it and against, which rules did.

import { fill, h } from "../dom.js";
import { number, t } from "../i18n.js";

const MOST = 8; // contributions that are shown at once

/** `<block-reasons>`: call `start` with the model once. */
export class BlockReasons extends HTMLElement {
  #model = null;
  #stop = new AbortController();

  start(model) {
    this.#model = model;
    const { signal } = this.#stop;
    model.addEventListener("choose", () => this.#show(), { signal });
    model.addEventListener("decision", () => this.#show(), { signal });
    this.hidden = true;
  }

  disconnectedCallback() {
    this.#stop.abort();
  }

  /** Close the panel. */
  close() {
    this.#model.chosen = null;
    this.hidden = true;
  }

  async #show() {
    const block = this.#model.chosen;
    if (block === null) return;
    this.hidden = false;
    this.setAttribute("aria-busy", "true");
    if (!this.childElementCount) fill(this, h("p", { class: "state" }, t("general.working")));
    try {
      const found = await this.#model.view("reasons", { block });
      if (this.#model.chosen === block) fill(this, this.#head(block, found), this.#body(found));
    } catch (error) {
      fill(this, h("p", { class: "wrong", role: "alert" }, t("general.failed", { detail: error.message })));
    }
    this.removeAttribute("aria-busy");
  }

  #head(block, { score, text }) {
    const verdict = this.#model.verdictOf(block);
    return h("header", {},
      h("h2", {}, t("reasons.title", { block: number(block) })),
      h("span", { class: `badge ${verdict}` }, t(`page.${verdict}`)),
      h("span", { class: "soft" }, t("reasons.score", { score: score.toFixed(2) })),
      h("span", { class: "filler" }),
      h("button", { class: "quiet", onclick: () => this.close(), title: t("general.close") }, "✕",
        h("span", { class: "unseen" }, t("general.close"))),
      h("p", { class: "quote", dir: "auto" }, text.slice(0, 400)));
  }

  #body(found) {
    const facts = [
      ["reasons.reason", found.reason],
      ["reasons.selector", h("code", {}, found.selector)],
      found.threshold === null ? null : ["reasons.threshold", found.threshold.toFixed(2)],
      found.slot ? ["reasons.slot", found.slot] : null,
    ].filter(Boolean);
    return h("div", { class: "reasons" },
      h("dl", {}, facts.map(([name, value]) => h("div", {}, h("dt", {}, t(name)), h("dd", {}, value)))),
      found.contributions.length ? this.#contributions(found.contributions) : null,
      found.changes.length ? this.#changes(found.changes) : null);
  }

  #contributions(all) {
    const shown = all.slice(0, MOST);
    const most = Math.max(...shown.map((one) => Math.abs(one.log_odds)), 0.01);
    const line = (one) => {
      const bar = h("span", { class: `odds ${one.log_odds > 0 ? "for" : "against"}`, "aria-hidden": "true" });
      bar.style.setProperty("--share", Math.abs(one.log_odds) / most);
      const sign = one.log_odds > 0 ? "+" : "−";
      return h("tr", {}, h("th", { scope: "row" }, one.group), h("td", { class: "bar-cell" }, bar),
        h("td", { class: "number" }, `${sign}${Math.abs(one.log_odds).toFixed(2)}`), h("td", { class: "soft" }, one.value));
    };
    return h("section", {}, h("h3", {}, t("reasons.evidence")),
      h("table", { class: "evidence" }, h("tbody", {}, shown.map(line))));
  }

  #changes(changes) {
    const line = (one) => h("li", {},
      h("strong", {}, one.rule), ` ${one.before.toFixed(2)} → ${one.after.toFixed(2)}`,
      one.keep === null ? null : h("span", { class: `badge ${one.keep ? "kept" : "dropped"}` }, t(one.keep ? "page.kept" : "page.dropped")),
      h("div", { class: "soft" }, one.effect));
    return h("section", {}, h("h3", {}, t("reasons.rules")), h("ol", { class: "rules" }, changes.map(line)));
  }
}

customElements.define("block-reasons", BlockReasons);
