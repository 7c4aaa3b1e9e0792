"""Blocks of Markdown: their lines behind the marks of the lists and quotes around them.

CommonMark 0.31, section 5 (container blocks). A mark is written when the first block within it
comes, so that no list item or quote is empty. Blocks can be written one by one, some without the
others. Lists that were typed (lines that begin with a bullet, or with numbers that count up) become
lists; data tables become tables of GFM: one header line, spans filled.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, Literal

from chaffinch.elements.tables import Grid
from chaffinch.output.markdown_text import at_line_start

MAX_CONTAINERS: Final = 48
"""Quotes, lists and items within each other; deeper ones add no mark, for prefixes would grow."""


@dataclass(slots=True)
class Container:
    """A quote, list, item or note; ``again`` is a list's stray child that joins the last item."""

    kind: Literal["root", "quote", "list", "item", "again", "note"]
    fresh: bool = True
    """Nothing has been written in it yet."""
    prefix: str = ""
    """What lines in it begin with, once it isn't fresh."""
    marker: str = ""
    """Of a list: ``-``, ``*``, ``.`` or ``)``; of a note: its label."""
    number: int = 0
    """Of a list: the number of its next item."""
    given: int | None = None
    """Of a list: the number it starts with; of an item: its own; None without numbers."""
    letters: str = ""
    """Of a list of bullets: ``A``, ``a``, ``I`` or ``i`` where each is marked so, too."""
    step: int = 1
    """Of a list: from a number to the next; -1 where it counts down."""
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


class Blocks:
    """The lines of a document, and the containers that are open."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.stack = [Container("root", fresh=False)]

    @property
    def depth(self) -> int:
        return len(self.stack)

    @property
    def in_list(self) -> bool:
        return self.stack[-1].kind == "list"

    @property
    def begins_item(self) -> bool:
        return self.stack[-1].kind == "item" and self.stack[-1].fresh

    @property
    def containers(self) -> tuple[Container, ...]:
        return tuple(self.stack[1:])

    def close(self, depth: int) -> None:
        del self.stack[depth:]

    def open_quote(self) -> None:
        self._push(Container("quote"))

    def open_list(
        self, *, start: int | None = None, goes_on: bool = False, letters: str = "", step: int = 1
    ) -> None:
        """Open a list: ordered from ``start``, or of bullets where it is None.

        Of two lists that touch, the second has other marks, unless it is to go on with the first.
        Markdown numbers with digits alone: ``letters`` stand behind bullets.
        """
        if self.in_list and self.stack[-1].width:
            self._push(Container("again"))
        marks = "-*" if start is None or letters else ".)"
        last = self.stack[-1].last
        marker = last if goes_on and last else marks[last == marks[0]]
        number = 0 if start is None else start
        self._push(
            Container("list", marker=marker, number=number, given=start, letters=letters, step=step)
        )

    def open_item(self, number: int | None = None) -> None:
        """Open an item, by default with the next number; the innermost container is a list."""
        self._push(Container("item", given=number))

    def open_note(self, label: str) -> None:
        outer = self.stack[-1]  # a list perhaps, whose next item is counted and stands apart
        outer.loose, outer.number = True, outer.number + 1
        self._push(Container("note", marker=label))

    def _push(self, container: Container) -> None:
        if len(self.stack) < MAX_CONTAINERS:
            self.stack.append(container)

    def write(self, lines: list[str]) -> None:
        stack = self.stack
        at = len(stack)
        if at == 1:  # in no container, as most are
            root = stack[0]
            root.count, root.last = root.count + 1, ""
            if self.lines:
                self.lines.append("")
            self.lines += lines
            return
        while stack[at - 1].fresh:
            at -= 1
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
            container = stack[index]
            container.fresh, container.prefix, container.count = False, rest, 1
            container.last = stack[index + 1].marker if index + 1 < len(stack) else ""
        outer.stray = False
        for container in reversed(stack):
            container.stray = container.kind == "list"
            if not container.stray:
                break
        if stack[at:] and stack[-2].letters and lines[0].startswith(_OPENINGS):
            self.lines += [first.rstrip(), rest.rstrip()]
            first = rest
        is_note = stack[at:] and stack[-1].kind == "note"
        line = _without_label(lines[0], stack[-1].marker) if is_note else lines[0]
        self.lines.append(first + line)
        if len(lines) > 1:
            bare = rest.rstrip()
            self.lines.extend(rest + line if line else bare for line in lines[1:])

    def _is_apart(self, at: int) -> bool:
        """Return whether a blank line precedes the block; ``at`` is the first fresh container."""
        stack = self.stack
        outer = stack[at - 1]
        if at < len(stack):
            if stack[at].kind == "item" and outer.kind == "list":
                return outer.loose or outer.stray
            opened = self._opened_list(at)
            follows = outer.kind == "item" and outer.count == 1 and not outer.last
            if opened is not None and (follows or stack[at].kind == "again"):
                return opened.marker in ".)" and opened.number != 1
        for container in reversed(stack[:at]):
            if container.kind == "list":
                container.loose = True
                break
        return True

    def _opened_list(self, at: int) -> Container | None:
        """Return the list whose item the containers from ``at`` on begin with; None for none."""
        for outer, container in pairwise(self.stack[at:]):
            if outer.kind not in {"list", "again"}:
                break
            if container.kind == "item":
                return outer
        return None

    def _mark(self, index: int) -> tuple[str, str]:
        """Return what the first line and the others in a fresh container begin with."""
        container, outer = self.stack[index], self.stack[index - 1]
        match container.kind:
            case "quote":
                return "> ", "> "
            case "note":
                return f"[^{container.marker}]: ", "    "
            case "again":
                return " " * outer.width, " " * outer.width
            case "item":
                mark = f"{outer.marker} "
                if outer.marker in ".)" or outer.letters:
                    container.given = outer.number if container.given is None else container.given
                    outer.number = max(min(container.given + outer.step, 999_999_999), 0)
                if outer.marker in ".)":
                    mark = f"{container.given}{mark}"
                outer.width = len(mark)
                indent = " " * len(mark)
                if outer.letters:
                    mark += f"{_lettered(container.given or 0, outer.letters)}. "
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
    blocks, opened = Blocks(), list[tuple[Container, int]]()
    for block, lines in some:
        around, common = block.around, 0
        for (container, _), wanted in zip(opened, around, strict=False):
            if container is not wanted:
                break
            common += 1
        if common < len(opened):
            blocks.close(opened[common][1])
            del opened[common:]
        for at in range(common, len(around)):
            opened.append((around[at], blocks.depth))
            match around[at].kind:
                case "quote":
                    blocks.open_quote()
                case "list":
                    one, after = around[at], around[at + 1 : at + 2]
                    inner = after[0].given if after and one.given is not None else None
                    start = one.given if inner is None else inner
                    blocks.open_list(start=start, letters=one.letters)
                case "item":
                    blocks.open_item(around[at].given)
                case "note":
                    blocks.open_note(around[at].marker)
        blocks.write(lines)
    return "\n".join([*blocks.lines, ""]) if blocks.lines else ""


def alone(block: WrittenBlock) -> str:
    """Return one block of a document as Markdown, behind all marks of what it stands in."""
    return selected([(block, block.lines)]) if block.around else "\n".join([*block.lines, ""])


BULLETS: Final = "•●▪▫◦‣⁃■◆·・∙►▸➤❖✓✔"
"""Characters that stand for nothing else at the beginning of a line."""
_DASHES: Final = "-–—−"
"""They begin speech, too."""
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
