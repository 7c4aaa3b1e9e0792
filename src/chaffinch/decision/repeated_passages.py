"""A passage that stands on the page more than once is kept once: copies for narrow screens, tabs.

A browser shows one copy at a time. The first one is kept. What repeats within running text, such as
the same list under the headings of two days, is no copy: a copy has a container of its own. Of two
elements whose classes show them at different widths one is a copy, however short. Nor are
lines of code, and lines of verse: a refrain is sung again.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import chain
from math import ceil
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.caching import kept_of_short_texts
from chaffinch.model.words import BUCKETS
from chaffinch.page import tags

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.model.features import Features
    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask
    from chaffinch.segment.text_blocks import TextBlocks

_FEWEST: Final = 3
"""Consecutive blocks of a copy, where single ones don't count: a slogan or a note may stand twice
on purpose. Chosen on folds of the training corpora (`python -m training.decoding`)."""
_LEAST: Final = 100
"""Characters of a copy."""
_LINE: Final = 80
"""Characters of a line of verse, at most."""
_EXEMPT: Final = tags.table(["pre", "code", "table"])
_FLOW: Final = tags.table("p h2 h3 h4 h5 h6 ul ol dl blockquote".split())
"""Elements of running text."""
_OF_WIDTH: Final = re.compile(
    r"(?:^|[\s:_@-])(?:(?:(?:xs|sm|md|lg|xl|xxl|small|medium|large|mobile|desktop|phone|tablet|handheld|pc)"
    r"[:_@-])?(?:hidden|visible|show|hide|d-none|d-block|block|none|only|view)"
    r"[:_@-](?:for-)?(?:xs|sm|md|lg|xl|small|medium|large|mobile|desktop|phone|tablet|handheld|pc)"
    r"|(?:xs|sm|md|lg|xl|2xl|small|medium|large|mobile|desktop|phone|tablet|handheld|pc|m|wap)"
    r"[:_@-](?:hidden|visible|show|hide|block|flex|grid|inline|none|only|view|version|copy))"
    r"(?=[\s:_@-]|$)"
    r"|(?:^|\s)(?:mobile|desktop)(?=\s|$)",
    re.IGNORECASE,
)
"""Class names that show or hide an element by the width of the screen."""
_WIDTH_WORDS: Final = (
    *("hid", "visible", "show", "none", "block", "only", "view", "flex", "grid", "inline"),
    *("version", "copy", "mobile", "desktop"),
)
"""Each such name has one of these in it; the pattern takes a microsecond for two letters."""
_SHORTEST: Final = ceil(_LEAST / _FEWEST / 2)
"""Characters, white space left out, of a block that is long enough to be a copy's: at least half
of its length with white space folded, and sooner counted."""


def repeated_passages(found: Features, keep: Mask, *, single: bool = False) -> Mask | None:
    """Return bool[m]: kept blocks that repeat earlier kept blocks in the same order; None if none.

    Code and data may repeat: runs with a block in pre or a table don't count.

    Args:
        found: the features of the page's m blocks.
        keep: bool[m], the blocks that are kept.
        single: whether one long block is enough; else a passage has `_FEWEST` blocks, and what
            repeats in running text stays.
    """
    if not _any_repeats(found, keep):
        return None
    blocks, kept = found.blocks, np.flatnonzero(keep)
    first: dict[str, int] = {}
    texts = _texts(blocks, kept)
    original = np.array([first.setdefault(text, at) for at, text in enumerate(texts)])
    again = original < np.arange(len(kept))
    follows = again[1:] & again[:-1] & (np.diff(original) == 1)
    run = np.cumsum(np.concatenate([[True], ~follows]))
    exempt = blocks.inside(_EXEMPT)[kept]
    count = int(run[-1]) + 1
    amount = np.bincount(run[again], minlength=count)
    size = np.bincount(run[again], weights=blocks.length[kept][again], minlength=count)
    copied = (amount >= (1 if single else _FEWEST)) & (size >= _LEAST)
    copied &= np.bincount(run[again & exempt], minlength=count) == 0
    first_row = blocks.first[kept]
    begins = run.searchsorted(np.arange(count))
    if not single:
        for number in np.flatnonzero(copied).tolist():
            at, stop = int(begins[number]), int(begins[number] + amount[number])
            rows = int(first_row[original[at]]), int(first_row[at])
            is_parted = original[at] + amount[number] < at
            copied[number] = not (
                _flows_on(blocks.page, *rows)
                or (is_parted and _is_refrain(blocks, kept[at:stop], *rows))
            )
    left = np.flatnonzero((amount > 0) & ~copied).tolist()
    page = blocks.page
    named = set(page.rows_where("class", _is_of_width, *_WIDTH_WORDS)) if left else set()
    for number in left if named else ():
        at = int(begins[number])
        rows = int(first_row[original[at]]), int(first_row[at])
        copied[number] = _are_for_widths(page, named, *rows)
    mask = np.zeros(len(blocks), dtype=bool)
    mask[kept[again & copied[run]]] = True
    return mask


def _are_for_widths(page: Page, named: set[int], first: int, again: int) -> bool:
    """Return whether two rows stand in elements whose classes show them at different widths.

    ``named`` are the rows with such a class.
    """
    name = _name_of_width(page, named, first, again)
    return bool(name) and _name_of_width(page, named, again, first) not in ("", name)


def _name_of_width(page: Page, named: set[int], row: int, other: int) -> str:
    """Return the innermost class by width around a row and not around another; "" for none."""
    for at in chain((row,), page.ancestors(row)):
        if at <= other < page.end.item(at):
            break
        if at in named:
            return page.attribute(at, "class") or ""
    return ""


@kept_of_short_texts(2048)
def _is_of_width(names: str) -> bool:
    return _OF_WIDTH.search(names) is not None


def _flows_on(page: Page, first: int, again: int) -> bool:
    """Return whether the row ``again`` is part of the running text that the row ``first`` is in.

    So is a line without an element of its own, between two br.
    """
    tag = page.tag[_apart(page, again, first)]
    return bool(_FLOW[tag] or not tags.BLOCK[tag])


def _is_refrain(blocks: TextBlocks, own: NDArray[np.intp], first: int, again: int) -> bool:
    """Return whether blocks are lines of verse: short, without links, in stanzas of one kind."""
    page = blocks.page
    if blocks.link_length[own].any() or blocks.length[own].max() > _LINE:
        return False
    before, part = _apart(page, first, again), _apart(page, again, first)
    alike = page.tag[before] == page.tag[part] and page.parent[before] == page.parent[part]
    return bool(alike) and page.attribute(before, "class") == page.attribute(part, "class")


def _apart(page: Page, row: int, other: int) -> int:
    """Return the outermost of ``row`` and the elements around it that doesn't hold ``other``."""
    part = row
    for above in page.ancestors(row):
        if above <= other < page.end[above]:
            break
        part = above
    return part


def _any_repeats(found: Features, keep: Mask) -> bool:
    """Return whether two kept blocks of `_SHORTEST` characters or more have the same text.

    Equal texts have the same length and the same bucket of all their words.
    """
    blocks, kept = found.blocks, keep.nonzero()[0]
    words = found.words[-1].take(kept)
    if len(set(words.tolist())) == len(kept):
        return False
    before = blocks.page.written_before
    lengths = before.take(blocks.last.take(kept)) - before.take(blocks.first.take(kept))
    keys = (lengths * BUCKETS + words).tolist()
    long = [key for key in keys if key >= _SHORTEST * BUCKETS]
    if len(set(long)) == len(long):
        return False
    again = {key for key, times in Counter(long).items() if times > 1}
    texts = _texts(blocks, kept[[key in again for key in keys]])
    return len(set(texts)) < len(texts)


def _texts(blocks: TextBlocks, chosen: NDArray[np.integer]) -> list[str]:
    text_at, text = blocks.page.text_at, blocks.page.text
    start, stop = text_at[blocks.first[chosen]], text_at[blocks.last[chosen]]
    return [text[a:b].strip() for a, b in zip(start.tolist(), stop.tolist(), strict=True)]
