"""Pages worked on in guarded children: what one page does costs that page alone.

A kept library was tried first: pebble's pool shares one pipe and two locks among its children, and
a child that is killed while it sends leaves half a message in the one or takes the other with it;
every later page then waits for ever (``bench/guards.py`` shows it). Here each child has a socket of
its own, so that the death of a child is the end of its line and nothing more.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import selectors
import signal
import socket
import subprocess
import sys
import time
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Self

from chaffinch.batch.messages import Answer, Setup, receive, send
from chaffinch.errors import SetupError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from chaffinch.batch.records import Record

DEPTH: Final = 4
"""Records handed to a child ahead, so that it needn't wait for its parent."""

_AHEAD: Final = 8 << 20  # bytes handed ahead; a larger page goes alone
_AT_ONCE: Final = 16  # records a child that are read before the first of them is answered
_GRACE: Final = 15.0  # seconds after which a child that the kernel didn't end is ended
_STARTS: Final = 5  # failed starts in a row that end the run
_ONE_THREAD: Final = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"
)  # there are as many children as cores
_CRASHES: Final = frozenset(
    {signal.SIGSEGV, signal.SIGBUS, signal.SIGABRT, signal.SIGILL, signal.SIGFPE, signal.SIGSYS}
)


@dataclass(eq=False, slots=True)
class _Task:
    record: Record
    message: bytes
    tries: int = 0
    answer: Answer | None = None


class _Child:
    """One process, its line, and the tasks it was handed."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.tasks: deque[_Task] = deque()
        self.since = 0.0
        for _ in range(_STARTS):
            with contextlib.suppress(EOFError, OSError):
                self._start()
                return
            self.end()
        raise SetupError("a child process can't be started: it ends before it is ready")

    def _start(self) -> None:
        self.line, theirs = socket.socketpair()
        path = os.pathsep.join(one for one in sys.path if one)
        with theirs:
            self.process = subprocess.Popen(  # noqa: S603 - this very Python
                [sys.executable, "-m", "chaffinch.batch.child", str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                env={**_ONE_THREAD, **os.environ, "PYTHONPATH": path},
            )
        send(self.line, pickle.dumps(self.setup))
        problem = pickle.loads(receive(self.line))  # noqa: S301 - from the own child
        if problem is not None:
            self.end()
            raise SetupError(problem)
        self.line.settimeout(self.setup.limits.wall + _GRACE)

    @property
    def ahead(self) -> int:
        """Bytes handed and not yet answered."""
        return sum(len(task.message) for task in self.tasks)

    @property
    def is_late(self) -> bool:
        """Whether the kernel should have ended the child long ago."""
        return bool(self.tasks) and (
            time.monotonic() - self.since > self.setup.limits.wall + _GRACE
        )

    def has_room(self, task: _Task) -> bool:
        """Tell whether a task may be handed over ahead of the ones before."""
        return not self.tasks or (
            len(self.tasks) < DEPTH and self.ahead + len(task.message) <= _AHEAD
        )

    def hand(self, task: _Task) -> None:
        """Hand a task over.

        Raises:
            OSError: the child is gone.
        """
        if not self.tasks:
            self.since = time.monotonic()
        self.tasks.append(task)
        send(self.line, task.message)

    def take(self) -> Answer:
        """Take and return the answer to the first task.

        Raises:
            EOFError: the child is gone.
            OSError: the same.
            IndexError: it was asked nothing, so that only its end can be heard.
        """
        task = self.tasks[0]
        answer: Answer = pickle.loads(receive(self.line))  # noqa: S301 - from the own child
        task.answer = answer
        self.tasks.popleft()
        self.since = time.monotonic()
        return answer

    def end(self, *, patience: float = 1.0) -> int:
        """End the process and return its exit code, negative for a signal."""
        self.line.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self.process.wait(timeout=patience)
        self.process.kill()
        return self.process.wait()


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
        self._children: list[_Child] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for child in self._children:
            child.end(patience=0)
        self._children.clear()

    def answers(self, records: Iterable[Record]) -> Iterator[tuple[Record, Answer]]:
        """Yield each record with its answer, in order and with bounded memory."""
        waiting: deque[_Task] = deque()
        for record in records:
            if record.error:
                waiting.append(_Task(record, b"", 0, Answer({}, record.error, record.detail)))
            else:
                task = _Task(record, pickle.dumps(record, pickle.HIGHEST_PROTOCOL))
                waiting.append(task)
                self._place(task)
            while waiting and (waiting[0].answer or len(waiting) >= _AT_ONCE * self._count):
                yield self._first(waiting)
        while waiting:
            yield self._first(waiting)

    def _first(self, waiting: deque[_Task]) -> tuple[Record, Answer]:
        while waiting[0].answer is None:
            self._listen()
        task = waiting.popleft()
        assert task.answer is not None  # noqa: S101 - the loop's condition, for the type checker
        return task.record, task.answer

    def _place(self, task: _Task) -> None:
        """Hand a task to the child that has least to do, once one has room."""
        while True:
            if len(self._children) < self._count:
                self._children.append(_Child(self._setup))
            child = min(self._children, key=lambda one: len(one.tasks))
            if child.has_room(task):
                break
            self._listen()
        try:
            child.hand(task)
        except OSError:
            self._bury(child)

    def _listen(self) -> None:
        """Take what the children have to say; bury those that are gone."""
        with selectors.DefaultSelector() as ears:
            for child in self._children:
                ears.register(child.line, selectors.EVENT_READ, child)
            ready = ears.select(timeout=1.0)
        for child in [key.data for key, _ in ready]:
            if child not in self._children:  # buried for the sake of one before it
                continue
            try:
                if child.take().error == "memory":  # what is left of its heap isn't to be trusted
                    self._replace(child)
            except (EOFError, OSError, IndexError):
                self._bury(child)
        for child in [one for one in self._children if one.is_late]:
            self._bury(child, is_late=True)

    def _replace(self, child: _Child) -> None:
        """Hand the tasks of a child, which is ended, to a new one."""
        child.end(patience=0)
        self._children.remove(child)
        for task in child.tasks:
            self._place(task)

    def _bury(self, child: _Child, *, is_late: bool = False) -> None:
        """Blame the task that a dead child was at, and hand the others to a new one."""
        code = child.end(patience=0 if is_late else 1)
        if child.tasks and self._blame(child.tasks[0], code, is_late=is_late):
            child.tasks.popleft()
        self._replace(child)

    def _blame(self, task: _Task, code: int, *, is_late: bool) -> bool:
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
