"""A run: shards found, placed, finished, reported; what is done is never done again."""

from __future__ import annotations

from functools import partial
from importlib import metadata
from typing import TYPE_CHECKING, Final, Protocol

from chaffinch.batch import schema
from chaffinch.batch.duplicates import CLUSTERS, find_clusters, finish_shard
from chaffinch.batch.engines import engine_of
from chaffinch.batch.processes import IDLE
from chaffinch.batch.report import FAILED, RUN, RunReport, read_report
from chaffinch.batch.report_page import as_html
from chaffinch.batch.shard import SIGNATURES, STAGED, Outcome, marker_name, process_shard
from chaffinch.batch.sources import find_shards
from chaffinch.batch.storage import Storage
from chaffinch.errors import OptionError, SetupError, require_whole

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from chaffinch.batch.engines import Engine
    from chaffinch.batch.messages import Answer
    from chaffinch.batch.plan import Plan
    from chaffinch.batch.records import Record
    from chaffinch.batch.sources import Shard

DUPLICATES: Final = "duplicates.json"
"""File with the number of clusters; it says that all pages were looked at."""


class Eyes(Protocol):
    """Is told how a run goes; by several threads."""

    def begin(self, todo: Sequence[Shard], done: Sequence[Outcome]) -> None:
        """Be told what is to do, and what earlier runs did."""

    def page(self, record: Record, answer: Answer) -> None:
        """Be told of a page; by engines in this process alone."""

    def shard(self, outcome: Outcome) -> None:
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
    if eyes is not None:
        eyes.begin(todo, list(done.values()))
    _all_shards(todo, plan, placed, eyes)
    if plan.duplicates != "keep" and not storage.has(DUPLICATES):
        _finish([shard.name for shard in shards], plan, placed)
    report = read_report(plan.out)
    storage.write("report.json", report.to_json())
    storage.write("report.html", as_html(report))
    return report


def _open(
    storage: Storage, plan: Plan, shards: Sequence[Shard], *, resume: bool
) -> dict[str, Outcome]:
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
        "chaffinch": metadata.version("chaffinch"),
        "shards": len(shards),
    }
    storage.write_json(RUN, about)
    done = {}
    for shard in shards if found is not None else ():
        marker = storage.read_json(marker_name(shard))
        if marker is not None and marker["version"] == shard.version:
            done[shard.name] = Outcome(shard.name, marker)
    return done


def _all_shards(todo: Sequence[Shard], plan: Plan, placed: Engine, eyes: Eyes | None) -> None:
    """Do all shards; a failed one is noted and doesn't stop the others.

    Raises:
        SetupError: no shard can succeed.
    """
    if not todo:
        return
    work: Callable[[Shard], Outcome] = partial(process_shard, plan=plan)
    if placed.is_here:
        children = max(1, placed.workers // len(todo))
        told = None if eyes is None else eyes.page
        work = partial(process_shard, plan=plan, children=children, progress=told)
    storage = Storage(plan.out)
    try:
        for outcome in placed.results(work, todo):
            _note(storage, outcome)
            if eyes is not None:
                eyes.shard(outcome)
    finally:
        IDLE.end()


def _note(storage: Storage, outcome: Outcome) -> None:
    if outcome.is_fatal:
        raise SetupError(outcome.problem)
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
