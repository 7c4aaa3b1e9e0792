"""HTTP/1.1 on a connection, with limits of time, of a request's head and of connections.

Built on uvicorn's protocol over httptools (llhttp), which refuses what smuggling needs: several or
bad lengths, bad chunks, names with spaces. Added are what it lacks: a head has a size, and so have
trailers and what else stands between the bytes of bodies; only a few requests wait behind the one
that is answered; a connection on which no head arrives in time is closed, and so is one that goes
on sending a body that nobody wants, or doesn't take its answer; what isn't HTTP gets problem
details.
"""

from __future__ import annotations

import json
import uuid
from typing import TYPE_CHECKING, ClassVar, Final

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from chaffinch.service.json_logs import FIELDS, LOG
from chaffinch.service.problems import MEDIA_TYPE, ProblemError

if TYPE_CHECKING:
    import asyncio

_MOST_HEAD: Final = 64 << 10
"""Bytes of a head, and of whatever comes between two pieces of a body."""
_MOST_WAITING: Final = 16
"""Requests that a client may have sent before the one that is answered is done."""
_MOST_UNREAD: Final = 256 << 10
"""Bytes of a body that may have come before the application reads them."""
_SEND_SECONDS: Final = 60.0
"""Seconds in which a client must take what is sent before the connection is given up."""


class _RefusedHeadError(Exception):
    """A head, or trailers, that are too large; the parser makes a problem of the request of it."""


class TimedProtocol(HttpToolsProtocol):
    """The protocol of one connection; `of` sets its limits."""

    header_seconds: ClassVar[float] = 10.0
    most_connections: ClassVar[int] = 16_000
    _timer: asyncio.TimerHandle | None = None
    _sending: asyncio.TimerHandle | None = None
    _head = 0  # bytes since the last piece of a body
    _is_in_head = False

    @classmethod
    def of(cls, *, header_seconds: float, most_connections: int) -> type[TimedProtocol]:
        """Return the protocol with its limits.

        Args:
            header_seconds: in which a head must have come.
            most_connections: further ones are refused.
        """
        limits = {"header_seconds": header_seconds, "most_connections": most_connections}
        return type("LimitedProtocol", (cls,), limits)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a head."""
        super().connection_made(transport)
        if len(self.connections) > self.most_connections:
            self._refuse(ProblemError("unavailable", "too many connections are open"))
            return
        self._watch()

    def data_received(self, data: bytes) -> None:
        """Take what has come."""
        if self.transport.is_closing():
            return
        self._head += len(data)
        super().data_received(data)
        if self._head > _MOST_HEAD + len(data):
            self.send_400_response("")
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        super().connection_lost(exc)
        self._stop_timer()
        self._stop_sending()

    def pause_writing(self) -> None:
        """Begin to wait for a client that doesn't take what is sent."""
        super().pause_writing()
        if self._sending is None:
            self._sending = self.loop.call_later(_SEND_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """Stop waiting for it."""
        super().resume_writing()
        self._stop_sending()

    def on_message_begin(self) -> None:
        """Begin a head."""
        super().on_message_begin()
        self._is_in_head, self._head_size = True, 0

    def on_url(self, url: bytes) -> None:
        """Take a piece of the address."""
        self._count_head(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header; trailers, which come after a head was judged, are left out."""
        self._count_head(len(name) + len(value))
        if self._is_in_head:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """End a head."""
        self._is_in_head, self._head = False, 0
        if len(self.pipeline) >= _MOST_WAITING:
            raise _RefusedHeadError
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Take a piece of the body; where it is the only one, the application gets it uncopied."""
        self._head = 0
        cycle = self.cycle
        if cycle.response_complete:
            return
        if not cycle.body:
            cycle.body = body  # type: ignore[assignment]  # read by `bytes`, which copies no bytes
        else:
            if isinstance(cycle.body, bytes):
                cycle.body = bytearray(cycle.body)
            cycle.body += body
        if len(cycle.body) > _MOST_UNREAD:
            self.flow.pause_reading()
        cycle.message_event.set()

    def on_message_complete(self) -> None:
        """End a request."""
        self._head = 0
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        """Answer what isn't HTTP."""
        del msg
        self._refuse(ProblemError("bad-request", "that isn't HTTP/1.1"))

    def _unsupported_upgrade_warning(self) -> None:
        """Log nothing: the request is answered as it is, and there is nothing to install."""

    def _count_head(self, size: int) -> None:
        self._head_size += size
        if self._head_size > _MOST_HEAD:
            raise _RefusedHeadError

    @property
    def _waits(self) -> bool:
        """Whether no request is being answered."""
        return self.cycle is None or self.cycle.response_complete

    def _watch(self) -> None:
        if not self._waits:
            self._stop_timer()
        elif self._timer is None and not self.transport.is_closing():
            self._timer = self.loop.call_later(self.header_seconds, self._give_up)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _stop_sending(self) -> None:
        if self._sending is not None:
            self._sending.cancel()
            self._sending = None

    def _give_up(self) -> None:
        self._timer = None
        if self._waits and not self.transport.is_closing():
            self.transport.close()

    def _refuse(self, problem: ProblemError) -> None:
        """Answer with a problem, as far as a response can still begin, and close."""
        begins = self._waits or not (self.pipeline or self.cycle.response_started)
        if begins and not self.transport.is_closing():
            if self.cycle is not None:  # what the application sends from now on reaches nobody
                self.cycle.disconnected = True
                self.cycle.message_event.set()
            request_id = str(uuid.uuid4())
            body = json.dumps(problem.values(request_id)).encode()
            head = (
                f"content-type: {MEDIA_TYPE}\r\ncontent-length: {len(body)}\r\n"
                f"x-request-id: {request_id}\r\nconnection: close\r\n\r\n"
            )
            fields = {"id": request_id, "status": problem.status, "problem": problem.kind}
            LOG.info("refused", extra={FIELDS: fields})
            self.transport.write(STATUS_LINE[problem.status] + head.encode() + body)
        self.transport.close()
