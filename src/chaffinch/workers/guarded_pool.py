"""A pool of guarded child processes: a page that crashes or hangs fails by itself.

A maintained library doesn't do: the pool of pebble shares one pipe and two locks among its
children, and a child that is killed while it sends leaves half a message in the pipe or keeps a
lock; all later pages then wait for ever. Here each child has a socket of its own,
so that its death only closes that socket.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import pickle
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import IO, Final, Self, TypeVar, cast

from chaffinch.errors import SetupError
from chaffinch.workers.protocol import (
    AT_ONCE,
    ONE_THREAD,
    Item,
    Outbox,
    Reply,
    Setup,
    bound_waiting,
    mapped_counter,
    receive,
    require_unix,
    send,
)

DEPTH: Final = 2 * AT_ONCE
"""Records sent at most to a child in advance, so that it needn't wait for its parent."""

_TOGETHER: Final = 128 << 10  # bytes of records that are sent without waiting for more of them

_FEW: Final = 4  # the same of a child whose records take long: others have some of them, too
_LONG: Final = 0.1  # seconds
_AHEAD: Final = 8 << 20  # bytes sent in advance; a larger page is sent by itself
_GRACE: Final = 15.0  # seconds after the limit at which the parent kills a child
_READY: Final = 300.0  # seconds until a child is ready, on the slowest of machines
_STARTS: Final = 5  # failed starts in a row that end the run


@dataclass(eq=False, slots=True)
class Task:
    """A record in progress, as it is sent; attempts count children that it failed on."""

    record: Item
    message: bytes
    attempts: int = 0
    reply: Reply | None = None


class ChildProcess:
    """One process, its socket, and the tasks that were sent to it."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.tasks: deque[Task] = deque()
        self.since = 0.0
        self._unsent: list[bytes] = []
        self._unsent_size = self._ahead = self._received = 0
        self._depth = _FEW
        self._first_peak = 0
        require_unix("a guarded child, of chaffinch run, serve and mcp,")
        for _ in range(_STARTS):
            with contextlib.suppress(EOFError, OSError):
                self._start()
                return
        raise SetupError("a child process can't be started: it ends before it is ready")

    def _start(self) -> None:
        self.channel, theirs = socket.socketpair()
        bound_waiting(self.channel, _READY)
        try:
            with theirs, _memory_file() as counter:
                self._done = mapped_counter(counter.fileno())
                self.process = self._program(theirs.fileno(), counter.fileno())
        except OSError:
            self.channel.close()
            raise
        try:
            send(self.channel, pickle.dumps(self.setup))
            (answer,) = receive(self.channel)
            problem = pickle.loads(answer)  # noqa: S301 - from the own child
        except (EOFError, OSError):
            self.end()
            raise
        if problem is not None:
            self.end()
            raise SetupError(problem)
        bound_waiting(self.channel, self.setup.limits.wall + _GRACE)
        self._outbox = Outbox(self.channel)

    def _program(self, *descriptors: int) -> subprocess.Popen[bytes]:
        path = os.pathsep.join(one for one in sys.path if one)
        return subprocess.Popen(  # noqa: S603 - this very Python
            [sys.executable, "-m", "chaffinch.workers.child", *map(str, descriptors)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            pass_fds=descriptors,
            env={**ONE_THREAD, **os.environ, "PYTHONPATH": path},
        )

    @property
    def is_late(self) -> bool:
        """Whether the child exceeds its limit of time although the system should have ended it."""
        return bool(self.tasks) and (
            time.monotonic() - self.since > self.setup.limits.wall + _GRACE
        )

    def has_grown(self, reply: Reply) -> bool:
        """Return whether its memory has grown so much that the next page might fail for it."""
        self._first_peak = self._first_peak or reply.peak
        half = self.setup.limits.memory << 9  # KiB
        return reply.error == "memory" or reply.peak - self._first_peak > half

    def has_room(self, task: Task) -> bool:
        """Return whether a task may be sent before there are replies to the earlier ones."""
        return not self.tasks or (
            len(self.tasks) < self._depth and self._ahead + len(task.message) <= _AHEAD
        )

    def add(self, task: Task) -> None:
        """Add a task, which is sent with others: at the latest by `send_rest`."""
        self.tasks.append(task)
        size = len(task.message)
        self._ahead += size
        self._unsent.append(task.message)
        self._unsent_size += size
        count = len(self._unsent)
        if count == AT_ONCE or count == len(self.tasks) or self._unsent_size > _TOGETHER:
            self.send()

    def send_rest(self) -> None:
        """Send what is on its way, and tasks that were added unless the child has enough to do."""
        if self.is_behind or len(self.tasks) - len(self._unsent) < AT_ONCE:
            self.send()

    def send(self) -> None:
        """Send the tasks that were added, as far as the child's socket takes them."""
        is_between_pages = self.is_behind or len(self._unsent) == len(self.tasks)
        if self._unsent:
            self._outbox.add(self._unsent)
            self._unsent, self._unsent_size = [], 0
        if self._outbox.send() and is_between_pages:
            self.since = time.monotonic()  # what the child reads now can't be late

    @property
    def is_behind(self) -> bool:
        """Whether the child must read before the rest of what is on its way can be sent."""
        return bool(self._outbox)

    def receive(self) -> list[Task]:
        """Receive replies to the first tasks, and return these."""
        if not self.tasks:
            raise IndexError
        replied = []
        for message in receive(self.channel):
            reply: Reply = pickle.loads(message)  # noqa: S301 - from the own child
            task = self.tasks.popleft()
            task.reply = reply
            self._received += 1
            self._ahead -= len(task.message)
            self._depth = DEPTH if reply.seconds < _LONG else _FEW
            replied.append(task)
        self.since = time.monotonic()
        return replied

    def in_progress(self) -> Task:
        """Return the task that a child is busy with, or that it died of; there must be tasks."""
        return self.tasks[min(self._done[0] - self._received, len(self.tasks) - 1)]

    def receive_rest(self) -> None:
        """Receive the complete replies that a dead child has sent."""
        with contextlib.suppress(EOFError, OSError, IndexError):
            while True:
                self.receive()

    def wait(self, *, patience: float) -> int:
        """Wait for the process, or kill it, and return its exit code; the socket stays open."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self.process.wait(timeout=patience)
        self.process.kill()
        return self.process.wait()

    def end(self, *, patience: float = 1.0) -> None:
        self.channel.close()
        self.wait(patience=patience)


def _memory_file() -> IO[bytes]:
    """Return an empty file without a name: on Linux no disk is needed for it."""
    if sys.platform == "linux":
        return os.fdopen(os.memfd_create("chaffinch"), "r+b")
    return tempfile.TemporaryFile()


STOP: Final = threading.Event()
"""Set while the run of this process is being stopped."""


class IdleChildren:
    """Children without tasks, kept for the next shard of the same run: a start takes a second."""

    def __init__(self) -> None:
        self._children: list[ChildProcess] = []
        self._lock = threading.Lock()

    def put(self, child: ChildProcess) -> None:
        """Keep a child; those of another run are ended."""
        with self._lock:
            others = [one for one in self._children if one.setup != child.setup]
            self._children = [one for one in self._children if one.setup == child.setup]
            self._children.append(child)
        for other in others:
            other.end()

    def take(self, setup: Setup) -> ChildProcess | None:
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


_AT_ONCE: Final = 2 * DEPTH  # records read ahead for each child
_HELD: Final = 64 << 20  # bytes of records read ahead
_CRASHES: Final = frozenset(
    {signal.SIGSEGV, signal.SIGBUS, signal.SIGABRT, signal.SIGILL, signal.SIGFPE, signal.SIGSYS}
)


AnyItem = TypeVar("AnyItem", bound="Item")


class GuardedPool:
    """Guarded children that process records; a context manager."""

    def __init__(self, setup: Setup, *, children: int = 1) -> None:
        self._setup = setup
        self._count = children
        self._children: list[ChildProcess] = []
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

    def _released(self) -> list[ChildProcess]:
        children, self._children = self._children, []
        for child in children:
            self._selector.unregister(child.channel)
        return children

    def stop(self) -> None:
        """Let what waits for replies in another thread raise a `SetupError` within a second."""
        self._is_stopped = True

    def replies(self, records: Iterable[AnyItem]) -> Iterator[tuple[AnyItem, Reply]]:
        """Yield each record with its reply, in order and with bounded memory."""
        waiting: deque[Task] = deque()
        self._held = 0
        for record in records:
            if record.error:
                waiting.append(Task(record, b"", 0, Reply({}, record.error, record.detail)))
            else:
                task = Task(record, record.message())
                waiting.append(task)
                self._held += len(task.message)
                self._place(task)
            most = _AT_ONCE * self._count
            while waiting and (waiting[0].reply or len(waiting) >= most or self._held > _HELD):
                yield cast("tuple[AnyItem, Reply]", self._first(waiting))
        while waiting:
            yield cast("tuple[AnyItem, Reply]", self._first(waiting))

    def _first(self, waiting: deque[Task]) -> tuple[Item, Reply]:
        while waiting[0].reply is None:
            self._receive()
        task = waiting.popleft()
        self._held -= len(task.message)
        assert task.reply is not None  # noqa: S101 - the loop's condition, for the type checker
        return task.record, task.reply

    def _place(self, task: Task) -> None:
        while True:
            if len(self._children) < self._count:
                child = IDLE_CHILDREN.take(self._setup) or ChildProcess(self._setup)
                self._children.append(child)
                self._selector.register(child.channel, selectors.EVENT_READ, child)
            child = min(self._children, key=lambda one: len(one.tasks))
            if child.has_room(task):
                break
            self._receive()
        try:
            child.add(task)
        except OSError:
            self._replace_dead(child)

    def _send(self) -> None:
        """Send what waits, and watch children: for replies, and for room where more is to come."""
        for child in list(self._children):
            try:
                child.send_rest()
            except OSError:
                self._replace_dead(child)
        for child in self._children:
            events = selectors.EVENT_READ | (selectors.EVENT_WRITE if child.is_behind else 0)
            if self._selector.get_key(child.channel).events != events:
                self._selector.modify(child.channel, events, child)

    def _receive(self) -> None:
        """Send, receive the replies that are ready, and replace children that are dead or late."""
        if STOP.is_set() or self._is_stopped:
            raise SetupError("the run was stopped")
        self._send()
        for key, events in self._selector.select(timeout=1.0):
            child = key.data
            if child not in self._children:  # replaced while an earlier one was handled
                continue
            try:
                if events & selectors.EVENT_WRITE:
                    child.send_rest()
                if events & selectors.EVENT_READ:
                    self._check_growth(child, child.receive())
            except (EOFError, OSError, IndexError):
                self._replace_dead(child)
        for child in [one for one in self._children if one.is_late]:
            self._replace_dead(child, is_late=True)

    def _replace(self, child: ChildProcess) -> None:
        self._selector.unregister(child.channel)
        child.end(patience=0)
        self._children.remove(child)
        for task in child.tasks:
            self._place(task)

    def _check_growth(self, child: ChildProcess, replied: list[Task]) -> None:
        """Replace a child whose memory has grown; a page that failed for lack of it is repeated."""
        has_grown = False
        for task in replied:
            has_grown |= task.reply is not None and child.has_grown(task.reply)
            if task.reply and task.reply.error == "memory" and not task.attempts:
                task.attempts, task.reply = 1, None
                child.tasks.appendleft(task)  # the child sent that reply at once: the last of these
        if has_grown:
            self._replace(child)

    def _replace_dead(self, child: ChildProcess, *, is_late: bool = False) -> None:
        """Attribute the death of a child to one task, and send the others to a new child."""
        code = child.wait(patience=0 if is_late else 1)
        child.receive_rest()
        if child.tasks and self._has_failed(task := child.in_progress(), code, is_late=is_late):
            child.tasks.remove(task)
        self._replace(child)

    def _has_failed(self, task: Task, code: int, *, is_late: bool) -> bool:
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
