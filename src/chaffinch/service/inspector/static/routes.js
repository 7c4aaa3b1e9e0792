// Addresses of views: `#/VIEW?name=value…`, so that each can be shared; and what the service says of itself.

import { failure, fill, h } from "./dom.js";
import { t } from "./texts.js";

/** What the operator gave, and whether pages may be rendered; known before any view is opened. */
export const facts = { kind: "none", rendering: "never" };

/** Return the address of a view. Values that are null or "" are left out. */
export function addressOf(name, params = {}) {
  const given = Object.entries(params).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const query = new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString();
  return `#/${name}${query && `?${query}`}`;
}

/** Go to a view; `replace` leaves no entry in the browser's history, and the view as it is. */
export function go(name, params = {}, { replace = false } = {}) {
  if (replace) history.replaceState(null, "", addressOf(name, params));
  else location.hash = addressOf(name, params);
}

/**
 * Show the view of each address in a place, from now on: `views` fill an element of their own, until a signal;
 * what they throw is said there.
 */
export function route(views, place, whenOpened) {
  let stop = new AbortController();
  const show = async () => {
    const [path, query = ""] = location.hash.replace(/^#\/?/, "").split(/\?(.*)/s);
    const name = Object.hasOwn(views, path) ? path : "";
    const element = h("div", { class: "view" }, h("p", { role: "status", class: "state" }, t("working")));
    stop.abort();
    const { signal } = stop = new AbortController();
    fill(place, element);
    whenOpened(name);
    try {
      await views[name](new URLSearchParams(query), element, signal);
    } catch (error) {
      if (!signal.aborted) fill(element, failure(t("failed", { detail: error.message })), h("a", { class: "state", href: "#/" }, t("start")));
    }
  };
  addEventListener("hashchange", show);
  show();
}
