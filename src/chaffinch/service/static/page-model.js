// One page in the inspector: its rows, its blocks, the decision, and what of it is marked.

import { ask } from "./api.js";

/** What blocks can be coloured by. */
export const PAINTS = ["decision", "score", "none"];

/**
 * A page that is held by the service. Events: `mark` (rows are marked: `detail` has `block`, `rows`
 * and `from`), `choose` (a block whose reasons are shown), `decision` (kept and dropped changed),
 * `paint` (how blocks are coloured changed).
 */
export class PageModel extends EventTarget {
  #views = new Map();

  /** @param {Object} answer of `POST /v1/inspect/page`. */
  constructor(answer) {
    super();
    Object.assign(this, {
      held: answer.held,
      url: answer.url,
      title: answer.title,
      isRendered: answer.rendered,
      encoding: answer.encoding,
      outputs: answer.outputs,
      rows: answer.rows,
      blocks: answer.blocks,
      decision: answer.decision,
      options: {},
      marked: null,
      chosen: null,
      paint: "decision",
    });
    this.first = answer.decision;
    this.count = answer.blocks.first.length;
    this.hidden = new Set([...answer.blocks.hidden, ...answer.blocks.folded]);
    this.blockOfRow = this.#blocksOfRows();
    this.texts = this.#textsOfBlocks();
    this.images = this.#rowsOf("img");
    this.titleBlock = this.texts.findIndex((text, block) => text === this.title && this.#isHeading(block));
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

  #rowsOf(tag) {
    const wanted = this.rows.names.indexOf(tag);
    const found = [];
    this.rows.name.forEach((name, row) => name === wanted && found.push(row));
    return found;
  }

  #isHeading(block) {
    return /^h[1-6]$/.test(this.rows.names[this.rows.name[this.blocks.owner[block]]]);
  }

  /** Whether a block is dropped from the text because it is the title, which heads other outputs. */
  isTitle(block) {
    return block === this.titleBlock && !this.decision.keep[block];
  }

  /** What became of a block: `kept`, `title` or `dropped`. */
  verdictOf(block) {
    if (this.decision.keep[block]) return "kept";
    return this.isTitle(block) ? "title" : "dropped";
  }

  /** The rows of a block, first and one past the last. */
  rowsOf(block) {
    return [this.blocks.first[block], this.blocks.last[block]];
  }

  /** The element around a block, as people write it: tag, id, class. */
  elementOf(block) {
    const row = this.blocks.owner[block];
    const { names, name } = this.rows;
    const classes = this.#attribute("class", row).split(/\s+/).filter(Boolean).slice(0, 2);
    const id = this.#attribute("id", row);
    return [names[name[row]] ?? "", id && `#${id}`, ...classes.map((one) => `.${one}`)].join("");
  }

  #attribute(name, row) {
    const [rows, values] = this.rows.attributes[name] ?? [[], []];
    let low = 0, high = rows.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (rows[middle] < row) low = middle + 1;
      else high = middle;
    }
    return rows[low] === row ? values[low].trim() : "";
  }

  /** Whether the decision on a block is another one than without any option. */
  isChanged(block) {
    return this.decision.keep[block] !== this.first.keep[block];
  }

  /** How many blocks are kept. */
  get kept() {
    return this.decision.keep.reduce((sum, one) => sum + one, 0);
  }

  /**
   * Mark a block, as hovering does. `from` names the part that did it. Null for none: then the chosen one
   * is marked, if there is any, and nothing needs to be brought into view (`isRest`).
   */
  mark(block, from) {
    const isRest = block === null;
    const next = block ?? this.chosen;
    if (next === this.marked) return;
    this.marked = next;
    this.#tell("mark", { block: next, rows: next === null ? [] : [this.rowsOf(next)], from, isRest });
  }

  /** Choose a block, whose reasons are shown. */
  choose(block, from) {
    this.mark(block, from);
    this.chosen = block;
    this.#tell("choose", { block, from });
  }

  /** Mark rows of the page that need be no block: where an image, a table, a field came from. */
  show(rows, from) {
    if (rows === null) {
      this.mark(null, from);
      return;
    }
    const block = this.blockOfRow.subarray(...rows).find((one) => one >= 0) ?? -1;
    this.marked = block; // -1 for rows of no block
    this.#tell("mark", { block: this.marked, rows: [rows], from, isRest: false });
  }

  /** Decide anew by other options; an answer that was overtaken by another call is left. */
  async decide(options) {
    this.options = options;
    this.#views.clear();
    const decision = await this.view("decision");
    if (this.options !== options) return;
    this.decision = decision;
    this.#tell("decision", {});
  }

  /** Colour blocks by one of `PAINTS`. */
  paintBy(paint) {
    this.paint = paint;
    this.#tell("paint", {});
  }

  /** The class of each block by which it is coloured, its index among the names; -1 for none. */
  get painted() {
    const { keep, score } = this.decision;
    switch (this.paint) {
      case "score":
        return {
          classes: Array.from({ length: 10 }, (_, at) => `score${at}`),
          of: score.map((one) => Math.min(9, Math.floor(one * 10))),
        };
      case "none":
        return { classes: [], of: [] };
      default:
        return {
          classes: ["dropped", "kept", "title"],
          of: keep.map((one, block) => (this.isTitle(block) ? 2 : one)),
        };
    }
  }

  /** Return a view of the page as the service makes it, asked for once a decision. */
  view(name, more = {}, options = this.options) {
    const key = JSON.stringify([name, more, options]);
    if (!this.#views.has(key)) {
      const asked = ask(`/v1/inspect/${name}`, { held: this.held, options, ...more });
      asked.catch(() => this.#views.delete(key));
      this.#views.set(key, asked);
    }
    return this.#views.get(key);
  }

  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}
