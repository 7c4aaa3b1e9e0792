"""Pages that try to run, to call out, to leak their styles or to talk to the service.

{web} is a server that mustn't be asked, {service} the service, and {run} what a script would do.
"""

import tomllib
from pathlib import Path

TABLE = tomllib.loads(Path(__file__).with_name("hostile_views.toml").read_text("utf-8"))


def hostile_pages(web, service):
    """Return what each tries → the page, with the addresses of the servers."""
    body = "<p>The chaffinch sings from the top of a birch, and its song ends with a flourish. " * 4
    found = {
        name: html.replace("{run}", TABLE["run"]) + body for name, html in TABLE["pages"].items()
    }
    return {
        name: html.replace("{web}", web).replace("{service}", service)
        for name, html in found.items()
    }


OPEN_ALL = """
async (pages) => {
  const { ask } = await import("/static/dom.js");
  const { PageModel } = await import("/static/model.js");
  const { pageFrame } = await import("/static/parts.js");
  window.heard = [];
  addEventListener("message", ({ data }) => window.heard.push(String(data)));
  const place = document.createElement("div");
  place.style.cssText = "position: fixed; inset: 300px 0 0 0; overflow: auto";
  document.body.append(place);
  const built = Object.entries(pages).map(async ([name, html]) => {
    const model = new PageModel(await ask("/v1/inspect/page", { page: { html } }));
    const frame = pageFrame(model).element;
    frame.dataset.name = name;
    frame.style.height = "120px";
    const done = new Promise((built) => frame.addEventListener("built", built, { once: true }));
    place.append(frame);
    await done;
  });
  const late = new Promise((_, fail) => setTimeout(() => fail(new Error("not built")), 40_000));
  await Promise.race([Promise.all(built), late]);
  return place.childElementCount;
}
"""
"""Shows pages, by name, below the inspector; returns how many there are."""
