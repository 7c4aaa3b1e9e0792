"""Blocks of TEI: sections, lists, quotes, tables, figures, code."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from chaffinch.elements.code.code_rows import source
from chaffinch.elements.code.language import language
from chaffinch.output.tei.inline import Line
from chaffinch.output.tei.state import State, tex
from chaffinch.output.tei.tree import Node
from chaffinch.output.tei.xml import escaped, pair
from chaffinch.page import tags

if TYPE_CHECKING:
    from chaffinch.output.tei.state import Enter

_LONG_HEADING: Final = 300  # characters; beyond, an unclosed heading tag holds half the page


def _heading(state: State, row: int) -> None:
    """Begin a section; within a list, a quote or a table a heading is a paragraph."""
    inner = state.page.tag[row + 1 : int(state.page.end[row])]
    long = state.page.length[row] > _LONG_HEADING and tags.BLOCK[inner].any()
    state.boundary()
    if state.flat or long:
        state.on_leave(row, State.boundary)
    elif state.holders:
        _set_apart(state, row, state.page.name(row))
    else:
        state.flat = "head"
        state.on_leave(row, lambda now: _end_heading(now, row))


def _end_heading(state: State, row: int) -> None:
    line = state.inline.take()
    state.flat, state.breaks = "", 0
    if line is not None:
        section = state.section(int(state.page.name(row)[1]))
        section.put(Node("head", state.identity(line.rows), line))


def _set_apart(state: State, row: int, rend: str) -> None:
    """Tell the paragraphs of an element apart from others."""
    state.boundary()
    if state.rend or state.flat:
        state.on_leave(row, State.boundary)
    else:
        state.rend = rend
        state.on_leave(row, _end_apart)


def _end_apart(state: State) -> None:
    state.boundary()
    state.rend = ""


def _summary(state: State, row: int) -> None:
    _set_apart(state, row, "summary")


def _quote(state: State, row: int) -> None:
    state.hold(row, Node("quote"))


def _list(state: State, row: int) -> None:
    rend = "numbered" if state.page.name(row) == "ol" else "bulleted"
    state.hold(row, Node("list", {"rend": rend}))


def _definitions(state: State, row: int) -> None:
    state.hold(row, Node("list"))


def _item(state: State, row: int) -> None:
    if state.holder == "list":
        state.hold(row, Node("item"))
    else:
        state.enter_block(row)


def _term(state: State, row: int) -> None:
    if state.holder == "list" and not state.flat:
        state.enter_line(row, "label")
    else:
        state.enter_block(row)


def _figure(state: State, row: int) -> None:
    state.hold(row, Node("figure"))


def _caption(state: State, row: int) -> None:
    if state.holder in ("figure", "table") and not state.flat:
        state.enter_line(row, "head")
    else:
        state.enter_block(row)


def _table(state: State, row: int) -> None:
    if state.options.tables and state.data_tables[row]:
        state.hold(row, Node("table"))
    else:
        state.enter_block(row)


def _line(state: State, row: int) -> None:
    if state.holder == "table":
        head = state.page.name(int(state.page.parent[row])) == "thead"
        state.hold(row, Node("row", {"role": "label"} if head else {}))
    else:
        state.enter_block(row)


def _cell(state: State, row: int) -> None:
    if state.holder != "row":
        state.enter_block(row)
        return
    page = state.page
    is_header = page.name(row) == "th" or state.parts.get(row) == "th"
    spans = {"cols": _span(state, row, "colspan"), "rows": _span(state, row, "rowspan")}
    more = {name: str(span) for name, span in spans.items() if span > 1}
    state.hold(row, Node("cell", ({"role": "label"} if is_header else {}) | more))


def _span(state: State, row: int, name: str) -> int:
    value = state.page.attribute(row, name)
    value = (state.page.attribute(row, f"aria-{name}") if value is None else value) or ""
    return int(value[:5]) if value.isascii() and value.isdigit() else 1


def _rule(state: State, _: int) -> None:
    state.boundary()
    if not state.flat:
        state.put(Node("milestone", {"unit": "section", "rend": "rule"}))


def _br(state: State, _: int) -> None:
    """Note a br; what follows decides whether it breaks a line or a paragraph."""
    state.breaks += 1


def code(state: State, row: int) -> None:
    """Write a block of code, exact; where no block may be, as code within the line."""
    state.boundary()
    if state.flat:
        state.code_row = row
        state.on_leave(row, _leave_code)
        return
    page, known = state.page, state.read.code
    raw = source(page, row, state.shown, known)
    stop = state.skip_to = int(page.end[row])
    if not raw:
        return
    name = "".join((language(page, row, raw) or known.labels.get(row, "")).split())
    said = pair("lang", name) if name else ""
    xml = f'<code rend="block"{said} xml:space="preserve">{escaped(raw)}</code>'
    line = Line(xml, (row, stop), is_picture=False)
    state.put(Node("p", {"rend": "code"} | state.identity(line.rows), line))


def enter_code(state: State, row: int) -> None:
    """Start code within a line."""
    if state.code_row < 0:
        if state.breaks:
            state.break_line()
        state.code_row = row
        state.on_leave(row, _leave_inline_code)


def _leave_inline_code(state: State) -> None:
    state.code_row = -1


def _leave_code(state: State) -> None:
    state.code_row = -1
    state.boundary()


def formula(state: State, row: int) -> None:
    """Write a formula in the line, or as a paragraph of its own."""
    found = state.read.formulas[row]
    state.skip_to = found.end
    apart = found.display and not state.flat
    if apart:
        state.boundary()
    if state.breaks:
        state.break_line()
    if state.options.formulas:
        state.inline.xml(tex(found.tex, "display" if found.display else "inline"), row)
    else:
        state.inline.text(found.tex, row)
    state.inline.last = found.end
    if apart:
        state.boundary()


ENTER: Final[dict[str, Enter]] = {
    **dict.fromkeys(
        (name for name, tag in tags.CODES.items() if tags.BLOCK[tag]), State.enter_block
    ),
    **{name: code for name, tag in tags.CODES.items() if tags.PREFORMATTED[tag]},
    **dict.fromkeys("h1 h2 h3 h4 h5 h6".split(), _heading),
    **dict.fromkeys("ul ol menu dir".split(), _list),
    **dict.fromkeys("li dd".split(), _item),
    **dict.fromkeys("caption figcaption".split(), _caption),
    **dict.fromkeys("td th".split(), _cell),
    "dl": _definitions,
    "dt": _term,
    "tr": _line,
    "table": _table,
    "figure": _figure,
    "summary": _summary,
    "blockquote": _quote,
    "hr": _rule,
    "br": _br,
}
"""Tag → what is done where such an element begins."""
