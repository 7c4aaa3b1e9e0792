"""One guarded child process as its parent sees it: its line, its tasks, its life and death."""

from __future__ import annotations

import atexit
import contextlib
import os
import pickle
import socket
import subprocess
import sys
import threading
import time
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from chaffinch.errors import SetupError
from chaffinch.workers.messages import Answer, Setup, receive, send

if TYPE_CHECKING:
    from chaffinch.workers.messages import Item

DEPTH: Final = 4
"""Records handed to a child ahead, so that it needn't wait for its parent."""

_AHEAD: Final = 8 << 20  # bytes handed ahead; a larger page goes alone
_GRACE: Final = 15.0  # seconds after which a child that the kernel didn't end is ended
_READY: Final = 300.0  # seconds until a child is ready, on the slowest of machines
_STARTS: Final = 5  # failed starts in a row that end the run
_ONE_THREAD: Final = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"
)  # there are as many children as cores


@dataclass(eq=False, slots=True)
class Task:
    """A record on its way: as it is sent, how often it failed, and the answer in the end."""

    record: Item
    message: bytes
    tries: int = 0
    answer: Answer | None = None


class Child:
    """One process, its line, and the tasks it was handed."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.tasks: deque[Task] = deque()
        self.since = 0.0
        self._first_peak = 0
        if os.name == "nt":
            raise SetupError("batch needs the limits of Unix: it runs on Linux and macOS")
        for _ in range(_STARTS):
            with contextlib.suppress(EOFError, OSError):
                self._start()
                return
        raise SetupError("a child process can't be started: it ends before it is ready")

    def _start(self) -> None:
        """Start the process and wait until it is ready.

        Raises:
            EOFError: it ended.
            OSError: it can't be started, or isn't ready in time.
            SetupError: it says that it can't work.
        """
        self.line, theirs = socket.socketpair()
        self.line.settimeout(_READY)
        try:
            with theirs:
                self.process = self._program(theirs.fileno())
        except OSError:
            self.line.close()
            raise
        try:
            send(self.line, pickle.dumps(self.setup))
            problem = pickle.loads(receive(self.line))  # noqa: S301 - from the own child
        except (EOFError, OSError):
            self.end()
            raise
        if problem is not None:
            self.end()
            raise SetupError(problem)
        self.line.settimeout(self.setup.limits.wall + _GRACE)

    def _program(self, descriptor: int) -> subprocess.Popen[bytes]:
        path = os.pathsep.join(one for one in sys.path if one)
        return subprocess.Popen(  # noqa: S603 - this very Python
            [sys.executable, "-m", "chaffinch.workers.child", str(descriptor)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            pass_fds=[descriptor],
            env={**_ONE_THREAD, **os.environ, "PYTHONPATH": path},
        )

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

    def is_worn(self, answer: Answer) -> bool:
        """Tell whether its memory has grown such that it might fail a page that isn't to blame."""
        self._first_peak = self._first_peak or answer.peak
        half = self.setup.limits.memory << 9  # KiB
        return answer.error == "memory" or answer.peak - self._first_peak > half

    def has_room(self, task: Task) -> bool:
        """Tell whether a task may be handed over ahead of the ones before."""
        return not self.tasks or (
            len(self.tasks) < DEPTH and self.ahead + len(task.message) <= _AHEAD
        )

    def hand(self, task: Task) -> None:
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

    def hear_out(self) -> None:
        """Take the answers that a dead child had given, as far as they are whole."""
        with contextlib.suppress(EOFError, OSError, IndexError):
            while True:
                self.take()

    def gone(self, *, patience: float) -> int:
        """Wait for the process to end, or end it, and return its exit code; the line stays."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self.process.wait(timeout=patience)
        self.process.kill()
        return self.process.wait()

    def end(self, *, patience: float = 1.0) -> None:
        """Close the line, at whose end the process ends."""
        self.line.close()
        self.gone(patience=patience)


STOP: Final = threading.Event()
"""Set while the run of this process is to end before it is done."""


class Idle:
    """Children without work, kept for the next shard of the same run: a start takes a second."""

    def __init__(self) -> None:
        self._children: list[Child] = []
        self._lock = threading.Lock()

    def put(self, child: Child) -> None:
        """Keep a child; those of another run are ended."""
        with self._lock:
            others = [one for one in self._children if one.setup != child.setup]
            self._children = [one for one in self._children if one.setup == child.setup]
            self._children.append(child)
        for other in others:
            other.end()

    def take(self, setup: Setup) -> Child | None:
        """Return a child that lives and does the same; None where there is none."""
        with self._lock:
            for child in [one for one in self._children if one.setup == setup]:
                self._children.remove(child)
                if child.process.poll() is None:
                    return child
                child.end()
        return None

    def end(self) -> None:
        """End all children."""
        with self._lock:
            for child in self._children:
                child.end()
            self._children.clear()


IDLE: Final = Idle()
"""Of this process."""

atexit.register(IDLE.end)
