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
::highlight(kept), ::highlight(both) { background-color: rgb(20 160 140 / 0.24); }
::highlight(dropped) { background-color: rgb(214 110 40 / 0.20); }
::highlight(title) { background-color: rgb(60 110 230 / 0.20); }
::highlight(ours) { background-color: rgb(60 110 230 / 0.28); }
::highlight(theirs) { background-color: rgb(180 70 200 / 0.26); }
::highlight(changed) { text-decoration: underline 3px rgb(110 70 200); }
::highlight(score0) { background-color: rgb(214 110 40 / 0.34); }
::highlight(score1) { background-color: rgb(214 110 40 / 0.26); }
::highlight(score2) { background-color: rgb(214 110 40 / 0.18); }
::highlight(score3) { background-color: rgb(214 140 60 / 0.12); }
::highlight(score4) { background-color: rgb(190 170 60 / 0.16); }
::highlight(score5) { background-color: rgb(150 180 60 / 0.18); }
::highlight(score6) { background-color: rgb(90 180 90 / 0.20); }
::highlight(score7) { background-color: rgb(40 170 120 / 0.24); }
::highlight(score8) { background-color: rgb(20 160 140 / 0.30); }
::highlight(score9) { background-color: rgb(10 140 130 / 0.42); }
::highlight(marked) { background-color: rgb(255 214 64 / 0.85); color: #111; }
img[data-painted="kept"] { outline: 3px solid rgb(20 160 140 / 0.8) !important; }
img[data-painted="dropped"] { outline: 2px dashed rgb(214 110 40 / 0.7) !important; }
[data-marked] { outline: 3px solid rgb(255 190 0) !important; }
[data-revealed] { outline: 1px dotted rgb(110 70 200) !important; }
`;
  const nodes = []; // by row; null where nothing is shown
  const rowOf = new WeakMap();
  const pageStyles = [];
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
    concealed = [...rows.hidden, ...rows.folded];
    addAttributes(rows.attributes);
    for (const [media, text] of rows.styles) pageStyles.push(addStyle(text, media));
    addStyle(GROUND);
    ranges = blocks.first.map((first, block) => rangeOf(first, blocks.last[block]));
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

  function addAttributes(attributes) {
    for (const [name, [rows, values]] of Object.entries(attributes)) {
      rows.forEach((row, at) => nodes[row]?.setAttribute?.(name, values[at]));
    }
  }

  function addStyle(text, media = "") {
    const style = document.createElement("style");
    style.media = media;
    style.textContent = text;
    document.head.append(style);
    return style;
  }

  function rangeOf(first, last) {
    const from = nodes[first], to = nodes[last - 1];
    if (from?.nodeType !== Node.TEXT_NODE || to?.nodeType !== Node.TEXT_NODE) return null;
    return new StaticRange({
      startContainer: from, startOffset: 0, endContainer: to, endOffset: to.length,
    });
  }

  /** Paint each block by its class: `of` has its number in `classes`, or -1. */
  function paint({ classes, of, changed, images }) {
    CSS.highlights.clear();
    const some = classes.map(() => []);
    of.forEach((number, block) => number >= 0 && ranges[block] && some[number].push(ranges[block]));
    classes.forEach((name, number) => CSS.highlights.set(name, new Highlight(...some[number])));
    const different = new Highlight(...changed.map((block) => ranges[block]).filter(Boolean));
    different.priority = 1;
    CSS.highlights.set("changed", different);
    for (const image of document.querySelectorAll("img[data-painted]")) delete image.dataset.painted;
    for (const [row, name] of images) {
      if (nodes[row]?.nodeName === "IMG") nodes[row].dataset.painted = name;
    }
  }

  /** Mark ranges of rows, [first, last) each, and bring the first of them into view. */
  function mark({ rows, scroll }) {
    for (const one of document.querySelectorAll("[data-marked]")) delete one.dataset.marked;
    const marked = new Highlight();
    marked.priority = 2;
    let first = null;
    for (const [begin, end] of rows) {
      for (let row = begin; row < end; row++) {
        const node = nodes[row];
        if (!node) continue;
        if (node.nodeType === Node.TEXT_NODE) {
          marked.add(new StaticRange({
            startContainer: node, startOffset: 0, endContainer: node, endOffset: node.length,
          }));
        } else if (node.nodeName === "IMG" || node.nodeName === "CHAFFINCH-BOX" || end - begin === 1) {
          node.dataset.marked = "";
        } else continue;
        first ??= node;
      }
    }
    CSS.highlights.set("marked", marked);
    if (first && scroll) bringIntoView(first);
  }

  function boxOf(node) {
    if (node.nodeType !== Node.TEXT_NODE) return node.getBoundingClientRect();
    const range = document.createRange();
    range.selectNode(node);
    return range.getBoundingClientRect();
  }

  function bringIntoView(node) {
    const box = boxOf(node);
    if (box.top >= 0 && box.bottom <= innerHeight) return;
    const element = node.nodeType === Node.TEXT_NODE ? node.parentElement : node;
    element.scrollIntoView({ block: "center" });
  }

  /** Show what a reader doesn't see, or hide it again. */
  function reveal({ shown }) {
    for (const row of concealed) {
      const { style, dataset } = nodes[row] ?? {};
      if (!style) continue;
      if (!shown && "revealed" in dataset) {
        delete dataset.revealed;
        nodes[row].setAttribute("style", dataset.styled);
        delete dataset.styled;
      } else if (shown && isConcealed(nodes[row])) {
        dataset.revealed = "";
        dataset.styled = nodes[row].getAttribute("style") ?? "";
        for (const [name, value] of REVEALED) style.setProperty(name, value, "important");
      }
      if (nodes[row].parentNode?.nodeName === "DETAILS") nodes[row].parentNode.open = shown;
    }
  }

  const REVEALED = Object.entries({
    display: "revert", visibility: "visible", opacity: "1", clip: "auto", "clip-path": "none",
    height: "auto", width: "auto", position: "static",
  });

  function isConcealed(element) {
    const { display, visibility, opacity } = getComputedStyle(element);
    const box = element.getBoundingClientRect();
    const isTiny = box.width < 2 || box.height < 2 || box.right < 0 || box.bottom + scrollY < 0;
    return display === "none" || visibility !== "visible" || opacity === "0" || isTiny;
  }

  /** Switch the page's own style sheets on or off. */
  function style({ on }) {
    for (const sheet of pageStyles) sheet.disabled = !on;
  }

  /** Return the row at a point; -1 for none. */
  function rowAt({ clientX, clientY }) {
    const at = document.caretPositionFromPoint(clientX, clientY)?.offsetNode;
    const under = document.elementFromPoint(clientX, clientY);
    const node = at?.nodeType === Node.TEXT_NODE && at.parentNode === under ? at : under;
    return (node && rowOf.get(node)) ?? -1;
  }

  function listen() {
    let latest = null;
    addEventListener("mousemove", (event) => {
      if (!latest) requestAnimationFrame(() => {
        port.postMessage({ kind: "hover", row: rowAt(latest) });
        latest = null;
      });
      latest = event;
    });
    document.documentElement.addEventListener("mouseleave", () => {
      port.postMessage({ kind: "hover", row: -1 });
    });
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

  const DO = { build, paint, mark, reveal, style };

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
