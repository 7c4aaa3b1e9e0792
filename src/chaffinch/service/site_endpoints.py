"""Endpoints of site models, where the operator has given a folder for them."""

from __future__ import annotations

import asyncio
import json
import re
from typing import TYPE_CHECKING, Any, Final

from chaffinch.errors import PageError
from chaffinch.service import site_jobs
from chaffinch.service.endpoint import RECORD, Endpoint, answer, service_of
from chaffinch.service.json_requests import json_body, require_writer
from chaffinch.service.page_endpoints import FETCHING
from chaffinch.service.problems import ProblemError
from chaffinch.service.request_bodies import JSON
from chaffinch.service.request_models import SitePage, SitePages, SiteRules
from chaffinch.service.site_store import ABSENT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pydantic import BaseModel
    from starlette.requests import Request
    from starlette.responses import Response

    from chaffinch.service.endpoint import Handler
    from chaffinch.service.page_jobs import GivenPage, SiteFile
    from chaffinch.service.reader import FoundPage, Reader
    from chaffinch.service.request_models import NamedPage
    from chaffinch.service.site_samples import SiteSamples
    from chaffinch.service.site_store import SiteStore

_TOML: Final = "application/toml"
_NO_SITES: Final = "this service keeps no sites: it has no --data"
_ETAG: Final = re.compile(r'\A"([0-9a-f]{32})"\Z')
_REPORT: Final = {"type": "object"}


async def sites(request: Request) -> Response:
    """Answer with the names of all sites."""
    return answer(json.dumps({"sites": await asyncio.to_thread(_store(request).names)}))


async def rules(request: Request) -> Response:
    """Answer with the model of a site as TOML."""
    text, version = await asyncio.to_thread(_store(request).text, _name(request))
    return answer(text, _TOML, {"etag": f'"{version}"'})


async def put_rules(request: Request) -> Response:
    """Take the model of a site from its TOML."""
    require_writer(request, "sites")
    queue, store, name = service_of(request).reader.queue, _store(request), _name(request)
    async with json_body(request, SiteRules) as body:
        expected = await _expected(request, store, name)
        made = await queue.run(site_jobs.checked_rules, body.rules)
        with store.draft(name) as draft:
            await asyncio.to_thread(draft.write_text, body.rules, encoding="utf-8", newline="")
            version = await asyncio.to_thread(store.replace, name, draft, expected)
    return answer(made, JSON, {"etag": f'"{version}"'})


async def delete(request: Request) -> Response:
    """Remove a site."""
    require_writer(request, "sites")
    store, name = _store(request), _name(request)
    await asyncio.to_thread(store.file, name)
    expected = await _expected(request, store, name)
    await asyncio.to_thread(store.remove, name, expected)
    return answer(json.dumps({"removed": name}))


async def learn(request: Request) -> Response:
    """Learn a site from pages, or take pages into its model."""
    require_writer(request, "sites")
    reader, store, name = service_of(request).reader, _store(request), _name(request)
    async with json_body(request, SitePages) as body:
        expected = await _expected(request, store, name)
        before = None
        if expected != ABSENT:
            before = await asyncio.to_thread(store.file, name)
        pages = await _pages(reader, body.pages)
        with store.draft(name) as draft:
            made = await reader.queue.run(site_jobs.learn, pages, before, str(draft))
            version = await asyncio.to_thread(store.replace, name, draft, expected)
        await asyncio.to_thread(_samples(request).add, name, pages)
    return answer(made, JSON, {"etag": f'"{version}"'})


async def extract(request: Request) -> Response:
    """Answer with the record of a page, extracted by a site's model."""
    reader = service_of(request).reader
    async with json_body(request, SitePage) as body:
        file = await asyncio.to_thread(_store(request).file, _name(request))
        options = body.options.given() if body.options else {}
        found = await _on_one_page(reader, file, body)
        made = await reader.make("record", found.given, {**options, "site": file})
    return answer(made, JSON, found.origin)


async def _on_one_page(reader: Reader, site: SiteFile, body: NamedPage) -> FoundPage:
    """Return a page, or where it was fetched the version of its article on one page, if any."""
    found = await reader.find(body)
    if body.source is not None:
        return found
    url = json.loads(await reader.queue.run(site_jobs.single_page, site, found.given))
    if not url:
        return found
    try:
        return await reader.find(body.model_copy(update={"url": url}))
    except (PageError, ProblemError):  # the page itself will do
        return found


async def _pages(reader: Reader, body: Sequence[NamedPage]) -> list[GivenPage]:
    """Return pages as they go to a child, fetched one after the other."""
    return [(await reader.find(one)).given for one in body]


def _store(request: Request) -> SiteStore:
    """Return the store.

    Raises:
        ProblemError: the operator has given no folder.
    """
    store = service_of(request).sites
    if store is None:
        raise ProblemError("not-found", _NO_SITES)
    return store


def _samples(request: Request) -> SiteSamples:
    """Return the samples of the store's sites; errors as of `_store`."""
    samples = service_of(request).samples
    if samples is None:
        raise ProblemError("not-found", _NO_SITES)
    return samples


def _name(request: Request) -> str:
    return str(request.path_params["name"])


async def _expected(request: Request, store: SiteStore, name: str) -> str:
    """Return the version that a change is made to: of If-Match, or none with ``If-None-Match: *``.

    Raises:
        ProblemError: the request names none, or another one than the present.
    """
    present = await asyncio.to_thread(store.version, name)
    given = request.headers.get("if-match", "")
    if request.headers.get("if-none-match", "").strip() == "*" and not given:
        expected = ABSENT
    elif found := _ETAG.match(given.strip()):
        expected = found[1]
    else:
        raise ProblemError(
            "precondition-required", "a change needs If-Match with the ETag, or If-None-Match: *"
        )
    if expected != present:
        raise ProblemError("precondition-failed", "the site has another version")
    return expected


_ANY: Final = ("not-found", "storage")
_CHANGES: Final = ("forbidden", "precondition-failed", "precondition-required")


def _of_a_site(  # noqa: PLR0913  options are keyword-only
    method: str,
    below: str,
    handler: Handler,
    summary: str,
    body: type[BaseModel] | None = None,
    *,
    problems: tuple[str, ...] = (),
    **differing: Any,
) -> Endpoint:
    """Return an endpoint of one site's model; ``below`` follows its name in the path."""
    usual: dict[str, Any] = {"answers": {JSON: _REPORT}, "problems": (*_ANY, *problems)}
    path = f"/v1/sites/{{name}}{below}"
    return Endpoint(
        method=method, path=path, handler=handler, summary=summary, body=body, **usual | differing
    )


SITE_ENDPOINTS: Final = (
    Endpoint(
        method="GET",
        path="/v1/sites",
        handler=sites,
        summary="Names of the site models that are kept.",
        answers={JSON: _REPORT},
        problems=_ANY,
    ),
    _of_a_site(
        "GET", "", rules, "A site's model, its rules among it, as TOML; ETag is its version.",
        answers={_TOML: {"type": "string"}},
    ),
    _of_a_site(
        "PUT", "", put_rules,
        "Take a site's model from its TOML; If-Match or If-None-Match is needed.",
        SiteRules, problems=_CHANGES,
    ),
    _of_a_site(
        "POST", "/learn", learn,
        "Learn a site from pages, or take pages into its model; needs the same headers.",
        SitePages, problems=(*_CHANGES, *FETCHING),
    ),
    _of_a_site(
        "DELETE", "", delete, "Remove a site's model and the pages that taught it; needs If-Match.",
        problems=_CHANGES,
    ),
    _of_a_site(
        "POST", "/extract", extract, "Extract a page by a site's model.",
        SitePage, problems=FETCHING, answers={JSON: RECORD},
    ),
)  # fmt: skip
