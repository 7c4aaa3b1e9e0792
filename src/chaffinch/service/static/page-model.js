// One page in the inspector: its rows, its blocks, the decision, and what of it is marked.

import { ask } from "./api.js";

/** What blocks can be coloured by. */
export const PAINTS = ["decision", "score", "layers", "none"];

/**
 * A page that is held by the service. Events: `mark` (rows are marked: `detail` has `block`, `rows`
 * and `from`), `choose` (a block whose reasons are shown), `decision` (kept and dropped changed),
 * `paint` (how blocks are coloured changed), `layers` (other methods' are beside it).
 */
export class PageModel extends EventTarget {
  #views = new Map();
  #laying = null; // the layers that were asked for last

  /** @param {Object} answer of `POST /v1/inspect/page`. */
  constructor(answer) {
    super();
    Object.assign(this, {
      held: answer.held,
      url: answer.url,
      title: answer.title,
      isRendered: answer.rendered,
      encoding: answer.encoding,
      methods: answer.methods.filter((one) => one.name !== "learned"),
      siblings: answer.siblings,
      outputs: answer.outputs,
      rows: answer.rows,
      blocks: answer.blocks,
      decision: answer.decision,
      options: {},
      marked: null,
      chosen: null,
      paint: "decision",
      layers: [], // of the methods that are beside the decision
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

  /** The methods of which there can be layers; their numbers begin with 1. */
  get layerNames() {
    return this.methods.map((one) => one.name);
  }

  /** The number of a method's layer. */
  layerNumber(method) {
    return this.layerNames.indexOf(method) + 1;
  }

  /** Whether a method can be run on this page: some need other pages of its site. */
  canLay(name) {
    return this.siblings.count > 0 || !this.methods.find((one) => one.name === name).needs_siblings;
  }

  /** Lay what methods would keep beside the decision; return [name, why] of those that can't. */
  async layBeside(names) {
    this.#laying = names;
    const asked = await Promise.allSettled(names.map((method) => this.view("layer", { method }, {})));
    if (this.#laying !== names) return [];
    this.layers = asked.filter((one) => one.value).map((one) => ({ ...one.value, number: this.layerNumber(one.value.method) }));
    this.layers.sort((one, two) => one.number - two.number);
    this.#tell("layers", {});
    if (this.paint === "layers") this.#tell("paint", {});
    return names.map((name, at) => [name, asked[at].reason?.message]).filter(([, why]) => why !== undefined);
  }

  /** Whether a layer keeps what is dropped, or drops what is kept. */
  isDisputed(block) {
    return this.layers.some((one) => one.keep[block] !== this.decision.keep[block]);
  }

  /** Name other pages of the site, or have them found; return what the service says of them. */
  async nameSiblings(asked) {
    const about = await ask("/v1/inspect/siblings", { held: this.held, ...asked });
    this.siblings = about;
    this.#views.clear();
    return about;
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
      case "layers":
        return this.#agreement();
      case "none":
        return { classes: [], of: [] };
      default:
        return {
          classes: ["dropped", "kept", "title"],
          of: keep.map((one, block) => (this.isTitle(block) ? 2 : one)),
        };
    }
  }

  /** With one layer who of the two keeps a block; with more of them how many do. */
  #agreement() {
    const { keep } = this.decision;
    const [first, ...others] = this.layers;
    if (first && !others.length) {
      return { classes: ["dropped", "theirs", "ours", "both"], of: keep.map((one, block) => 2 * one + first.keep[block]) };
    }
    const votes = (block) => this.layers.reduce((sum, one) => sum + one.keep[block], keep[block]);
    return {
      classes: Array.from({ length: 10 }, (_, at) => `score${at}`),
      of: keep.map((_, block) => Math.round((9 * votes(block)) / (this.layers.length + 1))),
    };
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
