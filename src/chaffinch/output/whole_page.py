"""The whole page as HTML minus its noise: head, style sheets, structure and attributes stay.

What runs (scripts, handlers, ``javascript:`` addresses) goes, for it would bring the noise back.
So what stands in a ``noscript`` is shown: the images there, but for copies of images beside them.
The sources of style elements aren't kept by the page table; linked style sheets are.

Elements may stand on a page where no source would put them. So what was written is read once more,
and what was read is written, until it reads as it is written: nobody's parser makes of it what
nobody looked at.
"""

import re
from typing import Final

import numpy as np

from chaffinch.elements.formulas import without_scripts
from chaffinch.elements.image_sources import image_elements
from chaffinch.elements.shown_content import shown_content, shown_rows
from chaffinch.kernels.arrays import Mask
from chaffinch.output import html
from chaffinch.output.walk import Walk
from chaffinch.page import Page, tags
from chaffinch.page.parsing import parse
from chaffinch.page.urls import LINKS, absolute
from chaffinch.page.visibility import ESCAPE, character
from chaffinch.verdict import Content

_DROPPED: Final = tags.table(
    "head title meta link base script style template noframes frame frameset embed object"
    " applet param iframe noembed".split()
)
_MEDIA: Final = tags.table("picture source video audio track svg canvas map area".split())
_VOID: Final = frozenset(name for name, code in tags.CODES.items() if tags.VOID[code])


def whole_page(content: Content, *, around: Page | None = None) -> str:
    """Return the page with only what is kept in its body; ``around`` gives the head, if given."""
    page = content.page
    read = _as_read(_body(page, _written(content)))
    body = html.render(content) if read is None else read
    return f"{_head(page if around is None else around)}{body}\n</body>\n</html>\n"


def _body(page: Page, written: Mask) -> str:
    writer = _Writer(page)
    writer.walk(np.flatnonzero(written))
    writer.close()
    return "".join(writer.parts)


def _as_read(body: str) -> str | None:
    """Return what a parser makes of a body, and reads the same again; None if it never does."""
    for _ in range(4):  # one is enough but for pages made to need more
        page = parse(f"<!DOCTYPE html><body>{body}</body>")
        written = np.arange(len(page)) > page.body
        again = _body(page, written & ~page.inside(_DROPPED[page.tag]))
        if again.strip() == body.strip():
            return body
        body = again
    return None


class _Writer(Walk):
    """Writes elements as they stand on the page, attributes that run something left out."""

    def __init__(self, page: Page) -> None:
        super().__init__(page)
        self.parts: list[str] = []

    def text(self, _: int, raw: str) -> None:
        self.parts.append(html.escaped(without_scripts(raw) if "\\" in raw else raw))

    def blank(self, _: int, raw: str) -> None:
        self.parts.append(raw if raw.isascii() and "\r" not in raw else html.escaped(raw))

    def element(self, row: int, tag: int) -> None:
        if tag in _OUTER:
            return
        name = _NAME_OF[tag] or self.page.name(row)
        if tag == tags.UNKNOWN and not is_element(name):
            return
        self.parts.append(f"<{name}{_attributes(self.page, row, name)}>")
        if name in ("pre", "listing", "textarea"):
            self.parts.append("\n")
        if name not in _VOID:
            self.stack.append((self.page.end.item(row), f"</{name}>"))

    def leave(self) -> None:
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
    lines = ["<!DOCTYPE html>"]
    own = _attributes(page, 0, "html") if len(page) and page.name(0) == "html" else ""
    lines += [f"<html{own}>", "<head>", '<meta charset="utf-8">']
    if page.head.title:
        lines.append(f"<title>{html.escaped(page.head.title)}</title>")
    for row, rel, href in page.head.links:
        url = page.addresses.find(href)
        if "stylesheet" in rel.split() and url:
            media = page.attribute(row, "media")
            more = html.pair("media", media) if media else ""
            lines.append(f"<link{html.pair('rel', 'stylesheet')}{html.pair('href', url)}{more}>")
    if page.base:
        lines.insert(4, f"<base{html.pair('href', absolute(page.base, ''))}>")
    body = page.body
    own = _attributes(page, body, "body") if body > 0 and page.name(body) == "body" else ""
    return "\n".join([*lines, "</head>", f"<body{own}>", ""])


def _attributes(page: Page, row: int, element: str) -> str:
    written = ""
    for name, value in page.attributes(row).items():
        if runs_nothing(element, name, value):
            written += f" {name}" if value is None else html.pair(name, value)
    return written


# What runs something, in HTML, SVG and MathML alike: names count, whatever namespace they stand in.
# Where HTML is read once more, an element may come to stand in svg and be another one there.

_NAME: Final = re.compile(r"[a-z][a-z0-9_:.-]*+")
_ELEMENTS: Final = frozenset(
    "animate animatecolor animatemotion animatetransform set discard handler listener"  # SVG
    " script style template iframe object embed applet frame frameset base meta link"
    " portal fencedframe layer ilayer xml noembed noframes plaintext".split()
)
"""Elements that run or load something, set attributes of others, or swallow what follows."""
_ATTRIBUTE: Final = re.compile(r"(?!on|srcdoc\Z)[a-z0-9_:.-]++")
"""Names of attributes that are written."""
_ADDRESSES: Final = frozenset(
    "href xlink:href src action formaction poster background cite longdesc lowsrc dynsrc manifest"
    " ping attributionsrc values to from by".split()
)
_PICTURES: Final = frozenset(["src", "poster", "background", "lowsrc", "dynsrc"])

_IGNORED: Final = re.compile(r"[\x00-\x20\x7f-\xa0]+")
_SCRIPT: Final = re.compile(r"(?:java|vb|live)script:|data:(?!image/)", re.IGNORECASE)
_STYLE_MARKS: Final = re.compile(r"\\|/\*|:|\(")
_STYLE_COMMENT: Final = re.compile(r"/\*(?>(?:[^*]++|\*(?!/))*)(?:\*/)?")
_STYLE_SCRIPT: Final = re.compile(
    r"(?:java|vb|live)script:|expression\(|-moz-binding|(?<![a-z-])behaviou?r:|data:text",
    re.IGNORECASE,
)


def is_element(name: str) -> bool:
    """Return whether an element of this name may be written: it is a name, and runs nothing."""
    return _NAME.fullmatch(name) is not None and name not in _ELEMENTS


def runs_nothing(element: str, name: str, value: str | None) -> bool:
    """Return whether an attribute of an element runs nothing; pictures alone may be data."""
    if not _ATTRIBUTE.fullmatch(name):
        return False
    if not value:
        return True
    if name in ("srcset", "imagesrcset"):
        return _SCRIPT.search(_IGNORED.sub("", value)) is None
    if name == "style":
        return _is_style(value)
    if name not in _ADDRESSES or absolute(value, "", LINKS):
        return True
    is_picture = name in _PICTURES or element in ("image", "feimage")
    return is_picture and value.strip().lower().startswith("data:image/")


def _is_style(value: str) -> bool:
    """Return whether a style loads no script, as old browsers did (``expression()``, bindings)."""
    if not _STYLE_MARKS.search(value):
        return True
    plain = ESCAPE.sub(character, _STYLE_COMMENT.sub("", value))
    return _STYLE_SCRIPT.search(_IGNORED.sub("", plain)) is None
