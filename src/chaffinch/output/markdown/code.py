"""Code as pages show it: exact white space, its language, and no line numbers beside it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from chaffinch.output.markdown import escape
from chaffinch.output.markdown.state import State
from chaffinch.page import tags

if TYPE_CHECKING:
    from chaffinch.output.markdown.state import Enter
    from chaffinch.page import Page

_LANGUAGE: Final = re.compile(
    r"(?:^|\s)(?:language-|lang-|highlight-source-|highlight-text-|brush:\s*|sourceCode\s+)"
    r"([A-Za-z0-9_+#.-]+)"
)
_GUTTER: Final = re.compile(
    r"(?:^|[\s_-])(?:gutter|line-?no?s?|line-?num(?:ber)?s?|lnum|lineno|linenos|blob-num|ln-num"
    r"|ln-numbers|linenodiv|linenumber)(?:$|[\s_-])",
    re.IGNORECASE,
)
_NO_LANGUAGE: Final = frozenset({"none", "default", "plain", "text", "plaintext", "nohighlight"})
_ABOVE: Final = 3


def language(page: Page, row: int) -> str:
    """Return the language that preformatted text at ``row`` is said to be in; "" if none is.

    Looked for at the element, at its first child, then at the nearest elements around.
    """
    rows = [row]
    first = row + 1
    while first < int(page.end[row]) and page.name(first) in ("#text", "code", "samp"):
        rows.append(first)
        first += 1
        if len(rows) > _ABOVE:
            break
    above = int(page.parent[row])
    for _ in range(_ABOVE):
        if above <= 0:
            break
        rows.append(above)
        above = int(page.parent[above])
    for index in rows:
        for name in ("data-lang", "data-language"):
            value = (page.attribute(index, name) or "").strip().lower()
            if re.fullmatch(r"[a-z0-9_+#.-]+", value):
                return "" if value in _NO_LANGUAGE else value
        found = _LANGUAGE.search(page.attribute(index, "class") or "")
        if found is not None:
            value = found[1].lower()
            return "" if value in _NO_LANGUAGE else value
    return ""


def is_gutter(page: Page, row: int) -> bool:
    """Tell whether the element at ``row`` only numbers the lines of code."""
    names = page.attribute(row, "class")
    if not names or not _GUTTER.search(names):
        return False
    return all(word.strip(".:|").isdigit() for word in page.text_of(row).split())


def trimmed(source: str) -> str:
    """Return source code without empty lines at its ends; other white space is kept."""
    source = source.replace("\r\n", "\n").replace("\r", "\n").rstrip()
    begin = len(source) - len(source.lstrip())
    return source[source.rfind("\n", 0, begin) + 1 :]


def _preformatted(state: State, row: int) -> None:
    state.boundary()
    if state.flat:
        state.enter_code(row)
        state.on_leave(row, State.boundary)
        return
    state.source = []
    state.on_leave(row, _end_source, row)


def _code(state: State, row: int) -> None:
    """Start code: within a line, or a block of its own where it holds line breaks."""
    inner = slice(row + 1, int(state.page.end[row]))
    broken = bool((tags.BREAK[state.page.tag[inner]] & state.shown[inner]).any())
    if state.flat or state.code_row >= 0 or not broken:
        state.enter_code(row)
        return
    _preformatted(state, row)
    state.folding = True


def in_source(state: State, row: int, tag: int) -> None:
    """Treat an element in preformatted text: only where lines end is looked at."""
    if is_gutter(state.page, row):
        state.skip_to = int(state.page.end[row])
    elif tags.BREAK[tag]:
        _source_line(state, "\n")
    elif tags.BLOCK[tag]:
        _source_line(state)
        state.on_leave(row, _end_line)


def _end_line(state: State, _: int) -> None:
    _source_line(state)


def _source_line(state: State, more: str = "") -> None:
    """End a line of the source, or add ``more``."""
    source = state.source
    if more:
        source = [] if source is None else source
        source.append(more)
    elif source and not source[-1].endswith("\n"):
        source.append("\n")


def _end_source(state: State, row: int) -> None:
    raw = trimmed("".join(state.source or []))
    state.source = None
    state.folding = False
    if raw:
        fence = escape.fence(raw)
        state.blocks.write([fence + language(state.page, row), *raw.split("\n"), fence])


ENTER: Final[dict[str, Enter]] = {
    "code": _code,
    **{name: _preformatted for name, tag in tags.CODES.items() if tags.PREFORMATTED[tag]},
}
"""Tag → what is done where such an element begins."""
