"""Metadata of a page: title, authors, dates, language and more.

Each value has its provenance (source and row) and a confidence. A field is computed when it is read
for the first time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, Final

from chaffinch.caching import cached_property
from chaffinch.errors import OptionError
from chaffinch.metadata import (
    bylines,
    credited,
    dates,
    language,
    page_fields,
    product,
    sources,
    titles,
)
from chaffinch.metadata.values import Contributor, FieldValue
from chaffinch.page import Page
from chaffinch.page_work import begin_stage
from chaffinch.verdict import Content, RoleRule

__all__ = ["BASIC", "FIELDS", "Contributor", "FieldValue", "Metadata", "read_metadata"]

BASIC: Final = ("title", "authors", "published", "site_name", "description", "language")
"""The fields of the default extraction."""


@dataclass(frozen=True, eq=False, repr=False)
class Metadata:
    """The metadata of a page; every field is a `FieldValue`, or None where the page gives none.

    Fields are computed on first use and kept; ``print`` shows the values of those that the page
    gives.
    """

    _evidence: sources.Evidence

    def __repr__(self) -> str:
        values = ((name, self.value(name)) for name in FIELDS)
        given = (f"{name}={value!r}" for name, value in values if value is not None)
        return f"{type(self).__name__}({', '.join(given)})"

    title = cached_property(lambda self: titles.title(self._evidence))
    """The title of what the page is about, without the site's name."""
    authors = cached_property(lambda self: bylines.authors(self._evidence))
    """Names of the authors, in the page's order."""
    published = cached_property(lambda self: dates.published(self._evidence))
    """Date of publication, or datetime where a time is given; with time zone if given."""
    site_name = cached_property(lambda self: page_fields.site_name(self._evidence))
    """Name of the site."""
    description = cached_property(lambda self: page_fields.description(self._evidence))
    """The description that the page declares."""
    language = cached_property[FieldValue[str] | None](
        lambda self: self._evidence.derived(language.language)
    )
    """Primary subtag of BCP 47, such as "en" or "zh"."""
    modified = cached_property(lambda self: dates.modified(self._evidence))
    """Date or datetime of the last change."""
    original_source = cached_property(lambda self: credited.original_source(self._evidence))
    """Who published the text first, as the page declares; `Extract.source` is another thing."""
    editors = cached_property(lambda self: credited.editors(self._evidence))
    """Names of the editors, in the page's order."""
    contributors = cached_property(lambda self: credited.contributors(self._evidence))
    """Who edited, translated, illustrated or reviewed what the authors wrote, with roles."""
    canonical = cached_property(lambda self: page_fields.canonical(self._evidence))
    """The canonical address that the page declares, absolute."""
    categories = cached_property(lambda self: page_fields.categories(self._evidence))
    """Sections of the site that the page belongs to."""
    tags = cached_property(lambda self: page_fields.tags(self._evidence))
    """Keywords that the page declares."""
    lead_image = cached_property(lambda self: page_fields.lead_image(self._evidence))
    """Absolute address of the image that represents the page."""
    declared_type = cached_property(lambda self: page_fields.declared_type(self._evidence))
    """The page type that the page declares, such as "article", "product" or "forum"."""
    licence = cached_property(lambda self: page_fields.licence(self._evidence))
    """Address of the licence, or its text."""
    opt_outs = cached_property(lambda self: page_fields.opt_outs(self._evidence))
    """Uses that the owner of the page opts out of, such as "noai", "tdm-reservation"."""
    product = cached_property(lambda self: product.product(self._evidence))
    """The product that the page is about; each of its fields is a `FieldValue` of its own."""

    def field_value(self, name: str) -> FieldValue[Any] | None:
        """Return a field with its provenance and confidence, by name.

        Raises:
            OptionError: no such field; the message lists the known ones.
        """
        if name not in FIELDS:
            raise OptionError(f"unknown field {name!r}; known: {', '.join(FIELDS)}")
        begin_stage(name)
        value: FieldValue[Any] | None = getattr(self, name)
        return value

    def value(self, name: str) -> Any:
        """Return a field's plain value: str, a tuple of str, a date as ISO 8601; None if unknown.

        That of a product is a dict of its known fields, of contributors a tuple of dicts.

        Raises:
            OptionError: no such field; the message lists the known ones.
        """
        found = self.field_value(name)
        if found is None:
            return None
        if name == "product":
            return found.value.values()
        if name == "contributors":
            return tuple(one._asdict() for one in found.value)
        return found.value.isoformat() if hasattr(found.value, "isoformat") else found.value

    def field_dict(self, name: str) -> dict[str, Any] | None:
        """Return a field with its provenance and confidence as plain values for JSON.

        Raises:
            OptionError: no such field; the message lists the known ones.
        """
        found = self.field_value(name)
        if found is None:
            return None
        if name == "product":
            parts = {one.name: getattr(found.value, one.name) for one in fields(found.value)}
            return _plain(
                found, {key: one and _plain(one, one.value) for key, one in parts.items()}
            )
        value = self.value(name)
        return _plain(found, list(value) if isinstance(value, tuple) else value)

    def to_dict(self, *, fields: tuple[str, ...] = BASIC) -> dict[str, Any]:
        """Return plain values for JSON by field name; lists for tuples, None where unknown.

        Raises:
            OptionError: a field is unknown; the message lists the known ones.
        """
        values = {name: self.value(name) for name in fields}
        return {name: list(v) if isinstance(v, tuple) else v for name, v in values.items()}


def _plain(found: FieldValue[Any], value: Any) -> dict[str, Any]:
    """Return a field with ``value`` in place of its own, for JSON."""
    own = {one.name: getattr(found, one.name) for one in fields(found)}
    return own | {"value": value, "agreeing": list(found.agreeing)}


FIELDS: Final = tuple(
    name for name, own in vars(Metadata).items() if isinstance(own, cached_property)
)
"""All fields, in the order of output."""


def read_metadata(  # noqa: PLR0913  options are keyword-only
    page: Page,
    content: Content | None = None,
    headers: tuple[tuple[str, str], ...] = (),
    *,
    roles: tuple[RoleRule, ...] = (),
    author_blacklist: tuple[str, ...] = (),
    title_boilerplate: tuple[str, ...] = (),
    opener: Callable[[], sources.Opener | None] | None = None,
) -> Metadata:
    """Return the metadata of ``page``, whose fields are computed on first use.

    A title, byline and date near the start of the content are preferred; the rest is as of
    `sources.Evidence`.
    """
    return Metadata(
        sources.Evidence(page, content, headers, roles, author_blacklist, title_boilerplate, opener)
    )
