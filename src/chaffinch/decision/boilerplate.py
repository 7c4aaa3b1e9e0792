"""What is dropped though it may score high: page chrome, advertisements, notices."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from itertools import chain, islice, takewhile
from typing import Final

import numpy as np

from chaffinch import kernels
from chaffinch.caching import finds
from chaffinch.decision.draft import (
    ARTICLE,
    FEWEST_LINKS,
    LABEL,
    MOST_LEVELS,
    OF_LISTS,
    OF_SHOPS,
    PRESSED,
    SURE,
    THREAD,
    Draft,
)
from chaffinch.decision.questions import asks, names_question
from chaffinch.decision.structure import within
from chaffinch.elements import WORDS
from chaffinch.elements.adverts import (
    ADVERTS,
    COOKIES,
    COUNTERS,
    CREDITS,
    DISCLAIMERS,
    LEGAL,
    LONGEST_BRIEF,
    LONGEST_NOTICE,
    NOTICES,
    OF_DELIVERY,
    RIGHTS,
    Lines,
    is_label,
    labelled_adverts,
    rows_named,
    sign_up_boxes,
)
from chaffinch.elements.tables import names_navigation
from chaffinch.kernels import Names
from chaffinch.kernels.arrays import Mask, Rows, marked
from chaffinch.kernels.codes import WORD_BUCKETS
from chaffinch.model.features import features
from chaffinch.page import Page, parse, tags
from chaffinch.page.attributes import Search
from chaffinch.page.urls import place_of
from chaffinch.segment.text_blocks import TextBlocks
from chaffinch.wording import any_of, fold_words

_TAGS: Final = tags.table("footer nav dialog select option button".split())
_ROLES: Final = frozenset("contentinfo navigation menu menubar tooltip dialog alertdialog".split())
_ROLE_AT: Final = 2
"""Where the role stands in a set of names; see `chaffinch.model.name_hashes.Names`."""
_SOURCES: Final = tags.table(["blockquote", "figure"])  # elements whose footer names a source
_TITLES: Final = tags.table("h1 h2 h3 h4 h5 h6 dt summary th".split())
"""Elements in which a button has the text of a heading."""
_MAY_BE_CONTENT: Final = tags.table(["button", "footer", "nav"])
_CELL, _HEADER = tags.CODES["td"], tags.CODES["header"]
_TEXTS: Final = tags.table("main article section".split())
_LINKED_CELL: Final = 0.8  # share of its characters in links from which a cell is a menu
_LISTS: Final = tags.table("ul ol dl menu".split())
_GRADES: Final = [*"12345"]
_LINKED_LIST, _FEWEST_IN_MENU, _LEAST_NAME = 0.5, 8, 2
"""Share of its characters in links, and blocks, from which a list with a link to the page itself is
a menu; characters of the page's name in its address."""
_NUMBER: Final = re.compile(
    r"\A(?:[#№]?\d{1,3}(?:\.\d{1,3})*[.)]?|[ivx]{1,4}[.)])\s+|\s?(?:[¶#]|\[[^\[\]]{1,40}\])\Z"
)
"""What may stand before a heading, or its line in a table of contents, or behind it: [edit]."""
_FEWEST_IN_BAR: Final = 3  # links of a line that is a menu
_SIGNS: Final = r"|｜·•/\\\]<>»–—:~*●-"
_MARKS: Final = re.compile(f"[{_SIGNS}]")
_BAR: Final = re.compile(rf"(?:\W{{0,40}}+\w++){{0,4}}[\[«\s{_SIGNS}]*+")
"""What parts the links of such a line, and what stands before them."""
_FILTERS: Final = ("facet", "filter", "refine")
_FILTER: Final = re.compile(rf"(?<![a-z])(?:{'|'.join(_FILTERS)})", re.IGNORECASE)
_names_filters: Final = finds(_FILTER)
_DEPICTS: Final = tuple(WORDS["names of pictures of programs"].split("|"))
_depicts: Final = finds(
    re.compile(rf"\A\W*(?:\w{{1,12}}\W){{0,2}}{any_of(_DEPICTS)}(?![a-z])", re.IGNORECASE)
)
"""What the label of an element tells that shows no text but what another program looks like."""
_LISTINGS: Final = tags.table(["table", "pre", "code", "textarea"])
_OF_CONTACT: Final = re.compile(r"@|\d[\d ()/-]{5,20}\d|e-?mail|邮箱|郵箱|信箱", re.IGNORECASE)
_MOST_CONTACTS: Final = 3
"""What a line to write or call by holds, and lines of that which may stand below a notice."""
_JSON: Final = re.compile(r'(?:\[\s?)?\{\s?"[^"]{0,80}+"\s?:')
_FILLER: Final = re.compile(r"lorem ipsum(?: dolor\b|\W*\d{0,2}\Z)", re.IGNORECASE)
_IDS: Final = re.compile(
    r"\s*+(?:\w\s++)?\w?[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\s", re.IGNORECASE
)
"""How a text begins that fills a template, and numbers of what a script is to load."""
_LEAST_OF_IDS, _OF_IDS = 100, 7  # characters of such numbers, and of each of their words
_LEAST_BESIDE, _WORDS_ABOVE = 40, 3  # likely words beside fillers, and those of a line above one


_LABELLED: Final = Search("aria-label", *filter(str.isascii, map(fold_words, _DEPICTS)))
"""Values with letters beyond ASCII are found without a word."""
_SUMMARIES: Final = Search("summary", "navigation")
_NAVBOXES: Final = Search("class", "navbox", "ambox")
_NAMED_FILTERS: Final = tuple(Search(name, *_FILTERS) for name in ("class", "id"))


def page_chrome(draft: Draft) -> Mask | None:
    """Return bool[m]: blocks in page chrome, and on lists in boxes that choose among entries."""
    dropped, blocks, page, keep = _inside_chrome(draft), draft.blocks, draft.page, draft.keep
    boxes = _filters(draft) if draft.kind in OF_LISTS else []
    menus = _menu_cells(blocks, keep) if "td" in page.tag_names else []
    if "table" in page.tag_names:  # of wikis, too
        boxes += _SUMMARIES.where(page, names_navigation)
        boxes += _NAVBOXES.rows(page)
    boxes += _LABELLED.where(page, _depicts)
    alone = keep & draft.alone
    if 1 in alone.tobytes():
        menus += [*_contents(draft, alone), *_menus_of_headers(draft, alone)]
        menus += _rating_controls(draft, alone)
    linked = keep & (blocks.link_length > 0)
    if 1 in linked.tobytes():
        menus += _own_menus(draft, linked)
        menus += () if draft.is_surely(OF_LISTS, SURE) else _bars(draft, linked)
    if "button" in page.tag_names:  # sizes of letters, servings
        menus += _labels_in_buttons(blocks, keep)
    if boxes:
        menus += within(blocks, boxes).nonzero()[0].tolist()
    if menus:
        dropped = np.zeros(len(blocks), dtype=bool) if dropped is None else dropped
        dropped[menus] = True
    return dropped if dropped is not None and draft.leaves(dropped) else None


def _labels_in_buttons(blocks: TextBlocks, keep: Mask) -> list[int]:
    """Return the kept labels that stand in several buttons each, but headings."""
    buttons = (blocks.page.tag == PRESSED).nonzero()[0]
    labels = (keep & (blocks.length <= LABEL)).nonzero()[0] if len(buttons) > 1 else buttons[:0]
    begun, ended = buttons.searchsorted((blocks.first.take(labels), blocks.last.take(labels)))
    several = labels[ended - begun > 1].tolist()
    return [at for at in several if not tags.HEADING[blocks.owner_tag[at]]]


def _filters(draft: Draft) -> list[int]:
    """Return the boxes that are named for filters and hold no image, but the most of a page."""
    page, units = draft.page, draft.units
    rows = [row for search in _NAMED_FILTERS for row in search.where(page, _names_filters)]
    if not rows:
        return []
    images = (page.tag == tags.CODES["img"]).nonzero()[0].searchsorted
    boxes = [row for row in rows if images(row) == images(page.end[row])]
    mask = draft.keep & within(draft.blocks, boxes)
    return boxes if 2 * units[mask].sum() <= units[draft.keep].sum() else []


def _fillers(draft: Draft) -> list[int]:
    """Return the blocks that fill the place of a text: «lorem ipsum», numbers for a script."""
    blocks, units, page = draft.blocks, draft.units, draft.page
    of_ids = (blocks.length >= _LEAST_OF_IDS) & (blocks.length > _OF_IDS * units)
    starts = blocks.spans[0]
    out = [at for at in of_ids.nonzero()[0].tolist() if _IDS.match(page.text, starts[at])]
    if "orem ipsum" not in page.text or draft.kind == THREAD or "ipsum" in page.head.title.lower():
        return out
    some = [at for at, text in enumerate(blocks.texts()) if _FILLER.match(text)]
    brief = units <= _WORDS_ABOVE
    some += [up for at in some for up in (at - 1, at - 2) if brief[up:at].all() and up >= 0]
    beside = draft.score >= _LIKELY
    beside[some] = False
    return out + some if units[beside].sum() >= _LEAST_BESIDE else out


def data_of_scripts(blocks: TextBlocks) -> list[int]:
    """Return the blocks that are an object or a list in JSON, outside of code and tables."""
    if "{" not in blocks.page.text or '{"' not in blocks.page.text:  # the former is sooner seen
        return []
    rows = (~blocks.inside(_LISTINGS)).nonzero()[0].tolist()
    texts = zip(rows, blocks.texts(rows), strict=True)
    return [at for at, text in texts if text[-1:] in ("}", "]") and _JSON.match(text)]


def _menu_cells(blocks: TextBlocks, keep: Mask) -> list[int]:
    """Return the kept blocks in cells of links beside the one that holds most of the text.

    So did sites lay out their pages before there were style sheets: menu, text, links.
    """
    page = blocks.page
    cells = (page.tag == _CELL).nonzero()[0]
    begin, stop = blocks.first.searchsorted((cells, page.end[cells]))
    several = stop - begin >= FEWEST_LINKS
    if 1 not in several.tobytes():
        return []
    linked = (blocks.link_length > 0) & (2 * blocks.link_length >= blocks.length)
    plain, links = (
        np.append(0, some.cumsum())
        for some in (np.where(keep, blocks.length - blocks.link_length, 0), linked)
    )
    line, held, led = page.parent[cells], plain[stop] - plain[begin], links[stop] - links[begin]
    most = line[2 * held > plain[-1]]
    menus = page.link_length[cells] >= _LINKED_CELL * page.length[cells]
    menus |= (led >= FEWEST_LINKS) & (stop - begin - led <= 1)  # with bullets, below a label
    menus &= several & np.isin(line, most)
    spans = zip(begin[menus].tolist(), stop[menus].tolist(), strict=True)
    return [at for span in spans for at in range(*span) if keep[at]]


def _rating_controls(draft: Draft, alone: Mask) -> Iterator[int]:
    """Yield links that say the same of each of five marks: «1 of 5 stars 2 of 5 stars …».

    ``alone`` is bool[m], the kept lines that are links alone.
    """
    may = alone & (draft.units >= 2 * len(_GRADES))
    for at in may.nonzero()[0].tolist():
        words = draft.blocks.text(at).split()
        size, rest = divmod(len(words), len(_GRADES))
        if size > 1 and not rest and words[::size] in (_GRADES, _GRADES[::-1]):
            said = {tuple(words[start + 1 : start + size]) for start in range(0, len(words), size)}
            if len(said) == 1:
                yield at


def _menus_of_headers(draft: Draft, alone: Mask) -> list[int]:
    """Return the kept lines of links ``alone`` of headers of the page that are mostly links."""
    page = draft.page
    if "header" not in page.tag_names or np.count_nonzero(alone) < _FEWEST_IN_MENU:
        return []
    heads = (page.tag == _HEADER).nonzero()[0]
    heads = heads[(2 * page.link_length[heads] >= page.length[heads]) & (heads > page.body)]
    heads = heads[~page.inside(_TEXTS.take(page.tag))[heads]]
    found = (alone & within(draft.blocks, heads)).nonzero()[0]
    return found.tolist() if len(found) >= _FEWEST_IN_MENU else []


def _own_menus(draft: Draft, linked: Mask) -> Iterator[int]:
    """Yield the kept blocks of lists of links of which one leads to the page itself.

    With the elements around that hold nothing but such: they are a menu of the site, in columns.
    ``linked`` is bool[m], the kept blocks with characters in links.
    """
    blocks, page, keep = draft.blocks, draft.page, draft.keep
    if np.count_nonzero(linked) < _FEWEST_IN_MENU:
        return
    listed = linked & blocks.inside(_LISTS)
    if np.count_nonzero(listed) < _FEWEST_IN_MENU:
        return
    here = place_of(page.url)
    name = here.rpartition("/")[2].lower()
    if len(name) < _LEAST_NAME or not name.isascii():
        return
    hrefs = page.own_attributes.candidate_values("href", (name,)).items()
    rows = (at for to, at in hrefs if "#" not in to and place_of(page.addresses.find(to)) == here)
    kept = np.where(keep, draft.units, 0)
    seen = set[int]()  # each element is judged once, however many such links it holds
    for row in sorted(chain.from_iterable(rows)):
        menu = np.zeros(0, dtype=np.intp)
        for box in takewhile(lambda up: up not in seen, page.ancestors(row)):
            seen.add(box)
            start, stop = blocks.first.searchsorted((box, page.end[box])).tolist()
            own = start + keep[start:stop].nonzero()[0]
            share = blocks.link_length[own].sum() / max(blocks.length[own].sum(), 1)
            is_most = 2 * kept[own].sum() > kept.sum()
            if share <= _LINKED_LIST or is_most or not linked[own].all():
                break
            menu = own
        if listed[menu].sum() >= _FEWEST_IN_MENU:
            yield from menu.tolist()


def _bars(draft: Draft, linked: Mask) -> Iterator[int]:
    """Yield the lines of links that are parted by bars, brackets and the like, a name before.

    ``linked`` is bool[m], the kept blocks with characters in links. On 3,400 pages with labels,
    lists apart, 60 such lines were kept, and not one is content.
    """
    blocks, page = draft.blocks, draft.page
    may = (linked & (draft.units >= _FEWEST_IN_BAR)).nonzero()[0]
    links = (page.tag == tags.LINK).nonzero()[0]
    first = blocks.first.take(may)  # the first text may be a link's
    begun, ended = links.searchsorted((first, blocks.last.take(may)))
    counts = ended - begun + page.in_link.take(first)
    several = counts >= _FEWEST_IN_BAR
    for at, count in zip(may[several].tolist(), counts[several].tolist(), strict=True):
        own = slice(blocks.first.item(at), blocks.last.item(at))
        rows = ((page.tag[own] == tags.TEXT) & ~page.in_link[own]).nonzero()[0] + own.start
        between = "".join(map(page.text_of, rows.tolist()))
        if _BAR.fullmatch(between) and len(_MARKS.findall(between)) >= count - 1:
            yield at


def _contents(draft: Draft, alone: Mask) -> Iterator[int]:
    """Yield the lines of tables of contents: lists of links to headings of their text below.

    Half of the lines that stand together, and three or more, lead to such. ``alone`` is bool[m],
    the kept lines that are links alone.
    """
    blocks, page, keep = draft.blocks, draft.page, draft.keep
    if np.count_nonzero(alone) < FEWEST_LINKS:
        return
    lines = (alone & blocks.inside(_LISTS)).nonzero()[0]
    if len(lines) < FEWEST_LINKS:
        return
    heads = (keep & tags.HEADING.take(blocks.owner_tag)).nonzero()[0].tolist()
    last = {_NUMBER.sub("", blocks.text(at)).casefold(): at for at in heads}
    for run in np.split(lines, (np.diff(lines) > 1).nonzero()[0] + 1):
        below = [last.get(_NUMBER.sub("", text).casefold(), -1) for text in blocks.texts(run)]
        links = blocks.first.take(run[np.array(below) > run]).tolist()
        led = sum(any(map(page.anchor, islice(page.ancestors(row), MOST_LEVELS))) for row in links)
        if led >= max(FEWEST_LINKS, len(run) / 2):
            yield from run.tolist()


def _inside_chrome(draft: Draft) -> Mask | None:
    """Return bool[m]: blocks in elements of page chrome; None where none of them is kept."""
    blocks, page, keep, names = draft.blocks, draft.page, draft.keep, draft.features.names
    named = names.matching(_has_chrome_role)
    of_names = () if named is None else (named, names.of_row)
    inside = blocks.inside(_TAGS, *of_names)
    if 1 not in (inside & keep).tobytes():
        return None
    chrome = _TAGS.take(page.tag)
    if named is not None:
        chrome |= named.take(names.of_row)
        chrome &= ~page.is_tag("body")
    doubtful = (chrome & _MAY_BE_CONTENT.take(page.tag)).nonzero()[0]
    if not len(doubtful):
        return inside if named is None else page.inside(chrome)[blocks.first]
    kept = blocks.first[keep]
    starts, stops = kept.searchsorted(doubtful), kept.searchsorted(page.end[doubtful])
    in_title = page.inside(_TITLES.take(page.tag))
    for row in doubtful[starts < stops].tolist():
        chrome[row] = not _is_content(page, row, in_title)
    within = page.inside(chrome)
    begun = within[blocks.first]
    may = (draft.score >= _LIKELY) | blocks.inside(_LISTINGS)
    for at in (begun & ~within[blocks.last - 1] & may).nonzero()[0].tolist():
        own = slice(blocks.first.item(at), blocks.last.item(at))  # a button may begin a text
        plain = page.own_length[own][~(within[own] | page.in_link[own])].sum()
        begun[at] = 2 * plain < blocks.length[at]
    return begun


@lru_cache(maxsize=1 << 14)
def _has_chrome_role(names: Names) -> bool:
    """Return whether a set of names has one of `_ROLES`; a site's pages repeat them."""
    role = names[_ROLE_AT] if len(names) > _ROLE_AT else None
    return (role or "").strip().lower() in _ROLES


def _is_content(page: Page, row: int, in_title: Mask) -> bool:
    """Return whether a button has the text of a heading or asks, or a footer names a source.

    Or a nav has no link: builders of sites put the answers of accordions into such.
    """
    if page.tag[row] == tags.CODES["nav"]:
        return not (page.tag[row : page.end[row]] == tags.LINK).any()
    if page.tag[row] == tags.CODES["footer"]:
        return bool(_SOURCES[page.tag[page.parent[row]]])
    opens = page.attribute(row, "aria-expanded") is not None
    opens |= page.attribute(row, "aria-controls") is not None
    return (
        opens
        or bool(in_title[row])
        or asks(page.folded(row))
        or names_question(page.attribute(row, "class") or "")
    )


_SHARE_OF_ADVERTS: Final = 0.3
"""Share of the kept words in advertisements, and of the likely ones in calls, up to which they are
such."""
_SHARE_OF_NOTES: Final = 0.55  # the same for legal notes
_BEFORE_C: Final = ("(b)", "(B)")  # a line before one that (c) begins, which is the next of a list
_LIKELY, _OF_TEXT, _FIRST, _LAST, _MOST_NOTICES = 0.2, 0.5, 2, 12, 2
"""Score of a likely block, and of text; the first and last of them, in which notices are; and most
notices."""
_AMID: Final = 200  # bytes in UTF-8 of a call that stands amid a text
_LONGEST_CLOSING: Final = 600  # characters of a notice that is one of the last two texts
_LONGEST_CALL, _MOST_IN_BOX, _AROUND_CALL = 500, 6, 4
"""Characters and blocks of the box of a call, and elements around it that may be one."""
_NO_BOX: Final = tags.table("html body main article td th li blockquote".split())


def advertisements(draft: Draft) -> Mask | None:
    """Return bool[m]: blocks in advertisements and legal notes, and notices; None for none.

    Of the latter what is around them spoke for them.
    """
    keep, blocks, page = draft.keep, draft.blocks, draft.page
    found = marked(len(keep), draft.notices) if draft.notices else None
    if draft.policy is None:
        return found

    def among(rows: Rows) -> Rows:
        return kernels.touching(page.end, rows, blocks.first, blocks.last, keep)

    for rows, share in (
        (_adverts(draft, among), _SHARE_OF_ADVERTS),
        (rows_named(page, LEGAL, among), _SHARE_OF_NOTES),
    ):
        if rows is not None and draft.leaves(within := rows.take(blocks.first), 1 - share):
            draft.adverts = rows if draft.adverts is None else draft.adverts | rows
            found = within if found is None else found | within
    return found


def _adverts(draft: Draft, among: Callable[[Rows], Rows]) -> Mask | None:
    """Return bool[n]: rows in boxes that are named or labelled, or ask for an address.

    On a list, where what is so named or labelled may be an entry, the labels alone.
    """
    blocks, page, keep, is_list = draft.blocks, draft.page, draft.keep, draft.kind in OF_LISTS
    rows = None if is_list else rows_named(page, ADVERTS, among)
    may = _buckets_of_labels().take(draft.features.words[-1])
    may[:-1] &= keep[:-1] | keep[1:]
    boxes = sign_up_boxes(page, blocks.first[keep]) if "form" in page.tag_names else []
    if labels := [at for at in may.nonzero()[0].tolist() if is_label(blocks.text(at))]:
        heads = blocks.first[labels].tolist()
        boxes += heads if is_list else labelled_adverts(page, heads)
    if not boxes:
        return rows
    inside = page.inside(marked(len(page), boxes))
    return inside if rows is None else rows | inside


def notices(draft: Draft) -> None:
    """Give no score to closing notices, on articles to calls to readers, and to data of scripts.

    On lists notices keep it: what is around them spoke for them.
    """
    found = data_of_scripts(draft.blocks) + _fillers(draft)
    draft.notices += found
    if draft.policy is not None:
        calls = draft.kind == ARTICLE or draft.certainty < SURE
        draft.notices += (closing := _closing_notices(draft, calls=calls))
        found += closing if draft.kind not in OF_LISTS else []
    if found:
        draft.score = draft.score.copy()
        draft.score[found] = 0


def _closing_notices(draft: Draft, *, calls: bool) -> list[int]:
    """Return those of the last likely blocks that are notices, but of a text about such.

    Among them are lines that begin with the sign of copyright or with a credit, and with ``calls``
    what is asked of readers, wherever it stands, unless that is much of the likely.
    """
    blocks, units, length = draft.blocks, draft.units, draft.blocks.length
    likely = (draft.score >= _LIKELY).nonzero()[0]
    text = (draft.score > _OF_TEXT).nonzero()[0].tolist()
    brief = likely[length.take(likely) <= LONGEST_NOTICE].tolist()
    last = [at for at in text[-_MOST_NOTICES:] if length[at] <= _LONGEST_CLOSING]
    opening, closing = max(text[:_FIRST], default=-1), likely[-_LAST:].tolist()
    brief = brief if calls else [at for at in brief if at <= opening or at in closing]
    some = sorted({*brief, *last})
    lines = Lines(blocks.texts(some), some)
    if not lines.said:
        return []
    heads = tags.HEADING.take(blocks.owner_tag)
    long = [at for at in last if length[at] > LONGEST_NOTICE]
    ends = [at for at in lines.said if at in closing or (at <= opening and not heads[at])]
    short = {at for at in ends if at not in long}
    owned = [at for at in lines.having(RIGHTS) if at in short]
    owned = [at for at in owned if not blocks.text(max(at - 1, 0)).startswith(_BEFORE_C)]
    told = [*{*owned, *(at for at in lines.having(NOTICES) if at in short)}]
    told += [at for at in lines.having(DISCLAIMERS) if at in long]
    told += [at for at in lines.having(COOKIES) if at in last and not heads[at - 1]]
    told = told if len(told) <= _MOST_NOTICES else []
    told += [at for one in told for at in _contacts_below(blocks, one)]
    told += [at for at in lines.having(CREDITS) if at in short]
    briefest = {at for at in short if len(lines[at]) <= LONGEST_BRIEF}
    counters = [at for at in lines.having(COUNTERS) if at in briefest]
    told += [at for at in counters if any(map(str.isdigit, lines[at]))]
    told += [at for at in lines.having(OF_DELIVERY) if at in briefest and draft.kind in OF_SHOPS]
    asked = [
        at
        for at in (lines.calls() if calls else ())
        if at in short or (at not in long and len(lines[at].encode("utf-8", "replace")) <= _AMID)
    ]
    boxed = [*{at for one in asked for at in _around_call(draft, one)}]
    for some, most in ((asked, _MOST_NOTICES), (boxed, 0)):
        if len(some) <= most or units[some].sum() <= _SHARE_OF_ADVERTS * units[likely].sum():
            told += some
    return told


def _contacts_below(blocks: TextBlocks, at: int) -> Iterator[int]:
    """Yield the lines below a notice that say by which number or mailbox one objects."""
    for below in range(at + 1, min(at + 1 + _MOST_CONTACTS, len(blocks))):
        line = blocks.text(below)
        if len(line) > LONGEST_BRIEF or not _OF_CONTACT.search(line):
            return
        yield below


def _around_call(draft: Draft, at: int) -> range:
    """Return the blocks of the box of a call that has a button or a short link of its own."""
    blocks, page = draft.blocks, draft.page
    found = range(0)
    for box in islice(page.ancestors(blocks.owner.item(at)), _AROUND_CALL):
        own = range(*blocks.first.searchsorted((box, page.end[box])).tolist())
        too_much = page.length.item(box) > _LONGEST_CALL or len(own) > _MOST_IN_BOX
        if _NO_BOX[page.tag.item(box)] or too_much:  # before anything takes its blocks' time
            break
        if ((draft.score[own] > _OF_TEXT) & (blocks.length[own] > LONGEST_NOTICE)).any():
            break
        links = draft.alone[own] & (blocks.length[own] <= LABEL)
        if links.any() or (page.tag[box : page.end[box]] == PRESSED).any():
            found = own
    return found


@cache
def _buckets_of_labels() -> Mask:
    """Return bool[buckets of words]: those of whole blocks that are labels of advertisements."""
    labels = WORDS["labels of advertisements"]
    words = chain(labels.split("|"), fold_words(labels).split("|"))
    forms = (form for one in words for form in (one, one.upper(), one.title(), one.capitalize()))
    page = parse("".join(f"<p>{form}</p>" for form in forms))
    mask = np.zeros(WORD_BUCKETS, dtype=bool)
    mask[features(page).words[-1]] = True
    return mask
