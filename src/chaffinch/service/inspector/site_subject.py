"""A site that an operator opened: its model's file, and pages of it that rules are tried on."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from chaffinch.errors import RulesError
from chaffinch.service.inspector.subjects import nearest
from chaffinch.service.page_jobs import SiteFile
from chaffinch.service.problems import ProblemError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from chaffinch.page.guard.limits import Limits
    from chaffinch.service.inspector.subjects import SubjectPage
    from chaffinch.service.page_jobs import GivenPage


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
        return self.pages[int(given)].given(limits)

    def siblings(self, given: str) -> Sequence[str]:
        """Return the numbers of the other pages."""
        own = int(given)
        others = ((str(n), one.url) for n, one in enumerate(self.pages) if n != own)
        return nearest(self.pages[own].url, others)
