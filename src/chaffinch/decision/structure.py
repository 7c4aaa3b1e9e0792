"""What follows from the structure around text: tables and code, lists, headings, images.

Data tables and code between kept blocks are kept unless they are nearly surely noise, and plain
blocks between kept siblings at a higher score. A list goes with the line that announces it and with
the text on both its sides; headings go with what they head; images stay where they stand with
kept text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice, takewhile
from typing import Final

import numpy as np
from numpy.typing import NDArray

from chaffinch import kernels
from chaffinch.elements import WORDS
from chaffinch.elements.adverts import CALLS, lines_with
from chaffinch.elements.code import containers_of_code
from chaffinch.elements.image_sources import parsed_size
from chaffinch.elements.tables import aria_tables, shows_data
from chaffinch.page import Page, tags
from chaffinch.page.arrays import Floats, Mask, Rows
from chaffinch.segment.text_blocks import TextBlocks

BARS: Final = tags.table("nav header footer aside form".split())
"""Elements around the content, in which no table, code or card is part of it."""
_PLAIN: Final = 0.2
"""Score of a plain block among kept siblings."""
_RUNNING: Final = 100
"""Characters of running text, white space left out."""
_CODE: Final = tags.table(["pre"])
_NO_ROWS: Final = np.zeros(0, dtype=np.int32)


def tables_and_code(blocks: TextBlocks, *, tables: bool, code: bool) -> Mask | None:
    """Return bool[m]: blocks in data tables or code, outside `BARS`; None where there are none.

    Args:
        blocks: the page's m text blocks.
        tables: whether data tables count.
        code: whether code counts.
    """
    page = blocks.page
    mask = None
    if code and page.holds("pre"):
        mask = blocks.inside(_CODE)
    if code and page.holds("code") and page.holds("br"):
        breaks = page.total(tags.BREAK.take(page.tag))
        broken = page.inside(page.is_tag("code") & (breaks > 0))[blocks.first]
        mask = broken if mask is None else mask | broken
    around = [
        *(containers_of_code(page) if code else ()),
        *(data_table_rows(page) if tables else ()),
    ]
    if around:
        inside = within(blocks, around)
        mask = inside if mask is None else mask | inside
    return None if mask is None else mask & ~blocks.inside(BARS)


_TERMS: Final = tags.CODES["dl"]
_FEWEST_PAIRS: Final = 2
_MOST_LINKED: Final = 0.3
"""Share of its characters in links up to which a list of terms, or a table, holds data."""


def data_lists(blocks: TextBlocks, keep: Mask, *, reach: int) -> Mask | None:
    """Return bool[m]: lists of terms outside `BARS` that follow kept text; None for none.

    Args:
        blocks: the page's m text blocks.
        keep: bool[m], the blocks that are kept.
        reach: dropped blocks that may stand between, a heading and a note; such a list continues.
    """
    page = blocks.page
    if not page.holds("dl"):
        return None
    lists = (page.tag == _TERMS) & ~page.inside(BARS.take(page.tag))
    mask, kept = np.zeros(len(keep), dtype=bool), keep.tobytes()
    stop = 0
    for row in lists.nonzero()[0].tolist():
        start, end = blocks.first.searchsorted((row, page.end[row])).tolist()
        if start < stop or end - start < 2 * _FEWEST_PAIRS or kept.find(1, start, end) >= 0:
            continue
        linked, length = blocks.link_length[start:end].sum(), blocks.length[start:end].sum()
        near = kept.find(1, max(start - reach, 0), start) >= 0 or (
            stop > 0 and start - stop < reach
        )
        if near and linked <= _MOST_LINKED * length:
            mask[start:end] = True
            stop = end
    return mask if mask.any() else None


def between_kept(blocks: TextBlocks, mask: Mask, keep: Mask) -> Mask:
    """Return bool[m]: ``mask`` from the first kept block to the last; all of it where none is.

    And what directly follows the last one, if it ends the element that holds the kept blocks.
    """
    kept = keep.nonzero()[0]
    if len(kept):
        first, last = int(kept[0]), int(kept[-1])
        stop = mask.tobytes().find(0, last + 1)
        stop = len(mask) if stop < 0 else stop
        if stop > last + 1 and not _ends_with(blocks, first, last, stop):
            stop = last + 1
        mask = mask.copy()
        mask[:first] = False
        mask[stop:] = False
    return mask


def _ends_with(blocks: TextBlocks, first: int, last: int, stop: int) -> bool:
    """Return whether an element that holds more kept text ends with blocks that aren't a menu."""
    page, row, own = blocks.page, blocks.first.item, slice(last + 1, stop)
    if blocks.link_length[own].sum() > _MOST_LINKED * blocks.length[own].sum():
        return False
    around = _common_parent(page, row(last), row(last + 1))
    ends = stop == len(blocks) or page.end[around] <= row(stop)
    return bool(around > page.body and ends and around < row(max(first, last - 1)))


def plain_siblings(blocks: TextBlocks, score: Floats, keep: Mask) -> Mask | None:
    """Return bool[m]: blocks without links, class or id between kept siblings; None for none.

    So are sentences directly below a kept heading, whatever follows, and likely running text that
    directly follows a kept sibling.
    """
    likely = ~keep & (score >= _PLAIN)
    if 1 not in likely.tobytes():
        return None
    page, kept, tag = blocks.page, keep.tobytes(), blocks.owner_tag.item
    parents: list[int] = page.parent.take(blocks.owner).tolist()
    added, before, after = [], -1, kept.find(1)
    for at in likely.nonzero()[0].tolist():
        if at > after >= 0:  # the kept blocks on both sides
            before, after = kept.rfind(1, after, at), kept.find(1, at)
        if before < 0 or parents[before] != parents[at]:
            continue
        follows = before == at - 1
        is_headed = follows and tags.HEADING[tag(before)]
        is_last = follows and score[at] >= _LIKELY and blocks.length[at] >= _RUNNING
        if (
            tags.BLOCK[tag(at)]
            and (
                (after >= 0 and parents[after] == parents[at])
                or ((is_headed or is_last) and _ends_sentence(blocks, at))
            )
            and not any(map(page.attributes(blocks.owner.item(at)).get, ("class", "id")))
            and not blocks.link_length[at]
        ):
            added.append(at)
    if not added:
        return None
    mask = np.zeros(len(keep), dtype=bool)
    for at in added:  # with the other lines of its element
        owner, stop = blocks.owner.item(at), at + 1
        while stop < len(keep) and blocks.owner.item(stop) == owner:
            stop += 1
        mask[at:stop] = True
    return mask


def within(blocks: TextBlocks, rows: Sequence[int] | Rows) -> Mask:
    """Return bool[m]: the blocks that stand in some elements."""
    marked = np.zeros(len(blocks.page), dtype=bool)
    marked[rows] = True
    return blocks.page.inside(marked)[blocks.first]


def data_table_rows(page: Page) -> Rows:
    """Return int32[r]: the rows of tables that show data, by tag or role; derived once a page."""

    def made() -> tuple[Rows]:
        parts = aria_tables(page)
        if not parts and not page.holds("table"):
            return (_NO_ROWS,)
        return (shows_data(page, parts).nonzero()[0].astype(np.int32),)

    (rows,) = page.derived("rows of data tables", made)
    return rows


# Chosen on the five folds of wcxb: without the two bounds a third of the words are links to others.
_LINKED: Final = 0.5
"""Share of its characters in links up to which a list is announced, not a menu."""
_MOST: Final = 120
"""Words of such a list."""
_LISTS: Final = frozenset(tags.CODES[name] for name in ("ul", "ol", "dl"))
_FEWEST: Final = 3
"""Lines that are no list by their tags."""
_LINES: Final = tags.table("p div section span font center address".split())
_P: Final = tags.CODES["p"]
_END_OF_TEXT: Final = 8  # characters, white space included
_SENTENCE_ENDS: Final = tuple(".!?…。！？।؟۔»”")
_BOX_NAMES: Final = re.compile(
    rf"(?<![a-z])(?:{WORDS['names of boxes in a text']})(?![a-z])", re.IGNORECASE
)
"""Names of boxes in a text that say what a reader is to heed, of verse, and of tabs."""
_OTHER_NAMES: Final = re.compile(
    rf"(?<![a-z])(?:{WORDS['names of boxes beside a text']})(?![a-z])", re.IGNORECASE
)
"""Names of boxes that are another part of a page, or go with a picture."""
_MOST_IN_BOX: Final = 8
"""Blocks between two kept ones that may stand in such boxes."""
_ASIDE, _H1 = tags.CODES["aside"], tags.CODES["h1"]
_PICTURES: Final = tags.table("img embed iframe video".split())
_MEDIA: Final = tags.table("img embed iframe video button input select".split())
"""Elements whose captions and labels stand between texts."""
_LIKELY: Final = 0.3
"""Score of what is kept between kept texts of the same element whatever it is."""
_QUOTE: Final = tags.CODES["blockquote"]
_EMBEDDED: Final = re.compile(r"(?:^|\s)(?:[a-z]+-(?:media|tweet|embed)|\w+-embed-\w+)(?=\s|$)")
"""Names of quotations from elsewhere: instagram-media, twitter-tweet, reddit-embed-bq."""
_COLONS: Final = (":", "：", "﹕")
_LAST: Final = frozenset("".join(_COLONS) + " \t\r\n\xa0")
_END: Final = 4
"""Characters at the end of a line, white space included, among which the colon is looked for."""


def announced_lists(
    blocks: TextBlocks, score: Floats, units: Floats, keep: Mask, *, closing: bool
) -> Mask | None:
    """Return bool[m]: lists, and lines above them, that are to be kept, too; None for none.

    With ``closing`` also lists that end a section.
    """
    page = blocks.page
    if not (uneven := _last_of_runs(keep)):
        return None
    kept = 0 if keep[uneven[0]] else 1  # where the first run of kept blocks stands
    words, embeds = units.tolist(), _embeds(page)
    changes = [
        (slice(at + 1, stop + 1), True)
        for at, stop in zip(uneven[kept::2], uneven[kept + 1 :: 2], strict=False)
        if sum(words[at + 1 : stop + 1]) <= _MOST
        and _is_enclosed(blocks, score, at, stop + 1, embeds)
    ]
    text, ends = page.text, blocks.spans[1]
    lines = [
        at
        for at in uneven
        if text[(end := ends[at]) - 1] in _LAST
        and text[max(end - _END, 0) : end].rstrip().endswith(_COLONS)
    ]
    for at in lines:
        own = slice(at + 1, _end_of_list(blocks, at))
        if not keep[at]:
            changes.append((slice(at, at + 1), own.stop > own.start))
        elif not keep[own].any() and _may_be_announced(blocks, units, own):
            changes.append((own, True))
    if closing:
        changes += [(own, True) for own in _closing_lists(blocks, score, uneven[kept::2])]
    if not changes:
        return None
    mask = np.zeros(len(keep), dtype=bool)
    for own, added in changes:
        inner = [blocks.text(at).casefold() for at in range(own.start, own.stop)]
        mask[own] = added and not lines_with(CALLS, inner)
    if not mask.any():
        return None
    bars = BARS.take(page.tag)
    if page.holds("aside"):
        named = page.rows_where("class", lambda own: _BOX_NAMES.search(own) is not None)
        bars[[row for row in named if page.tag[row] == _ASIDE]] = False
    return mask & ~page.inside(bars)[blocks.first]


def _closing_lists(blocks: TextBlocks, score: Floats, ends: list[int]) -> Iterator[slice]:
    """Yield lists without links behind kept texts, no less likely than `_LIKELY`.

    They end the element of that text: a section.
    """
    page, row = blocks.page, blocks.first.item
    for at in ends:
        own = slice(at + 1, _end_of_list(blocks, at))
        if own.stop <= own.start or blocks.linked.find(1, own.start, own.stop) >= 0:
            continue
        above = _common_parent(page, row(at), row(own.start))
        if (
            page.parent.item(blocks.owner.item(at)) == above != page.body
            and score[own].min() >= _LIKELY
            and not tags.HEADING[blocks.owner_tag[at]]
            and (own.stop == len(blocks) or page.end.item(above) <= row(own.stop))
        ):
            yield own


def _last_of_runs(keep: Mask) -> list[int]:
    """Return the blocks behind which a kept one is followed by a dropped one, or the reverse."""
    last: list[int] = (keep[1:] != keep[:-1]).nonzero()[0].tolist()
    return last


def _is_enclosed(blocks: TextBlocks, score: Floats, at: int, stop: int, embeds: set[int]) -> bool:
    """Return whether the blocks between two, which are kept, are a list or lines beside both.

    Or anything else without links and images that is no less likely than `_LIKELY`.

    Args:
        blocks: the page's m text blocks.
        score: float[m], probability that each block is content.
        at: the kept block before; what follows it isn't kept.
        stop: the next kept block.
        embeds: rows of quotations embedded from elsewhere.
    """
    page, own, row = blocks.page, slice(at + 1, stop), blocks.first.item
    above = _common_parent(page, row(at), row(at + 1))
    below = _common_parent(page, row(stop - 1), row(stop))
    if embeds and all(_quote(page, one) in embeds for one in blocks.first[own].tolist()):
        if above == below or max(_quote(page, above), _quote(page, below)) >= 0:
            return True
    elif above == below and blocks.linked.find(1, at + 1, stop) < 0:
        is_likely = (
            score[own].min() >= _LIKELY / (1 + _is_twice(blocks, own))
            and not _MEDIA[page.tag[blocks.last[at] : blocks.first[stop]]].any()
        )
        if is_likely or _end_of_list(blocks, at) == stop or _are_lines(blocks, own):
            return True
    return _are_sentences(blocks, at, stop, (above, below))


def _is_twice(blocks: TextBlocks, own: slice) -> bool:
    """Return whether blocks are two copies of the same texts, which makes either less likely."""
    texts = [blocks.text(at) for at in range(own.start, own.stop)]
    half = len(texts) // 2
    return texts[:half] == texts[half:]


def _are_lines(blocks: TextBlocks, own: slice) -> bool:
    """Return whether blocks are lines of one element, or of siblings without names: fields have."""
    if own.stop - own.start < _FEWEST or not _LINES[blocks.owner_tag[own]].all():
        return False
    page, owners = blocks.page, blocks.owner[own]
    alike = (page.parent[owners] == page.parent[owners[0]]) & (
        page.tag[owners] == page.tag[owners[0]]
    )
    same = (owners == owners[0]).all()
    return bool(same or (alike.all() and not page.has("class")[owners].any()))


def _are_sentences(blocks: TextBlocks, at: int, stop: int, around: tuple[int, int]) -> bool:
    """Return whether a few blocks between two are sentences, or in boxes that a text has.

    ``around`` are the innermost elements that hold the first of the two with what follows it, and
    the second with what precedes.

    These are named for advice or tabs; or they have a name of no other part of a page and no links,
    stand beside the two blocks and end like a sentence, or are the first line of what the second
    stands in.
    """
    page, own, row = blocks.page, range(at + 1, stop), blocks.first.item
    is_linked = blocks.linked.find(1, at + 1, stop) >= 0
    linked, length = blocks.link_length[at + 1 : stop].sum(), blocks.length[at + 1 : stop].sum()
    is_headline = page.tag[blocks.owner[at]] == _H1  # below it stand fields of the text
    if is_headline or len(own) > _MOST_IN_BOX or (is_linked and 2 * linked > length):
        return False
    above, below = around
    boxes = [_box_within(page, row(one), min(above, below)) for one in own]
    if not any(boxes):
        short = above == below and len(own) < _FEWEST
        return short and all(_ends_sentence(blocks, one) for one in own)
    if _PICTURES.take(page.tag[blocks.last[at] : blocks.first[stop]]).any():
        return False
    if is_linked or any(map(_OTHER_NAMES.search, boxes)):
        return all(map(_BOX_NAMES.search, boxes))
    before, after = (page.parent.item(blocks.owner[one]) for one in (at, stop))
    first_line = len(own) == 1 and before == above < below
    beside = before == after == above == below and len(own) <= _FEWEST
    ends = beside and _ends_sentence(blocks, stop - 1)
    return first_line or ends or all(map(_BOX_NAMES.search, boxes))


def _box_within(page: Page, row: int, above: int) -> str:
    """Return the names of the outermost named element that is in another, around a row; or ""."""
    found = ""
    for up in takewhile(lambda one: one > above, page.ancestors(row)):
        pairs = page.attributes(up)
        tag = "details " if page.name(up) == "details" else ""
        names = pairs.get("class") or pairs.get("id") or ""
        found = f"{tag}{names} {pairs.get('role') or ''}".strip() or found
    return found


def _ends_sentence(blocks: TextBlocks, at: int) -> bool:
    end = blocks.spans[1][at]
    return blocks.page.text[max(end - _END_OF_TEXT, 0) : end].rstrip().endswith(_SENTENCE_ENDS)


def _embeds(page: Page) -> set[int]:
    """Return the rows of quotations that are named as embedded from elsewhere."""
    if not page.holds("blockquote"):
        return set()
    rows = (page.tag == _QUOTE).nonzero()[0].tolist()
    return {row for row in rows if _EMBEDDED.search(page.attribute(row, "class") or "")}


def _quote(page: Page, row: int) -> int:
    """Return the innermost quotation that a row is or stands in; -1 for none."""
    return next((at for at in (row, *page.ancestors(row)) if page.tag[at] == _QUOTE), -1)


def _common_parent(page: Page, row: int, after: int) -> int:
    """Return the innermost element around ``row`` that holds the later row ``after``, too."""
    parent, end = page.parent.item, page.end.item
    above = parent(row)
    while above >= 0 and end(above) <= after:
        above = parent(above)
    return above


def apart(page: Page, row: int, others: list[int]) -> int:
    """Return the outermost of ``row`` and the elements around it that holds none of ``others``."""
    part = row
    for above in page.ancestors(row):
        if any(above <= other < page.end[above] for other in others):
            break
        part = above
    return part


def _may_be_announced(blocks: TextBlocks, units: Floats, own: slice) -> bool:
    linked, length = blocks.link_length[own].sum(), blocks.length[own].sum()
    return bool(linked <= _LINKED * length and units[own].sum() <= _MOST)


def _end_of_list(blocks: TextBlocks, at: int) -> int:
    """Return the end of the list that begins with the block after ``at``; ``at`` for no list."""
    page, found = blocks.page, -1
    tag, parent, first = page.tag.item, page.parent.item, blocks.first.item(at)
    above = parent(blocks.first.item(at + 1))
    while above > first:
        if tag(above) in _LISTS:
            found = above
        above = parent(above)
    return int(blocks.first.searchsorted(page.end[found])) if found >= 0 else at


PAGE_TYPES: Final = ("article", "documentation", "service")
"""Page types of running text under headings."""
_SHARE: Final = 0.8
"""Share of the threshold that such a heading must reach."""
_ENOUGH: Final = 0.2
"""Score that is enough in running text, where the heading leads nowhere: links are teasers."""
_MOST_BETWEEN: Final = 3
_SMALL: Final = 12
"""Dropped blocks between a heading and its kept text, and their words together: a badge, a date."""
_BOXED: Final = 4
"""Elements around a heading that may be the box of a form."""
_LOWEST: Final = 6
_FORMS: Final = tags.table(["form"])
_ALL: Final = np.zeros(0, dtype=bool)
_RANK: Final = np.zeros(len(tags.NAMES), dtype=np.int8)
"""int8[tags]: the rank of a heading, 1 is highest, `_LOWEST` lowest; 0 for other tags."""
_RANK[[tags.CODES[f"h{rank}"] for rank in range(1, _LOWEST + 1)]] = range(1, _LOWEST + 1)
_RANK[tags.CODES["summary"]] = _LOWEST


def headings_above_kept(
    blocks: TextBlocks,
    score: NDArray[np.floating],
    keep: Mask,
    threshold: float,
    *,
    units: Floats | None = None,
) -> Mask | None:
    """Return bool[m]: headings (h2 to h6) of kept text; None if none.

    Only those that aren't kept yet. What follows a heading is kept text, or a heading of a lower
    rank that is kept.

    Args:
        blocks: the page's m text blocks.
        score: float32[m], probability that each block is content.
        keep: bool[m], the blocks that are kept.
        threshold: the score from which text is kept.
        units: float32[m], words of each block, on pages of running text: there a lower score is
            enough, and small dropped blocks may stand between.
    """
    least = _SHARE * threshold
    near: Mask = score >= (least if units is None else min(least, _ENOUGH))
    near &= ~keep
    if 1 not in near.tobytes():
        return None
    ranks = _ranks(blocks)
    near &= ranks > 1
    rank, kept = ranks.tobytes(), bytearray(keep.tobytes())
    for head in near.nonzero()[0].tolist()[::-1]:
        below = kept.find(1, head + 1, head + 2 + (0 if units is None else _MOST_BETWEEN))
        is_above = below > 0 and (not rank[below] or rank[below] > rank[head])
        if is_above and below > head + 1 and units is not None:
            between = slice(head + 1, below)
            is_above = not any(rank[between]) and units[between].sum() <= _SMALL
            is_above = is_above and _follows(blocks, kept, rank, head, below)
        if is_above and (score[head] < least or below > head + 1):
            is_above = not _leads_away(blocks, head)
        kept[head] = near[head] = bool(is_above)
    return near


def _ranks(blocks: TextBlocks) -> NDArray[np.int8]:
    """Return int8[m]: the rank of the heading that each block is; 0 for none.

    What a heading holds in an element of its own is the heading, too.
    """
    page = blocks.page

    def made() -> tuple[NDArray[np.int8]]:
        rank = _RANK.take(blocks.owner_tag)
        heads = kernels.rows_of(page.tag, tags.HEADING, _ALL, 0, len(page))
        begin, stop = blocks.first.searchsorted((heads, page.end.take(heads)))
        alone = stop - begin == 1
        rank[begin[alone]] = _RANK.take(page.tag.take(heads[alone]))
        return (rank,)

    (rank,) = page.derived("ranks of blocks", made)
    return rank


def _follows(blocks: TextBlocks, kept: bytearray, ranks: bytes, head: int, below: int) -> bool:
    """Return whether a heading and its text stand in an element that holds kept text before, too.

    Or, where none does, behind the next heading of its rank. Cards hold their own text alone.
    """
    page, row, text = blocks.page, blocks.owner.item(head), blocks.first.item(below)
    before = kept.rfind(1, 0, head)
    while row >= 0 and page.end[row] <= text:
        row = int(page.parent[row])
    if before >= 0:
        return row <= int(blocks.first[before])
    following = ranks.find(ranks[head], head + 1)
    after = kept.find(1, following) if following > 0 else -1
    return after > 0 and int(blocks.first[after]) < int(page.end[row])


def _leads_away(blocks: TextBlocks, head: int) -> bool:
    """Return whether a heading is a link to another page."""
    page, row = blocks.page, blocks.first.item(head)
    if not page.in_link[row]:
        return False
    while page.tag[row] != tags.CODES["a"]:
        row = int(page.parent[row])
    return not (page.attribute(row, "href") or "#").startswith("#")


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


def headings_of_dropped(blocks: TextBlocks, keep: Mask) -> Mask | None:
    """Return bool[m]: kept headings of forms and sections of which nothing is kept; None for none.

    A section goes to the next heading of the same or a higher rank, kept or not; that of an h1 is
    the page. One without text has nothing to drop, and its heading may be all that an entry of a
    list shows.
    """
    rank = _ranks(blocks)
    is_head = rank > 0
    kept_heads, kept_texts = keep & is_head, keep & ~is_head
    bare = kept_heads.copy()
    bare[:-1] &= ~kept_texts[1:]  # each other kept heading has kept text directly below
    has_form, has_bare = blocks.page.holds("form"), 1 in bare.tobytes()
    if not (has_form or has_bare):
        return None
    texts, held = (~is_head).tobytes(), kept_texts.tobytes()
    empty = _of_forms(blocks, kept_heads.tobytes(), held) if has_form else []
    alone = (bare & (rank > 1)).nonzero()[0] if has_bare else _NO_ROWS
    own = rank.take(alone)
    for one in {*own.tolist()}:
        some = alone[own == one]
        ends = np.append((is_head & (rank <= one)).nonzero()[0], len(blocks))
        stops = ends[ends.searchsorted(some, "right")]
        empty += [
            head
            for head, stop in zip(some.tolist(), stops.tolist(), strict=True)
            if held.find(1, head, stop) < 0 <= texts.find(1, head, stop)
        ]
    if not empty:
        return None
    mask = np.zeros(len(blocks), dtype=bool)
    mask[empty] = True
    return mask


# Chosen on images of magic_html_article and fundus; run bench/quality/fidelity.py on both again.
_MOST_UNITS: Final = 60
"""Words of the element around an image: a caption has no more, a text has."""
_MOST_IMAGES: Final = 6
"""Images of that element."""
_LEAST_KEPT: Final = 0.5
"""Share of the words of its parent that must be kept."""
_BEFORE: Final = 3
"""Most blocks between an image above the text and the first block of the text."""
_SMALL_MEDIA: Final = 100
"""Pixels of the longer declared side below which an image is an icon or a portrait."""

_IMAGES: Final = tags.table(["img", "embed"])


def kept_media(blocks: TextBlocks, units: Floats, keep: Mask) -> Mask:
    """Return bool[n]: images, breaks and other void elements that belong to the kept blocks."""
    page = blocks.page
    tag, shown = page.tag, page.shown
    mask = kernels.tags_between(tag, tags.VOID, shown, blocks.first, blocks.last, keep)
    kept = keep.tobytes()
    if 1 not in kept or not page.holds("img", "embed"):
        return mask
    near = kernels.rows_of(tag, _IMAGES, shown, *_reach(blocks, kept.find(1), kept.rfind(1)))
    if len(near):
        near = near[~mask.take(near)]
    if len(near):
        images = kernels.rows_of(tag, _IMAGES, shown, 0, len(page))
        of_blocks, bounds = (blocks.first, units, keep), (_LEAST_KEPT, _MOST_UNITS, _MOST_IMAGES)
        near = near[kernels.beside_kept((page.parent, page.end), of_blocks, images, near, bounds)]
    if len(near):
        sizes = page.own_attributes.values_of(near, "width", "height", "style")
        mask[near] = [not _is_small(*size) for size in sizes]
    return mask


def _reach(blocks: TextBlocks, first: int, last: int) -> tuple[int, int]:
    """Return the first and the end of the rows in which an image may belong to kept text.

    They begin `_BEFORE` blocks above the first kept block and end with the last one's parent.
    """
    page, top = blocks.page, first - _BEFORE
    start = blocks.last.item(top - 1) if top > 0 else 0
    return start, page.end.item(max(page.parent.item(blocks.first.item(last)), 0))


def _is_small(width: str | None, height: str | None, style: str | None) -> bool:
    """Return whether attributes of an image declare it to be an icon or a portrait."""
    sizes = parsed_size(width or "", height or "", style or "")
    sides = [side for side in sizes if side is not None]
    return bool(sides) and max(sides) < _SMALL_MEDIA
