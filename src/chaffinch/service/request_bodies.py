"""Bodies of requests: bounded in size, in time, and in how much of all is held at once."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final, TypeVar, get_args

from pydantic import BaseModel, ValidationError
from starlette.requests import ClientDisconnect

from chaffinch.service.problems import ProblemError
from chaffinch.web.client import charset_of, media_type

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    from pydantic_core import ErrorDetails
    from starlette.requests import Request

    from chaffinch.service.settings import ServiceSettings

Model = TypeVar("Model", bound=BaseModel)

JSON: Final = "application/json"
PAGES: Final = frozenset({"text/html", "application/xhtml+xml"})
"""Media types of bodies that are pages."""

_MOST_ERRORS: Final = 20
_LONGEST_MESSAGE: Final = 300
_MIB: Final = 1 << 20


class HeldBodies:
    """The bodies that are held at a time, and their bound.

    Args:
        settings: of the service.
    """

    def __init__(self, settings: ServiceSettings) -> None:
        self._settings = settings
        self._held = 0

    @asynccontextmanager
    async def body(self, request: Request) -> AsyncIterator[bytes]:
        """Read a request's body, and count it as held as long as it is worked on.

        Raises:
            ProblemError: it is too large, comes too slowly or broken off, or too much is held.
        """
        most = self._settings.body_bytes
        length = request.headers.get("content-length", "")
        announced = int(length[:19]) if length.isdecimal() else most
        if announced > most:
            raise too_large(most)
        if request.headers.get("content-encoding", "identity").lower() != "identity":
            raise ProblemError("unsupported-media-type", "bodies are read without content coding")
        if self._held + announced > self._settings.bodies * _MIB:
            raise ProblemError("busy", "too many bodies are held", headers={"Retry-After": "1"})
        self._held += announced
        try:
            yield await self._read(request, most)
        finally:
            self._held -= announced

    async def _read(self, request: Request, most: int) -> bytes:
        pieces: list[bytes] = []
        size = 0
        try:
            async with asyncio.timeout(self._settings.body_seconds):
                async for piece in request.stream():
                    if piece:  # the last is empty, and a join of one piece copies nothing
                        pieces.append(piece)
                    size += len(piece)
                    if size > most:
                        raise too_large(most)
        except TimeoutError as error:
            seconds = self._settings.body_seconds
            close = {"Connection": "close"}
            raise ProblemError(
                "body-timeout", f"not here within {seconds:g} s", headers=close
            ) from error
        except ClientDisconnect as error:
            raise ProblemError("bad-request", "the body broke off") from error
        return b"".join(pieces)


def too_large(most: int) -> ProblemError:
    """Return the problem of a body, or of a line, of more than ``most`` bytes."""
    return ProblemError("too-large", f"more than {most:,} bytes")


def require_json(request: Request) -> None:
    """Check that a body is announced as JSON.

    Raises:
        ProblemError: it isn't.
    """
    if media_type(request.headers.get("content-type", "")) != JSON:
        raise ProblemError("unsupported-media-type", f"the body must be {JSON}")


def read_model(model: type[Model], body: bytes) -> Model:
    """Return the model that JSON holds.

    Raises:
        ProblemError: it isn't JSON, or the model doesn't take it; where and why is reported.
    """
    try:
        return model.model_validate_json(body)
    except ValidationError as error:
        raise invalid(error, model) from error


def read_query(model: type[Model], request: Request) -> Model:
    """Return the model that a query holds.

    Raises:
        ProblemError: a parameter is given twice, or the model doesn't take it.
    """
    given = request.query_params.multi_items()
    if len(dict(given)) < len(given):
        raise ProblemError("invalid", "a parameter is given twice")
    try:
        return model.model_validate(dict(given))
    except ValidationError as error:
        raise invalid(error, model) from error


def label_of(headers: Mapping[str, str]) -> str | None:
    """Return the charset of a body, if it is announced."""
    label = charset_of(headers.get("content-type", ""))
    return label[:64] if label else None


def invalid(error: ValidationError, model: type[BaseModel]) -> ProblemError:
    """Return the problem that a model has, without what was given."""
    found = error.errors(include_url=False, include_context=False, include_input=False)
    errors = [
        {
            "at": "/" + "/".join(str(part)[:_LONGEST_MESSAGE] for part in one["loc"]),
            "message": _message(one, model)[:_LONGEST_MESSAGE],
        }
        for one in found[:_MOST_ERRORS]
    ]
    if found and found[0]["type"] == "json_invalid":
        return ProblemError("bad-request", "the body isn't JSON that can be read", errors=errors)
    return ProblemError("invalid", "a value is impossible, missing or unknown", errors=errors)


def _message(error: ErrorDetails, model: type[BaseModel]) -> str:
    """Return what is wrong with a value; of an unknown field, which ones are known."""
    if error["type"] != "extra_forbidden":
        return error["msg"]
    known = {name for one in _models_at(model, error["loc"][:-1]) for name in one.model_fields}
    return "there is no such field" + (f"; known: {', '.join(sorted(known))}" if known else "")


def _models_at(model: type[BaseModel], place: tuple[int | str, ...]) -> list[type[BaseModel]]:
    """Return the models that may stand at a place below ``model``."""
    found = [model]
    for step in place:
        if isinstance(step, str):
            fields = [one.model_fields[step] for one in found if step in one.model_fields]
            found = [inner for one in fields for inner in _models_of(one.annotation)]
    return found


def _models_of(annotation: Any) -> list[type[BaseModel]]:
    """Return the models in a type, such as that of ``list[Model] | None``."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [one for inner in get_args(annotation) for one in _models_of(inner)]
