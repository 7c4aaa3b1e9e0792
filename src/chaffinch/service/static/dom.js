// Elements made one by one. No text ever becomes markup: there is no other way to make elements.

/**
 * Return an element.
 * @param {string} name its tag.
 * @param {Object<string, *>} [traits] attributes; `on…` functions are listeners, `class` and the
 *   like are set as they are; null, undefined and false are left out, true is an empty value.
 * @param {...(Node|string|number|null|undefined|Array)} children nodes, or texts.
 * @returns {HTMLElement}
 */
export function h(name, traits = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(traits)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(key.slice(2), value);
    else if (key === "value") element.value = value;
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  element.append(...nodes(children));
  return element;
}

/** Put new children in the place of an element's. */
export function fill(element, ...children) {
  element.replaceChildren(...nodes(children));
  return element;
}

function nodes(children) {
  return children.flat(Infinity).filter((one) => one !== null && one !== undefined);
}

/** Return a function that runs another once in each frame of the screen, with the last arguments. */
export function onceAFrame(run) {
  let waiting = null;
  return (...given) => {
    const isFirst = waiting === null;
    waiting = given;
    if (!isFirst) return;
    requestAnimationFrame(() => {
      const latest = waiting;
      waiting = null;
      run(...latest);
    });
  };
}
