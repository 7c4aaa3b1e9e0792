"""A store of many site models: one SQLite file for each bucket of hosts, looked up by host."""

from __future__ import annotations

import sqlite3
from contextlib import closing, contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from chaffinch.batch.hosts import bucket_of
from chaffinch.batch.storage import Storage
from chaffinch.errors import RulesError, SetupError
from chaffinch.fetch.url_parts import host_name
from chaffinch.site import Site
from chaffinch.site.sample import Statistics

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

ABOUT: Final = "models.json"
"""File with the number of buckets of a folder of models; it is written last."""

_TABLE: Final = """
CREATE TABLE models (host TEXT PRIMARY KEY, pages INTEGER, model TEXT, statistics BLOB)
WITHOUT ROWID
"""
_HELD: Final = 256  # models in the cache of a process


class SiteStore:
    """Reads and writes the models of a folder.

    Args:
        address: the folder; a path or an address that fsspec knows.
    """

    def __init__(self, address: str) -> None:
        self.storage = Storage(address)
        about = self.storage.read_json(ABOUT, buckets=(int,))
        self.buckets: int = about["buckets"] if about else 0
        self.model = lru_cache(maxsize=_HELD)(self._model)

    def _model(self, host: str) -> Site | None:
        """Return the model of a host; None where there is none.

        Raises:
            RulesError: it is broken.
        """
        if not self.buckets:
            return None
        path = self.storage.local(_name(bucket_of(host, self.buckets)))
        if path is None:
            return None
        with _opened(path) as models:
            row = models.execute("SELECT model FROM models WHERE host = ?", (host,)).fetchone()
            return Site.from_text(row[0]) if row else None

    def replacements(self, url: str | None) -> tuple[tuple[str, str], ...]:
        """Return what the model of an address's host replaces in the sources of pages.

        Raises:
            RulesError: it is broken.
        """
        site = self.model(host_name(url or ""))
        return () if site is None else site.replacements(url)

    def has(self, bucket: int) -> bool:
        """Return whether a bucket is written."""
        return self.storage.has(_name(bucket))

    def sites(self, bucket: int) -> Iterator[tuple[str, Site]]:
        """Yield the hosts of a bucket with their models, which have their statistics for updates.

        Raises:
            RulesError: one is broken.
        """
        path = self.storage.local(_name(bucket))
        if path is None:
            return
        with _opened(path) as models:
            for host, model, data in models.execute(
                "SELECT host, model, statistics FROM models ORDER BY host"
            ):
                yield host, Site.from_text(model, Statistics.from_bytes(data))

    def write(self, bucket: int, sites: Iterable[tuple[str, Site]]) -> int:
        """Write all models of a bucket, replacing those that it had; return their number.

        Raises:
            RulesError: they can't be written, or one of ``sites`` can't be read.
        """
        count = 0
        with self.storage.writing(_name(bucket)) as part:
            part.unlink(missing_ok=True)
            try:
                with closing(sqlite3.connect(part)) as models, models:
                    models.execute(_TABLE)
                    for host, site in sites:
                        data = site.statistics.to_bytes() if site.statistics else b""
                        pages = sum(one.pages for one in site.history)
                        values = (host, pages, site.to_text(), data)
                        models.execute("INSERT INTO models VALUES (?, ?, ?, ?)", values)
                        count += 1
            except sqlite3.Error as error:
                path = self.storage.path(_name(bucket))
                raise RulesError(f"can't write {path}: {error}") from error
        return count

    def complete(self, buckets: int) -> None:
        """Record that all buckets are written."""
        self.storage.write_json(ABOUT, {"buckets": buckets})


def _name(bucket: int) -> str:
    return f"bucket={bucket:05d}.sqlite"


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a file of models to read.

    Raises:
        RulesError: it can't be read, or is broken.
    """
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)) as models:
            yield models
    except (sqlite3.Error, UnicodeDecodeError, TypeError) as error:
        raise RulesError(f"can't read {path}: {error}") from error
    except SetupError as error:
        raise RulesError(f"{path}: {error}") from error
