"""Endpoints of the inspector: what was given to it, pages that are opened, and their views."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any, Final

from chaffinch.service.endpoint import Endpoint, answer, service_of
from chaffinch.service.inspector.inspector_models import (
    HeldOutput,
    HeldReasons,
    HeldView,
    OpenedPage,
)
from chaffinch.service.inspector.page_views import page_view
from chaffinch.service.json_requests import json_body
from chaffinch.service.page_endpoints import FETCHING
from chaffinch.service.problems import ProblemError
from chaffinch.service.request_bodies import JSON

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from chaffinch.service.endpoint import Handler
    from chaffinch.service.inspector.held_pages import HeldPage

_OBJECT: Final = {"type": "object"}


async def subject(request: Request) -> Response:
    """Answer with what the operator gave, kind ``none`` for nothing, and what callers may do."""
    service = service_of(request)
    given = service.subject
    values: dict[str, Any] = {"kind": "none", "address": "#/"}
    if given is not None:
        values = {"kind": given.kind, "address": given.address, **given.about()}
    values["rendering"] = service.settings.render
    values["sites"] = service.sites is not None
    values["writes"] = request.state.caller.writes
    return answer(json.dumps(values))


async def opened(request: Request) -> Response:
    """Answer with a page's rows, blocks and decision, and hold it for further views."""
    async with json_body(request, OpenedPage) as body:
        page = await _opened(request, body)
        options = {"images": body.images}
        made = await _view(request, "page", page, body.options, options)
    return answer(about_held(page) + made[1:])


def about_held(page: HeldPage) -> bytes:
    """Return the beginning of a page's view, its key, as JSON without an end."""
    return json.dumps({"held": page.key}).encode()[:-1] + b", "


async def _opened(request: Request, body: OpenedPage) -> HeldPage:
    service = service_of(request)
    caller = request.state.caller.name
    if body.page is not None:
        found = await service.reader.find(body.page)
        return service.held.hold(found.given, caller)
    if body.held is not None:
        held = service.held.page(body.held, caller)
        if body.render == "never":
            return held
        given = held.given
    elif service.subject is None:
        raise ProblemError("not-found", "nothing was given to be inspected")
    else:
        limits = service.reader.limits
        given = await asyncio.to_thread(service.subject.page, str(body.given), limits)
    found = await service.reader.find_source(given, body.render)
    return service.held.hold(found.given, caller)


async def _view(
    request: Request, name: str, page: HeldPage, decision: Any, options: dict[str, Any]
) -> bytes:
    given = {"decision": decision.given() if decision else {}, **options}
    made: bytes = await service_of(request).reader.queue.run(
        page_view, name, page.key, page.given, given
    )
    return made


def _held_view(name: str, model: type[HeldView]) -> Handler:
    """Return what answers with a view of a page that is held."""

    async def handle(request: Request) -> Response:
        service = service_of(request)
        async with json_body(request, model) as body:
            page = service.held.page(body.held, request.state.caller.name)
            options = body.model_dump(exclude_none=True, exclude={"held", "options"})
            made = await _view(request, name, page, body.options, options)
        return answer(made)

    return handle


_HELD_VIEWS: Final = (
    ("decision", HeldView, "Decide again, by other options, what of a held page is content."),
    ("reasons", HeldReasons, "Explain why a block of a held page was kept or dropped."),
    ("output", HeldOutput, "An output of a held page, in parts with the rows they came from."),
)

INSPECTOR_ENDPOINTS: Final = (
    Endpoint(
        method="GET",
        path="/v1/inspect",
        handler=subject,
        summary="What the operator gave to be inspected.",
        answers={JSON: _OBJECT},
    ),
    Endpoint(
        method="POST",
        path="/v1/inspect/page",
        handler=opened,
        summary="Open a page in the inspector: its rows, blocks and decision.",
        body=OpenedPage,
        answers={JSON: _OBJECT},
        problems=(*FETCHING, "not-found"),
    ),
    *(
        Endpoint(
            method="POST",
            path=f"/v1/inspect/{name}",
            handler=_held_view(name, model),
            summary=summary,
            body=model,
            answers={JSON: _OBJECT},
            problems=("page", "not-found"),
        )
        for name, model, summary in _HELD_VIEWS
    ),
)
