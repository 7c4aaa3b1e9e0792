"""The media types of responses that are read: pages, Markdown where it will do, other text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from chaffinch.web.client import PAGE_TYPES, media_type

if TYPE_CHECKING:
    from collections.abc import Mapping

MARKDOWN: Final = frozenset({"text/markdown", "text/x-markdown"})
"""Media types of Markdown."""

SUCCESS: Final = range(200, 300)
"""Statuses of a page that was requested."""

_TEXTS: Final = frozenset({"application/json", "application/yaml", "application/javascript"})
"""Media types of text, besides ``text/…`` and those that end in ``+json`` or ``+xml``."""

_ACCEPT_PAGE: Final = "text/html,application/xhtml+xml,application/xml;q=0.8,*/*;q=0.1"
_ACCEPT_MARKDOWN: Final = f"text/markdown,{_ACCEPT_PAGE.replace('html,', 'html;q=0.9,', 1)}"
_FAILURES: Final = range(400, 600)


@dataclass(frozen=True)
class MediaKinds:
    """Media types that will do: those of pages, and others.

    Attributes:
        markdown: whether Markdown will do.
        texts: whether any text will do.
    """

    markdown: bool
    texts: bool

    @property
    def accept(self) -> str:
        """The Accept header."""
        return _ACCEPT_MARKDOWN if self.markdown else _ACCEPT_PAGE

    def take(self, content_type: str) -> bool:
        """Return whether a body of this type will do."""
        kind = media_type(content_type)
        return (
            kind in PAGE_TYPES
            or (self.markdown and kind in MARKDOWN)
            or (self.texts and (kind.startswith("text/") or kind in _TEXTS))
            or (self.texts and kind.endswith(("+json", "+xml")))
        )

    def __call__(self, status: int, headers: Mapping[str, str]) -> bool:
        """Return whether a body is read."""
        kind = headers.get("content-type", "")
        return (status in SUCCESS and self.take(kind)) or is_page_of_failure(status, kind)


def is_page_of_failure(status: int, content_type: str) -> bool:
    """Return whether a response is the page that a server has for a failure."""
    return status in _FAILURES and media_type(content_type) in PAGE_TYPES
