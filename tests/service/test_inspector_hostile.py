"""Hostile pages in the inspector: no script runs, no style leaks, nothing is called, none talks.

That the hundreds of vectors run as they are is shown by `render/test_many_vectors.py`.
"""

import pytest
from hostile_views import OPEN_ALL, hostile_pages
from hypothesis import given
from running_service import soon

from chaffinch.page import parse
from chaffinch.service.inspector.page_views import frame_rows
from injection_vectors import escaped, mutating, packed, running
from strategies import markup

pytest.importorskip("playwright.sync_api")

from playwright.sync_api import expect

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
VECTORS = running() | mutating()
HEAR = "window.hit = window.alert = () => console.log('HIT');"
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
def pages(web, service):
    return hostile_pages(web.url, service.url)


@pytest.fixture(scope="module")
def shown(chromium, service, web, pages):
    """A tab in which all of them are shown."""
    context = chromium.new_context(viewport={"width": 1280, "height": 800})
    tab = context.new_page()
    tab.goto(f"{service.url}/")
    tab.wait_for_selector("button.first")
    tab.others = []
    tab.before = len(service.log)
    tab.on("popup", lambda one: tab.others.append(one.url))
    tab.on("dialog", lambda one: tab.others.append(one.message) or one.dismiss())
    tab.looks = looks(tab)
    tab.shown = tab.evaluate(OPEN_ALL, pages)
    web.forget()
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


def test_none_runs_in_its_frame(shown, pages):
    assert shown.shown == len(pages)
    assert len(frames(shown)) == len(pages)
    states = [frame.evaluate(STATE_OF_A_FRAME) for frame in frames(shown)]
    assert sum(state["text"] for state in states) > len(pages) * 0.8  # some swallow the rest
    for state in states:
        assert state["origin"] == "null"
        assert not state["ran"], state
        assert state["unwanted"] == [], state
        assert state["handlers"] == [], state


def test_none_calls_or_talks(shown, service, web):
    shown.mouse.move(600, 500)
    shown.mouse.wheel(0, 2000)
    shown.wait_for_timeout(500)
    asked = web.seen
    assert asked == []
    assert shown.evaluate("window.heard") == []
    assert shown.others == []
    assert shown.url == f"{service.url}/"
    assert shown.title() == "Chaffinch"
    ways = {"/", "/static/{name:path}", "/inspector/frame"}
    asked = {one["route"] for one in service.log[shown.before :] if "route" in one}
    assert asked <= {*ways, "/v1/inspect", "/v1/inspect/page"}


def test_no_style_leaks(shown):
    assert looks(shown) == shown.looks


def test_what_would_get_through_is_stopped_by_the_policy(shown, pages, service, web):
    """The second wall: markup that is put into the frame as it is runs and calls as little."""
    before = len(service.log)
    for frame, html in zip(frames(shown), pages.values(), strict=True):
        frame.evaluate(INSERT, html)
    shown.wait_for_timeout(700)
    left = frames(shown)  # others were sent elsewhere, and came nowhere
    assert len(left) > len(pages) * 0.9
    assert not any(frame.evaluate(f"document.documentElement.{RAN}") for frame in left)
    assert web.seen == []
    assert shown.evaluate("window.heard") == []
    assert shown.url == f"{service.url}/"
    assert [one for one in service.log[before:] if one.get("status") == 200] == []


def test_such_markup_runs_where_nothing_stops_it(chromium, pages, web):
    page = chromium.new_page()
    page.evaluate(INSERT, pages["script"])
    soon(page, lambda: web.asked("/ran"))
    page.close()
    web.forget()


def test_a_frame_cannot_use_the_service(shown):
    """The last wall: whatever ran there would have an origin that isn't answered."""
    frame = frames(shown)[1]
    ask = """async (path) => {
      try { return (await fetch(path, { mode: "no-cors" })).type; } catch { return "refused"; }
    }"""
    assert frame.evaluate(ask, "/v1/inspect") == "refused"


NEVER = {"script", "iframe", "object", "embed", "base", "meta", "link", "form", "svg", "style"}


@given(markup())
def test_rows_of_any_page_are_whole_and_harmless(source):
    parsed = parse(source, url="https://grain.example/")
    rows = frame_rows(parsed, source)
    assert len(rows["name"]) == len(rows["parent"]) == len(parsed)
    assert len(rows["texts"]) == rows["name"].count(0) == int((parsed.tag == 0).sum())
    assert not NEVER & set(rows["names"])
    for name, (at, values) in rows["attributes"].items():
        assert not name.startswith("on")
        assert name not in {"href", "srcset", "action", "formaction", "srcdoc", "background"}
        assert len(at) == len(values)
        assert all(rows["name"][row] >= 0 for row in at)


# Hundreds of vectors


@pytest.fixture
def heard(tab):
    """What ran in any of the tab's frames."""
    found = []
    tab.on("console", lambda said: "HIT" in said.text and found.append(said.text))
    tab.on("popup", lambda one: found.append(one.url))
    tab.on("dialog", lambda one: found.append(one.message) or one.dismiss())
    tab.context.add_init_script(HEAR)
    tab.reload()
    tab.wait_for_selector("main form")
    return found


def test_no_vector_runs_among_the_blocks(tab, heard):
    """Raw and as text, in blocks, their reasons and the title."""
    texts = "".join(
        f"<p title='{escaped(own)}'>{escaped(own)}</p><h3 id='{escaped(own)}'>{escaped(own)}</h3>"
        for own in VECTORS.values()
    )
    every = "<hr>".join(packed(VECTORS, len(VECTORS))[:1])
    tab.fill("textarea", f"<!DOCTYPE html><title>{texts[:9000]}</title>{texts}{every}")
    tab.click("button.first")
    tab.wait_for_selector("page-frame[data-built]")
    tab.locator(".row", has_text="hit()").first.click()
    expect(tab.locator("block-reasons blockquote")).to_contain_text("hit()")  # as words
    assert tab.locator(".row a, .row img, block-reasons a, block-reasons img").count() == 0
    assert heard == []
