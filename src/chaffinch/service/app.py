"""The ASGI application of a service."""

from __future__ import annotations

from contextlib import AsyncExitStack, asynccontextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.routing import Route

from chaffinch.service.gate import Gate
from chaffinch.service.general_endpoints import GENERAL_ENDPOINTS
from chaffinch.service.inspector.inspector_endpoints import INSPECTOR_ENDPOINTS
from chaffinch.service.inspector.site_endpoints import OPEN_SITE_ENDPOINTS
from chaffinch.service.openapi import document
from chaffinch.service.page_endpoints import PAGE_ENDPOINTS
from chaffinch.service.problems import problem_of_status
from chaffinch.service.read_endpoints import READ_ENDPOINTS
from chaffinch.service.service import Service
from chaffinch.service.site_endpoints import SITE_ENDPOINTS
from chaffinch.service.static_endpoints import STATIC_ENDPOINTS
from chaffinch.service.stream_endpoints import STREAM_ENDPOINTS

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import BaseRoute

    from chaffinch.service.endpoint import Endpoint, Handler
    from chaffinch.service.inspector.subjects import Subject
    from chaffinch.service.reader import Reader
    from chaffinch.service.settings import ServiceSettings


ENDPOINTS: Final = (
    *READ_ENDPOINTS,
    *PAGE_ENDPOINTS,
    *STREAM_ENDPOINTS,
    *SITE_ENDPOINTS,
    *INSPECTOR_ENDPOINTS,
    *OPEN_SITE_ENDPOINTS,
    *GENERAL_ENDPOINTS,
    *STATIC_ENDPOINTS,
)
"""All endpoints but that of MCP."""


def application(
    settings: ServiceSettings, reader: Reader | None = None, subject: Subject | None = None
) -> Gate:
    """Return the application of a service; its children start with it.

    Args:
        settings: of the operator.
        reader: what reads the pages; None for the usual one.
        subject: what the inspector shows of the operator's own; None for nothing.

    Raises:
        OptionError: the folder for data can't be written to.
        MissingExtraError: MCP is to be answered, and its package isn't installed.
    """
    service = Service(settings, reader, subject)
    mcp = None
    routes: list[BaseRoute] = [_route(one) for one in ENDPOINTS]
    if settings.serves_mcp or (settings.serves_mcp is None and find_spec("mcp") is not None):
        from chaffinch.service.mcp_server import PATH, HttpEntry, PageServer  # noqa: PLC0415

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

    handlers: dict[Any, Any] = {HTTPException: _of_framework, Exception: _of_bug}
    app = Starlette(routes=routes, exception_handlers=handlers, lifespan=lifespan)
    app.state.service = service
    app.state.openapi = document(ENDPOINTS, has_tokens=bool(settings.tokens))
    return Gate(app, settings, service.callers, service.metrics)


def _route(endpoint: Endpoint) -> Route:
    return Route(
        endpoint.path, _labelled(endpoint.path, endpoint.handler), methods=[endpoint.method]
    )


def _labelled(path: str, handler: Handler) -> Handler:
    """Return a handler that records in the state of its requests which route they took."""

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
