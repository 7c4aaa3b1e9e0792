// Markdown, rendered or as its source. Only what Chaffinch's own writer makes is read: CommonMark blocks
// one by one, with marks of emphasis, code, links and images, and GFM tables.

import { fill, h } from "../dom.js";
import { oneOf } from "../components/choices.js";
import { t } from "../i18n.js";

const INLINE = /(`+)(.+?)\1(?!`)|!\[((?:\\.|[^\]\\])*)\]\((?:\\.|[^)\\])*\)|\[((?:\\.|[^\]\\])*)\]\(((?:\\.|[^)\\])*)\)|(\*\*|~~|\*)(?=\S)(.+?)\6|\\([!-/:-@[-`{-~])/gs;
const MARKS = { "**": "strong", "~~": "del", "*": "em" };

/** Return Markdown's parts, and the choice between rendered and source. */
export function renderMarkdown(parts, part) {
  const place = h("div", {});
  const shown = {
    rendered: () => h("div", { class: "prose" }, nested(parts, part)),
    source: () => h("pre", { class: "source" }, parts.map((one) =>
      part(one.rows, h("span", { class: "line block" }, `${sourceOf(one)}\n\n`)))),
  };
  const made = {};
  const show = (form) => fill(place, (made[form] ??= shown[form]()));
  show("rendered");
  const forms = Object.keys(shown).map((form) => [form, t(`markdown.${form}`)]);
  return [h("div", { class: "controls" }, oneOf(t("markdown.form"), forms, "rendered", show)), place];
}

function sourceOf({ lines, around }) {
  let first = "", rest = "";
  for (const [kind, given] of around) {
    if (kind === "quote") [first, rest] = [`${first}> `, `${rest}> `];
    if (kind !== "item") continue;
    const marker = given === null ? "- " : `${given}. `;
    [first, rest] = [rest + marker, rest + " ".repeat(marker.length)];
  }
  return lines.map((line, at) => (at ? rest : first) + line).join("\n");
}

/** Return blocks in the lists and quotes that they stand in. */
function nested(parts, part) {
  const root = h("div", {});
  let open = []; // [kind, given, element]
  for (const one of parts) {
    let common = 0;
    while (common < open.length && common < one.around.length && isSame(open[common], one.around, common)) common++;
    open = open.slice(0, common);
    for (const [kind, given] of one.around.slice(common)) {
      const element = container(kind, one.around, open.length);
      (open.at(-1)?.[2] ?? root).append(element);
      open.push([kind, given, element]);
    }
    (open.at(-1)?.[2] ?? root).append(part(one.rows, block(one.lines)));
  }
  return [...root.childNodes];
}

/** Whether an open container is that of the next block: of items, each block but the first has its own. */
function isSame([kind, given], around, at) {
  return kind === around[at][0] && given === around[at][1] && kind !== "item";
}

function container(kind, around, at) {
  if (kind === "quote") return h("blockquote", {});
  if (kind === "item") return h("li", {});
  const isOrdered = around[at + 1]?.[1] !== null && around[at + 1]?.[1] !== undefined;
  return isOrdered ? h("ol", { start: around[at + 1][1] }) : h("ul", {});
}

function block(lines) {
  const whole = lines.join("\n");
  const heading = /^(#{1,6}) (.*)$/s.exec(whole);
  if (heading) return h(`h${Math.min(6, heading[1].length + 1)}`, { dir: "auto" }, inline(heading[2]));
  if (/^(`{3,}|~{3,})/.test(whole)) return h("pre", { class: "code" }, lines.slice(1, -1).join("\n"));
  if (/^(\*\*\*|---|\* \* \*)$/.test(whole)) return h("hr", {});
  if (lines.length > 1 && /^\|[\s:|-]+\|$/.test(lines[1])) return table(lines);
  return h("p", { dir: "auto" }, inline(whole));
}

function table([head, , ...body]) {
  const cells = (line) => line.replace(/^\|\s?|\s?\|$/g, "").split(/(?<!\\)\|/).map((one) => one.trim());
  return h("div", { class: "scrolled", tabindex: "0" }, h("table", { class: "data" },
    h("thead", {}, h("tr", {}, cells(head).map((one) => h("th", { scope: "col" }, inline(one))))),
    h("tbody", {}, body.map((line) => h("tr", {}, cells(line).map((one) => h("td", {}, inline(one))))))));
}

/** Return the nodes of a text with marks. Links aren't followed: their address is a tooltip. */
function inline(text) {
  const out = [];
  let at = 0;
  for (const found of text.matchAll(INLINE)) {
    out.push(...broken(text.slice(at, found.index)), ...marked(found));
    at = found.index + found[0].length;
  }
  return [...out, ...broken(text.slice(at))];
}

function marked([, , code, image, label, address, mark, inner, escaped]) {
  if (code !== undefined) return [h("code", {}, code)];
  if (image !== undefined) return [h("span", { class: "image" }, inline(image).concat(image ? [] : [t("output.unnamed")]))];
  if (label !== undefined) return [h("span", { class: "link", title: address }, inline(label))];
  if (mark !== undefined) return [h(MARKS[mark], {}, inline(inner))];
  return [escaped];
}

/** Return a text with its hard line breaks. */
function broken(text) {
  return text.split(/(?:\\| {2,})\n/).flatMap((one, at) => (at ? [h("br", {}), one] : [one]));
}
