"""What is inspected: what an operator gives on the command line, the only local data that is read.

A subject is chosen when the service starts, and requests name its pages by ids that the subject
made; so no request names a file.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Protocol
from urllib.parse import urlencode

from chaffinch.service.page_jobs import GivenPage
from chaffinch.service.problems import ProblemError
from chaffinch.siblings.reference_choice import url_similarity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from chaffinch.page.guard.limits import Limits

MOST_SIBLINGS: Final = 32
"""Other pages of its site that a page is compared with, at most."""


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

    def siblings(self, given: str) -> Sequence[str]:
        """Return ids of other pages of the same site, `MOST_SIBLINGS` at most, the nearest first.

        Args:
            given: id of a page.

        Raises:
            SetupError: what the operator gave is broken.
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


def nearest(url: str | None, others: Iterable[tuple[str, str | None]]) -> list[str]:
    """Return the ids of `MOST_SIBLINGS` pages at most, those of the most similar addresses first.

    Args:
        url: address of the page that they are compared with; None if unknown.
        others: id and address of each.
    """
    ranked = []
    for number, (name, own) in enumerate(others):
        alike = url_similarity(url, own) if url and own else None
        ranked.append(((-alike.path, -alike.query) if alike else (1.0, 0.0), number, name))
    return [name for _, _, name in sorted(ranked)[:MOST_SIBLINGS]]


@dataclass(frozen=True)
class PageSubject:
    """One page: an address, which the service fetches, or a source that was read.

    Attributes:
        source: the page; None where the service is to fetch ``url``.
        url: its address.
        others: other pages of its site, for methods that compare.
    """

    source: GivenPage | None = None
    url: str | None = None
    others: Sequence[SubjectPage] = ()

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
        """Return the page, ``0``, or one of the others, which are counted from 1 on."""
        number = int(given) if given.isascii() and given.isdigit() else -1
        if number == 0 and self.source is not None:
            return replace(self.source, limits=limits)
        if not 1 <= number <= len(self.others):
            raise ProblemError("not-found", "there is no such page")
        return self.others[number - 1].given(limits)

    def siblings(self, given: str) -> Sequence[str]:
        """Return the others, whatever the page is."""
        del given
        return nearest(self.url, ((str(n), one.url) for n, one in enumerate(self.others, start=1)))
