"""LangChain: a blob parser and a loader.

Documents hold passages in Markdown (`chaffinch.plugins._pages`). Both take options of
`chaffinch.extract`, ``max_tokens`` of a passage, and ``continue_on_failure``, by which a page that
can't be processed is logged and gives no document; else its `chaffinch.PageError` is raised.
"""

import logging
from functools import partial
from typing import Any, Final

from chaffinch.errors import PageError, from_extra
from chaffinch.plugins._pages import Pages, Passage

with from_extra("langchain"):
    from langchain_core.document_loaders import BaseBlobParser, BaseLoader
    from langchain_core.documents import Document

from collections.abc import Callable, Iterable, Iterator, Mapping
from os import PathLike

from langchain_core.documents.base import Blob

_LOG: Final = logging.getLogger(__name__)


class _Cutting:
    """What parser and loader have in common: passages as documents."""

    def __init__(
        self, *, max_tokens: int | None = None, continue_on_failure: bool = False, **options: Any
    ) -> None:
        self._pages = Pages(options, max_tokens=max_tokens)
        self._continue_on_failure = continue_on_failure

    def _documents(
        self, make: Callable[[], list[Passage]], metadata: Mapping[str, Any]
    ) -> list[Document]:
        try:
            found = make()
        except PageError as error:
            if not self._continue_on_failure:
                raise
            _LOG.warning("%s is passed over: %s", metadata.get("source", "a page"), error)
            return []
        return [
            Document(page_content=one.text, metadata={**metadata, **one.metadata}) for one in found
        ]


class Parser(_Cutting, BaseBlobParser):
    """Parses blobs of HTML: for `GenericLoader`, `MimeTypeBasedParser` and their like."""

    def lazy_parse(self, blob: Blob) -> Iterator[Document]:
        """Yield the documents of a blob: of its bytes, where it has bytes or a path.

        The address is ``url`` of its metadata, else ``source`` if that is one.
        """
        known = dict(blob.metadata)
        if blob.source:
            known.setdefault("source", blob.source)
        html = blob.data if isinstance(blob.data, str) else blob.as_bytes()
        work = partial(self._pages.passages, html, url=_address(known))
        yield from self._documents(work, known)


class Loader(_Cutting, BaseLoader):
    """Loads pages from addresses, through the guard of addresses, and paths.

    ``loading`` are arguments of `chaffinch.load`, such as ``{"render": "never"}``.
    """

    def __init__(
        self,
        sources: str | Iterable[str | PathLike[str]],
        *,
        loading: Mapping[str, Any] | None = None,
        **options: Any,
    ) -> None:
        super().__init__(**options)
        self._sources = [sources] if isinstance(sources, str) else list(sources)
        self._loading = dict(loading or {})

    def lazy_load(self) -> Iterator[Document]:
        for source in self._sources:
            work = partial(self._pages.passages_at, source, **self._loading)
            yield from self._documents(work, {"source": str(source)})


def _address(metadata: Mapping[str, Any]) -> str | None:
    for name in ("url", "source"):
        value = metadata.get(name)
        if isinstance(value, str) and value.startswith(("http://", "https://")):
            return value
    return None
