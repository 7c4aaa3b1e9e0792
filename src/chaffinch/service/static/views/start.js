// The first view: a page by its address, its source, or a dropped file.

import { h } from "../dom.js";
import { t } from "../i18n.js";
import { openSource } from "../page-source.js";
import { go, registerView } from "../router.js";
import { facts } from "../service-facts.js";

function open() {
  const address = h("input", { type: "url", name: "url", placeholder: "https://" });
  const source = h("textarea", {
    name: "source", rows: 6, spellcheck: "false", placeholder: t("start.source.hint"),
  });
  const from = h("input", { type: "url", name: "from", placeholder: "https://" });
  const file = h("input", { type: "file", name: "file", accept: ".html,.htm,.xhtml,text/html" });
  const render = h("input", { type: "checkbox", name: "render" });
  const state = h("p", { role: "status", class: "state" });

  const wanted = () => (render.checked ? { render: "always" } : {});

  async function read(one) {
    openSource({ bytes: new Uint8Array(await one.arrayBuffer()) }, wanted());
  }

  function submit(event) {
    event.preventDefault();
    if (file.files.length) read(file.files[0]);
    else if (source.value.trim()) openSource({ html: source.value, url: from.value || null }, wanted());
    else if (address.value) go("page", { url: address.value, ...wanted() });
    else state.textContent = t("start.nothing");
  }

  const element = h(
    "form",
    { class: "start", onsubmit: submit, novalidate: true },
    h("h1", {}, t("start.title")),
    h("p", { class: "lead" }, t("start.lead")),
    h("label", {}, t("start.address"), address),
    h("label", {}, t("start.source"), source),
    h("label", {}, t("start.source.address"), from),
    h("label", {}, t("start.file"), file),
    facts.rendering === "always"
      ? h("label", { class: "check" }, render, t("start.render")) : null,
    h("div", { class: "row" }, h("button", { class: "first" }, t("start.open")), state),
    h("p", { class: "soft" }, t("start.drop")),
  );
  return { element, close: onDrop(read) };
}

/** Take files that are dropped anywhere; return what stops that. */
function onDrop(read) {
  const over = (event) => event.preventDefault();
  const drop = (event) => {
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    if (file) read(file);
  };
  addEventListener("dragover", over);
  addEventListener("drop", drop);
  return () => {
    removeEventListener("dragover", over);
    removeEventListener("drop", drop);
  };
}

registerView("", { title: "start.title", open, inMenu: true });
