// One page in the inspector: its rows, its blocks, the decision, and what of it is marked.

import { ask } from "./api.js";

/**
 * A page that is held by the service. Events: `mark` and `choose` (a block, or rows of the page),
 * `decision` (kept and dropped changed), `paint` (what colours the blocks changed).
 */
export class PageModel extends EventTarget {
  /** @param {Object} answer of `POST /v1/inspect/page`. */
  constructor(answer) {
    super();
    Object.assign(this, {
      held: answer.held,
      url: answer.url,
      title: answer.title,
      isRendered: answer.rendered,
      encoding: answer.encoding,
      rows: answer.rows,
      blocks: answer.blocks,
      decision: answer.decision,
      options: {},
      marked: null,
      chosen: null,
    });
    this.count = answer.blocks.first.length;
    this.hidden = new Set(answer.blocks.hidden);
    this.folded = new Set(answer.blocks.folded);
    this.blockOfRow = this.#blocksOfRows();
    this.texts = this.#textsOfBlocks();
    this.reasons = null;
  }

  #blocksOfRows() {
    const { first, last } = this.blocks;
    const of = new Int32Array(this.rows.name.length).fill(-1);
    for (let block = 0; block < this.count; block++) of.fill(block, first[block], last[block]);
    return of;
  }

  #textsOfBlocks() {
    const texts = Array.from({ length: this.count }, () => []);
    let next = 0;
    this.rows.name.forEach((name, row) => {
      if (name !== 0) return;
      const text = this.rows.texts[next++];
      if (this.blockOfRow[row] >= 0) texts[this.blockOfRow[row]].push(text);
    });
    return texts.map((some) => some.join("").replace(/\s+/g, " ").trim());
  }

  /** The rows of a block, first and one past the last. */
  rowsOf(block) {
    return [this.blocks.first[block], this.blocks.last[block]];
  }

  /** The element around a block, as people write it: tag, id, class. */
  elementOf(block) {
    const row = this.blocks.owner[block];
    const { attributes, names, name } = this.rows;
    const value = (of) => attributes[of]?.[1][attributes[of][0].indexOf(row)] ?? "";
    const classes = value("class").trim().split(/\s+/).filter(Boolean).slice(0, 2);
    const id = value("id").trim();
    return [names[name[row]] ?? "", id && `#${id}`, ...classes.map((one) => `.${one}`)].join("");
  }

  /** Mark a block, as hovering does; null for none. `from` names the part that did it. */
  mark(block, from) {
    if (block === this.marked) return;
    this.marked = block;
    this.#tell("mark", { block, from });
  }

  /** Choose a block, whose reasons are shown. */
  choose(block, from) {
    this.marked = block;
    this.chosen = block;
    this.#tell("mark", { block, from });
    this.#tell("choose", { block, from });
  }

  /** Show rows of the page that are no block: where an image, a table, a field came from. */
  show(rows, from) {
    this.#tell("show", { rows, from });
  }

  /** Decide anew by other options; a decision that was overtaken by another is left. */
  async decide(options) {
    this.options = options;
    this.reasons = null;
    const decision = await this.view("decision");
    if (this.options !== options) return;
    this.decision = decision;
    this.#tell("decision", {});
  }

  /** Return why each block was kept or dropped, asked for once a decision. */
  async reasonsOf(block) {
    this.reasons ??= this.view("reasons");
    return (await this.reasons).blocks[block];
  }

  /** Return a view of the page as the service makes it. */
  view(name, more = {}) {
    return ask(`/v1/inspect/${name}`, { held: this.held, options: this.options, ...more });
  }

  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}
