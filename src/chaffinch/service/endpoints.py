"""Endpoints of pages and of the service itself, and their OpenAPI document (3.1)."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema
from starlette.responses import Response

from chaffinch.output.options import ACTS_ON
from chaffinch.record import schema as record_schema
from chaffinch.service.problems import KINDS, MEDIA_TYPE, ProblemError
from chaffinch.service.reader import kept_sites
from chaffinch.service.requests import (
    JSON,
    PAGES,
    READ_FORMS,
    RECORD,
    TEXT,
    Call,
    Endpoint,
    ExplainedPage,
    ExtractQuery,
    FindingQuery,
    PageGiven,
    ReadBodyQuery,
    ReadQuery,
    TwoVersions,
    answer,
    endpoint,
)
from chaffinch.version import __version__

_READ: Final = {kind: RECORD[JSON] if kind == JSON else TEXT for kind in READ_FORMS.values()}
_HTML: Final = {"text/html": TEXT}


@endpoint("GET", "/v1/read", query=ReadQuery, answers=_READ)
async def read(call: Call) -> Response:
    """Read the page at a URL as Markdown, text, HTML or JSON (`format`)."""
    return await _read(call)


@endpoint("POST", "/v1/read", query=ReadBodyQuery, body_types=PAGES, answers=_READ)
async def read_body(call: Call) -> Response:
    """Read the page that the body is, in the same forms."""
    return await _read(call)


async def _read(call: Call) -> Response:
    form, options = call.query.format, call.options
    for name, forms in {**ACTS_ON, "outline": ("json",)}.items():
        if name in options and form not in forms:
            raise ProblemError("invalid", f"{name}: only with {', '.join(forms)}")
    if options.pop("outline", False):
        options["parts"] = ["outline"]
    job, own = "record" if form == "json" else form, form == "markdown" and not options
    return await _made(job, call, options, READ_FORMS[form], markdown=own)


@endpoint("POST", "/v1/diff", body=TwoVersions)
async def diff(call: Call) -> Response:
    """What of the content changed between two versions of a page."""
    old, new = [await call.reader.find(one) for one in (call.body.old, call.body.new)]
    options = call.options | {"other": new.given, "links": call.body.links}
    return answer(await call.reader.make("difference", old.given, options))


_OF_PAGE: Final = {"body_types": (JSON, *PAGES)}


@endpoint("POST", "/v1/extract", body=PageGiven, query=ExtractQuery, answers=RECORD, **_OF_PAGE)
async def extract(call: Call) -> Response:
    """Extract the main content of a page: its record, as `--format json` has it."""
    return await _made("record", call, call.options)


@endpoint("POST", "/v1/explain", body=ExplainedPage, query=FindingQuery, **_OF_PAGE)
async def explain(call: Call) -> Response:
    """Explain why each text block of a page was kept or dropped."""
    return await _made("explain", call, call.options)


async def _made(
    job: str, call: Call, options: dict[str, Any], kind: str = JSON, *, markdown: bool = False
) -> Response:
    """Answer what a job makes of the page, or with ``markdown`` its server's own Markdown."""
    wanted = call.query.named() if call.body is None and call.page is None else call.body
    found = call.page or await call.reader.find(wanted, markdown=markdown)
    own = found.markdown
    made = own.encode() if own is not None else await call.reader.make(job, found.given, options)
    return answer(made, kind, found.origin)


@endpoint("GET", "/v1/sites")
async def sites(call: Call) -> Response:
    """Names of the site models that are kept."""
    names = await asyncio.to_thread(kept_sites, call.service.settings)
    return answer(json.dumps({"sites": names}))


# The service itself


@endpoint("GET", "/health")
async def health(_: Call) -> Response:
    """Confirm that the process runs."""
    return answer('{"status": "ok"}')


@endpoint("GET", "/ready")
async def ready(call: Call) -> Response:
    """Report whether requests are taken."""
    if not call.service.is_ready:
        later = {"Retry-After": "1"}
        raise ProblemError("unavailable", "the service begins or ends", headers=later)
    return answer('{"status": "ready"}')


@endpoint("GET", "/metrics", answers={"text/plain": TEXT})
async def metrics(call: Call) -> Response:
    """Counts in the text format of Prometheus."""
    counts = call.service.metrics.text()
    return answer(counts, "text/plain; version=0.0.4; charset=utf-8")


@endpoint("GET", "/openapi.json")
async def openapi(call: Call) -> Response:
    """This document."""
    return answer(json.dumps(call.request.app.state.openapi, ensure_ascii=False))


# Files of the inspector, each with the policy of content that holds for it. Pages of others are
# shown in a frame of an origin of its own: it runs one script, whose digest the policy names, may
# ask for nothing, and gets its elements one by one from the page around it.

STATIC: Final = "/static/"
FRAME: Final = "/inspector/frame"
_PAGE_POLICY: Final = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "connect-src 'self'; img-src 'self'; frame-src 'self'; form-action 'none'; base-uri 'none'; "
    "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
}
"""What the service's own pages may do: run its own scripts, and nothing of what they show."""
_KINDS: Final = {
    "js": "text/javascript", "css": "text/css", "svg": "image/svg+xml", "json": JSON,
}  # fmt: skip


@endpoint("GET", "/", answers=_HTML)
async def index(_: Call) -> Response:
    """The inspector."""
    return answer(_static()["index.html"], "text/html", _PAGE_POLICY)


@endpoint("GET", f"{STATIC}{{name:path}}", answers={"text/javascript": TEXT})
async def static_file(call: Call) -> Response:
    """Files of the inspector; there are no others than those of the package."""
    name = str(call.request.path_params["name"])
    kind = _KINDS.get(name.rpartition(".")[2])
    if kind is None or name not in _static():
        raise ProblemError("not-found", "there is no such file")
    return answer(_static()[name], kind)


@endpoint("GET", FRAME, answers=_HTML)
async def frame(_: Call) -> Response:
    """The frame that shows a page."""
    script = _static()["frame.js"]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; "
        f"font-src data:; img-src data:; form-action 'none'; base-uri 'none'; "
        "frame-ancestors 'self'; sandbox allow-scripts"
    )
    page = _static()["frame.html"].replace("{{ script }}", script)
    return answer(page, "text/html", {"content-security-policy": policy})


@cache
def _static() -> dict[str, str]:
    folder = files("chaffinch.service").joinpath("inspector/static")
    return {one.name: one.read_text(encoding="utf-8") for one in folder.iterdir()}


# The document

_PROBLEM: Final = {
    "type": "object",
    "description": "What went wrong (RFC 9457).",
    "properties": {
        "type": {**TEXT, "enum": [f"urn:chaffinch:problem:{kind}" for kind in KINDS]},
        "title": TEXT,
        "status": {"type": "integer"},
        "detail": TEXT,
        "instance": {**TEXT, "description": "urn:uuid: and the request's id."},
        "errors": {
            "type": "array",
            "items": {"type": "object", "properties": {"at": TEXT, "message": TEXT}},
        },
        "upstream_status": {"type": "integer", "description": "Of the server that has the page."},
        "assessment": {"type": "object", "description": "Of what that server sent."},
    },
    "required": ["type", "title", "status", "detail", "instance"],
}


def document(endpoints: Iterable[Endpoint], *, has_tokens: bool) -> dict[str, Any]:
    every = list(endpoints)
    models = {one for endpoint in every for one in (endpoint.body, endpoint.query) if one}
    _, top = models_json_schema(
        [(one, "validation") for one in sorted(models, key=lambda one: one.__name__)],
        ref_template="#/components/schemas/{model}",
    )
    record = {key: value for key, value in record_schema().items() if not key.startswith("$")}
    schemas = {**top.get("$defs", {}), "Record": record, "Problem": _PROBLEM}
    paths: dict[str, dict[str, Any]] = {}
    for one in every:
        paths.setdefault(one.path, {})[one.method.lower()] = _operation(one, schemas)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Chaffinch", "version": __version__, "summary": "Reads web pages."},
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{"token": []}] if has_tokens else [],
    }


def _operation(endpoint: Endpoint, schemas: Mapping[str, Any]) -> dict[str, Any]:
    plain = endpoint.path.translate({ord("/"): "_", ord("."): "_", ord("{"): None, ord("}"): None})
    parameters = [
        {"name": part[1:-1], "in": "path", "required": True, "schema": TEXT}
        for part in endpoint.path.split("/")
        if part.startswith("{")
    ]
    query = {} if endpoint.query is None else schemas[endpoint.query.__name__]
    parameters += [
        {"name": name, "in": "query", "required": name in query.get("required", ()), "schema": one}
        for name, one in query.get("properties", {}).items()
    ]
    operation: dict[str, Any] = {
        "operationId": f"{endpoint.method.lower()}{plain}",
        "summary": (endpoint.handler.__doc__ or "").partition("\n")[0],
        "parameters": parameters,
        "responses": {
            "200": {
                "description": "Done.",
                "content": {
                    kind: {"schema": _reference(one) if isinstance(one, str) else one}
                    for kind, one in endpoint.answers.items()
                },
            },
            "default": {
                "description": "A problem (RFC 9457).",
                "content": {MEDIA_TYPE: {"schema": _reference("Problem")}},
            },
        },
    }
    if endpoint.types:
        operation["requestBody"] = {
            "required": True,
            "content": {
                kind: {"schema": _reference(endpoint.body) if "json" in kind else TEXT}
                for kind in endpoint.types
            },
        }
    return operation


def _reference(model: type[BaseModel] | str | None) -> dict[str, str]:
    name = model if isinstance(model, str) or model is None else model.__name__
    return {"$ref": f"#/components/schemas/{name}"}
