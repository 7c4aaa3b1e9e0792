// What the chosen element is, and the rule that is proposed for it: tried before it is kept.

import { fill, h } from "../dom.js";
import { number, t } from "../i18n.js";
import { facts } from "../service-facts.js";
import { KINDS } from "../site-model.js";

const LONGEST = 200;

/** `<teach-panel>`: call `start` with a page and its site; `whenChanged` is called after a rule is. */
export class TeachPanel extends HTMLElement {
  #page = null;
  #site = null;
  #busy = 0;
  #proposal = null; // {mark, candidates, at}
  whenChanged = null;
  #turn = 0;
  #element = h("section", { class: "element-part" });
  #rule = h("section", { class: "rule-part" });
  #state = h("p", { role: "status", class: "soft said" });

  get page() {
    return this.#page;
  }

  get site() {
    return this.#site;
  }

  /** The candidate that is shown; null for none. */
  get candidate() {
    return this.#proposal?.candidates[this.#proposal.at] ?? null;
  }

  /** Whether nothing is under way. */
  get isSettled() {
    return this.#busy === 0;
  }

  start(page, site) {
    this.#page = page;
    this.#site = site;
    this.replaceChildren(this.#state, this.#element, this.#rule);
    page.addEventListener("element", () => {
      this.#proposal = null;
      this.refresh();
    });
    this.refresh();
  }

  /** Draw all anew. */
  refresh() {
    fill(this.#element, this.#elementPart());
    fill(this.#rule, this.#proposal ? this.#rulePart() : this.#evidencePart());
  }

  climb(by) {
    this.#page.climb(by);
  }

  #say(text) {
    this.#state.textContent = text;
  }

  #elementPart() {
    const page = this.#page, row = page.element;
    if (row === null) return h("p", { class: "lead", "data-first": true, tabindex: "-1" }, t("teach.lead"));
    const path = page.ancestry(row).slice(-5);
    return [
      h("nav", { class: "path", "aria-label": t("teach.around") }, path.map((one, at) => [at ? h("span", { "aria-hidden": "true" }, "›") : null,
        h("button", { class: one === row ? "here" : "quiet", "aria-current": one === row ? "true" : null,
          onclick: () => page.chooseRow(one) }, page.nameOf(one))])),
      h("blockquote", { dir: "auto" }, page.textOf(row).slice(0, LONGEST) || page.nameOf(row)),
      h("fieldset", { class: "kinds" }, h("legend", {}, t("teach.this.is")), KINDS.map(([kind, key]) =>
        h("button", { class: `kind ${kind}`, "data-kind": kind, "aria-pressed": String(this.#proposal?.mark.kind === kind),
          onclick: () => this.mark(kind) }, t(`teach.kind.${kind}`), h("kbd", {}, key)))),
    ];
  }

  /** Do something that takes a while; what goes wrong is said. */
  async #work(run) {
    this.#busy += 1;
    try {
      await run();
    } catch (error) {
      this.#say(t("general.failed", { detail: error.message }));
    } finally {
      this.#busy -= 1;
    }
  }

  /** Propose rules for the chosen element as what it is. */
  mark(kind, select = null) {
    return this.#work(() => this.#propose(kind, select));
  }

  async #propose(kind, select) {
    const page = this.#page;
    if (page.element === null) return;
    const mark = { page: page.number, row: page.element, kind };
    const turn = ++this.#turn;
    this.#say(t("teach.trying"));
    const found = await this.#site.propose(mark, select);
    if (turn !== this.#turn) return;
    const allowed = found.candidates.findIndex((one) => !one.against);
    const at = found.nearest >= 0 ? found.nearest : Math.max(0, allowed);
    this.#proposal = { mark, ...found, at };
    this.#say("");
    this.refresh();
    this.#showHere();
  }

  #showHere() {
    const one = this.candidate;
    if (one) this.#page.showElements(one.here, this);
  }

  /** Go to a wider candidate, or a narrower one. */
  move(by) {
    if (!this.#proposal) return;
    const { candidates, at } = this.#proposal;
    this.#proposal.at = Math.max(0, Math.min(candidates.length - 1, at + by));
    this.refresh();
    this.#showHere();
  }

  cancel() {
    this.#turn += 1;
    this.#proposal = null;
    this.#say("");
    this.refresh();
  }

  /** Write the rule that is shown. */
  keep() {
    const one = this.candidate;
    if (!one || one.against || !facts.writes) return null;
    const { mark } = this.#proposal;
    this.#proposal = null;
    this.refresh();
    return this.#work(async () => {
      await this.#site.keep(mark, one);
      this.#say(t("teach.kept", { rule: `${t(`teach.kind.${mark.kind}`)} ${one.select}` }));
      await this.whenChanged?.();
    });
  }

  /** Take back the rule that was kept last. */
  undo() {
    return this.#work(async () => {
      const last = await this.#site.undo();
      this.#say(last ? t("site.undone", { rule: `${last.kind} ${last.select}` }) : t("site.nothing.undone"));
      if (last) await this.whenChanged?.();
    });
  }

  #rulePart() {
    const { mark, candidates, at, chosen } = this.#proposal;
    const one = this.candidate;
    const own = h("input", { value: one?.select ?? "", "aria-label": t("teach.selector"), spellcheck: "false" });
    const tried = (event) => {
      event.preventDefault();
      this.mark(mark.kind, own.value.trim() || null);
    };
    return [
      h("h2", {}, t("teach.proposal", { kind: t(`teach.kind.${mark.kind}`) })),
      chosen < 0 ? h("p", { class: "warn" }, t("teach.none.clean")) : null,
      h("div", { class: "width" },
        h("button", { onclick: () => this.move(-1), disabled: at === 0 }, `← ${t("teach.narrower")}`),
        h("input", { type: "range", min: 0, max: candidates.length - 1, value: String(at), "aria-label": t("teach.width", { at: at + 1, count: candidates.length }),
          oninput: (event) => this.move(Number(event.target.value) - this.#proposal.at) }),
        h("button", { onclick: () => this.move(1), disabled: at >= candidates.length - 1 }, `${t("teach.wider")} →`)),
      h("form", { class: "own", onsubmit: tried }, own, h("button", {}, t("teach.try"))),
      one ? this.#facts(one, mark.kind) : null,
      facts.writes ? null : h("p", { class: "warn" }, t("teach.readonly")),
      h("div", { class: "row" },
        h("button", { class: "first keep", onclick: () => this.keep(), disabled: !one || one.against > 0 || !facts.writes }, t("teach.keep"), h("kbd", {}, "↵")),
        h("button", { onclick: () => this.cancel() }, t("teach.cancel"), h("kbd", {}, "Esc"))),
    ];
  }

  #facts(one, kind) {
    const decides = kind === "content" || kind === "drop";
    const changes = one.added || one.removed
      ? t("teach.changes.of", { added: number(one.added), removed: number(one.removed), pages: number(one.changed.length) })
      : t("teach.changes.none");
    const collateral = one.collateral
      ? t(decides ? "teach.collateral.of" : "teach.collateral.elements", { count: number(one.collateral) })
      : t("teach.collateral.none");
    const facts = [
      ["scope", one.template ? t("teach.of.template", { name: one.template }) : t("site.all.pages")],
      ["matches", t("teach.matches.on", { elements: number(one.elements), pages: number(one.pages), of: number(one.of) })],
      decides ? ["changes", changes] : null,
      ["collateral", collateral],
    ].filter(Boolean);
    return [
      h("dl", { class: `facts ${one.clean ? "clean" : "dirty"}` }, facts.map(([name, value]) =>
        h("div", { "data-fact": name }, h("dt", {}, t(`teach.${name}`)), h("dd", {}, value)))),
      one.against ? h("p", { class: "warn" }, t("teach.against", { count: number(one.against) })) : null,
      one.missed ? h("p", { class: "warn" }, t("teach.missed", { count: number(one.missed) })) : null,
      one.positional ? h("p", { class: "warn" }, t("teach.positional")) : null,
      one.examples.length ? h("h3", {}, t("teach.examples")) : null,
      h("ul", { class: "examples" }, one.examples.map((each) => this.#example(each))),
    ];
  }

  #example(one) {
    const page = this.#site.pages[one.page];
    const what = t(`teach.what.${one.what}`);
    return h("li", { class: `${one.what}${one.is_collateral ? " collateral" : ""}` },
      h("span", { class: "what" }, what), " ", h("span", { dir: "auto" }, one.text || "–"), " ",
      one.page === this.#page.number ? null
        : h("a", { class: "soft", href: this.#site.address("teach", { page: one.page }), dir: "auto" }, page?.title || page?.url || number(one.page)));
  }

  #evidencePart() {
    const page = this.#page;
    if (page.element === null) return null;
    const block = page.blockOfRow.subarray(page.element, page.end[page.element]).find((one) => one >= 0);
    return block === undefined ? null : this.#evidence(block);
  }

  #evidence(block) {
    const { site } = this.#page;
    const says = (keep) => t(keep ? "teach.keeps" : "teach.drops");
    const rules = this.#page.rulesAround(block).map((one) => `${t(`teach.kind.${one.kind}`)} ${one.select}`);
    const facts = [
      ["place", site.places[block]],
      ["says.full", says(site.full[block])],
      ["says.rules", says(site.rules[block])],
      rules.length ? ["rules", rules.join(" · ")] : null,
    ].filter(Boolean);
    return h("details", { class: "evidence", open: true }, h("summary", {}, t("teach.evidence")),
      h("dl", { class: "facts" }, facts.map(([name, value]) => h("div", {}, h("dt", {}, t(`teach.${name}`)), h("dd", { dir: "auto" }, value)))));
  }

}

customElements.define("teach-panel", TeachPanel);
