"""What may be looked at: what an operator gives on the command line, kept sites, opened pages.

A subject is chosen when the service starts, and requests name its pages by numbers; so no request
names a file. Pages that a browser has open are held for a while under random keys, each its
caller's alone.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from chaffinch.page import Page
from chaffinch.page.bounds import Limits
from chaffinch.service.jobs import GivenPage, SiteFile
from chaffinch.service.problems import ProblemError
from chaffinch.service.sites import SiteStore, StoredPage
from chaffinch.site.file import model_version, read_rules, read_text, write_rules
from chaffinch.storage import locked_folder

_MOST_HELD: Final = 64
_MOST_BYTES: Final = 256 << 20
_ROW_BYTES: Final = 200
"""Bytes of a row of a rendered page, at most, besides its text."""


class TaughtSite:
    """A site that is taught: a model, here an operator's folder, and pages to try rules on."""

    def __init__(self, model: Path, pages: Sequence[StoredPage]) -> None:
        self._model = model
        self._pages = pages

    @property
    def pages(self) -> Sequence[StoredPage]:
        """The pages; further ones may come behind them."""
        return self._pages

    def given(self, number: int, limits: Limits) -> GivenPage:
        pages = self.pages
        if number >= len(pages):
            raise ProblemError("not-found", "there is no such page")
        one = pages[number]
        return GivenPage(html=one.read(), url=one.url, encoding=one.encoding, limits=limits)

    def file(self) -> SiteFile:
        return SiteFile(str(self._model), model_version(self._model))

    def edit(self, change: Callable[[str], str], version: str) -> None:
        """Write the model of a version anew; ``change`` makes the new text of the old one."""
        with locked_folder(self._model):
            _require_version(self.file().version, version)
            write_rules(self._model, _changed(read_rules(self._model), change))


class KeptSite(TaughtSite):
    """A site that a service keeps, tried on the pages that taught it."""

    def __init__(self, name: str, store: SiteStore) -> None:
        self._name, self._store = name, store

    @property
    def pages(self) -> Sequence[StoredPage]:
        return self._store.pages(self._name)

    def file(self) -> SiteFile:
        return self._store.file(self._name)

    def edit(self, change: Callable[[str], str], version: str) -> None:
        text, present = self._store.text(self._name)
        _require_version(present, version)
        self._store.write(self._name, _changed(text, change), version)


def _require_version(present: str, wanted: str) -> None:
    if present != wanted:
        raise ProblemError("precondition-failed", "the site was changed meanwhile")


def _changed(text: str, change: Callable[[str], str]) -> str:
    changed = change(text)
    read_text(changed)
    return changed


class HeldPages:
    """The pages that browsers have open: the latest ones, in bounded memory, by random keys."""

    def __init__(self) -> None:
        self._pages: OrderedDict[str, tuple[GivenPage, str]] = OrderedDict()
        self._size = 0

    def hold(self, given: GivenPage, caller: str) -> str:
        """Hold a page and return its key; those used least lately are given up for it."""
        key = secrets.token_urlsafe(16)
        self._pages[key] = given, caller
        self._size += _size(given)
        while len(self._pages) > 1 and (len(self._pages) > _MOST_HELD or self._size > _MOST_BYTES):
            self._size -= _size(self._pages.popitem(last=False)[1][0])
        return key

    def page(self, key: str, caller: str) -> GivenPage:
        """Return a page; one that isn't held any more, or is another caller's, isn't found."""
        page, owner = self._pages.get(key, (None, ""))
        if page is None or owner != caller:
            raise ProblemError("not-found", "the page isn't held any more: open it again")
        self._pages.move_to_end(key)
        return page


def _size(page: GivenPage) -> int:
    html = page.html
    return len(html.text) + _ROW_BYTES * len(html) if isinstance(html, Page) else len(html)
