"""Signals of what stands beside what: a box behind the content, a form beside its heading, a hole.

They go by the order of the page and by elements that share a parent, in any language.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from chaffinch.assessment.page_signals import (
    CONTENT_NAMES,
    LONG,
    MOST_ROWS,
    OPEN_ENDS,
    PRICE,
    SENTENCE_ENDS,
    MeasuredPage,
    Signal,
    emptiness_of,
    first_rows,
    log_of,
    middling,
)
from chaffinch.page import tags

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


_STEPS: Final = (60, 200, 600, 1500)
"""Characters of content."""
_NEXT: Final = 4
"""Blocks behind the content that are looked at."""
_PRESSED_content_signals: Final = tags.table("a button input select".split())
_DIALOG_ROLES: Final = frozenset({"dialog", "alertdialog"})
_BETWEEN: Final = 200  # rows
_FAR: Final = 1 << 20  # rows
_SHORT: Final = 300  # characters
_AROUND: Final = 500.0
"""Characters around a heading and a field at which they belong together by half."""
_LINKS: Final = tags.table(["a"])
_BUTTONS_content_signals: Final = tags.table(["button"])
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
    pressed = np.flatnonzero(_PRESSED_content_signals[page.tag[start:stop]]) + start
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
    for name, tags_of in (
        ("links", _LINKS),
        ("buttons", _BUTTONS_content_signals),
        ("fields", _FIELDS),
    ):
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
    yield from _field_signals_content_signals(found, heading)
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


def _field_signals_content_signals(found: MeasuredPage, heading: int) -> Iterator[Signal]:
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


_PRESSED_cut_signals: Final = tags.table("a button input".split())
_TITLED: Final = tags.table("h1 h2 h3 h4 h5 h6 legend b strong".split())
_BOXES: Final = tags.table("aside form dialog".split())
_SITE_FRAME: Final = tags.table("nav header footer".split())
_DECLARED: Final = tags.table(["main", "article"])
_LINKS_cut_signals: Final = tags.table(["a"])
_SECTIONS: Final = tags.table("h1 h2 h3 h4".split())
_SCRIPTS: Final = tags.table(["script"])
_FEW: Final = 4  # paragraphs
_ENDS: Final = 0.2
"""Share of the content behind an offer, of that before it, below which the offer ends it."""
_LEAST_OFFER_cut_signals, _MOST_OFFER_cut_signals = 15, 600
"""Characters outside links of an offer."""
_MOST_PRESSED_cut_signals: Final = 12
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
    if not (
        _LEAST_OFFER_cut_signals <= prose <= _MOST_OFFER_cut_signals
        and 0 < _PRESSED_cut_signals[tag].sum() <= _MOST_PRESSED_cut_signals
    ):
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
    links, others = int(_LINKS_cut_signals[between].sum()), int(_SECTIONS[between].sum())
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
