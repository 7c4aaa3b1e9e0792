"""MarkItDown: its converter of HTML, replaced. An entry point of the package names this module.

With ``MarkItDown(enable_plugins=True)``, or ``markitdown --use-plugins``, HTML gives the Markdown
of its main content. MarkItDown's own converters of single sites come before, its converter of HTML
after: it converts what isn't a page for Chaffinch.
"""

from typing import Any, BinaryIO, Final

from chaffinch.errors import from_extra
from chaffinch.plugins._pages import Pages

with from_extra("markitdown"):
    from markitdown import (
        PRIORITY_GENERIC_FILE_FORMAT,
        DocumentConverter,
        DocumentConverterResult,
        MarkItDown,
        StreamInfo,
    )

from collections.abc import Mapping

__plugin_interface_version__: Final = 1

_KINDS: Final = ("text/html", "application/xhtml")
_ENDINGS: Final = (".html", ".htm", ".xhtml", ".mht", ".mhtml")


def register_converters(
    markitdown: MarkItDown, *, chaffinch: Mapping[str, Any] | None = None, **_: Any
) -> None:
    """Register the converter, whose options are given as ``MarkItDown(chaffinch={…})``."""
    converter = Converter(**(chaffinch or {}))
    markitdown.register_converter(converter, priority=PRIORITY_GENERIC_FILE_FORMAT - 1)


class Converter(DocumentConverter):
    """Converts HTML to the Markdown of its main content.

    The encoding is found in the page, for MarkItDown doesn't mark whether a server
    named it or it was guessed.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__()
        self._pages = Pages(options)

    def accepts(self, file_stream: BinaryIO, stream_info: StreamInfo, **_: Any) -> bool:  # noqa: ARG002  MarkItDown's own
        kind, ending = stream_info.mimetype or "", stream_info.extension or ""
        return kind.lower().startswith(_KINDS) or ending.lower() in _ENDINGS

    def convert(
        self, file_stream: BinaryIO, stream_info: StreamInfo, **_: Any
    ) -> DocumentConverterResult:
        """Return Markdown and title; after a `PageError` MarkItDown tries its next converter."""
        found = self._pages.extract(file_stream.read(), url=stream_info.url)
        return DocumentConverterResult(markdown=found.markdown(), title=found.title or None)
