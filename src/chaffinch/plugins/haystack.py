"""Haystack: a converter from pages to documents, in the place of its `HTMLToDocument`.

Documents hold passages in Markdown (`chaffinch.plugins._pages`).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from chaffinch.errors import PageError, from_extra
from chaffinch.plugins._pages import Pages

with from_extra("haystack"):
    from haystack import Document, component, default_from_dict, default_to_dict, logging
    from haystack.components.converters.utils import normalize_metadata
    from haystack.dataclasses import ByteStream

_LOG: Final = logging.getLogger(__name__)


@component
class Converter:
    """Converts pages to documents; options are plain values, so that the pipeline can be saved."""

    def __init__(
        self, max_tokens: int | None = None, options: dict[str, Any] | None = None
    ) -> None:
        self.max_tokens = max_tokens
        self.options = options or {}
        self._pages = Pages(self.options, max_tokens=max_tokens)

    def to_dict(self) -> dict[str, Any]:
        values: dict[str, Any] = default_to_dict(
            self, max_tokens=self.max_tokens, options=self.options
        )
        return values

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Converter:
        made: Converter = default_from_dict(cls, data)
        return made

    @component.output_types(documents=list[Document])
    def run(
        self,
        sources: list[str | Path | ByteStream],
        meta: dict[str, Any] | list[dict[str, Any]] | None = None,
    ) -> dict[str, list[Document]]:
        """Return the documents of paths and streams of bytes.

        ``url`` in a stream's meta, or in ``meta``, which is of all or of each, is the page's
        address; ``encoding`` the label that its server gave. A page that can't be processed is
        logged and left out.
        """
        documents: list[Document] = []
        for source, more in zip(sources, normalize_metadata(meta, len(sources)), strict=True):
            documents += self._documents(source, more)
        return {"documents": documents}

    def _documents(self, source: str | Path | ByteStream, more: dict[str, Any]) -> list[Document]:
        if isinstance(source, ByteStream):
            html, known = source.data, {**source.meta, **more}
        else:
            html, known = Path(source), {"file_path": str(source), **more}
        about = {name: known.get(name) for name in ("url", "encoding")}
        try:
            found = self._pages.passages(html, **about)
        except PageError as error:
            _LOG.warning(
                "Failed to extract {source}. Skipping it. Error: {error}",
                source=known.get("file_path") or known.get("url") or "a page",
                error=error,
            )
            return []
        return [Document(content=one.text, meta={**one.metadata, **known}) for one in found]
