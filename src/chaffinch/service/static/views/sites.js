// The sites that the service keeps: opened to be looked at and taught, or learned from pages.

import { ask } from "../api.js";
import { fill, h } from "../dom.js";
import { t } from "../i18n.js";
import { registerView } from "../router.js";
import { siteOf } from "../site-model.js";

function open() {
  const list = h("ul", { class: "site-list" });
  const state = h("p", { role: "status", class: "state" }, t("general.working"));
  const element = h("div", { class: "start" }, h("h1", {}, t("sites.title")), h("p", { class: "lead" }, t("sites.lead")),
    state, list);
  show(list, state);
  return { element };
}

async function show(list, state) {
  try {
    const { sites } = await ask("/v1/sites");
    state.textContent = sites.length ? "" : t("sites.none");
    fill(list, sites.map((name) => {
      const site = siteOf(new URLSearchParams({ site: name }));
      return h("li", {}, h("a", { class: "entry", href: site.address("site") }, name));
    }));
  } catch (error) {
    state.textContent = t("general.failed", { detail: error.message });
  }
}

registerView("sites", { title: "sites.title", open, inMenu: "kept" });
