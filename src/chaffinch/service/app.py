"""The ASGI application of a service, and what every request passes.

That is an id, checks of where it comes from, its caller's limits, a log line. A browser lends its
reach to any page that it shows: a foreign page may send requests to this machine's loopback
address, and a name under its control may be resolved to it (DNS rebinding). So requests with a
foreign Host or Origin aren't answered.
"""

from __future__ import annotations

import gc
import hashlib
import hmac
import json
import logging
import time
import uuid
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Any, Final

from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from chaffinch.service.endpoints import ENDPOINTS, FRAMES, STATIC, document
from chaffinch.service.inspector.endpoints import INSPECTOR_ENDPOINTS, Inspector
from chaffinch.service.inspector.subjects import TaughtSite
from chaffinch.service.jobs import GivenPage
from chaffinch.service.problems import (
    FIELDS,
    LOG,
    MEDIA_TYPE,
    ProblemError,
    problem_of_status,
)
from chaffinch.service.reader import Reader
from chaffinch.service.requests import Bodies, Endpoint
from chaffinch.service.settings import ANYBODY, ServiceSettings, Token
from chaffinch.service.sites import SITE_ENDPOINTS, SiteStore
from chaffinch.service.work import CALLER

OPEN_PATHS: Final = frozenset({"/", *FRAMES, "/docs", "/openapi.json", "/health", "/ready"})
"""Paths that need no token, besides static files: they have nothing that isn't public."""
_FAILURES: Final = 10  # wrong tokens a minute from one address
_MOST_ADDRESSES: Final = 4096
_CHALLENGE: Final = {"WWW-Authenticate": 'Bearer realm="chaffinch"'}
_OWN_SITES: Final = frozenset({"", "same-origin", "none"})
_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"})
_HEADERS: Final = (
    (b"cache-control", b"no-store"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'; sandbox"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
)
"""Headers of every response that hasn't its own: what a page brings runs nowhere."""


class Callers:
    """The callers of a service and their use of it, minute by minute.

    A presented token is compared with every digest, so that the time doesn't reveal which one it
    resembles. Addresses from which wrong tokens come are slowed down.
    """

    def __init__(self, tokens: tuple[Token, ...]) -> None:
        self._tokens = tokens
        self._minute = -1
        self._calls: Counter[str] = Counter()
        self._failures: Counter[str] = Counter()
        self._running: Counter[str] = Counter()

    def caller(self, authorization: str, address: str) -> Token:
        if not self._tokens:
            return ANYBODY
        scheme, _, secret = authorization.partition(" ")
        digest = hashlib.sha256(secret.strip().encode("latin-1", "replace")).digest()
        found = None
        for token in self._tokens:
            if hmac.compare_digest(token.digest, digest):
                found = token
        if found is None or scheme.lower() != "bearer":
            if authorization and len(self._failures) < _MOST_ADDRESSES:
                self._take(self._failures, address, _FAILURES, "too many wrong tokens")
            raise ProblemError("unauthorized", "no valid bearer token came", headers=_CHALLENGE)
        return found

    def count(self, caller: Token) -> None:
        """Count a request, or a line of a stream."""
        if most := caller.per_minute:
            self._take(self._calls, caller.name, most, f"{most} requests a minute are allowed")

    def _take(self, counts: Counter[str], name: str, most: int, detail: str) -> None:
        now = time.monotonic()
        if now // 60 != self._minute:
            self._minute = int(now // 60)
            self._calls.clear()
            self._failures.clear()
        if counts[name] >= most:
            raise _too_many(detail, 60 - now % 60)
        counts[name] += 1

    @contextmanager
    def turn(self, caller: Token) -> Iterator[None]:
        """Count a request as one at a time, as long as it lasts."""
        if caller.at_once and self._running[caller.name] >= caller.at_once:
            raise _too_many(f"{caller.at_once} requests at a time are allowed", 1.0)
        self._running[caller.name] += 1
        try:
            yield
        finally:
            self._running[caller.name] -= 1


def _too_many(detail: str, wait: float) -> ProblemError:
    return ProblemError("too-many-requests", detail, headers={"Retry-After": str(int(wait) + 1)})


class Service:
    """What the endpoints of one service share."""

    def __init__(
        self,
        settings: ServiceSettings,
        reader: Reader | None,
        subject: GivenPage | TaughtSite | None,
    ) -> None:
        self.settings = settings
        self.reader = reader or Reader(settings)
        self.sites = SiteStore(settings.data / "sites") if settings.data is not None else None
        self.inspector = Inspector(settings, subject, self.sites)
        self.bodies = Bodies(settings)
        self.callers = Callers(settings.tokens)
        self.metrics = self.reader.metrics
        self.is_ready = False

    async def start(self) -> None:
        await self.reader.start()
        await self.inspector.start()
        gc.collect()
        gc.freeze()  # what is loaded stays: the collector needn't walk it again
        self.is_ready = True

    async def close(self) -> None:
        """End the children, once the pages in work are done."""
        self.is_ready = False
        await self.reader.close()
        await self.inspector.close()


def application(
    settings: ServiceSettings,
    reader: Reader | None = None,
    subject: GivenPage | TaughtSite | None = None,
) -> ASGIApp:
    service = Service(settings, reader, subject)
    endpoints = (*ENDPOINTS, *SITE_ENDPOINTS, *INSPECTOR_ENDPOINTS)
    mcp = None
    routes: list[BaseRoute] = [_route(one) for one in endpoints]
    if settings.serves_mcp or (settings.serves_mcp is None and find_spec("mcp") is not None):
        from chaffinch.service.mcp import PATH, HttpEntry, PageServer  # noqa: PLC0415  an extra

        mcp = PageServer(service.reader)
        routes.append(Route(PATH, HttpEntry(mcp, settings.body_bytes)))

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            if mcp is not None:
                await stack.enter_async_context(mcp.session_manager.run())
            stack.push_async_callback(service.close)
            await service.start()
            yield

    hosts = Middleware(TrustedHostMiddleware, allowed_hosts=settings.hosts, www_redirect=False)
    handlers: dict[Any, Any] = {HTTPException: _of_framework, Exception: _of_bug}
    app = Starlette(
        routes=routes, middleware=[hosts], exception_handlers=handlers, lifespan=lifespan
    )
    app.state.service = service
    app.state.openapi = document(endpoints, has_tokens=bool(settings.tokens))
    return Gate(app, service)


def _route(endpoint: Endpoint) -> Route:
    async def handle(request: Request) -> Response:
        request.state.route = endpoint.path
        return await endpoint.handler(request)

    return Route(endpoint.path, handle, methods=[endpoint.method])


async def _of_framework(_: Request, error: HTTPException) -> Response:
    problem = problem_of_status(error.status_code)
    problem.headers.update(error.headers or {})
    raise problem from error


async def _of_bug(_: Request, error: Exception) -> Response:
    """Leave an error to the gate, which answers every one."""
    raise error


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


class Gate:
    """The outermost of the service's ASGI applications."""

    def __init__(self, app: ASGIApp, service: Service) -> None:
        self._app = app
        self._callers = service.callers
        self._metrics = service.metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        visit = _Visit(scope, send)
        problem: ProblemError | None = None
        try:
            await self._answer(visit, receive)
        except Exception as error:
            problem = self._metrics.noted(error, visit.id)
            if visit.status:
                raise  # the server cuts the response off
            body = json.dumps(problem.values(visit.id), ensure_ascii=True)
            headers = {"content-type": MEDIA_TYPE, **problem.headers}
            await Response(body, problem.status, headers)(scope, receive, visit.send)
        finally:
            self._note(visit, problem)

    async def _answer(self, visit: _Visit, receive: Receive) -> None:
        headers = Headers(scope=visit.scope)
        _require_own_origin(headers)
        state = visit.scope.setdefault("state", {})
        state["request_id"] = visit.id
        path = visit.scope["path"]
        if path in OPEN_PATHS or path.startswith(STATIC):
            await self._app(visit.scope, receive, visit.send)
            return
        client = visit.scope.get("client")
        authorization = headers.get("authorization", "").strip()
        caller = self._callers.caller(authorization, client[0] if client else "")
        visit.caller = caller.name
        self._callers.count(caller)
        state["caller"] = caller
        CALLER.set(visit.id if caller is ANYBODY else caller.name)
        with self._callers.turn(caller):
            await self._app(visit.scope, receive, visit.send)

    def _note(self, visit: _Visit, problem: ProblemError | None) -> None:
        method = visit.scope["method"] if visit.scope["method"] in _METHODS else "other"
        route = str(visit.scope.get("state", {}).get("route", "other"))
        seconds = time.perf_counter() - visit.began
        self._metrics.count(route, method, visit.status, seconds)
        line = {
            "id": visit.id,
            "method": method,
            "route": route,
            "status": visit.status,
            "milliseconds": round(seconds * 1000, 1),
            "bytes": visit.size,
            "caller": visit.caller,
        }
        if problem is not None:
            line["problem"] = problem.kind
        level = logging.WARNING if visit.status >= 500 else logging.INFO  # noqa: PLR2004
        LOG.log(level, "request", extra={FIELDS: line})


def _require_own_origin(headers: Headers) -> None:
    for name in ("host", "origin", "authorization"):
        if len(headers.getlist(name)) > 1:
            close = {"Connection": "close"}
            detail = f"the header {name} is there several times"
            raise ProblemError("bad-request", detail, headers=close)
    origin = headers.get("origin", "")
    if origin and origin.partition("://")[2].lower() != headers.get("host", "").lower():
        raise ProblemError("foreign-origin", "the request comes from a page of another origin")
    if headers.get("sec-fetch-site", "").lower() not in _OWN_SITES:
        raise ProblemError("foreign-origin", "the request comes from a page of another site")
