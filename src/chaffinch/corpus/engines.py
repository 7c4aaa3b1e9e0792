"""Engines that map shards: threads of this process, Ray, or Spark. All run the same functions."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from itertools import islice
from typing import Any, Final, NamedTuple

from chaffinch.errors import MissingExtraError, SetupError, require_one_of
from chaffinch.lazy import load_module
from chaffinch.workers.guarded_pool import STOP

Results = Callable[[Callable[[Any], Any], Sequence[Any]], Iterator[Any]]

_LOST_WORKERS: Final = 20  # deaths of its worker or node that a task survives
_NEEDS_JAVA: Final = " It needs a Java runtime: java on the PATH, or JAVA_HOME."
_CORES: Final = getattr(os, "sched_getaffinity", None)


class Engine(NamedTuple):
    """Runs a function on many items, in any order and on any machine.

    Attributes:
        results: yields ``work(item)`` for each item as it is done.
        workers: number of calls at a time; 0 where they run elsewhere, and can't report progress.
    """

    results: Results
    workers: int = 0


@contextlib.contextmanager
def engine_of(name: str, *, workers: int = 0, address: str = "") -> Iterator[Engine]:
    """Yield an engine of `ENGINES`; what it starts, when it is first needed, ends with the block.

    The address is that of a cluster of Ray, or a master of Spark; "" for this machine alone. 0
    workers are as many as there are cores.
    """
    require_one_of("engine", name, ENGINES)
    with contextlib.ExitStack() as stack:
        yield ENGINES[name](stack, workers, address)


def _local(_: contextlib.ExitStack, workers: int, __: str) -> Engine:
    """Return threads, each of which controls guarded child processes that do the work."""
    workers = workers or (len(_CORES(0)) if _CORES else os.cpu_count() or 1)

    def results(work: Callable[[Any], Any], items: Sequence[Any]) -> Iterator[Any]:
        left = iter(items)
        running: set[Future[Any]] = set()
        try:
            with ThreadPoolExecutor(workers) as pool:
                try:
                    running = {pool.submit(work, item) for item in islice(left, workers)}
                    while running:
                        done, running = wait(running, return_when=FIRST_COMPLETED)
                        running |= {pool.submit(work, item) for item in islice(left, len(done))}
                        for future in done:
                            yield future.result()
                except BaseException:  # Ctrl-C included: the threads would go on for minutes
                    STOP.set()
                    raise
        finally:
            STOP.clear()

    return Engine(results, workers)


def _ray(stack: contextlib.ExitStack, workers: int, address: str) -> Engine:
    """Return tasks of Ray Core, spread over the nodes; those of a node that dies are run again.

    Without an address a new local instance is started, even if others run on this machine.
    """
    started: list[Any] = []

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
        ray = _library("ray")
        with _explained("Ray", address, (OSError, RuntimeError, ValueError)):
            ray.init(log_to_driver=False, **({"address": address} if address else own))
        stack.callback(ray.shutdown)
        return ray

    def results(work: Callable[[Any], Any], items: Sequence[Any]) -> Iterator[Any]:
        if not started:
            started.append(start())
        (ray,) = started

        def task(item: Any) -> Any:  # Ray accepts functions only, no partials
            return work(item)

        remote = ray.remote(scheduling_strategy="SPREAD", max_retries=_LOST_WORKERS)(task)
        waiting = [remote.remote(item) for item in items]
        while waiting:
            done, waiting = ray.wait(waiting)
            yield from ray.get(done)

    return Engine(results)


def _spark(stack: contextlib.ExitStack, workers: int, address: str) -> Engine:
    started: list[Any] = []

    def start() -> Any:
        pyspark, py4j = _library("pyspark", "spark"), _library("py4j.protocol", "spark")
        settings = pyspark.SparkConf().setAppName("chaffinch")
        settings.set("spark.task.maxFailures", str(_LOST_WORKERS))
        if not address:
            settings.setExecutorEnv("PYTHONPATH", _search_path())
            settings.set("spark.driver.host", "127.0.0.1")
            settings.set("spark.driver.bindAddress", "127.0.0.1")
            settings.set("spark.ui.enabled", "false")
            settings.set("spark.ui.showConsoleProgress", "false")
        master = address or f"local[{workers or '*'},{_LOST_WORKERS}]"
        with _explained("Spark", address, (OSError, RuntimeError, py4j.Py4JError), _NEEDS_JAVA):
            context = pyspark.SparkContext(master, conf=settings)
        stack.callback(context.stop)
        if not (address or os.environ.get("PYSPARK_PYTHON")):
            context.pythonExec = sys.executable  # else python3 of the PATH
        return context

    def results(work: Callable[[Any], Any], items: Sequence[Any]) -> Iterator[Any]:
        if not started:
            started.append(start())
        yield from started[0].parallelize(items, len(items)).map(work).collect()

    return Engine(results)


def _search_path() -> str:
    return os.pathsep.join(one for one in sys.path if one)


@contextlib.contextmanager
def _explained(
    name: str, address: str, errors: tuple[type[Exception], ...], hint: str = ""
) -> Iterator[None]:
    try:
        yield
    except errors as error:
        first, *_ = str(error).strip().splitlines() or [type(error).__name__]
        how = f"reached at {address}" if address else "started"
        raise SetupError(f"{name} can't be {how}: {first}{hint}") from error


def _library(name: str, extra: str = "") -> Any:
    try:
        return load_module(name)
    except ImportError:
        raise MissingExtraError.of(name, extra or name) from None


ENGINES: Final = {"local": _local, "ray": _ray, "spark": _spark}
