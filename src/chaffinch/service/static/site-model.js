// The site that the operator opened: its pages as far as they are read, its rules, what was kept.

import { ask } from "./api.js";
import { addressOf } from "./router.js";

/** What a person may say of an element, each with its key. */
export const KINDS = [
  ["content", "c"], ["drop", "x"], ["title", "t"], ["author", "a"], ["date", "d"], ["price", "p"],
  ["image", "i"], ["record", "e"], ["next", "n"],
];

/**
 * A site that is open: the operator's, or one that the service keeps. Events: `pages` (more pages were read or judged), `model` (its file changed),
 * `failed` (pages couldn't be read; `detail` is the error).
 */
class SiteModel extends EventTarget {
  /** @param {string} name of a kept site; "" for the operator's. */
  constructor(name) {
    super();
    this.name = name;
  }

  report = null;
  pages = []; // by number; null for one that wasn't read yet
  marks = []; // those by which rules were kept, and those of labels
  kept = []; // rules that were kept since the view was opened, the last one last
  #opening = null;
  #turn = 0;

  #ask(view, body) {
    return ask(`/v1/inspect/site/${view}`, { ...body, site: this.name || undefined });
  }

  /** Return the address of a view of this site. */
  address(view, params = {}) {
    return addressOf(view, { site: this.name, ...params });
  }

  /** Read the model once; pages are read after it, portion by portion. */
  open() {
    this.#opening ??= this.#open();
    return this.#opening;
  }

  async #open() {
    try {
      this.#take(await this.#ask("overview", {}));
    } catch (error) {
      this.#opening = null;
      throw error;
    }
    this.pages = this.report.names.map(() => null);
    this.read();
  }

  #take(report) {
    this.report = report;
    this.dispatchEvent(new Event("model"));
  }

  /** Read all pages, or judge them anew after a change; done when all are known, or a later call. */
  read() {
    const reading = this.#readAll();
    reading.catch((error) => this.dispatchEvent(new CustomEvent("failed", { detail: error })));
    return reading;
  }

  async #readAll() {
    const count = this.pages.length, turn = (this.#turn += 1);
    for (let start = 0; start < count;) {
      if (turn !== this.#turn) return;
      const { pages } = await this.#ask("pages", { start });
      for (const one of pages) this.pages[one.number] = { ...one, name: this.report.names[one.number] };
      start += pages.length;
      this.dispatchEvent(new Event("pages"));
    }
    const report = await this.#ask("overview", {});
    if (turn === this.#turn) this.#take(report);
  }

  /** How many pages were read. */
  get readCount() {
    return this.pages.filter((one) => one !== null).length;
  }

  /** The pages that were read, those most worth a look first. */
  get worstFirst() {
    const known = this.pages.filter((one) => one !== null && !one.problem);
    return known.sort((one, two) => two.doubt - one.doubt || one.number - two.number);
  }

  /** The page that follows another in that order, or comes before it. */
  beside(number, by) {
    const order = this.worstFirst;
    const at = order.findIndex((one) => one.number === number);
    return order[(at + by + order.length) % order.length]?.number ?? number;
  }

  page(number, images) {
    return this.#ask("page", { number, images });
  }

  /** Return the candidates for a mark; `select` tries one selector of the person's own. */
  propose(mark, select = null) {
    return this.#ask("propose", { marks: this.#marksFor(mark), select });
  }

  #marksFor(mark) {
    const others = this.marks.filter((one) => one.page !== mark.page || one.row !== mark.row);
    return [...others.map(({ page, row, kind }) => ({ page, row, kind })), mark];
  }

  /** Write a rule into the site's file. */
  async keep(mark, candidate) {
    const rule = { kind: mark.kind, select: candidate.select, template: candidate.template };
    const marks = this.#marksFor(mark);
    const version = this.report.version;
    this.#take(await this.#ask("keep", {
      marks, select: rule.select, template: rule.template, version,
    }));
    this.kept.push({ ...rule, mark });
    this.marks.push({ ...mark, isOfRule: true });
    this.read();
  }

  /** Take a rule of a person out of the site's file. */
  async remove({ kind, select, template }) {
    this.#take(await this.#ask("remove", {
      kind, select, template, version: this.report.version,
    }));
    const at = this.kept.findLastIndex((one) =>
      one.kind === kind && one.select === select && one.template === template);
    if (at >= 0) {
      const [{ mark }] = this.kept.splice(at, 1);
      this.marks = this.marks.filter((one) => !(one.isOfRule && one.page === mark.page && one.row === mark.row));
    }
    this.read();
  }

  /** Take back the rule that was kept last; null where none was. */
  async undo() {
    const last = this.kept.at(-1) ?? null;
    if (last) await this.remove(last);
    return last;
  }

  /** The rules of people, each with the template that it is for. */
  get ruledByHand() {
    const of = (rules, template) => rules.filter((one) => one.by_hand).map((one) => ({ ...one, template }));
    return [
      ...of(this.report.rules, ""),
      ...this.report.templates.flatMap((one) => of(one.rules, one.name)),
    ];
  }
}

const SITES = new Map();

/** The site that an address names; the operator's where it names none. */
export function siteOf(params) {
  const name = params.get("site") ?? "";
  if (!SITES.has(name)) SITES.set(name, new SiteModel(name));
  return SITES.get(name);
}
