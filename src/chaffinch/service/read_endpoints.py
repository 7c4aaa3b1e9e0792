"""The endpoint that reads a page by its address, in the form that is requested."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from chaffinch.service.endpoint import RECORD, Endpoint, answer, service_of
from chaffinch.service.page_endpoints import FETCHING
from chaffinch.service.problems import ProblemError
from chaffinch.service.request_bodies import JSON, read_query
from chaffinch.service.request_models import NamedPage, ReadQuery

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from chaffinch.service.reader import FoundPage, Reader

_TYPES: Final = {
    "markdown": "text/markdown",
    "text": "text/plain",
    "html": "text/html",
    "json": JSON,
}
"""Form → media type; the first is the usual one."""

_JOBS: Final = {"json": "record"}
_OPTIONS: Final = {"method", "favor", "max_tokens", "section", "posts", "front_matter", "outline"}
"""What is asked of the extraction: a server's own Markdown doesn't do then."""
_ACTS_ON: Final = (
    ({"max_tokens", "section"}, ("markdown", "json")),
    ({"posts"}, ("markdown", "text", "json")),
    ({"front_matter"}, ("markdown", "text", "html")),
    ({"outline"}, ("json",)),
)
"""Options, and the forms that they act on."""
_MOST_RANGES: Final = 32


async def read(request: Request) -> Response:
    """Answer with a page."""
    query = read_query(ReadQuery, request)
    form = query.format or accepted_form(request.headers.get("accept", ""))
    service = service_of(request)
    named = NamedPage(url=query.url, render=query.render, max_age=query.max_age)
    options = query.model_dump(include=_OPTIONS & query.model_fields_set, exclude_none=True)
    for names, forms in _ACTS_ON:
        if form not in forms and names & options.keys():
            raise ProblemError(
                "invalid", f"{', '.join(sorted(names))}: only with {', '.join(forms)}"
            )
    if options.pop("outline", False):
        options["parts"] = ["outline"]
    async with service.reader.deadline():
        found = await service.reader.find(named, markdown=form == "markdown" and not options)
        made = await read_page(service.reader, found, form, options)
    return answer(made, _TYPES[form], {"vary": "Accept", **found.origin})


async def read_page(reader: Reader, found: FoundPage, form: str, options: dict[str, Any]) -> bytes:
    """Return a page in a form; Markdown that its server had is passed on as it is."""
    if found.web is not None and found.web.is_markdown:
        return own_markdown(found).encode("utf-8", "replace")
    return await reader.make(_JOBS.get(form, form), found.given, options)


def own_markdown(found: FoundPage) -> str:
    """Return the Markdown that a page's server had."""
    web = found.web
    return "" if web is None else web.body.decode("utf-8", "replace").replace("\0", "\ufffd")


def accepted_form(accept: str) -> str:
    """Return the form that an Accept header prefers (RFC 9110, 12.5.1).

    Raises:
        ProblemError: it takes none.
    """
    if not accept.strip():
        return "markdown"
    best = ("", 0.0)
    weights = _weights(accept)
    for form, kind in _TYPES.items():
        ranges = (kind, f"{kind.partition('/')[0]}/*", "*/*")
        weight = next((weights[one] for one in ranges if one in weights), 0.0)
        if weight > best[1]:
            best = (form, weight)
    if not best[0]:
        kinds = ", ".join(_TYPES.values())
        raise ProblemError("not-acceptable", f"pages are made as {kinds}")
    return best[0]


def _weights(accept: str) -> dict[str, float]:
    """Return media range → weight of an Accept header, 0..1."""
    found: dict[str, float] = {}
    for one in accept.split(",")[:_MOST_RANGES]:
        kind, _, rest = one.partition(";")
        weight = 1.0
        for parameter in rest.split(";"):
            name, _, value = parameter.strip().partition("=")
            if name.lower() == "q":
                weight = _number(value)
        found[kind.strip().lower()] = weight
    return found


def _number(value: str) -> float:
    try:
        return min(1.0, max(0.0, float(value[:8])))
    except ValueError:
        return 0.0


READ_ENDPOINTS: Final = (
    Endpoint(
        method="GET",
        path="/v1/read",
        handler=read,
        summary="Read the page at an address as Markdown, text, HTML or JSON (`format`, Accept).",
        query=ReadQuery,
        answers={kind: RECORD if kind == JSON else {"type": "string"} for kind in _TYPES.values()},
        problems=("not-acceptable", *FETCHING),
    ),
)
