"""Blocks of content, each written twice: as HTML and as gold text.

Both come from the same objects, so the gold is what the generator meant, not what an extractor
found. `notation.py` makes blocks from text.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import escape

_INLINE = re.compile(r"\[([^\]]+)\]\(([^)]+)\)|\*\*(.+?)\*\*|`([^`]+)`")


def inline(text: str) -> str:
    """Text in the notation as HTML."""

    def tag(match: re.Match[str]) -> str:
        link, url, strong, code = match.groups()
        if link:
            return f'<a href="{url}">{link}</a>'
        return f"<strong>{strong}</strong>" if strong else f"<code>{code}</code>"

    return _INLINE.sub(tag, escape(text, quote=False))


def plain(text: str) -> str:
    """Text in the notation without its marks."""
    return _INLINE.sub(lambda match: match[1] or match[3] or match[4], text)


@dataclass(frozen=True, kw_only=True)
class Style:
    """What one template does to the same blocks."""

    indent: str = ""
    figure: str = "figure"
    lazy: bool = False
    breaks: bool = False


@dataclass(frozen=True)
class Block:
    """One block; its kinds below differ in how they are written."""

    text: str

    def html(self, style: Style) -> str:
        """The block as a template of this style writes it."""
        body = style.indent + inline(self.text)
        return f"{body}<br><br>" if style.breaks else f"<p>{body}</p>"

    def gold(self) -> list[str]:
        """What a reader reads, one line a leaf."""
        return [plain(self.text)]


class Cut(Block):
    """`+++` or `===`: no content, but a border between containers or pages."""

    def gold(self) -> list[str]:
        """Nothing to read."""
        return []


@dataclass(frozen=True)
class Heading(Block):
    """A heading of level 2 or 3."""

    level: int

    def html(self, style: Style) -> str:  # noqa: ARG002
        """As h2 or h3."""
        return f"<h{self.level}>{inline(self.text)}</h{self.level}>"


class Quote(Block):
    """A quotation."""

    def html(self, style: Style) -> str:  # noqa: ARG002
        """As blockquote with a paragraph."""
        return f"<blockquote><p>{inline(self.text)}</p></blockquote>"


@dataclass(frozen=True)
class Details(Block):
    """A question that unfolds."""

    answer: str

    def html(self, style: Style) -> str:  # noqa: ARG002
        """As details, closed."""
        return (
            f"<details><summary>{inline(self.text)}</summary><p>{inline(self.answer)}</p></details>"
        )

    def gold(self) -> list[str]:
        """Question and answer, two lines."""
        return [plain(self.text), plain(self.answer)]


@dataclass(frozen=True)
class Items(Block):
    """A list; an item is (level, text), level 1 nested in the item before."""

    ordered: bool
    items: tuple[tuple[int, str], ...]

    def html(self, style: Style) -> str:  # noqa: ARG002
        """As ul or ol."""
        name = "ol" if self.ordered else "ul"
        parts, level = [f"<{name}>"], 0
        for at, (depth, text) in enumerate(self.items):
            if depth > level:
                parts.append(f"<{name}>")
            elif at:
                parts.append("</li>" + f"</{name}></li>" * (level - depth))
            parts.append(f"<li>{inline(text)}")
            level = depth
        return "".join(parts) + "</li>" + f"</{name}></li>" * level + f"</{name}>"

    def gold(self) -> list[str]:
        """One line an item, nested ones in their place."""
        return [plain(text) for _, text in self.items]


@dataclass(frozen=True)
class Code(Block):
    """Source code with its language; white space counts."""

    language: str

    def html(self, style: Style) -> str:  # noqa: ARG002
        """As pre and code with the usual class."""
        body = escape(self.text, quote=False)
        return f'<pre><code class="language-{self.language}">{body}</code></pre>'

    def gold(self) -> list[str]:
        """The lines as they are, empty ones left out."""
        return [line for line in self.text.split("\n") if line.strip()]


@dataclass(frozen=True)
class Figure(Block):
    """An image with caption (text) and credit."""

    file: str
    size: tuple[int, int]
    credit: str
    linked: bool

    def image(self, style: Style) -> str:
        """The img element, lazy with a noscript copy where the style asks."""
        width, height = self.size
        rest = f'alt="{escape(self.text)}" width="{width}" height="{height}"'
        image = f'<img src="/images/{self.file}" {rest}>'
        if style.lazy:
            pixel = "data:image/gif;base64,R0lGODlhAQABAAAAACw="
            lazy = f'<img class="lazy" src="{pixel}" data-src="/images/{self.file}" {rest}>'
            image = f"{lazy}<noscript>{image}</noscript>"
        return f'<a href="/images/large/{self.file}">{image}</a>' if self.linked else image

    def html(self, style: Style) -> str:
        """As figure, or as the div that older templates use."""
        if style.figure == "div":
            note = f'<p class="pic-note">{inline(self.text)}（{self.credit}）</p>'
            return f'<div class="pic">{self.image(style)}{note}</div>'
        note = f'{inline(self.text)} <span class="credit">{self.credit}</span>'
        return f"<figure>{self.image(style)}<figcaption>{note}</figcaption></figure>"

    def gold(self) -> list[str]:
        """The caption; the credit is a byline."""
        return [plain(self.text)]


@dataclass(frozen=True)
class Definitions(Block):
    """Terms and what they mean; text is unused."""

    pairs: tuple[tuple[str, str], ...]

    def html(self, style: Style) -> str:  # noqa: ARG002
        """As dl."""
        rows = (f"<dt>{inline(term)}</dt><dd>{inline(text)}</dd>" for term, text in self.pairs)
        return f"<dl>{''.join(rows)}</dl>"

    def gold(self) -> list[str]:
        """Term and definition on lines of their own."""
        return [plain(text) for pair in self.pairs for text in pair]


@dataclass(frozen=True)
class Table(Block):
    """A data table; text is the caption, `^` in a cell joins it to the one above."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def html(self, style: Style) -> str:  # noqa: ARG002
        """With caption, th and rowspan."""
        head = "".join(f'<th scope="col">{inline(cell)}</th>' for cell in self.head)
        parts = [f"<table><caption>{inline(self.text)}</caption><thead><tr>{head}</tr></thead>"]
        parts.append("<tbody>")
        for at, row in enumerate(self.rows):
            cells = [self._cell(at, column) for column, cell in enumerate(row) if cell != "^"]
            parts.append(f"<tr>{''.join(cells)}</tr>")
        return "\n".join([*parts, "</tbody></table>"])

    def _cell(self, at: int, column: int) -> str:
        span = 1
        while at + span < len(self.rows) and self.rows[at + span][column] == "^":
            span += 1
        rowspan = f' rowspan="{span}"' if span > 1 else ""
        name = "th" if column == 0 else "td"
        scope = ' scope="row"' if column == 0 else ""
        return f"<{name}{scope}{rowspan}>{inline(self.rows[at][column])}</{name}>"

    def gold(self) -> list[str]:
        """Caption, then one line a row with a space between cells."""
        rows = [self.head, *self.rows]
        return [self.text, *(" ".join(plain(c) for c in row if c != "^") for row in rows)]


def gold(blocks: Iterable[Block]) -> list[str]:
    """Gold lines of blocks, in order."""
    return [line for block in blocks for line in block.gold()]


def figures(blocks: Iterable[Block]) -> Iterator[Figure]:
    """The figures among blocks."""
    return (block for block in blocks if isinstance(block, Figure))


def first_sentence(blocks: Iterable[Block]) -> str:
    """The teaser that lists print for a page."""
    text = gold(blocks)[0]
    return re.split(r"(?<=[.!?]) |(?<=[。！？])(?!”)", text)[0]
