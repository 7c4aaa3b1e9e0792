"""What is inspected: what an operator gives on the command line, the only local data that is read.

A subject is chosen when the service starts, and requests name its pages by ids that the subject
made; so no request names a file.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import urlencode

from chaffinch.service.page_jobs import GivenPage
from chaffinch.service.problems import ProblemError

if TYPE_CHECKING:
    from collections.abc import Callable

    from chaffinch.page.bounds import Limits


class Subject(Protocol):
    """What is inspected."""

    @property
    def kind(self) -> str:
        """``page``, or the kind of a further subject."""

    @property
    def address(self) -> str:
        """The view that is opened first, as the fragment of its address, such as ``#/page?…``."""

    def about(self) -> dict[str, Any]:
        """Return what the views need to know of it, as plain values for JSON."""

    def page(self, given: str, limits: Limits) -> GivenPage:
        """Return one of its pages.

        Args:
            given: its id, which `address` or a view of the subject named.
            limits: of the service.

        Raises:
            ProblemError: it has no such page.
            PageError: the page can't be read.
        """


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

    def given(self, limits: Limits) -> GivenPage:
        """Return the page as it goes to a child.

        Raises:
            PageError: it can't be read.
        """
        return GivenPage(html=self.read(), url=self.url, encoding=self.encoding, limits=limits)


@dataclass(frozen=True)
class PageSubject:
    """One page: an address, which the service fetches, or a source that was read.

    Attributes:
        source: the page; None where the service is to fetch ``url``.
        url: its address.
    """

    source: GivenPage | None = None
    url: str | None = None

    @property
    def kind(self) -> str:
        """``page``."""
        return "page"

    @property
    def address(self) -> str:
        """The view of the page."""
        query = {"given": "0"} if self.source is not None else {"url": self.url or ""}
        return f"#/page?{urlencode(query)}"

    def about(self) -> dict[str, Any]:
        """Return its address."""
        return {"url": self.url}

    def page(self, given: str, limits: Limits) -> GivenPage:
        """Return the page, ``0``."""
        if given != "0" or self.source is None:
            raise ProblemError("not-found", "there is no such page")
        return replace(self.source, limits=limits)
