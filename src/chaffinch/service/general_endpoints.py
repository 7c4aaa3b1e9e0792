"""Endpoints about the service itself: health, readiness, counts, version, its own documentation."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from chaffinch import kernels
from chaffinch.record import VERSION
from chaffinch.reports.templates import render
from chaffinch.service.endpoint import Endpoint, answer, service_of
from chaffinch.service.metrics import MEDIA_TYPE as METRICS_TYPE
from chaffinch.service.problems import ProblemError
from chaffinch.service.request_bodies import JSON
from chaffinch.version import __version__

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

_PAGE_POLICY: Final = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'"
}
"""What the service's own pages may do: run its own script, and nothing of what they show."""
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
    values = {
        "version": __version__,
        "record": VERSION,
        "kernels": kernels.back_end(),
    }
    return answer(json.dumps(values))


async def openapi(request: Request) -> Response:
    """Answer with the OpenAPI document."""
    return answer(json.dumps(request.app.state.openapi, ensure_ascii=False))


async def documentation(request: Request) -> Response:
    """Answer with the documentation of the endpoints, a page without scripts."""
    page = render("service/documentation.html", document=request.app.state.openapi)
    return answer(page, "text/html", _PAGE_POLICY)


async def front_page(_: Request) -> Response:
    """Answer with the page on which an address or a source can be pasted."""
    return answer(_resource("page.html"), "text/html", _PAGE_POLICY)


async def front_page_script(_: Request) -> Response:
    """Answer with the script of the front page."""
    return answer(_resource("page.js"), "text/javascript")


async def front_page_style(_: Request) -> Response:
    """Answer with the style of the front page and of the documentation."""
    return answer(_resource("page.css"), "text/css")


@cache
def _resource(name: str) -> str:
    return files("chaffinch.service").joinpath(name).read_text(encoding="utf-8")


GENERAL_ENDPOINTS: Final = tuple(
    Endpoint(method="GET", path=path, handler=handler, summary=summary, answers={kind: schema})
    for path, handler, summary, kind, schema in (
        ("/health", health, "Say that the process runs.", JSON, _STATE),
        ("/ready", ready, "Say whether requests are taken.", JSON, _STATE),
        ("/metrics", metrics, "Counts in the text format of Prometheus.", "text/plain", _TEXT),
        ("/version", version, "Versions of the service and its parts.", JSON, {"type": "object"}),
        ("/openapi.json", openapi, "This document.", JSON, {"type": "object"}),
        ("/docs", documentation, "The endpoints as a page.", "text/html", _TEXT),
        ("/", front_page, "A page to try it on.", "text/html", _TEXT),
        ("/page.js", front_page_script, "Script of that page.", "text/javascript", _TEXT),
        ("/page.css", front_page_style, "Style of that page.", "text/css", _TEXT),
    )
)
