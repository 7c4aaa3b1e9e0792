"""Elements of TEI within a line: highlighting, references, graphics, quotations, ruby, code."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from chaffinch.elements.images.sizes import declared_size
from chaffinch.output.tei.blocks import enter_code
from chaffinch.output.tei.xml import escaped, pair, pointer
from chaffinch.page import tags
from chaffinch.page.urls import absolute

if TYPE_CHECKING:
    from chaffinch.output.tei.state import Enter, State

_RENDS: Final = {
    **dict.fromkeys(["b", "strong"], "bold"),
    **dict.fromkeys(["i", "em", "cite", "dfn", "var"], "italic"),
    **dict.fromkeys(["s", "strike", "del"], "strikethrough"),
    "u": "underline",
    "mark": "highlight",
    "sub": "subscript",
    "sup": "superscript",
}
_ALWAYS: Final = frozenset(["subscript", "superscript"])


def _mark(state: State, row: int) -> None:
    rend = _RENDS[state.page.name(row)]
    if state.inline.has(rend) or not (state.options.emphasis or rend in _ALWAYS):
        return
    if not (state.flat == "head" and rend == "bold"):
        _begin(state, row, rend, f'hi rend="{rend}"')


def _begin(state: State, row: int, kind: str, tag: str) -> None:
    if state.breaks:
        state.break_line()
    state.inline.open(kind, tag)
    state.on_leave(row, _close)


def _close(state: State) -> None:
    state.inline.close()


def _link(state: State, row: int) -> None:
    if not state.options.links or state.inline.has("ref"):
        return
    page = state.page
    url = pointer(absolute(page.attribute(row, "href"), page.base))
    if url:
        _begin(state, row, "ref", "ref" + pair("target", url))


def _quotation(state: State, row: int) -> None:
    if not state.inline.has("q"):
        _begin(state, row, "q", "q")


def _image(state: State, row: int) -> None:
    page = state.page
    source = state.images.of(row) if state.options.images else None
    url = pointer(source.url) if source is not None else ""
    if not url:
        return
    if state.breaks:
        state.break_line()
    sides = zip(("width", "height"), declared_size(page, row), strict=True)
    sizes = "".join(pair(name, f"{side:g}px") for name, side in sides if side is not None)
    alt = " ".join((page.attribute(row, "alt") or "").split())
    told = f"<desc>{escaped(alt)}</desc></graphic>" if alt else "</graphic>"
    xml = f"<graphic{pair('url', url)}{sizes}>{told}"
    state.inline.xml(xml, row, is_picture=True)


def _reading(state: State, row: int) -> None:
    """Put a ruby text in parentheses, unless the page brings its own."""
    before = row - 2 if state.page.tag[row - 1] == tags.TEXT else row - 1
    if state.page.name(max(before, 0)) != "rp":
        state.inline.text("(", row)
        state.on_leave(row, lambda now: now.inline.join(")", row))


ENTER: Final[dict[str, Enter]] = {
    **dict.fromkeys(_RENDS, _mark),
    **dict.fromkeys("code kbd samp tt".split(), enter_code),
    **dict.fromkeys(["img", "image"], _image),
    "a": _link,
    "q": _quotation,
    "rt": _reading,
}
"""Tag → what is done where such an element begins."""
