"""Blocks of Markdown: their lines behind the marks of the lists and quotes around them.

CommonMark 0.31, section 5 (container blocks). A mark is written when the first block within it
comes, so that no list item or quote is empty. Blocks can be written one by one, some without the
others. Lists that were typed (lines that begin with a bullet, or with numbers that count up) become
lists; data tables become tables of GFM: one header line, spans filled.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, Literal

from chaffinch.elements.tables import Grid
from chaffinch.output.markdown_text import at_line_start

_MOST: Final = 48
"""Quotes, lists and items within each other; deeper ones add no mark, for prefixes would grow."""


@dataclass(slots=True, eq=False)
class Container:
    """A quote, list, item or note of a document, whatever of it is written."""

    kind: Literal["root", "quote", "list", "item", "again", "note"]
    given: int | None = None
    """Of a list: the number it starts with; of an item: its own, once it is known; else None."""
    letters: str = ""
    """Of a list of bullets: ``A``, ``a``, ``I`` or ``i`` where each is marked so, too.

    Markdown numbers with digits alone: they stand behind bullets."""
    step: int = 1
    """Of a list: from a number to the next; -1 where it counts down."""
    goes_on: bool = False
    """Of a list: it has the marks of the one that it touches; else of two such the second has
    others."""
    label: str = ""
    """Of a note."""


@dataclass(slots=True)
class _Open:
    """What is written of a container that is open.

    One of the kind «again» is around a list that is a list's stray child: it joins the last item.
    """

    container: Container
    fresh: bool = True
    """Nothing has been written in it yet."""
    prefix: str = ""
    """What lines in it begin with, once it isn't fresh."""
    marker: str = ""
    """Of a list: ``-``, ``*``, ``.`` or ``)``."""
    number: int = 0
    """Of a list: the number of its next item."""
    width: int = 0
    """Of a list: characters of its last item's mark; 0 before the first."""
    loose: bool = False
    """Of a list: its items are parted by blank lines."""
    stray: bool = False
    """Of a list: what was written last in it is in no item."""
    count: int = 0
    """Blocks written directly in it."""
    last: str = ""
    """The marker of the list that was written last in it; "" where another block was."""

    @property
    def kind(self) -> str:
        return self.container.kind


class Blocks:
    """The lines of a document, block by block."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._stack = [_Open(Container("root"), fresh=False)]

    def markdown(self) -> str:
        return "\n".join([*self.lines, ""]) if self.lines else ""

    def is_fresh(self, container: Container) -> bool:
        """Return whether nothing is written in a container that is open."""
        return all(one.container is not container for one in self._stack)

    def write(self, lines: list[str], around: Sequence[Container] = ()) -> None:
        """Write a block within containers, the outermost first."""
        stack = self._stack
        if not around and len(stack) == 1:  # as most are
            root = stack[0]
            root.count, root.last = root.count + 1, ""
            if self.lines:
                self.lines.append("")
            self.lines += lines
            return
        at = self._entered(around)
        outer = stack[at - 1]
        if self.lines and self._is_apart(at):
            self.lines.append(outer.prefix.rstrip())
        first = rest = outer.prefix
        outer.count += 1
        outer.last = stack[at].marker if at < len(stack) else ""
        for index in range(at, len(stack)):
            mark, indent = self._mark(index)
            first += mark
            rest += indent
            own = stack[index]
            own.fresh, own.prefix, own.count = False, rest, 1
            own.last = stack[index + 1].marker if index + 1 < len(stack) else ""
        outer.stray = False
        for own in reversed(stack):
            own.stray = own.kind == "list"
            if not own.stray:
                break
        if stack[at:] and stack[-2].container.letters and lines[0].startswith(_OPENINGS):
            self.lines += [first.rstrip(), rest.rstrip()]
            first = rest
        is_note = stack[at:] and stack[-1].kind == "note"
        line = _without_label(lines[0], stack[-1].container.label) if is_note else lines[0]
        self.lines.append(first + line)
        if len(lines) > 1:
            bare = rest.rstrip()
            self.lines.extend(rest + line if line else bare for line in lines[1:])

    def _entered(self, around: Sequence[Container]) -> int:
        """Leave and enter containers; return the place of the first in which nothing is written."""
        stack = self._stack
        while len(stack) > 1 and stack[-1].container not in around:
            stack.pop()
        at = len(stack)
        kept = around.index(stack[-1].container) + 1 if at > 1 else 0
        for container in around[kept:_MOST]:
            self._enter(container)
        return at

    def _enter(self, container: Container) -> None:
        outer, own = self._stack[-1], _Open(container)
        if container.kind == "list":
            if outer.kind == "list" and outer.width:
                self._stack.append(outer := _Open(Container("again")))
            marks = "-*" if container.given is None or container.letters else ".)"
            goes_on = container.goes_on and outer.last
            own.marker = outer.last if goes_on else marks[outer.last == marks[0]]
            own.number = container.given or 0
        elif container.kind == "item" and outer.fresh and container.given is not None:
            outer.number = container.given
        elif container.kind == "note":  # in a list perhaps, whose next item stands apart
            outer.loose, outer.number = True, outer.number + 1
        self._stack.append(own)

    def _is_apart(self, at: int) -> bool:
        """Return whether a blank line precedes the block; ``at`` is the first fresh container."""
        stack = self._stack
        outer = stack[at - 1]
        if at < len(stack):
            if stack[at].kind == "item" and outer.kind == "list":
                return outer.loose or outer.stray
            opened = self._opened_list(at)
            follows = outer.kind == "item" and outer.count == 1 and not outer.last
            if opened is not None and (follows or stack[at].kind == "again"):
                return opened.marker in ".)" and opened.number != 1
        for own in reversed(stack[:at]):
            if own.kind == "list":
                own.loose = True
                break
        return True

    def _opened_list(self, at: int) -> _Open | None:
        """Return the list whose item the containers from ``at`` on begin with; None for none."""
        for outer, own in pairwise(self._stack[at:]):
            if outer.kind not in {"list", "again"}:
                break
            if own.kind == "item":
                return outer
        return None

    def _mark(self, index: int) -> tuple[str, str]:
        """Return what the first line and the others in a fresh container begin with."""
        own, outer = self._stack[index].container, self._stack[index - 1]
        match own.kind:
            case "quote":
                return "> ", "> "
            case "note":
                return f"[^{own.label}]: ", "    "
            case "again":
                return " " * outer.width, " " * outer.width
            case "item":
                mark, letters = f"{outer.marker} ", outer.container.letters
                if outer.marker in ".)" or letters:
                    own.given = outer.number if own.given is None else own.given
                    outer.number = max(min(own.given + outer.container.step, 999_999_999), 0)
                if outer.marker in ".)":
                    mark = f"{own.given}{mark}"
                outer.width = len(mark)
                indent = " " * len(mark)
                if letters:
                    mark += f"{_lettered(own.given or 0, letters)}. "
                return mark, indent
        return "", ""


_AFTER_LABEL: Final = ".):\\]"


def _without_label(line: str, label: str) -> str:
    """Return the first line of a note without its label, or what stands behind that."""
    after = line.lstrip("[\\(").removeprefix(label)
    behind = after.lstrip(_AFTER_LABEL)
    is_label = after[:1] in tuple(_AFTER_LABEL) and behind[:1] == " "
    return behind.lstrip() if is_label else line


_OPENINGS: Final = ("```", "~~~", "#", "|")  # blocks that begin at the beginning of a line
_ROMAN: Final = {
    "m": 1000, "cm": 900, "d": 500, "cd": 400, "c": 100, "xc": 90, "l": 50, "xl": 40, "x": 10,
    "ix": 9, "v": 5, "iv": 4, "i": 1,
}  # fmt: skip
_LAST_ROMAN: Final = 3999


def _lettered(number: int, kind: str) -> str:
    """Return a number as letters, for ``I`` and ``i`` as a Roman one; in digits beyond those."""
    if not 0 < number <= _LAST_ROMAN:
        return str(number)
    text = ""
    for sign, value in _ROMAN.items() if kind in "iI" else ():
        text += number // value * sign
        number %= value
    while number:
        number, rest = divmod(number - 1, 26)
        text = chr(ord("a") + rest) + text
    return text.upper() if kind.isupper() else text


PARAGRAPH: Final = "paragraph"
HEADING: Final = "heading"
CODE_BLOCK: Final = "code"
TABLE: Final = "table"
RULE: Final = "rule"
"""Kinds of blocks."""


@dataclass(frozen=True, slots=True, eq=False)
class WrittenBlock:
    """A block as it was written."""

    kind: str
    comment: list[str]  # lines above it that name its rows
    block: list[str]  # its lines, without the marks of what it stands in
    rows: tuple[int, int]  # half-open range of rows of the page that it is from
    around: tuple[Container, ...]  # the lists, items and quotes around it, outermost first
    level: int = 0  # of a heading, 1 to 6
    text: str = ""  # of a heading, its words
    ends: list[tuple[int, int]] = field(default_factory=list)
    """(line of ``block``, character) after each sentence that ends outside of marks."""

    @property
    def lines(self) -> list[str]:
        return [*self.comment, *self.block]

    def until(self, end: tuple[int, int]) -> list[str]:
        line, character = end
        return [*self.comment, *self.block[:line], self.block[line][:character]]


def selected(some: Iterable[tuple[WrittenBlock, list[str]]]) -> str:
    """Return blocks of a document in their order, or lines of them, as Markdown.

    The lists and quotes around them are written, too.
    """
    blocks = Blocks()
    for block, lines in some:
        blocks.write(lines, block.around)
    return blocks.markdown()


def alone(block: WrittenBlock) -> str:
    """Return one block of a document as Markdown, behind all marks of what it stands in."""
    return selected([(block, block.lines)]) if block.around else "\n".join([*block.lines, ""])


BULLETS: Final = "•●▪▫◦‣⁃■◆·・∙►▸➤❖✓✔"
"""Characters that stand for nothing else at the beginning of a line."""
_DASHES: Final = "-–—−"  # they begin speech, too
_MAY_BEGIN_ITEM: Final = f"{BULLETS}{_DASHES}\\"
_SPEECH: Final = re.compile(rf"[?!？！…\"”»]\Z|[\s.,][{_DASHES}]+\s")
"""What stands in speech behind a dash, and not in items."""
_TYPED_ITEM: Final = re.compile(
    rf"(?:[{BULLETS}]\s*|\\?[{_DASHES}]\s+|([0-9]{{1,3}})(?:\\?[.)]\s+|[、．]\s*|\\?\.(?=[\u3040-\u9fff])))(?=\S)"
)
_FEWEST: Final = 2  # lines of a list, but for bullets in a paragraph of their own


def may_be_item(line: str) -> bool:
    """Return whether a line begins with what a typed item does, or a sign that might be one."""
    first = line[0]
    return not first.isalpha() and (first.isdigit() or first in _MAY_BEGIN_ITEM)


def number_of(line: str) -> int:
    """Return the number that a line of Markdown begins with as an item would; -1 for none."""
    found = _TYPED_ITEM.match(line)
    return int(found[1]) if found is not None and found[1] else -1


def as_item(line: str) -> str:
    """Return a line that was typed as an item as one of Markdown."""
    found = _TYPED_ITEM.match(line)
    if found is None:
        return line
    mark = f"{found[1]}." if found[1] else "-"
    return f"{mark} {at_line_start(line[found.end() :])}"


def typed_lists(lines: list[str], above: str) -> list[tuple[list[str], bool]]:
    """Return a paragraph as blocks: lines before a list that was typed, and the list; or as it is.

    Each with whether it is a list; ``above`` is the line above the paragraph.
    """
    begin = next((at for at, line in enumerate(lines) if _TYPED_ITEM.match(line)), len(lines))
    if not is_list(lines[begin:], above=lines[begin - 1] if begin else above):
        return [(_broken(lines), False)]
    items = [as_item(line) for line in lines[begin:]]
    return [*[(_broken(lines[:begin]), False)] * (begin > 0), (items, True)]


def is_list(lines: list[str], above: str) -> bool:
    """Return whether lines are items that were typed, by the line ``above`` where dashes begin."""
    numbers = [number_of(line) for line in lines]
    if max(numbers, default=0) < 0:
        return all(line[0] in BULLETS for line in lines) or _are_dashed(lines, above)
    return len(lines) >= _FEWEST and all(0 <= a == b - 1 for a, b in pairwise(numbers))


def _are_dashed(lines: list[str], above: str) -> bool:
    """Return whether lines with dashes are items: announced, or without capitals; not spoken."""
    found = [_TYPED_ITEM.match(line) for line in lines]
    texts = [
        line[one.end() :]
        for one, line in zip(found, lines, strict=True)
        if one and line[0] not in BULLETS
    ]
    if len(texts) < max(len(lines), _FEWEST) or any(map(_SPEECH.search, texts)):
        return False
    announced = above.endswith((":", "：")) and not all(text.endswith(".") for text in texts)
    return announced or all(text[0].islower() or text[0].isdigit() for text in texts)


def _broken(lines: list[str]) -> list[str]:
    """Return the lines of a paragraph, each but the last ending with a break."""
    return [f"{line}\\" for line in lines[:-1]] + lines[-1:]


_LONG: Final = 80  # characters; a longer cell that spans several places is written once


def table_lines(places: Grid, words: Mapping[int, str]) -> list[str]:
    """Return the lines of a table; ``words`` is the Markdown of each cell that holds any.

    GFM requires one header: the first line of the table's header, or its first line where no cell
    is a th; else (only row headers) an empty one. A cell that spans several places stands in each,
    but a long one, or one as wide as the table, only in the first.
    """
    width = places.width
    if not any(words.get(cell) for line in places.lines for cell in line):
        return []
    written: set[int] = set()
    lines = [_filled(line, words, written) for line in places.lines]
    if places.named and not places.headers:
        lines.insert(0, [])
    lines[0] += [""] * (width - len(lines[0]))
    lines.insert(1, ["---"] * width)
    return [f"| {' | '.join(line)} |" for line in lines]


def _filled(line: list[int], words: Mapping[int, str], written: set[int]) -> list[str]:
    out = []
    for cell in line:
        own = words.get(cell, "")
        once = len(own) > _LONG or (line[0] == cell and line[-1] == cell)
        out.append("" if once and cell in written else own)
        written.add(cell)
    return out
