// One page of the open site: what both modes say of each block, and the element that is chosen.

import { PageModel } from "./page-model.js";

/** How blocks of such a page can be coloured. */
export const SITE_PAINTS = ["decision", "modes", "none"];

/** A page of the open site. Further event: `element` (another element is chosen). */
export class TeachPage extends PageModel {
  element = null; // row of the chosen element
  #inner = []; // elements that were left for the ones around them

  /** @param {Object} answer of `POST /v1/inspect/site/page`. */
  constructor(answer) {
    super(answer);
    this.site = answer.site;
    this.number = answer.site.number;
    this.end = answer.site.end;
  }

  get painted() {
    const { full, rules } = this.site;
    switch (this.paint) {
      case "modes":
        return { classes: ["dropped", "theirs", "ours", "both"], of: full.map((one, at) => 2 * one + rules[at]) };
      default:
        return super.painted;
    }
  }

  /** Choose an element: the one of a row, or the one that holds its text. */
  chooseRow(row) {
    const isText = this.rows.name[row] === 0;
    this.#inner = [];
    this.#setElement(isText ? this.rows.parent[row] : row);
  }

  /** Choose the element around the chosen one, or go back in. */
  climb(by) {
    if (this.element === null) return;
    if (by < 0) {
      if (this.#inner.length) this.#setElement(this.#inner.pop());
      return;
    }
    const up = this.rows.parent[this.element];
    if (up > 0) {
      this.#inner.push(this.element);
      this.#setElement(up);
    }
  }

  #setElement(row) {
    this.element = row;
    this.dispatchEvent(new Event("element"));
    this.showElements([[row, this.end[row]]]);
  }

  /** Mark several ranges of rows. */
  showElements(rows, from = null) {
    const [first, last] = rows[0] ?? [0, 0];
    const isInside = this.marked !== null && first <= this.rowsOf(this.marked)[0] && this.rowsOf(this.marked)[0] < last;
    const block = isInside ? this.marked : this.blockOfRow.subarray(first, last).find((one) => one >= 0) ?? null;
    this.marked = block;
    this.dispatchEvent(new CustomEvent("mark", { detail: { block, rows, from } }));
  }

  /** The elements around a row and itself, the outermost first. */
  ancestry(row) {
    const out = [];
    for (let at = row; at > 0; at = this.rows.parent[at]) out.unshift(at);
    return out;
  }

  /** An element as people write it: tag, id, classes. */
  nameOf(row) {
    const { names, name } = this.rows;
    const tag = name[row] < 0 ? "…" : names[name[row]];
    const id = this.attributeOf("id", row);
    const classes = this.attributeOf("class", row).split(/\s+/).filter(Boolean).slice(0, 2);
    return [tag, id && `#${id}`, ...classes.map((one) => `.${one}`)].join("");
  }

  /** The value of an attribute of an element; "" for none. */
  attributeOf(name, row) {
    const [rows, values] = this.rows.attributes[name] ?? [[], []];
    const at = rows.indexOf(row);
    return at < 0 ? "" : values[at].trim();
  }

  /** The text of an element, as far as it is in blocks. */
  textOf(row) {
    const blocks = new Set(this.blockOfRow.subarray(row, this.end[row]));
    return [...blocks].filter((one) => one >= 0).map((one) => this.texts[one]).join(" ");
  }

  /** The rules of the site that select an element around a block. */
  rulesAround(block) {
    const [first] = this.rowsOf(block);
    return this.site.ruled.filter((rule) => rule.rows.some((row) => row <= first && first < this.end[row]));
  }
}
