"""Site models at scale: statistics by shard, models by bucket of hosts, pages by rules.

`process_bucket`, run on the engine as well, merges the statistics of all shards for the hosts of
one bucket and learns their models. Where the models are to serve the crawl that they are learned
from, its sources are read twice: `collect_statistics` makes the statistics, and `process_shard`
extracts by rules where a template has enough support, and in full elsewhere. Where they are for the
next crawl, `process_shard` makes both at once.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from chaffinch.batch.extraction import LEFT_OUT, fields_of, fields_of_failure, page_of
from chaffinch.batch.host_statistics import HostStatistics, of_bucket
from chaffinch.batch.record import is_failure
from chaffinch.batch.shard import ShardOutcome, marked, shard_rows
from chaffinch.batch.site_store import SiteStore
from chaffinch.batch.storage import STATISTICS, Storage
from chaffinch.batch.tally import Tally
from chaffinch.errors import SetupError
from chaffinch.extraction.trip import extract
from chaffinch.fetch.url_parts import host_name
from chaffinch.page.guard.limits import Limits
from chaffinch.site import Site
from chaffinch.site.model import FALLBACK, SiteNotes, TemplateUse
from chaffinch.site.sample import Statistics

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from chaffinch.batch.plan import Plan
    from chaffinch.batch.recipe import Recipe
    from chaffinch.batch.record import Record
    from chaffinch.batch.sources.shards import Shard
    from chaffinch.page import Page
    from chaffinch.result import Verdict
    from chaffinch.workers.messages import Reply

SEEN: Final = "seen"
LEARNED: Final = "learned"
BEFORE: Final = "before"
"""Folders: markers of shards with statistics, of buckets learned; the models before the run."""

_STATISTICS: Final = "chaffinch.batch.sites:StatisticsExtraction"
_HELD: Final = 256  # site models in the cache of a child, each in two modes


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
        self._site = lru_cache(maxsize=2 * _HELD)(self._in_mode)

    def _in_mode(self, host: str, mode: str) -> Site | None:
        """Return the model of a host, with counts of its own; None where there is none."""
        site = self._store.model(host)
        return site and site.with_mode(mode)

    def __call__(self, record: Record) -> dict[str, Any]:
        """Return the fields of a record's row, as in `chaffinch.batch.schema`.

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
