"""XML-TEI (TEI P5, Guidelines 4.8): what is kept, with a header of what is known of the page.

A heading begins a ``div`` down to the next one of its level. What becomes of other elements stands
in `_Writer`; what may stand where, in `Node.put` and `_mended`. Two content
models of TEI are stricter than HTML: in a ``div`` no block follows an inner ``div``, and glosses
alternate labels and items.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partialmethod
from typing import Any, ClassVar, Final
from urllib.parse import quote, urlsplit

import numpy as np

from chaffinch.elements.image_sources import declared_size
from chaffinch.elements.shown_content import ShownContent, shown_content
from chaffinch.elements.tables import span
from chaffinch.output import walk
from chaffinch.output.options import OutputOptions
from chaffinch.verdict import Content

_BODY: Final = frozenset("div p list quote table".split())
"""What a body must hold at least one of; figures and milestones may stand anywhere."""


def render(
    content: Content,
    *,
    options: OutputOptions | None = None,
    about: Mapping[str, Any] | None = None,
) -> str:
    """Return what is kept as an XML document of TEI P5; "" where nothing is.

    ``rows`` of the options gives each block an ``xml:id`` such as ``r12-17``; ``about`` are
    metadata as plain values, by the names of `chaffinch.metadata.FIELDS`.
    """
    if not content:
        return ""
    text = _body(content, options or OutputOptions())
    if not any(child.name in _BODY for child in text.children):
        text.put(Node("p"))
    known = {name: value for name, value in (about or {}).items() if value}
    language_of = {"xml:lang": known["language"]} if "language" in known else {}
    return "".join(
        [
            '<?xml version="1.0" encoding="UTF-8"?>\n<TEI xmlns="http://www.tei-c.org/ns/1.0">\n',
            *("<teiHeader>\n", *_header(known, content.page.url or ""), "</teiHeader>\n"),
            f"<text{_pairs(language_of)}>\n",
            *_written(text),
            "</text>\n</TEI>\n",
        ]
    )


def _header(known: Mapping[str, Any], url: str) -> Iterator[str]:
    title = _element("title", known.get("title", ""))
    yield f"<fileDesc>\n<titleStmt>{title}"
    for name in ("author", "editor"):
        yield from (_element(name, one) for one in known.get(f"{name}s", ()))
    for one in known.get("contributors", ()):
        if one["role"] != "editor":
            who = _element("resp", one["role"]) + _element("name", one["name"])
            yield f"<respStmt>{who}</respStmt>"
    yield f"</titleStmt>\n<publicationStmt>{_element('publisher', known.get('site_name', ''))}"
    for name in ("published", "modified"):
        if date := known.get(name):
            when = {"when": date} if _DAY.fullmatch(date) else {}
            yield f"<date{_pairs({'type': name} | when)}>{escaped(date)}</date>"
    if licence := known.get("licence"):
        target = _pairs(_target(licence) if "://" in licence else {})
        own = f"<licence{target}>{_element('p', licence)}</licence>"
        yield f"<availability>{own}</availability>"
    yield "</publicationStmt>\n"
    if product := known.get("product"):
        pairs = product.items()
        items = "".join(f"<item{_pairs({'n': n})}>{escaped(str(v))}</item>" for n, v in pairs)
        yield f'<notesStmt><note type="product"><list>{items}</list></note></notesStmt>\n'
    original = known.get("original_source")
    sources = [_element("publisher", original)] if original else []
    for address in dict.fromkeys((known.get("canonical", ""), url)):
        sources += [f"<ptr{target}/>"] if (target := _pairs(_target(address))) else []
    yield f"<sourceDesc><bibl>{title}{''.join(sources)}</bibl></sourceDesc>\n"
    yield "</fileDesc>\n"
    yield "<encodingDesc><p>Main content of a web page, found by Chaffinch.</p></encodingDesc>\n"
    yield from _profile(known)


def _profile(known: Mapping[str, Any]) -> Iterator[str]:
    profile = []
    if description := known.get("description"):
        profile.append(f"<abstract>{_element('p', description)}</abstract>")
    if code := known.get("language"):
        profile.append(f"<langUsage><language{_pairs({'ident': code})}/></langUsage>")
    terms = ""
    for name in ("categories", "tags"):
        if own := "".join(_element("term", one) for one in known.get(name, ())):
            terms += f"<keywords{_pairs({'n': name})}>{own}</keywords>"
    if terms:
        profile.append(f"<textClass>{terms}</textClass>")
    if profile:
        yield f"<profileDesc>{''.join(profile)}</profileDesc>\n"


def _body(content: Content, options: OutputOptions) -> Node:
    shown = shown_content(content)
    writer = _Writer(shown, options)
    writer.walk(np.flatnonzero(shown.rows))
    writer.close()
    writer.flush()
    return _mended(writer.body)


# The tree


_WRAPPERS: Final = {
    "list": (frozenset(["item", "label"]), "item"),
    "table": (frozenset(["row"]), "row"),
    "row": (frozenset(["cell"]), "cell"),
}
"""Element → what it may hold, and what is put around all else."""


@dataclass(slots=True, eq=False)
class Node:
    """An element: with other elements in it, or with the line of XML that it holds, or both.

    One without a name is only its line: graphics that stand in a figure as they are. The heads of a
    table, which come before its rows, are kept apart until the tree is mended.
    """

    name: str
    attributes: dict[str, str] = field(default_factory=dict)
    line: str | None = None
    children: list[Node] = field(default_factory=list)
    heads: list[Node] = field(default_factory=list)

    def put(self, node: Node) -> None:
        """Put a node in its place among the children, wrapped as the content model requires."""
        held, wrapper = _WRAPPERS.get(self.name, (frozenset([node.name]), ""))
        if self.name == "table" and node.name == "head":
            self.heads.append(node)
        elif node.name in held:
            self.children.append(node)
        else:
            if not self.children or self.children[-1].name != wrapper:
                self.children.append(Node(wrapper))
            self.children[-1].put(node)

    @property
    def is_empty(self) -> bool:
        return self.line is None and not self.children and not self.heads


_HOLDERS: Final = frozenset(["list", "item", "table", "row", "figure", "quote"])


def _mended(root: Node) -> Node:
    """Return the tree without empty elements, glosses alternating, short items on one line."""
    order = [root]
    for node in order:
        node.children = [*node.heads, *node.children]
        node.heads = []
        order.extend(node.children)
    for node in reversed(order):
        node.children = [c for c in node.children if not (c.is_empty and c.name in _HOLDERS)]
        if node.name == "table" and all(
            cell.is_empty for row in node.children if row.name == "row" for cell in row.children
        ):
            # One without text holds its captions, in one cell; what else is there goes.
            captions, node.children = [c for c in node.children if c.name == "head"], []
            for caption in captions:
                caption.name = "p"
                node.put(caption)
        elif node.name == "list" and any(child.name == "label" for child in node.children):
            node.attributes["type"] = "gloss"
            node.children = list(_alternating(node.children))
            for item in node.children:
                _pull_up(item)
        elif node.name in ("item", "cell"):
            _pull_up(node)
    return root


def _alternating(children: list[Node]) -> Iterator[Node]:
    """Yield labels and items by turns, empty ones where one is missing; items that touch as one."""
    item: Node | None = None
    labelled = False
    for child in children:
        if child.name == "item" and item is not None:
            item.children += _blocks_of(child)
            continue
        if (child.name == "label") == labelled:
            yield Node("item" if labelled else "label")
        if child.name == "item":
            child.children, child.line = _blocks_of(child), None
        yield child
        labelled = child.name == "label"
        item = None if labelled else child
    if labelled:
        yield Node("item")


def _blocks_of(item: Node) -> list[Node]:
    if item.line is None:
        return item.children
    own = Node("p", item.attributes, item.line)
    item.attributes = {}
    return [own, *item.children]


def _pull_up(node: Node) -> None:
    """Have an item hold its first paragraph's line itself, where only lists follow."""
    if not node.children or node.line is not None:
        return
    first, rest = node.children[0], node.children[1:]
    plain = first.name == "p" and "rend" not in first.attributes
    if plain and first.line is not None and all(child.name == "list" for child in rest):
        node.line, node.children = first.line, rest
        node.attributes |= first.attributes


def _written(root: Node) -> Iterator[str]:
    """Yield the tree as XML, an element that holds a line on a line of its own."""
    stack: list[Node | str] = [root]
    while stack:
        node = stack.pop()
        if isinstance(node, str):
            yield node
        elif not node.name and node.line is not None:
            yield f"{node.line}\n"
        elif node.line is None and not node.children:
            yield f"<{node.name}{_pairs(node.attributes)}/>\n"
        else:
            lines = "\n" if node.children else ""
            yield f"<{node.name}{_pairs(node.attributes)}>{node.line or ''}{lines}"
            stack.append(f"</{node.name}>\n")
            stack.extend(reversed(node.children))


# The writer

_MOST: Final = 48  # containers within each other; parsers of XML refuse what is very deep


class _Writer(walk.BlockWriter):
    marks: ClassVar[Mapping[str, walk.Markup]] = {
        rend: (f'<hi rend="{rend}">', "</hi>") for rend in walk.MARKS.values()
    }

    def __init__(self, shown: ShownContent, options: OutputOptions) -> None:
        super().__init__(shown, options, walk.Inline())
        self.body = Node("body")
        self.sections: list[tuple[int, Node]] = []
        """(Level, div) of the headings that the next block stands under."""
        self.holders: list[Node] = []  # lists, items, quotes, tables and figures that are open
        self.rend = ""  # how the paragraphs that follow differ from others; "" for not at all
        self.heads: set[int] = set()  # rows on the page of the header lines of the tables around

    def flush(self) -> None:
        if node := self._line("p", {"rend": self.rend} if self.rend else {}):
            self._put(node)

    def _line(self, name: str, attributes: Mapping[str, str] | None = None) -> Node | None:
        """Return an element that holds what was collected; a figure of nothing but graphics."""
        self.breaks = 0
        rows, pieces = (self.inline.first, self.inline.last), self.inline.take()
        if not pieces:
            return None
        if name == "p" and all(
            piece.text.startswith("<graphic")
            if piece.what == walk.RAW
            else piece.what == walk.BREAK or piece.text == " "
            for piece in pieces
        ):
            name, attributes = "" if self.holder == "figure" else "figure", {}
        return self._named(name, rows, "".join(map(_piece, pieces)), attributes)

    def _named(
        self, name: str, rows: tuple[int, int], line: str, more: Mapping[str, str] | None
    ) -> Node:
        own = {"xml:id": f"r{rows[0]}-{rows[1]}"} if self.options.rows else {}
        return Node(name, {**(more or {}), **own}, line)

    # Where blocks go

    def _put(self, node: Node) -> None:
        if self.holders:
            self.holders[-1].put(node)
        else:
            (self.sections[-1][1] if self.sections else self.body).put(node)

    def _section(self, level: int) -> Node:
        while self.sections and self.sections[-1][0] >= level:
            self.sections.pop()
        node = Node("div")
        self._put(node)
        self.sections.append((level, node))
        return node

    @property
    def holder(self) -> str:
        return self.holders[-1].name if self.holders else ""

    def _hold(self, row: int, name: str, within: str = "", **attributes: str) -> None:
        """Open a holder of blocks, directly ``within`` another; elsewhere it is only a block."""
        self.boundary()
        is_there = self.holder == within or not within
        if self.flat or not is_there or len(self.holders) >= _MOST:
            self.on_leave(row, self.boundary)
            return
        node = Node(name, attributes)
        self._put(node)
        self.holders.append(node)
        self.on_leave(row, self._let_go)

    def _let_go(self) -> None:
        self.boundary()
        self.holders.pop()

    def _line_within(self, row: int, holders: tuple[str, ...], name: str, flat: str) -> None:
        """Begin an element that is one line in its holder; elsewhere it is only a block."""
        if self.holder not in holders or self.flat:
            self.block(row)
            return
        self.flush()
        self.flat = flat
        self.on_leave(row, self._end_line, name)

    def _end_line(self, name: str) -> None:
        self.flat = ""
        if node := self._line(name):
            self._put(node)

    quote = partialmethod(_hold, name="quote")
    figure = partialmethod(_hold, name="figure")
    definitions = partialmethod(_hold, name="list")
    bullets = partialmethod(_hold, name="list", rend="bulleted")
    numbers = partialmethod(_hold, name="list", rend="numbered")
    item = definition = partialmethod(_hold, name="item", within="list")

    def term(self, row: int) -> None:
        self._line_within(row, ("list",), "label", walk.LINES)

    def caption(self, row: int) -> None:
        self._line_within(row, ("figure", "table"), "head", walk.HEAD)

    figure_caption = caption

    # Tables

    def table(self, row: int) -> None:
        if self.options.tables and self.shown.data_tables[row]:
            places = self.shown.table(row)
            self.heads.update(places.rows[: places.headers])
            self._hold(row, "table")
        else:
            self.block(row)

    def table_row(self, row: int) -> None:
        self._hold(row, "row", "table", **({"role": "label"} if row in self.heads else {}))

    def cell(self, row: int) -> None:
        is_header = "th" in (self.page.name(row), self.shown.elements.table_parts.get(row))
        spans = {"cols": span(self.page, row, "colspan"), "rows": span(self.page, row, "rowspan")}
        more = {name: str(value) for name, value in spans.items() if value > 1}
        self._hold(row, "cell", "row", **({"role": "label"} if is_header else {}) | more)

    # Within a line

    def formula_markup(self, tex: str, *, display: bool) -> str:
        rend = "display" if display else "inline"
        return f'<formula notation="TeX" rend="{rend}">{escaped(tex)}</formula>'

    def image_markup(self, row: int, url: str, alt: str) -> str:
        if not (url := pointer(url)):
            return ""
        sides = zip(("width", "height"), declared_size(self.page, row), strict=True)
        sizes = {name: f"{side:g}px" for name, side in sides if side is not None}
        description = f"<desc>{escaped(alt)}</desc>" if alt else ""
        return f"<graphic{_pairs({'url': url} | sizes)}>{description}</graphic>"

    def link_markup(self, row: int, url: str) -> walk.Markup | None:  # noqa: ARG002  Markdown looks at it
        return (f"<ref{_pairs(target)}>", "</ref>") if (target := _target(url)) else None

    def quotation(self, row: int) -> None:
        if not self.inline.has("q"):
            self.open_mark(row, "q", ("<q>", "</q>"))

    # Headings, code, rules

    def open_heading(self, row: int) -> None:
        """Begin a section; within a list, a quote or a table a heading is a paragraph."""
        if self.holders:
            self._set_apart(row, f"h{self.heading_level(row)}")
        else:
            self.flat = walk.HEAD
            self.on_leave(row, self._end_heading, self.heading_level(row))

    def _end_heading(self, level: int) -> None:
        self.flat = ""
        if node := self._line("head"):
            self._section(level).put(node)

    def summary(self, row: int) -> None:
        self._set_apart(row, "summary")

    def _set_apart(self, row: int, rend: str) -> None:
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
        raw, language = self.shown.code_block(row)
        stop = self.skip_to = int(self.page.end[row])
        if raw:
            name = "".join(language.split())
            lang = _pairs({"lang": name} if name else {})
            line = f'<code rend="block"{lang} xml:space="preserve">{escaped(raw)}</code>'
            self._put(self._named("p", (row, stop), line, {"rend": "code"}))

    def rule(self, _: int) -> None:
        self.boundary()
        if not self.flat:
            self._put(Node("milestone", {"unit": "section", "rend": "rule"}))


def _piece(piece: walk.Piece) -> str:
    if piece.what == walk.TEXT:
        return escaped(piece.text)
    if piece.what == walk.CODE:
        return f"<code>{escaped(piece.text)}</code>"
    if piece.what >= walk.OPEN:
        return piece.mark.opening if piece.what == walk.OPEN else piece.mark.closing
    return piece.text if piece.what == walk.RAW else "<lb/>"


# Characters, addresses and dates as XML and the schema take them

_FORBIDDEN: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ADDRESS: Final = "!#$%&'()*+,/:;=?@-._~"
"""Characters of an address that have a meaning in it, or need no quoting."""
_COLON_FIRST: Final = re.compile(r"\A(?![A-Za-z][A-Za-z0-9+.-]*:)[^/?#]*:")
"""How an address begins that has no scheme and yet a colon in its first segment."""
_BROKEN: Final = re.compile(r"%(?![0-9A-Fa-f]{2})")
_DAY: Final = re.compile(
    r"\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?)?", re.ASCII
)


def escaped(text: str) -> str:
    """Return ``text`` for use between tags; characters that XML 1.0 forbids are left out."""
    is_plain = text.isprintable()  # no printable character is forbidden
    text = text if is_plain else _FORBIDDEN.sub("", text)
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text if is_plain else text.replace("\r", "&#13;")


def _element(name: str, text: str) -> str:
    return f"<{name}>{escaped(' '.join(text.split()))}</{name}>"


def _pairs(attributes: Mapping[str, str]) -> str:
    out = ""
    for name, value in attributes.items():
        own = escaped(value).replace('"', "&quot;").replace("\n", "&#10;").replace("\t", "&#9;")
        out += f' {name}="{own}"'
    return out


def _target(url: str) -> dict[str, str]:
    found = pointer(url) if url else ""
    return {"target": found} if found else {}


def pointer(url: str) -> str:
    """Return an address as a URI (RFC 3986); "" for what can't be one."""
    url = _BROKEN.sub("%25", url.encode("utf-8", "replace").decode("utf-8"))
    try:
        parts = urlsplit(url)
        host = parts.netloc if parts.port is None or parts.port else ""
    except ValueError:
        return ""
    if _COLON_FIRST.match(url):
        url = f"./{url}"
    if "[" not in host:
        return _once_marked(url)
    before, _, after = url.partition(host)
    return before + host + _once_marked(after)


def _once_marked(url: str) -> str:
    """Return an address quoted, only its first number sign as such."""
    start, mark, fragment = url.partition("#")
    return quote(start + mark + fragment.replace("#", "%23"), safe=_ADDRESS)
