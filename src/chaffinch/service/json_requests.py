"""The JSON body of a request, within the bounds of the service; whether it may change things."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from chaffinch.service.endpoint import service_of
from chaffinch.service.problems import ProblemError
from chaffinch.service.request_bodies import read_model, require_json

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.requests import Request

    from chaffinch.service.request_bodies import Model


@asynccontextmanager
async def json_body(request: Request, model: type[Model]) -> AsyncIterator[Model]:
    """Read a request's body; it counts as held, and the deadline runs, until the end.

    Raises:
        ProblemError: the body isn't JSON or too large, or the model doesn't take it.
    """
    require_json(request)
    service = service_of(request)
    async with service.bodies.body(request) as body, service.reader.deadline():
        yield read_model(model, body)


def require_writer(request: Request, what: str) -> None:
    """Check that the caller may change what the service keeps.

    Args:
        request: of the caller.
        what: is changed, such as ``sites``.

    Raises:
        ProblemError: it may not.
    """
    if not request.state.caller.writes:
        raise ProblemError("forbidden", f"this token may not change {what}")
