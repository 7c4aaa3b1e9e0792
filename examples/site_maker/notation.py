"""The notation of the texts in `words`: how a few marks become blocks.

Blocks are separated by empty lines:

    ## heading, ### smaller heading          > quotation
    - item, "  - " nested item               1. numbered item
    term :: definition                       ?? summary, next line: the text of a <details>
    ```lang … ```  code                      |+ caption, |= header cells, | cells, ^ spans down
    ![file WxH|caption|credit]  figure       [![…]] a figure that links to its large version
    +++  a new container                     ===  the next page of an article in parts

Within text: [link](url), **strong**, `code`.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from site_maker.blocks import (
    Block,
    Code,
    Cut,
    Definitions,
    Details,
    Figure,
    Heading,
    Items,
    Quote,
    Table,
)


@dataclass
class _Chunks:
    """Groups of lines between empty lines, code fences kept whole."""

    groups: list[list[str]] = field(default_factory=lambda: [[]])
    fenced: bool = False

    def add(self, line: str) -> None:
        """Take the next line."""
        if line.startswith("```"):
            self.fenced = not self.fenced
        if line.strip() or self.fenced:
            self.groups[-1].append(line)
        elif self.groups[-1]:
            self.groups.append([])


def parse(source: str) -> list[Block]:
    """Blocks of a text in the notation."""
    chunks = _Chunks()
    for line in source.strip("\n").split("\n"):
        chunks.add(line)
    return [_block(group) for group in chunks.groups if group]


def _block(lines: list[str]) -> Block:
    for pattern, kind in _KINDS:
        if re.match(pattern, lines[0]):
            return kind(lines)
    return Block("\n".join(lines))


def _heading(lines: list[str]) -> Heading:
    marks, text = lines[0].split(" ", 1)
    return Heading(text, len(marks))


def _definitions(lines: list[str]) -> Definitions:
    pairs = (line.split(" :: ") for line in lines)
    return Definitions("", tuple((term, text) for term, text in pairs))


def _items(lines: list[str]) -> Items:
    ordered = not lines[0].startswith("-")
    return Items("", ordered, tuple(_item(line) for line in lines))


def _item(line: str) -> tuple[int, str]:
    return (1 if line.startswith("  ") else 0, re.sub(r"^\s*(-|\d+\.) ", "", line))


def _figure(lines: list[str]) -> Figure:
    line = lines[0]
    linked = line.startswith("[![")
    head, caption, credit = line.strip("![]").split("|")
    file, size = head.split(" ")
    width, height = (int(number) for number in size.split("x"))
    return Figure(caption, file, (width, height), credit, linked)


def _table(lines: list[str]) -> Table:
    def cells(line: str) -> tuple[str, ...]:
        return tuple(cell.strip() for cell in line.lstrip("|=+").split(" | "))

    caption, head, *rows = lines
    return Table(cells(caption)[0], cells(head), tuple(cells(row) for row in rows))


_KINDS: tuple[tuple[str, Callable[[list[str]], Block]], ...] = (
    (r"\+\+\+$|===$", lambda lines: Cut(lines[0])),
    (r"#{2,3} ", _heading),
    (r"> ", lambda lines: Quote(lines[0][2:])),
    (r"\?\? ", lambda lines: Details(lines[0][3:], lines[1])),
    (r"```", lambda lines: Code("\n".join(lines[1:-1]), lines[0][3:])),
    (r"\[?!\[", _figure),
    (r"\|", _table),
    (r".+? :: ", _definitions),
    (r"- |\d+\. ", _items),
)
