"""Hostile pages in the inspector: no script runs, no style leaks, nothing is called, none talks."""

import pytest
from hostile_views import hostile_pages

OPEN_ALL = """
async (pages) => {
  const { ask } = await import("/static/api.js");
  const { PageModel } = await import("/static/page-model.js");
  window.heard = [];
  addEventListener("message", ({ data }) => window.heard.push(String(data)));
  const place = document.createElement("div");
  place.style.cssText = "position: fixed; inset: 300px 0 0 0; overflow: auto";
  document.body.append(place);
  const built = Object.entries(pages).map(async ([name, html]) => {
    const model = new PageModel(await ask("/v1/inspect/page", { page: { html }, images: true }));
    const frame = document.createElement("page-frame");
    frame.dataset.name = name;
    frame.style.height = "120px";
    place.append(frame);
    await new Promise((done) => {
      frame.addEventListener("built", done, { once: true });
      frame.start(model);
    });
  });
  const late = new Promise((_, fail) => setTimeout(() => fail(new Error("not built")), 40_000));
  await Promise.race([Promise.all(built), late]);
  return place.childElementCount;
}
"""
STATE_OF_A_FRAME = """
() => ({
  ran: document.documentElement.hasAttribute("data-ran"),
  origin: self.origin,
  unwanted: [...document.querySelectorAll(
    "body script, iframe, object, embed, base, link, form, svg, video, template, meta[http-equiv]",
  )].map((one) => one.outerHTML.slice(0, 80)),
  handlers: [...document.querySelectorAll("*")].flatMap((one) => one.getAttributeNames().filter(
    (name) => /^(on|href$|src|action|formaction|srcdoc|background|ping|poster)/.test(name))),
  text: document.body.textContent.includes("sings from the top"),
})
"""
RAN = "hasAttribute('data-ran')"
INSERT = """
(html) => {
  const range = document.createRange();
  document.body.append(range.createContextualFragment(html));
  for (const script of document.querySelectorAll("body script")) {
    const again = document.createElement("script");
    again.textContent = script.textContent;
    for (const { name, value } of script.attributes) again.setAttribute(name, value);
    document.body.append(again);
  }
  const frame = document.createElement("iframe");
  frame.srcdoc = html;
  document.body.append(frame);
}
"""


@pytest.fixture(scope="module")
def pages(web, inspector):
    found = hostile_pages(web.url, inspector.url)
    assert len(found) >= 50
    return found


@pytest.fixture(scope="module")
def opened(chromium, inspector, web, pages):
    """A tab in which all of them are shown."""
    context = chromium.new_context(viewport={"width": 1280, "height": 800})
    tab = context.new_page()
    tab.goto(f"{inspector.url}/")
    tab.wait_for_selector("button.first")
    tab.others = []
    tab.on("popup", lambda one: tab.others.append(one.url))
    tab.on("dialog", lambda one: tab.others.append(one.message) or one.dismiss())
    tab.looks = looks(tab)
    tab.shown = tab.evaluate(OPEN_ALL, pages)
    web.seen.clear()
    yield tab
    context.close()


def looks(tab):
    """The looks and places of the inspector's own elements."""
    return tab.evaluate(
        """() => [...document.querySelectorAll("header, header *, main, main *")].map((one) => {
          const { color, background, position, display, font } = getComputedStyle(one);
          const { x, y, width, height } = one.getBoundingClientRect();
          return [color, background, position, display, font, x, width, height].join();
        })"""
    )


def frames(tab):
    return [one for one in tab.frames if "/inspector/frame" in one.url]


def test_none_runs_in_its_frame(opened, pages):
    assert opened.shown == len(pages)
    assert len(frames(opened)) == len(pages)
    states = [frame.evaluate(STATE_OF_A_FRAME) for frame in frames(opened)]
    assert sum(state["text"] for state in states) > len(pages) * 0.8  # some swallow the rest
    for state in states:
        assert state["origin"] == "null"
        assert not state["ran"], state
        assert state["unwanted"] == [], state
        assert set(state["handlers"]) <= {"src"}, state


def test_none_calls_or_talks(opened, inspector, web):
    opened.mouse.move(600, 500)
    opened.mouse.wheel(0, 2000)
    opened.wait_for_timeout(500)
    asked = [path for path, _ in web.seen]
    assert asked == []
    assert opened.evaluate("window.heard") == []
    assert opened.others == []
    assert opened.url == f"{inspector.url}/"
    assert opened.title() == "Chaffinch"
    ways = {"/", "/static/{name:path}", "/inspector/frame", "/v1/inspect", "/v1/inspect/page"}
    assert {one["route"] for one in inspector.log if "route" in one} <= {*ways, "/ready"}


def test_no_style_leaks(opened):
    assert looks(opened) == opened.looks


def test_what_would_get_through_is_stopped_by_the_policy(opened, pages, inspector, web):
    """The second wall: markup that is put into the frame as it is runs and calls as little."""
    before = len(inspector.log)
    for frame, html in zip(frames(opened), pages.values(), strict=True):
        frame.evaluate(INSERT, html)
    opened.wait_for_timeout(700)
    left = frames(opened)  # others were sent elsewhere, and came nowhere
    assert len(left) > len(pages) * 0.9
    assert not any(frame.evaluate(f"document.documentElement.{RAN}") for frame in left)
    assert [path for path, _ in web.seen] == []
    assert opened.evaluate("window.heard") == []
    assert opened.url == f"{inspector.url}/"
    assert [one for one in inspector.log[before:] if one.get("status") == 200] == []


def test_such_markup_runs_where_nothing_stops_it(chromium, pages, web):
    page = chromium.new_page()
    page.evaluate(INSERT, pages["script"])
    for _ in range(200):
        if web.asked("/ran"):
            break
        page.wait_for_timeout(50)
    page.close()
    assert web.asked("/ran")
    web.seen.clear()


def test_a_frame_cannot_use_the_service(opened):
    """The last wall: whatever ran there would have an origin that isn't answered."""
    frame = frames(opened)[1]
    ask = """async (path) => {
      try { return (await fetch(path, { mode: "no-cors" })).type; } catch { return "refused"; }
    }"""
    assert frame.evaluate(ask, "/v1/inspect") == "refused"


def test_the_service_refuses_other_origins(inspector):
    for headers in ({"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}, {"Origin": "http://a"}):
        named = {name.replace("-", "_"): value for name, value in headers.items()}
        assert inspector.get("/v1/inspect", **named).kind == "foreign-origin"
