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
from chaffinch.output.options import OutputOptions
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
    columns = (rows, page.tag[rows], page.written[rows], page.text_at[rows], page.text_at[rows + 1])
    stack = state.stack
    named = {*state.read.formulas, *state.code_blocks, *state.parts}
    for row, tag, written, at, stop in zip(*(own.tolist() for own in columns), strict=True):
        if stack and row >= stack[-1][0]:
            state.leave_until(row)
        if row < state.skip_to:
            continue
        if written:
            state.text(row, page.text[at:stop])
        elif tag == tags.TEXT:
            state.inline.space |= at < stop
        elif row in named:
            _enter_named(state, row)
        elif tag in _ENTER:
            _ENTER[tag](state, row)
    state.leave_until(len(page))
    state.flush()
    lines = state.blocks.lines
    return "\n".join([*lines, ""]) if lines else ""


def _enter_named(state: State, row: int) -> None:
    """Enter a formula, a block of code or a part of a table made of divs."""
    if row in state.read.formulas:
        formulas.formula(state, row)
    elif row in state.code_blocks:
        code.block(state, row)
    else:
        tables.PARTS[state.parts[row]](state, row)
