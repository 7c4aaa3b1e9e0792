"""Any function in guarded children: what hangs, crashes or eats memory there fails by itself."""

from __future__ import annotations

import pickle
import queue
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, Self

from chaffinch.errors import (
    ChaffinchError,
    OptionError,
    PageError,
    WorkerError,
    require_kind,
    require_whole,
)
from chaffinch.workers.guarded_pool import GuardedPool
from chaffinch.workers.protocol import PageLimits, Reply, Setup

_CALLS: Final = "chaffinch.workers.child_pool:PickledWork"
_NOTHING: Final = object()
_LIMITS: Final = PageLimits()


@dataclass(frozen=True)
class _Call:
    """One call of the function, as it is sent to a child: an `Item` of pickled arguments."""

    arguments: bytes
    error: str = ""
    detail: str = ""

    def message(self) -> bytes:
        """Return the arguments as they are; a page among them isn't copied once more."""
        return self.arguments


class ChildPool:
    """Guarded children that run one function; a context manager, for several threads.

    A child that exceeds a limit or dies is replaced, and costs only the call that it was busy with.
    Idle children wait for further calls until the pool is closed.

    Args:
        work: the function: importable by its name in another process, a `functools.partial` of
            one, or an object of an importable class that can be called. Its arguments and results
            are pickled.
        children: how many there are at most; a call waits until one is free.
        limits: of each call.
        warm_up: an argument for a first call in each child, outside of the limits, which loads what
            is loaded on first use; its result is discarded.

    Raises:
        OptionError: an argument is of a wrong type, or the function can't be sent to a child.
    """

    def __init__(
        self,
        work: Callable[..., Any],
        *,
        children: int = 1,
        limits: PageLimits = _LIMITS,
        warm_up: Any = _NOTHING,
    ) -> None:
        require_whole("children", children, 1)
        require_kind("limits", limits, PageLimits)
        first = () if warm_up is _NOTHING else (_pickled(((warm_up,), {}), "warm_up"),)
        self._setup = Setup(
            extractor=_CALLS, recipe=(_importable(work), *first), limits=limits or _LIMITS
        )
        self._children = children
        self._free: queue.LifoQueue[GuardedPool] = queue.LifoQueue()
        self._pools = [GuardedPool(self._setup) for _ in range(children)]
        for pool in self._pools:
            self._free.put(pool)
        self._is_closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def call(self, *args: Any, **options: Any) -> Any:
        """Return the result of the function in a child.

        Raises:
            WorkerError: the call exceeded a limit, ended its child, or raised an error that isn't
                the project's; ``kind`` names which.
            PageError: the function raised it.
            SetupError: the function raised it, or no child can be started.
            OptionError: the arguments can't be pickled, or the pool is closed.
        """
        call = _Call(_pickled((args, options), "the arguments"))
        with self._pool() as pool:
            ((_, reply),) = pool.replies([call])
        return _result(reply)

    def map(self, items: Iterable[Any]) -> Iterator[Any]:
        """Yield the result of the function for each item, in order and with bounded memory.

        A call that fails yields its `PageError` in place of a result. The children are those of
        this call alone.

        Raises:
            SetupError: the function raised it, or no child can be started.
            OptionError: an item can't be pickled, or the pool is closed.
        """
        self._require_open()
        pool = GuardedPool(self._setup, children=self._children)
        try:
            for _, reply in pool.replies(_Call(_pickled(((one,), {}), "an item")) for one in items):
                try:
                    made = _result(reply)
                except PageError as error:
                    made = error
                yield made
        finally:
            pool.end()

    def close(self, *, at_once: bool = False) -> None:
        """End the children; calls in progress in other threads are finished first.

        At once, these are ended instead, and raise a `SetupError` within a second.
        """
        if self._is_closed:
            return
        self._is_closed = True
        for pool in self._pools if at_once else ():
            pool.stop()
        for pool in [self._free.get() for _ in self._pools]:
            pool.end()
            self._free.put(pool)  # and wake the calls that wait for one

    @contextmanager
    def _pool(self) -> Iterator[GuardedPool]:
        pool = self._free.get()
        try:
            self._require_open()
            yield pool
        except BaseException:  # an interrupt leaves a call in progress there
            pool.end()
            raise
        finally:
            self._free.put(pool)

    def _require_open(self) -> None:
        if self._is_closed:
            raise OptionError("the pool of children is closed")


def run_in_child(
    work: Callable[..., Any], *args: Any, limits: PageLimits = _LIMITS, **options: Any
) -> Any:
    """Return the result of ``work`` in a guarded child that is started for this call alone.

    Arguments and errors are those of `ChildPool` and `ChildPool.call`; a start takes a second.
    """
    with ChildPool(work, limits=limits) as pool:
        return pool.call(*args, **options)


class PickledWork:
    """The function of a `ChildPool` in a child.

    The recipe has the function, pickled, and the arguments of a first call, if there are any.
    """

    def __init__(self, recipe: tuple[bytes, ...]) -> None:
        function, *first = recipe
        try:
            self._work: Callable[..., Any] = pickle.loads(function)  # noqa: S301 - from the parent
            for arguments in first:
                args, options = pickle.loads(arguments)  # noqa: S301 - the same
                self._work(*args, **options)
        except Exception as error:
            problem = f"{type(error).__name__}: {error}"
            raise OptionError(f"the function can't be run in a child: {problem}") from error

    def __call__(self, call: tuple[tuple[Any, ...], dict[str, Any]]) -> dict[str, Any]:
        args, options = call
        try:
            made = self._work(*args, **options)
        except MemoryError:
            raise  # the child reports which limit it was
        except ChaffinchError as error:
            return {"raised": pickle.dumps(error)}
        return {"result": pickle.dumps(made, pickle.HIGHEST_PROTOCOL)}


def _importable(work: object) -> bytes:
    if not callable(work):
        raise OptionError(f"a child runs a function, not {work!r}")
    data = _pickled(work, "the function")
    if b"__main__" in data:
        raise OptionError(
            f"{work!r} is of the running program, which a child doesn't import: put it in a module"
        )
    return data


def _pickled(value: object, what: str) -> bytes:
    try:
        return pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    except (pickle.PicklingError, TypeError, AttributeError, RecursionError) as error:
        raise OptionError(f"{what} can't be sent to a child: {error}") from error


def _result(reply: Reply) -> Any:
    if reply.error:
        raise WorkerError.of(reply.error, reply.detail)
    if "raised" in reply.row:
        raised: ChaffinchError = pickle.loads(reply.row["raised"])  # noqa: S301 - the own child's
        raise raised
    return pickle.loads(reply.row["result"])  # noqa: S301 - the same
