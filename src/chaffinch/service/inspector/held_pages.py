"""Pages that a browser has open: held for a while, so that each view needs no new reading.

A key is random and belongs to its caller, so nobody sees another caller's pages.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from chaffinch.errors import PageError
from chaffinch.service.problems import ProblemError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chaffinch.page.guard.limits import Limits
    from chaffinch.service.inspector.subjects import Subject
    from chaffinch.service.page_jobs import GivenPage

_MOST: Final = 64
_MOST_BYTES: Final = 256 << 20
_SIBLING_BYTES: Final = 16 << 20
"""Bytes of the subject's other pages that a page is compared with, but for the first of them."""
_ROW_BYTES: Final = 200
"""Bytes of a row of a rendered page, at most, besides its text."""


@dataclass(frozen=True)
class HeldPage:
    """A page that is held.

    Attributes:
        key: names it in requests.
        given: the page.
        caller: name of the caller who opened it.
        is_rendered: whether a browser made it.
        subject: what it is a page of; None for a page of a request.
        number: its id there.
        named: other pages of its site that a person named; they stand in for the subject's.
    """

    key: str
    given: GivenPage
    caller: str
    is_rendered: bool = False
    subject: Subject | None = None
    number: str = ""
    named: tuple[GivenPage, ...] = ()

    @property
    def size(self) -> int:
        """Bytes that it takes, about."""
        return sum(map(_size, (self.given, *self.named)))

    def siblings(self, limits: Limits) -> Sequence[GivenPage]:
        """Return the other pages of its site that are known, less those that can't be read.

        Raises:
            SetupError: what the operator gave is broken.
        """
        if self.named or self.subject is None:
            return self.named
        found: list[GivenPage] = []
        left = _SIBLING_BYTES
        for one in self.subject.siblings(self.number):
            with suppress(PageError):
                page = self.subject.page(one, limits)
                left -= _size(page)
                if left < 0 and found:
                    break
                found.append(page)
        return found

    def about_siblings(self) -> dict[str, Any]:
        """Return how many siblings there are, and who gave them, as plain values for JSON.

        Raises:
            SetupError: what the operator gave is broken.
        """
        if self.named or self.subject is None:
            return {"count": len(self.named), "from": "named" if self.named else "none"}
        count = len(self.subject.siblings(self.number))
        return {"count": count, "from": self.subject.kind if count else "none"}


def _size(page: GivenPage) -> int:
    html = page.html
    if isinstance(html, bytes | str):
        return len(html)
    return len(html.text) + _ROW_BYTES * len(html)


class HeldPages:
    """The pages that are held: the latest ones, in bounded memory."""

    def __init__(self) -> None:
        self._pages: OrderedDict[str, HeldPage] = OrderedDict()
        self._size = 0

    def hold(self, given: GivenPage, caller: str, **about: Any) -> HeldPage:
        """Hold a page; those that were used least lately are given up for it.

        ``about`` are further attributes of `HeldPage`.
        """
        return self._put(HeldPage(secrets.token_urlsafe(16), given, caller, **about))

    def name_siblings(self, page: HeldPage, named: Sequence[GivenPage]) -> HeldPage:
        """Hold a page with other pages of its site that a person named."""
        return self._put(replace(page, named=tuple(named)))

    def _put(self, page: HeldPage) -> HeldPage:
        old = self._pages.pop(page.key, None)
        self._size -= 0 if old is None else old.size
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
