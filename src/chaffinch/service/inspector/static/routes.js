// Addresses of views: `#/VIEW?name=value…`, so that each can be shared; and what the service says of itself.

const VIEWS = new Map();

/** What the operator gave, and whether pages may be rendered; known before any view is opened. */
export const facts = { kind: "none", rendering: "never" };

/**
 * Make a view known: its title, a key of texts; what opens it, and returns `{element, close}`; whether the
 * menu has it: always, or where the operator gave a subject of that kind.
 */
export function registerView(name, view) {
  VIEWS.set(name, view);
}

/** Return [name, view] of the views that the menu has. */
export function menuViews() {
  return [...VIEWS].filter(([, { inMenu }]) => inMenu === true || inMenu === facts.kind);
}

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

/** Show the view of each address in an element, from now on. */
export function route(place, whenOpened) {
  let open = null;
  const show = () => {
    const [path, query = ""] = location.hash.replace(/^#\/?/, "").split(/\?(.*)/s);
    const name = VIEWS.has(path) ? path : "";
    open?.close();
    open = VIEWS.get(name).open(new URLSearchParams(query));
    place.replaceChildren(open.element);
    whenOpened(name);
  };
  addEventListener("hashchange", show);
  show();
}
