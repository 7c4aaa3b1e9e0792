"""The blocks of Markdown one by one, so that some of them can be written without the others."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from chaffinch.output.markdown.blocks import Blocks

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chaffinch.output.markdown.blocks import Container

PARAGRAPH: Final = "paragraph"
HEADING: Final = "heading"
CODE: Final = "code"
TABLE: Final = "table"
RULE: Final = "rule"
"""Kinds of blocks."""


@dataclass(frozen=True, slots=True, eq=False)
class WrittenBlock:
    """A block as it was written.

    Attributes:
        kind: what it is.
        comment: lines above it that name its rows.
        block: its lines, without the marks of what it stands in.
        rows: half-open range of rows of the page that it is from.
        around: the lists, items and quotes that it stands in, outermost first.
        level: of a heading, 1 to 6.
        text: of a heading, its words.
        ends: (line of ``block``, character) after each sentence that ends outside of marks.
    """

    kind: str
    comment: list[str]
    block: list[str]
    rows: tuple[int, int]
    around: tuple[Container, ...]
    level: int = 0
    text: str = ""
    ends: list[tuple[int, int]] = field(default_factory=list)

    @property
    def lines(self) -> list[str]:
        """All its lines."""
        return [*self.comment, *self.block]

    def until(self, end: tuple[int, int]) -> list[str]:
        """Return its lines up to one of ``ends``."""
        line, character = end
        return [*self.comment, *self.block[:line], self.block[line][:character]]


class BlockSelection:
    """Writes some blocks of a document in their order, with the lists and quotes around them."""

    def __init__(self) -> None:
        self._blocks = Blocks()
        self._open: list[tuple[Container, int]] = []

    def write(self, block: WrittenBlock, lines: list[str]) -> None:
        """Write the lines of a block where it stood."""
        blocks, around = self._blocks, block.around
        common = 0
        for (container, _), wanted in zip(self._open, around, strict=False):
            if container is not wanted:
                break
            common += 1
        if common < len(self._open):
            blocks.close(self._open[common][1])
            del self._open[common:]
        for at in range(common, len(around)):
            self._open.append((around[at], blocks.depth))
            match around[at].kind:
                case "quote":
                    blocks.open_quote()
                case "list":
                    blocks.open_list(start=_first_number(around, at))
                case "item":
                    blocks.open_item(around[at].given)
        blocks.write(lines)

    def markdown(self) -> str:
        """Return what was written; the last line ends with a newline."""
        return "\n".join([*self._blocks.lines, ""]) if self._blocks.lines else ""


def _first_number(around: tuple[Container, ...], at: int) -> int | None:
    """Return the number that a list begins with: that of the item that is written first."""
    start = around[at].given
    inner = around[at + 1].given if at + 1 < len(around) else None
    return start if start is None or inner is None else inner


def alone(block: WrittenBlock) -> str:
    """Return one block of a document as Markdown, behind all marks of what it stands in."""
    return selected([block]) if block.around else "\n".join([*block.lines, ""])


def selected(blocks: Iterable[WrittenBlock]) -> str:
    """Return some blocks of a document, in their order, as Markdown."""
    selection = BlockSelection()
    for block in blocks:
        selection.write(block, block.lines)
    return selection.markdown()
