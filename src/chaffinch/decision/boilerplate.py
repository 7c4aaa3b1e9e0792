"""What is dropped though it may score high: page chrome, links that lead on, advertisements."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from itertools import chain, compress, islice, pairwise, takewhile
from pathlib import Path
from typing import Final
from unicodedata import normalize

import numpy as np
from numpy.typing import NDArray

from chaffinch import kernels
from chaffinch.caching import finds
from chaffinch.decision.discussions import asks, discussion, names_question, says_article
from chaffinch.decision.draft import (
    ARTICLE,
    LINKED,
    MANUAL,
    OF_LISTS,
    OF_RUNNING_TEXT,
    SHARE_LEFT,
    THREAD,
    Draft,
    like_siblings,
)
from chaffinch.decision.structure import data_table_rows, link_address, within
from chaffinch.elements import WORDS
from chaffinch.elements.adverts import (
    ADVERTS,
    COUNTERS,
    LABELS,
    LEGAL,
    LONGEST_COUNTER,
    LONGEST_NOTICE,
    NOTICES,
    calls_in,
    is_label,
    labelled_adverts,
    lines_with,
    rows_named,
    sign_up_boxes,
)
from chaffinch.elements.tables import names_navigation
from chaffinch.kernels import Names
from chaffinch.kernels.arrays import Floats, Mask, Rows, marked
from chaffinch.kernels.codes import WORD_BUCKETS
from chaffinch.model.features import features
from chaffinch.page import Page, parse, tags
from chaffinch.page.urls import host_name, place_of
from chaffinch.segment.text_blocks import TextBlocks
from chaffinch.storage import read_json

_TAGS: Final = tags.table("footer nav dialog select option button".split())
_ROLES: Final = frozenset("contentinfo navigation menu menubar tooltip dialog alertdialog".split())
_ROLE_AT: Final = 2
"""Where the role stands in a set of names; see `chaffinch.model.name_hashes.Names`."""
_SOURCES: Final = tags.table(["blockquote", "figure"])  # elements whose footer names a source
_TITLES: Final = tags.table("h1 h2 h3 h4 h5 h6 dt summary th".split())
"""Elements in which a button has the text of a heading."""
_MAY_BE_CONTENT: Final = tags.table(["button", "footer", "nav"])
_CELL: Final = tags.CODES["td"]
_LINKED_CELL, _FEWEST_LINKS = 0.8, 3
"""Share of its characters in links, and blocks, from which a cell is a menu."""
_LISTS: Final = tags.table("ul ol dl menu".split())
_LINKED_LIST, _FEWEST_IN_MENU, _LEAST_NAME = 0.5, 8, 2
"""Share of its characters in links, and blocks, from which a list with a link to the page itself is
a menu; characters of the page's name in its address."""
_NUMBER: Final = re.compile(r"\A(?:[#№]?\d{1,3}(?:\.\d{1,3})*[.)]?|[ivx]{1,4}[.)])\s+|\s?[¶#]\Z")
"""What may stand before a heading, or its line in a table of contents, or behind it."""
_FEWEST_IN_BAR: Final = 3  # links of a line that is a menu
_SIGNS: Final = r"|｜·•/\\\]<>»–—:~*●-"
_MARKS: Final = re.compile(f"[{_SIGNS}]")
_BAR: Final = re.compile(rf"(?:\W{{0,40}}+\w++){{0,4}}[\[«\s{_SIGNS}]*+")
"""What parts the links of such a line, and what stands before them."""
_MOST_LABEL: Final = 3  # words of what a table of contents is called
_FILTERS: Final = ("facet", "filter", "refine")
_FILTER: Final = re.compile(rf"(?<![a-z])(?:{'|'.join(_FILTERS)})", re.IGNORECASE)
_names_filters: Final = finds(_FILTER)
_LISTINGS: Final = tags.table(["table", "pre", "code", "textarea"])
_JSON: Final = re.compile(r'(?:\[\s?)?\{\s?"[^"]{0,80}+"\s?:')


def page_chrome(draft: Draft) -> Mask | None:
    """Return bool[m]: blocks in page chrome, and on lists in boxes that choose among entries."""
    dropped, blocks, page = _inside_chrome(draft), draft.blocks, draft.page
    boxes = _filters(draft) if draft.kind in OF_LISTS else []
    if page.holds("table"):  # of wikis, too
        boxes += page.rows_where("summary", names_navigation, "navigation")
        boxes += page.rows_holding("class", "navbox", "ambox")
    menus = [*_menu_cells(blocks, draft.keep), *_own_menus(draft), *_contents(draft)]
    menus += () if draft.is_surely(OF_LISTS) else _bars(draft)
    if len(buttons := (page.tag == _PRESSED).nonzero()[0]) > 1:  # sizes of letters, servings
        several = buttons.searchsorted(blocks.last) - buttons.searchsorted(blocks.first) > 1
        labels = several & draft.keep & (blocks.length <= _LABEL)
        menus += (labels & ~tags.HEADING.take(blocks.owner_tag)).nonzero()[0].tolist()
    if boxes:
        menus += within(blocks, boxes).nonzero()[0].tolist()
    if menus:
        dropped = np.zeros(len(blocks), dtype=bool) if dropped is None else dropped
        dropped[menus] = True
    return dropped if dropped is not None and draft.leaves(dropped) else None


def _filters(draft: Draft) -> list[int]:
    """Return the boxes that are named for filters and hold no image, but the most of a page."""
    page, units = draft.page, draft.units
    named = (page.rows_where(name, _names_filters, *_FILTERS) for name in ("class", "id"))
    if not (rows := [*chain(*named)]):
        return []
    images = (page.tag == tags.CODES["img"]).nonzero()[0].searchsorted
    boxes = [row for row in rows if images(row) == images(page.end[row])]
    mask = draft.keep & within(draft.blocks, boxes)
    return boxes if 2 * units[mask].sum() <= units[draft.keep].sum() else []


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
    if not page.holds("td"):
        return []
    cells = (page.tag == _CELL).nonzero()[0]
    begin, stop = blocks.first.searchsorted((cells, page.end[cells]))
    linked = (blocks.link_length > 0) & (2 * blocks.link_length >= blocks.length)
    plain, links = (
        np.append(0, some.cumsum())
        for some in (np.where(keep, blocks.length - blocks.link_length, 0), linked)
    )
    line, held, led = page.parent[cells], plain[stop] - plain[begin], links[stop] - links[begin]
    most = line[2 * held > plain[-1]]
    menus = page.link_length[cells] >= _LINKED_CELL * page.length[cells]
    menus |= (led >= _FEWEST_LINKS) & (stop - begin - led <= 1)  # with bullets, below a label
    menus &= (stop - begin >= _FEWEST_LINKS) & np.isin(line, most)
    spans = zip(begin[menus].tolist(), stop[menus].tolist(), strict=True)
    return [at for span in spans for at in range(*span) if keep[at]]


def _own_menus(draft: Draft) -> Iterator[int]:
    """Yield the kept blocks of lists of links of which one leads to the page itself.

    With the elements around that hold nothing but such: they are a menu of the site, in columns.
    """
    blocks, page, keep = draft.blocks, draft.page, draft.keep
    linked = keep & (blocks.link_length > 0)
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


def _bars(draft: Draft) -> Iterator[int]:
    """Yield the kept lines of links that are parted by bars, brackets and the like, a name before.

    On 3,400 pages with labels, lists apart, 60 such lines were kept, and not one is content.
    """
    blocks, page = draft.blocks, draft.page
    may = draft.keep & (blocks.link_length > 0) & (draft.units >= _FEWEST_IN_BAR)
    if 1 not in may.tobytes():
        return
    links = (page.tag == tags.LINK).nonzero()[0]
    begun = links.searchsorted(blocks.first)  # the first text may be a link's
    count = links.searchsorted(blocks.last) - begun + page.in_link.take(blocks.first)
    for at in (may & (count >= _FEWEST_IN_BAR)).nonzero()[0].tolist():
        own = slice(blocks.first.item(at), blocks.last.item(at))
        rows = ((page.tag[own] == tags.TEXT) & ~page.in_link[own]).nonzero()[0] + own.start
        between = "".join(map(page.text_of, rows.tolist()))
        if _BAR.fullmatch(between) and len(_MARKS.findall(between)) >= count[at] - 1:
            yield at


def _contents(draft: Draft) -> Iterator[int]:
    """Yield the kept lines of tables of contents: lists of links to headings of their text below.

    Half of the lines that stand together, and three or more, lead to such. With them goes their
    label.
    """
    blocks, page, keep = draft.blocks, draft.page, draft.keep
    alone: Mask = keep & (draft.link_share > LINKED)
    if np.count_nonzero(alone) < _FEWEST_LINKS:
        return
    lines = (alone & blocks.inside(_LISTS)).nonzero()[0]
    if len(lines) < _FEWEST_LINKS:
        return
    heads = (keep & tags.HEADING.take(blocks.owner_tag)).nonzero()[0].tolist()
    last = {_NUMBER.sub("", blocks.text(at)).casefold(): at for at in heads}
    for run in np.split(lines, (np.diff(lines) > 1).nonzero()[0] + 1):
        below = [last.get(_NUMBER.sub("", text).casefold(), -1) for text in blocks.texts(run)]
        links = blocks.first.take(run[np.array(below) > run]).tolist()
        led = sum(any(map(page.anchor, islice(page.ancestors(row), _MOST_LEVELS))) for row in links)
        if led >= max(_FEWEST_LINKS, len(run) / 2):
            above = run.item(0) - 1  # what they are called
            is_label = above >= 0 and draft.units[above] <= _MOST_LABEL
            if is_label and not (tags.HEADING[blocks.owner_tag[above]] or draft.link_share[above]):
                yield above
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
    return page.inside(chrome)[blocks.first]


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


_MOST_WORDS: Final = 6  # words of such a link; longer ones may be titles
_EXEMPT: Final = tags.table("h1 h2 h3 h4 h5 h6 li table pre".split())
_LEAST_LINKED: Final = 0.5  # share in links of a line that is a label and links
_LEAST_LINKS: Final = 2  # lines of links of a box
_LONGEST: Final = 400  # characters of a label with its links, white space included
_MOSTLY: Final = 0.6  # share of like links that stand above a text, and that begin differently
_LABEL: Final = 40  # characters of a label; twice as many with the marks around it
_SHORT_ENTRY: Final = 12  # words of a link with a price or a date
_MOST_BELOW: Final = 8  # lines of links below a label
_EXCERPT: Final = 400  # characters of what a box says of a text
_MOST_LEVELS: Final = 6
"""Elements around a label or a link, the outermost of which is its box at most."""
_MOST_LINKS: Final = 60  # lines of links around which boxes are sought
_CODE: Final = tags.table(["pre"])
_SECTION: Final = tags.table(["h1", "h2", "h3"])
_AFTER_LABEL: Final = re.compile(r"[:：|>»›–—?？】\u3000]|\s-\s")
_ARROWS: Final = (">>", *"»▶▷►▸→➔➜➡➤👉⇒≫")  # what leads to another text without a word
_ENDS: Final = re.compile(r"\A(?:[\W_]|\d+\s)+|[\W_]+\Z")
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
_names_box: Final = finds(_BOX_NAMED)


def related_texts(draft: Draft) -> Mask | None:
    """Return bool[m]: labelled links to other texts, and boxes of them; None for none."""
    blocks, keep, units = draft.blocks, draft.keep, draft.units
    if draft.is_surely(OF_LISTS) or (draft.kind == THREAD and discussion.posts(draft.page)):
        return None
    named = draft.kind in OF_RUNNING_TEXT  # a shop names its entries as such boxes are named
    share = draft.link_share
    alone: Mask = share > LINKED
    linked: Mask = keep & ((share >= _LEAST_LINKED) | ((share > 0) & (blocks.length <= _LABEL)))
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
    if labels := [at for at in short if brief[at] and is_related_label(blocks.text(at))]:
        in_section = blocks.inside(_SECTION)
        for at in labels:
            mask[_below(blocks, priced, in_section, at)] = True
    if named and len(led) > 1:
        for row in _named_boxes(blocks, led):
            mask[_box(blocks, alone, row, least=1)] = True
    if 1 in (mask & keep).tobytes():
        mask &= ~(blocks.inside(_CODE) | within(blocks, data_table_rows(blocks.page)))
        return mask if draft.leaves(mask, SHARE_LEFT) else None
    return None


def _labelled(blocks: TextBlocks, links: list[int]) -> list[int]:
    """Return lines that lead to another text by a label or an arrow that is no bullet.

    In a table only by a label, and where it lays out the page.
    """
    labelled = [at for at in links if _is_labelled(blocks, at)]
    if not labelled:
        return []
    page = blocks.page
    tables = page.is_tag("table").nonzero()[0]
    in_table = within(blocks, tables)
    in_small = within(blocks, tables[2 * page.length[tables] <= page.length[0]])
    is_list = len(labelled) > _MOST_BELOW  # whose bullets are arrows
    return [
        at
        for at in labelled
        if not in_small[at]
        and not ((is_list or in_table[at]) and blocks.text(at).startswith(_ARROWS))
    ]


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
    return _ENDS.sub("", normalize("NFC", " ".join(text.split()))).replace("İ", "i").lower()


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
            return len(label) <= 2 * _LABEL and is_related_label(label)
    if text.lstrip().startswith(_ARROWS):
        return True
    found = _AFTER_LABEL.search(text)
    return found is not None and is_related_label(text[: found.start()])


def _labels_alone(blocks: TextBlocks, keep: Mask, units: Floats) -> list[int]:
    """Return the kept labels in boxes of which nothing else is kept."""
    may = (keep & (units <= _MOST_WORDS) & (blocks.link_length == 0)).nonzero()[0]
    ends = blocks.page.end.take(blocks.page.parent.take(blocks.owner.take(may)))
    after = np.minimum(may + 1, len(keep) - 1)  # the last block has none
    alone = ~keep.take(after) | (ends <= blocks.first.take(after)) | (after == may)
    labels = map(is_related_label, blocks.texts(may := may[alone]))
    return [*compress(may.tolist(), labels)]


def _below(blocks: TextBlocks, alone: Mask, in_section: Mask, label: int) -> slice:
    """Return the blocks of a label's box, or else the label and the lines of links below it."""
    page, row = blocks.page, blocks.owner.item(label)
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
    page = blocks.page
    named = {*chain(*(page.rows_where(name, _names_box, *_BOX_WORDS) for name in ("class", "id")))}
    rows = blocks.first[led[:_MOST_LINKS]].tolist() if named else ()
    near = chain(*(islice(page.ancestors(row), 2 * _MOST_LEVELS) for row in rows))
    return sorted(row for row in named.intersection(near) if row > page.body)


def _box(blocks: TextBlocks, alone: Mask, row: int, least: int = _LEAST_LINKS) -> slice:
    """Return the blocks of an element of ``least`` links or more with short texts; else none."""
    start, stop = blocks.first.searchsorted([row, blocks.page.end[row]]).tolist()
    links = np.count_nonzero(alone[start:stop])
    lengths = blocks.length[start:stop]
    texts = lengths[blocks.link_length[start:stop] == 0]
    most = 1 if links == 1 else 2 * links
    few = links >= least and np.count_nonzero(texts > _LABEL) <= most
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
    keep, units = draft.keep, draft.units
    alone: Mask = draft.link_share > LINKED
    said: Mask = keep & ~alone
    led = said[1:] & alone[:-1]
    led[1:] |= said[2:] & alone[:-2]  # a date may stand between
    led &= np.add.accumulate(np.where(said, units, 0))[:-1] >= _LEAST_ABOVE
    if led.tobytes().count(1) < _LEAST_LINKS:
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
    may = names.alike.take(rows) > 0
    if says_article(draft):
        heads = tags.HEADING.take(page.tag) & (page.link_length > 0)
        led = np.append(0, heads.cumsum())
        may |= led.take(page.end.take(rows)) > led.take(rows)
    rows = rows[may]
    start, stop = above.begun.take(rows), above.begun.take(page.end.take(rows))
    before = np.append(0, alone.cumsum())
    may = (stop - start > 1) & (stop - start <= _MOST_IN_CARD)
    may &= before.take(stop) > before.take(start)
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


_SHARE_OF_ADVERTS: Final = 0.3
"""Share of the kept words in advertisements, and of the likely ones in calls, up to which they are
such."""
_SHARE_OF_NOTES: Final = 0.55  # the same for legal notes
_RIGHTS: Final = ("©", "(c) ", "copyright ©", "copyright (c)", "copyright 1", "copyright 2")
_BEFORE_C: Final = ("(b)", "(B)")  # a line before one that (c) begins, which is the next of a list
_LIKELY, _OF_TEXT, _FIRST, _LAST, _MOST_NOTICES = 0.2, 0.5, 2, 12, 2
"""Score of a likely block, and of text; the first and last of them, in which notices are; and most
notices."""
_AMID: Final = 200  # bytes in UTF-8 of a call that stands amid a text


def advertisements(draft: Draft) -> Mask | None:
    """Return bool[m]: blocks in advertisements and legal notes, and notices.

    Of the latter what is around them spoke for them.
    """
    mask, keep = np.zeros(len(draft.keep), dtype=bool), draft.keep
    mask[draft.notices] = True
    if draft.policy is not None:
        of_kept = draft.blocks.first, draft.blocks.last, keep

        def among(rows: Rows) -> Rows:
            return kernels.touching(draft.page.end, rows, *of_kept)

        for rows, share in (
            (None if draft.kind in OF_LISTS else _adverts(draft, among), _SHARE_OF_ADVERTS),
            (rows_named(draft.page, LEGAL, among), _SHARE_OF_NOTES),
        ):
            if rows is None or not draft.leaves(within := rows.take(draft.blocks.first), 1 - share):
                continue
            draft.adverts = rows if draft.adverts is None else draft.adverts | rows
            mask |= within
    return mask


def _adverts(draft: Draft, among: Callable[[Rows], Rows]) -> Mask | None:
    """Return bool[n]: rows in boxes that are named or labelled, or ask for an address."""
    blocks, page, keep = draft.blocks, draft.page, draft.keep
    rows = rows_named(page, ADVERTS, among)
    may = _buckets_of_labels().take(draft.features.words[-1])
    may[:-1] &= keep[:-1] | keep[1:]
    boxes = sign_up_boxes(page, blocks.first[keep])
    if labels := [at for at in may.nonzero()[0].tolist() if is_label(blocks.text(at))]:
        boxes += labelled_adverts(page, blocks.first[labels].tolist())
    if not boxes:
        return rows
    inside = page.inside(marked(len(page), boxes))
    return inside if rows is None else rows | inside


def notices(draft: Draft) -> None:
    """Give no score to closing notices, on articles to calls to readers, and to data of scripts."""
    found, is_list = data_of_scripts(draft.blocks), draft.kind in OF_LISTS
    if draft.policy is not None:
        closing = _closing_notices(draft, others=not is_list, calls=draft.kind == ARTICLE)
        found, draft.notices = (found, closing) if is_list else (found + closing, [])
    if found:
        draft.score = draft.score.copy()
        draft.score[found] = 0
    draft.notices += found


def _closing_notices(draft: Draft, *, others: bool, calls: bool) -> list[int]:
    """Return those of the last likely blocks that are notices, but of a text about such.

    Lines that begin with the sign of copyright are in any case; ``others`` are so asked for, and
    with ``calls`` what is asked of readers, wherever it stands, unless that is much of the likely.
    """
    blocks, units, likely = draft.blocks, draft.units, (draft.score >= _LIKELY).nonzero()[0]
    first = (draft.score > _OF_TEXT).nonzero()[0][:_FIRST]  # not the headline
    length, ends = blocks.length.item, sorted({*first.tolist(), *likely[-_LAST:].tolist()})
    short = [at for at in ends if length(at) <= LONGEST_NOTICE]
    lines = [*map(str.casefold, blocks.texts(short))]
    owned = [at for at, line in zip(short, lines, strict=True) if line.startswith(_RIGHTS)]
    owned = [at for at in owned if not blocks.text(max(at - 1, 0)).startswith(_BEFORE_C)]
    if not others:
        return owned[-_MOST_NOTICES:]
    told = [*{*owned, *(short[at] for at in lines_with(NOTICES, lines))}]
    told = told if len(told) <= _MOST_NOTICES else []
    brief = [at for at, line in enumerate(lines) if len(line) <= LONGEST_COUNTER]
    brief = [at for at in brief if any(map(str.isdigit, lines[at]))]
    if brief:
        told += [short[brief[at]] for at in lines_with(COUNTERS, [lines[at] for at in brief])]
    asked = _calls(blocks, likely, ends) if calls else []
    few = len(asked) <= _MOST_NOTICES
    if few or units[asked].sum() <= _SHARE_OF_ADVERTS * units[likely].sum():
        told += asked
    return told


def _calls(blocks: TextBlocks, likely: NDArray[np.intp], ends: list[int]) -> list[int]:
    """Return those of the likely blocks that ask something of readers; amid a text brief ones."""
    short = likely[blocks.length.take(likely) <= LONGEST_NOTICE]
    lines = blocks.texts(short)
    return [
        at
        for at, line in ((short.item(place), lines[place]) for place in calls_in(lines))
        if at in ends or len(line.encode("utf-8", "replace")) <= _AMID
    ]


@cache
def _buckets_of_labels() -> Mask:
    """Return bool[buckets of words]: those of whole blocks that are labels of advertisements."""
    forms = (form for one in LABELS for form in (one, one.upper(), one.title(), one.capitalize()))
    page = parse("".join(f"<p>{form}</p>" for form in forms))
    mask = np.zeros(WORD_BUCKETS, dtype=bool)
    mask[features(page).words[-1]] = True
    return mask


_NAMED_BUTTONS: Final = ("btn", "button", "cta-", "cta_", "-cta", "_cta", "call-to-action")
_EDITS: Final = frozenset(WORDS["labels of links to edit a page"].split("|"))
_PRESSED: Final = tags.CODES["button"]
_MAY_LEAD: Final = tags.table("h1 h2 h3 h4 h5 h6 table pre".split())
"""Elements in which a link alone is no call, whatever it is named."""


def lone_links(draft: Draft) -> Mask | None:
    """Return bool[m]: kept lines that are a short link alone, but titles; None for none.

    In lists, and where they aren't running text, links named as buttons, and what several say; in
    documentation links to edit the page.
    """
    blocks, may = draft.blocks, draft.keep & (draft.units <= _MOST_WORDS)
    linked: Mask = may & (blocks.link_length > LINKED * blocks.length)
    outside: Mask = may & ~blocks.inside(_MAY_LEAD)
    if 1 not in (linked if draft.kind == ARTICLE else linked | outside).tobytes():
        return None
    page = blocks.page
    pressed = (page.tag == _PRESSED).nonzero()[0]
    rows = np.array([*page.rows_holding("class", *_NAMED_BUTTONS), *pressed], dtype=np.intp)
    begin, stop = blocks.first.searchsorted((rows, page.end.take(rows)))
    named = outside & marked(len(blocks), begin[stop - begin == 1])  # all of such an element
    mask = linked & named
    if draft.kind in OF_RUNNING_TEXT:
        mask |= linked & ~blocks.inside(_EXEMPT)
        mask[[*_titles_of_texts(draft, mask.nonzero()[0])]] = False
    elif draft.kind == MANUAL:
        some = draft.keep & (draft.link_share > LINKED) & (blocks.length <= _LABEL)
        texts = zip(some.nonzero()[0].tolist(), blocks.texts(some), strict=True)
        mask[[at for at, text in texts if _bare(text) in _EDITS]] = True
    if draft.kind != ARTICLE:
        said = dict(zip(named.nonzero()[0].tolist(), blocks.texts(named), strict=True))
        times = Counter(said.values())
        mask[[at for at, text in said.items() if times[text] >= _FEWEST_LINKS]] = True
    for at in mask.nonzero()[0].tolist():
        mask[at] = not _is_said(blocks, at)
    return mask if 1 in mask.tobytes() and draft.leaves(mask, SHARE_LEFT) else None


def _titles_of_texts(draft: Draft, lines: NDArray[np.intp]) -> Iterator[int]:
    """Yield those of the links alone that title a text below; what leads on begins alike."""
    text = draft.keep & (draft.link_share <= LINKED) & (draft.blocks.length >= _LABEL)
    above = np.append(text[1:], False).take(lines)
    if np.count_nonzero(above) < _MOSTLY * _FEWEST_LINKS:
        return
    groups = draft.features.group.take(lines)
    alike = groups.argsort(kind="stable")
    for own in np.split(alike, np.diff(groups[alike]).nonzero()[0] + 1):
        texts = [text for text in draft.blocks.texts(lines[own]) if not text.endswith(_ARROWS)]
        begin = {text.casefold().partition(" ")[0] for text in texts}
        if len(begin) >= max(_FEWEST_LINKS, _MOSTLY * len(own)) and above[own].mean() >= _MOSTLY:
            yield from lines[own].tolist()


def links_alone(blocks: TextBlocks) -> Mask:
    """Return bool[m]: blocks that are links alone, but for headings, lists, tables and code."""
    linked: Mask = blocks.link_length > LINKED * blocks.length
    return linked & ~blocks.inside(_EXEMPT)


def _is_said(blocks: TextBlocks, block: int) -> bool:
    """Return whether a link is a telephone number, a mail address, or opens the page's answer."""
    text = blocks.text(block)
    is_contact = text[-1:].isdigit() or "@" in text
    if not (is_contact or asks(text)):
        return False
    address = (link_address(blocks, block) or "#").lstrip()
    return address.startswith(("tel:", "mailto:") if is_contact else ("#", "javascript:"))
