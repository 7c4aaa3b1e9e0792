"""Headings: those of kept text are kept, those of dropped sections go."""

from __future__ import annotations

import re
from itertools import islice, takewhile
from typing import Final

import numpy as np

from chaffinch.decision.draft import ARTICLE, LOWEST, OF_LISTS, OF_NAMED_TITLES, OF_SECTIONS, Draft
from chaffinch.decision.structure import LIKELY, common_parent, link_address
from chaffinch.elements import WORDS
from chaffinch.kernels.arrays import Mask, marked
from chaffinch.model.name_hashes import cut_words
from chaffinch.page import tags
from chaffinch.segment.text_blocks import TextBlocks

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
_FORM: Final = tags.CODES["form"]
_LONGEST: Final = 150  # characters of a heading of several lines


def headings(draft: Draft) -> Mask | None:
    """Return bool[m]: headings (h2 to h6) of kept text; None if none.

    Only those that aren't kept yet. What follows a heading is kept text, or a heading of a lower
    rank that is kept. On pages of running text a lower score is enough, and small dropped blocks
    may stand between; so it is on lists above a text beside, of an entry, or for a likely one that
    leads nowhere.
    """
    if draft.policy is not None and draft.kind in (*OF_NAMED_TITLES, ARTICLE):
        draft.keep = _with_named_titles(draft)
    blocks, keep, score, least = draft.blocks, draft.keep, draft.score, _SHARE * draft.threshold
    units = draft.units if draft.kind in OF_SECTIONS else None
    is_list = draft.kind in OF_LISTS
    near: Mask = score >= (min(least, _ENOUGH) if is_list or units is not None else least)
    ranks = blocks.heading_rank
    near |= _amid(draft) if units is not None else False
    near &= (ranks > 1) > keep
    if 1 not in near.tobytes():
        return None
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


def _amid(draft: Draft) -> Mask:
    """Return bool[m]: likely enough blocks without links between two kept ones beside them."""
    keep, mask = draft.keep, np.zeros(len(draft.keep), dtype=bool)
    above = draft.blocks.page.parent.take(draft.blocks.owner)
    mask[1:-1] = keep[:-2] & keep[2:] & (above[:-2] == above[1:-1]) & (above[1:-1] == above[2:])
    mask &= (draft.score >= LOWEST) & (draft.link_share == 0)
    return mask


def _are_siblings(blocks: TextBlocks, at: int, other: int) -> bool:
    """Return whether the elements of two blocks stand in one that isn't the body."""
    parent, owner = blocks.page.parent, blocks.owner
    above = parent.item(owner.item(at))
    return bool(blocks.page.body < above == parent.item(owner.item(other)))


def _with_named_titles(draft: Draft) -> Mask:
    """Return bool[m]: kept blocks, and short lines named as titles directly above them, beside.

    In articles between two of them.
    """
    blocks, keep, found = draft.blocks, draft.keep, list[int]()
    kept = keep.tobytes()
    if draft.kind == ARTICLE:
        above = ((keep[:-2] & keep[2:]) > keep[1:-1]).nonzero()[0] + 1
    else:
        above = (keep[1:] > keep[:-1]).nonzero()[0]
    for at in above.tolist():
        while at >= 0 and not kept[at]:
            if draft.score[at] < _OF_NAMED or draft.units[at] > _SMALL or blocks.linked[at]:
                break
            if not _is_named_title(blocks, at):
                break
            found.append(at)
            at -= 1  # noqa: PLW2901
    return keep | marked(len(keep), found) if found else keep


def _is_named_title(blocks: TextBlocks, at: int) -> bool:
    """Return whether a line is named so, beside the block below it, and no header of more."""
    page, row, below = blocks.page, blocks.owner.item(at), blocks.owner.item(at + 1)
    above, parent = common_parent(page, row, blocks.first.item(at + 1)), page.parent.item(below)
    if above not in (parent, page.parent.item(parent)):
        return False
    around = (row, *takewhile(above.__lt__, page.ancestors(row)))
    own = (up for up in around if page.length[up] == page.length[row])
    return any(_TITLE.search(page.attribute(up, "class") or "") for up in own)


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


def _of_forms(blocks: TextBlocks, heads: list[int], held: Mask) -> list[int]:
    """Return those of some headings that stand with a form in a box without kept text, ``held``."""
    page, first, texts, found = blocks.page, blocks.first, blocks.first[held], list[int]()
    forms = (page.tag == _FORM).nonzero()[0]
    before = np.append(0, np.add.accumulate(held, dtype=np.int32))  # kept texts before each block
    near = {*before.take(first.searchsorted(forms)).tolist()}
    for head, count in zip(heads, before.take(heads).tolist(), strict=True):
        if count not in near:  # between the kept texts before and behind a form
            continue
        start = max(texts.item(count - 1) if count else 0, page.body)
        stop = texts.item(count) if count < len(texts) else len(page)
        for above in islice(page.ancestors(blocks.owner.item(head)), _BOXED):
            end = page.end.item(above)
            if above <= start or end > stop:
                break
            if _FORM in page.tag[above:end]:
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
    rank = blocks.heading_rank
    is_head = rank > 0
    heads: list[int] = (keep & is_head).nonzero()[0].tolist()
    if not heads:
        return [], [], []
    of_forms = _of_forms(blocks, heads, keep > is_head) if "form" in blocks.page.tag_names else []
    ranks, held, kept = rank.tobytes(), (keep > is_head).tobytes(), keep.tobytes()
    empty, lone = list[int](), list[int]()
    bare = [at for at in heads if ranks[at] > 1 and held[at + 1 : at + 2] != b"\1"]
    for one in {ranks[at] for at in bare}:  # each other kept heading has kept text directly below
        some = [at for at in bare if ranks[at] == one]
        ends = np.append((is_head & (rank <= one)).nonzero()[0], len(blocks))
        stops = ends[ends.searchsorted(some, "right")].tolist()
        for head, stop in zip(some, stops, strict=True):
            if held.find(1, head, stop) < 0 <= ranks.find(0, head, stop):
                empty.append(head)
            is_entry = stop < len(kept) and kept[stop] and blocks.linked[stop]
            if kept.find(1, head + 1, stop) < 0 and not is_entry:
                lone.append(head)
    return of_forms, empty, lone
