"""Sites that are taught: a model's file, and pages of the site that rules are tried on."""

from __future__ import annotations

import hashlib
import threading
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from chaffinch.durable_files import locked_folder
from chaffinch.errors import RulesError
from chaffinch.service.inspector.subjects import SubjectPage
from chaffinch.service.page_jobs import SiteFile
from chaffinch.service.problems import ProblemError
from chaffinch.site.file import read_text, write_bytes
from chaffinch.wording import cause

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from chaffinch.page.bounds import Limits
    from chaffinch.service.page_jobs import GivenPage
    from chaffinch.service.site_samples import SiteSamples
    from chaffinch.service.site_store import SiteStore


class SampledSite(Protocol):
    """A site that is taught."""

    @property
    def pages(self) -> Sequence[SubjectPage]:
        """The pages; further ones may come behind them."""

    def file(self) -> SiteFile:
        """Return the model's file as it is now.

        Raises:
            RulesError: it can't be read.
            ProblemError: there is none.
        """

    def edit(self, change: Callable[[str], str], version: str) -> None:
        """Write the model's file anew.

        Args:
            change: makes the new text of the old one.
            version: the version that is changed.

        Raises:
            ProblemError: the present version is another one.
            RulesError: the file can't be read or written, or ``change`` isn't possible.
        """

    @property
    def kind(self) -> str:
        """``site``."""
        return "site"

    def page(self, given: str, limits: Limits) -> GivenPage:
        """Return the page of a number.

        Raises:
            ProblemError: there is none.
            PageError: it can't be read.
        """
        pages = self.pages
        if not given.isascii() or not given.isdigit() or int(given) >= len(pages):
            raise ProblemError("not-found", "there is no such page")
        return pages[int(given)].given(limits)


@dataclass(frozen=True)
class SiteSubject(SampledSite):
    """A site that an operator opened.

    Attributes:
        model: the model's file; rules that are kept are written into it.
        given: the pages.
    """

    model: Path
    given: Sequence[SubjectPage]
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False, compare=False)

    @property
    def address(self) -> str:
        """The view of the site."""
        return "#/site"

    @property
    def pages(self) -> Sequence[SubjectPage]:
        """The pages."""
        return self.given

    def about(self) -> dict[str, Any]:
        """Return the name of the model's file and the number of pages."""
        return {"name": self.model.name, "pages": len(self.pages)}

    def file(self) -> SiteFile:
        """Return the model's file as it is now; see `SampledSite`."""
        return SiteFile(str(self.model), hashlib.sha256(self._read()).hexdigest()[:32])

    def edit(self, change: Callable[[str], str], version: str) -> None:
        """Write the model's file anew; see `SampledSite`."""
        with self._lock, locked_folder(self.model.parent):
            if self.file().version != version:
                raise ProblemError("precondition-failed", "the site's file was changed meanwhile")
            write_bytes(self.model, _changed(self._read(), change))

    def _read(self) -> bytes:
        try:
            return self.model.read_bytes()
        except OSError as error:
            raise RulesError(f"can't read {self.model}: {cause(error)}") from error


@dataclass(frozen=True)
class KeptSite(SampledSite):
    """A site that a service keeps.

    Attributes:
        name: of the site.
        store: the models.
        samples: the pages.
    """

    name: str
    store: SiteStore
    samples: SiteSamples

    @property
    def pages(self) -> Sequence[SubjectPage]:
        """The pages of the site's sample."""
        return [
            SubjectPage(
                one.url or f"{number + 1}",
                one.url,
                one.encoding,
                partial(self.samples.source, self.name, one),
            )
            for number, one in enumerate(self.samples.pages(self.name))
        ]

    def file(self) -> SiteFile:
        """Return the model's file as it is now; see `SampledSite`."""
        return self.store.file(self.name)

    def edit(self, change: Callable[[str], str], version: str) -> None:
        """Write the model's file anew; see `SampledSite`."""
        text, present = self.store.text(self.name)
        if present != version:
            raise ProblemError("precondition-failed", "the site was changed meanwhile")
        with self.store.draft(self.name) as draft:
            draft.write_bytes(_changed(text.encode(), change))
            self.store.replace(self.name, draft, version)


def _changed(data: bytes, change: Callable[[str], str]) -> bytes:
    """Return a model's text, changed.

    Raises:
        RulesError: the text is no model, before or after.
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise RulesError(f"the model isn't UTF-8: {error}") from error
    changed = change(text)
    read_text(changed)
    return changed.encode()
