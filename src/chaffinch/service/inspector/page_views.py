"""What the inspector shows of a page, made in a guarded child.

A child keeps the extract that it made last, so that the views of one page need one reading. The
frame makes its elements of the page's rows, one by one, and parses no HTML: elements and attributes
that could run, load or send aren't among them. What style sheets request is stopped by the frame's
policy of content (`chaffinch.service.endpoints`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any, Final

import numpy as np
from selectolax.lexbor import LexborHTMLParser

from chaffinch.elements.hidden import folded, hidden
from chaffinch.errors import OptionError
from chaffinch.extraction.extract import extract
from chaffinch.extraction.extracted import Extract
from chaffinch.extraction.plan import explained
from chaffinch.kernels.arrays import Mask
from chaffinch.page import Page, tags
from chaffinch.segment.text_blocks import text_blocks
from chaffinch.service.jobs import GivenPage, encoded

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
BOX: Final = "chaffinch-box"
_EMBEDDED: Final = frozenset(
    "iframe embed object applet video audio canvas svg frame map marquee".split()
)
"""Elements that are shown as an empty `BOX`; what is in them isn't shown."""
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

_LAST: Final[dict[str, Extract]] = {}
"""The extract of the page that this child had open last, by its key."""


def page_view(name: str, key: str, page: GivenPage, options: Mapping[str, Any]) -> bytes:
    if key not in _LAST:
        _LAST.clear()
        given: dict[str, Any] = {"encoding": page.encoding, "limits": page.limits}
        _LAST[key] = extract(page.html, url=page.url, **given)
    found, decision = _LAST[key], options.get("decision")
    return encoded(VIEWS[name](page, found.redecide(**decision) if decision else found, options))


def shown_page(given: GivenPage, found: Extract, _options: Mapping[str, Any]) -> Any:
    source = None if isinstance(given.html, Page) else given.html
    page = found.in_rows.page
    blocks = text_blocks(page)
    concealed = hidden(page) | folded(page)
    return {
        "url": found.url,
        "title": found.title,
        "rendered": source is None,
        "rows": frame_rows(page, source),
        "blocks": {
            "first": blocks.first.tolist(),
            "last": blocks.last.tolist(),
            "owner": blocks.owner.tolist(),
            "texts": blocks.texts(),
            "hidden": np.flatnonzero(concealed[blocks.first]).tolist(),
        },
        "decision": _decision(given, found, {}),
    }


def _decision(_given: GivenPage, found: Extract, _options: Mapping[str, Any]) -> Any:
    content = found.in_rows
    page, verdict = content.page, content.verdict
    first = text_blocks(page).first
    return {
        "method": found.method,
        "page_type": found.page_type,
        "confidence": found.confidence,
        "source": found.source,
        "reasons": list(content.reasons),
        "why": verdict.why[first].tolist(),
        "keep": verdict.keep[first].astype(int).tolist(),
        "score": np.round(verdict.score[first].astype(float), 3).tolist(),
        "images": np.flatnonzero(content.kept & page.is_tag("img")).tolist(),
        "length": len(found.text),
    }


def _reasons(_given: GivenPage, found: Extract, options: Mapping[str, Any]) -> Any:
    every, block = explained(found.in_rows, found.found_by), options["block"]
    if block >= len(every):
        raise OptionError(f"the page has no block {block}")
    return asdict(every[block])


VIEWS: Final[dict[str, Callable[[GivenPage, Extract, Mapping[str, Any]], Any]]] = {
    "page": shown_page,
    "decision": _decision,
    "reasons": _reasons,
}
"""Name → what is made of a page."""

# Rows for the frame


def frame_rows(page: Page, source: bytes | str | None = None) -> dict[str, Any]:
    """Return what the frame needs to show a page, as plain values for JSON.

    With the style sheets of the page's source, if any, and without addresses of images.

    Returns:
        ``names``, the tags; ``name``, for each row its index there, -1 for what is left out with
        all that is in it; ``parent``, the parent of each; ``texts``, those of text rows, in order;
        ``attributes``, name → (rows, values); ``hidden``, rows that a reader doesn't see, or not at
        first; ``styles``, the page's own (media, text).
    """
    names: dict[str, int] = {"#text": 0}
    shown = [_shown_as(name) for name in tags.NAMES]
    numbers = [-1 if one is None else names.setdefault(one, len(names)) for one in shown]
    of_code = np.array(numbers, dtype=np.int32)
    of_code[tags.UNKNOWN] = names.setdefault("span", len(names))
    name = of_code[page.tag]
    is_text = page.tag == tags.TEXT
    begin, end = page.text_at[:-1][is_text].tolist(), page.text_at[1:][is_text].tolist()
    return {
        "names": list(names),
        "name": name.tolist(),
        "parent": page.parent.tolist(),
        "texts": [page.text[at:stop] for at, stop in zip(begin, end, strict=True)],
        "attributes": _attributes(page, name >= 0),
        "hidden": np.flatnonzero(hidden(page) | folded(page)).tolist(),
        "styles": [
            (one.attributes.get("media") or "", one.text())
            for one in LexborHTMLParser(source or "").css("style")
        ],
    }


def _shown_as(name: str) -> str | None:
    """Return the element that stands for a tag in the frame; None where it is left out."""
    if name in _LEFT_OUT:
        return None
    if name in _EMBEDDED:
        return BOX
    return name if name == "#text" or name in _KEPT else _IN_PLACE.get(name, "span")


def _attributes(page: Page, among: Mask) -> dict[str, tuple[list[int], list[str]]]:
    found = {name: page.having(name, among) for name in _TEXT_ATTRIBUTES}
    found["data-link"] = [(row, "") for row, _ in page.having("href", page.is_tag("a"))]
    return {
        name: ([row for row, _ in some], [value for _, value in some])
        for name, some in found.items()
        if some
    }
