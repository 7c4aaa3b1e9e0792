// The view of one page of the site: what both modes make of it, and rules from what is clicked.

import "../components/block-table.js";
import "../components/page-frame.js";
import "../components/teach-panel.js";
import { oneOf, pick } from "../components/choices.js";
import { fill, h } from "../dom.js";
import { t } from "../i18n.js";
import { bindKeys } from "../keys.js";
import { go, registerView } from "../router.js";
import { KINDS, siteOf } from "../site-model.js";
import { SITE_PAINTS, TeachPage } from "../teach-page.js";

function open(params) {
  const element = h("div", { class: "page-view teach-view" });
  const view = { element, params, stop: new AbortController(), page: Number(params.get("page") ?? 0), site: siteOf(params) };
  load(view);
  return { element, close: () => view.stop.abort() };
}

async function load(view) {
  fill(view.element, h("p", { role: "status", class: "state" }, t("general.working")));
  try {
    await view.site.open();
    const answer = await view.site.page(view.page, view.params.get("images") === "1");
    if (view.stop.signal.aborted) return;
    show(view, new TeachPage(answer));
  } catch (error) {
    if (view.stop.signal.aborted) return;
    fill(view.element, h("p", { role: "alert", class: "state wrong" },
      error.status === 404 ? t("site.none") : t("general.failed", { detail: error.message })),
    h("a", { class: "state", href: view.site.address("site") }, t("teach.back")));
  }
}

function show(view, model) {
  const frame = h("page-frame");
  const panel = h("teach-panel");
  const table = h("block-table");
  view.model = model;
  view.panel = panel;
  view.table = table;
  const panes = h("div", { class: "panes three", "data-side": "data" },
    h("section", { class: "pane paper", "aria-label": t("page.frame") }, frame, legend(model)),
    h("section", { class: "pane data", "aria-label": t("teach.title") }, panel, h("details", { open: true },
      h("summary", {}, t("page.blocks")), table)));
  const sides = oneOf(t("page.sides"), [["paper", t("page.frame")], ["data", t("teach.title")]], "data",
    (chosen) => { panes.dataset.side = chosen; });
  sides.classList.add("sides");
  fill(view.element, heading(view, model), sides, panes);
  view.element.dataset.page = view.page;
  frame.start(model, { images: view.params.get("images") === "1" });
  table.start(model);
  panel.start(model, view.site);
  frame.addEventListener("pick", ({ detail }) => model.chooseRow(detail));
  model.addEventListener("choose", ({ detail }) => {
    if (detail.from === table) model.chooseRow(model.blocks.owner[detail.block]);
  });
  panel.whenChanged = () => reload(view, model);
  const unbind = bindKeys("teach.keys", keys(view));
  view.stop.signal.addEventListener("abort", unbind);
  panel.querySelector("[data-first]")?.focus({ preventScroll: true });
}

/** Show the page as it is judged by the rules that are kept now. */
async function reload(view, model) {
  const answer = await view.site.page(view.page, false);
  if (view.stop.signal.aborted) return;
  model.site = answer.site;
  model.decision = answer.decision;
  model.first = answer.decision;
  model.dispatchEvent(new CustomEvent("decision", { detail: {} }));
  view.panel.refresh();
}

function heading(view, model) {
  const { site } = model;
  const chips = [
    [t("site.template"), site.template || t("site.no.template")],
    [t("site.agree"), site.agreement.toFixed(2)],
    site.confidence === null ? null : [t("site.confidence"), site.confidence.toFixed(2)],
  ].filter(Boolean);
  const paints = SITE_PAINTS.map((one) => [one, t(`teach.paint.${one}`)]);
  return h("div", { class: "heading" },
    h("a", { href: view.site.address("site") }, t("teach.back")),
    h("h1", { dir: "auto" }, model.title || site.title || t("page.untitled")),
    h("p", { class: "soft address" }, model.url ?? ""),
    h("dl", { class: "chips" }, chips.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))),
    h("span", { class: "filler" }),
    pick(t("teach.paint"), paints, model.paint, (chosen) => model.paintBy(chosen)),
    h("span", { class: "turn" },
      h("button", { title: t("teach.previous"), "aria-label": t("teach.previous"), onclick: () => beside(view, -1) }, "‹"),
      h("button", { title: t("teach.next"), "aria-label": t("teach.next"), onclick: () => beside(view, 1) }, "›")));
}

function legend(model) {
  const list = h("ul", { class: "legend" });
  const draw = () => {
    const items = {
      decision: [["kept", t("page.kept")], ["dropped", t("page.dropped")]],
      modes: [["both", t("teach.both")], ["ours", t("teach.only", { mode: "full" })],
        ["theirs", t("teach.only", { mode: "rules" })], ["neither", t("teach.neither")]],
      none: [],
    }[model.paint];
    fill(list, items.map(([name, text]) => h("li", {}, h("span", { class: `swatch ${name}` }), text)));
  };
  model.addEventListener("paint", draw);
  draw();
  return list;
}

function beside(view, by) {
  go("teach", { ...Object.fromEntries(view.params), page: view.site.beside(view.page, by) });
}

function keys(view) {
  const { model, panel, table } = view;
  const block = (by) => {
    table.step(by);
    if (model.marked !== null) model.chooseRow(model.blocks.owner[model.marked]);
  };
  return [
    { keys: ["j"], text: "teach.key.block", run: () => block(1) },
    { keys: ["k"], text: "teach.key.block.before", run: () => block(-1) },
    { keys: ["ArrowUp"], text: "teach.key.outer", run: () => panel.climb(1) },
    { keys: ["ArrowDown"], text: "teach.key.inner", run: () => panel.climb(-1) },
    ...KINDS.map(([kind, key]) => ({ keys: [key], text: `teach.kind.${kind}`, run: () => panel.mark(kind) })),
    { keys: ["ArrowLeft"], text: "teach.narrower", run: () => panel.move(-1) },
    { keys: ["ArrowRight"], text: "teach.wider", run: () => panel.move(1) },
    { keys: ["Enter"], text: "teach.key.keep", run: () => panel.keep() },
    { keys: ["Escape"], text: "teach.cancel", run: () => panel.cancel() },
    { keys: ["u"], text: "site.undo", run: () => panel.undo() },
    { keys: ["]"], text: "teach.next", run: () => beside(view, 1) },
    { keys: ["["], text: "teach.previous", run: () => beside(view, -1) },
    { keys: ["s"], text: "teach.back", run: () => { location.hash = view.site.address("site"); } },
  ];
}

registerView("teach", { title: "teach.title", open });
