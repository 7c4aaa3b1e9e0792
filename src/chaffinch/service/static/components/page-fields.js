// Fields in which people name several pages: by their addresses, or as files.

import { h } from "../dom.js";
import { t } from "../i18n.js";
import { bodyOf } from "../page-source.js";

/**
 * Return the labelled fields, and a function that returns the pages as requests name them.
 * @param {string} name of the fields.
 * @returns {[HTMLElement[], () => Promise<Object[]>]}
 */
export function pageFields(name) {
  const addresses = h("textarea", { rows: 2, name, spellcheck: "false", placeholder: "https://" });
  const files = h("input", { type: "file", name: `${name}-files`, multiple: true });
  const given = async () => [
    ...addresses.value.split(/\s+/).filter(Boolean).map((url) => ({ url })),
    ...await Promise.all([...files.files].map(fromFile)),
  ];
  return [[h("label", {}, t("pages.addresses"), addresses), h("label", {}, t("pages.files"), files)], given];
}

async function fromFile(file) {
  return bodyOf({ bytes: new Uint8Array(await file.arrayBuffer()) }).page;
}
