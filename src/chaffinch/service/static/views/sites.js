// The sites that the service keeps: opened to be looked at and taught, or learned from pages.

import { ask } from "../api.js";
import { pageFields } from "../components/page-fields.js";
import { fill, h } from "../dom.js";
import { t } from "../i18n.js";
import { go, registerView } from "../router.js";
import { facts } from "../service-facts.js";
import { siteOf } from "../site-model.js";

function open() {
  const list = h("ul", { class: "site-list" });
  const state = h("p", { role: "status", class: "state" }, t("general.working"));
  const element = h("div", { class: "start" }, h("h1", {}, t("sites.title")), h("p", { class: "lead" }, t("sites.lead")),
    state, list, facts.writes ? learnForm() : h("p", { class: "soft" }, t("teach.readonly")));
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

function learnForm() {
  const name = h("input", { name: "site", required: true, pattern: "[a-z0-9][a-z0-9.\\-]*", spellcheck: "false" });
  const [fields, given] = pageFields("learn");
  const state = h("p", { role: "status", class: "state" });

  async function learn(event) {
    event.preventDefault();
    state.textContent = t("sites.learning");
    try {
      const headers = { "If-None-Match": "*" };
      await ask(`/v1/sites/${encodeURIComponent(name.value)}/learn`, { pages: await given() }, { headers });
      go("site", { site: name.value });
    } catch (error) {
      state.textContent = t("general.failed", { detail: error.message });
    }
  }

  return h("form", { class: "learn", onsubmit: learn }, h("h2", {}, t("sites.learn")),
    h("label", {}, t("sites.name"), name), fields,
    h("div", { class: "row" }, h("button", { class: "first" }, t("sites.learn.button")), state));
}

registerView("sites", { title: "sites.title", open, inMenu: "kept" });
