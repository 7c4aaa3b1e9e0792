// Two pages side by side: two versions, or a page as it was served and as a browser made it; and what of
// the content changed from the one to the other.

import { ask } from "../api.js";
import "../components/page-frame.js";
import { fill, h } from "../dom.js";
import { number, t } from "../i18n.js";
import { PageModel } from "../page-model.js";
import { bodyOf, requestOf } from "../page-source.js";
import { addressOf, go, registerView } from "../router.js";

const SIDES = ["a", "b"];

function open(params) {
  const element = h("div", { class: "beside-view" });
  const stop = new AbortController();
  const given = SIDES.map((side) => namedBy(params, side));
  if (given.every((one) => one.size)) load(element, given, stop);
  else fill(element, form(given[0]));
  return { element, close: () => stop.abort() };
}

/** Return the parameters of one side: `a.url` of the address is `url` of side a. */
function namedBy(params, side) {
  const own = [...params].filter(([name]) => name.startsWith(`${side}.`));
  return new URLSearchParams(own.map(([name, value]) => [name.slice(side.length + 1), value]));
}

/** Return the form that asks for two versions; or for the later one, where the first is given. */
function form(first) {
  const state = h("p", { role: "status", class: "state" });
  const fields = first.size ? [version("b")] : [version("a"), version("b")];

  async function submit(event) {
    event.preventDefault();
    state.textContent = t("general.working");
    try {
      const held = await Promise.all(fields.map((one) => heldBy(one)));
      const a = first.size ? Object.fromEntries(first) : { held: held[0] };
      const named = Object.entries(a).map(([name, value]) => [`a.${name}`, value]);
      go("beside", { ...Object.fromEntries(named), "b.held": held.at(-1) });
    } catch (error) {
      state.textContent = t("general.failed", { detail: error.message });
    }
  }

  return h("form", { class: "start", onsubmit: submit, novalidate: true },
    h("h1", {}, t("beside.title")), h("p", { class: "lead" }, t("beside.lead")),
    fields.map((one) => one.element),
    h("div", { class: "row" }, h("button", { class: "first" }, t("beside.open")), state));
}

function version(side) {
  const address = h("input", { type: "url", name: `${side}-url`, placeholder: "https://" });
  const source = h("textarea", { name: `${side}-source`, rows: 4, spellcheck: "false",
    placeholder: t("start.source.hint") });
  const file = h("input", { type: "file", name: `${side}-file` });
  const element = h("fieldset", { class: "version" }, h("legend", {}, t(`beside.${side}`)),
    h("label", {}, t("start.address"), address), h("label", {}, t("start.source"), source),
    h("label", {}, t("start.file"), file));
  return { element, address, source, file };
}

/** Open what a field names; return the key under which the service holds it. */
async function heldBy({ address, source, file }) {
  const [chosen] = file.files;
  const body = chosen
    ? bodyOf({ bytes: new Uint8Array(await chosen.arrayBuffer()) })
    : source.value.trim() ? bodyOf({ html: source.value }) : { page: { url: address.value } };
  return (await ask("/v1/inspect/page", body)).held;
}

async function load(element, given, stop) {
  fill(element, h("p", { role: "status", class: "state" }, t("general.working")));
  try {
    const answers = [];
    for (const one of given) {
      answers.push(await ask("/v1/inspect/page", requestOf(one), { signal: stop.signal }));
    }
    show(element, answers.map((one) => new PageModel(one)));
  } catch (error) {
    if (error.name === "AbortError") return;
    fill(element, h("div", { role: "alert", class: "wrong" }, t("general.failed", { detail: error.message })));
  }
}

function show(element, models) {
  const frames = models.map(() => h("page-frame"));
  const changes = h("section", { class: "pane changes", "aria-label": t("beside.changes") },
    h("p", { role: "status", class: "state" }, t("general.working")));
  fill(element,
    h("div", { class: "heading" }, h("h1", {}, t("beside.title"))),
    h("div", { class: "panes" }, models.map((model, at) => paper(model, frames[at], SIDES[at]))), changes);
  models.forEach((model, at) => frames[at].start(model));
  link(models);
  list(changes, models);
}

function paper(model, frame, side) {
  return h("section", { class: "pane", "aria-label": t(`beside.${side}`) },
    h("p", { class: "pane-title" },
      h("strong", {}, t(model.isRendered ? "beside.rendered" : `beside.${side}`)),
      h("span", { class: "soft" }, t("page.summary", {
        kept: number(model.kept), count: number(model.count), length: number(model.decision.length) })),
      h("a", { href: addressOf("page", { held: model.held }) }, t("beside.alone"))),
    frame);
}

/** Mark in each page the block that has the text of the one which is marked in the other. */
function link(models) {
  const places = models.map((model) => {
    const known = new Map();
    model.texts.forEach((text, block) => known.has(text) || known.set(text, block));
    return known;
  });
  models.forEach((model, at) => model.addEventListener("mark", ({ detail }) => {
    if (detail.from === "other") return;
    const text = model.texts[detail.block ?? -1];
    models[1 - at].mark(places[1 - at].get(text) ?? null, "other");
  }));
}

async function list(place, [before, after]) {
  try {
    const { changes } = await before.view("difference", { other: after.held });
    fill(place, h("h2", {}, t("beside.count", { count: number(changes.length) })),
      h("ol", { class: "change-list" }, changes.map((one) => change(one, before, after))));
  } catch (error) {
    fill(place, h("p", { class: "wrong", role: "alert" }, t("general.failed", { detail: error.message })));
  }
}

function change(one, before, after) {
  const model = one.kind === "removed" ? before : after;
  const text = one.words.length
    ? one.words.map(({ kind, text: words }) =>
      h({ same: "span", added: "ins", removed: "del" }[kind], {}, `${words} `))
    : h({ added: "ins", removed: "del" }[one.kind], {}, one.after || one.before);
  const mark = () => one.rows && model.show(one.rows, "change");
  return h("li", { tabindex: "0", class: `change ${one.kind}`, onmouseenter: mark, onfocus: mark },
    h("span", { class: `badge ${one.kind}` }, t(`beside.${one.kind}`)),
    one.section.length ? h("span", { class: "soft" }, one.section.join(" › ")) : null,
    h("p", { dir: "auto" }, text));
}

registerView("beside", { title: "beside.title", open, inMenu: true });
