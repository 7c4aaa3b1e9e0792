"""What a page says of what it is about: title, authors, dates, language and more.

Each value carries where it came from and how far the page's own sources carry it. A field costs
only when it is asked for.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from chaffinch.errors import OptionError
from chaffinch.lazy import lazy_module
from chaffinch.metadata.found import Found
from chaffinch.metadata.opt_outs import find_opt_outs

if TYPE_CHECKING:
    from datetime import date

    from chaffinch.metadata import authors, dates, evidence, further_fields, language, titles
    from chaffinch.page import Page
    from chaffinch.result import Content
else:
    authors = lazy_module("chaffinch.metadata.authors")
    dates = lazy_module("chaffinch.metadata.dates")
    evidence = lazy_module("chaffinch.metadata.evidence")
    further_fields = lazy_module("chaffinch.metadata.further_fields")
    language = lazy_module("chaffinch.metadata.language")
    titles = lazy_module("chaffinch.metadata.titles")

__all__ = ["BASIC", "FIELDS", "Found", "Metadata", "read_metadata"]

BASIC: Final = ("title", "authors", "published", "site_name", "description", "language")
"""The fields of the default extraction."""

FIELDS: Final = (
    *BASIC,
    "modified",
    "canonical",
    "categories",
    "tags",
    "lead_image",
    "declared_type",
    "licence",
    "opt_outs",
)
"""All fields, in the order of output."""


@dataclass(frozen=True, eq=False)
class Metadata:
    """What a page says of itself; every field is a `Found`, or None where the page is silent.

    Fields are read on first use and kept.
    """

    _evidence: evidence.Evidence = field(repr=False)

    @cached_property
    def title(self) -> Found[str] | None:
        """The title of what the page is about, without the site's name."""
        return titles.title(self._evidence)

    @cached_property
    def authors(self) -> Found[tuple[str, ...]] | None:
        """Names of the authors, in the page's order."""
        return authors.authors(self._evidence)

    @cached_property
    def published(self) -> Found[date] | None:
        """Date, or datetime where a time is given, with the time zone where it is given."""
        return dates.published(self._evidence)

    @cached_property
    def modified(self) -> Found[date] | None:
        """Date or datetime of the last change."""
        return dates.modified(self._evidence)

    @cached_property
    def site_name(self) -> Found[str] | None:
        """Name of the site."""
        return further_fields.site_name(self._evidence)

    @cached_property
    def description(self) -> Found[str] | None:
        """The page's own description."""
        return further_fields.description(self._evidence)

    @cached_property
    def language(self) -> Found[str] | None:
        """Primary subtag of BCP 47, such as "en" or "zh"."""
        return language.language(self._evidence)

    @cached_property
    def canonical(self) -> Found[str] | None:
        """The address the page wants to be known by, absolute."""
        return further_fields.canonical(self._evidence)

    @cached_property
    def categories(self) -> Found[tuple[str, ...]] | None:
        """Sections it is filed under."""
        return further_fields.categories(self._evidence)

    @cached_property
    def tags(self) -> Found[tuple[str, ...]] | None:
        """Keywords."""
        return further_fields.tags(self._evidence)

    @cached_property
    def lead_image(self) -> Found[str] | None:
        """Absolute address of the image that stands for the page."""
        return further_fields.lead_image(self._evidence)

    @cached_property
    def declared_type(self) -> Found[str] | None:
        """The kind of page that it declares, such as "article", "product" or "forum"."""
        return further_fields.declared_type(self._evidence)

    @cached_property
    def licence(self) -> Found[str] | None:
        """Address of the licence, or its text."""
        return further_fields.licence(self._evidence)

    @cached_property
    def opt_outs(self) -> Found[tuple[str, ...]] | None:
        """What its owner says that is not to be done with it, such as "noai", "tdm-reservation"."""
        return find_opt_outs(self._evidence)

    def found(self, name: str) -> Found[Any] | None:
        """Return a field with its source, row and confidence, by name.

        Raises:
            OptionError: no such field; the message lists the known ones.
        """
        if name not in FIELDS:
            raise OptionError(f"unknown field {name!r}; known: {', '.join(FIELDS)}")
        value: Found[Any] | None = getattr(self, name)
        return value

    def value(self, name: str) -> Any:
        """Return a field's plain value: str, a tuple of str, a date as ISO 8601; None if unknown.

        Raises:
            OptionError: no such field; the message lists the known ones.
        """
        found = self.found(name)
        if found is None:
            return None
        return found.value.isoformat() if hasattr(found.value, "isoformat") else found.value

    def told(self, name: str) -> dict[str, Any] | None:
        """Return a field with its source, row and confidence as plain values for JSON.

        Raises:
            OptionError: no such field; the message lists the known ones.
        """
        found = self.found(name)
        if found is None:
            return None
        value = self.value(name)
        plain = list(value) if isinstance(value, tuple) else value
        return asdict(found) | {"value": plain, "agreeing": list(found.agreeing)}

    def to_dict(self, *, fields: tuple[str, ...] = BASIC) -> dict[str, Any]:
        """Return plain values for JSON by field name; lists for tuples, None where unknown.

        Raises:
            OptionError: a field is unknown; the message lists the known ones.
        """
        values = {name: self.value(name) for name in fields}
        return {name: list(v) if isinstance(v, tuple) else v for name, v in values.items()}


def read_metadata(
    page: Page, content: Content | None = None, headers: tuple[tuple[str, str], ...] = ()
) -> Metadata:
    """Return the metadata of ``page``, each field read when it is asked for.

    Args:
        page: the page.
        content: the content found on it: a title, byline and date near its start are preferred.
        headers: of the answer that brought the page, in which its owner may opt out of uses.
    """
    return Metadata(evidence.Evidence(page, content, headers))
