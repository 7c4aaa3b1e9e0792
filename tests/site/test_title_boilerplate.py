"""What returns in the titles of a site's pages is left out of each page's own."""

import json

import pytest

from chaffinch import Site, extract, parse
from chaffinch.errors import RulesError

BOOK = "The Miller's Handbook"
CHAPTERS = ("Choosing a stone", "Dressing the stone", "Water and weather", "Selling the flour")
TEXT = (
    "The miller who keeps this in mind will have less trouble with the stones and with the water, "
    "and more flour at the end of a day that began long before the sun was up."
)


def chapter(title, number, heading="Other words", head=None):
    """Return a page with the book's name in an h1, and a heading that isn't the title's."""
    head = f"{title} - {BOOK}" if head is None else head
    body = "".join(f"<p>{number}. {TEXT} Page {number}, {way}.</p>" for way in "abc")
    return parse(
        f"<html lang=en><head><title>{head}</title></head><body class=book>"
        f"<div class=bar><h1 class=menu>{BOOK}</h1></div><main class=chapter id=content>"
        f"<h2>{heading}</h2>{body}</main></body></html>",
        url=f"https://mill.test/{number}.html",
    )


@pytest.fixture(scope="module")
def pages():
    return [chapter(title, number) for number, title in enumerate(CHAPTERS)]


@pytest.fixture(scope="module")
def site(pages):
    return Site.learn(pages, date="2026-11-24")


@pytest.mark.parametrize("mode", ["full", "rules"])
def test_the_name_of_a_book_is_no_title_of_its_chapters(site, mode):
    page = chapter("Grinding by night", 9)
    assert extract(page).title == BOOK
    assert site.title_boilerplate == (BOOK,)
    assert site.extract(page, mode=mode).title == "Grinding by night"


def test_it_holds_where_no_template_fits(site):
    page = parse(
        f"<title>Grinding by night - {BOOK}</title><table><tr><td><h1>{BOOK}</h1><tr><td>{TEXT}"
    )
    found = site.extract(page)
    assert found.notes.mode == "page-level default"
    assert found.title == "Grinding by night"


def test_a_page_all_of_whose_title_returns_keeps_the_rarest_part(pages):
    letters = [chapter("", n, head=f"Letter {n} | Letters | {BOOK}") for n in range(10, 14)]
    site = Site.learn([*pages, *letters], date="2026-11-24")
    assert site.title_boilerplate == (BOOK, "Letters")
    front = chapter("", 20, head=f"Letters | {BOOK}")
    assert site.extract(front).title == "Letters"
    assert site.extract(letters[0]).title == "Letter 10"


def test_what_leads_a_title_is_left_out_as_well(pages):
    news = [chapter("", n, head=f"{BOOK} | News | Mill {n} burns") for n in range(30, 34)]
    site = Site.learn([*pages, *news], date="2026-11-24")
    page = chapter("", 40, head=f"{BOOK} | News | Mill stands again")
    assert site.extract(page).title == "Mill stands again"


def test_two_titles_with_one_part_are_no_habit_of_the_site(pages):
    site = Site.learn(pages[:2], date="2026-11-24")
    assert site.title_boilerplate == ()
    same = [chapter("Errata", number) for number in range(5)]
    assert Site.learn(same, date="2026-11-24").title_boilerplate == ()


def test_it_is_saved_and_reported(site, tmp_path):
    site.save(tmp_path / "mill.toml")
    again = Site.load(tmp_path / "mill.toml")
    assert again.title_boilerplate == site.title_boilerplate
    assert again.update([chapter("Mice", 50)]).title_boilerplate == (BOOK,)
    assert f"left out of titles: {BOOK}" in site.report().to_text()
    assert site.report().to_dict()["title_boilerplate"] == [BOOK]
    assert json.dumps(site.report().to_dict())


@pytest.mark.parametrize("saved", ["3", "[3]", '"a"'])
def test_a_broken_list_says_where(site, saved):
    text = site.to_text().replace(f'title_boilerplate = ["{BOOK}"]', f"title_boilerplate = {saved}")
    assert text != site.to_text()
    with pytest.raises(RulesError, match="title_boilerplate"):
        Site.from_text(text)
