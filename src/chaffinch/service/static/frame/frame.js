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
  let boxes = [];
  let overlay = null;
  let layers = []; // what other methods keep: their numbers, and 0 or 1 for each block
  let strips = null; // a canvas over the page, and where the blocks are
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
    drawBoxes();
    measureStrips();
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
    drawBoxes();
    measureStrips();
  }

  /** Draw a box around each group of rows. */
  function outline({ groups }) {
    boxes = groups;
    drawBoxes();
  }

  function drawBoxes() {
    overlay?.host.remove();
    if (!boxes.length) return;
    const host = document.createElement("chaffinch-overlay");
    document.documentElement.append(host);
    overlay = host.attachShadow({ mode: "closed" });
    const sheet = document.createElement("style");
    sheet.textContent = `
:host { all: initial !important; display: block !important; position: absolute !important; left: 0 !important;
  top: 0 !important; pointer-events: none !important; z-index: 2147483647 !important; }
div { border: 2px solid rgb(90 60 190 / 0.75); border-radius: 3px; box-sizing: border-box; position: absolute; }
span { background: rgb(90 60 190); color: #fff; font: 11px system-ui; left: 0; padding: 0 4px; position: absolute; top: 0; }`;
    overlay.append(sheet, ...boxes.map(drawnBox).filter(Boolean));
  }

  function drawnBox({ rows, label }) {
    const found = rows.map((row) => nodes[row]).filter(Boolean).map(boxOf)
      .filter((box) => box.width > 0 && box.height > 0);
    if (!found.length) return null;
    const left = Math.min(...found.map((box) => box.left)) + scrollX;
    const top = Math.min(...found.map((box) => box.top)) + scrollY;
    const drawn = document.createElement("div");
    const name = document.createElement("span");
    name.textContent = label;
    drawn.append(name);
    drawn.style.cssText = `left:${left}px;top:${top}px;` +
      `width:${Math.max(...found.map((box) => box.right)) + scrollX - left}px;` +
      `height:${Math.max(...found.map((box) => box.bottom)) + scrollY - top}px`;
    return drawn;
  }

  const COLOURS = ["#0072b2", "#b36b00", "#007a5a", "#b5508c", "#2b8cc4", "#c2410c", "#6b6b00", "#444"];
  const WIDTH = 5; // pixels of a layer's strip

  /** Draw a strip beside each block for each layer: full where it keeps the block, thin where it doesn't. */
  function lay(given) {
    layers = given.layers;
    // Room at the edge, so that strips of text that begins there don't lie on it.
    const room = layers.length ? `${4 + WIDTH * layers.length}px` : "";
    document.documentElement.style.setProperty("padding-left", room, "important");
    measureStrips();
  }

  /** Find where the blocks are, and draw; one canvas as large as the window is moved over the page. */
  function measureStrips() {
    strips?.host.remove();
    strips = null;
    if (!layers.length) return;
    const host = document.createElement("chaffinch-overlay");
    const shadow = host.attachShadow({ mode: "closed" });
    const canvas = document.createElement("canvas");
    host.style.cssText = "all: initial !important; display: block !important; position: fixed !important; " +
      "contain: strict !important; width: 100vw !important; height: 100vh !important; left: 0 !important; top: 0 !important; pointer-events: none !important; z-index: 2147483647 !important;";
    shadow.append(canvas);
    const boxes = ranges.map((range) => range && boxOfRange(range));
    canvas.width = innerWidth * devicePixelRatio;
    canvas.height = innerHeight * devicePixelRatio;
    canvas.style.cssText = `width:${innerWidth}px;height:${innerHeight}px`;
    document.documentElement.append(host);
    strips = { host, canvas, boxes };
    drawStrips();
  }

  function boxOfRange({ startContainer, endContainer }) {
    const range = document.createRange();
    range.setStart(startContainer, 0);
    range.setEnd(endContainer, endContainer.length);
    const { left, top, width, height } = range.getBoundingClientRect();
    return width > 0 && height > 0 ? { left: left + scrollX, top: top + scrollY, height } : null;
  }

  function drawStrips() {
    if (!strips) return;
    const { canvas, boxes } = strips;
    const pen = canvas.getContext("2d");
    pen.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    pen.clearRect(0, 0, innerWidth, innerHeight);
    const { scrollX: across, scrollY: down, innerHeight: height } = window;
    boxes.forEach((box, block) => {
      const top = box ? box.top - down : 0;
      if (!box || top > height || top + box.height < 0) return;
      const left = Math.max(1, box.left - across - 3 - WIDTH * layers.length);
      layers.forEach(({ number, keep }, at) => {
        pen.fillStyle = COLOURS[(number - 1) % COLOURS.length];
        pen.globalAlpha = keep[block] ? 1 : 0.3;
        const width = keep[block] ? WIDTH - 1 : 1;
        pen.fillRect(left + at * WIDTH + (WIDTH - 1 - width) / 2, top, width, box.height);
      });
    });
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
    addEventListener("resize", drawBoxes);
    let isMoved = false;
    addEventListener("scroll", () => {
      if (!isMoved && strips) requestAnimationFrame(() => {
        isMoved = false;
        drawStrips();
      });
      isMoved = Boolean(strips);
    }, { passive: true });
    new ResizeObserver(measureStrips).observe(document.documentElement);
  }

  const DO = { build, paint, mark, reveal, style, outline, lay };

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
