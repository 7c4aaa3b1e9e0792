// Elements made one by one, requests to the service, keys. No text ever becomes markup: there is no
// other way to make elements.

/**
 * Return an element. Of its traits functions under `on…` are listeners, the others attributes: null,
 * undefined and false are left out, true is an empty value. Children are nodes or texts.
 */
export function h(name, traits = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(traits)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(key.slice(2), value);
    else if (key === "value") element.value = value;
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  return fill(element, children);
}

/** Put new children in the place of an element's. */
export function fill(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter((one) => one !== null && one !== undefined));
  return element;
}

/** Name under which the session, which is that of the browser's tab, has the caller's token. */
export const TOKEN = "chaffinch.token";

/** Return what the service answers to a body, sent as JSON, or to a GET; an error says whether it wants a token. */
export async function ask(path, body, signal) {
  const token = sessionStorage.getItem(TOKEN);
  const headers = { ...(token ? { Authorization: `Bearer ${token}` } : {}), ...(body ? { "Content-Type": "application/json" } : {}) };
  const response = await fetch(path, { method: body ? "POST" : "GET", headers, signal, body: body && JSON.stringify(body) });
  const values = await response.json();
  if (response.ok) return values;
  throw Object.assign(new Error(values.detail || values.title), { wantsToken: response.status === 401 });
}

// Keys

/** Scope → bindings of all that hold now. */
export const BOUND = new Map();

/** Bind [keys, key of a text, function] within a scope, until a signal takes them back. */
export function bindKeys(scope, bindings, signal) {
  BOUND.set(scope, bindings);
  signal?.addEventListener("abort", () => BOUND.get(scope) === bindings && BOUND.delete(scope));
}

/** Run what a key is bound to, unless it is typed into a field or presses a button. */
export function pressed(event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape" && document.querySelector(":popover-open")) return; // which closes
  const inside = (selector) => event.target instanceof Element && event.target.closest(selector);
  if (inside("input, textarea, select, dialog")) return;
  if ((event.key === "Enter" || event.key === " ") && inside("button, a")) return;
  for (const bindings of [...BOUND.values()].reverse()) {
    const found = bindings.find(([keys]) => keys.includes(event.key));
    if (!found) continue;
    event.preventDefault?.();
    found[2](event);
    return;
  }
}

addEventListener("keydown", pressed);

/** Return a list of which one is chosen, under its name. */
export function pick(name, options, value, whenChosen) {
  return h("label", { class: "pick" }, h("span", {}, name), h("select", {
    onchange: (event) => whenChosen(event.target.value),
  }, options.map(([own, text]) => h("option", { value: own, selected: own === value }, text))));
}

let menus = 0;

/** Return a button that opens a panel below itself, which the browser closes at Escape or a click elsewhere. */
export function menu(name, ...children) {
  const panel = h("div", { class: "panel", id: `menu-${(menus += 1)}`, popover: true }, children);
  return h("div", { class: "menu" }, h("button", { type: "button", popovertarget: panel.id }, name), panel);
}

/** Return what an error is for people, to be shown in place of a view. */
export function failure(text) {
  return h("p", { class: "wrong", role: "alert" }, text);
}
