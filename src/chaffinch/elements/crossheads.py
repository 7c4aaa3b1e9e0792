"""Crossheads: short lines, bold or of their own form, that head what follows and are no headings.

Writers of articles set them as bold paragraphs, as lines between breaks, by a class or inline
style, some as plain lines. Two or more of like form in one element are headings where running text
follows each; names of who speaks come back, questions of an interview are speech.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.page import tags

if TYPE_CHECKING:
    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask, Rows

_FEWEST: Final = 2
"""Crossheads of like form."""
_LONGEST: Final = 80
"""Characters of one; of scripts that write words with one sign, it is a third."""
_LONGEST_PLAIN: Final = 50
_RUNNING: Final = 60
"""Characters from which a line is running text whatever it ends with."""
_WIDE: Final = 0x2E80
"""First character of the scripts that write words with one or two signs."""
_ENDS: Final = tuple(".!…:;,。！：；，、।۔؛،")
"""Signs at the end of a sentence or a label, which no crosshead has."""
_ASKS: Final = ("?", "？", "؟")
_SENTENCE: Final = (*".!?…:。！？…।۔؟", *'"”»“」』’)）')
_BOLD: Final = tags.table(["b", "strong"])
_BOXES: Final = tags.table(["p", "div", "span"])
_NEVER: Final = tags.HEADING | tags.PREFORMATTED | tags.table(
    "li dl table blockquote figure figcaption header footer nav aside form button label summary"
    " a address".split()
)  # fmt: skip
_IMAGES: Final = tags.table(["img", "picture", "figure", "video", "iframe", "svg"])
_NAMED: Final = re.compile(
    r"cross-?head|sub-?head|inter-?tit|zwischen-?(?:titel|über|ueber)|ladillo|mellanrubrik"
    r"|mellomtit|subtitulo|sottotitol|podzag",
    re.IGNORECASE,
)
_BOLD_STYLE: Final = re.compile(r"font-weight\s*:\s*(?:bold|[6-9]00)", re.IGNORECASE)
_SECTION: Final = tags.CODES["section"]
_PLAIN: Final = "plain"


@dataclass(slots=True)
class _Line:
    """A short line that could be a crosshead: its element, text, place among lines and siblings."""

    row: int
    text: str
    at: int
    form: str
    around: int


def crossheads(page: Page, kept: Mask) -> dict[int, int]:
    """Return row of each crosshead among ``kept``, bool[n] → level of the heading that it is."""
    rows = np.flatnonzero(kept & page.written).astype(np.int32)
    if len(rows) < 2 * _FEWEST:
        return {}
    line = page.line.take(rows)
    begins = np.flatnonzero(np.concatenate(([True], line[1:] != line[:-1])))
    length = np.add.reduceat(page.own_length.take(rows), begins)
    likely = np.flatnonzero((length[:-1] <= _LONGEST) & (length[1:] > length[:-1]))
    if len(likely) < _FEWEST:
        return {}
    first = rows.take(begins)
    last = rows.take(np.concatenate((begins[1:], [len(rows)])) - 1)
    likely = likely[~page.inside(_NEVER.take(page.tag))[first.take(likely)]]
    groups: dict[tuple[str, int], list[_Line]] = defaultdict(list)
    for at in likely.tolist():
        if one := _short_line(page, first, last, at):
            groups[one.form, one.around].append(one)
    found = [one.row for some in groups.values() for one in _like(page, some, first, last)]
    return _levels(page, kept, sorted(found))


def _short_line(page: Page, first: Rows, last: Rows, at: int) -> _Line | None:
    """Return a line with the outermost element that holds it alone; None where it can be none."""
    begin, end, after = int(first[at]), int(last[at]), int(first[at + 1])
    before = int(last[at - 1]) if at else -1
    row = bold = box = -1
    for above in page.ancestors(begin):
        tag, stop = page.tag[above], int(page.end[above])
        if above <= before or stop > after or (tags.BLOCK[tag] and not _BOXES[tag]):
            break
        if stop > end:  # holds the whole line
            row = above
            bold = above if _BOLD[tag] else bold
            box = above if _BOXES[tag] else box
    around = int(page.parent[row]) if row >= 0 else -1
    if around < 0 or page.end[around] <= after or _IMAGES.take(page.tag[row:end]).any():
        return None
    names = (page.attribute(box, "class") or "") if box >= 0 else ""
    form = f"{page.name(row)}.{names}"
    if bold < 0:
        if box < 0:
            return None
        if not (_NAMED.search(names) or _BOLD_STYLE.search(page.attribute(box, "style") or "")):
            form = _PLAIN
            if page.name(box) != "p":
                return None
    row = bold if bold >= 0 else box
    place = page.path_hash.item(around) if page.tag[around] == _SECTION else around
    return _Line(row, page.folded(row), at, form, place)


def _like(page: Page, some: list[_Line], first: Rows, last: Rows) -> list[_Line]:
    """Return those of lines of one form that head running text; [] unless most of them do."""
    texts = [one.text for one in some]
    if len(some) < _FEWEST or len(set(texts)) < len(texts):
        return []
    found = [one for one in some if _may_head(one) and _heads_text(page, one, first, last)]
    sure = [one for one in found if not one.text.endswith(_ASKS)]
    return found if len(sure) >= _FEWEST and 2 * len(found) >= len(some) else []


def _may_head(one: _Line) -> bool:
    text, longest = one.text, _LONGEST_PLAIN if one.form == _PLAIN else _LONGEST
    begins = text[:1].isalnum() or text[:1] in "\"'“„«‘¿「《"
    return begins and _size(text) <= longest and not text.endswith(_ENDS) and not text.isdigit()


def _heads_text(page: Page, one: _Line, first: Rows, last: Rows) -> bool:
    """Return whether running text follows a line; a plain one stands behind such text, too."""
    if not _runs(page, int(first[one.at + 1]), int(last[one.at + 1])):
        return False
    if one.form != _PLAIN:
        return True
    before = int(last[one.at - 1]) if one.at else -1
    if before < 0 or _IMAGES.take(page.tag[before : one.row]).any():
        return False
    return all(
        _size(_text(page, int(first[at]), int(last[at]))) >= _RUNNING
        for at in (one.at - 1, one.at + 1)
    )


def _runs(page: Page, begin: int, end: int) -> bool:
    """Return whether a line is running text, or an item."""
    text = _text(page, begin, end)
    return _size(text) >= _RUNNING or text.endswith(_SENTENCE)


def _text(page: Page, begin: int, end: int) -> str:
    return " ".join(page.text[page.text_at[begin] : page.text_at[end + 1]].split())


def _size(text: str) -> int:
    """Return the length of a text, a sign that stands for a word or half of one counted thrice."""
    return len(text) if text.isascii() else len(text) + 2 * sum(ord(one) > _WIDE for one in text)


def _levels(page: Page, kept: Mask, rows: list[int]) -> dict[int, int]:
    """Return each row with the level below that of the heading before it."""
    if not rows:
        return {}
    heads = np.flatnonzero(kept & tags.HEADING.take(page.tag))
    levels = [1, *(int(page.name(row)[1]) for row in heads.tolist())]
    places = heads.searchsorted(rows).tolist()
    return {row: min(levels[at] + 1, 6) for row, at in zip(rows, places, strict=True)}
