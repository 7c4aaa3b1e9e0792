"""HTTP/1.1 on a connection, with a limit of time for a request's head and one of connections.

Built on uvicorn's protocol over h11, which refuses what smuggling needs: several or bad lengths,
bad chunks, names with spaces. Added are what it lacks: a connection on which no head arrives in
time is closed, and so is one that goes on sending a body that nobody wants; what isn't HTTP gets
problem details.
"""

from __future__ import annotations

import json
import uuid
from typing import TYPE_CHECKING, Any, ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from chaffinch.service.problems import MEDIA_TYPE, ProblemError

if TYPE_CHECKING:
    import asyncio


class TimedProtocol(H11Protocol):
    """The protocol of one connection; `of` sets its limits."""

    header_seconds: ClassVar[float] = 10.0
    most_connections: ClassVar[int] = 16_000
    _timer: asyncio.TimerHandle | None = None

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
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        super().connection_lost(exc)
        self._stop_timer()

    def send_400_response(self, msg: str) -> None:
        """Answer what isn't HTTP."""
        del msg
        self._refuse(ProblemError("bad-request", "that isn't HTTP/1.1"))

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

    def _give_up(self) -> None:
        self._timer = None
        if self._waits and not self.transport.is_closing():
            self.transport.close()

    def _refuse(self, problem: ProblemError) -> None:
        """Answer with a problem, as far as a response can still begin, and close."""
        body = json.dumps(problem.values(str(uuid.uuid4()))).encode()
        headers: list[Any] = [
            ("content-type", MEDIA_TYPE),
            ("content-length", str(len(body))),
            ("connection", "close"),
        ]
        response = h11.Response(status_code=problem.status, headers=headers)
        try:
            for event in (response, h11.Data(data=body), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        except h11.LocalProtocolError:  # amid another response
            pass
        self.transport.close()
