"""Pages of the sites that a service keeps, with their sources: rules are tried on them.

A site's sample is a file beside its model, a line of JSON for each page, that only grows; so a page
keeps its number.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from chaffinch.durable_files import flush_folder

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from chaffinch.service.page_jobs import GivenPage
    from chaffinch.service.site_store import SiteStore

MOST_PAGES: Final = 500
MOST_BYTES: Final = 256 << 20
"""Pages of one site's sample, and bytes of its file, at most."""


@dataclass(frozen=True)
class StoredPage:
    """Where a page of a sample stands.

    Attributes:
        url: its address; None if unknown.
        encoding: label that its transport gave.
        start: first byte of its line.
    """

    url: str | None
    encoding: str | None
    start: int


class SiteSamples:
    """The samples of the sites of a store.

    Args:
        store: the sites; a sample is changed under its lock.
    """

    def __init__(self, store: SiteStore) -> None:
        self._store = store
        self._known: dict[str, tuple[int, list[StoredPage]]] = {}

    def pages(self, name: str) -> list[StoredPage]:
        """Return the pages of a site's sample; none where it has none.

        Raises:
            ProblemError: the name isn't one.
        """
        path = self._store.sample_path(name)
        size = path.stat().st_size if path.exists() else 0
        known = self._known.get(name)
        if known is None or known[0] != size:
            known = size, list(self._stored(name)) if size else []
            self._known[name] = known
        return known[1]

    def source(self, name: str, page: StoredPage) -> bytes:
        """Return the source of a page of a site's sample."""
        with self._store.sample_path(name).open("rb") as file:
            file.seek(page.start)
            html: str = json.loads(file.readline())["html"]
        return html.encode("latin-1")

    def add(self, name: str, pages: Sequence[GivenPage]) -> int:
        """Put pages at the end of a site's sample, as far as there is room; return how many.

        A page whose address is there already is left out, and one that a browser made, for it has
        no source.

        Raises:
            ProblemError: the name isn't one.
        """
        path = self._store.sample_path(name)
        with self._store.locked():
            known = self.pages(name)
            addresses = {one.url for one in known if one.url}
            size = path.stat().st_size if path.exists() else 0
            lines: list[bytes] = []
            for page in pages:
                line = _line(page)
                is_full = len(known) + len(lines) >= MOST_PAGES or size + len(line) > MOST_BYTES
                if not line or is_full or page.url in addresses:
                    continue
                addresses |= {page.url} if page.url else set()
                lines.append(line)
                size += len(line)
            _append(path, b"".join(lines))
        return len(lines)

    def _stored(self, name: str) -> Iterator[StoredPage]:
        start = 0
        with self._store.sample_path(name).open("rb") as file:
            for line in file:
                if not line.endswith(b"\n"):  # of a writer that was ended in between
                    return
                values: dict[str, Any] = json.loads(line)
                yield StoredPage(values["url"], values["encoding"], start)
                start += len(line)


def _append(path: Path, lines: bytes) -> None:
    """Put whole lines at the end of a file, for good; half a line of a killed writer goes."""
    with path.open("a+b") as file:
        end = file.seek(0, os.SEEK_END)
        file.seek(max(0, end - 1))
        if file.read() not in {b"", b"\n"}:
            file.seek(0)
            file.truncate(file.read().rfind(b"\n") + 1)
        file.write(lines)
        file.flush()
        os.fsync(file.fileno())
    flush_folder(path.parent)


def _line(page: GivenPage) -> bytes:
    """Return a page as a line of a sample; b"" for one without a source."""
    html = page.html
    if not isinstance(html, bytes | str):
        return b""
    source, label = (html, page.encoding) if isinstance(html, bytes) else (html.encode(), "utf-8")
    values = {"url": page.url, "encoding": label, "html": source.decode("latin-1")}
    return json.dumps(values).encode() + b"\n"
