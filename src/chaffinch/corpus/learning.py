"""Models of many sites, learned from archives: a folder that `Recipe.site` applies by host.

Children make the statistics of pages, a few kB each; those of a host are merged, of at most 256
pages. What is held is put away on disk before it is much, so that memory doesn't grow with hosts.
"""

from __future__ import annotations

import re
import sqlite3
import tempfile
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, Final

from chaffinch.corpus.rows import LEFT_OUT, page_of
from chaffinch.corpus.sources import Plan, Record, find_shards, read
from chaffinch.errors import OptionError, SetupError
from chaffinch.page.bounds import Limits
from chaffinch.page.urls import host_name
from chaffinch.site.file import is_model
from chaffinch.site.sample import Statistics, merged
from chaffinch.site.site import Site
from chaffinch.web.client import FAILED
from chaffinch.wording import failing_as
from chaffinch.workers.guarded_pool import IDLE_CHILDREN, GuardedPool
from chaffinch.workers.protocol import Setup

_HOST: Final = re.compile(r"[\w-][\w.:-]{0,199}")
"""Names that folders can have; one that begins with a dot stands for all hosts below it."""

LEAST: Final = 10
"""Pages of a site that has no model yet, from which on one is learned."""
_CHILDREN: Final = 2
_MERGED: Final = 64  # pages of a host whose statistics are merged at a time
_HELD: Final = 4_096  # pages whose statistics are held


class StatisticsExtraction:
    """Makes the statistics of pages: the extractor of the children."""

    def __init__(self, given: tuple[int, str]) -> None:
        most, self._date = given
        self._limits = Limits(max_bytes=most)

    def __call__(self, record: Record) -> dict[str, Any]:
        if record.status in FAILED:
            return {LEFT_OUT: "status"}
        page = page_of(record, self._limits)
        host = host_name(page.url or "")
        if not _HOST.fullmatch(host):
            return {LEFT_OUT: "no URL"}
        return {"host": host, "statistics": Statistics.of_page(page, date=self._date)}


def learn_sites(
    sources: Sequence[str], folder: str | Path, *, date: str = "", plan: Plan | None = None
) -> dict[str, int]:
    """Learn the models of all sites in some sources; those that the folder has are updated.

    Args:
        sources: files, folders, patterns, as of a run.
        folder: where the models go, a folder named by the host each.
        date: of the crawl, ISO 8601; "" for today.
        plan: how sources are read, and bounds of a page; None for the usual.

    Returns:
        Host → pages that its model was learned from or updated by.

    Raises:
        OptionError: no such sources.
        SetupError: a source can't be read, or a model can't be read or written.
    """
    plan = plan or Plan(out="")
    setup = Setup(
        extractor=f"{__name__}:StatisticsExtraction",
        recipe=(plan.recipe.max_bytes, date),
        limits=plan.limits,
    )
    learned: dict[str, int] = {}
    with failing_as(SetupError, f"can't make the folder {folder}"):
        Path(folder).mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as place,
        closing(sqlite3.connect(Path(place, "statistics.sqlite"))) as store,
    ):
        store.execute("CREATE TABLE parts (host TEXT, data BLOB)")
        store.execute("CREATE INDEX by_host ON parts (host)")
        held = _Held(store)
        try:
            for shard in find_shards(sources, out=str(folder)):
                with GuardedPool(setup, children=_CHILDREN) as guarded:
                    pages = (one for one in read(shard, plan) if isinstance(one, Record))
                    for _, reply in guarded.replies(pages):
                        if "statistics" in reply.row:
                            held.add(reply.row["host"], reply.row["statistics"])
        except OSError as error:
            raise OptionError(f"a source can't be read: {error}") from error
        finally:
            IDLE_CHILDREN.end()
        held.put_away()
        rows = store.execute("SELECT host, data FROM parts ORDER BY host")
        for host, group in groupby(rows, key=itemgetter(0)):
            statistics = merged([Statistics.from_bytes(data) for _, data in group])
            path = Path(folder, host)
            pages_of_host = sum(statistics.pages.values())
            if is_model(path):
                Site.load(path).update(statistics).save(path)
            elif pages_of_host >= LEAST:
                replace(Site.of(statistics), host=host).save(path)
            else:
                continue
            learned[host] = pages_of_host
    return learned


class _Held:
    """Statistics by host in memory, which go to a store before they are many."""

    def __init__(self, store: sqlite3.Connection) -> None:
        self._store = store
        self._parts: dict[str, list[Statistics]] = {}
        self._count = 0

    def add(self, host: str, statistics: Statistics) -> None:
        parts = self._parts.setdefault(host, [])
        parts.append(statistics)
        self._count += 1
        if len(parts) >= _MERGED:
            parts[:] = [merged(parts)]
        if self._count >= _HELD:
            self.put_away()

    def put_away(self) -> None:
        rows = [(host, merged(parts).to_bytes()) for host, parts in self._parts.items()]
        self._store.executemany("INSERT INTO parts VALUES (?, ?)", rows)
        self._parts, self._count = {}, 0
