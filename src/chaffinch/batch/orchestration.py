"""A run: find shards, process them on an engine, and report; finished work isn't repeated."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from chaffinch.batch.duplicates import CLUSTERS, find_clusters, finish_shard
from chaffinch.batch.engines import engine_of
from chaffinch.batch.report import DRIFT, FAILED, RUN, RunReport, read_report, read_run
from chaffinch.batch.report_page import as_html
from chaffinch.batch.schema import VERSION
from chaffinch.batch.shard import ShardOutcome, marker_name, process_shard
from chaffinch.batch.sources.shards import find_shards
from chaffinch.batch.storage import DONE, MARKER, SIGNATURES, STAGED, STATISTICS, Storage
from chaffinch.errors import OptionError, SetupError, require_whole
from chaffinch.lazy import lazy_module
from chaffinch.version import __version__
from chaffinch.wording import cause
from chaffinch.workers.child_process import IDLE_CHILDREN
from chaffinch.workers.unix import require_unix

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from chaffinch.batch import drift, site_store, sites
    from chaffinch.batch.engines import Engine
    from chaffinch.batch.plan import Plan
    from chaffinch.batch.run_listener import RunListener
    from chaffinch.batch.sources.shards import Shard
else:  # what runs with site models need
    drift = lazy_module("chaffinch.batch.drift")
    site_store = lazy_module("chaffinch.batch.site_store")
    sites = lazy_module("chaffinch.batch.sites")

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
        sources: files, folders, patterns; see `chaffinch.batch.sources.shards.find_shards`. The
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
    store = site_store.SiteStore(plan.recipe.site_models)
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
    site_store.SiteStore(plan.recipe.site_models).complete(plan.buckets)
    storage.write_json(LEARNS, {"learns": True, "is_done": True})
    for folder in (STATISTICS, sites.BEFORE):
        storage.remove_folder(folder)


def _record_drift(storage: Storage, plan: Plan) -> None:
    """Write the drift of the run's sites, before their models are learned anew."""
    store = site_store.SiteStore(plan.recipe.site_models)
    storage.write_json(DRIFT, drift.drift_of(read_report(plan.out).tally.uses, store))


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
