"""Endpoints of the inspector: what was given to it, pages that are opened, and their views."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any, Final

from chaffinch.service.endpoint import Endpoint, answer, service_of
from chaffinch.service.inspector.inspector_models import (
    HeldLayer,
    HeldOutput,
    HeldReasons,
    HeldVersions,
    HeldView,
    OpenedPage,
)
from chaffinch.service.inspector.page_views import page_view
from chaffinch.service.page_endpoints import FETCHING
from chaffinch.service.problems import ProblemError
from chaffinch.service.request_bodies import JSON, read_model, require_json

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from chaffinch.service.endpoint import Handler
    from chaffinch.service.inspector.held_pages import HeldPage

_OBJECT: Final = {"type": "object"}


async def subject(request: Request) -> Response:
    """Answer with what the operator gave to be inspected; kind ``none`` for nothing."""
    given = service_of(request).subject
    values: dict[str, Any] = {"kind": "none", "address": "#/"}
    if given is not None:
        values = {"kind": given.kind, "address": given.address, **given.about()}
    return answer(json.dumps({**values, "rendering": service_of(request).settings.render}))


async def opened(request: Request) -> Response:
    """Answer with a page's rows, blocks and decision, and hold it for further views."""
    require_json(request)
    service = service_of(request)
    async with service.bodies.body(request) as body, service.reader.deadline():
        asked = read_model(OpenedPage, body)
        page = await _opened(request, asked)
        options = {"images": asked.images}
        made = await _view(request, "page", page, asked.options, options)
    return answer(b'{"held": %b, ' % json.dumps(page.key).encode() + made[1:])


async def _opened(request: Request, asked: OpenedPage) -> HeldPage:
    service = service_of(request)
    caller = request.state.caller.name
    if asked.page is not None:
        found = await service.reader.find(asked.page)
        return service.held.hold(found.given, caller, is_rendered=found.is_rendered)
    if asked.held is not None:
        held = service.held.page(asked.held, caller)
        if asked.render == "never":
            return held
        given = held.given
    elif service.subject is None:
        raise ProblemError("not-found", "nothing was given to be inspected")
    else:
        name, limits = str(asked.given), service.reader.limits
        given = await asyncio.to_thread(service.subject.page, name, limits)
    found = await service.reader.find_source(given, asked.render)
    return service.held.hold(found.given, caller, is_rendered=found.is_rendered)


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
        require_json(request)
        service = service_of(request)
        async with service.bodies.body(request) as body, service.reader.deadline():
            asked = read_model(model, body)
            page = service.held.page(asked.held, request.state.caller.name)
            options = asked.model_dump(exclude_none=True, exclude={"held", "options"})
            if isinstance(asked, HeldVersions):
                options["other"] = service.held.page(asked.other, page.caller).given
            made = await _view(request, name, page, asked.options, options)
        return answer(made)

    return handle


_HELD_VIEWS: Final = (
    ("decision", HeldView, "Decide again, by other options, what of a held page is content."),
    ("reasons", HeldReasons, "Say why a block of a held page was kept or dropped."),
    ("layer", HeldLayer, "What a published method would keep of a held page."),
    ("vips", HeldView, "The visual blocks of a held page at each degree of coherence."),
    ("output", HeldOutput, "An output of a held page, in parts with the rows they came from."),
    ("difference", HeldVersions, "What of the content changed between two held pages."),
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
