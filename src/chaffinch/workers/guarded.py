"""Pages worked on in guarded children: what one page does costs that page alone.

A kept library was tried first: pebble's pool shares one pipe and two locks among its children, and
a child that is killed while it sends leaves half a message in the one or takes the other with it;
every later page then waits for ever (docs/batch.md). Here each child has a socket of
its own, so that the death of a child is the end of its line and nothing more.
"""

from __future__ import annotations

import pickle
import selectors
import signal
from collections import deque
from typing import TYPE_CHECKING, Final, Self, TypeVar, cast

from chaffinch.errors import SetupError
from chaffinch.workers.messages import Answer
from chaffinch.workers.processes import IDLE, STOP, Child, Task

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from chaffinch.workers.messages import Item, Setup

_AT_ONCE: Final = 16  # records a child that are read before the first of them is answered
_HELD: Final = 64 << 20  # bytes of them, the same
_CRASHES: Final = frozenset(
    {signal.SIGSEGV, signal.SIGBUS, signal.SIGABRT, signal.SIGILL, signal.SIGFPE, signal.SIGSYS}
)


AnyItem = TypeVar("AnyItem", bound="Item")


class Guarded:
    """Children that answer records; a context manager.

    Args:
        setup: what the children do.
        children: how many there are.

    Raises:
        SetupError: the children can't be started.
    """

    def __init__(self, setup: Setup, *, children: int = 1) -> None:
        self._setup = setup
        self._count = children
        self._children: list[Child] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for child in self._children:
            if child.tasks:
                child.end(patience=0)
            else:
                IDLE.put(child)
        self._children.clear()

    def answers(self, records: Iterable[AnyItem]) -> Iterator[tuple[AnyItem, Answer]]:
        """Yield each record with its answer, in order and with bounded memory."""
        waiting: deque[Task] = deque()
        for record in records:
            if record.error:
                waiting.append(Task(record, b"", 0, Answer({}, record.error, record.detail)))
            else:
                task = Task(record, pickle.dumps(record, pickle.HIGHEST_PROTOCOL))
                waiting.append(task)
                self._place(task)
            while waiting and (waiting[0].answer or self._is_full(waiting)):
                yield cast("tuple[AnyItem, Answer]", self._first(waiting))
        while waiting:
            yield cast("tuple[AnyItem, Answer]", self._first(waiting))

    def _is_full(self, waiting: deque[Task]) -> bool:
        held = sum(len(task.message) for task in waiting)
        return len(waiting) >= _AT_ONCE * self._count or held > _HELD

    def _first(self, waiting: deque[Task]) -> tuple[Item, Answer]:
        while waiting[0].answer is None:
            self._listen()
        task = waiting.popleft()
        assert task.answer is not None  # noqa: S101 - the loop's condition, for the type checker
        return task.record, task.answer

    def _place(self, task: Task) -> None:
        """Hand a task to the child that has least to do, once one has room."""
        while True:
            if len(self._children) < self._count:
                self._children.append(IDLE.take(self._setup) or Child(self._setup))
            child = min(self._children, key=lambda one: len(one.tasks))
            if child.has_room(task):
                break
            self._listen()
        try:
            child.hand(task)
        except OSError:
            self._bury(child)

    def _listen(self) -> None:
        """Take what the children have to say; bury those that are gone.

        Raises:
            SetupError: the run is to end.
        """
        if STOP.is_set():
            raise SetupError("the run was stopped")
        with selectors.DefaultSelector() as ears:
            for child in self._children:
                ears.register(child.line, selectors.EVENT_READ, child)
            ready = ears.select(timeout=1.0)
        for child in [key.data for key, _ in ready]:
            if child not in self._children:  # buried for the sake of one before it
                continue
            try:
                task = child.tasks[0]
                if child.is_worn(child.take()):
                    self._retire(child, task)
            except (EOFError, OSError, IndexError):
                self._bury(child)
        for child in [one for one in self._children if one.is_late]:
            self._bury(child, is_late=True)

    def _replace(self, child: Child) -> None:
        """Hand the tasks of a child, which is ended, to a new one."""
        child.end(patience=0)
        self._children.remove(child)
        for task in child.tasks:
            self._place(task)

    def _retire(self, child: Child, task: Task) -> None:
        """Replace a child whose memory has grown; a page that was short of it is tried afresh."""
        if task.answer is not None and task.answer.error == "memory" and not task.tries:
            task.tries, task.answer = 1, None
            child.tasks.appendleft(task)
        self._replace(child)

    def _bury(self, child: Child, *, is_late: bool = False) -> None:
        """Blame the task that a dead child was at, and hand the others to a new one."""
        code = child.gone(patience=0 if is_late else 1)
        child.hear_out()
        if child.tasks and self._blame(child.tasks[0], code, is_late=is_late):
            child.tasks.popleft()
        self._replace(child)

    def _blame(self, task: Task, code: int, *, is_late: bool) -> bool:
        """Answer a task whose child died; False where it is to be tried once more.

        A limit of time is the page's own fault. Any other death may come from outside (kill -9) or
        from what an earlier page did to the heap: the page is tried again on a fresh child, twice
        where it was killed.
        """
        limits = self._setup.limits
        if is_late or code == -signal.SIGALRM:
            task.answer = Answer({}, "time", f"not done within {limits.wall:g} s")
        elif code == -signal.SIGXCPU:
            task.answer = Answer({}, "cpu", f"more than {limits.cpu} s of processor time")
        else:
            task.tries += 1
            if task.tries > (2 if code == -signal.SIGKILL else 1):
                task.answer = _death(code)
        return task.answer is not None


def _death(code: int) -> Answer:
    if code >= 0:
        return Answer({}, "exit", f"the process ended itself with code {code}")
    name = signal.Signals(-code).name
    kind = "crash" if -code in _CRASHES else "killed"
    return Answer({}, kind, f"the process was ended by {name}")
