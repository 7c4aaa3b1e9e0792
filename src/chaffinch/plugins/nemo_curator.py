"""NeMo Curator: an algorithm for its Common Crawl stage, and an extractor that takes bytes.

The stage decodes pages itself and loses those whose encoding it can't name; `PageExtractor`, in the
place of its `CommonCrawlHTMLExtractor`, takes the bytes of the record.
"""

from __future__ import annotations

import io
import logging
from typing import Any, Final

from chaffinch.errors import MissingExtraError, PageError, require_one_of

try:
    from nemo_curator.stages.text.download import DocumentExtractor
    from nemo_curator.stages.text.download.html_extractors import HTMLExtractorAlgorithm
except ImportError as error:
    raise MissingExtraError.of(error.name or "nemo_curator", "nemo-curator") from error

from collections.abc import Mapping, Sequence

from chaffinch.corpus import rows as row_values
from chaffinch.extraction import extract

_LOG: Final = logging.getLogger(__name__)
_GIVEN: Final = ("url", "warc_id", "source_id")

FIELDS: Final = ("language", "title", "published", "page_type", "confidence")
"""Columns that a `PageExtractor` adds beside the text unless others are named."""


class Algorithm(HTMLExtractorAlgorithm):
    """The algorithm of a `CommonCrawlHTMLExtractor`: lines of the main content.

    Args:
        **options: as of `chaffinch.extract`, but those of single pages.

    Raises:
        OptionError: an option is unknown or impossible.
    """

    def __init__(self, **options: Any) -> None:
        self._options = extract.prepared_options(options)

    def extract_text(
        self, html: str, stop_words: frozenset[str], language: str
    ) -> list[str] | None:
        """Return the lines of a page's content; None for none, or a page that fails."""
        del stop_words, language  # what is content doesn't depend on them
        try:
            text = extract.extract(io.StringIO(html), **self._options).text
        except PageError as error:
            _LOG.warning("a page is passed over: %s", error)
            return None
        return text.splitlines() or None


class PageExtractor(DocumentExtractor):
    """Makes a row of a WARC record's bytes, in any language and encoding.

    Args:
        fields: columns beside the text, keys of `chaffinch.corpus.rows.VALUES`.
        **options: as of `chaffinch.extract`, but those of single pages.

    Raises:
        OptionError: a field or option is unknown, or impossible.
    """

    def __init__(self, *, fields: Sequence[str] = FIELDS, **options: Any) -> None:
        super().__init__()
        for name in fields:
            require_one_of("field", name, row_values.VALUES)
        self._fields = tuple(fields)
        self._options = extract.prepared_options(options)

    def extract(self, record: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return the row of a record of `CommonCrawlWarcIterator`.

        None, which leaves it out, for no content and for a page that can't be processed.
        """
        html = record.get("content") or b""
        page = io.StringIO(html) if isinstance(html, str) else html
        try:
            found = extract.extract(page, url=record.get("url"), **self._options)
            values = {name: row_values.VALUES[name](found) for name in self._fields}
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
