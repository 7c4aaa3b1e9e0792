"""Plain text of what is kept: one line a block, as evaluations compare it.

White space is folded as in a browser, except in preformatted elements; a br ends a line; list items
bear no bullets. The cells of a table row stand on one line, parted by tabs, as long as each is a
single line: a row stays a row for the reader and pastes into a spreadsheet, and measures that count
words see no token that isn't on the page. Cells of several lines (layout tables) keep them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from chaffinch.output.kept_lines import kept_lines
from chaffinch.output.named_posts import named_posts

if TYPE_CHECKING:
    from chaffinch.output.named_posts import PostHeading
    from chaffinch.result import Content


def render(content: Content, *, named: bool = False) -> str:
    """Return the plain text of what is kept; "" where nothing is.

    Blocks are parted by one newline, or by a tab within a table row; there is none at the end.
    With ``named``, a line above each post of a thread tells who wrote it and when.
    """
    if named:
        return _with_names(*named_posts(content))
    lines = kept_lines(content)
    if not np.count_nonzero(lines.beside):
        return "\n".join(lines.texts)
    parts: list[str] = []
    for text, beside in zip(lines.texts, lines.beside.tolist(), strict=True):
        parts.append("\t" if beside else "\n")
        parts.append(text)
    return "".join(parts[1:])


def _with_names(content: Content, headings: list[PostHeading]) -> str:
    lines, waiting, parts = kept_lines(content), headings[::-1], [""]
    every = zip(lines.texts, lines.first.tolist(), lines.beside.tolist(), strict=True)
    for text, first, beside in every:
        heading = None
        while waiting and first >= waiting[-1].row:
            heading = waiting.pop()
        if heading is not None:
            parts += ["\n", " · ".join(filter(None, (heading.author, heading.about)))]
        parts += ["\t" if beside and heading is None else "\n", text]
    return "".join(parts[2:])
