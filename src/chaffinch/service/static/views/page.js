// The view of one page: the page itself beside the table of its blocks.

import { ask } from "../api.js";
import "../components/block-table.js";
import "../components/page-frame.js";
import { fill, h } from "../dom.js";
import { number, t } from "../i18n.js";
import { bindKeys } from "../keys.js";
import { PageModel } from "../page-model.js";
import { requestOf } from "../page-source.js";
import { go, registerView } from "../router.js";

function open(params) {
  const element = h("div", { class: "page-view" }, h("p", { role: "status", class: "state" }, t("general.working")));
  const stop = new AbortController();
  const body = requestOf(params);
  if (body === null) go("", {}, { replace: false });
  else load(element, body, params, stop);
  return { element, close: () => stop.abort() };
}

async function load(element, body, params, stop) {
  try {
    const answer = await ask("/v1/inspect/page", body, { signal: stop.signal });
    if (params.has("source")) go("page", { held: answer.held }, { replace: true });
    show(element, new PageModel(answer), stop);
  } catch (error) {
    if (error.name === "AbortError") return;
    fill(element, h("p", { role: "alert", class: "state wrong" }, t("general.failed", { detail: error.message })));
  }
}

function show(element, model, stop) {
  const frame = h("page-frame");
  const table = h("block-table");
  const kept = model.decision.keep.filter(Boolean).length;
  fill(
    element,
    h("h1", { class: "page-title" }, model.title || model.url || t("page.untitled")),
    h("p", { class: "soft facts" }, t("page.summary", {
      kept: number(kept), count: number(model.count), length: number(model.decision.length),
    })),
    h("div", { class: "panes" }, h("section", { class: "pane", "aria-label": t("page.frame") }, frame),
      h("section", { class: "pane", "aria-label": t("page.blocks") }, table)),
  );
  frame.start(model);
  table.start(model);
  const unbind = bindKeys("page.keys", [
    { keys: ["ArrowDown", "j"], text: "page.key.next", run: () => table.step(1) },
    { keys: ["ArrowUp", "k"], text: "page.key.previous", run: () => table.step(-1) },
    { keys: ["Enter"], text: "page.key.choose", run: () => model.marked !== null && model.choose(model.marked, "keys") },
  ]);
  stop.signal.addEventListener("abort", unbind);
}

registerView("page", { title: "page.title", open });
