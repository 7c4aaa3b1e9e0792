"""Endpoints of the inspector: pages that are opened, their views, and sites that are taught."""

from __future__ import annotations

import asyncio
import json
import secrets
from dataclasses import replace
from functools import partial
from typing import Annotated, Any, Final, Literal, Self

from pydantic import Field, model_validator
from starlette.responses import Response

from chaffinch.page import Page
from chaffinch.service import requests
from chaffinch.service.inspector.page_views import page_view
from chaffinch.service.inspector.site_views import site_view
from chaffinch.service.jobs import GivenPage, TaughtSite, site_file
from chaffinch.service.problems import ProblemError
from chaffinch.service.reader import FoundPage, Held, Reader
from chaffinch.service.settings import ANYBODY
from chaffinch.service.work import WorkQueue
from chaffinch.site.file import with_rule, without_rule
from chaffinch.site.rules import KINDS, Rule, today

_WAITING: Final = 64
_PAGES_AT_ONCE: Final = 4
"""The sites' child has so many times the memory of one page, for it holds all pages."""
_MOST_BYTES: Final = 256 << 20
_ROW_BYTES: Final = 200  # bytes of a row of a rendered page, at most, besides its text

# What requests may hold

_Key = Annotated[str, Field(min_length=1, max_length=64, description="Key of a page that is held.")]
_Number = Annotated[int, Field(ge=0, le=1_000_000, description="Number of a page of the site.")]
_Row = Annotated[int, Field(ge=0, le=10_000_000, description="Row of an element of the page.")]
_Template = Annotated[str, Field(max_length=200, description="Name of a template.")]
_Version = Annotated[str, Field(max_length=64, description="Version of the model changed.")]


class DecisionOptions(requests.Body):
    """How the content of a page is found."""

    favor: requests.Favor | None = None
    policy: requests.PolicyFields | None = None  # type: ignore[valid-type]


class OpenedPage(requests.Body):
    """A page that is opened, by address or source, or one that is held."""

    page: requests.NamedPage | None = None
    held: _Key | None = None
    render: Annotated[requests.Render, Field(description="Of a held page.")] = "never"

    @model_validator(mode="after")
    def _is_one_page(self) -> Self:
        if (self.page is None) == (self.held is None):
            raise ValueError("one of page and held is needed")
        return self


class HeldView(requests.Body):
    """A view of a page that is held, or of one of its blocks."""

    held: _Key
    options: DecisionOptions | None = None
    block: Annotated[int, Field(ge=0, le=2**31 - 1)] = 0


class OfSite(requests.Body):
    """A view of a site: of all of it, of a page, or of pages from one on."""

    number: _Number = 0


class ElementMark(requests.Body):
    """What a person marks of an element."""

    page: _Number
    row: _Row
    kind: Literal[KINDS]  # type: ignore[valid-type]


class MarkedElements(OfSite):
    """Marks, the one that a rule is wanted for last; and a selector, to try that one alone."""

    marks: Annotated[list[ElementMark], Field(min_length=1, max_length=500)]
    select: requests.Selector | None = None


class KeptRule(MarkedElements):
    """A rule that is kept: a selector that is tried on the sample once more, and written."""

    select: requests.Selector
    template: _Template = ""
    version: _Version


class RemovedRule(OfSite):
    """A rule of a person that is taken out, of any kind that its file may have."""

    kind: Annotated[str, Field(min_length=1, max_length=2000)]
    select: Annotated[str, Field(min_length=1, max_length=2000)]
    template: _Template = ""
    version: _Version


# What is open


class HeldPages(Held):
    """The pages that browsers have open, by random keys: 64 at most, and the latest in any case."""

    def __init__(self) -> None:
        super().__init__(_MOST_BYTES)

    def hold(self, given: GivenPage, caller: str, key: str = "") -> str:
        """Hold a page and return its key; those used least lately are given up for it."""
        key = key or secrets.token_urlsafe(16)
        html = given.html
        size = len(html.text) + _ROW_BYTES * len(html) if isinstance(html, Page) else len(html)
        self.put(key, (given, caller), min(max(size, _MOST_BYTES // 64), _MOST_BYTES))
        return key

    def page(self, key: str, caller: str) -> GivenPage:
        """Return a page; one that isn't held any more, or is another caller's, isn't found."""
        page, owner = self.get(key) or (None, "")
        if page is None or owner != caller:
            raise ProblemError("not-found", "the page isn't held any more: open it again")
        found: GivenPage = page
        return found


class Inspector:
    """What is open in the inspector of a service: held pages, and a site in one child."""

    def __init__(self, reader: Reader, subject: GivenPage | TaughtSite | None) -> None:
        settings, self.limits = reader.settings, reader.limits
        self._site = subject if isinstance(subject, TaughtSite) else None
        self.held = HeldPages()
        self._queue = WorkQueue(
            workers=1,
            waiting=_WAITING,
            seconds=settings.deadline,
            memory=settings.memory * _PAGES_AT_ONCE,
            size=settings.max_page,
        )
        if isinstance(subject, GivenPage):
            self.held.hold(replace(subject, limits=self.limits), ANYBODY.name, "given")

    async def start(self) -> None:
        """Start the site's child, if it is sure to be needed."""
        if self._site is not None:
            await asyncio.to_thread(self._queue.start)

    async def close(self) -> None:
        await asyncio.to_thread(self._queue.close)

    @property
    def site(self) -> TaughtSite:
        """The site that the operator opened."""
        if self._site is None:
            raise ProblemError("not-found", "no site was given to be inspected")
        return self._site

    @property
    def kind(self) -> str:
        return "none" if self._site is None else "site"

    async def view(self, name: str, **options: Any) -> bytes:
        """Return a view of the site; its child reads the pages that it needs, and keeps them."""
        file = await asyncio.to_thread(site_file, self.site.model)
        given = (name, file, self.site.sample, self.limits, options)
        made: bytes = await self._queue.run(site_view, *given)
        return made


# Endpoints of pages


@requests.endpoint("GET", "/v1/inspect")
async def subject(call: requests.Call) -> Response:
    """What the operator gave to be inspected, and whether pages may be rendered."""
    values = {"kind": call.service.inspector.kind, "rendering": call.service.settings.render}
    return requests.answer(json.dumps(values))


@requests.endpoint("POST", "/v1/inspect/page", body=OpenedPage)
async def opened(call: requests.Call) -> Response:
    """Open a page in the inspector: its rows, blocks and decision."""
    body, reader, held, caller = call.body, call.reader, call.service.inspector.held, call.caller
    key = body.held
    if body.page is not None:
        key = held.hold((await reader.find(body.page)).given, caller.name)
    elif body.render != "never":
        plain = FoundPage(given=held.page(key, caller.name))
        key = held.hold((await reader.rendered(plain, body.render)).given, caller.name)
    return requests.answer(_with_key(key, await _view(call, "page", key, {})))


def _with_key(key: str, made: bytes) -> bytes:
    return json.dumps({"held": key}).encode()[:-1] + b", " + made[1:]


async def _view(call: requests.Call, name: str, key: str, options: dict[str, Any]) -> bytes:
    page = call.service.inspector.held.page(key, call.caller.name)
    made: bytes = await call.reader.queue.run(page_view, name, key, page, options)
    return made


def _held_view(name: str, summary: str) -> None:
    async def handle(call: requests.Call) -> Response:
        body: HeldView = call.body
        decision = body.options.model_dump(exclude_none=True) if body.options else {}
        options = {"decision": decision, "block": body.block}
        return requests.answer(await _view(call, name, body.held, options))

    handle.__doc__ = summary
    requests.endpoint("POST", f"/v1/inspect/{name}", body=HeldView)(handle)


_held_view("decision", "Decide again, by other options, what is content.")
_held_view("reasons", "Explain why a block was kept or dropped.")

# Endpoints of sites

_SITE: Final = "/v1/inspect/site"


async def _site_view(call: requests.Call, name: str, **options: Any) -> Response:
    return requests.answer(await call.service.inspector.view(name, **options))


@requests.endpoint("POST", f"{_SITE}/overview", body=OfSite)
async def overview(call: requests.Call) -> Response:
    """What a site's model holds, and its drift."""
    return await _site_view(call, "overview")


@requests.endpoint("POST", f"{_SITE}/pages", body=OfSite)
async def pages(call: requests.Call) -> Response:
    """Read a portion of a site's pages; how each fares."""
    return await _site_view(call, "pages", number=call.body.number)


@requests.endpoint("POST", f"{_SITE}/page", body=OfSite)
async def page(call: requests.Call) -> Response:
    """Open a page of a site."""
    inspector, number = call.service.inspector, call.body.number
    given = await asyncio.to_thread(inspector.site.sample.page, number, inspector.limits)
    key = inspector.held.hold(given, call.caller.name)
    return requests.answer(_with_key(key, await inspector.view("page", number=number)))


@requests.endpoint("POST", f"{_SITE}/propose", body=MarkedElements)
async def propose(call: requests.Call) -> Response:
    """Try a marked element's selectors on all."""
    return await _site_view(call, "propose", **call.body.model_dump(include={"marks", "select"}))


@requests.endpoint("POST", f"{_SITE}/keep", body=KeptRule)
async def keep(call: requests.Call) -> Response:
    """Write a rule into a site's file.

    It goes against no mark: it is tried once more, not taken on trust.
    """
    body: KeptRule = call.body
    made = json.loads(bytes((await propose(call)).body))
    by_template = {one["template"]: one for one in reversed(made["candidates"])}
    found = by_template.get(body.template) or by_template.get("")
    if found is None or found["against"]:
        raise ProblemError("invalid", "the rule would go against a mark")
    share = round(found["pages"] / max(found["of"], 1), 3)
    rule = Rule(kind=made["kind"], select=body.select, by_hand=True, taught=today(), share=share)
    change = partial(with_rule, rule=rule, template=body.template)
    await asyncio.to_thread(call.service.inspector.site.edit, change, body.version)
    return await overview(call)


@requests.endpoint("POST", f"{_SITE}/remove", body=RemovedRule)
async def remove(call: requests.Call) -> Response:
    """Take out a person's rule."""
    body: RemovedRule = call.body
    change = partial(without_rule, kind=body.kind, select=body.select, template=body.template)
    await asyncio.to_thread(call.service.inspector.site.edit, change, body.version)
    return await overview(call)
