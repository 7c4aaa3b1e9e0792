// The table of a page's blocks. Only the rows in sight are elements, so that 20,000 are as quick as 20.

import { fill, h, onceAFrame } from "../dom.js";
import { number, t } from "../i18n.js";

const HEIGHT = 34; // pixels of a row, as `--row` in tokens.css
const BEYOND = 8; // rows above and below those in sight
const LONGEST = 300; // characters of a block that are shown
const SIGNS = { kept: "✓", dropped: "✕", title: "T" };

const FILTERS = {
  all: () => true,
  kept: (model, block) => model.decision.keep[block] === 1,
  dropped: (model, block) => model.decision.keep[block] === 0,
  changed: (model, block) => model.isChanged(block),
  hidden: (model, block) => model.hidden.has(block),
};

/** `<block-table>`: call `start` with the model once. */
export class BlockTable extends HTMLElement {
  #model = null;
  #shown = []; // blocks that pass the filter
  #rows = h("div", { class: "rows", role: "rowgroup" });
  #grid = null;
  #head = null;
  #count = h("span", { class: "soft count", role: "status" });
  #wanted = { text: "", kind: "all" };
  #stop = new AbortController();
  #draw = onceAFrame(() => this.#drawRows());

  /** @param {import("../page-model.js").PageModel} model */
  start(model) {
    this.#model = model;
    this.#head = h("div", { class: "head", role: "row", "aria-rowindex": "1" });
    this.#grid = h(
      "div",
      {
        class: "grid", role: "grid", tabindex: "0", "aria-label": t("page.blocks"),
        onscroll: this.#draw, onkeydown: (event) => this.#key(event),
      },
      h("div", { role: "rowgroup" }, this.#head),
      this.#rows,
    );
    this.replaceChildren(this.#filters(), this.#grid);
    this.#rows.addEventListener("mousemove", (event) => this.#hover(event));
    this.#rows.addEventListener("mouseleave", () => model.mark(null, this));
    this.#rows.addEventListener("click", (event) => this.#click(event));
    const { signal } = this.#stop;
    model.addEventListener("mark", ({ detail }) => this.#marked(detail), { signal });
    model.addEventListener("choose", this.#draw, { signal });
    model.addEventListener("decision", () => this.#filter(), { signal });
    new ResizeObserver(() => this.#resized()).observe(this.#grid);
    this.#filter();
  }

  disconnectedCallback() {
    this.#stop.abort();
  }

  /** Mark the block that is a number of rows further on. */
  step(by) {
    if (!this.#shown.length) return;
    const at = this.#shown.indexOf(this.#model.marked ?? this.#model.chosen ?? -1);
    const next = at < 0 ? (by > 0 ? 0 : this.#shown.length - 1) : at + by;
    this.#model.mark(this.#shown[Math.max(0, Math.min(this.#shown.length - 1, next))], "keys");
  }

  /** Put the cursor into the field of the filter. */
  focusFilter() {
    this.querySelector("input").focus();
  }

  #filters() {
    const change = (name) => (event) => {
      this.#wanted[name] = event.target.value;
      this.#filter();
    };
    const kinds = Object.keys(FILTERS).map((kind) => h("option", { value: kind }, t(`page.filter.${kind}`)));
    return h(
      "div",
      { class: "filters" },
      h("input", {
        type: "search", placeholder: t("page.filter.text"), "aria-label": t("page.filter.text"),
        oninput: change("text"),
      }),
      h("select", { "aria-label": t("page.filter.kind"), onchange: change("kind") }, kinds),
      this.#count,
    );
  }

  #filter() {
    const { text, kind } = this.#wanted;
    const folded = text.trim().toLowerCase();
    const passes = FILTERS[kind];
    this.#shown = [...Array(this.#model.count).keys()].filter(
      (block) => passes(this.#model, block) &&
        (!folded || this.#model.texts[block].toLowerCase().includes(folded)),
    );
    this.#count.textContent = t("page.filter.count", { count: number(this.#shown.length) });
    this.#rows.style.height = `${this.#shown.length * HEIGHT}px`;
    this.#grid.setAttribute("aria-rowcount", String(this.#shown.length + 1));
    this.#drawHead();
    this.#drawRows();
  }

  #drawHead() {
    fill(this.#head, ["decision", "score", "text", "element"].map((name) =>
      h("span", { role: "columnheader", class: name }, t(`page.column.${name}`))));
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
    const row = h(
      "div",
      {
        class: this.#classes(block), role: "row", id: `block-${block}`, "data-block": block,
        "aria-rowindex": at + 2, "aria-selected": this.#model.chosen === block ? "true" : "false",
      },
      this.#decision(block),
      h("span", { role: "gridcell", class: "score" },
        h("span", { class: "meter" }), h("span", {}, decision.score[block].toFixed(2))),
      h("span", { role: "gridcell", class: "text", dir: "auto" },
        this.#model.hidden.has(block) ? h("em", { class: "tag" }, t("page.hidden")) : null,
        texts[block].slice(0, LONGEST)),
      h("span", { role: "gridcell", class: "element" }, this.#model.elementOf(block)),
    );
    row.style.top = `${at * HEIGHT}px`;
    row.style.setProperty("--score", decision.score[block]);
    return row;
  }

  #classes(block) {
    const names = ["row", this.#model.verdictOf(block)];
    if (this.#model.marked === block) names.push("marked");
    if (this.#model.isChanged(block)) names.push("changed");
    return names.join(" ");
  }

  #decision(block) {
    const verdict = this.#model.verdictOf(block);
    const words = [t(`page.${verdict}`)];
    if (this.#model.isChanged(block)) words.push(t("page.changed"));
    return h(
      "span",
      { role: "gridcell", class: "decision", title: words.join(", ") },
      h("span", { "aria-hidden": "true" }, SIGNS[verdict]),
      h("span", { class: "unseen" }, words.join(", ")),
    );
  }

  #marked({ block, from, isRest }) {
    for (const row of this.#rows.querySelectorAll(".row.marked")) row.classList.remove("marked");
    if (block !== null && from !== this && !isRest) this.#reveal(block);
    this.querySelector(`#block-${block}`)?.classList.add("marked");
    this.#activate();
  }

  /** Draw what is in sight now, the chosen block too: the panel of its reasons takes a part. */
  #resized() {
    if (this.#model.chosen !== null) this.#reveal(this.#model.chosen);
    this.#draw();
  }

  #reveal(block) {
    const at = this.#shown.indexOf(block);
    if (at < 0) return;
    const top = at * HEIGHT, height = this.#grid.clientHeight - HEIGHT;
    const isInSight = top >= this.#grid.scrollTop && top + HEIGHT <= this.#grid.scrollTop + height;
    if (!isInSight) this.#grid.scrollTop = Math.max(0, top - height / 2);
    this.#drawRows();
  }

  #activate() {
    const id = `block-${this.#model.marked}`;
    if (this.querySelector(`#${id}`)) this.#grid.setAttribute("aria-activedescendant", id);
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
