"""Engines that run the work: threads of this process, Ray, or Spark. All run the same functions."""

from __future__ import annotations

import os
import sys
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

from chaffinch.errors import MissingExtraError, require_one_of
from chaffinch.lazy import load_module
from chaffinch.workers.child_process import STOP

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

Argument = TypeVar("Argument")
Made = TypeVar("Made")

_LOST_WORKERS: Final = 20  # deaths of its worker or node that a task survives
_LOOPBACK: Final = ("127.", "localhost:")


class Engine(Protocol):
    """Runs a function on many items, in any order and on any machine.

    Attributes:
        is_here: whether the function runs in this process, so that it can report progress.
        workers: number of calls at a time; 0 for as many as there are cores.
    """

    is_here: bool
    workers: int

    def results(
        self, work: Callable[[Argument], Made], items: Sequence[Argument]
    ) -> Iterator[Made]:
        """Yield ``work(item)`` for each item as it is done."""
        ...


@dataclass
class Local:
    """Threads, each of which controls guarded child processes that do the work."""

    workers: int = 0
    address: str = ""
    is_here = True

    def __post_init__(self) -> None:
        self.workers = self.workers or _cores()

    def results(
        self, work: Callable[[Argument], Made], items: Sequence[Argument]
    ) -> Iterator[Made]:
        """Yield ``work(item)`` for each item as it is done."""
        left = iter(items)
        running: set[Future[Made]] = set()
        try:
            with ThreadPoolExecutor(self.workers) as pool:
                try:
                    for item in islice(left, self.workers):
                        running.add(pool.submit(work, item))
                    while running:
                        done, running = wait(running, return_when=FIRST_COMPLETED)
                        for item in islice(left, len(done)):
                            running.add(pool.submit(work, item))
                        for future in done:
                            yield future.result()
                except BaseException:  # Ctrl-C included: the threads would go on for minutes
                    STOP.set()
                    raise
        finally:
            STOP.clear()


@dataclass
class Ray:
    """Tasks of Ray Core, spread over the nodes; tasks of a node that dies are run again.

    ``address`` is that of a cluster; without it a new local Ray instance is started, even if others
    run on this machine.
    """

    workers: int = 0
    address: str = ""
    is_here = False

    def results(
        self, work: Callable[[Argument], Made], items: Sequence[Argument]
    ) -> Iterator[Made]:
        """Yield ``work(item)`` for each item as it is done."""
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # unless the user sets it
        if not self.address or self.address.startswith(_LOOPBACK):
            # Else Ray replaces 127.0.0.1 by this machine's network address, and listens there.
            os.environ.setdefault("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")
        ray = _library("ray")
        ray.init(log_to_driver=False, **self._cluster())
        try:
            options = {"scheduling_strategy": "SPREAD", "max_retries": _LOST_WORKERS}

            def task(item: Argument) -> Made:  # Ray accepts functions only, no partials
                return work(item)

            remote = ray.remote(**options)(task)
            waiting = [remote.remote(item) for item in items]
            while waiting:
                done, waiting = ray.wait(waiting)
                yield from ray.get(done)
        finally:
            ray.shutdown()

    def _cluster(self) -> dict[str, Any]:
        if self.address:
            return {"address": self.address}
        return {
            "address": "local",
            "num_cpus": self.workers or None,
            "include_dashboard": False,
            "_node_ip_address": "127.0.0.1",
            "runtime_env": {"env_vars": {"PYTHONPATH": _path()}},
        }


@dataclass
class Spark:
    """An RDD with a partition for each item; ``address`` is the master, else this machine."""

    workers: int = 0
    address: str = ""
    is_here = False

    def results(
        self, work: Callable[[Argument], Made], items: Sequence[Argument]
    ) -> Iterator[Made]:
        """Yield ``work(item)`` for each item, once all are done."""
        pyspark = _library("pyspark", "spark")
        settings = pyspark.SparkConf().setAppName("chaffinch")
        settings.set("spark.task.maxFailures", str(_LOST_WORKERS))
        if not self.address:
            settings.setExecutorEnv("PYTHONPATH", _path())
            settings.setAll(
                [
                    ("spark.driver.host", "127.0.0.1"),
                    ("spark.driver.bindAddress", "127.0.0.1"),
                    ("spark.ui.enabled", "false"),
                    ("spark.ui.showConsoleProgress", "false"),
                ]
            )
        master = self.address or f"local[{self.workers or '*'},{_LOST_WORKERS}]"
        with pyspark.SparkContext(master, conf=settings) as context:
            if not (self.address or os.environ.get("PYSPARK_PYTHON")):
                context.pythonExec = sys.executable  # else python3 of the PATH
            yield from context.parallelize(items, len(items)).map(work).collect()


def _cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _path() -> str:
    """Return the module search path of this process, for others on the same machine."""
    return os.pathsep.join(one for one in sys.path if one)


def _library(name: str, extra: str = "") -> Any:
    """Return an engine's library."""
    try:
        return load_module(name)
    except ImportError:
        raise MissingExtraError.of(name, extra or name) from None


ENGINES: Final[Mapping[str, Callable[[int, str], Engine]]] = {
    "local": Local,
    "ray": Ray,
    "spark": Spark,
}
"""Name → engine, made of the number of workers and an address."""


def engine_of(name: str, *, workers: int = 0, address: str = "") -> Engine:
    """Return the engine of that name.

    Raises:
        OptionError: there is none.
    """
    require_one_of("engine", name, ENGINES)
    return ENGINES[name](workers, address)
