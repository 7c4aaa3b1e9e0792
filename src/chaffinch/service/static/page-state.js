// What of the page's view stands in its address, beside the page itself.

const SOURCES = ["url", "held", "given", "render"];

/** The state of a page's view: read from an address, written to it. */
export class PageState {
  /** @param {URLSearchParams} params of the view's address. */
  constructor(params) {
    this.source = Object.fromEntries(SOURCES.filter((name) => params.has(name)).map((name) => [name, params.get(name)]));
    this.favor = params.get("favor") ?? "";
    this.policy = readPolicy(params.get("policy") ?? "");
    this.paint = params.get("paint") ?? "decision";
    this.tab = params.get("tab") ?? "blocks";
    this.block = params.has("block") ? Number(params.get("block")) : null;
    this.images = params.get("images") === "1";
    this.hidden = params.get("hidden") === "1";
    this.styles = params.get("styles") !== "0";
  }

  /** Whether something is set that stands among the further controls. */
  get isMoreOpen() {
    return Boolean(this.hidden || this.images || !this.styles || writtenPolicy(this.policy));
  }

  /** The options of the decision, as the service takes them. */
  get options() {
    const policy = Object.fromEntries(Object.entries(this.policy).filter(([, value]) => value !== undefined));
    return {
      ...(this.favor ? { favor: this.favor } : {}),
      ...(Object.keys(policy).length ? { policy } : {}),
    };
  }

  /** The parameters of the address. */
  get params() {
    return {
      ...this.source,
      favor: this.favor,
      policy: writtenPolicy(this.policy),
      paint: this.paint === "decision" ? "" : this.paint,
      tab: this.tab === "blocks" ? "" : this.tab,
      block: this.block ?? "",
      images: this.images ? "1" : "",
      hidden: this.hidden ? "1" : "",
      styles: this.styles ? "" : "0",
    };
  }
}

/** Return the policy that a text such as `+comments,-tables` has. */
function readPolicy(text) {
  const named = text.split(",").filter((one) => /^[+-][a-z]+$/.test(one));
  return Object.fromEntries(named.map((one) => [one.slice(1), one[0] === "+"]));
}

function writtenPolicy(policy) {
  const given = Object.entries(policy).filter(([, value]) => value !== undefined);
  return given.map(([name, value]) => (value ? "+" : "-") + name).join(",");
}
