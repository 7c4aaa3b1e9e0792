"""Blocks of code of the content: exact text, language, row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from chaffinch.elements.code.code_rows import source
from chaffinch.elements.code.language import language
from chaffinch.elements.shown_content import shown_content
from chaffinch.page_work import checked

if TYPE_CHECKING:
    from chaffinch.result import Content


@dataclass(frozen=True)
class CodeBlock:
    """A block of code, or of other preformatted text.

    Attributes:
        text: exact, without line numbers, copy buttons and empty lines at its ends.
        language: in lower case as the page names it; "" if unknown.
        row: its row on the page.
    """

    text: str
    language: str
    row: int


def code_blocks(content: Content) -> list[CodeBlock]:
    """Return the blocks of code that are kept, in the order of the page."""
    page, shown = content.page, shown_content(content)
    found = []
    for row in checked(shown.code.blocks, every=16):
        text = source(page, row, shown.rows, shown.code) if shown.rows[row] else ""
        if text:
            name = language(page, row, text) or shown.code.labels.get(row, "")
            found.append(CodeBlock(text, name, row))
    return found
