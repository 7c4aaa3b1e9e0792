"""Pages as passages with flat metadata, as tools for retrieval store them.

A passage is Markdown, whole tables and listings in it, with the headings above it and the ids of
its blocks. Values of metadata are text or numbers, for many stores take nothing else; what is
unknown is left out.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from chaffinch.errors import OptionError, require_whole
from chaffinch.extraction.extract import extract, prepared_options
from chaffinch.loading.loader import load

if TYPE_CHECKING:
    from os import PathLike

    from chaffinch.extraction.extracted import Extract
    from chaffinch.page import PageInput

HEADINGS: Final = " > "
"""What stands between the headings of a passage, outermost first."""

IDS: Final = " "
"""What stands between the ids of its blocks."""

AUTHORS: Final = "; "
"""What stands between names."""

Value: TypeAlias = str | int | float


@dataclass(frozen=True)
class RetrievalPassage:
    """A piece of a page.

    Attributes:
        text: its Markdown, without the headings above it.
        metadata: ``title``, ``url``, ``language``, ``authors``, ``published``, ``site_name``,
            ``page_type``, ``confidence`` of the page; of a piece of it ``headings`` and
            ``block_ids`` (`chaffinch.reading.blocks`), too.
    """

    text: str
    metadata: Mapping[str, Value]


@dataclass(frozen=True)
class PassageCutter:
    """Makes passages of pages; picklable.

    Attributes:
        max_tokens: most tokens of a passage, by the estimate of `chaffinch.estimate_tokens`; None
            for the whole page as one.
        options: as of `chaffinch.extract`, but those of single pages.

    Raises:
        OptionError: a value is impossible, or an option unknown.
    """

    max_tokens: int | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    _ready: Mapping[str, Any] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.max_tokens is not None:
            require_whole("max_tokens", self.max_tokens, 1)
        if not isinstance(self.options, Mapping):
            raise OptionError(f"options are a mapping, not {self.options!r}")
        object.__setattr__(self, "_ready", prepared_options(self.options))

    def passages(
        self, html: PageInput, *, url: str | None = None, encoding: str | None = None
    ) -> list[RetrievalPassage]:
        """Return the passages of a page, in order; none where it has no content.

        Args:
            html: its bytes, a path, or its text, which is never taken for an address.
            url: its address.
            encoding: the label the transport gave.

        Raises:
            PageError: the page can't be processed.
        """
        page = io.StringIO(html) if isinstance(html, str) else html
        found = extract(page, url=url, encoding=encoding, **self._ready)
        about = _about(found)
        if self.max_tokens is None:
            whole = found.markdown()
            return [RetrievalPassage(whole, about)] if whole else []
        cut = found.chunks(format="markdown", max_tokens=self.max_tokens)
        return [RetrievalPassage(one.text, {**about, **_place(one)}) for one in cut]

    def passages_at(
        self, source: str | PathLike[str], *, url: str | None = None, **loading: Any
    ) -> list[RetrievalPassage]:
        """Return the passages of the page at an address or path.

        Args:
            source: an http or https address, or the path of a file.
            url: address of a file's page.
            **loading: as of `chaffinch.load`.

        Raises:
            PageError: it can't be fetched, read or processed.
        """
        page = load(source, url=url, **loading)
        return self.passages(page, url=page.url)


def _about(found: Extract) -> dict[str, Value]:
    values = {
        "title": found.title,
        "url": found.url,
        "language": found.language,
        "authors": AUTHORS.join(found.authors),
        "published": found.date,
        "site_name": found.site_name,
        "page_type": found.page_type,
        "confidence": found.confidence,
    }
    return {name: value for name, value in values.items() if value not in (None, "")}


def _place(chunk: Any) -> dict[str, Value]:
    return {"headings": HEADINGS.join(chunk.headings), "block_ids": IDS.join(chunk.ids)}
