"""Site models at scale: statistics by shard, models by bucket of hosts, pages by rules.

A first pass makes a page's statistics in its child and merges them by host in the shard: a few kB a
page, at most 256 pages a host. So it doesn't matter how the pages of a host are spread, or that one
host holds half of them, and no page travels. `process_bucket`, the second of the functions that are
placed, merges what all shards have for the hosts of one bucket and learns their models. A second
pass over the sources extracts by rules where a template has enough support, and in full elsewhere.
"""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from chaffinch.batch.extraction import fields_of
from chaffinch.batch.hosts import bucket_of, host_of
from chaffinch.batch.shard import Outcome, shard_rows, tried
from chaffinch.batch.site_store import SiteStore
from chaffinch.batch.storage import Storage
from chaffinch.batch.tally import Tally
from chaffinch.batch.writers import Buckets
from chaffinch.errors import SetupError
from chaffinch.extract import extract
from chaffinch.page import parse
from chaffinch.page.guard import Limits
from chaffinch.site import Site
from chaffinch.site.statistics import Statistics, merged

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from chaffinch.batch.messages import Answer
    from chaffinch.batch.plan import Plan, Recipe
    from chaffinch.batch.records import Record
    from chaffinch.batch.sources import Shard

STATISTICS: Final = "statistics"
SEEN: Final = "seen"
LEARNED: Final = "learned"
BEFORE: Final = "before"
"""Folders: statistics by bucket and shard; markers of shards seen, and of buckets learned; the
models as they were."""

_LOOKING: Final = "chaffinch.batch.sites:Looking"
_TOGETHER: Final = 64  # pages' statistics that are merged at a time
_SCHEMA: Final = pa.schema([("host", pa.string()), ("statistics", pa.binary())])


class Looking:
    """Makes the statistics of pages: the extractor of the first pass.

    Args:
        recipe: what is wanted; its date names the generation.
    """

    def __init__(self, recipe: Recipe) -> None:
        self._recipe = recipe
        self._limits = Limits(max_bytes=recipe.max_bytes)

    def __call__(self, record: Record) -> dict[str, Any]:
        """Return a page's statistics in a field of this name.

        Raises:
            PageError: the page can't be processed.
        """
        page = parse(
            record.html, url=record.url or None, encoding=record.encoding, limits=self._limits
        )
        return {"statistics": Statistics.of_page(page, date=self._recipe.date)}


def look_at_shard(
    shard: Shard,
    plan: Plan,
    *,
    children: int = 1,
    progress: Callable[[Record, Answer], None] | None = None,
) -> Outcome:
    """Write the statistics of a shard's hosts, unless that is done; the first pass."""
    return tried(shard, lambda: _looked_at(shard, plan, children, progress))


def _looked_at(
    shard: Shard, plan: Plan, children: int, progress: Callable[[Record, Answer], None] | None
) -> dict[str, Any]:
    storage = Storage(plan.out)
    marker = f"{SEEN}/{shard.name}.json"
    found: dict[str, Any] | None = storage.read_json(marker)
    if found is not None and found["version"] == shard.version:
        return found
    parts: dict[str, list[Statistics]] = {}
    tally = Tally()
    rows = shard_rows(shard, plan, tally, extractor=_LOOKING, children=children, progress=progress)
    for row in rows:
        if row["host"] and "statistics" in row:
            of_host = parts.setdefault(row["host"], [])
            of_host.append(row["statistics"])
            if len(of_host) >= _TOGETHER:
                of_host[:] = [merged(of_host)]
    with Buckets(storage, _SCHEMA, "parquet") as files:
        for host in sorted(parts):
            name = f"{STATISTICS}/bucket={bucket_of(host, plan.buckets):05d}/{shard.name}.parquet"
            files.add(name, {"host": host, "statistics": merged(parts[host]).to_bytes()})
    done = {"version": shard.version, "size": shard.size, "tally": tally.to_dict()}
    storage.write_json(marker, done)
    return done


def process_bucket(bucket: int, plan: Plan) -> Outcome:
    """Learn the models of the hosts in a bucket from the statistics of all shards.

    Args:
        bucket: its number.
        plan: of the run; models go to its recipe's folder of site models, where those of an earlier
            crawl are taken further.

    Returns:
        The outcome; its marker says how many models there are.
    """
    storage = Storage(plan.out)
    marker = f"{LEARNED}/bucket={bucket:05d}.json"
    try:
        done = storage.read_json(marker)
        if done is None:
            store = SiteStore(plan.recipe.site_models)
            # What was there before stays at hand, so that trying again takes nothing in twice.
            before = SiteStore(storage.address(BEFORE))
            if not before.has(bucket):
                before.write(bucket, store.sites(bucket))
            done = {"models": store.write(bucket, _learned(storage, before, bucket, plan))}
            storage.write_json(marker, done)
    except (SetupError, OSError) as error:
        return Outcome(marker, None, str(error), is_fatal=True)
    return Outcome(marker, done)


def _learned(
    storage: Storage, before: SiteStore, bucket: int, plan: Plan
) -> Iterator[tuple[str, Site]]:
    """Yield the hosts of a bucket with their models, new ones and those of before."""
    models = dict(before.sites(bucket))
    for host, parts in _by_host(storage, bucket):
        known = models.pop(host, None)
        statistics = merged(parts)
        if known is not None:
            yield host, known.update(statistics)
        elif sum(statistics.pages.values()) >= plan.recipe.support:
            yield host, Site.of(statistics)
    yield from models.items()


def _by_host(storage: Storage, bucket: int) -> Iterator[tuple[str, list[Statistics]]]:
    """Yield the hosts of a bucket with the statistics that shards have of them, in order."""
    rows = []
    for name in storage.names(f"{STATISTICS}/bucket={bucket:05d}", ".parquet"):
        with storage.open(name) as file:
            rows += pq.read_table(file).to_pylist()
    rows.sort(key=itemgetter("host"))
    for host, group in groupby(rows, key=itemgetter("host")):
        yield host, [Statistics.from_bytes(row["statistics"]) for row in group]


class BySite:
    """Extracts by the models of a folder: the extractor of the second pass.

    Rules where a page's template was learned from enough pages, the model in full where it was
    learned from fewer, and the default method where there is no model or no template.

    Args:
        recipe: what is wanted.
    """

    def __init__(self, recipe: Recipe) -> None:
        self._recipe = recipe
        self._limits = Limits(max_bytes=recipe.max_bytes)
        self._store = SiteStore(recipe.site_models)

    def __call__(self, record: Record) -> dict[str, Any]:
        """Return the fields of a record's row, as in `chaffinch.batch.schema`.

        Raises:
            PageError: the page can't be processed.
        """
        page = parse(
            record.html, url=record.url or None, encoding=record.encoding, limits=self._limits
        )
        site = self._store.model(host_of(record.url))
        template = site.template_of(page) if site else None
        if site is None or template is None:
            return fields_of(extract(page), self._recipe)
        mode = "rules" if template.pages >= self._recipe.support else "full"
        found = site.extract(page, mode=mode)
        row = fields_of(found, self._recipe)
        fell_back = found.notes.get("mode", mode) != mode
        row["method"] = f"site, {found.notes.get('mode', mode)}"
        row["template"] = "" if fell_back else template.name
        return row
