"""What is dropped though it may score high: page chrome, links that lead on, hidden text."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib import resources
from itertools import chain, pairwise, takewhile
from typing import Final
from unicodedata import normalize

import numpy as np
from numpy.typing import NDArray

from chaffinch import kernels
from chaffinch.decision.discussions import asks, names_question
from chaffinch.decision.structure import data_table_rows, within
from chaffinch.elements.adverts import (
    CALLS,
    COUNTERS,
    LABELS,
    LONGEST_COUNTER,
    LONGEST_NOTICE,
    NOTICES,
    is_label,
    labelled_adverts,
    lines_with,
    named_adverts,
)
from chaffinch.elements.hidden import (
    MOST_KEPT,
    folded,
    hidden_of,
    may_be_marked,
)
from chaffinch.elements.tables import names_navigation
from chaffinch.kernels import Names
from chaffinch.kernels.codes import WORD_BUCKETS
from chaffinch.model.features import NUMBERS, Features, features
from chaffinch.page import Page, parse, tags
from chaffinch.page.arrays import Floats, Mask
from chaffinch.page.urls import host_name
from chaffinch.segment.text_blocks import TextBlocks
from chaffinch.storage import read_json

_TAGS: Final = tags.table("footer nav dialog select option button".split())
_ROLES: Final = frozenset("contentinfo navigation menu menubar tooltip dialog alertdialog".split())
_ROLE_AT: Final = 2
"""Where the role stands in a set of names; see `chaffinch.model.name_hashes.Names`."""
_SOURCES: Final = tags.table(["blockquote", "figure"])
"""Elements whose footer names a source."""
_TITLES: Final = tags.table("h1 h2 h3 h4 h5 h6 dt summary".split())
"""Elements in which a button has the text of a heading."""
_MAY_BE_CONTENT: Final = tags.table(["button", "footer"])
_LEAST_LEFT: Final = 10
"""Words that must be left, or nothing is dropped."""
_CELL: Final = tags.CODES["td"]
_LINKED_CELL, _FEWEST_LINKS = 0.8, 3
"""Share of its characters in links, and blocks, from which a cell is a menu."""
_LISTS: Final = tags.table("ul ol dl menu".split())
_LINKED_LIST, _FEWEST_IN_MENU, _LEAST_NAME = 0.5, 8, 2
"""Share of its characters in links, and blocks, from which a list with a link to the page itself is
a menu; characters of the page's name in its address."""
_FILTERS: Final = re.compile(r"(?<![a-z])(?:facet|filter|refine)", re.IGNORECASE)
_LISTINGS: Final = tags.table(["table", "pre", "code", "textarea"])
_JSON: Final = re.compile(r'(?:\[\s?)?\{\s?"[^"]{0,80}+"\s?:')


def page_chrome(found: Features, keep: Mask, *, filters: bool = False) -> Mask | None:
    """Return bool[m]: kept blocks in page chrome; None for none, or where too little is left.

    With ``filters`` the boxes count, too, by which a visitor chooses among the entries of a list.
    """
    dropped, blocks = _inside_chrome(found, keep), found.blocks
    if filters and (boxes := _filters(found, keep)) is not None:
        dropped = boxes if dropped is None else dropped | boxes
    menus = [*_menu_cells(blocks, keep), *_own_menus(found, keep)]
    if blocks.page.holds("table"):
        tables = blocks.page.rows_where("summary", names_navigation, "navigation")
        menus += within(blocks, tables).nonzero()[0].tolist() if tables else []
    if menus:
        dropped = np.zeros(len(keep), dtype=bool) if dropped is None else dropped
        dropped[menus] = True
    if dropped is None:
        return None
    dropped &= keep
    left: Mask = keep & ~dropped
    return dropped if found.units[left].sum(dtype=np.float64) >= _LEAST_LEFT else None


def _filters(found: Features, keep: Mask) -> Mask | None:
    """Return bool[m]: kept blocks in boxes that are named for filters and hold no image."""
    page, units = found.blocks.page, found.units
    words = "facet", "filter", "refine"
    named = (page.rows_where(name, _names_filters, *words) for name in ("class", "id"))
    if not (rows := [*chain(*named)]):
        return None
    images = (page.tag == tags.CODES["img"]).nonzero()[0].searchsorted
    boxes = [row for row in rows if images(row) == images(page.end[row])]
    mask = keep & within(found.blocks, boxes)
    return mask if 2 * units[mask].sum() <= units[keep].sum() else None


def _names_filters(value: str) -> bool:
    return _FILTERS.search(value) is not None


def data_of_scripts(blocks: TextBlocks) -> list[int]:
    """Return the blocks that are an object or a list in JSON, outside of code and tables."""
    if "{" not in blocks.page.text or '{"' not in blocks.page.text:  # the former is sooner seen
        return []
    rows = (~blocks.inside(_LISTINGS)).nonzero()[0].tolist()
    texts = ((at, blocks.text(at)) for at in rows)
    return [at for at, text in texts if text[-1:] in ("}", "]") and _JSON.match(text)]


def _menu_cells(blocks: TextBlocks, keep: Mask) -> list[int]:
    """Return the kept blocks in cells of links beside the one that holds most of the text.

    So did sites lay out their pages before there were style sheets: menu, text, links.
    """
    page = blocks.page
    if not page.holds("td"):
        return []
    cells = (page.tag == _CELL).nonzero()[0]
    begin, stop = blocks.first.searchsorted((cells, page.end[cells]))
    plain = np.concatenate([[0], np.cumsum(np.where(keep, blocks.length - blocks.link_length, 0))])
    line, held = page.parent[cells], plain[stop] - plain[begin]
    most = line[2 * held > plain[-1]]
    menus = (stop - begin >= _FEWEST_LINKS) & np.isin(line, most)
    menus &= page.link_length[cells] >= _LINKED_CELL * page.length[cells]
    spans = zip(begin[menus].tolist(), stop[menus].tolist(), strict=True)
    return [at for span in spans for at in range(*span) if keep[at]]


def _own_menus(found: Features, keep: Mask) -> Iterator[int]:
    """Yield the kept blocks of lists of links of which one leads to the page itself.

    With the elements around that hold nothing but such: they are a menu of the site, in columns.
    """
    blocks, page = found.blocks, found.blocks.page
    linked = keep & (blocks.link_length > 0)
    if np.count_nonzero(linked) < _FEWEST_IN_MENU:
        return
    listed = linked & blocks.inside(_LISTS)
    if np.count_nonzero(listed) < _FEWEST_IN_MENU:
        return
    place = _place(page.url)
    name = place.rpartition("/")[2].lower()
    if len(name) < _LEAST_NAME or not name.isascii():
        return
    hrefs = page.own_attributes.candidate_values("href", (name,)).items()
    rows = (
        own for href, own in hrefs if "#" not in href and _place(page.addresses.find(href)) == place
    )
    kept = np.where(keep, found.units, 0)
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


def _place(url: str | None) -> str:
    """Return host and path of an address."""
    return (url or "").partition("#")[0].partition("://")[2].rstrip("/")


def _inside_chrome(found: Features, keep: Mask) -> Mask | None:
    """Return bool[m]: blocks in elements of page chrome; None where none of them is kept."""
    blocks, names = found.blocks, found.names
    page = blocks.page
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
    return page.inside(chrome)[blocks.first]


@lru_cache(maxsize=1 << 14)
def _has_chrome_role(names: Names) -> bool:
    """Return whether a set of names has one of `_ROLES`; a site's pages repeat them."""
    role = names[_ROLE_AT] if len(names) > _ROLE_AT else None
    return (role or "").strip().lower() in _ROLES


def _is_content(page: Page, row: int, in_title: Mask) -> bool:
    """Return whether a button has the text of a heading or asks, or a footer names a source."""
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


PAGE_TYPES: Final = ("article", "service")
"""Page types of running text."""
_MOST_WORDS: Final = 6
"""Words of such a link; longer ones may be titles."""
LINKED: Final = 0.95
"""Share of a line's characters in links, white space apart, from which it is links alone."""
_LINK: Final = tags.CODES["a"]
_EXEMPT: Final = tags.table("h1 h2 h3 h4 h5 h6 li table pre".split())
_IN_TABLE: Final = tags.table(["table"])
_SHARE_LEFT: Final = 0.3
"""Share of the kept words that must be left: else links are the main content."""


LINK_SHARE: Final = NUMBERS.index("link_share")
_LEAST_LINKED: Final = 0.5
"""Share in links of a line that is a label and links."""
_LEAST_LINKS: Final = 2
"""Lines of links of a box."""
_LONGEST: Final = 400
"""Characters of a label with its links, white space included."""
_LABEL: Final = 40
"""Characters of a label; twice as many with the marks around it."""
_SHORT_ENTRY: Final = 12
"""Words of a link with a price or a date."""
_MOST_BELOW: Final = 8
"""Lines of links below a label."""
_EXCERPT: Final = 400
"""Characters of what a box says of a text."""
_MOST_LEVELS: Final = 6
"""Elements around a label or a link, the outermost of which is its box at most."""
_MOST_LINKS: Final = 60
"""Lines of links around which boxes are sought."""
_CODE: Final = tags.table(["pre"])
_SECTION: Final = tags.table(["h1", "h2", "h3"])
_AFTER_LABEL: Final = re.compile(r"[:：|>»›–—]|\s-\s")
_ARROWS: Final = (">>", *"»▶▷►▸→➔➜➡➤👉⇒≫")
"""What leads to another text without a word."""
_ENDS: Final = re.compile(r"\A[\W_]+|[\W_]+\Z")
_BOX_NAMED: Final = re.compile(
    r"(?<![a-z])(?:recommend\w*|related(?![-_]?(?:works?|research|terms?))\w*|read-?next|more-(?:stories|news|articles|posts|from)"
    r"|suggest(?:ed|ions?)|similar-?(?:posts|articles|stories|news)|you-?(?:may|might)|also-?like|tuijian|xgtj|xgyd"
    r"|xiangguan\w*|guess-?like|verwandte?\w*|aehnliche?\w*|empfehl\w*|recomend\w*|relacionad\w*"
    r"|correlat[io]\w*|polecan\w*|powiazan\w*|lire-aussi|a-lire|relaterad\w*|relateret\w*|taboola|outbrain)",
    re.IGNORECASE,
)

_BOX_WORDS: Final = (
    *("recom", "relat", "read-next", "readnext", "more-", "sugges", "similar", "you-m", "youm"),
    *("-like", "alsol", "tuijian", "xgtj", "xgyd", "xiangguan", "guess", "verwandt", "aehnlich"),
    *("empfehl", "relac", "correl", "polecan", "powiaz", "-aussi", "a-lire", "taboola", "outbrain"),
)
"""Each of these names has one of them; looking for a word costs a hundredth of the pattern."""


def related_texts(found: Features, keep: Mask, *, named: bool = True) -> Mask | None:
    """Return bool[m]: labelled links to other texts, and boxes of them; None for none.

    With ``named`` the names of boxes count, too; a shop names its entries so.
    """
    blocks, units = found.blocks, found.units
    share = found.numbers[:, LINK_SHARE]
    alone: Mask = share > LINKED
    linked: Mask = keep & (share >= _LEAST_LINKED)
    told: Mask = alone[:-1] & keep[1:] & ~alone[1:]  # links with something said below
    links = linked.nonzero()[0].tolist()
    labelled = _labelled(blocks, links)
    priced: Mask = alone | ((share >= _LEAST_LINKED / 2) & (units <= _SHORT_ENTRY))
    brief: Mask = (share == 0) & (blocks.length <= 2 * _LABEL)
    heading: Mask = (keep & brief)[:-1] & priced[1:]
    boxed = _labels_alone(blocks, keep, units) if named else []
    if not (labelled or boxed or links or 1 in (told | heading).tobytes()):
        return None
    mask = np.zeros(len(keep), dtype=bool)
    mask[[*labelled, *boxed]] = True
    led = ((linked & alone)[:-1] | told).nonzero()[0]
    short = {*heading.nonzero()[0].tolist()}
    if len(led):  # lines of links stand below the label of the first
        above = np.maximum.accumulate(np.where(alone, -1, np.arange(len(keep))))
        short |= {*above[led].tolist()} - {-1}
    if labels := [at for at in short if brief[at] and _is_label(blocks.text(at))]:
        in_section = blocks.inside(_SECTION)
        for at in labels:
            mask[_below(blocks, priced, in_section, at)] = True
    if named and len(led) > 1:
        for row in _named_boxes(blocks, led):
            mask[_box(blocks, alone, row)] = True
    if 1 in (mask & keep).tobytes():
        mask &= ~(blocks.inside(_CODE) | within(blocks, data_table_rows(blocks.page)))
    mask &= keep
    if 1 not in mask.tobytes():
        return None
    left = units[keep & ~mask].sum(dtype=np.float64)
    least = max(_LEAST_LEFT, _SHARE_LEFT * units[keep].sum(dtype=np.float64))
    return None if left < least else mask


def _labelled(blocks: TextBlocks, links: list[int]) -> list[int]:
    """Return lines that lead to another text by a label or an arrow that is no bullet."""
    labelled = [at for at in links if _is_labelled(blocks, at)]
    if len(labelled) > _MOST_BELOW:
        return [at for at in labelled if not blocks.text(at).startswith(_ARROWS)]
    in_table = blocks.inside(_IN_TABLE) if labelled else None
    return labelled if in_table is None else [at for at in labelled if not in_table[at]]


def related_labels(blocks: TextBlocks, among: Mask) -> Mask:
    """Return bool[m]: those of some blocks that say Read also and the like."""
    mask = among.copy()
    for at in among.nonzero()[0].tolist():
        mask[at] = _is_label(blocks.text(at))
    return mask


def _is_label(text: str) -> bool:
    return _bare(text) in _labels()


@cache
def _labels() -> frozenset[str]:
    """Return what stands before links to other texts of a site, of all languages.

    Not «see also» and «source», which belong to a text.
    """
    file = resources.files(__package__).joinpath("related_labels.json")
    held: dict[str, list[str]] = read_json(file.read_text(encoding="utf-8"))
    return frozenset(_bare(label) for labels in held.values() for label in labels)


def _bare(text: str) -> str:
    """Return a label in lower case, without marks around it."""
    text = normalize("NFC", " ".join(text.split()))
    return _ENDS.sub("", text).replace("İ", "i").lower()


def _is_labelled(blocks: TextBlocks, at: int) -> bool:
    """Return whether a line is a label and links, the label within the link or before it."""
    page, first, last = blocks.page, blocks.first.item(at), blocks.last.item(at)
    begin, end = page.text_at.item(first), page.text_at.item(last)
    if end - begin > _LONGEST:
        return False
    text = page.text[begin:end]
    in_link = page.in_link[first:last].tobytes()
    if 0 in in_link:
        places: list[int] = page.text_at[first : last + 1].tolist()
        rows = zip(in_link, page.own_length[first:last].tolist(), pairwise(places), strict=True)
        parts = [page.text[a:b] for linked, size, (a, b) in rows if size and not linked]
        label = "".join(parts)
        if any(map(str.isalnum, label)):
            return len(label) <= 2 * _LABEL and _is_label(label)
    if text.lstrip().startswith(_ARROWS):
        return True
    found = _AFTER_LABEL.search(text)
    return found is not None and _is_label(text[: found.start()])


def _labels_alone(blocks: TextBlocks, keep: Mask, units: Floats) -> list[int]:
    """Return the kept labels in boxes of which nothing else is kept."""
    may = (keep & (units <= _MOST_WORDS) & (blocks.link_length == 0)).nonzero()[0]
    ends = blocks.page.end.take(blocks.page.parent.take(blocks.owner.take(may)))
    after = np.minimum(may + 1, len(keep) - 1)  # the last block has none
    alone = ~keep.take(after) | (ends <= blocks.first.take(after)) | (after == may)
    return [at for at in may[alone].tolist() if _is_label(blocks.text(at))]


def _below(blocks: TextBlocks, alone: Mask, in_section: Mask, label: int) -> slice:
    """Return the blocks of a label's box, or else the label and the lines of links below it."""
    page, row = blocks.page, blocks.owner_at(blocks.first[label : label + 1]).item()
    for _ in range(_MOST_LEVELS):
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


def _named_boxes(blocks: TextBlocks, led: NDArray[np.intp]) -> list[int]:
    """Return the elements around lines of links that are named as boxes of other texts."""
    page, around = blocks.page, set[int]()
    for row in blocks.first[led[:_MOST_LINKS]].tolist():
        above = row
        for _ in range(_MOST_LEVELS):
            above = page.parent.item(above)
            if above <= page.body or above in around:
                break
            around.add(above)
    rows = sorted(around)
    held = page.own_attributes.values_of(np.array(rows, dtype=np.int32), "class", "id")
    names = [f"{own or ''} {id_ or ''}" for own, id_ in held]
    together = "\n".join(names).lower()
    if not any(word in together for word in _BOX_WORDS):
        return []
    return [row for row, own in zip(rows, names, strict=True) if _BOX_NAMED.search(own)]


def _box(blocks: TextBlocks, alone: Mask, row: int, least: int = _LEAST_LINKS) -> slice:
    """Return the blocks of an element of ``least`` links or more with short texts; else none."""
    start, stop = blocks.first.searchsorted([row, blocks.page.end[row]]).tolist()
    links = np.count_nonzero(alone[start:stop])
    lengths = blocks.length[start:stop]
    texts = lengths[blocks.link_length[start:stop] == 0]
    most = 1 if links == 1 else 2 * links
    few = links >= least and np.count_nonzero(texts > _LABEL) <= most
    return slice(start, stop) if few and (texts <= _EXCERPT).all() else slice(0)


_LEAST_OF_CARD: Final = 8
"""Words of a card without its links."""
_LONGEST_CARD: Final = 600
"""Characters of a card."""
_MOST_IN_CARD: Final = 8
"""Blocks of a card, at most."""
_NUMBERED: Final = re.compile(r"[#№]?\d{1,3}(?:[.):：、]|\s)")
"""How two entries of an article's own list begin."""
_OWN_LINKS: Final = 0.8
"""Share of the links of cards that lead to the page's own host."""
_LEAST_ABOVE: Final = 80
"""Words of the text that such cards close."""
_MOST_BEHIND: Final = 1 / 3
"""What is kept behind them, as a share of what is kept above."""


def closing_cards(found: Features, keep: Mask) -> Mask | None:
    """Return bool[m]: kept blocks of cards below a text that lead to others; None for none.

    Cards are like siblings, each with a heading, an excerpt and links to the same site; where they
    are longer than the text above, it may be their introduction, unless headings are the links.
    """
    alone: Mask = found.numbers[:, LINK_SHARE] > LINKED
    said: Mask = keep & ~alone
    led = said[1:] & alone[:-1]
    led[1:] |= said[2:] & alone[:-2]  # a date may stand between
    led &= np.add.accumulate(np.where(said, found.units, 0))[:-1] >= _LEAST_ABOVE
    if led.tobytes().count(1) < _LEAST_LINKS:
        return None
    groups = _cards(found, alone)
    of_cards, mask = np.zeros((2, len(keep)), dtype=bool)
    for some in chain.from_iterable(groups):
        of_cards[some] = True
    text = np.where(keep & ~of_cards, found.units, 0)
    headlines = alone & found.blocks.inside(tags.HEADING)
    for cards in groups:
        above, behind = text[: cards[0].start].sum(), text[cards[0].start :].sum()
        if above < _LEAST_ABOVE or behind > _MOST_BEHIND * above:
            continue
        longer = sum(found.units[some][keep[some]].sum() for some in cards) > above
        if not longer or all(headlines[some].any() for some in cards):
            for some in cards:
                mask[some] = keep[some]
    return mask if mask.any() else None


def _cards(found: Features, alone: Mask) -> list[list[slice]]:
    """Return the blocks of each card, by groups of two or more siblings of the same names."""
    page, begun = found.blocks.page, found.above.begun
    rows = found.above.rows
    rows = rows[(page.length.take(rows) <= _LONGEST_CARD) & (found.names.alike.take(rows) > 0)]
    start, stop = begun.take(rows), begun.take(page.end.take(rows))
    may = (stop - start > 1) & (stop - start <= _MOST_IN_CARD)
    before = np.concatenate([[0], alone.cumsum()])
    may &= before.take(stop) > before.take(start)
    rows, start, stop = rows[may], start[may], stop[may]
    signs = (page.parent, page.tag, found.names.alike)
    kinds = [*zip(*(column.take(rows).tolist() for column in signs), strict=True)]
    times = Counter(kinds)
    groups = defaultdict[tuple[int, ...], list[tuple[int, slice]]](list)
    for row, kind, own in zip(rows.tolist(), kinds, map(slice, start, stop), strict=True):
        if times[kind] > 1:
            groups[kind].append((row, own))
    return [
        [own for _, own in cards]
        for cards in groups.values()
        if all(_is_card(found, alone, row, own) for row, own in cards)
        and _stay_on_site(page, [row for row, _ in cards])
        and not all(_NUMBERED.match(found.blocks.text(own.start)) for _, own in cards[:2])
    ]


def _is_card(found: Features, alone: Mask, row: int, own: slice) -> bool:
    page = found.blocks.page
    has_heading = tags.HEADING.take(page.tag[row : page.end.item(row)]).any()
    return bool(has_heading and found.units[own][~alone[own]].sum() >= _LEAST_OF_CARD)


def _stay_on_site(page: Page, cards: list[int]) -> bool:
    """Return whether nearly all links of cards lead to the page's own host."""
    rows = chain.from_iterable(range(row, page.end.item(row)) for row in cards)
    links = [at for at in rows if page.tag.item(at) == _LINK]
    hosts = [host_name(page.attribute(at, "href")) for at in links]
    own = hosts.count("") + hosts.count(host_name(page.url) or "-")
    return own >= _OWN_LINKS * len(hosts)


_SHARE_OF_ADVERTS: Final = 0.3
"""Share of the kept words in advertisements up to which they are such."""
_RIGHTS: Final = ("©", "(c) ", "copyright ©", "copyright (c)", "copyright 1", "copyright 2")
_LIKELY, _LAST, _MOST_NOTICES = 0.2, 8, 2
"""Score of a likely block; the last of them, among which notices are sought; and most notices."""


def advertisements(found: Features, keep: Mask) -> tuple[Mask | None, Mask | None]:
    """Return bool[m], kept blocks in advertisements, and bool[n], the rows of these; None for none.

    They are named as such, or stand behind a label that says so.
    """
    blocks = found.blocks
    page = blocks.page
    of_kept = blocks.first, blocks.last, keep
    rows = named_adverts(page, lambda some: kernels.touching(page.end, some, *of_kept))
    may = _buckets_of_labels().take(found.words[-1])
    may[:-1] &= keep[:-1] | keep[1:]
    labels = [at for at in may.nonzero()[0].tolist() if is_label(blocks.text(at))]
    if labels:
        labelled = labelled_adverts(page, blocks.first[labels].tolist())
        rows = labelled if rows is None else rows | labelled
    if rows is None:
        return None, None
    mask = rows.take(blocks.first) & keep
    dropped = found.units[mask].sum(dtype=np.float64)
    kept = found.units[keep].sum(dtype=np.float64)
    if dropped > min(_SHARE_OF_ADVERTS * kept, kept - _LEAST_LEFT):
        return None, None
    return mask, rows


def closing_notices(
    found: Features, score: NDArray[np.floating], *, notices: bool, calls: bool
) -> list[int]:
    """Return those of the last likely blocks that are notices, but of a text about such.

    Lines that begin with the sign of copyright are in any case; others are with ``notices``, and
    with ``calls`` what is asked of readers, unless it is much of what is likely.
    """
    blocks, units, likely = found.blocks, found.units, (score >= _LIKELY).nonzero()[0]
    last = likely[-_LAST:]
    short = last[blocks.length.take(last) <= LONGEST_NOTICE].tolist()
    lines = [blocks.text(at).casefold() for at in short]
    owned = [at for at, line in zip(short, lines, strict=True) if line.startswith(_RIGHTS)]
    if not notices:
        return owned[-_MOST_NOTICES:]
    told = [*{*owned, *(short[at] for at in lines_with(NOTICES, lines))}]
    told = told if len(told) <= _MOST_NOTICES else []
    brief = [at for at, line in enumerate(lines) if len(line) <= LONGEST_COUNTER]
    brief = [at for at in brief if any(map(str.isdigit, lines[at]))]
    if brief:
        told += [short[brief[at]] for at in lines_with(COUNTERS, [lines[at] for at in brief])]
    asked = [short[at] for at in lines_with(CALLS, lines)] if calls else []
    few = len(asked) <= _MOST_NOTICES
    if few or units[asked].sum() <= _SHARE_OF_ADVERTS * units[likely].sum():
        told += asked
    return told


@cache
def _buckets_of_labels() -> Mask:
    """Return bool[buckets of words]: those of whole blocks that are labels of advertisements."""
    forms = (form for one in LABELS for form in (one, one.upper(), one.title(), one.capitalize()))
    page = parse("".join(f"<p>{form}</p>" for form in forms))
    mask = np.zeros(WORD_BUCKETS, dtype=bool)
    mask[features(page).words[-1]] = True
    return mask


def lone_links(found: Features, keep: Mask) -> Mask | None:
    """Return bool[m]: kept lines that are a short link alone; None where there are none."""
    blocks, units = found.blocks, found.units
    mask: Mask = keep & (units <= _MOST_WORDS) & (blocks.link_length > LINKED * blocks.length)
    for at in mask.nonzero()[0].tolist():
        mask[at] = not _is_said(blocks, at)
    if not mask.any():
        return None
    mask &= ~blocks.inside(_EXEMPT) | _menus_in_tables(blocks, mask)
    left = units[keep & ~mask].sum(dtype=np.float64)
    least = max(_LEAST_LEFT, _SHARE_LEFT * units[keep].sum(dtype=np.float64))
    return None if left < least else mask


def links_alone(blocks: TextBlocks) -> Mask:
    """Return bool[m]: blocks that are links alone, but for headings, lists, tables and code."""
    linked: Mask = blocks.link_length > LINKED * blocks.length
    return linked & ~blocks.inside(_EXEMPT)


def _menus_in_tables(blocks: TextBlocks, alone: Mask) -> Mask:
    """Return bool[m]: lines of links ``alone``, three in a row, in tables that show no data."""
    menu = np.zeros(len(alone), dtype=bool)
    starts = (alone[:-2] & alone[1:-1] & alone[2:]).nonzero()[0]
    if len(starts):
        menu[[starts, starts + 1, starts + 2]] = True
        menu &= blocks.inside(_IN_TABLE) & ~blocks.inside(_EXEMPT & ~_IN_TABLE)
        menu &= ~within(blocks, data_table_rows(blocks.page))
    return menu


def _is_said(blocks: TextBlocks, block: int) -> bool:
    """Return whether a link is a telephone number, a mail address, or opens the page's answer."""
    text = blocks.text(block)
    is_contact = text[-1:].isdigit() or "@" in text
    if not (is_contact or asks(text)):
        return False
    page, row = blocks.page, blocks.first.item(block)
    address = next(
        (page.attribute(at, "href") for at in page.ancestors(row) if page.tag[at] == _LINK), ""
    )
    schemes = ("tel:", "mailto:") if is_contact else ("#", "javascript:")
    return (address or "#").lstrip().startswith(schemes)


class HiddenText:
    """What of a page isn't shown, as far as it was asked for.

    Attributes:
        rows: bool[n], the rows of kept blocks that aren't shown; None for none.
    """

    def __init__(self, found: Features, *, folds: bool) -> None:
        """Look for marks; with ``folds`` folded text isn't shown, either."""
        self.rows: Mask | None = None
        self._blocks, self._folds = found.blocks, folds
        self._asked: Mask | None = None
        self._may_be_marked = may_be_marked(found.blocks.page)
        self._needs_all = folds or found.blocks.page.layout is not None

    def without(self, keep: Mask) -> Mask:
        """Return bool[m]: those of the kept blocks of which something is shown."""
        if self._asked is not None and not (keep > self._asked).any():
            return keep  # nothing was added
        self._asked = keep
        marked = self._marked_in(keep) if len(self._may_be_marked) else []
        if not marked and not self._needs_all:
            return keep
        blocks = self._blocks
        page = blocks.page
        gone, opened = hidden_of(page, marked)
        if not self._needs_all and not gone.any():
            return keep
        texts = blocks.spread(keep).nonzero()[0]
        lengths = page.own_length[texts]
        if int(lengths[gone[texts]].sum()) > MOST_KEPT * int(lengths.sum()):
            gone = np.zeros(len(page), dtype=bool)
        if self._folds:
            gone = gone | opened | folded(page)
        unseen = gone[texts]
        if not unseen.any():
            return keep
        self.rows = gone if self.rows is None else self.rows | gone
        left = np.zeros(len(blocks), dtype=bool)
        left[blocks.block[texts[~unseen]]] = True
        return keep & left

    def _marked_in(self, keep: Mask) -> list[int]:
        """Return the rows that may bear marks and hold text of kept blocks, or stand in it."""
        blocks = self._blocks
        stretches = blocks.first, blocks.last, keep
        rows = kernels.touching(blocks.page.end, self._may_be_marked, *stretches)
        return sorted({*rows.tolist()})
