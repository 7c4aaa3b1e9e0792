"""Siblings of labelled pages, for methods that compare: other pages of the same site.

A site is a whole file in a folder ``sites``; of other corpora it is what they name as the domain of
a page, else the host of its address. Pages given besides, such as a crawl of the
site, belong to it by their addresses, and come first. Of the file those pages are taken that follow
the page, the first ones after the last. That depends on nothing that a method looks at, and no
label is read. The page itself, under whatever address, is never among them.
"""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from chaffinch.errors import PageError
from chaffinch.evaluate.corpora import corpus_path, read_corpus
from chaffinch.page import parse
from chaffinch.page.urls import host_name
from chaffinch.siblings.other_pages import other_pages

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chaffinch.evaluate.corpora import LabelledPage
    from chaffinch.page import Page

MOST: Final = 8
"""Siblings of a page, at most."""
_PARSED: Final = 64  # pages held as tables: those that follow one another share most siblings


class SiblingPool:
    """The pages of one corpus by site, and further pages of these sites.

    Args:
        corpus: as for `chaffinch.evaluate.corpora.read_corpus`; all its pages are read, whatever
            part of them is measured.
        further: other pages with their addresses; those without one belong to no site.
        most: siblings of a page.
    """

    def __init__(self, corpus: str, further: Iterable[Page] = (), *, most: int = MOST) -> None:
        self._most = most
        self._pages: defaultdict[str, list[LabelledPage]] = defaultdict(list)
        self._place: dict[str, int] = {}
        path = corpus_path(corpus)
        self._one_site = str(path) if path.parent.name == "sites" else ""
        for page in read_corpus(corpus):
            if site := self._site_of(page):
                self._place.setdefault(page.id, len(self._pages[site]))
                self._pages[site].append(page)
        for site in [site for site, pages in self._pages.items() if len(pages) == 1]:
            del self._pages[site]  # most pages of most corpora: their bytes needn't be held
        self._further: defaultdict[str, list[Page]] = defaultdict(list)
        for one in further:
            if site := host_name(one.url):
                self._further[site].append(one)
        self._parsed = lru_cache(maxsize=_PARSED)(_parsed)

    def of(self, labelled: LabelledPage) -> tuple[Page, ...]:
        """Return the siblings of a page of the corpus; none where its site has no other page."""
        try:
            page = parse(labelled.html, url=labelled.url)
        except PageError:
            return ()
        own = self._pages.get(self._site_of(labelled), [])
        given = self._further.get(_address_site(labelled), [])
        start = self._place.get(labelled.id, 0)
        found: list[Page] = list(other_pages(page, given))[: self._most]
        for one in (*own[start + 1 :], *own[:start]):
            if len(found) >= self._most:
                break
            parsed = self._parsed(one)
            if parsed is not None and one.id != labelled.id:
                found += other_pages(page, [parsed])
        return tuple(found)

    def _site_of(self, page: LabelledPage) -> str:
        """Return the site of a page of the corpus; "" where nothing names it."""
        if self._one_site:
            return self._one_site
        return page.domain if page.domain != page.id else _address_site(page)


def _address_site(page: LabelledPage) -> str:
    return host_name(page.url)


def _parsed(page: LabelledPage) -> Page | None:
    """Return a page as a table; None where it can't be processed."""
    try:
        return parse(page.html, url=page.url)
    except PageError:
        return None
