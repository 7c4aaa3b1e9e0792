"use strict";
// The only script of the frame that shows a page. It makes elements of rows, one by one, paints
// them, and says where the pointer is; it reads nothing of the page but positions.
(() => {
  document.currentScript.remove();
  const MATH = "http://www.w3.org/1998/Math/MathML";
  // Above the page's own styles: what the inspector paints, and that pages can be scrolled.
  const GROUND = `
html { overflow: auto !important; }
body { overflow: visible !important; }
::highlight(kept) { background-color: rgb(20 160 140 / 0.24); }
::highlight(dropped) { color: rgb(150 150 150); text-decoration-color: rgb(190 190 190); }
::highlight(changed) { text-decoration: underline 3px rgb(110 70 200); }
::highlight(marked) { background-color: rgb(255 214 64 / 0.85); color: #111; }
img[data-kept] { outline: 3px solid rgb(20 160 140 / 0.8) !important; }
[data-marked] { outline: 3px solid rgb(255 190 0) !important; }
html [data-revealed][data-revealed] {
  display: revert !important; visibility: visible !important; opacity: 1 !important; clip: auto !important;
  clip-path: none !important; height: auto !important; width: auto !important; position: static !important;
}
`;
  const nodes = []; // by row; null where nothing is shown
  const rowOf = new WeakMap();
  let ranges = []; // of blocks
  let concealed = []; // rows that a reader doesn't see
  let port = null;

  function build({ rows, blocks }) {
    const { names, name, parent, texts } = rows;
    let next = 0;
    for (let row = 0; row < name.length; row++) {
      const text = name[row] === 0 ? texts[next++] : null;
      nodes.push(made(names[name[row]], text, parent[row] < 0 ? null : nodes[parent[row]]));
      if (nodes[row]) rowOf.set(nodes[row], row);
    }
    concealed = rows.hidden;
    for (const [attribute, [at, values]] of Object.entries(rows.attributes)) {
      at.forEach((row, number) => nodes[row]?.setAttribute?.(attribute, values[number]));
    }
    for (const [media, text] of rows.styles) addStyle(text, media);
    addStyle(GROUND);
    ranges = blocks.first.map((first, block) => rangeOf(nodes[first], nodes[blocks.last[block] - 1]));
    port.postMessage({ kind: "built" });
  }

  function made(tag, text, above) {
    if (tag === undefined) return null;
    if (tag === "html") return document.documentElement;
    if (tag === "body") return document.body;
    if (!above) return null;
    let node;
    if (text !== null) node = document.createTextNode(text);
    else if (tag === "math" || above.namespaceURI === MATH) node = document.createElementNS(MATH, tag);
    else node = document.createElement(tag);
    above.appendChild(node);
    return node;
  }

  function addStyle(text, media = "") {
    const style = document.createElement("style");
    style.media = media;
    style.textContent = text;
    document.head.append(style);
  }

  function rangeOf(from, to) {
    if (from?.nodeType !== Node.TEXT_NODE || to?.nodeType !== Node.TEXT_NODE) return null;
    return new StaticRange({ startContainer: from, startOffset: 0, endContainer: to, endOffset: to.length });
  }

  /** Paint blocks: `groups` has the numbers of those of each name; outline the images that are kept. */
  function paint({ groups, images }) {
    CSS.highlights.clear();
    Object.entries(groups).forEach(([name, blocks], priority) => {
      const highlight = new Highlight(...blocks.map((block) => ranges[block]).filter(Boolean));
      highlight.priority = priority;
      CSS.highlights.set(name, highlight);
    });
    for (const image of document.querySelectorAll("img[data-kept]")) delete image.dataset.kept;
    for (const row of images) if (nodes[row]?.nodeName === "IMG") nodes[row].dataset.kept = "";
  }

  /** Mark ranges of rows, [first, last) each, and bring the first of them into view. */
  function mark({ rows, scroll }) {
    for (const one of document.querySelectorAll("[data-marked]")) delete one.dataset.marked;
    const marked = new Highlight();
    marked.priority = 9;
    let first = null;
    for (const [begin, end] of rows) {
      for (let row = begin; row < end; row++) {
        const node = nodes[row];
        if (!node) continue;
        if (node.nodeType === Node.TEXT_NODE) marked.add(rangeOf(node, node));
        else if (node.nodeName === "IMG" || node.nodeName === "CHAFFINCH-BOX" || end - begin === 1) node.dataset.marked = "";
        else continue;
        first ??= node;
      }
    }
    CSS.highlights.set("marked", marked);
    if (!first || !scroll) return;
    const box = boxOf(first);
    if (scroll === "start") scrollTo(0, Math.max(0, box.top + scrollY - 24));
    else if (box.top < 0 || box.bottom > innerHeight) {
      (first.nodeType === Node.TEXT_NODE ? first.parentElement : first).scrollIntoView({ block: "center" });
    }
  }

  function boxOf(node) {
    const range = document.createRange();
    range.selectNode(node);
    return range.getBoundingClientRect();
  }

  /** Show what a reader doesn't see, or hide it again. */
  function reveal({ shown }) {
    for (const row of concealed) {
      const node = nodes[row];
      if (!node?.dataset) continue;
      if (!shown) delete node.dataset.revealed;
      else if (isConcealed(node)) node.dataset.revealed = "";
      if (node.parentNode?.nodeName === "DETAILS") node.parentNode.open = shown;
    }
  }

  function isConcealed(element) {
    const { display, visibility, opacity } = getComputedStyle(element);
    const box = element.getBoundingClientRect();
    const isTiny = box.width < 2 || box.height < 2 || box.right < 0 || box.bottom + scrollY < 0;
    return display === "none" || visibility !== "visible" || opacity === "0" || isTiny;
  }

  function rowAt({ clientX, clientY }) {
    const at = document.caretPositionFromPoint(clientX, clientY)?.offsetNode;
    const under = document.elementFromPoint(clientX, clientY);
    const node = at?.nodeType === Node.TEXT_NODE && at.parentNode === under ? at : under;
    return (node && rowOf.get(node)) ?? -1;
  }

  let pointed = null; // the last move of the pointer; it is said once a frame of the screen

  function listen() {
    addEventListener("mousemove", (event) => {
      if (!pointed) requestAnimationFrame(() => {
        port.postMessage({ kind: "hover", row: rowAt(pointed) });
        pointed = null;
      });
      pointed = event;
    });
    document.documentElement.addEventListener("mouseleave", () => port.postMessage({ kind: "hover", row: -1 }));
    addEventListener("click", (event) => {
      event.preventDefault();
      port.postMessage({ kind: "choose", row: rowAt(event) });
    }, true);
    addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.key === "Tab") return;
      if (event.target.closest?.("input, textarea, select")) return;
      if (event.key.startsWith("Arrow")) event.preventDefault();
      port.postMessage({ kind: "key", key: event.key });
    }, true);
  }

  const DO = { build, paint, mark, reveal };

  function connect(event) {
    if (event.source !== parent || event.data !== "connect" || !event.ports[0]) return;
    removeEventListener("message", connect);
    port = event.ports[0];
    port.onmessage = ({ data }) => DO[data.kind](data);
    listen();
  }

  addEventListener("message", connect);
})();
