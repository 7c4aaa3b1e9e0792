// The inspector's shell: its header, its views, its keyboard map.

import { setToken } from "./api.js";
import { fill, h } from "./dom.js";
import { LANGUAGES, language, setLanguage, t } from "./i18n.js";
import { bindKeys, boundKeys } from "./keys.js";
import { go, route, views } from "./router.js";
import { askFacts, facts } from "./service-facts.js";
import { applyTheme, nextTheme, theme } from "./theme.js";
import "./views/start.js";
import "./views/page.js";
import "./views/site.js";
import "./views/sites.js";
import "./views/teach.js";

const place = h("main", { id: "view", tabindex: "-1" });
let reopen = () => {};

function header() {
  const languages = h(
    "select",
    { "aria-label": t("general.language"), onchange: (event) => changeLanguage(event.target.value) },
    Object.entries(LANGUAGES).map(([name, text]) =>
      h("option", { value: name, selected: name === language(), lang: name }, text),
    ),
  );
  return h(
    "header",
    { class: "bar" },
    h(
      "a",
      { class: "brand", href: "#/" },
      h("img", { src: "/static/icon.svg", alt: "", width: 28, height: 28 }),
      h("span", {}, "Chaffinch"),
    ),
    h(
      "nav",
      { "aria-label": t("general.views") },
      views()
        .filter(([, view]) => view.inMenu === true || view.inMenu === facts.kind || (view.inMenu === "kept" && facts.sites))
        .map(([name, view]) => h("a", { href: `#/${name}`, "data-view": name }, t(view.title))),
    ),
    h("span", { class: "filler" }),
    h("a", { href: "/docs" }, t("general.endpoints")),
    languages,
    h(
      "button",
      { class: "quiet", title: t(`general.theme.${theme() || "system"}`), onclick: changeTheme },
      { light: "☀", dark: "☾" }[theme()] ?? "◐",
      h("span", { class: "unseen" }, t(`general.theme.${theme() || "system"}`)),
    ),
    h(
      "button",
      { class: "quiet", title: t("general.keys"), onclick: showKeys },
      "?",
      h("span", { class: "unseen" }, t("general.keys")),
    ),
  );
}

function draw() {
  document.body.replaceChildren(
    h("a", { class: "skip", href: "#view", onclick: skip }, t("general.skip")),
    header(),
    place,
    h("dialog", { id: "keys", "aria-labelledby": "keys-title" }),
  );
}

function skip(event) {
  event.preventDefault();
  place.focus();
}

function changeTheme() {
  nextTheme();
  draw();
}

function changeLanguage(name) {
  setLanguage(name);
  draw();
  reopen();
}

function showKeys() {
  const dialog = document.getElementById("keys");
  const scopes = boundKeys().map(([scope, bindings]) => [
    h("h3", {}, t(scope)),
    h(
      "dl",
      { class: "keys" },
      bindings.map((one) =>
        h(
          "div",
          {},
          h("dt", {}, one.keys.map((key) => h("kbd", {}, key === " " ? "␣" : key))),
          h("dd", {}, t(one.text)),
        ),
      ),
    ),
  ]);
  fill(
    dialog,
    h("h2", { id: "keys-title" }, t("general.keys")),
    scopes,
    h("button", { onclick: () => dialog.close() }, t("general.close")),
  );
  dialog.showModal();
}

function markMenu(name) {
  for (const link of document.querySelectorAll("nav a[data-view]")) {
    link.toggleAttribute("aria-current", link.dataset.view === name);
  }
}

/** Ask the service for what it says of itself, and people for a token where it wants one. */
async function begin() {
  for (;;) {
    try {
      return await askFacts();
    } catch (error) {
      if (error.kind !== "unauthorized") throw error;
      await tokenGiven();
    }
  }
}

function tokenGiven() {
  return new Promise((resolve) => {
    const field = h("input", { type: "password", name: "token", required: true, autocomplete: "off" });
    const form = h(
      "form",
      {
        class: "card narrow",
        onsubmit: (event) => {
          event.preventDefault();
          setToken(field.value);
          resolve();
        },
      },
      h("label", {}, t("general.token"), field),
      h("button", { class: "first" }, t("general.continue")),
    );
    fill(place, form);
    field.focus();
  });
}

bindKeys("general.everywhere", [
  { keys: ["?"], text: "general.keys", run: showKeys },
  { keys: ["g"], text: "start.title", run: () => go("") },
]);
applyTheme();
setLanguage(language());
draw();
await begin();
draw();
reopen = route(place, markMenu);
