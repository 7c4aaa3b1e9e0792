// Addresses of views: `#/VIEW?name=value…`, so that each can be shared, and views by their names.

const VIEWS = new Map();

/**
 * @typedef {Object} OpenView
 * @property {HTMLElement} element what is shown.
 * @property {(params: URLSearchParams) => boolean} [update] takes a changed address of the same
 *   view; false to be opened anew.
 * @property {() => void} [close] ends what it has begun.
 */

/**
 * Make a view known.
 * @param {string} name the first part of its address.
 * @param {{title: string, open: (params: URLSearchParams) => OpenView, inMenu?: boolean|string}} view
 *   its title, a key of texts, what opens it, and whether the menu has it: always, or where the
 *   operator gave a subject of that kind, or `kept` where the service keeps sites.
 */
export function registerView(name, view) {
  VIEWS.set(name, view);
}

/** Return [name, view] of all views, in the order in which they were made known. */
export function views() {
  return [...VIEWS];
}

/** Return the address of a view. Values that are null or "" are left out. */
export function addressOf(name, params = {}) {
  const given = Object.entries(params).filter(([, value]) => value !== null && value !== "");
  const query = new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString();
  return `#/${name}${query && `?${query}`}`;
}

/** Go to a view; `replace` leaves no entry in the browser's history. */
export function go(name, params = {}, { replace = false } = {}) {
  const address = addressOf(name, params);
  if (!replace) {
    location.hash = address;
    return;
  }
  history.replaceState(null, "", address);
}

/** Return the name and the parameters of the present address. */
export function current() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  return { name: VIEWS.has(path) ? path : "", params: new URLSearchParams(query) };
}

/**
 * Show the view of each address in an element, from now on.
 * @param {HTMLElement} place
 * @param {(name: string) => void} [whenOpened]
 * @returns {() => void} opens the present view anew.
 */
export function route(place, whenOpened = () => {}) {
  let open = null;
  let opened = null;
  const show = (isAnew) => {
    const { name, params } = current();
    if (!isAnew && open?.update && opened === name && open.update(params)) return;
    open?.close?.();
    open = VIEWS.get(name).open(params);
    opened = name;
    place.replaceChildren(open.element);
    whenOpened(name);
  };
  addEventListener("hashchange", () => show(false));
  show(true);
  return () => show(true);
}
