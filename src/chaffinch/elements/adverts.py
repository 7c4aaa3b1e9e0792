"""Advertisements: short elements that are named as such, or begin with a label that says so.

What is sold beside a text is told by what the page says of it, never by what it says itself: by
names of class and id, and by labels («Advertisement», 广告) of some forty languages. An element of
much text is none, whatever its name: sponsored articles are articles.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

import numpy as np

from chaffinch.caching import kept_of_short_texts
from chaffinch.elements import WORDS
from chaffinch.page import Page, tags
from chaffinch.page.arrays import Mask

LONGEST_LABEL: Final = 24
_LONGEST: Final = 600
"""Characters of an advertisement."""
_LEVELS: Final = 4
"""Elements above a label of which the outermost that begins with it is its box."""
_NAME_WORDS: Final = (
    *("advert", "sponsor", "adsby", "adsense", "ad-", "ads-", "ad_", "ads_", "adbox", "adslot"),
    *("-ads", "_ads", "-ad ", "-ad\n", "_ad ", "_ad\n", "guanggao", "ggw"),
)
_NAMED: Final = re.compile(
    r"(?<![a-z])(?:advert(?!orial)[a-z]*|sponsor(?:ed|s|ship)?|adsbygoogle|adsense|ad-?(?:box|slot)"
    r"|ads?[-_](?:box|slot|unit|wrap|wrapper|container|holder|banner|block|placement|space|label"
    r"|area|zone|inline|content|text|card)|(?:banner|google|dfp|gpt|text|native|inline|content|side"
    r"|article|story|in)[-_]ads?|guanggao\w*|ggw\d*)(?![a-z])",
    re.IGNORECASE,
)
_NO_BOX: Final = tags.table("html body main article h1 h2 table tbody tr blockquote pre".split())
_HEADS: Final = tags.table(["h1", "h2"])
_EDGES: Final = re.compile(r"\A[\W_]+|[\W_]+\Z")
_LABELS: Final = frozenset(WORDS["labels of advertisements"].split("|"))


def is_label(text: str) -> bool:
    """Return whether a text says that what follows is an advertisement."""
    return len(text) <= LONGEST_LABEL and _EDGES.sub("", text).casefold() in _LABELS


@kept_of_short_texts(4096)
def _is_named(names: str) -> bool:
    return _NAMED.search(names) is not None


def named_adverts(page: Page) -> Mask | None:
    """Return bool[n]: rows in short elements that are named as advertisements; None for none."""
    rows = page.rows_where("class", _is_named, *_NAME_WORDS)
    rows += page.rows_where("id", _is_named, *_NAME_WORDS)
    rows = [row for row in rows if _may_be_one(page, row)]
    return _within(page, rows) if rows else None


def labelled_adverts(page: Page, labels: Iterable[int]) -> Mask:
    """Return bool[n]: rows of the boxes that begin with the text rows ``labels``.

    A label whose box is too much text stands alone: the advertisement is made by a script.
    """
    boxes = []
    for label in labels:
        box = label
        for _ in range(_LEVELS):
            above = page.parent.item(box)
            if above <= page.body or not _may_be_one(page, above) or _begins(page, above) != label:
                break
            box = above
        boxes.append(box)
    return _within(page, boxes)


def _begins(page: Page, row: int) -> int:
    """Return the first row in an element whose text is written; the next one for none."""
    inner = page.written[row + 1 : page.end.item(row)].tobytes().find(1)
    return row + 1 + max(inner, 0)


def _may_be_one(page: Page, row: int) -> bool:
    inner = slice(row, page.end.item(row))
    return (
        not _NO_BOX[page.tag[row]]
        and page.length.item(row) <= _LONGEST
        and not _HEADS[page.tag[inner]].any()
    )


def _within(page: Page, rows: Iterable[int]) -> Mask:
    mask = np.zeros(len(page), dtype=bool)
    for row in rows:
        mask[row : page.end[row]] = True
    return mask
