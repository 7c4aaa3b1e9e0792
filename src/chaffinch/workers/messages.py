"""Messages between a parent and its guarded child, over a socket."""

from __future__ import annotations

import mmap
import os
import struct
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

if TYPE_CHECKING:
    import socket

    from chaffinch.workers.limits import PageLimits

AT_ONCE: Final = 8
"""Messages that are sent together at most."""

_LENGTH: Final = struct.Struct(">Q")


@dataclass(frozen=True, kw_only=True)
class Setup:
    """The first message: extractor, recipe and limits.

    Attributes:
        extractor: ``module:name`` of a callable: recipe → function that processes a record.
        recipe: options of the extractor; any picklable value.
        limits: of one page.
    """

    extractor: str
    recipe: Any = field(repr=False)
    limits: PageLimits


class Item(Protocol):
    """A record that children process.

    Attributes:
        error: kind of error if it can't be read (then it is sent to no child), else "".
        detail: the error in words.
    """

    @property
    def error(self) -> str: ...  # noqa: D102 - an attribute
    @property
    def detail(self) -> str: ...  # noqa: D102 - an attribute

    def message(self) -> bytes:
        """Return what is sent to a child, pickled."""
        ...


class Reply(NamedTuple):
    """The result of one record.

    Attributes:
        row: the row's fields; empty where there is an error.
        error: kind of error, one of `chaffinch.batch.schema.ERRORS`; "" for none.
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
    """Return the counter of pages done that parent and child share: one number, of 8 bytes.

    Args:
        descriptor: of a file, which becomes as long as that.
    """
    os.truncate(descriptor, _LENGTH.size)
    return memoryview(mmap.mmap(descriptor, _LENGTH.size)).cast("Q")


def send(channel: socket.socket, *messages: bytes) -> None:
    """Send messages at once: the other side is woken once.

    Raises:
        OSError: the other side has closed, or a timeout.
    """
    head = b"".join(map(_LENGTH.pack, (len(messages), *map(len, messages))))
    sent = channel.sendmsg([head, *messages])
    for part in (head, *messages):
        if sent < len(part):
            channel.sendall(memoryview(part)[sent:])
        sent = max(0, sent - len(part))


def receive(channel: socket.socket) -> list[bytearray]:
    """Return the next messages that were sent at once.

    Raises:
        EOFError: the other side has closed.
        OSError: the connection is broken, or a timeout.
    """
    (count,) = _LENGTH.unpack(_exactly(channel, _LENGTH.size))
    lengths = _LENGTH.iter_unpack(_exactly(channel, count * _LENGTH.size))
    return [_exactly(channel, length) for (length,) in lengths]


def _exactly(channel: socket.socket, count: int) -> bytearray:
    out = bytearray(count)
    view, done = memoryview(out), 0
    while done < count:
        got = channel.recv_into(view[done:])
        if not got:
            raise EOFError
        done += got
    return out
