// Sources that were pasted or dropped: they have no address, so the service holds them by a key.

import { go } from "./router.js";

let waiting = null;

/**
 * Open a source.
 * @param {{html?: string, bytes?: Uint8Array, url?: string|null, name?: string}} source its text, or
 *   its bytes, whose encoding the service finds.
 */
export function openSource(source) {
  waiting = source;
  go("page", { source: crypto.randomUUID() });
}

/** Return the body of the request that opens the page which an address of the view names. */
export function requestOf(params) {
  if (params.has("held")) return { held: params.get("held") };
  if (params.has("given")) return { given: params.get("given") };
  const render = params.get("render") ?? undefined;
  if (params.has("url")) return { page: { url: params.get("url"), render } };
  if (!params.has("source") || waiting === null) return null;
  const { html, bytes, url } = waiting;
  waiting = null;
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
