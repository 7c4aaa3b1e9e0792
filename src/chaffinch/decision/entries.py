"""What is kept of a list's entries: titles, texts, prices; and of other products, nothing."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Final

import numpy as np
from numpy.typing import NDArray

from chaffinch import kernels
from chaffinch.decision.discussions import discussion
from chaffinch.decision.draft import (
    LOWEST,
    OF_LISTS,
    OF_ONE_PRODUCT,
    SHARE_LEFT,
    SURE,
    THREAD,
    Draft,
    like_siblings,
    numbered,
)
from chaffinch.decision.links_elsewhere import is_related_label
from chaffinch.decision.structure import BARS, common_parent, ends_sentence, link_address
from chaffinch.kernels.arrays import Mask, Rows, marked
from chaffinch.lazy import lazy_module
from chaffinch.page import tags
from chaffinch.segment.text_blocks import TextBlocks

product = lazy_module("chaffinch.metadata.product")
sources = lazy_module("chaffinch.metadata.sources")

_LEAST_PRODUCTS: Final = 3  # other products in a row
_ITEM: Final = tags.CODES["li"]
_LEFT: Final = 0.5  # share of the kept words that must be left where the page may be a list of them
_LEAST_OF_OWN: Final = 40  # kept words that are enough where the page declares its own product
_LONGEST_PRODUCT: Final = 1_000
"""Characters of what stands there of one, the labels of a sponsored one included."""


def other_products(draft: Draft) -> Mask | None:
    """Return bool[m]: blocks of like siblings with links that show products, some kept; or None.

    Half of them must show a price and lead where no other does: variants share a path.
    """
    blocks, page, mask = draft.blocks, draft.page, np.zeros(len(draft.keep), dtype=bool)
    may = (page.tag > tags.TEXT) & (page.length > 0) & (page.length <= _LONGEST_PRODUCT)
    rows = may.nonzero()[0]
    links, before = (page.tag == tags.LINK).nonzero()[0], np.append(0, draft.keep.cumsum())
    start, stop = blocks.first.searchsorted((rows, page.end[rows]))
    linked = links.searchsorted(page.end[rows]) > links.searchsorted(rows)
    rows = rows[linked & (before[stop] > before[start])]
    kinds = np.where(page.tag == _ITEM, 0, draft.kinds)  # the first of a slide has names of its own
    for group in like_siblings(blocks, rows, kinds, _LEAST_PRODUCTS):
        first = links[links.searchsorted([row for row, _ in group])].tolist()
        addresses = (page.attribute(link, "href") or "" for link in first)
        paths = {address.partition("?")[0].partition("#")[0] for address in addresses} - {""}
        if 2 * len(paths) >= len(group) and _show_prices(blocks, group):
            for _, own in group:
                mask[own] = True
    if draft.leaves(mask, SHARE_LEFT if draft.certainty >= SURE else _LEFT):
        return mask
    left = draft.units[draft.keep & ~mask].sum()
    if left < _LEAST_OF_OWN or not draft.is_surely(OF_ONE_PRODUCT, SURE):
        return None
    return mask if any(product.declared_products(sources.Evidence(page))) else None


_FEWEST_LEFT: Final = 4
"""Entries of a list, of which `_MOST_KEPT` of them at most show something that is kept."""
_MOST_KEPT: Final = 0.3
_OF_LINK: Final = 0.9  # share of its characters in links of an entry's title
_LEAST_TITLE: Final = 3  # words of their titles on average, but with prices
_SHARE_OF_TITLES: Final = 0.2
"""Least words of titles that aren't headings, as a share of those that are kept. On held-out folds
of wcxb .1 is worse, .5 loses a third of the gain."""
_OF_CATEGORIES: Final = ("collection",)
_FEWEST_PRICED: Final = 6
"""Products with prices that are the entries of a shop's page, however unlikely, if none is kept."""
_MOST_READ: Final = 10  # entries of a list beside a page's own, below a label such as Most read


def _entries_left_out(draft: Draft) -> list[int]:
    """Return the titles of a list's entries of which hardly any shows something that is kept.

    They are headings, or say much of what a page keeps that shows prices or is likely a list.
    """
    blocks, page, keep, units = draft.blocks, draft.page, draft.keep, draft.units
    is_shop = draft.is_surely(_OF_CATEGORIES, SURE)
    linked: Mask = (blocks.length <= _LONGEST_TITLE) & (draft.score >= LOWEST * (not is_shop))
    linked &= (blocks.link_length > _OF_LINK * blocks.length) & ~blocks.inside(BARS)
    if np.count_nonzero(linked) < _FEWEST_LEFT:
        return []
    rows = (_entries(draft) & (page.length <= _LONGEST_PRODUCT)).nonzero()[0]
    spans = blocks.first.searchsorted((rows, page.end[rows]))
    links, held = np.diff([np.append(0, some.cumsum())[spans] for some in (linked, keep)], axis=1)
    rows, held = rows[links[0] > 0], held[0][links[0] > 0] > 0
    kinds = draft.kinds
    number = numbered(page.parent[rows], kinds[rows])
    rows = rows[np.bincount(number, held)[number] <= _MOST_KEPT * np.bincount(number)[number]]
    heads, out = blocks.inside(tags.HEADING) & (units > 1), list[int]()
    ranks = blocks.length, blocks.length + _LONGEST_TITLE * heads
    least, is_list = _SHARE_OF_TITLES * units[keep].sum(), draft.is_surely(OF_LISTS)
    for group in like_siblings(blocks, rows, kinds, _FEWEST_LEFT):
        lines = [own.start + linked[own].nonzero()[0] for _, own in group]
        headed = all(heads[some].any() for some in lines)
        titles = [int(some[ranks[headed][some].argmax()]) for some in lines]
        told = headed or units[titles].sum() >= least
        if len(group) <= _MOST_READ:
            above = max(group[0][1].start - 1, 0)
            told &= linked[above] or not is_related_label(blocks.text(above))
        priced = is_shop and len(group) >= _FEWEST_PRICED and _show_prices(blocks, group)
        if not told or not (priced or draft.score[titles].mean() >= _LEAST_SCORE):
            continue
        differ = len({*map(str.casefold, blocks.texts(titles))}) >= _DIFFERENT * len(group)
        named = (headed or is_list) and units[titles].mean() >= _LEAST_TITLE
        if differ and (named or priced or _show_prices(blocks, group)):
            out += titles
    return out


def _show_prices(blocks: TextBlocks, group: list[tuple[int, slice]]) -> bool:
    """Return whether half of some elements or more show a price."""
    shown = (any(_is_price(blocks, at) for at in range(own.start, own.stop)) for _, own in group)
    return 2 * sum(shown) >= len(group)


_LEAST_ENTRIES: Final = 3  # entries of a list, and blocks of a column
_MAJORITY: Final = 0.5
"""Share of a column's blocks that must be prices, and of entries that must have a title."""
_LONGEST_PRICE: Final = 40  # characters of a block that is a price
_LEAST_SCORE: Final = 0.1  # least probability of a list's likeliest price; below, none is content
_MOST_ENTRIES: Final = 2_000  # blocks in which prices are looked for
_CHOICES: Final = ("select", "datalist", "noscript")
"""What is in them are prices to choose among, or doubles."""
_PRICE_CLASS: Final = re.compile(r"price|cost|amount|preis|prix|precio", re.IGNORECASE)


def entry_prices(draft: Draft) -> Mask | None:
    """Return bool[m]: prices in entries of which something is kept; None where there is none.

    A price is a column of short blocks, most of which are named prices or have a currency. Of a
    list that keeps none of its entries their titles are kept before.
    """
    if draft.policy is None or not _may_list(draft):
        return None
    blocks, page, group = draft.blocks, draft.page, draft.features.group
    if draft.kind in OF_LISTS and (left := _entries_left_out(draft)):
        draft.keep = draft.keep | marked(len(blocks), left)
    keep = draft.keep
    may, most = blocks.length <= _LONGEST_PRICE, int(group.max()) + 1
    likeliest = np.zeros(most)
    np.maximum.at(likeliest, group[may], draft.score[may])
    may &= (likeliest >= _LEAST_SCORE)[group]
    kept, left_out = (np.bincount(group[may & some], minlength=most) for some in (keep, ~keep))
    enough = (left_out >= _LEAST_ENTRIES) | (
        (kept >= left_out) & (kept + left_out >= _LEAST_ENTRIES)
    )
    may &= ~keep & enough[group]
    if not page.tag_names.isdisjoint(_CHOICES):
        may &= ~page.inside(page.is_tag(*_CHOICES))[blocks.owner]
    if not may.any():
        return None
    entry = kernels.nearest(page.parent, _entries(draft))[blocks.owner]
    may &= entry >= 0
    may &= np.bincount(entry + 1, weights=keep, minlength=len(page) + 1)[entry + 1] > 0
    chosen = may.nonzero()[0][:_MOST_ENTRIES]
    if not len(chosen):
        return None
    column = numbered(page.parent[entry[chosen]], group[chosen])
    is_price = np.array([_is_price(blocks, block) for block in chosen.tolist()])
    share = np.bincount(column, weights=is_price) / np.bincount(column)
    return marked(len(blocks), chosen[(share >= _MAJORITY)[column] & is_price])


_LEAST_OF_TEXT: Final = 8  # words of a text of an entry
_LEAST_OF_LINKED, _SHARE_OF_LINKED = 10, 0.6
"""The same in a link to where its title leads, and of them all as a share of the kept words."""
_SHARE_OF_TEXTS: Final = 0.3
"""Share of the entries with such texts, two of a kind at least, that speaks for all. On held-out
folds of wcxb .2, .3 and .5 give the same figures; of made-up lists a half was kept without it."""
_LONGEST_TITLE: Final = 200  # characters of a title
_MOSTLY_LINKED, _BEHIND_TITLE = 0.6, 40
"""Share in links of a line with a title; characters in it behind the title, where it begins it."""
_NEAR: Final = 6  # blocks between a heading of a text's part and what is kept of the part
_DIFFERENT: Final = 0.8  # share of a list's titles that differ from each other
_SHARE_OF_ENTRIES: Final = 0.7  # kept words in entries that make a list of a likely thread


def entries(draft: Draft) -> Mask | None:
    """Return bool[m]: titles of a list's entries of which something is kept, beside their texts.

    Of a thread whose posts are known, they are the content.
    """
    if draft.policy is None or (draft.kind == THREAD and discussion.posts(draft.page)):
        return None
    is_doubted = draft.kind == THREAD and draft.certainty < SURE
    if is_doubted or draft.is_surely(OF_LISTS):
        texts = _texts_of_entries(draft)
        draft.keep = draft.keep if texts is None else draft.keep | texts
    titled = _titles(draft)
    keep = draft.keep if titled is None else draft.keep | titled
    linked = _linked_texts(draft, keep) if draft.kind in OF_LISTS else None
    return titled if linked is None else keep | linked


def _linked_texts(draft: Draft, keep: Mask) -> Mask | None:
    """Return bool[m]: texts, each in a link to where the kept title above it leads, or None."""
    blocks = draft.blocks
    may = keep[:-1] & ~keep[1:] & (blocks.length[:-1] <= _LONGEST_TITLE)
    may &= (draft.units[1:] >= _LEAST_OF_LINKED) & draft.alone[1:]
    rows = (may.nonzero()[0] + 1).tolist() if 1 in may.tobytes() else []
    rows = [at for at in rows if link_address(blocks, at - 1) == (link_address(blocks, at) or 0)]
    if len(rows) < _LEAST_ENTRIES:
        return None
    alike = draft.features.group[rows]
    found = marked(len(keep), np.compress(np.bincount(alike)[alike] >= _LEAST_ENTRIES, rows))
    units = draft.units
    return found if units[found].sum() >= _SHARE_OF_LINKED * units[draft.keep].sum() else None


def _titles(draft: Draft) -> Mask | None:
    """Return bool[m]: titles of entries, of which a list's may be links alone; None for none."""
    if not _may_list(draft):
        return _titles_of_entries(draft, None)
    blocks, alone = draft.blocks, draft.alone
    if draft.kind in OF_LISTS:  # a date and an author may stand behind it
        is_short = blocks.length - blocks.link_length <= _BEHIND_TITLE
        alone = (draft.link_share > _MOSTLY_LINKED) | (
            is_short & draft.page.in_link.take(blocks.first)
        )
    return _titles_of_entries(draft, alone)


_TIME: Final = re.compile(
    r"(?:[^\W\d_]{1,12}\W{1,3}){0,3}(?:[01]?\d|2[0-3])\s?[:h時时시点點]\s?[0-5]\d[分분]?"
    r"(?:\W{1,3}[^\W\d_]{1,12}){0,2}|(?:[01]?\d|2[0-3])\.[0-5]\d [^\W\d_]{1,6}"
    r"|\d{1,3}(?:\s?\+\s?\d{1,2})?\s?(?:['’′]|\.?\s?min\w*\.?|分|分钟|분)"
    r"|(?:1\d|20)\d\d(?:\s?[-–—]\s?(?:\d{2,4})?)?[年년:]?"
)
"""A time of the day, a minute of a match, or the years of a time line."""
_LONGEST_TIME, _FEWEST_TIMES = 40, 2
"""Characters of a line with one, and such lines that aren't kept."""
_WORDS_OF_POST: Final = 3  # words of a line in a post of a live blog: no label of a button


def times_of_entries(draft: Draft) -> Mask | None:
    """Return bool[m]: times above the kept texts of a ticker's entries, three at least, or None."""
    blocks, keep, group = draft.blocks, draft.keep, draft.features.group[:-1]
    short = blocks.length[:-1] <= _LONGEST_TIME
    may = short & (keep[1:] > keep[:-1])
    if (
        may.tobytes().count(1) < _FEWEST_TIMES
        or (left := np.bincount(group, may)).max() < _FEWEST_TIMES
    ):
        return None
    places = (short & keep[1:] & (left >= _FEWEST_TIMES)[group]).nonzero()[0]
    places = places[[_TIME.fullmatch(text) is not None for text in blocks.texts(places)]]
    several = np.bincount(group[places], minlength=len(left)) >= _LEAST_ENTRIES
    return marked(len(keep), places[several[group[places]]])


def live_posts(draft: Draft) -> Mask | None:
    """Return bool[m]: what a live blog says in posts beside kept text; None for none.

    Three elements alike, at least, each begin with a time, and sentences follow. Their names are
    those of tickers beside a text, which are links.
    """
    blocks, page, group = draft.blocks, draft.page, draft.features.group
    plain = (blocks.link_length == 0) & ~draft.keep
    says = (draft.units >= _WORDS_OF_POST) | (blocks.heading_rank > 0)
    if draft.adverts is not None:
        plain &= ~draft.adverts[blocks.first]
    may = plain & (blocks.length <= _LONGEST_TIME) & np.append(plain[1:], False)
    times = (may & (np.bincount(group, may) >= _LEAST_ENTRIES)[group]).nonzero()[0]
    times = times[[_TIME.fullmatch(text) is not None for text in blocks.texts(times)]]
    found = list[int]()
    for one in {*group[times].tolist()}:
        own = times[group[times] == one].tolist()
        within = common_parent(page, *blocks.first[[own[0], own[-1]]].tolist())
        if len(own) < _LEAST_ENTRIES or within <= page.body:
            continue
        around = page.parent.item(within)
        start, end, stop = blocks.first.searchsorted((around, page.end[around], page.end[within]))
        said = [at for at in range(own[0], stop) if plain[at] and says[at]]
        sentences = sum(ends_sentence(blocks, at) for at in said)
        if draft.keep[start:end].any() and sentences >= len(own):
            found += own + said
    return marked(len(plain), found) if found else None


def _may_list(draft: Draft) -> bool:
    """Return whether a page may be a list: a thread without posts, too, where entries say most."""
    if draft.kind != THREAD or draft.certainty < SURE:
        return draft.kind in OF_LISTS or draft.certainty < SURE
    if discussion.posts(draft.page):
        return False
    keep, units = draft.keep, draft.units
    within = kernels.nearest(draft.page.parent, _entries(draft))[draft.blocks.owner] >= 0
    return bool(units[keep & within].sum() >= _SHARE_OF_ENTRIES * units[keep].sum())


def _texts_of_entries(draft: Draft) -> Mask | None:
    """Return bool[m]: texts of entries of a list of which a part show a kept one; or None."""
    blocks, page, keep = draft.blocks, draft.page, draft.keep
    long = draft.units >= _LEAST_OF_TEXT
    may = ~keep & long & (2 * blocks.link_length <= blocks.length)
    may[draft.notices] = False
    if not may.any() or not keep.any():
        return None
    entry = kernels.nearest(page.parent, _entries(draft))[blocks.owner]
    kinds, within = draft.kinds, page.parent[entry]
    may &= entry >= 0
    shown, begun = (
        np.bincount(page.parent[np.unique(entry[some & (entry >= 0)])], minlength=len(page))
        for some in (long, long & keep)
    )
    column = numbered(within, kinds[blocks.owner], kinds[page.parent[blocks.owner]])
    cell = numbered(column, entry)
    of_column = np.zeros(int(cell.max()) + 1, dtype=np.intp)
    of_column[cell] = column
    kept = np.bincount(of_column, np.bincount(cell, keep) > 0)
    all_of = np.bincount(of_column)
    alike = (all_of >= _LEAST_ENTRIES) & (kept > 1)
    may &= alike[column] & (begun >= _SHARE_OF_TEXTS * shown)[within]
    if not may.any():
        return None
    rows, shown = may.nonzero()[0], (keep & long & (entry >= 0)).nonzero()[0]
    known = {*zip(entry[shown].tolist(), blocks.texts(shown), strict=True)}
    said = zip(entry[rows].tolist(), blocks.texts(rows), strict=True)
    may[rows] = [one not in known for one in said]  # a box that opens may say it again
    return may


def _titles_of_entries(draft: Draft, alone: Mask | None) -> Mask | None:
    """Return bool[m]: titles of a list's entries of which something is kept; None for none.

    A title is a heading, or a line above what is kept that is a link, ``alone`` being those of m
    blocks; half of a list's entries must have one.
    """
    blocks, keep, of_block = draft.blocks, draft.keep, draft.features.group
    kept, fewest = keep.nonzero()[0], _LEAST_ENTRIES if alone is None else 1
    if not len(kept):
        return None
    heads = blocks.inside(tags.HEADING)
    may = heads if alone is None else heads | alone
    may = may & (blocks.length <= _LONGEST_TITLE)
    begin, stop = max(kept.item(0) - _NEAR, 0), kept.item(-1) + _NEAR + 1
    near = slice(begin, stop) if alone is None else slice(0, len(keep))
    left = (may > keep)[near].nonzero()[0] + near.start
    if alone is None and len(left) >= fewest:  # near what is kept, and alike
        left = left[kept.searchsorted(left + _NEAR) > kept.searchsorted(left - _NEAR)]
        group = of_block.take(left)
        left = left[np.bincount(group)[group] >= fewest] if len(left) >= fewest else left
    if len(left) < fewest:
        return None
    entry = kernels.nearest(draft.page.parent, _entries(draft))[blocks.owner]
    places = left[entry[left] >= 0]
    rows, at = np.unique(entry[places], return_inverse=True)
    if len(rows) < fewest:
        return None
    begun, headed = _first_kept(blocks, keep, rows), _first_kept(blocks, keep & heads, rows)
    title_of: dict[int, int] = {}
    rank = np.where(heads, _LONGEST_TITLE, 0) + blocks.length  # a label may stand above a title
    above = places < begun[at]
    rank[places[above]] += 2 * _LONGEST_TITLE
    below = heads[places] & (headed[at] < 0) & (begun[at] >= 0)  # as below a caption
    for block in places[above | below].tolist():
        row = entry.item(block)
        if row not in title_of or rank[block] > rank[title_of[row]]:
            title_of[row] = block
    if len(title_of) < fewest:
        return None
    alike = np.isin(of_block, of_block[list(title_of.values())])
    titled = (may & keep & alike & (entry >= 0)).nonzero()[0]  # by their scores
    titled = titled[_first_kept(blocks, keep, entry[titled]) == titled]
    title_of = dict(zip(entry[titled].tolist(), titled.tolist(), strict=True)) | title_of
    mask = _of_lists(blocks, keep, title_of, {*rows[begun >= 0].tolist(), *title_of})
    if mask is not None:  # a title may stand below a longer date
        for at in places[above & heads[places]].tolist():
            chosen = title_of[entry.item(at)]
            mask[at] |= at > chosen and mask[chosen] and blocks.text(at) != blocks.text(chosen)
    return mask


def _first_kept(blocks: TextBlocks, keep: Mask, rows: Rows) -> NDArray[np.intp]:
    """Return intp[k]: the first kept block in each of k elements; -1 for none."""
    start, stop = blocks.first.searchsorted(rows), blocks.first.searchsorted(blocks.page.end[rows])
    kept = np.append(keep.nonzero()[0], len(keep))
    begun = kept[kept.searchsorted(start)]
    return np.where(begun < stop, begun, -1)


def _of_lists(
    blocks: TextBlocks, keep: Mask, title_of: dict[int, int], rows: set[int]
) -> Mask | None:
    """Return bool[m]: the titles of those lists of which most entries have one of its own."""
    lists = defaultdict[int, list[int]](list)
    for row in rows:
        lists[blocks.page.parent.item(row)].append(row)
    mask = np.zeros(len(keep), dtype=bool)
    known, length = set[str](), blocks.length.item
    for entries in lists.values():
        places = [title_of[row] for row in entries if row in title_of]
        least = max(_LEAST_ENTRIES, _MAJORITY * len(entries))
        if len(places) < least:
            continue
        known = known or {*map(str.casefold, blocks.texts(keep))}
        prices = {at for at in places if length(at) <= _LONGEST_PRICE and _is_price(blocks, at)}
        texts = {at: blocks.text(at).casefold() for at in places if at not in prices}
        titles = [at for at, text in texts.items() if keep[at] or text not in known]
        differ = len({texts[at] for at in titles}) >= _DIFFERENT * len(titles)
        mask[titles] = differ and len(titles) >= least
    return mask if mask.any() else None


def _is_price(blocks: TextBlocks, block: int) -> bool:
    text = blocks.text(block)
    if not any(map(str.isdigit, text)):
        return False
    owner = int(blocks.owner[block])
    named = _PRICE_CLASS.search(blocks.page.attribute(owner, "class") or "") is not None
    return named or next(product.visible_prices(text), None) is not None


def _entries(draft: Draft) -> Mask:
    """Return bool[n]: elements with `_LEAST_ENTRIES` like siblings of headings, or more of any.

    Outside of these no more are needed of any, either.
    """
    page = draft.page
    elements = (page.tag > tags.TEXT).nonzero()[0]
    alike = numbered(page.parent.take(elements), draft.kinds.take(elements))
    headed = page.total(tags.HEADING.take(page.tag)).take(elements) > 0
    count = np.bincount(alike)
    enough = (count > _LEAST_ENTRIES) | (np.bincount(alike, headed) >= _LEAST_ENTRIES)
    sure = marked(len(page), elements[enough.take(alike)])
    few = elements[(count == _LEAST_ENTRIES).take(alike)]
    return sure | marked(len(page), few[~page.inside(sure).take(few)])
