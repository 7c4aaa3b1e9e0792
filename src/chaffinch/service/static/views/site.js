// The view of a site: its pages, the most doubtful first; its templates; rules of people; drift.

import { fill, h, onceAFrame } from "../dom.js";
import { number, t } from "../i18n.js";
import { bindKeys } from "../keys.js";
import { go, registerView } from "../router.js";
import { facts } from "../service-facts.js";
import { siteOf } from "../site-model.js";

const SECTIONS = ["pages", "rules", "drift"];
const MOST_ROWS = 500;

function open(params) {
  const element = h("div", { class: "site-view" }, h("p", { role: "status", class: "state" }, t("general.working")));
  const stop = new AbortController();
  const view = { element, params, stop, section: null, site: siteOf(params) };
  start(view);
  return {
    element,
    update: (changed) => {
      if (siteOf(changed) !== view.site) return false;
      view.params = changed;
      view.show?.();
      return true;
    },
    close: () => stop.abort(),
  };
}

async function start(view) {
  try {
    await view.site.open();
  } catch (error) {
    if (view.stop.signal.aborted) return;
    const text = error.status === 404 ? t("site.none") : t("general.failed", { detail: error.message });
    fill(view.element, h("p", { role: "alert", class: "state wrong" }, text));
    return;
  }
  if (view.stop.signal.aborted) return;
  draw(view);
  const unbind = bindKeys("site.keys", [
    { keys: ["ArrowDown", "j"], text: "site.key.next", run: () => step(view, 1) },
    { keys: ["ArrowUp", "k"], text: "site.key.previous", run: () => step(view, -1) },
    { keys: ["Enter"], text: "site.key.open", run: () => document.activeElement?.closest("a")?.click() },
    { keys: ["s"], text: "site.key.section", run: () => nextSection(view) },
    { keys: ["u"], text: "site.undo", run: () => undo(view) },
  ]);
  view.stop.signal.addEventListener("abort", unbind);
}

function sectionOf(view) {
  const named = view.params.get("section");
  return SECTIONS.includes(named) ? named : "pages";
}

function draw(view) {
  const head = h("div", { class: "heading" });
  const tabs = h("nav", { class: "tabs", "aria-label": t("site.sections") });
  const body = h("div", { class: "site-body" });
  view.state = h("p", { role: "status", class: "soft" });
  fill(view.element, head, tabs, view.state, body);
  view.show = () => {
    const section = sectionOf(view);
    fill(head, heading(view));
    fill(tabs, SECTIONS.map((one) => h("a", {
      href: view.site.address("site", { section: one }), "aria-current": one === section ? "page" : null,
    }, t(`site.${one}`))));
    fill(body, PARTS[section](view));
  };
  const changed = () => {
    // What is typed, scrolled or focused stays: the list has its own refresh.
    if (sectionOf(view) !== "pages") view.show();
    else {
      fill(head, heading(view));
      view.refresh?.();
    }
  };
  const { signal } = view.stop;
  const later = onceAFrame(() => view.refresh?.());
  view.site.addEventListener("pages", later, { signal });
  view.site.addEventListener("model", changed, { signal });
  view.site.addEventListener("failed", ({ detail }) => {
    view.state.textContent = t("general.failed", { detail: detail.message });
  }, { signal });
  view.show();
}

function heading(view) {
  const { report } = view.site;
  const pages = report.learned.reduce((sum, one) => sum + one.pages, 0);
  const chips = [
    [t("site.chip.pages"), number(view.site.pages.length)],
    [t("site.chip.templates"), number(report.templates.length)],
    [t("site.chip.mode"), report.mode],
    pages ? [t("site.chip.learned"), number(pages)] : null,
    [t("site.chip.rules"), number(view.site.ruledByHand.length)],
  ].filter(Boolean);
  return [
    h("h1", {}, view.site.name || report.site || t("site.unnamed")),
    h("dl", { class: "chips" }, chips.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))),
    h("button", { class: "undo", onclick: () => undo(view), disabled: !view.site.kept.length }, t("site.undo")),
  ];
}

async function undo(view) {
  const last = await view.site.undo();
  const text = last ? t("site.undone", { rule: `${last.kind} ${last.select}` }) : t("site.nothing.undone");
  view.state.textContent = text;
}

function nextSection(view) {
  const at = SECTIONS.indexOf(sectionOf(view));
  location.hash = view.site.address("site", { section: SECTIONS[(at + 1) % SECTIONS.length] });
}

function step(view, by) {
  const links = [...view.element.querySelectorAll("a.entry")];
  const at = links.indexOf(document.activeElement);
  links[at < 0 ? (by > 0 ? 0 : links.length - 1) : Math.max(0, Math.min(links.length - 1, at + by))]?.focus();
}

/** A share as a bar with its number beside it. */
function bar(value, kind = "") {
  const shown = h("span", { class: `share ${kind}` }, h("span", { class: "fill" }), h("span", {}, value === null ? "–" : value.toFixed(2)));
  shown.style.setProperty("--share", value ?? 0);
  return shown;
}

function pagesPart(view) {
  const names = view.site.report.templates.map((one) => one.name);
  const wanted = h("input", { type: "search", value: view.params.get("text") ?? "", placeholder: t("site.filter"),
    "aria-label": t("site.filter"), oninput: () => rows() });
  const template = h("select", { "aria-label": t("site.template"), onchange: () => rows() },
    h("option", { value: "*" }, t("site.all")),
    [...names, ""].map((one) => h("option", { value: one, selected: view.params.get("template") === (one || "-") }, one || t("site.no.template"))));
  const state = h("span", { class: "soft count", role: "status" });
  const body = h("tbody");
  const columns = ["doubt", "page", "template", "agree", "confidence", "kept"];
  const table = h("table", { class: "list pages" },
    h("thead", {}, h("tr", {}, columns.map((one) => h("th", { scope: "col", class: one }, t(`site.${one}`))))), body);

  function rows() {
    remember(view, { text: wanted.value, template: template.value === "*" ? "" : template.value || "-" });
    const text = wanted.value.trim().toLowerCase();
    const some = view.site.worstFirst.filter((one) =>
      (template.value === "*" || one.template === template.value) &&
      (!text || `${one.title} ${one.url ?? one.name}`.toLowerCase().includes(text)));
    const at = document.activeElement?.dataset?.page;
    fill(body, some.slice(0, MOST_ROWS).map((one) => pageRow(view, one)));
    if (at !== undefined) body.querySelector(`a[data-page="${at}"]`)?.focus();
    const count = view.site.pages.length, read = view.site.readCount;
    const failed = view.site.pages.filter((one) => one?.problem).length;
    state.textContent = [
      t(read < count ? "site.reading" : "site.read", { read: number(read), count: number(count) }),
      failed ? t("site.failed", { count: number(failed) }) : "",
    ].filter(Boolean).join(" · ");
  }

  view.refresh = rows;
  rows();
  return [h("div", { class: "filters" }, wanted, template, state), h("div", { class: "scroll" }, table)];
}

/** Keep what the list is filtered by in the address. */
function remember(view, { text, template }) {
  view.params = new URLSearchParams({ ...Object.fromEntries(view.params), text, template });
  go("site", Object.fromEntries(view.params), { replace: true });
}

function pageRow(view, one) {
  return h("tr", {},
    h("td", { class: "doubt" }, bar(one.doubt, "doubtful")),
    h("td", { class: "page" },
      h("a", { class: "entry", href: view.site.address("teach", { page: one.number }), "data-page": one.number, dir: "auto" }, one.title || one.url || one.name),
      h("span", { class: "soft address" }, one.url || one.name)),
    h("td", { class: "template" }, one.template || h("span", { class: "soft" }, t("site.no.template"))),
    h("td", { class: "agree" }, bar(one.agreement)),
    h("td", { class: "confidence" }, one.confidence === null ? "–" : one.confidence.toFixed(2)),
    h("td", { class: "kept" }, `${Math.round(100 * one.kept)} %`));
}

function rulesPart(view) {
  view.refresh = null;
  const rules = view.site.ruledByHand;
  if (!rules.length) return h("p", { class: "state" }, t("site.no.rules"));
  return h("ul", { class: "rules" }, rules.map((rule) => h("li", { class: "card" },
    h("span", { class: `kind ${rule.kind}` }, t(`teach.kind.${rule.kind}`)),
    h("code", {}, rule.select),
    h("span", { class: "soft" }, rule.template ? t("teach.of.template", { name: rule.template }) : t("site.all.pages")),
    h("span", { class: "soft" }, rule.taught
      ? t("site.taught", { date: rule.taught, share: `${Math.round(100 * rule.share)} %` })
      : t("site.written")),
    facts.writes ? h("button", { onclick: () => view.site.remove(rule) }, t("site.remove")) : null)));
}

function driftPart(view) {
  view.refresh = null;
  const { findings } = view.site.report;
  if (!findings.length) return h("p", { class: "state" }, t("site.no.drift"));
  return h("ul", { class: "findings" }, findings.map((one) => h("li", { class: "card" }, one)));
}

const PARTS = { pages: pagesPart, rules: rulesPart, drift: driftPart };

registerView("site", { title: "site.title", open, inMenu: "site" });
