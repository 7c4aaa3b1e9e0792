"""What may be looked at: what an operator gives on the command line, kept sites, opened pages.

A subject is chosen when the service starts, and requests name its pages by numbers; so no request
names a file. Pages that a browser has open are held for a while under random keys, each its
caller's alone.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

from chaffinch.errors import RulesError
from chaffinch.page import Page
from chaffinch.service.jobs import GivenPage, SiteFile
from chaffinch.service.problems import ProblemError, StorageError
from chaffinch.site.file import model_version, read_rules, read_text, write_rules
from chaffinch.storage import locked_folder

_MOST_HELD: Final = 64
_MOST_BYTES: Final = 256 << 20
_ROW_BYTES: Final = 200
"""Bytes of a row of a rendered page, at most, besides its text."""


class TaughtSite(NamedTuple):
    """A site that is taught: the folder of its model, and the file of pages to try rules on."""

    model: Path
    sample: Path

    def file(self) -> SiteFile:
        return SiteFile(str(self.model), model_version(self.model))

    def edit(self, change: Callable[[str], str], version: str) -> None:
        """Write the rules of a version anew; ``change`` makes the new text of the old one."""
        with locked_folder(self.model):
            if self.file().version != version:
                raise ProblemError("precondition-failed", "the site was changed meanwhile")
            changed = change(read_rules(self.model))
            read_text(changed)
            try:
                write_rules(self.model, changed)
            except RulesError as error:
                if isinstance(error.__cause__, OSError):
                    raise StorageError(str(error)) from error
                raise


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
