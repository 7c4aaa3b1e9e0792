"""What a request may hold, and how it is read: each field with its type and bounds, none besides.

Options are the fields of the library's own dataclasses. Methods are named, never imported; no field
is a path on the server. Bodies are bounded in size, and in how much of all is held.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, Self, TypeVar, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    create_model,
    model_validator,
)
from pydantic_core import ErrorDetails
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from chaffinch.decision.policy import Policy
from chaffinch.fields import described
from chaffinch.methods import METHODS
from chaffinch.output.options import PARTS, POSTS, OutputOptions
from chaffinch.page.selectors import is_xpath
from chaffinch.service.jobs import GivenPage
from chaffinch.service.problems import ProblemError
from chaffinch.service.reader import FoundPage, Reader
from chaffinch.service.settings import Token
from chaffinch.web.client import charset_of, media_type

if TYPE_CHECKING:
    from chaffinch.service.server import Service

JSON: Final = "application/json"
PAGES: Final = ("application/xhtml+xml", "text/html")
"""Media types of bodies that are pages."""
READ_FORMS: Final = {
    "markdown": "text/markdown",
    "text": "text/plain",
    "html": "text/html",
    "json": JSON,
}
"""Form in which a page is read → its media type."""
OBJECT: Final = {JSON: {"type": "object"}}
TEXT: Final = {"type": "string"}
RECORD: Final = {JSON: "Record"}
"""Answers of endpoints, by media type."""
_MOST_ERRORS: Final = 20
_LONGEST_MESSAGE: Final = 300
_HELD: Final = 512 << 20  # bytes of bodies at a time


def _is_css(selector: str) -> str:
    """Check that a selector of a request is CSS: an XPath may take time that grows with powers."""
    if is_xpath(selector):
        raise ValueError("selectors of requests are CSS, no XPath")
    return selector


MethodName = Literal["auto", *METHODS]  # type: ignore[valid-type]
ReadForm = Literal[*READ_FORMS]  # type: ignore[valid-type]
Url = Annotated[str, Field(min_length=1, max_length=8192, description="An http or https URL.")]
Section = Annotated[
    str,
    Field(max_length=2000, description="Number of a section in the outline, its id, or headings."),
]
Selector = Annotated[
    str, Field(min_length=1, max_length=500, description="A CSS selector."), AfterValidator(_is_css)
]
Html = Annotated[str, Field(description="The page's source.")]
SiteName = Annotated[
    str, Field(max_length=200, description="Name of a site model that the service keeps.")
]
MaxTokens = Annotated[
    int, Field(ge=16, le=1_000_000, description="Tokens that the text may have, estimated.")
]
MaxAge = Annotated[
    int, Field(ge=0, le=31_536_000, description="Seconds of age at which a kept page will do.")
]
Favor = Literal["balanced", "precision", "recall"]
Render = Literal["never", "auto", "always"]
Wait = Annotated[
    Annotated[float, Field(ge=0, le=60)] | Annotated[str, Field(min_length=1, max_length=500)],
    Field(
        union_mode="left_to_right",
        description="What a rendered page is waited for: seconds, or CSS of an element.",
    ),
]
_Label = Annotated[
    str, Field(max_length=64, description="Label of the page's encoding, as a server gives it.")
]
_Number = int | float
_Setting = bool | _Number | Annotated[str, Field(max_length=64)] | list[_Number | str]


class Body(BaseModel):
    """What a body holds: nothing unknown, and nothing of another type."""

    model_config = ConfigDict(extra="forbid", strict=True)


PolicyFields = create_model(
    "Policy",
    __base__=Body,
    __doc__="What counts as content where people disagree; null is the default of each.",
    **{one.name: (bool | None, None) for one in fields(Policy)},  # type: ignore[call-overload]
)


class FindingOptions(Body):
    """How a page is read and its content found; as of `chaffinch.extract`."""

    encoding: _Label | None = None
    policy: PolicyFields | None = None  # type: ignore[valid-type]
    favor: Favor | None = None
    siblings: Annotated[list[Html], Field(max_length=32)] | None = None
    method: MethodName = "auto"
    settings: Annotated[dict[str, _Setting], Field(max_length=32)] | None = None
    keep: Annotated[list[Selector], Field(max_length=32)] | None = None
    drop: Annotated[list[Selector], Field(max_length=32)] | None = None
    site: SiteName | None = None

    def given(self) -> dict[str, Any]:
        return self.model_dump(exclude_none=True)


_SHOWN: Final[dict[str, Any]] = {
    "posts": Literal[POSTS],
    "max_tokens": MaxTokens,
    "section": Section,
    "parts": list[Literal[PARTS]],  # type: ignore[valid-type]
    "chunk_tokens": MaxTokens,
    "fields": Annotated[list[Annotated[str, Field(max_length=200)]], Field(max_length=32)],
}
"""Fields of `OutputOptions` that are no switches → what a request may say of each."""
_shown: dict[str, Any] = {
    one.name: (_SHOWN.get(one.name, bool) | None, Field(None, description=one.meaning))
    for one in described(OutputOptions).values()
    if one.name not in {"front_matter", "rows", "formula_cells", "counter"}
}
_ShownOptions: Any = create_model("ShownOptions", __base__=FindingOptions, **_shown)


class Options(_ShownOptions):  # type: ignore[misc]
    """How the content is found, and what is shown of it; as of `chaffinch.OutputOptions`."""

    @model_validator(mode="after")
    def _has_chunks(self) -> Self:
        if self.chunk_tokens is not None and "chunks" not in (self.parts or ()):
            raise ValueError("chunk_tokens goes with the part chunks")
        return self


class Rendering(BaseModel):
    """Whether a browser makes the page, and what it does with it besides."""

    render: Render = "never"
    wait: Wait | None = None
    expand: bool = False

    @model_validator(mode="after")
    def _is_rendered(self) -> Self:
        if self.render == "never" and (self.wait is not None or self.expand):
            raise ValueError("wait and expand go with render")
        return self


class NamedPage(Rendering, Body):
    """A page: its address, which is fetched, or its source, with the address it came from."""

    url: Url | None = None
    html: Html | None = None
    html_base64: Annotated[str, Field(description="The page's bytes in Base64.")] | None = None
    max_age: MaxAge | None = None

    @model_validator(mode="after")
    def _is_one_page(self) -> Self:
        if self.html is not None and self.html_base64 is not None:
            raise ValueError("html and html_base64 exclude each other")
        if self.url is None and self.source is None:
            raise ValueError("one of url, html and html_base64 is needed")
        if self.max_age is not None and self.source is not None:
            raise ValueError("max_age goes with a page that is fetched")
        return self

    @property
    def source(self) -> bytes | str | None:
        if self.html_base64 is None:
            return self.html
        try:
            return base64.b64decode(self.html_base64, validate=True)
        except (binascii.Error, ValueError) as error:
            raise ValueError("html_base64 isn't Base64") from error


class PageGiven(NamedPage):
    """A page, and how its content is found and shown."""

    options: Options | None = None


class ExplainedPage(NamedPage):
    """A page, and how its content is found."""

    options: FindingOptions | None = None


class TwoVersions(Body):
    """Two versions of a page."""

    old: NamedPage
    new: NamedPage
    links: bool = True
    options: FindingOptions | None = None


_NO_OPTIONS: Final = frozenset({"url", "format", "max_age", "render", "wait", "expand"})


class FindingQuery(BaseModel):
    """The query beside a page that is the body itself: how its content is found."""

    model_config = ConfigDict(extra="forbid")

    url: Url | None = None
    method: MethodName = "auto"
    favor: Favor | None = None
    site: SiteName | None = None

    def given(self) -> dict[str, Any]:
        return self.model_dump(include=self.model_fields_set - _NO_OPTIONS, exclude_none=True)


class ExtractQuery(FindingQuery):
    """The same, and what is shown of it."""

    max_tokens: MaxTokens | None = None
    section: Section | None = None
    parts: Annotated[str, Field(max_length=200, description="Names of parts, by commas.")] = ""

    def given(self) -> dict[str, Any]:
        return {**super().given(), "parts": [one for one in self.parts.split(",") if one]}


class ReadBodyQuery(FindingQuery):
    """The query beside a page that is the body itself, and is read in a form."""

    format: ReadForm = "markdown"
    max_tokens: MaxTokens | None = None
    section: Section | None = None
    posts: Literal[POSTS] | None = None  # type: ignore[valid-type]
    front_matter: bool = False
    outline: bool = False


class ReadQuery(ReadBodyQuery, Rendering):
    """The query of a page that is read."""

    url: Url
    max_age: MaxAge | None = None

    def named(self) -> NamedPage:
        shared = NamedPage.model_fields.keys() & type(self).model_fields.keys()
        return NamedPage.model_validate(self.model_dump(include=shared))


# Endpoints


@dataclass(frozen=True, kw_only=True)
class Call:
    """A request that was read."""

    request: Request  # as it came
    query: Any = None  # by the endpoint's model; None for none
    body: Any = None  # likewise; None where there is none, or it is a page
    page: FoundPage | None = None  # the page that the body is; None where it is none

    @property
    def service(self) -> Service:
        found: Service = self.request.app.state.service
        return found

    @property
    def reader(self) -> Reader:
        return self.service.reader

    @property
    def caller(self) -> Token:
        found: Token = self.request.state.caller
        return found

    @property
    def options(self) -> dict[str, Any]:
        """What is said of how the content is found and shown: in the body, or beside a page."""
        given = self.query if self.body is None else self.body.options
        return {} if given is None else given.given()


Handler = Callable[[Call], Awaitable[Response]]
Model = TypeVar("Model", bound=BaseModel)


@dataclass(frozen=True, kw_only=True)
class Endpoint:
    """What routes and the OpenAPI document know of an endpoint."""

    method: str  # of HTTP
    path: str  # with names of its parts in braces
    handler: Handler  # answers a call; the first line of its docstring is the summary
    body: type[BaseModel] | None = None  # model of the body, as JSON; None for no such body
    body_types: tuple[str, ...] = ()  # media types of the body, if not JSON alone
    # model of the query; of one that takes JSON, too, beside a page alone
    query: type[BaseModel] | None = None
    # media type → schema of the answer; a name of a schema, or the schema
    answers: Mapping[str, str | Mapping[str, Any]] = field(default_factory=lambda: OBJECT)

    @property
    def types(self) -> tuple[str, ...]:
        return self.body_types or ((JSON,) if self.body is not None else ())

    async def respond(self, request: Request) -> Response:
        """Read a request and answer it, within the deadline."""
        service: Service = request.app.state.service
        async with service.reader.deadline():
            if not self.types:
                return await self.handler(Call(request=request, query=self._query(request)))
            kind = media_type(request.headers.get("content-type", ""))
            if kind not in self.types:
                wanted = " or ".join(self.types)
                raise ProblemError("unsupported-media-type", f"the body must be {wanted}")
            async with service.bodies.body(request) as body:
                if self.body is not None and kind == JSON:
                    if request.query_params:
                        raise ProblemError("invalid", "a body of JSON goes without a query")
                    read = _validated(self.body, self.body.model_validate_json, body)
                    return await self.handler(Call(request=request, body=read))
                query = self._query(request)
                label = (charset_of(request.headers.get("content-type", "")) or "")[:64] or None
                limits = service.reader.limits
                given = GivenPage(html=body, url=query.url, encoding=label, limits=limits)
                page = FoundPage(given=given)
                return await self.handler(Call(request=request, query=query, page=page))

    def _query(self, request: Request) -> Any:
        given = request.query_params.multi_items()
        if len(dict(given)) < len(given):
            raise ProblemError("invalid", "a parameter is given twice")
        return self.query and _validated(self.query, self.query.model_validate, dict(given))


ENDPOINTS: Final[list[Endpoint]] = []
"""Those of all modules that are loaded."""


def endpoint(method: str, path: str, **known: Any) -> Callable[[Handler], Handler]:
    """Return a decorator that makes a handler an `Endpoint`, of which more may be known."""

    def make(handler: Handler) -> Handler:
        ENDPOINTS.append(Endpoint(method=method, path=path, handler=handler, **known))
        return handler

    return make


def answer(
    body: bytes | str, kind: str = JSON, headers: Mapping[str, str] | None = None
) -> Response:
    return Response(body, headers=headers, media_type=kind)


class Bodies:
    """The bodies that are held at a time, and the bound of all; that of each is its route's."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._held = 0

    @asynccontextmanager
    async def body(self, request: Request) -> AsyncIterator[bytes]:
        """Read a request's body, and count it as held as long as it is worked on."""
        length = request.headers.get("content-length", "")
        announced = min(int(length[:19]), self._most) if length.isdecimal() else self._most
        if request.headers.get("content-encoding", "identity").lower() != "identity":
            raise ProblemError("unsupported-media-type", "bodies are read without content coding")
        if self._held + announced > _HELD:
            raise ProblemError("busy", "too many bodies are held", headers={"Retry-After": "1"})
        self._held += announced
        try:
            yield await request.body()
        except ClientDisconnect as error:
            raise ProblemError("bad-request", "the body broke off") from error
        finally:
            self._held -= announced


def _validated(model: type[Model], read: Callable[[Any], Model], given: Any) -> Model:
    try:
        return read(given)
    except ValidationError as error:
        raise _invalid(error, model) from error


def _invalid(error: ValidationError, model: type[BaseModel]) -> ProblemError:
    found = error.errors(include_url=False, include_context=False, include_input=False)
    errors = [
        {
            "at": "/" + "/".join(str(part)[:_LONGEST_MESSAGE] for part in one["loc"]),
            "message": _message(one, model)[:_LONGEST_MESSAGE],
        }
        for one in found[:_MOST_ERRORS]
    ]
    if found and found[0]["type"] == "json_invalid":
        return ProblemError("bad-request", "the body isn't JSON that can be read", errors=errors)
    return ProblemError("invalid", "a value is impossible, missing or unknown", errors=errors)


def _message(error: ErrorDetails, model: type[BaseModel]) -> str:
    if error["type"] != "extra_forbidden":
        return error["msg"]
    models = [model]
    for step in error["loc"][:-1]:
        if isinstance(step, str):
            inner = [one.model_fields[step] for one in models if step in one.model_fields]
            models = [found for one in inner for found in _models_of(one.annotation)]
    known = sorted({name for one in models for name in one.model_fields})
    return "there is no such field" + (f"; known: {', '.join(known)}" if known else "")


def _models_of(annotation: Any) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [one for inner in get_args(annotation) for one in _models_of(inner)]
