"""Pages that a browser has open: held for a while, so that each view needs no new reading.

A key is random and belongs to its caller, so nobody sees another caller's pages.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from chaffinch.service.problems import ProblemError

if TYPE_CHECKING:
    from chaffinch.service.page_jobs import GivenPage

_MOST: Final = 64
_MOST_BYTES: Final = 256 << 20
_ROW_BYTES: Final = 200
"""Bytes of a row of a rendered page, at most, besides its text."""


@dataclass(frozen=True)
class HeldPage:
    """A page that is held.

    Attributes:
        key: names it in requests.
        given: the page.
        caller: name of the caller who opened it.
    """

    key: str
    given: GivenPage
    caller: str

    @property
    def size(self) -> int:
        """Bytes that it takes, about."""
        html = self.given.html
        if isinstance(html, bytes | str):
            return len(html)
        return len(html.text) + _ROW_BYTES * len(html)


class HeldPages:
    """The pages that are held: the latest ones, in bounded memory."""

    def __init__(self) -> None:
        self._pages: OrderedDict[str, HeldPage] = OrderedDict()
        self._size = 0

    def hold(self, given: GivenPage, caller: str) -> HeldPage:
        """Hold a page; those that were used least lately are given up for it."""
        page = HeldPage(secrets.token_urlsafe(16), given, caller)
        self._pages[page.key] = page
        self._size += page.size
        while len(self._pages) > 1 and (len(self._pages) > _MOST or self._size > _MOST_BYTES):
            _, oldest = self._pages.popitem(last=False)
            self._size -= oldest.size
        return page

    def page(self, key: str, caller: str) -> HeldPage:
        """Return a page.

        Raises:
            ProblemError: it isn't held any more, or is another caller's.
        """
        page = self._pages.get(key)
        if page is None or page.caller != caller:
            raise ProblemError("not-found", "the page isn't held any more: open it again")
        self._pages.move_to_end(key)
        return page
