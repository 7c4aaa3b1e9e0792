"""What requests may hold, as models: each field with its type and bounds, and none besides.

Methods are named, never imported; no field is a path on the server.
"""

from __future__ import annotations

import base64
import binascii
from dataclasses import fields
from typing import Annotated, Any, Final, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, create_model, model_validator

from chaffinch.decision.policy import Policy
from chaffinch.methods import METHODS
from chaffinch.output.options import PARTS, POSTS
from chaffinch.page.selectors import is_xpath

READ_FORMS: Final = ("markdown", "text", "html", "json")
"""Forms in which a page is read."""

STRICT: Final = ConfigDict(extra="forbid", strict=True)
"""Configuration of models of bodies: nothing unknown, and nothing of another type."""
_METHOD_NAMES: Final = ("auto", *METHODS)

Url = Annotated[str, Field(min_length=1, max_length=8192, description="An http or https address.")]
Label = Annotated[
    str, Field(max_length=64, description="Label of the page's encoding, as a server gives it.")
]
Section = Annotated[
    str,
    Field(max_length=2000, description="Number of a section in the outline, its id, or headings."),
]


def _is_method(name: str) -> str:
    """Check that a method is known by its name: none is imported for a request."""
    if name not in _METHOD_NAMES:
        raise ValueError(f"unknown method; known: {', '.join(_METHOD_NAMES)}")
    return name


MethodName = Annotated[
    str, Field(json_schema_extra={"enum": list(_METHOD_NAMES)}), AfterValidator(_is_method)
]


def _is_css(selector: str) -> str:
    """Check that a selector of a request is CSS: an XPath may take time that grows with powers."""
    if is_xpath(selector):
        raise ValueError("selectors of requests are CSS, no XPath")
    return selector


Selector = Annotated[
    str,
    Field(min_length=1, max_length=500, description="A CSS selector."),
    AfterValidator(_is_css),
]
Html = Annotated[str, Field(description="The page's source.")]
_Number = int | float
Setting = bool | _Number | Annotated[str, Field(max_length=64)] | list[_Number | str]
MaxTokens = Annotated[
    int, Field(ge=16, le=1_000_000, description="Tokens that the text may have, estimated.")
]
Favor = Literal["balanced", "precision", "recall"]
MaxAge = Annotated[
    int, Field(ge=0, le=31_536_000, description="Seconds of age at which a kept copy will do.")
]

PolicyFields = create_model(
    "Policy",
    __config__=STRICT,
    __doc__="What counts as content where people disagree; null is the default of each.",
    **{one.name: (bool | None, None) for one in fields(Policy)},  # type: ignore[call-overload]
)


class PageOptions(BaseModel):
    """How a page is read, whatever is made of it."""

    model_config = STRICT

    encoding: Label | None = None

    def given(self) -> dict[str, Any]:
        """Return what was given, as plain values."""
        return self.model_dump(exclude_none=True)


class FindingOptions(PageOptions):
    """How the content is found; as of `chaffinch.extract`."""

    policy: PolicyFields | None = None  # type: ignore[valid-type]
    favor: Favor | None = None
    siblings: Annotated[list[Html], Field(max_length=32)] | None = None
    method: MethodName = "auto"
    settings: Annotated[dict[str, Setting], Field(max_length=32)] | None = None
    keep: Annotated[list[Selector], Field(max_length=32)] | None = None
    drop: Annotated[list[Selector], Field(max_length=32)] | None = None


class ShownOptions(PageOptions):
    """What is shown of the content; as of `chaffinch.OutputOptions`."""

    policy: PolicyFields | None = None  # type: ignore[valid-type]
    links: bool | None = None
    images: bool | None = None
    tables: bool | None = None
    formulas: bool | None = None
    emphasis: bool | None = None
    posts: Literal[POSTS] | None = None  # type: ignore[valid-type]
    titles: bool | None = None
    max_tokens: MaxTokens | None = None
    section: Section | None = None
    parts: list[Literal[PARTS]] | None = None  # type: ignore[valid-type]
    chunk_tokens: MaxTokens | None = None

    @model_validator(mode="after")
    def _has_chunks(self) -> Self:
        if self.chunk_tokens is not None and "chunks" not in (self.parts or ()):
            raise ValueError("chunk_tokens goes with the part chunks")
        return self


class Options(ShownOptions, FindingOptions):
    """How the content is found, and what is shown of it."""


class NamedPage(BaseModel):
    """A page: its address, which is fetched, or its source, with the address it came from."""

    model_config = STRICT

    url: Url | None = None
    html: Html | None = None
    html_base64: Annotated[str, Field(description="The page's bytes in Base64.")] | None = None
    render: Literal["never", "auto", "always"] = "never"
    max_age: MaxAge | None = None

    @model_validator(mode="after")
    def _is_one_page(self) -> Self:
        if self.html is not None and self.html_base64 is not None:
            raise ValueError("html and html_base64 exclude each other")
        if self.url is None and self.html is None and self.html_base64 is None:
            raise ValueError("one of url, html and html_base64 is needed")
        if self.max_age is not None and (self.html is not None or self.html_base64 is not None):
            raise ValueError("max_age goes with a page that is fetched")
        if self.html_base64 is not None:
            _ = self.source
        return self

    @property
    def source(self) -> bytes | str | None:
        """The page's source, where it was given.

        Raises:
            ValueError: it isn't Base64.
        """
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


class TwoVersions(BaseModel):
    """Two versions of a page."""

    model_config = STRICT

    old: NamedPage
    new: NamedPage
    links: bool = True
    options: FindingOptions | None = None


class StreamedPage(PageGiven):
    """A line of a stream: a page, and an id under which it is answered."""

    id: Annotated[str, Field(max_length=200)] | int | None = None


class SiteOptions(ShownOptions):
    """How a site's model is applied, and what is shown of the content."""

    mode: Literal["full", "rules"] | None = None


class SitePage(NamedPage):
    """A page that is extracted by a site's model."""

    options: SiteOptions | None = None


class SitePages(BaseModel):
    """Pages of a site, to learn from or to try rules on."""

    model_config = STRICT

    pages: Annotated[list[NamedPage], Field(min_length=1, max_length=64)]


class SiteRules(BaseModel):
    """A site's model as TOML."""

    model_config = STRICT

    rules: Annotated[str, Field(max_length=4 << 20, description="The model as TOML.")]


class ReadQuery(BaseModel):
    """The query of a page that is read."""

    model_config = ConfigDict(extra="forbid")

    url: Url
    format: Annotated[str, Field(json_schema_extra={"enum": list(READ_FORMS)})] | None = None
    max_tokens: MaxTokens | None = None
    section: Section | None = None
    posts: Literal[POSTS] | None = None  # type: ignore[valid-type]
    front_matter: bool = False
    outline: bool = False
    max_age: MaxAge | None = None
    render: Literal["never", "auto", "always"] = "never"
    method: MethodName = "auto"
    favor: Favor | None = None

    @model_validator(mode="after")
    def _has_known_words(self) -> Self:
        if self.format is not None and self.format not in READ_FORMS:
            raise ValueError(f"unknown format; known: {', '.join(READ_FORMS)}")
        return self


class BodyQuery(BaseModel):
    """The query beside a page that is the body itself."""

    model_config = ConfigDict(extra="forbid")

    url: Url | None = None

    def given(self) -> dict[str, Any]:
        """Return the options that were given, as plain values."""
        return self.model_dump(exclude={"url"}, exclude_none=True)


class FindingQuery(BodyQuery):
    """The same, and how its content is found."""

    method: MethodName = "auto"
    favor: Favor | None = None


class ExtractQuery(FindingQuery):
    """The same, and what is shown of it."""

    max_tokens: MaxTokens | None = None
    section: Section | None = None
    parts: Annotated[str, Field(max_length=200, description="Names of parts, by commas.")] = ""

    def given(self) -> dict[str, Any]:
        """Return the options that were given, as plain values."""
        return {**super().given(), "parts": [one for one in self.parts.split(",") if one]}
