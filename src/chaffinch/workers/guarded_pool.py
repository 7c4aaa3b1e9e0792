"""A pool of guarded child processes: a page that crashes or hangs fails by itself.

A maintained library doesn't do: the pool of pebble shares one pipe and two locks among its
children, and a child that is killed while it sends leaves half a message in the pipe or keeps a
lock; all later pages then wait for ever (docs/batch.md). Here each child has a socket of its own,
so that its death only closes that socket.
"""

from __future__ import annotations

import selectors
import signal
from collections import deque
from typing import TYPE_CHECKING, Final, Self, TypeVar, cast

from chaffinch.errors import SetupError
from chaffinch.workers.child_process import DEPTH, IDLE_CHILDREN, STOP, ChildProcess, Task
from chaffinch.workers.messages import Reply

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from chaffinch.workers.messages import Item, Setup

_AT_ONCE: Final = 2 * DEPTH  # records read ahead for each child
_HELD: Final = 64 << 20  # bytes of records read ahead
_CRASHES: Final = frozenset(
    {signal.SIGSEGV, signal.SIGBUS, signal.SIGABRT, signal.SIGILL, signal.SIGFPE, signal.SIGSYS}
)


AnyItem = TypeVar("AnyItem", bound="Item")


class GuardedPool:
    """Guarded children that process records; a context manager.

    Args:
        setup: extractor, recipe and limits of the children.
        children: number of children.

    Raises:
        SetupError: the children can't be started.
    """

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
        """Return the children, which are the pool's no more."""
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
            while waiting and (waiting[0].reply or self._is_full(waiting)):
                yield cast("tuple[AnyItem, Reply]", self._first(waiting))
        while waiting:
            yield cast("tuple[AnyItem, Reply]", self._first(waiting))

    def _is_full(self, waiting: deque[Task]) -> bool:
        return len(waiting) >= _AT_ONCE * self._count or self._held > _HELD

    def _first(self, waiting: deque[Task]) -> tuple[Item, Reply]:
        while waiting[0].reply is None:
            self._receive()
        task = waiting.popleft()
        self._held -= len(task.message)
        assert task.reply is not None  # noqa: S101 - the loop's condition, for the type checker
        return task.record, task.reply

    def _place(self, task: Task) -> None:
        """Give a task to the child with the fewest tasks, once it has room."""
        while True:
            if len(self._children) < self._count:
                self._add(IDLE_CHILDREN.take(self._setup) or ChildProcess(self._setup))
            child = min(self._children, key=lambda one: len(one.tasks))
            if child.has_room(task):
                break
            self._receive()
        try:
            child.add(task)
        except OSError:
            self._replace_dead(child)

    def _add(self, child: ChildProcess) -> None:
        self._children.append(child)
        self._selector.register(child.channel, selectors.EVENT_READ, child)

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
        """Send, receive the replies that are ready, and replace children that are dead or late.

        Raises:
            SetupError: the run was stopped.
        """
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
        """End a child, and send its tasks to a new one."""
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
