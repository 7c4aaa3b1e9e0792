"""The lines of what is kept: plain text, chunks for retrieval, names of posts, front matter.

A line is a run of inline content (`Page.line`); what of it is kept is its text, white space folded,
or verbatim where it is preformatted. Plain text is one line a block, as evaluations compare it: a
br ends a line; list items bear no bullets. The cells of a table row stand on one line, parted by
tabs, as long as each is a single line: a row stays a row for the reader and pastes into a
spreadsheet, and measures that count words see no token that isn't on the page.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from operator import itemgetter
from typing import Any, Final, NamedTuple

import numpy as np

from chaffinch import kernels
from chaffinch.elements.code import needs_lines, source
from chaffinch.elements.shown_content import ShownContent, shown_content, shown_rows
from chaffinch.elements.texts import BREAK
from chaffinch.errors import require_whole
from chaffinch.kernels.arrays import Codes, Mask, Rows
from chaffinch.kernels.codes import CELL, PREFORMATTED
from chaffinch.lists import discussion
from chaffinch.page import tags
from chaffinch.page.visibility import with_texts
from chaffinch.page_work import checked
from chaffinch.segment.text_blocks import text_blocks
from chaffinch.verdict import Content


def render(content: Content, *, named: bool = False) -> str:
    """Return the plain text of what is kept; "" where nothing is.

    Blocks are parted by one newline, or by a tab within a table row; there is none at the end.
    With ``named``, a line above each post of a thread tells who wrote it and when.
    """
    waiting: list[PostHeading] = []
    if named:
        content, headings = named_posts(content)
        waiting = headings[::-1]
    lines = kept_lines(content)
    if not waiting and not np.count_nonzero(lines.beside):
        return "\n".join(lines.texts)
    parts: list[str] = []
    every = zip(lines.texts, lines.first.tolist(), lines.beside.tolist(), strict=True)
    for text, first, beside in every:
        heading = None
        while waiting and first >= waiting[-1].row:
            heading = waiting.pop()
        if heading is not None:
            parts += ["\n", " · ".join(filter(None, (heading.author, heading.about)))]
        parts += ["\t" if beside and heading is None else "\n", text]
    return "".join(parts[1:])


# Lines

_KINDS: Final = tags.PREFORMATTED * np.uint8(PREFORMATTED) + tags.table(["td", "th"]) * np.uint8(
    CELL
)
"""What of an element matters for the lines in it."""


@dataclass(eq=False)  # a frozen one sets each field by a call
class KeptLines:
    """The lines of what is kept, as columns; m lines in document order, none of them empty."""

    texts: list[str]
    """White space folded, but for newlines in preformatted elements and where style breaks it."""
    first: Rows  # [m], first kept text row of each line
    last: Rows  # [m], first row after the last kept text row of each line
    beside: Mask
    """bool[m]: lines that stand beside the line before: both are the only line of their cell, and
    the cells stand in one table row."""

    def __len__(self) -> int:
        return len(self.texts)


def kept_lines(content: Content) -> KeptLines:
    page, shown = content.page, shown_content(content)
    text, text_at = shown.elements.text
    kept = shown.kept
    if page.breaks_kept is not None:  # a break between two marks
        kept = kept | (page.breaks_kept & ~page.written & (page.tag == tags.TEXT))
    replaced, tag, line = _replaced(shown)
    if replaced:
        text, text_at = with_texts(text, text_at, replaced)
    texts, first, last, beside = kernels.kept_lines(
        text, text_at, tag, line, page.end, page.parent, kept, content.kept, _KINDS
    )
    for row, (end, _) in replaced.items():
        at = int(first.searchsorted(row, "right")) - 1  # the line that the text stands in
        if at >= 0 and row < last[at]:
            last[at] = max(last[at], end)
    lines = KeptLines(texts, first, last, beside)
    return lines if page.breaks_kept is None else _broken(lines)


def _replaced(shown: ShownContent) -> tuple[dict[int, tuple[int, str]], Codes, Rows]:
    """Return the texts of formulas, and of code whose lines its text alone doesn't tell.

    Row → the first row after what it stands for, and the text; and the tags and lines of all rows
    as they are with these.
    """
    page, code, tag, line = shown.page, shown.code, shown.page.tag, shown.page.line
    texts = {row: (one.end, one.marked) for row, one in shown.formulas.items()}
    blocks = [row for row in code.blocks if shown.kept[row] and needs_lines(page, row, code)]
    if texts or blocks:
        tag = tag.copy()
        tag[list(texts)] = tags.TEXT
    if blocks:
        rows = shown_rows(page, shown.kept) & ~code.left_out
        edges = np.zeros(len(page) + 1, dtype=np.int32)
        formulas = sorted(texts)
        for row in blocks:
            end = int(page.end[row])
            held = (shown.kept[row:end] & (page.tag[row:end] == tags.TEXT)).nonzero()[0] + row
            if raw := source(page, row, rows, code, shown.formulas) if len(held) else "":
                for at in formulas[bisect_left(formulas, row) : bisect_left(formulas, end)]:
                    texts.pop(at, None)
                texts[int(held[0])] = end, raw
                tag[row] = tags.CODES["pre"]
                edges[row] = edges[end] = 1
        line = line + np.add.accumulate(edges[:-1], dtype=np.int32)
    return texts, tag, line


def _broken(lines: KeptLines) -> KeptLines:
    """Break lines where inline style does; those that hold nothing but breaks are dropped."""
    texts = []
    for text in lines.texts:
        parts = [part.strip() for part in text.split(BREAK)] if BREAK in text else [text]
        texts.append("\n".join(filter(None, parts)))
    held = np.array(list(map(bool, texts)), dtype=bool)
    columns = (own[held] for own in (lines.first, lines.last, lines.beside))
    return KeptLines([*filter(None, texts)], *columns)


# Posts of a thread

_LEAST: Final = 2
"""Posts without which a page shows no thread."""
_BYLINE: Final = 160
"""Characters of a line above a post's text that is taken for its byline."""


class PostHeading(NamedTuple):
    """What stands above a post: its rows, the author's name and what is said besides."""

    row: int
    end: int
    author: str
    about: str


def named_posts(content: Content) -> tuple[Content, list[PostHeading]]:
    """Return a content without the bylines of its posts, and what stands in their place.

    Posts of which nothing is kept have no heading; a page that shows no thread has none at all.
    """
    return content.derived("named posts", lambda: _named(content))


def _named(content: Content) -> tuple[Content, list[PostHeading]]:
    every = discussion.whole_thread(content.page, content.verdict.page_type)
    found = sorted(every, key=lambda post: post.rows)
    kept = (content.kept & content.page.written).nonzero()[0]
    if len(found) < _LEAST or not len(kept):
        return content, []
    first = kept.searchsorted([post.rows[0] for post in found])
    last = kept.searchsorted([post.rows[1] for post in found])
    shown = [post for post, a, b in zip(found, first.tolist(), last.tolist(), strict=True) if a < b]
    if len(shown) < _LEAST:
        return content, []
    of_number = {post.number: post for post in found}
    headings = [PostHeading(*post.rows, *_named_by(post, of_number)) for post in shown]
    keep = content.verdict.keep.copy()
    blocks = text_blocks(content.page)
    for post in shown:
        lines = {" ".join(line.split()) for line in post.text.splitlines()}
        start, stop = blocks.first.searchsorted(post.rows).tolist()
        is_above = True
        for number in range(start, stop):
            text = blocks.text(number)
            is_byline = text not in lines and len(text) <= _BYLINE
            is_above &= is_byline
            if is_above or (is_byline and post.author and post.author in text):
                keep[blocks.first[number] : blocks.last[number]] = False
    if (keep == content.verdict.keep).all():
        return content, headings
    return replace(content, verdict=content.verdict.with_keep(keep)), headings


def _named_by(post: discussion.Post, of_number: dict[int, discussion.Post]) -> tuple[str, str]:
    """Return the author of a post, and its date and whom it replies to; its number for neither."""
    day = post.date.replace("T", " ")[:16] if "T" in post.date else post.date  # to the minute
    above = of_number.get(post.reply_to or 0)
    to = f"→ {above.author}" if above is not None and above.author else ""
    about = " · ".join(filter(None, (day, to)))
    return post.author or ("" if about else f"#{post.number}"), about


# Front matter

_BASIC: Final = 0xFFFF
"""The last character that four digits can name."""
_SURROGATES: Final = range(0xD800, 0xE000)
_UNKNOWN: Final = 0xFFFD
"""What Unicode puts in the place of what is no character."""
_MARKUP: Final = re.compile(r"<(?=[A-Za-z/!?])|(?<=\])\(")
"""What may begin a tag, a comment or an address; it stands within strings only."""


def front_matter(values: Mapping[str, Any]) -> str:
    """Return the values that are known as front matter, a line each; "" where none is."""
    lines = []
    for name, value in values.items():
        if value not in (None, ""):
            quoted = _MARKUP.sub(
                lambda one: _escaped(one[0]), json.dumps(value, ensure_ascii=False)
            )
            signs = (one if one.isprintable() else _escaped(one) for one in quoted)
            lines.append(f"{name}: {''.join(signs)}\n")
    return "".join(["---\n", *lines, "---\n\n"]) if lines else ""


def _escaped(character: str) -> str:
    """Return what stands for a character that YAML has no plain form of (section 5.7).

    JSON's pairs of surrogates are two characters to YAML, and a lone one is none.
    """
    code = ord(character)
    if code > _BASIC:
        return f"\\U{code:08X}"
    return f"\\u{_UNKNOWN if code in _SURROGATES else code:04x}"


# Sentences and chunks

_SENTENCE_END: Final = (
    r"(?<![.!?…])[.!?…]++[\"'”’»)\]]*+(?=\s+(?![a-z])|\s*$){}|[。！？｡]++[”’」』）】]*+{}"
)
"""The end of a sentence; the blanks take what is added to either form."""

SENTENCE: Final = re.compile(
    rf".+?(?:{_SENTENCE_END.format(chr(92) + 's*', chr(92) + 's*')}|$)", re.DOTALL
)
"""A sentence with the white space after it."""
_ENDS: Final = re.compile(_SENTENCE_END.format("", ""))


def sentence_ends(text: str) -> list[int]:
    """Return the offset after the last character of each sentence of a line that has an end."""
    return [found.end() for found in _ENDS.finditer(text)]


_WHOLE: Final = tags.HEADING | tags.PREFORMATTED
_LEVEL: Final = {tags.CODES[f"h{level}"]: level for level in range(1, 7)}


@dataclass(frozen=True)
class Chunk:
    """A piece of the content.

    Attributes:
        text: its text, a line a block, or its Markdown; without the headings above it.
        headings: the texts of the headings it stands under, outermost first; a chunk that begins
            with headings of its own has them in its text and here. A title is the outermost.
        rows: first row and first row after the last on the page, of the lines it is cut from.
        title: of the page; "" if unknown.
        url: address of the page; None if unknown.
        language: of the page, BCP 47; "" if unknown.
        ids: of the page's blocks that it is cut from, in order (`chaffinch.reading.blocks`).
    """

    text: str
    headings: tuple[str, ...]
    rows: tuple[int, int]
    title: str = ""
    url: str | None = None
    language: str = ""
    ids: tuple[str, ...] = ()


class _Unit(NamedTuple):
    """What isn't torn: a line, a table, preformatted text, or a sentence of a long line."""

    text: str
    first: int
    last: int
    joint: str = "\n"
    """What stands before it, where a unit precedes it in the chunk."""
    lines: tuple[tuple[int, int, int], ...] = ()
    """Of each kept line in the text: where it ends there, its first row, the first row after it."""

    def part(self, start: int, stop: int, joint: str) -> _Unit:
        """Return the unit of the characters start:stop, with the rows of the lines they are of."""
        first, last = self.first, self.last
        if self.lines:
            first = self.lines[bisect_right(self.lines, start, key=_END)][1]
            last = self.lines[bisect_left(self.lines, stop, key=_END)][2]
        return _Unit(self.text[start:stop], first, last, joint)


_END: Final = itemgetter(0)


def chunks(
    content: Content, *, max_length: int = 1000, overlap: int = 0, title: str = ""
) -> list[Chunk]:
    """Cut what is kept into chunks of one section each.

    A chunk holds whole lines of one section as long as they fit. A line that is longer than a chunk
    may be is cut between sentences, and a sentence only where it is longer than a chunk alone. The
    rows of a data table and the lines of preformatted text stand together while they fit.

    Args:
        content: the page and what is kept of it.
        max_length: most characters of a chunk's text; at least 1.
        overlap: a chunk that goes on within a section begins with what the one before ended with,
            in whole lines or sentences of at most so many characters; less than ``max_length``.
        title: a heading above all others, with which the first chunk begins; "" for none.

    Returns:
        The chunks in document order, without what is known of the page. Without overlap every kept
        line is in exactly one, but one that is longer than a chunk: its parts are.

    Raises:
        OptionError: ``max_length`` is below 1, or ``overlap`` isn't in 0..max_length-1.
    """
    require_whole("max_length", max_length, 1)
    require_whole("overlap", overlap, 0, max_length - 1)
    return [
        Chunk(_joined(held), headings, (held[0].first, max([unit.last for unit in held])))
        for headings, above, units in checked(_sections(content, kept_lines(content), title))
        for held in _cut(units, above, max_length, overlap)
    ]


def _cut(units: list[_Unit], above: int, most: int, overlap: int) -> Iterable[list[_Unit]]:
    """Return the units of each chunk of a section, of which the first ``above`` are headings."""
    if sum([len(unit.text) for unit in units]) + len(units) <= most:
        return (units,)  # a newline between two: nothing is cut
    room = most - sum(len(unit.text) + 1 for unit in units[:above])
    fitting = [part for unit in units[:above] for part in _fitted(unit, most)]
    for unit in checked(units[above:], every=64):
        fitting.extend(_fitted(unit, room if 2 * room > most else most))
        room = most
    return _packed(fitting, most, overlap)


def _sections(
    content: Content, lines: KeptLines, title: str
) -> Iterator[tuple[tuple[str, ...], int, list[_Unit]]]:
    """Yield heading path, number of headings and units of each section, the headings first.

    A heading that a deeper one follows at once has no section of its own.
    """
    path: list[tuple[int, str]] = []
    units: list[_Unit] = []
    above = 0
    found = list(_units(content, lines))
    if title and found:
        path.append((0, title))
        units.append(_Unit(title, found[0][0].first, found[0][0].first + 1))
        above = 1
    for unit, level in found:
        if level:
            if units and (above < len(units) or level <= path[-1][0]):
                yield tuple([text for _, text in path]), above, units
                units, above = [], 0
            while path and path[-1][0] >= level:
                path.pop()
            path.append((level, unit.text))
            above += 1
        units.append(unit)
    if units:
        yield tuple([text for _, text in path]), above, units


def _units(content: Content, lines: KeptLines) -> Iterator[tuple[_Unit, int]]:
    """Yield lines, and as one what isn't torn: tables, preformatted text, headings.

    Each with its level, if it is a heading, or 0.
    """
    page, outer = content.page, list[int]()
    whole = _WHOLE.take(page.tag) | shown_content(content).elements.data_tables
    for row in (whole & content.kept).nonzero()[0].tolist():
        if not outer or row >= page.end[outer[-1]]:
            outer.append(row)

    def holder(line: tuple[str, int, int, bool]) -> int:
        at = bisect_right(outer, line[1]) - 1
        return outer[at] if at >= 0 and line[1] < page.end[outer[at]] else -1

    columns = lines.texts, lines.first.tolist(), lines.last.tolist(), lines.beside.tolist()
    for row, group in groupby(zip(*columns, strict=True), holder):
        if row < 0:
            yield from ((_Unit(text, first, last), 0) for text, first, last, _ in group)
            continue
        level, length = _LEVEL.get(int(page.tag[row]), 0), 0
        parts, ends = list[str](), list[tuple[int, int, int]]()
        for text, first, last, beside in group:
            joint = "" if not ends else " " if level else "\t" if beside else "\n"
            parts += joint, text
            length += len(joint) + len(text)
            ends.append((length, first, last))
        yield _Unit("".join(parts), ends[0][1], ends[-1][2], lines=tuple(ends)), level


def _fitted(unit: _Unit, most: int) -> Iterator[_Unit]:
    """Yield a unit, or where it is too long its lines, sentences, or pieces of sentences."""
    if len(unit.text) <= most:
        yield unit
        return
    joint, at = unit.joint, 0
    for line in unit.text.split("\n"):
        for start, stop, after in _pieces(line, most):
            if line[start:stop].strip():
                yield unit.part(at + start, at + stop, joint)
                joint = after
        joint, at = "\n", at + len(line) + 1


def _pieces(line: str, most: int) -> Iterator[tuple[int, int, str]]:
    """Yield (start, stop, what parts it from the next) of a line, or of its sentences.

    Sentences that are too long are cut, at a space where there is one.
    """
    if len(line) <= most:
        yield 0, len(line), ""
        return
    for found in SENTENCE.finditer(line):
        start, end = found.start(), found.start() + len(found[0].rstrip())
        while end - start > most:
            stop = line.rfind(" ", start + 1, start + most + 1)
            after = " " if stop > 0 else ""
            stop = stop if stop > 0 else start + most
            yield start, stop, after
            start = stop + len(after)
        yield start, end, " " if end < found.end() else ""


def _packed(units: list[_Unit], most: int, overlap: int) -> Iterator[list[_Unit]]:
    held: list[_Unit] = []
    length = 0
    for unit in units:
        if held and length + len(unit.joint) + len(unit.text) > most:
            yield held
            held = _tail(held, min(overlap, most - len(unit.joint) - len(unit.text)))
            length = len(_joined(held))
        length += len(unit.text) + (len(unit.joint) if held else 0)
        held.append(unit)
    if held:
        yield held


def _tail(units: list[_Unit], most: int) -> list[_Unit]:
    at, length = len(units), 0
    while at and length + len(units[at - 1].text) + len(units[at - 1].joint) <= most:
        at -= 1
        length += len(units[at].text) + len(units[at].joint)
    return units[at:] if at else units[1:]


def _joined(units: list[_Unit]) -> str:
    later = [unit.joint + unit.text for unit in units[1:]]
    return "".join([units[0].text, *later]) if units else ""
