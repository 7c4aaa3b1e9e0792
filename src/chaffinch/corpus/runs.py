"""A run: shards are found, processed on an engine, and reported; finished work isn't repeated.

`process_shard` is idempotent and may be run again at any time, on any machine: it writes files
whose names follow from the shard's, and its marker last.
"""

from __future__ import annotations

import datetime as dt
import time
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Protocol

from chaffinch.corpus.duplicates import CLUSTERS, find_clusters, finish_shard
from chaffinch.corpus.engines import engine_of
from chaffinch.corpus.report import (
    DRIFT,
    FAILED,
    RUN,
    RunReport,
    Tally,
    as_html,
    read_report,
    read_run,
)
from chaffinch.corpus.rows import LEFT_OUT
from chaffinch.corpus.sources import Record, Skipped, find_shards, read
from chaffinch.corpus.store import (
    DONE,
    MARKER,
    PAGES,
    SIGNATURES,
    STAGED,
    STATISTICS,
    ShardOutcome,
    Storage,
    bucket_of,
    page_file,
)
from chaffinch.corpus.table import SIGNATURE_COLUMNS, VERSION, Buckets, schema_of
from chaffinch.errors import OptionError, SetupError, require_whole
from chaffinch.lazy import lazy_module
from chaffinch.page.urls import host_name
from chaffinch.version import __version__
from chaffinch.wording import cause
from chaffinch.workers.guarded_pool import IDLE_CHILDREN, GuardedPool
from chaffinch.workers.protocol import Reply, Setup, require_unix

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from chaffinch.corpus import sites
    from chaffinch.corpus.engines import Engine
    from chaffinch.corpus.plan import Plan
    from chaffinch.corpus.sources import Record, Shard
    from chaffinch.workers.protocol import Reply
else:
    sites = lazy_module("chaffinch.corpus.sites")


class RunListener(Protocol):
    """Receives the progress of a run; called from several threads."""

    def begin(self, todo: Sequence[Shard], done: Sequence[ShardOutcome]) -> None:
        """Receive the shards still to do, and the outcomes of those that earlier runs finished."""

    def page(self, record: Record, reply: Reply) -> None:
        """Receive one page; called by engines that work in this process only."""

    def shard(self, outcome: ShardOutcome) -> None:
        """Receive the outcome of a shard."""


_TRIES: Final = 3  # attempts at a source that can't be read
_WAIT: Final = 2.0  # seconds before the second attempt; twice as many before the third


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
        "schema": VERSION,
        "start": start,
        "end": time.time(),
        "tally": tally.to_dict(),
    }


def marker_name(shard: Shard) -> str:
    """Return the name of the marker of a shard that is done."""
    return f"{DONE}/{shard.name}.json"


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
    statistics = sites.HostStatistics() if plan.recipe.statistics else None
    folder = PAGES if plan.duplicates == "keep" else STAGED
    name = shard.name  # a hash of all its items
    used: set[int] = set()
    with (
        Buckets(storage, schema_of(plan), plan.form) as pages,
        Buckets(storage, SIGNATURE_COLUMNS, "parquet") as signatures,
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


DUPLICATES: Final = "duplicates.json"
"""File with the number of clusters; it exists once the duplicates of all pages are found."""

LEARNS: Final = "sites.json"
"""File with whether the run learns site models, and whether that is done."""


def run(  # noqa: PLR0913  options are keyword-only
    sources: Sequence[str],
    plan: Plan,
    *,
    engine: str = "local",
    workers: int = 0,
    address: str = "",
    resume: bool = False,
    listener: RunListener | None = None,
) -> RunReport:
    """Extract all pages of some sources and write them to the plan's folder.

    Args:
        sources: files, folders, patterns; see `chaffinch.corpus.sources.find_shards`. The
            plan's folder may stand below one: its files are never sources.
        plan: what to do.
        engine: ``local``, ``ray`` or ``spark``.
        workers: number of shards processed at a time; 0 for as many as there are cores.
        address: of a cluster, for ray and spark.
        resume: go on with the run that the folder holds.
        listener: receives the progress.

    Returns:
        The report, which is also written to the folder as report.json and report.html.

    Raises:
        OptionError: an option is impossible, or the folder holds another run.
        SetupError: no shard can succeed.
    """
    require_unix("chaffinch run")
    require_whole("workers", workers, 0)
    storage = Storage(plan.out)
    with storage.locked(), engine_of(engine, workers=workers, address=address) as executor:
        return _run(sources, plan, storage, executor, resume=resume, listener=listener)


def _run(  # noqa: PLR0913  options are keyword-only
    sources: Sequence[str],
    plan: Plan,
    storage: Storage,
    executor: Engine,
    *,
    resume: bool,
    listener: RunListener | None,
) -> RunReport:
    """Do what `run` does, in a folder that is locked."""
    shards = find_shards(sources, out=plan.out)
    done = _open(storage, plan, shards, resume=resume)
    todo = [shard for shard in shards if shard.name not in done]
    if todo and storage.has(DUPLICATES):
        raise OptionError(
            f"{plan.out}: its duplicates are found already; more sources need a run of their own"
        )
    plan = _dated(plan, storage)
    learns = bool(plan.recipe.site_models) and _learns(storage, plan)
    if learns and plan.one_pass:
        plan = replace(plan, recipe=replace(plan.recipe, statistics=True))
    elif learns:
        _collect_statistics(shards, plan, executor, listener)
        _learn_sites(storage, plan, executor)
    if listener is not None:
        listener.begin(todo, list(done.values()))
    for outcome in _results(process_shard, todo, plan, executor, listener):
        _record_failure(storage, outcome)
    if plan.recipe.site_models and (todo or not storage.has(DRIFT)):
        _record_drift(storage, plan)
    if learns and plan.one_pass:
        _learn_sites(storage, plan, executor)
    if plan.duplicates != "keep" and not storage.has(DUPLICATES):
        _finish([shard.name for shard in shards], plan, executor)
    report = read_report(plan.out)
    storage.write("report.json", report.to_json())
    storage.write("report.html", as_html(report))
    return report


def _open(
    storage: Storage, plan: Plan, shards: Sequence[Shard], *, resume: bool
) -> dict[str, ShardOutcome]:
    """Begin a run or go on with one; return what is done, by the shard's name."""
    found = read_run(storage)
    if found is not None:
        if not resume:
            raise OptionError(
                f"{plan.out} holds a run: go on with --resume, or name another folder"
            )
        if found["schema"] != VERSION:
            raise OptionError(f"{plan.out} holds a run of another version, with other columns")
        if differs := plan.differs_in(found["plan"]):
            raise OptionError(f"{plan.out} holds a run that differs in {', '.join(differs)}")
    storage.sweep()
    about = {
        "plan": plan.to_dict(),
        "schema": VERSION,
        "chaffinch": __version__,
        "shards": len(shards),
        "date": found["date"] if found else f"{dt.datetime.now(tz=dt.UTC):%Y-%m-%d}",
    }
    storage.write_json(RUN, about)
    by_marker = {marker_name(shard): shard for shard in shards}
    there = [name for name in storage.names(DONE, ".json") if name in by_marker]
    return {
        by_marker[name].name: ShardOutcome(by_marker[name].name, marker)
        for name, marker in storage.read_jsons(there, **MARKER)
        if marker["version"] == by_marker[name].version
    }


def _dated(plan: Plan, storage: Storage) -> Plan:
    """Return the plan with the date of the crawl: if it has none, the day that the run began."""
    found = read_run(storage)
    date = plan.recipe.date or (found["date"] if found else "")
    return replace(plan, recipe=replace(plan.recipe, date=date))


def _results(
    work: Callable[..., ShardOutcome],
    todo: Sequence[Shard],
    plan: Plan,
    executor: Engine,
    listener: RunListener | None,
) -> Iterator[ShardOutcome]:
    """Yield the outcomes of shards as they are done, and report them to the listener."""
    if not todo:
        return
    process = partial(work, plan=plan)
    if executor.is_here:
        children = max(1, executor.workers // len(todo))
        progress = None if listener is None else listener.page
        process = partial(work, plan=plan, children=children, progress=progress)
    try:
        for outcome in executor.results(process, todo):
            if outcome.is_fatal:
                raise SetupError(outcome.problem)
            yield outcome
            if listener is not None:
                listener.shard(outcome)
    finally:
        IDLE_CHILDREN.end()


def _learns(storage: Storage, plan: Plan) -> bool:
    """Return whether a run still has to learn site models; decided once, when the run begins."""
    store = sites.SiteStore(plan.recipe.site_models)
    found = storage.read_json(LEARNS, learns=(bool,), is_done=(bool,))
    if found is None:
        found = {"learns": plan.update_sites or not store.buckets, "is_done": False}
        if found["learns"] and store.buckets not in {0, plan.buckets}:
            raise OptionError(
                f"the site models stand in {store.buckets} buckets, not {plan.buckets}"
            )
        storage.write_json(LEARNS, found)
    return bool(found["learns"] and not found["is_done"])


def _collect_statistics(
    shards: Sequence[Shard], plan: Plan, executor: Engine, listener: RunListener | None
) -> None:
    """Write the statistics of all sites: the first of two passes over the sources."""
    if listener is not None:
        listener.begin(shards, [])
    for _ in _results(sites.collect_statistics, shards, plan, executor, listener):
        pass


def _learn_sites(storage: Storage, plan: Plan, executor: Engine) -> None:
    """Learn the models of all sites of a run from the statistics of its shards."""
    work = partial(sites.process_bucket, plan=plan)
    for outcome in executor.results(work, range(plan.buckets)):
        if outcome.is_fatal:
            raise SetupError(outcome.problem)
    sites.SiteStore(plan.recipe.site_models).complete(plan.buckets)
    storage.write_json(LEARNS, {"learns": True, "is_done": True})
    for folder in (STATISTICS, sites.BEFORE):
        storage.remove_folder(folder)


def _record_drift(storage: Storage, plan: Plan) -> None:
    """Write the drift of the run's sites, before their models are learned anew."""
    store = sites.SiteStore(plan.recipe.site_models)
    storage.write_json(DRIFT, sites.drift_of(read_report(plan.out).tally.uses, store))


def _record_failure(storage: Storage, outcome: ShardOutcome) -> None:
    """Record whether a shard failed; others go on in any case."""
    name = f"{FAILED}/{outcome.name}.json"
    if outcome.problem:
        storage.write_json(name, {"problem": outcome.problem})
    else:
        storage.remove(name)


def _finish(names: Sequence[str], plan: Plan, executor: Engine) -> None:
    """Find the duplicates of a run, and write its pages with them marked or removed."""
    storage = Storage(plan.out)
    if failed := storage.names(FAILED):
        raise SetupError(
            f"{len(failed)} sources could not be read, so that duplicates can't be found yet; "
            "mend them, or leave them out, and go on with --resume"
        )
    try:
        clusters, others = find_clusters(storage)
    except OSError as error:
        raise SetupError(f"the duplicates can't be found: {cause(error)}") from error
    for outcome in executor.results(partial(finish_shard, plan=plan), names):
        if outcome.is_fatal:
            raise SetupError(outcome.problem)
    storage.write_json(DUPLICATES, {"clusters": clusters, "others": others})
    for folder in (STAGED, SIGNATURES, CLUSTERS):
        storage.remove_folder(folder)
