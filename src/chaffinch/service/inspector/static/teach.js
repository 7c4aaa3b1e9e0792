// One page of a site: an element is chosen, said to be something, and the rule that is proposed is tried
// before it is kept.

import { bindKeys, fill, h } from "./dom.js";
import { PageModel } from "./model.js";
import { heading, panes } from "./page.js";
import { addressOf } from "./routes.js";
import { cantOpen, opened } from "./site.js";
import { t } from "./texts.js";

const KINDS = [
  ["content", "c"], ["drop", "x"], ["title", "t"], ["author", "a"], ["date", "d"], ["price", "p"],
  ["image", "i"], ["record", "e"], ["next", "n"],
]; // what a person may say of an element, each with its key

class TeachPanel extends HTMLElement {
  #page = null;
  #site = null;
  #turn = 0;
  #proposal = null; // {mark, candidates, at}
  #body = h("div", { class: "teach-body" });
  #state = h("p", { role: "status", class: "said" });

  start(page, site) {
    this.#page = page;
    this.#site = site;
    fill(this, this.#state, this.#body);
    page.addEventListener("element", () => {
      this.#proposal = null;
      this.#draw();
    });
    this.#draw();
  }

  #draw() {
    fill(this.#body, this.#elementPart(), this.#proposal && this.#rulePart());
  }

  /** Do something that takes a while; what comes of it, or goes wrong, is said. */
  async #work(run) {
    try {
      this.#state.textContent = await run() ?? "";
    } catch (error) {
      this.#state.textContent = t("failed", { detail: error.message });
    }
  }

  #elementPart() {
    const page = this.#page, row = page.element;
    if (row === null) return h("p", { "data-first": true, tabindex: "-1" }, t("teach.lead"));
    const around = page.ancestry(row).slice(-5).map((one) => h("button", {
      class: one === row ? "here" : "quiet", "aria-current": one === row ? "true" : null, onclick: () => page.chooseRow(one),
    }, page.nameOf(one)));
    return [
      h("nav", { class: "path", "aria-label": t("teach.around") }, around),
      h("blockquote", { dir: "auto" }, page.textOf(row).slice(0, 200) || page.nameOf(row)),
      h("div", { class: "kinds", role: "group", "aria-label": t("teach.this.is") }, h("span", { class: "soft" }, t("teach.this.is")), KINDS.map(([kind, key]) =>
        h("button", { class: `kind ${kind}`, "aria-pressed": String(this.#proposal?.mark.kind === kind), onclick: () => this.mark(kind) },
          t(`kind.${kind}`), h("kbd", {}, key)))),
    ];
  }

  mark(kind, select = null) {
    const page = this.#page, turn = ++this.#turn;
    if (page.element === null) return;
    const mark = { page: page.site.number, row: page.element, kind };
    this.#state.textContent = t("teach.trying");
    this.#work(async () => {
      const found = await this.#site.propose(mark, select);
      if (turn !== this.#turn) return;
      const allowed = found.candidates.findIndex((one) => !one.against);
      this.#proposal = { mark, ...found, at: found.nearest >= 0 ? found.nearest : Math.max(0, allowed) };
      this.move(0);
    });
  }

  get #candidate() {
    return this.#proposal?.candidates[this.#proposal.at];
  }

  move(by) {
    if (!this.#proposal) return;
    const { candidates, at } = this.#proposal;
    this.#proposal.at = Math.max(0, Math.min(candidates.length - 1, at + by));
    this.#draw();
    if (this.#candidate) this.#page.show(this.#candidate.here, this);
  }

  cancel() {
    this.#turn += 1;
    this.#proposal = null;
    this.#state.textContent = "";
    this.#draw();
  }

  /** Write the rule that is shown. */
  keep() {
    const one = this.#candidate;
    if (!one || one.against) return;
    const { mark } = this.#proposal;
    this.cancel();
    this.#work(async () => {
      await this.#site.keep(mark, one);
      await this.#reload();
      return t("teach.kept", { rule: `${t(`kind.${mark.kind}`)} ${one.select}` });
    });
  }

  undo() {
    this.#work(async () => {
      const said = await this.#site.undo();
      await this.#reload();
      return said;
    });
  }

  /** Show the page as it is judged by the rules that are kept now. */
  async #reload() {
    const answer = await this.#site.page(this.#page.site.number);
    this.#page.site = answer.site;
    this.#page.first = answer.decision;
    this.#page.take(answer.decision);
    this.#draw();
  }

  #rulePart() {
    const { mark, candidates, at, chosen } = this.#proposal;
    const one = this.#candidate;
    const own = h("input", { value: one?.select ?? "", "aria-label": t("reasons.selector"), spellcheck: "false" });
    const tried = (event) => {
      event.preventDefault();
      this.mark(mark.kind, own.value.trim() || null);
    };
    return h("div", { class: "rule-part" },
      h("h2", {}, t("teach.proposal", { kind: t(`kind.${mark.kind}`) })),
      chosen < 0 ? h("p", { class: "warn" }, t("teach.none.clean")) : null,
      h("form", { class: "line", onsubmit: tried }, own, h("button", {}, t("teach.try"))),
      h("div", { class: "line" },
        h("button", { onclick: () => this.move(-1), disabled: at === 0 }, `← ${t("teach.narrower")}`),
        h("span", { class: "soft" }, t("teach.width", { at: at + 1, count: candidates.length })),
        h("button", { onclick: () => this.move(1), disabled: at >= candidates.length - 1 }, `${t("teach.wider")} →`)),
      one ? this.#facts(one, mark.kind) : null,
      h("div", { class: "line" },
        h("button", { class: "first keep", onclick: () => this.keep(), disabled: !one || one.against > 0 }, t("teach.keep"), h("kbd", {}, "↵")),
        h("button", { onclick: () => this.cancel() }, t("teach.cancel"), h("kbd", {}, "Esc"))));
  }

  #facts(one, kind) {
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
      h("ul", { class: "examples" }, one.examples.map((each) => this.#example(each))),
    ];
  }

  #example(one) {
    const page = this.#site.pages[one.page];
    return h("li", {}, h("span", { class: "soft" }, t(`what.${one.what}`)), " ", h("span", { dir: "auto" }, one.text || "–"), " ",
      one.page === this.#page.site.number ? null
        : h("a", { href: addressOf("teach", { page: one.page }), dir: "auto" }, page?.title || page?.url || String(one.page)));
  }
}

customElements.define("teach-panel", TeachPanel);

export function openTeach(params) {
  const site = opened, number = Number(params.get("page") ?? 0), stop = new AbortController();
  const element = h("div", { class: "page-view teach-view" }, h("p", { role: "status", class: "state" }, t("working")));
  site.open().then(() => site.page(number)).then((answer) => {
    if (!stop.signal.aborted) show(element, new PageModel(answer), site, stop.signal);
  }).catch((error) => cantOpen(element, error));
  return { element, close: () => stop.abort() };
}

function show(element, page, site, signal) {
  const { number, template } = page.site;
  const frame = h("page-frame"), panel = h("teach-panel"), list = h("block-list");
  const beside = (by) => { location.hash = addressOf("teach", { page: site.beside(number, by) }); };
  const data = h("section", { class: "pane", "aria-label": t("teach") }, panel, list);
  fill(element,
    heading(page, h("span", { class: "soft" }, template ? t("site.of.template", { name: template }) : t("site.no.template")),
      h("nav", { class: "line" }, h("a", { href: addressOf("site") }, t("teach.back")),
        h("button", { title: t("teach.previous"), "aria-label": t("teach.previous"), onclick: () => beside(-1) }, "‹"),
        h("button", { title: t("teach.next"), "aria-label": t("teach.next"), onclick: () => beside(1) }, "›"))),
    panes(frame, data));
  element.dataset.page = number;
  frame.start(page);
  list.start(page);
  panel.start(page, site);
  frame.addEventListener("pick", ({ detail }) => page.chooseRow(detail));
  page.addEventListener("choose", ({ detail }) => detail.from === list && page.chooseRow(page.blocks.owner[detail.block]));
  panel.querySelector("[data-first]").focus({ preventScroll: true });
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
    [["s"], "teach.back", () => { location.hash = addressOf("site"); }],
  ], signal);
}
