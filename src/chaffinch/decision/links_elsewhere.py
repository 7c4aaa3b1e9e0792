"""Links that lead to other texts: behind a label or in a box, as cards below a text, or alone."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import chain, pairwise
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from chaffinch.caching import finds
from chaffinch.decision.discussions import discussion, says_article
from chaffinch.decision.draft import (
    ARTICLE,
    FEWEST_LINKS,
    LABEL,
    LINKED,
    MANUAL,
    MOST_LEVELS,
    OF_LISTS,
    OF_RUNNING_TEXT,
    PRESSED,
    SHARE_LEFT,
    SURE,
    THREAD,
    Draft,
    like_siblings,
)
from chaffinch.decision.questions import asks
from chaffinch.decision.structure import data_table_rows, link_address, within
from chaffinch.elements import WORDS
from chaffinch.kernels.arrays import Floats, Mask, marked
from chaffinch.page import Page, tags
from chaffinch.page.attributes import Search
from chaffinch.page.urls import host_name
from chaffinch.segment.text_blocks import TextBlocks
from chaffinch.storage import read_json
from chaffinch.wording import fold_words

COLONS: Final = (":", "：", "﹕")  # with which a line announces what follows
_MOST_WORDS: Final = 6  # words of such a link; longer ones may be titles
_EXEMPT: Final = tags.table("h1 h2 h3 h4 h5 h6 li table pre".split())
_LEAST_LINKED: Final = 0.5  # share in links of a line that is a label and links
_LEAST_LINKS: Final = 2  # lines of links of a box
_LONGEST: Final = 400  # characters of a label with its links, white space included
_LONGEST_TITLE: Final = 150  # of a line behind an arrow
_MOSTLY: Final = 0.6  # share of like links that stand above a text, and that begin differently
_SHORT_ENTRY: Final = 12  # words of a link with a price or a date
_MOST_BELOW: Final = 8  # lines of links below a label
_EXCERPT: Final = 400  # characters of what a box says of a text
_MOST_LINKS: Final = 60  # lines of links around which boxes are sought
_CODE: Final = tags.table(["pre"])
_SECTION: Final = tags.table(["h1", "h2", "h3"])
_AFTER_LABEL: Final = re.compile(r"[:：|>»›–—?？】\u3000]|-\s")
_ARROWS: Final = (">>", *"»▶▷►▸→➔➜➡➤👉⇒≫")  # what leads to another text without a word
_SAID: Final = re.compile(r"(?:(?<!\.)[.!?。！？]|(?<!\s)[\"”“»«’」』])\Z")
"""The end of what is said; labels end with more points, or a sign behind a blank."""
_ENDS: Final = re.compile(r"\A(?:[\W_]|\d+\s)+|(?<![\W_])[\W_]+\Z")
_BOX_NAMED: Final = re.compile(
    r"(?<![a-z])(?:recommend\w*|related(?![-_]?(?:works?|research|terms?))\w*|read-?next|(?:more|latest|recent|popular|trending)-?(?:stories|news|articles|posts|insights)|more-from"
    r"|suggest(?:ed|ions?)|similar-?(?:posts|articles|stories|news)|you-?(?:may|might)|also-?like|tuijian|xgtj|xgyd"
    r"|xiangguan\w*|guess-?like|verwandte?\w*|aehnliche?\w*|empfehl\w*|recomend\w*|relacionad\w*"
    r"|correlat[io]\w*|polecan\w*|powiazan\w*|lire-aussi|a-lire|relaterad\w*|relateret\w*|taboola|outbrain"
    r"|(?:display|article|story|post)-card(?![-_]))",
    re.IGNORECASE,
)
_BOX_WORDS: Final = (
    *("latest", "recent", "popular", "trending"),
    *("recom", "relat", "read-next", "readnext", "more-", "sugges", "similar", "you-m", "youm"),
    *("-like", "alsol", "tuijian", "xgtj", "xgyd", "xiangguan", "guess", "verwandt", "aehnlich"),
    *("empfehl", "relac", "correl", "polecan", "powiaz", "-aussi", "a-lire", "taboola", "outbrain"),
    *("lay-card", "cle-card", "ory-card", "ost-card"),
)
"""Each of these names has one of them; looking for a word costs a hundredth of the pattern."""
_BOXES: Final = tuple(Search(name, *_BOX_WORDS) for name in ("class", "id"))
_names_box: Final = finds(_BOX_NAMED)


def related_texts(draft: Draft) -> Mask | None:
    """Return bool[m]: labelled links to other texts, and boxes of them; None for none."""
    blocks, keep, units = draft.blocks, draft.keep, draft.units
    is_list = draft.is_surely(OF_LISTS, SURE) and 3 * (units * keep).max() < units[keep].sum()
    if is_list or (draft.kind == THREAD and discussion.posts(draft.page)):
        return None
    named = draft.kind in OF_RUNNING_TEXT  # a shop names its entries as such boxes are named
    said: Mask = keep > draft.alone
    led = (draft.alone[:-1] & (keep[:-1] | said[1:])).nonzero()[0].tolist()  # or said below
    found: list[int | slice] = [*_labelled(draft), *_labelled_boxes(draft, led)]
    if named:
        found += _labels_alone(blocks, keep, units)
    if named and len(led) > 1:
        rows = _named_boxes(blocks, led[:_MOST_LINKS])
        found += [_box(blocks, draft.alone, row, least=1) for row in rows]
    if not found:
        return None
    mask = np.zeros(len(keep), dtype=bool)
    for some in found:
        mask[some] = True
    if 1 not in (mask & keep).tobytes():
        return None
    mask &= ~(blocks.inside(_CODE) | within(blocks, data_table_rows(blocks.page)))
    return mask if draft.leaves(mask, SHARE_LEFT) else None


def _labelled_boxes(draft: Draft, led: list[int]) -> list[slice]:
    """Return labels with the links below: lines of links that are ``led``, or behind a kept label.

    These may stand beside a price or a date.
    """
    blocks, share, units = draft.blocks, draft.link_share, draft.units
    may = (share == 0) & (blocks.length <= 2 * LABEL)
    brief = (units[1:] <= _SHORT_ENTRY) | draft.alone[1:]
    above = may[:-1] & draft.keep[:-1] & brief & (share[1:] >= _LEAST_LINKED / 2)
    short, alone = {*above.nonzero()[0].tolist()}, draft.alone.tobytes()
    over = {alone.rfind(0, 0, at) for at in led} - {-1}  # above the first of several lines
    short |= {at for at in over if may[at]}
    labels = [at for at in short if is_related_label(blocks.text(at))]
    if not labels:
        return []
    priced = draft.alone | ((share >= _LEAST_LINKED / 2) & (units <= _SHORT_ENTRY))
    in_section = blocks.inside(_SECTION)
    return [_below(blocks, priced, in_section, at) for at in labels]


def _labelled(draft: Draft) -> list[int]:
    """Return kept lines that lead to another text by a label or an arrow that is no bullet.

    They are links for the most part, or short with some; in a table only where it lays out the
    page.
    """
    blocks = draft.blocks
    may = (draft.link_share >= _LEAST_LINKED) | (blocks.length <= LABEL)
    may &= draft.keep & draft.linked
    labelled = [at for at in may.nonzero()[0].tolist() if _is_labelled(blocks, at)]
    if not labelled:
        return []
    page = blocks.page
    tables = page.is_tag("table").nonzero()[0]
    in_small = within(blocks, tables[2 * page.length[tables] <= page.length[0]])
    is_list = len(labelled) > _MOST_BELOW  # whose bullets are arrows
    large = (at for at in labelled if not in_small[at])
    return [at for at in large if not (is_list and blocks.text(at).startswith(_ARROWS))]


def is_related_label(text: str) -> bool:
    return _bare(text) in _labels()


@cache
def _labels() -> frozenset[str]:
    """Return what stands before links to other texts, but «see also» and the like of a text."""
    file = Path(__file__).with_name("related_labels.json")
    held: dict[str, list[str]] = read_json(file.read_bytes())
    return frozenset(_bare(label) for labels in held.values() for label in labels)


def _bare(text: str) -> str:
    """Return a label in lower case, without marks around it."""
    text = fold_words(" ".join(text.split()))
    is_bare = text[:1].isalpha() and text[-1:].isalnum()
    return text if is_bare else _ENDS.sub("", text)


def _is_labelled(blocks: TextBlocks, at: int) -> bool:
    """Return whether a line is a label and links, the label within the link or before it."""
    (starts, stops), page = blocks.spans, blocks.page
    text = page.text[starts[at] : stops[at]]
    if len(text) > _LONGEST:
        return False
    first, last = blocks.first.item(at), blocks.last.item(at)
    in_link = page.in_link[first:last].tobytes()
    if 0 in in_link:
        places: list[int] = page.text_at[first : last + 1].tolist()
        rows = zip(in_link, page.own_length[first:last].tolist(), pairwise(places), strict=True)
        parts = [page.text[a:b] for linked, size, (a, b) in rows if size and not linked]
        label = "".join(parts)
        if any(map(str.isalnum, label)):
            return len(label) <= 2 * LABEL and is_related_label(label)
    if text.lstrip().startswith(_ARROWS):
        return len(text) <= _LONGEST_TITLE
    found = _AFTER_LABEL.search(text)
    return found is not None and is_related_label(text[: found.start()])


def _labels_alone(blocks: TextBlocks, keep: Mask, units: Floats) -> list[int]:
    """Return the kept labels in boxes of which nothing else is kept; no lines of a dialogue."""
    small = (keep & (units <= _MOST_WORDS) & (blocks.link_length == 0)).nonzero()[0]
    boxes = blocks.page.parent.take(blocks.owner.take(small))
    stops = blocks.first.searchsorted(blocks.page.end.take(boxes))
    alone = (stops <= small + 1) | ~keep.take(small + 1, mode="clip")
    texts = ((at, blocks.text(at)) for at in small[alone].tolist())
    return [at for at, text in texts if is_related_label(text) and not _SAID.search(text)]


def _below(blocks: TextBlocks, alone: Mask, in_section: Mask, label: int) -> slice:
    """Return the blocks of a label's box, or else the label and the lines of links below it."""
    page, row = blocks.page, blocks.owner.item(label)
    for _ in range(MOST_LEVELS):
        row = page.parent.item(row)
        if row <= page.body or blocks.first.searchsorted(row) != label:
            break
        box = _box(blocks, alone, row, least=1)
        if box.stop:
            return box
    stop, end = label + 1, min(len(alone), label + 1 + _MOST_BELOW)
    while stop < end and alone[stop] and not in_section[stop]:
        stop += 1
    return slice(label, stop) if stop > label + 1 else slice(0)


def _named_boxes(blocks: TextBlocks, led: list[int]) -> list[int]:
    """Return the elements around lines of links that are named as boxes of other texts."""
    page = blocks.page
    named = {row for search in _BOXES for row in search.where(page, _names_box)}
    if not named:
        return []
    lines, depth, end = blocks.first.take(led).tolist(), page.depth.item, page.end.item
    return [
        row
        for row in sorted(named)
        if row > page.body
        and any(
            depth(line) - depth(row) <= 2 * MOST_LEVELS
            for line in lines[bisect_right(lines, row) : bisect_left(lines, end(row))]
        )
    ]


def _box(blocks: TextBlocks, alone: Mask, row: int, least: int = _LEAST_LINKS) -> slice:
    """Return the blocks of an element of ``least`` links or more with short texts; else none."""
    start, stop = blocks.first.searchsorted([row, blocks.page.end[row]]).tolist()
    links = np.count_nonzero(alone[start:stop])
    lengths = blocks.length[start:stop]
    texts = lengths[blocks.link_length[start:stop] == 0]
    most = 1 if links == 1 else 2 * links
    few = links >= least and np.count_nonzero(texts > LABEL) <= most
    return slice(start, stop) if few and (texts <= _EXCERPT).all() else slice(0)


_LEAST_OF_CARD: Final = 8  # words of a card without its links
_LONGEST_CARD: Final = 600  # characters of a card
_MOST_IN_CARD: Final = 8  # blocks of a card, at most
_NUMBERED: Final = re.compile(r"[#№]?\d{1,3}(?:[.):：、]|\s)")
"""How two entries of an article's own list begin."""
_OWN_LINKS: Final = 0.8  # share of the links of cards that lead to the page's own host
_LEAST_ABOVE: Final = 80  # words of the text that such cards close
_MOST_BEHIND: Final = 1 / 3  # what is kept behind them, as a share of what is kept above


def closing_cards(draft: Draft) -> Mask | None:
    """Return bool[m]: blocks of cards below a text that lead to others; None for none.

    Cards are like siblings, each with a heading, an excerpt and links to the same site; where they
    are longer than the text above, it may be their introduction, unless headings are the links.
    """
    keep, units, alone = draft.keep, draft.units, draft.alone
    said = keep > alone
    led = said[1:] & alone[:-1]
    led[1:] |= said[2:] & alone[:-2]  # a date may stand between
    places = led.nonzero()[0]
    if len(places) < _LEAST_LINKS:
        return None
    above = slice(places.item(-_LEAST_LINKS) + 1)
    if units[above].dot(said[above]) < _LEAST_ABOVE:
        return None
    groups = _cards(draft, alone)
    of_cards, mask = np.zeros((2, len(keep)), dtype=bool)
    for some in chain.from_iterable(groups):
        of_cards[some] = True
    text = np.where(keep & ~of_cards, units, 0)
    headlines = alone & draft.blocks.inside(tags.HEADING)
    of_posts = draft.kind == THREAD  # who wrote them is the heading
    headlines &= keep | (not of_posts)
    for cards in groups:
        above, behind = text[: cards[0].start].sum(), text[cards[0].start :].sum()
        if above < _LEAST_ABOVE or behind > _MOST_BEHIND * above:
            continue
        longer = of_posts or sum(units[some][keep[some]].sum() for some in cards) > above
        if not longer or all(headlines[some].any() for some in cards):
            for some in cards:
                mask[some] = True
    return mask


def _cards(draft: Draft, alone: Mask) -> list[list[slice]]:
    """Return the blocks of each card, by groups of two or more siblings of the same names.

    Of such without names the headings are in links, or hold them, and the page says that it is an
    article.
    """
    page, names, above = draft.page, draft.features.names, draft.features.above
    rows = above.rows
    rows = rows[page.length.take(rows) <= _LONGEST_CARD]
    start, stop = above.begun.take(rows), above.begun.take(page.end.take(rows))
    links = alone.nonzero()[0]
    may = (stop - start > 1) & (stop - start <= _MOST_IN_CARD)
    rows = rows[may & (links.searchsorted(stop) > links.searchsorted(start))]
    may = names.alike.take(rows) > 0
    if 0 in may.tobytes() and says_article(draft):
        heads = tags.HEADING.take(page.tag) & (page.link_length > 0)
        may |= page.total(heads).take(rows) > 0
    return [
        [own for _, own in cards]
        for cards in like_siblings(draft.blocks, rows[may], draft.kinds)
        if all(
            tags.HEADING.take(page.tag[row : page.end.item(row)]).any()
            and draft.units[own][~alone[own]].sum() >= _LEAST_OF_CARD
            for row, own in cards
        )
        and _stay_on_site(page, [row for row, _ in cards])
        and not all(_NUMBERED.match(draft.blocks.text(own.start)) for _, own in cards[:2])
    ]


def _stay_on_site(page: Page, cards: list[int]) -> bool:
    """Return whether nearly all links of cards lead to the page's own host."""
    rows = chain.from_iterable(range(row, page.end.item(row)) for row in cards)
    links = [at for at in rows if page.tag.item(at) == tags.LINK]
    hosts = [host_name(page.attribute(at, "href")) for at in links]
    own = hosts.count("") + hosts.count(host_name(page.url) or "-")
    return own >= _OWN_LINKS * len(hosts)


_BUTTONS: Final = Search("class", *"btn button cta- cta_ -cta _cta call-to-action -print".split())
_PRESSED_LINKS: Final = Search("href", "history.back", "history.go", "window.close", "window.print")
_EDITS: Final = frozenset(WORDS["labels of links to edit a page"].split("|"))
_MAY_LEAD: Final = tags.table("h1 h2 h3 h4 h5 h6 table pre".split())
"""Elements in which a link alone is no call, whatever it is named."""


def lone_links(draft: Draft) -> Mask | None:
    """Return bool[m]: kept lines that are a short link alone, but titles; None for none.

    In lists, and where they aren't running text, links named as buttons, and what several say; in
    documentation links to edit the page.
    """
    blocks, may = draft.blocks, draft.keep & (draft.units <= _MOST_WORDS)
    linked: Mask = may & (blocks.link_length > LINKED * blocks.length)
    if draft.kind == ARTICLE and 1 not in linked.tobytes():
        return None
    outside: Mask = may & ~blocks.inside(_MAY_LEAD)
    if 1 not in (linked | outside).tobytes():
        return None
    page = blocks.page
    pressed = (page.tag == PRESSED).nonzero()[0]
    rows = np.array([*_BUTTONS.rows(page), *pressed], dtype=np.intp)
    begin, stop = blocks.first.searchsorted((rows, page.end.take(rows)))
    named = outside & marked(len(blocks), begin[stop - begin == 1])  # all of such an element
    back = blocks.first.searchsorted(_PRESSED_LINKS.rows(page))
    presses = marked(len(blocks) + 1, back)[:-1]  # the last may have no text
    mask = (linked & named) | (may & presses & (draft.link_share > _LEAST_LINKED))
    if draft.kind in OF_RUNNING_TEXT:
        mask |= linked & ~blocks.inside(_EXEMPT)
        mask[[*_titles_of_texts(draft, mask.nonzero()[0])]] = False
    elif draft.kind == MANUAL:
        some = draft.keep & draft.alone & (blocks.length <= LABEL)
        texts = zip(some.nonzero()[0].tolist(), blocks.texts(some), strict=True)
        mask[[at for at, text in texts if _bare(text) in _EDITS]] = True
    if draft.kind != ARTICLE:
        said = dict(zip(named.nonzero()[0].tolist(), blocks.texts(named), strict=True))
        times = Counter(said.values())
        mask[[at for at, text in said.items() if times[text] >= FEWEST_LINKS]] = True
    for at in mask.nonzero()[0].tolist():
        mask[at] = not (_is_said(blocks, at) or (not named[at] and _is_announced(draft, at)))
    return mask if 1 in mask.tobytes() and draft.leaves(mask, SHARE_LEFT) else None


def _titles_of_texts(draft: Draft, lines: NDArray[np.intp]) -> Iterator[int]:
    """Yield those of the links alone that title a text below; what leads on begins alike."""
    text = draft.keep & ~draft.alone & (draft.blocks.length >= LABEL)
    above = np.append(text[1:], False).take(lines)
    if np.count_nonzero(above) < _MOSTLY * FEWEST_LINKS:
        return
    groups = draft.features.group.take(lines)
    alike = groups.argsort(kind="stable")
    for own in np.split(alike, np.diff(groups[alike]).nonzero()[0] + 1):
        texts = [text for text in draft.blocks.texts(lines[own]) if not text.endswith(_ARROWS)]
        begin = {text.casefold().partition(" ")[0] for text in texts}
        if len(begin) >= max(FEWEST_LINKS, _MOSTLY * len(own)) and above[own].mean() >= _MOSTLY:
            yield from lines[own].tolist()


def _is_announced(draft: Draft, at: int) -> bool:
    """Return whether a kept line above, no label of links elsewhere, ends with a colon."""
    above = draft.blocks.text(at - 1) if at and draft.keep[at - 1] else ""
    return above.endswith(COLONS) and not is_related_label(above)


def _is_said(blocks: TextBlocks, block: int) -> bool:
    """Return whether a link is a telephone number, a mail address, or opens the page's answer."""
    text = blocks.text(block)
    is_contact = text[-1:].isdigit() or "@" in text
    if not (is_contact or asks(text)):
        return False
    address = (link_address(blocks, block) or "#").lstrip()
    return address.startswith(("tel:", "mailto:") if is_contact else ("#", "javascript:"))
