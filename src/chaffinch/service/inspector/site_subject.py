"""A site that an operator opened: its model's file, and pages of it that rules are tried on."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from chaffinch.errors import RulesError
from chaffinch.service.page_jobs import GivenPage, SiteFile
from chaffinch.service.problems import ProblemError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from chaffinch.page.guard.limits import Limits


@dataclass(frozen=True)
class SubjectPage:
    """A page of an operator's, read when it is needed.

    Attributes:
        name: what was given, or found in a given folder or archive; for people.
        url: its address; None if unknown.
        encoding: label that its transport gave.
        read: returns its bytes.

    ``read`` raises PageError where the page can't be read.
    """

    name: str
    url: str | None
    encoding: str | None
    read: Callable[[], bytes]


@dataclass(frozen=True)
class SiteSubject:
    """A site model and pages of its site.

    Attributes:
        model: the model's file; rules that are kept are written into it.
        pages: the pages.
    """

    model: Path
    pages: Sequence[SubjectPage]

    @property
    def kind(self) -> str:
        """``site``."""
        return "site"

    @property
    def address(self) -> str:
        """The view of the site."""
        return "#/site"

    def about(self) -> dict[str, Any]:
        """Return the name of the model's file and the number of pages."""
        return {"name": self.model.name, "pages": len(self.pages)}

    def file(self) -> SiteFile:
        """Return the model's file as it is now.

        Raises:
            RulesError: it can't be read.
        """
        try:
            digest = hashlib.sha256(self.model.read_bytes()).hexdigest()
        except OSError as error:
            raise RulesError(f"can't read {self.model}: {error.strerror}") from error
        return SiteFile(str(self.model), digest[:32])

    def page(self, given: str, limits: Limits) -> GivenPage:
        """Return the page of a number.

        Raises:
            ProblemError: there is none.
            PageError: it can't be read.
        """
        if not given.isascii() or not given.isdigit() or int(given) >= len(self.pages):
            raise ProblemError("not-found", "there is no such page")
        one = self.pages[int(given)]
        page = GivenPage(html=b"", url=one.url, encoding=one.encoding, limits=limits)
        return replace(page, html=one.read())
