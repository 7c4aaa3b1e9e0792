// The view of one page: the page itself beside its blocks and its outputs.

import { ask } from "../api.js";
import "../components/block-reasons.js";
import "../components/block-table.js";
import { oneOf } from "../components/choices.js";
import "../components/output-view.js";
import "../components/page-controls.js";
import "../components/page-frame.js";
import { fill, h } from "../dom.js";
import { number, t } from "../i18n.js";
import { bindKeys } from "../keys.js";
import { PageModel } from "../page-model.js";
import { requestOf } from "../page-source.js";
import { PageState } from "../page-state.js";
import { go, registerView } from "../router.js";

function open(params) {
  const element = h("div", { class: "page-view" });
  const stop = new AbortController();
  const body = requestOf(params);
  if (body === null) queueMicrotask(() => go(""));
  else load(element, body, new PageState(params), stop, params.has("source"));
  return { element, close: () => stop.abort() };
}

async function load(element, body, state, stop, isPasted = false) {
  fill(element, h("p", { role: "status", class: "state" }, t("general.working")));
  try {
    const answer = await ask("/v1/inspect/page", { ...body, images: state.images }, { signal: stop.signal });
    if (isPasted) state.source = { held: answer.held };
    go("page", state.params, { replace: true });
    show(element, new PageModel(answer), state, stop);
  } catch (error) {
    if (error.name === "AbortError") return;
    fill(element, h("div", { role: "alert", class: "state wrong" }, t("general.failed", { detail: error.message })),
      h("a", { class: "state", href: "#/" }, t("start.title")));
  }
}

function show(element, model, state, stop) {
  const frame = h("page-frame");
  const controls = h("page-controls");
  const reasons = h("block-reasons");
  const side = h("div", { class: "side" });
  const tabs = tabList(model, state, side);
  const paper = h("section", { class: "pane paper", "aria-label": t("page.frame") }, frame, legend(model));
  const data = h("section", { class: "pane data", "aria-label": t("page.data") }, tabs, side, reasons);
  const panes = h("div", { class: "panes", "data-side": "paper" }, paper, data);
  const sides = oneOf(t("page.sides"), [["paper", t("page.frame")], ["data", t("page.data")]], "paper",
    (chosen) => { panes.dataset.side = chosen; });
  sides.classList.add("sides");
  fill(element, heading(model), controls, sides, panes);
  frame.start(model, { images: state.images });
  frame.addEventListener("built", () => performance.mark("page built"), { once: true });
  controls.start(model, frame, state);
  reasons.start(model);
  tabs.choose(state.tab);
  performance.mark("blocks shown");
  controls.addEventListener("state", ({ detail }) => {
    go("page", state.params, { replace: true });
    if (detail.needsReload) load(element, { held: model.held }, state, stop);
  });
  follow(model, state, frame);
  const unbind = bindKeys("page.keys", keys({ model, side, tabs, controls, reasons }));
  stop.signal.addEventListener("abort", unbind);
}

/** Keep the chosen block in the address, and choose the one that it names. */
function follow(model, state, frame) {
  const named = state.block;
  frame.addEventListener("built", () => {
    if (named !== null && named < model.count) model.choose(named, "address");
  }, { once: true });
  model.addEventListener("choose", ({ detail }) => {
    state.block = detail.block;
    go("page", state.params, { replace: true });
  });
}

function heading(model) {
  const { page_type: kind, confidence, source } = model.decision;
  const chips = [
    kind && [t("page.type"), kind],
    confidence !== null && [t("page.confidence"), confidence.toFixed(2)],
    [t("page.size"), t("page.rows", { count: number(model.rows.name.length) })],
    model.isRendered && [t("page.made"), t("page.rendered")],
    source && [t("page.from"), source],
  ].filter(Boolean);
  return h("div", { class: "heading" },
    h("h1", { dir: "auto" }, model.title || model.url || t("page.untitled")),
    model.url ? h("p", { class: "soft address" }, model.url) : null,
    h("dl", { class: "chips" }, chips.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))));
}

function tabList(model, state, side) {
  const names = ["blocks", ...model.outputs];
  const buttons = names.map((name) => h("button", {
    role: "tab", id: `tab-${name}`, "data-name": name, "aria-controls": "side", onclick: () => choose(name),
  }, t(`tab.${name}`)));
  const list = h("div", { class: "tabs", role: "tablist", "aria-label": t("page.data"), onkeydown: key }, buttons);
  side.id = "side";
  side.setAttribute("role", "tabpanel");
  side.tabIndex = -1;

  function choose(name) {
    const chosen = names.includes(name) ? name : "blocks";
    for (const one of buttons) {
      one.setAttribute("aria-selected", String(one.dataset.name === chosen));
      one.tabIndex = one.dataset.name === chosen ? 0 : -1;
    }
    side.setAttribute("aria-labelledby", `tab-${chosen}`);
    const made = h(chosen === "blocks" ? "block-table" : "output-view");
    fill(side, made);
    made.start(model, chosen);
    state.tab = chosen;
    go("page", state.params, { replace: true });
    buttons[names.indexOf(chosen)].scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  function key(event) {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    list.step(by);
    buttons[names.indexOf(state.tab)].focus();
  }

  list.choose = choose;
  list.step = (by) => choose(names[(names.indexOf(state.tab) + by + names.length) % names.length]);
  return list;
}

function legend(model) {
  const place = h("ul", { class: "legend", "aria-label": t("legend.name") });
  const draw = () => fill(place, legendOf(model).map((name) =>
    h("li", {}, h("span", { class: `swatch ${name}`, "aria-hidden": "true" }), t(`legend.${name}`))));
  model.addEventListener("paint", draw);
  draw();
  return place;
}

function legendOf(model) {
  if (model.paint === "score") return ["low", "middle", "high"];
  return model.paint === "none" ? ["marked"] : ["kept", "dropped", "title", "marked"];
}

function keys({ model, side, tabs, controls, reasons }) {
  const step = (by) => () => side.firstElementChild.step(by);
  return [
    { keys: ["ArrowDown", "j"], text: "page.key.next", run: step(1) },
    { keys: ["ArrowUp", "k"], text: "page.key.previous", run: step(-1) },
    { keys: ["Enter"], text: "page.key.choose", run: () => (model.marked ?? -1) >= 0 && model.choose(model.marked, "keys") },
    { keys: ["Escape"], text: "page.key.close", run: () => reasons.close() },
    { keys: ["]"], text: "page.key.tab.next", run: () => tabs.step(1) },
    { keys: ["["], text: "page.key.tab.previous", run: () => tabs.step(-1) },
    { keys: ["c"], text: "page.key.paint", run: () => controls.nextPaint() },
    { keys: ["f"], text: "page.key.favor", run: () => controls.nextFavor() },
    { keys: ["h"], text: "page.key.hidden", run: () => controls.toggleHidden() },
    { keys: ["/"], text: "page.key.filter", run: () => { tabs.choose("blocks"); side.firstElementChild.focusFilter(); } },
  ];
}

registerView("page", { title: "page.view", open });
