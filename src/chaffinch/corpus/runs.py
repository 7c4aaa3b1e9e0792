"""A run: shards are found, processed on an engine, and reported; finished work isn't repeated.

`process_shard` may be run again at any time, on any machine: it writes files whose names follow
from the shard's, and its marker last. Engines map shards: threads of this process, Ray, or Spark.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import itertools
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from functools import cache, partial
from typing import Any, Final, NamedTuple

from chaffinch import errors
from chaffinch.corpus import report, store
from chaffinch.corpus.duplicates import CLUSTERS, find_clusters, finish_shard
from chaffinch.corpus.rows import LEFT_OUT
from chaffinch.corpus.sources import Plan, Record, Shard, Skipped, find_shards, read
from chaffinch.corpus.table import SIGNATURE_COLUMNS, VERSION, schema_of, writing_buckets
from chaffinch.lazy import load_module
from chaffinch.page.urls import host_name
from chaffinch.version import __version__
from chaffinch.wording import failing_as
from chaffinch.workers.guarded_pool import IDLE_CHILDREN, STOP, GuardedPool
from chaffinch.workers.protocol import Setup, require_unix

DUPLICATES: Final = "duplicates.json"
"""File with the number of clusters; it exists once the duplicates of all pages are found."""

_TRIES: Final = 3  # attempts at a source that can't be read
_WAIT: Final = 2.0  # seconds before the second attempt; twice as many before the third

AfterPage = Callable[[], None]


def run(  # noqa: PLR0913  options are keyword-only
    sources: Sequence[str],
    plan: Plan,
    *,
    engine: str = "local",
    workers: int = 0,
    address: str = "",
    resume: bool = False,
    progress: Callable[[str], None] | None = None,
) -> report.RunReport:
    """Extract all pages of some sources and write them to the plan's folder.

    Args:
        sources: files, folders, patterns; see `chaffinch.corpus.sources.find_shards`. The plan's
            folder may stand below one: its files are never sources.
        plan: what to do.
        engine: ``local``, ``ray`` or ``spark``.
        workers: number of shards processed at a time; 0 for as many as there are cores.
        address: of a cluster, for ray and spark.
        resume: go on with the run that the folder holds.
        progress: called with how far the run is, in words, from several threads.

    Returns:
        The report, which is also written to the folder as report.json and report.html.

    Raises:
        OptionError: an option is impossible, or the folder holds another run.
        SetupError: no shard can succeed.
    """
    require_unix("chaffinch run")
    errors.require_whole("workers", workers, 0)
    storage = store.Storage(plan.out)
    shards = find_shards(sources, out=plan.out)
    with storage.locked(), engine_of(engine, workers=workers, address=address) as executor:
        done = _open(storage, plan, shards, resume=resume)
        todo = [shard for shard in shards if shard.name not in done]
        if todo and storage.has(DUPLICATES):
            raise errors.OptionError(
                f"{plan.out}: its duplicates are found already; more sources need a run of their "
                "own"
            )
        try:
            _process(todo, plan, storage, executor, progress or (lambda _: None))
        except errors.SetupError:
            if not any(map(storage.names, (store.DONE, store.PAGES, store.STAGED))):
                storage.remove(report.RUN)  # what was wrong at once leaves the folder free
            raise
        if plan.duplicates != "keep" and not storage.has(DUPLICATES):
            _finish([shard.name for shard in shards], plan, storage, executor)
        made = report.read_report(plan.out)
        storage.write("report.json", made.to_json())
        storage.write("report.html", made.to_html())
        return made


def _open(storage: store.Storage, plan: Plan, shards: Sequence[Shard], *, resume: bool) -> set[str]:
    """Prepare the folder of a run, and return the names of the shards that are done."""
    found = report.read_run(storage)
    if found is not None:
        if not resume:
            raise errors.OptionError(
                f"{plan.out} holds a run: go on with --resume, or name another folder"
            )
        if found["schema"] != VERSION:
            raise errors.OptionError(
                f"{plan.out} holds a run of another version, with other columns"
            )
        if differs := plan.differs_in(found["plan"]):
            raise errors.OptionError(
                f"{plan.out} holds a run that differs in {', '.join(differs)}: go on with its own "
                "options, or name another folder"
            )
    storage.sweep()
    markers = storage.names(store.DONE, ".json")
    by_marker = {_marker_name(shard): shard for shard in shards}
    about = {
        "plan": plan.to_dict(),
        "schema": VERSION,
        "chaffinch": __version__,
        "shards": len({*markers, *by_marker}),
        "date": found["date"] if found else f"{dt.datetime.now(tz=dt.UTC):%Y-%m-%d}",
    }
    storage.write_json(report.RUN, about)
    return {
        by_marker[name].name
        for name, marker in storage.read_jsons([*by_marker.keys() & markers], **store.MARKER)
        if marker["version"] == by_marker[name].version
    }


def _process(
    todo: Sequence[Shard],
    plan: Plan,
    storage: store.Storage,
    executor: Engine,
    progress: Callable[[str], None],
) -> None:
    if not todo:
        return
    work = partial(process_shard, plan=plan)
    shards, pages = 0, itertools.count(1)
    if executor.workers:
        children = max(1, executor.workers // len(todo))

        def after_page() -> None:
            progress(f"{shards:,} of {len(todo):,} shards, {next(pages):,} pages")

        work = partial(work, children=children, after_page=after_page)
    try:
        for shards, outcome in enumerate(executor.results(work, todo), 1):
            if outcome.is_fatal:
                raise errors.SetupError(outcome.problem)
            failure = f"{report.FAILED}/{outcome.name}.json"
            if outcome.problem:
                storage.write_json(failure, {"problem": outcome.problem})
            else:
                storage.remove(failure)
            if not executor.workers:
                progress(f"{shards:,} of {len(todo):,} shards")
    finally:
        IDLE_CHILDREN.end()


def _finish(names: Sequence[str], plan: Plan, storage: store.Storage, executor: Engine) -> None:
    if failed := storage.names(report.FAILED):
        raise errors.SetupError(
            f"{len(failed)} sources could not be read, so that duplicates can't be found yet; "
            "mend them, or leave them out, and go on with --resume"
        )
    with failing_as(errors.SetupError, "the duplicates can't be found"):
        clusters, others = find_clusters(storage)
    for outcome in executor.results(partial(finish_shard, plan=plan), names):
        if outcome.is_fatal:
            raise errors.SetupError(outcome.problem)
    storage.write_json(DUPLICATES, {"clusters": clusters, "others": others})
    for folder in (store.STAGED, store.SIGNATURES, CLUSTERS):
        storage.remove_folder(folder)


def process_shard(
    shard: Shard, plan: Plan, *, children: int = 1, after_page: AfterPage | None = None
) -> store.ShardOutcome:
    """Extract the pages of a shard and write them, unless that is done.

    A source that can't be read is read again, up to three times; then the shard has failed. Errors
    are in the outcome, so that every engine passes them on. ``after_page`` is called after each
    page.
    """
    problem = ""
    for number in range(_TRIES):
        time.sleep(_WAIT * number)
        try:
            storage = store.Storage(plan.out)
            done = storage.read_json(_marker_name(shard), **store.MARKER)
            if done is None or done["version"] != shard.version:
                start = time.time()
                tally = _write_rows(shard, plan, storage, children, after_page)
                done = {
                    "source": shard.source,
                    "version": shard.version,
                    "schema": VERSION,
                    "start": start,
                    "end": time.time(),
                    "tally": tally.to_dict(),
                }
                storage.write_json(_marker_name(shard), done)
            return store.ShardOutcome(shard.name)
        except errors.SetupError as error:
            return store.ShardOutcome(shard.name, str(error), is_fatal=True)
        except OSError as error:
            problem = f"{shard.source}: {error}"
    return store.ShardOutcome(shard.name, problem)


def _marker_name(shard: Shard) -> str:
    return f"{store.DONE}/{shard.name}.json"


def _write_rows(
    shard: Shard, plan: Plan, storage: store.Storage, children: int, after_page: AfterPage | None
) -> report.Tally:
    tally = report.Tally()
    folder = store.PAGES if plan.duplicates == "keep" else store.STAGED
    used: set[int] = set()
    with (
        writing_buckets(storage, schema_of(plan), plan.form) as pages,
        writing_buckets(storage, SIGNATURE_COLUMNS, "parquet") as signatures,
    ):
        for row in _rows(shard, plan, tally, children, after_page):
            used.add(bucket := store.bucket_of(row["host"], plan.buckets))
            pages.add(store.page_file(folder, bucket, shard.name, plan.form), row)
            if folder == store.STAGED and "text_hash" in row:
                signed = {**row, "source": row["file"]}
                signatures.add(f"{store.SIGNATURES}/{shard.name}.parquet", signed)
    for bucket in set(range(plan.buckets)) - used:  # left by an earlier attempt
        storage.remove(store.page_file(folder, bucket, shard.name, plan.form))
    return tally


def _rows(
    shard: Shard, plan: Plan, tally: report.Tally, children: int, after_page: AfterPage | None
) -> Iterator[dict[str, Any]]:
    setup = Setup(extractor=plan.extractor, recipe=plan.recipe, limits=plan.limits)
    with GuardedPool(setup, children=children) as guarded:
        for record, reply in guarded.replies(_pages(read(shard, plan), tally)):
            tally.bytes += len(record.html)
            tally.seconds += reply.seconds
            tally.peak = max(tally.peak, reply.peak)
            if after_page is not None:
                after_page()
            if reason := reply.row.get(LEFT_OUT):
                tally.left_out[reason] += 1
                continue
            row = {
                "url": record.url,
                "host": reply.row.get("host") or host_name(record.url),
                "fetched": record.fetched,
                "status": record.status,
                "template": "",
                "error": reply.error,
                "error_detail": reply.detail,
                "truncated": record.truncated,
                "file": record.file,
                "member": record.member,
                "offset": record.offset,
                **reply.row,
            }
            tally.count(row)
            yield row


def _pages(found: Iterable[Record | Skipped], tally: report.Tally) -> Iterator[Record]:
    for one in found:
        if isinstance(one, Skipped):
            tally.skipped[one.why] += 1
        else:
            yield one


Results = Callable[[Callable[[Any], Any], Sequence[Any]], Iterator[Any]]

_LOST_WORKERS: Final = 20  # deaths of its worker or node that a task survives
_NEEDS_JAVA: Final = " It needs a Java runtime: java on the PATH, or JAVA_HOME."
_CORES: Final = getattr(os, "sched_getaffinity", None)


class Engine(NamedTuple):
    """Runs a function on many items, in any order and on any machine."""

    results: Results  # yields ``work(item)`` for each item as it is done
    # number of calls at a time; 0 where they run elsewhere, and can't report progress
    workers: int = 0


@contextlib.contextmanager
def engine_of(name: str, *, workers: int = 0, address: str = "") -> Iterator[Engine]:
    """Yield an engine of `ENGINES`; what it starts, when it is first needed, ends with the block.

    The address is that of a cluster of Ray, or a master of Spark; "" for this machine alone. 0
    workers are as many as there are cores.
    """
    errors.require_one_of("engine", name, ENGINES)
    with contextlib.ExitStack() as stack:
        yield ENGINES[name](stack, workers, address)


def _local(_: contextlib.ExitStack, workers: int, __: str) -> Engine:
    """Return threads, each of which controls guarded child processes that do the work."""
    workers = workers or (len(_CORES(0)) if _CORES else os.cpu_count() or 1)

    def results(work: Callable[[Any], Any], items: Sequence[Any]) -> Iterator[Any]:
        with ThreadPoolExecutor(workers) as pool:
            try:
                for future in as_completed([pool.submit(work, item) for item in items]):
                    yield future.result()
            except BaseException:  # Ctrl-C included: the threads would go on for minutes
                STOP.set()
                pool.shutdown(cancel_futures=True)
                raise
            finally:
                STOP.clear()

    return Engine(results, workers)


def _ray(stack: contextlib.ExitStack, workers: int, address: str) -> Engine:
    """Return tasks of Ray Core, spread over the nodes; those of a node that dies are run again.

    Without an address a new local instance is started, even if others run on this machine.
    """

    @cache
    def start() -> Any:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # unless the user sets it
        if not address or address.startswith(("127.", "localhost:")):
            # Else Ray replaces 127.0.0.1 by this machine's address, and listens there.
            os.environ.setdefault("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")
        own = {
            "address": "local", "num_cpus": workers or None, "include_dashboard": False,
            "_node_ip_address": "127.0.0.1",
            "runtime_env": {"env_vars": {"PYTHONPATH": _search_path()}},
        }  # fmt: skip
        with errors.from_extra("ray"):
            ray: Any = load_module("ray")
        with _explained("Ray", address, (OSError, RuntimeError, ValueError)):
            ray.init(log_to_driver=False, **({"address": address} if address else own))
        stack.callback(ray.shutdown)
        return ray

    def results(work: Callable[[Any], Any], items: Sequence[Any]) -> Iterator[Any]:
        ray = start()

        def task(item: Any) -> Any:  # Ray accepts functions only, no partials
            return work(item)

        remote = ray.remote(scheduling_strategy="SPREAD", max_retries=_LOST_WORKERS)(task)
        waiting = [remote.remote(item) for item in items]
        while waiting:
            done, waiting = ray.wait(waiting)
            yield from ray.get(done)

    return Engine(results)


def _spark(stack: contextlib.ExitStack, workers: int, address: str) -> Engine:
    @cache
    def start() -> Any:
        with errors.from_extra("spark"):
            pyspark: Any = load_module("pyspark")
            py4j: Any = load_module("py4j.protocol")
        settings = pyspark.SparkConf().setAppName("chaffinch")
        settings.set("spark.task.maxFailures", str(_LOST_WORKERS))
        if not address:
            settings.setExecutorEnv("PYTHONPATH", _search_path())
            settings.setAll([
                ("spark.driver.host", "127.0.0.1"), ("spark.driver.bindAddress", "127.0.0.1"),
                ("spark.ui.enabled", "false"), ("spark.ui.showConsoleProgress", "false"),
            ])  # fmt: skip
        master = address or f"local[{workers or '*'},{_LOST_WORKERS}]"
        with _explained("Spark", address, (OSError, RuntimeError, py4j.Py4JError), _NEEDS_JAVA):
            context = pyspark.SparkContext(master, conf=settings)
        stack.callback(context.stop)
        if not (address or os.environ.get("PYSPARK_PYTHON")):
            context.pythonExec = sys.executable  # else python3 of the PATH
        return context

    def results(work: Callable[[Any], Any], items: Sequence[Any]) -> Iterator[Any]:
        yield from start().parallelize(items, len(items)).map(work).collect()

    return Engine(results)


def _search_path() -> str:
    return os.pathsep.join(one for one in sys.path if one)


@contextlib.contextmanager
def _explained(
    name: str, address: str, kinds: tuple[type[Exception], ...], hint: str = ""
) -> Iterator[None]:
    try:
        yield
    except kinds as error:
        first, *_ = str(error).strip().splitlines() or [type(error).__name__]
        how = f"reached at {address}" if address else "started"
        raise errors.SetupError(f"{name} can't be {how}: {first}{hint}") from error


ENGINES: Final = {"local": _local, "ray": _ray, "spark": _spark}
