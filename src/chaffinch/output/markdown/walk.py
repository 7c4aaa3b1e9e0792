"""The walk over the shown rows that turns elements into blocks and marks.

One pass in document order with a stack of what is open; nothing recurses. Elements without a form
of their own in Markdown are written as what they hold. Departures: a definition list becomes a list
whose items begin with the term in bold; sub and sup stay HTML; a ruby text stands in parentheses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.output.markdown import code, formulas, marks, structure, tables
from chaffinch.output.markdown.state import Enter, State
from chaffinch.output_options import OutputOptions
from chaffinch.page import tags

if TYPE_CHECKING:
    from chaffinch.result import Content

_ENTER: Final[dict[int, Enter]] = {
    tags.CODES[name]: enter
    for name, enter in (structure.ENTER | marks.ENTER | code.ENTER | tables.ENTER).items()
}


def render(content: Content, *, options: OutputOptions | None = None) -> str:
    """Return what is kept as Markdown (CommonMark with GFM tables and strike-through).

    Lines aren't wrapped; the last ends with a newline. "" where nothing is kept.
    """
    page = content.page
    state = State(content, options or OutputOptions())
    rows = np.flatnonzero(state.shown)
    given = zip(rows.tolist(), page.tag[rows].tolist(), page.written[rows].tolist(), strict=True)
    for row, tag, written in given:
        state.leave_until(row)
        if row < state.skip_to:
            continue
        if written:
            state.text(row)
        elif tag == tags.TEXT:
            state.blank(row)
        elif row in state.read.formulas:
            formulas.formula(state, row)
        elif row in state.code_blocks:
            code.block(state, row)
        elif row in state.parts:
            tables.PARTS[state.parts[row]](state, row)
        elif tag in _ENTER:
            _ENTER[tag](state, row)
    state.leave_until(len(page))
    state.flush()
    lines = state.blocks.lines
    return "\n".join([*lines, ""]) if lines else ""
