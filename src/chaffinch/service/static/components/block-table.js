// The table of a page's blocks. Only the rows in sight are elements, so that 20,000 are as quick as 20.

import { fill, h, onceAFrame } from "../dom.js";
import { number, t } from "../i18n.js";

const HEIGHT = 36; // pixels of a row, as `--row` in tokens.css
const BEYOND = 8; // rows above and below those in sight

/** `<block-table>`: call `start` with the model once. */
export class BlockTable extends HTMLElement {
  #model = null;
  #shown = []; // blocks that pass the filter
  #rows = h("div", { class: "rows", role: "rowgroup" });
  #grid = null;
  #stop = new AbortController();
  #draw = onceAFrame(() => this.#drawRows());

  /** @param {import("../page-model.js").PageModel} model */
  start(model) {
    this.#model = model;
    this.#grid = h(
      "div",
      {
        class: "grid", role: "grid", tabindex: "0", "aria-label": t("page.blocks"),
        onscroll: this.#draw, onkeydown: (event) => this.#key(event),
      },
      this.#head(),
      this.#rows,
    );
    this.replaceChildren(this.#grid);
    this.#rows.addEventListener("mousemove", (event) => this.#hover(event));
    this.#rows.addEventListener("mouseleave", () => model.mark(null, this));
    this.#rows.addEventListener("click", (event) => this.#click(event));
    const { signal } = this.#stop;
    model.addEventListener("mark", ({ detail }) => this.#marked(detail), { signal });
    model.addEventListener("decision", () => this.filter(this.wanted), { signal });
    new ResizeObserver(this.#draw).observe(this.#grid);
    this.filter(() => true);
  }

  disconnectedCallback() {
    this.#stop.abort();
  }

  /** Show the blocks for which a function is true. */
  filter(wanted) {
    this.wanted = wanted;
    this.#shown = [...Array(this.#model.count).keys()].filter(wanted);
    this.#rows.style.height = `${this.#shown.length * HEIGHT}px`;
    this.#grid.setAttribute("aria-rowcount", String(this.#shown.length + 1));
    this.#drawRows();
  }

  /** Mark the block that is a number of rows further on. */
  step(by) {
    if (!this.#shown.length) return;
    const at = this.#shown.indexOf(this.#model.marked ?? this.#model.chosen ?? -1);
    const next = at < 0 ? (by > 0 ? 0 : this.#shown.length - 1) : at + by;
    this.#model.mark(this.#shown[Math.max(0, Math.min(this.#shown.length - 1, next))], "keys");
  }

  #head() {
    const names = ["page.column.decision", "page.column.score", "page.column.text", "page.column.element"];
    return h(
      "div",
      { class: "head", role: "row", "aria-rowindex": "1" },
      names.map((name) => h("span", { role: "columnheader" }, t(name))),
    );
  }

  #drawRows() {
    const from = Math.max(0, Math.floor(this.#grid.scrollTop / HEIGHT) - BEYOND);
    const sight = Math.ceil(this.#grid.clientHeight / HEIGHT) + 2 * BEYOND;
    const some = this.#shown.slice(from, from + sight);
    fill(this.#rows, some.map((block, at) => this.#row(block, from + at)));
    this.#activate();
  }

  #row(block, at) {
    const { decision, texts } = this.#model;
    const keep = decision.keep[block] === 1;
    const score = decision.score[block];
    const row = h(
      "div",
      {
        class: `row ${keep ? "kept" : "dropped"}${this.#model.marked === block ? " marked" : ""}`,
        role: "row", id: `block-${block}`, "data-block": block, "aria-rowindex": at + 2,
        "aria-selected": this.#model.chosen === block ? "true" : "false",
      },
      h("span", { role: "gridcell", class: "decision", title: t(keep ? "page.kept" : "page.dropped") },
        keep ? "✓" : "✕", h("span", { class: "unseen" }, t(keep ? "page.kept" : "page.dropped"))),
      h("span", { role: "gridcell", class: "score" },
        h("span", { class: "bar" }), h("span", {}, number(score, 2))),
      h("span", { role: "gridcell", class: "text", dir: "auto" }, texts[block].slice(0, 300)),
      h("span", { role: "gridcell", class: "element" }, this.#model.elementOf(block)),
    );
    row.style.top = `${at * HEIGHT}px`;
    row.style.setProperty("--score", score);
    return row;
  }

  #marked({ block, from }) {
    for (const row of this.#rows.querySelectorAll(".row.marked")) row.classList.remove("marked");
    if (block !== null && from !== this) this.#reveal(block);
    this.querySelector(`#block-${block}`)?.classList.add("marked");
    this.#activate();
  }

  #reveal(block) {
    const at = this.#shown.indexOf(block);
    if (at < 0) return;
    const top = at * HEIGHT, height = this.#grid.clientHeight - HEIGHT;
    const isInSight = top >= this.#grid.scrollTop && top + HEIGHT <= this.#grid.scrollTop + height;
    if (!isInSight) this.#grid.scrollTop = top - height / 2;
    this.#drawRows();
  }

  #activate() {
    const marked = this.#model.marked;
    const there = marked !== null && this.querySelector(`#block-${marked}`);
    if (there) this.#grid.setAttribute("aria-activedescendant", `block-${marked}`);
    else this.#grid.removeAttribute("aria-activedescendant");
  }

  #blockOf(event) {
    const row = event.target.closest(".row");
    return row ? Number(row.dataset.block) : null;
  }

  #hover(event) {
    this.#model.mark(this.#blockOf(event), this);
  }

  #click(event) {
    const block = this.#blockOf(event);
    if (block !== null) this.#model.choose(block, this);
  }

  #key(event) {
    const page = Math.max(1, Math.floor(this.#grid.clientHeight / HEIGHT) - 2);
    const steps = { PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    if (!(event.key in steps)) return;
    event.preventDefault();
    this.step(steps[event.key]);
  }
}

customElements.define("block-table", BlockTable);
