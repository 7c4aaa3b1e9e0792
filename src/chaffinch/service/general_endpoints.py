"""Endpoints about the service itself: health, readiness, counts, version, its own documentation."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from chaffinch.record import VERSION
from chaffinch.reports.templates import render
from chaffinch.service.endpoint import Endpoint, answer, service_of
from chaffinch.service.metrics import MEDIA_TYPE as METRICS_TYPE
from chaffinch.service.problems import ProblemError
from chaffinch.service.request_bodies import JSON
from chaffinch.service.static_endpoints import PAGE_POLICY
from chaffinch.version import __version__

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

_TEXT: Final = {"type": "string"}
_STATE: Final = {"type": "object", "properties": {"status": {"type": "string"}}}


async def health(_: Request) -> Response:
    """Answer that the process runs."""
    return answer('{"status": "ok"}')


async def ready(request: Request) -> Response:
    """Answer whether requests are taken."""
    if not service_of(request).is_ready:
        raise ProblemError(
            "unavailable", "the service begins or ends", headers={"Retry-After": "1"}
        )
    return answer('{"status": "ready"}')


async def metrics(request: Request) -> Response:
    """Answer with counts for Prometheus."""
    return answer(service_of(request).metrics.text(), METRICS_TYPE)


async def version(_: Request) -> Response:
    """Answer with the versions."""
    return answer(json.dumps({"version": __version__, "record": VERSION}))


async def openapi(request: Request) -> Response:
    """Answer with the OpenAPI document."""
    return answer(json.dumps(request.app.state.openapi, ensure_ascii=False))


async def documentation(request: Request) -> Response:
    """Answer with the documentation of the endpoints, a page without scripts."""
    page = render("service/documentation.html", document=request.app.state.openapi)
    return answer(page, "text/html", PAGE_POLICY)


GENERAL_ENDPOINTS: Final = tuple(
    Endpoint(method="GET", path=path, handler=handler, summary=summary, answers={kind: schema})
    for path, handler, summary, kind, schema in (
        ("/health", health, "Confirm that the process runs.", JSON, _STATE),
        ("/ready", ready, "Report whether requests are taken.", JSON, _STATE),
        ("/metrics", metrics, "Counts in the text format of Prometheus.", "text/plain", _TEXT),
        ("/version", version, "Versions of the service and its parts.", JSON, {"type": "object"}),
        ("/openapi.json", openapi, "This document.", JSON, {"type": "object"}),
        ("/docs", documentation, "The endpoints as a page.", "text/html", _TEXT),
    )
)
