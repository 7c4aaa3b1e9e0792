"""One shard: its pages are read, processed in guarded children, and written.

`process_shard` is idempotent and may be run again at any time, on any machine: it writes files
whose names follow from the shard's, and its marker last.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from chaffinch.batch import schema
from chaffinch.batch.extraction import LEFT_OUT
from chaffinch.batch.hosts import bucket_of
from chaffinch.batch.record import Record, Skipped
from chaffinch.batch.sources import read
from chaffinch.batch.storage import DONE, MARKER, PAGES, SIGNATURES, STAGED, Storage
from chaffinch.batch.tally import Tally
from chaffinch.batch.writers import Buckets
from chaffinch.errors import SetupError
from chaffinch.fetch.url_parts import host_name
from chaffinch.lazy import lazy_module
from chaffinch.workers.guarded_pool import GuardedPool
from chaffinch.workers.messages import Reply, Setup

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from chaffinch.batch import host_statistics
    from chaffinch.batch.plan import Plan
    from chaffinch.batch.sources.shards import Shard
else:  # what runs with site models need
    host_statistics = lazy_module("chaffinch.batch.host_statistics")

_TRIES: Final = 3  # attempts at a source that can't be read
_WAIT: Final = 2.0  # seconds before the second attempt; twice as many before the third


class ShardOutcome(NamedTuple):
    """The outcome of a shard.

    Attributes:
        name: of the shard.
        marker: content of its marker; None where it failed.
        problem: why it failed.
        is_fatal: whether every other shard would fail as well.
    """

    name: str
    marker: dict[str, Any] | None
    problem: str = ""
    is_fatal: bool = False


def process_shard(
    shard: Shard,
    plan: Plan,
    *,
    children: int = 1,
    progress: Callable[[Record, Reply], None] | None = None,
) -> ShardOutcome:
    """Extract the pages of a shard and write them, unless that is done; errors are in the outcome.

    Where the plan's recipe includes statistics, those of the shard's hosts are written beside the
    pages: small, and merged in any order (`process_bucket`).

    Args:
        shard: the shard.
        plan: what to do.
        children: number of child processes.
        progress: called with each page as it is done.
    """
    return marked(
        shard,
        plan,
        marker_name(shard),
        lambda storage: _processed(shard, plan, storage, children, progress),
        MARKER,
    )


def marked(
    shard: Shard,
    plan: Plan,
    marker: str,
    work: Callable[[Storage], dict[str, Any]],
    fields: Mapping[str, tuple[type, ...]],
) -> ShardOutcome:
    """Return the outcome of ``work`` on a shard, whose result is kept as ``marker``, if not done.

    A marker of an earlier run has ``fields`` of these types, or the run can't go on. A source that
    can't be read is read again up to `_TRIES` times; then the shard has failed.
    Errors are returned in the outcome, so that every engine passes them on.
    """
    problem = ""
    for number in range(_TRIES):
        time.sleep(_WAIT * number)
        try:
            storage = Storage(plan.out)
            done = storage.read_json(marker, **fields)
            if done is None or done["version"] != shard.version:
                done = work(storage)
                storage.write_json(marker, done)
            return ShardOutcome(shard.name, done)
        except SetupError as error:
            return ShardOutcome(shard.name, None, str(error), is_fatal=True)
        except OSError as error:
            problem = f"{shard.source}: {error}"
    return ShardOutcome(shard.name, None, problem)


def _processed(
    shard: Shard,
    plan: Plan,
    storage: Storage,
    children: int,
    progress: Callable[[Record, Reply], None] | None,
) -> dict[str, Any]:
    """Process a shard and return the content of its marker."""
    start = time.time()
    tally = _write_rows(shard, plan, storage, children, progress)
    return {
        "source": shard.source,
        "items": len(shard.items),
        "size": shard.size,
        "version": shard.version,
        "schema": schema.VERSION,
        "start": start,
        "end": time.time(),
        "tally": tally.to_dict(),
    }


def marker_name(shard: Shard) -> str:
    """Return the name of the marker of a shard that is done."""
    return f"{DONE}/{shard.name}.json"


def page_file(folder: str, bucket: int, name: str, form: str) -> str:
    """Return the name of a file of pages."""
    return f"{folder}/bucket={bucket:05d}/{name}.{form}"


def shard_rows(  # noqa: PLR0913  options are keyword-only
    shard: Shard,
    plan: Plan,
    tally: Tally,
    *,
    extractor: str = "",
    children: int = 1,
    progress: Callable[[Record, Reply], None] | None = None,
) -> Iterator[dict[str, Any]]:
    """Yield the rows of a shard in order; the counts are added to ``tally``.

    The extractor, ``module:name``, is the plan's for pages if not given; other arguments are those
    of `process_shard`.

    Raises:
        OSError: the source can't be read.
        SetupError: the children can't be started, or can't work.
    """
    extractor = extractor or plan.pages_extractor
    setup = Setup(extractor=extractor, recipe=plan.recipe, limits=plan.limits)
    with GuardedPool(setup, children=children) as guarded:
        for record, answer in guarded.replies(_pages(read(shard, plan), tally)):
            tally.bytes += len(record.html)
            tally.seconds += answer.seconds
            tally.peak = max(tally.peak, answer.peak)
            if progress is not None:
                progress(record, answer)
            if reason := answer.row.get(LEFT_OUT):
                tally.left_out[reason] += 1
                continue
            row = _row(record, answer)
            tally.count(row)
            yield row


def _pages(found: Iterable[Record | Skipped], tally: Tally) -> Iterator[Record]:
    for one in found:
        if isinstance(one, Skipped):
            tally.skipped[one.why] += 1
        else:
            yield one


def _row(record: Record, answer: Reply) -> dict[str, Any]:
    return {
        "url": record.url,
        "host": answer.row.get("host") or host_name(record.url),
        "fetched": record.fetched,
        "status": record.status,
        "template": "",
        "error": answer.error,
        "error_detail": answer.detail,
        "truncated": record.truncated,
        "file": record.file,
        "member": record.member,
        "offset": record.offset,
        **answer.row,
    }


def _write_rows(
    shard: Shard,
    plan: Plan,
    storage: Storage,
    children: int,
    progress: Callable[[Record, Reply], None] | None,
) -> Tally:
    """Write the rows of a shard, and its sites' statistics if planned; return the counts."""
    tally = Tally()
    statistics = host_statistics.HostStatistics() if plan.recipe.statistics else None
    folder = PAGES if plan.duplicates == "keep" else STAGED
    name = shard.name  # a hash of all its items
    used: set[int] = set()
    with (
        Buckets(storage, schema.schema_of(plan), plan.form) as pages,
        Buckets(storage, schema.SIGNATURES, "parquet") as signatures,
    ):
        for row in shard_rows(shard, plan, tally, children=children, progress=progress):
            bucket = bucket_of(row["host"], plan.buckets)
            used.add(bucket)
            if statistics is not None:
                statistics.add(row)
            pages.add(page_file(folder, bucket, name, plan.form), row)
            if folder == STAGED and "text_hash" in row:
                signed = {**row, "source": row["file"]}
                signatures.add(f"{SIGNATURES}/{name}.parquet", signed)
    if statistics is not None:
        statistics.write(storage, name, plan.buckets)
    for bucket in set(range(plan.buckets)) - used:  # left by an earlier attempt
        storage.remove(page_file(folder, bucket, name, plan.form))
    return tally
