"""A site model keeps what every method promises."""

import sys
from pathlib import Path

import pytest
from hypothesis import given

from chaffinch import Site, parse

sys.path.insert(0, str(Path(__file__).parents[1] / "methods"))
sys.path.insert(0, str(Path(__file__).parents[1]))
from test_promises import ARTICLE, PAGES, PROSE, check, copied, same

from chaffinch.verdict import Content
from strategies import markup

SITE = Site.learn(
    [
        parse(ARTICLE.replace("On grain", f"On grain {n}").replace(PROSE, PROSE * n))
        for n in (1, 2, 3)
    ],
    date="2026-11-21",
)
every_mode = pytest.mark.parametrize("mode", ["full", "rules"])


@every_mode
@pytest.mark.parametrize("kind", PAGES)
def test_site_verdict_is_well_formed_on(mode, kind):
    check(parse(PAGES[kind]), SITE.with_mode(mode))


@every_mode
@given(html=markup())
def test_site_verdict_is_well_formed_on_random_pages(mode, html):
    check(parse(html), SITE.with_mode(mode))


@every_mode
def test_site_finds_content_and_drops_navigation(mode):
    site, page = SITE.with_mode(mode), parse(ARTICLE)
    content = Content(page, check(page, site))
    texts = {page.folded(row) for row in range(len(page)) if content.kept[row]}
    assert PROSE.strip() in texts
    assert not texts & {"Home", "News", "More"}
    first = site(page)
    assert same(first, site(parse(ARTICLE)))
    assert same(first, copied(site)(copied(page)))
