"""What a parent and its guarded child say to each other, over a socket."""

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
    """The first message: what the child is to do.

    Attributes:
        extractor: ``module:name`` of what makes the worker from the recipe.
        recipe: what the extractor is told; any picklable value.
        limits: of one page.
    """

    extractor: str
    recipe: Any = field(repr=False)
    limits: PageLimits


class Item(Protocol):
    """What children work on: picklable, and it says where it couldn't even be read.

    Attributes:
        error: kind of error if it can't be read, else "": then it goes to no child.
        detail: the error in words.
    """

    @property
    def error(self) -> str: ...  # noqa: D102 - an attribute
    @property
    def detail(self) -> str: ...  # noqa: D102 - an attribute


class Answer(NamedTuple):
    """What became of one record.

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


def send(line: socket.socket, message: bytes) -> None:
    """Send one message.

    Raises:
        OSError: the other side is gone, or doesn't take it in time.
    """
    line.sendall(_LENGTH.pack(len(message)))
    line.sendall(message)


def receive(line: socket.socket) -> bytes:
    """Return the next message.

    Raises:
        EOFError: the other side is gone.
        OSError: the line is broken, or the rest of a message doesn't come in time.
    """
    (length,) = _LENGTH.unpack(_exactly(line, _LENGTH.size))
    return bytes(_exactly(line, length))


def _exactly(line: socket.socket, count: int) -> bytearray:
    out = bytearray(count)
    view, done = memoryview(out), 0
    while done < count:
        got = line.recv_into(view[done:])
        if not got:
            raise EOFError
        done += got
    return out
