"""The program of a guarded child: receives records from a socket, and sends a reply to each.

Replies to records that came together are sent together. How many pages are done stands in a shared
counter, so that the parent knows which one a child died of.

Started by exec as ``python -m chaffinch.workers.child FD COUNTER``, so that it shares nothing with
threads and libraries of its parent. The limits are enforced by the operating system: an alarm ends
the process where a page takes too long, even one that sleeps in C code and holds the interpreter's
lock; RLIMIT_CPU where it computes too long; RLIMIT_AS bounds its memory. No supervisor is needed,
and a child whose parent was killed ends as well, at the latest when its page is done.
"""

from __future__ import annotations

import contextlib
import gc
import pickle
import resource
import signal
import socket
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from chaffinch.errors import OptionError, PageError, SetupError, TimeLimitError
from chaffinch.lazy import load_module
from chaffinch.workers.protocol import PageLimits, Reply, Setup, mapped_counter, receive, send

_PAGE = resource.getpagesize()
_PATIENCE = 0.1  # seconds for which a reply is held at most while no page takes longer
_PEAK = 1024 if sys.platform == "darwin" else 1  # ru_maxrss is in bytes on macOS, else in KiB


def main(descriptor: int, counter: int) -> None:
    """Reply to records until the parent closes the socket."""
    channel = socket.socket(fileno=descriptor)
    done = mapped_counter(counter)
    setup: Setup = pickle.loads(receive(channel)[0])  # noqa: S301 - from the parent alone
    try:
        work = load(setup.extractor)(setup.recipe)
    except SetupError as error:
        send(channel, pickle.dumps(str(error)))
        return
    send(channel, pickle.dumps(None))
    gc.collect()
    gc.freeze()  # what is loaded stays: the collector needn't walk it again for each page
    _bound_memory(setup.limits)
    while True:
        _reply_to(receive(channel), channel, done, work, setup.limits)


def _reply_to(
    messages: list[memoryview],
    channel: socket.socket,
    done: memoryview[int],
    work: Callable[[Any], dict[str, Any]],
    limits: PageLimits,
) -> None:
    """Reply to records that came together: at once to one that fails, and where pages take long."""
    replies: list[bytes] = []
    since = time.monotonic()
    for number, message in enumerate(messages, 1):
        reply = _reply(work, message, limits)
        replies.append(pickle.dumps(reply, pickle.HIGHEST_PROTOCOL))
        done[0] += 1
        if number == len(messages) or reply.error or time.monotonic() - since > _PATIENCE:
            send(channel, *replies)
            replies = []
            since = time.monotonic()


def load(name: str) -> Callable[[Any], Callable[[Any], dict[str, Any]]]:
    """Import and return the object ``module:name``.

    Raises:
        OptionError: there is none.
    """
    module, _, attribute = name.partition(":")
    try:
        found: Callable[[Any], Callable[[Any], dict[str, Any]]] = getattr(
            load_module(module), attribute
        )
    except (ImportError, AttributeError, ValueError) as error:
        raise OptionError(f"extractor {name!r} can't be imported: {error}") from error
    return found


def _reply(work: Callable[[Any], dict[str, Any]], message: memoryview, limits: PageLimits) -> Reply:
    start = time.perf_counter()
    row: dict[str, Any] = {}
    error = detail = ""
    spent = int(time.process_time()) + 1  # the system counts whole seconds
    resource.setrlimit(resource.RLIMIT_CPU, (spent + limits.cpu, resource.RLIM_INFINITY))
    signal.setitimer(signal.ITIMER_REAL, limits.wall)
    try:
        row = work(pickle.loads(message))  # noqa: S301 - from the parent alone
    except MemoryError:
        error, detail = "memory", f"more than {limits.memory} MiB"
    except TimeLimitError as problem:
        error, detail = "time", str(problem)
    except PageError as problem:
        error, detail = "page", str(problem)
    except Exception as problem:  # noqa: BLE001 - one page's bug must not cost the run
        error, detail = "bug", f"{type(problem).__name__}: {problem}"
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // _PEAK
    return Reply(row, error, detail, peak, time.perf_counter() - start)


def _bound_memory(limits: PageLimits) -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    status = Path("/proc/self/statm")
    if status.exists():
        taken = int(status.read_text().split()[0]) * _PAGE
        bound = taken + (limits.memory << 20)
        resource.setrlimit(resource.RLIMIT_AS, (bound, bound))


if __name__ == "__main__":
    with contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError):  # no parent any more
        main(int(sys.argv[1]), int(sys.argv[2]))
