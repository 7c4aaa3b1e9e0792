"""Endpoints of a run that the operator opened: its report, and its rows by fixed filters."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from pydantic import BaseModel, Field

from chaffinch.service.endpoint import Endpoint, answer, service_of
from chaffinch.service.inspector.run_subject import RunSubject
from chaffinch.service.json_requests import json_body
from chaffinch.service.problems import ProblemError
from chaffinch.service.request_bodies import JSON
from chaffinch.service.request_models import STRICT

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

_OBJECT: Final = {"type": "object"}
_Value = Annotated[str, Field(max_length=300)]
_Share = Annotated[float | int, Field(ge=0, le=1)]


class NoRunOptions(BaseModel):
    """The report takes nothing."""

    model_config = STRICT


class WantedRows(BaseModel):
    """Which rows of the run are wanted; as of `chaffinch.batch.run_rows.RowFilter`."""

    model_config = STRICT

    error: _Value | None = None
    language: _Value | None = None
    page_type: _Value | None = None
    host: _Value | None = None
    method: _Value | None = None
    template: _Value | None = None
    truncated: _Value | None = None
    state: _Value | None = None
    least: _Share | None = None
    most: _Share | None = None
    text: _Value = ""
    order: Literal["", "confidence", "length", "score"] = ""
    start: Annotated[int, Field(ge=0, le=1_000_000_000)] = 0
    count: Annotated[int, Field(ge=0, le=500)] = 100


def run_report(out: str) -> bytes:
    """Return the report of a run as JSON, made in a child.

    Raises:
        OptionError: the folder holds no run.
        SetupError: one of its files is broken, or a package is missing.
    """
    from chaffinch.batch.report import read_report  # noqa: PLC0415  an extra

    return read_report(out).to_json().encode()


def rows_of_run(out: str, filters: dict[str, Any]) -> bytes:
    """Return rows of a run as JSON, made in a child; errors as of `run_rows`."""
    from chaffinch.batch.run_rows import RowFilter, run_rows  # noqa: PLC0415  an extra

    names = {one.name for one in fields(RowFilter)}
    wanted = RowFilter(**{name: value for name, value in filters.items() if name in names})
    found = run_rows(out, wanted, start=filters["start"], most=filters["count"])
    return json.dumps(found._asdict(), ensure_ascii=False, default=str).encode("utf-8", "replace")


async def report(request: Request) -> Response:
    """Answer with the report of the run."""
    async with json_body(request, NoRunOptions):
        queue = service_of(request).reader.queue
        return answer(await queue.run(run_report, _folder(request)))


async def rows(request: Request) -> Response:
    """Answer with rows of the run."""
    async with json_body(request, WantedRows) as body:
        queue = service_of(request).reader.queue
        return answer(await queue.run(rows_of_run, _folder(request), body.model_dump()))


def _folder(request: Request) -> str:
    """Return the folder of the run.

    Raises:
        ProblemError: the operator has opened none.
    """
    subject = service_of(request).subject
    if not isinstance(subject, RunSubject):
        raise ProblemError("not-found", "no run was given to be inspected")
    return subject.out


RUN_ENDPOINTS: Final = (
    Endpoint(
        method="POST",
        path="/v1/inspect/run/report",
        handler=report,
        summary="Totals of the run that was opened: errors, types, languages, confidence.",
        body=NoRunOptions,
        answers={JSON: _OBJECT},
        problems=("not-found", "invalid"),
    ),
    Endpoint(
        method="POST",
        path="/v1/inspect/run/rows",
        handler=rows,
        summary="Rows of the run that was opened, by fixed filters.",
        body=WantedRows,
        answers={JSON: _OBJECT},
        problems=("not-found", "invalid"),
    ),
)
