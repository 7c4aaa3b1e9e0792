"""What stands between kept texts or closes them: lists, lines, sentences, boxes.

A list goes with the line that announces it and with the text on both its sides; so do likely text,
lines of one element, and boxes that a text has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from itertools import chain, compress, takewhile
from typing import Final

import numpy as np

from chaffinch import kernels
from chaffinch.caching import finds
from chaffinch.decision.draft import (
    LABEL,
    LOWEST,
    OF_LISTS,
    OF_ONE_PRODUCT,
    OF_ONE_TEXT,
    OF_SECTIONS,
    Draft,
)
from chaffinch.decision.headings import headings_of_dropped
from chaffinch.decision.links_elsewhere import COLONS, is_related_label
from chaffinch.decision.questions import asks
from chaffinch.decision.structure import (
    BARS,
    LIKELY,
    common_parent,
    data_table_rows,
    ends_sentence,
    is_code,
    link_address,
    within,
)
from chaffinch.elements import WORDS
from chaffinch.elements.adverts import COUNTERS, NOTICES, OF_DELIVERY, Lines
from chaffinch.kernels.arrays import Mask, marked
from chaffinch.page import Page, tags
from chaffinch.page.attributes import Search
from chaffinch.page.urls import host_name
from chaffinch.segment.text_blocks import TextBlocks
from chaffinch.wording import fold_words

# Chosen on the five folds of wcxb: without the two bounds a third of the words are links to others.
_LINKED: Final = 0.5  # share of its characters in links up to which a list is announced, not a menu
_MOST, _MOST_ANNOUNCED = 120, 240
"""Words of such a list; where a colon announces it, 160 to 400 do on all folds."""
_IN_LIST: Final = tags.table(["ul", "ol", "dl"])
_HOLDS: Final = tags.table("ul ol dl blockquote table".split())
_LISTS: Final = frozenset(tags.CODES[name] for name in ("ul", "ol", "dl"))
_MOST_EMPTY: Final = 0.3
"""Share of the kept words up to which headings of dropped text may go; on products they are those
of other products, however many."""
_CONTENTS: Final = frozenset(map(fold_words, WORDS["labels of contents"].split("|")))
_LATEST: Final = frozenset(map(fold_words, WORDS["labels of latest texts"].split("|")))
_SHARING: Final = frozenset(map(fold_words, WORDS["labels of buttons"]))
_LONGEST_LABEL: Final = max(map(len, _CONTENTS))
_SHORT: Final = 12
"""Short lines of a text among which such a label is sought: it stands near the beginning."""
_SUMMARIES: Final = frozenset(WORDS["labels of summaries"].split("|"))
_LONGEST_SUMMARY: Final = max(map(len, _SUMMARIES)) + 2
_OF_SECTION: Final = 0.2  # score of a list of links that is a section among others
_NEAR_TEXT: Final = 4  # blocks behind such a list among which kept text begins
_MOST_TRAILING: Final = 3  # last lines that may announce what was dropped, or ask of readers
_OF_TITLES: Final = 0.2  # score of lines that have the names of others, as titles of sections do
_OF_LINES, _LINE = 0.15, 50  # score and characters of lines in a box amid a text, on average
_LEAD: Final = 8  # words of a heading from which the page's description may have it as a lead
_NO_TEXT: Final = NOTICES | OF_DELIVERY | COUNTERS  # what a line says that is no part of a text
_OF_CLOSING: Final = 0.2  # score of what ends the element of a text, or begins it
_OF_MANUAL, _LINKED_OF_MANUAL, _LEAST_OF_MANUAL = 0.9, 0.7, 0.1
"""Share of the kept words that the element of a manual's text holds, share in links up to which
what stands between two kept texts is kept, score of what begins that element. With .6 to .8, and
.05 to .15, the manuals of wcxb come out alike by weights that haven't seen them."""
_FACT: Final = 2  # words of a line with a number that tells a fact: 30 minutes, 4 persons
_SIGNS_OFF: Final = re.compile(
    r"\A(?:--|[(（☞])|@|://|www\.|©|\b[FfPp]h?oto|\A.{0,60}(?:19|20)\d\d.{0,12}\Z", re.DOTALL
)
"""What says who wrote a text or took its pictures, when, and where it is from."""
_FEWEST: Final = 3  # blocks between two from which they are no sentence amid a text
_BOX_NAMES: Final = re.compile(
    rf"(?<![a-z])(?:{WORDS['names of boxes in a text']})(?![a-z])", re.IGNORECASE
)
"""Names of boxes in a text that say what a reader is to heed, of verse, and of tabs."""
_ADVICE: Final = re.compile(
    r"(?<![a-z])(?:admonition|callout|caution|danger|hint|important|information-macro|note|tip|warning)(?![a-z])",
    re.IGNORECASE,
)
"""Names of such boxes that may end a text."""
_OPENS: Final = re.compile(
    rf"{_ADVICE.pattern}|(?<![a-z])(?:abstract|key-?takeaways?|lyrics|poem|summary|tl-?dr|verse)(?![a-z])",
    re.IGNORECASE,
)
"""Names of such as may begin one."""
_OTHER_NAMES: Final = re.compile(
    rf"(?<![a-z])(?:{WORDS['names of boxes beside a text']})(?![a-z])", re.IGNORECASE
)
"""Names of boxes that are another part of a page, or go with a picture."""
_MOST_IN_BOX: Final = 8  # blocks between two kept ones that may stand in such boxes
_ASIDE, _H1, _TABLE, _DETAILS = (tags.CODES[name] for name in "aside h1 table details".split())
_PICTURES: Final = tags.table("img embed iframe video".split())
_MEDIA: Final = tags.table("img embed iframe video button input select".split())
"""Elements whose captions and labels stand between texts."""
_QUOTE: Final = tags.CODES["blockquote"]
_EMBEDDED: Final = re.compile(r"(?:^|\s)(?:[a-z]+-(?:media|tweet|embed)|\w+-embed-\w+)(?=\s|$)")
"""Names of quotations from elsewhere: instagram-media, twitter-tweet, reddit-embed-bq."""
_TWEETS: Final = Search("class", "tweet")
_is_tweet: Final = finds(re.compile(r"(?:^|\s)tweet(?=\s|$)"))  # of newsletters, in no blockquote
_LAST: Final = frozenset("".join(COLONS) + " \t\r\n\xa0")


def announced_lists(draft: Draft) -> Mask | None:
    """Return bool[m]: lists, and lines above them, that are to be kept, too; None for none."""
    blocks, keep = draft.blocks, draft.keep
    uneven: list[int] = (keep[1:] != keep[:-1]).nonzero()[0].tolist()  # the last of each run
    if not uneven:
        return None
    kept = 0 if keep[uneven[0]] else 1  # where the first run of kept blocks stands
    listed = blocks.inside(_IN_LIST)
    changes = [(own, True) for own in _between_kept(draft, uneven[kept:], listed)]
    changes += _led_by_colons(draft, uneven)
    summaries = list[slice]()
    if draft.beta >= 1:
        summaries = [*_summaries(draft, listed)]
        linked, score = blocks.linked, draft.score
        ends = [at for at in uneven[kept::2] if not linked[at + 1] and score[at + 1] >= LOWEST]
        changes += [(own, True) for at in ends for own in _closing_boxes(draft, at, listed)]
        if kept and draft.kind in OF_SECTIONS and draft.score[uneven[0]] >= _OF_CLOSING:
            changes += [(own, True) for own in _opening(draft, uneven[0] + 1)]
    if not (changes or summaries):
        return None
    mask = np.zeros(len(keep), dtype=bool)
    for own, added in changes:
        lines = Lines(blocks.texts(own) if added else ())
        is_aside = lines.calls() or lines.having(_NO_TEXT)
        mask[own] = added and not is_aside and _SHARING.isdisjoint(lines.values())
    if mask.any():
        mask &= ~draft.page.inside(_bars(draft.page))[blocks.first]
    for own in summaries:
        mask[own] = True
    if 1 in draft.template.tobytes():
        mask &= ~draft.template
    return mask if mask.any() else None


def _between_kept(draft: Draft, uneven: list[int], listed: Mask) -> Iterator[slice]:
    """Yield what stands between kept texts and goes with both.

    ``uneven`` are the last blocks of runs, a kept one first; ``listed`` is bool[m], in a list.
    """
    blocks, page, words = draft.blocks, draft.page, draft.units.tolist()
    embeds = {*_TWEETS.where(page, _is_tweet)}
    if "blockquote" in page.tag_names:
        quotes = (page.tag == _QUOTE).nonzero()[0].tolist()
        embeds |= {row for row in quotes if _EMBEDDED.search(page.attribute(row, "class") or "")}
    for at, last in zip(uneven[::2], uneven[1::2], strict=False):
        stops = [last + 1]
        if listed[last + 1]:  # code may be kept before the rest of its list is
            whole = _end_of_list(blocks, at)
            if whole > last + 1 and draft.keep[whole : whole + 1].any():
                stops.append(whole)
        for stop in stops:
            if sum(words[at + 1 : stop]) <= _MOST and _is_enclosed(draft, at, stop, listed, embeds):
                yield slice(at + 1, stop)
        if last > at + 1 and draft.kind in OF_SECTIONS:
            yield from _beside_boxes(draft, at, last + 1)


def _beside_boxes(draft: Draft, at: int, stop: int) -> Iterator[slice]:
    """Yield lists, quotations and advice between two kept texts, beside boxes of other parts.

    They have no links and stand in the element of one of the two; below a line that is none a list
    may be of that.
    """
    blocks, page, words = draft.blocks, draft.page, draft.units
    around = common_parent(page, *blocks.first[[at, stop]].tolist())
    if around not in page.parent[blocks.outermost[[at, stop]]]:
        return
    one, is_label = at + 1, False
    while one < stop:
        row = blocks.first.item(one)
        top = kernels.outermost_within(page.parent, page.end, row, around, len(page))
        end = int(blocks.first.searchsorted(page.end[top]))
        is_list = page.tag.item(top) in (*_LISTS, _QUOTE) and not is_label
        is_text = blocks.linked.find(1, one, end) < 0 and words[one:end].sum() <= _MOST
        is_text = is_text and not _PICTURES.take(page.tag[top : page.end.item(top)]).any()
        if is_text and (is_list or _ADVICE.search(page.attribute(top, "class") or "")):
            yield slice(one, end)
        is_label = blocks.owner.item(one) == top and not blocks.linked[one]
        one = end


def _summaries(draft: Draft, listed: Mask) -> Iterator[slice]:
    """Yield labels such as "key points", each with the list below it, above or amid the text."""
    blocks, kept = draft.blocks, draft.keep.tobytes()
    last = max(kept.rfind(1), 1)  # of which some follows
    begins = (listed[1:last] > listed[: last - 1]) > draft.keep[1:last]
    begins &= blocks.length[: last - 1] <= _LONGEST_SUMMARY
    for label in begins.nonzero()[0].tolist():
        if fold_words(blocks.text(label)).strip(" :：") not in _SUMMARIES:
            continue
        stop = _end_of_list(blocks, label)
        own = slice(label + 1, stop)
        linked, length = blocks.link_length[own].sum(), blocks.length[own].sum()
        is_short = linked <= _LINKED * length and draft.units[own].sum() <= _MOST_ANNOUNCED
        if is_short and kept.find(1, stop, stop + _NEAR_TEXT) >= 0:
            yield slice(label, stop)


def _led_by_colons(draft: Draft, ends: list[int]) -> Iterator[tuple[slice, bool]]:
    """Yield lists below kept lines that end with a colon, and such lines above kept lists or none.

    With each whether it is to be kept.
    """
    blocks, keep, text, stops = draft.blocks, draft.keep, draft.page.text, draft.blocks.spans[1]
    for at in [at for at in ends if text[stops[at] - 1] in _LAST]:
        if not blocks.text(at).endswith(COLONS):
            continue
        rows = () if keep[at] else data_table_rows(draft.page).tolist()
        own = slice(at + 1, _end_of_list(blocks, at, frozenset(rows)))
        if not keep[at]:
            yield slice(at, at + 1), own.stop > own.start or is_code(blocks, at + 1)
        elif not keep[own].any() and draft.units[own].sum() <= _MOST_ANNOUNCED:
            if own.stop > own.start:
                linked, length = blocks.link_length[own].sum(), blocks.length[own].sum()
                yield own if linked <= _LINKED * length else slice(0), True
            elif _links_below(draft, at):
                yield slice(at + 1, at + 2), True


def _links_below(draft: Draft, at: int) -> bool:
    """Return whether the sibling below a line is a link alone that leads to another site."""
    blocks, page = draft.blocks, draft.page
    line, below = blocks.owner[at : at + 2].tolist()
    if page.parent[line] != page.parent[below] or not draft.alone[at + 1]:
        return False
    is_other = host_name(link_address(blocks, at + 1)) not in ("", host_name(page.url))
    return is_other and not is_related_label(blocks.text(at))


def _bars(page: Page) -> Mask:
    """Return bool[n]: the elements of `BARS`, but asides that are boxes in a text."""
    bars = BARS.take(page.boxes)
    if "aside" in page.tag_names:
        asides = (page.tag == _ASIDE).nonzero()[0].tolist()
        names = ((row, page.attribute(row, "class") or "") for row in asides)
        bars[[row for row, own in names if _BOX_NAMES.search(own)]] = False
    return bars


def text_of_manual(draft: Draft) -> Mask | None:
    """Return bool[m]: what stands between kept texts of a manual, in the element of its text.

    Signatures, tables of names and notes say little by themselves; menus are nearly all links. So
    does what begins that element, below its title, but links and what is surely noise.
    """
    blocks, page, keep = draft.blocks, draft.page, draft.keep
    kept = keep.nonzero()[0]
    if draft.beta < 1 or not len(kept):
        return None
    longest = blocks.owner.item(kept[draft.units[kept].argmax()])
    around = np.array([longest, *page.ancestors(longest)])
    starts, stops = blocks.first.searchsorted((around, page.end[around]))
    words = np.append(0, np.cumsum(np.where(keep, draft.units, 0)))
    at = (words[stops] - words[starts] >= _OF_MANUAL * words[-1]).argmax()
    begin, stop = kept.searchsorted((starts[at], stops[at]))
    first, last = kept[begin], kept[stop - 1]
    before = np.cumsum(keep)  # kept blocks before each
    linked, length = (np.bincount(before, ~keep * n) for n in (blocks.link_length, blocks.length))
    mask: Mask = (linked <= _LINKED_OF_MANUAL * length)[before]
    mask[:first] = mask[last:] = False
    if around[at] > page.body:
        headed = (blocks.owner_tag[:first] == _H1).nonzero()[0]
        its = slice(max(starts[at], headed.max(initial=-1) + 1), first)
        mask[its] = (draft.link_share[its] <= _LINKED) & (draft.score[its] >= _LEAST_OF_MANUAL)
    return mask & ~blocks.inside(BARS)


def empty_sections(draft: Draft) -> Mask | None:
    """Return bool[m]: headings without text, but where a text is a row of headings; None if none.

    And kept lines that announce a table of contents which isn't, or links to other texts. Entries
    of lists may be headings alone: there, only those of links to other texts.
    """
    blocks, keep = draft.blocks, draft.keep
    if labels := [] if draft.kind in OF_LISTS else _labels_of_contents(blocks, keep):
        keep = keep & ~marked(len(keep), labels)
    found = headings_of_dropped(blocks, keep)
    gone = labels + (_without_text(draft, keep, *found) if any(found) else [])
    gone += _trailing(draft, keep & ~marked(len(keep), gone) if gone else keep)
    return marked(len(keep), gone) if gone else None


def _without_text(
    draft: Draft, keep: Mask, of_forms: list[int], heads: list[int], alone: list[int]
) -> list[int]:
    """Return those of some headings that say nothing without what they stood above.

    They are of forms, of sections whose text was dropped, and alone in theirs.
    """
    blocks, words, is_list = draft.blocks, draft.units, draft.kind in OF_LISTS
    of_forms, heads, alone = (
        [at for at in some if draft.declared[at] < 1 or words[at] < _LEAD]
        for some in (of_forms, heads, alone)
    )
    heads += of_forms
    is_few = not heads or draft.kind in OF_ONE_PRODUCT
    is_few = is_few or words[heads].sum() <= _MOST_EMPTY * words[keep].sum()
    if not (is_few and draft.is_surely(OF_ONE_TEXT)):
        of_links = map(_leads_off, map(blocks.text, heads))
        heads = [*compress(heads, of_links), *(of_forms if is_few and not is_list else ())]
    return [*heads, *(at for at in alone if _leads_off(blocks.text(at)))]


def _trailing(draft: Draft, keep: Mask) -> list[int]:
    """Return those of the last kept blocks that ask of readers, with what stands behind and above.

    Behind short lines, above such as announce what was dropped.
    """
    kept = keep.tobytes()
    last = [kept.rfind(1)]
    if last[0] < 0 or draft.blocks.length[last[0]] > 2 * LABEL:
        return []
    while len(last) < _MOST_TRAILING and (before := kept.rfind(1, 0, last[0])) >= 0:
        last.insert(0, before)
    lines = draft.blocks.texts(last)
    calls = [at for at in Lines(lines).calls() if max(map(len, lines[at:])) <= 2 * LABEL]
    stop = min(calls, default=len(last))
    return [*last[stop:], *takewhile(partial(_announces, draft), last[:stop][::-1])]


def _announces(draft: Draft, at: int) -> bool:
    """Return whether a short line says what follows, and is no question.

    Of headings one that isn't the text itself, as others before it are.
    """
    blocks, heads = draft.blocks, tags.HEADING.take(draft.blocks.owner_tag)
    line = blocks.text(at)
    if len(line) > LABEL or asks(line):
        return False
    before = draft.keep[:at].nonzero()[0][-1:]
    is_label = heads[at] and not heads[before].any() and draft.kind not in OF_LISTS
    ends = line.endswith(COLONS) and 2 * len(line) <= LABEL  # no sentence
    leads = _leads_off(line) or fold_words(line) in _LATEST
    return bool(is_label) or ends or leads


def _labels_of_contents(blocks: TextBlocks, keep: Mask) -> list[int]:
    short = (keep & (blocks.length <= _LONGEST_LABEL)).nonzero()[0][:_SHORT]
    texts = fold_words("\n".join(blocks.texts(short))).split("\n") if len(short) else []
    labels = [at for at, text in zip(short, texts, strict=True) if text.strip(" :：") in _CONTENTS]
    return [
        at for at in labels if not (keep[at + 1 : at + 2].any() and _end_of_list(blocks, at) > at)
    ]


def _opening(draft: Draft, at: int) -> Iterator[slice]:
    """Yield the likely lists, tables, quotations and advice that begin the element of a text."""
    parent, owner, start = draft.page.parent.item, draft.blocks.owner.item, at
    around = parent(draft.blocks.outermost.item(at))
    while at - start < _MOST_IN_BOX and start and parent(owner(start - 1)) > around:
        if draft.score[start - 1] < _OF_CLOSING or not _opens(draft, start - 1, around):
            break
        start -= 1
    if start < at:
        yield slice(start, at)


def _opens(draft: Draft, at: int, around: int) -> bool:
    """Return whether a block stands in such an element, which has no links, and tells no fact."""
    blocks, page, row = draft.blocks, draft.page, draft.blocks.first.item(at)
    held = [up for up in takewhile(around.__lt__, page.ancestors(row)) if _HOLDS[page.tag[up]]]
    names = _box_within(page, row, around)
    if _OTHER_NAMES.search(names) or not (held or _OPENS.search(names)):
        return False
    tables = {up for up in held if page.tag[up] == _TABLE}
    if not tables.issubset(data_table_rows(page).tolist()) or page.link_length[held].any():
        return False
    text = blocks.text(at)
    is_fact = not tables and text[:1].isdigit() and draft.units[at] <= _FACT
    return not (is_fact or _SIGNS_OFF.search(text))


def _closing_boxes(draft: Draft, at: int, listed: Mask) -> Iterator[slice]:
    """Yield likely blocks without links that close the element of a text, above links or not.

    ``listed`` is bool[m], in a list.
    """
    blocks, page, kept = draft.blocks, draft.page, draft.keep.tobytes()
    around = common_parent(page, *blocks.first[at : at + 2].tolist())
    owner = blocks.owner.item(at)
    if around <= page.body and page.parent.item(owner) != page.body:
        return
    end = int(blocks.first.searchsorted(page.end[around]))
    if kept.find(1, at + 1, end) >= 0 and not (kept[end - 1] and end - at - 1 <= _MOST_IN_BOX):
        return  # but the last line of a short list may be kept
    is_beside = (
        around in (owner, page.parent[owner], page.parent[blocks.outermost[at]])
        or page.tag.item(around) in _LISTS
        or (around < blocks.first[kept.find(1)] and draft.score[at + 1] >= LIKELY)
    )
    if not is_beside:
        return
    linked, names = blocks.linked.find(1, at + 1, end), list[str]()
    for one in range(at + 1, end if linked < 0 else linked):
        name = _box_within(page, blocks.first.item(one), around)
        if not listed[one] and _OTHER_NAMES.search(name):
            break
        names.append(name)
    names = [*takewhile(_ADVICE.search, names)] or names
    own, rest = slice(at + 1, at + 1 + len(names)), slice(at + 1 + len(names), end)
    if not names or min(draft.score[own].tolist()) < LOWEST:
        return
    unlinked = sum(blocks.length[rest].tolist()) - sum(blocks.link_length[rest].tolist())
    is_likely = unlinked <= _LONGEST_LABEL
    if around == page.body:  # a page without elements around its text
        is_likely = is_likely and listed[own].all()
    if is_likely and _closes(draft, own, names, end, around):
        yield own


def _closes(draft: Draft, own: slice, names: list[str], end: int, around: int) -> bool:
    """Return whether blocks in boxes of some names are no other part of a page.

    Amid a text only lists below headings count; they and boxes with names need a lower score.
    """
    blocks, page = draft.blocks, draft.page
    rows = slice(blocks.last[own.start - 1], page.end[blocks.outermost[own.stop - 1]])
    heads = tags.HEADING.take(blocks.owner_tag[own])
    listed = blocks.inside(_IN_LIST)[own] | heads
    if "td" in page.tag_names:
        listed |= within(blocks, data_table_rows(page))[own]
    is_list = listed.all() and not heads[-1]
    above = slice(max(own.start - 2, 0), own.start)  # what stands beside it, or begins the element
    if is_list and around in page.parent[blocks.owner[above]]:
        asked = ((_MEDIA & ~_PICTURES)[page.tag[rows]]).nonzero()[0].tolist()
        is_asked = any(page.attribute(rows.start + at, "type") != "checkbox" for at in asked)
        return not (is_asked or _leads_off(blocks.text(own.start)))
    is_box = all(names) and not heads.any()
    is_advice, least = all(map(_ADVICE.search, names)), _OF_LINES if is_box else _OF_CLOSING
    least = LOWEST if is_advice else least if draft.kind in OF_SECTIONS else LIKELY
    is_last = is_advice or (own.stop == end and not draft.keep[own.start :].any())
    if not is_last or len(names) > _MOST_IN_BOX or draft.score[own].min() < least:
        return False
    other = chain(map(_OTHER_NAMES.search, names), map(_SIGNS_OFF.search, blocks.texts(own)))
    return not (_MEDIA[page.tag[rows]].any() or any(other))


def _leads_off(label: str) -> bool:
    """Return whether a label stands above links to other texts, or ways to share this one."""
    return is_related_label(label) or fold_words(label).rstrip(" :：") in _SHARING


def _is_enclosed(draft: Draft, at: int, stop: int, listed: Mask, embeds: set[int]) -> bool:
    """Return whether the blocks between two kept ones are a list beside both.

    Or anything else without links and images that is no less likely than `LIKELY`, or quotations
    from elsewhere, ``embeds`` being their rows; ``listed`` is bool[m], in a list.
    """
    blocks, page, own = draft.blocks, draft.page, slice(at + 1, stop)
    row, is_linked = blocks.first.item, blocks.linked.find(1, at + 1, stop) >= 0
    is_headline = blocks.owner_tag.item(at) == _H1  # below it stand fields of the text
    may_be_boxed = not is_headline and stop - at - 1 <= _MOST_IN_BOX
    if is_linked:
        if tags.HEADING[blocks.owner_tag[at]] and _lists_sources(draft, at, stop):
            return True
        linked, length = blocks.link_length[own].tolist(), blocks.length[own].tolist()
        may_be_boxed = may_be_boxed and 2 * sum(linked) <= sum(length)
        if not (may_be_boxed or embeds):
            return False
    above = common_parent(page, row(at), row(at + 1))
    below = common_parent(page, row(stop - 1), row(stop))
    if embeds and all(_quote(page, embeds, one) in embeds for one in blocks.first[own].tolist()):
        if above == below or max(_quote(page, embeds, above), _quote(page, embeds, below)) >= 0:
            return True
    elif above == below and not is_linked:
        is_likely = min(draft.score[own].tolist()) >= LIKELY or _are_titles(draft, own)
        if is_likely and not _MEDIA[page.tag[blocks.last[at] : row(stop)]].any():
            return True
        end, before = at + 1, at
        while before < end < stop and listed[end]:  # list after list
            before, end = end, _end_of_list(blocks, end - 1)
        if end == stop > before:
            return True
    return may_be_boxed and _are_sentences(draft, at, stop, (above, below))


def _are_titles(draft: Draft, own: slice) -> bool:
    """Return whether short lines are named as others are, each of which says something else."""
    blocks, page = draft.blocks, draft.page
    rows = blocks.owner[own].tolist()
    if max(blocks.length[own].tolist()) > LABEL or min(draft.score[own].tolist()) < _OF_TITLES:
        return False
    names = [page.attribute(row, "class") or "" for row in rows]
    if not all(names) or any(map(_OTHER_NAMES.search, names)):
        return False
    of_blocks = draft.kinds.take(blocks.owner)
    alike = [blocks.texts((of_blocks == draft.kinds[row]).nonzero()[0]) for row in rows]
    return all(len({*texts}) == len(texts) > 1 for texts in alike)


def _lists_sources(draft: Draft, at: int, stop: int) -> bool:
    """Return whether a heading and text stand beside a likely list of other sites, or a wiki's.

    Or a list has a section of its own among others.
    """
    blocks, page, own = draft.blocks, draft.page, slice(at + 1, stop)
    if _end_of_list(blocks, at) != stop:
        return False
    rank = blocks.owner_tag
    if rank[at] == rank[stop] and draft.score[own].min() >= _OF_SECTION:
        label, is_text = blocks.text(at), draft.keep & ~tags.HEADING.take(rank)
        is_named = _leads_off(label) or fold_words(label).strip(" :：") in _CONTENTS
        if not is_named and is_text[at - 1] and is_text[stop + 1 : stop + 2].any():
            return True
    start, first, end = blocks.first[[at, at + 1, stop]].tolist()
    around = common_parent(page, start, first)
    if around != common_parent(page, first, end):
        return False
    if "mw-parser-output" in (page.attribute(around, "class") or ""):  # menus are links alone
        return bool(blocks.link_length[own].sum() < blocks.length[own].sum())
    links = (page.attribute(row, "href") for row in range(start, end) if page.tag[row] == tags.LINK)
    is_likely = bool(draft.score[own].min() >= LIKELY)
    return is_likely and {"", host_name(page.url)}.isdisjoint(map(host_name, links))


def _are_sentences(draft: Draft, at: int, stop: int, around: tuple[int, int]) -> bool:
    """Return whether a few blocks between two are sentences, or in boxes that a text has.

    ``around`` are the innermost elements that hold the first of the two with what follows it, and
    the second with what precedes.

    These are named for advice or tabs; or they have a name of no other part of a page and no links,
    stand beside the two blocks and end like a sentence, or are the first line of what the second
    stands in.
    """
    blocks, page, own = draft.blocks, draft.page, range(at + 1, stop)
    row, (above, below) = blocks.first.item, around
    short = above == below and len(own) < _FEWEST
    illustrated = 1 in _PICTURES.take(page.tag[blocks.last.item(at) : row(stop)]).tobytes()
    if illustrated and not short:
        return False
    boxes = [_box_within(page, row(one), min(above, below)) for one in own]
    if illustrated or not any(boxes):
        return short and not any(boxes) and all(ends_sentence(blocks, one) for one in own)
    is_linked = blocks.linked.find(1, at + 1, stop) >= 0
    if is_linked or any(map(_OTHER_NAMES.search, boxes)):
        return all(map(_BOX_NAMES.search, boxes))
    before, after = (page.parent.item(blocks.owner[one]) for one in (at, stop))
    ended = draft.score[at + 1] >= LIKELY and page.parent.item(before)
    first_line = len(own) == 1 and above in (before, ended) and above < below
    beside = before == after == above == below
    is_poll = len(own) > _FEWEST and asks(blocks.text(at + 1))
    ends = beside and not is_poll and (ends_sentence(blocks, stop - 1) or _are_lines(draft, own))
    return first_line or ends or all(map(_BOX_NAMES.search, boxes))


def _are_lines(draft: Draft, own: range) -> bool:
    """Return whether likely blocks show some lines of a few words each, such as of verse."""
    blocks, page = draft.blocks, draft.page
    some, rows = slice(own[0], own[-1] + 1), slice(blocks.first[own[0]], blocks.last[own[-1]])
    lines = len(set(page.line[rows][page.written[rows]].tolist()))
    is_likely = draft.score[some].mean() >= _OF_LINES and not _MEDIA[page.tag[rows]].any()
    are_words = draft.units[some].sum() >= 2 * lines and blocks.length[some].sum() <= _LINE * lines
    is_text = draft.kind in OF_SECTIONS  # beside products they say what readers like
    return bool(is_text and is_likely and are_words and lines >= _FEWEST)


def _box_within(page: Page, row: int, above: int) -> str:
    """Return the names of the outermost named element that is in another, around a row; or ""."""
    for up in [*takewhile(above.__lt__, page.ancestors(row))][::-1]:
        pairs = page.attributes(up)
        names = pairs.get("class") or pairs.get("id") or ""
        if role := pairs.get("role"):
            names = f"{names} {role}"
        if page.tag[up] == _DETAILS:
            names = f"details {names}"
        if names := names.strip():
            return names
    return ""


def _quote(page: Page, embeds: set[int], row: int) -> int:
    """Return the innermost quotation that a row is or stands in; -1 for none."""
    around = (row, *page.ancestors(row))
    return next((at for at in around if at in embeds or page.tag[at] == _QUOTE), -1)


def _end_of_list(blocks: TextBlocks, at: int, tables: frozenset[int] = frozenset()) -> int:
    """Return the end of the list, or one of ``tables``, that begins with the block after ``at``.

    ``at`` for none.
    """
    page, found = blocks.page, -1
    if at + 1 == len(blocks):
        return at
    first, up = blocks.first.item(at), page.parent.item(blocks.first.item(at + 1))
    while up > first:
        if page.tag[up] in _LISTS or up in tables:
            found = up
        up = page.parent.item(up)
    return int(blocks.first.searchsorted(page.end[found])) if found >= 0 else at
