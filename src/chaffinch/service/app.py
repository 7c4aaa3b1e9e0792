"""The ASGI application of a service."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.routing import Route

from chaffinch.service.gate import Gate
from chaffinch.service.general_endpoints import GENERAL_ENDPOINTS
from chaffinch.service.openapi import document
from chaffinch.service.page_endpoints import PAGE_ENDPOINTS
from chaffinch.service.problems import problem_of_status
from chaffinch.service.read_endpoints import READ_ENDPOINTS
from chaffinch.service.service import Service
from chaffinch.service.stream_endpoints import STREAM_ENDPOINTS

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.requests import Request
    from starlette.responses import Response

    from chaffinch.service.endpoint import Endpoint, Handler
    from chaffinch.service.settings import ServiceSettings


def endpoints_of(settings: ServiceSettings) -> tuple[Endpoint, ...]:
    """Return the endpoints of a service."""
    del settings
    return (*READ_ENDPOINTS, *PAGE_ENDPOINTS, *STREAM_ENDPOINTS, *GENERAL_ENDPOINTS)


def application(settings: ServiceSettings) -> Gate:
    """Return the application of a service; its children start with it.

    Raises:
        OptionError: the cache can't be written.
    """
    service = Service(settings)
    endpoints = endpoints_of(settings)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        await service.start()
        try:
            yield
        finally:
            await service.close()

    handlers: dict[Any, Any] = {HTTPException: _of_framework, Exception: _of_bug}
    app = Starlette(
        routes=[_route(one) for one in endpoints], exception_handlers=handlers, lifespan=lifespan
    )
    app.state.service = service
    app.state.openapi = document(endpoints, has_tokens=bool(settings.tokens))
    return Gate(app, settings, service.callers, service.metrics)


def _route(endpoint: Endpoint) -> Route:
    return Route(
        endpoint.path, _labelled(endpoint.path, endpoint.handler), methods=[endpoint.method]
    )


def _labelled(path: str, handler: Handler) -> Handler:
    """Return a handler that says in the state of its requests which route they took."""

    async def handle(request: Request) -> Response:
        request.state.route = path
        return await handler(request)

    return handle


async def _of_framework(_: Request, error: HTTPException) -> Response:
    """Raise the problem of a status that the framework answers with."""
    problem = problem_of_status(error.status_code)
    problem.headers.update(error.headers or {})
    raise problem from error


async def _of_bug(_: Request, error: Exception) -> Response:
    """Leave an error to the gate, which answers every one."""
    raise error
