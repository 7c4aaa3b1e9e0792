"""The program of a guarded child: receives records from a socket, and replies to each.

Started by exec as ``python -m chaffinch.workers.child FD``, so that it shares nothing with threads
and libraries of its parent. The limits are enforced by the operating system: an alarm ends the
process where a page takes too long, even one that sleeps in C code and holds the interpreter's
lock; RLIMIT_CPU where it computes too long; RLIMIT_AS bounds its memory. No supervisor is needed,
and a child whose parent was killed ends as well, at the latest when its page is done.
"""

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

from chaffinch.errors import ChaffinchError, OptionError, PageError, SetupError, TimeLimitError
from chaffinch.lazy import load_module
from chaffinch.workers.protocol import PageLimits, Reply, Setup, receive, send

_PEAK = 1024 if sys.platform == "darwin" else 1  # ru_maxrss is in bytes on macOS, else in KiB


def main(descriptor: int) -> None:
    """Reply to records until the parent closes the socket."""
    channel = socket.socket(fileno=descriptor)
    setup: Setup = pickle.loads(receive(channel))  # noqa: S301 - from the parent alone
    try:
        work = _load(setup.extractor)(setup.recipe)
    except SetupError as error:
        send(channel, pickle.dumps(str(error)))
        return
    send(channel, pickle.dumps(None))
    gc.collect()
    gc.freeze()  # what is loaded stays: the collector needn't walk it again for each page
    _bound_memory(setup.limits)
    while True:
        reply = _reply(work, receive(channel), setup.limits)
        send(channel, pickle.dumps(reply, pickle.HIGHEST_PROTOCOL))


def _load(name: str) -> Callable[[Any], Callable[[Any], dict[str, Any]]]:
    module, _, attribute = name.partition(":")
    try:
        found: Callable[[Any], Callable[[Any], dict[str, Any]]] = getattr(
            load_module(module), attribute
        )
    except (ImportError, AttributeError, ValueError) as error:
        raise OptionError(f"extractor {name!r} can't be imported: {error}") from error
    return found


def _reply(work: Callable[[Any], dict[str, Any]], message: bytearray, limits: PageLimits) -> Reply:
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
        taken = int(status.read_text().split()[0]) * resource.getpagesize()
        bound = taken + (limits.memory << 20)
        resource.setrlimit(resource.RLIMIT_AS, (bound, bound))


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


if __name__ == "__main__":
    with contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError):  # no parent any more
        main(int(sys.argv[1]))
