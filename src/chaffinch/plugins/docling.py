"""Docling: its backend of HTML, with the main content as body and the noise as furniture.

Docling itself makes the document of the content: headings, lists, tables, code. What Chaffinch
drops stands after it, line by line, in the layer that exports leave out.
"""

from __future__ import annotations

from html import escape
from io import BytesIO
from typing import TYPE_CHECKING, Any

from chaffinch.errors import MissingExtraError, PageError
from chaffinch.lazy import lazy_module

try:
    from docling.backend.html_backend import HTMLDocumentBackend
    from docling.datamodel.backend_options import HTMLBackendOptions
    from docling.exceptions import DocumentLoadError
    from docling_core.types.doc import ContentLayer, DocItemLabel, DoclingDocument
    from pydantic import Field
except ImportError as error:
    raise MissingExtraError.of(error.name or "docling", "docling") from error

if TYPE_CHECKING:
    from pathlib import Path

    from docling.datamodel.document import InputDocument

    from chaffinch.extraction import trip
else:
    trip = lazy_module("chaffinch.extraction.trip")


class BackendOptions(HTMLBackendOptions):
    """Options of Docling's own backend of HTML, and of `chaffinch.extract`."""

    chaffinch: dict[str, Any] = Field(
        default_factory=dict, description="Options of chaffinch.extract, those of pages apart."
    )


class Backend(HTMLDocumentBackend):
    """Makes a document of the main content of a page.

    For ``HTMLFormatOption(backend=Backend, backend_options=BackendOptions(chaffinch={…}))``; both
    arguments may be left out. ``source_uri`` of the options is the page's address.

    Raises:
        DocumentLoadError: the page can't be processed; the conversion fails.
        OptionError: an option is unknown or impossible.
    """

    def __init__(
        self,
        in_doc: InputDocument,
        path_or_stream: BytesIO | Path,
        options: HTMLBackendOptions | None = None,
    ) -> None:
        chosen = options or BackendOptions()
        own = chosen.chaffinch if isinstance(chosen, BackendOptions) else {}
        ready = trip.prepared_options(own)
        page = path_or_stream
        if isinstance(page, BytesIO):
            page = BytesIO(page.getvalue())  # its own is Docling's to close
        address = str(chosen.source_uri or "")
        try:
            found = trip.extract(page, url=address if "://" in address else None, **ready)
            content = f"<title>{escape(found.title)}</title><body>{found.html()}</body>"
            self._noise = [line for line in found.noise.splitlines() if line.strip()]
        except PageError as error:
            raise DocumentLoadError(f"{in_doc.file.name}: {error}") from error
        calm = chosen.model_copy(update={"infer_furniture": False})
        super().__init__(in_doc, BytesIO(content.encode("utf-8", "replace")), calm)

    def convert(self) -> DoclingDocument:
        """Return the document: the content as body, the noise as furniture."""
        document = super().convert()
        for line in self._noise:
            document.add_text(
                label=DocItemLabel.TEXT, text=line, content_layer=ContentLayer.FURNITURE
            )
        return document
