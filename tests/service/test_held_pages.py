"""Pages that the inspector holds, and their rows as its frame gets them."""

import pytest
from hostile_views import hostile_pages
from hypothesis import given

from chaffinch.page import parse
from chaffinch.page.bounds import Limits
from chaffinch.service.inspector.frame_rows import BOX, frame_rows
from chaffinch.service.inspector.held_pages import HeldPages
from chaffinch.service.page_jobs import GivenPage
from chaffinch.service.problems import ProblemError
from strategies import markup

MIB = 1 << 20
NEVER = {"script", "iframe", "object", "embed", "base", "meta", "link", "form", "svg", "style"}


def page(size):
    return GivenPage(html=b"<p>" + bytes(size), limits=Limits())


def test_a_page_is_its_callers_alone():
    held = HeldPages()
    one = held.hold(page(9), "a")
    assert held.page(one.key, "a") is one
    for key, caller in ((one.key, "b"), ("another", "a")):
        with pytest.raises(ProblemError, match="isn't held"):
            held.page(key, caller)


def test_what_was_used_least_lately_is_given_up():
    held = HeldPages()
    first, second = held.hold(page(9), "a"), held.hold(page(9), "a")
    for _ in range(63):
        held.page(first.key, "a")
        held.hold(page(9), "a")
    assert held.page(first.key, "a")
    with pytest.raises(ProblemError):
        held.page(second.key, "a")


def test_the_memory_is_bounded():
    held = HeldPages()
    keys = [held.hold(page(60 * MIB), "a").key for _ in range(6)]
    kept = 0
    for key in keys:
        try:
            held.page(key, "a")
            kept += 1
        except ProblemError:
            pass
    assert kept == 4
    assert held.hold(page(300 * MIB), "a")  # one is held in any case


@given(markup())
def test_rows_of_any_page_are_whole_and_harmless(source):
    parsed = parse(source, url="https://grain.example/")
    rows = frame_rows(parsed, images=True, source=source)
    assert len(rows["name"]) == len(rows["parent"]) == len(parsed)
    assert len(rows["texts"]) == rows["name"].count(0) == int((parsed.tag == 0).sum())
    assert not NEVER & set(rows["names"])
    for name, (at, values) in rows["attributes"].items():
        assert not name.startswith("on")
        assert name not in {"href", "srcset", "action", "formaction", "srcdoc", "background"}
        assert len(at) == len(values)
        assert all(rows["name"][row] >= 0 for row in at)


def test_hostile_pages_have_no_harmful_rows():
    for html in hostile_pages("http://web.test", "http://127.0.0.1:8000").values():
        rows = frame_rows(parse(html), images=True, source=html)
        sources = rows["attributes"].get("src", ([], []))[1]
        assert all(one.startswith(("https://", "data:image/")) for one in sources)
        assert BOX in rows["names"]
