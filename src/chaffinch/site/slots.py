"""Slots: the positions of a template, as the path of tags, ids and classes from the root.

Two elements are in one slot where their paths agree step by step. A step is written as a selector
(``div#main.post``). What changes from page to page in a name is masked by ``*``: every number of an
id, numbers of three digits or more in a class (``post-4711``, but not ``col-8``), and parts that
mix letters and digits as hashes do (``css-1dbjc4n``), and the page's own name, the last level of
its address (``product-owl-box`` on ``/shop/owl-box.html``). What names no position in a template is
ignored: names of the root and of the body, which describe the kind of page, and ids made of a
heading's own words, anchors to which a table of contents leads (``<h2 id="first-steps">First
steps</h2>``, or ``<section id="first-steps">`` around it): with them each chapter of a manual would
be a template's slot of its own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.metadata.values import fold
from chaffinch.page import hashing, tags

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.page import Page
    from chaffinch.page.arrays import Hashes

MASK: Final = "*"
"""Replacement of the part of a name that changes from page to page."""

MOST_CLASSES: Final = 3
"""Classes of an element in its step, the first ones: those that follow often vary from page to page
(``category-news tag-birds``)."""

_HASHLIKE: Final = re.compile(r"(?<![A-Za-z0-9])(?=[A-Za-z]*+\d)(?=\d*+[A-Za-z])[A-Za-z0-9]{5,}")
_NUMBER: Final = re.compile(r"\d+")
_LONG_NUMBER: Final = re.compile(r"\d{3,}")
_SHORTEST_NAME: Final = 4
_LONGEST_HEADING: Final = 200
_ANCHORED: Final = tags.HEADING | tags.table(["section"])
_ROWS_TO_HEADING: Final = 4
_DIGITS: Final = "0123456789"
_REMEMBERED: Final = 50_000


@dataclass(frozen=True)
class SlotStep:
    """The last step of a slot's path, by which the slots of a template link up to a tree.

    Attributes:
        up: hash of the slot that contains it; 0 for the root.
        text: the step as a selector, such as ``div#main.post``.
    """

    up: int
    text: str


def slot_hashes(page: Page) -> Hashes:
    """Return uint64[n]: the hash of each row's slot; text rows have one, too."""
    numbers = _numbers(page)
    having_names = np.flatnonzero(numbers)
    symbols = page.symbols.copy()
    symbols[having_names] ^= hashing.mix(numbers[having_names])
    return hashing.path_hashes(symbols, page.depth, page.end)


def _numbers(page: Page) -> Hashes:
    """Return uint64[n]: the hash of each row's masked names; 0 for none."""
    numbers = np.zeros(len(page), dtype=np.uint64)
    if not len(page):
        return numbers
    ids, classes = page.values("id"), page.values("class")
    own_name = _own_name(page)
    if not any(own_name in names for names in (*ids.rows, *classes.rows)):
        own_name = ""
    rows, of_row = classes.columns
    of_value = [_number(None, names, own_name) for names in classes.rows]
    numbers[rows] = np.array(of_value, dtype=np.uint64).take(of_row)
    having_id, of_id = ids.columns
    value_of = np.full(len(page), -1)
    value_of[rows] = of_row
    own_ids, own_classes = list(ids.rows), [*classes.rows, None]
    named = zip(having_id.tolist(), of_id.tolist(), value_of[having_id].tolist(), strict=True)
    numbers[having_id] = np.array(
        [
            _number(_named_id(page, row, own_ids[one]), own_classes[other], own_name)
            for row, one, other in named
        ],
        np.uint64,
    )
    numbers[[0, page.body]] = 0
    return numbers


def further_names(page: Page, hashes: Hashes) -> tuple[Hashes, NDArray[np.uint32]]:
    """Return slots, uint64[k], and hashes, uint32[k], of class names that their steps omit.

    A selector matches any class, though a step has only `MOST_CLASSES` of them; ``hashes`` are the
    `slot_hashes` of the page.
    """
    found: set[tuple[int, int]] = set()
    unnamed = {0, page.body}
    for classes, rows in page.values("class").rows.items():
        if classes.count(" ") >= MOST_CLASSES:
            omitted = _omitted(classes)
            slots = {int(hashes[row]) for row in rows if row not in unnamed}
            found.update((slot, name) for slot in slots for name in omitted)
    found_slots, names = zip(*sorted(found), strict=True) if found else ((), ())
    return np.array(found_slots, dtype=np.uint64), np.array(names, dtype=np.uint32)


def name_hash(name: str) -> int:
    """Return the hash, 32 bits, of a class name that a step omits."""
    return hashing.hash_string(name) & 0xFFFFFFFF


def step_of(page: Page, row: int) -> str:
    """Return the step of the element ``row``, such as ``div#main.post``."""
    if row in {0, page.body}:
        return page.name(row)
    own_id = _named_id(page, row, page.attribute(row, "id") or "")
    classes = page.attribute(row, "class") or ""
    if own_name := _own_name(page):
        own_id, classes = own_id.replace(own_name, MASK), classes.replace(own_name, MASK)
    return page.name(row) + masked_names(own_id, classes)[0]


def _named_id(page: Page, row: int, own_id: str) -> str:
    """Return the id of the element ``row``; "" for one made of the words of its heading."""
    if not own_id or not _ANCHORED[page.tag[row]]:
        return own_id
    for at in range(row, min(row + _ROWS_TO_HEADING, int(page.end[row]))):
        if tags.HEADING[page.tag[at]]:
            heading = page.text[page.text_at[at] : page.text_at[page.end[at]]]
            words, key = fold(heading[:_LONGEST_HEADING]), fold(own_id)
            is_made_of = words.startswith(key) or key.rstrip(_DIGITS) == words
            return "" if key and is_made_of else own_id
    return own_id


def _own_name(page: Page) -> str:
    """Return the last level of the page's address without its ending; "" for none of two words."""
    last = (page.url or "").partition("?")[0].rstrip("/").rpartition("/")[2]
    name = last.partition(".")[0]
    return name if len(name) >= _SHORTEST_NAME and "-" in name else ""


def _number(own_id: str | None, classes: str | None, own_name: str) -> int:
    """Return the hash of an element's masked names, 0 for none."""
    if not own_name:
        return masked_names(own_id, classes)[1]
    if own_name in (own_id or "") or own_name in (classes or ""):
        own_id = (own_id or "").replace(own_name, MASK)
        classes = (classes or "").replace(own_name, MASK)
    return masked_names(own_id, classes)[1]


@lru_cache(_REMEMBERED)
def masked_names(own_id: str | None, classes: str | None) -> tuple[str, int]:
    """Return masked names, such as ``#post-*.post.hentry``, and their hash; "" and 0 for none."""
    text = _masked_id(own_id or "") + _masked_classes(classes or "")
    return text, hashing.hash_string(text) if text else 0


@lru_cache(_REMEMBERED)
def _omitted(classes: str) -> tuple[int, ...]:
    """Return the hashes of the class names that a step with these classes omits."""
    named = set(_masked_classes(classes).split("."))
    return tuple(name_hash(name) for name in classes.split() if name not in named)


def _masked_id(own_id: str) -> str:
    words = own_id.split()
    if not words:
        return ""
    return "#" + _NUMBER.sub(MASK, _HASHLIKE.sub(MASK, words[0]))


def _masked_classes(classes: str) -> str:
    chosen = dict.fromkeys(
        _LONG_NUMBER.sub(MASK, _HASHLIKE.sub(MASK, name)) for name in classes.split()
    )
    return "".join(f".{name}" for name in list(chosen)[:MOST_CLASSES])
