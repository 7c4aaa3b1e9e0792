"""Formulas as TeX between dollar signs, as GitHub, Pandoc and KaTeX read them; each once.

CommonMark knows no formulas: nothing in them is escaped. TeX that the page leaves to a script is
found where text is added (`State.text`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chaffinch.output.markdown.state import State


def formula(state: State, row: int) -> None:
    """Write a formula in the line, or as a paragraph of its own."""
    found = state.read.formulas[row]
    state.skip_to = found.end
    if found.display and not state.flat:
        state.boundary()
    if state.breaks:
        state.break_line()
    if state.options.formulas:
        state.inline.raw(found.marked, row)
    else:
        state.inline.add(found.tex, row)
    state.inline.last = found.end
    if found.display and not state.flat:
        state.boundary()
