"use strict";
// The only script of the frame that shows a page. It makes elements of rows, one by one, paints
// them, and says where the pointer is; it reads nothing of the page but positions.
(() => {
  const MATH = "http://www.w3.org/1998/Math/MathML";
  const nodes = []; // by row; null where nothing is shown
  const rowOf = new WeakMap();
  let ranges = []; // of blocks
  let port = null;

  const GROUND = `
html { overflow: auto !important; }
body { overflow: visible !important; }
::highlight(kept) { background-color: rgb(25 160 140 / 0.22); }
::highlight(dropped) { background-color: rgb(205 105 40 / 0.20); }
::highlight(marked) { background-color: rgb(255 214 64 / 0.75); color: #111; }
`;

  function build({ rows, blocks }) {
    const { names, name, parent, texts } = rows;
    let next = 0;
    for (let row = 0; row < name.length; row++) {
      const tag = names[name[row]];
      const text = name[row] === 0 ? texts[next++] : null;
      const above = parent[row] < 0 ? null : nodes[parent[row]];
      nodes.push(made(tag, text, above));
      if (nodes[row]) rowOf.set(nodes[row], row);
    }
    addAttributes(rows.attributes);
    addStyles(rows.styles);
    ranges = blocks.first.map((first, block) => rangeOf(first, blocks.last[block]));
  }

  function made(tag, text, above) {
    if (tag === undefined) return null;
    if (tag === "html") return document.documentElement;
    if (tag === "body") return document.body;
    if (!above) return null;
    const isMath = tag === "math" || above.namespaceURI === MATH;
    const node = text !== null
      ? document.createTextNode(text)
      : isMath ? document.createElementNS(MATH, tag) : document.createElement(tag);
    above.appendChild(node);
    return node;
  }

  function addAttributes(attributes) {
    for (const [name, [rows, values]] of Object.entries(attributes)) {
      rows.forEach((row, at) => {
        try {
          nodes[row]?.setAttribute(name, values[at]);
        } catch {
          // a value that this attribute can't have
        }
      });
    }
  }

  function addStyles(styles) {
    for (const [media, text] of styles) {
      const style = document.createElement("style");
      style.media = media;
      style.textContent = text;
      document.head.append(style);
    }
    const own = document.createElement("style");
    own.textContent = GROUND;
    document.head.append(own);
  }

  function rangeOf(first, last) {
    const from = nodes[first], to = nodes[last - 1];
    if (from?.nodeType !== Node.TEXT_NODE || to?.nodeType !== Node.TEXT_NODE) return null;
    return new StaticRange({
      startContainer: from, startOffset: 0, endContainer: to, endOffset: to.length,
    });
  }

  /** Paint each block by the name of its class; "" for none. */
  function paint({ classes, of }) {
    classes.forEach((name, number) => {
      const some = ranges.filter((range, block) => range && of[block] === number);
      CSS.highlights.set(name, new Highlight(...some));
    });
  }

  function mark({ block, scroll }) {
    const range = block === null ? null : ranges[block];
    const marked = new Highlight(...(range ? [range] : []));
    marked.priority = 2;
    CSS.highlights.set("marked", marked);
    if (range && scroll) bringIntoView(range);
  }

  function bringIntoView(range) {
    const live = document.createRange();
    live.setStart(range.startContainer, 0);
    live.setEnd(range.endContainer, range.endOffset);
    const box = live.getBoundingClientRect();
    if (box.top < 0 || box.bottom > innerHeight) {
      range.startContainer.parentElement.scrollIntoView({ block: "center" });
    }
  }

  /** Return the row at a point; -1 for none. */
  function rowAt(x, y) {
    const at = document.caretPositionFromPoint(x, y)?.offsetNode;
    const under = document.elementFromPoint(x, y);
    const node = at?.nodeType === Node.TEXT_NODE && at.parentNode === under ? at : under;
    return (node && rowOf.get(node)) ?? -1;
  }

  function listen() {
    let waiting = null;
    addEventListener("mousemove", (event) => {
      if (!waiting) requestAnimationFrame(() => {
        port.postMessage({ kind: "hover", row: rowAt(waiting.clientX, waiting.clientY) });
        waiting = null;
      });
      waiting = event;
    });
    document.documentElement.addEventListener("mouseleave", () => {
      port.postMessage({ kind: "hover", row: -1 });
    });
    addEventListener("click", (event) => {
      event.preventDefault();
      port.postMessage({ kind: "choose", row: rowAt(event.clientX, event.clientY) });
    }, true);
    addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.key === "Tab") return;
      if (event.target.closest?.("input, textarea, select")) return;
      if (event.key.startsWith("Arrow")) event.preventDefault();
      port.postMessage({ kind: "key", key: event.key });
    }, true);
  }

  const DO = { build, paint, mark };

  function connect(event) {
    if (event.source !== parent || event.data !== "connect" || !event.ports[0]) return;
    removeEventListener("message", connect);
    port = event.ports[0];
    port.onmessage = ({ data }) => {
      DO[data.kind](data);
      if (data.kind === "build") port.postMessage({ kind: "built" });
    };
    listen();
  }

  addEventListener("message", connect);
})();
