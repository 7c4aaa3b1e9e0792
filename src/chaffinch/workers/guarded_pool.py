"""Guarded child processes: what crashes, hangs or eats memory there fails by itself.

`GuardedPool` has them process records, `ChildPool` run any function.

A maintained library doesn't do: the pool of pebble shares one pipe and two locks among its
children, and a child that is killed while it sends leaves half a message in the pipe or keeps a
lock; all later pages then wait for ever. Here each child has a socket of its own,
so that its death only closes that socket. It replies to each record at once: what a child died of
is the first record that it hasn't replied to.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import pickle
import queue
import selectors
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final, Self, cast

from chaffinch import errors
from chaffinch.workers.protocol import (
    ONE_THREAD,
    PageLimits,
    Reply,
    Setup,
    receive,
    require_unix,
    send,
)

_DEPTH: Final = 8
_AHEAD: Final = 128 << 10
"""Records, and bytes of them, that are sent at most to a child that is busy, so that it needn't
wait for its parent; a larger one is sent by itself. They fit into the socket, so that the parent
never waits for a child that waits for it."""
_BUFFER: Final = 1 << 20  # bytes of a socket, as far as the system allows
_READ_AHEAD: Final = 32  # records read for each child
_HELD: Final = 64 << 20  # bytes of records read
_GRACE: Final = 15.0  # seconds after the limit at which the parent kills a child
_READY: Final = 300.0  # seconds until a child is ready, on the slowest of machines
_STARTS: Final = 5  # failed starts in a row that end the run
_CRASHES: Final = frozenset(
    {signal.SIGSEGV, signal.SIGBUS, signal.SIGABRT, signal.SIGILL, signal.SIGFPE, signal.SIGSYS}
)
STOP: Final = threading.Event()
"""Set while the run of this process is being stopped."""


@dataclass(eq=False, slots=True)
class _Task:
    """A record in progress, as it is sent; attempts count children that it failed on."""

    record: Any
    message: bytes
    attempts: int = 0
    reply: Reply | None = None


class _Child:
    """One process, its socket, and the tasks that were sent to it."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.tasks: deque[_Task] = deque()
        self.since = 0.0  # when it began with the first of them
        self._ahead = self._first_peak = 0
        require_unix("a guarded child, of chaffinch run, serve and mcp,")
        for _ in range(_STARTS):
            with contextlib.suppress(EOFError, OSError):
                self._start()
                return
        raise errors.SetupError("a child process can't be started: it ends before it is ready")

    def _start(self) -> None:
        self.channel, theirs = socket.socketpair()
        self.channel.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _BUFFER)
        path = os.pathsep.join(one for one in sys.path if one)
        try:
            with theirs:
                self.process = subprocess.Popen(  # noqa: S603 - this very Python
                    [sys.executable, "-m", "chaffinch.workers.child", str(theirs.fileno())],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    pass_fds=[theirs.fileno()],
                    env={**ONE_THREAD, **os.environ, "PYTHONPATH": path},
                    process_group=0,  # Ctrl-C is the parent's, which lets work end or ends it
                )
        except OSError:
            self.channel.close()
            raise
        try:
            self._bound_waiting(_READY)
            send(self.channel, pickle.dumps(self.setup))
            problem = pickle.loads(receive(self.channel))  # noqa: S301 - from the own child
            self._bound_waiting(self.setup.limits.wall + _GRACE)
        except (EOFError, OSError):
            self.end()
            raise
        if problem is not None:
            self.end()
            raise errors.SetupError(problem)

    def _bound_waiting(self, seconds: float) -> None:
        """Let the system end what waits longer for the child by a `BlockingIOError`.

        `settimeout` would poll before each call.
        """
        limit = struct.pack("@ll", int(seconds), int(seconds % 1 * 1e6))
        for side in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):
            self.channel.setsockopt(socket.SOL_SOCKET, side, limit)

    @property
    def is_late(self) -> bool:
        """Whether the child exceeds its limit of time although the system should have ended it."""
        longest = self.setup.limits.wall + _GRACE
        return bool(self.tasks) and time.monotonic() - self.since > longest

    def has_grown(self, reply: Reply) -> bool:
        """Return whether its memory has grown so much that the next page might fail for it."""
        self._first_peak = self._first_peak or reply.peak
        half = self.setup.limits.memory << 9  # KiB
        return reply.error == "memory" or reply.peak - self._first_peak > half

    def has_room(self, task: _Task) -> bool:
        """Return whether a task may be sent before there are replies to the earlier ones."""
        return not self.tasks or (
            len(self.tasks) < _DEPTH and self._ahead + len(task.message) <= _AHEAD
        )

    def send(self, task: _Task) -> None:
        self.tasks.append(task)
        self._ahead += len(task.message)
        send(self.channel, task.message)
        if len(self.tasks) == 1:
            self.since = time.monotonic()

    def receive(self) -> _Task:
        reply: Reply = pickle.loads(receive(self.channel))  # noqa: S301 - from the own child
        task = self.tasks.popleft()
        task.reply = reply
        self._ahead -= len(task.message)
        self.since = time.monotonic()
        return task

    def wait(self, *, patience: float) -> int:
        """Wait for the process, or kill it, and return its exit code; the socket stays open."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self.process.wait(timeout=patience)
        self.process.kill()
        return self.process.wait()

    def end(self, *, patience: float = 1.0) -> None:
        self.channel.close()
        self.wait(patience=patience)


class IdleChildren:
    """Children without tasks, kept for the next shard of the same run: a start takes a second."""

    def __init__(self) -> None:
        self._children: list[_Child] = []
        self._lock = threading.Lock()

    def put(self, child: _Child) -> None:
        """Keep a child; those of another run are ended."""
        with self._lock:
            others = [one for one in self._children if one.setup != child.setup]
            self._children = [one for one in self._children if one.setup == child.setup]
            self._children.append(child)
        for other in others:
            other.end()

    def take(self, setup: Setup) -> _Child | None:
        """Return a running child with the same setup; None where there is none."""
        with self._lock:
            for child in [one for one in self._children if one.setup == setup]:
                self._children.remove(child)
                if child.process.poll() is None:
                    return child
                child.end()
        return None

    def end(self) -> None:
        with self._lock:
            for child in self._children:
                child.end()
            self._children.clear()


IDLE_CHILDREN: Final = IdleChildren()
"""The idle children of this process."""
atexit.register(IDLE_CHILDREN.end)


class GuardedPool:
    """Guarded children that process records; a context manager."""

    def __init__(self, setup: Setup, *, children: int = 1) -> None:
        self._setup = setup
        self._count = children
        self._children: list[_Child] = []
        self._selector = selectors.DefaultSelector()
        self._held = 0
        self._is_stopped = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for child in self._released():
            if child.tasks:
                child.end(patience=0)
            else:
                IDLE_CHILDREN.put(child)
        self._selector.close()

    def end(self) -> None:
        """End the children, also those with records in progress; later records start new ones."""
        for child in self._released():
            child.end(patience=0 if child.tasks else 1)

    def _released(self) -> list[_Child]:
        children, self._children = self._children, []
        for child in children:
            self._selector.unregister(child.channel)
        return children

    def stop(self) -> None:
        """Let what waits for replies in another thread raise a `SetupError` within a second."""
        self._is_stopped = True

    def replies(self, records: Iterable[Any]) -> Iterator[tuple[Any, Reply]]:
        """Yield each record with its reply, in order and with bounded memory.

        A record is sent as its ``message()``; one with an ``error`` can't be read, and is sent to
        no child.
        """
        waiting: deque[_Task] = deque()
        self._held = 0
        for record in records:
            if record.error:
                waiting.append(_Task(record, b"", 0, Reply({}, record.error, record.detail)))
            else:
                task = _Task(record, record.message())
                waiting.append(task)
                self._held += len(task.message)
                self._place(task)
            most = _READ_AHEAD * self._count
            while waiting and (waiting[0].reply or len(waiting) >= most or self._held > _HELD):
                yield self._first(waiting)
        while waiting:
            yield self._first(waiting)

    def _first(self, waiting: deque[_Task]) -> tuple[Any, Reply]:
        while (reply := waiting[0].reply) is None:
            self._receive()
        task = waiting.popleft()
        self._held -= len(task.message)
        return task.record, reply

    def _place(self, task: _Task) -> None:
        while True:
            if len(self._children) < self._count:
                child = IDLE_CHILDREN.take(self._setup) or _Child(self._setup)
                self._children.append(child)
                self._selector.register(child.channel, selectors.EVENT_READ, child)
            child = min(self._children, key=lambda one: len(one.tasks))
            if child.has_room(task):
                break
            self._receive()
        try:
            child.send(task)
        except OSError:
            self._replace_dead(child)

    def _receive(self) -> None:
        """Receive the replies that are ready, and replace children that are dead or late."""
        if STOP.is_set() or self._is_stopped:
            raise errors.SetupError("the run was stopped")
        for key, _ in self._selector.select(timeout=1.0):
            child: _Child = key.data
            if child not in self._children:  # replaced while an earlier one was handled
                continue
            try:
                self._take(child, child.receive())
            except (EOFError, OSError):
                self._replace_dead(child)
        for child in [one for one in self._children if one.is_late]:
            self._replace_dead(child, is_late=True)

    def _take(self, child: _Child, task: _Task) -> None:
        """Replace a child whose memory has grown; a page that failed for lack of it is repeated."""
        reply = cast("Reply", task.reply)
        if reply.error == "memory" and not task.attempts:
            task.attempts, task.reply = 1, None
            child.tasks.appendleft(task)
        if child.has_grown(reply):
            self._replace(child)

    def _replace(self, child: _Child) -> None:
        self._selector.unregister(child.channel)
        child.end(patience=0)
        self._children.remove(child)
        for task in child.tasks:
            self._place(task)

    def _replace_dead(self, child: _Child, *, is_late: bool = False) -> None:
        """Attribute the death of a child to one task, and send the others to a new child."""
        code = child.wait(patience=0 if is_late else 1)
        with contextlib.suppress(EOFError, OSError, IndexError):
            while True:
                child.receive()  # what it had sent before
        if child.tasks and self._has_failed(child.tasks[0], code, is_late=is_late):
            child.tasks.popleft()
        self._replace(child)

    def _has_failed(self, task: _Task, code: int, *, is_late: bool) -> bool:
        """Return whether a task whose child died has failed for good; else it is to be repeated.

        A limit of time is attributed to the page. Any other death may come from outside (kill -9),
        or from damage to the heap by an earlier page: the page is repeated on a new child, twice if
        the child was killed.
        """
        limits = self._setup.limits
        if is_late or code == -signal.SIGALRM:
            task.reply = Reply({}, "time", f"not done within {limits.wall:g} s")
        elif code == -signal.SIGXCPU:
            task.reply = Reply({}, "cpu", f"more than {limits.cpu} s of processor time")
        else:
            task.attempts += 1
            if task.attempts > (2 if code == -signal.SIGKILL else 1):
                task.reply = _death(code)
        return task.reply is not None


def _death(code: int) -> Reply:
    if code >= 0:
        return Reply({}, "exit", f"the process ended itself with code {code}")
    name = signal.Signals(-code).name
    kind = "crash" if -code in _CRASHES else "killed"
    return Reply({}, kind, f"the process was ended by {name}")


_NOTHING: Final = object()
_LIMITS: Final = PageLimits()


@dataclass(frozen=True)
class _Call:
    """One call of the function, as it is sent to a child: a record of pickled arguments."""

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
        errors.require_whole("children", children, 1)
        errors.require_kind("limits", limits, PageLimits)
        first = () if warm_up is _NOTHING else (_pickled(((warm_up,), {}), "warm_up"),)
        self._setup = Setup(
            extractor="chaffinch.workers.child:PickledWork",
            recipe=(_importable(work), *first),
            limits=limits or _LIMITS,
        )
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
        if reply.error:
            raise errors.WorkerError.of(reply.error, reply.detail)
        result = pickle.loads(reply.row.get("raised") or reply.row["result"])  # noqa: S301 - the own child's
        if "raised" in reply.row:
            raise result
        return result

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

    @contextlib.contextmanager
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
            raise errors.OptionError("the pool of children is closed")


def _importable(work: object) -> bytes:
    if not callable(work):
        raise errors.OptionError(f"a child runs a function, not {work!r}")
    data = _pickled(work, "the function")
    if b"__main__" in data:
        raise errors.OptionError(
            f"{work!r} is of the running program, which a child doesn't import: put it in a module"
        )
    return data


def _pickled(value: object, what: str) -> bytes:
    try:
        return pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    except (pickle.PicklingError, TypeError, AttributeError, RecursionError) as error:
        raise errors.OptionError(f"{what} can't be sent to a child: {error}") from error
