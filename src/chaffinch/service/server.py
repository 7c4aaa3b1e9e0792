"""The server process: uvicorn with the service's application, and what every request passes.

That is an id, checks of where it comes from, its caller, a log line. A browser lends its reach to
any page that it shows: a foreign page may send requests to this machine's loopback address, and a
name under its control may be resolved to it (DNS rebinding). So requests with a foreign Host or
Origin aren't answered.
"""

from __future__ import annotations

import gc
import hashlib
import hmac
import json
import logging
import resource
import socket
import time
import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from importlib.util import find_spec
from typing import Any, Final

from chaffinch.errors import SetupError, from_extra

with from_extra("serve"):
    import uvicorn
    from starlette.applications import Starlette
    from starlette.datastructures import Headers
    from starlette.exceptions import HTTPException
    from starlette.middleware import Middleware
    from starlette.middleware.trustedhost import TrustedHostMiddleware
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import BaseRoute, Route
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from chaffinch.service.endpoints import FRAME, STATIC, document
    from chaffinch.service.inspector.endpoints import Inspector
    from chaffinch.service.reader import Reader

from chaffinch.service.jobs import GivenPage, TaughtSite
from chaffinch.service.problems import FIELDS, LOG, MEDIA_TYPE, OF_STATUS, ProblemError, log_as_json
from chaffinch.service.requests import ENDPOINTS, Bodies
from chaffinch.service.settings import ANYBODY, ServiceSettings, Token
from chaffinch.service.work import CALLER
from chaffinch.wording import failing_as

_GRACE: Final = 5  # seconds beyond the deadline until requests in work are given up
_KEPT_ALIVE: Final = 15  # seconds for which an idle connection stays open
_BACKLOG: Final = 4096
_CONNECTIONS: Final = 16_000
_FILES: Final = 200  # descriptors besides those of connections
_OPEN_PATHS: Final = frozenset({"/", FRAME, "/openapi.json", "/health", "/ready"})
"""Paths that need no token, besides static files: they have nothing that isn't public."""
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


def serve(
    settings: ServiceSettings,
    subject: GivenPage | TaughtSite | None = None,
    when_listening: Callable[[str], object] = str,
    *,
    logs_requests: bool = True,
) -> None:
    """Answer requests until a signal to stop; what was accepted is answered first.

    Args:
        settings: of the operator.
        subject: what the inspector shows of the operator's own; None for nothing.
        when_listening: called with the service's address once connections are taken.
        logs_requests: whether each request has a line in the log, or only what goes wrong.

    Raises:
        SetupError: the address can't be listened at, or something is missing.
    """
    log_as_json(logging.INFO if logs_requests else logging.WARNING)
    most, hard = _CONNECTIONS + _FILES, resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    files = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, hard))
    host = settings.host.strip("[]")
    with failing_as(SetupError, f"can't listen at {host}:{settings.port}"):
        family = socket.getaddrinfo(host, settings.port, type=socket.SOCK_STREAM)[0][0]
        listener = socket.create_server((host, settings.port), family=family, backlog=_BACKLOG)
    with listener:
        config = uvicorn.Config(
            _application(settings, subject),
            ws="none",
            lifespan="on",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            backlog=_BACKLOG,
            limit_concurrency=_CONNECTIONS,
            timeout_keep_alive=_KEPT_ALIVE,
            timeout_graceful_shutdown=settings.deadline + _GRACE,
        )
        host, port = listener.getsockname()[:2]
        address = f"http://{f'[{host}]' if ':' in host else host}:{port}"
        LOG.info("listening", extra={FIELDS: {"address": address}})
        when_listening(address)
        uvicorn.Server(config).run(sockets=[listener])


class Service:
    """What the endpoints of one service share."""

    def __init__(self, settings: ServiceSettings, subject: GivenPage | TaughtSite | None) -> None:
        self.settings = settings
        self.reader = Reader(settings)
        self.inspector = Inspector(self.reader, subject)
        self.bodies = Bodies(settings.body_bytes)
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


def _application(settings: ServiceSettings, subject: GivenPage | TaughtSite | None) -> ASGIApp:
    service = Service(settings, subject)
    mcp = None
    routes: list[BaseRoute] = [
        Route(one.path, one.respond, methods=[one.method], max_body_size=settings.body_bytes)
        for one in ENDPOINTS
    ]
    if settings.serves_mcp or (settings.serves_mcp is None and find_spec("mcp") is not None):
        from chaffinch.service.mcp import PageServer  # noqa: PLC0415  an extra

        mcp = PageServer(service.reader)
        routes += mcp.routes(settings.body_bytes)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            if mcp is not None:
                await stack.enter_async_context(mcp.session_manager.run())
            stack.push_async_callback(service.close)
            await service.start()
            yield

    hosts = Middleware(TrustedHostMiddleware, allowed_hosts=settings.hosts, www_redirect=False)
    handlers = dict.fromkeys((HTTPException, Exception), _leave_to_gate)
    app = Starlette(
        routes=routes, middleware=[hosts], exception_handlers=handlers, lifespan=lifespan
    )
    app.state.service = service
    app.state.openapi = document(ENDPOINTS, has_tokens=bool(settings.tokens))
    return _Gate(app, service, {one.endpoint: one.path for one in routes if isinstance(one, Route)})


async def _leave_to_gate(_: Request, error: Exception) -> Response:
    if not isinstance(error, HTTPException):
        raise error
    kind = "bad-request" if error.status_code < 500 else "bug"  # noqa: PLR2004
    kind, detail = OF_STATUS.get(error.status_code, (kind, error.detail))
    raise ProblemError(kind, detail, headers=error.headers) from error


class _Gate:
    """The outermost of the service's ASGI applications, which answers every error."""

    def __init__(self, app: ASGIApp, service: Service, paths: dict[Any, str]) -> None:
        self._app = app
        self._paths = paths  # by the endpoint that is at each
        self._tokens = service.settings.tokens
        self._metrics = service.metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request_id, began, status, size = str(uuid.uuid4()), time.perf_counter(), 0, 0
        state = scope.setdefault("state", {})
        state["request_id"] = request_id

        async def send_on(message: Message) -> None:
            """Send a part of the response, with the headers that all have."""
            nonlocal status, size
            if message["type"] == "http.response.start":
                status = message["status"]
                own = message.get("headers", ())
                given = {name.lower() for name, _ in own}
                usual = [one for one in _HEADERS if one[0] not in given]
                headers = [*own, (b"x-request-id", request_id.encode()), *usual]
                message = {**message, "headers": headers}
            size += len(message.get("body", b""))
            await send(message)

        line: dict[str, Any] = {}
        try:
            self._admit(scope, state)
            await self._app(scope, receive, send_on)
        except Exception as error:
            problem = self._metrics.noted(error, request_id)
            line["problem"] = problem.kind
            if status:
                raise  # the server cuts the response off
            body = json.dumps(problem.values(request_id), ensure_ascii=True)
            headers = {"content-type": MEDIA_TYPE, **problem.headers}
            await Response(body, problem.status, headers)(scope, receive, send_on)
        finally:
            method = scope["method"] if scope["method"] in _METHODS else "other"
            route = self._paths.get(scope.get("endpoint"), "other")
            seconds = time.perf_counter() - began
            self._metrics.count(route, method, status, seconds)
            line |= {
                "id": request_id,
                "method": method,
                "route": route,
                "status": status,
                "milliseconds": round(seconds * 1000, 1),
                "bytes": size,
                "caller": state["caller"].name if "caller" in state else "",
            }
            level = logging.WARNING if status >= 500 else logging.INFO  # noqa: PLR2004
            LOG.log(level, "request", extra={FIELDS: line})

    def _admit(self, scope: Scope, state: dict[str, Any]) -> None:
        headers, path = Headers(scope=scope), scope["path"]
        _require_own_origin(headers)
        if path not in _OPEN_PATHS and not path.startswith(STATIC):
            caller = ANYBODY
            if self._tokens:
                caller = _caller(self._tokens, headers.get("authorization", ""))
            state["caller"] = caller
            CALLER.set(state["request_id"] if caller is ANYBODY else caller.name)


def _caller(tokens: tuple[Token, ...], authorization: str) -> Token:
    """Return the token that is presented.

    It is compared with every digest, so that the time doesn't reveal which one it resembles.
    """
    scheme, _, secret = authorization.strip().partition(" ")
    digest = hashlib.sha256(secret.strip().encode("latin-1", "replace")).digest()
    found = [token for token in tokens if hmac.compare_digest(token.digest, digest)]
    if not found or scheme.lower() != "bearer":
        raise ProblemError("unauthorized", "no valid bearer token came", headers=_CHALLENGE)
    return found[0]


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
