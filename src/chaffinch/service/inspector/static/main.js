// The inspector's shell: its header, its views, its keyboard map.

import { BOUND, TOKEN, ask, bindKeys, failure, fill, h } from "./dom.js";
import { openPage, openStart } from "./page.js";
import { facts, go, route } from "./routes.js";
import { openSite } from "./site.js";
import { openTeach } from "./teach.js";
import { t } from "./texts.js";

const VIEWS = { "": openStart, page: openPage, site: openSite, teach: openTeach };
const place = h("main", { id: "view", tabindex: "-1" });

function draw() {
  fill(document.body,
    h("a", {
      class: "skip", href: "#view",
      onclick: (event) => { event.preventDefault(); place.focus(); },
    }, t("skip")),
    h("header", { class: "bar" },
      h("a", { class: "brand", href: "#/" }, h("img", { src: "/static/icon.svg", alt: "", width: 24, height: 24 }), "Chaffinch"),
      h("nav", { "aria-label": t("views") }, h("a", { href: "#/", "data-view": "" }, t("start")),
        facts.kind === "site" ? h("a", { href: "#/site", "data-view": "site" }, t("site")) : null),
      h("span", { class: "filler" }), h("a", { href: "/openapi.json" }, t("api")),
      h("button", { class: "quiet", title: t("keys"), "aria-label": t("keys"), onclick: showKeys }, "?")),
    place,
    h("dialog", { id: "keys", "aria-labelledby": "keys-title" }));
}

function showKeys() {
  const dialog = document.getElementById("keys");
  const line = ([keys, text]) => h("div", {}, h("dt", {}, keys.map((key) => h("kbd", {}, key))), h("dd", {}, t(text)));
  fill(dialog, h("h2", { id: "keys-title" }, t("keys")),
    [...BOUND].map(([scope, bindings]) => [h("h3", {}, t(scope)), h("dl", {}, bindings.map(line))]),
    h("button", { onclick: () => dialog.close() }, t("close")));
  dialog.showModal();
}

/** Ask the service for what it says of itself, and people for a token where it wants one. */
async function begin() {
  for (let refused = ""; ; refused = t("token.refused")) {
    try {
      Object.assign(facts, await ask("/v1/inspect"));
      return;
    } catch (error) {
      if (!error.wantsToken) throw error;
    }
    const field = h("input", { type: "password", name: "token", required: true, autocomplete: "off" });
    await new Promise((resolve) => {
      fill(place, h("form", {
        class: "start narrow",
        onsubmit: (event) => {
          event.preventDefault();
          sessionStorage.setItem(TOKEN, field.value);
          resolve();
        },
      }, h("label", {}, t("token"), field), h("button", { class: "first" }, t("continue")), refused && failure(refused)));
      field.focus();
    });
  }
}

bindKeys("views", [[["?"], "keys", showKeys], [["g"], "start", () => go("")]]);
draw();
await begin();
draw();
route(VIEWS, place, (name) => {
  for (const link of document.querySelectorAll("nav a[data-view]")) {
    link.toggleAttribute("aria-current", link.dataset.view === name);
  }
});
