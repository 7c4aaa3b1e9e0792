"""A page written as HTML again, whole: what a browser made of it, to be stored and parsed later.

Not for people: nothing is left out or made safe. What the table doesn't hold (scripts and styles
that are no data, comments) isn't written.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

from chaffinch.page import tags

if TYPE_CHECKING:
    from chaffinch.page.page import Page

_RAW: Final = frozenset("script style xmp iframe noembed noframes plaintext noscript".split())
"""Elements whose text a parser doesn't read as markup: it is left out, but for sources of data."""
_FIRST_BREAK: Final = frozenset({"pre", "listing", "textarea"})
_NAME: Final = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-_:.")
_NO_NAME: Final = frozenset(" \t\n\f\r\"'<>/=\0")


def page_source(page: Page) -> bytes:
    """Return a page as HTML in UTF-8; parsed again, it has the same text and elements.

    Where a browser's scripts built what no source could (a paragraph in a paragraph), a parser
    puts it otherwise.
    """
    parts, open_elements = ["<!DOCTYPE html>"], list[tuple[int, str]]()
    raw = 0  # row up to which text is left out
    for row, tag in enumerate(page.tag.tolist()):
        while open_elements and open_elements[-1][0] <= row:
            parts.append(f"</{open_elements.pop()[1]}>")
        if tag == tags.TEXT:
            if row >= raw:
                parts.append(escape(page.text_of(row), quote=False))
            continue
        name = page.name(row)
        if not _NAME.issuperset(name):
            continue
        parts.append(f"<{name}{_attributes(page, row)}>")
        if tags.VOID[tag]:
            continue
        open_elements.append((int(page.end[row]), name))
        if name in _RAW:
            raw = max(raw, int(page.end[row]))
            parts.append(page.sources.get(row, "").replace("</", "<\\/"))
        elif name in _FIRST_BREAK:
            parts.append("\n")
    parts += [f"</{name}>" for _, name in reversed(open_elements)]
    return "".join(parts).encode("utf-8", "replace")


def _attributes(page: Page, row: int) -> str:
    return "".join(
        f' {name}="{escape(value)}"' if value else f" {name}"
        for name, value in page.attributes(row).items()
        if name and _NO_NAME.isdisjoint(name)
    )
