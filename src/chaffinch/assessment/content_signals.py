"""Signals of the content that the page-level model finds: how much, where it ends, what is beside.

The frame of a site may hold more prose than an article; what of it is content, the model
(`chaffinch.model.block_scores`) scores by block. Elements that are empty, or offer something to
press where the content ends, are known by their structure, in any language.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from chaffinch.assessment.measured_page import LONG, OPEN_ENDS, SENTENCE_ENDS
from chaffinch.assessment.signal_values import MOST_ROWS, first_rows, log_of, middling
from chaffinch.page import tags

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chaffinch.assessment.measured_page import MeasuredPage
    from chaffinch.assessment.signal_values import Signal

_STEPS: Final = (60, 200, 600, 1500)
"""Characters of content."""
_NEXT: Final = 4
"""Blocks behind the content that are looked at."""
_PRESSED: Final = tags.table("a button input select".split())
_DIALOG_ROLES: Final = frozenset({"dialog", "alertdialog"})
_BETWEEN: Final = 200  # rows
_FAR: Final = 1 << 20  # rows
_SHORT: Final = 300  # characters
_AROUND: Final = 500.0
"""Characters around a heading and a field at which they belong together by half."""
_LINKS: Final = tags.table(["a"])
_BUTTONS: Final = tags.table(["button"])
_FIELDS: Final = tags.table("input select textarea".split())
_DESCRIBED: Final = 50
"""Characters of a description that are looked for in the text."""
_WORD: Final = 6.0  # characters of a word, with what parts it from the next


def content_signals(found: MeasuredPage) -> Iterator[Signal]:
    """Yield what the page-level model finds of content, and what stands where it ends."""
    prose, score, content = found.prose, found.score, found.content
    rows = first_rows(found.blocks.first[found.is_content])
    yield "content", log_of(content), rows
    yield "content, weighed by scores", log_of(float((prose * score).sum())), ()
    for least in _STEPS:
        yield f"content of {least} characters", float(content >= least), rows
    yield "share of the text that is content", content / max(found.all_prose, 1.0), rows
    yield "some content", middling(content), rows
    long = score[prose >= LONG]
    yield "highest score", float(score.max()) if len(score) else 0.0, ()
    yield "highest score of a long block", float(long.max()) if len(long) else 0.0, ()
    yield "longest run of content", log_of(_longest_run(found)), ()
    yield "blocks of content", log_of(int(found.is_content.sum())), ()
    for name, chance in found.kinds.items():
        yield f"page type: {name}", chance, ()
    yield from _end_of_content(found)


def teaser_signals(found: MeasuredPage) -> Iterator[Signal]:
    """Yield how much of the content one element holds, and whether the declared one is there.

    What the page-level model takes for content beside links and below links of its own are teasers.
    """
    content, most = found.content, found.most_held
    yield "content of one element", log_of(most), ()
    yield "share of the content in one element", most / max(content, 1.0), ()
    for least in _STEPS:
        yield f"content of one element, {least} characters", float(most >= least), ()
    yield "thinness", found.thinness, ()
    yield "behind links, share of the content", _behind_links(found) / max(content, 1.0), ()
    article = found.declares_article * found.thinness
    yield "declared an article, thin content", article, ()
    head = found.page.head
    described = head.first_meta("og:description", "description").lower()[:_DESCRIBED]
    known = len(described) == _DESCRIBED
    there = known and described in found.text
    yield "description is in the text", float(there), ()
    yield "description isn't in the text, thin content", float(known > there) * found.thinness, ()
    holes = found.holes
    first = found.blocks.first[found.prose >= LONG]
    next_prose = int(first[first > found.main_heading].min(initial=_FAR))
    gap = holes[(holes > found.main_heading) & (holes < next_prose)]
    is_gap = float(found.main_heading >= 0 and bool(len(gap)))
    yield "empty element before the first prose, thin content", is_gap * found.thinness, ()
    alike = np.unique(found.page.shape_hash[holes], return_counts=True)[1] if len(holes) else [0]
    yield "empty elements alike, thin content", log_of(max(alike)) * found.thinness, ()


def _behind_links(found: MeasuredPage) -> float:
    """Return the characters of blocks of content that follow a block of links."""
    blocks = found.blocks
    linked = blocks.link_length * 2 > blocks.length
    behind = np.append(False, linked[:-1]) & found.is_content
    return float(found.prose[behind[: len(linked)]].sum())


def _longest_run(found: MeasuredPage) -> float:
    """Return the characters of the longest run of blocks that are content."""
    sums = np.cumsum(np.where(found.is_content, found.prose, 0.0))
    breaks = np.flatnonzero(~found.is_content)
    at = np.concatenate([[0.0], sums[breaks], sums[-1:]])
    return float(np.diff(at).max()) if len(sums) else 0.0


def _end_of_content(found: MeasuredPage) -> Iterator[Signal]:
    """Yield how the content ends, and whether something that can be pressed stands behind it."""
    blocks, page = found.blocks, found.page
    long = np.flatnonzero(found.is_content & (found.prose >= LONG))
    last = int(long[-1]) if len(long) else -1
    text = blocks.text(last) if last >= 0 else ""
    where = (int(blocks.first[last]),) if last >= 0 else ()
    some = middling(found.content)
    is_open = float(text.endswith(OPEN_ENDS))
    yield "content ends open", is_open, where
    yield "content ends open, some content", is_open * some, where
    yield (
        "content ends in a sentence",
        float(bool(text) and not text.endswith(SENTENCE_ENDS)) * some,
        where,
    )
    after = slice(last + 1, last + 1 + _NEXT)
    behind = found.prose[after] if last >= 0 else np.zeros(0)
    start = int(blocks.last[last]) if last >= 0 else 0
    stop = int(blocks.last[after][-1]) if last >= 0 and len(blocks.last[after]) else start
    pressed = np.flatnonzero(_PRESSED[page.tag[start:stop]]) + start
    yield "text behind the content", log_of(float(behind.sum())) * some, ()
    yield "to be pressed behind the content", log_of(len(pressed)) * some, first_rows(pressed)
    offered = (behind >= LONG / 3) & (behind < LONG * 5)
    yield "an offer behind the content", float(bool(offered.any() and len(pressed))) * some, ()
    left = found.prose[last + 1 :].sum() / max(found.all_prose, 1.0) if last >= 0 else 1.0
    yield "share of text behind the content", float(left), ()
    yield "declared longer than the content", _declared_more(found), ()


def _declared_more(found: MeasuredPage) -> float:
    """Return the logarithm of the declared length by that of the content; 0 where none is."""
    declared = 0.0
    for _, node in found.page.head.json_ld:
        count: Any = node.get("wordCount")
        if isinstance(count, str) and len(count) < LONG and count.strip().isdecimal():
            count = int(count)
        if isinstance(count, int) and not isinstance(count, bool):
            declared = max(declared, _WORD * min(count, 1_000_000))
        body = node.get("articleBody")
        declared = max(declared, float(len(body)) if isinstance(body, str) else 0.0)
    if not declared:
        return 0.0
    return float(np.clip(log_of(declared) - log_of(found.content), -1.0, 5.0))


def heading_signals(found: MeasuredPage) -> Iterator[Signal]:
    """Yield what stands below the heading that the title names, and what shares its element."""
    page, empty, row = found.page, found.emptiness, found.main_heading
    where = (row,) if row >= 0 else ()
    named = float(row >= 0 and found.is_titled)
    yield "heading of the title", named, where
    yield "no heading of the title, little content", (1 - named) * empty * float(len(page) > 0), ()
    first = found.blocks.first
    stop = next((one for one in found.headings if one > row), len(page)) if row >= 0 else 0
    below = (first > row) & (first < stop) if row >= 0 else np.zeros(len(first), dtype=bool)
    length = float(found.prose[below].sum())
    yield "text below the heading of the title", log_of(length), where
    yield "a short text below the heading of the title", float(0 < length < _SHORT) * empty, where
    yield "nothing below the heading of the title", float(row >= 0 and length == 0) * empty, where
    start = int(page.end[row]) if row >= 0 else 0
    near = page.tag[start : min(stop, start + _BETWEEN)]
    for name, tags_of in (("links", _LINKS), ("buttons", _BUTTONS), ("fields", _FIELDS)):
        count = int(tags_of[near].sum())
        yield f"{name} below the heading of the title, little content", log_of(count) * empty, ()
    around = min((_text_around(found, row, one) for one in found.secrets[:MOST_ROWS]), default=-1.0)
    closeness = 1 / (1 + (around / _AROUND) ** 2) if row >= 0 and around >= 0 else 0.0
    yield "password field by the heading of the title", closeness, where


def _text_around(found: MeasuredPage, one: int, other: int) -> float:
    """Return the characters of the smallest element that holds two rows."""
    page = found.page
    low, high = sorted((max(one, 0), other))
    while page.end[low] <= high and page.parent[low] >= 0:
        low = int(page.parent[low])
    return float(page.length[low])


def frame_signals(found: MeasuredPage) -> Iterator[Signal]:
    """Yield what is beside the content: empty elements, dialogs, fields, and where they stand."""
    heading = next((row for row in found.headings if not found.chrome_rows[row]), -1)
    yield from _empty_signals(found, heading)
    yield from _dialog_signals(found)
    yield from _field_signals(found, heading)
    alone = found.prose[found.blocks.first > heading] if heading >= 0 else found.prose[:0]
    length = float(alone[:2].sum()) if len(alone) else 0.0
    yield "a short text behind the heading", float(0 < length < LONG * 4) * found.emptiness, ()
    yield "declared an article, little content", found.declares_article * found.emptiness, ()


def _empty_signals(found: MeasuredPage, heading: int) -> Iterator[Signal]:
    """Yield how many elements hold nothing, and whether one does behind the first heading."""
    holes, empty = found.holes, found.emptiness
    yield "empty elements", log_of(len(holes)), first_rows(holes)
    yield "empty elements, little content", log_of(len(holes)) * empty, first_rows(holes)
    near = holes[(holes > heading) & (holes < heading + _BETWEEN)] if heading >= 0 else holes[:0]
    yield "empty element behind the heading, little content", float(bool(len(near))) * empty, ()


def _dialog_signals(found: MeasuredPage) -> Iterator[Signal]:
    """Yield how much of the text stands in dialogs."""
    dialogs = _dialogs(found)
    share = found.prose_in(dialogs) / max(found.all_prose, 1.0)
    yield "dialogs", log_of(len(dialogs)), first_rows(dialogs)
    yield "share of text in dialogs", share, first_rows(dialogs)


def _field_signals(found: MeasuredPage, heading: int) -> Iterator[Signal]:
    """Yield which fields there are, and on which side of the first heading."""
    page, empty = found.page, found.emptiness
    kinds = page.having("type") if len(page) else []
    checked = [row for row, kind in kinds if kind.lower() == "checkbox"]
    searched = _searches(found)
    yield "checkboxes, little content", log_of(len(checked)) * empty, first_rows(checked)
    yield "fields to search by", log_of(len(searched)), first_rows(searched)
    outside = any(not found.chrome_rows[row] for row in searched)
    yield "search outside chrome, little content", float(outside) * empty, ()
    gap = min((row - heading for row in found.secrets if row > heading >= 0), default=_FAR)
    yield "password field near behind the heading", empty * float(gap < _BETWEEN), ()
    before = [row for row in found.secrets if row < heading]
    yield "password field before the heading", float(bool(before)), first_rows(before)


def _dialogs(found: MeasuredPage) -> list[int]:
    page = found.page
    if not len(page):
        return []
    roles = [row for row, role in page.having("role") if role.strip().lower() in _DIALOG_ROLES]
    modal = [row for row, value in page.having("aria-modal") if value.strip().lower() == "true"]
    return sorted({*roles, *modal, *np.flatnonzero(page.is_tag("dialog")).tolist()})


def _searches(found: MeasuredPage) -> list[int]:
    page = found.page
    if not len(page):
        return []
    kinds = [row for row, kind in page.having("type") if kind.lower() == "search"]
    roles = [row for row, role in page.having("role") if role.strip().lower() == "search"]
    return sorted({*kinds, *roles})
