"""Engines that run the work: threads of this process, Ray, or Spark. All run the same functions."""

from __future__ import annotations

import os
import sys
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, Protocol, Self, TypeVar

from chaffinch.errors import MissingExtraError, SetupError, require_one_of
from chaffinch.lazy import load_module
from chaffinch.workers.guarded_pool import STOP

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence


Argument = TypeVar("Argument")
Made = TypeVar("Made")

_LOST_WORKERS: Final = 20  # deaths of its worker or node that a task survives
_TASKS: Final = {"scheduling_strategy": "SPREAD", "max_retries": _LOST_WORKERS}
_NEEDS_JAVA: Final = " It needs a Java runtime: java on the PATH, or JAVA_HOME."
_LOOPBACK: Final = ("127.", "localhost:")


class Engine(Protocol):
    """Runs a function on many items, in any order and on any machine.

    It is a context: what it starts, when it is first needed, ends with it.

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

    def __enter__(self) -> Self: ...

    def __exit__(self, *error: object) -> None: ...


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

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        """There is nothing to end."""


@dataclass
class Ray:
    """Tasks of Ray Core, spread over the nodes; tasks of a node that dies are run again.

    ``address`` is that of a cluster; without it a new local Ray instance is started, even if others
    run on this machine.
    """

    workers: int = 0
    address: str = ""
    is_here = False
    _ray: Any = field(default=None, init=False, repr=False)

    def results(
        self, work: Callable[[Argument], Made], items: Sequence[Argument]
    ) -> Iterator[Made]:
        """Yield ``work(item)`` for each item as it is done."""
        ray = self._started()

        def task(item: Argument) -> Made:  # Ray accepts functions only, no partials
            return work(item)

        remote = ray.remote(**_TASKS)(task)
        waiting = [remote.remote(item) for item in items]
        while waiting:
            done, waiting = ray.wait(waiting)
            yield from ray.get(done)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        """Leave the cluster, or end the instance of this machine."""
        if self._ray is not None:
            self._ray.shutdown()
            self._ray = None

    def _started(self) -> Any:
        """Return the module, which is initialised once."""
        if self._ray is None:
            os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # unless the user sets it
            if not self.address or self.address.startswith(_LOOPBACK):
                # Else Ray replaces 127.0.0.1 by this machine's address, and listens there.
                os.environ.setdefault("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")
            ray = _library("ray")
            try:
                ray.init(log_to_driver=False, **self._cluster())
            except (OSError, RuntimeError, ValueError) as error:  # ConnectionError mostly
                raise _unavailable("Ray", self.address, error) from error
            self._ray = ray
        return self._ray

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
    _context: Any = field(default=None, init=False, repr=False)

    def results(
        self, work: Callable[[Argument], Made], items: Sequence[Argument]
    ) -> Iterator[Made]:
        """Yield ``work(item)`` for each item, once all are done."""
        yield from self._started().parallelize(items, len(items)).map(work).collect()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        """End the context, and the Spark of this machine with it."""
        if self._context is not None:
            self._context.stop()
            self._context = None

    def _started(self) -> Any:
        """Return the SparkContext, which is made once."""
        if self._context is None:
            pyspark = _library("pyspark", "spark")
            py4j = _library("py4j.protocol", "spark")
            master = self.address or f"local[{self.workers or '*'},{_LOST_WORKERS}]"
            try:
                self._context = pyspark.SparkContext(master, conf=self._settings(pyspark))
            except (OSError, RuntimeError, py4j.Py4JError) as error:
                raise _unavailable("Spark", self.address, error, _NEEDS_JAVA) from error
            if not (self.address or os.environ.get("PYSPARK_PYTHON")):
                self._context.pythonExec = sys.executable  # else python3 of the PATH
        return self._context

    def _settings(self, pyspark: Any) -> Any:
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
        return settings


def _cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _path() -> str:
    """Return the module search path of this process, for others on the same machine."""
    return os.pathsep.join(one for one in sys.path if one)


def _unavailable(name: str, address: str, error: Exception, hint: str = "") -> SetupError:
    """Return the error of an engine that can't be started here, or reached at its address."""
    how = f"reached at {address}" if address else "started"
    first, *_ = str(error).strip().splitlines() or [type(error).__name__]
    return SetupError(f"{name} can't be {how}: {first}{hint}")


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
