// A site that is taught: its pages, the most doubtful first, rules of people, what changed.

import { ask, bindKeys, fill, h } from "./dom.js";
import { addressOf, facts } from "./routes.js";
import { t } from "./texts.js";

const MOST_ROWS = 500;

export const share = (value) => `${Math.round(100 * value)} %`;

// The site that the operator opened. Events: `pages` (more pages were read or judged),
// `model` (its file changed), `failed` (pages couldn't be read; `detail` is the error).
class SiteModel extends EventTarget {
  report = null;
  pages = []; // by number; null for one that wasn't read yet
  kept = []; // rules that were kept since the view was opened, each with its mark
  #opening = null;
  #turn = 0;

  #ask(view, body = {}) {
    return ask(`/v1/inspect/site/${view}`, body);
  }

  /** Read the model once; pages are read after it, portion by portion. */
  async open() {
    if (facts.kind !== "site") throw new Error(t("site.none"));
    this.#opening ??= this.#ask("overview").then((report) => {
      this.#take(report);
      this.pages = report.names.map(() => null);
      this.read();
    });
    await this.#opening.catch((error) => { this.#opening = null; throw error; });
  }

  #take(report) {
    this.report = report;
    this.dispatchEvent(new Event("model"));
  }

  /** Read all pages, or judge them anew after a change. */
  async read() {
    const turn = (this.#turn += 1);
    try {
      for (let start = 0; start < this.pages.length;) {
        const { pages } = await this.#ask("pages", { number: start });
        if (turn !== this.#turn) return;
        for (const one of pages) this.pages[one.number] = { ...one, name: this.report.names[one.number] };
        start += pages.length;
        this.dispatchEvent(new Event("pages"));
      }
      const report = await this.#ask("overview");
      if (turn === this.#turn) this.#take(report);
    } catch (error) {
      this.dispatchEvent(new CustomEvent("failed", { detail: error }));
    }
  }

  /** The pages that were read, those most worth a look first. */
  get worstFirst() {
    const known = this.pages.filter((one) => one !== null && !one.problem);
    return known.sort((one, two) => two.doubt - one.doubt || one.number - two.number);
  }

  /** The page that follows another in that order, or comes before it. */
  beside(number, by) {
    const order = this.worstFirst;
    const at = order.findIndex((one) => one.number === number);
    return order[(at + by + order.length) % order.length]?.number ?? number;
  }

  page(number) {
    return this.#ask("page", { number });
  }

  /** Return the candidates for a mark; `select` tries one selector of the person's own. */
  propose(mark, select = null) {
    return this.#ask("propose", { marks: this.#marksFor(mark), select });
  }

  #marksFor(mark) {
    const others = this.kept.map((one) => one.mark).filter((one) => one.page !== mark.page || one.row !== mark.row);
    return [...others, mark];
  }

  /** Write a rule into the site's file. */
  async keep(mark, { select, template }) {
    const body = { marks: this.#marksFor(mark), select, template, version: this.report.version };
    this.#take(await this.#ask("keep", body));
    this.kept.push({ kind: mark.kind, select, template, mark });
    this.read();
  }

  /** Take a rule of a person out of the site's file. */
  async remove({ kind, select, template }) {
    this.#take(await this.#ask("remove", { kind, select, template, version: this.report.version }));
    const at = this.kept.findLastIndex((one) => one.kind === kind && one.select === select && one.template === template);
    if (at >= 0) this.kept.splice(at, 1);
    this.read();
  }

  /** Take back the rule that was kept last; return what is to be said of it. */
  async undo() {
    const last = this.kept.at(-1);
    if (!last) return t("site.nothing");
    await this.remove(last);
    return t("site.undone", { rule: `${t(`kind.${last.kind}`)} ${last.select}` });
  }

  /** The rules of people, each with the template that it is for. */
  get ruledByHand() {
    const of = (rules, template) => rules.filter((one) => one.by_hand).map((one) => ({ ...one, template }));
    return [...of(this.report.rules, ""), ...this.report.templates.flatMap((one) => of(one.rules, one.name))];
  }
}

/** The site of the service, if it has one. */
export const opened = new SiteModel();

export async function openSite(_params, element, signal) {
  const site = opened;
  await site.open();
  if (signal.aborted) return;
  const state = h("p", { role: "status", class: "soft said" });
  const known = h("p", { class: "soft" });
  const list = pageList(site), aside = h("aside", {});
  const failed = ({ detail }) => { state.textContent = t("failed", { detail: detail.message }); };
  const about = () => {
    const { templates } = site.report;
    known.textContent = t("site.facts", { pages: site.pages.length, templates: templates.length });
    const changes = site.report.findings.map((one) => h("li", {}, one));
    fill(aside, rulesPart(site, failed), card("site.drift", "findings", changes, "site.no.drift"));
  };
  fill(element, h("div", { class: "heading" }, h("h1", {}, site.report.site || t("site")), known),
    state, h("div", { class: "panes" }, list.element, aside));
  about();
  site.addEventListener("pages", () => list.draw(), { signal });
  site.addEventListener("model", about, { signal });
  site.addEventListener("failed", failed, { signal });
  const step = (by) => () => {
    const links = [...element.querySelectorAll("a.entry")];
    const at = links.indexOf(document.activeElement);
    links[at < 0 ? 0 : Math.max(0, Math.min(links.length - 1, at + by))]?.focus();
  };
  bindKeys("site", [
    [["ArrowDown", "j"], "teach.next", step(1)],
    [["ArrowUp", "k"], "teach.previous", step(-1)],
  ], signal);
}

function pageList(site) {
  const text = h("input", { type: "search", placeholder: t("site.filter"), "aria-label": t("site.filter"), oninput: () => list.draw() });
  const template = h("select", { "aria-label": t("site.template"), onchange: () => list.draw() },
    h("option", { value: "*" }, t("site.all")),
    [...site.report.templates.map((one) => one.name), ""].map((one) => h("option", { value: one }, one || t("site.no.template"))));
  const state = h("p", { class: "soft count", role: "status" });
  const body = h("tbody");
  const head = ["page", "template", "doubt", "kept"].map((one) => h("th", { scope: "col" }, t(`site.${one}`)));
  const list = {
    element: h("section", { class: "pane", "aria-label": t("site.page") }, h("div", { class: "filters" }, text, template, state),
      h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, head)), body))),
    draw() {
      const wanted = text.value.trim().toLowerCase();
      const some = site.worstFirst.filter((one) => (template.value === "*" || one.template === template.value) &&
        (!wanted || `${one.title} ${one.url ?? one.name}`.toLowerCase().includes(wanted)));
      const at = document.activeElement?.dataset?.page;
      fill(body, some.slice(0, MOST_ROWS).map((one) => h("tr", {},
        h("td", { class: "page" },
          h("a", { class: "entry", href: addressOf("teach", { page: one.number }), "data-page": one.number, dir: "auto" }, one.title || one.url || one.name),
          h("span", { class: "soft" }, one.url || one.name)),
        h("td", {}, one.template || h("span", { class: "soft" }, t("site.no.template"))),
        h("td", { class: "number" }, share(one.doubt)), h("td", { class: "number" }, share(one.kept)))));
      if (at !== undefined) body.querySelector(`a[data-page="${at}"]`)?.focus();
      const count = site.pages.length, read = site.pages.filter((one) => one !== null).length;
      const failed = site.pages.filter((one) => one?.problem).length;
      state.textContent = t(read < count ? "site.reading" : "site.read", { read, count }) + (failed ? `, ${t("site.failed", { count: failed })}` : "");
    },
  };
  list.draw();
  return list;
}

function card(title, name, items, none) {
  return h("section", { class: "card" }, h("h2", {}, t(title)),
    items.length ? h("ul", { class: name }, items) : h("p", { class: "soft" }, t(none)));
}

function rulesPart(site, failed) {
  const rules = site.ruledByHand.map((rule) => h("li", {},
    h("strong", {}, rule.kind.startsWith("field:") ? rule.kind : t(`kind.${rule.kind}`)), " ", h("code", {}, rule.select), " ",
    h("span", { class: "soft" }, rule.template ? t("site.of.template", { name: rule.template }) : t("site.everywhere"),
      rule.taught ? `, ${t("site.taught", { date: rule.taught, share: share(rule.share) })}` : null), " ",
    h("button", { class: "quiet", onclick: () => site.remove(rule).catch((detail) => failed({ detail })) }, t("site.remove"))));
  return card("site.rules", "rules", rules, "site.no.rules");
}
