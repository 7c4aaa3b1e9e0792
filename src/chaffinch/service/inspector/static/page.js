// The first view, and the view of one page: the page itself beside its blocks.

import { ask, bindKeys, fill, h, menu, pick } from "./dom.js";
import { PageModel } from "./model.js";
import { blockList, blockReasons, pageFrame } from "./parts.js";
import { facts, go } from "./routes.js";
import { t } from "./texts.js";

let waiting = null; // a source that was pasted: it has no address of its own

export function openStart(_params, element) {
  const url = h("input", { type: "url", name: "url", placeholder: "https://" });
  const source = h("textarea", { name: "source", rows: 6, spellcheck: "false", placeholder: t("start.hint") });
  const from = h("input", { type: "url", name: "from", placeholder: "https://" });
  const render = h("input", { type: "checkbox", name: "render" });
  const state = h("p", { role: "status" });
  const wanted = () => (render.checked ? { render: "always" } : {});

  function submit(event) {
    event.preventDefault();
    if (source.value.trim()) {
      waiting = { html: source.value, url: from.value || undefined };
      go("page", { source: crypto.randomUUID(), ...wanted() });
    } else if (url.value) go("page", { url: url.value, ...wanted() });
    else state.textContent = t("start.nothing");
  }

  fill(element, h("form", { class: "start", onsubmit: submit, novalidate: true },
    h("h1", {}, t("start")), h("p", { class: "soft" }, t("start.lead")),
    h("label", {}, t("start.url"), url), h("label", {}, t("start.source"), source),
    h("label", {}, t("start.from"), from),
    facts.rendering === "always" ? h("label", { class: "check" }, render, t("start.render")) : null,
    h("div", { class: "line" }, h("button", { class: "first" }, t("start.open")), state)));
}

/** Return the body of the request that opens the page which an address names; null where it names none. */
function requestOf(params) {
  const render = params.get("render") ?? undefined;
  if (params.has("held")) return { held: params.get("held"), render };
  if (params.has("url")) return { page: { url: params.get("url"), render } };
  if (!params.has("source") || waiting === null) return null;
  const page = { ...waiting, render };
  waiting = null;
  return { page };
}

// The view of a page; all of its state stands in its address

const PARTS = ["headline", "byline", "captions", "comments", "tables", "cards", "related", "notes"];

export async function openPage(params, element, signal) {
  const body = requestOf(params);
  if (body === null) return go("");
  const state = Object.fromEntries(params);
  const answer = await ask("/v1/inspect/page", body, signal);
  if (state.source) remember(state, { source: "", held: answer.held });
  const model = new PageModel(answer);
  const block = state.block === undefined ? null : Number(state.block);
  const frame = pageFrame(model, signal, block), list = blockList(model, signal), reasons = blockReasons(model, signal);
  const controls = controlsOf(state, model, frame);
  fill(element, heading(model), controls.element,
    panes(frame, h("section", { class: "pane", "aria-label": t("page.data") }, list.element, reasons.element)));
  frame.element.addEventListener("built", async () => {
    if (state.hidden) frame.send({ kind: "reveal", shown: true });
    if (state.favor || PARTS.some((one) => state[one])) await controls.decide({});
    if (block !== null && block < model.count) model.choose(block, "address");
  }, { once: true });
  model.addEventListener("choose", ({ detail }) => remember(state, { block: detail.block }));
  const step = (by) => () => list.step(by);
  bindKeys("page", [
    [["ArrowDown", "j"], "key.next", step(1)],
    [["ArrowUp", "k"], "key.previous", step(-1)],
    [["Enter"], "key.why", () => (model.marked ?? -1) >= 0 && model.choose(model.marked, "keys")],
    [["Escape"], "close", () => reasons.close()],
    [["h"], "control.hidden", () => controls.toggleHidden()],
    [["/"], "filter.text", () => list.focusFilter()],
  ], signal);
}

function remember(state, values) {
  go("page", Object.assign(state, values), { replace: true });
}

/** Return the page beside what is said of it; on narrow screens that is below it. */
export function panes(frame, data) {
  return h("div", { class: "panes" }, h("section", { class: "pane", "aria-label": t("page") }, frame.element), data);
}

/** Return the title of a page, its URL, and what is known of it. */
export function heading(model, ...more) {
  const { page_type: kind, confidence, source } = model.decision;
  const known = [
    kind && t("page.type", { kind }),
    confidence !== null && t("page.confidence", { value: confidence.toFixed(2) }),
    model.isRendered && t("page.rendered"),
    source && t("page.from", { source }),
  ].filter(Boolean).join(", ");
  return h("div", { class: "heading" },
    h("h1", { dir: "auto" }, model.title || t("page.untitled")),
    model.url ? h("p", { class: "url" }, h("code", {}, model.url)) : null,
    h("p", { class: "soft" }, known), more);
}

/** What is decided by, and how the page is shown: one row, and what came of it in words. */
function controlsOf(state, model, frame) {
  const report = h("p", { class: "report", role: "status" });

  const tell = () => {
    const kept = model.blocksThat((block) => model.decision.keep[block]).length;
    report.textContent = t("page.summary", { kept, count: model.count, length: model.decision.length });
  };
  async function decide(change) {
    remember(state, change);
    const policy = Object.fromEntries(PARTS.filter((one) => state[one]).map((one) => [one, state[one] === "keep"]));
    try {
      await model.decide({ favor: state.favor || undefined, policy });
    } catch (error) {
      report.textContent = t("failed", { detail: error.message });
    }
  }
  model.addEventListener("decision", tell);
  tell();

  const favors = ["precision", "balanced", "recall"].map((one) => [one, t(`favor.${one}`)]);
  const favor = pick(t("control.favor"), favors, state.favor || "balanced", (chosen) => decide({ favor: chosen === "balanced" ? "" : chosen }));
  const choices = [["", t("policy.default")], ["keep", t("policy.keep")], ["drop", t("policy.drop")]];
  const part = (name) => pick(t(`policy.${name}`), choices, state[name] ?? "", (chosen) => decide({ [name]: chosen }));
  const hidden = h("input", {
    type: "checkbox", name: "hidden", checked: state.hidden === "1",
    onchange: () => {
      frame.send({ kind: "reveal", shown: hidden.checked });
      remember(state, { hidden: hidden.checked ? "1" : "" });
    },
  });
  const element = h("div", { class: "controls" }, favor, menu(t("control.policy"), PARTS.map(part)),
    h("label", { class: "check" }, hidden, t("control.hidden")), report);
  return { element, decide, toggleHidden: () => hidden.click() };
}
