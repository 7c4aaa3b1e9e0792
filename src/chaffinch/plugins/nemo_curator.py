"""NeMo Curator: an algorithm for its Common Crawl stage, and an extractor that takes bytes.

The stage decodes pages itself and loses those whose encoding it can't name; `PageExtractor`, in the
place of its `CommonCrawlHTMLExtractor`, takes the bytes of the record.
"""

from __future__ import annotations

import logging
from typing import Any, Final

from chaffinch.errors import PageError, from_extra
from chaffinch.plugins._pages import Pages

with from_extra("nemo-curator"):
    from nemo_curator.stages.text.download import DocumentExtractor
    from nemo_curator.stages.text.download.html_extractors import HTMLExtractorAlgorithm

from collections.abc import Mapping, Sequence

_LOG: Final = logging.getLogger(__name__)
_GIVEN: Final = ("url", "warc_id", "source_id")

FIELDS: Final = ("language", "title", "published", "page_type", "confidence")
"""Columns that a `PageExtractor` adds beside the text unless others are named."""


class Algorithm(HTMLExtractorAlgorithm):
    """The algorithm of a `CommonCrawlHTMLExtractor`: lines of the main content."""

    def __init__(self, **options: Any) -> None:
        self._pages = Pages(options)

    def extract_text(
        self, html: str, stop_words: frozenset[str], language: str
    ) -> list[str] | None:
        """Return the lines of a page's content; None for none, or a page that fails."""
        del stop_words, language  # what is content doesn't depend on them
        try:
            text = self._pages.extract(html).text
        except PageError as error:
            _LOG.warning("a page is passed over: %s", error)
            return None
        return text.splitlines() or None


class PageExtractor(DocumentExtractor):
    """Makes a row of a WARC record's bytes, in any language and encoding."""

    def __init__(self, *, fields: Sequence[str] = FIELDS, **options: Any) -> None:
        super().__init__()
        self._fields = tuple(fields)
        self._pages = Pages(options, fields=fields)

    def extract(self, record: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return the row of a record of `CommonCrawlWarcIterator`.

        None, which leaves it out, for no content and for a page that can't be processed.
        """
        try:
            found = self._pages.extract(record.get("content") or b"", url=record.get("url"))
            values = self._pages.values(found)
        except PageError as error:
            _LOG.warning("%s is passed over: %s", record.get("url"), error)
            return None
        if not found.text:
            return None
        return {**{name: record.get(name) for name in _GIVEN}, **values, "text": found.text}

    def input_columns(self) -> list[str]:
        return [*_GIVEN, "content"]

    def output_columns(self) -> list[str]:
        return list(dict.fromkeys([*_GIVEN, *self._fields, "text"]))
