"""datatrove: a reader of WARC files that keeps bytes, and an extractor for its pipelines.

The reader hands on all that `chaffinch run` reads of an archive: every page, whatever its encoding,
with its address and the encoding that the server named. The text of a document is the page's bytes
as Latin-1, a character a byte, so that they survive what stands between the two steps; its metadata
say so, and the extractor makes bytes of it again. Text from other readers is taken as text.
"""

from __future__ import annotations

import io
from typing import Any, Final, TypeAlias

from chaffinch.errors import PageError, from_extra, require_one_of
from chaffinch.plugins._pages import Pages

with from_extra("datatrove"):
    from datatrove.pipeline.extractors.base import BaseExtractor, ExtractorSandbox
    from datatrove.pipeline.readers.base import BaseDiskReader
    from datatrove.utils.logging import logger
    from datatrove.utils.typeshelper import StatHints

from collections.abc import Iterator, Sequence

from datatrove.data import Document

from chaffinch.corpus import readers as warc
from chaffinch.corpus import rows as row_values
from chaffinch.corpus import sources as records

FIELDS: Final = (
    *("title", "authors", "published", "language"),
    *("page_type", "confidence", "source", "method"),
)
"""What an extractor adds to a document's metadata unless others are named."""

AS_LATIN_1: Final = "bytes_as_latin_1"
"""Key of the metadata: whether the text is bytes, a character each."""

_START: Final = 60.0  # seconds that a new process has, which may import everything anew
_SOME_PAGE: Final = "<p>A page to warm up with, in some words."

Found: TypeAlias = tuple[str, dict[str, Any]]
"""The text of a page, and what its metadata get."""


class WarcReader(BaseDiskReader):
    """Reads the pages of WARC files as bytes; arguments are those of datatrove's other readers.

    Metadata are ``url``, ``date``, ``encoding`` (the label that the server gave, if any),
    ``status``, ``truncated`` and ``file_path``. What isn't a page is skipped and counted; of a
    damaged stretch only that is lost, with a warning. Of a page of more than ``max_bytes`` a byte
    more is kept, which the extractor then reports.
    """

    name = "🕷 Warc, as bytes"
    _requires_dependencies = ("fastwarc",)

    def __init__(self, data_folder: Any, *, max_bytes: int = 64 << 20, **options: Any) -> None:
        super().__init__(data_folder, **options)
        self.max_bytes = max_bytes

    def read_file(self, filepath: str) -> Iterator[Document]:
        with self.data_folder.open(filepath, "rb") as file:
            for found in warc.read_file(file, filepath, self.max_bytes):
                if isinstance(found, records.Skipped):
                    self.stat_update(f"skipped: {found.why}")
                elif found.error:
                    self.stat_update("damaged")
                    logger.warning(f"{filepath} at byte {found.offset}: {found.detail}")
                else:
                    with self.track_time():
                        document = self._document(found, filepath)
                    if document:
                        yield document

    def _document(self, record: records.Record, filepath: str) -> Document | None:
        values = {
            self.text_key: record.html.decode("latin-1"),
            self.id_key: f"{filepath}/{record.offset}",
            "url": record.url,
            "date": record.fetched,
            "encoding": record.encoding,
            "status": record.status,
            "truncated": record.truncated,
            AS_LATIN_1: True,
        }
        document: Document | None = self.get_document_from_dict(values, filepath, record.offset)
        return document


class Extractor(BaseExtractor):
    """Makes text of pages, in a process of its own that a page may crash or hang.

    Documents without content are dropped; errors are counted as by datatrove's other extractors:
    ``clean_error`` for a page that can't be processed, ``timeout``, ``broken_process``.

    Args:
        output: ``text`` or ``markdown``.
        fields: what is added to the metadata, keys of `chaffinch.corpus.rows.VALUES`.
        timeout: seconds for a page.
        **options: as of `chaffinch.extract`, but those of single pages.
    """

    name = "⛏ Chaffinch"
    timeout: float
    _warned_error: bool
    _requires_dependencies = ()

    def __init__(
        self,
        output: str = "text",
        *,
        fields: Sequence[str] = FIELDS,
        timeout: float = 1,
        **options: Any,
    ) -> None:
        super().__init__(timeout)
        require_one_of("output", output, row_values.OUTPUTS)
        self._output = output
        self._pages = Pages(options, fields=fields)

    def extract(self, text: str) -> str:
        return self._found(text)[0]

    def run(self, data: Any, rank: int = 0, world_size: int = 1) -> Iterator[Document]:  # noqa: ARG002  datatrove's own
        """Yield the documents that have content, with their text and metadata."""
        self.extract(_SOME_PAGE)  # loads what a forked process then has
        with _Sandbox(timeout=self.timeout, warmup_text=(_SOME_PAGE, {})) as sandbox:
            for document in data:
                self.stat_update(StatHints.total)
                with self.track_time():
                    found = self._in_sandbox(sandbox, document)
                if found is None:
                    continue
                document.text, values = found
                document.metadata.pop(AS_LATIN_1, None)
                document.metadata |= values
                if document.text:
                    self.stat_update(StatHints.forwarded)
                    self.update_doc_stats(document)
                    yield document
                else:
                    self.stat_update(StatHints.dropped)

    def _in_sandbox(self, sandbox: _Sandbox, document: Document) -> Found | None:
        """Return what is found of a document; None for an error, which is counted."""
        about = {name: document.metadata.get(name) for name in ("url", "encoding", AS_LATIN_1)}
        try:
            found: Found = sandbox.process_document((document.text, about), self._outcome)
        except PageError as error:
            self.stat_update("clean_error")
            if not self._warned_error:
                logger.warning(f"❌ {error}. Such records are skipped; this is reported only once.")
                self._warned_error = True
        except TimeoutError:
            self.stat_update("timeout")
            logger.warning("⏰ A page took too long and is skipped.")
        except EOFError:
            self.stat_update("broken_process")
            logger.warning("A page ended its process and is skipped.")
        else:
            self.stat_update("extracted")
            return found
        return None

    def _outcome(self, text: str, about: dict[str, Any]) -> Found | PageError:
        """Return what is found of a page; an error as a value, for one raised ends the process."""
        is_bytes = about.pop(AS_LATIN_1, False)
        page = io.BytesIO(text.encode("latin-1")) if is_bytes else text
        try:
            return self._found(page, **about)
        except PageError as error:
            return error

    def _found(self, page: str | io.BytesIO, **about: Any) -> Found:
        found = self._pages.extract(page, **about)
        return row_values.VALUES[self._output](found), self._pages.values(found)


class _Sandbox(ExtractorSandbox):
    """A sandbox whose process has time to start where it isn't forked."""

    timeout: float

    def _ensure_process(self, extract_fn: Any) -> None:
        usual, self.timeout = self.timeout, max(self.timeout, _START)
        try:
            super()._ensure_process(extract_fn)
        finally:
            self.timeout = usual
