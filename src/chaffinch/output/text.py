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

if TYPE_CHECKING:
    from chaffinch.result import Content


def render(content: Content) -> str:
    """Return the plain text of what is kept; "" where nothing is.

    Blocks are parted by one newline, or by a tab within a table row; there is none at the end.
    """
    lines = kept_lines(content)
    if not np.count_nonzero(lines.beside):
        return "\n".join(lines.texts)
    parts: list[str] = []
    for text, beside in zip(lines.texts, lines.beside.tolist(), strict=True):
        parts.append("\t" if beside else "\n")
        parts.append(text)
    return "".join(parts[1:])
