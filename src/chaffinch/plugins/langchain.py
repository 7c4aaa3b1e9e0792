"""LangChain: a blob parser, a loader and a document transformer.

Documents hold Markdown, whole tables in it; their metadata place a passage: ``headings``
and ``block_ids`` beside those of the page (`chaffinch.extraction.retrieval_passages`).
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from chaffinch.errors import MissingExtraError, PageError

try:
    from langchain_core.document_loaders import BaseBlobParser, BaseLoader
    from langchain_core.documents import BaseDocumentTransformer, Document
except ImportError as error:
    raise MissingExtraError.of(error.name or "langchain_core", "langchain") from error

from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from os import PathLike

from langchain_core.documents.base import Blob

from chaffinch.extraction import retrieval_passages

_LOG: Final = logging.getLogger(__name__)


@dataclass(frozen=True)
class _Maker:
    """Makes documents of what a page's passages are."""

    cutter: retrieval_passages.PassageCutter
    continue_on_failure: bool

    def documents(
        self,
        make: Callable[[], list[retrieval_passages.RetrievalPassage]],
        metadata: Mapping[str, Any],
    ) -> list[Document]:
        """Return the documents of a page; a page that fails raises or is logged.

        Raises:
            PageError: the page can't be processed, unless failures are passed over.
        """
        try:
            found = make()
        except PageError as error:
            if not self.continue_on_failure:
                raise
            _LOG.warning("%s is passed over: %s", metadata.get("source", "a page"), error)
            return []
        return [
            Document(page_content=one.text, metadata={**metadata, **one.metadata}) for one in found
        ]


def _maker(max_tokens: int | None, options: dict[str, Any], *, continue_on_failure: bool) -> _Maker:
    return _Maker(retrieval_passages.PassageCutter(max_tokens, options), continue_on_failure)


class Parser(BaseBlobParser):
    """Parses blobs of HTML: for `GenericLoader`, `MimeTypeBasedParser` and their like.

    Args:
        max_tokens: most tokens of a document, which is cut along headings; None for one a page.
        continue_on_failure: log a page that can't be processed, and give no document; else its
            `chaffinch.PageError` is raised.
        **options: as of `chaffinch.extract`, but those of single pages.

    Raises:
        OptionError: an option is unknown or impossible.
    """

    def __init__(
        self, *, max_tokens: int | None = None, continue_on_failure: bool = False, **options: Any
    ) -> None:
        self._maker = _maker(max_tokens, options, continue_on_failure=continue_on_failure)

    def lazy_parse(self, blob: Blob) -> Iterator[Document]:
        """Yield the documents of a blob: of its bytes, where it has bytes or a path.

        The address is ``url`` of its metadata, else ``source`` if that is one.
        """
        known = dict(blob.metadata)
        if blob.source:
            known.setdefault("source", blob.source)
        html = blob.data if isinstance(blob.data, str) else blob.as_bytes()
        work = partial(self._maker.cutter.passages, html, url=_address(known))
        yield from self._maker.documents(work, known)


class Loader(BaseLoader):
    """Loads pages from addresses and paths; addresses are fetched through the guard of addresses.

    Args:
        sources: addresses and paths of files.
        loading: arguments of `chaffinch.load`, such as ``{"render": "never"}``.
        max_tokens: as of `Parser`.
        continue_on_failure: as of `Parser`.
        **options: as of `Parser`.

    Raises:
        OptionError: as of `Parser`.
    """

    def __init__(
        self,
        sources: Iterable[str | PathLike[str]],
        *,
        loading: Mapping[str, Any] | None = None,
        max_tokens: int | None = None,
        continue_on_failure: bool = False,
        **options: Any,
    ) -> None:
        self._sources = [sources] if isinstance(sources, str) else list(sources)
        self._loading = dict(loading or {})
        self._maker = _maker(max_tokens, options, continue_on_failure=continue_on_failure)

    def lazy_load(self) -> Iterator[Document]:
        """Yield the documents, page after page."""
        for source in self._sources:
            yield from self._of(source)

    async def alazy_load(self) -> AsyncIterator[Document]:
        """Yield the documents; each page is loaded in a thread."""
        for source in self._sources:
            for document in await asyncio.to_thread(self._of, source):
                yield document

    def _of(self, source: str | PathLike[str]) -> list[Document]:
        work = partial(self._maker.cutter.passages_at, source, **self._loading)
        return self._maker.documents(work, {"source": str(source)})


class Transformer(BaseDocumentTransformer):
    """Makes documents of documents that hold HTML, such as those of `AsyncHtmlLoader`.

    Arguments and errors are those of `Parser`.
    """

    def __init__(
        self, *, max_tokens: int | None = None, continue_on_failure: bool = False, **options: Any
    ) -> None:
        self._maker = _maker(max_tokens, options, continue_on_failure=continue_on_failure)

    def transform_documents(
        self,
        documents: Sequence[Document],
        **_: Any,
    ) -> Sequence[Document]:
        """Return the documents of the pages, with the metadata of theirs."""
        made: list[Document] = []
        for one in documents:
            url = _address(one.metadata)
            work = partial(self._maker.cutter.passages, one.page_content, url=url)
            made += self._maker.documents(work, one.metadata)
        return made


def _address(metadata: Mapping[str, Any]) -> str | None:
    for name in ("url", "source"):
        value = metadata.get(name)
        if isinstance(value, str) and value.startswith(("http://", "https://")):
            return value
    return None
