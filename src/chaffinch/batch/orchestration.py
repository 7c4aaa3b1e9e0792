"""A run: shards found, placed, finished, reported; what is done is never done again."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final, Protocol

from chaffinch.batch import schema
from chaffinch.batch.duplicates import CLUSTERS, find_clusters, finish_shard
from chaffinch.batch.engines import engine_of
from chaffinch.batch.report import DRIFT, FAILED, RUN, RunReport, read_report
from chaffinch.batch.report_page import as_html
from chaffinch.batch.shard import ShardOutcome, marker_name, process_shard
from chaffinch.batch.sources import find_shards
from chaffinch.batch.storage import DONE, SIGNATURES, STAGED, STATISTICS, Storage
from chaffinch.errors import OptionError, SetupError, require_whole
from chaffinch.version import __version__
from chaffinch.workers.processes import IDLE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from chaffinch.batch.engines import Engine
    from chaffinch.batch.plan import Plan
    from chaffinch.batch.record import Record
    from chaffinch.batch.sources import Shard
    from chaffinch.workers.messages import Answer

DUPLICATES: Final = "duplicates.json"
"""File with the number of clusters; it says that all pages were looked at."""

LEARNS: Final = "sites.json"
"""File that says whether the run learns site models, and whether that is done."""


class Eyes(Protocol):
    """Is told how a run goes; by several threads."""

    def begin(self, todo: Sequence[Shard], done: Sequence[ShardOutcome]) -> None:
        """Be told what is to do, and what earlier runs did."""

    def page(self, record: Record, answer: Answer) -> None:
        """Be told of a page; by engines in this process alone."""

    def shard(self, outcome: ShardOutcome) -> None:
        """Be told of a shard."""


def run(  # noqa: PLR0913  options are keyword-only
    sources: Sequence[str],
    plan: Plan,
    *,
    engine: str = "local",
    workers: int = 0,
    address: str = "",
    resume: bool = False,
    eyes: Eyes | None = None,
) -> RunReport:
    """Extract all pages of some sources and write them to the plan's folder.

    Args:
        sources: files, folders, patterns; see `chaffinch.batch.sources.find_shards`.
        plan: what to do.
        engine: ``local``, ``ray`` or ``spark``.
        workers: how many shards are worked on at a time; 0 for as many as there are cores.
        address: of a cluster, for ray and spark.
        resume: go on with the run that the folder holds.
        eyes: told how it goes.

    Returns:
        The report, which is also written to the folder as report.json and report.html.

    Raises:
        OptionError: an option is impossible, or the folder holds another run.
        SetupError: no shard can succeed.
    """
    require_whole("workers", workers, 0)
    placed = engine_of(engine, workers=workers, address=address)
    storage = Storage(plan.out)
    shards = find_shards(sources)
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
        _look(shards, plan, placed, eyes)
        _learn_sites(storage, plan, placed)
    if eyes is not None:
        eyes.begin(todo, list(done.values()))
    for outcome in _results(process_shard, todo, plan, placed, eyes):
        _note(storage, outcome)
    if plan.recipe.site_models and (todo or not storage.has(DRIFT)):
        _note_drift(storage, plan)
    if learns and plan.one_pass:
        _learn_sites(storage, plan, placed)
    if plan.duplicates != "keep" and not storage.has(DUPLICATES):
        _finish([shard.name for shard in shards], plan, placed)
    report = read_report(plan.out)
    storage.write("report.json", report.to_json())
    storage.write("report.html", as_html(report))
    return report


def _open(
    storage: Storage, plan: Plan, shards: Sequence[Shard], *, resume: bool
) -> dict[str, ShardOutcome]:
    """Begin a run or go on with one; return what is done, by the shard's name.

    Raises:
        OptionError: the folder holds a run and isn't to go on, or another plan.
    """
    found = storage.read_json(RUN)
    if found is not None:
        if not resume:
            raise OptionError(
                f"{plan.out} holds a run: go on with --resume, or name another folder"
            )
        if differs := plan.differs_in(found["plan"]):
            raise OptionError(f"{plan.out} holds a run that differs in {', '.join(differs)}")
        if found["schema"] != schema.VERSION:
            raise OptionError(f"{plan.out} holds a run of schema {found['schema']}")
    storage.sweep()
    about = {
        "plan": plan.to_dict(),
        "schema": schema.VERSION,
        "chaffinch": __version__,
        "shards": len(shards),
        "date": found["date"] if found else f"{dt.datetime.now(tz=dt.UTC):%Y-%m-%d}",
    }
    storage.write_json(RUN, about)
    by_marker = {marker_name(shard): shard for shard in shards}
    there = [name for name in storage.names(DONE, ".json") if name in by_marker]
    return {
        by_marker[name].name: ShardOutcome(by_marker[name].name, marker)
        for name, marker in storage.read_jsons(there)
        if marker["version"] == by_marker[name].version
    }


def _dated(plan: Plan, storage: Storage) -> Plan:
    """Return the plan with the date of the crawl: the day that the run began, if none is said."""
    date = plan.recipe.date or storage.read_json(RUN)["date"]
    return replace(plan, recipe=replace(plan.recipe, date=date))


def _results(
    work: Callable[..., ShardOutcome],
    todo: Sequence[Shard],
    plan: Plan,
    placed: Engine,
    eyes: Eyes | None,
) -> Iterator[ShardOutcome]:
    """Yield what becomes of shards, as they are done; the eyes are told.

    Raises:
        SetupError: no shard can succeed.
    """
    if not todo:
        return
    placed_work = partial(work, plan=plan)
    if placed.is_here:
        children = max(1, placed.workers // len(todo))
        told = None if eyes is None else eyes.page
        placed_work = partial(work, plan=plan, children=children, progress=told)
    try:
        for outcome in placed.results(placed_work, todo):
            if outcome.is_fatal:
                raise SetupError(outcome.problem)
            yield outcome
            if eyes is not None:
                eyes.shard(outcome)
    finally:
        IDLE.end()


def _learns(storage: Storage, plan: Plan) -> bool:
    """Tell whether a run has to learn site models still; it is decided once, when the run begins.

    Raises:
        OptionError: models that are there are parted into other buckets.
    """
    from chaffinch.batch.site_store import SiteStore  # noqa: PLC0415 - loads what few runs need

    store = SiteStore(plan.recipe.site_models)
    found = storage.read_json(LEARNS)
    if found is None:
        found = {"learns": plan.update_sites or not store.buckets, "is_done": False}
        if found["learns"] and store.buckets not in {0, plan.buckets}:
            raise OptionError(
                f"the site models stand in {store.buckets} buckets, not {plan.buckets}"
            )
        storage.write_json(LEARNS, found)
    return bool(found["learns"] and not found["is_done"])


def _look(shards: Sequence[Shard], plan: Plan, placed: Engine, eyes: Eyes | None) -> None:
    """Make the statistics of all sites: the first of two readings.

    Raises:
        SetupError: no shard can succeed.
    """
    from chaffinch.batch.sites import look_at_shard  # noqa: PLC0415 - loads what few runs need

    if eyes is not None:
        eyes.begin(shards, [])
    for _ in _results(look_at_shard, shards, plan, placed, eyes):
        pass


def _learn_sites(storage: Storage, plan: Plan, placed: Engine) -> None:
    """Learn the models of all sites of a run from the statistics of its shards.

    Raises:
        SetupError: a model can't be read or written.
    """
    from chaffinch.batch import sites  # noqa: PLC0415 - loads what few runs need
    from chaffinch.batch.site_store import SiteStore  # noqa: PLC0415 - the same

    for outcome in placed.results(partial(sites.process_bucket, plan=plan), range(plan.buckets)):
        if outcome.is_fatal:
            raise SetupError(outcome.problem)
    SiteStore(plan.recipe.site_models).complete(plan.buckets)
    storage.write_json(LEARNS, {"learns": True, "is_done": True})
    for folder in (STATISTICS, sites.BEFORE):
        storage.remove_folder(folder)


def _note_drift(storage: Storage, plan: Plan) -> None:
    """Note how the pages fit the models that they were extracted by, while these are there."""
    from chaffinch.batch.drift import drift_of  # noqa: PLC0415 - loads what few runs need
    from chaffinch.batch.site_store import SiteStore  # noqa: PLC0415 - the same

    store = SiteStore(plan.recipe.site_models)
    storage.write_json(DRIFT, drift_of(read_report(plan.out).tally.uses, store))


def _note(storage: Storage, outcome: ShardOutcome) -> None:
    """Note a shard that failed; it doesn't stop the others."""
    name = f"{FAILED}/{outcome.name}.json"
    if outcome.problem:
        storage.write_json(name, {"problem": outcome.problem})
    else:
        storage.remove(name)


def _finish(names: Sequence[str], plan: Plan, placed: Engine) -> None:
    """Find the duplicates of a run, and write its pages with them noted or removed.

    Raises:
        SetupError: a file can't be written.
    """
    storage = Storage(plan.out)
    if failed := storage.names(FAILED):
        raise SetupError(
            f"{len(failed)} sources could not be read, so that duplicates can't be told yet; "
            "mend them, or leave them out, and go on with --resume"
        )
    clusters, others = find_clusters(storage)
    for outcome in placed.results(partial(finish_shard, plan=plan), names):
        if outcome.is_fatal:
            raise SetupError(outcome.problem)
    storage.write_json(DUPLICATES, {"clusters": clusters, "others": others})
    for folder in (STAGED, SIGNATURES, CLUSTERS):
        storage.remove_folder(folder)
