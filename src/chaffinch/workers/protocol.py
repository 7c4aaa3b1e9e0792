"""What a parent and its guarded children share: limits, and messages over a socket."""

from __future__ import annotations

import mmap
import os
import socket
import struct
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from importlib.util import find_spec
from typing import Any, Final, NamedTuple, Protocol

from chaffinch.errors import SetupError, require_whole

AT_ONCE: Final = 16
"""Messages that are sent together at most."""

_LENGTH: Final = struct.Struct(">Q")
_HEAD: Final = struct.Struct(">QQ")
"""How many messages are sent together, and the bytes of their lengths and of themselves."""
_TIMEVAL: Final = struct.Struct("@ll")
"""Seconds and microseconds, as the system has them."""


@dataclass(frozen=True, kw_only=True)
class Setup:
    """The first message: what children run.

    The extractor is the ``module:name`` of a callable: recipe → function that processes a record.
    """

    extractor: str
    recipe: Any = field(repr=False)
    limits: PageLimits


class Item(Protocol):
    """A record that children process; one with an error can't be read, and is sent to none."""

    @property
    def error(self) -> str: ...
    @property
    def detail(self) -> str: ...

    def message(self) -> bytes: ...


class Reply(NamedTuple):
    """The result of one record.

    Attributes:
        row: the row's fields; empty where there is an error.
        error: kind of error, one of `chaffinch.corpus.table.ERRORS`; "" for none.
        detail: the error in words.
        peak: the child's largest resident size so far, KiB.
        seconds: time that the page took.
    """

    row: dict[str, Any]
    error: str
    detail: str
    peak: int = 0
    seconds: float = 0.0


def mapped_counter(descriptor: int) -> memoryview[int]:
    """Return the counter of pages done that parent and child share: a file of one number."""
    os.truncate(descriptor, _LENGTH.size)
    return memoryview(mmap.mmap(descriptor, _LENGTH.size)).cast("Q")


def bound_waiting(channel: socket.socket, seconds: float) -> None:
    """Let the system end what waits longer for the other side by a `BlockingIOError`.

    `settimeout` would poll before each call.
    """
    whole = int(seconds)
    limit = _TIMEVAL.pack(whole, int((seconds - whole) * 1e6))
    for side in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):
        channel.setsockopt(socket.SOL_SOCKET, side, limit)


def send(channel: socket.socket, *messages: bytes) -> None:
    """Send messages at once: the other side is woken once."""
    outbox = Outbox(channel)
    outbox.add(messages)
    outbox.send(flags=0)


class Outbox:
    """Messages on their way to the other side, which needn't read them now."""

    def __init__(self, channel: socket.socket) -> None:
        self._channel = channel
        self._parts: list[bytes | memoryview] = []

    def __bool__(self) -> bool:
        return bool(self._parts)

    def add(self, messages: Sequence[bytes]) -> None:
        lengths = list(map(len, messages))
        size = _LENGTH.size * len(messages) + sum(lengths)
        head = _HEAD.pack(len(messages), size) + b"".join(map(_LENGTH.pack, lengths))
        self._parts += head, *messages

    def send(self, *, flags: int = socket.MSG_DONTWAIT) -> bool:
        """Send what the system takes, without flags all, and return whether that was something."""
        has_sent = False
        while self._parts:
            try:
                sent = self._channel.sendmsg(self._parts, (), flags)
            except BlockingIOError:
                if not flags:
                    raise
                break
            has_sent = True
            self._parts = _after(self._parts, sent)
        return has_sent


def _after(parts: Sequence[bytes | memoryview], sent: int) -> list[bytes | memoryview]:
    for number, part in enumerate(parts):
        if sent < len(part):
            return [memoryview(part)[sent:], *parts[number + 1 :]]
        sent -= len(part)
    return []


def receive(channel: socket.socket) -> list[memoryview]:
    """Return the next messages that were sent at once, parts of one piece of memory."""
    count, size = _HEAD.unpack(_exactly(channel, _HEAD.size))
    body = memoryview(_exactly(channel, size))
    at = count * _LENGTH.size
    messages = []
    for (length,) in _LENGTH.iter_unpack(body[:at]):
        messages.append(body[at : at + length])
        at += length
    return messages


def _exactly(channel: socket.socket, count: int) -> bytearray:
    out = bytearray(count)
    view, done = memoryview(out), 0
    while done < count:
        got = channel.recv_into(view[done:], 0, socket.MSG_WAITALL)
        if not got:
            raise EOFError
        done += got
    return out


@dataclass(frozen=True, kw_only=True)
class PageLimits:
    """Limits for one page in its child; docs/workers.md says how each is enforced.

    Attributes:
        wall: seconds of elapsed time.
        cpu: seconds of processor time.
        memory: MiB in addition to what the loaded program uses.
        size: MiB of a page, unpacked; a larger one is an error of kind ``page``.

    Raises:
        OptionError: one is below 1.
    """

    wall: int = 60
    cpu: int = 30
    memory: int = 3072
    size: int = 64

    def __post_init__(self) -> None:
        for one in fields(self):
            require_whole(one.name, getattr(self, one.name), 1)


_MODULES: Final = ("fcntl", "resource")


def require_unix(what: str) -> None:
    """Check that the system has the limits that guarded children and the service need."""
    if missing := [name for name in _MODULES if find_spec(name) is None]:
        raise SetupError(
            f"{what} needs limits of processes that only Unix has ({', '.join(missing)}): use Linux"
            " or macOS; on Windows, WSL or a container"
        )


ONE_THREAD: Final = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"
)
