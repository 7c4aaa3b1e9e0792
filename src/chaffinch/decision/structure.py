"""What follows from the structure around text: tables and code, quotations, images.

Data tables and code between kept blocks are kept unless they are nearly surely noise, and plain
blocks between kept siblings at a higher score. Images stay where they stand with kept text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, islice
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from chaffinch import kernels
from chaffinch.caching import kept_with_page
from chaffinch.decision.draft import (
    ARTICLE,
    LOWEST,
    MANUAL,
    OF_LISTS,
    OF_ONE_PRODUCT,
    OF_SHOPS,
    THREAD,
    Draft,
    numbered,
)
from chaffinch.elements.adverts import NOTICES, Lines
from chaffinch.elements.code import containers_of_code, keeps_lines, styled_blocks
from chaffinch.elements.footnotes import footnotes
from chaffinch.elements.image_sources import parsed_size
from chaffinch.elements.tables import aria_tables, shows_data
from chaffinch.kernels.arrays import Mask, Rows, marked
from chaffinch.lists.post_features import element_kinds
from chaffinch.page import Page, tags
from chaffinch.page.attributes import Search
from chaffinch.segment.text_blocks import TextBlocks

BARS: Final = tags.table("nav header footer aside form".split())
"""Elements around the content, in which no table, code or card is part of it."""
_RUNNING: Final = 100  # characters of running text, white space left out
LIKELY: Final = 0.3  # score of what is kept between kept texts of the same element whatever it is
_CONTACT_LINE: Final = 60  # characters of a line of contact data, white space left out
_ADDRESS: Final = tags.CODES["address"]
_LEAST: Final = np.where(tags.BLOCK, np.float32(0.2), np.float32(2))
"""float32[tags]: score of a plain block among kept siblings; 2 where there is none."""
_LEAST[_ADDRESS] = LOWEST
_NO_SERVICE: Final = (ARTICLE, MANUAL, THREAD, *OF_LISTS)
_NUMBER: Final = re.compile(
    r"[^\d@]{0,24}\+?(?:[ ()./–-]{0,3}\d){9,15}|[^@\s]{1,30}@[^@\s]{1,30}\.\w{2,10}"
)
_END_OF_TEXT: Final = 8  # characters, white space included
_SENTENCE_ENDS: Final = tuple(".!?…。！？।؟۔»”")
_NAME_OF_FILE: Final = 40  # characters of a line that names what follows, white space left out
_ABOVE_CODE: Final = 6  # elements around a line of code of which one is the listing
_CODE: Final = tags.table(["pre"])
_ORDERED: Final = tags.CODES["ol"]
_CAPTION: Final = tags.table(["figcaption"])
_LINKS, _CELLS = tags.table(["a"]), tags.table(["td", "th"])
_NO_ROWS: Final = np.zeros(0, dtype=np.int32)


_INFOBOXES: Final = Search("class", "portable-infobox")
_PANELS: Final = Search("role", "tabpanel")
_LANGUAGES: Final = Search("class", "lang")


def tables_and_code(draft: Draft) -> Mask | None:
    """Return bool[m]: data tables and code between kept blocks, tables and terms below these."""
    policy, balanced, page = draft.policy, draft.beta >= 1, draft.page
    is_open = balanced and policy is not None and policy.tables is None
    rows, boxes, below = list[int](), list[int](), list[int]()
    if balanced:
        rows += [*containers_of_code(page).tolist(), *styled_blocks(page)]
        if "pre" in page.tag_names:
            rows += page.is_tag("pre").nonzero()[0].tolist()
        if "code" in page.tag_names:
            named = _LANGUAGES.rows(page)
            rows += [at for at in named if page.name(at) == "code" and keeps_lines(page, at)]
            breaks = page.total(tags.BREAK.take(page.tag))
            rows += (page.is_tag("code") & (breaks > 0)).nonzero()[0].tolist()
    coded = [*rows]
    if is_open:
        if "aside" in page.tag_names:
            boxes = _INFOBOXES.rows(page)
        tables = data_table_rows(page).tolist()
        rows += tables
        below = _below_text(draft, tables)
        rows += page.is_tag("math").nonzero()[0].tolist() if "math" in page.tag_names else []
        rows += _opening(draft) if draft.kind not in OF_LISTS else []
    mask = None
    if rows or boxes:
        mask = within(draft.blocks, rows) & ~draft.blocks.inside(BARS) | within(draft.blocks, boxes)
        mask = between_kept(draft.blocks, mask, draft.keep)
    if is_open and "dl" in page.tag_names:
        lists = _data_lists(draft)
        mask = lists if mask is None else mask | lists
    if mask is not None:
        mask &= (draft.score >= LOWEST) | (within(draft.blocks, coded) if coded else False)
        if below:
            mask |= within(draft.blocks, below) & ~draft.blocks.inside(BARS)
    return mask


def _below_text(draft: Draft, tables: list[int]) -> list[int]:
    """Return those of some tables that stand directly below a kept text, beside it.

    Few of their cells are links.
    """
    blocks, page, found = draft.blocks, draft.page, list[int]()
    parent, length = page.parent.item, page.length.item
    for row in tables:
        at, box = int(blocks.first.searchsorted(row)) - 1, row
        if at < 0 or not draft.keep[at] or not length(row):
            continue
        while length(parent(box)) == length(row) and parent(box) > page.body:
            box = parent(box)
        held = page.tag[row : page.end[row]]
        links, cells = (np.count_nonzero(some.take(held)) for some in (_LINKS, _CELLS))
        beside = parent(blocks.outermost.item(at)), parent(blocks.owner.item(at))
        if parent(box) in beside and links <= _MOST_LINKED * cells:
            found.append(row)
    return found


def _opening(draft: Draft) -> list[int]:
    """Return the elements that a click opens and that have more text than links."""
    page = draft.page
    rows = _PANELS.rows(page)
    if "details" in page.tag_names and draft.kind != THREAD:
        rows += page.is_tag("details").nonzero()[0].tolist()
    return [at for at in rows if page.link_length[at] <= _MOST_LINKED * page.length[at]]


_TERMS: Final = tags.CODES["dl"]
_FEWEST_PAIRS: Final = 2
_MOST_LINKED: Final = 0.3
"""Share of its characters in links up to which a list of terms, or a table, holds data."""
_OF_USER: Final = re.compile(r"profile|user-?info|author|poster", re.IGNORECASE)
"""Names of a list that says who wrote a post and since when the forum knows them."""
_BEFORE_TERMS, _BEFORE_FACTS = 3, 5
"""Dropped blocks that may stand between a text and its terms, a heading and a note, or a product
and its facts; such a list continues."""


def _data_lists(draft: Draft) -> Mask:
    """Return bool[m]: lists of terms outside `BARS` that follow kept text."""
    blocks, page, keep = draft.blocks, draft.page, draft.keep
    reach = _BEFORE_FACTS if draft.kind in OF_ONE_PRODUCT else _BEFORE_TERMS
    mask, kept = np.zeros(len(keep), dtype=bool), keep.tobytes()
    if draft.is_surely((ARTICLE, THREAD, *OF_LISTS)):
        return mask
    lists = (page.tag == _TERMS) & ~page.inside(BARS.take(page.boxes))
    stop = 0
    for row in lists.nonzero()[0].tolist():
        start, end = blocks.first.searchsorted((row, page.end[row])).tolist()
        if start < stop or end - start < 2 * _FEWEST_PAIRS or kept.find(1, start, end) >= 0:
            continue
        linked, length = blocks.link_length[start:end].sum(), blocks.length[start:end].sum()
        near = kept.find(1, max(start - reach, 0), start) >= 0 or (
            stop > 0 and start - stop < reach
        )
        is_of_user = _OF_USER.search(page.attribute(row, "class") or "")
        if near and linked <= _MOST_LINKED * length and not is_of_user:
            mask[start:end] = True
            stop = end
    return mask


def between_kept(blocks: TextBlocks, mask: Mask, keep: Mask) -> Mask:
    """Return bool[m]: ``mask`` from the first kept block to the last; all of it where none is.

    And what follows the last one, a name between or not, if it ends the element that holds the
    kept blocks, and what stands directly above a text beside it: a box of facts.
    """
    kept = keep.nonzero()[0]
    if len(kept):
        first, last = int(kept[0]), int(kept[-1])
        begin = last + 1
        if begin + 1 < len(mask) and not mask[begin] and blocks.length[begin] <= _NAME_OF_FILE:
            begin += is_code(blocks, begin + 1)  # behind the name of a file, or a number
        stop = mask.tobytes().find(0, begin)
        stop = len(mask) if stop < 0 else stop
        if stop <= begin or not _ends_with(blocks, first, last, stop):
            begin = stop = last + 1
        begun, page = mask.tobytes().rfind(0, 0, first) + 1, blocks.page
        beside = page.parent.item(blocks.owner.item(first))
        above = common_parent(page, blocks.first.item(begun), blocks.first.item(first))
        if above != beside or beside <= page.body:
            begun = first
        mask = mask.copy()
        mask[:begun] = False
        mask[last + 1 : begin] = True
        mask[stop:] = False
    return mask


def _ends_with(blocks: TextBlocks, first: int, last: int, stop: int) -> bool:
    """Return whether a heading stands above code, or what holds the text ends with no menu.

    Or it stands beside the last two blocks of the text, whatever follows.
    """
    page, row, own = blocks.page, blocks.first.item, slice(last + 1, stop)
    if blocks.link_length[own].sum() > _MOST_LINKED * blocks.length[own].sum():
        return False
    if tags.HEADING[blocks.owner_tag[last]] and is_code(blocks, stop - 1):
        return True
    around = common_parent(page, row(last), row(last + 1))
    ends = stop == len(blocks) or page.end[around] <= row(stop)
    before = max(first, last - 1)
    if around > page.body and set(page.parent[blocks.outermost[before : last + 1]]) == {around}:
        return True
    if around <= page.body or not ends or around < row(before):
        return bool(around > page.body and ends)
    head = blocks.owner.item(before)  # of a section of code in an element of its own
    is_headed = tags.HEADING[page.tag[head]] and page.parent[head] == page.parent[around]
    is_named = blocks.length[last] <= _NAME_OF_FILE and stop == last + 2
    return bool(is_headed or (is_named and is_code(blocks, stop - 1)))


def is_code(blocks: TextBlocks, at: int) -> bool:
    around = islice(blocks.page.ancestors(blocks.first.item(at)), _ABOVE_CODE)
    return any(_CODE[blocks.page.tag[row]] for row in around)


def plain_siblings(draft: Draft) -> Mask | None:
    """Return bool[m]: blocks without links, class or id between kept siblings; None for none.

    So are sentences directly below a kept heading, whatever follows, as bare text of the element
    around it, too, likely running text that directly follows a kept sibling, and more of a text
    than notices at its end can say.
    """
    blocks, score, keep = draft.blocks, draft.score, draft.keep
    dropped = ~keep
    left = dropped & (score >= LOWEST)
    if 1 not in left.tobytes():
        return None
    mask = _much_of_text(draft, left)
    if ends := [*_lines_beside_kept(draft)]:
        mask = marked(len(keep), ends) if mask is None else mask | marked(len(keep), ends)
    likely = (dropped & (score >= _LEAST.take(blocks.owner_tag))).nonzero()[0]
    of_kept = keep.nonzero()[0]
    near = of_kept.searchsorted(likely)
    likely = likely[near > 0]
    if not len(likely):
        return mask
    mask = np.zeros(len(keep), dtype=bool) if mask is None else mask
    kept, linked, owners, after = keep.tobytes(), blocks.linked, blocks.outermost, 0
    parents = blocks.page.parent.take(owners)
    beside = parents.take(of_kept.take(near[near > 0] - 1))
    bare = beside == owners.take(likely)
    may = bare | (beside == parents.take(likely))
    for at, is_bare in zip(likely[may].tolist(), bare[may].tolist(), strict=True):
        if mask[at]:  # with the other lines of its element
            continue
        if 0 <= after < at:
            after = kept.find(1, at)
        enclosed = not (is_bare or linked[at]) and after >= 0 and parents[after] == parents[at]
        if (enclosed or (kept[at - 1] and _follows_sibling(draft, at, is_bare=is_bare))) and (
            is_bare or _is_plain(draft, at)
        ):
            stop = at + 1
            while stop < len(keep) and owners.item(stop) == owners.item(at):
                stop += 1
            mask[at:stop] = True
    return mask if 1 in mask.tobytes() else None


def _lines_beside_kept(draft: Draft) -> Iterator[int]:
    """Yield the last lines of elements of which all others are kept.

    And likely running text that stands bare above the first kept element of its own.
    """
    blocks, page, keep, owner = draft.blocks, draft.page, draft.keep, draft.blocks.owner
    for at in ((keep[:-1] > keep[1:]) & (owner[:-1] == owner[1:])).nonzero()[0].tolist():
        if not blocks.linked[at + 1]:
            own = (owner == owner[at]).nonzero()[0]
            if own[-1] == at + 1 and len(own) >= _FEWEST_LINES and keep[own[:-1]].all():
                yield at + 1
    running = (draft.score >= LIKELY) & (blocks.length >= _RUNNING)
    for at in ((keep[1:] > keep[:-1]) & running[:-1]).nonzero()[0].tolist():
        around = page.parent[blocks.outermost[at + 1]]
        is_bare = page.parent[blocks.first[at]] == owner[at] == around
        if is_bare and draft.link_share[at] <= _MOST_LINKED:
            yield at


def _is_plain(draft: Draft, at: int) -> bool:
    """Return whether a block has no names, nor any box around it but such as a kept one has."""
    page, row, box = draft.page, draft.blocks.owner.item(at), draft.blocks.outermost.item(at)
    if any(map(page.attributes(row).get, ("class", "id"))):
        return False
    beside = draft.blocks.outermost[at - 1 : at + 2 : 2]
    return row == box or draft.kinds[box] in draft.kinds[beside]


_FEWEST_LINES: Final = 5  # lines of an element that is text
_SHARE_MISSED, _MOST_MISSED, _FEWEST_KEPT = 0.12, 0.6, 3
"""Share of the words of all paragraphs of one kind that are dropped, and kept ones. At the end of a
text what isn't content says less."""
_MOST_OF_STEPS: Final = 0.95
"""The most that may be dropped of the steps of numbered lists alike: a few kept speak for all."""
_LEAST_MISSED, _LEAST_IN_OTHERS = 20, 80
"""Words of such paragraphs in one element, and in sections alike."""
_PARAGRAPH, _ABOVE_PARAGRAPH = 8, 4  # words of a paragraph, and elements around that make it alike
_NEARLY: Final = 0.8  # mean score of a shop's text, as a share of what is enough to be kept


def _much_of_text(draft: Draft, left: Mask) -> Mask | None:
    """Return bool[m]: those ``left`` that say much of what paragraphs of their kind say.

    They are siblings, or stand in elements alike, as in the sections of a text, or are steps of
    numbered lists alike. So are all of a text in a shop that hardly fell short: a column of
    products sets what is enough.
    """
    blocks, keep, units = draft.blocks, draft.keep, draft.units
    long = (units >= _PARAGRAPH) & (blocks.link_length <= _MOST_LINKED * blocks.length)
    left = left & long & (draft.score < draft.threshold)
    if units.dot(left) < _LEAST_MISSED:
        return None
    if draft.kind not in OF_SHOPS:  # there all of a kind may be dropped
        kinds = draft.kinds.take(blocks.owner)
        known = np.sort(kinds[long & keep])
        left &= known.searchsorted(kinds, "right") - known.searchsorted(kinds) >= _FEWEST_KEPT
        if units.dot(left) < _LEAST_MISSED:
            return None
    some = (left | (long & keep)).nonzero()[0]
    left[some] &= _is_much(draft, some, left[some])
    if 1 not in left.tobytes():
        return None
    left &= ~blocks.inside(BARS | _CAPTION)
    if not (rows := left.nonzero()[0].tolist()):
        return None
    lines = Lines(blocks.texts(rows), rows)
    left[lines.calls() + lines.having(NOTICES)] = False
    return left


def _is_much(draft: Draft, some: NDArray[np.intp], is_left: Mask) -> Mask:
    """Return bool[s]: of which of some paragraphs enough of their kind is left, and kept."""
    page, kinds, words, owner = draft.page, draft.kinds, draft.units[some], draft.blocks.owner[some]
    left_words, much = np.where(is_left, words, 0), np.zeros(len(some), dtype=bool)
    own = kinds[owner]
    ways: list[tuple[Iterable[NDArray[Any]], int, float]]
    ways = [((page.parent[owner], own), _LEAST_MISSED, _MOST_MISSED)]
    if left_words.sum() >= _LEAST_IN_OTHERS:
        above = [*accumulate([owner, *[page.parent] * _ABOVE_PARAGRAPH], lambda row, up: up[row])]
        ways.append(((kinds[row] for row in above), _LEAST_IN_OTHERS, _MOST_MISSED))
        *within_it, around = above  # in one element sections may differ but for their first name
        if left_words[np.isin(around, around[~is_left])].sum() >= _LEAST_IN_OTHERS:
            first_names = element_kinds(page)
            sections = (around, *(first_names[row] for row in within_it))
            ways.append((sections, _LEAST_IN_OTHERS, _MOST_MISSED))
        if "ol" in page.tag_names:
            steps = kernels.nearest(page.parent, page.tag == _ORDERED)[owner]
            ways.append(((steps < 0, kinds[steps], own), _LEAST_IN_OTHERS, _MOST_OF_STEPS))
    for alike, least, most_missed in ways:
        of = numbered(*alike)
        missed, told = np.bincount(of, left_words), np.bincount(of, words)
        enough = missed >= np.maximum(_SHARE_MISSED * told, least)
        kept, all_of = np.bincount(of, ~is_left), np.bincount(of)
        enough &= (missed <= most_missed * told) & (kept >= _FEWEST_KEPT)
        if most_missed == _MOST_OF_STEPS:
            enough &= np.bincount(of, steps >= 0) == all_of
        elif draft.kind in OF_SHOPS and least == _LEAST_IN_OTHERS:
            mean = np.bincount(of, draft.score[some]) / all_of
            nearly = (mean >= _NEARLY * draft.threshold) & (missed >= least)
            enough |= nearly & (kept == 0) & (all_of >= _FEWEST_KEPT)
        much |= enough[of]
    return much


def _follows_sibling(draft: Draft, at: int, *, is_bare: bool) -> bool:
    """Return whether a plain block goes with a kept sibling directly above it.

    Below a heading so do sentences, below all likely running text, and how to reach someone; where
    that is told in lines with a number, below a heading of a service.
    """
    blocks = draft.blocks
    if blocks.length[at] <= _CONTACT_LINE and (
        blocks.owner_tag[at] == _ADDRESS or _NUMBER.fullmatch(blocks.text(at))
    ):
        return True
    is_headed = tags.HEADING[blocks.owner_tag[at - 1]]
    is_running = not is_bare and draft.score[at] >= LIKELY and blocks.length[at] >= _RUNNING
    if blocks.link_length[at] or not (is_headed or is_running):
        return False
    is_told = is_headed and blocks.length[at] <= _CONTACT_LINE and not draft.is_surely(_NO_SERVICE)
    return ends_sentence(blocks, at) or (is_told and any(map(str.isdigit, blocks.text(at))))


_QUOTATIONS: Final = Search(
    "class", "quote", "testimonial"
)  # names of boxes that hold what somebody said
_LONGEST_QUOTATION: Final = 1200  # characters of a quotation, white space left out
_MOST_SOURCES: Final = 2  # lines that say who says it, or where
_LEAST_QUOTED: Final = 0.15  # score of a quotation between kept texts
_AROUND_QUOTED, _LEAST_PULLED = " \"'“”„«»‘’‚「」『』….,!?。！？", 8
"""Marks around what a box shows of a text, and its characters at least."""
_PICTURED: Final = tags.table("img picture video iframe".split())
_QUOTED: Final = tags.table(["blockquote"])
_ASKING: Final = tags.table("form input".split())


def quotations(draft: Draft) -> Mask | None:
    """Return bool[m]: sources of kept quotations, and quotations between kept texts; None for none.

    What stands behind the kept text of a ``blockquote``, of an element named so or of a ``figure``
    of text alone is its source, behind code its caption.
    """
    blocks, page, keep = draft.blocks, draft.page, draft.keep
    boxes = named = _QUOTATIONS.rows(page)
    if not page.tag_names.isdisjoint(("blockquote", "figure")):
        boxes = [*named, *page.is_tag("blockquote", "figure").nonzero()[0].tolist()]
    if not boxes:
        return None
    mask, boxes = keep.copy(), sorted({*boxes}, reverse=True)  # a figure after what it holds
    spans = blocks.first.searchsorted((boxes, page.end.take(boxes).tolist())).tolist()
    for row, start, stop in zip(boxes, *spans, strict=True):
        if start == stop or 1 not in mask[max(start - 1, 0) : stop].tobytes():
            continue
        if row in named and _is_pulled(draft, row, start, stop):
            keep = draft.keep = keep.copy()
            keep[start:stop] = mask[start:stop] = False
            continue
        length, kept = blocks.length[start:stop], mask[start:stop].nonzero()[0]
        of_box = page.tag[row : page.end[row]]
        if length.sum() > _LONGEST_QUOTATION or _ASKING[of_box].any():
            continue
        if 2 * length[kept].sum() >= length.sum() or (len(kept) and _CODE[of_box].any()):
            if 0 < len(behind := length[kept[-1] + 1 :]) <= _MOST_SOURCES:
                mask[stop - len(behind) : stop] = not _PICTURED[of_box].any()
        elif start > 0 and (_QUOTED[of_box].any() or row in named):
            linked = blocks.link_length[start:stop].sum() > _MOST_LINKED * length.sum()
            around = page.parent[row]
            ends = stop == blocks.first.searchsorted(page.end[around]) and not mask[stop:].any()
            is_between = ends and page.body < around < blocks.first[start - 1]
            is_between |= stop < len(keep) and keep[stop]
            is_between &= keep[start - 1] and not linked
            mask[start:stop] |= is_between and draft.score[start:stop].max() >= _LEAST_QUOTED
    return mask


def _is_pulled(draft: Draft, row: int, start: int, stop: int) -> bool:
    """Return whether a box named so shows again what stands in a kept block around it."""
    if "pull" not in (draft.page.attribute(row, "class") or "").lower():
        return False
    said = draft.blocks.text(start).strip(_AROUND_QUOTED).casefold()
    around = draft.keep & (draft.blocks.length > draft.blocks.length[start])
    around[start:stop] = False
    return len(said) >= _LEAST_PULLED and any(
        said in text.casefold() for text in draft.blocks.texts(around.nonzero()[0].tolist())
    )


_MARK: Final = 6  # characters of a link to a note: 12, [12], *
_NOTES: Final = Search(
    "class", "footnote", "fn", "noteref"
)  # names by which styles alone raise marks
_MOST_NOTES: Final = 24


_SIGNED: Final = re.compile(r"(\*{1,3}|[†‡]|※\d{0,2}|\[?\d{1,2}\b\]?)[\s).]{0,2}[^\W\d_]")
"""How a note begins to which no link leads, but its sign in the text."""


def _signed_notes(draft: Draft) -> Iterator[int]:
    """Yield notes directly below kept text that begin with a sign behind a word of it.

    Numbers are raised there, and counted from 1.
    """
    blocks, page, keep = draft.blocks, draft.page, draft.keep
    ends = (keep[:-1] > keep[1:]).nonzero()[0]
    below = zip(ends.tolist(), blocks.texts(ends + 1), strict=True)
    signed = [above for above, line in below if _SIGNED.match(line)]
    if not signed:
        return
    sups = page.is_tag("sup").nonzero()[0].tolist()
    raised = {page.folded(row).strip("[]()") for row in sups if page.length[row] <= _MARK}
    begin, number = blocks.spans[0][int(keep.argmax())], 1
    for above in signed:
        for at in range(above + 1, min(above + 1 + _MOST_NOTES, len(blocks))):
            found = _SIGNED.match(blocks.text(at))
            if found is None or keep[at] or blocks.linked[at]:
                break
            around = common_parent(page, blocks.first.item(above), blocks.first.item(at))
            sign, is_note = found[1].strip("[]"), page.body < around
            if sign.isdigit():
                is_note &= sign in raised and int(sign) == number
                number += is_note
            else:
                place = page.text.find(sign, begin, blocks.spans[1][above])
                is_note &= around == page.parent[blocks.outermost[at]] and place > begin
                is_note &= page.text[place - 1].isalnum()
            if not is_note:
                break
            yield at


def notes(draft: Draft) -> Mask | None:
    """Return bool[m]: the footnotes of kept text; None for none.

    Notes of links, and many of them, are sources, which go by their scores.
    """
    blocks, page, keep = draft.blocks, draft.page, draft.keep
    if signed := [*_signed_notes(draft)]:
        keep = draft.keep = keep | marked(len(blocks), signed)
    may_be_typed = "[" in page.text and "[1]" in page.text  # the former is sooner seen
    if not ("sup" in page.tag_names or may_be_typed or len(_NOTES.candidates(page))):
        return None
    found = notes_of(blocks, keep)
    if not 0 < len(found) <= _MOST_NOTES:
        return None
    return within(blocks, [at for at in found if 2 * page.link_length[at] <= page.length[at]])


def notes_of(blocks: TextBlocks, keep: Mask) -> list[int]:
    """Return the elements with the notes to which marks in kept text lead."""
    page = blocks.page
    links = ((page.tag == tags.LINK) & (page.length > 0) & (page.length <= _MARK)).nonzero()[0]
    in_text = keep & (2 * blocks.link_length < blocks.length)
    links = links[in_text[blocks.first.searchsorted(links + 1, "right") - 1]]
    return [*footnotes(page, links.tolist(), page.shown).notes]


def within(blocks: TextBlocks, rows: Sequence[int] | NDArray[np.integer]) -> Mask:
    """Return bool[m]: the blocks that stand in some elements."""
    return blocks.page.inside(marked(len(blocks.page), rows))[blocks.first]


@kept_with_page
def data_table_rows(page: Page) -> Rows:
    """Return int32[r]: the rows of tables that show data, by tag or role."""
    parts = aria_tables(page)
    if not parts and "table" not in page.tag_names:
        return _NO_ROWS
    return shows_data(page, parts).nonzero()[0].astype(np.int32)


def common_parent(page: Page, row: int, after: int) -> int:
    """Return the innermost element around ``row`` that holds the later row ``after``, too."""
    return page.parent.item(kernels.outermost_within(page.parent, page.end, row, -1, after))


def ends_sentence(blocks: TextBlocks, at: int) -> bool:
    end = blocks.spans[1][at]
    return blocks.page.text[max(end - _END_OF_TEXT, 0) : end].rstrip().endswith(_SENTENCE_ENDS)


def apart(page: Page, row: int, others: list[int]) -> int:
    """Return the outermost of ``row`` and the elements around it that holds none of ``others``."""
    before = max([other for other in others if other <= row], default=-1)
    behind = min([other for other in others if other > row], default=len(page))
    return kernels.outermost_within(page.parent, page.end, row, before, behind)


def link_address(blocks: TextBlocks, block: int) -> str | None:
    """Return the address of the innermost link around a block's first row; None for none."""
    page = blocks.page
    rows = page.ancestors(blocks.first.item(block))
    return next((page.attribute(row, "href") for row in rows if page.tag[row] == tags.LINK), None)


# Chosen on images of magic_html_article and fundus; run bench/quality/fidelity.py on both again.
_MOST_UNITS: Final = 60  # words of the element around an image: a caption has no more, a text has
_MOST_IMAGES: Final = 6  # images of that element
_LEAST_KEPT: Final = 0.5  # share of the words of its parent that must be kept
_BEFORE: Final = 3  # most blocks between an image above the text and the first block of the text
_SMALL_MEDIA: Final = 100
"""Pixels of the longer declared side below which an image is an icon or a portrait."""

_IMAGES: Final = tags.table(["img", "embed"])


def media(draft: Draft) -> None:
    """Keep images, breaks and other void elements that belong to the kept blocks."""
    draft.media = _media(draft)
    if draft.adverts is not None:
        draft.media &= ~draft.adverts


def _media(draft: Draft) -> Mask:
    blocks, page, keep = draft.blocks, draft.page, draft.keep
    tag, shown = page.tag, page.shown
    mask = kernels.tags_between(tag, tags.VOID, shown, blocks.first, blocks.last, keep)
    kept = keep.tobytes()
    if 1 not in kept or page.tag_names.isdisjoint(("img", "embed")):
        return mask
    near = kernels.rows_of(tag, _IMAGES, shown, *_reach(blocks, kept.find(1), kept.rfind(1)))
    near = near[~mask.take(near)]
    if len(near):
        images = kernels.rows_of(tag, _IMAGES, shown, 0, len(page))
        of_blocks, bounds = (
            (blocks.first, draft.units, keep),
            (_LEAST_KEPT, _MOST_UNITS, _MOST_IMAGES),
        )
        near = near[kernels.beside_kept((page.parent, page.end), of_blocks, images, near, bounds)]
        sizes = page.own_attributes.values_of(near, "width", "height", "style")
        mask[near] = True
        for at, size in zip(near.tolist(), sizes, strict=True):  # icons and portraits don't count
            if any(size):
                width, height = parsed_size(*[one or "" for one in size])
                is_unsized = width is None and height is None
                mask[at] = is_unsized or max(width or 0, height or 0) >= _SMALL_MEDIA
    return mask


def _reach(blocks: TextBlocks, first: int, last: int) -> tuple[int, int]:
    """Return the first and the end of the rows in which an image may belong to kept text.

    They begin `_BEFORE` blocks above the first kept block and end with the last one's parent.
    """
    page, top = blocks.page, first - _BEFORE
    start = blocks.last.item(top - 1) if top > 0 else 0
    return start, page.end.item(max(page.parent.item(blocks.first.item(last)), 0))
