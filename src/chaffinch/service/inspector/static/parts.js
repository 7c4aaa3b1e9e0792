// The parts of the views of a page: each makes its element, and follows the page's model until a signal.

import { failure, fill, h, pressed } from "./dom.js";
import { t } from "./texts.js";

const LINE = 40; // characters that stand for the height of a line of its own, on the map

function follow(model, listeners, signal) {
  for (const [name, listener] of Object.entries(listeners)) {
    model.addEventListener(name, ({ detail }) => listener(detail), { signal });
  }
}

// The page itself, in a frame of an origin of its own: sandboxed, without its scripts, and unable to ask for
// anything; beside it a map of its blocks. The two sides talk over one channel, and what comes from there is checked.
// Events: `built`; `pick` (a row was clicked, `detail`).
export function pageFrame(model, signal, opensAt = null) {
  const { port1: port, port2: other } = new MessageChannel();
  const frame = h("iframe", {
    sandbox: "allow-scripts", referrerpolicy: "no-referrer", title: t("page"), src: "/inspector/frame",
  });
  const map = h("div", { class: "map", role: "img", title: t("page.map"), "aria-label": t("page.map"), onclick: goTo });
  const element = h("page-frame", {}, frame, map);
  let ends = []; // where each block ends on the map, in percent
  const send = (message) => port.postMessage(message);

  function paint() {
    const [kept, dropped] = [[], []];
    for (let block = 0; block < model.count; block++) (model.verdictOf(block) === "dropped" ? dropped : kept).push(block);
    const changed = model.blocksThat((block) => model.isChanged(block));
    send({ kind: "paint", groups: { kept, dropped, changed }, images: model.decision.images });
    draw(new Set(dropped));
  }

  /** Draw each block as high as its text is long. */
  function draw(dropped) {
    let end = 0;
    const sums = model.texts.map((text) => (end += text.length + LINE));
    ends = sums.map((sum) => (100 * sum) / end);
    const stops = ends.map((stop, block) => `var(--${dropped.has(block) ? "sunken" : "kept"}) ${ends[block - 1] ?? 0}% ${stop}%`);
    map.style.background = `linear-gradient(${stops.length > 1 ? stops : "transparent, transparent"})`;
  }

  function goTo({ clientY }) {
    const { top, height } = map.getBoundingClientRect();
    const block = ends.findIndex((end) => end >= (100 * (clientY - top)) / height);
    if (block >= 0) model.mark(block, "map");
  }

  port.onmessage = ({ data: { kind, row, key } }) => {
    if (kind === "built") {
      element.setAttribute("data-built", "");
      element.dispatchEvent(new Event("built"));
    }
    if (kind === "key" && typeof key === "string" && key.length < 20) pressed(new KeyboardEvent("keydown", { key }));
    if (!Number.isInteger(row) || row < -1 || row >= model.rows.name.length) return;
    const block = row < 0 ? -1 : model.blockOfRow[row];
    if (kind === "hover") model.mark(block < 0 ? null : block, element);
    if (kind === "choose" && row >= 0) element.dispatchEvent(new CustomEvent("pick", { detail: row }));
    if (kind === "choose" && block >= 0) model.choose(block, element);
  };
  frame.addEventListener("load", () => frame.contentWindow.postMessage("connect", "*", [other]), { once: true });
  signal?.addEventListener("abort", () => port.close());
  send({ kind: "build", rows: model.rows, blocks: { first: model.blocks.first, last: model.blocks.last } });
  paint();
  const at = opensAt ?? model.decision.keep.indexOf(1);
  if (at >= 0 && at < model.count) send({ kind: "mark", rows: [model.rowsOf(at)], scroll: "start" });
  if (opensAt === null) send({ kind: "mark", rows: [] });
  follow(model, {
    mark: ({ rows, from, isRest }) => send({ kind: "mark", rows, scroll: from !== element && !isRest }),
    decision: paint,
  }, signal);
  return { element, send };
}

const LONGEST = 300; // characters of a block that are shown

const FILTERS = {
  all: () => true,
  kept: (model, block) => model.decision.keep[block] === 1,
  dropped: (model, block) => model.decision.keep[block] === 0,
  changed: (model, block) => model.isChanged(block),
  hidden: (model, block) => model.hidden.has(block),
};

/** The page's blocks; the browser draws the rows in sight alone (`content-visibility`). */
export function blockList(model, signal) {
  const blockOf = (event) => Number(event.target.closest("[data-block]")?.dataset.block ?? -1);
  const list = h("div", {
    class: "list", role: "listbox", tabindex: "0", "aria-label": t("page.data"),
    onmousemove: (event) => model.mark(blockOf(event) < 0 ? null : blockOf(event), element),
    onmouseleave: () => model.mark(null, element),
    onclick: (event) => blockOf(event) >= 0 && model.choose(blockOf(event), element),
  });
  const text = h("input", { type: "search", placeholder: t("filter.text"), "aria-label": t("filter.text"), oninput: filter });
  const kinds = h("select", { "aria-label": t("filter.kind"), onchange: filter });
  const element = h("block-list", {}, h("div", { class: "filters" }, text, kinds), list);
  const rowOf = (block) => list.querySelector(`#block-${block}`);
  const chosenRow = () => list.querySelector("[aria-selected=true]");
  let shown = []; // blocks that pass the filter
  let isOpen = false;

  function filter() {
    const kind = kinds.value || "all", wanted = text.value.trim().toLowerCase();
    fill(kinds, Object.entries(FILTERS).map(([name, passes]) => {
      const count = model.blocksThat((block) => passes(model, block)).length;
      return h("option", { value: name, selected: name === kind, disabled: !count && name !== kind }, t(`filter.${name}`, { count }));
    }));
    shown = model.blocksThat((block) => FILTERS[kind](model, block) && (!wanted || model.texts[block].toLowerCase().includes(wanted)));
    fill(list, shown.map(row));
  }

  function row(block, at) {
    const verdict = model.verdictOf(block);
    return h("div", {
      class: `row ${verdict}${model.marked === block ? " marked" : ""}`, role: "option", id: `block-${block}`, "data-block": block,
      "aria-selected": String(model.chosen === block), "aria-setsize": shown.length, "aria-posinset": at + 1,
    },
    h("span", { class: "verdict" }, t(verdict)),
    h("span", { class: "text", dir: "auto" },
      model.hidden.has(block) ? h("em", { class: "tag" }, t("hidden")) : null,
      model.isChanged(block) ? h("em", { class: "tag changed" }, t("changed")) : null,
      model.texts[block].slice(0, LONGEST)),
    h("span", { class: "why", title: model.reasonOf(block) }, verdict === "title" ? null : model.reasonOf(block)));
  }

  function marked({ block, from, isRest }) {
    list.querySelector(".marked")?.classList.remove("marked");
    const found = rowOf(block);
    found?.classList.add("marked");
    if (from !== element && !isRest) found?.scrollIntoView({ block: "nearest" });
    if (found) list.setAttribute("aria-activedescendant", found.id);
    else list.removeAttribute("aria-activedescendant");
  }

  function chosen({ block }) {
    chosenRow()?.setAttribute("aria-selected", "false");
    rowOf(block)?.setAttribute("aria-selected", "true");
  }

  /** Mark the block that is a number of rows further on. */
  function step(by) {
    const at = shown.indexOf(model.marked ?? model.chosen ?? -1);
    const next = at < 0 ? (by > 0 ? 0 : shown.length - 1) : at + by;
    if (shown.length) model.mark(shown[Math.max(0, Math.min(shown.length - 1, next))], "keys");
  }

  filter();
  follow(model, { mark: marked, choose: chosen, decision: filter }, signal);
  new ResizeObserver(() => { // it opens where the page does; why a block was kept takes room from it
    const first = isOpen ? null : rowOf(model.chosen ?? model.decision.keep.indexOf(1));
    (first ?? chosenRow())?.scrollIntoView({ block: isOpen ? "nearest" : "center" });
    isOpen = true;
  }).observe(list);
  return { element, step, focusFilter: () => text.focus() };
}

const MOST = 8; // reasons of each side that are shown

/** Why the chosen block was kept or dropped, in words. */
export function blockReasons(model, signal) {
  const element = h("block-reasons", { hidden: true });

  const close = () => model.choose(null, element);

  async function show() {
    const block = model.chosen;
    element.hidden = block === null;
    if (element.hidden) return;
    if (!element.childElementCount) fill(element, h("p", { class: "state" }, t("working")));
    try {
      const found = await model.view("reasons", { block });
      if (model.chosen === block) fill(element, words(block, found));
    } catch (error) {
      fill(element, failure(t("failed", { detail: error.message })));
    }
  }

  function words(block, found) {
    const score = found.score.toFixed(2);
    const strength = (one) => t(`reasons.${["slightly", "clearly", "strongly"][Math.min(2, Math.floor(Math.abs(one.log_odds) / 0.4))]}`);
    const spoke = (title, some) => some.length ? h("section", {}, h("h3", {}, t(title)), h("ul", {}, some.slice(0, MOST).map((one) =>
      h("li", {}, h("strong", {}, one.group), ` ${strength(one)} `, h("span", { class: "soft" }, one.value))))) : null;
    return [
      h("header", {},
        h("h2", {}, t(`reasons.${found.keep ? "kept" : "dropped"}`, { reason: found.reason })),
        h("button", { class: "quiet", onclick: close, title: t("close"), "aria-label": t("close") }, "✕")),
      h("blockquote", { dir: "auto" }, found.text.slice(0, 400)),
      h("p", {}, found.threshold === null ? t("reasons.score.alone", { score })
        : t("reasons.score", { score, threshold: found.threshold.toFixed(2) }),
      model.verdictOf(block) === "title" ? ` ${t("title.long")}` : null),
      h("div", { class: "spoke" },
        spoke("reasons.for", found.contributions.filter((one) => one.log_odds > 0)),
        spoke("reasons.against", found.contributions.filter((one) => one.log_odds < 0))),
      found.changes.length ? h("section", {}, h("h3", {}, t("reasons.rules")), h("ol", {}, found.changes.map((one) =>
        h("li", {}, h("strong", {}, one.rule), ` ${one.before.toFixed(2)} → ${one.after.toFixed(2)} `, h("span", { class: "soft" }, one.effect))))) : null,
      h("p", { class: "soft" }, `${t("reasons.selector")} `, h("code", {}, found.selector)),
      found.slot ? h("p", { class: "soft" }, `${t("reasons.slot")} `, h("code", {}, found.slot)) : null,
    ];
  }

  follow(model, { choose: show, decision: show }, signal);
  return { element, close };
}
