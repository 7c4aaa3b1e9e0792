"""Tests that a site model has for pages of its own, tried on a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chaffinch.extraction.prepared_method import prepare_method
from chaffinch.extraction.trip import extract_by

if TYPE_CHECKING:
    from chaffinch.page import Page
    from chaffinch.site.site import Site


def failed_tests(site: Site, page: Page) -> list[str]:
    """Return what the model's tests find wrong on ``page``, a line each; [] if it has none for it.

    A test wants content, and its texts in the content or the title, white space folded.

    Raises:
        PageError: the page can't be processed.
    """
    tests = [test for test in site.tests if test.url == page.url]
    if not tests:
        return []
    found = extract_by(prepare_method(site), page, site.name)
    if not found.text:
        return [f"{page.url}: no content"]
    text = _folded(f"{found.title} {found.text}")
    wanted = dict.fromkeys(one for test in tests for one in test.contains)
    return [f"{page.url}: lacks «{one}»" for one in wanted if _folded(one) not in text]


def _folded(text: str) -> str:
    return " ".join(text.split())
