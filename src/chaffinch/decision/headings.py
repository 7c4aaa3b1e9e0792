"""Headings: those of kept text are kept, those of dropped sections go."""

from __future__ import annotations

import re
from itertools import islice, takewhile
from typing import Final

import numpy as np
from numpy.typing import NDArray

from chaffinch import kernels
from chaffinch.caching import kept_with_page
from chaffinch.decision.draft import ARTICLE, OF_LISTS, OF_NAMED_TITLES, OF_SECTIONS, Draft
from chaffinch.decision.structure import LIKELY, common_parent, link_address
from chaffinch.elements import WORDS
from chaffinch.elements.texts import headings_by_role
from chaffinch.kernels.arrays import Mask
from chaffinch.model.name_hashes import cut_words
from chaffinch.page import Page, tags
from chaffinch.segment.text_blocks import TextBlocks, text_blocks

_SHARE: Final = 0.8  # share of the threshold that such a heading must reach
_ENOUGH, _OF_NAMED = 0.2, 0.15
"""Score that is enough in running text, where the heading leads nowhere: links are teasers; and for
a line that is a heading by its name."""
_MOST_BETWEEN: Final = 3
_SMALL: Final = 12
"""Dropped blocks between a heading and its kept text, and their words together: a badge, a date."""
_TITLE: Final = re.compile(
    rf"(?<![a-z])(?:{WORDS['names of headings']})(?![a-z]|[-_](?:meta|info|date|by))",
    re.IGNORECASE,
)
"""Names of lines that are titles though they aren't headings by their tags."""
_BOXED: Final = 4  # elements around a heading that may be the box of a form
_FORMS: Final = tags.table(["form"])
_LOWEST: Final = 6
_LONGEST: Final = 150  # characters of a heading of several lines
_ALL: Final = np.zeros(0, dtype=bool)
_RANK: Final = np.zeros(len(tags.NAMES), dtype=np.int8)
"""int8[tags]: the rank of a heading, 1 is highest, `_LOWEST` lowest; 0 for other tags."""
_RANK[[tags.CODES[f"h{rank}"] for rank in range(1, _LOWEST + 1)]] = range(1, _LOWEST + 1)
_RANK[tags.CODES["summary"]] = _LOWEST


def headings(draft: Draft) -> Mask | None:
    """Return bool[m]: headings (h2 to h6) of kept text; None if none.

    Only those that aren't kept yet. What follows a heading is kept text, or a heading of a lower
    rank that is kept. On pages of running text a lower score is enough, and small dropped blocks
    may stand between; so it is on lists above a text beside, of an entry, or for a likely one that
    leads nowhere.
    """
    if draft.policy is not None and draft.kind in (*OF_NAMED_TITLES, ARTICLE):
        draft.keep = draft.keep | _named_titles(draft)
    blocks, keep, score, least = draft.blocks, draft.keep, draft.score, _SHARE * draft.threshold
    units = draft.units if draft.kind in OF_SECTIONS else None
    is_list = draft.kind in OF_LISTS
    near: Mask = score >= (min(least, _ENOUGH) if is_list or units is not None else least)
    near &= ~keep
    if 1 not in near.tobytes():
        return None
    ranks = _ranks(blocks.page)
    near &= ranks > 1
    rank, kept = ranks.tobytes(), bytearray(keep.tobytes())
    for head in near.nonzero()[0].tolist()[::-1]:
        below = kept.find(1, head + 1, head + 2 + (0 if units is None else _MOST_BETWEEN))
        is_above = below > 0 and (not rank[below] or rank[below] > rank[head])
        if below == head + 1 and (row := blocks.owner.item(head)) == blocks.owner[below]:
            is_parted = blocks.page.length[row] <= _LONGEST  # by a break, as days are, too
            is_above |= is_parted and not blocks.text(head)[:1].isdigit()
        if is_above and below > head + 1 and units is not None:
            between = slice(head + 1, below)
            is_above = not any(rank[between]) and units[between].sum() <= _SMALL
            is_above = is_above and _follows(blocks, kept, rank, head, below)
        if is_above and (score[head] < least or below > head + 1):
            leads_on = not (link_address(blocks, head) or "#").startswith("#")  # a teaser, or entry
            if leads_on:  # in the element of the text, or of an entry
                beside = (below,) if is_list else (below, kept.rfind(1, 0, head))
                is_above = all(at >= 0 and _are_siblings(blocks, head, at) for at in beside)
            elif is_list:
                is_above = score[head] >= LIKELY
        if is_above and rank[below] and kept.find(1, 0, head) < 0:  # no day of what is headed below
            names = blocks.page.attribute(blocks.owner.item(head), "class")
            is_above = b"date" not in cut_words((names, None))
        kept[head] = near[head] = bool(is_above)
    return near


def _are_siblings(blocks: TextBlocks, at: int, other: int) -> bool:
    """Return whether the elements of two blocks stand in one that isn't the body."""
    parent, owner = blocks.page.parent, blocks.owner
    above = parent.item(owner.item(at))
    return bool(blocks.page.body < above == parent.item(owner.item(other)))


def _named_titles(draft: Draft) -> Mask:
    """Return bool[m]: kept blocks, and short lines named as titles directly above them, beside.

    In articles between two of them.
    """
    blocks, keep = draft.blocks, draft.keep
    may = ~keep & (draft.score >= _OF_NAMED) & (draft.units <= _SMALL) & (blocks.link_length == 0)
    if draft.kind == ARTICLE:
        may[:1], may[1:-1] = False, may[1:-1] & keep[:-2] & keep[2:]
    kept, page = bytearray(keep.tobytes()), blocks.page
    for at in may.nonzero()[0].tolist()[::-1]:
        if kept[at + 1 : at + 2] != b"\1":
            continue
        row, below = blocks.owner.item(at), page.parent.item(blocks.owner.item(at + 1))
        above = common_parent(page, row, blocks.first.item(at + 1))
        around = (row, *takewhile(above.__lt__, page.ancestors(row)))
        if above in (below, page.parent.item(below)):
            own = (up for up in around if page.length[up] == page.length[row])  # no header of more
            names = (page.attribute(up, "class") or "" for up in own)
            kept[at] |= any(map(_TITLE.search, names))
    return np.frombuffer(kept, dtype=bool)


@kept_with_page
def _ranks(page: Page) -> NDArray[np.int8]:
    """Return int8[m]: the rank of the heading that each block is; 0 for none.

    What a heading holds in an element of its own is the heading, too; one by its role is as others.
    """
    blocks = text_blocks(page)
    rank = _RANK.take(blocks.owner_tag)
    heads = kernels.rows_of(page.tag, tags.HEADING, _ALL, 0, len(page))
    begin, stop = blocks.first.searchsorted((heads, page.end.take(heads)))
    alone = stop - begin == 1
    rank[begin[alone]] = _RANK.take(page.tag.take(heads[alone]))
    for row, level in headings_by_role(page, np.ones(len(page), dtype=bool)).items():
        at = int(blocks.first.searchsorted(row))  # an empty one may be the last of all
        if at < len(rank) and blocks.owner[at] == row:
            rank[at] = level
    return rank


def _follows(blocks: TextBlocks, kept: bytearray, ranks: bytes, head: int, below: int) -> bool:
    """Return whether a heading and its text stand in an element that holds kept text before, too.

    Or, where none does, behind the next heading of its rank. Cards hold their own text alone.
    """
    row = common_parent(blocks.page, blocks.first.item(head), blocks.first.item(below))
    before = kept.rfind(1, 0, head)
    if before >= 0:
        return row <= int(blocks.first[before])
    following = ranks.find(ranks[head], head + 1)
    after = kept.find(1, following) if following > 0 else -1
    return after > 0 and int(blocks.first[after]) < int(blocks.page.end[row])


def _of_forms(blocks: TextBlocks, kept_heads: bytes, kept_texts: bytes) -> list[int]:
    """Return the kept headings that stand with a form in a box without kept text."""
    page, first, near = blocks.page, blocks.first, set[int]()
    forms = kernels.rows_of(page.tag, _FORMS, _ALL, 0, len(page))
    stop = -1
    for at in first.searchsorted(forms).tolist():
        if at > stop:  # between the kept texts before and behind a form
            begin, stop = kept_texts.rfind(1, 0, at) + 1, kept_texts.find(1, at)
            stop = stop if stop >= 0 else len(kept_texts)
            head = kept_heads.find(1, begin, stop)
            while head >= 0:
                near.add(head)
                head = kept_heads.find(1, head + 1, stop)
    texts = first[np.frombuffer(kept_texts, dtype=bool)] if near else first
    found = []
    for head in near:
        for above in islice(page.ancestors(blocks.owner.item(head)), _BOXED):
            end = page.end.item(above)
            start, behind = texts.searchsorted((above, end)).tolist()
            if above <= page.body or start < behind:
                break
            begin, stop = forms.searchsorted((above, end)).tolist()
            if begin < stop:
                found.append(head)
                break
    return found


def headings_of_dropped(blocks: TextBlocks, keep: Mask) -> tuple[list[int], list[int], list[int]]:
    """Return the kept headings of forms, of sections whose text was dropped, and those alone.

    A section goes to the next heading of the same or a higher rank, kept or not; that of an h1 is
    the page. One without text has nothing to drop, and its heading may be all that an entry of a
    list shows. Alone is one with nothing kept in its section, unless a title with a link, as that
    of an entry, is the next heading.
    """
    rank = _ranks(blocks.page)
    is_head = rank > 0
    kept_heads, kept_texts = keep & is_head, keep & ~is_head
    bare = kept_heads.copy()
    bare[:-1] &= ~kept_texts[1:]  # each other kept heading has kept text directly below
    has_form, alone = blocks.page.holds("form"), (bare & (rank > 1)).nonzero()[0]
    if not (has_form or len(alone)):
        return [], [], []
    empty, lone = list[int](), list[int]()
    texts, held, kept = (~is_head).tobytes(), kept_texts.tobytes(), keep.tobytes()
    entries = np.append(keep & (blocks.link_length > 0), False).tobytes()
    of_forms = _of_forms(blocks, kept_heads.tobytes(), held) if has_form else []
    own = rank.take(alone)
    for one in {*own.tolist()}:
        some = alone[own == one]
        ends = np.append((is_head & (rank <= one)).nonzero()[0], len(blocks))
        stops = ends[ends.searchsorted(some, "right")]
        for head, stop in zip(some.tolist(), stops.tolist(), strict=True):
            if held.find(1, head, stop) < 0 <= texts.find(1, head, stop):
                empty.append(head)
            if kept.find(1, head + 1, stop) < 0 and not entries[stop]:
                lone.append(head)
    return of_forms, empty, lone
