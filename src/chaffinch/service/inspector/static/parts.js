// The parts of the views of a page, each an element whose `start(model, …)` is called once.

import { failure, fill, h, pressed } from "./dom.js";
import { t } from "./texts.js";

/** An element that shows a model, and stops listening to it when it leaves the document. */
class Part extends HTMLElement {
  #stop = new AbortController();

  begin(model, listeners) {
    this.model = model;
    for (const [name, listener] of Object.entries(listeners)) {
      model.addEventListener(name, ({ detail }) => listener(detail), { signal: this.#stop.signal });
    }
  }

  disconnectedCallback() {
    this.#stop.abort();
  }
}

const LINE = 40; // characters that stand for the height of a line of its own, on the map

// `<page-frame>`: the page itself, in a frame of an origin of its own: sandboxed, without its scripts, and
// unable to ask for anything; beside it a map of its blocks. The two sides talk over one channel, and what comes from there is checked.
// Events: `built`; `pick` (a row was clicked, `detail`).
class PageFrame extends Part {
  #port = null;
  #ends = []; // where each block ends on the map, in percent
  #map = h("div", { class: "map", role: "img", title: t("page.map"), "aria-label": t("page.map"), onclick: (event) => this.#go(event) });

  start(model, opensAt = null) {
    const frame = h("iframe", {
      sandbox: "allow-scripts", referrerpolicy: "no-referrer", title: t("page"),
      src: "/inspector/frame",
    });
    frame.addEventListener("load", () => this.#connect(frame, opensAt), { once: true });
    fill(this, frame, this.#map);
    this.begin(model, {
      mark: ({ rows, from, isRest }) => this.send({ kind: "mark", rows, scroll: from !== this && !isRest }),
      decision: () => this.#paint(),
    });
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#port?.close();
  }

  send(message) {
    this.#port?.postMessage(message);
  }

  #connect(frame, opensAt) {
    const channel = new MessageChannel();
    this.#port = channel.port1;
    this.#port.onmessage = ({ data }) => this.#hear(data);
    frame.contentWindow.postMessage("connect", "*", [channel.port2]);
    const { rows, blocks, decision } = this.model;
    this.send({ kind: "build", rows, blocks: { first: blocks.first, last: blocks.last } });
    this.#paint();
    const at = opensAt ?? decision.keep.indexOf(1);
    if (at >= 0 && at < this.model.count) this.send({ kind: "mark", rows: [this.model.rowsOf(at)], scroll: "start" });
    if (opensAt === null) this.send({ kind: "mark", rows: [] });
  }

  #paint() {
    const { model } = this;
    const [kept, dropped] = [[], []];
    for (let block = 0; block < model.count; block++) (model.verdictOf(block) === "dropped" ? dropped : kept).push(block);
    const changed = model.blocksThat((block) => model.isChanged(block));
    this.send({ kind: "paint", groups: { kept, dropped, changed }, images: model.decision.images });
    this.#draw(new Set(dropped));
  }

  /** Draw each block as high as its text is long. */
  #draw(dropped) {
    let end = 0;
    const sums = this.model.texts.map((text) => (end += text.length + LINE));
    this.#ends = sums.map((sum) => (100 * sum) / end);
    const stops = this.#ends.map((stop, block) =>
      `var(--${dropped.has(block) ? "sunken" : "kept"}) ${this.#ends[block - 1] ?? 0}% ${stop}%`);
    this.#map.style.background = `linear-gradient(${stops.length > 1 ? stops : "transparent, transparent"})`;
  }

  #go({ clientY }) {
    const { top, height } = this.#map.getBoundingClientRect();
    const block = this.#ends.findIndex((end) => end >= (100 * (clientY - top)) / height);
    if (block >= 0) this.model.mark(block, "map");
  }

  #hear(data) {
    const { kind, row, key } = data;
    if (kind === "built") {
      this.setAttribute("data-built", "");
      this.dispatchEvent(new Event("built"));
    }
    if (kind === "key" && typeof key === "string" && key.length < 20) pressed(new KeyboardEvent("keydown", { key }));
    if (!Number.isInteger(row) || row < -1 || row >= this.model.rows.name.length) return;
    const block = row < 0 ? -1 : this.model.blockOfRow[row];
    if (kind === "hover") this.model.mark(block < 0 ? null : block, this);
    if (kind === "choose" && row >= 0) this.dispatchEvent(new CustomEvent("pick", { detail: row }));
    if (kind === "choose" && block >= 0) this.model.choose(block, this);
  }
}

const LONGEST = 300; // characters of a block that are shown

const FILTERS = {
  all: () => true,
  kept: (model, block) => model.decision.keep[block] === 1,
  dropped: (model, block) => model.decision.keep[block] === 0,
  changed: (model, block) => model.isChanged(block),
  hidden: (model, block) => model.hidden.has(block),
};

/** `<block-list>`: the page's blocks; the browser draws the rows in sight alone (`content-visibility`). */
class BlockList extends Part {
  #shown = []; // blocks that pass the filter
  #list = h("div", { class: "list", role: "listbox", tabindex: "0", "aria-label": t("page.data") });
  #text = h("input", { type: "search", placeholder: t("filter.text"), "aria-label": t("filter.text"), oninput: () => this.#filter() });
  #kind = h("select", { "aria-label": t("filter.kind"), onchange: () => this.#filter() });

  start(model) {
    fill(this, h("div", { class: "filters" }, this.#text, this.#kind), this.#list);
    const blockOf = (event) => Number(event.target.closest("[data-block]")?.dataset.block ?? -1);
    this.#list.addEventListener("mousemove", (event) => model.mark(blockOf(event) < 0 ? null : blockOf(event), this));
    this.#list.addEventListener("mouseleave", () => model.mark(null, this));
    this.#list.addEventListener("click", (event) => blockOf(event) >= 0 && model.choose(blockOf(event), this));
    this.begin(model, {
      mark: (detail) => this.#marked(detail), choose: ({ block }) => this.#chosen(block), decision: () => this.#filter(),
    });
    this.#filter();
    const first = model.chosen ?? model.decision.keep.indexOf(1); // where the list opens, as the page does
    this.#rowOf(first)?.scrollIntoView({ block: "center" });
    const chosenInSight = () => this.#list.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
    new ResizeObserver(chosenInSight).observe(this.#list); // why a block was kept takes room from the list
  }

  /** Mark the block that is a number of rows further on. */
  step(by) {
    const { model } = this;
    const at = this.#shown.indexOf(model.marked ?? model.chosen ?? -1);
    const next = at < 0 ? (by > 0 ? 0 : this.#shown.length - 1) : at + by;
    if (this.#shown.length) model.mark(this.#shown[Math.max(0, Math.min(this.#shown.length - 1, next))], "keys");
  }

  focusFilter() {
    this.#text.focus();
  }

  #filter() {
    const { model } = this;
    const kind = this.#kind.value || "all", wanted = this.#text.value.trim().toLowerCase();
    fill(this.#kind, Object.entries(FILTERS).map(([name, passes]) => {
      const count = model.blocksThat((block) => passes(model, block)).length;
      return h("option", { value: name, selected: name === kind, disabled: !count && name !== kind }, t(`filter.${name}`, { count }));
    }));
    this.#shown = model.blocksThat((block) => FILTERS[kind](model, block) &&
      (!wanted || model.texts[block].toLowerCase().includes(wanted)));
    fill(this.#list, this.#shown.map((block, at) => this.#row(block, at)));
  }

  #rowOf(block) {
    return this.#list.querySelector(`#block-${block}`);
  }

  #row(block, at) {
    const { model } = this;
    const verdict = model.verdictOf(block);
    const isMarked = model.marked === block ? " marked" : "";
    return h("div", {
      class: `row ${verdict}${isMarked}`, role: "option", id: `block-${block}`, "data-block": block,
      "aria-selected": String(model.chosen === block), "aria-setsize": this.#shown.length, "aria-posinset": at + 1,
    },
    h("span", { class: "verdict" }, t(verdict)),
    h("span", { class: "text", dir: "auto" },
      model.hidden.has(block) ? h("em", { class: "tag" }, t("hidden")) : null,
      model.isChanged(block) ? h("em", { class: "tag changed" }, t("changed")) : null,
      model.texts[block].slice(0, LONGEST)),
    h("span", { class: "why", title: model.reasonOf(block) }, verdict === "title" ? null : model.reasonOf(block)));
  }

  #marked({ block, from, isRest }) {
    this.#list.querySelector(".marked")?.classList.remove("marked");
    const row = this.#rowOf(block);
    row?.classList.add("marked");
    if (from !== this && !isRest) row?.scrollIntoView({ block: "nearest" });
    if (row) this.#list.setAttribute("aria-activedescendant", row.id);
    else this.#list.removeAttribute("aria-activedescendant");
  }

  #chosen(block) {
    this.#list.querySelector("[aria-selected=true]")?.setAttribute("aria-selected", "false");
    this.#rowOf(block)?.setAttribute("aria-selected", "true");
  }
}

const MOST = 8; // reasons of each side that are shown

/** `<block-reasons>`: why the chosen block was kept or dropped, in words. */
class BlockReasons extends Part {
  start(model) {
    this.hidden = true;
    this.begin(model, { choose: () => this.#show(), decision: () => this.#show() });
  }

  close() {
    this.model.chosen = null;
    this.hidden = true;
  }

  async #show() {
    const block = this.model.chosen;
    if (block === null) return;
    this.hidden = false;
    if (!this.childElementCount) fill(this, h("p", { class: "state" }, t("working")));
    try {
      const found = await this.model.view("reasons", { block });
      if (this.model.chosen === block) fill(this, this.#words(block, found));
    } catch (error) {
      fill(this, failure(t("failed", { detail: error.message })));
    }
  }

  #words(block, found) {
    const score = found.score.toFixed(2);
    const strength = (one) => t(`reasons.${["slightly", "clearly", "strongly"][Math.min(2, Math.floor(Math.abs(one.log_odds) / 0.4))]}`);
    const spoke = (title, some) => some.length ? h("section", {}, h("h3", {}, t(title)), h("ul", {}, some.slice(0, MOST).map((one) =>
      h("li", {}, h("strong", {}, one.group), ` ${strength(one)} `, h("span", { class: "soft" }, one.value))))) : null;
    return [
      h("header", {},
        h("h2", {}, t(`reasons.${found.keep ? "kept" : "dropped"}`, { reason: found.reason })),
        h("button", { class: "quiet", onclick: () => this.close(), title: t("close"), "aria-label": t("close") }, "✕")),
      h("blockquote", { dir: "auto" }, found.text.slice(0, 400)),
      h("p", {}, found.threshold === null ? t("reasons.score.alone", { score })
        : t("reasons.score", { score, threshold: found.threshold.toFixed(2) }),
      this.model.verdictOf(block) === "title" ? ` ${t("title.long")}` : null),
      h("div", { class: "spoke" },
        spoke("reasons.for", found.contributions.filter((one) => one.log_odds > 0)),
        spoke("reasons.against", found.contributions.filter((one) => one.log_odds < 0))),
      found.changes.length ? h("section", {}, h("h3", {}, t("reasons.rules")), h("ol", {}, found.changes.map((one) =>
        h("li", {}, h("strong", {}, one.rule), ` ${one.before.toFixed(2)} → ${one.after.toFixed(2)} `, h("span", { class: "soft" }, one.effect))))) : null,
      h("p", { class: "soft" }, `${t("reasons.selector")} `, h("code", {}, found.selector)),
      found.slot ? h("p", { class: "soft" }, `${t("reasons.slot")} `, h("code", {}, found.slot)) : null,
    ];
  }
}

customElements.define("page-frame", PageFrame);
customElements.define("block-list", BlockList);
customElements.define("block-reasons", BlockReasons);
