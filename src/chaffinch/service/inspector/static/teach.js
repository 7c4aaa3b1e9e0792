// One page of a site: an element is chosen, said to be something, and the rule that is proposed is tried
// before it is kept.

import { bindKeys, fill, h } from "./dom.js";
import { PageModel } from "./model.js";
import { heading, panes } from "./page.js";
import { blockList, pageFrame } from "./parts.js";
import { addressOf, go } from "./routes.js";
import { opened } from "./site.js";
import { t } from "./texts.js";

const KINDS = [
  ["content", "c"], ["drop", "x"], ["title", "t"], ["author", "a"], ["date", "d"], ["price", "p"],
  ["image", "i"], ["record", "e"], ["next", "n"],
]; // what a person may say of an element, each with its key

/** The chosen element of a page, what it is said to be, and the rule that is proposed for it. */
function teachPanel(page, site) {
  const state = h("p", { role: "status", class: "said" }), body = h("div", { class: "teach-body" });
  const element = h("teach-panel", {}, state, body);
  let turn = 0;
  let proposal = null; // {mark, candidates, at}
  const candidate = () => proposal?.candidates[proposal.at];

  function draw() {
    fill(body, elementPart(), proposal && rulePart());
  }

  /** Do something that takes a while; what comes of it, or goes wrong, is said. */
  async function work(run) {
    try {
      state.textContent = await run() ?? "";
    } catch (error) {
      state.textContent = t("failed", { detail: error.message });
    }
  }

  function elementPart() {
    const row = page.element;
    if (row === null) return h("p", { "data-first": true, tabindex: "-1" }, t("teach.lead"));
    const around = page.ancestry(row).slice(-5).map((one) => h("button", {
      class: one === row ? "here" : "quiet", "aria-current": one === row ? "true" : null, onclick: () => page.chooseRow(one),
    }, page.nameOf(one)));
    return [
      h("nav", { class: "path", "aria-label": t("teach.around") }, around),
      h("blockquote", { dir: "auto" }, page.textOf(row).slice(0, 200) || page.nameOf(row)),
      h("div", { class: "kinds", role: "group", "aria-label": t("teach.this.is") }, h("span", { class: "soft" }, t("teach.this.is")), KINDS.map(([kind, key]) =>
        h("button", { class: `kind ${kind}`, "aria-pressed": String(proposal?.mark.kind === kind), onclick: () => mark(kind) },
          t(`kind.${kind}`), h("kbd", {}, key)))),
    ];
  }

  function mark(kind, select = null) {
    const own = ++turn;
    if (page.element === null) return;
    const made = { page: page.site.number, row: page.element, kind };
    state.textContent = t("teach.trying");
    work(async () => {
      const found = await site.propose(made, select);
      if (own !== turn) return;
      const allowed = found.candidates.findIndex((one) => !one.against);
      proposal = { mark: made, ...found, at: found.nearest >= 0 ? found.nearest : Math.max(0, allowed) };
      move(0);
    });
  }

  function move(by) {
    if (!proposal) return;
    const { candidates, at } = proposal;
    proposal.at = Math.max(0, Math.min(candidates.length - 1, at + by));
    draw();
    if (candidate()) page.show(candidate().here, element);
  }

  function cancel() {
    turn += 1;
    proposal = null;
    state.textContent = "";
    draw();
  }

  /** Write the rule that is shown. */
  function keep() {
    const one = candidate();
    if (!one || one.against) return;
    const { mark: made } = proposal;
    cancel();
    work(async () => {
      await site.keep(made, one);
      await reload();
      return t("teach.kept", { rule: `${t(`kind.${made.kind}`)} ${one.select}` });
    });
  }

  function undo() {
    work(async () => {
      const said = await site.undo();
      await reload();
      return said;
    });
  }

  /** Show the page as it is judged by the rules that are kept now. */
  async function reload() {
    const answer = await site.page(page.site.number);
    page.site = answer.site;
    page.first = answer.decision;
    page.take(answer.decision);
    draw();
  }

  function rulePart() {
    const { mark: made, candidates, at, chosen } = proposal;
    const one = candidate();
    const own = h("input", { value: one?.select ?? "", "aria-label": t("reasons.selector"), spellcheck: "false" });
    const tried = (event) => {
      event.preventDefault();
      mark(made.kind, own.value.trim() || null);
    };
    return h("div", { class: "rule-part" },
      h("h2", {}, t("teach.proposal", { kind: t(`kind.${made.kind}`) })),
      chosen < 0 ? h("p", { class: "warn" }, t("teach.none.clean")) : null,
      h("form", { class: "line", onsubmit: tried }, own, h("button", {}, t("teach.try"))),
      h("div", { class: "line" },
        h("button", { onclick: () => move(-1), disabled: at === 0 }, `← ${t("teach.narrower")}`),
        h("span", { class: "soft" }, t("teach.width", { at: at + 1, count: candidates.length })),
        h("button", { onclick: () => move(1), disabled: at >= candidates.length - 1 }, `${t("teach.wider")} →`)),
      one ? facts(one, made.kind) : null,
      h("div", { class: "line" },
        h("button", { class: "first keep", onclick: keep, disabled: !one || one.against > 0 }, t("teach.keep"), h("kbd", {}, "↵")),
        h("button", { onclick: cancel }, t("teach.cancel"), h("kbd", {}, "Esc"))));
  }

  function facts(one, kind) {
    const decides = kind === "content" || kind === "drop";
    const { added, removed, elements, pages, of, collateral } = one;
    const lines = {
      scope: one.template ? t("site.of.template", { name: one.template }) : t("site.everywhere"),
      matches: t("teach.matches.on", { elements, pages, of }),
      ...(decides ? { changes: added || removed ? t("teach.changes.of", { added, removed, pages: one.changed.length }) : t("teach.changes.none") } : {}),
      collateral: collateral ? t(`teach.collateral.${decides ? "of" : "elements"}`, { count: collateral }) : t("teach.collateral.none"),
    };
    const warnings = [
      one.against && t("teach.against", { count: one.against }), one.missed && t("teach.missed", { count: one.missed }),
      one.positional && t("teach.positional"),
    ].filter(Boolean);
    return [
      h("dl", { class: `facts ${one.clean ? "clean" : "dirty"}` }, Object.entries(lines).map(([name, text]) =>
        h("div", { "data-fact": name }, h("dt", {}, t(`teach.${name}`)), h("dd", {}, text)))),
      warnings.map((text) => h("p", { class: "warn" }, text)),
      h("ul", { class: "examples" }, one.examples.map(example)),
    ];
  }

  function example(one) {
    const other = site.pages[one.page];
    return h("li", {}, h("span", { class: "soft" }, t(`what.${one.what}`)), " ", h("span", { dir: "auto" }, one.text || "–"), " ",
      one.page === page.site.number ? null
        : h("a", { href: addressOf("teach", { page: one.page }), dir: "auto" }, other?.title || other?.url || String(one.page)));
  }

  page.addEventListener("element", () => {
    proposal = null;
    draw();
  });
  draw();
  return { element, mark, move, cancel, keep, undo };
}

export async function openTeach(params, element, signal) {
  const site = opened;
  await site.open();
  const page = new PageModel(await site.page(Number(params.get("page") ?? 0)));
  if (signal.aborted) return;
  const { number, template } = page.site;
  const frame = pageFrame(page, signal), panel = teachPanel(page, site), list = blockList(page, signal);
  const beside = (by) => go("teach", { page: site.beside(number, by) });
  const data = h("section", { class: "pane", "aria-label": t("teach") }, panel.element, list.element);
  fill(element,
    heading(page, h("span", { class: "soft" }, template ? t("site.of.template", { name: template }) : t("site.no.template")),
      h("nav", { class: "line" }, h("a", { href: addressOf("site") }, t("teach.back")),
        h("button", { title: t("teach.previous"), "aria-label": t("teach.previous"), onclick: () => beside(-1) }, "‹"),
        h("button", { title: t("teach.next"), "aria-label": t("teach.next"), onclick: () => beside(1) }, "›"))),
    panes(frame, data));
  frame.element.addEventListener("pick", ({ detail }) => page.chooseRow(detail));
  page.addEventListener("choose", ({ detail }) => detail.from === list.element && page.chooseRow(page.blocks.owner[detail.block]));
  element.querySelector("[data-first]").focus({ preventScroll: true });
  const block = (by) => () => {
    list.step(by);
    if (page.marked !== null) page.chooseRow(page.blocks.owner[page.marked]);
  };
  bindKeys("teach", [
    [["j"], "key.next", block(1)],
    [["k"], "key.previous", block(-1)],
    [["ArrowUp"], "key.outer", () => page.climb(1)],
    [["ArrowDown"], "key.inner", () => page.climb(-1)],
    ...KINDS.map(([kind, key]) => [[key], `kind.${kind}`, () => panel.mark(kind)]),
    [["ArrowLeft"], "teach.narrower", () => panel.move(-1)],
    [["ArrowRight"], "teach.wider", () => panel.move(1)],
    [["Enter"], "teach.keep", () => panel.keep()],
    [["Escape"], "teach.cancel", () => panel.cancel()],
    [["u"], "site.undo", () => panel.undo()],
    [["]"], "teach.next", () => beside(1)],
    [["["], "teach.previous", () => beside(-1)],
    [["s"], "teach.back", () => go("site")],
  ], signal);
}
