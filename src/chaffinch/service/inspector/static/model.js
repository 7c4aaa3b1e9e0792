// One page in the inspector: its rows, its blocks, the decision, and what of it is marked.

import { ask } from "./dom.js";

// Events: `mark` (rows are marked: `detail` has `block`, `rows`, `from`, `isRest`), `choose` (a block whose
// reasons are shown), `decision` (kept and dropped changed), `element` (another one is chosen, in teaching).
export class PageModel extends EventTarget {
  #inner = []; // elements that were left for the ones around them

  constructor(answer) {
    super();
    const { held, url, title, rendered, rows, blocks, decision, site } = answer;
    Object.assign(this, { held, url, title, isRendered: rendered, rows, blocks, decision, site });
    this.first = decision;
    this.options = {};
    this.marked = null;
    this.chosen = null;
    this.element = null;
    this.count = blocks.first.length;
    this.hidden = new Set(blocks.hidden);
    this.blockOfRow = new Int32Array(rows.name.length).fill(-1);
    for (let block = 0; block < this.count; block++) this.blockOfRow.fill(block, blocks.first[block], blocks.last[block]);
    this.texts = blocks.texts;
    this.titleBlock = this.texts.findIndex((text, block) =>
      text === title && /^h[1-6]$/.test(rows.names[rows.name[blocks.owner[block]]]));
  }

  /** What became of a block: `kept`, `title` (it heads other outputs than the text) or `dropped`. */
  verdictOf(block) {
    if (this.decision.keep[block]) return "kept";
    return block === this.titleBlock ? "title" : "dropped";
  }

  reasonOf(block) {
    return this.decision.reasons[this.decision.why[block]] ?? "";
  }

  /** Whether the decision on a block is another one than without any option. */
  isChanged(block) {
    return this.decision.keep[block] !== this.first.keep[block];
  }

  blocksThat(holds) {
    return [...Array(this.count).keys()].filter(holds);
  }

  rowsOf(block) {
    return [this.blocks.first[block], this.blocks.last[block]];
  }

  nameOf(row) {
    const { names, name } = this.rows;
    const id = this.#attribute("id", row);
    const classes = this.#attribute("class", row).split(/\s+/).filter(Boolean).slice(0, 2);
    return [names[name[row]] ?? "…", id && `#${id}`, ...classes.map((one) => `.${one}`)].join("");
  }

  #attribute(name, row) {
    const [rows, values] = this.rows.attributes[name] ?? [[], []];
    return values[rows.indexOf(row)]?.trim() ?? "";
  }

  /**
   * Mark a block, as hovering does. `from` names the part that did it. Null for none: then the chosen one
   * is marked, if there is any, and nothing needs to be brought into view (`isRest`).
   */
  mark(block, from) {
    const next = block ?? this.chosen;
    if (next === this.marked) return;
    this.marked = next;
    this.#tell("mark", { block: next, rows: next === null ? [] : [this.rowsOf(next)], from, isRest: block === null });
  }

  /** Choose a block, whose reasons are shown; null for none. */
  choose(block, from) {
    this.chosen = block;
    this.mark(block, from);
    this.#tell("choose", { block, from });
  }

  /** Mark ranges of rows that need be no block: elements. */
  show(rows, from) {
    const [first, last] = rows[0] ?? [0, 0];
    const isInside = (this.marked ?? -1) >= 0 && first <= this.rowsOf(this.marked)[0] && this.rowsOf(this.marked)[0] < last;
    this.marked = isInside ? this.marked : this.blockOfRow.subarray(first, last).find((one) => one >= 0) ?? -1;
    this.#tell("mark", { block: this.marked, rows, from, isRest: false });
  }

  /** Decide anew by other options; an answer that was overtaken by another call is left. */
  async decide(options) {
    this.options = options;
    const decision = await this.view("decision");
    if (this.options === options) this.take(decision);
  }

  take(decision) {
    this.decision = decision;
    this.#tell("decision", {});
  }

  /** Return a view of the page, by the options of the decision, as the service makes it. */
  view(name, more = {}) {
    return ask(`/v1/inspect/${name}`, { held: this.held, options: this.options, ...more });
  }

  // Elements, for teaching

  /** Choose an element: the one of a row, or the one that holds its text. */
  chooseRow(row) {
    this.#inner = [];
    this.#setElement(this.rows.name[row] === 0 ? this.rows.parent[row] : row);
  }

  /** Choose the element around the chosen one, or go back in. */
  climb(by) {
    const up = this.element === null ? -1 : this.rows.parent[this.element];
    if (by < 0 && this.#inner.length) this.#setElement(this.#inner.pop());
    if (by < 0 || up <= 0) return;
    this.#inner.push(this.element);
    this.#setElement(up);
  }

  #setElement(row) {
    this.element = row;
    this.#tell("element", {});
    this.show([[row, this.site.end[row]]], "element");
  }

  /** The elements around a row and itself, the outermost first. */
  ancestry(row) {
    const out = [];
    for (let at = row; at > 0; at = this.rows.parent[at]) out.unshift(at);
    return out;
  }

  /** The text of an element, as far as it is in blocks. */
  textOf(row) {
    const blocks = new Set(this.blockOfRow.subarray(row, this.site.end[row]));
    return [...blocks].filter((one) => one >= 0).map((one) => this.texts[one]).join(" ");
  }

  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}
