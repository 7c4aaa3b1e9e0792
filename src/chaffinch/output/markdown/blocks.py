"""Blocks: writes the lines of blocks behind the marks of the lists and quotes around them.

CommonMark 0.31, section 5 (container blocks). A mark is written when the first block within it
comes, so that no list item or quote is empty.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Final

MAX_CONTAINERS: Final = 48
"""Quotes, lists and items within each other; deeper ones add no mark, for prefixes would grow."""

_QUOTE: Final = "quote"
_LIST: Final = "list"
_ITEM: Final = "item"
_AGAIN: Final = "again"


@dataclass(slots=True)
class Container:
    """A quote, a list, or an item; ``again`` is a list's stray child that joins the last item."""

    kind: str
    fresh: bool = True
    """Nothing has been written in it yet."""
    prefix: str = ""
    """What lines in it begin with, once it isn't fresh."""
    marker: str = ""
    """Of a list: ``-``, ``*``, ``.`` or ``)``."""
    number: int = 0
    """Of a list: the number of its next item."""
    given: int | None = None
    """Of a list: the number it starts with; of an item: its own; None without numbers."""
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
        """How many containers are open."""
        return len(self.stack)

    @property
    def in_list(self) -> bool:
        """Return whether the innermost container is a list (and not an item of it)."""
        return self.stack[-1].kind == _LIST

    @property
    def containers(self) -> tuple[Container, ...]:
        """The containers that are open, outermost first."""
        return tuple(self.stack[1:])

    def close(self, depth: int) -> None:
        """Close containers until ``depth`` are open."""
        del self.stack[depth:]

    def open_quote(self) -> None:
        """Open a quote."""
        self._push(Container(_QUOTE))

    def open_list(self, *, start: int | None = None, goes_on: bool = False) -> None:
        """Open a list: ordered from ``start``, or of bullets where it is None.

        Of two lists that touch, the second has other marks, unless it is to go on with the first.
        """
        if self.in_list and self.stack[-1].width:
            self._push(Container(_AGAIN))
        marks = "-*" if start is None else ".)"
        last = self.stack[-1].last
        marker = last if goes_on and last else marks[last == marks[0]]
        number = 0 if start is None else start
        self._push(Container(_LIST, marker=marker, number=number, given=start))

    def open_item(self, number: int | None = None) -> None:
        """Open an item, by default with the next number; the innermost container is a list."""
        self._push(Container(_ITEM, given=number))

    def _push(self, container: Container) -> None:
        if len(self.stack) < MAX_CONTAINERS:
            self.stack.append(container)

    def write(self, lines: list[str]) -> None:
        """Write a block in the innermost container."""
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
            container.stray = container.kind == _LIST
            if not container.stray:
                break
        self.lines.append(first + lines[0])
        bare = rest.rstrip()
        self.lines.extend(rest + line if line else bare for line in lines[1:])

    def _is_apart(self, at: int) -> bool:
        """Return whether a blank line precedes the block; ``at`` is the first fresh container."""
        stack = self.stack
        outer = stack[at - 1]
        if at < len(stack):
            if stack[at].kind == _ITEM and outer.kind == _LIST:
                return outer.loose or outer.stray
            opened = self._opened_list(at)
            follows = outer.kind == _ITEM and outer.count == 1 and not outer.last
            if opened is not None and (follows or stack[at].kind == _AGAIN):
                return opened.marker in ".)" and opened.number != 1
        for container in reversed(stack[:at]):
            if container.kind == _LIST:
                container.loose = True
                break
        return True

    def _opened_list(self, at: int) -> Container | None:
        """Return the list whose item the containers from ``at`` on begin with; None for none."""
        for outer, container in pairwise(self.stack[at:]):
            if outer.kind not in {_LIST, _AGAIN}:
                break
            if container.kind == _ITEM:
                return outer
        return None

    def _mark(self, index: int) -> tuple[str, str]:
        """Return what the first line and the others in a fresh container begin with."""
        container, outer = self.stack[index], self.stack[index - 1]
        match container.kind:
            case "quote":
                return "> ", "> "
            case "again":
                return " " * outer.width, " " * outer.width
            case "item":
                mark = f"{outer.marker} "
                if outer.marker in ".)":
                    container.given = outer.number if container.given is None else container.given
                    mark = f"{container.given}{mark}"
                    outer.number = min(container.given + 1, 999_999_999)
                outer.width = len(mark)
                return mark, " " * len(mark)
        return "", ""
