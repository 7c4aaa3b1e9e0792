// The page itself, in a frame of an origin of its own: sandboxed, without its scripts, and unable to
// ask for anything. The two sides talk over one channel, and what comes from there is checked.

import { h } from "../dom.js";
import { t } from "../i18n.js";
import { pressed } from "../keys.js";

const LONGEST_KEY = 20;

/** `<page-frame>`: shows a model's page; call `start` with the model once. */
export class PageFrame extends HTMLElement {
  #model = null;
  #port = null;
  #stop = new AbortController();

  /** @param {import("../page-model.js").PageModel} model */
  start(model, { images = false } = {}) {
    this.#model = model;
    const frame = h("iframe", {
      sandbox: "allow-scripts",
      referrerpolicy: "no-referrer",
      title: t("page.frame"),
      src: images ? "/inspector/frame-with-images" : "/inspector/frame",
    });
    frame.addEventListener("load", () => this.#connect(frame), { once: true });
    this.replaceChildren(frame);
    const { signal } = this.#stop;
    model.addEventListener("mark", ({ detail }) => {
      this.send({ kind: "mark", rows: detail.rows, scroll: detail.from !== this && !detail.isRest });
    }, { signal });
    model.addEventListener("decision", () => this.#paint(), { signal });
    model.addEventListener("paint", () => this.#paint(), { signal });
  }

  disconnectedCallback() {
    this.#stop.abort();
    this.#port?.close();
  }

  /** Send a message to the frame's script, which has a function for each kind. */
  send(message) {
    this.#port?.postMessage(message);
  }

  #connect(frame) {
    const channel = new MessageChannel();
    this.#port = channel.port1;
    this.#port.onmessage = ({ data }) => this.#hear(data);
    frame.contentWindow.postMessage("connect", "*", [channel.port2]);
    const { rows, blocks } = this.#model;
    this.send({ kind: "build", rows, blocks: { first: blocks.first, last: blocks.last } });
    this.#paint();
  }

  #paint() {
    const { decision, images, count } = this.#model;
    const shown = new Set(decision.images);
    const isPainted = this.#model.paint !== "none";
    this.send({
      kind: "paint",
      ...this.#model.painted,
      changed: [...Array(count).keys()].filter((block) => this.#model.isChanged(block)),
      images: isPainted ? images.map((row) => [row, shown.has(row) ? "kept" : "dropped"]) : [],
    });
  }

  #hear(data) {
    if (data.kind === "built") {
      this.setAttribute("data-built", "");
      this.dispatchEvent(new Event("built"));
    }
    if (data.kind === "key" && typeof data.key === "string" && data.key.length < LONGEST_KEY) {
      pressed(new KeyboardEvent("keydown", { key: data.key }));
    }
    const row = data.row;
    if (!Number.isInteger(row) || row < -1 || row >= this.#model.rows.name.length) return;
    const block = row < 0 ? -1 : this.#model.blockOfRow[row];
    if (data.kind === "hover") this.#model.mark(block < 0 ? null : block, this);
    if (data.kind === "choose" && row >= 0) this.dispatchEvent(new CustomEvent("pick", { detail: row }));
    if (data.kind === "choose" && block >= 0) this.#model.choose(block, this);
  }
}

customElements.define("page-frame", PageFrame);
