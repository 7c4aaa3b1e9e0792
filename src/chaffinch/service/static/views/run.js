// The view of a run: its totals, its rows by fixed filters; each row opens its page.

import { ask } from "../api.js";
import { pick } from "../components/choices.js";
import { fill, h } from "../dom.js";
import { number, t } from "../i18n.js";
import { bindKeys } from "../keys.js";
import { addressOf, go, registerView } from "../router.js";

const COUNTS = [
  ["error", "errors"], ["state", "states"], ["page_type", "page_types"], ["language", "languages"],
  ["method", "methods"], ["host", "hosts"], ["truncated", "truncated"],
];
const MOST = 12; // values of a count that are shown
const PORTION = 100;
const BINS = 20;
const ORDERS = ["", "confidence", "length", "score"];

function open(params) {
  const element = h("div", { class: "site-view run-view" }, h("p", { role: "status", class: "state" }, t("general.working")));
  const view = { element, params, stop: new AbortController(), report: null };
  start(view);
  return {
    element,
    update: (changed) => {
      view.params = changed;
      if (view.report) rows(view);
      return true;
    },
    close: () => view.stop.abort(),
  };
}

async function start(view) {
  try {
    view.report = await ask("/v1/inspect/run/report", {}, { signal: view.stop.signal });
  } catch (error) {
    if (error.name === "AbortError") return;
    const text = error.status === 404 ? t("run.none") : t("general.failed", { detail: error.message });
    fill(view.element, h("p", { role: "alert", class: "state wrong" }, text));
    return;
  }
  draw(view);
  const unbind = bindKeys("run.title", [
    { keys: ["ArrowDown", "j"], text: "run.key.next", run: () => step(view, 1) },
    { keys: ["ArrowUp", "k"], text: "run.key.previous", run: () => step(view, -1) },
    { keys: ["Enter"], text: "run.key.open", run: () => document.activeElement?.closest("a")?.click() },
    { keys: ["f"], text: "run.key.find", run: () => view.element.querySelector("input[type=search]").focus() },
  ]);
  view.stop.signal.addEventListener("abort", unbind);
}

function step(view, by) {
  const links = [...view.element.querySelectorAll("a.entry")];
  const at = links.indexOf(document.activeElement);
  links[at < 0 ? (by > 0 ? 0 : links.length - 1) : Math.max(0, Math.min(links.length - 1, at + by))]?.focus();
}

/** Go to the rows of other filters; those that aren't named stay. */
function want(view, changed) {
  const given = { ...Object.fromEntries(view.params), start: "", ...changed };
  const kept = Object.entries(given).filter(([, value]) => value !== null && value !== undefined);
  location.hash = `#/run?${new URLSearchParams(kept.filter(([name, value]) => value !== "" || isValue(name)))}`;
}

const isValue = (name) => COUNTS.some(([column]) => column === name);

function draw(view) {
  const { tally, done, about, pages_per_second: rate, duplicates } = view.report;
  const failed = Object.values(tally.errors).reduce((sum, one) => sum + one, 0);
  const chips = [
    [t("run.pages"), number(tally.rows)], [t("run.errors"), number(failed)],
    [t("run.done"), `${number(done)} / ${number(about.shards)}`], [t("run.rate"), number(rate, 1)],
    duplicates.pages ? [t("run.duplicates"), number(duplicates.pages)] : null,
  ].filter(Boolean);
  view.counts = h("aside", { class: "counts", "aria-label": t("run.filters") });
  view.rows = h("div", { class: "run-rows" });
  fill(view.element,
    h("div", { class: "heading" }, h("h1", {}, t("run.title")),
      h("dl", { class: "chips" }, chips.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))))),
    h("div", { class: "site-body run-body" }, view.counts, view.rows));
  rows(view);
}

function countsPart(view) {
  const { tally } = view.report;
  const of = ([column, name]) => {
    const found = Object.entries(tally[name] ?? {}).sort((one, two) => two[1] - one[1]).slice(0, MOST);
    if (!found.length) return null;
    const most = found[0][1];
    return h("section", {}, h("h2", {}, t(`run.by.${column}`)), h("ul", {}, found.map(([value, count]) => {
      const isChosen = view.params.get(column) === value;
      const button = h("button", { "aria-pressed": String(isChosen), onclick: () => want(view, { [column]: isChosen ? null : value }) },
        h("span", { class: "name" }, value || t("run.without")), h("span", { class: "number" }, number(count)));
      button.style.setProperty("--share", count / most);
      return h("li", {}, button);
    })));
  };
  return [...COUNTS.map(of), confidencePart(view)];
}

/** The confidence as a picture of its bins; each filters by its bounds. */
function confidencePart(view) {
  const bins = Array.from({ length: BINS }, (_, at) => view.report.tally.confidence[at] ?? 0);
  const most = Math.max(1, ...bins);
  const least = Number(view.params.get("least") ?? NaN);
  return h("section", {}, h("h2", {}, t("run.confidence")), h("div", { class: "histogram" }, bins.map((count, at) => {
    const bounds = [at / BINS, (at + 1) / BINS];
    const isChosen = least === bounds[0];
    const text = `${bounds[0].toFixed(2)}–${bounds[1].toFixed(2)}: ${number(count)}`;
    const button = h("button", { title: text, "aria-label": text, "aria-pressed": String(isChosen), disabled: !count,
      onclick: () => want(view, isChosen ? { least: null, most: null } : { least: bounds[0], most: bounds[1] }) });
    button.style.setProperty("--share", count / most);
    return button;
  })));
}

async function rows(view) {
  fill(view.counts, countsPart(view));
  const given = Object.fromEntries(view.params);
  const asked = { order: given.order ?? "", text: given.text ?? "", start: Number(given.start ?? 0), count: PORTION };
  for (const [column] of COUNTS) if (column in given) asked[column] = given[column];
  for (const name of ["least", "most"]) if (name in given) asked[name] = Number(given[name]);
  const turn = (view.turn = (view.turn ?? 0) + 1);
  try {
    const found = await ask("/v1/inspect/run/rows", asked, { signal: view.stop.signal });
    if (turn === view.turn) fill(view.rows, controls(view, asked, found), table(found.rows));
  } catch (error) {
    if (error.name === "AbortError") return;
    fill(view.rows, h("p", { role: "alert", class: "wrong" }, t("general.failed", { detail: error.message })));
  }
}

function controls(view, asked, { total, rows: some }) {
  const text = h("input", { type: "search", value: asked.text, placeholder: t("run.text"), "aria-label": t("run.text"),
    onchange: (event) => want(view, { text: event.target.value.trim() }) });
  const said = total ? t("run.found", { total: number(total), from: number(asked.start + 1), to: number(asked.start + some.length) })
    : t("run.found.none");
  return h("div", { class: "filters" }, text,
    pick(t("run.order"), ORDERS.map((one) => [one, t(`run.order.${one}`)]), asked.order, (chosen) => want(view, { order: chosen })),
    h("button", { onclick: () => go("run") }, t("run.clear")),
    h("span", { class: "soft count", role: "status" }, said),
    asked.start ? h("button", { onclick: () => want(view, { start: Math.max(0, asked.start - PORTION) }) }, `‹ ${t("run.before")}`) : null,
    asked.start + some.length < total ? h("button", { onclick: () => want(view, { start: asked.start + PORTION }) }, `${t("run.more")} ›`) : null);
}

function table(some) {
  const names = ["page", "type", "language", "length", "error"];
  return h("div", { class: "scroll" }, h("table", { class: "list" },
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("run.confidence")), names.map((one) => h("th", { scope: "col" }, t(`run.column.${one}`))))),
    h("tbody", {}, some.map((one) => h("tr", {},
      h("td", { class: "confidence" }, one.confidence === null ? "–" : one.confidence.toFixed(2)),
      h("td", { class: "page" },
        h("a", { class: "entry", href: addressOf("page", { given: one.id }), dir: "auto" }, one.title || t("run.untitled")),
        h("span", { class: "soft address" }, one.url || one.member || one.file)),
      h("td", {}, one.page_type ?? "–"), h("td", {}, one.language || "–"),
      h("td", { class: "number" }, one.length === null ? "–" : number(one.length)),
      h("td", {}, one.error ? h("span", { class: "kind drop", title: one.error_detail ?? "" }, one.error) : ""))))));
}

registerView("run", { title: "run.title", open, inMenu: "run" });
