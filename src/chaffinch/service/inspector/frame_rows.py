"""A page's rows as the inspector shows them: elements and attributes that can't run, load or send.

What isn't named here isn't shown: the frame makes its elements of these rows alone, one by one,
and parses no HTML. What a page's style sheets request is stopped by the frame's policy of content
(`frame_endpoints`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urljoin, urlsplit

import numpy as np
from selectolax.lexbor import LexborHTMLParser

from chaffinch.elements.hidden import folded, hidden
from chaffinch.page import tags

if TYPE_CHECKING:
    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask

_KEPT: Final = frozenset(
    "html body article section nav aside h1 h2 h3 h4 h5 h6 hgroup header footer address main search"
    " p hr pre blockquote ol ul menu li dl dt dd figure figcaption div center dir a em strong small"
    " s cite q dfn abbr ruby rb rt rtc rp data time code var samp kbd sub sup i b u mark bdi bdo"
    " span br wbr ins del acronym big font nobr strike tt picture img table caption colgroup col"
    " tbody thead tfoot tr td th label button select optgroup option textarea output progress meter"
    " fieldset legend details summary listing math mrow mi mo mn mtext msup msub mfrac msqrt"
    " mtable mtr mtd mstyle mspace msubsup mover munder munderover semantics input".split()
)
"""Elements that are shown as they are; they can't load or run anything without attributes."""
_IN_PLACE: Final = {"form": "div", "dialog": "div", "slot": "span", "xmp": "pre", "image": "img"}
"""Elements that are shown as another one."""
_EMBEDDED: Final = frozenset(
    "iframe embed object applet video audio canvas svg frame map marquee".split()
)
"""Elements that are shown as an empty box; what is in them isn't shown."""
BOX: Final = "chaffinch-box"
_LEFT_OUT: Final = frozenset(
    "head title meta link base script style noscript template param source track area bgsound"
    " noembed noframes frameset basefont datalist keygen isindex annotation".split()
)
_TEXT_ATTRIBUTES: Final = (
    "class id style dir lang title alt width height colspan rowspan align valign bgcolor border"
    " cellpadding cellspacing start reversed hidden open role type value placeholder color face"
    " size rows cols span label checked selected disabled"
).split()
"""Attributes that are passed on as they are: none has an address that is loaded or a script."""


def frame_rows(page: Page, *, images: bool, source: bytes | str | None = None) -> dict[str, Any]:
    """Return what the frame needs to show a page, as plain values for JSON.

    Args:
        page: the page, of n rows.
        images: whether addresses of images are among the attributes.
        source: the page's source, which has its style sheets; None for none.

    Returns:
        ``names``, the tags; ``name``, for each row its index there, -1 for what is left out with
        all that is in it; ``parent``, the parent of each; ``texts``, those of text rows, in order;
        ``attributes``, name → (rows, values); ``hidden`` and ``folded``, rows that a reader doesn't
        see, or not at first; ``styles``, the page's own (media, text).
    """
    names: dict[str, int] = {"#text": 0}
    shown = {name: _shown_as(name) for name in tags.NAMES}
    of_code = np.array(
        [
            -1 if (one := shown[name]) is None else names.setdefault(one, len(names))
            for name in shown
        ],
        dtype=np.int32,
    )
    of_code[tags.UNKNOWN] = names.setdefault("span", len(names))
    name = of_code[page.tag]
    is_text = page.tag == tags.TEXT
    begin, end = page.text_at[:-1][is_text].tolist(), page.text_at[1:][is_text].tolist()
    return {
        "names": list(names),
        "name": name.tolist(),
        "parent": page.parent.tolist(),
        "texts": [page.text[at:stop] for at, stop in zip(begin, end, strict=True)],
        "attributes": _attributes(page, name >= 0, images=images),
        "hidden": np.flatnonzero(hidden(page)).tolist(),
        "folded": np.flatnonzero(folded(page)).tolist(),
        "styles": [] if source is None else _styles(source),
    }


def _shown_as(name: str) -> str | None:
    """Return the element that stands for a tag in the frame; None where it is left out."""
    if name in _LEFT_OUT:
        return None
    if name in _EMBEDDED:
        return BOX
    if name == "#text" or name in _KEPT:
        return name
    return _IN_PLACE.get(name, "span")


def _attributes(page: Page, among: Mask, *, images: bool) -> dict[str, tuple[list[int], list[str]]]:
    found = {name: page.having(name, among) for name in _TEXT_ATTRIBUTES}
    found["data-link"] = [(row, "") for row, _ in page.having("href", page.is_tag("a"))]
    if images:
        found["src"] = _image_addresses(page)
    return {
        name: ([row for row, _ in some], [value for _, value in some])
        for name, some in found.items()
        if some
    }


def _image_addresses(page: Page) -> list[tuple[int, str]]:
    """Return the addresses of images, all by https: others could name machines near the reader."""
    out = []
    for row, given in page.having("src", page.is_tag("img", "image")):
        try:
            parts = urlsplit(urljoin(page.base, given.strip()))
        except ValueError:
            continue
        if parts.scheme in {"http", "https"}:
            out.append((row, parts._replace(scheme="https").geturl()))
        elif given.lower().startswith("data:image/"):
            out.append((row, given))
    return out


def _styles(source: bytes | str) -> list[tuple[str, str]]:
    """Return (media, text) of the style sheets that stand in a page's source."""
    found = LexborHTMLParser(source).css("style")
    return [(one.attributes.get("media") or "", one.text()) for one in found]
