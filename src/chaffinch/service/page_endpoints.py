"""Endpoints that make something of one page that is sent or named: extract, explain, diff."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from chaffinch.service.endpoint import RECORD, Endpoint, answer, service_of
from chaffinch.service.json_requests import json_body
from chaffinch.service.page_jobs import GivenPage
from chaffinch.service.reader import FoundPage
from chaffinch.service.request_bodies import JSON, PAGES, label_of, read_query
from chaffinch.service.request_models import (
    BodyQuery,
    ExplainedPage,
    ExtractQuery,
    FindingQuery,
    PageGiven,
    TwoVersions,
)
from chaffinch.web.client import media_type

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic import BaseModel
    from starlette.requests import Request
    from starlette.responses import Response

    from chaffinch.service.endpoint import Handler

_OBJECT: Final[Mapping[str, Any]] = {"type": "object"}
FETCHING: Final = ("refused-address", "robots", "fetch", "page")
"""Kinds of problems of a page that is fetched."""


async def extract(request: Request) -> Response:
    """Answer with the record of a page."""
    return await _made(request, "record", PageGiven, ExtractQuery)


async def explain(request: Request) -> Response:
    """Answer with why each block of a page was kept or dropped."""
    return await _made(request, "explain", ExplainedPage, FindingQuery)


async def diff(request: Request) -> Response:
    """Answer with what of the content changed between two versions of a page."""
    reader = service_of(request).reader
    async with json_body(request, TwoVersions) as body:
        options = body.options.given() if body.options else {}
        old, new = [await reader.find(one) for one in (body.old, body.new)]
        made = await reader.make(
            "difference", old.given, {**options, "other": new.given, "links": body.links}
        )
    return answer(made)


async def _made(
    request: Request,
    job: str,
    body_model: type[PageGiven | ExplainedPage],
    query_model: type[BodyQuery],
) -> Response:
    """Answer with what a job makes of the page that a request names or is."""
    service = service_of(request)
    reader = service.reader
    if media_type(request.headers.get("content-type", "")) in PAGES:
        async with service.bodies.body(request) as body, reader.deadline():
            query = read_query(query_model, request)
            found = _body_page(request, body, query.url)
            made = await reader.make(job, found.given, query.given())
    else:
        async with json_body(request, body_model) as named:
            options = named.options.given() if named.options else {}
            found = await reader.find(named)
            made = await reader.make(job, found.given, options)
    return answer(made, JSON, found.origin)


def _body_page(request: Request, body: bytes, url: str | None) -> FoundPage:
    """Return the page that a body is."""
    label, limits = label_of(request.headers), service_of(request).reader.limits
    return FoundPage(GivenPage(html=body, url=url, encoding=label, limits=limits))


def _of_a_page(  # noqa: PLR0913, PLR0917  the fields of an endpoint
    path: str,
    handler: Handler,
    summary: str,
    body: type[BaseModel],
    query: type[BaseModel] | None = None,
    made: str | Mapping[str, Any] = _OBJECT,
) -> Endpoint:
    """Return an endpoint that takes a page, named in JSON; with a query, as the body itself too."""
    return Endpoint(
        method="POST",
        path=path,
        handler=handler,
        summary=summary,
        body=body,
        body_types=(JSON,) if query is None else (JSON, *sorted(PAGES)),
        query=query,
        answers={JSON: made},
        problems=FETCHING,
    )


PAGE_ENDPOINTS: Final = (
    _of_a_page(
        "/v1/extract",
        extract,
        "Extract the main content of a page: its record, as `--format json` has it.",
        PageGiven,
        ExtractQuery,
        RECORD,
    ),
    _of_a_page(
        "/v1/explain",
        explain,
        "Explain why each text block of a page was kept or dropped.",
        ExplainedPage,
        FindingQuery,
    ),
    _of_a_page(
        "/v1/diff",
        diff,
        "What of the content changed between two versions of a page.",
        TwoVersions,
    ),
)
