"""Signals of the content that the page-level model finds: how much, and what is beside it.

The frame of a site may hold more prose than an article; what of it is content, the model
(`chaffinch.model.block_scores`) scores by block. The box behind the content, a field for a password
below the heading and empty elements are known by the order of the page, in any language.
"""

import re
from collections.abc import Iterator
from typing import Final

import numpy as np

from chaffinch.assessment.page_signals import (
    LONG,
    PRESSED,
    MeasuredPage,
    Signal,
    counted,
    first_rows,
    given,
    log_of,
    middling,
)
from chaffinch.page import tags
from chaffinch.page.flattening import siblings_before

_BETWEEN: Final = 200  # rows
_FAR: Final = 1 << 20  # rows
_LONGEST_NAME: Final = 40  # characters of what a title names that are looked for
_PASSED: Final = 4  # boxes behind the content that are passed by
_BUTTONS_AND_INPUTS: Final = tags.table("button input".split())
_AT_START: Final = ("/", "./", "/index.html", "index.html", "/index.php")
"""Addresses that lead to a site's first page."""
_PARTED: Final = re.compile(r"\s[|\-–—·:»/]\s|\s?[_｜]\s?")
"""Where a title parts what it names from the site's name."""
_NAME: Final = 2  # characters of a name


def _end_of_main(found: MeasuredPage) -> int:
    """Return the last block of content beside most of the content; -1 for none."""
    if not found.most_held:
        return -1
    most = int(np.bincount(found.holders, found.content_prose).argmax())
    return int(np.flatnonzero((found.holders == most) & found.is_content)[-1])


def box_signals(found: MeasuredPage) -> Iterator[Signal]:
    """Yield what the outermost element behind the content that one element holds most of has."""
    page, box = found.page, _box_behind(found, _end_of_main(found))
    some = middling(found.most_held)
    where = (box,) if box >= 0 else ()
    prose = found.prose_in([*where])
    inside = page.tag[box : page.end[box]] if box >= 0 else page.tag[:0]
    pressed, buttons = int(PRESSED[inside].sum()), int(_BUTTONS_AND_INPUTS[inside].sum())
    yield "text of the box behind the main content", log_of(prose) * some, where
    yield "to be pressed in the box behind the main content", log_of(pressed) * some, where
    yield "buttons and fields in the box behind the main content", log_of(buttons) * some, where
    # An offer that stands behind what can be read of a page is short.
    offers = 15 <= prose <= 400 and 0 < pressed <= 8 and not found.chrome_rows[box]  # noqa: PLR2004
    offers = offers and not _is_like_the_one_before(found, box)
    yield "box behind the main content offers", float(offers) * some, where
    rest = 0.0
    if box >= 0:
        parent = max(int(page.parent[box]), 0)
        rest = found.prose_in([parent]) - found.prose_between(parent, box) - prose
    yield "text behind the box behind the main content", log_of(max(rest, 0.0)) * some, ()


def _box_behind(found: MeasuredPage, last: int) -> int:
    """Return the outermost element that begins behind a block and holds the next; -1 for none.

    Elements like the ones before them, as the posts of a thread, are passed by.
    """
    first, box = found.blocks.first, -1
    for _ in range(_PASSED):
        if last < 0 or last + 1 >= len(first):
            break
        box = _next_box(found, last)
        if not _is_like_the_one_before(found, box):
            break
        last = int(np.searchsorted(first, found.page.end[box])) - 1
    return box


def _next_box(found: MeasuredPage, last: int) -> int:
    """Return the outermost element that begins behind a block and holds the next, which exists."""
    parents, stop = found.page.parent, int(found.blocks.last[last]) - 1
    box = int(found.blocks.first[last + 1])
    while parents[box] > stop:
        box = int(parents[box])
    return box


def _is_like_the_one_before(found: MeasuredPage, row: int) -> bool:
    """Return whether the element before a row has the same tag and class names."""
    page, before = found.page, next(siblings_before(found.page, row), -1)
    same = before >= 0 and page.tag[before] == page.tag[row]
    return bool(same and page.attribute(before, "class") == page.attribute(row, "class"))


def secret_signals(found: MeasuredPage) -> Iterator[Signal]:
    """Yield what stands between the heading and a password field."""
    page, empty, secrets = found.page, found.emptiness, found.secrets
    name, heading = _name(found), found.main_heading
    if not found.is_titled and len(name) >= _NAME:  # or a short text that begins as the title does
        heading = next((row for row, text in found.short if text.startswith(name)), heading)
    behind = [row for row in secrets if row > heading >= 0]
    links, text = 0, 0.0
    if behind:
        links = int((page.tag[heading : behind[0]] == tags.LINK).sum())
        text = found.prose_between(heading, behind[0])
    where = first_rows(behind)
    yield "links between the heading and a password field", log_of(links), where
    yield "text between the heading and a password field", log_of(text), where
    near = 1 / (1 + links + text / LONG) if behind else 0.0
    yield "password field next to the heading, little content", near * empty, where
    before = found.prose_between(0, secrets[0]) if secrets else 0.0
    share = before / max(found.all_prose, 1.0)
    yield "share of text before a password field", share * empty, ()


def _name(found: MeasuredPage) -> str:
    """Return what the title names, without the site's name."""
    parts = [one.strip() for one in _PARTED.split(found.title)]
    return (parts[0] if len(parts[0]) >= _NAME else max(parts, key=len))[:_LONGEST_NAME]


def title_signals(found: MeasuredPage) -> Iterator[Signal]:
    """Yield whether the text lacks what the title names, and whether a link leads to the start.

    The title of a form to sign in may well stand on its button alone.
    """
    name = _name(found)
    lacks = len(name) >= _NAME and not found.secrets and name not in found.text
    yield "the text lacks what the title names, thin content", float(lacks) * found.thinness, ()
    links = [row for row, value in found.page.having("href") if value.strip() in _AT_START]
    back = [row for row in links if not found.chrome_rows[row]]
    yield counted("link to the start outside chrome, little content", back, found.emptiness)
    behind = [row for row in back if row > found.main_heading >= 0]
    yield given("link to the start behind the heading, little content", behind, found.emptiness)


def content_signals(found: MeasuredPage) -> Iterator[Signal]:
    """Yield what the page-level model finds of content."""
    prose, score, content = found.prose, found.score, found.content
    rows = first_rows(found.blocks.first[found.is_content])
    yield "content", log_of(content), rows
    yield "content, weighed by scores", log_of(float((prose * score).sum())), ()
    yield "share of the text that is content", content / max(found.all_prose, 1.0), rows
    yield "some content", middling(content), rows
    yield "highest score", float(score.max(initial=0.0)), ()
    yield "highest score of a long block", float(score[prose >= LONG].max(initial=0.0)), ()
    yield "blocks of content", log_of(int(found.is_content.sum())), ()
    for name, chance in found.kinds.items():
        yield f"page type: {name}", chance, ()


def frame_signals(found: MeasuredPage) -> Iterator[Signal]:
    """Yield what is beside the content: empty elements, dialogs, fields, and where they stand."""
    empty, holes, heading, secrets = (
        found.emptiness, found.holes, found.first_heading, found.secrets,
    )  # fmt: skip
    yield counted("empty elements", holes)
    yield counted("empty elements, little content", holes, empty)
    near = ((holes > heading) & (holes < heading + _BETWEEN)).any() and heading >= 0
    yield "empty element behind the heading, little content", float(bool(near)) * empty, ()
    roles = {*found.having("role", "dialog", "alertdialog"), *found.having("aria-modal", "true")}
    dialogs = sorted(roles.union(found.rows_of("dialog")))
    share = found.prose_in(dialogs) / max(found.all_prose, 1.0)
    yield counted("dialogs", dialogs)
    yield "share of text in dialogs", share, first_rows(dialogs)
    checked = [row for row, kind in found.types.items() if kind == "checkbox"]
    yield counted("checkboxes, little content", checked, empty)
    searched = sorted({*found.having("type", "search"), *found.having("role", "search")})
    yield counted("fields to search by", searched)
    outside = any(not found.chrome_rows[row] for row in searched)
    yield "search outside chrome, little content", float(outside) * empty, ()
    gap = min((row - heading for row in secrets if row > heading >= 0), default=_FAR)
    yield "password field near behind the heading", empty * float(gap < _BETWEEN), ()
    yield given("password field before the heading", [row for row in secrets if row < heading])
    alone = found.prose[found.blocks.first > heading][:2] if heading >= 0 else found.prose[:0]
    is_short = float(0 < float(alone.sum()) < LONG * 4)
    yield "a short text behind the heading", is_short * empty, ()
    yield "declared an article, little content", found.declares_article * empty, ()
