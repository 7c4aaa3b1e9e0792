"""Signals of what stands beside what: a box behind the content, a form beside its heading, a hole.

They go by the order of the page and by elements that share a parent, in any language.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.assessment.measured_page import LONG
from chaffinch.assessment.signal_values import first_rows, log_of, middling
from chaffinch.assessment.state_words import PRICE
from chaffinch.page import tags

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chaffinch.assessment.measured_page import MeasuredPage
    from chaffinch.assessment.signal_values import Signal

_PRESSED: Final = tags.table("a button input".split())
_BUTTONS: Final = tags.table("button input".split())
_LEAST_OFFER, _MOST_OFFER = 15, 400
"""Characters outside links of an offer that stands behind what can be read of a page."""
_MOST_PRESSED: Final = 8
_AT_START: Final = frozenset({"/", "./", "/index.html", "index.html", "/index.php"})
"""Addresses that lead to a site's first page."""
_PARTED: Final = re.compile(r"\s[|\-–—·:»/]\s|\s?[_｜]\s?")
"""Where a title parts what it names from the site's name."""
_NAME: Final = 2
_SHORTEST: Final = 4  # characters of ASCII
_PASSED: Final = 4
_MOST_NAMED: Final = 40  # characters


def place_signals(found: MeasuredPage) -> Iterator[Signal]:
    """Yield what stands behind the content, beside a password's field, and in place of text."""
    long = np.flatnonzero(found.is_content & (found.prose >= LONG))
    yield from _box_signals(found, "content", int(long[-1]) if len(long) else -1, found.content)
    yield from _box_signals(found, "main content", end_of_main(found), found.most_held)
    yield from _field_signals(found)
    yield from _hole_signals(found)
    yield from _name_signals(found)


def end_of_main(found: MeasuredPage) -> int:
    """Return the last block of content beside most of the content; -1 for none."""
    if not found.most_held:
        return -1
    content = np.where(found.is_content, found.prose, 0.0)
    most = int(np.bincount(found.holders, content).argmax())
    return int(np.flatnonzero((found.holders == most) & found.is_content)[-1])


def _box_signals(found: MeasuredPage, what: str, last: int, held: float) -> Iterator[Signal]:
    """Yield what the outermost element behind a block of content holds."""
    page, box, some = found.page, _box_behind(found, last), middling(held)
    where = (box,) if box >= 0 else ()
    prose = found.prose_in([box]) if box >= 0 else 0.0
    inside = page.tag[box : page.end[box]] if box >= 0 else page.tag[:0]
    pressed, buttons = int(_PRESSED[inside].sum()), int(_BUTTONS[inside].sum())
    alike = float(box >= 0 and _is_like_the_one_before(found, box))
    yield f"text of the box behind the {what}", log_of(prose) * some, where
    yield f"to be pressed in the box behind the {what}", log_of(pressed) * some, where
    yield f"buttons and fields in the box behind the {what}", log_of(buttons) * some, where
    yield f"box behind the {what} is like the one before", alike * some, where
    in_chrome = float(box >= 0 and found.chrome_rows[box])
    yield f"box behind the {what} is chrome", in_chrome * some, where
    is_short = _LEAST_OFFER <= prose <= _MOST_OFFER
    offers = is_short and 0 < pressed <= _MOST_PRESSED and not alike and not in_chrome
    yield f"box behind the {what} offers", float(offers) * some, where
    priced = offers and bool(PRICE.search(page.folded(box).lower()))
    yield f"box behind the {what} has a price", float(priced) * some, where
    ends = box >= 0 and found.prose_in([max(int(page.parent[box]), 0)]) - _before(found, box)
    rest = float(ends) - prose if box >= 0 else 0.0
    yield f"text behind the box behind the {what}", log_of(max(rest, 0.0)) * some, ()


def _box_behind(found: MeasuredPage, last: int) -> int:
    """Return the outermost element that begins behind a block and holds the next; -1 for none.

    Elements like the ones before them, as the posts of a thread, are passed by.
    """
    page, first, box = found.page, found.blocks.first, -1
    for _ in range(_PASSED):
        if last < 0 or last + 1 >= len(first):
            return box
        box = next_box(found, last)
        if not _is_like_the_one_before(found, box):
            return box
        last = int(np.searchsorted(first, page.end[box])) - 1
    return box


def next_box(found: MeasuredPage, last: int) -> int:
    """Return the outermost element that begins behind a block and holds the next, which exists."""
    parents, stop = found.page.parent, int(found.blocks.last[last]) - 1
    box = int(found.blocks.first[last + 1])
    while parents[box] > stop:
        box = int(parents[box])
    return box


def _before(found: MeasuredPage, row: int) -> float:
    """Return the characters outside links that the parent of a row holds before it."""
    first = found.blocks.first
    at = np.searchsorted(first, [max(int(found.page.parent[row]), 0), row])
    before = found.prose_before[at]
    return float(before[1] - before[0])


def _is_like_the_one_before(found: MeasuredPage, row: int) -> bool:
    """Return whether the element before a row has the same tag and class names."""
    page = found.page
    parent = int(page.parent[row])
    if parent < 0 or row - 1 <= parent:
        return False
    before = row - 1
    while page.parent[before] != parent:
        before = int(page.parent[before])
    same = page.tag[before] == page.tag[row]
    return bool(same and page.attribute(before, "class") == page.attribute(row, "class"))


def _field_signals(found: MeasuredPage) -> Iterator[Signal]:
    """Yield what stands between heading and password field, and whether a button repeats it."""
    page, heading = found.page, _place_of_name(found)
    behind = [row for row in found.secrets if row > heading >= 0]
    links, text = 0, 0.0
    if behind:
        links = int(tags.table(["a"])[page.tag[heading : behind[0]]].sum())
        at = np.searchsorted(found.blocks.first, [heading, behind[0]])
        text = float(found.prose_before[at[1]] - found.prose_before[at[0]])
    where = first_rows(behind)
    yield "links between the heading and a password field", log_of(links), where
    yield "text between the heading and a password field", log_of(text), where
    near = 1 / (1 + links + text / LONG) if behind else 0.0
    yield "password field next to the heading, little content", near * found.emptiness, where
    named = {found.title, *(words for _, words in found.first_headings)}
    repeating = [row for row in _buttons(found) if _repeats(found, row, named)]
    yield "a button repeats the heading", float(bool(repeating)), first_rows(repeating)
    both = float(bool(repeating and found.secrets)) * found.emptiness
    yield "a button repeats the heading, a password field", both, first_rows(repeating)
    shares = found.prose_before[-1] if len(found.prose) else 0.0
    start = found.prose_before[np.searchsorted(found.blocks.first, found.secrets[:1])]
    share = float(start[0]) / max(float(shares), 1.0) if len(start) else 0.0
    yield "share of text before a password field", share * found.emptiness, ()


def _buttons(found: MeasuredPage) -> list[int]:
    page = found.page
    return np.flatnonzero(_BUTTONS[page.tag])[:_MOST_NAMED].tolist() if len(page) else []


def _repeats(found: MeasuredPage, row: int, named: set[str]) -> bool:
    """Return whether the text of a button stands in one of some texts, at its beginning."""
    page = found.page
    is_input = page.is_tag("input")[row]
    text = (page.attribute(row, "value") or "" if is_input else page.folded(row)).strip().lower()
    least = _SHORTEST if text.isascii() else _NAME
    return len(text) >= least and any(text in one[:_MOST_NAMED] for one in named)


def _name(found: MeasuredPage) -> str:
    """Return what the title names, without the site's name."""
    parts = [one.strip() for one in _PARTED.split(found.title)]
    name = parts[0] if len(parts[0]) >= _NAME else max(parts, key=len)
    return name[:_MOST_NAMED]


def _place_of_name(found: MeasuredPage) -> int:
    """Return the row of the main heading, or of a short text that begins as the title does."""
    name = _name(found)
    if found.is_titled or len(name) < _NAME:
        return found.main_heading
    rows = (row for row, text in found.short if text.startswith(name))
    return next(rows, found.main_heading)


def _hole_signals(found: MeasuredPage) -> Iterator[Signal]:
    """Yield which empty elements wait to be filled, and the text for clients without scripts."""
    page, thin = found.page, found.thinness
    holes = found.holes
    marked = [row for row in holes[:_MOST_NAMED].tolist() if _is_marked(found, row)]
    yield (
        "empty elements that are marked, thin content",
        log_of(len(marked)) * thin,
        first_rows(marked),
    )
    busy = [row for row, value in page.having("aria-busy") if value == "true"] if len(page) else []
    yield "busy elements", log_of(len(busy)), first_rows(busy)
    warned = np.flatnonzero(page.is_tag("noscript")) if len(page) else np.zeros(0, np.intp)
    length = float(page.length[warned].sum()) if len(page) else 0.0
    yield "text for pages without scripts, thin content", log_of(length) * thin, first_rows(warned)
    alone = holes[page.depth[holes] <= page.depth[page.body] + 3] if len(page) else holes
    yield (
        "empty elements near the top level, thin content",
        log_of(len(alone)) * thin,
        first_rows(alone),
    )


def _is_marked(found: MeasuredPage, row: int) -> bool:
    """Return whether an element has an id, data for scripts, or a name of its own."""
    page = found.page
    names = page.attributes(row)
    return "-" in page.name(row) or any(one == "id" or one.startswith("data-") for one in names)


def _name_signals(found: MeasuredPage) -> Iterator[Signal]:
    """Yield whether the text lacks what the title names, and whether a link leads to the start.

    The title of a form to sign in may well stand on its button alone.
    """
    page = found.page
    name = _name(found)
    lacks = len(name) >= _NAME and not found.secrets and name not in found.text
    value = float(lacks) * found.thinness
    yield "the text lacks what the title names, thin content", value, ()
    rows = (
        [row for row, value in page.having("href") if value.strip() in _AT_START]
        if len(page)
        else []
    )
    back = [row for row in rows if not found.chrome_rows[row]]
    yield (
        "link to the start outside chrome, little content",
        log_of(len(back)) * found.emptiness,
        first_rows(back),
    )
    behind = [row for row in back if row > found.main_heading >= 0]
    yield (
        "link to the start behind the heading, little content",
        float(bool(behind)) * found.emptiness,
        first_rows(behind),
    )
