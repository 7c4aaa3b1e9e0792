"""The stack of open elements and the list of active formatting elements, for counting only.

HTML Standard, sections 13.2.4.2 and 13.2.4.3. Elements are codes of names. End tags don't reach
across some of them: what is open in one of these is a scope. All lookups take constant time.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from typing import TYPE_CHECKING, Final, NamedTuple

from chaffinch.kernels.tag_codes import FORMATTING, MATH, SPECIAL, SVG, WALL

if TYPE_CHECKING:
    from chaffinch.kernels.tag_codes import TagTable

_IDENTICAL: Final = 3  # formatting elements, the same in all: a fourth takes the first one's place


class Entry:
    """An active formatting element: its name, its tag as it is written, and whether it is open."""

    __slots__ = ("code", "is_open", "tag")

    def __init__(self, code: int, tag: bytes) -> None:
        self.code = code
        self.tag = tag
        self.is_open = True


class Active:
    """The list of active formatting elements: those that are opened again in the next block."""

    __slots__ = ("entries", "pending")

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.pending = 0  # entries that aren't open

    def add(self, code: int, tag: bytes) -> None:
        """Note a formatting element that was opened by ``tag``."""
        same = [entry for entry in self.entries if entry.tag == tag]
        if len(same) >= _IDENTICAL:
            self.remove(same[0])
        self.entries.append(Entry(code, tag))

    def last(self, code: int) -> Entry | None:
        """Return the youngest entry of that name."""
        return next((entry for entry in reversed(self.entries) if entry.code == code), None)

    def remove(self, entry: Entry) -> None:
        """Forget an entry."""
        self.pending -= not entry.is_open
        self.entries.remove(entry)

    def park(self, code: int) -> None:
        """Note that an element was closed by the end of the block around it."""
        for entry in reversed(self.entries):
            if entry.is_open and entry.code == code:
                entry.is_open = False
                self.pending += 1
                return


class Scope(NamedTuple):
    """Elements that end tags in them don't reach beyond.

    Attributes:
        start: offset of the first; the element before it made the scope.
        active: formatting elements.
    """

    start: int
    active: Active


class OpenElements:
    """The open elements at some tag of a page, by offsets, the root first.

    Attributes:
        codes: of the names.
        deepest: the most there were.
        scopes: the innermost last.
        foreign: by scope, the offset of the outermost svg or math in it, -1 for none.
        options: by scope, how many options it has had.
    """

    def __init__(self, table: TagTable) -> None:
        self.kinds: defaultdict[int, int] = defaultdict(int, enumerate(table.kinds.tolist()))
        self.ring: list[int] = table.ring.tolist()
        self.codes: list[int] = []
        self.deepest = 0
        self.scopes = [Scope(0, Active())]
        self.foreign = [-1]
        self.options = [0]
        self._before: list[int] = []  # offset of the last element of the same name
        self._last: defaultdict[int, int] = defaultdict(lambda: -1)  # by code
        self._specials: list[int] = []
        self._walls: list[int] = []

    def push(self, code: int) -> None:
        """Open an element."""
        here = len(self.codes)
        self.codes.append(code)
        self._before.append(self._last[code])
        self._last[code] = here
        self.deepest = max(self.deepest, here + 1)
        if self.kinds[code] & SPECIAL:
            self._specials.append(here)
        if self.kinds[code] & WALL:
            self._walls.append(here)
        if code in {SVG, MATH} and self.foreign[-1] < 0:
            self.foreign[-1] = here

    def open_scope(self, *, shares: bool) -> None:
        """Let the current element hold a scope, with formatting elements of its own or not."""
        active = self.scopes[-1].active if shares else Active()
        self.scopes.append(Scope(len(self.codes), active))
        self.foreign.append(-1)
        self.options.append(0)

    def pop_to(self, offset: int) -> None:
        """Close the element at ``offset`` and all in it, formatting elements until the next."""
        while len(self.codes) > offset:
            if len(self.codes) == self.scopes[-1].start:
                for column in (self.scopes, self.foreign, self.options):
                    column.pop()
            is_foreign = 0 <= self.foreign[-1] < len(self.codes)
            code = self._pop()
            if not is_foreign and self.kinds[code] & FORMATTING:
                self.scopes[-1].active.park(code)

    def _pop(self) -> int:
        code = self.codes.pop()
        self._last[code] = self._before.pop()
        here = len(self.codes)
        for offsets in (self._specials, self._walls):
            if offsets and offsets[-1] == here:
                offsets.pop()
        if self.foreign[-1] == here:
            self.foreign[-1] = -1
        return code

    def take_out(self, offset: int, kept: int = 0) -> None:
        """Close an element of the innermost scope and leave open what is in it.

        Args:
            offset: of the element.
            kept: kinds of what stays open in it; 0 for all.
        """
        above = [self._pop() for _ in range(offset + 1, len(self.codes))]
        self._pop()
        for code in reversed(above):
            if not kept or self.kinds[code] & kept:
                self.push(code)

    def last(self, code: int) -> int:
        """Return the offset of the innermost element of that name, -1 where there is none."""
        return self._last[code]

    def find(self, code: int) -> int:
        """Return the same of the innermost scope."""
        offset = self._last[code]
        return offset if offset >= self.scopes[-1].start else -1

    def find_kin(self, code: int) -> int:
        """Return the same of any name that counts as one with ``code``."""
        offset, other = self.find(code), self.ring[code]
        while other != code:
            offset, other = max(offset, self.find(other)), self.ring[other]
        return offset

    def are_kin(self, code: int, other: int) -> bool:
        """Return whether two names count as one; ``code`` is one of the table's."""
        at = code
        while at != other:
            at = self.ring[at]
            if at == code:
                return False
        return True

    def top(self) -> int:
        """Return the name of the current element, -1 where the innermost scope has none."""
        return self.codes[-1] if len(self.codes) > self.scopes[-1].start else -1

    def scope_name(self) -> int:
        """Return the name of the element that holds the innermost scope, -1 for the page."""
        start = self.scopes[-1].start
        return self.codes[start - 1] if start else -1

    def reaches(self, offset: int, *, walls: bool = False) -> bool:
        """Return whether no special element is open within the one at ``offset``; or no wall."""
        offsets = self._walls if walls else self._specials
        return not offsets or offsets[-1] <= offset

    def specials_above(self, offset: int, most: int) -> list[int]:
        """Return the offsets of the outermost special elements within one, at most ``most``."""
        first = bisect_right(self._specials, offset)
        return self._specials[first : first + most]
