"""Marks of Markdown within a line: emphasis, links, images, ruby, code."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from chaffinch.elements.permalinks import stays
from chaffinch.output.markdown import escape
from chaffinch.output.markdown.pieces import EMPHASIS
from chaffinch.output.markdown.state import State
from chaffinch.page import tags
from chaffinch.page.urls import absolute

if TYPE_CHECKING:
    from chaffinch.output.markdown.state import Enter

_KINDS: Final = {
    **dict.fromkeys(["b", "strong"], "strong"),
    **dict.fromkeys(["i", "em", "cite", "dfn", "var"], "em"),
    **dict.fromkeys(["s", "strike", "del"], "del"),
    "sub": "sub",
    "sup": "sup",
}


def _mark(state: State, row: int) -> None:
    kind = _KINDS[state.page.name(row)]
    if state.inline.has(kind) or (kind in EMPHASIS and not state.options.emphasis):
        return
    if state.code_row >= 0 or (kind == "strong" and state.flat == "heading"):
        return
    _begin(state, row, kind)


def _begin(state: State, row: int, kind: str, end: str = "") -> None:
    if state.breaks:
        state.break_line()
    state.inline.open(kind, end)
    state.on_leave(row, _close_mark)


def _close_mark(state: State, _: int) -> None:
    state.inline.close()


def _link(state: State, row: int) -> None:
    if not state.options.links or state.inline.has("link"):
        return
    page = state.page
    if state.flat == "heading" and stays(page, row):
        return  # the heading's own address
    url = absolute(page.attribute(row, "href"), page.base)
    if url:
        title = page.attribute(row, "title") or ""
        title = "" if " ".join(title.split()) in page.folded(row) else escape.title(title)
        _begin(state, row, "link", f"]({escape.address(url)}{title})")


def _image(state: State, row: int) -> None:
    page = state.page
    source = state.images.of(row) if state.options.images else None
    if source is None:
        return
    if state.breaks:
        state.break_line()
    alt = " ".join((page.attribute(row, "alt") or "").split())
    alt = escape.text(alt, in_link=True) if alt else ""
    title = escape.title(page.attribute(row, "title"))
    state.inline.raw(f"![{alt}]({escape.address(source.url)}{title})", row)


def _reading(state: State, row: int) -> None:
    """Put a ruby text in parentheses, unless the page brings its own."""
    before = row - 2 if state.page.tag[row - 1] == tags.TEXT else row - 1
    if state.page.name(max(before, 0)) == "rp":
        return
    state.inline.add("(", row)
    state.on_leave(row, _end_reading, row)


def _end_reading(state: State, row: int) -> None:
    state.inline.space = False
    state.inline.add(")", row)


ENTER: Final[dict[str, Enter]] = {
    **dict.fromkeys(_KINDS, _mark),
    **dict.fromkeys("kbd samp tt".split(), State.enter_code),
    **dict.fromkeys(["img", "image"], _image),
    "a": _link,
    "rt": _reading,
}
"""Tag → what is done where such an element begins."""
