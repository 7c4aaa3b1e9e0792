// How each output is shown: `renderer(parts, part)` returns elements; `part(rows, element)` makes an
// element one that knows the rows it came from.

import { h } from "../dom.js";
import { number, t } from "../i18n.js";
import { renderMarkdown } from "./markdown.js";

function text(parts, part) {
  return h("div", { class: "prose plain" }, parts.map((one) => part(one.rows, h("p", { dir: "auto" }, one.text))));
}

function html(parts, part) {
  return h("pre", { class: "source" }, parts.map((one) => part(one.rows, h("span", { class: "line" }, `${one.text}\n`))));
}

function records(parts, part) {
  const lists = Map.groupBy(parts, (one) => one.list_number);
  return [...lists].map(([list, entries]) => {
    const names = [...new Set(entries.flatMap((one) => Object.keys(one.fields)))];
    return h("section", {}, h("h3", {}, t("output.list", { list: number(list), count: number(entries.length) })),
      scrolled(h("table", { class: "data" },
        h("thead", {}, h("tr", {}, names.map((name) => h("th", { scope: "col" }, name)))),
        h("tbody", {}, entries.map((one) => part(one.rows, h("tr", {}, names.map((name) =>
          h("td", { dir: "auto" }, one.fields[name]?.value ?? "")))))))));
  });
}

function posts(parts, part) {
  return parts.map((one) => part(one.rows, h("article", { class: "card post" },
    h("p", { class: "soft" }, h("strong", {}, one.author || t("output.nobody")), one.date && ` · ${one.date}`,
      one.reply_to === null ? null : ` · ${t("output.reply", { number: number(one.reply_to) })}`),
    h("p", { dir: "auto", class: "post-text" }, one.text))));
}

function tables(parts, part) {
  return parts.map((one) => part(one.rows, h("figure", { class: "card" },
    h("figcaption", {}, one.caption || t(`output.kind.${one.kind}`)),
    scrolled(h("table", { class: "data" },
      h("thead", {}, one.cells.slice(0, one.headers).map((line) =>
        h("tr", {}, line.map((cell) => h("th", { scope: "col" }, cell))))),
      h("tbody", {}, one.cells.slice(one.headers).map((line) =>
        h("tr", {}, line.map((cell) => h("td", { dir: "auto" }, cell))))))))));
}

function images(parts, part) {
  return parts.map((one) => part(one.rows, h("article", { class: "card" },
    h("p", { dir: "auto" }, h("strong", {}, one.caption || one.alt || t("output.unnamed"))),
    one.credit ? h("p", { class: "soft" }, one.credit) : null,
    h("p", { class: "soft" }, h("code", {}, one.url)),
    one.width && one.height ? h("p", { class: "soft" }, `${one.width} × ${one.height}`) : null)));
}

function shownValue(value) {
  if (Array.isArray(value)) return value.map(shownValue).join("; ");
  if (value !== null && typeof value === "object") {
    return Object.entries(value).filter(([, one]) => one !== null).map(([name, one]) =>
      `${name}: ${shownValue(one.value ?? one)}`).join("; ");
  }
  return String(value);
}

function metadata(parts, part) {
  return scrolled(h("table", { class: "data metadata" },
    h("thead", {}, h("tr", {}, ["field", "value", "source", "sure"].map((name) => h("th", { scope: "col" }, t(`metadata.${name}`))))),
    h("tbody", {}, parts.map((one) => part(one.rows, h("tr", {},
      h("th", { scope: "row" }, one.name), h("td", { dir: "auto" }, shownValue(one.value)),
      h("td", {}, h("code", {}, one.source), (one.agreeing ?? []).length
        ? h("span", { class: "soft" }, ` ${t("metadata.agreeing", { count: one.agreeing.length })}`) : null),
      h("td", { class: "number" }, one.confidence.toFixed(2))))))));
}

function outline(parts, part) {
  return h("ol", { class: "outline" }, parts.map((one) => {
    const entry = h("li", {}, h("span", { class: "soft" }, one.number), ` ${one.heading || t("output.lead")} `,
      h("span", { class: "soft" }, t("output.size", { tokens: number(one.tokens) })));
    entry.style.setProperty("--level", one.level);
    return part(one.rows, entry);
  }));
}

function chunks(parts, part) {
  return parts.map((one, at) => part(one.rows, h("article", { class: "card" },
    h("p", { class: "soft" }, `${at + 1} · `, one.headings.join(" › "), ` · ${t("output.length", { length: number(one.text.length) })}`),
    h("p", { dir: "auto", class: "post-text" }, one.text))));
}

function scrolled(table) {
  return h("div", { class: "scrolled", tabindex: "0" }, table);
}

/** Name of an output → what shows it. */
export const RENDERERS = {
  text, markdown: renderMarkdown, html, records, posts, tables, images, metadata, outline, chunks,
};
