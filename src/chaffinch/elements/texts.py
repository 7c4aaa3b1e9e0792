"""Texts as a reader sees them: lines, breaks by style, ruby, notes in a line, headings."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from chaffinch.elements import WORDS, whole_names
from chaffinch.elements.formulas import PageFormula
from chaffinch.kernels.arrays import Mask, Rows
from chaffinch.page import Page, tags
from chaffinch.page.attributes import Search, Searches
from chaffinch.page.visibility import with_texts

# The text of a part of the page as a reader sees it: lines, white space folded.


def shown_text(page: Page, row: int, shown: Mask, formulas: Mapping[int, PageFormula]) -> str:
    """Return what is shown, bool[n], of the text in the subtree of ``row``, formulas as TeX.

    A newline stands wherever a block or a br parts two texts; "" where nothing is shown.
    """
    lines: list[list[str]] = []
    last = -1
    stop = int(page.end[row])
    tags_shown = zip(page.tag[row:stop].tolist(), shown[row:stop].tolist(), strict=True)
    for at, (tag, own) in enumerate(tags_shown, row):
        if not own or (tag != tags.TEXT and at not in formulas):
            continue
        formula = formulas.get(at)
        raw = formula.marked if formula else page.text[page.text_at[at] : page.text_at[at + 1]]
        line = int(page.line[at])
        if line != last:
            lines.append([])
        lines[-1].append(raw)
        last = line
    folded = (" ".join("".join(line).split()) for line in lines)
    return "\n".join(line for line in folded if line)


# Notes within a sentence: beside the text, or in a bubble on the screen. Such a note is an inline
# element whose name or role says so.

_IN_LINE: Final = re.compile(
    rf"(?:^|[\s_-])(?:{WORDS['names of notes in a line']})(?=[\s_]|-(?!mark|ref|number|link)|$)",
    re.IGNORECASE,
)
_IN_WORD: Final = re.compile(whole_names("names of notes in a word"), re.IGNORECASE)
"""Names that many elements have; those that begin in the midst of a word are notes."""
_IN_LINE_NAMES: Final = Search("class", *WORDS["words in names of notes"])
_TOOLTIPS: Final = Search("role", "tooltip")
_NOTE_NAMES: Final = Searches(_IN_LINE_NAMES, _TOOLTIPS)
_HEADINGS: Final = Search("role", "heading")
_MARGINS: Final = tags.table("span small em i label q font aside".split())
"""Elements of notes within a sentence; one that shows as a block is none."""
_FEWEST: Final = 6  # characters of such a note; a mark is shorter
_NOTE: Final = "d-footnote"  # an element of Distill
_OPENING: Final = "([（［〔"


def _side_notes(page: Page) -> list[int]:
    """Return the notes that stand behind a word of their line, and in no parentheses, in order."""
    if not (_NOTE_NAMES.may_find(page) or _NOTE in page.tag_names):
        return []
    may = _IN_LINE_NAMES.candidates(page)
    may = may[_MARGINS.take(page.tag.take(may))] if len(may) else may
    named = page.own_attributes.values_of(may, "class") if len(may) else []
    rows = [
        row
        for row, (names,) in zip(may.tolist(), named, strict=True)
        if names and (_IN_LINE.search(names) or (_IN_WORD.search(names) and _is_in_word(page, row)))
    ]
    rows += _TOOLTIPS.where(page, lambda own: own.strip().lower() == "tooltip")
    rows = [row for row in rows if _MARGINS[page.tag[row]]]
    rows += [row for row, name in page.names.items() if name == _NOTE]
    if not rows:
        return []
    found: list[int] = []
    for row in sorted({*rows}, reverse=True):
        holds_note = found and found[-1] < page.end[row]
        if not holds_note and _is_glued(page, row):
            found.append(row)
    return found[::-1]


def _is_in_word(page: Page, row: int) -> bool:
    """Return whether words of an element follow a letter without a blank between."""
    text, begin, end = page.text, page.text_at.item(row), page.text_at.item(page.end[row])
    is_long = begin > 0 and end - begin >= _FEWEST
    return is_long and text[begin - 1 : begin + 1].isalpha() and not text[end - 1].isalpha()


def _is_glued(page: Page, row: int) -> bool:
    """Return whether a note goes on in the line of other words, as if it were a part of it."""
    text = page.folded(row)
    if len(text) < _FEWEST or text[0] in _OPENING:
        return False
    first = page.line.searchsorted(page.line[row + 1])
    before = page.text[page.text_at[first] : page.text_at[row]].rstrip()
    return any(map(str.isalpha, before)) and before[-1] not in _OPENING


# The text of a page as outputs show it: breaks by inline style, and what is set apart in a line.
#
# Ruby texts and notes within a sentence stand in parentheses; those of ``rp`` are for browsers that
# know no ruby, and left out.

BREAK: Final = "\x0e"
"""Stands for a line break that inline style shows; HTML forbids the character, and none is lost."""
_IDEOGRAPHS: Final = "\u2e80"  # from here on, scripts put no spaces around parentheses


def page_text(page: Page, code: Sequence[int], *, ruby: bool = True) -> tuple[str, Rows]:
    """Return the text, and int32[n+1], where in it each row's own starts.

    That of ``code``, rows of blocks, stays as it is. With ``ruby`` such texts stand in parentheses;
    HTML has elements for them.
    """
    changed: dict[int, str] = {}  # texts of rows that aren't shown as they are
    apart = [(row, True) for row in _side_notes(page)]
    if ruby and "rt" in page.tag_names:
        rows = (page.is_tag("rt") & page.inside(page.is_tag("ruby"))).nonzero()[0].tolist()
        apart += [(row, False) for row in rows]
        blank = (page.tag == tags.TEXT) & ~page.written & page.inside(page.is_tag("ruby"))
        changed = dict.fromkeys(blank.nonzero()[0].tolist(), "")  # what only parts rb from rt
    if page.breaks_kept is None and not apart:
        return page.text, page.text_at
    verbatim = tags.PREFORMATTED[page.tag]
    verbatim[list(code)] = True
    free: Mask = (page.tag == tags.TEXT) & ~page.inside(verbatim)
    if page.breaks_kept is not None:
        for row in (free & page.breaks_kept).nonzero()[0].tolist():
            if "\n" in (raw := page.text_of(row)):
                changed[row] = raw.replace("\n", BREAK)
    for row, spaced in apart:
        _set_apart(page, row, free, changed, spaced=spaced)
    texts = {row: (row + 1, text) for row, text in changed.items()}
    return with_texts(page.text, page.text_at, texts) if texts else (page.text, page.text_at)


def _set_apart(page: Page, row: int, free: Mask, changed: dict[int, str], *, spaced: bool) -> None:
    """Put the text of an element in parentheses."""
    inner = slice(row, int(page.end[row]))
    written = (free[inner] & page.written[inner]).nonzero()[0]
    if not len(written):
        return
    first, last = row + int(written[0]), row + int(written[-1])
    begin, end = page.text_at.item(row), page.text_at.item(inner.stop)
    before, after = page.text[max(begin - 1, 0) : begin], page.text[end : end + 1]
    opening = " (" if spaced and not before.isspace() and before < _IDEOGRAPHS else "("
    changed[first] = opening + changed.get(first, page.text_of(first)).lstrip()
    closing = ") " if spaced and after.isalnum() and after < _IDEOGRAPHS else ")"
    changed[last] = changed.get(last, page.text_of(last)).rstrip() + closing


# Crossheads: short lines, bold or of their own form, that head what follows and are no headings;
# and elements of which the role heading says that they are.
#
# Writers of articles set them as bold paragraphs, as lines between breaks, by a class or inline
# style, some as plain lines. Two or more of like form in one element are headings where running
# text follows each; names of who speaks come back, questions of an interview are speech.

_HEAD_FEWEST: Final = 2  # crossheads of like form
_LONGEST: Final = 80  # characters of one; of scripts that write words with one sign, it is a third
_LONGEST_PLAIN: Final = 50
_RUNNING: Final = 60  # characters from which a line is running text whatever it ends with
_WIDE: Final = re.compile("[\u2e81-\U0010ffff]")
"""Characters of the scripts that write words with one or two signs."""
_ENDS: Final = tuple(".!…:;,。！：；，、।۔؛،")
"""Signs at the end of a sentence or a label, which no crosshead has."""
_ASKS: Final = ("?", "？", "؟")
_SENTENCE: Final = (*".!?…:。！？…।۔؟", *'"”»“」』’)）')
_BOXES: Final = tags.table(["p", "div", "span"])
_PARAGRAPH: Final = tags.CODES["p"]
_NEVER: Final = tags.HEADING | tags.PREFORMATTED | tags.table(
    "li dl table blockquote figure figcaption header footer nav aside form button label summary"
    " a address".split()
)  # fmt: skip
_IMAGES: Final = tags.table(["img", "picture", "figure", "video", "iframe", "svg"])
_NAMED: Final = re.compile(WORDS["names of crossheads"], re.IGNORECASE)
_BOLD_STYLE: Final = re.compile(r"font-weight\s*:\s*(?:bold|[6-9]00)", re.IGNORECASE)
_PLAIN: Final = "plain"
_RANKS: Final = frozenset("123456")


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
    rows = (kept & page.written).nonzero()[0].astype(np.int32)
    if len(rows) < 2 * _HEAD_FEWEST:
        return {}
    line = page.line.take(rows)
    begins = np.concatenate(([True], line[1:] != line[:-1])).nonzero()[0]
    length = np.add.reduceat(page.own_length.take(rows), begins)
    likely = ((length[:-1] <= _LONGEST) & (length[1:] > length[:-1])).nonzero()[0]
    if len(likely) < _HEAD_FEWEST:
        return {}
    first = rows.take(begins)
    last = rows.take(np.concatenate((begins[1:], [len(rows)])) - 1)
    likely = likely[~page.inside(_NEVER.take(page.boxes))[first.take(likely)]]
    groups: dict[tuple[str, int], list[_Line]] = defaultdict(list)
    for at in likely.tolist():
        if one := _short_line(page, first, last, at):
            groups[one.form, one.around].append(one)
    found = sorted(one.row for some in groups.values() for one in _like(page, some, first, last))
    if not found:
        return {}
    heads = (kept & tags.HEADING.take(page.tag)).nonzero()[0]
    levels = [1, *(int(page.name(row)[1]) for row in heads.tolist())]
    places = heads.searchsorted(found).tolist()
    return {row: min(levels[at] + 1, 6) for row, at in zip(found, places, strict=True)}


def _short_line(page: Page, first: Rows, last: Rows, at: int) -> _Line | None:
    """Return a line with the outermost element that holds it alone; None where it can be none."""
    begin, end, after = int(first[at]), int(last[at]), int(first[at + 1])
    before = int(last[at - 1]) if at else -1
    row = bold = box = paragraph = -1
    tag_of, end_of = page.tag.item, page.end.item
    for above in page.ancestors(begin):
        tag, stop = tag_of(above), end_of(above)
        if above <= before or stop > after or (tags.BLOCK[tag] and not _BOXES[tag]):
            break
        if stop > end:  # holds the whole line
            row = above
            bold = above if tags.BOLD[tag] else bold
            box = above if _BOXES[tag] else box
            paragraph = above if tag == _PARAGRAPH else paragraph
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
            if paragraph < 0:
                return None
    row = next(one for one in (bold, paragraph, box) if one >= 0)
    place = page.path_hash.item(around) if page.tag[around] == tags.CODES["section"] else around
    return _Line(row, page.folded(row), at, form, place)


def _like(page: Page, some: list[_Line], first: Rows, last: Rows) -> list[_Line]:
    """Return those of lines of one form that head running text; [] unless most of them do."""
    texts = [one.text for one in some]
    if len(some) < _HEAD_FEWEST or len(set(texts)) < len(texts):
        return []
    found = [one for one in some if _may_head(one) and _heads_text(page, one, first, last)]
    sure = [one for one in found if not one.text.endswith(_ASKS)]
    return found if len(sure) >= _HEAD_FEWEST and 2 * len(found) >= len(some) else []


def _may_head(one: _Line) -> bool:
    text, longest = one.text, _LONGEST_PLAIN if one.form == _PLAIN else _LONGEST
    begins = text[:1].isalnum() or text[:1] in "\"'“„«‘¿「《【〔[(（■□●◆◇▼▲★☆§"
    return begins and _size(text) <= longest and not text.endswith(_ENDS) and not text.isdigit()


def _heads_text(page: Page, one: _Line, first: Rows, last: Rows) -> bool:
    """Return whether running text follows a line; a plain one stands behind such text, too."""
    following = text_between(page, int(first[one.at + 1]), int(last[one.at + 1]) + 1)
    if _size(following) < _RUNNING and not following.endswith(_SENTENCE):
        return False
    if one.form != _PLAIN:
        return True
    before = int(last[one.at - 1]) if one.at else -1
    if before < 0 or _IMAGES.take(page.tag[before : one.row]).any():
        return False
    return all(
        _size(text_between(page, int(first[at]), int(last[at]) + 1)) >= _RUNNING
        for at in (one.at - 1, one.at + 1)
    )


def text_between(page: Page, first: int, stop: int) -> str:
    return " ".join(page.text[page.text_at[first] : page.text_at[stop]].split())


def _size(text: str) -> int:
    """Return the length of a text, a sign that stands for a word or half of one counted thrice."""
    return len(text) if text.isascii() else len(text) + 2 * len(_WIDE.findall(text))


def headings_by_role(page: Page, kept: Mask) -> dict[int, int]:
    """Return row of each heading among ``kept``, bool[n], that is one by its role → its level."""
    rows = _HEADINGS.where(page, lambda own: own.strip().lower() == "heading")
    if not rows:
        return {}
    heads = tags.HEADING.take(page.tag)
    around = page.inside(heads | tags.PREFORMATTED.take(page.tag))
    found = {}
    for row in rows:
        own = slice(row, int(page.end[row]))
        if kept[row] and not around[row] and not heads[own].any():
            level = (page.attribute(row, "aria-level") or "").strip()
            found[row] = int(level) if level in _RANKS else 2  # as WAI-ARIA has it
    return found
