"""Parts of a page that a policy keeps or drops: title, lead, what isn't shown, captions, cards.

They are found by their structure, whatever their scores. The default drops the heading that repeats
the title element, and keeps a lead below it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import compress, islice, takewhile
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch import kernels
from chaffinch.decision.discussions import discussion, in_comments
from chaffinch.decision.draft import (
    ARTICLE,
    LEAST_LEFT,
    OF_SECTIONS,
    THREAD,
    UNSURE,
    Draft,
    like_siblings,
)
from chaffinch.decision.policy import Policy
from chaffinch.decision.questions import asks
from chaffinch.decision.structure import BARS, between_kept, data_table_rows, notes_of, within
from chaffinch.elements.adverts import NOTICES, Lines
from chaffinch.elements.dates_in_text import parse_date, plausible
from chaffinch.elements.hidden import MOST_KEPT, folded, hidden_of, may_be_marked
from chaffinch.kernels.arrays import Floats, Mask, Places, marked
from chaffinch.lazy import lazy_module
from chaffinch.page import Page, tags
from chaffinch.segment.text_blocks import TextBlocks
from chaffinch.verdict import Content, Verdict

if TYPE_CHECKING:
    from chaffinch.metadata import Metadata
    from chaffinch.metadata.values import FieldValue

metadata = lazy_module("chaffinch.metadata")
values = lazy_module("chaffinch.metadata.values")
names = lazy_module("chaffinch.metadata.names")
captions = lazy_module("chaffinch.elements.images")
image = lazy_module("chaffinch.elements.listed")

_HEADINGS: Final = tags.table(["h1", "h2"])
_H1: Final = tags.CODES["h1"]
_FACTS: Final = tags.table(["dt", "dd"])
"""What stands in these is a fact that names the subject, not the headline."""
_LEAST_LETTERS: Final = 6
_LEAST_SHARE: Final = 0.4
"""Letters and digits of a heading that is taken for the title, and their share of the title
element: the site and its sections have parts of their own there."""
_FIRST: Final = 4  # kept blocks among which the title is
_LONGEST: Final = 400  # characters of a block that may be a title
_FIRST_HAN, _LAST_HAN = 0x4E00, 0x9FFF
"""Letters that folding leaves as they are, as it does lower case of ASCII."""
_LEAD_WITHIN: Final = 3  # blocks below the headline among which the lead is
_LEAD_WORDS, _TEXT_WORDS = 5, 15  # words of a lead, and of the text below it, at least
_LEAD_LINKED: Final = 0.6  # characters of a lead in links, at most
_LEAST_LEAD, _LEAST_ASKED = 0.15, 0.03  # least score of a lead, and of what people answer below
_DECLARED_WITHIN, _DECLARED, _DECLARED_WORDS = 5, 0.8, 8
"""Blocks above the text among which such a lead is; share of its words in the description, and its
words, at least. Chosen on the folds of the training corpora, without the domains it is measured on:
4 to 6, 0.6 to 0.9 and 5 to 12 do."""
_WHOLLY, _EXCERPT = 0.95, 40
"""The share from which a line needs no full stop; characters with which excerpts and text begin."""
_DESCRIPTION: Final = re.compile(
    r"(?<![a-z])(?:(?:short-?)?desc(?:ription)?|short|overview|excerpt|summary|lead|intro|tagline"
    r"|preview|anons?|subtitle|catch(?:-?copy)?|slogan|synopsis|beschreibung|beskrivning|chapo"
    r"|chapeau|deck?|lede|stand-?first|ingress|teaser|subhead(?:line|ing)?|epigraph|bajada"
    r"|entradilla|sumario|vorspann|intro-?text)(?![a-z])",
    re.IGNORECASE,
)
_OTHER_LEAD: Final = re.compile(
    r"(?<!has-)(?<![a-z])(?:img|image|photo|caption|author|avatar|cta|form|paywall|promo)(?![a-z])",
    re.IGNORECASE,
)
"""Names of what is told of a picture or a person, and of calls."""
_FACT: Final = re.compile(
    r"(?<![a-z])(?:when|where|venue|location|place|address|salary|dates?-?time|schedule|cost"
    r"|pri(?:ce|s|x)|preis|precio|prezzo|cena|hinta|fiyat"
    r"|event-?(?:date|time|place|location|venue))(?![a-z])",
    re.IGNORECASE,
)
_FACTS_WITHIN, _LONGEST_FACT = 6, 80  # blocks below the headline; characters of one
_SENTENCE: Final = re.compile(r"[.!。！…।][”\"»’)）]?(?:\s?\[\d{1,3}\])*\Z")


def title(draft: Draft) -> Mask | None:
    """Return bool[m]: kept headings that repeat the page's title; None where a policy has them."""
    if draft.policy is None or draft.policy.headline:
        return None
    short = draft.kind in OF_SECTIONS
    return kept_title(draft.blocks, draft.units, draft.keep, short=short)


def kept_title(
    blocks: TextBlocks, units: Floats, keep: Mask, *, short: bool = False
) -> Mask | None:
    """Return bool[m]: kept headings that repeat the title element or part of it; None for none.

    With ``short`` the only h1 may be a small part of it.
    """
    first = keep.nonzero()[0][:_FIRST]
    heads = first[_HEADINGS.take(blocks.owner_tag.take(first))]
    if not len(heads):
        return None
    written, fold = blocks.page.title[:_LONGEST], values.fold
    least = max(_LEAST_LETTERS, _LEAST_SHARE * len(fold(written)))
    parts = {key for part in values.runs(written) if (key := fold(part))}
    mask = np.zeros(len(blocks), dtype=bool)
    is_only = short and np.count_nonzero(blocks.page.tag == _H1) == 1
    for block in heads.tolist():
        key = fold(blocks.text(block)[:_LONGEST])
        may = len(key) >= least or (is_only and blocks.owner_tag[block] == _H1)
        mask[block] = may and key in parts
    if not mask.any() or units[keep & ~mask].sum(dtype=np.float64) < LEAST_LEFT:
        return None
    return mask


_ANSWERED_WITHIN: Final = 12  # blocks below a question in which the first of its answers stands


def lead(draft: Draft) -> Mask | None:
    """Return bool[m]: a sentence below the headline; None for none."""
    if draft.kind == ARTICLE and (told := _standfirsts(draft)) is not None:
        return told
    if draft.is_surely((ARTICLE,)):
        return None
    is_thread = draft.kind == THREAD
    found = _lead_below_title(draft, _LEAST_ASKED if is_thread else _LEAST_LEAD)
    if found is None or not is_thread:
        return found
    posts = discussion.posts(draft.page)
    head, at = int((draft.blocks.owner_tag == _H1).argmax()), int(found.argmax())
    is_asked = draft.keep[at : at + _ANSWERED_WITHIN].any() and asks(draft.blocks.text(head))
    if is_asked or any(post.kind == "answer" for post in posts):
        return found
    return None if posts or draft.certainty >= UNSURE else found & (draft.score >= _LEAST_LEAD)


def _lead_below_title(draft: Draft, least: float) -> Mask | None:
    """Return bool[m]: a sentence directly below the only h1, and the facts below it; None for none.

    Its score is ``least`` or more. The short description of a product, the one sentence that says
    what a thing is: labels of articles have such lines as often as not, those of other pages
    mostly.
    """
    blocks, page, keep = draft.blocks, draft.page, draft.keep
    heads = (blocks.owner_tag == tags.CODES["h1"]).nonzero()[0]
    if len(heads) != 1 or not keep[heads[0] :].any():
        return None
    first = int(heads[0]) + 1
    is_text = keep & (draft.units >= _TEXT_WORDS) & ~tags.HEADING.take(blocks.owner_tag)
    told = is_text.tobytes().find(1, first)  # prices may stand above the lead
    last = min(first + _LEAD_WITHIN, told if told >= 0 else len(keep))
    above = keep.tobytes().find(1, first) - 1  # whatever stands between
    near = [at for at in range(first, last) if not tags.HEADING[blocks.owner_tag[at]]]
    near += [above] if above >= last else []
    likely = (draft.units >= _LEAD_WORDS) & (draft.score >= least)
    found = [at for at in near if _is_lead(blocks, at) and (likely[at] or _describes(blocks, at))]
    found += [
        at for at in range(first, min(above + 1, first + _FACTS_WITHIN)) if _is_fact(blocks, at)
    ]
    if not found:
        return None
    mask = marked(len(keep), found)
    last = found[-1]
    rows = page.ancestors(int(blocks.first[min(last + 1, len(keep) - 1)]))
    if facts := next((row for row in rows if page.tag[row] == tags.CODES["dl"]), 0):
        stop = int(blocks.first.searchsorted(page.end[facts]))
        mask[last + 1 : stop] = facts > blocks.first[last]
    return mask


def _is_fact(blocks: TextBlocks, at: int) -> bool:
    """Return whether a line is named as when or where something is, or what it costs."""
    page, row = blocks.page, blocks.owner.item(at)
    if not 0 < blocks.length[at] <= _LONGEST_FACT or 2 * blocks.link_length[at] > blocks.length[at]:
        return False
    return any(map(_FACT.search, _names_near(page, row, _LONGEST_FACT)))


def _names_near(page: Page, row: int, longest: int) -> Iterator[str]:
    """Yield the names of an element, and of two around it that hold no more than ``longest``."""
    near = takewhile(lambda up: page.length[up] <= longest, islice(page.ancestors(row), 2))
    names = (page.attribute(up, name) for up in (row, *near) for name in ("class", "itemprop"))
    return filter(None, names)


def _standfirsts(draft: Draft) -> Mask | None:
    """Return bool[m]: leads above the kept text of an article; None if none.

    Sentences that the page's description has, whatever stands between them and the text: a byline,
    a date, a picture; lines below the h1, or directly above the text, that are all of it, or named;
    and those that begin with the words of the h1 in bold, as entries of encyclopaedias do. But not
    an excerpt, with which the text begins again, nor who earns by the text.
    """
    blocks, declared = draft.blocks, draft.declared
    heads = blocks.owner_tag == _H1
    stop = (draft.keep & ~heads).tobytes().find(1)
    head = heads.tobytes().rfind(1, 0, max(stop, 0)) + 1  # below the h1; 0 for none
    begin = max(stop - _DECLARED_WITHIN, 0)
    first = min(begin, head) if head else begin
    long = (first + (draft.units[first : max(stop, 0)] >= _DECLARED_WORDS).nonzero()[0]).tolist()
    if not long:
        return None
    near = [at for at in long if at >= begin and declared[at] >= _DECLARED]
    told = [at for at in near if _is_lead(blocks, at)]
    below = [at for at in long if at >= head] if head else []
    told += [
        at
        for at in below
        if (at < head + _LEAD_WITHIN or at == stop - 1)
        and (
            (declared[at] >= _WHOLLY and _may_lead(blocks, at))
            or (_is_lead(blocks, at) and _describes(blocks, at))
        )
    ]
    told += [at for at in below if _defines(blocks, at, head - 1) and _is_lead(blocks, at)]
    if not told:
        return None
    once = {blocks.text(at): at for at in reversed(told)}  # for two widths of the window
    opening, name = blocks.text(stop), blocks.page.title
    is_new = [text not in name and not opening.startswith(text[:_EXCERPT]) for text in once]
    for place in Lines([*once]).having(NOTICES):
        is_new[place] = False
    return marked(len(blocks), [*compress(once.values(), is_new)])


def _defines(blocks: TextBlocks, at: int, head: int) -> bool:
    """Return whether a block begins with the words of a heading in bold."""
    page, row = blocks.page, blocks.page.parent.item(blocks.first.item(at))
    if not tags.BOLD[page.tag[row]] or page.length[row] > _LONGEST:
        return False
    return page.folded(row).casefold() == blocks.text(head).casefold()


def _describes(blocks: TextBlocks, at: int) -> bool:
    """Return whether a block is named as a short description, and not as one of a picture."""
    named = " ".join(_names_near(blocks.page, blocks.owner.item(at), _LONGEST))
    return bool(_DESCRIPTION.search(named)) and not _OTHER_LEAD.search(named)


def _is_lead(blocks: TextBlocks, at: int) -> bool:
    return _may_lead(blocks, at) and bool(_SENTENCE.search(text := blocks.text(at)) or asks(text))


def _may_lead(blocks: TextBlocks, at: int) -> bool:
    linked, length = blocks.link_length.item(at), blocks.length.item(at)
    return length <= _LONGEST and linked <= _LEAD_LINKED * length


def in_headline(blocks: TextBlocks, keep: Mask) -> Mask:
    """Return bool[m]: blocks that are the page's title: all text of one, or of its heading."""
    return of_title(blocks, metadata_near(blocks, keep).title)


def metadata_near(blocks: TextBlocks, keep: Mask) -> Metadata:
    """Return the page's metadata, values near the kept blocks, bool[m], preferred."""
    page = blocks.page
    nothing = np.zeros(len(page), dtype=np.int8)
    verdict = Verdict(blocks.spread(keep), np.zeros(len(page), dtype=np.float32), nothing)
    found: Metadata = metadata.read_metadata(page, Content(page, verdict))
    return found


def of_title(blocks: TextBlocks, found: FieldValue[str] | None, among: Mask | None = None) -> Mask:
    """Return bool[m]: blocks that are a title as metadata have it; none where it is None.

    Blocks that aren't ``among`` some, bool[m], are looked at only where none of these is it.
    """
    page = blocks.page
    mask = np.zeros(len(blocks), dtype=bool)
    key = values.fold(found.value) if found is not None else ""
    if found is None or not key:
        return mask
    short = (blocks.length > 0) & (blocks.length <= _LONGEST)
    short &= alike(blocks, key) & ~blocks.inside(_FACTS)
    for part in (short,) if among is None else (short & among, short & ~among):
        for block in part.nonzero()[0].tolist():
            mask[block] = values.fold(blocks.text(block)) == key
        if mask.any():
            break
    heads = found.row >= 0 and tags.HEADING[page.tag[found.row]]
    if heads and not mask.any():  # a heading of several lines
        mask = (blocks.first >= found.row) & (blocks.first < page.end[found.row])
    return mask


def alike(blocks: TextBlocks, key: str) -> Mask:
    """Return bool[m]: blocks whose text may have a key that `values.fold` makes."""
    starts, stops = blocks.page.text_at.take(blocks.first), blocks.page.text_at.take(blocks.last)
    return kernels.texts_alike(blocks.page.text, starts, stops, key, _FIRST_HAN, _LAST_HAN)


def headline(blocks: TextBlocks, keep: Mask) -> Mask:
    """Return bool[m]: of the blocks that are the title the one that is the headline.

    It is the first in an h1, else the first of all; none where no block is the title.
    """
    mask = in_headline(blocks, keep)
    found = mask.nonzero()[0]
    if len(found) < 2:  # noqa: PLR2004  nothing to choose
        return mask
    rank = blocks.page.tag.take(blocks.owner.take(found))
    heads = found[rank == tags.CODES["h1"]]
    return marked(len(blocks), heads[0] if len(heads) else found[0])


_LONGEST_BYLINE: Final = 160  # characters of a byline
_BESIDE_NAME: Final = 60
"""Letters of a block besides the author's name: more are a sentence about the author."""
_DATED: Final = 70  # characters of a block that is a byline for its date alone
_BEFORE: Final = 6
_AFTER: Final = 4
"""Blocks before the headline or the text, and behind the text, that may be bylines."""
_TEXT: Final = 200  # characters of a block with which the text has begun


def in_byline(blocks: TextBlocks, keep: Mask) -> Mask:
    """Return bool[m]: blocks that are bylines, kept or not."""
    mask = np.zeros(len(blocks), dtype=bool)
    kept = keep.nonzero()[0]
    if not len(kept):
        return mask
    page = blocks.page
    found = metadata_near(blocks, keep)
    keys = [key for name in (found.value("authors") or ()) if (key := values.fold(name))]
    first, last, long = int(kept[0]), int(kept[-1]), kept[blocks.length[kept] >= _TEXT]
    begin = int(long[0]) if len(long) else last
    above = range(max(first - _BEFORE, 0), begin)  # from some before the first up to the text
    behind = range(max(last - _AFTER, begin) + 1, min(last + _AFTER + 1, len(blocks)))
    for block in (*above, *behind):
        if (
            0 < blocks.length[block] <= _LONGEST_BYLINE
            and not tags.HEADING[page.tag[blocks.owner[block]]]
        ):
            text = blocks.text(block)
            # above the content little more than a date is one; below it, posts have such
            day = parse_date(text) if block in above and len(text) <= _DATED else None
            mask[block] = (day is not None and plausible(day)) or _names_author(text, keys)
    return mask


def _names_author(text: str, keys: list[str]) -> bool:
    key = values.fold(text)
    beside = (len(key) - len(name) <= _BESIDE_NAME for name in keys if name in key)
    if any(beside) or names.LABEL_ALONE.match(text):
        return True
    return names.has_label(text) and bool(names.names_written(text))


_MOST: Final = 500  # pictures whose captions are searched for


def in_captions(blocks: TextBlocks, keep: Mask) -> Mask:
    """Return bool[m]: blocks that are captions of pictures, anywhere on the page."""
    del keep
    page = blocks.page
    shown = image.pictures(page)
    mask = np.zeros(len(page), dtype=bool)
    for row in shown.nonzero()[0][:_MOST].tolist():
        for first, last in captions.caption_rows(page, row, shown):
            mask[first:last] = True
    of_blocks: Mask = mask[blocks.first]
    return of_blocks


_CARD: Final = tags.table("li div article section a td".split())
_FEWEST: Final = 3
"""Boxes of the same tag and classes in a list of cards, and links in a list of links."""
_MOST_BLOCKS: Final = 12
_LONGEST_PARTS: Final = 600  # blocks and characters of a card; posts and sections are longer
_LINKED: Final = 0.8  # share of its characters in links that makes a list a list of links


def parts(draft: Draft) -> None:
    """Keep or drop the parts for which a policy has a value."""
    policy = draft.policy
    if policy is None or {*vars(policy).values()} == {None}:  # as by default
        return
    if draft.kind == THREAD and not policy.comments:  # whose posts aren't comments to drop
        policy = replace(policy, comments=None)
    draft.keep = apply_policy(draft.blocks, draft.keep, policy)


def hidden_text(draft: Draft) -> Mask | None:
    """Return bool[m]: kept blocks of which nothing is shown; None where none was added since.

    It runs before what is shown could be taken for the double of what isn't, and at the end.
    """
    policy, keep, judged = draft.policy, draft.keep, draft.judged
    if policy is None or policy.hidden:
        return None
    if judged is not None and 1 not in (keep > judged).tobytes():
        return None
    blocks, page, draft.judged = draft.blocks, draft.page, keep
    folds = policy.hidden is False
    needs_all = folds or page.layout is not None
    marked = kernels.touching(page.end, may_be_marked(page), blocks.first, blocks.last, keep)
    if not (len(marked) or needs_all):
        return None
    gone, opened, never = hidden_of(page, marked.tolist())
    if not needs_all and 1 not in gone.tobytes():
        return None
    texts = blocks.spread(keep).nonzero()[0]
    if _may_be_shown_yet(page, texts, gone, gone & ~never):
        gone &= never  # the rest waits for a script
    if folds:
        gone = gone | opened | folded(page)
    unseen = gone[texts]
    if not unseen.any():
        return None
    draft.unseen = gone if draft.unseen is None else draft.unseen | gone
    hidden = keep.copy()
    hidden[blocks.block[texts[~unseen]]] = False
    draft.hidden = hidden if draft.hidden is None else draft.hidden | hidden
    return hidden


def _may_be_shown_yet(page: Page, texts: Places, gone: Mask, waits: Mask) -> bool:
    """Return whether so much of the text rows ``waits`` that a script is to show it.

    What is shown besides is but a copy, such as of a post for whoever quotes it.
    """
    lengths, own = page.own_length[texts], waits[texts]
    if lengths[own].sum() <= MOST_KEPT * lengths.sum():
        return False
    shown = {page.folded(row) for row in texts[~gone[texts]].tolist()}
    own[own] = [page.folded(row) not in shown for row in texts[own].tolist()]
    return bool(lengths[own].sum() > MOST_KEPT * lengths.sum())


def apply_policy(blocks: TextBlocks, keep: Mask, policy: Policy) -> Mask:
    """Return bool[m]: ``keep``, with the parts that the policy has values for kept or dropped."""
    values = vars(policy)
    wanted = {name: value for name in _PARTS if (value := values[name]) is not None}
    if not wanted:
        return keep
    changed = keep.copy()
    for name, value in wanted.items():
        if not value:
            changed &= ~_PARTS[name][0](blocks, keep)
    for name, value in wanted.items():
        if value:
            found = _PARTS[name][1](blocks, keep)
            changed |= found & ~blocks.inside(BARS) if name in _NOT_IN_BARS else found
    return changed


def in_tables(blocks: TextBlocks, keep: Mask) -> Mask:
    """Return bool[m]: blocks in data tables from the first kept block to the end of the text."""
    return between_kept(blocks, within(blocks, data_table_rows(blocks.page)), keep)


def in_cards(blocks: TextBlocks, keep: Mask) -> Mask:
    """Return bool[m]: blocks in lists of cards, anywhere on the page.

    A card has a line or a picture that is a link: links in the sentences of a note lead on, but
    the note is no card.
    """
    del keep
    page = blocks.page
    rows = (_CARD[page.tag] & (page.length > 0) & (page.length <= _LONGEST_PARTS)).nonzero()[0]
    first, stop = (np.searchsorted(blocks.first, at) for at in (rows, page.end[rows]))
    linked = np.concatenate(([0], (blocks.link_length >= _LINKED * blocks.length).cumsum()))
    of_lines = linked[stop] > linked[first]
    of_pictures = page.total(page.is_tag("img") & page.in_link)[rows] > 0
    held = stop - first
    rows = rows[(held > 1) & (held <= _MOST_BLOCKS) & (of_lines | of_pictures)]
    names = [(page.tag.item(row), *page.classes(row)[:2]) for row in rows.tolist()]
    number = {name: at for at, name in enumerate(dict.fromkeys(names))}
    kinds = np.zeros(len(page), dtype=np.uint64)
    kinds[rows] = [number[name] for name in names]
    groups = like_siblings(blocks, rows, kinds, _FEWEST)
    return within(blocks, [row for group in groups for row, _ in group])


def in_related(blocks: TextBlocks, keep: Mask) -> Mask:
    """Return bool[m]: blocks in lists that are nearly all links, after the first kept block."""
    page = blocks.page
    lists = (page.is_tag("ul", "ol") & (page.length > 0)).nonzero()[0]
    linked = page.link_length[lists] >= _LINKED * page.length[lists]
    links = page.total(page.is_tag("a"))[lists]
    mask = within(blocks, lists[linked & (links >= _FEWEST)])
    mask[: int(np.argmax(keep)) if keep.any() else len(mask)] = False
    return mask


def in_notes(blocks: TextBlocks, keep: Mask) -> Mask:
    """Return bool[m]: notes and references of the kept text, with the heading directly above."""
    mask: Mask = within(blocks, notes_of(blocks, keep))
    heads = tags.HEADING.take(blocks.owner_tag)
    mask[:-1] |= heads[:-1] & mask[1:]
    return mask


_PARTS: Final = {
    "tables": (in_tables, in_tables),
    "cards": (in_cards, in_cards),
    "related": (in_related, in_related),
    "captions": (in_captions, lambda some, keep: between_kept(some, in_captions(some, keep), keep)),
    "comments": (in_comments, in_comments),
    "byline": (in_byline, in_byline),
    "headline": (in_headline, headline),
    "notes": (in_notes, in_notes),
}
"""By the field of the policy: what gives bool[m], the blocks that False drops, and True keeps."""
_NOT_IN_BARS: Final = ("tables", "cards", "related")  # parts that True doesn't keep in `BARS`
