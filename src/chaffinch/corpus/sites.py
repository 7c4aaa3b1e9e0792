"""Partial statistics of a shard's sites, merged by host and written by bucket.

A few kB a page, of at most 256 pages a host: so the pages of a host may be spread over shards in
any way, one host may have half of them, and no page is sent between machines.

`process_bucket`, run on the engine as well, merges the statistics of all shards for the hosts of
one bucket and learns their models. Where the models are to serve the crawl that they are learned
from, its sources are read twice: `collect_statistics` makes the statistics, and `process_shard`
extracts by rules where a template has enough support, and in full elsewhere. Where they are for the
next crawl, `process_shard` makes both at once.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from chaffinch.corpus.report import Tally
from chaffinch.corpus.rows import LEFT_OUT, fields_of, fields_of_failure, page_of
from chaffinch.corpus.runs import marked, shard_rows
from chaffinch.corpus.sources import is_failure
from chaffinch.corpus.store import STATISTICS, ShardOutcome, Storage, bucket_of
from chaffinch.corpus.table import Buckets
from chaffinch.errors import RulesError, SetupError
from chaffinch.extraction.extract import extract
from chaffinch.page.bounds import Limits
from chaffinch.page.urls import host_name
from chaffinch.site import Site
from chaffinch.site.model import FALLBACK, SiteNotes, TemplateUse, Usage, findings
from chaffinch.site.sample import Statistics, merged

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from chaffinch.corpus.plan import Plan, Recipe
    from chaffinch.corpus.report import Uses
    from chaffinch.corpus.sources import Record, Shard
    from chaffinch.page import Page
    from chaffinch.verdict import Verdict
    from chaffinch.workers.protocol import Reply


_HOSTS: Final = 64  # whose merged statistics are read at a time
_MERGED: Final = 64  # pages whose statistics are merged at a time
_SCHEMA: Final = pa.schema([("host", pa.string()), ("statistics", pa.binary())])


class HostStatistics:
    """Statistics of the hosts of one shard, in bounded memory by host."""

    def __init__(self) -> None:
        self._parts: dict[str, list[Statistics]] = {}

    def add(self, row: dict[str, Any]) -> None:
        """Remove the statistics of a page from its row, and add them if its host is known."""
        found = row.pop(STATISTICS, None)
        if row["host"] and found is not None:
            of_host = self._parts.setdefault(row["host"], [])
            of_host.append(found)
            if len(of_host) >= _MERGED:
                of_host[:] = [merged(of_host)]

    def items(self) -> Iterator[tuple[str, bytes]]:
        """Yield the hosts in order, each with its merged statistics as bytes."""
        for host in sorted(self._parts):
            yield host, merged(self._parts[host]).to_bytes()

    def write(self, storage: Storage, shard: str, buckets: int) -> None:
        """Write them, a file for each bucket that has any."""
        used = set()
        with Buckets(storage, _SCHEMA, "parquet") as files:
            for host, data in self.items():
                used.add(bucket := bucket_of(host, buckets))
                files.add(_file(bucket, shard), {"host": host, "statistics": data})
        for bucket in set(range(buckets)) - used:  # left by an earlier attempt
            storage.remove(_file(bucket, shard))


def of_bucket(storage: Storage, bucket: int) -> Iterator[tuple[str, Statistics]]:
    """Yield the hosts of a bucket, each with the merged statistics of all shards."""
    names = storage.names(f"{STATISTICS}/bucket={bucket:05d}", ".parquet")
    rows = [row for name in names for row in _rows(storage, name)]
    rows.sort(key=itemgetter("host"))
    for host, group in groupby(rows, key=itemgetter("host")):
        yield host, merged([Statistics.from_bytes(row["statistics"]) for row in group])


def _rows(storage: Storage, name: str) -> Iterator[dict[str, Any]]:
    with storage.open(name) as file:
        for batch in pq.ParquetFile(file).iter_batches(_HOSTS):
            yield from batch.to_pylist()


def _file(bucket: int, name: str) -> str:
    return f"{STATISTICS}/bucket={bucket:05d}/{name}.parquet"


ABOUT: Final = "models.json"
"""File with the number of buckets of a folder of models; it is written last."""

_TABLE: Final = """
CREATE TABLE models
(host TEXT PRIMARY KEY, pages INTEGER, rules TEXT, data BLOB, statistics BLOB)
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
            wanted = "SELECT rules, data FROM models WHERE host = ?"
            row = models.execute(wanted, (host,)).fetchone()
            return Site.from_text(*row) if row else None

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
            for host, rules, data, statistics in models.execute(
                "SELECT host, rules, data, statistics FROM models ORDER BY host"
            ):
                yield host, Site.from_text(rules, data, Statistics.from_bytes(statistics))

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
                        sample = site.statistics.to_bytes() if site.statistics else b""
                        pages = sum(one.pages for one in site.history)
                        values = (host, pages, site.to_text(), site.to_data(), sample)
                        models.execute("INSERT INTO models VALUES (?, ?, ?, ?, ?)", values)
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


SEEN: Final = "seen"
LEARNED: Final = "learned"
BEFORE: Final = "before"
"""Folders: markers of shards with statistics, of buckets learned; the models before the run."""

_STATISTICS: Final = "chaffinch.corpus.sites:StatisticsExtraction"
_HELD_MODELS: Final = 256  # site models in the cache of a child, each in two modes


class StatisticsExtraction:
    """Makes the statistics of pages: the extractor of the first pass."""

    def __init__(self, recipe: Recipe) -> None:
        self._recipe = recipe
        self._limits = Limits(max_bytes=recipe.max_bytes)
        self._store = SiteStore(recipe.site_models)

    def __call__(self, record: Record) -> dict[str, Any]:
        """Return a page's statistics in a field of this name; none of a server's failure.

        Raises:
            PageError: the page can't be processed.
        """
        if is_failure(record.status):
            return {LEFT_OUT: "status"}
        page = page_of(record, self._limits, self._store.replacements)
        statistics = Statistics.of_page(page, date=self._recipe.date)
        return {"host": host_name(page.url or ""), STATISTICS: statistics}


def collect_statistics(
    shard: Shard,
    plan: Plan,
    *,
    children: int = 1,
    progress: Callable[[Record, Reply], None] | None = None,
) -> ShardOutcome:
    """Write the statistics of a shard's hosts, unless that is done; the first pass."""
    options: dict[str, Any] = {"children": children, "progress": progress}

    def collected(storage: Storage) -> dict[str, Any]:
        statistics, tally = HostStatistics(), Tally()
        for row in shard_rows(shard, plan, tally, extractor=_STATISTICS, **options):
            statistics.add(row)
        statistics.write(storage, shard.name, plan.buckets)
        return {"version": shard.version, "size": shard.size, "tally": tally.to_dict()}

    shape = {"version": (str,), "size": (int,), "tally": (dict,)}
    return marked(shard, plan, f"{SEEN}/{shard.name}.json", collected, shape)


def process_bucket(bucket: int, plan: Plan) -> ShardOutcome:
    """Learn the models of the hosts in a bucket from the statistics of all shards.

    Args:
        bucket: its number.
        plan: of the run; models go to its recipe's folder of site models, where those of an earlier
            crawl are updated.

    Returns:
        The outcome; its marker has the number of models.
    """
    storage = Storage(plan.out)
    marker = f"{LEARNED}/bucket={bucket:05d}.json"
    try:
        done = storage.read_json(marker)
        if done is None:
            store = SiteStore(plan.recipe.site_models)
            # The models before the run are kept, so that a repetition adds nothing twice.
            before = SiteStore(storage.address(BEFORE))
            if not before.has(bucket):
                before.write(bucket, store.sites(bucket))
            done = {"models": store.write(bucket, _learned(storage, before, bucket, plan))}
            storage.write_json(marker, done)
    except (SetupError, OSError) as error:
        return ShardOutcome(marker, None, str(error), is_fatal=True)
    return ShardOutcome(marker, done)


def _learned(
    storage: Storage, before: SiteStore, bucket: int, plan: Plan
) -> Iterator[tuple[str, Site]]:
    """Yield the hosts of a bucket with their models: learned, updated and unchanged ones."""
    models = dict(before.sites(bucket))
    for host, statistics in of_bucket(storage, bucket):
        known = models.pop(host, None)
        if known is not None:
            yield host, known.update(statistics)
        elif sum(statistics.pages.values()) >= plan.recipe.support:
            yield host, Site.of(statistics)
    yield from models.items()


class BySite:
    """Extracts by the models of a folder: the extractor of pages where there are site models.

    Rules where a page's template was learned from enough pages, the model in full where it was
    learned from fewer, and the default method where there is no model or no template.
    """

    def __init__(self, recipe: Recipe) -> None:
        self._recipe = recipe
        self._policy = recipe.policy or None
        self._limits = Limits(max_bytes=recipe.max_bytes)
        self._store = SiteStore(recipe.site_models)
        self._site = lru_cache(maxsize=2 * _HELD_MODELS)(self._in_mode)

    def _in_mode(self, host: str, mode: str) -> Site | None:
        """Return the model of a host, with counts of its own; None where there is none."""
        site = self._store.model(host)
        return site and site.with_mode(mode)

    def __call__(self, record: Record) -> dict[str, Any]:
        """Return the fields of a record's row, as in `chaffinch.corpus.table`.

        Raises:
            PageError: the page can't be processed.
        """
        page = page_of(record, self._limits, self._store.replacements)
        if is_failure(record.status):
            return fields_of_failure(page)
        row, verdict = self._extracted(page, host_name(page.url or ""), record.headers)
        if self._recipe.statistics:
            date = self._recipe.date
            row[STATISTICS] = Statistics.of_page(page, verdict=verdict, date=date)
        return row

    def _extracted(
        self, page: Page, host: str, headers: tuple[tuple[str, str], ...]
    ) -> tuple[dict[str, Any], Verdict | None]:
        """Return the fields of a row, and the default method's verdict where it alone was used."""
        known = self._site(host, "full")
        template = known.template_of(page) if known else None
        if known is None or template is None:
            found = replace(extract(page, policy=self._policy), headers=headers)
            row = fields_of(found, self._recipe)
            if known is not None:
                row["uses"] = {"": TemplateUse(pages=1, fallbacks=1).to_dict()}
            plain = found.given is None and self._policy is None
            return row, found.content.verdict if plain else None
        mode = "rules" if template.pages >= self._recipe.support else "full"
        site = self._site(host, mode) or known
        found = replace(site.extract(page, policy=self._policy), headers=headers)
        row = fields_of(found, self._recipe)
        judged = found.notes.mode if isinstance(found.notes, SiteNotes) else mode
        row["method"] = f"site, {judged}"
        row["template"] = "" if judged == FALLBACK else template.name
        row["uses"] = site.usage.to_dict()
        site.usage.by_template.clear()
        return row, None


def drift_of(uses: Uses, store: SiteStore) -> dict[str, Any]:
    """Return what has changed on the sites of a run since their models were learned.

    Args:
        uses: counts of use by host, from the tally of the run.
        store: the models that the run used.

    Returns:
        ``sites``, the number of hosts whose model was used; ``findings``, host → what has changed,
        in words, for hosts with changes only.
    """
    changed: dict[str, list[str]] = {}
    for host in sorted(uses):
        site = store.model(host)
        if site is None:
            continue
        if found := findings(Usage.from_dict(uses[host]), site.templates, site.rules):
            changed[host] = found
    return {"sites": len(uses), "findings": changed}
