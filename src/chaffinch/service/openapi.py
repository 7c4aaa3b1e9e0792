"""The OpenAPI document (3.1), made of the endpoints and their models."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pydantic.json_schema import models_json_schema

from chaffinch.record import schema as record_schema
from chaffinch.service.endpoint import RECORD
from chaffinch.service.problems import KINDS, MEDIA_TYPE
from chaffinch.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pydantic import BaseModel

    from chaffinch.service.endpoint import Endpoint

_REFERENCE: Final = "#/components/schemas/{model}"
_USUAL: Final = (
    *("bad-request", "unauthorized", "foreign-origin", "unknown-host", "too-many-requests"),
    *("invalid", "bug", "unavailable", "busy", "deadline"),
)
_OF_BODIES: Final = ("body-timeout", "too-large", "unsupported-media-type")
_PROBLEM: Final = {
    "type": "object",
    "description": "What went wrong (RFC 9457).",
    "properties": {
        "type": {"type": "string", "enum": [f"urn:chaffinch:problem:{kind}" for kind in KINDS]},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "instance": {"type": "string", "description": "urn:uuid: and the request's id."},
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"at": {"type": "string"}, "message": {"type": "string"}},
            },
        },
        "upstream_status": {"type": "integer", "description": "Of the server that has the page."},
        "assessment": {"type": "object", "description": "Of what that server sent."},
    },
    "required": ["type", "title", "status", "detail", "instance"],
}


def document(endpoints: Iterable[Endpoint], *, has_tokens: bool) -> dict[str, Any]:
    """Return the document.

    Args:
        endpoints: all of them.
        has_tokens: whether callers need a token.
    """
    every = list(endpoints)
    models = {one for endpoint in every for one in (endpoint.body, endpoint.query) if one}
    names = {one: _schema_name(one) for one in models}
    _, top = models_json_schema(
        [(one, "validation") for one in sorted(models, key=names.__getitem__)],
        ref_template=_REFERENCE,
    )
    record = {key: value for key, value in record_schema().items() if not key.startswith("$")}
    schemas = {**top.get("$defs", {}), RECORD: record, "Problem": _PROBLEM}
    paths: dict[str, dict[str, Any]] = {}
    for one in every:
        paths.setdefault(one.path, {})[one.method.lower()] = _operation(one, schemas)
    token = {"type": "http", "scheme": "bearer"}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Chaffinch", "version": __version__, "summary": "Reads web pages."},
        "paths": paths,
        "components": {"schemas": schemas, "securitySchemes": {"token": token}},
        "security": [{"token": []}] if has_tokens else [],
    }


def _operation(endpoint: Endpoint, schemas: dict[str, Any]) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "operationId": f"{endpoint.method.lower()}{endpoint.path.replace('/', '_')}".translate(
            {ord("{"): None, ord("}"): None, ord("."): "_"}
        ),
        "summary": endpoint.summary,
        "parameters": [*_path_parameters(endpoint), *_query_parameters(endpoint, schemas)],
        "responses": _responses(endpoint),
    }
    if endpoint.body is not None:
        reference = _REFERENCE.format(model=_schema_name(endpoint.body))
        content = {
            kind: {"schema": {"$ref": reference} if "json" in kind else {"type": "string"}}
            for kind in endpoint.body_types
        }
        operation["requestBody"] = {"required": True, "content": content}
    return operation


def _path_parameters(endpoint: Endpoint) -> list[dict[str, Any]]:
    return [
        {"name": part[1:-1], "in": "path", "required": True, "schema": {"type": "string"}}
        for part in endpoint.path.split("/")
        if part.startswith("{")
    ]


def _query_parameters(endpoint: Endpoint, schemas: dict[str, Any]) -> list[dict[str, Any]]:
    if endpoint.query is None:
        return []
    model = schemas[_schema_name(endpoint.query)]
    return [
        {
            "name": name,
            "in": "query",
            "required": name in model.get("required", ()) and endpoint.body is None,
            "schema": schema,
        }
        for name, schema in model["properties"].items()
    ]


def _responses(endpoint: Endpoint) -> dict[str, Any]:
    content = {
        kind: {"schema": {"$ref": _REFERENCE.format(model=one)} if isinstance(one, str) else one}
        for kind, one in endpoint.answers.items()
    }
    kinds = (*_USUAL, *(_OF_BODIES if endpoint.body else ()), *endpoint.problems)
    by_status: dict[int, list[str]] = {}
    for kind in kinds:
        by_status.setdefault(KINDS[kind][0], []).append(kind)
    problem = {MEDIA_TYPE: {"schema": {"$ref": _REFERENCE.format(model="Problem")}}}
    failures = {
        str(status): {"description": ", ".join(some), "content": problem}
        for status, some in sorted(by_status.items())
    }
    return {"200": {"description": "Done.", "content": content}, **failures}


def _schema_name(model: type[BaseModel]) -> str:
    return model.__name__
