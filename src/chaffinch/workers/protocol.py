"""What a parent and its guarded children share: limits, and messages over a socket."""

from __future__ import annotations

import socket
import struct
from dataclasses import dataclass, field, fields
from importlib.util import find_spec
from typing import Any, Final, NamedTuple

from chaffinch.errors import SetupError, require_whole

_LENGTH: Final = struct.Struct(">Q")

ONE_THREAD: Final = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"
)


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


@dataclass(frozen=True, kw_only=True)
class Setup:
    """The first message: what children run.

    The extractor is the ``module:name`` of a callable: recipe → function that processes a record.
    """

    extractor: str
    recipe: Any = field(repr=False)
    limits: PageLimits


class Reply(NamedTuple):
    """The result of one record."""

    row: dict[str, Any]  # the row's fields; empty where there is an error
    error: str  # kind of error, one of `chaffinch.corpus.table.ERRORS`; "" for none
    detail: str  # the error in words
    peak: int = 0  # the child's largest resident size so far, KiB
    seconds: float = 0.0  # time that the page took


def send(channel: socket.socket, message: bytes) -> None:
    channel.sendall(_LENGTH.pack(len(message)) + message)


def receive(channel: socket.socket) -> bytearray:
    (length,) = _LENGTH.unpack(_exactly(channel, _LENGTH.size))
    return _exactly(channel, length)


def _exactly(channel: socket.socket, count: int) -> bytearray:
    out = bytearray(count)
    view, done = memoryview(out), 0
    while done < count:
        got = channel.recv_into(view[done:], 0, socket.MSG_WAITALL)
        if not got:
            raise EOFError
        done += got
    return out


def require_unix(what: str) -> None:
    """Check that the system has the limits that guarded children and the service need."""
    if missing := [name for name in ("fcntl", "resource") if find_spec(name) is None]:
        raise SetupError(
            f"{what} needs limits of processes that only Unix has ({', '.join(missing)}): use Linux"
            " or macOS; on Windows, WSL or a container"
        )
