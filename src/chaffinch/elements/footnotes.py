"""Footnotes and references: marks in a text, the notes to which they lead, and the ways back.

A mark is a link of a few characters (``3``, ``[a]``, ``*``, ``[note 1]``; no word) within the page;
where the page has no address, whatever stands in the link before ``#``.
"""

import re
from bisect import bisect_left
from collections.abc import Callable
from itertools import chain, count, islice
from typing import Final, NamedTuple

from chaffinch.kernels.arrays import Mask
from chaffinch.page import Page, tags

_MARK: Final = re.compile(
    r"\[[^\W\d_]{1,5}\s?\d+\]|(?=.{1,6}$)[^\w\s]*(?:\d+[a-z]?|[^\W\d_])?[^\w\s]*"
)
_LONGEST_NOTE: Final = 1500  # characters of a note in no list; sections are longer
_NAMED: Final = re.compile(
    r"(?:^|[\s_-])(?:fn|note-?ref|(?:foot|end)-?notes?)(?=[\s_-]|$)", re.IGNORECASE
)
_SUP: Final = tags.CODES["sup"]
_ITEMS, _DT, _DD = tags.table("li dt dd".split()), tags.CODES["dt"], tags.CODES["dd"]
_NOTES, _TR = tags.table("p div aside section tr".split()), tags.CODES["tr"]
_NEAR: Final = 3  # elements around what a mark leads to of which one is the note, and around a mark
_LONGEST_SIGNS: Final = 60  # characters of an element with ways back, or a mark, alone
_UNLABELLED: Final = re.compile(r"[\s\[\](){}（）［］〔〕【】.:,^]+")
_SIGNS: Final = re.compile(r"(?:\W|\d|\b[a-z]\b)*")  # what stands around ways back: ^ a b


class Footnotes(NamedTuple):
    """The footnotes of a text.

    Attributes:
        marks: the outermost element that holds nothing but a mark → label of its note.
        notes: element → label, each another, without white space and brackets.
        labels: elements in notes that repeat the label, and may lead back.
        left_out: other elements in notes that lead back.
    """

    marks: dict[int, str]
    notes: dict[int, str]
    labels: list[int]
    left_out: list[int]


def footnotes(page: Page, links: list[int], shown: Mask) -> Footnotes:
    """Return the footnotes of which a link is the mark, and the note is shown, bool[n].

    The mark is raised, by its tag or name, or the note leads back to it.
    """
    found, led_to = Footnotes({}, {}, [], []), _led_to(page, links)
    targets, taken = sorted(led_to), {""}
    for target in targets:
        note, marks = _element(page, target), led_to[target]
        first, stop = min(note, target), page.end.item(note)
        if first <= marks[-1] or bisect_left(targets, stop) - bisect_left(targets, first) > 1:
            continue
        back = _ways_back(page, first, stop, marks)
        said = [row for row in range(note, stop) if shown[row] and page.written[row]]
        is_led = back or all(_is_raised(page, link) for link in marks)
        if not is_led or page.own_length[said].sum() <= page.length[back].sum():
            continue
        sign = _UNLABELLED.sub("", page.folded(marks[0]))
        more = (f"{sign}-{at}" if sign else f"{at}" for at in count(len(taken)))
        label = next(one for one in chain([sign], more) if one not in taken)
        taken.add(label)
        found.notes[note] = label

        def says_it(text: str, sign: str = sign) -> bool:
            return _UNLABELLED.sub("", text) == sign

        found.marks.update({_outermost(page, link, says_it): label for link in marks})
        for row in back or [_outermost(page, said[0], says_it)]:
            around = target if target < note else _outermost(page, row, _SIGNS.fullmatch)
            repeats = sign and says_it(page.folded(around))
            if back or (repeats and row != said[0]):
                (found.labels if repeats else found.left_out).append(around)
    return found


def _led_to(page: Page, links: list[int]) -> dict[int, list[int]]:
    """Return element → the marks that lead to it."""
    named: dict[str, list[int]] = {}
    for row in links:
        if (name := page.anchor(row)) and _MARK.fullmatch(page.folded(row)):
            named.setdefault(name, []).append(row)
    if not named:
        return {}
    return {
        row: named.pop(name)
        for attribute in ("id", "name")
        for row, name in page.having(attribute)
        if name in named
    }


def _element(page: Page, target: int) -> int:
    """Return the item of a list, of terms what is said of one, or the block; -1 for no note."""
    if page.tag[target] == _DT:
        after = page.end.item(target)
        after += after < len(page) and page.tag[after] == tags.TEXT  # white space between
        return after if after < len(page) and page.tag[after] == _DD else -1
    around = (target, *islice(page.ancestors(target), _NEAR))
    items = (row for row in around if _ITEMS[page.tag[row]])
    blocks = (row for row in around if _NOTES[page.tag[row]])
    note = next(chain(items, blocks), -1)
    is_whole = note > page.body and page.tag[note] != _TR
    return note if is_whole and page.length[note] <= _LONGEST_NOTE else -1


def _ways_back(page: Page, first: int, stop: int, marks: list[int]) -> list[int]:
    """Return the links among a few rows that lead to marks, or to what is in or around such."""
    near = (
        row
        for mark in marks
        for row in (*islice(page.ancestors(mark), 2), *range(mark, page.end.item(mark)))
    )
    names = {page.attribute(row, name) for row in near for name in ("id", "name")} - {None, ""}
    rows = range(first, min(stop, first + 200))
    return [row for row in rows if page.tag[row] == tags.LINK and page.anchor(row) in names]


def _is_raised(page: Page, mark: int) -> bool:
    around = *islice(page.ancestors(mark), _NEAR), *range(mark, page.end.item(mark))
    return any(
        page.tag[row] == _SUP or _NAMED.search(page.attribute(row, "class") or "") for row in around
    )


def _outermost(page: Page, row: int, fits: Callable[[str], object]) -> int:
    """Return the outermost element in a line around a row of which the short text fits."""
    for above in islice(page.ancestors(row), _NEAR):
        is_brief = not tags.BLOCK[page.tag[above]] and page.length[above] <= _LONGEST_SIGNS
        if not (is_brief and fits(page.folded(above))):
            break
        row = above
    return row
