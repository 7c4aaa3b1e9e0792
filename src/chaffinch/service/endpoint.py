"""One endpoint: what routes, the OpenAPI document and the documentation know of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from starlette.requests import Request
from starlette.responses import Response

from chaffinch.service.request_bodies import JSON

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic import BaseModel

    from chaffinch.service.service import Service

Handler = Callable[[Request], Awaitable[Response]]

RECORD: Final = "Record"
"""Name of the schema of a page's record."""


@dataclass(frozen=True, kw_only=True)
class Endpoint:
    """One endpoint.

    Attributes:
        method: of HTTP.
        path: with names of its parts in braces.
        handler: answers a request.
        summary: what it does, in a sentence.
        body: model of the body, as JSON; None for no body.
        body_types: further media types of the body.
        query: model of the query.
        answers: media type → schema of the answer; a name of a schema, or the schema.
        problems: kinds of problems besides those that all have.
    """

    method: str
    path: str
    handler: Handler
    summary: str
    body: type[BaseModel] | None = None
    body_types: tuple[str, ...] = (JSON,)
    query: type[BaseModel] | None = None
    answers: Mapping[str, str | Mapping[str, Any]]
    problems: tuple[str, ...] = ()


def service_of(request: Request) -> Service:
    """Return the service that a request is answered by."""
    service: Service = request.app.state.service
    return service


def answer(
    body: bytes | str, media_type: str = JSON, headers: Mapping[str, str] | None = None
) -> Response:
    """Return a response; text is UTF-8."""
    kind = f"{media_type}; charset=utf-8" if media_type.startswith("text/") else media_type
    return Response(body, headers={"content-type": kind, **(headers or {})})
