// The templates of a site: what each is known by, its rules, its places, its pages side by side.

import { fill, h } from "../dom.js";
import { number, t } from "../i18n.js";

const share = (value) => `${Math.round(100 * value)} %`;

/** `<site-templates>`: call `start` with the site and the name of the template to open. */
export class SiteTemplates extends HTMLElement {
  #site = null;

  start(site, chosen) {
    this.#site = site;
    const { templates } = site.report;
    const one = templates.find(({ name }) => name === chosen) ?? templates[0];
    const list = h("nav", { class: "template-list", "aria-label": t("site.templates") }, templates.map((each) =>
      h("a", {
        class: "entry", href: site.address("site", { section: "templates", template: each.name }),
        "aria-current": each === one ? "true" : null,
      }, h("strong", {}, each.name), h("span", { class: "soft" }, number(each.pages)))));
    this.replaceChildren(list, one ? this.#template(one) : h("p", { class: "state" }, "–"));
  }

  #template(one) {
    const slots = h("div", { class: "slots" }, h("p", { role: "status", class: "soft" }, t("general.working")));
    const together = h("div", { class: "together" });
    const article = h("article", { class: "template-view" },
      h("h2", {}, one.name),
      h("p", { class: "soft" }, t("site.template.facts", {
        pages: number(one.pages), share: share(one.share), kept: share(one.kept), returning: number(one.returning_texts),
      })),
      one.signs.length ? h("p", {}, t("site.signs"), " ", one.signs.map((sign) => h("code", {}, sign))) : null,
      h("ul", { class: "rules" }, one.rules.map((rule) => h("li", {},
        h("span", { class: `kind ${rule.kind}` }, t(`teach.kind.${rule.kind}`)), h("code", {}, rule.select),
        h("span", { class: "soft" }, rule.by_hand ? t("site.written")
          : t("site.learned", { support: number(rule.support), confidence: share(rule.confidence) })),
        rule.example ? h("q", { class: "soft", dir: "auto", title: rule.example_page }, rule.example) : null))),
      h("h3", {}, t("site.slots")), slots,
      h("h3", {}, t("site.together")), h("p", { class: "soft" }, t("site.together.lead")), together);
    this.#load(one.name, slots, together);
    return article;
  }

  async #load(name, slots, together) {
    try {
      fill(slots, slotTable((await this.#site.slots(name)).slots));
      fill(together, sideBySide(this.#site, await this.#site.together(name)));
    } catch (error) {
      fill(slots, h("p", { role: "alert", class: "wrong" }, t("general.failed", { detail: error.message })));
    }
  }
}

function slotTable(slots) {
  const names = ["place", "probability", "repeats", "linked", "on.pages", "length"];
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": t("site.slots") }, h("table", { class: "list heat" },
    h("thead", {}, h("tr", {}, names.map((one) => h("th", { scope: "col" }, t(`site.${one}`))))),
    h("tbody", {}, slots.map((one) => h("tr", {},
      h("td", {}, h("code", {}, one.name)),
      shade(one.probability, "probability"), shade(one.repeats, "repeats"), shade(one.linked, "linked"),
      h("td", { class: "number" }, number(one.pages)),
      h("td", { class: "number" }, number(one.length)))))));
}

/** A cell whose ground shows a share. */
function shade(value, kind) {
  const cell = h("td", { class: `shade ${kind}` }, value.toFixed(2));
  cell.style.setProperty("--share", value);
  return cell;
}

function sideBySide(site, { pages, places }) {
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": t("site.together") }, h("table", { class: "list beside" },
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("site.place")), pages.map((one) =>
      h("th", { scope: "col" }, h("a", { class: "entry", href: site.address("teach", { page: one.number }), dir: "auto" }, one.title || one.url || number(one.number)))))),
    h("tbody", {}, places.map(({ place, cells }) => h("tr", {},
      h("th", { scope: "row" }, h("code", {}, place)),
      cells.map((some) => h("td", {}, some.slice(0, 3).map((one) =>
        h(one.keep ? "p" : "del", { dir: "auto" }, one.text)),
      some.length > 3 ? h("span", { class: "soft" }, `+ ${some.length - 3}`) : null)))))));
}

customElements.define("site-templates", SiteTemplates);
