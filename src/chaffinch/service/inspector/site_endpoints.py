"""Endpoints of a site that is open, the operator's or a kept one: its views, and rules kept."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from chaffinch.service.endpoint import Endpoint, answer, service_of
from chaffinch.service.inspector.inspector_endpoints import about_held
from chaffinch.service.inspector.site_models import (
    FromNumber,
    KeptRule,
    MarkedElements,
    NumberedPage,
    OfSite,
    RemovedRule,
)
from chaffinch.service.json_requests import json_body, require_writer
from chaffinch.service.problems import ProblemError
from chaffinch.service.request_bodies import JSON
from chaffinch.site.rules import Rule
from chaffinch.site.teach import with_rule, without_rule

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starlette.requests import Request
    from starlette.responses import Response

    from chaffinch.service.endpoint import Handler
    from chaffinch.service.inspector.site_work import SiteWork

    Maker = Callable[[Request, SiteWork, Any], Awaitable[bytes]]

_OBJECT: Final = {"type": "object"}
_PROBLEMS: Final = ("not-found", "page")
_CHANGES: Final = (*_PROBLEMS, "forbidden", "precondition-failed")


def _handler(model: type[OfSite], make: Maker) -> Handler:
    """Return what answers with a view of a site."""

    async def handle(request: Request) -> Response:
        sites = service_of(request).open_sites
        async with json_body(request, model) as body:
            work = await asyncio.to_thread(sites.work, body.site)
            return answer(await make(request, work, body))

    return handle


async def _overview(_: Request, work: SiteWork, _asked: OfSite) -> bytes:
    made = await work.view("overview", {})
    pages = await asyncio.to_thread(lambda: work.subject.pages)
    names = json.dumps([one.name for one in pages]).encode()
    return b'{"names": %b, ' % names + made[1:]


async def _pages(_: Request, work: SiteWork, body: FromNumber) -> bytes:
    return await work.read(body.start)


async def _page(request: Request, work: SiteWork, body: NumberedPage) -> bytes:
    given = await asyncio.to_thread(work.given, body.number)
    held = service_of(request).held.hold(given, request.state.caller.name)
    options = {"number": body.number, "given": given, "images": body.images}
    made = await work.view("page", options, needed=body.number + 1)
    return about_held(held) + made[1:]


async def _propose(_: Request, work: SiteWork, body: MarkedElements) -> bytes:
    return await _on_all_pages(work, "propose", body)


async def _on_all_pages(work: SiteWork, name: str, body: OfSite) -> bytes:
    pages = await asyncio.to_thread(lambda: work.subject.pages)
    return await work.view(name, body.model_dump(exclude={"site"}), needed=len(pages))


async def _keep(request: Request, work: SiteWork, body: KeptRule) -> bytes:
    """Write a rule that goes against no mark; it is tried once more, not taken on trust."""
    require_writer(request, "sites")
    tried = MarkedElements(marks=body.marks, select=body.select)
    made = json.loads(await _on_all_pages(work, "propose", tried))
    found = [one for one in made["candidates"] if one["template"] == body.template]
    if not found:
        found = [one for one in made["candidates"] if not one["template"]]
    if not found or found[0]["against"]:
        raise ProblemError("invalid", "the rule would go against a mark")
    share = round(_share(found[0]), 3)
    rule = Rule(kind=made["kind"], select=body.select, by_hand=True, taught=_today(), share=share)
    change = partial(with_rule, rule=rule, template=body.template)
    await asyncio.to_thread(work.subject.edit, change, body.version)
    return await _overview(request, work, OfSite())


def _share(candidate: dict[str, Any]) -> float:
    return float(candidate["pages"]) / max(int(candidate["of"]), 1)


def _today() -> str:
    return datetime.now(tz=UTC).date().isoformat()


async def _remove(request: Request, work: SiteWork, body: RemovedRule) -> bytes:
    require_writer(request, "sites")
    change = partial(without_rule, kind=body.kind, select=body.select, template=body.template)
    await asyncio.to_thread(work.subject.edit, change, body.version)
    return await _overview(request, work, OfSite())


_VIEWS: Final[tuple[tuple[str, type[OfSite], Maker, str], ...]] = (
    ("overview", OfSite, _overview, "What the model of the open site holds, and its drift."),
    ("pages", FromNumber, _pages, "Read a portion of the open site's pages; how each fares."),
    ("page", NumberedPage, _page, "Open a page of the open site, with the verdicts of both modes."),
    ("propose", MarkedElements, _propose, "Try the selectors of a marked element on all pages."),
)
_EDITS: Final[tuple[tuple[str, type[OfSite], Maker, str], ...]] = (
    ("keep", KeptRule, _keep, "Write a rule into the open site's file."),
    ("remove", RemovedRule, _remove, "Take a person's rule out of the open site's file."),
)

OPEN_SITE_ENDPOINTS: Final = tuple(
    Endpoint(
        method="POST",
        path=f"/v1/inspect/site/{name}",
        handler=_handler(model, make),
        summary=summary,
        body=model,
        answers={JSON: _OBJECT},
        problems=problems,
    )
    for views, problems in ((_VIEWS, _PROBLEMS), (_EDITS, _CHANGES))
    for name, model, make, summary in views
)
