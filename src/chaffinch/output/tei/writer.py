"""The writer of TEI: how each block and mark is written, and where the next block goes."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from chaffinch.elements.code import language, source
from chaffinch.elements.image_sources import declared_size
from chaffinch.elements.tables import span
from chaffinch.output.block_writer import BlockWriter
from chaffinch.output.element_events import MARKS
from chaffinch.output.inline import Inline
from chaffinch.output.line_writer import HEAD, LINES
from chaffinch.output.tei.inline import Line, line
from chaffinch.output.tei.tree import Node
from chaffinch.output.tei.xml import escaped, pair, pointer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chaffinch.elements.shown_content import ShownContent
    from chaffinch.output.options import OutputOptions

_MOST: Final = 48
"""Containers within each other; parsers of XML refuse what is very deep."""
_LAST: Final = 7
"""Level of a section without a heading: any heading ends it."""


class TeiWriter(BlockWriter):
    """Writes the body of a text. A heading begins a ``div`` down to the next one of its level.

    Attributes:
        body: the text that is made.
        sections: (level, div) of the headings that the next block stands under.
        holders: lists, items, quotes, tables and figures that are open.
        rend: how the paragraphs that follow differ from others, "" for not at all.
        heads: rows on the page of the header lines of the tables around.
    """

    marks: ClassVar[Mapping[str, str]] = {rend: f'hi rend="{rend}"' for rend in MARKS.values()}

    def __init__(self, shown: ShownContent, options: OutputOptions) -> None:
        super().__init__(shown, options, Inline())
        self.body = Node("body")
        self.sections: list[tuple[int, Node]] = []
        self.holders: list[Node] = []
        self.rend = ""
        self.heads: set[int] = set()

    def flush(self) -> None:
        """Write what was collected as a paragraph."""
        if (taken := self._take()) is None:
            return
        name = "p"
        if taken.is_picture:
            name = "" if self.holder == "figure" else "figure"
        more = {"rend": self.rend} if self.rend and name == "p" else {}
        self.put(Node(name, more | self._identity(taken.rows), taken))

    def _take(self) -> Line | None:
        """Return what was collected; None for nothing."""
        self.breaks = 0
        rows = self.inline.first, self.inline.last
        return line(self.inline.take(), rows)

    def _identity(self, rows: tuple[int, int]) -> dict[str, str]:
        """Return the attribute that names a block's rows, if it is requested."""
        return {"xml:id": f"r{rows[0]}-{rows[1]}"} if self.options.rows else {}

    # Where blocks go

    def put(self, node: Node) -> None:
        """Put a block where it stands: in the innermost holder, or under the last heading."""
        if self.holders:
            self.holders[-1].put(node)
            return
        place = self.sections[-1][1] if self.sections else self.body
        if node.name != "div" and any(child.name == "div" for child in place.children[-1:]):
            place = self._section(_LAST)
        place.put(node)

    def _section(self, level: int) -> Node:
        """Begin a section, and end those of its level and deeper ones."""
        while self.sections and self.sections[-1][0] >= level:
            self.sections.pop()
        node = Node("div")
        (self.sections[-1][1] if self.sections else self.body).put(node)
        self.sections.append((level, node))
        return node

    def put_apart(self, section: Node) -> None:
        """Put a section that no heading holds; what is open goes on behind it."""
        self.sections.clear()
        self.body.put(section)
        open_ones, self.holders = self.holders, []
        for old in open_ones:
            node = Node(old.name, old.attributes)
            self.put(node)
            self.holders.append(node)

    @property
    def holder(self) -> str:
        """Name of the innermost holder; "" where none is."""
        return self.holders[-1].name if self.holders else ""

    def _hold(self, row: int, node: Node) -> None:
        """Open a holder of blocks; where it can't be one, it is only a block."""
        self.boundary()
        if self.flat or len(self.holders) >= _MOST:
            self.on_leave(row, self.boundary)
            return
        self.put(node)
        self.holders.append(node)
        self.on_leave(row, self._let_go)

    def _let_go(self) -> None:
        self.boundary()
        self.holders.pop()

    def _enter_line(self, row: int, name: str, flat: str) -> None:
        """Start an element that is one line in its holder."""
        self.flush()
        self.flat = flat
        self.on_leave(row, self._end_line, name)

    def _end_line(self, name: str) -> None:
        self.flat = ""
        if taken := self._take():
            self.put(Node(name, self._identity(taken.rows), taken))

    # Within a line

    def formula_markup(self, tex: str, *, display: bool) -> str:
        """Return TeX as an element."""
        rend = "display" if display else "inline"
        return f'<formula notation="TeX" rend="{rend}">{escaped(tex)}</formula>'

    def image_markup(self, row: int, url: str, alt: str) -> str:
        """Return an image; "" where its address is none."""
        if not (url := pointer(url)):
            return ""
        sides = zip(("width", "height"), declared_size(self.page, row), strict=True)
        sizes = "".join(pair(name, f"{side:g}px") for name, side in sides if side is not None)
        description = f"<desc>{escaped(alt)}</desc></graphic>" if alt else "</graphic>"
        return f"<graphic{pair('url', url)}{sizes}>{description}"

    def link_markup(self, row: int, url: str) -> str:  # noqa: ARG002  Markdown looks at it
        """Return the start tag of a reference; "" where its address is none."""
        url = pointer(url)
        return "ref" + pair("target", url) if url else ""

    def quotation(self, row: int) -> None:
        """Begin a quotation in a line."""
        if not self.inline.has("q"):
            self.open_mark(row, "q", "q")

    # Headings, code, rules

    def open_heading(self, row: int) -> None:
        """Begin a section; within a list, a quote or a table a heading is a paragraph."""
        if self.holders:
            self._set_apart(row, f"h{self.heading_level(row)}")
        else:
            self.flat = HEAD
            self.on_leave(row, self._end_heading, self.heading_level(row))

    def _end_heading(self, level: int) -> None:
        self.flat = ""
        if taken := self._take():
            self._section(level).put(Node("head", self._identity(taken.rows), taken))

    def _set_apart(self, row: int, rend: str) -> None:
        """Return the paragraphs of an element apart from others."""
        self.boundary()
        if self.rend or self.flat:
            self.on_leave(row, self.boundary)
        else:
            self.rend = rend
            self.on_leave(row, self._end_apart)

    def _end_apart(self) -> None:
        self.boundary()
        self.rend = ""

    def write_code(self, row: int) -> None:
        """Write a block of code with its language."""
        code = self.shown.code
        raw = source(self.page, row, self.shown.rows, code)
        stop = self.skip_to = int(self.page.end[row])
        if not raw:
            return
        name = "".join((language(self.page, row, raw) or code.labels.get(row, "")).split())
        attribute = pair("lang", name) if name else ""
        xml = f'<code rend="block"{attribute} xml:space="preserve">{escaped(raw)}</code>'
        rows = row, stop
        held = Line(xml, rows, is_picture=False)
        self.put(Node("p", {"rend": "code"} | self._identity(rows), held))

    def rule(self, _: int) -> None:
        """Write a rule between blocks."""
        self.boundary()
        if not self.flat:
            self.put(Node("milestone", {"unit": "section", "rend": "rule"}))

    # Lists, quotes, figures

    def summary(self, row: int) -> None:
        """Begin a paragraph of its own kind."""
        self._set_apart(row, "summary")

    def quote(self, row: int) -> None:
        """Begin a quote."""
        self._hold(row, Node("quote"))

    def bullets(self, row: int) -> None:
        """Begin a list of bullets."""
        self._hold(row, Node("list", {"rend": "bulleted"}))

    def numbers(self, row: int) -> None:
        """Begin an ordered list."""
        self._hold(row, Node("list", {"rend": "numbered"}))

    def definitions(self, row: int) -> None:
        """Begin a definition list."""
        self._hold(row, Node("list"))

    def item(self, row: int) -> None:
        """Begin an item or a definition; one in no list is a block."""
        if self.holder == "list":
            self._hold(row, Node("item"))
        else:
            self.block(row)

    definition = item

    def term(self, row: int) -> None:
        """Begin a term."""
        if self.holder == "list" and not self.flat:
            self._enter_line(row, "label", LINES)
        else:
            self.block(row)

    def figure(self, row: int) -> None:
        """Begin a figure."""
        self._hold(row, Node("figure"))

    # Tables

    def table(self, row: int) -> None:
        """Begin a table; one that only lays out the page is a block."""
        if self.options.tables and self.shown.elements.data_tables[row]:
            places = self.shown.table(row)
            self.heads.update(places.rows[: places.headers])
            self._hold(row, Node("table"))
        else:
            self.block(row)

    def caption(self, row: int) -> None:
        """Begin the caption of a figure or a table."""
        if self.holder in ("figure", "table") and not self.flat:
            self._enter_line(row, "head", HEAD)
        else:
            self.block(row)

    figure_caption = caption

    def table_row(self, row: int) -> None:
        """Begin a line of a table."""
        if self.holder == "table":
            self._hold(row, Node("row", {"role": "label"} if row in self.heads else {}))
        else:
            self.block(row)

    def cell(self, row: int) -> None:
        """Begin a cell."""
        if self.holder != "row":
            self.block(row)
            return
        is_header = "th" in (self.page.name(row), self.shown.elements.table_parts.get(row))
        spans = {"cols": span(self.page, row, "colspan"), "rows": span(self.page, row, "rowspan")}
        more = {name: str(value) for name, value in spans.items() if value > 1}
        self._hold(row, Node("cell", ({"role": "label"} if is_header else {}) | more))

    def between(self, row: int) -> None:
        """Begin a wrapper in a table made of divs."""
        if self.holder not in ("table", "row"):
            self.block(row)
