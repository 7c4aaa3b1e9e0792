"""Which candidates are further parts of the same article, and which are siblings."""

import tomllib
from pathlib import Path

import pytest

from chaffinch import extract, parse
from chaffinch.siblings.pagination import bare_title, further_parts, part_address, shown_next

TABLE = tomllib.loads(Path(__file__).with_name("addresses.toml").read_text("utf-8"))

HOST = "https://site.test"


def page(path, *, title="On grain", body="", head=""):
    html = f"<head><title>{title}</title>{head}</head><body>{body}<p>text of {path}"
    return parse(html, url=HOST + path)


def is_part(one, other):
    found, back = further_parts(one, [other])[0], further_parts(other, [one])[0]
    assert found == back
    return bool(found)


@pytest.mark.parametrize(("one", "other"), TABLE["parts by number"])
def test_numbers_that_call_themselves_pages_need_no_title(one, other):
    assert is_part(page(one, title="On grain"), page(other, title="On chaff"))


@pytest.mark.parametrize(("one", "other"), TABLE["parts by number and title"])
def test_bare_numbers_need_the_same_title(one, other):
    assert is_part(page(one), page(other))
    assert is_part(page(one, title="Grain | Part 1"), page(other, title="Grain | Part 2"))
    assert is_part(page(one, title="Grain | Coast"), page(other, title="Grain, Teil 2 | Coast"))
    lone = part_address(one).part is None or part_address(other).part is None
    assert is_part(page(one, title=""), page(other, title="")) == lone
    assert not is_part(page(one), page(other, title="On chaff"))


def test_same_canonical_address_other_than_the_root():
    def with_canonical(path, href, title):
        return page(path, title=title, head=f'<link rel=canonical href="{href}">')

    for href, same in (("/story/1", True), (f"{HOST}/", False), ("/index.html", False)):
        one, other = with_canonical("/x", href, "one text"), with_canonical("/y", href, "another")
        assert is_part(one, other) == same
    whole = with_canonical("/x", f"{HOST}/story", "one text")
    assert is_part(whole, with_canonical("/y/z", "/story", "another"))


@pytest.mark.parametrize("link", TABLE["links to the next part"])
def test_pagination_links_count_with_the_same_title(link):
    assert is_part(page("/c", body=link), page("/d"))
    assert not is_part(page("/c", body=link), page("/d", title="On chaff"))
    assert not is_part(page("/c", body=link), page("/e"))


def test_same_title_and_headline_count_unless_the_site_has_one_title():
    def story(path, headline="<h1>On grain</h1>", title="On grain | Site"):
        return page(path, title=title, body=headline)

    assert is_part(story("/c"), story("/d"))
    assert not is_part(story("/c"), story("/d", "<h1>On chaff</h1>"))
    logo = '<h1><a href="/">On grain</a></h1>'
    assert not is_part(story("/c", logo), story("/d", logo))
    one, two = (f"<h1>On grain</h1><a href=/{to}>2</a>" for to in "dc")
    assert is_part(story("/c", one, "On grain, Sowing"), story("/d", two, "On grain, Reaping"))
    other = page("/e", title="On chaff")
    assert further_parts(story("/c"), [story("/d"), other, other]).tolist() == [True, False, False]
    assert not further_parts(story("/c"), [story("/d"), story("/e"), story("/f")]).any()


@pytest.mark.parametrize("title", TABLE["titles of parts"])
def test_the_number_of_a_part_stands_anywhere_in_a_title(title):
    assert bare_title(title) == bare_title("The salt pans | Coast")
    own = page("/salt", title="The salt pans | Coast", body="<a href=/brine>Next page</a>")
    assert further_parts(own, [page("/brine", title=title)]).tolist() == [True]


@pytest.mark.parametrize("title", TABLE["numbers of titles"])
def test_other_numbers_belong_to_the_title(title):
    words = f"{title} coast".casefold().replace("-", " ").split()
    assert bare_title(f"{title} | Coast") == " ".join(words)


@pytest.mark.parametrize("text", TABLE["words for the next part"])
def test_the_next_part_is_told_in_many_languages(text):
    own = page("/salt", title="The salt pans", body=f"<a href=/brine>{text}</a>")
    assert further_parts(own, [page("/brine", title="The salt pans (2)")]).tolist() == [True]
    assert shown_next(own) == f"{HOST}/brine"
    assert extract(own).next_part == f"{HOST}/brine"
    assert not shown_next(own, frozenset({f"{HOST}/brine"}))
