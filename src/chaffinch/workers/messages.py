"""Messages between a parent and its guarded child, over a socket."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

if TYPE_CHECKING:
    import socket

    from chaffinch.workers.limits import PageLimits

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
    """A record that children process: picklable.

    Attributes:
        error: kind of error if it can't be read (then it is sent to no child), else "".
        detail: the error in words.
    """

    @property
    def error(self) -> str: ...  # noqa: D102 - an attribute
    @property
    def detail(self) -> str: ...  # noqa: D102 - an attribute


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


def send(channel: socket.socket, message: bytes) -> None:
    """Send one message.

    Raises:
        OSError: the other side has closed, or a timeout.
    """
    head = _LENGTH.pack(len(message))
    sent = channel.sendmsg([head, message])  # at once: the other side is woken once
    if sent < len(head):
        channel.sendall(head[sent:])
        sent = len(head)
    if sent < len(head) + len(message):
        channel.sendall(memoryview(message)[sent - len(head) :])


def receive(channel: socket.socket) -> bytes:
    """Return the next message.

    Raises:
        EOFError: the other side has closed.
        OSError: the connection is broken, or a timeout.
    """
    (length,) = _LENGTH.unpack(_exactly(channel, _LENGTH.size))
    return bytes(_exactly(channel, length))


def _exactly(channel: socket.socket, count: int) -> bytearray:
    out = bytearray(count)
    view, done = memoryview(out), 0
    while done < count:
        got = channel.recv_into(view[done:])
        if not got:
            raise EOFError
        done += got
    return out
