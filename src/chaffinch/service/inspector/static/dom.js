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

const TOKEN = "chaffinch.token";

/** What went wrong: `kind` is the last part of the problem's type (RFC 9457), `network` without an answer. */
export class Problem extends Error {
  constructor(kind, status, detail) {
    super(detail);
    this.kind = kind;
    this.status = status;
  }
}

/** Use a token with each request from now on, until the browser's tab is closed. */
export function setToken(token) {
  sessionStorage.setItem(TOKEN, token);
}

/** Return what the service answers to a body, sent as JSON, or to a GET; throws a `Problem`. */
export async function ask(path, body, signal) {
  const token = sessionStorage.getItem(TOKEN);
  const headers = { ...(token ? { Authorization: `Bearer ${token}` } : {}), ...(body ? { "Content-Type": "application/json" } : {}) };
  let response;
  try {
    response = await fetch(path, { method: body ? "POST" : "GET", headers, signal, body: body && JSON.stringify(body) });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem("network", 0, error.message);
  }
  const values = await response.json();
  if (response.ok) return values;
  throw new Problem(String(values.type ?? "").split(":").pop(), response.status, values.detail || values.title);
}

// Keys

const BOUND = new Map();

/** Bind [keys, key of a text, function] within a scope, until a signal takes them back. */
export function bindKeys(scope, bindings, signal) {
  BOUND.set(scope, bindings);
  signal?.addEventListener("abort", () => BOUND.get(scope) === bindings && BOUND.delete(scope));
}

/** Return [scope, bindings] of all that hold now. */
export function boundKeys() {
  return [...BOUND];
}

/** Run what a key is bound to, unless it is typed into a field or presses a button. */
export function pressed(event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape" && document.querySelector(":popover-open")) return; // which closes
  const inside = (selector) => event.target instanceof Element && event.target.closest(selector);
  if (inside("input, textarea, select, dialog")) return;
  if ((event.key === "Enter" || event.key === " ") && inside("button, a")) return;
  for (const [, bindings] of boundKeys().reverse()) {
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
