"""Code: blocks behind fences with their language, spans within a line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from chaffinch.elements.code.code_rows import source
from chaffinch.elements.code.language import language
from chaffinch.output.markdown import escape
from chaffinch.output.markdown.state import State
from chaffinch.page import tags

if TYPE_CHECKING:
    from chaffinch.output.markdown.state import Enter


def block(state: State, row: int) -> None:
    """Write a block of code; where no block may be, as code within the line."""
    state.boundary()
    if state.flat:
        state.enter_code(row)
        state.on_leave(row, State.boundary)
        return
    page, code = state.page, state.read.code
    raw = source(page, row, state.shown, code)
    state.skip_to = int(page.end[row])
    if raw:
        fence = escape.fence(raw)
        name = language(page, row, raw) or code.labels.get(row, "")
        state.write([fence + name, *raw.split("\n"), fence], (row, state.skip_to))


ENTER: Final[dict[str, Enter]] = {
    "code": State.enter_code,
    **{name: block for name, tag in tags.CODES.items() if tags.PREFORMATTED[tag]},
}
"""Tag → what is done where such an element begins."""
