"""Chunks for retrieval: the content cut along its headings, each piece with its heading path.

A chunk holds whole lines of one section as long as they fit. A line that is longer than a chunk may
be is cut between sentences, and a sentence only where it is longer than a chunk alone. Sentences
end at full stops, question and exclamation marks before white space and no lower-case letter, and
at those of Chinese and Japanese (Unicode Standard Annex 29, section 5, in short). The
rows of a data table and the lines of preformatted text stand together while they fit.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from chaffinch.elements.shown_content import shown_content
from chaffinch.errors import require_whole
from chaffinch.output.kept_lines import kept_lines
from chaffinch.output.sentences import SENTENCE
from chaffinch.output.walk import Walk
from chaffinch.page import tags
from chaffinch.page_work import checked

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from chaffinch.output.kept_lines import KeptLines
    from chaffinch.result import Content

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
        ids: of the page's blocks that it is cut from, in order (`chaffinch.citation.block_ids`).
    """

    text: str
    headings: tuple[str, ...]
    rows: tuple[int, int]
    title: str = ""
    url: str | None = None
    language: str = ""
    ids: tuple[str, ...] = ()

    def with_ids(self, ids: tuple[str, ...]) -> Chunk:
        """Return the chunk with the ids of its blocks."""
        about = self.title, self.url, self.language
        return Chunk(self.text, self.headings, self.rows, *about, ids)


class About(NamedTuple):
    """What every chunk of a page repeats about it: title, address, language."""

    title: str = ""
    url: str | None = None
    language: str = ""


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
_NOTHING: Final = About()


def chunks(
    content: Content,
    *,
    max_length: int = 1000,
    overlap: int = 0,
    title: str = "",
    about: About = _NOTHING,
) -> list[Chunk]:
    """Cut what is kept into chunks of one section each.

    Args:
        content: the page and what is kept of it.
        max_length: most characters of a chunk's text; at least 1.
        overlap: a chunk that goes on within a section begins with what the one before ended with,
            in whole lines or sentences of at most so many characters; less than ``max_length``.
        title: a heading above all others, with which the first chunk begins; "" for none.
        about: what every chunk repeats about the page.

    Returns:
        The chunks in document order. Without overlap every kept line is in exactly one, but one
        that is longer than a chunk: its parts are.

    Raises:
        OptionError: ``max_length`` is below 1, or ``overlap`` isn't in 0..max_length-1.
    """
    require_whole("max_length", max_length, 1)
    require_whole("overlap", overlap, 0, max_length - 1)
    out: list[Chunk] = []
    for headings, above, units in checked(_sections(content, kept_lines(content), title)):
        for held in _cut(units, above, max_length, overlap):
            rows = held[0].first, max([unit.last for unit in held])
            out.append(Chunk(_joined(held), headings, rows, *about))
    return out


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
    found = _Units(content, lines).units
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


class _Units(Walk):
    """Walks lines, and the elements that aren't torn: tables, preformatted text, headings.

    Attributes:
        units: (unit, level of heading or 0), in order.
    """

    def __init__(self, content: Content, lines: KeptLines) -> None:
        shown = shown_content(content)
        super().__init__(content.page, dict.fromkeys(shown.formulas, ("_line",)))
        self.units: list[tuple[_Unit, int]] = []
        columns = lines.texts, lines.first.tolist(), lines.last.tolist(), lines.beside.tolist()
        self._lines = zip(*columns, strict=True)
        self._parts: list[str] = []
        self._ends: list[tuple[int, int, int]] = []
        self._level = 0
        walked = (_WHOLE.take(self.page.tag) | shown.elements.data_tables) & content.kept
        walked[lines.first] = True
        self.walk(np.flatnonzero(walked))
        self.close()

    def text(self, row: int, _: str) -> None:
        """Add the line that begins with a text."""
        self._line(row)

    def _line(self, _: int) -> None:
        text, first, last, beside = next(self._lines)
        if not self.stack:
            self.units.append((_Unit(text, first, last), 0))
            return
        begun = self._ends[-1][0] if self._ends else 0
        joint = "" if not self._ends else " " if self._level else "\t" if beside else "\n"
        self._parts += joint, text
        self._ends.append((begun + len(joint) + len(text), first, last))

    def element(self, row: int, tag: int) -> None:
        """Begin what isn't torn, if it isn't in another such element."""
        if not self.stack:
            self.stack.append((int(self.page.end[row]),))
            self._level = _LEVEL.get(tag, 0)

    def leave(self) -> None:
        """End what isn't torn."""
        self.stack.pop()
        if self._ends:
            lines = tuple(self._ends)
            unit = _Unit("".join(self._parts), lines[0][1], lines[-1][2], lines=lines)
            self.units.append((unit, self._level))
            self._parts, self._ends = [], []


def _fitted(unit: _Unit, most: int) -> Iterator[_Unit]:
    """Yield a unit, or where it is too long its lines, sentences, or pieces of sentences."""
    if len(unit.text) <= most:
        yield unit
        return
    joint, at = unit.joint, 0
    for line in unit.text.split("\n"):
        if len(line) <= most:
            if line.strip():
                yield unit.part(at, at + len(line), joint)
        else:
            yield from _sentences(unit, at, line, joint, most)
        joint, at = "\n", at + len(line) + 1


def _sentences(unit: _Unit, at: int, line: str, joint: str, most: int) -> Iterator[_Unit]:
    """Yield the sentences of a line of a unit that begins ``at`` there, or pieces of them."""
    for found in SENTENCE.finditer(line):
        sentence = found[0].rstrip()
        begun = at + found.start()
        for start, stop, after in _pieces(sentence, most):
            if sentence[start:stop].strip():
                yield unit.part(begun + start, begun + stop, joint)
                joint = after
        joint = " " if found[0] != sentence else ""


def _pieces(sentence: str, most: int) -> Iterator[tuple[int, int, str]]:
    """Yield (start, stop, what parts it from the next), cut at a space where there is one."""
    start = 0
    while len(sentence) - start > most:
        stop = sentence.rfind(" ", start + 1, start + most + 1)
        after = " " if stop > 0 else ""
        stop = stop if stop > 0 else start + most
        yield start, stop, after
        start = stop + len(after)
    yield start, len(sentence), ""


def _packed(units: list[_Unit], most: int, overlap: int) -> Iterator[list[_Unit]]:
    """Yield as many units as fit, again and again."""
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
    """Return the last units of at most ``most`` characters."""
    at, length = len(units), 0
    while at and length + len(units[at - 1].text) + len(units[at - 1].joint) <= most:
        at -= 1
        length += len(units[at].text) + len(units[at].joint)
    return units[at:] if at else units[1:]


def _joined(units: list[_Unit]) -> str:
    later = [unit.joint + unit.text for unit in units[1:]]
    return "".join([units[0].text, *later]) if units else ""
