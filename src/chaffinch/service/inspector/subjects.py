"""What may be looked at: what an operator gives on the command line, kept sites, opened pages.

A subject is chosen when the service starts, and requests name its pages by numbers; so no request
names a file. Pages that a browser has open are held for a while under random keys, each its
caller's alone.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

from chaffinch.page import Page
from chaffinch.page.bounds import Limits
from chaffinch.service.jobs import GivenPage, SiteFile
from chaffinch.service.problems import ProblemError
from chaffinch.service.sites import SiteStore
from chaffinch.site.file import RULES, model_version, read_rules, read_text, write_rules
from chaffinch.storage import locked_folder

_MOST_HELD: Final = 64
_MOST_BYTES: Final = 256 << 20
_ROW_BYTES: Final = 200
"""Bytes of a row of a rendered page, at most, besides its text."""
_CHANGED: Final = "the site was changed meanwhile"


@dataclass(frozen=True)
class SubjectPage:
    """A page of an operator's or a kept site's, read when it is needed.

    Attributes:
        name: what was given, or found in a given folder or archive; for people.
        url: its address; None if unknown.
        encoding: label that its transport gave.
        read: returns its bytes; raises PageError where they can't be read.
    """

    name: str
    url: str | None
    encoding: str | None
    read: Callable[[], bytes]


@dataclass(frozen=True)
class PageSubject:
    """One page: an address, which the service fetches, or a source that was read."""

    source: GivenPage | None = None
    url: str | None = None
    kind: str = "page"

    @property
    def address(self) -> str:
        """The view of the page, as the fragment of its address."""
        query = {"given": "0"} if self.source is not None else {"url": self.url or ""}
        return f"#/page?{urlencode(query)}"

    def page(self, limits: Limits) -> GivenPage:
        """Return the page."""
        if self.source is None:
            raise ProblemError("not-found", "there is no such page")
        return replace(self.source, limits=limits)


class TaughtSite:
    """A site that is taught: a model, here an operator's folder, and pages to try rules on."""

    kind = "site"
    address = "#/site"

    def __init__(self, model: Path, pages: Sequence[SubjectPage]) -> None:
        self._model = model
        self._pages = pages

    @property
    def pages(self) -> Sequence[SubjectPage]:
        """The pages; further ones may come behind them."""
        return self._pages

    def given(self, number: int, limits: Limits) -> GivenPage:
        """Return the page of a number."""
        pages = self.pages
        if number >= len(pages):
            raise ProblemError("not-found", "there is no such page")
        one = pages[number]
        return GivenPage(html=one.read(), url=one.url, encoding=one.encoding, limits=limits)

    def file(self) -> SiteFile:
        """Return the model as it is now."""
        return SiteFile(str(self._model), model_version(self._model))

    def edit(self, change: Callable[[str], str], version: str) -> None:
        """Write the model of a version anew; ``change`` makes the new text of the old one."""
        with locked_folder(self._model):
            if self.file().version != version:
                raise ProblemError("precondition-failed", _CHANGED)
            write_rules(self._model, _changed(read_rules(self._model), change))


class KeptSite(TaughtSite):
    """A site that a service keeps, tried on the pages that taught it."""

    def __init__(self, name: str, store: SiteStore) -> None:
        self._name, self._store = name, store

    @property
    def pages(self) -> Sequence[SubjectPage]:
        """The pages; further ones may come behind them."""
        source = partial(self._store.source, self._name)
        return [
            SubjectPage(one.url or f"{number}", one.url, one.encoding, partial(source, one))
            for number, one in enumerate(self._store.pages(self._name), start=1)
        ]

    def file(self) -> SiteFile:
        """Return the model as it is now."""
        return self._store.file(self._name)

    def edit(self, change: Callable[[str], str], version: str) -> None:
        """Write the model anew."""
        text, present = self._store.text(self._name)
        if present != version:
            raise ProblemError("precondition-failed", _CHANGED)
        with self._store.draft(self._name) as draft:
            draft.mkdir()
            (draft / RULES).write_bytes(_changed(text, change).encode())
            self._store.replace(self._name, draft, version)


Subject = PageSubject | TaughtSite
"""What an operator opens the inspector on."""


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
