// The keyboard map: what keys do where, shown by `?`.

const BOUND = new Map();

/**
 * Bind keys.
 * @param {string} scope a key of texts that names where they hold; a later call replaces it.
 * @param {Array<{keys: string[], text: string, run: (event: KeyboardEvent) => void}>} bindings keys
 *   as of `KeyboardEvent.key`; `text` is a key of texts.
 * @returns {() => void} takes them back.
 */
export function bindKeys(scope, bindings) {
  BOUND.set(scope, bindings);
  return () => BOUND.get(scope) === bindings && BOUND.delete(scope);
}

/** Return [scope, bindings] of all that hold now. */
export function boundKeys() {
  return [...BOUND];
}

/** Run what a key is bound to, unless it is typed into a field or presses a button; whether it was bound. */
export function pressed(event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return false;
  if (event.target instanceof Element && event.target.closest("input, textarea, select, dialog")) {
    return false;
  }
  const isPressing = event.key === "Enter" || event.key === " ";
  if (isPressing && event.target instanceof Element && event.target.closest("button, a, summary")) return false;
  for (const [, bindings] of boundKeys().reverse()) {
    const found = bindings.find((one) => one.keys.includes(event.key));
    if (found) {
      event.preventDefault?.();
      found.run(event);
      return true;
    }
  }
  return false;
}

addEventListener("keydown", pressed);
