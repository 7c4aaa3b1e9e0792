"""LlamaIndex: a reader of pages.

Documents hold passages in Markdown (`chaffinch.plugins._pages`).
"""

import asyncio
from typing import Any, Final

from chaffinch.errors import from_extra
from chaffinch.plugins._pages import Pages

with from_extra("llama-index"):
    from llama_index.core.readers.base import BaseReader
    from llama_index.core.schema import Document

from collections.abc import Iterable, Iterator
from os import PathLike

_NOT_FOR_MODELS: Final = ("block_ids", "confidence")


class Reader(BaseReader):
    """Reads pages, by itself or as a ``file_extractor`` of `SimpleDirectoryReader`.

    A page that can't be processed raises its `chaffinch.PageError`, which `SimpleDirectoryReader`
    skips unless it is made with ``raise_on_error=True``. ``loading`` are arguments of
    `chaffinch.load`, such as ``{"render": "never"}``, for addresses.
    """

    def __init__(
        self,
        *,
        max_tokens: int | None = None,
        loading: dict[str, Any] | None = None,
        **options: Any,
    ) -> None:
        self._loading = loading or {}
        self._pages = Pages(options, max_tokens=max_tokens)

    def lazy_load_data(
        self,
        file: str | PathLike[str] | bytes | Iterable[str | PathLike[str] | bytes],
        extra_info: dict[str, Any] | None = None,
        fs: Any = None,
        **_: Any,
    ) -> Iterator[Document]:
        """Yield the documents of pages.

        Args:
            file: a path, an address, a page's bytes, or several of these.
            extra_info: further metadata; ``url`` in it is the page's address.
            fs: file system of fsspec that has the paths; None for this machine's.
        """
        sources = [file] if isinstance(file, str | bytes) or hasattr(file, "__fspath__") else file
        for source in sources:
            yield from self._documents(source, extra_info or {}, fs)

    async def alazy_load_data(self, *args: Any, **load_kwargs: Any) -> Iterable[Document]:
        """Return the documents of pages, made in a thread; arguments as of `lazy_load_data`."""
        return await asyncio.to_thread(self.load_data, *args, **load_kwargs)

    def _documents(self, source: Any, known: dict[str, Any], fs: Any) -> Iterator[Document]:
        url, about = known.get("url"), {"source": str(source)}
        if isinstance(source, bytes):
            found, about = self._pages.passages(source, url=url), {}
        elif fs is not None and "://" not in str(source):
            with fs.open(str(source), "rb") as opened:
                found = self._pages.passages(opened.read(), url=url)
        else:
            found = self._pages.passages_at(source, url=url, **self._loading)
        for one in found:
            yield Document(
                text=one.text,
                metadata={**about, **one.metadata, **known},
                excluded_embed_metadata_keys=list(_NOT_FOR_MODELS),
                excluded_llm_metadata_keys=list(_NOT_FOR_MODELS),
            )
