"""What every request passes: an id, checks of where it comes from, its caller's limits, a log line.

A browser lends its reach to any page that it shows: a foreign page may send requests to this
machine's loopback address, and a name under its control may be resolved to it (DNS rebinding). So
requests with a foreign Host or Origin aren't answered.
"""

from __future__ import annotations

import json
import logging
import re
import time
import uuid
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from chaffinch.service.callers import ANYBODY
from chaffinch.service.fair_shares import CALLER
from chaffinch.service.json_logs import FIELDS, LOG
from chaffinch.service.problems import MEDIA_TYPE, ProblemError, problem_of
from chaffinch.service.static_endpoints import FRAME, FRAME_WITH_IMAGES, STATIC

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from chaffinch.service.callers import Callers
    from chaffinch.service.metrics import Metrics
    from chaffinch.service.settings import ServiceSettings

OPEN_PATHS: Final = frozenset(
    {"/", FRAME, FRAME_WITH_IMAGES, "/docs", "/openapi.json", "/health", "/ready"}
)
"""Paths that need no token, besides static files: they have nothing that isn't public."""

_HOST: Final = re.compile(r"\A(\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9.-]{1,253})(?::\d{1,5})?\Z")
_OWN_SITES: Final = frozenset({"same-origin", "none"})
_HEADERS: Final = (
    (b"cache-control", b"no-store"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'; sandbox"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
)
"""Headers of every response that hasn't its own: what a page brings runs nowhere."""
_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"})


@dataclass
class _Visit:
    """A request in progress and what became of it."""

    scope: Scope
    send_on: Send
    id: str = field(default_factory=lambda: str(uuid.uuid4()))
    began: float = field(default_factory=time.perf_counter)
    status: int = 0
    size: int = 0
    caller: str = ""

    async def send(self, message: Message) -> None:
        """Send a part of the response, with the headers that all have."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
            own = message.get("headers", ())
            given = {name.lower() for name, _ in own}
            usual = [one for one in _HEADERS if one[0] not in given]
            message = {**message, "headers": [*own, (b"x-request-id", self.id.encode()), *usual]}
        else:
            self.size += len(message.get("body", b""))
        await self.send_on(message)

    async def send_problem(self, problem: ProblemError) -> None:
        """Answer with a problem."""
        body = json.dumps(problem.values(self.id), ensure_ascii=True).encode()
        headers = {
            "content-type": MEDIA_TYPE,
            "content-length": str(len(body)),
            **{name.lower(): value for name, value in problem.headers.items()},
        }
        pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
        await self.send({"type": "http.response.start", "status": problem.status, "headers": pairs})
        await self.send({"type": "http.response.body", "body": body})

    @property
    def route(self) -> str:
        """The path as it is declared."""
        return str(self.scope.get("state", {}).get("route", "other"))

    @property
    def seconds(self) -> float:
        """Time since its head."""
        return time.perf_counter() - self.began


class Gate:
    """The outermost of the service's ASGI applications.

    Args:
        app: what answers the requests that pass.
        settings: of the service.
        callers: who may call.
        metrics: where requests are counted.
    """

    def __init__(
        self, app: ASGIApp, settings: ServiceSettings, callers: Callers, metrics: Metrics
    ) -> None:
        self._app = app
        self._hosts = settings.hosts
        self._callers = callers
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        visit = _Visit(scope, send)
        failure: Exception | None = None
        try:
            await self._answer(visit, receive)
        except Exception as error:  # noqa: BLE001 - a bug in one request mustn't stop the others
            failure = error
        if failure is not None:
            await self._fail(visit, failure)
        self._note(visit, failure)

    async def _answer(self, visit: _Visit, receive: Receive) -> None:
        headers = _Headers(visit.scope)
        require_one_framing(headers)
        require_own_host(headers, self._hosts, visit.scope)
        require_own_origin(headers)
        client = visit.scope.get("client")
        state = visit.scope.setdefault("state", {})
        state["request_id"] = visit.id
        path = visit.scope["path"]
        if path in OPEN_PATHS or path.startswith(STATIC):
            await self._app(visit.scope, receive, visit.send)
            return
        caller = self._callers.caller(headers.one("authorization"), client[0] if client else "")
        visit.caller = caller.name
        self._callers.count(caller)
        state["caller"] = caller
        CALLER.set(visit.id if caller is ANYBODY else caller.name)
        with self._callers.turn(caller):
            await self._app(visit.scope, receive, visit.send)

    async def _fail(self, visit: _Visit, failure: Exception) -> None:
        problem = self._metrics.noted(failure, visit.id)
        if not visit.status:
            await visit.send_problem(problem)
        else:
            raise failure  # the server cuts the response off

    def _note(self, visit: _Visit, failure: Exception | None) -> None:
        method = visit.scope["method"]
        known = method if method in _METHODS else "other"
        self._metrics.count(visit.route, known, visit.status, visit.seconds)
        line = {
            "id": visit.id,
            "method": known,
            "route": visit.route,
            "status": visit.status,
            "milliseconds": round(visit.seconds * 1000, 1),
            "bytes": visit.size,
            "caller": visit.caller,
        }
        if failure is not None:
            line["problem"] = problem_of(failure).kind
        level = logging.WARNING if visit.status >= 500 else logging.INFO  # noqa: PLR2004
        LOG.log(level, "request", extra={FIELDS: line})


class _Headers:
    """Headers of a request."""

    def __init__(self, scope: Scope) -> None:
        self._values: dict[bytes, list[bytes]] = {}
        for name, value in scope["headers"]:  # names are in lower case, as ASGI has it
            self._values.setdefault(name, []).append(value)

    def one(self, name: str) -> str:
        """Return the value of a header that may be there once; "" for none.

        Raises:
            ProblemError: it is there several times.
        """
        values = self._values.get(name.encode(), [b""])
        if len(values) > 1:
            raise ProblemError(
                "bad-request", f"the header {name} is there several times", headers=_CLOSE
            )
        return values[0].decode("latin-1").strip()

    def has(self, name: str) -> bool:
        """Return whether a header is there."""
        return name.encode() in self._values


_CLOSE: Final = {"Connection": "close"}


def require_one_framing(headers: _Headers) -> None:
    """Check that the body has one length, so that no proxy takes it for another (RFC 9112, 6.3).

    Raises:
        ProblemError: it has two framings.
    """
    if headers.has("transfer-encoding") and headers.has("content-length"):
        raise ProblemError("bad-request", "Content-Length beside Transfer-Encoding", headers=_CLOSE)
    headers.one("transfer-encoding")


def require_own_host(headers: _Headers, hosts: frozenset[str], scope: Scope) -> None:
    """Check that the request is meant for this server.

    Args:
        headers: of the request.
        hosts: names of this server.
        scope: of the request; the address that it came in at is a name, too.

    Raises:
        ProblemError: it isn't.
    """
    found = _HOST.match(headers.one("host"))
    host = found[1].strip("[]").lower() if found else ""
    server = scope.get("server")
    if host not in hosts and not (server and host == server[0]):
        raise ProblemError("unknown-host", "this server doesn't answer under the name in Host")


def require_own_origin(headers: _Headers) -> None:
    """Check that no page of another origin sends the request.

    Raises:
        ProblemError: one does.
    """
    origin = headers.one("origin")
    if origin and origin.partition("://")[2].lower() != headers.one("host").lower():
        raise ProblemError("foreign-origin", "the request comes from a page of another origin")
    site = headers.one("sec-fetch-site")
    if site and site.lower() not in _OWN_SITES:
        raise ProblemError("foreign-origin", "the request comes from a page of another site")
