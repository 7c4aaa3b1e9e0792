"""Clean HTML: a fragment of safe elements and attributes that nests as HTML must.

The writer keeps the stack of open elements that a parser of its output would have (HTML Standard,
section 13.2.6) and ends what such a parser would end, so that the output reads back as written:
rendering what is read from it gives the same text again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape
from typing import Final

import numpy as np

from chaffinch.elements.code import needs_lines
from chaffinch.elements.formulas import without_scripts
from chaffinch.elements.image_sources import ImageSources, is_template
from chaffinch.elements.shown_content import shown_content, without_images
from chaffinch.elements.tables import BETWEEN
from chaffinch.elements.texts import BREAK, page_text
from chaffinch.output.options import OutputOptions
from chaffinch.output.walk import Special, Walk
from chaffinch.page import Page, tags
from chaffinch.page.urls import FETCHED, LINKS, candidates
from chaffinch.verdict import Content

SAME: Final = frozenset(
    "article section nav aside h1 h2 h3 h4 h5 h6 hgroup header footer address main p hr pre"
    " blockquote ol ul menu li dl dt dd figure figcaption div a em strong small s cite q dfn abbr"
    " ruby rb rt rtc rp data time code var samp kbd sub sup i b u mark bdi bdo br wbr ins del img"
    " table caption tbody thead tfoot tr td th details summary".split()
)
"""Elements that are written as they are."""

_BOXES: Final = (
    "form fieldset legend center dialog search multicol marquee optgroup option select textarea"
    " isindex video audio canvas".split()
)
RENAMED: Final = {
    **dict.fromkeys("xmp plaintext listing".split(), "pre"),
    **dict.fromkeys(_BOXES, "div"),
    "acronym": "abbr", "strike": "s", "tt": "code", "dir": "ul", "image": "img",
}  # fmt: skip
"""Elements that are written under another name; all others only as what they hold."""
NAME_OF: Final[dict[int, str]] = {
    tags.CODES[name]: new for name, new in [*zip(SAME, SAME, strict=True), *RENAMED.items()]
}
"""Code of each tag that is written → its name."""

_TABLES: Final = frozenset("table tbody thead tfoot tr".split())
_EMPHASIS: Final = frozenset("b strong i em s del u mark".split())


def _names(options: OutputOptions) -> Mapping[int, str]:
    """Return the code of each tag that is written with these options → its name."""
    if options.links and options.tables and options.emphasis:
        return NAME_OF
    dropped = set() if options.links else {"a"}
    dropped |= set() if options.tables else _TABLES
    dropped |= set() if options.emphasis else _EMPHASIS
    boxed = frozenset() if options.tables else frozenset(["caption", "td", "th"])
    every = NAME_OF.items()
    return {tag: "div" if name in boxed else name for tag, name in every if name not in dropped}


_ADDRESSES: Final = {"href": LINKS, "cite": FETCHED}
_OWN: Final = {
    name: tuple(f"{own} title lang dir".split())
    for name, own in {
        "": "id",
        "a": "href id",
        **dict.fromkeys(["blockquote", "q"], "cite id"),
        **dict.fromkeys(["ins", "del"], "cite id datetime"),
        "img": "src id alt width height",
        "td": "id colspan rowspan headers",
        "th": "id colspan rowspan headers scope",
        "ol": "id start reversed type",
        **dict.fromkeys(["li", "data"], "id value"),
        "time": "id datetime",
        "details": "id open",
    }.items()
}
"""Element → its attributes that are written, in their order."""
_LANGUAGE: Final = re.compile(r"(?:^|\s)(language-[A-Za-z0-9_+#.-]+)(?=\s|$)")


def _attributes(
    page: Page, row: int, name: str, targets: frozenset[str], images: ImageSources
) -> Iterator[tuple[str, str]]:
    """Yield the safe attributes of an element that is written as ``name``.

    ``targets`` are the ids that links within the content lead to: these ids, and the links to
    them, stay as they are. Of images the resolved source is written.
    """
    given = page.attributes(row)
    for key in _OWN.get(name, _OWN[""]) if given else ():
        if key in _ADDRESSES:
            url = (given.get(key) or "").strip()
            if url[:1] != "#" or url[1:] not in targets:
                url = page.addresses.find(url, _ADDRESSES[key])
            if url:
                yield key, url
        elif key == "src":
            if (source := images.of(row)) is None:
                return
            found = candidates(given.get("srcset"), page.base)
            sizes = (f"{url} {size}".strip() for url, size in found if not is_template(url))
            pairs = ("src", source.url), ("srcset", ", ".join(sizes))
            yield from (pair for pair in pairs if pair[1])
        elif key in given and (key != "id" or given["id"] in targets):
            yield key, given[key] or ""
        elif key.endswith("span") and f"aria-{key}" in given:
            yield key, given[f"aria-{key}"] or ""
    if name == "code" and (language := _LANGUAGE.search(given.get("class") or "")):
        yield "class", language[1]


def escaped(text: str) -> str:
    return escape(text, quote=False).replace("\xa0", "&nbsp;").replace("\r", "&#13;")


def pair(name: str, value: str) -> str:
    quoted = escaped(value).replace('"', "&quot;")
    return f' {name}="{quoted}"'


_BLOCKS: Final = frozenset(name for name in SAME if tags.BLOCK[tags.CODES[name]])
_HEADINGS: Final = frozenset("h1 h2 h3 h4 h5 h6".split())
_ENDS_P: Final = _BLOCKS - frozenset("caption tbody thead tfoot tr td th".split())
_PARENTS: Final[dict[str, frozenset[str]]] = {
    "tr": frozenset(["tbody", "thead", "tfoot"]),
    **dict.fromkeys(["td", "th"], frozenset(["tr"])),
    **dict.fromkeys(["tbody", "thead", "tfoot", "caption"], frozenset(["table"])),
}
_FRAME: Final = frozenset(["table", "tbody", "thead", "tfoot", "tr"])
_SCOPE: Final = frozenset(["table", "td", "th", "caption"])
_SIBLINGS: Final = {"li": ("li",), "dt": ("dt", "dd"), "dd": ("dt", "dd")}
_SPECIAL: Final = _BLOCKS - frozenset(["address", "div", "p"])
_RUBY: Final = frozenset(["rb", "rt", "rtc", "rp"])
_RUBY_ENDS: Final = frozenset(["p", "li", "dt", "dd", "rb", "rt", "rp"])
_WITH_LINES: Final = _BLOCKS - frozenset(["td", "th", "caption", "summary", "figcaption"])


def render(content: Content, *, options: OutputOptions | None = None, title: str = "") -> str:
    """Return what is kept as clean HTML below a title; "" where nothing is and there is none.

    With the option ``rows`` each element has ``data-row``, the row of the page that it came from.
    """
    options = options or OutputOptions()
    writer = _Writer(PreparedContent(content, options), options)
    writer.walk(np.flatnonzero(writer.shown.rows))
    return f"<h1>{escape(title)}</h1>\n{writer.html()}" if title else writer.html()


def render_table(content: Content, table: int) -> str:
    """Return a table or definition list as `fragment` writes it; ``table`` is its row."""
    options = OutputOptions()
    prepared = content.derived("HTML of tables", lambda: PreparedContent(content, options))
    writer = _Writer(prepared, options)
    rows = np.flatnonzero(writer.shown.rows[table : content.page.end[table]]) + table
    writer.walk(rows)
    return writer.html()


@dataclass(slots=True)
class _Element:
    """An element of the output, and whether its tag is written."""

    name: str
    tag: str
    written: bool = False


class _Writer(Walk):
    def __init__(self, prepared: PreparedContent, options: OutputOptions) -> None:
        super().__init__(prepared.shown.page, prepared.special, prepared.text)
        self.prepared = prepared
        self.shown = prepared.shown
        self.options = options
        self.name_of = _names(options)
        self.parts: list[str] = []
        self.stack: list[tuple[int, _Element]] = []
        self.open: dict[str, int] = {}  # name → how many such elements are open
        self.line = -1
        self.breaks = 0  # line breaks that inline style shows, since the last text
        self.space = False
        self.fresh = True  # nothing stands on the line: white space would count for nothing
        self.ended = True  # what was written ends a line

    def html(self) -> str:
        self.close()
        return "".join(self.parts)

    @property
    def top(self) -> str:
        return self.stack[-1][1].name if self.stack else ""

    # Text

    def text(self, row: int, raw: str) -> None:
        if "pre" in self.open:
            self._content()
            self.parts.append(escaped(raw))
            self.line = self.page.line[row]
            return
        for at, line in enumerate(raw.split(BREAK)):
            self.breaks += at > 0
            if not line or line.isspace():
                self.space |= bool(line)
            else:
                self._line_of_text(row, line)

    def _line_of_text(self, row: int, raw: str) -> None:
        if "code" not in self.open:
            raw = without_scripts(raw)
        self.space |= raw[0].isspace()
        self._begin_text(row)
        if self.breaks and not self.fresh:
            self.parts.append("<br>" * min(self.breaks, 2))
            self.fresh = True
        self.breaks = 0
        self._content()
        self.parts.append(escaped(" ".join(raw.split())))
        self.space = raw[-1].isspace()

    def blank(self, row: int, raw: str) -> None:
        if "pre" in self.open:
            super().blank(row, raw)
        else:
            self.space = True
            self.breaks += raw.count(BREAK)

    def _begin_text(self, row: int) -> None:
        line = self.page.line.item(row)
        is_apart = line != self.line and not self.ended
        if is_apart and not any(element.name in _BLOCKS for element in self._unwritten()):
            self.parts.append("<br>")
            self.fresh = True
        self.line = line

    def _content(self) -> None:
        """Write what is open, and the space before what follows."""
        while self.top in _FRAME:
            self.leave()
        space = self.space and not self.fresh
        self.space = False
        if self.stack and not self.stack[-1][1].written:
            for element in self._unwritten():
                if space and element.name not in _BLOCKS:
                    self.parts.append(" ")
                    space = False
                self._write(element)
        if space and not self.fresh:
            self.parts.append(" ")
        self.fresh = self.ended = False

    def _unwritten(self) -> list[_Element]:
        at = len(self.stack)
        while at and not self.stack[at - 1][1].written:
            at -= 1
        return [element for _, element in self.stack[at:]]

    def _write(self, element: _Element) -> None:
        element.written = True
        self.parts.append(element.tag)
        if element.name in _BLOCKS:
            self.fresh = self.ended = True

    # Elements

    def element(self, row: int, tag: int) -> None:
        if tag in self.name_of:
            self._enter(row, self.name_of[tag])

    def _enter(self, row: int, name: str) -> None:
        if name in ("br", "wbr", "hr", "img"):
            self._void(row, name)
        elif self._fits(name):
            self._open(row, name)

    def _formula(self, row: int) -> None:
        found = self.shown.formulas[row]
        self.skip_to = found.end
        tex = without_scripts(found.tex)
        self.text(row, f"\\[{tex}\\]" if found.display else f"\\({tex}\\)")

    def _block_of_code(self, row: int) -> None:
        raw, name = self.shown.code_block(row)
        self.skip_to = int(self.page.end[row])
        if not raw:
            return
        if self._fits("pre"):
            self._open(row, "pre", "<pre>\n")
            attribute = pair("class", f"language-{name}") if name else ""
            self._open(row, "code", f"<code{attribute}>")
        self.text(row, raw)

    def _table_part(self, row: int, name: str) -> None:
        """Write a part of a table as what it is; a line needs a head or a body around."""
        if name == "tr" and self.top == "table":
            around, heads = int(self.page.parent[row]), self.prepared.heads
            end = self.stack[-1][0]
            if row in heads:
                self._push(heads[row], _Element("thead", "<thead>"))
            else:
                end = int(self.page.end[around]) if self.page.name(around) == "tbody" else end
                self._push(end, _Element("tbody", "<tbody>"))
        if name != BETWEEN:
            self._enter(row, name)

    def _fits(self, name: str) -> bool:
        """Make room for an element; return whether it may stand here."""
        if name in _PARENTS:
            return self.top in _PARENTS[name]
        while self.top in _FRAME:
            self.leave()
        is_refused = (
            (name in ("a", "code") and name in self.open)
            or ("pre" in self.open and name in _BLOCKS)
            or (name in _HEADINGS and not _HEADINGS.isdisjoint(self.open))
        )
        if is_refused:
            return False
        if name in _ENDS_P and "p" in self.open:
            self._close_until(("p",), _SCOPE)
        if name in _SIBLINGS:
            self._close_until(_SIBLINGS[name], _SPECIAL - set(_SIBLINGS[name]))
        if name in _RUBY and "ruby" in self.open:
            while self.top in _RUBY_ENDS:
                self.leave()
        return name not in _RUBY or "ruby" in self.open

    def _close_until(self, names: tuple[str, ...], stops: frozenset[str]) -> None:
        for at in range(len(self.stack) - 1, -1, -1):
            name = self.stack[at][1].name
            if name in names:
                while len(self.stack) > at:
                    self.leave()
            if name in names or name in stops:
                return

    def _open(self, row: int, name: str, tag: str = "") -> None:
        self._push(int(self.page.end[row]), _Element(name, tag or self._tag(row, name)))
        if name in _BLOCKS:
            self.space, self.fresh = False, True
        if name in ("tr", "td", "th"):
            for waiting in self._unwritten():
                self._write(waiting)

    def _push(self, end: int, element: _Element) -> None:
        self.stack.append((end, element))
        self.open[element.name] = self.open.get(element.name, 0) + 1

    def leave(self) -> None:
        _, element = self.stack.pop()
        name = element.name
        self.open[name] -= 1
        if not self.open[name]:
            del self.open[name]
        if element.written:
            self.parts.append(f"</{name}>\n" if name in _WITH_LINES else f"</{name}>")
        if name in _BLOCKS:
            self.space, self.fresh = False, True
            self.ended |= element.written

    def _void(self, row: int, name: str) -> None:
        tag = self._tag(row, name)
        is_nothing = (name == "img" and " src=" not in tag) or (name == "wbr" and self.fresh)
        if is_nothing or (name == "hr" and not self._fits(name)):
            return
        if name == "img":
            self._begin_text(row)
        elif name != "wbr":
            self.space, self.fresh = False, self.fresh or name == "hr"
        self._content()
        self.parts.append(tag)
        if name in ("hr", "br"):
            self.fresh = self.ended = True

    def _tag(self, row: int, name: str) -> str:
        images = self.shown.elements.images
        pairs = _attributes(self.page, row, name, self.prepared.targets, images)
        written = "".join(pair(key, value) for key, value in pairs)
        if self.options.rows:
            written += f' data-row="{row}"'
        return f"<{name}{written}>\n" if name == "pre" else f"<{name}{written}>"


class PreparedContent:
    """What the writers of parts of one content share."""

    def __init__(self, content: Content, options: OutputOptions) -> None:
        page = content.page
        self.shown = shown_content(content) if options.images else without_images(content)
        self.text = page_text(page, self.shown.code.blocks, ruby=False)  # as `Walk` takes it
        kept = self.shown.kept
        hrefs = (href for row, href in page.having("href") if kept[row] and "#" in href[:9])
        ids = {value for row, value in page.having("id") if kept[row] and value}
        # The ids that links within the page lead to.
        self.targets = frozenset(ids & {href.strip()[1:] for href in hrefs})
        levels = self.shown.crossheads
        # Row → what is written there in place of the element.
        self.special: dict[int, Special] = {
            row: ("_enter", f"h{level}") for row, level in levels.items()
        }
        self.heads: dict[int, int] = {}
        """Row of each header line in no thead → first row after the last such line."""
        if options.tables:
            for row, part in self.shown.elements.table_parts.items():
                self.special[row] = ("_table_part", part)
            self._find_headers(page)
        code = (row for row in self.shown.code.blocks if needs_lines(page, row, self.shown.code))
        self.special.update(dict.fromkeys(code, ("_block_of_code",)))
        self.special.update(dict.fromkeys(self.shown.formulas, ("_formula",)))
        self.special.update(dict.fromkeys(self.shown.images, ("_enter", "img")))

    def _find_headers(self, page: Page) -> None:
        """Have header lines written as such: in a thead, their cells as th."""
        shown = self.shown
        parts = shown.elements.table_parts
        for table in np.flatnonzero(shown.data_tables & shown.rows).tolist():
            places = shown.table(table)
            trs = places.rows[: places.headers]
            bare = [tr for tr in trs if page.name(int(page.parent[tr])) != "thead"]
            for cell in {cell for line in places.lines[: places.headers] for cell in line} - {-1}:
                self.special[cell] = ("_table_part", "th")
            for tr in bare:
                self.heads[tr] = int(page.end[bare[-1]])
                above = int(page.parent[tr])
                if page.name(above) == "tbody" and tr not in parts:
                    self.special[above] = ("_table_part", BETWEEN)
            for tr in places.rows if bare else ():
                self.special[tr] = ("_table_part", "tr")
