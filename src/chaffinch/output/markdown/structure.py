"""Blocks of Markdown: headings, lists, quotes, definitions, rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.output.markdown.state import State
from chaffinch.page import tags

if TYPE_CHECKING:
    from collections.abc import Callable

    from chaffinch.output.markdown.state import Enter

_LONG_HEADING: Final = 300  # characters; beyond, an unclosed heading tag holds half the page
_DIGITS: Final = 9  # CommonMark takes numbers of at most nine
_STRUCTURED: Final = tags.PREFORMATTED | tags.table(
    "ul ol menu dl table blockquote h1 h2 h3 h4 h5 h6".split()
)
_NO_LIST: Final = 1 << 30  # the depth of a definition list that isn't written as a list


def _br(state: State, _: int) -> None:
    """Note a br; what follows decides whether it breaks a line or a paragraph."""
    state.breaks += 1


def _rule(state: State, _: int) -> None:
    state.boundary()
    if not state.flat:
        state.blocks.write(["___"])


def _close_to(state: State, depth: int) -> None:
    state.boundary()
    state.blocks.close(depth)


def _contain(state: State, row: int, push: Callable[[], None]) -> None:
    state.boundary()
    if not state.flat:
        state.on_leave(row, _close_to, state.blocks.depth)
        push()


def _quote(state: State, row: int) -> None:
    _contain(state, row, state.blocks.open_quote)


def _bullets(state: State, row: int) -> None:
    _contain(state, row, state.blocks.open_list)


def _numbers(state: State, row: int) -> None:
    value = (state.page.attribute(row, "start") or "").strip()
    start = int(value) if value.isascii() and value.isdigit() and len(value) < _DIGITS else 1
    _contain(state, row, lambda: state.blocks.open_list(start=start))


def _item(state: State, row: int) -> None:
    if state.blocks.in_list:
        _contain(state, row, state.blocks.open_item)
    else:
        state.enter_block(row)


def _definitions(state: State, row: int) -> None:
    """Start a definition list: a list where its definitions are short, else blocks among others."""
    state.boundary()
    if state.flat:
        return
    state.on_leave(row, _end_definitions, state.blocks.depth)
    if _is_short(state, row):
        state.blocks.open_list()
        state.terms.append(state.blocks.depth)
    else:
        state.terms.append(_NO_LIST)


def _is_short(state: State, row: int) -> bool:
    """Tell whether a definition list has terms, and definitions of a paragraph at most.

    Reference pages hold whole chapters in a definition, which a list would only indent; wikis
    indent by definitions without a term.
    """
    inner = state.page.tag[row + 1 : int(state.page.end[row])]
    terms = np.count_nonzero(inner == tags.CODES["dt"])
    meant = np.count_nonzero(inner == tags.CODES["dd"])
    paragraphs = np.count_nonzero(inner == tags.CODES["p"])
    return bool(terms and paragraphs <= meant and not _STRUCTURED[inner].any())


def _end_definitions(state: State, depth: int) -> None:
    _close_to(state, depth)
    state.terms.pop()


def _term(state: State, row: int) -> None:
    if not state.flat and state.terms and state.blocks.depth >= state.terms[-1]:
        state.boundary()
        state.blocks.close(state.terms[-1])
        state.blocks.open_item()
    _bold_block(state, row)


def _definition(state: State, row: int) -> None:
    state.boundary()
    if not state.flat and state.terms and state.blocks.depth == state.terms[-1]:
        state.blocks.open_item()
    state.on_leave(row, State.boundary)


def _bold_block(state: State, row: int) -> None:
    state.boundary()
    if state.flat or state.inline.has("strong") or not state.options.emphasis:
        state.on_leave(row, State.boundary)
    else:
        state.inline.open("strong")
        state.on_leave(row, _end_bold_block)


def _end_bold_block(state: State, _: int) -> None:
    state.boundary()
    state.inline.close()


def _heading(state: State, row: int) -> None:
    inner = state.page.tag[row + 1 : int(state.page.end[row])]
    long = state.page.length[row] > _LONG_HEADING and tags.BLOCK[inner].any()
    if state.flat or long:
        state.enter_block(row)
        return
    state.flush()
    state.flat = "heading"
    state.on_leave(row, _end_heading, int(state.page.name(row)[1]))


def _end_heading(state: State, level: int) -> None:
    rows = state.rows()
    lines = state.inline.take(prose=False)
    state.flat = ""
    state.breaks = 0
    if lines:
        words = " ".join(lines)
        words = f"{words[:-1]}\\#" if words.endswith("#") else words
        state.write([f"{'#' * level} {words}"], rows)


ENTER: Final[dict[str, Enter]] = {
    **dict.fromkeys(
        (name for name, tag in tags.CODES.items() if tags.BLOCK[tag]), State.enter_block
    ),
    **dict.fromkeys("h1 h2 h3 h4 h5 h6".split(), _heading),
    **dict.fromkeys("ul menu dir".split(), _bullets),
    "ol": _numbers,
    "li": _item,
    "dl": _definitions,
    "dt": _term,
    "dd": _definition,
    "summary": _bold_block,
    "blockquote": _quote,
    "hr": _rule,
    "br": _br,
}
"""Tag → what is done where such an element begins."""
