"""One page that the command line is given, read or not yet, and where it came from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from chaffinch.errors import PageError
from chaffinch.loading.replaced_source import read_page
from chaffinch.page import parse

if TYPE_CHECKING:
    from pathlib import Path

    from chaffinch.loading.replaced_source import Replacements
    from chaffinch.page import Page
    from chaffinch.page.bounds import Limits

Kind = Literal["file", "address", "stdin", "archive", "record", "problem"]


class Origin(NamedTuple):
    """Where a page came from: fields of its JSON, named as the columns of a run.

    Attributes:
        file: the file that it stands in, as it was given; the address, for one that was fetched;
            ``-`` for standard input.
        member: name within an archive of files; else "".
        offset: where it begins there: byte of an archive, number of the line or row of a table,
            from 0; 0 for a file of its own.
    """

    file: str
    member: str = ""
    offset: int = 0


@dataclass(frozen=True, kw_only=True)
class Source:
    """One page to work on, read or not yet.

    Attributes:
        kind: ``file``, ``address``, ``stdin``, ``record`` of an archive, or ``problem``; or an
            ``archive``, which is any number of pages.
        name: what was given, or found in a given folder or archive; for people.
        path: the file; of a record None.
        place: path within the given folder, or the file's name.
        url: address of the page.
        data: the page, where it isn't a file.
        encoding: the label the transport or the caller gave.
        problem: why it can't be read.
        page: the page as a table, where a browser or its loader made it.
        parts: further parts of its article, in order, with ``page``.
        record: where a record stands in its archive.
        headers: of the answer that brought the page, as far as they are known.
        status: HTTP status of that answer; None if unknown.
        is_corpus: of an archive: its JSON lines are in the form of the labelled corpora.
    """

    kind: Kind
    name: str
    path: Path | None = None
    place: Path | None = None
    url: str | None = None
    data: bytes = b""
    encoding: str | None = None
    problem: str = ""
    page: Page | None = None
    parts: tuple[Page, ...] = ()
    record: Origin | None = None
    headers: tuple[tuple[str, str], ...] = ()
    status: int | None = None
    is_corpus: bool = False

    @property
    def origin(self) -> Origin:
        """Where the page came from."""
        return self.record or Origin("-" if self.kind == "stdin" else self.name)

    def as_page(self, limits: Limits) -> Page:
        """Return the page, parsed if it isn't yet.

        Raises:
            PageError: it can't be read, or is no page.
        """
        if self.page is not None:
            return self.page
        html = self.read(max_bytes=limits.max_bytes)
        return self._answered(parse(html, url=self.url, encoding=self.encoding, limits=limits))

    def replaced(self, html: bytes, limits: Limits, replacements: Replacements) -> Page:
        """Return the page of bytes that were read, with its address and texts replaced.

        Raises:
            PageError: it is no page.
        """
        options: dict[str, Any] = {"encoding": self.encoding, "limits": limits}
        return self._answered(read_page(html, replacements, url=self.url, **options))

    def _answered(self, page: Page) -> Page:
        return page if self.status is None else page.with_status(self.status)

    def read(self, *, max_bytes: int) -> bytes:
        """Return the page's bytes.

        Raises:
            PageError: it can't be read or is too big.
        """
        if self.problem:
            raise PageError(self.problem)
        data = self.data
        if self.path is not None:
            try:
                with self.path.open("rb") as file:
                    data = file.read(max_bytes + 1)
            except OSError as error:
                raise PageError(error.strerror or "can't be read") from error
        if len(data) > max_bytes:
            raise PageError(f"page too big: more than {max_bytes:,} bytes")
        return data
