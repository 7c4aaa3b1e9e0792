// The view of a site: its pages, the most doubtful first; its templates; rules of people; drift.

import "../components/site-templates.js";
import { fill, h, onceAFrame } from "../dom.js";
import { number, t } from "../i18n.js";
import { bindKeys } from "../keys.js";
import { addressOf, go, registerView } from "../router.js";
import { SITE } from "../site-model.js";

const SECTIONS = ["pages", "templates", "rules", "drift"];
const MOST_ROWS = 500;

function open(params) {
  const element = h("div", { class: "site-view" }, h("p", { role: "status", class: "state" }, t("general.working")));
  const stop = new AbortController();
  const view = { element, params, stop, section: null };
  start(view);
  return {
    element,
    update: (changed) => {
      view.params = changed;
      view.show?.();
      return true;
    },
    close: () => stop.abort(),
  };
}

async function start(view) {
  try {
    await SITE.open();
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
    fill(head, heading());
    fill(tabs, SECTIONS.map((one) => h("a", {
      href: addressOf("site", { section: one }), "aria-current": one === section ? "page" : null,
    }, t(`site.${one}`))));
    fill(body, PARTS[section](view));
    view.version = SITE.report.version;
  };
  const changed = () => {
    // What is typed, scrolled or focused stays: the list has its own refresh, and templates stay as they
    // are while only the drift is known better.
    const section = sectionOf(view);
    const isSame = section === "pages" || (section === "templates" && view.version === SITE.report.version);
    if (!isSame) view.show();
    else {
      fill(head, heading());
      view.refresh?.();
    }
  };
  const { signal } = view.stop;
  const later = onceAFrame(() => view.refresh?.());
  SITE.addEventListener("pages", later, { signal });
  SITE.addEventListener("model", changed, { signal });
  SITE.addEventListener("failed", ({ detail }) => {
    view.state.textContent = t("general.failed", { detail: detail.message });
  }, { signal });
  view.show();
}

function heading() {
  const { report } = SITE;
  const pages = report.learned.reduce((sum, one) => sum + one.pages, 0);
  const chips = [
    [t("site.chip.pages"), number(SITE.pages.length)],
    [t("site.chip.templates"), number(report.templates.length)],
    [t("site.chip.mode"), report.mode],
    pages ? [t("site.chip.learned"), number(pages)] : null,
    [t("site.chip.rules"), number(SITE.ruledByHand.length)],
  ].filter(Boolean);
  return [
    h("h1", {}, report.site || t("site.unnamed")),
    h("dl", { class: "chips" }, chips.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))),
    h("button", { class: "undo", onclick: () => undo(null), disabled: !SITE.kept.length }, t("site.undo")),
  ];
}

async function undo(view) {
  const last = await SITE.undo();
  const text = last ? t("site.undone", { rule: `${last.kind} ${last.select}` }) : t("site.nothing.undone");
  if (view?.state) view.state.textContent = text;
}

function nextSection(view) {
  const at = SECTIONS.indexOf(sectionOf(view));
  go("site", { section: SECTIONS[(at + 1) % SECTIONS.length] });
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
  const names = SITE.report.templates.map((one) => one.name);
  const wanted = h("input", { type: "search", placeholder: t("site.filter"), "aria-label": t("site.filter"), oninput: () => rows() });
  const template = h("select", { "aria-label": t("site.template"), onchange: () => rows() },
    h("option", { value: "*" }, t("site.all")),
    [...names, ""].map((one) => h("option", { value: one, selected: view.params.get("template") === one }, one || t("site.no.template"))));
  const state = h("span", { class: "soft count", role: "status" });
  const body = h("tbody");
  const columns = ["doubt", "page", "template", "agree", "confidence", "kept"];
  const table = h("table", { class: "list pages" },
    h("thead", {}, h("tr", {}, columns.map((one) => h("th", { scope: "col", class: one }, t(`site.${one}`))))), body);

  function rows() {
    const text = wanted.value.trim().toLowerCase();
    const some = SITE.worstFirst.filter((one) =>
      (template.value === "*" || one.template === template.value) &&
      (!text || `${one.title} ${one.url ?? one.name}`.toLowerCase().includes(text)));
    const at = document.activeElement?.dataset?.page;
    fill(body, some.slice(0, MOST_ROWS).map(pageRow));
    if (at !== undefined) body.querySelector(`a[data-page="${at}"]`)?.focus();
    const count = SITE.pages.length, read = SITE.readCount;
    const failed = SITE.pages.filter((one) => one?.problem).length;
    state.textContent = [
      t(read < count ? "site.reading" : "site.read", { read: number(read), count: number(count) }),
      failed ? t("site.failed", { count: number(failed) }) : "",
    ].filter(Boolean).join(" · ");
  }

  view.refresh = rows;
  rows();
  return [h("div", { class: "filters" }, wanted, template, state), h("div", { class: "scroll" }, table)];
}

function pageRow(one) {
  return h("tr", {},
    h("td", { class: "doubt" }, bar(one.doubt, "doubtful")),
    h("td", { class: "page" },
      h("a", { class: "entry", href: addressOf("teach", { page: one.number }), "data-page": one.number, dir: "auto" }, one.title || one.url || one.name),
      h("span", { class: "soft address" }, one.url || one.name)),
    h("td", { class: "template" }, one.template || h("span", { class: "soft" }, t("site.no.template"))),
    h("td", { class: "agree" }, bar(one.agreement)),
    h("td", { class: "confidence" }, one.confidence === null ? "–" : one.confidence.toFixed(2)),
    h("td", { class: "kept" }, `${Math.round(100 * one.kept)} %`));
}

function templatesPart(view) {
  view.refresh = null;
  const part = h("site-templates");
  part.start(SITE, view.params.get("template"));
  return part;
}

function rulesPart(view) {
  view.refresh = null;
  const rules = SITE.ruledByHand;
  if (!rules.length) return h("p", { class: "state" }, t("site.no.rules"));
  return h("ul", { class: "rules" }, rules.map((rule) => h("li", { class: "card" },
    h("span", { class: `kind ${rule.kind}` }, t(`teach.kind.${rule.kind}`)),
    h("code", {}, rule.select),
    h("span", { class: "soft" }, rule.template ? t("teach.of.template", { name: rule.template }) : t("site.all.pages")),
    h("span", { class: "soft" }, rule.taught
      ? t("site.taught", { date: rule.taught, share: `${Math.round(100 * rule.share)} %` })
      : t("site.written")),
    h("button", { onclick: () => SITE.remove(rule) }, t("site.remove")))));
}

function driftPart(view) {
  view.refresh = null;
  const { findings } = SITE.report;
  if (!findings.length) return h("p", { class: "state" }, t("site.no.drift"));
  return h("ul", { class: "findings" }, findings.map((one) => h("li", { class: "card" }, one)));
}

const PARTS = { pages: pagesPart, templates: templatesPart, rules: rulesPart, drift: driftPart };

registerView("site", { title: "site.title", open, inMenu: "site" });
