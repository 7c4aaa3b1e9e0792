"""Signals of an article that was cut off, and of a place that is kept for one.

Whether what one element holds of the content ends before an offer; whether elements that are
declared or named as the content hold any; how much of the content stands outside elements that
repeat, as teasers do. By structure, in any language.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.assessment.measured_page import LONG, OPEN_ENDS, SENTENCE_ENDS
from chaffinch.assessment.place_signals import end_of_main, next_box
from chaffinch.assessment.signal_values import emptiness_of, first_rows, log_of, middling
from chaffinch.assessment.state_words import CONTENT_NAMES
from chaffinch.page import tags

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chaffinch.assessment.measured_page import MeasuredPage
    from chaffinch.assessment.signal_values import Signal

_PRESSED: Final = tags.table("a button input".split())
_TITLED: Final = tags.table("h1 h2 h3 h4 h5 h6 legend b strong".split())
_BOXES: Final = tags.table("aside form dialog".split())
_SITE_FRAME: Final = tags.table("nav header footer".split())
_DECLARED: Final = tags.table(["main", "article"])
_LINKS: Final = tags.table(["a"])
_SECTIONS: Final = tags.table("h1 h2 h3 h4".split())
_SCRIPTS: Final = tags.table(["script"])
_FEW: Final = 4  # paragraphs
_ENDS: Final = 0.2
"""Share of the content behind an offer, of that before it, below which the offer ends it."""
_LEAST_OFFER, _MOST_OFFER = 15, 600
"""Characters outside links of an offer."""
_MOST_PRESSED: Final = 12
_BOXES_READ: Final = 3
_NEAR: Final = 60  # rows
_LOOKED_AT: Final = 40  # rows
_NAMED: Final = 50  # characters of a headline


def cut_signals(found: MeasuredPage) -> Iterator[Signal]:
    """Yield how the main content ends, and whether the place of the content is empty."""
    yield from _end_signals(found)
    yield from _place_signals(found)
    yield from _frame_signals(found)
    yield from _heading_signals(found)


def _end_signals(found: MeasuredPage) -> Iterator[Signal]:
    """Yield how what one element holds of the content ends, and what comes next."""
    last, some = end_of_main(found), middling(found.most_held)
    text = found.blocks.text(last) if last >= 0 else ""
    where = (int(found.blocks.first[last]),) if last >= 0 else ()
    yield "main content ends open", float(text.endswith(OPEN_ENDS)) * some, where
    unended = float(bool(text) and not text.endswith(SENTENCE_ENDS))
    yield "main content ends in a sentence", unended * some, where
    holder = found.holders[last] if last >= 0 else -1
    of_main = found.is_content & (found.prose >= LONG) & (found.holders == holder)
    paragraphs = int(of_main.sum()) if last >= 0 else 0
    few = 1 / (1 + (paragraphs / _FEW) ** 2) if paragraphs else 0.0
    yield "paragraphs of the main content", log_of(paragraphs), where
    offer, box, stop = _offer_behind(found, last)
    at = (box,) if offer else ()
    yield "offer behind the main content", offer, at
    yield "offer behind few paragraphs", offer * few, at
    yield "offer behind a declared article", offer * found.declares_article * few, at
    above = float(np.where(found.is_content, found.prose, 0.0)[: last + 1].sum())
    behind = 0.0
    if offer:
        rest = found.is_content & (found.blocks.first >= stop)
        behind = float(found.prose[rest].sum())
    ends = float(behind < _ENDS * above) * offer
    yield "offer ends the content", ends, at
    yield "offer ends few paragraphs", ends * few, at
    start = int(found.blocks.last[last]) if last >= 0 else 0
    hidden = [row for row in found.unread if start <= row < start + _NEAR] if start else []
    yield "hidden from readers behind the content", log_of(len(hidden)) * some, first_rows(hidden)
    holes = found.holes[(found.holes >= start) & (found.holes < start + _NEAR)] if start else ()
    yield "empty elements behind the content", log_of(len(holes)) * some, first_rows(holes)


def _offer_behind(found: MeasuredPage, last: int) -> tuple[float, int, int]:
    """Return how much what stands behind a block is like an offer, 0..1, its first row and its end.

    An offer may be several elements beside each other: a line, a price, a button.
    """
    page, start = found.page, -1
    for _ in range(_BOXES_READ):
        if last < 0 or last + 1 >= len(found.blocks.first):
            break
        box = next_box(found, last)
        if found.chrome_rows[box] and not _BOXES[page.tag[box]]:
            break
        start = box if start < 0 else start
        stop = int(page.end[box])
        if likeness := _like_an_offer(found, start, stop):
            return likeness, start, stop
        last = int(np.searchsorted(found.blocks.first, stop)) - 1
    return 0.0, -1, -1


def _like_an_offer(found: MeasuredPage, start: int, stop: int) -> float:
    """Return how much rows are like an offer, 0..1: short, with a title and a few to press."""
    tag = found.page.tag[start:stop]
    at = np.searchsorted(found.blocks.first, [start, stop])
    prose = float(found.prose_before[at[1]] - found.prose_before[at[0]])
    if not (_LEAST_OFFER <= prose <= _MOST_OFFER and 0 < _PRESSED[tag].sum() <= _MOST_PRESSED):
        return 0.0
    return 1.0 if _TITLED[tag].any() or _BOXES[tag].any() else 0.5


def _place_signals(found: MeasuredPage) -> Iterator[Signal]:
    """Yield what the elements hold that are declared, or named, as the place of the content."""
    page, thin = found.page, found.thinness
    content = np.where(found.is_content, found.prose, 0.0)
    sums = np.append(0.0, np.cumsum(content))
    mains = np.flatnonzero(_DECLARED[page.tag]).tolist() if len(page) else []
    mains += [row for row, role in page.having("role") if role == "main"] if len(page) else []
    named = _named_as_content(found)
    for what, rows in (("declared", sorted(mains)), ("named", named)):
        at = np.searchsorted(found.blocks.first, rows) if rows else np.zeros(0, np.intp)
        to = np.searchsorted(found.blocks.first, page.end[rows]) if rows else at
        most = float((sums[to] - sums[at]).max(initial=0.0)) if rows else 0.0
        value = emptiness_of(most) if rows else 0.0
        yield f"elements {what} as the content hold none", value, first_rows(rows)
        holes = [row for row in rows[:_LOOKED_AT] if page.length[row] < LONG / 2]
        yield f"empty elements {what} as the content", log_of(len(holes)) * thin, first_rows(holes)
    by_name = 0.0
    if named and len(content):
        is_named = np.zeros(len(page), dtype=bool)
        is_named[named] = True
        holders = found.holders
        inside = is_named[holders] | is_named[np.maximum(page.parent[holders], 0)]
        by_name = float(np.bincount(holders, content * inside).max())
    yield "content beside an element's name", log_of(by_name), ()
    yield "no content by an element's name", emptiness_of(by_name) * float(bool(named)), ()
    alone = found.lone_content
    yield "content outside repeated elements", log_of(alone), ()
    yield "share of the content in repeated elements", 1 - alone / max(found.content, 1.0), ()
    yield "no content outside repeated elements", emptiness_of(alone), ()


def _named_as_content(found: MeasuredPage) -> list[int]:
    """Return the rows of containers outside chrome that are called as the content is, in order."""
    page = found.page
    if not len(page):
        return []
    rows: set[int] = set()
    for attribute in ("class", "id"):
        values = page.values(attribute)
        rows.update(values.rows_of(values.containing(*CONTENT_NAMES)))
    return sorted(row for row in rows if row > page.body and not found.chrome_rows[row])


def _frame_signals(found: MeasuredPage) -> Iterator[Signal]:
    """Yield which empty elements stand beside the frame of the site, and what is loaded."""
    page, thin = found.page, found.thinness
    beside = _beside_frame(found)
    yield (
        "empty element beside the frame, thin content",
        float(bool(beside)) * thin,
        first_rows(beside),
    )
    scripts = int(_SCRIPTS[page.tag].sum()) if len(page) else 0
    yield "scripts, thin content", log_of(scripts) * thin, ()
    head = found.page.head
    named = head.first_meta("og:title", "twitter:title")
    named = named or next(
        (str(node["headline"]) for _, node in head.json_ld if node.get("headline")), ""
    )
    lacks = bool(named) and " ".join(named.lower().split())[:_NAMED] not in found.text
    yield "the text lacks the declared title, thin content", float(lacks) * thin, ()
    yield "blocks without links, thin content", log_of(_unlinked(found)) * thin, ()


def _heading_signals(found: MeasuredPage) -> Iterator[Signal]:
    """Yield what stands between the main heading and the first content behind it.

    Where the content is missing, what is taken for content stands in another section.
    """
    page, heading, thin = found.page, found.main_heading, found.thinness
    long = found.blocks.first[found.is_content & (found.prose >= LONG)]
    later = long[long > heading] if heading >= 0 else long[:0]
    start = int(page.end[heading]) if heading >= 0 else 0
    stop = int(later[0]) if len(later) else start
    between = page.tag[start:stop]
    yield "content behind the heading, thin content", float(bool(len(later))) * thin, ()
    links, others = int(_LINKS[between].sum()), int(_SECTIONS[between].sum())
    yield "links between heading and content, thin content", log_of(links) * thin, ()
    yield "headings between heading and content, thin content", log_of(others) * thin, ()
    holes = found.holes[(found.holes >= start) & (found.holes < stop)]
    yield "empty elements between heading and content", log_of(len(holes)) * thin, first_rows(holes)
    close = 1 / (1 + links + 2 * others + 2 * len(holes)) if len(later) else 0.0
    yield "content next to the heading", close, ()
    yield "content next to the heading, thin content", close * thin, ()
    ahead = long[long < heading] if heading >= 0 else long[:0]
    yield "content before the heading, thin content", log_of(len(ahead)) * thin, ()


def _unlinked(found: MeasuredPage) -> int:
    """Return how many blocks of prose outside chrome follow the main heading."""
    later = found.blocks.first > max(found.main_heading, 0)
    return int((later & (found.prose >= LONG) & ~found.in_chrome).sum())


def _beside_frame(found: MeasuredPage) -> list[int]:
    """Return the empty elements whose parent has navigation, header, footer or a box of links."""
    page, holes = found.page, found.holes[:_LOOKED_AT]
    if not len(holes):
        return []
    frames = _SITE_FRAME[page.tag]
    frames |= (page.link_length * 2 > page.length) & (page.length > LONG)
    beside: list[int] = holes[np.isin(page.parent[holes], page.parent[frames])].tolist()
    return beside
