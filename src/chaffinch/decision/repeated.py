"""What a page repeats: passages, whole articles below, products."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import repeat
from math import ceil
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaffinch import kernels
from chaffinch.decision.draft import ARTICLE, THREAD, Draft
from chaffinch.decision.structure import apart, link_address
from chaffinch.elements.aids import WIDTH_NAMES, is_of_width
from chaffinch.elements.opening import parts_by_widget
from chaffinch.kernels.arrays import Mask, Rows, marked
from chaffinch.lazy import lazy_module
from chaffinch.lists.post_features import element_kinds
from chaffinch.model.words import BUCKETS
from chaffinch.page import Page, tags
from chaffinch.segment.text_blocks import TextBlocks

product = lazy_module("chaffinch.metadata.product")

_FEWEST: Final = 3
"""Consecutive blocks of a copy, where single ones don't count: a slogan or a note may stand twice
on purpose. Chosen on folds of the training corpora."""
_LEAST: Final = 100  # characters of a copy
_LONG: Final = 300
"""Characters of one block or two that are a copy beside running text: no slogan or note."""
_LEAST_BEHIND: Final = 25
"""Characters of a copy directly behind its original, but in running text: columns, carousels."""
_WHOLE: Final = 2_000
"""Characters of a copy from which it is the text itself once more, wherever it stands."""
_LINE: Final = 80  # characters of a line of verse, at most
_EXEMPT: Final = tags.table(["pre", "code", "table"])
_FLOW: Final = tags.table("p h2 h3 h4 h5 h6 ul ol dl blockquote".split())
"""Elements of running text."""
_SHORTEST_FOR_WIDTHS: Final = 6
"""Characters of the longest block of a copy in such elements: numbers and controls return."""
_MOST_PAIRS: Final = 200  # repeated blocks whose class names are looked at
_SHORTEST: Final = ceil(_LEAST / _FEWEST / 2)
"""Characters, white space left out, of a block that is long enough to be a copy's: at least half
of its length with white space folded, and sooner counted."""


def repeated_passages(draft: Draft) -> Mask | None:
    """Return bool[m]: kept blocks that repeat earlier kept blocks in the same order; None if none.

    Code and data may repeat: runs with a block in pre or a table don't count, in threads all but
    copies for another width. In an article a passage has `_FEWEST` blocks, and what repeats in
    running text stays; elsewhere one long block is enough.
    """
    keep, single, may = draft.keep, draft.kind != ARTICLE, draft.kind != THREAD
    if (repeats := _any_repeats(draft)) is None:
        return None
    blocks, page, kept = draft.blocks, draft.page, keep.nonzero()[0]
    of_width = {*WIDTH_NAMES.where(page, is_of_width)}
    if not (of_width or (repeats and may)):
        return None
    runs = _runs(blocks, kept, _texts(blocks, kept))
    copied = (runs.amount >= (1 if single else _FEWEST)) & (runs.size >= _LEAST)
    copied = (copied | (runs.size >= _LONG)) & ~runs.exempt & may
    behind = _directly_behind(runs, _LEAST_BEHIND if single else _LEAST) if may else []
    widgets = enumerate(parts_by_widget(page) if behind or copied.any() else ())
    widget_of = {row: number for number, panels in widgets for row in panels}
    belongs = _is_of_plan if single else _belongs
    for number in copied.nonzero()[0].tolist():
        copied[number] = not belongs(blocks, kept, runs, number)
    for number in behind:
        one, other = (
            link_address(blocks, kept[some[number]]) for some in (runs.originals, runs.begins)
        )
        copied[number] |= one == other
    for number in copied.nonzero()[0].tolist() if widget_of else ():
        copied[number] = not _in_two_panels(page, widget_of, runs.rows[number].tolist())
    if of_width:
        _add_of_widths(page, of_width, runs, copied)
    return marked(len(blocks), kept[runs.again & copied[runs.of]])


class _Runs(NamedTuple):
    """Runs of kept blocks; those that repeat earlier ones in the same order are told apart."""

    firsts: NDArray[np.intp]  # the first row of each kept block
    of: NDArray[np.intp]  # the run of each kept block
    again: Mask  # blocks that repeat an earlier one
    begins: NDArray[np.intp]
    originals: NDArray[np.intp]  # where what each repeats begins
    rows: Rows  # [r, 2], the first row of what each repeats, and its own
    amount: NDArray[np.intp]  # blocks of each that repeat; 0 for others
    size: NDArray[np.number]  # their characters
    exempt: Mask  # with code or data


def _runs(blocks: TextBlocks, kept: NDArray[np.intp], texts: list[str]) -> _Runs:
    first = dict(zip(reversed(texts), range(len(texts) - 1, -1, -1), strict=True))
    original = np.array([*map(first.__getitem__, texts)])
    again = original < np.arange(len(kept))
    follows = again[1:] & again[:-1] & (np.diff(original) == 1)
    of = np.cumsum(np.concatenate([[True], ~follows]))
    count = int(of[-1]) + 1
    begins = of.searchsorted(np.arange(count))
    originals = original[begins]
    firsts = blocks.first[kept].astype(np.intp)  # else each search converts all
    return _Runs(
        firsts,
        of,
        again,
        begins,
        originals,
        firsts[np.stack([originals, begins], axis=1)],
        np.bincount(of[again], minlength=count),
        np.bincount(of[again], weights=blocks.length[kept][again], minlength=count),
        np.bincount(of[again & blocks.inside(_EXEMPT)[kept]], minlength=count) > 0,
    )


def _directly_behind(runs: _Runs, least: int) -> list[int]:
    """Return the runs of a size that repeat what stands directly above, once more or again."""
    above = runs.of[np.maximum(runs.begins - 1, 0)]
    behind = runs.originals + runs.amount == runs.begins
    behind |= (runs.amount[above] == runs.amount) & (runs.originals[above] == runs.originals)
    behind &= (runs.amount > 0) & (runs.size >= least) & ~runs.exempt
    found: list[int] = behind.nonzero()[0].tolist()
    return found


def _belongs(blocks: TextBlocks, kept: NDArray[np.intp], runs: _Runs, number: int) -> bool:
    """Return whether a run repeats on purpose: in running text, as an entry, or as a refrain."""
    if runs.size[number] >= _WHOLE:
        return False
    (first, again), amount = runs.rows[number].tolist(), runs.amount.item(number)
    begin = runs.begins.item(number)
    own, is_parted = kept[begin : begin + amount], runs.originals[number] + amount < begin
    is_verse = is_parted and not blocks.link_length[own].any() and blocks.length[own].max() <= _LINE
    tag = blocks.page.tag[apart(blocks.page, again, [first])]
    return bool(
        _FLOW[tag]  # running text, or a line between br
        or not tags.BLOCK[tag]
        or ((amount == 1 or is_verse) and _are_alike(blocks.page, first, again))
    )


def _is_of_plan(blocks: TextBlocks, kept: NDArray[np.intp], runs: _Runs, number: int) -> bool:
    """Return whether a run is part of a plan or package. What leads elsewhere is an entry again."""
    begin = runs.begins.item(number)
    own = kept[begin : begin + runs.amount.item(number)]
    if 2 * blocks.link_length[own].sum() > blocks.length[own].sum():
        return False
    first, again = runs.rows[number].tolist()
    if not _are_alike(blocks.page, first, again):
        return False
    title = runs.firsts.searchsorted(apart(blocks.page, again, [first]))
    return bool(title < begin and not runs.again[title])


def _add_of_widths(page: Page, of_width: set[int], runs: _Runs, copied: Mask) -> None:
    """Add to ``copied`` the runs that are shown at another width; short ones, if all there is.

    ``of_width`` are the rows whose class says at which width they are.
    """
    same: dict[tuple[int, int], bool] = {}
    pairs = ((runs.amount > 0) & ~copied).nonzero()[0][:_MOST_PAIRS]
    rows = runs.rows[pairs]
    around = kernels.nearest(page.parent, marked(len(page), [*of_width]))[rows]
    other = rows[:, ::-1]
    may = ((around >= 0) & ((around > other) | (page.end[around] <= other))).all(axis=1)
    for number, (one, again) in zip(pairs[may].tolist(), around[may].tolist(), strict=True):
        if page.attribute(one, "class") == page.attribute(again, "class"):
            continue
        if runs.size[number] < _LEAST and (one, again) not in same:
            first, second = ("".join(page.text_of(row).split()) for row in (one, again))
            same[one, again] = first == second
        copied[number] = same.get((one, again), True)


def _in_two_panels(page: Page, widget_of: dict[int, int], rows: Iterable[int]) -> bool:
    """Return whether rows stand in different panels of one widget, of which a reader sees one."""
    panels = {next((up for up in page.ancestors(row) if up in widget_of), -1) for row in rows}
    return len(panels) > 1 == len({widget_of.get(one, -1) for one in panels})


def _are_alike(page: Page, first: int, again: int) -> bool:
    """Return whether two rows stand in siblings of one kind, as entries do."""
    before, part = apart(page, first, [again]), apart(page, again, [first])
    kinds = element_kinds(page)
    return bool(page.parent[before] == page.parent[part] and kinds[before] == kinds[part])


def _any_repeats(draft: Draft) -> bool | None:
    """Return whether two kept blocks of `_SHORTEST` characters or more have the same text.

    None where no two kept blocks have: equal texts have the same length and the same bucket of all
    their words.
    """
    blocks, kept = draft.blocks, draft.keep.nonzero()[0]
    words = draft.features.words[-1].take(kept)
    if len(set(words.tolist())) == len(kept):
        return None
    before = blocks.page.written_before
    lengths = before.take(blocks.last.take(kept)) - before.take(blocks.first.take(kept))
    keys = (lengths * BUCKETS + words)[lengths >= _SHORTEST_FOR_WIDTHS].tolist()
    if len(set(keys)) == len(keys):
        return None
    texts = _texts(blocks, kept[lengths >= _SHORTEST])
    return len(set(texts)) < len(texts)


def _texts(blocks: TextBlocks, chosen: NDArray[np.integer]) -> list[str]:
    """Return the text of some blocks, white space left out."""
    return [*map(str.replace, blocks.texts(chosen), repeat(" "), repeat(""))]


_H1, _ARTICLE, _TIME = (tags.CODES[name] for name in ("h1", "article", "time"))
_MOST_HEADS: Final = 20


def next_articles(draft: Draft) -> Mask | None:
    """Return bool[m]: blocks of other texts that are loaded below the page's; None for none.

    Each has an h1 and a date in an element like that of the text whose h1 is in the title element.
    """
    page, first, keep = draft.page, draft.blocks.first, draft.keep
    if page.tag_names.isdisjoint(("article", "time")):
        return None
    heads = (page.tag == _H1).nonzero()[0][:_MOST_HEADS].tolist()
    if len(heads) <= 1:
        return None
    title = " ".join(page.title.split())
    texts = {row: page.folded(row) for row in heads}
    own = next((row for row, text in texts.items() if len(text) > 0 and text in title), -1)
    others = [row for row, text in texts.items() if row > own >= 0 and text not in title]
    if not others:
        return None
    mask, seen = np.zeros(len(keep), dtype=bool), set[tuple[int, int]]()
    articles, part, beside = kernels.nearest(page.parent, page.is_tag("article")).item, -1, -1
    for row in others:
        if beside < 0 or row >= page.end[beside]:
            part, beside = apart(page, own, [row]), apart(page, row, [own])
        for one, other in {(part, beside), (articles(own), articles(row))} - seen:
            if one >= 0 and page.end[one] <= other and _is_text_like(page, one, other):
                mask |= (first >= other) & (first < page.end[other])
            seen.add((one, other))
    return mask if 1 in (keep & ~mask).tobytes() else None


def _is_text_like(page: Page, part: int, other: int) -> bool:
    """Return whether two elements are articles, and dated; or one of both, and siblings alike."""
    tag, parent = page.tag.item, page.parent.item
    alike = (tag(part), parent(part)) == (tag(other), parent(other)) and (
        page.attribute(part, "class") == page.attribute(other, "class")
    )
    articles = tag(part) == tag(other) == _ARTICLE
    if not (alike or articles):
        return False
    return (alike and articles) or all(
        1 in (page.tag[row : page.end.item(row)] == _TIME).tobytes() for row in (part, other)
    )


_EXEMPT_PRODUCTS: Final = tags.table(["pre", "table"])
_MOST: Final = 5
"""Most times that a repeated text stands there, the first one counted. Chosen on held-out
folds of the training corpora: 4 and 8 are as good, without a limit collections fall on half of the
domains."""


_LINES: Final = tags.table(["li", "dt", "dd"])
_SHARE_NEW: Final = 0.3
"""Share of a list's lines that are new, from which its others belong to it: needs of two systems,
sizes of two models."""


def repeated_products(draft: Draft) -> Mask:
    """Return bool[m]: kept blocks, however short, whose text stands in an earlier kept block.

    Code and tables may repeat and don't count, nor do lists of lines that say something else, too,
    nor entries beside like ones that begin with a text of their own.
    """
    blocks, keep = draft.blocks, draft.keep
    kept = (keep & ~blocks.inside(_EXEMPT_PRODUCTS)).nonzero()[0]
    if not len(kept):
        return np.zeros(len(keep), dtype=bool)
    texts = [text.casefold() for text in _texts(blocks, kept)]
    times, runs = Counter(texts), _runs(blocks, kept, texts)
    few = np.array([times[text] <= _MOST and any(map(str.isalnum, text)) for text in texts])
    of_plan = np.zeros(len(runs.amount), dtype=bool)
    for number in runs.amount.nonzero()[0].tolist():
        of_plan[number] = _is_of_plan(blocks, kept, runs, number)
    mask = marked(len(blocks), kept[runs.again & few & ~of_plan[runs.of]])
    return mask & ~_in_other_lists(blocks, keep, mask) if mask.any() else mask


def _in_other_lists(blocks: TextBlocks, keep: Mask, again: Mask) -> Mask:
    """Return bool[m]: lines of lists of which some kept lines don't stand there ``again``.

    And the line above each. Items that hold more than a line are entries.
    """
    page = blocks.page
    line = keep & _LINES.take(blocks.owner_tag) & (blocks.link_length == 0)
    around = kernels.nearest(page.parent, page.is_tag("ul", "ol", "dl"))[blocks.owner] + 1
    lines, new = (
        np.bincount(around[some], minlength=len(page) + 1) for some in (line, line & ~again)
    )
    other = (lines >= _FEWEST) & (_SHARE_NEW * lines <= new)
    mask: Mask = line & other[around]
    mask[:-1] |= mask[1:] & (around[:-1] != around[1:]) & (blocks.link_length[:-1] == 0)
    return mask
