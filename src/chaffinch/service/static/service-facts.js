// What the service says of itself and of what its operator gave; known before any view is opened.

import { ask } from "./api.js";

/**
 * `kind` and `address` of what the operator gave; `rendering`, how far pages may be rendered; `sites`,
 * whether sites are kept; `writes`, whether this caller may change them.
 */
export const facts = { kind: "none", address: "#/", rendering: "never", sites: false, writes: false };

/** Ask the service; throws what `ask` does. */
export async function askFacts() {
  Object.assign(facts, await ask("/v1/inspect"));
}
