"""The whole page as HTML minus its noise: head, style sheets, structure and attributes stay.

What runs (scripts, handlers, ``javascript:`` addresses) goes, for it would bring the noise back.
So what stands in a ``noscript`` is shown: the images there, but for copies of images beside them.
The sources of style elements aren't kept by the page table; linked style sheets are.

Elements stand on a page where no source would put them (`nesting`). What was written of such a page
is read once more, and what was read is written, until it reads as it is written: so nobody's parser
makes of it what nobody looked at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.elements.formulas import without_scripts
from chaffinch.elements.image_sources import image_elements
from chaffinch.elements.shown_content import shown_content, shown_rows
from chaffinch.output.html import active, fragment, safe
from chaffinch.output.html.nesting import may_read_otherwise
from chaffinch.output.options import OutputOptions
from chaffinch.output.walk import Walk
from chaffinch.page import tags
from chaffinch.page.parsing import parse
from chaffinch.page.urls import absolute

if TYPE_CHECKING:
    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask
    from chaffinch.result import Content

_DROPPED: Final = tags.table(
    "head title meta link base script style template noframes frame frameset embed object"
    " applet param iframe noembed".split()
)
_MEDIA: Final = tags.table("picture source video audio track svg canvas map area".split())
_VOID: Final = frozenset(name for name, code in tags.CODES.items() if tags.VOID[code])


_READINGS: Final = 4
"""Times that what was written is read once more; one is enough but for pages made to need more."""


def render(content: Content, *, rows: bool = False, around: Page | None = None) -> str:
    """Return the page with only what is kept in its body; ``around`` gives the head, if given."""
    page, written = content.page, _written(content)
    body, is_changed = _body(page, written, with_rows=rows)
    if is_changed or may_read_otherwise(page, written):
        read = _as_read(body)
        body = fragment.render(content, OutputOptions(rows=rows)) if read is None else read
    return f"{_head(page if around is None else around)}{body}\n</body>\n</html>\n"


def _body(page: Page, written: Mask, *, with_rows: bool) -> tuple[str, bool]:
    """Return rows as HTML, and whether an element among them is written as what it holds."""
    writer = _Writer(page, with_rows=with_rows)
    writer.walk(np.flatnonzero(written))
    writer.close()
    return "".join(writer.parts), writer.is_changed


def _as_read(body: str) -> str | None:
    """Return what a parser makes of a body, and reads the same again; None if it never does."""
    for _ in range(_READINGS):
        page = parse(f"<!DOCTYPE html><body>{body}</body>")
        written = np.arange(len(page)) > page.body
        again, _ = _body(page, written & ~page.inside(_DROPPED[page.tag]), with_rows=False)
        if again.strip() == body.strip():
            return body
        body = again
    return None


class _Writer(Walk):
    """Writes elements as they stand on the page, attributes that run something left out."""

    def __init__(self, page: Page, *, with_rows: bool) -> None:
        super().__init__(page)
        self.with_rows = with_rows
        self.parts: list[str] = []
        self.is_changed = False

    def text(self, row: int, raw: str) -> None:  # noqa: ARG002  others look where it stands
        """Add a text row as it is."""
        self.parts.append(safe.escaped(without_scripts(raw) if "\\" in raw else raw))

    def blank(self, row: int, raw: str) -> None:  # noqa: ARG002  as above
        """Add white space, most of which has nothing to escape."""
        self.parts.append(raw if raw.isascii() and "\r" not in raw else safe.escaped(raw))

    def element(self, row: int, tag: int) -> None:
        """Begin an element; one whose name could run something is what it holds."""
        if tag in _OUTER:
            return
        name = _NAME_OF[tag] or self.page.name(row)
        if tag == tags.UNKNOWN and not active.is_element(name):
            self.is_changed = True
            return
        number = f' data-row="{row}"' if self.with_rows else ""
        self.parts.append(f"<{name}{_attributes(self.page, row, name)}{number}>")
        if name in ("pre", "listing", "textarea"):
            self.parts.append("\n")
        if name not in _VOID:
            self.stack.append((self.page.end.item(row), f"</{name}>"))

    def leave(self) -> None:
        """End the innermost element."""
        self.parts.append(self.stack.pop()[1])


_NAME_OF: Final = tuple(
    "pre" if name in ("xmp", "plaintext") else "" if code <= tags.UNKNOWN else name
    for code, name in enumerate(tags.NAMES)
)
"""Code of a tag → the name that is written; "" for a tag with a name of its own.

What is escaped in an element of raw text would stand there as it is written.
"""

_OUTER: Final = frozenset(tags.CODES[name] for name in ("html", "body", "noscript"))
"""Elements whose own tags aren't written."""


def _written(content: Content) -> Mask:
    """Return bool[n]: rows to write: what is shown, images of the content, kept media."""
    page = content.page
    shown = shown_rows(page, content.kept)
    if not len(page):
        return shown
    media = page.inside(_MEDIA[page.tag]) & content.verdict.keep
    images = shown_content(content).image_rows
    shown = shown | page.around(media | images)
    written: Mask = shown & ~page.inside(_DROPPED[page.tag] & ~tags.VOID[page.tag])
    written &= ~_DROPPED[page.tag]
    written &= images | ~image_elements(page)
    return written


def _head(page: Page) -> str:
    """Return the page up to the start of its body's content."""
    lines = ["<!DOCTYPE html>"]
    html = _attributes(page, 0, "html") if len(page) and page.name(0) == "html" else ""
    lines += [f"<html{html}>", "<head>", '<meta charset="utf-8">']
    if page.head.title:
        lines.append(f"<title>{safe.escaped(page.head.title)}</title>")
    for row, rel, href in page.head.links:
        url = page.addresses.find(href)
        if "stylesheet" in rel.split() and url:
            media = page.attribute(row, "media")
            more = safe.pair("media", media) if media else ""
            lines.append(f"<link{safe.pair('rel', 'stylesheet')}{safe.pair('href', url)}{more}>")
    if page.base:
        lines.insert(4, f"<base{safe.pair('href', absolute(page.base, ''))}>")
    body = page.body
    own = _attributes(page, body, "body") if body > 0 and page.name(body) == "body" else ""
    return "\n".join([*lines, "</head>", f"<body{own}>", ""])


def _attributes(page: Page, row: int, element: str) -> str:
    """Return the attributes of an element that run nothing."""
    written = ""
    for name, value in page.attributes(row).items():
        if active.runs_nothing(element, name, value):
            written += f" {name}" if value is None else safe.pair(name, value)
    return written
