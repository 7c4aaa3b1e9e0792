// Addresses of views: `#/VIEW?name=value…`, so that each can be shared; and what the service says of itself.

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

/** Show the view of each address in an element, from now on: `views` open them, and return `{element, close}`. */
export function route(views, place, whenOpened) {
  let open = null;
  const show = () => {
    const [path, query = ""] = location.hash.replace(/^#\/?/, "").split(/\?(.*)/s);
    const name = Object.hasOwn(views, path) ? path : "";
    open?.close();
    open = views[name](new URLSearchParams(query));
    place.replaceChildren(open.element);
    whenOpened(name);
  };
  addEventListener("hashchange", show);
  show();
}
