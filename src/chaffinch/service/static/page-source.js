// Sources that were pasted or dropped: they have no address, so the service holds them by a key.

import { go } from "./router.js";

let waiting = null;

/**
 * Open a source.
 * @param {{html?: string, bytes?: Uint8Array, url?: string|null}} source its text, or its bytes, whose
 *   encoding the service finds.
 * @param {{render?: string}} [more] further parameters of the view.
 */
export function openSource(source, more = {}) {
  waiting = source;
  go("page", { source: crypto.randomUUID(), ...more });
}

/**
 * Return the body of the request that opens the page which an address of the view names; null where it
 * names none, or a source that isn't there any more.
 */
export function requestOf(params) {
  const render = params.get("render") ?? undefined;
  if (params.has("held")) return { held: params.get("held"), render };
  if (params.has("given")) return { given: params.get("given"), render };
  if (params.has("url")) return { page: { url: params.get("url"), render } };
  if (!params.has("source") || waiting === null) return null;
  const source = waiting;
  waiting = null;
  return bodyOf(source, render);
}

/** Return the body of the request that opens a source. */
export function bodyOf({ html, bytes, url }, render) {
  const page = bytes ? { html_base64: bytes.toBase64?.() ?? base64(bytes) } : { html };
  return { page: { ...page, url: url ?? undefined, render } };
}

function base64(bytes) {
  const pieces = [];
  for (let at = 0; at < bytes.length; at += 0x8000) {
    pieces.push(String.fromCharCode(...bytes.subarray(at, at + 0x8000)));
  }
  return btoa(pieces.join(""));
}
